"""Vectors of the EGF ratings, before 2021 and since; player 1 is the one whose rating or score is asked for."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from handan.kernels.incremental.events import Side
from handan.ratings import Explanation
from handan.systems import EGF, EGFClassic, egf, egf_classic
from tests.vectors.family import Family
from tests.vectors.played import last, part, played

EUROPE = r"^(?=.*(egf|egd|europe))"
BEFORE = r".*(before 2021|until 2021|pre-?2021|\bold\b|\bgor\b|cieply|classic)"
FROM: dict[str, Literal["both", "stronger"]] = {"split": "both", "strong": "stronger"}


def game(
    system: EGF, r1: float, r2: float, score: float = 1.0, weight: float = 1.0, received: tuple[int, int] = (0, 0)
) -> Explanation:
    """Return player 1's line of a game through a ledger; who receives the handicap is Black."""
    stones = max(received)
    kind = "tournament-" + next(name.lower() for name, value in egf.CLASSES.items() if value == weight)
    komi, black = 0.5 if stones else 6.5, not received[1]
    return last(played(system, (None, r1), (None, r2), score, black=black, handicap=stones, komi=komi, kind=kind))


def expectation(system: EGF, r1: float, r2: float, received: tuple[int, int]) -> float:
    """Return the expected score that stands in the reason of a won game."""
    return 1.0 - part(game(system, r1, r2, received=received), "S - SE" if isinstance(system, EGFClassic) else "S - Se")


def con(rating: float) -> float:
    """Return con as it stands in a reason."""
    return part(game(EGF(), rating, rating), "con")


def bonus(rating: float) -> float:
    """Return the bonus as it stands in a reason."""
    return part(game(EGF(), rating, rating), "bonus of the rating")


def expected(r1: float, r2: float, handicap_received_by_1: int = 0, handicap_received_by_2: int = 0) -> float:
    """Return Se of player 1."""
    return expectation(EGF(), r1, r2, (handicap_received_by_1, handicap_received_by_2))


def update(
    r1: float,
    r2: float,
    score: float,
    weight: float = 1.0,
    handicap_received_by_1: int = 0,
    handicap_received_by_2: int = 0,
) -> float:
    """Return the new rating of player 1, not below the floor."""
    return game(EGF(), r1, r2, score, weight, (handicap_received_by_1, handicap_received_by_2)).after


def old_con(rating: float) -> float:
    """Return con as it stands in a reason; ratings below the floor, which nobody has, by the formula."""
    if rating < egf_classic.LOWEST:
        return egf_classic.con(rating)
    return part(game(EGFClassic(), rating, rating), "con")


def old_expected(
    r1: float,
    r2: float,
    eps: float = 0.0,
    eps_mode: str = "split",
    handicap_received_by_1: int = 0,
    handicap_received_by_2: int = 0,
) -> float:
    """Return SE of player 1; `split`: both give up eps/2, `strong`: the stronger gives up eps."""
    system = EGFClassic(epsilon=eps, epsilon_from=FROM[eps_mode])
    return expectation(system, r1, r2, (handicap_received_by_1, handicap_received_by_2))


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
    """Return the new rating of player 1; below the floor, where no rating stands, by the formula."""
    if min(r1, r2) < egf_classic.LOWEST:
        constants = (eps, float(eps_mode == "split"), 0.0)
        return r1 + egf_classic.change_of(Side(constants, r1, r2, 0.0, 0.0, score, weight, 0))
    system = EGFClassic(epsilon=eps, epsilon_from=FROM[eps_mode])
    return game(system, r1, r2, score, weight, (handicap_received_by_1, handicap_received_by_2)).after


FAMILIES = (
    Family(
        "egf_2021",
        f"{EUROPE}(?=.*2021)(?!{BEFORE})",
        {"update": update, "con": con, "bonus": bonus, "expected": expected},
    ),
    Family(
        "egf_old",
        f"{EUROPE}(?={BEFORE})",
        {
            "con": old_con,
            "a": egf_classic.scale,
            "update": old_update,
            "update(eps=0)": partial(old_update, eps=0.0),
            "expected(eps=0)": old_expected,
            "expected_percent(eps=0)": old_expected_percent,
        },
    ),
)
