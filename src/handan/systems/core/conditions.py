"""The terms of a game as rating systems weigh them."""

from __future__ import annotations

from typing import NamedTuple

from handan.ratings import Ratings

EVEN_KOMI = 6.5  # points; the customary komi of an even game
HANDICAP_KOMI = 0.5  # points; with a handicap only the tie is broken


class Conditions(NamedTuple):
    """Handicap, komi and board of a game."""

    handicap: int
    """As recorded: 0 even, 1 Black moves first without full komi, 2 and more stones on the board."""
    komi: float
    """Points to White."""
    size: int = 19
    """Lines of the board."""
    ratings: Ratings | None = None
    """What was learned beside the ratings, such as the worth of the first move; None: nothing."""
