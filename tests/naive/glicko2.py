"""Glicko-2 period by period as its source writes it, every player in every period, the volatility by halving."""

from __future__ import annotations

import math
from collections.abc import Sequence

SCALE = 173.7178
Result = tuple[str, str, float]
State = tuple[float, float, float]


def g(phi: float) -> float:
    """Return the weight of an opponent with this deviation."""
    return 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)


def volatility(phi: float, sigma: float, v: float, delta: float, tau: float) -> float:
    """Return sigma' of step 5: the root nearest to a in the direction of f(a), by 200 halvings.

    A great surprise gives f two roots more, far away, to which the source's iteration from a does not come.
    """
    a = math.log(sigma**2)

    def f(x: float) -> float:
        e = math.exp(x)
        return e * (delta**2 - phi**2 - v - e) / (2 * (phi**2 + v + e) ** 2) - (x - a) / tau**2

    step = math.copysign(0.01, f(a))
    x = a
    while f(x) * f(x + step) > 0:
        x += step
    low, high = sorted((x, x + step))
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return math.exp(low / 2)


def after_period(own: State, played: Sequence[tuple[State, float]], tau: float) -> State:
    """Return a player on the internal scale after a period; `played` are the opponents and the own scores."""
    mu, phi, sigma = own
    if not played:
        return mu, math.sqrt(phi**2 + sigma**2), sigma
    chances = [1 / (1 + math.exp(-g(other[1]) * (mu - other[0]))) for other, _ in played]
    v = 1 / sum(g(other[1]) ** 2 * e * (1 - e) for (other, _), e in zip(played, chances, strict=True))
    surprise = sum(g(other[1]) * (s - e) for (other, s), e in zip(played, chances, strict=True))
    new = volatility(phi, sigma, v, v * surprise, tau)
    variance = 1 / (1 / (phi**2 + new**2) + 1 / v)
    return mu + variance * surprise, math.sqrt(variance), new


def rate(periods: Sequence[Sequence[Result]], tau: float = 0.5) -> dict[str, State]:
    """Return rating, deviation and volatility of every player after all periods, those without games included."""
    states: dict[str, State] = {}
    for games in periods:
        for name in {name for game in games for name in game[:2]}:
            states.setdefault(name, (0.0, 350 / SCALE, 0.06))
        states = {
            name: after_period(
                own,
                [(states[w], s) for b, w, s in games if b == name]
                + [(states[b], 1 - s) for b, w, s in games if w == name],
                tau,
            )
            for name, own in states.items()
        }
    return {name: (1500 + SCALE * mu, SCALE * phi, sigma) for name, (mu, phi, sigma) in states.items()}
