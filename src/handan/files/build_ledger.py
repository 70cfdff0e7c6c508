"""Files of any size made into a ledger on disk, of which only a few million games are in memory at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import polars as pl

from handan.errors import InputError, Problem, counted
from handan.files.chunks import OBJECTS, PIECE, ROWS, Piece, in_pieces
from handan.files.duplicates import added_up, repeats_in, says_repeats
from handan.files.games.encoded_games import EncodedGames, in_playing_order
from handan.files.io.options import Options
from handan.files.reading import refuse_rejected
from handan.ledger import Adjustment, Ledger, Player
from handan.ledger.coded import Coded, of_table
from handan.ledger.disk import KIND, VERSION, Sample, open_ledger, put_besides
from handan.ledger.folder import writing
from handan.ledger.identity import identify
from handan.ledger.ledger import in_order
from handan.ledger.runs import Merging, Pair, Run, Runs, fresh_place, remove_runs

Progress = Callable[[str, int, int], None]
"""Takes what is done, and how much of how much."""
READ_IN_PIECES = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet", ".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
PACKED = 5  # our choice: about what gzip and Parquet make of a table of games
OBJECTS_ENDING = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
MARK = "\0"
"""Between a name and an id; no name that was read holds it."""


LARGE = 1 << 28  # bytes; our choice: some eight million games, which fit a memory of 2 GB


def come_in_pieces(paths: Sequence[str | os.PathLike[str]]) -> bool:
    """Return whether files are of forms that can be read in pieces."""
    return all(path.is_file() and path.name.lower().endswith(READ_IN_PIECES) for path in map(Path, paths))


def are_large(paths: Sequence[str | os.PathLike[str]]) -> bool:
    """Return whether files are of forms that can be read in pieces, and too large to be read at once."""
    return come_in_pieces(paths) and sum(_weight(Path(path)) for path in paths) >= LARGE


def _weight(file: Path) -> int:
    """Return how many bytes of a table of text take about the memory that a file takes."""
    packed = PACKED if file.suffix.lower() in (".gz", ".parquet") else 1
    return file.stat().st_size * packed * (OBJECTS if file.name.lower().endswith(OBJECTS_ENDING) else 1)


@dataclass
class Building:
    """What is gathered while files are read."""

    runs: Runs
    problems: Sample = field(default_factory=Sample)
    listed: list[Player] = field(default_factory=list)
    adjustments: list[Adjustment] = field(default_factory=list)

    def take(self, piece: Piece) -> None:
        """Put the games of a piece behind the others."""
        contents = piece.reading.contents
        assert contents is not None  # noqa: S101  # what cannot be read was refused
        for each in contents.problems:
            if not says_repeats(each):
                self.problems.add(each)
        self.listed += [each.player for each in contents.entrants]
        self.adjustments += contents.adjustments
        if not len(contents.columns):
            return
        if isinstance(contents.columns, EncodedGames):
            self.runs.add(_run_of(contents.columns, piece))
        else:
            self.runs.add(_run_of_table(contents.columns, ordered=piece.ordered))


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
    with writing(Path(output), KIND, VERSION) as folder:
        place = fresh_place(folder.path)
        try:
            building = Building(Runs(place), adjustments=list(adjustments))
            for each in problems:
                building.problems.add(each)
            for number, path in enumerate(paths):
                for piece in in_pieces(path, options or Options(), size, max(ROWS * size // PIECE, 1)):
                    building.take(piece)
                    progress("reading", sum(sizes[:number]) + piece.read, sum(sizes))
            if strict:
                refuse_rejected(building.problems.all)
            if not building.runs.games:
                raise InputError(f"no game was read; {output} is not written")
            labelled, people, warnings = _who_is_who(building)
            repeats: list[Problem] = []

            def look(games: Coded) -> None:
                repeats.extend(repeats_in(Ledger(games, tuple(people))))

            merging = Merging(building.runs, folder, labelled, in_playing_order, look)
            merging.write(lambda games: progress("putting in order", games, building.runs.games))
            alone = [
                Problem(
                    source,
                    None,
                    "white",
                    f"{counted(count, 'game')} of {people[player].name}",
                    "another player than black",
                )
                for (source, player), count in merging.alone.items()
            ]
            by_id = {player.id: player.name for player in people if player.id}
            items = [replace(item, player=by_id.get(item.player, item.player)) for item in building.adjustments]
            everything = (*building.problems.all, *alone, *added_up(repeats))
            besides = Ledger(pl.DataFrame(), tuple(people), in_order(items), everything, tuple(warnings))
            put_besides(folder, besides, merging.different)
            remove_runs(folder.path)
            folder.commit(games=merging.games, players=len(people))
        finally:
            remove_runs(folder.path)
    return open_ledger(output)


def _run_of(games: EncodedGames, piece: Piece) -> Run:
    """Return the games of a piece as a run; InputError if a column says another order than that of the rows."""
    pairs, black, white = games.pairs()
    ordered = games.in_order(black, white)
    line = ordered.line
    if piece.ordered and line is not None and not isinstance(line, range) and (line[1:] < line[:-1]).any():
        raise _out_of_order(piece.reading.source)
    return Run(ordered, pairs)


def _run_of_table(table: pl.DataFrame, *, ordered: bool) -> Run:
    """Return typed games as a run; InputError if a column says another order than that of the rows."""
    labels = [
        pl.concat_str([pl.col(side), pl.col(f"{side}_id")], separator=MARK).alias(side) for side in ("black", "white")
    ]
    bare = [pl.lit("").alias(f"{side}_id") for side in ("black", "white")]
    ledger = Ledger.from_table(table.with_columns(*labels, *bare))
    if ordered and not ledger.games["line"].is_sorted():
        raise _out_of_order(str(table["source"][0]))
    pairs = [player.name.split(MARK) for player in ledger.players]
    return Run(of_table(ledger.games), [(name, number) for name, number in pairs])


def _out_of_order(source: str) -> InputError:
    return InputError(f"{source} has a column entry, and its rows stand in another order; sort them by date and entry")


def _who_is_who(building: Building) -> tuple[np.ndarray[tuple[int], np.dtype[np.uint32]], list[Player], list[str]]:
    """Return the number of the player of each pair, the players by name, and warnings."""
    pairs: list[Pair] = list(building.runs.pairs)
    names, ids = [name for name, _ in pairs], [number for _, number in pairs]
    frame = pl.DataFrame({"black": names, "black_id": ids, "white": names, "white_id": ids})
    labelled, people, warnings = identify(frame, building.listed)
    by_id = {player.id: player.name for player in people if player.id}
    there = {player.name for player in people}
    more = sorted({by_id.get(item.player, item.player) for item in building.adjustments} - there)
    people = sorted([*people, *(Player(name) for name in more)], key=lambda player: (player.order, player.name))
    place = {player.name: number for number, player in enumerate(people)}
    seats = np.array([place[label] for label in labelled["black"].to_list()], dtype=np.uint32)
    return seats, people, warnings
