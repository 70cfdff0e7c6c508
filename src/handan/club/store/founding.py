"""New clubs and federations: who may found them, what a founder says of them, and a club made of an exported ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from handan.club import changes
from handan.club.changes.club_facts import checked_name, checked_slug
from handan.club.entries import Record
from handan.club.exchange import unverified_ledger
from handan.club.keys import fingerprint
from handan.club.rules import Rules
from handan.club.store.access import Actor, NotAllowedError, actor, actors
from handan.club.store.forgetting import apply_erasures, erasures_file, read_erasures
from handan.club.store.idempotency import NOTHING, Sending
from handan.club.store.members import invite, set_member
from handan.club.store.models import Club, Membership, Role
from handan.club.store.writing import checked_records, create_club, write, write_records
from handan.errors import Clause, FieldError, InputError

if TYPE_CHECKING:
    from handan.club.store.models import User


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


MOST_CLUBS = 1000  # our choice: of one server that are founded on its pages


@dataclass(frozen=True)
class Founding:
    """What a founder says of a new club."""

    slug: str
    name: str
    rules: Rules
    language: str = ""
    zone: str = ""
    federation: str = ""
    """Short name of the federation that it belongs to; empty: none."""


def may_found(user: User) -> bool:
    """Whether somebody may make clubs here: who is an administrator of one, and the server's own superusers."""
    return user.is_superuser or Membership.objects.filter(user=user, role=Role.ADMINISTRATOR).exists()


def open_federations(user: User) -> list[Club]:
    """Return the clubs that belong to none and whose officer somebody is; a club that has clubs is a federation."""
    return [by.club for by in actors(Club.objects.filter(federation=None), user) if by.may(Role.OFFICER)]


def found_club(user: User, founding: Founding, sending: Sending = NOTHING) -> tuple[Club, str]:
    """Make a club with its founder as administrator; return it and the secret of its first secretary's invitation.

    NotAllowedError for who may found none; FieldError for a name, address, language or zone that cannot be.
    """
    _need(user)
    federation = _federation(user, founding.federation)
    slug, author = founding.slug, user.get_username()
    with transaction.atomic():
        try:
            club = create_club(slug, founding.name, founding.rules, author=author, federation=federation)
        except ValidationError:
            raise FieldError("slug", slug, "an address that no other club has") from None
        by = _founder(club, user)
        before, wishes = {"language": ""}, {"language": founding.language}
        if founding.language:
            write(club, lambda state: changes.office.set_club(state, before, wishes), author=by.name, user=user)
        if founding.zone:
            write(club, lambda state: changes.office.set_zone(state, founding.zone), author=by.name, user=user)
        return club, invite(by, Role.SECRETARY, sending=sending)


def found_by_ledger(user: User, stream: IO[bytes], report: Report = lambda *_: None) -> Imported:
    """Make a club of an exported ledger, with its founder as administrator; `report` is told how far it is."""
    _need(user)
    return import_club(stream, known_erasures(), None, report, lambda club: _founder(club, user))


def _need(user: User) -> None:
    if not may_found(user):
        raise NotAllowedError("this needs the role of an administrator in a club of this server")
    if Club.objects.count() >= MOST_CLUBS:
        pattern = "{most} clubs are here already; the operator makes more by `handan club create`"
        raise InputError(Clause.of(pattern, most=MOST_CLUBS))


def _federation(user: User, slug: str) -> Club | None:
    if not slug:
        return None
    for club in open_federations(user):
        if club.slug == slug:
            return club
    raise FieldError("federation", slug, "a federation whose officer you are")


def _founder(club: Club, user: User) -> Actor:
    """Return who founds a club, as its administrator; who is one by the federation already stays so."""
    if not actor(club, user).may(Role.ADMINISTRATOR):
        set_member(club, user, Role.ADMINISTRATOR, author=user.get_username(), by=user)
    return actor(club, user)
