"""The state and the standings of a stored club, kept per process and brought up to date by the entries since."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from datetime import date
from itertools import chain, takewhile
from time import monotonic
from typing import Any

from cachetools import LRUCache

from handan.club.exchange import ledger_head, ledger_lines
from handan.club.federation import federated
from handan.club.folding import fold
from handan.club.going_on import standings_since, standings_until
from handan.club.passing_on import pass_on_from
from handan.club.rules import Rules
from handan.club.standings import Standings, standings
from handan.club.state import COUNTS, State
from handan.club.store.answers import Answers
from handan.club.store.brake import brake
from handan.club.store.chain import folded, records
from handan.club.store.clock import at_place, end_of, last_known, today
from handan.club.store.club_keys import signed_head
from handan.club.store.models import Club, Entry
from handan.club.store.snapshot import (
    EVERY,
    RATED_EVERY,
    keep_ratings,
    keep_snapshot,
    kept_ratings_head,
    kept_standings,
    snapshot_of,
    stop_keeping,
)
from handan.club.texts import outgrown, renewed
from handan.ledger.room import drafts

MOST_STATES = 64  # our choice: clubs whose state a process keeps
QUICK = 0.2  # seconds; our choice: what takes a new process longer to go on from is kept anew for the next one
MOST_BYTES = 256_000_000  # our choice: of standings and states of the past that a process keeps
answers = Answers(MOST_BYTES)
beside: list[Answers] = []
"""Further stores of what was made of the clubs, dropped with the answers."""
_lock = threading.Lock()  # of the two below, never held while something is read or folded
_states: LRUCache[int, State] = LRUCache(MOST_STATES)
_rated: dict[str, State] = {}
"""States whose ratings are kept, by the club's short name, until standings are made from there."""
_forgotten: dict[int, int] = {}
"""The last entry by which each club forgot somebody, as far as this process knows."""
_reading: defaultdict[int, threading.Lock] = defaultdict(threading.Lock)
"""One lock a club, so that a process reads its new entries once."""


def ledger_file(club: Club) -> Iterator[bytes]:
    """Go through the lines of a club's ledger as a file; entries written meanwhile are not in it."""
    number, digest = Club.objects.values_list("number", "digest").get(pk=club.pk)
    entries = takewhile(lambda record: record.number <= number, records(club))
    return ledger_lines(signed_head(club, ledger_head(club.slug, club.name, number, digest)), entries)


def state_of(club: Club) -> State:
    """Return the club's state up to its last entry; only entries that this process has not seen are read.

    A federation's state holds those of its clubs.
    """
    own = Club.objects.with_clubs().get(pk=club.pk)
    members = list(own.clubs.all())
    if not members:
        return _own_state(own)
    states = [(member.pk, _own_state(member)) for member in members]
    view = _view_of({ledger.pk: ledger.forgotten for ledger in (own, *members)})
    key = ("federation", club.pk, own.digest, tuple(state.digest for _, state in states), view)
    entries = own.number + sum(state.number for _, state in states)

    def make() -> State:
        made = replace(federated(club.slug, states, records(club)), view=view)
        return pass_on_from(answers.last(("federation", club.pk)), made, COUNTS)

    return answers.get(key, make, (("federation", club.pk), entries))


def _view(*clubs: Club) -> tuple[Any, ...]:
    """Return what `_view_of` does of clubs as they are now."""
    return _view_of(dict(Club.objects.filter(pk__in=[club.pk for club in clubs]).values_list("pk", "forgotten")))


def _view_of(last: Mapping[int, int]) -> tuple[Any, ...]:
    """Return the last entries by which clubs forgot somebody; what this process keeps from before is dropped."""
    with _lock:
        newer = any(_forgotten.get(number, 0) != entry for number, entry in last.items())
        _forgotten.update(last)
    if newer:
        forget()
    return tuple(sorted(last.items()))


