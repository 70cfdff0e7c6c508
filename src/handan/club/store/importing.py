"""A club made of a ledger that was exported, here or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from handan.club.changes.club_facts import checked_name, checked_slug
from handan.club.entries import Record
from handan.club.exchange import unverified_ledger
from handan.club.keys import fingerprint
from handan.club.store.forgetting import apply_erasures, erasures_file, read_erasures
from handan.club.store.models import Club
from handan.club.store.writing import checked_records, write_records
from handan.errors import Clause, InputError

Report = Callable[[str, int, int], None]
"""Takes a sentence with {number} and {whole}, the number and the whole."""
VERIFIED = "{number} of {whole} entries are verified"
WRITTEN = "{number} of {whole} entries are written"
TAKEN = "a club with the address {slug} is here already; a ledger comes back where there is none"
EVERY = 1000  # entries; our choice


class Imported(NamedTuple):
    """A club that was made of a ledger."""

    club: Club
    entries: int
    signed_by: str
    """Fingerprint of the key that signed the file; empty for none."""
    forgotten_again: int
    """People who were forgotten since the export, and are forgotten again."""


def known_erasures(given: Path | None = None) -> list[dict[str, Any]]:
    """Return who was forgotten, by the file that is given, else the one beside the database if it is there."""
    beside = erasures_file()
    record = given or (beside if beside and beside.exists() else None)
    return read_erasures(record) if record else []


def import_club(
    stream: IO[bytes], erasures: list[dict[str, Any]], federation: Club | None = None,
    report: Report = lambda *_: None, then: Callable[[Club], object] = lambda _: None,
) -> Imported:  # fmt: skip
    """Make a club of an exported ledger, entries, digests and all; InputError for a ledger that cannot be one here.

    All of it is verified before anything is written, so that others write meanwhile; then it is written whole or not.

    Args:
        stream: The ledger.
        erasures: Who was forgotten since it was exported, as `known_erasures` returns them.
        federation: That it belongs to.
        report: Is told every thousand entries how many are verified, and then how many are written.
        then: Is called with the club before it is there for others.
    """
    header, records = unverified_ledger(stream)  # which `checked_records` verifies
    club = Club(slug=checked_slug(header["club"]), name=checked_name(header["name"]), federation=federation)
    _check(club)
    whole = int(header["entries"])
    entries = checked_records(club.slug, _counted(records, whole, report))
    with transaction.atomic():
        _check(club)
        try:
            club.save()
        except IntegrityError:  # another one made it at the same moment
            raise InputError(Clause.of(TAKEN, slug=club.slug)) from None
        number = write_records(club, entries, lambda done: report(WRITTEN, done, whole))
        then(club)
        again = apply_erasures(item for item in erasures if item["club"] == club.slug)
    return Imported(club, number, fingerprint(header["key"]) if "key" in header else "", again)


def _check(club: Club) -> None:
    """Raise InputError for a club that cannot be made here."""
    try:
        club.full_clean()
    except ValidationError as error:
        if Club.objects.filter(slug=club.slug).exists():
            raise InputError(Clause.of(TAKEN, slug=club.slug)) from None
        raise InputError(" ".join(error.messages)) from None


def _counted(records: Iterator[Record], whole: int, report: Report) -> Iterator[Record]:
    """Pass entries on and report how many there were, which are verified one by one as they are taken."""
    for number, record in enumerate(records, 1):
        if number % EVERY == 0:
            report(VERIFIED, number, whole)
        yield record
