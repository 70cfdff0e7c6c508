"""Mail to addresses that members gave: links to a new password, and what became of files that were sent in.

Nobody waits for it, or learns whether one went.
"""

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

from handan.club.service.submissions import DECIDE
from handan.club.store.accounts import language_of, may_be_mailed, password_link
from handan.club.store.models import Submission
from handan.club.store.submissions import who_decides

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.contrib.auth.models import User

LOG = logging.getLogger("handan.mail")


def mail_links(email: str) -> threading.Thread:
    """Mail a link to each account that has an address, in a thread: how long an answer takes tells nobody anything.

    It is written in the language of the account, else of the page that asks: a thread of its own would speak the
    server's.
    """
    language = get_language() or "en"

    def send() -> None:
        for user in PasswordResetForm().get_users(email):
            if may_be_mailed(user):
                with override(language_of(user) or language):
                    _mail_link(user)

    return _beside(send)


def mail_submission(number: int) -> None:
    """Mail what became of a file to who sent it, and to who decided or is to decide, on a server that mails."""
    if not settings.CONFIGURATION.mails:
        return
    row = Submission.objects.select_related("club", "sender", "decided_by").defer("data").get(pk=number)
    language = row.club.language or get_language() or "en"

    def send() -> None:
        others = [row.decided_by] if row.decided_by else who_decides(row.club, DECIDE)
        people = {user.pk: user for user in (row.sender, *others) if user is not None and user.email}
        for user in people.values():
            with override(language_of(user) or language):
                url = settings.CONFIGURATION.address + reverse("submission", args=[row.club.slug, row.pk])
                text = render_to_string("handan/submission_mail.txt", {"url": url, "row": row, "club": row.club})
                subject = f"{row.club.name}: {row.title or row.file}"
                send_mail(" ".join(subject.split()), text, None, [user.email])

    _beside(send)


def _beside(send: Callable[[], None]) -> threading.Thread:
    """Send mail in a thread."""
    thread = threading.Thread(target=_sent, args=(send,), name="mail")
    thread.start()
    return thread


def _sent(send: Callable[[], None]) -> None:
    try:
        send()
    except Exception as error:  # noqa: BLE001  # nobody is left to answer to; a mail server that fails is the operator's
        LOG.error("a mail could not be sent: %s", type(error).__name__)  # noqa: TRY400  # its text may hold an address
    finally:
        connections.close_all()


def _mail_link(user: User) -> None:
    secret, made = password_link(user)
    url = settings.CONFIGURATION.address + reverse("new-password", args=[secret])
    text = render_to_string("handan/reset_mail.txt", {"url": url, "user": user, "expires": made.expires})
    send_mail(gettext("Handan: a new password"), text, None, [user.email])
