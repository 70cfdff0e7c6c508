"""The terms of a game as rating systems weigh them, and what they are worth where a stone has one worth."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from handan.errors import InputError, shown
from handan.handicaps import EVEN_KOMI, advantage
from handan.ledger.facts import MOST_HANDICAP, MOST_RECORDED_KOMI

if TYPE_CHECKING:
    from handan.kernels.types import Floats
    from handan.ledger import Ledger
    from handan.ratings import Ratings


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


def worth_of_stones(ledger: Ledger, stone: float, first_move: float) -> Floats:
    """Return what each game's terms are worth to Black, shape (games,); 0 where colours are unknown.

    Args:
        ledger: The games; a komi that was not recorded is the customary one.
        stone: Worth of a stone; 0 leaves out handicap and komi.
        first_move: Worth of the first move at fair komi.
    """

    def worth() -> Floats:
        terms = ledger.arrays.by_terms(lambda *terms: worth_of_terms(Conditions(*terms), stone, first_move))
        return np.where(ledger.arrays.colours_known, terms, 0.0)

    return ledger.arrays.kept(("worth of stones", stone, first_move), worth)


def worth_of_terms(conditions: Conditions, stone: float, first_move: float) -> float:
    """Return what the terms of one game are worth to Black; arguments as in `worth_of_stones`."""
    return stone * advantage(conditions.handicap, conditions.komi, EVEN_KOMI) + first_move


def check_terms(handicap: int, komi: float | None) -> None:
    """Raise InputError for a handicap or a komi that no game can have."""
    if not _is_number(handicap) or not 0 <= handicap <= MOST_HANDICAP or handicap != int(handicap):
        raise InputError(f"handicap {_written(handicap)} is not a whole number of stones from 0 to {MOST_HANDICAP}")
    if komi is not None and not (_is_number(komi) and abs(komi) <= MOST_RECORDED_KOMI):
        most = f"{MOST_RECORDED_KOMI:g}"
        raise InputError(f"komi {_written(komi)} is not a number of points from -{most} to {most}")


def _is_number(value: object) -> bool:
    return isinstance(value, Real)


def _written(value: object) -> str:
    return format(value, "g") if _is_number(value) else shown(str(value))
