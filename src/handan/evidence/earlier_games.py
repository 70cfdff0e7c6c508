"""Earlier games that are learned from, and the games that are scored, as one ledger in time order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, time

import numpy as np
import polars as pl

from handan.errors import counted
from handan.evidence.information_set import DAY_ALONE
from handan.kernels.types import Flags
from handan.ledger import Ledger

EARLIER = "\0earlier"  # marks in the column `source` the games that are only learned from
SAME = ("date", "event", "round", "black", "white", "result")
ANY_DAY = date(2000, 1, 1)  # of earlier games, where no game has a date; only the order of days plays a part then


@dataclass(frozen=True)
class Joined:
    """All games of a comparison."""

    ledger: Ledger
    wanted: Flags
    """Which games may be scored, shape (games,)."""
    notes: tuple[str, ...] = ()
    """What to beware of."""
    dated: bool = True
    """Whether dates of the games that may be scored are their own."""


def joined(ledger: Ledger, train: Ledger | None) -> Joined:
    """Put earlier games before those that may be scored.

    Where one of both has no date at all, its games stand a day before or after the others, since the caller says which
    are earlier. Without any dates all earlier games stand before the others too, whatever their events and rounds.

    Args:
        ledger: The games that may be scored.
        train: The earlier ones; None: there are none.
    """
    if train is None:
        return Joined(ledger, np.ones(len(ledger), dtype=np.bool_), ledger.warnings)
    notes = _repeated(ledger.games, train.games)
    later, earlier, placed = _in_time(ledger.games, train.games)
    marked = replace(train, arrays=train.arrays.of(earlier.with_columns(source=EARLIER + pl.col("source"))))
    both = marked + replace(ledger, arrays=ledger.arrays.of(later))
    wanted = ~both.games["source"].str.starts_with(EARLIER).to_numpy()
    both = replace(both, arrays=both.arrays.of(both.games.with_columns(pl.col("source").str.strip_prefix(EARLIER))))
    timeless = 0 if placed else int((~wanted & ~both.arrays.dated).sum()) * bool(both.arrays.dated.any())
    notes += placed + [f"nothing is learned from {counted(timeless, 'earlier game')} without a date"] * bool(timeless)
    notes += [*_strangers(both, wanted), *both.warnings]
    return Joined(both, wanted, tuple(notes), not (placed and not ledger.arrays.dated.any()))


def _repeated(later: pl.DataFrame, earlier: pl.DataFrame) -> list[str]:
    """Return how many games stand among both."""
    parts = [games.select(pl.col(SAME).exclude("black", "white"), pl.col("black", "white").cast(pl.String))
             for games in (later, earlier)]  # fmt: skip
    repeated = parts[0].join(parts[1], on=SAME, how="semi", nulls_equal=True).height
    return [f"{repeated:,} of the scored games stand among the earlier ones too"] * bool(repeated)


def _in_time(later: pl.DataFrame, earlier: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame, list[str]]:
    """Return both tables with days where one or both have none, and what was done in words."""
    first, last = later["date"].min(), earlier["date"].max()
    if not later.height or not earlier.height or (isinstance(first, datetime) and isinstance(last, datetime)):
        return later, earlier, []
    if isinstance(last, datetime):
        day = _shifted(last.date(), 1)
        text = f"the games to score have no date: they are taken as of {day}, a day after the newest earlier one"
        return _on(later, day), earlier, [text]
    if isinstance(first, datetime):
        day = _shifted(first.date(), -1)
        text = f"the earlier games have no date: they are taken as of {day}, a day before the oldest game to score"
        return later, _on(earlier, day), [text]
    if not any(_has(games, name) for games in (later, earlier) for name in ("event", "round")):
        return later, earlier, []  # rows stand in the order of the files
    text = "no game has a date: the games to score are taken as of one day, the earlier ones as of the day before"
    return _on(later, _shifted(ANY_DAY, 1)), _on(earlier, ANY_DAY), [text]


def _has(games: pl.DataFrame, column: str) -> bool:
    """Return whether a column holds anything."""
    return bool((games[column].is_not_null() & (games[column].cast(pl.String) != "")).any())


def _shifted(day: date, days: int) -> date:
    """Return the day so many days later, or the nearest to it that a calendar has."""
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def _on(games: pl.DataFrame, day: date) -> pl.DataFrame:
    """Return games as of one day."""
    moment = pl.lit(datetime.combine(day, time()), dtype=games.schema["date"])
    return games.with_columns(date=moment, precision=pl.lit(DAY_ALONE, dtype=games.schema["precision"]))


def _strangers(ledger: Ledger, wanted: Flags) -> list[str]:
    """Return a note if nobody plays in both: then names may be written in two ways."""
    seats = np.stack(ledger.arrays.seats, axis=1)
    if wanted.all() or not wanted.any() or len(np.intersect1d(seats[wanted], seats[~wanted])):
        return []
    return ["nobody of the scored games stands among the earlier ones by the same id or name"]
