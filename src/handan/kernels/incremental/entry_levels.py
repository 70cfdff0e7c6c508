"""What newcomers are worth by what is known of them, as the games of those who came before teach it.

A newcomer enters at the rating of a rank, or where the scale begins, plus a level: the sum of what is peculiar to the
source of the game, to the rank (or to none), and to this rank in this source. Each part is a normal belief. A game
teaches it as far as the rating of a side still depends on the level with which it entered; and so does a player of
known strength who declares a rank. The parts wander: those who come ten years later need not be as strong.

Source: the linear filter of R. Kalman (1960), the parts being states that all newcomers of a kind share; G. Robinson,
"That BLUP is a good thing" (1991), for the levels of groups that are shrunk to the whole.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Ints

PARTS = 3
"""Of a level: that of the source, of the rank, and of the rank in the source."""
RANKS = 300.0 * 300.0  # points^2; our choice: variance of the ranks that players of a source declare, before it shows
DECLARATIONS = 10.0  # our choice: for so many declared ranks this counts


class Levels(NamedTuple):
    """What is believed of the levels of all kinds of newcomers. A kind is a rank, or none, in a source."""

    parts: Ints
    """Numbers of the parts of each kind; the first is the source's; shape (kinds, PARTS)."""
    base: Floats
    """Rating of the rank of each kind, points, NaN where there is none; shape (kinds,)."""
    mean: Floats
    """Of each part, points, shape (parts,)."""
    variance: Floats
    """Of each part, points^2."""
    growth: Floats
    """Variance that a day adds to each part."""
    day: Floats
    """Day up to which the variance of each part has grown, NaN before its first game."""
    ranks: Floats
    """Of those that known players declared in each source: how many, mean, sum of squares about it; (sources, 3)."""
    newest: Ints
    """Number of the newest record of each part, -1: none; shape (parts,)."""
    opened: Ints
    """Game with which the day of a record began, shape (records,)."""
    mean_before: Floats
    """Of the part, before the games of that day."""
    variance_before: Floats
    older: Ints
    """Number of the record before of the same part."""
    records: Ints
    """How many records there are, shape (1,)."""


class Loadings(NamedTuple):
    """How the ratings of players depend on levels, shape (players,)."""

    kind: Ints
    """The kind as which the player enters; -1: by hand."""
    share: Floats
    """By how many points the rating moves for a point of the level."""
    level: Floats
    """The level that the rating holds."""
    known_until: Ints
    """Game before which that was known, -1 before the first."""
    declared: Ints
    """Kind of the rank that the player declared last, -1: none."""


@kernel
def level_before(levels: Levels, kind: int, known_until: int) -> tuple[float, float]:
    """Return mean and variance of the level of a kind, known before the game at `known_until`, the first of a day."""
    mean, variance = 0.0, 0.0
    for place in range(PARTS):
        part = levels.parts[kind, place]
        middle, wide = levels.mean[part], levels.variance[part]
        record = levels.newest[part]
        while record >= 0 and levels.opened[record] >= known_until:
            middle, wide = levels.mean_before[record], levels.variance_before[record]
            record = levels.older[record]
        mean, variance = mean + middle, variance + wide
    return mean, variance


@kernel
def begin_day(levels: Levels, part: int, day_start: int, day: float) -> None:
    """Write down what a part was before a day, and let its variance grow until then.

    Args:
        levels: Changed.
        part: Which.
        day_start: Game with which the day began.
        day: The day.
    """
    newest = levels.newest[part]
    if newest < 0 or levels.opened[newest] != day_start:
        record = levels.records[0]
        levels.opened[record], levels.older[record] = day_start, newest
        levels.mean_before[record], levels.variance_before[record] = levels.mean[part], levels.variance[part]
        levels.newest[part] = record
        levels.records[0] += 1
    if day > levels.day[part]:
        levels.variance[part] += levels.growth[part] * (day - levels.day[part])
    levels.day[part] = day


