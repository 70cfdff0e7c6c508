"""Log odds of one game and of many at once, by the law of winning of a system, and the probability of given ones."""

from __future__ import annotations

import math
from typing import NamedTuple

from handan.kernels.compiling import Kernel, kernel
from handan.kernels.types import Floats


class Pairing(NamedTuple):
    """A game before it is played, as laws of winning read it."""

    constants: tuple[float, ...]
    """The system's constants that its law reads."""
    black: float
    """Rating of Black."""
    white: float
    black_spread: float
    """Deviation of Black's rating, 0 where it is exact."""
    white_spread: float
    worth: float
    """What the terms of the game are worth to Black, in the unit of the law."""
    width: float
    """How much the terms leave open, in the unit of the law; 0 in laws that do not know it."""


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return the log odds of Black; each system binds its own law in place of this one."""
    return pairing.black + pairing.worth - pairing.white


@kernel
def win_probability(difference: float) -> float:
    """Return 1 / (1 + e^-difference), the probability that the side wins which is so much stronger."""
    odds = math.exp(-abs(difference))
    return 1.0 / (1.0 + odds) if difference >= 0.0 else odds / (1.0 + odds)


@kernel
def fill_leads(constants: tuple[float, ...], rating: Floats, spread: Floats, terms: Floats, lead: Floats) -> None:
    """Fill `lead`, shape (games,), from ratings, deviations and terms (worth, width), shape (games, 2) each."""
    for game in range(len(lead)):
        lead[game] = lead_of(
            Pairing(
                constants,
                rating[game, 0],
                rating[game, 1],
                spread[game, 0],
                spread[game, 1],
                terms[game, 0],
                terms[game, 1],
            )
        )


class WinningLaw(NamedTuple):
    """A law of winning, for one game and for many at once."""

    lead_of: Kernel[[Pairing], float]
    fill_leads: Kernel[[tuple[float, ...], Floats, Floats, Floats, Floats], None]

    @classmethod
    def of(cls, name: str, law: Kernel[[Pairing], float]) -> WinningLaw:
        """Bind a law to the loop over games; `name` tells its loop apart from those of other laws."""
        return cls(law, fill_leads.using(f"fill_{name}_leads", lead_of=law))
