"""Entries from the columns of their table, with what tells who somebody is: one by one, or many without a row each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from handan.club.entries import Record
from handan.club.kinds import Kind
from handan.club.sealing import FORMER, opened

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from handan.club.store.models import Entry

Texts = Mapping[str, list[Any]]
"""Salt and text of what tells who somebody is in an entry, by its place."""
KINDS = {str(kind): kind for kind in Kind}
COLUMNS = ("number", "kind", "subject", "facts", "entered", "previous", "digest", "account", "token", "format",
           "sealed", "personal__texts")  # fmt: skip
"""What `record_of` takes."""


def author_of(kept: Texts, sealed: Mapping[str, str]) -> str:
    """Return the name of the account that wrote an entry, as it was then; of somebody who was forgotten, that."""
    return str(kept["author"][1]) if "author" in kept else FORMER if "author" in sealed else ""


def reason_of(kept: Texts) -> str:
    """Return why an entry was written; empty if nobody said so, or the word is kept no longer."""
    return str(kept["reason"][1]) if "reason" in kept else ""


def record_of(
    number: int, kind: str, subject: str, facts: dict[str, Any], entered: datetime, previous: str, digest: str,
    account: str, token: str | None, form: int, sealed: dict[str, str], kept: Texts | None,
) -> Record:  # fmt: skip
    """Return an entry as the rules of the ledger know it, from its columns."""
    kept = kept or {}
    salts = {place: salt for place, (salt, _) in kept.items()}
    texts = {place: text for place, (_, text) in kept.items()}
    return Record(
        number, KINDS[kind], subject, opened(kind, facts, sealed, texts, salts), author_of(kept, sealed), entered,
        reason_of(kept), previous, digest, account, token or "", form, sealed, salts,
    )  # fmt: skip


def records_of(entries: QuerySet[Entry]) -> Iterator[Record]:
    """Go through entries in order, read as columns, which of many takes far less than a row of each."""
    return (record_of(*row) for row in entries.order_by("number").values_list(*COLUMNS).iterator(5000))
