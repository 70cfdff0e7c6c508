"""How forecasts and results compare in parts of the games: by handicap, rank difference, experience and year."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from handan.errors import InputError, closest, shown
from handan.evidence.evaluation_task import Task
from handan.evidence.intervals import NORMAL
from handan.evidence.scores import Chances, losses
from handan.kernels.types import Ints, Numbers

KINDS = ("handicap", "rank", "experience", "year")
"""Stones that Black received; White's declared rank less Black's; games that the newer player had played; calendar."""
EXPERIENCE = (0, 1, 5, 20, 100)  # games from which the next group begins; our choice
NONE = np.iinfo(np.int64).min


@dataclass(frozen=True, slots=True)
class Group:
    """Some of the scored games."""

    group: str
    games: int
    white_score: float | None
    """White's mean score in the games of which it is known who was White; None without any."""
    interval: tuple[float, float] | None
    """Its 95 % interval (Wilson's)."""
    white_expected: Mapping[str, float | None]
    """What each system forecast of it."""
    log_loss: Mapping[str, float]


def grouped(task: Task, by: str, probability: Mapping[str, Chances]) -> tuple[Group, ...]:
    """Return the groups of the scored games, in order; InputError for a kind that is none.

    Args:
        task: The games.
        by: One of `KINDS`.
        probability: Of a win for Black in the scored games, by system.
    """
    if by not in KINDS:
        raise InputError(f"group {shown(by)} is not one of {', '.join(KINDS)}{closest(by, KINDS)}")
    games = task.games[task.wanted]
    key = _keys(task, by, games)
    score, coloured = task.ledger.arrays.score[games], task.ledger.arrays.colours_known[games]
    made = []
    for value in np.unique(key[key != NONE]).tolist():
        mine = key == value
        seated = mine & coloured
        white = _white(score[seated])
        expected = {name: _white(p[seated]) for name, p in probability.items()}
        loss = {name: float(losses(p[mine], score[mine]).mean()) for name, p in probability.items()}
        interval = None if white is None else wilson(white, int(seated.sum()))
        made.append(Group(_name(by, value), int(mine.sum()), white, interval, expected, loss))
    return tuple(made)


def _white(score: Chances) -> float | None:
    """Return White's mean score from Black's, None without games."""
    return 1.0 - float(score.mean(dtype=np.float64)) if len(score) else None


def wilson(share: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (E. B. Wilson, 1927)."""
    z2 = NORMAL * NORMAL
    middle = (share + z2 / (2.0 * games)) / (1.0 + z2 / games)
    half = NORMAL * math.sqrt(share * (1.0 - share) / games + z2 / (4.0 * games * games)) / (1.0 + z2 / games)
    return middle - half, middle + half


def _keys(task: Task, by: str, games: Numbers) -> Ints:
    """Return the group of each game as a number, `NONE` where it cannot be told."""
    ledger = task.ledger
    if by == "handicap":
        return np.where(ledger.arrays.colours_known, ledger.arrays.stones, NONE)[games]
    if by == "year":
        year = ledger.arrays.column("date").dt.year().cast(pl.Int64).fill_null(int(NONE))
        return np.array(year.gather(games), dtype=np.int64)
    if by == "experience":
        least = task.earlier()[task.wanted].min(axis=1)
        return np.asarray(np.searchsorted(EXPERIENCE, least, side="right") - 1, dtype=np.int64)
    black, white = ledger.arrays.by_rank(lambda rank: np.nan if rank is None else rank.stones).T
    apart = np.where(ledger.arrays.colours_known, white - black, np.nan)
    numbers: Ints = np.where(np.isnan(apart), NONE, np.round(np.nan_to_num(apart)).astype(np.int64))[games]
    return numbers


def _name(by: str, value: int) -> str:
    """Return a group in words."""
    if by == "handicap":
        return "even" if value == 0 else "first move" if value == 1 else f"{value} stones"
    if by == "rank":
        ranks = f"{abs(value)} rank" + "s" * (abs(value) != 1)
        return "same rank" if value == 0 else f"White {ranks} {'stronger' if value > 0 else 'weaker'}"
    if by == "year":
        return str(value)
    low = EXPERIENCE[value]
    if value + 1 == len(EXPERIENCE):
        return f"{low} games and more"
    high = EXPERIENCE[value + 1] - 1
    return f"{low} games" if low == high else f"{low} to {high} games"
