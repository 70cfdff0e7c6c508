"""TrueSkill of two players by integration: the moments of both skills given the result, on a grid."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

STEPS = 801
REACH = 9.0  # deviations on each side


def after_game(
    one: tuple[float, float], other: tuple[float, float], score: float, beta: float, tau: float, p_draw: float
) -> list[float]:
    """Return mu and sigma of both players after a game with this score of the first.

    The first performs better by s1 - s2 and a normal of variance 2 beta^2; within Phi^-1((p_draw + 1) / 2) sqrt(2) beta
    the game is drawn.
    """
    (mu1, sigma1), (mu2, sigma2) = [(mu, math.hypot(sigma, tau)) for mu, sigma in (one, other)]
    s1 = np.linspace(mu1 - REACH * sigma1, mu1 + REACH * sigma1, STEPS)[:, None]
    s2 = np.linspace(mu2 - REACH * sigma2, mu2 + REACH * sigma2, STEPS)[None, :]
    margin = NormalDist().inv_cdf((p_draw + 1) / 2) * math.sqrt(2) * beta
    better = np.vectorize(lambda x: math.erfc(-x / math.sqrt(2)) / 2)
    lead = s1 - s2
    if score == 1.0:
        likelihood = better((lead - margin) / (math.sqrt(2) * beta))
    elif score == 0.0:
        likelihood = better((-lead - margin) / (math.sqrt(2) * beta))
    else:
        likelihood = better((margin - lead) / (math.sqrt(2) * beta)) - better((-margin - lead) / (math.sqrt(2) * beta))
    mass = likelihood * np.exp(-((s1 - mu1) ** 2) / (2 * sigma1**2) - (s2 - mu2) ** 2 / (2 * sigma2**2))
    mass /= mass.sum()
    answer = []
    for skill in (s1, s2):
        mean = float((mass * skill).sum())
        answer += [mean, math.sqrt(float((mass * (skill - mean) ** 2).sum()))]
    return answer
