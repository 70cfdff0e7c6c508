"""Which games belong to one event: those that bear its name, unless a later event or a series bears it too."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

if TYPE_CHECKING:
    from handan.ledger.arrays import Arrays

EVENT_GAP = timedelta(days=31)  # our choice: games of one event name further apart belong to two events
EVENT_SPAN = 366  # days; our choice: a name that goes on for longer is a series, of which each year is an event


def numbered_events(ledger: Arrays) -> NDArray[np.int64]:
    """Return the number of the event that each game belongs to, in the order of their first games, shape (games,)."""
    if len(ledger) == 1:
        return ledger.places[:-1]
    numbered = pl.DataFrame([ledger.column("event"), ledger.column("date")]).with_row_index("row")
    in_events = numbered.filter(pl.col("event") != "").sort(["event", "date"], maintain_order=True)
    if not in_events.height:
        return ledger.places[:-1]
    later = (pl.col("date") - pl.col("date").shift()) > EVENT_GAP
    new = pl.col("event").ne_missing(pl.col("event").shift()) | later.fill_null(value=False)
    series = in_events.select("date", series=new.cum_sum())
    day = pl.col("date").dt.epoch("d")
    year = series.select("series", year=((day - day.min().over("series")) // EVENT_SPAN).fill_null(0))
    starts = (year != year.shift()).select(pl.any_horizontal(pl.all()).fill_null(value=True)).to_series().to_numpy()
    row = in_events["row"].to_numpy().astype(np.int64)
    first = np.arange(len(ledger))
    first[row] = np.minimum.reduceat(row, np.flatnonzero(starts))[np.cumsum(starts) - 1]  # game that opens it
    opens = first == np.arange(len(ledger))
    return (np.cumsum(opens) - 1)[first]
