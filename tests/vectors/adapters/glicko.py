"""Vectors of Glicko, Glicko-2 and TrueSkill; a game is the opponent's rating, his deviation and the own score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

from handan.systems import glicko, glicko2, trueskill
from handan.systems.families.glickman import Constants, expected, g
from tests.vectors.family import Family

Played = Sequence[tuple[float, float, float]]
UNIT = 1.0 / glicko.Q
NO_LIMITS = Constants(unit=1.0, least=0.0, largest=math.inf, growth=0.0, per_tau2=0.0, by_rank=0.0)
CENTRE = 1500.0  # rating at mu = 0


def terms(rating: float, games: Played, unit: float) -> tuple[list[float], list[float], float, float]:
    """Return g and E of each game, and the sums of g^2 E (1 - E) and of g (s - E)."""
    weights = [g((deviation / unit) ** 2) for _, deviation, _ in games]
    chances = [expected(weight, (rating - other[0]) / unit) for weight, other in zip(weights, games, strict=True)]
    information = sum(weight * weight * e * (1.0 - e) for weight, e in zip(weights, chances, strict=True))
    surprise = sum(weight * (s - e) for weight, e, (*_, s) in zip(weights, chances, games, strict=True))
    return weights, chances, information, surprise


def glicko1(rating: float, rd: float, games: Played) -> dict[str, Any]:
    """Return a player after one period."""
    weights, chances, information, surprise = terms(rating, games, UNIT)
    variance, _ = glicko.settled(0.0, (rd / UNIT) ** 2, 0.0, information, surprise)
    return {
        "rating": rating + UNIT * variance * surprise,
        "rd": UNIT * math.sqrt(variance),
        "d2": UNIT * UNIT / information if information else math.inf,
        "g": weights,
        "E": chances,
    }


def glicko_c(rd_from: float, rd_to: float, periods: float) -> float:
    """Return c, with which a deviation grows so far in so many periods."""
    return glicko.growth_constant(rd_from, rd_to, periods)


def glicko_2(rating: float, rd: float, vol: float, games: Played, tau: float = 0.5) -> dict[str, float]:
    """Return a player after one period, v, Delta, phi* and phi', mu' too; without games only the deviation grows."""
    phi2, sigma2 = (rd / glicko2.SCALE) ** 2, vol * vol
    mu = (rating - CENTRE) / glicko2.SCALE
    if not games:
        grown = math.sqrt(glicko2.onset_variance(NO_LIMITS, phi2, sigma2, 2.0))  # one period lies between
        return {"rating": rating, "rd": glicko2.SCALE * grown, "vol": vol, "mu": mu, "phi": grown, "phi_star": grown}
    _, _, information, surprise = terms(rating, games, glicko2.SCALE)
    variance, new = glicko2.settled(tau**-2.0, phi2, sigma2, information, surprise)
    return {
        "rating": rating + glicko2.SCALE * variance * surprise,
        "rd": glicko2.SCALE * math.sqrt(variance),
        "vol": math.sqrt(new),
        "v": 1.0 / information,
        "delta": surprise / information,
        "phi_star": math.sqrt(phi2 + new),
        "phi": math.sqrt(variance),
        "mu": mu + variance * surprise,
    }


def trueskill_1v1(
    winner: tuple[float, float],
    loser: tuple[float, float],
    beta: float = 25.0 / 6.0,
    tau: float = 25.0 / 300.0,
    draw_probability: float = 0.1,
    drawn: bool = False,
) -> list[float]:
    """Return mu and sigma of both players after a game."""
    (mu1, sigma1), (mu2, sigma2) = winner, loser
    one, other = sigma1 * sigma1 + tau * tau, sigma2 * sigma2 + tau * tau
    deviate = NormalDist().inv_cdf((draw_probability + 1.0) / 2.0)
    c = trueskill.spread(beta * beta, one, other)
    margin = trueskill.draw_margin(deviate, beta * beta, c)
    v, w = trueskill.moments(0.5 if drawn else 1.0, (mu1 - mu2) / c, margin)
    deviations = [math.sqrt(trueskill.learned(variance, w, c)) for variance in (one, other)]
    return [mu1 + one * (v / c), deviations[0], mu2 - other * (v / c), deviations[1]]


FAMILIES = (
    Family(
        "glicko",
        r"glicko|trueskill",
        {"glicko1": glicko1, "c": glicko_c, "glicko2": glicko_2, "trueskill_1v1": trueskill_1v1},
    ),
)
