"""The standings of a stored club, of which a process keeps those that it was asked for last."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from handan.club.entries import Record
from handan.club.rules import Rules
from handan.club.standings import Standings, standings
from handan.club.state import State
from handan.club.store.answers import answers, forget
from handan.club.store.brake import brake
from handan.club.store.chain import records
from handan.club.store.clock import end_of, today
from handan.club.store.list_ledger import ledger_of_list
from handan.club.store.list_replay import head_of, phases_of
from handan.club.store.models import Club
from handan.club.store.previewed_list import PreviewedList
from handan.club.store.rating_lists import list_of
from handan.club.store.states import ledger_file, state_at, state_known, state_of
from handan.club.store.stored_standings import StoredStandings


def standings_of(state: State, day: date | None = None, rules: Rules | None = None) -> Standings:
    """Return the standings of a state, from the store of answers if they are there.

    Args:
        state: The club's state.
        day: The last day whose games count; None: all.
        rules: Another system in place of the club's own.
    """
    current = today()
    other = None if rules is None else repr(sorted(rules.as_dict().items(), key=str))
    question = (state.slug, day, other, state.view)
    key = (*question, current, state.number, state.digest, state.sources)
    entries = state.number + sum(source.number for source in state.sources)

    def make() -> Standings:
        with brake.computing():
            return standings(state, current, day, rules, ledger_of_list(state))

    return answers.get(key, make, (question, entries))


def live_standings(club: Club, state: State) -> StoredStandings:
    """Return the standings of the newest entry, of which those in the database are brought up to date.

    Args:
        club: Whose standings.
        state: The club as who asks may see it.
    """
    row = list_of(club, state_of(club))
    return StoredStandings(club, row, state, today(), phases_of(state))


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
        row = list_of(club, state_of(club))
        if (row.number, row.digest) == (before.number, head_of(before)):
            now = StoredStandings(club, row, before, today(), phases_of(before))
            return now, PreviewedList(club, row, after, records)
        return standings(before, today()), standings(after, today())


__all__ = [
    "answers",
    "end_of",
    "forget",
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
