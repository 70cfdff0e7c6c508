"""Where a ledger can be cut so that no game behind the cut is rated together with one before it."""

from __future__ import annotations

import numpy as np
import polars as pl

from handan.kernels.types import Floats, Ints
from handan.ledger import Ledger
from handan.ledger.arrays import EVENT_GAP
from handan.systems.core.periods import CALENDAR, calendar

REACH = 4  # our choice: each checkpoint lies at most so many times as far from the end as the one after it


def clean_cuts(ledger: Ledger, together: str) -> Ints:
    """Return the places of the games that can open the second part of a ledger, ascending.

    A cut never falls within a day. Games without a date stand before all cuts, with one dated game at least.

    Args:
        ledger: The games.
        together: Which games are rated from the same ratings (`Sequential.together`).
    """
    day = ledger.day
    period = calendar(together, day) if together in CALENDAR else day
    begins = (period[1:] != period[:-1]) & ledger.dated[:-1]
    places: Ints = np.flatnonzero(begins) + 1
    return places[~_within_events(ledger)[places]] if together == "event" and len(places) else places


def _within_events(ledger: Ledger) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return whether a cut before each game would part an event, shape (games + 1,)."""
    games = ledger.games.select("event", "date").with_row_index("row").filter(pl.col("event") != "")
    games = games.sort(["event", "date"], maintain_order=True)
    apart = (pl.col("date") - pl.col("date").shift()) > EVENT_GAP
    new = pl.col("event").ne_missing(pl.col("event").shift()) | apart.fill_null(value=False)
    spans = games.group_by(new.cum_sum()).agg(first=pl.col("row").min(), last=pl.col("row").max())
    steps = np.zeros(len(ledger) + 2, dtype=np.int64)
    np.add.at(steps, spans["first"].to_numpy().astype(np.int64) + 1, 1)
    np.add.at(steps, spans["last"].to_numpy().astype(np.int64) + 1, -1)
    return steps.cumsum()[:-1] > 0


def kept_cuts(depths: Ints | Floats) -> list[int]:
    """Return which of several cuts are kept, so that few of them reach everywhere.

    Args:
        depths: Games from each cut to the end, ascending.

    Returns:
        Places in `depths`, ascending: the first, then always the farthest that lies at most `REACH` times as far from
        the end as the one before, or the next where there is none.
    """
    kept: list[int] = [0] if len(depths) else []
    while kept and kept[-1] < len(depths) - 1:
        far = int(np.searchsorted(depths, REACH * depths[kept[-1]], side="right")) - 1
        kept.append(max(far, kept[-1] + 1))
    return kept
