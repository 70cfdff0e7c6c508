"""What stones and komi are worth: three published laws."""

from __future__ import annotations

from handan.errors import InputError

EVEN_KOMI = 6.5  # points; the customary komi of an even game
HANDICAP_KOMI = 0.5  # points; with a handicap only the tie is broken


def effective_handicap(stones: float, komi: float) -> int:
    """Return the stones that handicap and komi (points to White) come to, cut toward zero.

    Source: South African Go Clubs rating system: trunc(stones - (komi - 6) / 10).
    """
    return int(stones - (komi - 6.0) / 10.0)


def advantage(handicap: int, komi: float, fair_komi: float = EVEN_KOMI) -> float:
    """Return Black's advantage in stones: free stones, and komi short of the fair one at two fair komi a stone.

    Komi counts beside stones too; `stones_worth` leaves it out there. InputError unless `fair_komi` is above 0.
    """
    if not fair_komi > 0:
        raise InputError(f"fair komi {fair_komi:g} is not above 0 points")
    return max(0, handicap - 1) + (fair_komi - komi) / (2 * fair_komi)


def stones_worth(handicap: int, komi: float | None) -> float:
    """Return the ranks that a recorded handicap is worth: H stones at no komi are worth H - 0.5.

    No stones with komi from -1 to 1 is the same game as handicap 1. Any other komi, or one that is not recorded (None),
    makes a game without stones even: 0. Komi given beside stones is not counted.
    """
    if handicap >= 1:
        return handicap - 0.5
    return 0.5 if komi is not None and -1 <= komi <= 1 else 0.0
