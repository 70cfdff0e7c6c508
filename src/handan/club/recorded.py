"""All games ever recorded in a club, and questions about some of them; the same in memory and in a database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

import polars as pl

from handan.errors import Clause, InputError, shown
from handan.files.games.columns import read_columns
from handan.ledger.columns import SCHEMA, of_games
from handan.ledger.dates import EARLIEST, written_day
from handan.ledger.facts import Game

ELSEWHERE = ("black_id", "white_id", "source")
"""Columns of the games table that follow from players and club."""
OWN = {"status": pl.UInt8(), "latest": pl.Int64(), "added": pl.Datetime("us", "UTC"), "unconfirmed": pl.Boolean()}
RECORDED = pl.Schema({name: dtype for name, dtype in SCHEMA.items() if name not in ELSEWHERE} | OWN)
"""Columns of the games table, `black` and `white` as keys of players, `line` and `entry` the number of the entry that
recorded it, `status`, `latest`, the number of the last entry about it, and `added`, the moment of the first, and
`unconfirmed`, whether it never was confirmed though it should be."""
NO_GAMES = pl.DataFrame(schema=RECORDED)
"""The table without games, made once: its many columns take longer to make than the rows of a game to read."""
SIDES = ("black", "white")
READ_SINGLY = 16  # games; our choice: so many are read one by one, which takes them less than columns do


FOREIGN = 10**9
"""Numbers from here on belong to games of a federation's clubs."""


class Chosen(NamedTuple):
    """Which games are asked for; what is None leaves none out."""

    keys: Collection[str] | None = None
    """Those of a player, under one of these keys."""
    status: int | None = None
    day: date | None = None
    """Those up to this day, none without a date."""
    event: str | None = None
    """Those with this name of an event."""
    days: tuple[datetime, datetime] | None = None
    """Those between two moments, and those without a date."""
    numbers: Collection[int] | None = None
    """Those with these numbers in their keys."""
    dates: Collection[date] | None = None
    """Those of these days, also those without a date if they are `undated`."""
    undated: bool = False
    statuses: Collection[int] | None = None
    club: str | None = None
    """Those that a club of a federation entered, by its short name; empty: those that no other club entered."""


class Games:
    """Games in the order of their numbers."""

    def __init__(self, frame: pl.DataFrame | None = None) -> None:
        """Take the games, with the columns of `RECORDED`."""
        self._frame = NO_GAMES if frame is None else frame

    @property
    def frame(self) -> pl.DataFrame:
        """All games."""
        return self.rows(Chosen())

    def rows(self, chosen: Chosen) -> pl.DataFrame:
        """Return the games that are asked for, in the order of their numbers."""
        return within(self._frame, chosen)

    def latest(self, chosen: Chosen, start: int = 0, stop: int | None = None) -> pl.DataFrame:
        """Return games from a place to before another, latest first, those without a date last."""
        return self.rows(chosen).sort("date", "line", descending=True, nulls_last=True)[start:stop]

    def count(self, chosen: Chosen) -> int:
        """Return how many games are asked for."""
        return self.rows(chosen).height

    def numbered(self, numbers: Collection[int]) -> pl.DataFrame:
        """Return games by the numbers in their keys."""
        return self.rows(Chosen(numbers=numbers))

    def get(self, number: int) -> dict[str, Any] | None:
        """Return a game by the number in its key; None where it was never recorded."""
        rows = self.numbered([number])
        return rows.row(0, named=True) if rows.height else None

    def prefetch(self, numbers: Collection[int]) -> None:
        """Fetch some games at once, before each is asked for."""

    def of(self, keys: Collection[str]) -> pl.DataFrame:
        """Return the games in which a player stands who has one of some keys."""
        return self.rows(Chosen(keys))

    def on(self, days: Collection[date], *, undated: bool = False) -> pl.DataFrame:
        """Return the games of some days; also those without a date if they are wanted."""
        return self.rows(Chosen(dates=days, undated=undated))

    def with_changed(self, rows: pl.DataFrame) -> Games:
        """Return these games with others in their places, or among them."""
        return Games(_merged(self.frame, rows)) if rows.height else self


