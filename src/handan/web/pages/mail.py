"""Mail: links to a new password, to addresses that members gave. Nobody waits for it, or learns whether one went."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.core.mail import send_mail
from django.db import connections
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, gettext, override

from handan.club.store.accounts import language_of, may_be_mailed, password_link

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LOG = logging.getLogger("handan.mail")


def mail_links(email: str) -> threading.Thread:
    """Mail a link to each account that has an address, in a thread: how long an answer takes tells nobody anything.

    It is written in the language of the account, else of the page that asks: a thread of its own would speak the
    server's.
    """
    thread = threading.Thread(target=_mail_links, args=(email, get_language() or "en"), name="mail")
    thread.start()
    return thread


def _mail_links(email: str, language: str) -> None:
    try:
        for user in PasswordResetForm().get_users(email):
            if may_be_mailed(user):
                with override(language_of(user) or language):
                    _mail_link(user)
    except Exception as error:  # noqa: BLE001  # nobody is left to answer to; a mail server that fails is the operator's
        LOG.error("a mail could not be sent: %s", type(error).__name__)  # noqa: TRY400  # its text may hold an address
    finally:
        connections.close_all()


def _mail_link(user: User) -> None:
    secret, made = password_link(user)
    url = settings.CONFIGURATION.address + reverse("new-password", args=[secret])
    text = render_to_string("handan/reset_mail.txt", {"url": url, "user": user, "expires": made.expires})
    send_mail(gettext("Handan: a new password"), text, None, [user.email])
