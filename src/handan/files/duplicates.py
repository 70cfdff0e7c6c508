"""Files, events and rows that are given twice: each is reported, so that none counts twice unnoticed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.errors import Clause, Problem, counted
from handan.files.games.contents import FILE, Reading, games_of
from handan.ledger import Ledger
from handan.ledger.duplicate_games import PLACE, counted_again
from handan.ledger.name_folding import folded

LIKELY = ("date", "black", "white", "result")
OF_GAMES = (*LIKELY, "precision", "handicap", "komi", "event", "round")
"""What a game in a file and in a ledger that was built of it agree in; players may have got ids there."""
NUMBER = "number"
REMEDY = " (--keep-repeats counts them all)"
NOT_AGAIN = "1 game is not counted again: {why}{hint}"
NONE_AGAIN = "{number} games are not counted again: {why}{hint}"
NAME = 20  # letters of a name that all formats have room for
FEW = 4  # our choice: games that tell of one event under two names
MOST_LIKE = 8  # our choice: events with one and the same game that are compared with each other


@dataclass(frozen=True, slots=True)
class Repeat:
    """A file, or one event of it, that another file holds too."""

    place: int
    """Which of the files it is."""
    event: str | None
    """None for the whole file."""
    problem: Problem
    dropped: bool = True
    """Whether it counts once; False where the files differ, so that a person must look."""


def without_repeats(readings: list[Reading]) -> list[Reading]:
    """Return the files without the games that an earlier or fuller one holds too, and with a warning for each."""
    result = list(readings)
    for finder in (same_files, in_ledgers, same_events):
        for repeat in finder(result):
            reading = result[repeat.place]
            contents = reading.contents
            assert contents is not None  # noqa: S101  # told to the type checker: it has games
            kept = pl.lit(not repeat.dropped) if repeat.event is None else pl.col("event") != repeat.event
            games = contents.games.filter(kept) if repeat.dropped else contents.games
            problems = [*contents.problems, repeat.problem]
            gone = {each.name for each in contents.events if repeat.dropped and repeat.event in (None, each.name)}
            events = tuple(each for each in contents.events if each.name not in gone)
            contents = replace(contents, columns=games, events=events, problems=problems)
            result[repeat.place] = replace(reading, contents=contents)
    return result


def same_files(readings: Sequence[Reading]) -> Iterator[Repeat]:
    """Yield the files whose bytes and games are those of an earlier one."""
    first: dict[str, list[Reading]] = defaultdict(list)
    for place, reading in enumerate(readings):
        if not reading.digest or reading.contents is None or not reading.contents.games.height:
            continue
        before = first[reading.digest]
        games = reading.contents.games.drop("source") if before else None
        like = next((one for one in before if games is not None and games.equals(_games(one).drop("source"))), None)
        if like is None:
            first[reading.digest].append(reading)
            continue
        given = Clause.of("this file was given before")
        other = Clause.of("{other} is the same file", other=like.source)
        yield _not_again(place, reading, given if like.source == reading.source else other)


def in_ledgers(readings: Sequence[Reading]) -> Iterator[Repeat]:
    """Yield the files all of whose games stand in a ledger on disk that is read with them, as those it was built of.

    A ledger is such a file itself where another file holds all its games, as one that went on since it was built.
    """
    sizes = [0 if reading.contents is None else reading.contents.games.height for reading in readings]
    there = {place for place, size in enumerate(sizes) if size}
    for ledger in [place for place in sorted(there) if readings[place].ledger is not None]:
        if ledger not in there or len(there) < 2:
            continue
        own, facts = _numbered(_games(readings[ledger])), [*OF_GAMES, NUMBER]
        others = [_numbered(_games(readings[place])).with_columns(file=place) for place in sorted(there - {ledger})]
        common = (
            pl.concat(others).join(own, facts, "semi", nulls_equal=True).group_by("file", maintain_order=True).len()
        )
        for place, games in common.iter_rows():
            if games == sizes[place]:
                there.remove(place)
                why = Clause.of("the ledger {other} holds the same games", other=readings[ledger].source)
                yield _not_again(place, readings[place], why)
            elif games == sizes[ledger]:
                there.remove(ledger)
                why = Clause.of("{other} holds the same games", other=readings[place].source)
                yield _not_again(ledger, readings[ledger], why)
                break


def _numbered(games: pl.DataFrame) -> pl.DataFrame:
    """Return what makes games the same, and the number of each among those that are."""
    names = [pl.col(name).cast(pl.String) for name in ("black", "white")]
    return games.select(OF_GAMES).with_columns(names).with_columns(pl.int_range(pl.len()).over(OF_GAMES).alias(NUMBER))


def _not_again(place: int, reading: Reading, why: Clause) -> Repeat:
    """Return a file, none of whose games count."""
    games = _games(reading).height
    message = Clause.of(NOT_AGAIN if games == 1 else NONE_AGAIN, number=f"{games:,}", why=why, hint=REMEDY)
    size, again = counted(games, "game"), f"counted again: {why}{REMEDY}"
    problem = Problem(reading.source, None, "file", size, again, rejected=False, message=message)
    return Repeat(place, None, problem)


def _games(reading: Reading) -> pl.DataFrame:
    assert reading.contents is not None  # noqa: S101  # told to the type checker
    return reading.contents.games


def with_repeats(readings: list[Reading]) -> list[Reading]:
    """Return the files, each for itself with all its games, with the warnings of what is given twice."""
    rows: dict[int, list[Problem]] = defaultdict(list)
    for file, problem in _repeated(games_of(readings)):
        rows[file].append(problem)
    result = []
    for place, (reading, once) in enumerate(zip(readings, without_repeats(readings), strict=True)):
        if reading.contents is None or once.contents is None:
            result.append(reading)
            continue
        problems = [*once.contents.problems, *rows[place]]
        result.append(replace(reading, contents=replace(reading.contents, problems=problems)))
    return result


@dataclass(frozen=True, slots=True)
class _Event:
    """The decided games of one event in one file."""

    place: int
    name: str
    size: int
    colours: int
    """How many games tell who had Black; of two files of one event that with more is kept."""
    shared: frozenset[str]
    """Keys of the games that other files have too."""


def same_events(readings: Sequence[Reading]) -> Iterator[Repeat]:
    """Yield the events all of whose decided games stand in another file: day, round, players and results.

    Names are compared without marks and as far as all formats have room for them. Two names of an event do not matter
    if it has a few games. An event that another file tells differently in some games is told of, and both count.
    """
    events = _events(readings)
    kept: dict[str, list[_Event]] = defaultdict(list)
    for event in sorted(events, key=lambda event: (-event.size, -event.colours, event.place)):
        overlap = Counter(
            other for key in event.shared for other in kept[key]
            if other.place != event.place and (event.size >= FEW or _plain(event.name) == _plain(other.name))
        )  # fmt: skip
        other, common = max(overlap.items(), key=lambda item: item[1], default=(None, 0))
        source = "" if other is None else readings[other.place].source
        own, games = readings[event.place].source, f"{event.name} ({counted(event.size, 'game')})"
        if common == event.size:
            expected = Clause.of("counted again: {other} holds the same games{hint}", other=source, hint=REMEDY)
            yield Repeat(event.place, event.name, Problem(own, None, "event", games, expected, rejected=False))
            continue
        if 2 * common >= event.size:
            pattern = "told alike in {other}: {common} of {size} games are the same; all count"
            expected = Clause.of(pattern, other=source, common=common, size=event.size)
            problem = Problem(own, None, "event", games, expected, rejected=False)
            yield Repeat(event.place, event.name, problem, dropped=False)
        for key in event.shared:
            if len(kept[key]) < MOST_LIKE:
                kept[key].append(event)


def _plain(name: str) -> str:
    return "".join(c for c in folded(name) if c.isalnum())


def _events(readings: Sequence[Reading]) -> list[_Event]:
    """Return the events of files that share a game with another file."""
    named = (pl.col("event") != "") & pl.col("round").is_not_null() & pl.col("date").is_not_null()
    columns = (pl.col(FILE).alias("file"), "event", "date", "round", "black", "white", "result")
    games = games_of(readings).lazy().filter(named).select(*columns).collect()
    if games["file"].n_unique() < 2:
        return []
    names = pl.concat([games["black"], games["white"]]).cast(pl.String).unique().to_list()
    short = {name: _plain(name)[:NAME] for name in names}
    black, white = (pl.col(side).cast(pl.String).replace(short) for side in ("black", "white"))
    winner = (
        pl.when(pl.col("result").str.contains(r"^(B|P1)\+")).then(black)
        .when(pl.col("result").str.contains(r"^(W|P2)\+")).then(white)
        .when(pl.col("result").is_in(["jigo", "P=", "void"])).then(pl.lit("="))
        .when(pl.col("result") == "?").then(None)
        .otherwise(pl.col("result"))
    )  # fmt: skip
    sides = (pl.min_horizontal(black, white), pl.max_horizontal(black, white))
    parts = (pl.col("date").dt.date().cast(pl.String), pl.col("round").cast(pl.String), *sides, winner)
    games = games.with_columns(pl.concat_str(parts, separator="\n").alias("key")).filter(pl.col("key").is_not_null())
    games = games.with_columns(pl.col("file").n_unique().over("key").alias("files"))
    grouped = games.group_by("file", "event").agg(
        pl.col("key").n_unique().alias("size"),
        pl.col("result").str.contains("^[BWj]").sum().alias("colours"),
        pl.col("key").filter(pl.col("files") > 1).unique().alias("shared"),
    )
    return [
        _Event(row["file"], row["event"], row["size"], row["colours"], frozenset(row["shared"]))
        for row in grouped.iter_rows(named=True) if row["shared"]
    ]  # fmt: skip


def repeated_rows(table: pl.DataFrame) -> list[Problem]:
    """Return a warning for each source some of whose rows say the same as others, though these may be other games.

    Rows without a date are not looked at: two such rows are as a rule two games.
    """
    return [problem for _, problem in _repeated(table.with_columns(pl.lit(0, pl.Int64).alias(FILE)))]


def _repeated(table: pl.DataFrame) -> Iterator[tuple[int, Problem]]:
    """Yield the same about the games of each file, with its number."""
    columns = [name for name in table.columns if name not in PLACE]
    table = table.filter(pl.col("date").is_not_null())
    alike = table.select(FILE, *LIKELY).hash_rows().is_duplicated()  # few columns first: most tables hold no repeat
    if not alike.any():
        return
    rows = table.filter(alike)
    first_of_line = pl.struct(FILE, "source", "line").is_first_distinct() | pl.col("line").is_null()
    single = rows.filter(first_of_line)  # a line with a sum is many games; games of a ledger on disk have no lines
    again = single.filter(~pl.struct(columns).is_first_distinct())
    for file, source, count in again.group_by(FILE, "source", maintain_order=True).len().iter_rows():
        yield file, counted_again(source, count)


def repeats_in(ledger: Ledger) -> list[Problem]:
    """Return the warnings of `repeated_rows` about the games of a ledger, of which few are laid out as a table."""
    alike = np.flatnonzero(_alike(ledger))
    return repeated_rows(ledger.arrays.rows(alike)) if len(alike) else []


def _alike(ledger: Ledger) -> NDArray[np.bool_]:
    """Return which games share date, players and result with another one, shape (games,).

    Where a number runs over, others are among them.
    """
    games, players = ledger.arrays.columns, len(ledger.names)
    results, result = games.different["result"]
    number = (games.date.astype(np.int64) * players + games.black) * players + games.white
    key = pl.Series(number if result is None else number * len(results) + result)
    in_order = key.sort(multithreaded=False)
    twice = in_order.filter(in_order == in_order.shift()).unique()
    return key.is_in(twice.implode()).to_numpy()


def added_up(problems: Iterable[Problem]) -> list[Problem]:
    """Return the warnings of `repeated_rows` about parts of sources as one for each source."""
    counts: Counter[str] = Counter()
    for problem in problems:
        counts[problem.source] += int(problem.found.split()[0].replace(",", ""))
    return [counted_again(source, count) for source, count in counts.items()]
