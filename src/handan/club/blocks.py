"""A rating list in blocks of games, each of which is rated from what was known of the players at its start.

A block and its checkpoint say all that the system reads, so that a game is explained, corrected or added by rating its
block, and those after it, once more. A club of some hundred games has one block.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from io import BytesIO
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.club.recorded import SIDES
from handan.errors import Clause
from handan.kernels.compiling import repeated
from handan.kernels.types import Flags, Floats, Ints
from handan.ledger import Adjustment, Ledger
from handan.ledger.arrays import NO_DATE, Arrays
from handan.ledger.columns import SCHEMA, with_absent
from handan.ledger.dates import written
from handan.ledger.encoded_columns import DIFFERING, EPOCH, Different, EncodedColumns, dates, differing
from handan.ledger.ledger import between
from handan.ledger.players import NamedPlayers
from handan.ranks import Rank
from handan.ratings import Adjusted, RatingArrays, Ratings
from handan.systems import System
from handan.systems.core.batches import batch_boundaries
from handan.systems.core.forecasting import forecast
from handan.systems.core.lazy_ratings import rated_in_full
from handan.systems.core.replay_state import ReplayState, initial_state_with_counts, state_after
from handan.systems.core.sequential import Sequential

SIZE, LEAST = 4_096, 256  # games; our choice: blocks have about so many, and fewer the nearer they are to the end
RULES = 32  # our choice: rules of which a process keeps what they say before the first game
LARGE, OFTEN = 2_048, 1_000
"""Our choice: blocks of so many games, which clubs of 4,000 games have, are rated by machine code, as for work that is
done so often; the first page that needs it waits until it is made, once on a machine. Fewer games are not worth the
compiler, which takes more memory than all the rest of a process."""
LEFT_OUT = ("black", "white", "black_id", "white_id", "notes", "entry", "source")
"""Columns of the games table of which a rating reads nothing, or numbers in place of names."""
FACTS = pl.Schema(
    {side: pl.UInt32() for side in SIDES} | {name: kind for name, kind in SCHEMA.items() if name not in LEFT_OUT}
)
"""Columns of the games of a block: players by number, and `line`, the number in a game's key."""
PLAYING_ORDER = ("date", "event", "round", "line")
DAY = np.dtype("S10")
"""Days as they are written, empty for none."""


@dataclass(frozen=True)
class Checkpoint:
    """What is known of all players before a game; arrays have shape (players, …), by number."""

    past: ReplayState | None
    """What the system knows; None for one that solves all games together."""
    tallies: Ints
    """Games, wins, losses and draws before, under all rules, shape (players, 4)."""
    earlier: Ints
    """Rated games before, under the rules in force."""
    last_played: NDArray[np.bytes_]
    """Day of the last game."""
    listed: Flags
    """Who stands in the list by the games before."""
    slope_weights: Floats | None = None
    """Weights of the slopes of forecasts (`Ratings.slope_weights`)."""
    last: datetime | None = None
    """Date of the last game before."""

    @classmethod
    def beginning(cls, players: int, before: Checkpoint | None = None) -> Checkpoint:
        """Return what is known before the first game; `before`: where other rules ended, whose games are counted."""
        tallies, days = np.zeros((players, 4), dtype=np.int64), np.zeros(players, dtype=DAY)
        if before is not None:
            tallies, days = before.tallies, before.last_played
        nothing = np.zeros(players, dtype=np.int64)
        return cls(initial_state_with_counts(players), tallies, nothing, days, np.zeros(players, dtype=np.bool_))

    def among(self, players: int) -> Checkpoint:
        """Return the same with players who registered since."""
        more = players - len(self.listed)
        if not more:
            return self
        past, new = self.past, initial_state_with_counts(more)
        assert past is not None  # noqa: S101  # else nobody goes on from here
        grown: dict[str, Any] = {name: np.append(getattr(past, name), getattr(new, name)) for name in
                 ("entered", "declared", "highest", "by_hand", "pool", "ranked", "late")}  # fmt: skip
        state = {name: np.append(values, np.zeros((more, *values.shape[1:]), values.dtype), axis=0)
                 for name, values in past.state.items()}  # fmt: skip
        beginning = Checkpoint.beginning(more)
        own = {name: np.append(getattr(self, name), getattr(beginning, name), axis=0)
               for name in ("tallies", "earlier", "last_played", "listed")}  # fmt: skip
        return replace(self, past=replace(past, numbers=np.arange(players), **grown, state=state), **own)

    def of(self, players: Ints) -> Checkpoint:
        """Return what is known of some players, which is enough to explain their games."""
        assert self.past is not None  # noqa: S101  # else no game is explained from here
        past = replace(self.past.of(players), pool=None, ranked=None, late=None)
        own = {name: getattr(self, name)[players] for name in ("tallies", "earlier", "last_played", "listed")}
        return replace(self, past=past, **own)

    def listed_after(self, ratings: Ratings) -> Flags:
        """Return who stands in the list after games that were rated from here, shape (players,)."""
        listed = self.listed.copy()
        for side in ratings.ledger.arrays.seats:
            listed[side] = True
        return listed

    def after(self, ratings: Ratings) -> Checkpoint:
        """Return what is known after games that were rated from here."""
        ledger, counts, last = ratings.ledger, ratings.arrays.tallies, ratings.arrays.tallies[:, 4]
        played, days = np.flatnonzero(last >= 0), self.last_played.copy()
        days[played] = written_days(ledger)[last[played]]
        return Checkpoint(
            None if self.past is None else state_after(ratings, self.past),
            self.tallies + counts[:, :4],
            self.earlier + counts[:, 0],
            days,
            self.listed_after(ratings),
            forecast(ratings.system, ratings.system.leads_before(ratings), ratings).weight,  # type: ignore[attr-defined, arg-type]  # all are `System`s
            _last_date(ledger) or self.last,
        )


