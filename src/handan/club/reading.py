"""The state and the standings of a stored club, kept per process and brought up to date by the entries since."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from datetime import date, datetime
from itertools import takewhile
from typing import Any

from django.utils import timezone

from handan.club.entries import Record
from handan.club.federation import federated
from handan.club.folding import State, fold
from handan.club.models import Club, Entry
from handan.club.replay import Standings, standings
from handan.club.rules import Rules

MOST_STATES = 64  # our choice: clubs whose state a process keeps
MOST_STANDINGS = 64  # our choice: answers that a process keeps
_lock = threading.RLock()
_states: OrderedDict[int, State] = OrderedDict()
_federations: OrderedDict[tuple[Any, ...], State] = OrderedDict()
_standings: OrderedDict[tuple[Any, ...], Standings] = OrderedDict()


def today() -> date:
    """Return the day it is at the club's place, by the server's time zone."""
    return timezone.localdate()


def records(club: Club, since: int = 0) -> Iterator[Record]:
    """Go through a club's entries behind a number."""
    for entry in Entry.objects.filter(club=club, number__gt=since).order_by("number").iterator(5000):
        yield entry.record


def state_of(club: Club) -> State:
    """Return the club's state up to its last entry; only entries that this process has not seen are read.

    A federation's state holds those of its clubs.
    """
    clubs = list(Club.objects.filter(federation=club.pk).order_by("pk"))
    with _lock:
        if clubs:
            return _federated(club, [(member.pk, _own_state(member)) for member in clubs])
        return _own_state(club)


def _own_state(club: Club) -> State:
    state = _states.pop(club.pk, None)
    number, digest = Club.objects.values_list("number", "digest").get(pk=club.pk)
    if state is None or state.number > number or (state.number == number and state.digest != digest):
        state = State(club.slug)
    if state.number < number:
        told = list(records(club, state.number))
        if told[0].previous != state.digest:  # entries that this process saw were never committed
            state, told = State(club.slug), list(records(club))
        state = fold(state, told)
    _keep(_states, club.pk, state, MOST_STATES)
    return state


def _federated(club: Club, clubs: list[tuple[int, State]]) -> State:
    digest = Club.objects.values_list("digest", flat=True).get(pk=club.pk)
    key = (club.pk, digest, tuple(state.digest for _, state in clubs))
    state = _federations.pop(key, None) or federated(club.slug, clubs, records(club))
    _keep(_federations, key, state, MOST_STATES)
    return state


def state_known(club: Club, moment: datetime) -> State:
    """Return the club's state as it was known at a moment."""

    def known(ledger: Club) -> Iterator[Record]:
        return takewhile(lambda record: record.entered <= moment, records(ledger))  # a clock may have been set back

    clubs = list(Club.objects.filter(federation=club.pk).order_by("pk"))
    if clubs:
        return federated(club.slug, [(item.pk, fold(State(item.slug), known(item))) for item in clubs], known(club))
    return fold(State(club.slug), known(club))


def standings_of(state: State, day: date | None = None, rules: Rules | None = None) -> Standings:
    """Return the standings of a state, from the store of answers if they are there.

    Args:
        state: The club's state.
        day: The last day whose games count; None: all.
        rules: Another system in place of the club's own.
    """
    current = today()
    told = None if rules is None else repr(sorted(rules.as_dict().items(), key=str))
    key = (state.slug, state.number, state.digest, state.sources, day, current, told)
    with _lock:
        answer = _standings.pop(key, None)
        if answer is None:
            answer = standings(state, current, day, rules)
        _keep(_standings, key, answer, MOST_STANDINGS)
        return answer


def _keep(store: OrderedDict[Any, Any], key: Any, value: Any, most: int) -> None:
    """Put a value into a store as its newest, and drop the oldest ones."""
    store[key] = value
    while len(store) > most:
        store.popitem(last=False)


def forget() -> None:
    """Drop everything that this process keeps."""
    with _lock:
        _states.clear()
        _federations.clear()
        _standings.clear()
