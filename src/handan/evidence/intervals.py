"""How far mean losses could have come out otherwise: games of one day, and games that share a player, are alike.

Source: A. Cameron, J. Gelbach and D. Miller, "Robust inference with multiway clustering" (2011), for two ways at once;
P. Aronow, C. Samii and V. Assenova, "Cluster-robust variance estimation for dyadic data" (2015), for games of
two players; A. Cameron and D. Miller, "A practitioner's guide to cluster-robust inference" (2015), section VI, for few
clusters: residuals as by leaving out one cluster, and Student's t; A. Carter, K. Schnepel and D. Steigerwald,
"Asymptotic behavior of a t test robust to cluster heterogeneity" (2017), for clusters of unequal size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from handan.kernels.arrays import blocks
from handan.kernels.types import Floats, Ints, Numbers, Seats

LEVEL = 0.95
APART = "cannot be told apart"  # of figures whose difference may be 0
NORMAL = 1.959963984540054  # half the width of a 95 % interval in standard errors
FEWEST = 2  # clusters of which something can be said
MANY = 10_000.0  # degrees of freedom from which on Student's t is the normal distribution to four digits
FEW = 3  # our choice: of fewer days or players no interval is evidence, neither a wide one nor a narrow one
ROWS = 16_384  # our choice: rows that are summed at once; a cluster of more is summed alone
NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)


class LossTable(Protocol):
    """Losses of several systems, of which rows are asked for; an array of shape (games, systems) is one."""

    def __getitem__(self, rows: Ints | slice, /) -> Floats:
        """Return the losses of some games, shape (rows, systems)."""


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
    def of(cls, losses: LossTable, day: Ints | Numbers, players: Ints | Seats) -> Clustered:
        """Sum the losses over days, players, and pairs of players, some thousand rows at a time.

        Args:
            losses: Shape (games, systems), an array or what gives rows of one.
            day: Number of each game's day, shape (games,).
            players: Numbers of both players of each game, shape (games, 2).
        """
        games = len(day)
        rest = _Rest(losses, _means(losses, games), games)
        by_game = rest.squares(np.arange(games))
        by_day, many_days = rest.left_out(day.astype(np.int64))
        by_player, many_players = rest.left_out(players.T.astype(np.int64, order="C").ravel())
        of_pairs = rest.squares(_pairs(players)) if many_players else np.zeros_like(by_game)
        both = by_game
        if many_days and many_players:
            both = rest.squares(_of_days(players.T.astype(np.int64, order="C"), day).ravel())
            both -= rest.squares(_of_days(_pairs(players), day))
        counts = [count for count in (many_days, many_players) if count] or [float(games)]
        degrees = max(min(counts) - 1.0, 1.0)
        return cls(rest.mean, games, degrees, by_game, by_day, by_player - of_pairs, both)

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


def _pairs(players: Ints | Seats) -> Ints:
    """Return a number for the two players of each game, shape (games,)."""
    pair: Ints = players.min(axis=1).astype(np.int64)
    pair *= int(players.max()) + 1
    pair += players.max(axis=1)
    return pair


def _of_days(number: Ints, day: Ints | Numbers) -> Ints:
    """Return numbers, shape (…, games), overwritten by a number for what has each of them, on its day."""
    number *= int(day.max()) + 1
    number += day
    return number


def _in_order(cluster: Ints) -> tuple[Ints, int]:
    """Return the numbers of clusters, which are overwritten, with their rows, in order; and the bits of a row.

    One number holds both, since an order beside the clusters would need as much memory again.
    """
    bits = len(cluster).bit_length()
    if int(cluster.max()) >> (62 - bits):
        cluster[:] = np.unique(cluster, return_inverse=True)[1]
    cluster <<= bits
    for rows in blocks(len(cluster), ROWS):
        some = cluster[rows]
        some |= np.arange(rows.start, rows.start + len(some))
    cluster.sort()
    return cluster, bits


def _means(losses: LossTable, games: int) -> Floats:
    """Return the mean of each column, shape (systems,)."""
    sums = [losses[slice(first, first + ROWS)].sum(axis=0) for first in range(0, games, ROWS)]
    mean: Floats = np.sum(sums, axis=0) / games
    return mean


@dataclass(frozen=True, eq=False)
class _Rest:
    """What each game adds to the means, less the mean itself; made anew for the rows that are asked for."""

    losses: LossTable
    mean: Floats
    games: int

    def sums(self, cluster: Ints) -> Iterator[tuple[Floats, Floats]]:
        """Yield sums over clusters, shape (clusters, systems), and their sizes, clusters in order, part by part.

        Args:
            cluster: Of each row, overwritten; rows go through all games once or twice.
        """
        order, bits = _in_order(cluster)
        first = 0
        while first < len(order):
            some = order[first : first + ROWS + 1]
            of = some >> bits
            begins = np.flatnonzero(np.diff(of, prepend=-1))
            end = len(some)
            if len(some) > ROWS and len(begins) > 1:  # up to the last cluster that begins here
                begins, end = begins[:-1], int(begins[-1])
            elif len(some) > ROWS:
                some = order[first : int(np.searchsorted(order, (int(of[0]) + 1) << bits))]
                end = len(some)
            rows = (some[:end] & ((1 << bits) - 1)) % self.games
            values = (self.losses[rows] - self.mean) / self.games
            yield np.add.reduceat(values, begins, axis=0), np.diff(begins, append=end).astype(np.float64)
            first += end

    def squares(self, cluster: Ints) -> Floats:
        """Return the products of sums over clusters, which are overwritten, added up, shape (systems, systems)."""
        products = np.zeros((len(self.mean), len(self.mean)))
        for sums, _ in self.sums(cluster):
            products += sums.T @ sums
        return products

    def left_out(self, cluster: Ints) -> tuple[Floats, float]:
        """Return the jackknife's variance, and as how many equal clusters these count.

        One cluster after the other is left out; what counts is how far the means of the others move. The numbers of the
        clusters are overwritten. Clusters that hold every game cannot be left out. With fewer than two others both
        figures are 0.
        """
        products = np.zeros((len(self.mean), len(self.mean)))
        count = together = squared = 0.0
        for sums, sizes in self.sums(cluster):
            some = sizes < self.games
            moved = sums[some] / (1.0 - sizes[some] / self.games)[:, None]
            products += moved.T @ moved
            count, together = count + float(some.sum()), together + float(sizes[some].sum())
            squared += float(sizes[some] @ sizes[some])
        if count < FEWEST:
            return np.zeros_like(products), 0.0
        return products * (count - 1.0) / count, together**2 / squared


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
