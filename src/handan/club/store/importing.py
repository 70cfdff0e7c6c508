"""A club made of a ledger that was exported, here or elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction

from handan.club.changes.club_facts import checked_slug
from handan.club.exchange import unverified_ledger
from handan.club.signing import fingerprint
from handan.club.store.cleaning import apply_erasures, erasures_file, read_erasures
from handan.club.store.models import Club
from handan.club.store.writing import import_records
from handan.errors import Clause, InputError


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


def import_club(stream: IO[bytes], erasures: list[dict[str, Any]], federation: Club | None = None) -> Imported:
    """Make a club of an exported ledger, entries, digests and all; InputError for a ledger that cannot be one here."""
    header, records = unverified_ledger(stream)  # which `import_records` verifies
    club = Club(slug=checked_slug(str(header["club"])), name=str(header["name"]), federation=federation)
    try:
        club.full_clean()
    except ValidationError as error:
        if Club.objects.filter(slug=club.slug).exists():
            taken = "a club with the address {slug} is here already; a ledger comes back where there is none"
            raise InputError(Clause.of(taken, slug=club.slug)) from None
        raise InputError(" ".join(error.messages)) from None
    with transaction.atomic():
        club.save()
        number = import_records(club, records)
    again = apply_erasures(item for item in erasures if item["club"] == club.slug)
    return Imported(club, number, fingerprint(header["key"]) if "key" in header else "", again)
