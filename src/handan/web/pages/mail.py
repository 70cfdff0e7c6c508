"""Mail: links to a new password, to addresses that members gave. Nobody waits for it, or learns whether one went."""

from __future__ import annotations

import logging
import threading

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.core.mail import send_mail
from django.db import connections
from django.template.loader import render_to_string
from django.urls import reverse

from handan.club.store.accounts import may_be_mailed, password_link

LOG = logging.getLogger("handan.mail")


def mail_links(email: str) -> threading.Thread:
    """Mail a link to each account that has an address, in a thread: how long an answer takes tells nobody anything."""
    thread = threading.Thread(target=_mail_links, args=(email,), name="mail")
    thread.start()
    return thread


def _mail_links(email: str) -> None:
    try:
        for user in PasswordResetForm().get_users(email):
            if may_be_mailed(user):
                secret, made = password_link(user)
                url = settings.CONFIGURATION.address + reverse("new-password", args=[secret])
                text = render_to_string("handan/reset_mail.txt", {"url": url, "user": user, "expires": made.expires})
                send_mail("Handan: a new password", text, None, [user.email])
    except Exception as error:  # noqa: BLE001  # nobody is left to answer to; a mail server that fails is the operator's
        LOG.error("a mail could not be sent: %s", type(error).__name__)  # noqa: TRY400  # its text may hold an address
    finally:
        connections.close_all()
