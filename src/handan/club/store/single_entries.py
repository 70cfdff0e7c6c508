"""Entries of a ledger by number or subject, with what tells who somebody is, for pages that show a few of them."""

from __future__ import annotations

from handan.club.store.models import Club, Entry, PersonalText
from handan.club.store.prepared import Prepared

BY_NUMBER = Prepared(lambda club, number: Entry.objects.select_related(None).filter(club=club, number=number), int, int)
BY_SUBJECT = Prepared(
    lambda club, subject: Entry.objects.select_related(None).filter(club=club, subject=subject), int, str
)
BY_TOKEN = Prepared(lambda club, token: Entry.objects.select_related(None).filter(club=club, token=token), int, str)
TEXTS = Prepared(lambda entry: PersonalText.objects.filter(entry=entry), int)


def entry_numbered(club: Club, number: int) -> Entry | None:
    """Return an entry of a club, None where there is none of that number."""
    return next(iter(_whole(BY_NUMBER.rows(club.pk, number))), None)


def entries_about(club: Club, subject: str) -> list[Entry]:
    """Return the entries of a club about a game, player or adjustment, in order."""
    return _whole(BY_SUBJECT.rows(club.pk, subject))


def _whole(entries: list[Entry]) -> list[Entry]:
    """Return entries with their texts."""
    for entry in entries:
        entry._state.fields_cache["personal"] = TEXTS.first(entry.pk)  # noqa: SLF001  # what select_related fills
    return entries
