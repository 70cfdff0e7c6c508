"""What handicap, komi and the first move are worth to Black, in the unit of a rating."""

from __future__ import annotations

import numpy as np

from handan.handicaps import advantage
from handan.kernels.types import Floats
from handan.ledger import Ledger
from handan.systems.core.base import EVEN_KOMI, HANDICAP_KOMI


def worth_in_games(ledger: Ledger, stone: float, first_move: float) -> Floats:
    """Return what each game's terms are worth to Black, shape (games,); 0 where colours are unknown.

    Args:
        ledger: The games; a komi that was not recorded is the customary one.
        stone: Worth of a stone; 0 leaves out handicap and komi.
        first_move: Worth of the first move at fair komi.
    """

    def worth() -> Floats:
        if stone == first_move == 0.0:
            return np.zeros(len(ledger))
        terms = ledger.by_terms(lambda handicap, komi, _: worth_of_terms(handicap, komi, stone, first_move))
        return np.where(ledger.colours_known, terms, 0.0)

    return ledger.kept(("worth in games", stone, first_move), worth)


def worth_of_terms(handicap: int, komi: float | None, stone: float, first_move: float) -> float:
    """Return what the terms of one game are worth to Black; without a komi, it is the customary one."""
    points = (EVEN_KOMI if handicap == 0 else HANDICAP_KOMI) if komi is None else komi
    return stone * advantage(handicap, points, EVEN_KOMI) + first_move
