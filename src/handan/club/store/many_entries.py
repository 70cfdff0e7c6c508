"""Many entries written at once, from records as columns: a row of Django's for each takes far longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from django.db import connection

from handan.club.entries import Record
from handan.club.sealing import bare, canonical
from handan.club.store.models import Club

BATCH = 2000  # our choice: entries that stand in memory as columns
ENTRY = (
    "INSERT INTO club_entry (club_id, number, kind, subject, facts, user_id, entered, previous, digest, token, account,"
    " format, sealed) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
)
TEXTS = (
    "INSERT INTO club_personaltext (entry_id, texts) SELECT id, %s FROM club_entry WHERE club_id = %s AND number = %s"
)


def insert_records(
    club: Club, records: Sequence[Record], users: Mapping[str, int], report: Callable[[int], None] = lambda _: None
) -> None:
    """Write records, whose texts are sealed, as entries of a club with what is kept apart from them.

    Args:
        club: Whose entries; its row is left as it is.
        records: The entries.
        users: Accounts that are here, by their keys.
        report: Is told after each batch how many are written.
    """
    following, written = iter(records), 0
    with connection.cursor() as cursor:
        while part := list(islice(following, BATCH)):
            cursor.executemany(ENTRY, [_entry(club, record, users) for record in part])
            cursor.executemany(TEXTS, list(_texts(club, part)))
            written += len(part)
            report(written)


def _entry(club: Club, record: Record, users: Mapping[str, int]) -> tuple[Any, ...]:
    """Return the columns of an entry, in the order of the statement."""
    facts, sealed = (canonical(data).decode() for data in (bare(record.kind, record.facts), dict(record.sealed)))
    entered = connection.ops.adapt_datetimefield_value(record.entered)
    return (
        club.pk, record.number, str(record.kind), record.subject, facts, users.get(record.account), entered,
        record.previous, record.digest, record.token or None, record.account, record.format, sealed,
    )  # fmt: skip


def _texts(club: Club, records: Sequence[Record]) -> Iterator[tuple[str, int, int]]:
    """Go through salts and texts of entries, with where they belong."""
    for record in records:
        texts = {place: [record.salts[place], text] for place, text in record.texts.items()}
        if texts:
            yield canonical(texts).decode(), club.pk, record.number
