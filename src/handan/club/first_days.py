"""When some players played for the first time."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from handan.club.game_rows import rows_of
from handan.ledger.dates import written

if TYPE_CHECKING:
    from handan.club.state import State

SIDES = ("black", "white")


class FirstDay(NamedTuple):
    """When somebody's first game was, as far as it is known."""

    moment: datetime | None
    """None where no game of theirs has a date."""
    precision: int
    """As in the games table: of several first games the least; 0 without a date."""

    def __str__(self) -> str:
        """ISO text, empty where it is not known."""
        return written(self.moment, self.precision) if self.moment else ""


def first_days_of(state: State, keys: Collection[str], games: pl.LazyFrame) -> dict[str, FirstDay | None]:
    """Return when the first of some games was of each of some active players by key; None for who has none."""
    days: dict[str, FirstDay | None] = dict.fromkeys(keys)
    if not days:
        return days
    finals = {key: state.person(key).key for key in state.merged}
    wanted = [*days, *(key for key, final in finals.items() if final in days)]
    sides = [games.select("date", "precision", key=side).filter(pl.col("key").is_in(wanted)) for side in SIDES]
    date = pl.col("date")
    first = pl.concat(sides).group_by("key").agg(date.min(), pl.col("precision").filter(date == date.min()).min())
    for key, moment, precision in first.collect().rows():
        final = finals.get(key, key)
        days[final] = earlier(days[final], FirstDay(moment, precision or 0))
    return days


def earlier(one: FirstDay | None, other: FirstDay | None) -> FirstDay | None:
    """Return the earlier of two first days: a known one before one that is not, and that before none."""
    there = [day for day in (one, other) if day is not None]
    return min(there, key=lambda day: (day.moment is None, day), default=None)


def first_days_with(
    before: State, state: State, days: Mapping[str, FirstDay | None], lines: Collection[int]
) -> Mapping[str, FirstDay | None] | None:
    """Return first days as they are behind entries about some games, from those before; None where all may be others.

    Of games that were added it is known at once; what was corrected or withdrawn may have been the first, of those who
    stand in it as of those who stood there before.

    Args:
        before: The state before.
        state: The state after.
        days: Those of the state before.
        lines: Numbers of the games.
    """
    if not days:
        return days
    games = rows_of(state.games, lines)
    changed = games.filter(pl.col("line") != pl.col("latest"))["line"].to_list()
    rows = [games, rows_of(before.games, changed)] if changed else [games]
    keys = {state.person(key).key for part in rows for side in SIDES for key in part[side]} & days.keys()
    if not keys:
        return days
    if changed:
        return None
    added = first_days_of(state, keys, games.lazy())
    return {**days, **{key: earlier(days[key], day) for key, day in added.items()}}
