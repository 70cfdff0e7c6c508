"""Pandanet and KGS by dense linear algebra: the posterior of the whole pool is climbed with its full Hessian."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Result(NamedTuple):
    """A game; `worth` is what handicap and komi are worth to Black, `age` in days."""

    black: str
    white: str
    score: float
    worth: float
    age: float


class Rows(NamedTuple):
    """Weighted results between unknowns, a row each."""

    sides: Array
    """1 in the column of the one side, -1 in that of the other, shape (rows, unknowns)."""
    score: Array
    gap: Array
    """What is added to the difference of the unknowns."""
    kappa: Array
    weight: Array


Law = Callable[[Array, Array, Array], tuple[Array, Array]]
"""First and second derivative of the log-likelihood of a score in the gap, at a kappa."""


def pandanet(score: Array, gap: Array, kappa: Array) -> tuple[Array, Array]:
    """Return the derivatives of S ln P + (1 - S) ln Q by the rules for quotients; P is 1 - e^(-kappa gap) / 2."""
    upset = np.exp(-kappa * abs(gap)) / 2
    p, q = np.where(gap >= 0, 1 - upset, upset), np.where(gap >= 0, upset, 1 - upset)
    first, second = kappa * upset, -np.sign(gap) * kappa**2 * upset
    curve = score * (second / p - (first / p) ** 2) + (1 - score) * (-second / q - (first / q) ** 2)
    return first * (score / p - (1 - score) / q), curve


def logistic(score: Array, gap: Array, kappa: Array) -> tuple[Array, Array]:
    """Return the derivatives of S ln P + (1 - S) ln Q; P is 1 / (1 + e^(-kappa gap))."""
    p, q = (np.exp(-np.logaddexp(0.0, sign * kappa * gap)) for sign in (-1, 1))
    return kappa * (score * q - (1 - score) * p), -(kappa**2) * p * q


def gradient_at(rows: Rows, law: Law, x: Array) -> Array:
    """Return the gradient of the log posterior."""
    return rows.sides.T @ (rows.weight * law(rows.score, rows.sides @ x + rows.gap, rows.kappa)[0])


def climb(rows: Rows, law: Law, x: Array) -> Array:
    """Return the maximum, at which no part of the gradient is 1e-12 or more (1e-14 a row where there are many).

    Newton's direction is taken whole where it halves the gradient, else to the zero of the slope along it; then every
    unknown is moved to the zero of its own slope, as a direction that meets a kink at once is no use.
    """
    exact = max(1e-12, 1e-14 * len(rows.score))
    for _ in range(400):
        gradient = gradient_at(rows, law, x)
        if abs(gradient).max() < 0.1 * exact:
            break
        curve = law(rows.score, rows.sides @ x + rows.gap, rows.kappa)[1]
        hessian = rows.sides.T @ ((rows.weight * curve)[:, None] * rows.sides)
        step = np.linalg.solve(1e-14 * np.eye(len(x)) - hessian, gradient)
        if abs(step).max() < 1e-14:
            break
        if abs(gradient_at(rows, law, x + step)).max() < 0.5 * abs(gradient).max():
            x = x + step
            continue
        way = step / max(1.0, abs(step).max() / 5)
        x = x + zero(rows, law, x, way) * way
        for unit in np.eye(len(x)):
            way = math.copysign(1.0, unit @ gradient_at(rows, law, x)) * unit
            x = x + zero(rows, law, x, way) * way
    assert abs(gradient_at(rows, law, x)).max() < exact
    return x


def zero(rows: Rows, law: Law, x: Array, way: Array) -> float:
    """Return how far along a way the slope along it is 0, by bisection."""
    low, high = 0.0, 1.0
    while gradient_at(rows, law, x + high * way) @ way > 0 and high < 1e3:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if gradient_at(rows, law, x + middle * way) @ way > 0 else (low, middle)
    return (low + high) / 2


def rows_of(
    games: Sequence[Result], names: list[str], entries: dict[str, float], kappas: tuple[list[float], list[float]],
    weights: list[float],
) -> Rows:  # fmt: skip
    """Return the rows of the games, and a virtual win and loss of everybody against his own entry rating."""
    own = np.eye(len(names))
    unit = dict(zip(names, own, strict=True))
    entry = [-entries[name] for name in names]
    count = len(names)
    return Rows(
        np.array([unit[game.black] - unit[game.white] for game in games] + [*own, *own]),
        np.array([game.score for game in games] + [1.0] * count + [0.0] * count),
        np.array([game.worth for game in games] + entry + entry),
        np.array(kappas[0] + kappas[1] + kappas[1]),
        np.array(weights + [1.0] * 2 * count),
    )


def players_of(games: Sequence[Result]) -> list[str]:
    """Return everybody who played."""
    return sorted({name for game in games for name in (game.black, game.white)})


def rate_pandanet(games: Sequence[Result], entries: dict[str, float]) -> dict[str, float]:
    """Return the most likely ratings; a virtual win and loss hold each to his entry."""
    names, decay = players_of(games), math.log(10) / 4
    rows = rows_of(games, names, entries, ([decay] * len(games), [decay] * len(names)), [1.0] * len(games))
    x = climb(rows, pandanet, np.array([entries[name] for name in names]))
    return dict(zip(names, x.tolist(), strict=True))


def kappa_at(rank: float) -> float:
    """Return kappa: 0.85 up to 5 kyu (26), 1.30 from 2 dan (32) on."""
    return float(np.interp(rank, [26, 32], [0.85, 1.30]))


def weight_at(age: float, rank: float) -> float:
    """Return 2^(-age / half-life): 15 days up to 15 kyu (16), 45 from 1 dan (31) on."""
    return float(0.5 ** (age / np.interp(rank, [16, 31], [15, 45])))


def kgs_rows(games: Sequence[Result], entries: dict[str, float], ratings: dict[str, float]) -> Rows:
    """Return the posterior by the kappa and weights of some ratings.

    Both go by the mean of the two ratings of a game, and of rating and entry in virtual games.
    """
    names = players_of(games)
    mean = [(ratings[game.black] + ratings[game.white]) / 2 for game in games]
    kappas = [kappa_at(rank) for rank in mean], [kappa_at((ratings[name] + entries[name]) / 2) for name in names]
    weights = [weight_at(game.age, rank) for game, rank in zip(games, mean, strict=True)]
    return rows_of(games, names, entries, kappas, weights)


def kgs_round(games: Sequence[Result], entries: dict[str, float], ratings: dict[str, float]) -> dict[str, float]:
    """Return the most likely ratings by the kappa and weights of some ratings."""
    names = players_of(games)
    x = climb(kgs_rows(games, entries, ratings), logistic, np.array([ratings[name] for name in names]))
    return dict(zip(names, x.tolist(), strict=True))


def rate_kgs(games: Sequence[Result], entries: dict[str, float]) -> dict[str, float] | None:
    """Return the ratings that are the most likely by their own kappa and weights, None where no pace comes to rest."""
    start = {name: entries[name] for name in players_of(games)}
    for pace in (1.0, 0.5, 0.25, 0.125):
        answers = circle_of_kgs(games, entries, start, pace)
        if len(answers) == 1:
            return answers[0]
    return None


def circle_of_kgs(
    games: Sequence[Result], entries: dict[str, float], start: dict[str, float], pace: float
) -> list[dict[str, float]]:
    """Return the answers that lead to each other in the end, one where the rounds come to rest, none by chance."""
    rounds = [start]
    for _ in range(300):
        goal, now = kgs_round(games, entries, rounds[-1]), rounds[-1]
        rounds.append({name: now[name] + pace * (goal[name] - now[name]) for name in goal})
        apart = max(abs(goal[name] - now[name]) for name in goal)
        if apart < 1e-10:
            return [goal]
        for back in range(2, min(len(rounds), 9)):
            again = max(abs(rounds[-1][name] - rounds[-1 - back][name]) for name in goal)
            if again < 1e-11 and apart > 1e-6:
                return rounds[-back:]
    return []


def log_posterior_of_kgs(games: Sequence[Result], entries: dict[str, float], ratings: dict[str, float]) -> float:
    """Return the log posterior by the kappa and weights of these very ratings."""
    rows = kgs_rows(games, entries, ratings)
    lead = rows.kappa * (rows.sides @ np.array([ratings[name] for name in players_of(games)]) + rows.gap)
    lost = rows.score * np.logaddexp(0.0, -lead) + (1 - rows.score) * np.logaddexp(0.0, lead)
    return -float(rows.weight @ lost)
