"""The standings of a stored club, of which a process keeps those that it was asked for last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from handan.club.entries import Record
from handan.club.rules import Rules
from handan.club.standings import Standings, standings
from handan.club.state import State
from handan.club.store.answers import answers
from handan.club.store.brake import brake
from handan.club.store.chain import records
from handan.club.store.clock import end_of, today
from handan.club.store.list_ledger import ledger_of_list
from handan.club.store.list_models import RatingList
from handan.club.store.list_replay import head_of, phases_of
from handan.club.store.models import Club
from handan.club.store.previewed_list import PreviewedList
from handan.club.store.solving import newest_list
from handan.club.store.states import ledger_file, state_at, state_known, state_of
from handan.club.store.stored_standings import StoredStandings


def standings_of(state: State, day: date | None = None, rules: Rules | None = None) -> Standings:
    """Return the standings of a state, from the store of answers if they are there.

    Args:
        state: The club's state.
        day: The last day whose games count; None: all.
        rules: Another system in place of the club's own.
    """

    def make() -> Standings:
        with brake.computing():
            return standings(state, today(), day, rules, ledger_of_list(state))

    return _kept(state, day, rules, make)


def _kept(state: State, day: date | None, rules: Rules | None, make: Callable[[], Standings]) -> Standings:
    """Return the standings of a state from the store of answers, made if they are not there."""
    other = None if rules is None else repr(sorted(rules.as_dict().items(), key=str))
    question = (state.slug, day, other, state.view)
    key = (*question, today(), state.number, state.digest, state.sources)
    entries = state.number + sum(source.number for source in state.sources)
    return answers.get(key, make, (question, entries))


def live_standings(club: Club, state: State, *, waits: bool = True) -> StoredStandings:
    """Return the standings of the newest entry, of which those in the database are brought up to date.

    Args:
        club: Whose standings.
        state: The club as who asks may see it.
        waits: As in `newest_list`.
    """
    return _stored(club, newest_list(club, state, waits=waits), state)


def _stored(club: Club, row: RatingList, state: State) -> StoredStandings:
    return StoredStandings(club, row, state, today(), phases_of(state), lambda: _whole(state))


def _whole(state: State) -> Standings:
    """Return the live standings made from all games, for what no row tells; whoever asks is not braked by it."""
    return _kept(state, None, None, lambda: standings(state, today(), ledger=ledger_of_list(state)))


def previewed(
    club: Club, before: State, after: State, records: Sequence[Record]
) -> tuple[Standings | StoredStandings, Standings | PreviewedList]:
    """Return the list before entries that nobody has written, and after them.

    Args:
        club: Whose list.
        before: The club before the entries, as who asks may see it.
        after: The club after them.
        records: The entries.
    """
    with brake.computing():
        row = newest_list(club, before)
        if (row.number, row.digest) == (before.number, head_of(before)):
            return _stored(club, row, before), PreviewedList(club, row, after, records)
        return standings(before, today()), standings(after, today())


__all__ = [
    "answers",
    "end_of",
    "ledger_file",
    "live_standings",
    "previewed",
    "records",
    "standings_of",
    "state_at",
    "state_known",
    "state_of",
    "today",
]
