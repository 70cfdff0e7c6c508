"""On which day each player's game was played that was added to the ledger last."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.club.game_rows import columns_of
from handan.ledger.dates import written

DAY = 10  # characters of a date without a time


def days_of_last_added(games: pl.DataFrame, person: Callable[[str], str] | None = None) -> dict[str, str]:
    """Return the day of the game that was added last of each player by key, empty for a game without a date.

    Args:
        games: Columns `black`, `white` (of the same categories), `date`, `precision`, `added` and `line`; of games that
            were added at the same moment the later line is the later one.
        person: Returns whom a player was found to be; None where all are who they are.
    """
    order = _order(games["added"], games["line"])
    codes = [games[side].to_physical().to_numpy() for side in ("black", "white")]
    last = np.full(max(int(own.max(initial=0)) for own in codes) + 1, -1, dtype=np.int64)
    for own in codes:
        ranks = np.full_like(last, -1)
        ranks[own if order is None else own[order]] = np.arange(len(own))  # the last of several for one place stays
        np.maximum(last, ranks, out=last)
    there = np.flatnonzero(last >= 0)
    there = there[np.argsort(last[there])]
    keys = pl.Series(there.astype(np.uint32)).cat.to(games["black"].dtype).to_list()
    places = last[there] if order is None else order[last[there]]
    if person is not None:  # of several who are one, the game that was added last counts
        latest = dict(zip(map(person, keys), places.tolist(), strict=True))
        keys, places = [*latest], np.array([*latest.values()], dtype=np.int64)
    return dict(zip(keys, _days(columns_of(games, "date", "precision")[places]), strict=True))


def written_day(moment: datetime | None, precision: int) -> str:
    """Return the day of a date of some precision, as it was written; empty where there is none."""
    return written(moment, min(precision, DAY)) if moment else ""


def _order(added: pl.Series, line: pl.Series) -> NDArray[np.int64] | None:
    """Return in which order games were added; None where they stand in it, as in most clubs, which only add games."""
    if added.is_sorted() and line.is_sorted():
        return None
    order = np.argsort(
        line.to_numpy(), kind="stable"
    )  # after a correction nearly all stand in order: this is quick then
    return order[np.argsort(added.to_physical().to_numpy()[order], kind="stable")]


def _days(games: pl.DataFrame) -> list[str]:
    """Return the days of games, of columns `date` and `precision`; each different one is written once."""
    different = games.unique(maintain_order=True).with_row_index("number")
    texts = [written_day(moment, precision) for _, moment, precision in different.rows()]
    numbers = games.join(different, on=games.columns, how="left", nulls_equal=True, maintain_order="left")["number"]
    return [texts[number] for number in numbers.to_list()]
