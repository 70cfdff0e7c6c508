"""The replay of events: all games of one event are rated from the ratings held at its start, and the changes added."""

from __future__ import annotations

from handan.kernels.compiling import kernel
from handan.kernels.incremental.adjustments import ByHand, adjust
from handan.kernels.types import Floats, Ints, Seats


@kernel
def change_of(
    constants: tuple[float, ...],  # noqa: ARG001  # the signature is what this function is for
    own: float,  # noqa: ARG001
    other: float,  # noqa: ARG001
    own_bonus: float,  # noqa: ARG001
    other_bonus: float,  # noqa: ARG001
    score: float,  # noqa: ARG001
    weight: float,  # noqa: ARG001
    games: int,  # noqa: ARG001
) -> float:
    """Return the change of one side in rating points; each system binds its own formula in place of this one.

    Args:
        constants: The system's constants.
        own, other: Ratings held by the side and its opponent.
        own_bonus, other_bonus: What the handicap adds to each rating inside the expectation.
        score: The side's score.
        weight: Weight of the game.
        games: Rated games that the side had played before.
    """
    return 0.0


@kernel
def replay_events(
    constants: tuple[float, ...],
    black: Seats,
    white: Seats,
    score: Floats,
    bonus: Floats,
    weight: Floats,
    batch: Ints,
    floor: float,
    played: Ints,
    hand: ByHand,
    rating: Floats,
    before: Floats,
    rated_from: Floats,
    change: Floats,
) -> None:
    """Replay the events in order; fill the last four arrays, and `played`.

    Args:
        constants: The system's constants, handed to `change_of`.
        black, white, score: The games, shape (games,).
        bonus: What the handicap adds to Black's rating, shape (games,).
        weight: Weight of each game, shape (games,).
        batch: First game of each event, and the number of games, shape (events + 1,).
        floor: Lowest rating.
        played: Rated games that each player had played before, then at the end, shape (players,).
        hand: Ratings set by hand.
        rating: Ratings at entry, then at the end, shape (players,).
        before: Running ratings before each game, shape (games, 2).
        rated_from: Ratings that the formula used, shape (games, 2).
        change: Changes, shape (games, 2).
    """
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
            gain = change_of(constants, one, other, bonus[game], 0.0, score[game], weight[game], played[b])
            loss = change_of(constants, other, one, 0.0, bonus[game], 1.0 - score[game], weight[game], played[w])
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
