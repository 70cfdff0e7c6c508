"""Who takes what in a world, by its habit, and what its people believe of each other: declared ranks and points."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from handan.evidence.worlds.people import YEAR, People
from handan.evidence.worlds.world import World
from handan.handicaps import MOST_STONES
from handan.kernels.types import Floats, Ints
from handan.ranks import STRONGEST, WEAKEST, Rank
from handan.systems import Points

HANDICAP_KOMI = 0.5  # points; with stones only the tie is broken


class Seated(NamedTuple):
    """Terms of one game."""

    black: int
    white: int
    handicap: int
    komi: float


def declared_levels(world: World, people: People, days: Ints, level: Floats, dice: np.random.Generator) -> Floats:
    """Return the ranks that people declare, places on the stones axis, shape (meetings, players).

    Sandbaggers declare less. A year after joining, and so on, ranks are declared anew where the world has it so.
    """
    declared = np.empty_like(level)
    due, current = np.zeros(world.players, dtype=np.int64), level[0] if len(level) else np.zeros(world.players)
    due += people.joined
    for meeting, day in enumerate(days.tolist()):
        now = (due <= day) | (meeting == 0)
        fresh = level[meeting] - world.sandbag * people.sandbagger + world.rank_error * dice.normal(size=world.players)
        current = np.where(now, np.clip(np.round(fresh), WEAKEST, STRONGEST), current)
        due = np.where(now, day + round(YEAR), due) if world.declares == "yearly" else np.where(now, world.days, due)
        declared[meeting] = current
    return declared


class Habits:
    """Decides the terms of games in playing order; a points card follows the results."""

    def __init__(self, world: World, dice: np.random.Generator) -> None:
        """Begin without points."""
        self.world, self.dice = world, dice
        self.club = Points(card=world.card)
        self.points = np.full(world.players, np.nan)
        self.row = lru_cache(maxsize=1000)(self.club.table.board_row)

    def terms(self, one: int, other: int, level: Floats, declared: Floats) -> Seated:
        """Return who takes Black, stones and komi of a game, given everybody's true and declared level."""
        habit = self.world.terms
        if habit == "even":
            return self._even(one, other)
        if habit == "card":
            return self._by_card(one, other, declared)
        shown = declared if habit == "rank" else level
        apart = float(shown[other] - shown[one])
        if habit == "difference":
            apart += self.world.misjudged * float(self.dice.normal())
        ranks = min(round(abs(apart)), MOST_STONES)
        if ranks == 0:
            return self._even(one, other)
        black, white = (one, other) if apart > 0 else (other, one)
        return Seated(black, white, ranks, HANDICAP_KOMI)

    def _even(self, one: int, other: int) -> Seated:
        black, white = (one, other) if self.dice.random() < 0.5 else (other, one)
        return Seated(black, white, 0, self.world.komi)

    def _by_card(self, one: int, other: int, declared: Floats) -> Seated:
        """Return the terms of the card; who comes first holds the points of the declared rank."""
        for player in (one, other):
            if np.isnan(self.points[player]):
                self.points[player] = self.club.rating_for(Rank.at(float(declared[player])))
        apart = int(self.points[other] - self.points[one])
        if apart == 0:
            one, other = (one, other) if self.dice.random() < 0.5 else (other, one)
        black, white = (one, other) if apart >= 0 else (other, one)
        row = self.row(abs(apart))
        handicap = row.stones_on_board or min(row.card_stones, 1)
        customary = HANDICAP_KOMI if handicap else self.world.komi
        return Seated(black, white, handicap, customary if row.komi is None else row.komi)

    def played(self, seats: Seated, black_won: bool) -> None:  # noqa: FBT001  # a result
        """Move the points of a game: one from the loser to the winner, where the card says no more."""
        if self.world.terms == "card":
            winner, loser = (seats.black, seats.white) if black_won else (seats.white, seats.black)
            self.points[winner] += self.club.table.step(float(self.points[winner]))
            self.points[loser] -= self.club.table.step(float(self.points[loser]))
