"""Vectors of the American Go Association's ratings, BayRate and Accelrat; ratings on the open scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from handan.kernels.incremental.bayrate import fit, new_sigmas
from handan.systems import aga
from tests.vectors.family import Family

Players = Mapping[str, Mapping[str, float]]


def init_sigma(seed: float) -> float:
    """Return the initial sigma of a seed."""
    return aga.initial_sigma(aga.closed(seed))


def game_parameters(handicap: int, komi: float) -> dict[str, float]:
    """Return e and s."""
    e, s = aga.bayrate_law(handicap, komi)
    return {"handicap_eqv": e, "sigma_px": s}


def rate(players: Players, games: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return rating and sigma of the players of one event, and the ratings alone under `ratings`."""
    names = list(players)
    black, white = (np.array([names.index(g[side]) for g in games], dtype=np.int64) for side in ("black", "white"))
    sign = np.array([1.0 if g["white_wins"] else -1.0 for g in games])
    e, s = np.array([aga.bayrate_law(g["handicap"], g["komi"]) for g in games], dtype=np.float64).reshape(-1, 2).T
    seed = np.array([aga.closed(player["seed"]) for player in players.values()])
    sigma = np.array([player.get("sigma", init_sigma(player["seed"])) for player in players.values()])
    mode = seed.copy()
    columns = (black, white, sign, e, s, seed, sigma, mode)
    fit(*columns)
    ratings = {name: aga.reopened(float(place)) for name, place in zip(names, mode, strict=True)}
    deviations = new_sigmas(*columns, False)
    both = zip(ratings.items(), deviations, strict=True)
    return {"ratings": ratings} | {name: {"rating": rating, "sigma": float(new)} for (name, rating), new in both}


def seed(entry: float, previous: Mapping[str, float] | None, wins: int) -> dict[str, float]:
    """Return seed (on the open scale as the original forms it, and closed) and sigma for an event."""
    place = aga.closed(entry)
    if previous is None:
        return {"seed": entry, "sigma": aga.initial_sigma(place), "seed_closed": place}
    old = aga.closed(previous["rating"])
    new, sigma = aga.seeding(place, old, previous["sigma"], previous["days"], wins)
    return {"seed": entry if new == place else previous["rating"] + new - old, "sigma": sigma, "seed_closed": new}


def even_game_probability(gap: float) -> float:
    """Return Accelrat's probability of the stronger at fair komi."""
    e, s = aga.accelrat_law(0, 5.0)
    return aga.p_white(gap, 0.0, e, s)


def p_white(white: float, black: float, handicap: int, komi: float) -> float:
    """Return BayRate's probability of White."""
    return aga.p_white(aga.closed(white), aga.closed(black), *aga.bayrate_law(handicap, komi))


FAMILIES = (
    Family(
        "aga",
        r"\baga\b|bayrate|accelrat|american go",
        {
            "init_sigma": init_sigma,
            "game_parameters": game_parameters,
            "rate": rate,
            "seed": seed,
            "even_game_probability(sigma=1.04)": even_game_probability,
            "even_game_probability": even_game_probability,
            "p_white": p_white,
        },
    ),
)
