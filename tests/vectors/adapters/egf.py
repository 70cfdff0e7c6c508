"""Vectors of the EGF ratings, before 2021 and since; player 1 is the one whose rating or score is asked for."""

from __future__ import annotations

from functools import partial
from typing import Any

from handan.handicaps import stones_worth
from handan.systems import egf, egf_classic
from tests.vectors.family import Family

EUROPE = r"^(?=.*(egf|egd|europe))"
BEFORE = r".*(before 2021|until 2021|pre-?2021|\bold\b|\bgor\b|cieply|classic)"
SPLIT = {"split": 1.0, "strong": 0.0}


def points_of(stones: int) -> float:
    """Return what a handicap adds to the rating of its receiver."""
    return egf.POINTS_PER_STONE * stones_worth(stones, None)


def expected(r1: float, r2: float, handicap_received_by_1: int = 0, handicap_received_by_2: int = 0) -> float:
    """Return Se of player 1."""
    return egf.expected(r1 + points_of(handicap_received_by_1), r2 + points_of(handicap_received_by_2))


def update(
    r1: float,
    r2: float,
    score: float,
    weight: float = 1.0,
    handicap_received_by_1: int = 0,
    handicap_received_by_2: int = 0,
) -> float:
    """Return the new rating of player 1, not below the floor."""
    bonuses = points_of(handicap_received_by_1), points_of(handicap_received_by_2)
    return max(egf.FLOOR, r1 + egf.change_of((), r1, r2, *bonuses, score, weight, 0))


def old_expected(
    r1: float,
    r2: float,
    eps: float = 0.0,
    eps_mode: str = "split",
    handicap_received_by_1: int = 0,
    handicap_received_by_2: int = 0,
) -> float:
    """Return SE of player 1; `split`: both give up eps/2, `strong`: the stronger gives up eps."""
    one, other = r1 + points_of(handicap_received_by_1), r2 + points_of(handicap_received_by_2)
    return egf_classic.expected(one, other, eps, SPLIT[eps_mode], 0.0)


def old_expected_percent(r1: float, r2: float, **inputs: Any) -> float:
    """Return SE of player 1 in per cent."""
    return 100.0 * old_expected(r1, r2, **inputs)


def old_update(
    r1: float,
    r2: float,
    score: float,
    eps: float = 0.016,
    eps_mode: str = "split",
    weight: float = 1.0,
    handicap_received_by_1: int = 0,
    handicap_received_by_2: int = 0,
) -> float:
    """Return the new rating of player 1 by the formula alone, without the floor."""
    bonuses = points_of(handicap_received_by_1), points_of(handicap_received_by_2)
    return r1 + egf_classic.change_of((eps, SPLIT[eps_mode], 0.0), r1, r2, *bonuses, score, weight, 0)


FAMILIES = (
    Family(
        "egf_2021",
        f"{EUROPE}(?=.*2021)(?!{BEFORE})",
        {"update": update, "con": egf.con, "bonus": egf.bonus, "expected": expected},
    ),
    Family(
        "egf_old",
        f"{EUROPE}(?={BEFORE})",
        {
            "con": egf_classic.con,
            "a": egf_classic.scale,
            "update": old_update,
            "update(eps=0)": partial(old_update, eps=0.0),
            "expected(eps=0)": old_expected,
            "expected_percent(eps=0)": old_expected_percent,
        },
    ),
)
