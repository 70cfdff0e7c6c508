"""Log odds of many games at once, by the law of a system."""

from __future__ import annotations

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats


@kernel
def lead_of(
    constants: tuple[float, ...],  # noqa: ARG001  # the signature is what this function is for
    black: float,  # noqa: ARG001
    white: float,  # noqa: ARG001
    black_spread: float,  # noqa: ARG001
    white_spread: float,  # noqa: ARG001
    worth: float,  # noqa: ARG001
    width: float,  # noqa: ARG001
) -> float:
    """Return the log odds of Black; each system binds its own law in place of this one.

    Args:
        constants: The system's constants.
        black, white: Ratings of both sides.
        black_spread, white_spread: Their deviations, 0 where a rating is exact.
        worth: What the terms of the game are worth to Black, in the unit of the law.
        width: How much the terms leave open, for laws that know it.
    """
    return 0.0


@kernel
def fill_leads(constants: tuple[float, ...], rating: Floats, spread: Floats, terms: Floats, lead: Floats) -> None:
    """Fill `lead`, shape (games,), from ratings, deviations and terms (worth, width), shape (games, 2) each."""
    for game in range(len(lead)):
        lead[game] = lead_of(
            constants,
            rating[game, 0],
            rating[game, 1],
            spread[game, 0],
            spread[game, 1],
            terms[game, 0],
            terms[game, 1],
        )