def _own_state(club: Club) -> State:
    """Return the state of a club up to the entry that its row, read just now, says is its last, or one behind it."""
    view = _view_of({club.pk: club.forgotten})
    with _lock:
        state, reading = _states.get(club.pk), _reading[club.pk]
    fresh = state is not None and (state.number, state.digest, state.view) == (club.number, club.digest, view)
    if state is not None and fresh and not outgrown(state.games):
        return state
    waits = reading.locked()
    with reading:
        with _lock:
            state = _states.get(club.pk)
        read_on = waits or (state is not None and state.number >= club.number)  # by others, meanwhile
        state = _caught_up(Club.objects.get(pk=club.pk) if read_on else club, state)
        if outgrown(state.games):
            state = replace(state, games=renewed(state.games))
        with _lock:
            _states[club.pk] = state
    return state


def _caught_up(club: Club, state: State | None) -> State:
    """Return a state with the entries behind it; from the first entry on if it is none of this ledger."""
    view = _view_of({club.pk: club.forgotten})
    other = state is None or state.view != view
    number, digest = club.number, club.digest
    if state is None or other or state.number > number or (state.number == number and state.digest != digest):
        state = _up_to_ratings(club, _from_snapshot(club, view))
    if state.number == club.number:
        return state
    new = records(club, state.number)
    first = next(new)
    if first.previous != state.digest:  # entries that this process saw were never committed
        state = State(club.slug, view=view)
        new = records(club)
        first = next(new)
    before, state = state, fold(state, chain([first], new))
    if state.number - before.number >= EVERY or state.number // EVERY > before.number // EVERY:
        keep_snapshot(club, state)
    return state


def _up_to_ratings(club: Club, state: State) -> State:
    """Return the state of a snapshot, up to that whose ratings are kept, which is noted down.

    Where the entries between the two take long, the next process finds a snapshot of these ratings.
    """
    head = kept_ratings_head(club.slug)
    if head is None or not 0 < state.number <= head.number <= club.number:
        return state
    start, behind = monotonic(), state.number < head.number
    if behind:
        state = fold(state, takewhile(lambda record: record.number <= head.number, records(club, state.number)))
    _ = state.ledger  # from which that of the entries since goes on
    if behind and monotonic() - start > QUICK:
        keep_snapshot(club, state, every=1)
    with _lock:
        _rated[club.slug] = state
    return state


def _from_snapshot(club: Club, view: tuple[Any, ...]) -> State:
    """Return the state of the newest snapshot, or that before the first entry."""
    return snapshot_of(club, view) or State(club.slug, view=view)


def state_known(club: Club, day: date) -> State:
    """Return the club's state as it was known at the end of a day; `clock.last_known` has the rule."""
    with at_place(club):
        if day >= today():
            return state_of(club)
        end = end_of(day)
    members = list(Club.objects.filter(federation=club.pk).order_by("pk"))
    view = _view(club, *members)
    heads = {ledger.pk: _head(ledger, last_known(ledger, end)) for ledger in (club, *members)}
    return answers.get(("known", tuple(heads.items()), view), lambda: _worked_out(club, heads, view))


def _worked_out(club: Club, heads: Mapping[int, tuple[int, str]], view: tuple[Any, ...]) -> State:
    """Return a state of the past, at the cost of who asks."""
    with brake.computing():
        return replace(folded(club, {ledger: number for ledger, (number, _) in heads.items()}), view=view)


def state_at(club: Club, number: int) -> State:
    """Return a club's state up to one of its entries; a federation's with its clubs as they are now."""
    members = list(Club.objects.filter(federation=club.pk).order_by("pk"))
    heads = {club.pk: _head(club, number), **{item.pk: (item.number, item.digest) for item in members}}
    view = _view(club, *members)
    return answers.get(("known", tuple(heads.items()), view), lambda: _worked_out(club, heads, view))


