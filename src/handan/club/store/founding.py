"""New clubs and federations: who may found them, and what a founder says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction

from handan.club import changes
from handan.club.changes.club_facts import checked_name, checked_slug
from handan.club.rules import Rules
from handan.club.store.access import Actor, NotAllowedError, actor, actors
from handan.club.store.importing import Imported, Report, import_club, known_erasures
from handan.club.store.members import invite, set_member
from handan.club.store.models import Club, Membership, Role
from handan.club.store.writing import NOTHING, Sending, create_club, write
from handan.errors import Clause, FieldError, InputError

if TYPE_CHECKING:
    from handan.club.store.models import User

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
    slug, name = checked_slug(founding.slug), checked_name(founding.name)
    with transaction.atomic():
        try:
            club = create_club(slug, name, founding.rules, author=user.get_username(), federation=federation)
        except ValidationError:
            if Club.objects.filter(slug=slug).exists():
                raise FieldError("slug", slug, "an address that no other club has") from None
            raise FieldError("slug", slug, "an address that no other page has") from None
        by = _founder(club, user)
        before, wishes = {"language": ""}, {"language": founding.language}
        if founding.language:
            write(club, lambda state: changes.office.set_club(state, before, wishes), author=by.name, user=user)
        if founding.zone:
            write(club, lambda state: changes.office.set_zone(state, founding.zone), author=by.name, user=user)
        return club, invite(by, Role.SECRETARY, sending=sending)


def found_by_ledger(
    user: User, stream: IO[bytes], federation: str = "", report: Report = lambda *_: None
) -> Imported:  # fmt: skip
    """Make a club of an exported ledger, with its founder as administrator; `report` is told how far it is."""
    _need(user)
    above = _federation(user, federation)
    return import_club(stream, known_erasures(), above, report, lambda club: _founder(club, user))


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