def within(games: pl.DataFrame, chosen: Chosen) -> pl.DataFrame:
    """Return those of some games that are asked for."""
    day, status = pl.col("date").dt.date(), pl.col("status").cast(pl.Int64)
    wanted = []
    if chosen.keys is not None:
        wanted.append(pl.any_horizontal(pl.col(side).is_in(list(chosen.keys)) for side in SIDES))
    if chosen.status is not None:
        wanted.append(status == chosen.status)
    if chosen.day is not None:
        wanted.append(day <= chosen.day)
    if chosen.event is not None:
        wanted.append(pl.col("event") == chosen.event)
    if chosen.days is not None:
        wanted.append(pl.col("date").is_between(*chosen.days).fill_null(value=True))
    if chosen.numbers is not None:
        wanted.append(pl.col("line").is_in(list(chosen.numbers)))
    if chosen.dates is not None:
        wanted.append(day.is_in(list(chosen.dates)).fill_null(chosen.undated) | (day.is_null() & chosen.undated))
    if chosen.statuses is not None:
        wanted.append(status.is_in(list(chosen.statuses)))
    if chosen.club is not None:
        foreign = pl.col("line") >= FOREIGN
        wanted.append(foreign & pl.col("black").str.starts_with(f"{chosen.club}.") if chosen.club else ~foreign)
    return games.filter(*wanted) if wanted else games


def club_of_game(row: Mapping[str, Any]) -> str:
    """Return the short name of the federation's club that entered a game; empty: no other club did."""
    return str(row["black"]).partition(".")[0] if row["line"] >= FOREIGN else ""


class ChangedGames(Games):
    """Games of which some are others than in the database, or new."""

    def __init__(self, below: Games, changed: pl.DataFrame) -> None:
        """Take the games as they stand, and those that stand in their places or among them."""
        self._below, self._changed = below, changed

    def rows(self, chosen: Chosen) -> pl.DataFrame:
        """Return the games that are asked for, in the order of their numbers."""
        own, changed = within(self._changed, chosen), self._changed["line"]
        if chosen.numbers is not None:
            chosen = chosen._replace(numbers={*chosen.numbers}.difference(changed))
            if not chosen.numbers:
                return own
        stay = self._below.rows(chosen).filter(~pl.col("line").is_in(changed.implode()))
        return pl.concat([stay, own]).sort("line")

    def get(self, number: int) -> dict[str, Any] | None:
        """Return a game by the number in its key; None where it was never recorded."""
        place = self._changed["line"].index_of(number)
        return self._below.get(number) if place is None else self._changed.row(place, named=True)

    def prefetch(self, numbers: Collection[int]) -> None:
        """Fetch some games at once, before each is asked for."""
        self._below.prefetch(numbers)

    def with_changed(self, rows: pl.DataFrame) -> Games:
        """Return these games with others in their places, or among them."""
        return ChangedGames(self._below, _merged(self._changed, rows)) if rows.height else self


