"""A ledger on disk: its games as Parquet, a file a year, which polars, DuckDB, pandas and Spark read as they are."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from handan.errors import Clause, InputError, Problem
from handan.ledger.arrays import Arrays
from handan.ledger.columns import SCHEMA, of_games, with_absent
from handan.ledger.dates import When
from handan.ledger.duplicate_games import counted_again, together
from handan.ledger.encoded_columns import (
    DIFFERING,
    PLAYERS,
    Different,
    EncodedColumns,
    dates,
    differing,
    in_milliseconds,
    numbered_among,
)
from handan.ledger.events import event_of, joined, two_in_one
from handan.ledger.facts import Adjustment, Player
from handan.ledger.identity import OldPlayersChanged, recognised
from handan.ledger.ledger import Ledger, between, in_order, in_playing_order
from handan.ledger.manifest import read_manifest, writing
from handan.ledger.players import NamedPlayers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handan.ledger.events import Event
    from handan.ledger.manifest import Draft, Manifest

MOST_GAMES = 1 << 19
"""Our choice: a year of more games has several files, none of which parts a day."""
BEYOND = {
    (True, 1): "1 more row left out",
    (True, 2): "{number} more rows left out",
    (False, 1): "1 more row read in another way than written",
    (False, 2): "{number} more rows read in another way than written",
}
"""By whether they are left out, and how many there are, 2 for several."""
MOST_PROBLEMS = 1000  # our choice: more are counted, and each says little
PERSON = pl.Schema(
    {item.name: pl.Float64 if item.name in ("rating", "deviation") else pl.String for item in fields(Player)}
)
ANEW = "build the ledger anew from all files"


def save_ledger(ledger: Ledger, path: str | os.PathLike[str]) -> None:
    """Write a ledger as a folder of Parquet files; one that is there is replaced when the new one is whole.

    Raises:
        InputError: The folder holds something else, somebody else is writing to it, or it cannot be written.
    """
    with writing(path) as draft:
        put_ledger(draft, ledger)
        draft.commit()


def put_ledger(draft: Draft, ledger: Ledger) -> None:
    """Write the games of a ledger, its players in order, and all else that it says."""
    for first, end in spans_of(days_of(ledger.arrays.column("date"))):
        put_games(draft, between(ledger, first, end).games)
    put_players(draft, ledger.players)
    put_besides(draft, ledger.adjustments, ledger.problems, ledger.warnings, ledger.events)


def open_ledger(path: str | os.PathLike[str]) -> Ledger:
    """Return the ledger in a folder; its games are numbers in memory (`EncodedColumns`), some 15 bytes each.

    Raises:
        InputError: The path is no such folder, or a file of it is damaged, which the message names.
    """
    manifest = read_manifest(path)
    try:
        return ledger_in(manifest)
    except InputError:
        newer = read_manifest(path)
        if newer.generation == manifest.generation:
            raise
        return ledger_in(newer)  # a writer replaced the files while they were read


def damage(path: str | os.PathLike[str]) -> list[str]:
    """Read all files of a ledger on disk and return what is damaged, one line each."""
    return list(read_manifest(path).damaged())


def ledger_in(manifest: Manifest) -> Ledger:
    """Return the ledger of a manifest; InputError where a file that it names is damaged or gone."""
    people = manifest.frame(manifest.file_of("players")).sort("order", "name")
    names, *others = people.get_columns()
    bare = all(not column.null_count() and (column == "").all() for column in others if column.dtype == pl.String)
    named = bare and people["rating"].null_count() == people.height
    players = NamedPlayers(names.to_list()) if named else tuple(Player(**row) for row in people.iter_rows(named=True))
    return Ledger(Arrays(_coded(manifest, names), players), **besides_in(manifest))


def _coded(manifest: Manifest, names: pl.Series) -> EncodedColumns:
    """Return the games of all files as numbers, the players by their place among names."""
    categories = names.cast(pl.Categorical)  # as long as they are here, a name has one code in all files
    code = categories.to_physical().to_numpy()
    place = np.zeros(int(code.max(initial=0)) + 1, dtype=np.uint32)
    place[code] = np.arange(len(code))
    seats: dict[str, list[NDArray[np.uint32]]] = {side: [np.empty(0, np.uint32)] for side in PLAYERS}
    days: list[NDArray[Any]] = [np.empty(0, np.int32)]
    values = {name: pl.Series(name, [], dtype=SCHEMA[name]) for name in DIFFERING}
    numbers: dict[str, list[NDArray[Any]]] = {name: [] for name in DIFFERING}
    for file in manifest.games:
        frame = _frame(manifest, file)
        for side in PLAYERS:
            seats[side].append(place[frame[side].cast(pl.Categorical).to_physical().to_numpy()])
        days.append(dates(frame["date"]))
        for name in DIFFERING:
            own = numbered_among(values[name], differing(frame[name]), frame.height)
            values[name] = own.values
            numbers[name].append(np.zeros(frame.height, np.uint8) if own.number is None else own.number)
    if any(part.dtype == np.int64 for part in days):
        days = [in_milliseconds(part) for part in days]
    different = {
        name: Different(values[name], np.concatenate(parts) if len(values[name]) > 1 else None)
        for name, parts in numbers.items()
    }
    return EncodedColumns(
        np.concatenate(seats["black"]), np.concatenate(seats["white"]), np.concatenate(days), different
    )


def _frame(manifest: Manifest, file: str) -> pl.DataFrame:
    """Return a file of games; a column that did not exist when it was written says nothing of any game."""
    frame = manifest.frame(file)
    if more := [name for name in frame.columns if name not in SCHEMA]:
        raise InputError(f"{manifest.path} was written by a later version of Handan, which keeps {', '.join(more)}")
    return with_absent(frame, SCHEMA)


def table_of(manifest: Manifest, names: Iterable[str]) -> pl.DataFrame:
    """Return the games of some files as rows of the typed table, in order of entry."""
    frames = [_frame(manifest, name).cast(dict(SCHEMA)) for name in names]  # type: ignore[arg-type]
    return pl.concat([of_games([]), *frames])


def games_from(manifest: Manifest, first: int) -> pl.DataFrame:
    """Return the games from an index on as rows of the typed table."""
    names, start, skipped = list[str](), 0, 0
    for name in manifest.games:
        rows = manifest.files[name].rows
        if start + rows > first:
            skipped = skipped if names else first - start
            names.append(name)
        start += rows
    return table_of(manifest, names).slice(skipped)


def put_games(draft: Draft, games: pl.DataFrame) -> None:
    """Write typed games in playing order as one file; texts are categories, which are read without looking at each."""
    first, last = games["date"].dt.epoch("ms")[0, -1]
    year = _year_of(first)
    taken = {name.split(".")[0] for name in draft.now.files}
    stems = (f"games/{year}" + f"-{number}" * (number > 1) for number in itertools.count(1))
    texts = [pl.col(name).cast(pl.String).cast(pl.Categorical) for name, kind in SCHEMA.items() if kind == pl.String]
    stem = next(stem for stem in stems if stem not in taken)
    kept = games.select(name for name in SCHEMA if name != "line").with_columns(texts)
    draft.put_frame(stem, kept, first=first, last=last)


def _year_of(moment: int | None) -> str:
    """Return the year of a moment in milliseconds since 1970-01-01."""
    return "undated" if moment is None else str(np.datetime64(moment, "ms").astype("datetime64[Y]"))


def days_of(dates: pl.Series) -> Iterator[tuple[date | None, int]]:
    """Yield the days of games in playing order, each with its number of games; None for games without a date."""
    yield from dates.dt.date().rle().struct.unnest().select("value", "len").iter_rows()


def spans_of(days: Iterable[tuple[date | None, int]]) -> Iterator[tuple[int, int]]:
    """Yield where the games of each file begin and end: those of a year, or of some of its days where it has many.

    Args:
        days: In playing order, each with its number of games.
    """
    first = end = 0
    year = None
    for day, count in days:
        own = None if day is None else day.year
        if end > first and (own != year or end - first + count > MOST_GAMES):
            yield first, end
            first = end
        year, end = own, end + count
    if end > first:
        yield first, end


def players_in(manifest: Manifest) -> list[Player]:
    """Return the players in the order in which they came."""
    return [Player(**row) for row in manifest.frame(manifest.file_of("players")).iter_rows(named=True)]


def put_players(draft: Draft, players: Iterable[Player]) -> None:
    """Write the players, one row each."""
    draft.put_frame("players", pl.DataFrame(list(map(asdict, players)), schema=PERSON))


class Merged(NamedTuple):
    """What became of games that were put among those of a ledger on disk."""

    games: int
    """How many were added, without repeats."""
    repeats: dict[str, int]
    """How many say the same as one that was there, by source."""
    corrected: int
    """How many took the place of one that was there."""
    names: dict[str, str]
    """The name in the ledger of each of their players."""
    newcomers: list[Player]
    described: list[Player]
    """Players of whom more is known now."""
    adjustments: list[Adjustment]
    """Those that came with the games."""


def append(path: str | os.PathLike[str], later: Ledger, *, dedupe: bool = False) -> Merged:
    """Put games of any dates among those of a ledger on disk; it is then the ledger of all games together.

    Only the files of the years in which they were played are written.

    Args:
        path: Its folder.
        later: The games.
        dedupe: Whether those that say the same as one that is there are left out.

    Raises:
        InputError: A player may be one of two, or the folder is damaged, holds saved ratings or is being written;
            nothing is changed then.
    """
    return _put(path, later, keep_repeats=not dedupe)


def correct(path: str | os.PathLike[str], new: Ledger) -> Merged:
    """Let each of some games take the place of the one of its date, players, event and round.

    Raises:
        InputError: As `append`, or there is no such game, or several.
    """
    return _put(path, new, correct=True)


def _put(path: str | os.PathLike[str], later: Ledger, **how: bool) -> Merged:
    with writing(path, grow=True) as draft:
        if draft.now.facts:
            raise InputError(f"{path} holds saved ratings; handan add adds games to them")
        try:
            answer = put_in(draft, later, **how)
        except OldPlayersChanged as why:
            raise InputError(f"{why}; {ANEW}") from None
        draft.commit()
    return answer


def put_in(draft: Draft, later: Ledger, *, correct: bool = False, keep_repeats: bool = False) -> Merged:
    """Put games, and all else that a ledger says, among those of a ledger on disk.

    Args:
        draft: Takes them.
        later: The games.
        correct: Whether each game takes the place of the one of its date, players, event and round.
        keep_repeats: Whether a game that says the same as one that is there counts again. Of two alike games one is
            a repeat where one is there.

    Raises:
        OldPlayersChanged: An old game may be another player's now.
        InputError: A correction finds no game, or several.
    """
    players = draft.now.frame(draft.now.file_of("players"))
    names, newcomers, described = recognised(players, later.players)
    sides = [pl.col(side).cast(pl.String).replace(names) for side in PLAYERS]
    new = later.games.with_columns(*sides, entry=pl.lit(None, dtype=pl.Int64))
    added, repeats = 0, dict[str, int]()
    for files, some in _by_file(draft.now, new):
        old = table_of(draft.now, files).with_columns(entry=pl.lit(None, dtype=pl.Int64))
        games, again = together(old, some, correct=correct, keep_repeats=keep_repeats)
        for source, number in again.group_by("source", maintain_order=True).len().iter_rows():
            repeats[source] = repeats.get(source, 0) + number
        if not correct and games.height == old.height:
            continue
        added += games.height - old.height
        draft.drop(files)
        games = in_playing_order(games)
        for first, end in spans_of(days_of(games["date"])):
            put_games(draft, games[first:end])
    if newcomers or described:
        fuller = {player.name: player for player in described}
        rows = [fuller.get(player.name, player) for player in players_in(draft.now)]
        put_players(draft, [*rows, *newcomers])
    items = [replace(item, player=names[item.player]) for item in later.adjustments]
    problems = [*later.problems, *(counted_again(*each) for each in repeats.items() if keep_repeats)]
    if items or problems or later.warnings or later.events:
        _put_besides_of(draft, replace(later, problems=tuple(problems)), items, names)
    return Merged(added, repeats, new.height if correct else 0, names, newcomers, described, items)


def _by_file(manifest: Manifest, new: pl.DataFrame) -> Iterator[tuple[list[str], pl.DataFrame]]:
    """Yield games with the file into whose days they fall, or with none where their year has no file."""
    files = manifest.games
    file_of: dict[int | None, str] = {}
    for moment in new["date"].dt.epoch("ms").unique():
        own = [name for name in files if _year_of(manifest.files[name].first) == _year_of(moment)]
        begun = [name for name in own if moment is None or manifest.files[name].first <= moment]
        file_of[moment] = (begun[-1:] or own[:1] or [_year_of(moment)])[0]
    keys = pl.Series("file", [file_of[moment] for moment in new["date"].dt.epoch("ms").to_list()], dtype=pl.String)
    for some in new.with_columns(keys).partition_by("file", maintain_order=True):
        yield [name for name in some["file"][:1] if name in manifest.files], some.drop("file")


def put_besides(
    draft: Draft,
    adjustments: Iterable[Adjustment],
    problems: Iterable[Problem],
    warnings: Iterable[str],
    events: Iterable[Event],
) -> None:
    """Write what a ledger says besides games and players."""
    draft.put_value("besides", {
        "adjustments": list(map(adjustment_data, adjustments)),
        "problems": list(map(asdict, sampled(problems))),
        "warnings": list(warnings),
        "events": [event.as_dict() for event in events],
    })  # fmt: skip


def besides_in(manifest: Manifest) -> dict[str, Any]:
    """Return what a ledger says besides games and players, as fields of `Ledger`."""
    besides = manifest.value(manifest.file_of("besides"))
    return {
        "adjustments": in_order(map(adjustment_of, besides["adjustments"])),
        "problems": tuple(Problem(**item) for item in besides["problems"]),
        "warnings": tuple(besides["warnings"]),
        "events": tuple(map(event_of, besides["events"])),
    }


def _put_besides_of(draft: Draft, later: Ledger, items: Iterable[Adjustment], names: Mapping[str, str]) -> None:
    """Write what is there besides with what later games say, whose players have other names here."""
    old = besides_in(draft.now)
    labels = {(player.name, player.id): names[player.name] for player in later.players}
    events = [*old["events"], *(event.renamed(labels) for event in later.events)]
    put_besides(
        draft,
        dict.fromkeys((*old["adjustments"], *items)),
        (*old["problems"], *later.problems),
        dict.fromkeys((*old["warnings"], *later.warnings, *two_in_one(events))),
        joined(events),
    )


@dataclass
class Sample:
    """Problems, the first so many as they are, and of the others of each source how many there are."""

    kept: list[Problem] = field(default_factory=list)
    beyond: dict[tuple[str, bool], int] = field(default_factory=dict)

    def add(self, problem: Problem) -> None:
        """Take a problem."""
        if len(self.kept) < MOST_PROBLEMS:
            self.kept.append(problem)
        else:
            which = problem.source, problem.rejected
            self.beyond[which] = self.beyond.get(which, 0) + 1

    @property
    def all(self) -> list[Problem]:
        """Those that were kept, then for each source one that counts the others."""
        more = []
        for (source, rejected), count in self.beyond.items():
            what = Clause.of(BEYOND[rejected, min(count, 2)], number=f"{count:,}")
            more.append(Problem(source, None, "", what, "", rejected, what))
        return [*self.kept, *more]


def sampled(problems: Iterable[Problem]) -> list[Problem]:
    """Return the first problems as they are, and one that counts the others of each source."""
    sample = Sample()
    for problem in problems:
        sample.add(problem)
    return sample.all


def adjustment_data(item: Adjustment) -> dict[str, Any]:
    """Return an adjustment as plain data."""
    date = None if item.date is None else [str(item.date), item.date.precision]  # type: ignore[union-attr]  # read
    rank = None if item.rank is None else str(item.rank)
    own = {} if item.deviation is None else {"deviation": item.deviation}
    return {"player": item.player, "rank": rank, "rating": item.rating, "date": date, "note": item.note,
            "at_least": item.at_least, **own}  # fmt: skip


def adjustment_of(item: Mapping[str, Any]) -> Adjustment:
    """Return the adjustment that plain data stand for."""
    date = item["date"]
    return Adjustment(**{**item, "date": None if date is None else When(When.parse(date[0]).moment, date[1])})