@kernel
def teach_levels(
    levels: Levels, kinds: tuple[int, int], shares: tuple[float, float], when: tuple[int, float],
    step: tuple[float, float, float],
) -> None:  # fmt: skip
    """Let a game teach the levels of both sides; a part that both share is taught by the difference.

    Args:
        levels: Changed.
        kinds: Of both sides, -1: none.
        shares: Elo of the lead for a point of the level of each.
        when: Game with which the day began, and the day.
        step: Slope and curvature of the log likelihood by the lead, the curvature taken positive, and the variance
            that the lead has besides.
    """
    slope, curvature, width = step
    for side in range(2):
        for place in range(PARTS):
            if kinds[side] >= 0:
                begin_day(levels, levels.parts[kinds[side], place], when[0], when[1])
    for place in range(PARTS):
        for side in range(2):
            width += share_of(levels, kinds, shares, place, side) ** 2 * variance_of(levels, kinds[side], place)
    rest = 1.0 + curvature * width
    for place in range(PARTS):
        for side in range(2):
            share = share_of(levels, kinds, shares, place, side)
            if share != 0.0:
                part = levels.parts[kinds[side], place]
                tie = share * levels.variance[part]
                levels.mean[part] += tie * slope / rest
                levels.variance[part] -= tie * tie * curvature / rest


@kernel
def teach_before_day(levels: Levels, kind: int, shown: float, around: float) -> None:
    """Let a declared rank count among what is known before the games of its day, which has begun for this kind.

    Args:
        levels: Changed.
        kind: Of the rank.
        shown: Level that the player had shown before the day.
        around: Its variance.
    """
    for place in range(PARTS):
        record = levels.newest[levels.parts[kind, place]]
        around += levels.variance_before[record]
        shown -= levels.mean_before[record]
    for place in range(PARTS):
        record = levels.newest[levels.parts[kind, place]]
        gain = levels.variance_before[record] / around
        levels.mean_before[record] += gain * shown
        levels.variance_before[record] *= 1.0 - gain


@kernel
def share_of(levels: Levels, kinds: tuple[int, int], shares: tuple[float, float], place: int, side: int) -> float:
    """Return Elo of the lead for a point of a part of one side; a part of both sides is counted with the first."""
    if kinds[side] < 0:
        return 0.0
    if kinds[1 - side] < 0 or levels.parts[kinds[0], place] != levels.parts[kinds[1], place]:
        return float(shares[side])
    return float(shares[0] + shares[1]) if side == 0 else 0.0


@kernel
def variance_of(levels: Levels, kind: int, place: int) -> float:
    """Return the variance of a part of a kind, 0 of none."""
    return float(levels.variance[levels.parts[kind, place]]) if kind >= 0 else 0.0


@kernel
def count_rank(levels: Levels, kind: int) -> float:
    """Return the variance of the ranks that known players declared in the source of a kind so far; count one more."""
    ranks = levels.ranks[levels.parts[kind, 0]]
    between = (ranks[2] + DECLARATIONS * RANKS) / (ranks[0] + DECLARATIONS)
    apart = levels.base[kind] - ranks[1]
    ranks[0] += 1.0
    ranks[1] += apart / ranks[0]
    ranks[2] += apart * (levels.base[kind] - ranks[1])
    return float(between)


def levels_now(levels: Levels) -> tuple[Floats, Floats]:
    """Return mean and variance of the level of each kind after the last game, shape (kinds,) each."""
    return levels.mean[levels.parts].sum(axis=1), levels.variance[levels.parts].sum(axis=1)


@kernel
def no_loadings(kind: Ints) -> Loadings:
    """Return the loadings of players of whom none has played, by the kind as which each enters."""
    players = len(kind)
    return Loadings(kind, (kind >= 0).astype(np.float64), np.zeros(players), np.full(players, -1), np.full(players, -1))
