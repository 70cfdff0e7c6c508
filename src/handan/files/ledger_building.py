"""Files of any size made into a ledger on disk, of which only a few million games are in memory at a time."""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import accumulate
from pathlib import Path

import polars as pl

from handan.errors import InputError, Problem, counted
from handan.files.duplicates import added_up, repeated_rows
from handan.files.games.contents import people_in
from handan.files.io.options import Options
from handan.files.io.storage import come_in_pieces
from handan.files.large_files import OBJECTS, PIECE, ROWS, Piece, in_pieces
from handan.files.reading import refuse_rejected
from handan.ledger import Adjustment, Event, Ledger, Player
from handan.ledger.columns import SCHEMA
from handan.ledger.dataset import Sample, open_ledger, put_besides, put_games, put_players, spans_of
from handan.ledger.duplicate_games import says_repeats
from handan.ledger.encoded_columns import PLAYERS
from handan.ledger.events import joined, with_names_of_games
from handan.ledger.identity import identify
from handan.ledger.ledger import in_order, in_playing_order
from handan.ledger.manifest import writing

Progress = Callable[[str, int, int], None]
"""Takes what is done, and how much of how much."""
PACKED = 5  # our choice: about what gzip and Parquet make of a table of games
OBJECTS_ENDING = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
LARGE = 1 << 28  # bytes; our choice: some eight million games, which fit a memory of 2 GB


def are_large(paths: Sequence[str | os.PathLike[str]]) -> bool:
    """Return whether files are of forms that can be read in pieces, and too large to be read at once."""
    return come_in_pieces(paths) and sum(_weight(Path(path)) for path in paths) >= LARGE


def _weight(file: Path) -> int:
    """Return how many bytes of a table of text take about the memory that a file takes."""
    packed = PACKED if file.suffix.lower() in (".gz", ".parquet") else 1
    return file.stat().st_size * packed * (OBJECTS if file.name.lower().endswith(OBJECTS_ENDING) else 1)


@dataclass
class Building:
    """What is gathered while files are read: their games go to files of one year each, in the order of the rows."""

    place: Path
    problems: Sample = field(default_factory=Sample)
    listed: list[Player] = field(default_factory=list)
    adjustments: list[Adjustment] = field(default_factory=list)
    events: tuple[Event, ...] = ()
    days: dict[date | None, int] = field(default_factory=dict)
    """How many games each day has."""
    pairs: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema={"name": pl.String, "id": pl.String}))
    """The different names with their ids as they stand in the rows."""
    games: int = 0
    first_entry: int = 0
    """Where those of the file begin that is being read."""
    last_entry: int = -1
    rows: int = 0
    """How many games of that file were taken."""

    def begin(self) -> None:
        """Let the games that are taken from now on be those of another file, entered after all others."""
        self.first_entry, self.rows = self.last_entry + 1, 0

    def take(self, piece: Piece) -> None:
        """Put the games of a piece behind the others."""
        contents = piece.contents
        for each in contents.problems:
            if not says_repeats(each):
                self.problems.add(each)
        self.listed += [each.player for each in contents.entrants]
        self.adjustments += contents.adjustments
        self.events = joined((*self.events, *contents.events)) if contents.events else self.events
        if not contents.games.height:
            return
        entry = pl.col("entry").fill_null(pl.int_range(pl.len()) + self.rows) + self.first_entry
        games = contents.games.with_columns(entry=entry, year=pl.col("date").dt.year())
        self.rows += games.height
        self.last_entry = max(self.last_entry, int(games["entry"].max()))  # type: ignore[arg-type]  # it is a number
        self.pairs = pl.concat([self.pairs, people_in(games)]).unique()
        for day, count in games.group_by(pl.col("date").dt.date()).len().iter_rows():
            self.days[day] = self.days.get(day, 0) + count
        texts = pl.col(pl.String).cast(pl.Categorical)
        for some in games.with_columns(texts).sort("date", maintain_order=True).partition_by("year", include_key=True):
            folder = self.place / str(some["year"][0])
            folder.mkdir(exist_ok=True)
            some.drop("year").write_parquet(folder / f"{self.games:015}.parquet", compression="lz4")
        self.games += games.height

    def spans(self) -> Iterator[pl.DataFrame]:
        """Yield the games of the days of each file of the ledger, in any order."""
        days = sorted(self.days, key=lambda day: (day is not None, day))
        ends = list(accumulate(self.days[day] for day in days))
        for first, end in spans_of((day, self.days[day]) for day in days):
            start, last = days[bisect_right(ends, first)], days[bisect_left(ends, end)]
            own = pl.col("date").dt.date().is_between(start, last) if start else pl.col("date").is_null()
            folder = self.place / str(start.year if start else None)
            parts = [pl.scan_parquet(file) for file in sorted(folder.iterdir())]
            yield pl.concat(parts).filter(own).collect().cast(dict(SCHEMA))  # type: ignore[arg-type]


