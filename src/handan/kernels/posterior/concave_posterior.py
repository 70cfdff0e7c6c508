"""The log posterior of the ratings of a whole pool under any concave law of winning: its slopes and curvatures.

Unknown are the distances of the players from their entry ratings, in ranks. A system binds `score_and_information`, its
law, as a function of the lead: steepness times (own rating - opponent's rating + worth of the terms).
"""

from __future__ import annotations

from typing import NamedTuple

from handan.kernels.compiling import kernel
from handan.kernels.posterior.likelihood import Model
from handan.kernels.types import Floats, Ints

FLAT = 1e-10  # our choice: added to every curvature, so that a step has an end where the posterior is flat
SCARCE = 1e-200  # our choice: least information of a game, so that nobody's share is 0


class Pool(NamedTuple):
    """Everything that the posterior of a pool depends on besides the ratings."""

    model: Model
    """The games and the prior, `bonus` being the worth of the terms to Black plus Black's entry less White's, ranks."""
    steepness: Floats
    """Of the law in each game, per rank, shape (games,)."""
    at_entry: Floats
    """Steepness of the virtual games against the own entry rating, shape (players,)."""
    first: Ints
    """Where the games of each player begin in `turns`, and the end, shape (players + 1,)."""
    turns: Ints
    """The games player by player, shape (2 games,)."""
    order: Ints
    """The players, those with most games first."""


@kernel
def score_and_information(result: float, lead: float) -> tuple[float, float, float]:  # noqa: ARG001  # bound by a system
    """Return slope and negative curvature of the log-likelihood of a result in the lead, and the information of a game.

    The information (Fisher's) is the mean of the squared slope over the results that the law expects.
    """
    return 0.0, 1.0, 1.0


@kernel
def linearise(pool: Pool, beyond: Floats, flat: float, gradient: Floats, curvature: Floats, pull: Floats) -> None:
    """Fill gradient and diagonal of the negative Hessian, shape (players,), and each game's curvature, shape (games,).

    `flat` is added to the diagonal.
    """
    model = pool.model
    for player in range(len(beyond)):
        k, prior = pool.at_entry[player], model.prior[player]
        won, over, _ = score_and_information(1.0, k * beyond[player])
        lost, under, _ = score_and_information(0.0, k * beyond[player])
        gradient[player] = prior * k * (won + lost)
        curvature[player] = flat + prior * k * k * (over + under)
    for game in range(len(pull)):
        black, white, k = model.black[game], model.white[game], pool.steepness[game]
        lead = k * (beyond[black] - beyond[white] + model.bonus[game])
        slope, curve, _ = score_and_information(model.score[game], lead)
        push = model.weight[game] * k * slope
        pull[game] = model.weight[game] * k * k * curve
        gradient[black] += push
        gradient[white] -= push
        curvature[black] += pull[game]
        curvature[white] += pull[game]


@kernel
def slope_along(pool: Pool, beyond: Floats, step: Floats, share: float) -> float:
    """Return the slope of the log posterior along a step, at a share of it."""
    model, total = pool.model, 0.0
    for player in range(len(beyond)):
        if step[player] != 0.0:
            k = pool.at_entry[player]
            lead = k * (beyond[player] + share * step[player])
            won, _, _ = score_and_information(1.0, lead)
            lost, _, _ = score_and_information(0.0, lead)
            total += model.prior[player] * k * (won + lost) * step[player]
    for game in range(len(model.score)):
        black, white, k = model.black[game], model.white[game], pool.steepness[game]
        change = step[black] - step[white]
        lead = k * (beyond[black] - beyond[white] + share * change + model.bonus[game])
        slope, _, _ = score_and_information(model.score[game], lead)
        total += model.weight[game] * k * slope * change
    return total


@kernel
def slope_of_player(pool: Pool, beyond: Floats, player: int, place: float) -> tuple[float, float]:
    """Return slope and negative curvature of the log posterior in one player's rating at a place, the others fixed."""
    model, k = pool.model, pool.at_entry[player]
    won, over, _ = score_and_information(1.0, k * place)
    lost, under, _ = score_and_information(0.0, k * place)
    slope = model.prior[player] * k * (won + lost)
    curvature = FLAT + model.prior[player] * k * k * (over + under)
    for turn in range(pool.first[player], pool.first[player + 1]):
        game = pool.turns[turn]
        k, weight, bonus, score = pool.steepness[game], model.weight[game], model.bonus[game], model.score[game]
        if model.black[game] == player:
            s, c, _ = score_and_information(score, k * (place - beyond[model.white[game]] + bonus))
        else:
            s, c, _ = score_and_information(1.0 - score, k * (place - beyond[model.black[game]] - bonus))
        slope += weight * k * s
        curvature += weight * k * k * c
    return slope, curvature


@kernel
def scores_and_information(pool: Pool, beyond: Floats, slope: Floats, information: Floats) -> None:
    """Fill slope in Black's rating, which is minus that in White's, and information of each game, shape (games,)."""
    model = pool.model
    for game in range(len(slope)):
        k, weight = pool.steepness[game], model.weight[game]
        lead = k * (beyond[model.black[game]] - beyond[model.white[game]] + model.bonus[game])
        s, _, i = score_and_information(model.score[game], lead)
        slope[game], information[game] = weight * k * s, weight * k * k * max(i, SCARCE)
