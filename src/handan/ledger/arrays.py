"""What systems read of a ledger: its columns as arrays that cannot be written to, each made once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from handan.ledger.columns import SCHEMA, by_number
from handan.ledger.dates import written
from handan.ledger.encoded_columns import PLAYERS, EncodedColumns, in_days, of_table, unknown
from handan.ledger.event_numbers import numbered_events
from handan.ledger.name_lookup import NameLookup
from handan.ledger.results import Result
from handan.ranks import Rank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handan.ledger.facts import Adjustment, Player

FULL_SIZE = 19
TERMS = ("handicap", "komi", "size")
NO_DATE = np.iinfo(np.int64).min
WIDE = (
    "black", "white", "places", "score", "margin", "moves", "handicap", "stones", "komi", "size", "day",
    "event", "_kept",
)  # fmt: skip
"""What is worked out of each game and takes eight bytes of it, or more."""
FLAGS = ("scored", "by_default", "colours_known", "full_size", "dated", "in_event")
"""What takes one byte of each game."""


class Arrays:
    """The columns of games in playing order, and the players by number; each array is made when it is first asked for.

    Args:
        columns: The games as numbers in arrays; `games` is their table.
        players: Sorted by name; the index of a player is the number used in all arrays.
        lookup: Finds these players by name; None: one is made.
    """

    def __init__(self, columns: EncodedColumns, players: Sequence[Player], lookup: NameLookup | None = None):
        self.columns = columns
        self.players = players
        self.lookup = lookup or NameLookup(players)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle games and players alone, so that equal ledgers have equal pickles whatever was asked of them."""
        return Arrays, (self.columns, self.players)

    def of(self, games: pl.DataFrame) -> Arrays:
        """Return the columns of other games of the same players: rows as those of `games`, in playing order."""
        return Arrays(of_table(games), self.players, self.lookup)

    def __len__(self) -> int:
        """Number of games."""
        return len(self.columns)

    @cached_property
    def games(self) -> pl.DataFrame:
        """One row a game, columns as in `columns.SCHEMA`; `black` and `white` are categories of names.

        It is made when it is first asked for.
        """
        return self.columns.frame(self.names)

    def column(self, name: str) -> pl.Series:
        """Return one column of `games`; the others need not be made."""
        return self.columns.column(name, self.names if name in PLAYERS else ())

    def rows(self, games: Sequence[int] | NDArray[Any], names: Sequence[str] = tuple(SCHEMA)) -> pl.DataFrame:
        """Return some games, by index from 0, as rows of `games` with some of its columns."""
        people = self.names if any(name in PLAYERS for name in names) else ()
        return self.columns.rows(np.asarray(games, dtype=np.int64), names, people)

    def written_days(self, games: NDArray[np.int64]) -> list[str | None]:
        """Return the days of some games, by index from 0, as they were written, without a time; None without a date."""
        dates = self.rows(games, ["date", "precision"])
        moment, precision = (column.to_numpy() for column in dates)
        keys = np.where(np.isnat(moment), NO_DATE, moment.astype(np.int64) * 32 + precision)
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        different = zip(moment[first].tolist(), precision[first].tolist(), strict=True)
        days = [written(moment, min(precision, 10)) if moment else None for moment, precision in different]
        return [days[each] for each in place.tolist()]

    @property
    def names(self) -> list[str]:
        """The names of the players, in the order of `players`; not to be changed."""
        return self.lookup.names

    @property
    def seats(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Index of the player in the black and in the white column, shape (games,) each, as compiled loops read them.

        Half as long as `black` and `white`, and never negative, which spares a loop the question; arithmetic on them
        would wrap around.
        """
        return self.columns.black, self.columns.white

    @cached_property
    def black(self) -> NDArray[np.int64]:
        """Index of the player in the black column, shape (games,)."""
        return fixed(self.seats[0].astype(np.int64))

    @cached_property
    def white(self) -> NDArray[np.int64]:
        """Index of the player in the white column, shape (games,)."""
        return fixed(self.seats[1].astype(np.int64))

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """0, 1, 2 and so on to the number of games, shape (games + 1,)."""
        return fixed(np.arange(len(self) + 1))

    @cached_property
    def score(self) -> NDArray[np.float64]:
        """Score of the black column: 1, 0.5, 0, or NaN where nobody scored by play, shape (games,)."""
        return self._by_result([result.score for result in self._results[0]], np.float64)

    @cached_property
    def scored(self) -> NDArray[np.bool_]:
        """Whether somebody scored by play, shape (games,)."""
        return self._by_result([result.score is not None for result in self._results[0]])

    @cached_property
    def by_default(self) -> NDArray[np.bool_]:
        """Whether the game was decided without play, shape (games,)."""
        return self._by_result([result.by_default for result in self._results[0]])

    @cached_property
    def margin(self) -> NDArray[np.float64]:
        """Points, or goals, by which the winner won, NaN where nobody counted or won, shape (games,)."""
        return self._by_result([result.margin for result in self._results[0]], np.float64)

    def ended(self, how: str) -> NDArray[np.bool_]:
        """Return which games ended in this way: `R` resignation, `T` time, `=` jigo; shape (games,)."""
        return self._by_result([result.ending == how for result in self._results[0]])

    @cached_property
    def moves(self) -> NDArray[np.int64]:
        """Number of moves, -1 where it was not recorded, shape (games,)."""
        return self._numbers("moves", np.int64, -1)

    @cached_property
    def colours_known(self) -> NDArray[np.bool_]:
        """Whether it is known who held black, shape (games,)."""
        return self._by_result([result.colours_known for result in self._results[0]])

    @cached_property
    def _results(self) -> tuple[list[Result], NDArray[Any]]:
        """The different results, and the number of each game's result among them."""
        texts, number = self.different("result")
        return [Result.parse(text) for text in texts], number

    def different(self, name: str) -> tuple[list[str], NDArray[Any]]:
        """Return the different texts of a column, and the number of each game's text among them, shape (games,)."""
        values, number = self.columns.different[name]
        return values.to_list(), np.zeros(len(self), dtype=np.uint8) if number is None else number

    def _numbers(self, name: str, dtype: Any, absent: float) -> NDArray[Any]:
        """Return a column of numbers with `absent` in place of null, shape (games,)."""
        values, number = self.columns.different[name]
        different = np.array([absent if value is None else value for value in values.to_list()], dtype=dtype)
        if number is None:
            return fixed(np.full(len(self), different[0] if len(different) else absent, dtype))
        return fixed(different[number])

    def _by_result(self, values: list[Any], dtype: Any = np.bool_) -> NDArray[Any]:
        return fixed(by_number(np.array(values, dtype=dtype), self._results[1]))

    @cached_property
    def handicap(self) -> NDArray[np.int64]:
        """Handicap as recorded, in stones, shape (games,)."""
        return self._numbers("handicap", np.int64, 0)

    @cached_property
    def stones(self) -> NDArray[np.int64]:
        """Handicap in stones where an even game without komi counts as 1, as in many records; shape (games,)."""
        bare = (self.handicap == 0) & (np.abs(self.komi) <= 1)
        return np.where(bare, 1, self.handicap)

    @cached_property
    def komi(self) -> NDArray[np.float64]:
        """Komi in points to White, NaN where it was not recorded, shape (games,)."""
        return self._numbers("komi", np.float64, np.nan)

    def komi_or(self, even: float = 6.5, handicap: float = 0.5) -> NDArray[np.float64]:
        """Return the komi with the customary value where none was recorded, shape (games,)."""
        return np.where(np.isnan(self.komi), np.where(self.handicap == 0, even, handicap), self.komi)

    def terms_of(self, game: int, even: float = 6.5, handicap: float = 0.5) -> tuple[int, float, int]:
        """Return handicap, komi and size of one game, given by index; no column of all games is made."""
        different, number = self._terms
        stones, komi, size = _with_customary_komi(different[int(number[game])], even, handicap)
        return stones or 0, komi, size or FULL_SIZE

    @cached_property
    def size(self) -> NDArray[np.int64]:
        """Lines of the board, shape (games,)."""
        return self._numbers("size", np.int64, FULL_SIZE)

    @cached_property
    def full_size(self) -> NDArray[np.bool_]:
        """Whether the board has 19 lines, shape (games,)."""
        return fixed(self._numbers("size", np.uint8, FULL_SIZE) == FULL_SIZE)

    @cached_property
    def _terms(self) -> tuple[list[tuple[int, float | None, int]], NDArray[Any]]:
        """The different terms, handicap with komi and size of the board each, and of each game the place of its own."""
        return self.columns.combinations(TERMS)

    def by_terms(
        self, law: Callable[[int, float, int], float | tuple[float, ...]], even: float = 6.5, handicap: float = 0.5
    ) -> NDArray[np.float64]:
        """Return what a law says of handicap, komi and size of the board of each game, shape (games,) or (games, n).

        Args:
            law: What is asked of the different terms only.
            even: Komi of an even game without one on record.
            handicap: The same with a handicap.
        """
        different, number = self.different_terms(even, handicap)
        values: NDArray[np.float64] = np.array([law(*terms) for terms in different], dtype=np.float64)[number]
        return values

    def different_terms(
        self, even: float = 6.5, handicap: float = 0.5
    ) -> tuple[list[tuple[int, float, int]], NDArray[Any]]:
        """Return handicap, komi and size of the different terms, and the number of each game's among them, (games,)."""
        different, number = self._terms
        return [_with_customary_komi(terms, even, handicap) for terms in different], number

    @cached_property
    def dated(self) -> NDArray[np.bool_]:
        """Whether the date is known, shape (games,)."""
        return fixed(self.columns.date != unknown(self.columns.date.dtype))

    @cached_property
    def day(self) -> NDArray[np.int64]:
        """Days since 1970-01-01, `NO_DATE` where the date is unknown, shape (games,)."""
        return fixed(np.where(self.dated, in_days(self.columns.date), NO_DATE))

    @cached_property
    def in_event(self) -> NDArray[np.bool_]:
        """Whether the game is of an event with a name, shape (games,)."""
        names, number = self.different("event")
        return fixed(np.array([name != "" for name in names], dtype=np.bool_)[number])

    @cached_property
    def event(self) -> NDArray[np.int64]:
        """Number of the event that a game belongs to, in the order of their first games, shape (games,)."""
        if len(self) == 1:
            return self.places[:-1]
        _, name = self.different("event")
        number = numbered_events(name, self.in_event, self.column("date").to_numpy())
        return self.places[:-1] if number is None else number

    def of_kind(self, values: dict[str, float], otherwise: float) -> NDArray[np.float64]:
        """Return a value for each game by its kind, `otherwise` for kinds that are not named, shape (games,)."""

        def make() -> NDArray[np.float64]:
            kinds, number = self._kinds
            return by_number(np.array([values.get(kind, otherwise) for kind in kinds], float), number)

        return self.kept(("kind", tuple(sorted(values.items())), otherwise), make)

    @cached_property
    def _kinds(self) -> tuple[list[str], NDArray[Any]]:
        """The different kinds, and the number of each game's kind among them."""
        return self.different("kind")

    def kept(self, name: Hashable, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        """Return what `make` says about the ledger, made once: explanations ask the same for every game.

        Args:
            name: What is asked, with every setting that the answer depends on.
            make: Finds the answer from this ledger alone.
        """
        if name not in self._kept:
            self._kept[name] = fixed(make())
        return self._kept[name]

    @cached_property
    def _kept(self) -> dict[Hashable, NDArray[Any]]:
        return {}

    def forget(self, *, flags: bool = False) -> None:
        """Let go of the wide arrays that were worked out of the games; they are made again when somebody asks.

        Args:
            flags: Whether also of what takes one byte of each game.
        """
        for name in (*WIDE, *(FLAGS if flags else ())):
            with suppress(AttributeError):  # it was not made
                delattr(self, name)

    def part(self, kept: pl.Expr) -> pl.DataFrame:
        """Return the rows of `games` that an expression over its columns keeps."""
        columns = [self.column(name) for name in dict.fromkeys(kept.meta.root_names())]
        read = pl.DataFrame([pl.Series("place", self.places[:-1]), *columns])
        return self.rows(read.filter(kept)["place"].to_numpy())

    def between(self, first: int, end: int) -> Arrays:
        """Return the games from one index up to another one; columns are views."""
        return Arrays(self.columns.between(first, end), self.players, self.lookup)

    @property
    def facts(self) -> pl.DataFrame:
        """The games without the places they were read from; `entry` counts within one date, event and round."""
        return self.games.drop("source", "line")

    @property
    def last_dated(self) -> int | None:
        """Index of the last of the newest games, None without dates."""
        dates = self.columns.date  # ascending, unknown ones first
        return len(dates) - 1 if len(dates) and dates[-1] != unknown(dates.dtype) else None

    def position(self, item: Adjustment) -> int:
        """Return the index of the first game that an adjustment precedes."""
        return self.columns.first_from(item.date.moment) if item.date is not None and self.dated.any() else 0  # type: ignore[union-attr]  # read by its constructor

    @cached_property
    def declared(self) -> tuple[tuple[list[Rank | None], NDArray[Any]], ...]:
        """For Black and for White the different ranks declared, None for none, and the number of each game's."""
        sides = [self.different(side) for side in ("black_rank", "white_rank")]
        return tuple(([Rank.parse(text.rstrip("?*")) if text else None for text in texts], n) for texts, n in sides)

    def by_rank(self, value: Callable[[Rank | None], float]) -> NDArray[np.float64]:
        """Return a value for the ranks that Black and White declared at each game, shape (games, 2)."""
        columns = [np.array([value(rank) for rank in ranks], dtype=np.float64)[n] for ranks, n in self.declared]
        return np.stack(columns, axis=1)

    @cached_property
    def first_game(self) -> NDArray[np.int64]:
        """Index of each player's first game, the number of games for a player without one; shape (players,)."""
        first = np.full(len(self.players), len(self), dtype=np.int64)
        for side in self.seats:
            np.minimum.at(first, side, self.places[:-1])
        return fixed(first)

    @cached_property
    def first_declared(self) -> NDArray[np.int64]:
        """Index of the game where each player first declared a rank, the number of games for never; (players,)."""
        first = np.full(len(self.players), len(self), dtype=np.int64)
        for player, game, *_ in self._declarations():
            np.minimum.at(first, player, game)
        return first

    def ranks_by(self, until: NDArray[np.int64]) -> list[Rank | None]:
        """Return the rank that each player declared last in the games up to the one given, None where none was.

        Args:
            until: Index of a game for each player, shape (players,).
        """
        different, number = self.numbered_ranks_by(until)
        return [different[place] for place in number.tolist()]

    def numbered_ranks_by(self, until: NDArray[np.int64]) -> tuple[list[Rank | None], NDArray[np.int64]]:
        """Return the different ranks of `ranks_by`, and the number of each player's among them, shape (players,)."""
        last = np.full(len(self.players), -1, dtype=np.int64)
        for player, game, *_ in self._declarations():
            due = game <= until[player]
            np.maximum.at(last, player[due], game[due])
        different: list[Rank | None] = [None]
        chosen = np.zeros(len(self.players), dtype=np.int64)
        for player, game, ranks, number in self._declarations():
            latest = last[player] == game
            chosen[player[latest]] = number[latest].astype(np.int64) + len(different)
            different += ranks
        return different, chosen

    def _declarations(self) -> Iterator[tuple[NDArray[np.uint32], NDArray[np.int64], list[Rank | None], NDArray[Any]]]:
        """Yield for Black and for White the players who declared a rank, the games, and the ranks by number."""
        for player, (ranks, number) in zip(self.seats, self.declared, strict=True):
            if ranks != [None]:
                games = np.flatnonzero(np.array([rank is not None for rank in ranks])[number])
                yield player[games], games, ranks, number[games]


def _with_customary_komi(terms: tuple[int, float | None, int], even: float, handicap: float) -> tuple[int, float, int]:
    """Return terms with the customary komi, of an even game or one with a handicap, where none was recorded."""
    stones, komi, size = terms
    return stones, (handicap if stones else even) if komi is None else komi, size


def fixed(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array, made here, that cannot be written to from now on."""
    array.flags.writeable = False
    return array
