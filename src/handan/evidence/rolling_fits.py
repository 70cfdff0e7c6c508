"""Forecasts of systems that solve all games together: a fit to what was known forecasts until the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from handan.evidence.evaluation_task import Task
from handan.evidence.logistic_curve import fitted_curve, refit_places
from handan.kernels.calibration import calibration
from handan.kernels.compiling import repeated
from handan.kernels.types import Floats, Ints
from handan.ledger import Adjustment, Ledger, Player
from handan.ledger.arrays import Arrays
from handan.ledger.encoded_columns import Different
from handan.ranks import Rank
from handan.ratings import Ratings
from handan.systems import System
from handan.systems.core.forecasting import probabilities

FIRST = 20  # games before the first fit; our choice
GROWTH = 1.2
"""How much games have grown from one fit to the next, so that all fits together cost as much as a few of all games.
our choice, as are those of single systems, which follow what a fit costs."""
GROWTHS = {"whr": 1.05, "holigor": 1.5}


def refitted(rules: System, task: Task) -> Floats:
    """Return the probability that Black wins each game by the last fit before it, shape (n,).

    A fit sees what was known at its moment, and nothing that is younger plays any part, not even the names of players.
    Who came since is forecast as a newcomer. Games before the first fit are forecast by entries and terms alone. Games
    that are not scored are NaN where the system has odds of its own and learns nothing from its forecasts.

    Args:
        rules: A system that solves all games together.
        task: The games.
    """
    past = Past.of(task.ledger)
    places = refit_places(task.batch[:-1], FIRST, GROWTHS.get(rules.name, GROWTH))
    use = np.searchsorted(places, task.known_until, side="right")
    lead = np.full(len(use), np.nan)
    learns = rules.traits.calibrated or not rules.has_odds
    fits = np.unique(use if learns else use[task.wanted]).tolist()
    with repeated(len(fits) // 2):  # the first fits are small
        for number in fits:
            mine = np.flatnonzero(use == number)
            games = task.games[mine].astype(np.int64)
            ratings = rules.rate(past.until(int(task.games[places[number - 1]]))) if number else None
            rating, spread = past.standings(rules, ratings, games)
            leads = rules.leads(task.ledger, games, rating, spread, ratings) if rules.has_odds else None
            lead[mine] = rating[:, 0] - rating[:, 1] if leads is None else leads
    if rules.traits.calibrated:
        forecast = calibration(np.nan_to_num(lead), task.score, task.known_until.astype(np.int64))
        lead = np.where(np.isnan(lead), np.nan, forecast)
    return probabilities(lead) if rules.has_odds else fitted_curve(task, lead)


@dataclass(frozen=True, eq=False)
class Past:
    """A ledger whose players are numbered by their first games, so that nothing later moves what is earlier."""

    ledger: Ledger
    black: Ints
    """Number of Black's player in each game, shape (games,)."""
    white: Ints
    number: Ints
    """Number of each player of the ledger, shape (players,)."""
    seen: Ints
    """How many players had played up to each game, it included, shape (games,)."""
    players: tuple[Player, ...]
    """In the order of the numbers."""

    @classmethod
    def of(cls, ledger: Ledger) -> Past:
        """Number the players of a ledger."""
        seats = np.stack((ledger.arrays.black, ledger.arrays.white), axis=1).ravel()
        players, first = np.unique(seats, return_index=True)
        order = np.argsort(first)
        number = np.full(len(ledger.players), -1, dtype=np.int64)
        number[players[order]] = np.arange(len(players))
        black, white = number[ledger.arrays.black], number[ledger.arrays.white]
        seen = np.maximum.accumulate(np.maximum(black, white)) + 1
        named = tuple(Player(f"{place:08d}") for place in range(len(players)))
        return cls(ledger, black, white, number, seen, named)

    def until(self, game: int) -> Ledger:
        """Return the ledger of the games before one, with what was set by hand by then."""
        count = int(self.seen[game - 1]) if game else 0
        columns = self.ledger.arrays.columns.between(0, game)
        black, white = (numbers[:game].astype(np.uint32) for numbers in (self.black, self.white))
        different = {**columns.different, **dict.fromkeys(("black_id", "white_id"), Different(pl.Series([""])))}
        games = replace(columns, black=black, white=white, different=different)
        return Ledger(Arrays(games, self.players[:count]), tuple(self._by_hand(game, count)))

    def _by_hand(self, game: int, count: int) -> Iterator[Adjustment]:
        """Yield what was set by hand before a game, for players who had played by then."""
        for number, position, item in self.set_by_hand:
            if number < count and position <= game:
                yield replace(item, player=self.players[number].name)

    @cached_property
    def set_by_hand(self) -> list[tuple[int, int, Adjustment]]:
        """Every adjustment with its player's number and the index of the first game behind it, for those who play."""
        items = [(int(self.number[self.ledger.find(item.player)]), item) for item in self.ledger.adjustments]
        return [(number, self.ledger.arrays.position(item), item) for number, item in items if number >= 0]

    def standings(self, rules: System, ratings: Ratings | None, games: Ints) -> tuple[Floats, Floats]:
        """Return rating and deviation of both sides of games, shape (n, 2) each.

        Whoever plays no part in the ratings stands where a newcomer does: as set by hand, else by the rank declared.

        Args:
            rules: The system.
            ratings: Of a past; None where there is none yet.
            games: Indices in the whole ledger, shape (n,).
        """
        number = np.stack((self.black[games], self.white[games]), axis=1)
        rating, spread = np.full(number.shape, np.nan), np.zeros(number.shape)
        inside = np.zeros(number.shape, dtype=np.bool_)
        if ratings is not None:
            inside = number < len(ratings.rating)
            inside[inside] = ratings.arrays.pool[number[inside]] >= 0
            rating[inside] = ratings.rating[number[inside]]
            if ratings.deviation is not None:
                spread[inside] = ratings.deviation[number[inside]]
        for side, (ranks, which) in enumerate(self.ledger.arrays.declared):
            new = np.flatnonzero(~inside[:, side])
            for kind in np.unique(which[games[new]]).tolist():
                at = new[which[games[new]] == kind]
                standing = rules.newcomer("", rank=ranks[kind], ratings=ratings)
                rating[at, side], spread[at, side] = standing.rating, standing.deviation or 0.0
        for by, position, item in self.set_by_hand:
            mine = ~inside & (number == by) & (games >= position)[:, None]
            if mine.any():
                rank = item.rank if isinstance(item.rank, Rank) else None
                standing = rules.newcomer("", rank, item.rating, ratings)
                rating[mine], spread[mine] = standing.rating, standing.deviation or 0.0
        return rating, spread
