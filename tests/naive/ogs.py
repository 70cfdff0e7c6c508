"""The Online Go Server game by game in plain Python: Glicko-2 with a period of one game, handicap as ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence

from handan.ledger import Game
from tests.naive.glicko2 import SCALE, State, after_period

PER_RANK = {19: 1 / 12, 13: 3 / 12, 9: 6 / 12}


def clamped(value: float, low: float, high: float) -> float:
    return sorted((low, value, high))[1]


def ranks(game: Game) -> float:
    """Return what handicap and komi are worth under territory rules: (6 - komi + 12 (H - 1)) / 12 on 19x19."""
    komi = (0.5 if game.handicap else 6.5) if game.komi is None else game.komi
    return (6 - komi + 12 * max(game.handicap - 1, 0)) * PER_RANK[game.size]


def moved(rating: float, by: float) -> float:
    """Return a rating so many ranks up, on the server's scale rank = 23.15 ln(rating / 525)."""
    return 525 * math.exp((23.15 * math.log(clamped(rating, 100, 6000) / 525) + by) / 23.15)


def rate(games: Sequence[Game]) -> dict[str, State]:
    """Return rating, deviation and volatility of every player; all enter with 1500, 350 and 0.06."""
    states: dict[str, State] = {}
    for game in games:
        score = {"B+": 1.0, "W+": 0.0, "jigo": 0.5}[str(game.result)]
        sides = [states.get(name, (1500.0, 350.0, 0.06)) for name in (game.black, game.white)]
        shifts = (-ranks(game), ranks(game))  # Black meets a weaker White than there sits, White a stronger Black
        for side, name in enumerate((game.black, game.white)):
            rating, deviation, volatility = sides[side]
            against = moved(sides[1 - side][0], shifts[side])
            own = ((rating - 1500) / SCALE, deviation / SCALE, volatility)
            other = ((against - 1500) / SCALE, sides[1 - side][1] / SCALE, sides[1 - side][2])
            mu, phi, sigma = after_period(own, [(other, score if side == 0 else 1 - score)], 0.5)
            states[name] = (
                clamped(1500 + SCALE * mu, 100, 6000), clamped(SCALE * phi, 30, 500), clamped(sigma, 0.01, 0.15),
            )  # fmt: skip
    return states
