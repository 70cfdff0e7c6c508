"""The ledger: all facts in playing order, immutable, in columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from numbers import Integral
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import polars as pl

from handan.errors import InputError, Problem, counted, refuse_other
from handan.ledger import columns
from handan.ledger.arrays import Arrays
from handan.ledger.dates import When, written
from handan.ledger.entered_games import EnteredGames
from handan.ledger.events import joined, two_in_one, with_names_of_games
from handan.ledger.facts import COLUMNS, Adjustment, Game, Player
from handan.ledger.identity import completed, identify
from handan.ledger.players import NamedPlayers, field_of
from handan.ledger.results import Result
from handan.notebook import html_table, paragraph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handan.ledger.events import Event

AT_ONCE = 1_000  # our choice: games that are made of one look at the columns
SHOWN = 10  # our choice: games in a notebook
ORDER = ["date", "event", "round", "entry"]
SPANS = {4: "1y", 7: "1mo", 10: "1d", 16: "1m"}
"""How long a date of each precision lasts."""


@dataclass(frozen=True, eq=False)
class Ledger:
    """Games in playing order (date, event, round, entry), players by name, adjustments by date.

    A ledger is never changed: `with_game`, `without_game`, `as_of` and `+` return another one. Games with equal date,
    event and round keep the order in which they were entered, since that is the order in which a club writes them down.
    """

    arrays: Arrays
    """The games and the players as columns, which systems read."""
    adjustments: tuple[Adjustment, ...] = ()
    problems: tuple[Problem, ...] = ()
    """Rows that were not taken, and cells that were read in another way than written."""
    warnings: tuple[str, ...] = ()
    saved: str = ""
    """When a tournament program saved the one file that was read, yyyyMMddHHmmss; programs rank their files by it."""
    events: tuple[Event, ...] = ()
    """What files tell of tournaments besides the games: who took part, byes and absences, places; in order of entry."""

    @property
    def games(self) -> pl.DataFrame:
        """One row a game, columns as in `columns.SCHEMA`; `black` and `white` are categories of names."""
        return self.arrays.games

    @property
    def players(self) -> Sequence[Player]:
        """The players, sorted by name; the index of a player is the number used in all arrays."""
        return self.arrays.players

    @property
    def names(self) -> list[str]:
        """The names of the players, in the order of `players`; not to be changed."""
        return self.arrays.names

    def __len__(self) -> int:
        """Number of games."""
        return len(self.arrays)

    @classmethod
    def of(cls, games: Iterable[Game], adjustments: Iterable[Adjustment] = ()) -> Ledger:
        """Make a ledger of games in any order."""
        return cls.from_table(columns.of_games(games), adjustments)

    @classmethod
    def from_table(
        cls,
        table: pl.DataFrame,
        adjustments: Iterable[Adjustment] = (),
        problems: Iterable[Problem] = (),
        listed: Iterable[Player] = (),
        events: Iterable[Event] = (),
    ) -> Ledger:
        """Make a ledger of a typed games table (`columns.SCHEMA`), rows in order of entry, as `of_entered` does."""
        return of_entered(EnteredGames.of_table(table), adjustments, problems, listed, events)

    @overload
    def __getitem__(self, index: int) -> Game: ...

    @overload
    def __getitem__(self, index: slice) -> list[Game]: ...

    def __getitem__(self, index: int | slice) -> Game | list[Game]:
        """Return the game at a place in playing order, counted from 0, or the games of a slice.

        Raises:
            IndexError: There is no game at that place.
        """
        if isinstance(index, slice):
            return games_at(self, range(len(self))[index])
        try:
            place = range(len(self))[index]
        except IndexError:
            raise IndexError(self._no_game_at(index)) from None
        return _game(self.arrays.rows([place]).row(0, named=True))

    def __iter__(self) -> Iterator[Game]:
        """Yield the games in playing order; so many are read at once, since a row alone takes as long as hundreds."""
        for first in range(0, len(self), AT_ONCE):
            yield from map(_game, self.arrays.rows(range(first, min(first + AT_ONCE, len(self)))).iter_rows(named=True))

    def __eq__(self, other: object) -> bool:
        """Two ledgers are equal if they hold the same facts, wherever these were read from."""
        if not isinstance(other, Ledger):
            return NotImplemented
        same = self.arrays.facts.equals(other.arrays.facts) and self.players == other.players
        return same and self.adjustments == other.adjustments and self.events == other.events

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Ledger) -> Ledger:
        """Join two ledgers; players are matched by id, then by name."""
        parts = [part.games.cast({"black": pl.String, "white": pl.String}) for part in (self, other)]
        entered = pl.concat([part.with_columns(entry=pl.lit(None, dtype=pl.Int64)) for part in parts])
        adjustments = [*_by_id(self), *_by_id(other)]
        problems = self.problems + other.problems
        listed, events = [*self.players, *other.players], (*self.events, *other.events)
        return Ledger.from_table(entered, adjustments, problems, listed, events)

    def _like(self, games: pl.DataFrame, adjustments: Iterable[Adjustment] | None = None) -> Ledger:
        table = games.cast({"black": pl.String, "white": pl.String})
        adjustments = self.adjustments if adjustments is None else adjustments
        return Ledger.from_table(table, adjustments, self.problems, self.players, self.events)

    def with_game(self, game: Game, index: int | None = None) -> Ledger:
        """Return the ledger with one more game, or with the game at `index` corrected.

        Raises:
            InputError: There is no game at `index`, counted from 0 (or from the end, if negative).
        """
        row = columns.of_games([game])
        table = self.games.cast({"black": pl.String, "white": pl.String})
        if index is None:
            return self._like(pl.concat([table, row.with_columns(entry=pl.lit(len(self), dtype=pl.Int64))]))
        index = self._place(index)
        entry = row.with_columns(entry=pl.lit(game.entry or self.games["entry"][index], dtype=pl.Int64))
        return self._like(pl.concat([table[:index], entry, table[index + 1 :]]))

    def without_game(self, index: int) -> Ledger:
        """Return the ledger without the game at `index`; InputError if there is none."""
        index = self._place(index)
        return self._like(pl.concat([self.games[:index], self.games[index + 1 :]]))

    def _place(self, index: int) -> int:
        """Return a place in playing order that may be counted from the end; InputError if no game is there."""
        refuse_other("place", index, Integral, "a whole number, counted from 0")
        if not -len(self) <= index < len(self):
            raise InputError(self._no_game_at(index))
        return index % len(self)

    def _no_game_at(self, index: int) -> str:
        there = f"places 0 to {len(self) - 1}" if len(self) else "no game"
        return f"game at place {index} is not in the ledger, which has {there}"

    def with_adjustments(self, adjustments: Iterable[Adjustment]) -> Ledger:
        """Return the ledger with these adjustments added."""
        adjustments = checked_adjustments(adjustments)
        places = [self.arrays.lookup.exact(item.player) for item in adjustments]
        if None not in places:
            named = zip(adjustments, places, strict=True)
            new = [replace(item, player=self.names[place]) for item, place in named if place is not None]
            return replace(self, adjustments=in_order((*self.adjustments, *new)))
        return self._like(self.games, self.adjustments + adjustments)

    def as_of(self, day: date | datetime | str) -> Ledger:
        """Return what was known at the end of a day, a month, a year, or a minute: `2026-05-01`, `2026-05`, `2026`.

        A game or adjustment dated to a month or a year counts from its last day, one dated to a day from the end of the
        day; games without a date are left out.

        Raises:
            InputError: For an empty date, and for text that is no date.
        """
        when = When.of(day)
        if when is None:
            raise InputError("an empty date; give a day such as 2026-05-01")
        kept = [item for item in self.adjustments if item.date is None or item.date.last <= when.last]  # type: ignore[union-attr]
        begun = tuple(event for event in self.events if event.first is not None and event.first.last <= when.last)
        return replace(games_kept(self, last_seconds() <= when.last, kept), events=begun)

    @property
    def newest(self) -> str | None:
        """Date of the newest game as it was written, without a time of day; None where no game has a date."""
        last = self.arrays.last_dated
        if last is None:
            return None
        date, precision = self.arrays.rows([last], ("date", "precision")).row(0)
        return written(date, min(int(precision), 10))

    def get(self, name: str | int) -> int | None:
        """Return the index of a player by name or id, None if there is none; the first call makes an index of all.

        Capitals, marks and width of letters do not matter, as long as they do not tell two players apart. A number is
        the name that a column of numbers gives a player.
        """
        return self.arrays.lookup.get(str(name))

    def find(self, name: str | int) -> int:
        """Return the index of a player by name or id, as `get` does.

        Raises:
            InputError: There is no such player, or several are written so; the text proposes names that are like it.
        """
        return self.arrays.lookup.find(str(name))

    def __repr__(self) -> str:
        """One short line, whatever the number of games."""
        days = self.arrays.column("date").drop_nulls().dt.date()
        span = f", {days.min()!s} to {days.max()!s}" if len(days) else ""
        return f"<Ledger {counted(len(self), 'game')}, {counted(len(self.players), 'player')}{span}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: that line, and the first games with what is known of them."""
        first = self.arrays.rows(range(min(len(self), SHOWN)))
        dates = [written(*row) if row[0] else "" for row in first.select("date", "precision").iter_rows()]
        first = first.drop("precision", "entry", "source", "line").with_columns(pl.all().cast(pl.String).fill_null(""))
        first = first.with_columns(pl.Series("date", dates, dtype=pl.String))
        filled = [name for name in first.columns if (first[name] != "").any()]
        more = f"; the first {SHOWN}" if len(self) > SHOWN else ""
        return paragraph(f"{repr(self)[1:-1]}{more}") + html_table(filled, first.select(filled).iter_rows())


