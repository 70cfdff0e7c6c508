"""The games of a club as rows of the database, read when they are asked for."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any

import polars as pl
from django.db.models import Q, QuerySet

from handan.club.recorded import RECORDED, SIDES, ChangedGames, Chosen, Games
from handan.club.store.fact_models import AT_ONCE, Game
from handan.ledger.encoded_columns import EPOCH

COLUMNS = [name for name in RECORDED if name != "entry"]
"""The entry that recorded a game is the number in its key."""
PHYSICAL = {"date": pl.Int64(), "added": pl.Int64()}
"""Moments as the rows count them."""
DAY_LONG = 86_400_000  # milliseconds
MOST_STATUSES = 1 << 15
"""What the column of statuses has room for."""


class StoredGames(Games):
    """Games of one club; all are read once, where all are asked for. It serves one request."""

    def __init__(self, club: int) -> None:
        """Take the number of the club in the database."""
        super().__init__()
        self.club = club

    @property
    def _rows(self) -> QuerySet[Game]:
        return Game.objects.filter(club=self.club)

    @property
    def frame(self) -> pl.DataFrame:
        """All games."""
        return self._all

    @cached_property
    def _all(self) -> pl.DataFrame:
        return table_of_games(self._rows)

    def numbered(self, numbers: Collection[int]) -> pl.DataFrame:
        """Return games by the numbers in their keys."""
        wanted = sorted({*numbers})
        parts = [wanted[first : first + AT_ONCE] for first in range(0, len(wanted), AT_ONCE)]
        tables = [table_of_games(self._rows.filter(line__in=part)) for part in parts]
        return pl.concat(tables) if tables else pl.DataFrame(schema=RECORDED)

    def of(self, keys: Collection[str]) -> pl.DataFrame:
        """Return the games in which a player stands who has one of some keys."""
        own = list(keys)
        if len(own) > AT_ONCE:
            return super().of(own)
        return table_of_games(games_with(self._rows, own))

    def on(self, days: Collection[date], *, undated: bool = False) -> pl.DataFrame:
        """Return the games of some days; also those without a date if they are wanted."""
        if len(days) > AT_ONCE:
            return super().on(days, undated=undated)
        wanted = Q(date=None) if undated else Q(pk__in=[])
        for day in days:
            wanted |= Q(date__gte=start_of(day), date__lt=start_of(day) + DAY_LONG)
        return table_of_games(self._rows.filter(wanted))

    def in_status(self, statuses: Collection[int]) -> pl.DataFrame:
        """Return the games in one of some statuses."""
        counting = Q() if 0 in statuses else ~Q(status=0)  # few do not count, and they have an index
        return table_of_games(self._rows.filter(counting, status__in=list(statuses)))

    def latest(self, chosen: Chosen, start: int = 0, stop: int | None = None) -> pl.DataFrame:
        """Return games from a place to before another, latest first, those without a date last."""
        rows = self._chosen_rows(chosen)
        if rows is None:
            return super().latest(chosen, start, stop)
        dated, undated = rows.exclude(date=None).order_by("-date", "-line"), rows.filter(date=None).order_by("-line")
        table = table_of_games(dated[start:stop])
        if chosen.day is not None or (stop is not None and table.height == stop - start):
            return table
        before = start + table.height if table.height else dated.count()  # dated games in front of the others
        rest = undated[max(start - before, 0) : None if stop is None else max(stop - before, 0)]
        return pl.concat([table, table_of_games(rest)])

    def count(self, chosen: Chosen) -> int:
        """Return how many games are asked for."""
        rows = self._chosen_rows(chosen)
        return super().count(chosen) if rows is None else rows.count()

    def _chosen_rows(self, chosen: Chosen) -> QuerySet[Game] | None:
        """Return the rows that are asked for; None where they are chosen in memory."""
        rows = self._rows
        if chosen.keys is not None:
            if len(chosen.keys) > AT_ONCE:
                return None
            rows = games_with(rows, chosen.keys)
        if chosen.status is not None:
            rows = rows.filter(status=chosen.status) if 0 <= chosen.status < MOST_STATUSES else rows.none()
        if chosen.day is not None:
            rows = rows.filter(date__lt=start_of(chosen.day) + DAY_LONG)
        if chosen.event is not None:
            rows = rows.filter(event=chosen.event.replace("\x00", ""))
        if chosen.days is not None:
            first, last = map(milliseconds, chosen.days)
            rows = rows.filter(Q(date__gte=first, date__lte=last) | Q(date=None))
        return rows

    def with_changed(self, rows: pl.DataFrame) -> Games:
        """Return these games with others in their places, or among them."""
        return ChangedGames(self, rows) if rows.height else self


def games_with(rows: QuerySet[Game], keys: Collection[str]) -> QuerySet[Game]:
    """Return those of some games in which one of some players sits.

    Each side has an index, which a condition on both would not use: the games are looked up side by side.
    """
    black, white = (rows.filter(**{f"{side}__in": list(keys)}).order_by().values("pk") for side in SIDES)
    return Game.objects.filter(pk__in=black.union(white))


def table_of_games(rows: QuerySet[Game]) -> pl.DataFrame:
    """Return rows of games as a table, in their order: without another one that of their numbers.

    The database is not asked for that order: SQLite would go through all games by it rather than through the few.
    """
    plain = not rows.query.order_by
    values = (rows.order_by() if plain else rows).values_list(*COLUMNS)
    columns = list(zip(*values, strict=True))
    if not columns:
        return pl.DataFrame(schema=RECORDED)
    made = {
        name: pl.Series(name, values, dtype=PHYSICAL.get(name, RECORDED[name])).cast(RECORDED[name])
        for name, values in zip(COLUMNS, columns, strict=True)
    }
    made["entry"] = made["line"].alias("entry")
    table = pl.DataFrame([made[name] for name in RECORDED])
    return table.sort("line") if plain else table


def moment_of(number: int | None) -> datetime | None:
    """Return the moment that a column of dates has as a number."""
    return None if number is None else EPOCH + timedelta(milliseconds=number)


def milliseconds(moment: datetime | None) -> Any:
    """Return the number that a column of dates has for a moment by the clock at the club: milliseconds since 1970."""
    return None if moment is None else (moment - EPOCH) // timedelta(milliseconds=1)


def start_of(day: date) -> int:
    """Return the number of the first moment of a day."""
    return int(milliseconds(datetime.combine(day, time.min)))
