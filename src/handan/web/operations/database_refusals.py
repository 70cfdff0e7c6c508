"""Why a database refused, in words: whole sentences, so that each language has its own."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext_noop as _

from handan.club.store.busy import is_busy


class Refusal(NamedTuple):
    """What is said of one cause."""

    writing: str
    """Where something was to be saved."""
    reading: str


FULL = Refusal(
    _("The server's disk is full. Nothing was saved, and nothing was lost; please tell its administrator."),
    _("The server's disk is full. Please tell its administrator."),
)
REPLACED = Refusal(
    _("The server's database file was replaced while it runs. Nothing was saved; its administrator must restart it."),
    _("The server's database file was replaced while it runs. Its administrator must restart it."),
)
BUSY = Refusal(
    _("Others are writing just now. Nothing was saved; please send it again."),
    _("Others are writing just now. Please try again."),
)
ONLY_READ = Refusal(
    _("The server's database can only be read. Nothing was saved; please tell its administrator."),
    _("The server's database can only be read. Please tell its administrator."),
)
DISK = Refusal(
    _(
        "The server's disk does not take what is written, or does not give it back. Nothing was saved; please tell its "
        "administrator."
    ),
    _("The server's disk does not take what is written, or does not give it back. Please tell its administrator."),
)
AWAY = Refusal(
    _("The database cannot be reached. Nothing was saved; please try again in a minute."),
    _("The database cannot be reached. Please try again in a minute."),
)
SIGNS = (
    (("full", "no space"), FULL),
    (("replaced",), REPLACED),
    (("readonly", "read-only"), ONLY_READ),
    (("i/o error", "input/output", "malformed"), DISK),
)
"""What a database's own text holds, in the order in which it is looked for."""


def refusal(error: Exception, *, writing: bool = True) -> str:
    """Return in words why the database refused, without its own text, which may hold values.

    `writing` says whether something was to be saved.
    """
    cause = _cause(error)
    return cause.writing if writing else cause.reading


def _cause(error: Exception) -> Refusal:
    text = str(error).lower()
    cause = next((cause for signs, cause in SIGNS if any(sign in text for sign in signs)), AWAY)
    return BUSY if cause not in {FULL, REPLACED} and is_busy(error) else cause
