"""On which day each player's game was played that was added to the ledger last."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import polars as pl

from handan.club.recorded import SIDES
from handan.ledger.dates import written

DAY = 10  # characters of a date without a time


def days_of_last_added(games: pl.DataFrame, person: Callable[[str], str]) -> dict[str, str]:
    """Return the day of the game that was added last of each player by key, empty for a game without a date.

    Args:
        games: Columns `black`, `white`, `date`, `precision`, `added` and `line`; of games that were added at the same
            moment the later line is the later one.
        person: Returns whom a player was found to be: of several who are one, the game that was added last counts.
    """
    columns = ("date", "precision", "added", "line")
    sides = pl.concat([games.select(*columns, key=side) for side in SIDES])
    last = sides.sort("added", "line").unique("key", keep="last", maintain_order=True)
    return {person(key): written_day(date, precision) for date, precision, _, _, key in last.iter_rows()}


def written_day(moment: datetime | None, precision: int) -> str:
    """Return the day of a date of some precision, as it was written; empty where there is none."""
    return written(moment, min(precision, DAY)) if moment else ""
