"""Which games would have had other terms under another card: what both cards said to the points of that evening."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

import numpy as np

from handan.club.standings import ClubStandings, Phase
from handan.handicaps import NIGIRI, Terms, card_terms
from handan.ratings import RatedFrom
from handan.systems.points import Points


class OtherTerms(NamedTuple):
    """A game with the terms of the card that held, and those of the other one."""

    game: str
    """Key of the game."""
    date: str
    black: str
    white: str
    before: Terms | None
    """None where no card held."""
    after: Terms


class GameTerms(NamedTuple):
    """A game with what the card said."""

    date: str
    black: str
    white: str
    terms: Terms | None
    """None where no card held."""


def terms_since(standings: ClubStandings, since: date) -> dict[str, GameTerms]:
    """Return each game that counts since a day with the terms of the card, by its key."""
    return dict(pair for phase in standings.phases for pair in _of_phase(phase, since))


def _of_phase(phase: Phase, since: date) -> Iterator[tuple[str, GameTerms]]:
    made, ratings = phase.rules.made, phase.ratings
    ledger = ratings.ledger
    days, numbers = ledger.arrays.column("date"), ledger.arrays.column("line")
    for place in np.flatnonzero((days.dt.date() >= since).fill_null(value=False).to_numpy()).tolist():
        black, white = (ledger.players[int(side[place])].name for side in ledger.arrays.seats)
        terms = None
        if isinstance(made, Points):
            points = RatedFrom.of(ratings).rated_from[place].tolist()
            if not np.isfinite(points).all():
                continue  # it does not count
            terms = card_terms(made.table, (black, points[0]), (white, points[1]))
        yield f"g{numbers[place]}", GameTerms(str(days[place].date()), black, white, terms)


def other_terms(before: ClubStandings, after: ClubStandings, since: date) -> tuple[int, list[OtherTerms]]:
    """Return how many games there were since a day under the other card, and those whose terms differ, latest first."""
    old, new = terms_since(before, since), terms_since(after, since)
    pairs = [(key, old.get(key), game) for key, game in new.items() if game.terms is not None]
    made = [
        OtherTerms(key, game.date, game.black, game.white, None if was is None else was.terms, game.terms)
        for key, was, game in pairs
        if game.terms is not None
    ]
    differ = [item for item in made if item.before is None or _agreed(item.before) != _agreed(item.after)]
    return len(pairs), sorted(differ, key=lambda item: (item.date, item.game), reverse=True)


def _agreed(terms: Terms) -> tuple[object, ...]:
    """Return what two players agree on: who has Black, how many stones, what komi, what a tie is."""
    drawn = terms.colours == NIGIRI
    return "" if drawn else terms.black, drawn, terms.stones_on_board, terms.komi, terms.tie
