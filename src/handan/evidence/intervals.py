"""How far mean losses could have come out otherwise: games of one day, and games that share a player, are alike.

Source: A. Cameron, J. Gelbach and D. Miller, "Robust inference with multiway clustering" (2011), for two ways at once;
P. Aronow, C. Samii and V. Assenova, "Cluster-robust variance estimation for dyadic data" (2015), for games of
two players; A. Cameron and D. Miller, "A practitioner's guide to cluster-robust inference" (2015), section VI, for few
clusters: residuals as by leaving out one cluster, and Student's t; A. Carter, K. Schnepel and D. Steigerwald,
"Asymptotic behavior of a t test robust to cluster heterogeneity" (2017), for clusters of unequal size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from handan.kernels.types import Floats, Ints

LEVEL = 0.95
APART = "cannot be told apart"  # of figures whose difference may be 0
NORMAL = 1.959963984540054  # half the width of a 95 % interval in standard errors
FEWEST = 2  # clusters of which something can be said
MANY = 10_000.0  # degrees of freedom from which on Student's t is the normal distribution to four digits
NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)


@dataclass(frozen=True, eq=False)
class Clustered:
    """Mean losses of several systems in the same games, and how they vary together; shape (systems, systems) each."""

    mean: Floats
    """Mean loss of each system, shape (systems,)."""
    games: int
    degrees: float
    """Of freedom: as many days, or players if they are fewer, as count, less 1."""
    game_variance: Floats
    """Of the means if games shared nothing."""
    day_variance: Floats
    """The same if only games of one day were alike."""
    player_variance: Floats
    """The same if only games that share a player were alike."""
    both_variance: Floats
    """What the last two count twice: games of one day that share a player."""

    @classmethod
    def of(cls, losses: Floats, day: Ints, players: Ints) -> Clustered:
        """Sum the losses over days, players, and pairs of players.

        Args:
            losses: Shape (games, systems).
            day: Number of each game's day, shape (games,).
            players: Numbers of both players of each game, shape (games, 2).
        """
        games, mean = len(losses), losses.mean(axis=0)
        rest = (losses - mean) / games
        pair = players.min(axis=1) * (int(players.max()) + 1) + players.max(axis=1)
        seats, twice, days = players.T.ravel(), np.concatenate((rest, rest)), np.concatenate((day, day))
        by_day, many_days = _left_out(rest, day, games)
        by_player, many_players = _left_out(twice, seats, games)
        width = int(day.max()) + 1
        both = _squares(_sums(twice, seats * width + days)) - _squares(_sums(rest, pair * width + day))
        of_pairs = _squares(_sums(rest, pair)) if many_players else 0.0
        counts = [count for count in (many_days, many_players) if count] or [float(games)]
        return cls(
            mean, games, max(min(counts) - 1.0, 1.0), _squares(rest), by_day, by_player - of_pairs,
            both if many_days and many_players else _squares(rest),
        )  # fmt: skip

    def error(self, weights: Floats) -> float:
        """Return the standard error of a sum of the systems' mean losses with weights.

        It is not less than by days alone, by players alone, or if games shared nothing.
        """
        of_game, of_day, of_player, of_both = (
            float(weights @ matrix @ weights)
            for matrix in (self.game_variance, self.day_variance, self.player_variance, self.both_variance)
        )
        return math.sqrt(max(of_day + of_player - of_both, of_day, of_player, of_game, 0.0))

    def interval(self, weights: Floats) -> tuple[float, float]:
        """Return the 95 % interval of a sum of the systems' mean losses with weights."""
        value = float(weights @ self.mean)
        half = student(self.degrees) * self.error(weights)
        return value - half, value + half

    def games_needed(self, weights: Floats, interval: tuple[float, float]) -> int | None:
        """Return how many games would tell the sum from 0: (t s / d)^2; None where it is 0.

        s is the deviation of a game that the interval stands for: its standard error times the root of the games.
        """
        value, half = abs(float(weights @ self.mean)), (interval[1] - interval[0]) / 2.0
        if value == 0.0 or half == 0.0:
            return None
        return math.ceil(self.games * (half / value) ** 2)


def _left_out(rest: Floats, cluster: Ints, games: int) -> tuple[Floats, float]:
    """Return the variance by leaving out one cluster after the other, and as how many equal clusters they count.

    Clusters that hold every game cannot be left out. With fewer than two others both figures are 0.

    Args:
        rest: Parts of the means, shape (rows, systems).
        cluster: Of each row.
        games: All games.
    """
    sums, sizes = _sums(rest, cluster), np.unique(cluster, return_counts=True)[1].astype(np.float64)
    some = sizes < games
    sums, sizes = sums[some], sizes[some]
    count = len(sizes)
    if count < FEWEST:
        return np.zeros((rest.shape[1], rest.shape[1])), 0.0
    moved = sums / (1.0 - sizes / games)[:, None]
    return _squares(moved) * (count - 1.0) / count, float(sizes.sum() ** 2 / (sizes @ sizes))


def _sums(values: Floats, cluster: Ints) -> Floats:
    """Return the sums over the clusters, shape (clusters, systems)."""
    _, number = np.unique(cluster, return_inverse=True)
    number = number.reshape(-1)
    sums = [np.bincount(number, column) for column in values.T]
    return np.stack(sums, axis=1)


def _squares(sums: Floats) -> Floats:
    """Return the products of columns, summed over rows."""
    products: Floats = sums.T @ sums
    return products


@lru_cache(maxsize=256)
def student(degrees: float) -> float:
    """Return how many standard errors of Student's t distribution hold 95 % on both sides together."""
    if degrees >= MANY:
        return NORMAL
    low, high = NORMAL, 13.0  # 12.706 is that of one degree
    while high - low > 1e-9:
        middle = (low + high) / 2.0
        low, high = (middle, high) if within(middle, degrees) < LEVEL else (low, middle)
    return low


def within(t: float, degrees: float) -> float:
    """Return the chance that Student's t is not farther from 0 than so much, by Gauss' quadrature of its density."""
    height = math.exp(math.lgamma((degrees + 1.0) / 2.0) - math.lgamma(degrees / 2.0)) / math.sqrt(math.pi * degrees)
    at = t * (NODES + 1.0) / 2.0
    return float(t * height * (WEIGHTS @ np.exp(-(degrees + 1.0) / 2.0 * np.log1p(at * at / degrees))))
