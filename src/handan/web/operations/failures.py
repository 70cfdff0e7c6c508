"""What is answered where the database refuses, or a request cannot be read: whole sentences, in each language."""

from __future__ import annotations

import logging
import sys
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _
from django.views import defaults

from handan.club.store.database import code_of, is_busy, note_failure
from handan.wording.languages import figure_words

LOG = logging.getLogger("handan.requests")
READING = {"GET", "HEAD", "OPTIONS"}
UNAVAILABLE, TOO_LARGE, BAD = 503, 413, 400
TITLES = {True: "Nothing was saved", False: "The server cannot answer just now"}
"""By whether something was to be saved."""
WAIT = 5  # seconds after which a client may ask again


class DatabaseFailure(NamedTuple):
    """Why a database refuses, as people are told."""

    writing: str
    """Where something was to be saved."""
    reading: str


FULL = DatabaseFailure(
    gettext_noop("The server's disk is full. Nothing was saved, and nothing was lost; please tell its administrator."),
    gettext_noop("The server's disk is full. Please tell its administrator."),
)
REPLACED = DatabaseFailure(
    gettext_noop(
        "The server's database file was replaced while it runs. Nothing was saved; its administrator must restart it."
    ),
    gettext_noop("The server's database file was replaced while it runs. Its administrator must restart it."),
)
BUSY = DatabaseFailure(
    gettext_noop("Others are writing just now. Nothing was saved; please send it again."),
    gettext_noop("Others are writing just now. Please try again."),
)
ONLY_READ = DatabaseFailure(
    gettext_noop("The server's database can only be read. Nothing was saved; please tell its administrator."),
    gettext_noop("The server's database can only be read. Please tell its administrator."),
)
DISK = DatabaseFailure(
    gettext_noop(
        "The server's disk does not take what is written, or does not give it back. Nothing was saved; please tell its "
        "administrator."
    ),
    gettext_noop(
        "The server's disk does not take what is written, or does not give it back. Please tell its administrator."
    ),
)
AWAY = DatabaseFailure(
    gettext_noop("The database cannot be reached. Nothing was saved; please try again in a minute."),
    gettext_noop("The database cannot be reached. Please try again in a minute."),
)
SIGNS = (
    (("full", "no space"), FULL),
    (("replaced",), REPLACED),
    (("readonly", "read-only"), ONLY_READ),
    (("i/o error", "input/output", "malformed"), DISK),
)
"""What a database's own text holds, in the order in which it is looked for."""


def failure_words(error: Exception, *, writing: bool = True) -> str:
    """Return in words why the database refused, without its own text, which may hold values.

    `writing` says whether something was to be saved.
    """
    cause = _cause(error)
    return cause.writing if writing else cause.reading


def _cause(error: Exception) -> DatabaseFailure:
    text = str(error).lower()
    cause = next((cause for signs, cause in SIGNS if any(sign in text for sign in signs)), AWAY)
    return BUSY if cause not in {FULL, REPLACED} and is_busy(error) else cause


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer for an error outside of a view, as where the session of who asks cannot be read; the `handler500`."""
    error = sys.exc_info()[1]
    if isinstance(error, OperationalError | InterfaceError):
        return unavailable(request, error)
    return defaults.server_error(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer for what cannot be read of a request, or is more than is taken at once; the `handler400`."""
    status, message = BAD, _("The server cannot read what the browser sent. Nothing was saved.")
    if isinstance(exception, RequestDataTooBig):
        status = TOO_LARGE
        message = _(
            "That is more than this server takes at once: at most {most} MB. Nothing was saved. Go back in your "
            "browser to what you typed, and send it in parts, or as a file."
        ).format(most=figure_words(f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 1e6:.3g}", get_language() or "en"))
    elif isinstance(exception, TooManyFieldsSent):
        status = TOO_LARGE
        message = _(
            "That is more than this server takes at once. Nothing was saved. Go back in your browser to what you "
            "typed, and send it in parts, or as a file."
        )
    return _answer(request, status, "That cannot be used", message)


def unavailable(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return why the database refused, in words, and when to ask again; what it says itself goes to the log."""
    LOG.error("the database refused", exc_info=error, extra={"code": code_of(error)})
    note_failure(error)
    writing = request.method not in READING
    message = failure_words(error, writing=writing)
    response = _answer(request, UNAVAILABLE, TITLES[writing], message)
    response["Retry-After"] = str(WAIT)
    return response


def _answer(request: HttpRequest, status: int, title: str, message: str) -> HttpResponse:
    """Return a page, or data for a program, that needs neither the database nor who asks."""
    if request.path.startswith("/api/") or request.path.endswith(".json"):
        return JsonResponse({"message": message, "field": None}, status=status)
    text = render_to_string("handan/bare_error.html", {"message": message, "title": title})
    return HttpResponse(text, status=status)
