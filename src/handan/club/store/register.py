"""The register of members: guests, who left, and until when subscriptions are paid; no facts of the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from django.db import transaction

from handan.club.changes.club_facts import category_of
from handan.club.names import person_of
from handan.club.state import State
from handan.club.store.access import Actor
from handan.club.store.idempotency import NOTHING, Sending, once
from handan.club.store.models import Club, Role, Subscription
from handan.club.store.states import state_of


class Registered(NamedTuple):
    """How somebody belongs to the club; who is not in the register is a member of whom no more is known."""

    is_guest: bool = False
    left: date | None = None
    paid_until: date | None = None
    born: int | None = None
    """The year."""


MEMBER = Registered()


def register_of(club: Club, state: State) -> dict[str, Registered]:
    """Return what the register says, by key; of entries for one person that of the person they were found to be."""
    rows = sorted(Subscription.objects.filter(club=club), key=lambda row: state.final(row.player) == row.player)
    return {state.final(row.player): Registered(row.is_guest, row.left, row.paid_until, row.born) for row in rows}


def off_the_wall(club: Club, state: State) -> frozenset[str]:
    """Return the keys of guests and of who left: ladder and papers are of members."""
    return frozenset(key for key, row in register_of(club, state).items() if row.is_guest or row.left)


def who_left(club: Club, state: State) -> frozenset[str]:
    """Return the keys of who left; lists of people are without them, their games stay."""
    return frozenset(key for key, row in register_of(club, state).items() if row.left)


def categories_on(club: Club, state: State, day: date) -> dict[str, str]:
    """Return the category by age, on a day, of each player who is in one, by key; the years are the register's own."""
    entries = register_of(club, state).items() if club.categories else ()
    names = {key: category_of(row.born, day.year, club.categories) for key, row in entries if row.born is not None}
    return {key: name for key, name in names.items() if name}


def enter_in_register(by: Actor, entries: Mapping[str, Registered], sending: Sending = NOTHING) -> None:
    """Enter players, by key, as members or guests."""
    by.need(Role.SECRETARY)
    _enter(by, entries, sending)


def enter_guest(by: Actor, key: str) -> None:
    """Enter somebody who came tonight as a guest."""
    by.need(Role.KEEPER)
    _enter(by, {key: Registered(is_guest=True)}, NOTHING)


def _enter(by: Actor, entries: Mapping[str, Registered], sending: Sending) -> None:
    state = state_of(by.club)
    people = {person_of(state, key).key: entry for key, entry in entries.items()}

    def enter() -> dict[str, str]:
        with transaction.atomic():
            for key, entry in people.items():
                own = Subscription.objects.filter(club=by.club, player__in=state.names_of(key))
                own.exclude(player=key).delete()
                if entry == MEMBER:
                    own.delete()
                else:
                    Subscription.objects.update_or_create(club=by.club, player=key, defaults=entry._asdict())
        return {}

    once(by.club, by.user, sending, enter)