class ShownGames(Games):
    """Games as somebody sees them: without notes that tell who somebody is."""

    def __init__(self, below: Games, tells: Callable[[str], bool]) -> None:
        """Take the games, and what says whether a note tells of somebody who is not shown."""
        self._below, self._tells = below, tells

    def rows(self, chosen: Chosen) -> pl.DataFrame:
        """Return the games that are asked for, in the order of their numbers."""
        return self._shown(self._below.rows(chosen))

    def latest(self, chosen: Chosen, start: int = 0, stop: int | None = None) -> pl.DataFrame:
        """Return games from a place to before another, latest first, those without a date last."""
        return self._shown(self._below.latest(chosen, start, stop))

    def count(self, chosen: Chosen) -> int:
        """Return how many games are asked for."""
        return self._below.count(chosen)

    def get(self, number: int) -> dict[str, Any] | None:
        """Return a game by the number in its key; None where it was never recorded."""
        row = self._below.get(number)
        return {**row, "notes": ""} if row and row["notes"] and self._tells(row["notes"]) else row

    def prefetch(self, numbers: Collection[int]) -> None:
        """Fetch some games at once, before each is asked for."""
        self._below.prefetch(numbers)

    def with_changed(self, rows: pl.DataFrame) -> Games:
        """Return these games with others in their places, or among them."""
        return ChangedGames(self, rows) if rows.height else self

    def _shown(self, games: pl.DataFrame) -> pl.DataFrame:
        named = [text for text in games["notes"].unique().drop_nulls() if text and self._tells(text)]
        notes = pl.when(pl.col("notes").is_in(named)).then(pl.lit("")).otherwise(pl.col("notes"))
        return games.with_columns(notes=notes) if named else games


def _merged(games: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Return games in order with some rows in the place of those of the same numbers."""
    if not games.height:
        return rows.sort("line")
    if rows["line"].min() > games["line"].max():  # type: ignore[operator]
        return pl.concat([games, rows.sort("line")])
    return pl.concat([games.filter(~pl.col("line").is_in(rows["line"].implode())), rows]).sort("line")


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


def typed_games(games: Mapping[int, Mapping[str, Any]], names: Sequence[str]) -> pl.DataFrame:
    """Return rows of the games table for facts of games by the number of the entry that recorded them."""
    rows = _read_singly(games, names) if len(games) <= READ_SINGLY else None
    rows = _read_columns(games, names) if rows is None else rows
    numbers = [rows["line"].alias(name) for name in ("entry", "latest")]
    return pl.DataFrame([*(column for column in rows if column.name != "entry"), *numbers])


def _read_singly(games: Mapping[int, Mapping[str, Any]], names: Sequence[str]) -> pl.DataFrame | None:
    """Return what `_read_columns` returns for a few games; None where something is wrong with one of them."""
    cells: list[dict[str, Any]] = [{name: _cell(facts.get(name)) for name in names} for facts in games.values()]
    if any("\x00" in cell for row in cells for cell in row.values()):
        return None
    try:
        read = [Game(**{name: cell for name, cell in row.items() if cell}) for row in cells]
    except (InputError, TypeError):  # a fault, which columns name; or a player who is missing
        return None
    if any(game.date and game.date.moment < EARLIEST for game in read):  # type: ignore[union-attr]
        return None
    rows = of_games(read)
    return rows.replace_column(rows.get_column_index("line"), pl.Series("line", list(games), dtype=pl.Int64))


def _read_columns(games: Mapping[int, Mapping[str, Any]], names: Sequence[str]) -> pl.DataFrame:
    """Return the rows of many games, column by column; InputError names the first fault.

    Dates are those of the entries, which were checked by the day on which they were written: what a chain says does not
    depend on the clock of who reads it.
    """
    given = [name for name in names if any(facts.get(name) is not None for facts in games.values())]
    text = pl.DataFrame(
        {name: [_cell(facts.get(name)) for facts in games.values()] for name in given},
        schema=dict.fromkeys(given, pl.String),
    )
    numbers = pl.Series(list(games), dtype=pl.Int64)
    read, problems = read_columns(text, "", numbers, latest=datetime.max)  # noqa: DTZ901  # as all dates of games
    for problem in problems:
        if problem.rejected:
            pattern = "game g{line}: {field} {found} is not {expected}"
            values = {"line": problem.line, "field": Clause.of(problem.field), "found": shown(problem.found)}
            raise InputError(Clause.of(pattern, **values, expected=problem.expected))
    return read.frame


def _cell(value: Any) -> str:
    return "" if value is None else str(value)
