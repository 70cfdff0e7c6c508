"""When some players played for the first time."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import polars as pl

from handan.ledger import When

if TYPE_CHECKING:
    from handan.club.state import State

SIDES = ("black", "white")


def first_days_of(state: State, keys: Collection[str], withdrawn: int) -> dict[str, str | None]:
    """Return the date of the first game of players by key, whether it counts or waits.

    Empty for who has none, None for who has only games without a date.

    Args:
        state: The club.
        keys: Of active players.
        withdrawn: The status of a game that is as if it had not been.
    """
    days: dict[str, str | None] = dict.fromkeys(keys, "")
    if not days:
        return days
    played = pl.col("status") != withdrawn
    finals = dict.fromkeys(days) | {key: state.person(key).key for key in state.merged}
    wanted = [key for key, final in finals.items() if (final or key) in days]
    for side in SIDES:
        own = state.games.lazy().filter(pl.col(side).is_in(wanted) & played).sort("date", nulls_last=True)
        for key, moment, precision in own.unique(side, keep="first").select(side, "date", "precision").collect().rows():
            final = finals[key] or key
            dates = [text for text in (days[final], moment and str(When(moment, precision))) if text]
            days[final] = min(dates, default=None)
    return days
