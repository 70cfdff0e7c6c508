"""The standings of a stored club, of which a process keeps those that it was asked for last."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from datetime import date

from handan.club.rules import Rules
from handan.club.standings import Standings, standings
from handan.club.state import State
from handan.club.store.answers import answers, beside, forget
from handan.club.store.brake import brake
from handan.club.store.chain import records
from handan.club.store.clock import end_of, today
from handan.club.store.models import Club
from handan.club.store.states import ledger_file, state_at, state_known, state_of


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

    def make() -> Standings:
        with nullcontext() if newest else brake.computing():
            return standings(state, current, day, rules)

    return answers.get(key, make, (question, entries))


def live_standings(
    club: Club, seen: Callable[[State], State] = lambda state: state, state: State | None = None
) -> Standings:
    """Return the standings of the newest entry.

    Args:
        club: Whose standings.
        seen: Returns a state as who asks may see it.
        state: That of now, as who asks may see it, if it is there already.
    """
    return standings_of(seen(state_of(club)) if state is None else state, newest=True)


def previewed(state: State) -> Standings:
    """Return the standings of a state that nobody has written; not kept, since nobody can ask for them again."""
    with brake.computing():
        return standings(state, today())


__all__ = [
    "answers",
    "beside",
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
