"""The replay of events: all games of one event are rated from the ratings held at its start, and the changes added."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.incremental.adjustments import ByHand, adjust
from handan.kernels.types import Floats, Ints, Seats


class Side(NamedTuple):
    """One side of a game of an event, as the formula of a system reads it."""

    constants: tuple[float, ...]
    """The system's constants."""
    own: float
    """Rating held at the start of the event."""
    other: float
    """That of the opponent."""
    own_worth: float
    """What the handicap adds to the own rating inside the expectation."""
    other_worth: float
    score: float
    """The side's score."""
    weight: float
    """Weight of the game."""
    games: int
    """Rated games that the side had played before."""


class Games(NamedTuple):
    """The rated games in the order of the replay, shape (games,), and their events."""

    black: Seats
    white: Seats
    score: Floats
    """Black's score."""
    worth: Floats
    """What the handicap adds to Black's rating."""
    weight: Floats
    batch: Ints
    """First game of each event, and the number of games, shape (events + 1,)."""


class Lines(NamedTuple):
    """What a replay writes down of each game and side, shape (games, 2)."""

    before: Floats
    """Running rating."""
    rated_from: Floats
    """Rating that the formula used."""
    change: Floats

    @classmethod
    def empty(cls, games: int) -> Lines:
        """Return room for so many games."""
        return cls(*(np.empty((games, 2)) for _ in cls._fields))


@kernel
def change_of(side: Side) -> float:
    """Return the change of one side in rating points; each system binds its own formula in place of this one."""
    return side.weight * (2.0 * side.score - 1.0)


@kernel
def replay_events(
    constants: tuple[float, ...], games: Games, floor: float, played: Ints, hand: ByHand, rating: Floats, lines: Lines
) -> None:
    """Replay the events in order; fill `lines`, `rating` and `played`.

    Args:
        constants: The system's constants, handed to `change_of`.
        games: The games.
        floor: Lowest rating.
        played: Rated games that each player had played before, then at the end, shape (players,).
        hand: Ratings set by hand.
        rating: Ratings at entry, then at the end, shape (players,).
        lines: Filled.
    """
    black, white, score, worth, weight, batch = games
    before, rated_from, change = lines
    running = rating.copy()
    done = 0
    for number in range(len(batch) - 1):
        first, behind = batch[number], batch[number + 1]
        done = adjust(done, first, hand, rating)
        for game in range(first, behind):
            b, w = black[game], white[game]
            running[b], running[w] = rating[b], rating[w]
        for game in range(first, behind):
            b, w = black[game], white[game]
            one, other, was_b, was_w = rating[b], rating[w], running[b], running[w]
            of_black = Side(constants, one, other, worth[game], 0.0, score[game], weight[game], played[b])
            of_white = Side(constants, other, one, 0.0, worth[game], 1.0 - score[game], weight[game], played[w])
            gain, loss = change_of(of_black), change_of(of_white)
            gain, loss = max(gain, floor - was_b), max(loss, floor - was_w)
            rated_from[game, 0], rated_from[game, 1] = one, other
            before[game, 0], before[game, 1] = was_b, was_w
            change[game, 0], change[game, 1] = gain, loss
            running[b], running[w] = was_b + gain, was_w + loss
            played[b] += 1
            played[w] += 1
        for game in range(first, behind):
            b, w = black[game], white[game]
            rating[b], rating[w] = running[b], running[w]
    adjust(done, len(black), hand, rating)
