"""Vectors of Whole-History Rating; a game is Black, White, the winner, the day, and Black's advantage in Elo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from handan.kernels.posterior.graph import days_of
from handan.kernels.winning_law import win_probability
from handan.systems.families.paired_comparison import UNIT
from handan.systems.families.whole_history import GameKinds
from handan.systems.whr import WHR
from tests.vectors.family import Family

GOSHRINE = 0.001
"""What that program adds to the information of each day."""
SCORES = {"B": 1.0, "W": 0.0}


def whr(games: Sequence[tuple[str, str, str, int, float]], w2: float, prior: float) -> dict[str, Any]:
    """Return each player's days: Elo, variance in natural units, and the variance that goshrine prints."""
    games = sorted(games, key=lambda game: game[3])
    names = sorted({name for game in games for name in game[:2]})
    black = np.array([names.index(game[0]) for game in games], dtype=np.uint32)
    white = np.array([names.index(game[1]) for game in games], dtype=np.uint32)
    score = np.array([SCORES.get(game[2], 0.5) for game in games])
    bonus = np.array([game[4] / UNIT for game in games])
    system = WHR(w2=w2, prior=prior, tolerance=1e-12)
    days = days_of(black, white, np.array([game[3] for game in games]), len(names))
    kinds = GameKinds(np.arange(len(games), dtype=np.uint32), score, bonus)
    solved = system.history(days, kinds, None, np.zeros(len(names)))
    variances = [solved.covariances(shift)[0].tolist() for shift in (0.0, GOSHRINE)]
    answer: dict[str, Any] = {name: [] for name in names}
    for node, (player, day) in enumerate(zip(solved.table.player.tolist(), solved.table.day.tolist(), strict=True)):
        answer[names[player]].append(
            {
                "day": day,
                "elo": UNIT * float(solved.history[node]),
                "var_block": variances[0][node],
                "var_block_goshrine": variances[1][node],
                "var100": 100.0 * variances[1][node],
            }
        )
    return answer


def probability(elo_diff: float) -> float:
    """Return the chance of a player `elo_diff` Elo above the opponent."""
    return win_probability(elo_diff / UNIT)


FAMILIES = (Family("whr", r"whole.history|whr", {"whr": whr, "win_probability": probability}),)
