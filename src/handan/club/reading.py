"""The state and the standings of a stored club, kept per process and brought up to date by the entries since."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import date, datetime, time, timedelta
from itertools import takewhile

from cachetools import LRUCache
from django.utils import timezone

from handan.club.brake import brake
from handan.club.club_keys import signed_head
from handan.club.entries import Record
from handan.club.exchange import ledger_head, ledger_lines
from handan.club.federation import federated
from handan.club.folding import State, fold
from handan.club.keeping_answers import Answers
from handan.club.models import Club, Entry
from handan.club.replay import Standings, standings, standings_on
from handan.club.rules import Rules

MOST_STATES = 64  # our choice: clubs whose state a process keeps
MOST_BYTES = 256_000_000  # our choice: of standings and states of the past that a process keeps
answers = Answers(MOST_BYTES)
_lock = threading.Lock()  # of the two below, never held while something is read or folded
_states: LRUCache[int, State] = LRUCache(MOST_STATES)
_reading: defaultdict[int, threading.Lock] = defaultdict(threading.Lock)
"""One lock a club, so that a process reads its new entries once."""


def today() -> date:
    """Return the day it is at the club's place, by the server's time zone."""
    return timezone.localdate()


def end_of(day: date) -> datetime:
    """Return the moment at which a day ends at the club's place, which is no longer part of it.

    It is the beginning of the next day; where the clock goes back at midnight, the last hour comes twice.
    """
    return timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))


def records(club: Club, since: int = 0) -> Iterator[Record]:
    """Go through a club's entries behind a number."""
    for entry in Entry.objects.filter(club=club, number__gt=since).order_by("number").iterator(5000):
        yield entry.record


def ledger_file(club: Club) -> Iterator[bytes]:
    """Go through the lines of a club's ledger as a file; entries written meanwhile are not in it."""
    number, digest = Club.objects.values_list("number", "digest").get(pk=club.pk)
    entries = takewhile(lambda record: record.number <= number, records(club))
    return ledger_lines(signed_head(club, ledger_head(club.slug, club.name, number, digest)), entries)


def state_of(club: Club) -> State:
    """Return the club's state up to its last entry; only entries that this process has not seen are read.

    A federation's state holds those of its clubs.
    """
    clubs = list(Club.objects.filter(federation=club.pk).order_by("pk"))
    if not clubs:
        return _own_state(club)
    states = [(member.pk, _own_state(member)) for member in clubs]
    digest = Club.objects.values_list("digest", flat=True).get(pk=club.pk)
    key = ("federation", club.pk, digest, tuple(state.digest for _, state in states))
    entries = sum(state.number for _, state in states)
    return answers.get(key, lambda: federated(club.slug, states, records(club)), (("federation", club.pk), entries))


def _own_state(club: Club) -> State:
    with _lock:
        reading = _reading[club.pk]
    with reading:
        with _lock:
            state = _states.get(club.pk)
        state = _caught_up(club, state)
        with _lock:
            _states[club.pk] = state
    return state


def _caught_up(club: Club, state: State | None) -> State:
    """Return a state with the entries behind it; from the first entry on if it is none of this ledger."""
    number, digest = Club.objects.values_list("number", "digest").get(pk=club.pk)
    if state is None or state.number > number or (state.number == number and state.digest != digest):
        state = State(club.slug)
    if state.number == number:
        return state
    new = list(records(club, state.number))
    if new[0].previous != state.digest:  # entries that this process saw were never committed
        state, new = State(club.slug), list(records(club))
    return fold(state, new)


def state_known(club: Club, day: date) -> State:
    """Return the club's state as it was known at the end of a day."""
    if day >= today():
        return state_of(club)
    moment = end_of(day)
    members = list(Club.objects.filter(federation=club.pk).order_by("pk"))
    heads = tuple((ledger.pk, *_head_at(ledger, moment)) for ledger in (club, *members))

    def make() -> State:
        with brake.computing():
            return _state_before(club, members, moment)

    return answers.get(("known", heads), make)


def _state_before(club: Club, members: list[Club], moment: datetime) -> State:
    def entered(ledger: Club) -> Iterator[Record]:
        return takewhile(lambda record: record.entered < moment, records(ledger))  # a clock may have been set back

    if members:
        states = [(item.pk, fold(State(item.slug), entered(item))) for item in members]
        return federated(club.slug, states, entered(club))
    return fold(State(club.slug), entered(club))


def _head_at(club: Club, moment: datetime) -> tuple[int, str]:
    """Return number and digest of the last entry before the first one that was entered at a moment or later."""
    entries = Entry.objects.filter(club=club).order_by("number")
    later = entries.filter(entered__gte=moment).values_list("number", flat=True).first()
    before = entries if later is None else entries.filter(number__lt=later)
    return before.values_list("number", "digest").last() or (0, "")


def standings_of(
    state: State, day: date | None = None, rules: Rules | None = None, *, newest: bool = False
) -> Standings:
    """Return the standings of a state, from the store of answers if they are there.

    Args:
        state: The club's state.
        day: The last day whose games count; None: all.
        rules: Another system in place of the club's own.
        newest: Whether they are those that everybody looks at, for which nobody is held to account.
    """
    current = today()
    other = None if rules is None else repr(sorted(rules.as_dict().items(), key=str))
    question = (state.slug, day, other)
    key = (*question, current, state.number, state.digest, state.sources)
    entries = state.number + sum(source.number for source in state.sources)

    def make() -> Standings:
        before = answers.last(question) if day is None else None
        with nullcontext() if newest else brake.computing():
            return _going_on(before, state, current, rules) or standings(state, current, day, rules)

    return answers.get(key, make, (question, entries))


def live_standings(club: Club) -> Standings:
    """Return the standings of the newest entry; who waits while they are made for an older one gets the newest too.

    So the entries of a busy evening cost one replay after the other, however many pages ask in between.
    """
    state = state_of(club)
    if answers.last((state.slug, None, None)) is None:
        return standings_of(state, newest=True)
    with answers.turn((state.slug, None, None)):
        return standings_of(state_of(club), newest=True)


def _going_on(before: Standings | None, state: State, current: date, rules: Rules | None) -> Standings | None:
    """Return the standings of a state from those of an earlier one, None where they must be made anew."""
    return None if before is None else standings_on(before, state, current, rules)


def previewed(state: State) -> Standings:
    """Return the standings of a state that nobody has written; not kept, since nobody can ask for them again."""
    current = today()
    with brake.computing():
        return _going_on(answers.last((state.slug, None, None)), state, current, None) or standings(state, current)


def forget() -> None:
    """Drop everything that this process keeps."""
    answers.forget()
    with _lock:
        _states.clear()
