"""Ratings that hold a list and no game: what a ladder shows, where the games are elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from handan.ledger import Ledger
from handan.ratings.arrays import RatingArrays
from handan.ratings.ratings import Ratings
from handan.ratings.rules import Rules


def without_games(system: Rules, ledger: Ledger, **figures: Any) -> Ratings:
    """Return ratings of the players of a ledger without games.

    Args:
        system: By which they were found.
        ledger: Has players and no game.
        figures: Other fields of `Ratings`, `rating` among them.
    """
    nothing, none = np.empty((0, 2)), np.empty(0, dtype=np.int64)
    fields: dict[str, Any] = {"reasons": ("",), "pool": none} | figures
    arrays = RatingArrays(
        system=system, ledger=ledger, before=nothing, change=nothing, unrated=none.astype(np.int8),
        sequence=none, batch=np.zeros(1, dtype=np.int64), **fields,
    )  # fmt: skip
    return Ratings(arrays)
