"""Events: tournaments that are entered with all who take part, and evenings, which are games of a day and a word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handan.club import changes
from handan.club.entries import Draft
from handan.club.events import ClubEvent
from handan.club.finding import NotInClubError
from handan.club.service.operation import needs
from handan.club.state import State
from handan.club.store.cache import state_of
from handan.club.store.clock import today
from handan.club.store.members import Actor
from handan.club.store.models import Role
from handan.club.store.writing import Make
from handan.errors import Clause, InputError, shown
from handan.ledger import Event
from handan.ledger.events import event_of


def event_with(state: State, key: str) -> ClubEvent:
    """Return an event by key; NotInClubError for one that was never entered, or withdrawn."""
    if key not in state.events or state.events[key].withdrawn:
        raise NotInClubError(Clause.of("there is no event {key}", key=shown(key)))
    return state.events[key]


def event_of_fields(fields: Mapping[str, Any]) -> Event:
    """Return an event of plain data, whose participants and pairings name players by keys; InputError if it is none."""
    try:
        return event_of(fields)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(Clause.of("this is no event: {why}", why=str(error))) from None


@needs(Role.KEEPER)
def enter_event(_: Actor, event: Event) -> Make:
    """Enter an event whose players are named by their keys."""
    return lambda state: changes.enter_event(state, event, today())


@needs(Role.KEEPER)
def change_event(by: Actor, key: str, fields: Mapping[str, Any], reason: str = "") -> Make:
    """Say anew what an event is; fields that are not given stay as they are."""
    event_with(state_of(by.club), key)

    def make(state: State) -> Draft:
        present = changes.event_at(state, key).event()
        return changes.change_event(state, key, event_of_fields({**present.as_dict(), **fields}), today(), reason)

    return make


@needs(Role.KEEPER)
def withdraw_event(by: Actor, key: str, reason: str = "") -> Make:
    """Take an event out; its games stay."""
    event_with(state_of(by.club), key)
    return lambda state: changes.withdraw_event(state, key, reason)
