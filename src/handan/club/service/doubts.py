"""What is unusual about a game: a jigo at half a point, stones of the stronger player, a day of long ago."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from handan.club.standings import ClubStandings
from handan.club.state import State
from handan.club.store.clock import today
from handan.club.store.models import Club
from handan.club.store.standings import ReplayedList
from handan.club.store.stored_standings import standings_at_hand
from handan.errors import Clause, InputError
from handan.handicaps import NIGIRI, Terms
from handan.ledger import Result, When
from handan.ledger.results import Outcome

PlayedFrom = ClubStandings | ReplayedList
LONGEST_LIFE = 100  # years; our choice: who played in an older game plays no more
LATELY = timedelta(days=31)  # our choice: within it, who is the stronger one by the list of now was so in the game


class Proposal(NamedTuple):
    """What the club's rules say of a game of two players, one of whom has Black."""

    terms: Terms | None = None
    """With these colours; None where the rules give the other one Black, or nothing is fair."""
    turned: Terms | None = None
    """The terms that give the other one Black."""


def proposal(standings: PlayedFrom, black: str, white: str) -> Proposal:
    """Return the fair terms of two players, given by key; none for who is not there, or where nothing is fair.

    Of a newcomer without a rank nobody knows what would be fair.
    """
    people = standings.state.active
    if black == white or black not in people or white not in people or standings.newcomers(black, white):
        return Proposal()
    try:
        terms = standings.fair_terms(black, white)
    except InputError:
        return Proposal()
    fits = terms.colours == NIGIRI or standings.state.keys[terms.black] == black
    return Proposal(terms=terms) if fits else Proposal(turned=terms)


def doubts_of(club: Club, state: State, facts: Mapping[str, Any]) -> tuple[Clause, ...]:
    """Return what is unusual about a game, given by its facts; nothing for most games.

    Whether the stronger one has the stones is asked of games of late alone, as far as the list is at hand.
    """
    made, day, stones = [], When.of(facts.get("date")), facts.get("handicap", 0)
    komi = facts.get("komi") or 0.0
    if komi % 1 and Result.parse(facts["result"]).outcome is Outcome.JIGO:
        made.append(Clause.of("a komi of {komi:g} leaves no jigo", komi=komi))
    if day is not None and day.moment.year < today().year - LONGEST_LIFE:
        made.append(Clause.of("the game is more than {years} years old", years=LONGEST_LIFE))
    if stones >= 2 and (day is None or day.moment.date() >= today() - LATELY):
        black, white = (key and state.person(key).key for key in (facts[side] for side in ("black", "white")))
        standings = standings_at_hand(club, state)
        if standings is not None and proposal(standings, black, white).turned is not None:
            made.append(Clause.of("the stronger one has the {stones} stones", stones=stones))
    return tuple(made)