@dataclass(frozen=True)
class Rated:
    """A block that has been rated."""

    facts: pl.DataFrame
    """Its games, columns as in `FACTS`, in playing order."""
    start: Checkpoint
    ratings: Ratings
    """Of its games alone; under a system that solves all games together, of all of them."""
    first: int = 0
    """Index of its first game in the ratings."""

    @cached_property
    def end(self) -> Checkpoint:
        """What is known after its games."""
        with _loops(self.facts.height):
            return self.start.after(self.ratings)


class DifferingFacts(Mapping[str, Different]):
    """The different values of the columns of some games, each found when it is asked for: few questions ask for all."""

    def __init__(self, facts: pl.DataFrame) -> None:
        """Take the games, columns as in `FACTS`; what these leave out is empty in every game."""
        self._facts = facts
        self._columns: dict[str, Different] = {}

    def __getitem__(self, name: str) -> Different:
        """Return the different values of a column."""
        if name not in self._columns:
            there = name in FACTS
            self._columns[name] = (
                differing(self._facts[name]) if there else Different(pl.Series(name, [""], SCHEMA[name]))
            )
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the columns."""
        return iter(DIFFERING)

    def __len__(self) -> int:
        """Number of columns."""
        return len(DIFFERING)


def ledger_of(facts: pl.DataFrame, names: Sequence[str], adjustments: Iterable[Adjustment] = ()) -> Ledger:
    """Return games as a ledger.

    Args:
        facts: Columns as in `FACTS`, in playing order.
        names: Of the players, by number.
        adjustments: In order.
    """
    black, white = (facts[side].to_numpy() for side in SIDES)
    columns, line = DifferingFacts(facts), facts["line"].to_numpy()
    coded = EncodedColumns(black.copy(), white.copy(), dates(facts["date"]).copy(), columns, line)
    return Ledger(Arrays(coded, NamedPlayers(list(names))), tuple(adjustments))


def in_playing_order(facts: pl.DataFrame) -> pl.DataFrame:
    """Return games by date, event, round and the entry that recorded them; those without a date come first."""
    return facts.sort(PLAYING_ORDER, nulls_last=False, maintain_order=True)


def rated(
    system: System,
    facts: pl.DataFrame,
    names: Sequence[str],
    adjustments: Sequence[Adjustment],
    start: Checkpoint,
) -> Iterator[Rated]:
    """Rate games block by block, to the bit as `system.rate` rates all of them together.

    Args:
        system: The rules.
        facts: All games from the checkpoint on, in playing order.
        names: Of all players, by number.
        adjustments: All that hold, in order, also those of before.
        start: What is known before the first game; the beginning for a system that solves all games together.
    """
    if isinstance(system, Sequential):
        yield from _rated_in_turn(system, facts, names, adjustments, start)
        return
    ratings = rated_in_full(system, ledger_of(facts, names, adjustments))
    start = replace(start, past=None)
    for first in range(0, max(facts.height, 1), SIZE):
        yield Rated(facts[first : first + SIZE], start, ratings, first)


def rate_block(
    system: Sequential, facts: pl.DataFrame, names: Sequence[str], adjustments: Sequence[Adjustment],
    start: Checkpoint, *, final: bool,
) -> Ratings:  # fmt: skip
    """Rate one block from what is known at its start.

    Args:
        system: The rules.
        facts: Games of the block, in playing order.
        names: Of the players, by number.
        adjustments: All that hold, in order, of these players.
        start: What is known of these players.
        final: Whether no block comes after it.
    """
    return _rated_from(system, ledger_of(facts, names, _needed(adjustments, names, start, facts, final=final)), start)


def _loops(games: int) -> AbstractContextManager[None]:
    """Let kernels choose their form for so many games."""
    return repeated(OFTEN if games >= LARGE else 1)


def _rated_from(system: Sequential, ledger: Ledger, start: Checkpoint) -> Ratings:
    """Rate the games of a block, with the adjustments that it reads, from what is known at its start."""
    with _loops(len(ledger)):
        ratings = system.rate_after(start.past, ledger)
    return Ratings(replace(ratings.arrays, earlier=start.earlier, slope_weights=start.slope_weights))


def _rated_in_turn(
    system: Sequential,
    facts: pl.DataFrame,
    names: Sequence[str],
    adjustments: Sequence[Adjustment],
    start: Checkpoint,
) -> Iterator[Rated]:
    """Rate blocks one after the other, each from what is known at its start; arguments as in `rated`."""
    ledger, last = ledger_of(facts, names), facts.height
    for first, end in pairwise([*starts_of_blocks(system, ledger), last]):
        games = facts[first:end]
        wanted = _needed(adjustments, names, start, games, final=end == last)
        block = Rated(games, start, _rated_from(system, between(ledger, first, end, wanted), start))
        yield block
        if end < last:
            start = block.end


def starts_of_blocks(system: Sequential, ledger: Ledger) -> list[int]:
    """Return where the blocks of games start, of which none is rated together with games of another; at least 0.

    The last blocks are small, for most entries fall into them.
    """
    games = len(ledger)
    if games < 2 * LEAST:
        return [0]
    with _loops(games):
        places = batch_boundaries(ledger, system.together).tolist()
    starts = [0]
    while (rest := games - starts[-1]) >= 2 * LEAST:
        later = bisect_left(places, starts[-1] + min(max(rest // 2, LEAST), SIZE))
        if later == len(places):
            break
        starts.append(places[later])
    return starts


def _needed(
    adjustments: Sequence[Adjustment], names: Sequence[str], start: Checkpoint, games: pl.DataFrame, *, final: bool
) -> list[Adjustment]:
    """Return the adjustments that a block reads: those of its time, and earlier ones of who has not entered.

    Args:
        adjustments: All, in order.
        names: Of the players, by number.
        start: What is known at its start.
        games: Those of the block.
        final: Whether no block comes after it.
    """
    if not adjustments:
        return []
    number, last = {name: place for place, name in enumerate(names)}, start.last
    assert start.past is not None  # noqa: S101  # such a system has no blocks
    entered, until, wanted = start.past.entered, games["date"].max(), []
    for item in adjustments:
        moment = None if item.date is None else item.date.moment  # type: ignore[union-attr]  # read by its constructor
        begins = last is None or (moment is not None and moment > last)
        ends = final or moment is None or (until is not None and moment <= until)  # type: ignore[operator]
        if ends and (begins or not entered[number[item.player]]):
            wanted.append(item)
    return wanted


def written_days(ledger: Ledger) -> NDArray[np.bytes_]:
    """Return the day of each game as it was written, without a time; empty without a date; shape (games,)."""
    precision = np.minimum(ledger.arrays.column("precision").to_numpy(), 10).astype(np.int64)
    different, number = np.unique(
        np.where(ledger.arrays.dated, ledger.arrays.day * 11 + precision, NO_DATE), return_inverse=True
    )
    texts = [
        "" if key == NO_DATE else written(EPOCH + timedelta(days=key // 11), key % 11) for key in different.tolist()
    ]
    days: NDArray[np.bytes_] = np.array(texts, dtype=DAY)[number]
    return days


def _last_date(ledger: Ledger) -> datetime | None:
    """Return the date of the last game of a ledger, None where none has a date."""
    column = ledger.arrays.column("date")
    value = None if not len(column) else column[-1]
    return value if isinstance(value, datetime) else None


def players_of(facts: pl.DataFrame, adjusted: Iterable[int] = ()) -> Ints:
    """Return the numbers of the players of games, and of others, ascending."""
    sides = [facts[side].to_numpy().astype(np.int64) for side in SIDES]
    return np.unique(np.concatenate([*sides, np.array([*adjusted], dtype=np.int64)]))


def renumbered(facts: pl.DataFrame, players: Ints) -> pl.DataFrame:
    """Return games whose players are numbered by their places among some players, given by number and ascending."""
    place = np.zeros(int(players.max(initial=0)) + 1, dtype=np.uint32)
    place[players] = np.arange(len(players))
    own = {side: place[facts[side].to_numpy()] for side in SIDES}
    return pl.DataFrame([pl.Series(side, own[side]) if side in own else facts[side] for side in facts.columns])


BY_GAME = ("before", "change", "unrated", "printed", "variances")
"""Arrays of ratings with a row a game."""
RANK_NUMBERS = ("rank_before", "rank_after")
EXPLAINING = "extra "
"""What stands before the name of a field of `Extra` that reasons read."""
FACTS_OF_CHECKPOINT = ("tallies", "earlier", "last_played", "listed")
OF_PAST = ("numbers", "entered", "declared", "highest", "by_hand", "pool", "ranked", "late")


def games_of(block: Rated) -> dict[str, NDArray[Any]]:
    """Return what the ratings of a block say of each of its games, and reasons read, by the names of their fields."""
    ratings, rows = block.ratings, slice(block.first, block.first + block.facts.height)
    arrays = {name: values[rows] for name in BY_GAME if (values := getattr(ratings.arrays, name)) is not None}
    if ratings.arrays.rank_numbers is not None:
        arrays |= {name: values[rows] for name, values in zip(RANK_NUMBERS, ratings.arrays.rank_numbers, strict=True)}
    extra, sequence = ratings.arrays.extra, ratings.arrays.sequence
    within = (sequence >= rows.start) & (sequence < rows.stop)
    arrays |= {EXPLAINING + name: getattr(extra, name)[rows] for name in extra.by_game or ()}
    arrays |= {EXPLAINING + name: getattr(extra, name)[within] for name in extra.by_rated_game}
    own = sequence[within] - rows.start
    if len(own) < block.facts.height or (np.diff(own) != 1).any():
        arrays["sequence"] = own
    return arrays


def ratings_of(
    system: System, blocks: Iterable[Sequence[bytes]], names: Sequence[str], figures: Mapping[str, NDArray[Any]],
    player: int | None = None,
) -> tuple[pl.DataFrame, Ratings]:  # fmt: skip
    """Return the games of blocks under one of the rules, and their ratings as they were written.

    They explain games only of a system whose `Extra` says what a reason reads.

    Args:
        system: The rules.
        blocks: Facts (`facts_as_bytes`) and ratings (`games_of` and `summary_of`) of at least one, in playing order.
        names: Of the players, by number.
        figures: `rating`, `pool` and perhaps `rank_number` of the players now.
        player: The number of a player whose games and adjustments alone are wanted.
    """
    parts: list[pl.DataFrame] = []
    columns: dict[str, list[NDArray[Any]]] = {}
    adjusted: list[Adjusted] = []
    reasons: list[Any] = []
    games, rated_games, unit = 0, 0, 1.0
    extra = empty_ratings(system).arrays.extra
    by_rated_game = {EXPLAINING + name for name in extra.by_rated_game}
    for facts, written_ratings in blocks:
        table, (arrays, plain) = stored_facts(facts), unpacked(written_ratings)
        wanted = np.ones(table.height, dtype=np.bool_)
        if player is not None:
            wanted = (table["black"].to_numpy() == player) | (table["white"].to_numpy() == player)
            table = table[np.flatnonzero(wanted)]
        parts.append(table)
        taken = arrays.pop("sequence", np.arange(len(wanted)))
        own = wanted[taken]
        adjusted += [
            item._replace(place=int(own[: item.place].sum()) + rated_games)
            for item in map(_adjusted_of, plain["adjusted"]) if player is None or item.player == player
        ]  # fmt: skip
        reasons += [text for text in plain["reasons"] if text not in reasons]
        number = np.array([reasons.index(text) for text in plain["reasons"]])
        arrays |= {"unrated": number[arrays["unrated"]]}
        for name, values in arrays.items():
            columns.setdefault(name, []).append(values[own if name in by_rated_game else wanted])
        columns.setdefault("sequence", []).append((np.cumsum(wanted) - 1)[taken[own]] + games)
        games, rated_games, unit = games + table.height, rated_games + int(own.sum()), plain["deviation_unit"]
    together, made = pl.concat(parts).cast(FACTS), {name: np.concatenate(values) for name, values in columns.items()}
    ranks = [made[name] for name in RANK_NUMBERS if name in made]
    read = {name.removeprefix(EXPLAINING): made[name] for name in made if name.startswith(EXPLAINING)}
    return together, Ratings(
        RatingArrays(
            system=system,
            ledger=ledger_of(together, names),
            rating=figures["rating"],
            before=made["before"],
            change=made["change"],
            unrated=made["unrated"],
            reasons=tuple(clause_of(text) for text in reasons),
            sequence=made["sequence"],
            batch=np.arange(games + 1),
            pool=figures["pool"],
            printed=made.get("printed"),
            rank_number=figures.get("rank_number"),
            rank_numbers=(ranks[0], ranks[1]) if ranks else None,
            variances=made.get("variances"),
            deviation_unit=unit,
            adjusted=tuple(adjusted),
            extra=replace(extra, **read),
        )
    )


def with_names(ratings: Ratings, names: Sequence[str]) -> Ratings:
    """Return the same ratings with other names of the players, by number."""
    ledger = Ledger(Arrays(ratings.ledger.arrays.columns, NamedPlayers([*names])))
    return Ratings(replace(ratings.arrays, ledger=ledger))


@lru_cache(RULES)
def empty_ratings(system: System) -> Ratings:
    """Return the ratings of a system before the first game."""
    return system.rate(ledger_of(pl.DataFrame(schema=FACTS), []))


def summary_of(block: Rated) -> dict[str, Any]:
    """Return what the ratings of a block say besides their arrays, as plain data."""
    ratings = block.ratings
    adjusted = ratings.arrays.adjusted if block.start.past is not None or not block.first else ()
    return {
        "reasons": [plain_clause(text) for text in ratings.arrays.reasons],
        "deviation_unit": ratings.arrays.deviation_unit,
        "adjusted": [
            [plain_adjustment(item.item), item.player, item.place, item.before, item.after,
             str(item.rank_before or ""), str(item.rank_after or "")]
            for item in adjusted
        ],
    }  # fmt: skip


def _adjusted_of(plain: Sequence[Any]) -> Adjusted:
    item, player, place, before, after, *ranks = plain
    return Adjusted(
        Adjustment(**item), player, place, before, after, *(Rank.parse(text) if text else None for text in ranks)
    )


def plain_clause(text: str) -> Any:
    """Return a sentence as plain data."""
    if not isinstance(text, Clause):
        return text
    return {"pattern": text.pattern, "values": {name: _plain_value(value) for name, value in text.values.items()}}


def _plain_value(value: Any) -> Any:
    if isinstance(value, Clause):
        return plain_clause(value)
    return {"rank": str(value)} if isinstance(value, Rank) else value


def clause_of(plain: Any) -> str:
    """Return the sentence of plain data."""
    if isinstance(plain, str):
        return plain
    return Clause.of(plain["pattern"], **{name: _value_of(value) for name, value in plain["values"].items()})


def _value_of(plain: Any) -> Any:
    if not isinstance(plain, dict):
        return plain
    return Rank.parse(plain["rank"]) if "rank" in plain else clause_of(plain)


def facts_as_bytes(facts: pl.DataFrame) -> bytes:
    """Return games as an Arrow file, texts as categories."""
    texts: dict[Any, Any] = {name: pl.Categorical() for name, kind in FACTS.items() if kind == pl.String}
    file = BytesIO()
    facts.cast(texts).write_ipc(file, compression="lz4")
    return file.getvalue()


def facts_of_bytes(content: bytes) -> pl.DataFrame:
    """Return the games of `facts_as_bytes`."""
    return stored_facts(content).cast(FACTS)


def stored_facts(content: bytes) -> pl.DataFrame:
    """Return the games of `facts_as_bytes` with texts as categories, which is enough to rate them."""
    return with_absent(pl.read_ipc(BytesIO(content), use_pyarrow=False), FACTS)


def packed(arrays: Mapping[str, NDArray[Any]], plain: Any = None) -> bytes:
    """Return arrays and a plain value as bytes: a line of JSON, then one array after another."""
    heads = [[name, values.dtype.str, values.shape] for name, values in arrays.items()]
    parts = [np.ascontiguousarray(values).tobytes() for values in arrays.values()]
    return b"".join([json.dumps([heads, plain]).encode(), b"\n", *parts])


def unpacked(content: bytes) -> tuple[dict[str, NDArray[Any]], Any]:
    """Return the arrays and the plain value of `packed`; the arrays may be written to."""
    head, _, rest = bytes(content).partition(b"\n")
    heads, plain = json.loads(head)
    arrays: dict[str, NDArray[Any]] = {}
    place = 0
    for name, kind, shape in heads:
        dtype = np.dtype(kind)
        size = int(np.prod(shape, dtype=np.int64))
        arrays[name] = np.frombuffer(rest, dtype, size, place).reshape(shape).copy()
        place += size * dtype.itemsize
    return arrays, plain


def checkpoint_as_bytes(checkpoint: Checkpoint) -> bytes:
    """Return a checkpoint as bytes."""
    past = checkpoint.past
    arrays = {name: getattr(checkpoint, name) for name in FACTS_OF_CHECKPOINT}
    if checkpoint.slope_weights is not None:
        arrays["slope_weights"] = checkpoint.slope_weights
    plain: dict[str, Any] = {"last": checkpoint.last and checkpoint.last.isoformat()}
    if past is not None:
        arrays |= {name: values for name in OF_PAST if (values := getattr(past, name)) is not None}
        arrays |= {f"state {name}": values for name, values in past.state.items()}
        adjusted = [plain_adjustment(item) for item in past.adjustments]
        plain |= {"batches": past.batches, "day": past.day, "adjustments": adjusted}
    return packed(arrays, plain)


def checkpoint_of_bytes(content: bytes) -> Checkpoint:
    """Return the checkpoint of `checkpoint_as_bytes`."""
    arrays, plain = unpacked(content)
    past = None
    if "batches" in plain:
        state = {name.removeprefix("state "): values for name, values in arrays.items() if name.startswith("state ")}
        own: dict[str, Any] = {name: arrays[name] for name in OF_PAST if name in arrays}
        items = tuple(Adjustment(**item) for item in plain["adjustments"])
        past = ReplayState(**own, state=state, batches=plain["batches"], day=plain["day"], adjustments=items)
    last = None if plain["last"] is None else datetime.fromisoformat(plain["last"])
    weights = arrays.get("slope_weights")
    return Checkpoint(past, **{name: arrays[name] for name in FACTS_OF_CHECKPOINT}, slope_weights=weights, last=last)


def plain_adjustment(item: Adjustment) -> dict[str, Any]:
    """Return an adjustment as plain data, from which its constructor makes it again."""
    facts = {"player": item.player, "rank": item.rank and str(item.rank), "rating": item.rating, "note": item.note,
             "date": item.date and str(item.date), "at_least": item.at_least, "deviation": item.deviation}  # fmt: skip
    return {name: value for name, value in facts.items() if value not in {None, ""} and value is not False}