def _head(club: Club, number: int) -> tuple[int, str]:
    """Return an entry's number and digest; of entry 0, which no club has, the number alone."""
    return number, Entry.objects.filter(club=club, number=number).values_list("digest", flat=True).first() or ""


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
    question = (state.slug, day, other, state.view)
    key = (*question, current, state.number, state.digest, state.sources)
    entries = state.number + sum(source.number for source in state.sources)

    if day is not None and rules is None and (same := _until(state, day)):
        return same  # it shares the ratings of those that are kept, and would drive them out as if it had its own

    def make() -> Standings:
        with nullcontext() if newest else brake.computing():
            if day is not None:
                return standings(state, current, day, rules)
            if rules is not None:
                made = _going_on(answers.last(question), state, current, rules)
                return made or standings(state, current, day, rules)
            start = monotonic()
            last = _number_of_last(question)
            made = _going_on(answers.last(question), state, current, None) or _begun(question, state, current)
            if last is None or state.number // RATED_EVERY > last // RATED_EVERY:
                keep_ratings(made, at_once=monotonic() - start > QUICK)
            return made

    return answers.get(key, make, (question, entries))


def _number_of_last(question: Hashable) -> int | None:
    """Return the number of the last entry of the newest standings that are kept, None without any."""
    last: Standings | None = answers.last(question)
    return None if last is None else last.state.number


def _begun(question: Hashable, state: State, current: date) -> Standings:
    """Return the standings of all games, from kept ones if there are any.

    Standings of before, from which these could not go on, are dropped first: their memory is room for these.
    """
    first = _number_of_last(question) is None
    with _lock:
        rated = _rated.get(state.slug)
        if rated is not None and rated.view == state.view:
            del _rated[state.slug]
    if rated is not None and first and rated.view == state.view and (kept := kept_standings(rated, current)):
        made = kept if _is_of(kept, state) else _going_on(kept, state, current, None)
        if made is not None:
            return made
        del kept
    answers.drop_last(question)
    again = stop_keeping(state.slug)
    made = standings(state, current, ready=True)
    if again:
        keep_ratings(made)
    return made


def _until(state: State, day: date) -> Standings | None:
    """Return the standings of a state up to a day from those of all its games, None where they must be made."""
    now = answers.last((state.slug, None, None, state.view))
    return standings_until(now, day) if now is not None and _is_of(now, state) and now.today == today() else None


def live_standings(
    club: Club, seen: Callable[[State], State] = lambda state: state, state: State | None = None
) -> Standings:
    """Return the standings of the newest entry; who waits while they are made for an older one gets the newest too.

    So the entries of a busy evening cost one replay after the other, however many pages ask in between.

    Args:
        club: Whose standings.
        seen: Returns a state as who asks may see it.
        state: That of now, as who asks may see it, if it is there already.
    """
    state = seen(state_of(club)) if state is None else state
    question = (state.slug, None, None, state.view)
    if _is_newest(question, state):
        return standings_of(state, newest=True)
    with answers.turn(question) as waited:
        return standings_of(seen(state_of(club)) if waited else state, newest=True)


def _is_newest(question: Hashable, state: State) -> bool:
    """Return whether the newest standings that are kept are those of a state."""
    last: Standings | None = answers.last(question)
    return last is not None and _is_of(last, state)


def _is_of(last: Standings, state: State) -> bool:
    """Return whether standings are those of a state."""
    made = last.state
    return (made.number, made.digest, made.sources) == (state.number, state.digest, state.sources)


def _going_on(
    before: Standings | None, state: State, current: date, rules: Rules | None, *, ladder: bool = True
) -> Standings | None:
    """Return the standings of a state from those of an earlier one, None where they must be made anew."""
    if before is None:
        return None
    return standings_since(before, state, current, rules, ladder=ladder)


def previewed(state: State) -> Standings:
    """Return the standings of a state that nobody has written; not kept, since nobody can ask for them again."""
    current = today()
    with brake.computing(), drafts():
        question = (state.slug, None, None, state.view)
        made = _going_on(answers.last(question), state, current, None, ladder=False)
        return made or standings(state, current)


def forget() -> None:
    """Drop everything that this process keeps."""
    for store in (answers, *beside):
        store.forget()
    with _lock:
        _states.clear()
        _rated.clear()


__all__ = [
    "answers",
    "end_of",
    "forget",
    "ledger_file",
    "previewed",
    "records",
    "standings_of",
    "state_at",
    "state_known",
    "state_of",
    "today",
]
