"""Win probabilities of systems that have a law for them."""

from __future__ import annotations

from handan.ratings import Standing
from handan.systems import System


def chance_of(system: System, black: Standing, white: Standing, handicap: int = 0, komi: float | None = None) -> float:
    """Return Black's win probability; fail where the system knows none."""
    probability = system.win_probability(black, white, handicap, komi)
    assert probability is not None
    return probability
