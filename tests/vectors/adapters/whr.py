"""Vectors of Whole-History Rating; a game is Black, White, the winner, the day, and Black's advantage in Elo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from handan.kernels.posterior.day_chains import covariances
from handan.kernels.posterior.likelihood import win_probability
from handan.systems.families.learnable_terms import Terms
from handan.systems.families.paired_comparison import UNIT
from handan.systems.whr import WHR
from tests.vectors.family import Family

GOSHRINE = 0.001
"""What that program adds to the information of each day."""
SCORES = {"B": 1.0, "W": 0.0}


def whr(games: Sequence[tuple[str, str, str, int, float]], w2: float, prior: float) -> dict[str, Any]:
    """Return each player's days: Elo, variance in natural units, and the variance that goshrine prints."""
    games = sorted(games, key=lambda game: game[3])
    names = sorted({name for game in games for name in game[:2]})
    black = np.array([names.index(game[0]) for game in games])
    white = np.array([names.index(game[1]) for game in games])
    score = np.array([SCORES.get(game[2], 0.5) for game in games])
    bonus = np.array([game[4] / UNIT for game in games])
    system = WHR(w2=w2, prior=prior, tolerance=1e-12)
    chains = system.chains(black, white, np.array([game[3] for game in games]), len(names))
    solution = system.history(chains, score, Terms(bonus, np.full(len(games), -1), ()))
    days = chains.days
    variances = []
    for shift in (0.0, GOSHRINE):
        variance, covariance = np.empty(len(days.day)), np.empty(len(days.day))
        covariances(days.previous, chains.link, solution.curvature + shift, variance, covariance)
        variances.append(variance.tolist())
    answer: dict[str, Any] = {name: [] for name in names}
    for node, (player, day) in enumerate(zip(days.player.tolist(), days.day.tolist(), strict=True)):
        answer[names[player]].append(
            {
                "day": day,
                "elo": UNIT * float(solution.strength[node]),
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
