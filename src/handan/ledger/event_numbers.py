"""Which games belong to one event: those of one name and time."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray

EVENT_GAP = timedelta(days=31)  # our choice: games of one event name further apart belong to two events
EVENT_SPAN = 366  # days; our choice: a name that goes on for longer is a series, of which each year is an event


def numbered_events(name: NDArray[Any], in_event: NDArray[np.bool_], date: pl.Series) -> NDArray[np.int64] | None:
    """Return the number of the event of each game; a game without an event is one by itself, shape (games,).

    Events are numbered in the order of their first games; None where no game is of an event.

    Args:
        name: Number of the name of each game's event among different names, in playing order, shape (games,).
        in_event: Whether the game is of an event with a name, shape (games,).
        date: Days of the games.
    """
    if not in_event.any():
        return None
    numbered = pl.DataFrame([pl.Series("event", name), date]).with_row_index("row")
    in_events = numbered.filter(pl.Series(in_event)).sort(["event", "date"], maintain_order=True)
    first = np.arange(len(name))  # of each game the game that opens its event
    row = in_events["row"].to_numpy().astype(np.int64)
    starts = _starts(in_events)
    first[row] = np.minimum.reduceat(row, np.flatnonzero(starts))[np.cumsum(starts) - 1]
    opens = first == np.arange(len(name))
    return np.asarray((np.cumsum(opens) - 1)[first])


def _starts(games: pl.DataFrame) -> NDArray[np.bool_]:
    """Return which games begin another event than the one before, of games by name and in the order of days."""
    later = (pl.col("date") - pl.col("date").shift()) > EVENT_GAP
    new = pl.col("event").ne_missing(pl.col("event").shift()) | later.fill_null(value=False)
    series = games.select("date", series=new.cum_sum())
    day = pl.col("date").dt.epoch("d")
    year = series.select("series", year=((day - day.min().over("series")) // EVENT_SPAN).fill_null(0))
    other = (year != year.shift()).select(pl.any_horizontal(pl.all()).fill_null(value=True))
    return np.asarray(other.to_series().to_numpy())