def last_seconds() -> pl.Expr:
    """Return the last second of the time in which each game may have been played, null without a date."""
    end = pl.col("date")
    for precision, span in SPANS.items():
        end = pl.when(pl.col("precision") == precision).then(pl.col("date").dt.offset_by(span)).otherwise(end)
    return pl.when(pl.col("precision") < 19).then(end - timedelta(seconds=1)).otherwise(pl.col("date"))


def _game(row: dict[str, Any]) -> Game:
    """Return the game that a row of the columns tells."""
    when = When(row["date"], row["precision"]) if row["date"] else None
    return Game(**({name: row[name] for name in COLUMNS} | {"date": when, "result": Result.parse(row["result"])}))


def games_at(ledger: Ledger, places: Sequence[int] | NDArray[np.int64]) -> list[Game]:
    """Return the games at some places in playing order, counted from 0."""
    return list(map(_game, ledger.arrays.rows(places).iter_rows(named=True)))


def of_entered(
    games: EnteredGames,
    adjustments: Iterable[Adjustment] = (),
    problems: Iterable[Problem] = (),
    listed: Iterable[Player] = (),
    events: Iterable[Event] = (),
) -> Ledger:
    """Find who is who in games, and put them into playing order.

    `listed` tells country, club and order of players, matched by id or name; participants of `events` get the names
    that their games have.
    """
    listed, events, adjustments = list(listed), list(events), checked_adjustments(adjustments)
    bare = not (listed or events or adjustments or games.has_ids)
    if bare and not (games.black == games.white).any():
        in_sequence = games.in_order(games.black, games.white)
        return Ledger(Arrays(in_sequence, NamedPlayers(games.names)), problems=tuple(problems))
    pairs, black, white = games.pairs()
    names, ids = [name for name, _ in pairs], [number for _, number in pairs]
    rows = pl.DataFrame(
        {"black": names, "black_id": ids, "white": names, "white_id": ids},
        schema=dict.fromkeys(("black", "black_id", "white", "white_id"), pl.String),
    )
    labelled, players, warnings = identify(rows, listed)
    by_id = {player.id: player.name for player in players if player.id}
    adjusted = [replace(item, player=by_id.get(item.player, item.player)) for item in adjustments]
    entered = {player.name for player in players}
    players += completed([Player(name) for name in sorted({item.player for item in adjusted} - entered)], listed)
    people = sorted(players, key=lambda player: (player.order, player.name))
    place = {player.name: number for number, player in enumerate(people)}
    seats = np.array([place[label] for label in labelled["black"]], dtype=np.uint32)
    alone = seats[black] == seats[white]
    if alone.any():
        more = [*problems, *_alone(games.filtered(alone).frame, people, seats[white][alone])]
        return of_entered(games.filtered(~alone), adjustments, more, listed, events)
    arrays = Arrays(games.in_order(seats[black], seats[white]), tuple(people))
    named = with_names_of_games(joined(events), rows, labelled) if events else ()
    return Ledger(arrays, in_order(adjusted), tuple(problems), (*warnings, *two_in_one(events)), events=named)