def build(
    paths: Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    options: Options | None = None,
    *,
    strict: bool = False,
    adjustments: Sequence[Adjustment] = (),
    problems: Sequence[Problem] = (),
    progress: Progress = lambda *_: None,
    size: int = PIECE,
) -> Ledger:
    """Write the games of files as a ledger on disk; it is that of `read` for all of them, in memory that stays.

    Memory grows with the number of different players, texts and days, and with a piece of a file, not with games. What
    stands twice in two files counts twice, and a warning says so.

    Args:
        paths: Files of text with a header (also packed with gzip), JSON Lines or Parquet.
        output: The folder; what is there counts until the new ledger is whole.
        options: What to know of the files; no limit counts their games.
        strict: Whether a row that cannot be read is an error.
        adjustments: Ranks and ratings set by hand.
        problems: What was wrong in what was read besides.
        progress: Is told how far the work is, in bytes read, then in games written.
        size: Bytes of text that are read together, and as many rows of Parquet as make them.

    Raises:
        InputError: A file cannot be read, no game is in them, or the folder cannot be written; it is as it was then.
    """
    sizes = [Path(path).stat().st_size for path in paths]
    with writing(output) as draft:
        building = Building(draft.room(), adjustments=list(adjustments))
        for each in problems:
            building.problems.add(each)
        for number, path in enumerate(paths):
            building.begin()
            for piece in in_pieces(path, options or Options(), size, max(ROWS * size // PIECE, 1)):
                building.take(piece)
                progress("reading", sum(sizes[:number]) + piece.read, sum(sizes))
        if strict:
            refuse_rejected(building.problems.all)
        if not building.games:
            raise InputError(f"no game was read; {output} is not written")
        people, labels, warnings = _who_is_who(building)
        repeats: list[Problem] = []
        alone: Counter[tuple[str, str]] = Counter()
        written = 0
        for rows in building.spans():
            games = rows if labels is None else _labelled(rows, labels)
            same = games["black"] == games["white"]
            if same.any():
                alone.update(games.filter(same).select("source", "white").iter_rows())
                games = games.filter(~same)
            repeats += repeated_rows(games)
            if games.height:
                put_games(draft, in_playing_order(games))
            written += rows.height
            progress("putting in order", written, building.games)
        put_players(draft, people)
        by_id = {player.id: player.name for player in people if player.id}
        items = [replace(item, player=by_id.get(item.player, item.player)) for item in building.adjustments]
        faults = (*building.problems.all, *_said_of(alone), *added_up(repeats))
        put_besides(draft, in_order(items), faults, warnings, _events_of(building, labels))
        draft.commit()
    return open_ledger(output)


def _who_is_who(building: Building) -> tuple[list[Player], pl.DataFrame | None, list[str]]:
    """Return the players by name, the name of each pair where it is another than in the rows, and warnings."""
    pairs = building.pairs.sort("name", "id")
    sides = {"black": "name", "black_id": "id", "white": "name", "white_id": "id"}
    labelled, people, warnings = identify(pairs.select(**sides), building.listed)
    by_id = {player.id: player.name for player in people if player.id}
    there = {player.name for player in people}
    more = sorted({by_id.get(item.player, item.player) for item in building.adjustments} - there)
    people = sorted([*people, *map(Player, more)], key=lambda player: (player.order, player.name))
    labels = pairs.with_columns(labelled["black"].alias("label"))
    return people, None if (labels["label"] == labels["name"]).all() else labels, warnings


def _events_of(building: Building, labels: pl.DataFrame | None) -> tuple[Event, ...]:
    """Return what the files tell of events, with the names that the ledger gives to the players."""
    if labels is None or not building.events:
        return building.events
    table = labels.select(**{side: name for seat in PLAYERS for side, name in ((seat, "name"), (f"{seat}_id", "id"))})
    games = labels.select(**dict.fromkeys(PLAYERS, "label"))
    return with_names_of_games(building.events, table, games)


def _labelled(games: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    """Return games whose players have the names that the ledger gives to them."""
    for side in PLAYERS:
        own = games.join(
            labels, left_on=[side, f"{side}_id"], right_on=["name", "id"], how="left", maintain_order="left"
        )
        games = games.with_columns(own["label"].alias(side))
    return games


def _said_of(alone: Counter[tuple[str, str]]) -> Iterator[Problem]:
    """Yield what is said of games that were left out, since their two names are one player by an id."""
    for (source, name), count in alone.items():
        yield Problem(source, None, "white", f"{counted(count, 'game')} of {name}", "another player than black")
