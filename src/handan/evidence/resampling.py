"""How far mean losses could have come out otherwise: days and players are drawn again, and the wider answer stands.

Source: B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), 13.3, for intervals by percentiles; P.
Aronow, C. Samii and V. Assenova, "Cluster-robust variance estimation for dyadic data" (2015), for games that have two
players: their sum over players counts the games of a pair twice, which is taken out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from handan.kernels.types import Floats, Ints

DRAWS = 1000
SEED = 1
LEVEL = 0.95
NORMAL = 1.959963984540054  # half the width of a 95 % interval in standard errors
CHUNK = 2000  # clusters whose draws are held at a time


@dataclass(frozen=True, eq=False)
class Resampled:
    """What the losses of several systems in the same games came to in draws of days and of players."""

    mean: Floats
    """Mean loss of each system, shape (systems,)."""
    games: int
    by_day: Floats
    """Mean in each draw less the mean, shape (draws, systems)."""
    by_player: Floats
    day_variance: Floats
    """Variance of the means, and covariances, shape (systems, systems)."""
    player_variance: Floats
    game_variance: Floats
    """The same if games were drawn one by one."""
    player_sum: Floats
    """Variance in the draws of players before what pairs count twice is taken out."""

    @classmethod
    def of(cls, losses: Floats, day: Ints, players: Ints) -> Resampled:
        """Draw days and players again.

        Args:
            losses: Shape (games, systems).
            day: Number of each game's day, shape (games,).
            players: Numbers of both players of each game, shape (games, 2).
        """
        games, mean = len(losses), losses.mean(axis=0)
        rest = (losses - mean) / games
        days = _sums(rest, day)
        days *= math.sqrt(len(days) / max(len(days) - 1, 1))
        of_players = _sums(np.concatenate((rest, rest)), players.T.ravel())
        low, high = players.min(axis=1), players.max(axis=1)
        pairs = _sums(rest, low * (int(players.max()) + 1) + high)
        both = of_players.T @ of_players
        dice = np.random.default_rng(SEED)
        return cls(
            mean, games, _drawn(dice, days), _drawn(dice, of_players),
            days.T @ days, both - pairs.T @ pairs, rest.T @ rest, both,
        )  # fmt: skip

    def interval(self, weights: Floats) -> tuple[float, float]:
        """Return the 95 % interval of a sum of the systems' mean losses with weights, by days or players, the wider.

        An interval is not narrower than if games were drawn one by one.
        """
        value = float(weights @ self.mean)
        least = float(weights @ self.game_variance @ weights)
        intervals = []
        for draws, drawn, variance in (
            (self.by_day, self.day_variance, self.day_variance),
            (self.by_player, self.player_sum, self.player_variance),
        ):
            before, after = (float(weights @ matrix @ weights) for matrix in (drawn, variance))
            wide = math.sqrt(max(after, least) / before) if before > 0.0 else 0.0
            tails = np.quantile(draws @ weights, ((1.0 - LEVEL) / 2.0, (1.0 + LEVEL) / 2.0)) * wide
            intervals.append((value + float(tails[0]), value + float(tails[1])))
        return max(intervals, key=lambda ends: ends[1] - ends[0])

    def games_needed(self, weights: Floats, interval: tuple[float, float]) -> int | None:
        """Return how many games would tell the sum from 0: (1.96 s / d)^2; None where it is 0.

        s is the deviation of a game that the interval stands for: its standard error times the root of the games.
        """
        value = abs(float(weights @ self.mean))
        error = (interval[1] - interval[0]) / (2.0 * NORMAL)
        if value == 0.0 or error == 0.0:
            return None
        return math.ceil(self.games * (NORMAL * error / value) ** 2)


def _sums(values: Floats, cluster: Ints) -> Floats:
    """Return the sums over the clusters, shape (clusters, systems)."""
    _, number = np.unique(cluster, return_inverse=True)
    number = number.reshape(-1)
    sums = [np.bincount(number, column) for column in values.T]
    return np.stack(sums, axis=1)


def _drawn(dice: np.random.Generator, sums: Floats) -> Floats:
    """Return the sum over clusters of times drawn, less 1, times their sums, for every draw; shape (draws, systems).

    How often a cluster is drawn is a Poisson number of mean 1, as in a sample with replacement of many clusters.
    """
    total = np.zeros((DRAWS, sums.shape[1]))
    for first in range(0, len(sums), CHUNK):
        part = sums[first : first + CHUNK]
        total += (dice.poisson(1.0, (DRAWS, len(part))) - 1.0) @ part
    return total