def of_players(table: pl.DataFrame, players: Iterable[Player], adjustments: Iterable[Adjustment] = ()) -> Ledger:
    """Return a ledger of games of some players, who are told apart by the names in the table and in the adjustments.

    Args:
        table: Typed games (`columns.SCHEMA`), rows in order of entry.
        players: All who stand in them.
        adjustments: In any order.
    """
    inside = sorted(players, key=lambda player: (player.order, player.name))
    place = {player.name: number for number, player in enumerate(inside)}
    games = EnteredGames.of_table(table)
    seats = np.array([place[name] for name in games.names], dtype=np.uint32)
    return Ledger(Arrays(games.in_order(seats[games.black], seats[games.white]), tuple(inside)), in_order(adjustments))


def games_kept(ledger: Ledger, kept: pl.Expr, adjustments: Iterable[Adjustment]) -> Ledger:
    """Return the games that an expression over the games table keeps, and these adjustments."""
    return ledger._like(ledger.arrays.part(kept), adjustments)  # noqa: SLF001  # of the same module


def of_one_event(ledger: Ledger, name: str) -> Ledger:
    """Return the ledger with all games in one event, to which what files tell of events belongs as well."""
    games = ledger.games.with_columns(event=pl.lit(name).cast(columns.SCHEMA["event"]))
    events = [replace(event, name=name) for event in ledger.events]
    table = games.cast({"black": pl.String, "white": pl.String})
    made = Ledger.from_table(table, ledger.adjustments, ledger.problems, ledger.players, events)
    return replace(made, saved=ledger.saved)


