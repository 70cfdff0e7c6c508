"""Vectors of the South African Go Clubs' rating."""

from __future__ import annotations

from typing import Any

from handan.handicaps import effective_handicap
from handan.ranks import Rank
from handan.ratings import rank_from
from handan.systems import sagc
from tests.vectors.family import Family

HUGE = -99_999.0  # a change beyond any index


def below_7d(rank: str) -> int:
    """Return x: how many stones a rank is weaker than 7 dan."""
    return sagc.TOP - sagc.number_of(Rank.parse(rank))


def level_factor(rank: str) -> float:
    """Return LF of a rank."""
    return sagc.level_factor(below_7d(rank))


def opponent_factor(times: int) -> float:
    """Return OF from the number of meetings."""
    return sagc.opponent_factor(times)


def eff_handicap(handicap: int, komi: float) -> int:
    """Return e from stones and komi."""
    return effective_handicap(handicap, komi)


def apply(rank: str, index: float, delta: float) -> list[Any]:
    """Return rank and index after a change, floors by zones."""
    number, new = sagc.moved(sagc.number_of(Rank.parse(rank)), index, delta, True)
    return [str(rank_from(number)), new]


def min_losses_to_demote(rank: str, start_index: float = 0.0) -> int | None:
    """Return how many huge losses demote; None for a rank that they never do."""
    number = start = sagc.number_of(Rank.parse(rank))
    index, losses = start_index, 0
    while number == start:
        before, losses = index, losses + 1
        number, index = sagc.moved(number, index, HUGE, True)
        if (number, index) == (start, before):
            return None
    return losses


def game(
    rank: str,
    index: float,
    opponent_rank: str,
    black: bool,
    handicap: int,
    komi: float,
    win: bool,
    gsf: float = 1.0,
    times_met_last10: int = 0,
) -> dict[str, Any]:
    """Return one player's side of a game with its factors."""
    effective = effective_handicap(handicap, komi)
    differential = below_7d(rank) - below_7d(opponent_rank) - (effective if black else -effective)
    result = sagc.result_factor(differential, index, win)
    weight = sagc.handicap_factor(effective)
    change = sagc.truncated(level_factor(rank) * gsf * opponent_factor(times_met_last10) * result * weight)
    new_rank, new_index = apply(rank, index, change)
    return {
        "change": change,
        "rank": new_rank,
        "index": new_index,
        "eff_handicap": effective,
        "differential": differential,
        "grf": result,
        "handicap_factor": weight,
    }


FAMILIES = (
    Family(
        "sagc",
        r"\bsagc\b|south africa",
        {
            "level_factor": level_factor,
            "game": game,
            "min_losses_to_demote": min_losses_to_demote,
            "apply_loss(zones)": apply,
            "apply_loss": apply,
            "eff_handicap": eff_handicap,
            "opponent_factor": opponent_factor,
            "apply_win": apply,
        },
    ),
)