def with_problems(ledger: Ledger, problems: Iterable[Problem]) -> Ledger:
    """Return the ledger with more faults to report."""
    return replace(ledger, problems=ledger.problems + tuple(problems))


def between(ledger: Ledger, first: int, end: int, adjustments: Iterable[Adjustment] = ()) -> Ledger:
    """Return the games from one index up to another one as a ledger of all players, with these adjustments in order."""
    return Ledger(ledger.arrays.between(first, end), tuple(adjustments), warnings=ledger.warnings)


def checked_adjustments(adjustments: Iterable[Adjustment]) -> tuple[Adjustment, ...]:
    """Return adjustments; FieldError for anything else among them."""
    items = tuple(adjustments)
    for item in items:
        refuse_other("adjustment", item, Adjustment, "an Adjustment")
    return items


def in_order(adjustments: Iterable[Adjustment]) -> tuple[Adjustment, ...]:
    """Return adjustments by date, those without one first; those of one date as they stand."""
    return tuple(sorted(adjustments, key=lambda item: (item.date is not None, item.date and item.date.moment)))  # type: ignore[union-attr]


def _alone(games: pl.DataFrame, people: Sequence[Player], seats: NDArray[np.uint32]) -> list[Problem]:
    """Return the problem of each game whose two names are one player, because an id says so."""
    rows = zip(games["source"], games["line"], seats.tolist(), strict=True)
    return [
        Problem(source, line, "white", people[seat].name, "another player than black") for source, line, seat in rows
    ]


def _by_id(ledger: Ledger) -> Iterator[Adjustment]:
    """Yield the adjustments under the ids of their players, where these have one: names may come to be others."""
    ids = {name: number for name, number in zip(ledger.names, field_of(ledger.players, "id"), strict=True) if number}
    return (replace(item, player=ids.get(item.player, item.player)) for item in ledger.adjustments)


def in_playing_order(games: pl.DataFrame) -> pl.DataFrame:
    """Sort by date, event, round and entry, and number the games that share the first three by their order.

    A table that is to be a table again, as those of a ledger on disk, is not made into numbers for it: where it is in
    order already, that takes seven times as long.
    """
    keys = ORDER if games["entry"].null_count() < games.height else ORDER[:3]
    games = games.with_columns(pl.col("entry").fill_null(pl.int_range(pl.len())))
    varied = [key for key in keys if _varies(games[key])]
    if len(varied) > 1 or not all(games[key].is_sorted() for key in varied):
        games = games.sort(varied, maintain_order=True)
    row = np.arange(games.height)
    first = row == 0
    for key in ORDER[:3]:
        if key in varied:
            first |= games[key].ne_missing(games[key].shift()).to_numpy()
    start = np.maximum.accumulate(np.where(first, row, 0))
    return games.with_columns(pl.Series("entry", row - start + 1, dtype=pl.Int64))


def _varies(column: pl.Series) -> bool:
    """Return whether a column holds different values; one without any value does not."""
    absent = column.null_count()
    return absent < len(column) and (absent > 0 or bool((column != column[0]).any()))
