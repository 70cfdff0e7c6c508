"""A ledger on disk: a folder of columns that are mapped into memory, in place of files read again and again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import polars as pl

from handan.errors import InputError, Problem, counted
from handan.ledger.coded import DIFFERING, PLAYERS, Coded, Different, Origin, of_table
from handan.ledger.column_files import Column
from handan.ledger.columns import SCHEMA
from handan.ledger.dates import When
from handan.ledger.events import event_of
from handan.ledger.facts import Adjustment, Player
from handan.ledger.folder import HEAD, Folder, Writing, begun, has_damaged_head, is_kind, writing
from handan.ledger.ledger import Ledger
from handan.ledger.mapped import Files, MappedColumns, MappedGames
from handan.ledger.named import Named, field_of
from handan.ledger.runs import remove_runs

KIND = "handan ledger"
VERSION = 1
MOST_PROBLEMS = 1000  # our choice: more are counted, and each says little
MOST_EARLIER = 1000  # our choice: changes of a ledger over which places are found again
PERSON = tuple(field.name for field in fields(Player))


def is_ledger(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is the folder of a ledger on disk, or what is left of one."""
    folder = Path(path)
    return is_kind(folder, KIND) or begun(folder) or has_damaged_head(folder, KIND)


def save_ledger(ledger: Ledger, path: str | os.PathLike[str]) -> None:
    """Write a ledger as a folder of columns; one that is there is replaced when the new one is whole.

    Raises:
        InputError: The folder holds something else, somebody else is writing to it, or it cannot be written.
    """
    refuse_damage_of(ledger)
    columns = ledger.columns if isinstance(ledger.columns, Coded) else of_table(ledger.games)
    with writing(Path(path), KIND, VERSION) as folder:
        for name in (*PLAYERS, "date"):
            folder.put(name, getattr(columns, name))
        for name, (_, number) in columns.different.items():
            if number is not None:
                folder.put(name, number)
        put_besides(folder, ledger, columns.different)
        remove_runs(folder.path)
        folder.commit(games=len(ledger), players=len(ledger.players))


def put_besides(folder: Writing, ledger: Ledger, different: Mapping[str, Different]) -> None:
    """Write all that is no column of games: players, values, adjustments, events, and what was wrong in the files."""
    people = {name: field_of(ledger.players, name) for name in PERSON}
    folder.put_value(
        "players", {name: cells for name, cells in people.items() if any(c not in ("", None) for c in cells)}
    )
    folder.put_value("values", {name: values.to_list() for name, (values, _) in different.items()})
    folder.put_value(
        "besides",
        {
            "adjustments": [adjustment_data(item) for item in ledger.adjustments],
            "problems": [asdict(problem) for problem in sampled(ledger.problems)],
            "warnings": ledger.warnings,
            "events": [event.as_dict() for event in ledger.events],
        },
    )


@dataclass
class Sample:
    """Problems, the first so many as they are, and of the others of each source how many there are."""

    most: int = MOST_PROBLEMS
    kept: list[Problem] = field(default_factory=list)
    beyond: dict[tuple[str, bool], int] = field(default_factory=dict)

    def add(self, problem: Problem) -> None:
        """Take a problem."""
        if len(self.kept) < self.most:
            self.kept.append(problem)
        else:
            which = problem.source, problem.rejected
            self.beyond[which] = self.beyond.get(which, 0) + 1

    @property
    def all(self) -> list[Problem]:
        """Those that were kept, then for each source one that counts the others."""
        more = []
        for (source, rejected), count in self.beyond.items():
            what = f"{counted(count, 'more row')} {'left out' if rejected else 'read in another way than written'}"
            more.append(Problem(source, None, "", what, "", rejected, what))
        return [*self.kept, *more]


def sampled(problems: Iterable[Problem], most: int = MOST_PROBLEMS) -> list[Problem]:
    """Return problems as a sample of them has them."""
    sample = Sample(most)
    for problem in problems:
        sample.add(problem)
    return sample.all


def open_ledger(path: str | os.PathLike[str]) -> Ledger:
    """Return the ledger of a folder; its columns stay on disk and are read where they are asked for.

    Raises:
        InputError: The path is no such folder, or it is damaged.
    """
    folder = Folder.open(Path(path), KIND, VERSION)
    try:
        return _ledger_in(folder)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{folder.path / HEAD} is damaged: it does not fit the files that it names") from error


def _ledger_in(folder: Folder) -> Ledger:
    values, people, besides = (folder.value(name) for name in ("values", "players", "besides"))
    games, count = int(folder.facts["games"]), int(folder.facts["players"])
    if {len(cells) for cells in people.values()} != ({count} if count else set()):
        raise ValueError(f"not {count} players")
    different = {
        name: Different.kept(
            pl.Series(name, values[name], dtype=SCHEMA[name]), folder.array(name) if name in folder.columns else None
        )
        for name in DIFFERING
    }
    black, white, date = (folder.array(name) for name in ("black", "white", "date"))
    numbers = [number for _, number in different.values() if number is not None]
    if {len(column) for column in (black, white, date, *numbers)} != {games}:
        raise ValueError(f"not {games} games")
    files = Files(folder.path, {name: column.file for name, column in folder.columns.items()}, count)
    columns = MappedGames(
        black=black,
        white=white,
        date=date,
        different=MappedColumns(different, files),
        origin=origin_of(folder),
        files=files,
    )
    absent = {"rating": None, "deviation": None}
    only_named = people.keys() <= {"name"}
    cells = [people.get(name) or [absent.get(name, "")] * count for name in PERSON]
    return Ledger(
        columns,
        Named(cells[0]) if only_named else tuple(Player(*row) for row in zip(*cells, strict=True)),
        tuple(adjustment_of(item) for item in besides["adjustments"]),
        tuple(Problem(**item) for item in besides["problems"]),
        tuple(besides["warnings"]),
        events=tuple(event_of(item) for item in besides.get("events", ())),  # older ones have none
    )


def origin_of(folder: Folder) -> Origin:
    """Return what tells a ledger on disk from another one."""
    token = token_of(folder.columns)
    earlier = ((str(name), int(games)) for name, games in folder.facts.get("earlier", ()))
    prefixes = (*earlier, (token, int(folder.facts["games"])))
    return Origin(folder.path, token, folder.columns["players"].pieces[-1][1], prefixes)


def token_of(columns: Mapping[str, Column]) -> str:
    """Return a digest of the content of all columns."""
    pieces = [(name, column.dtype, column.pieces) for name, column in sorted(columns.items())]
    return hashlib.sha256(json.dumps(pieces).encode()).hexdigest()


def earlier(origin: Origin, games: int) -> list[tuple[str, int]]:
    """Return what the head says of the ledgers that one was, of whose games the first ones stay as they are."""
    return [(token, min(count, games)) for token, count in origin.prefixes[-MOST_EARLIER:] if min(count, games)]


def damage(path: str | os.PathLike[str]) -> list[str]:
    """Read a whole ledger on disk and return what is damaged, one line each."""
    return list(Folder.open(Path(path), KIND, VERSION).damaged())


def refuse_damage_of(ledger: Ledger) -> None:
    """Read all of a ledger on disk that is about to be written elsewhere under new digests; InputError if damaged."""
    if isinstance(ledger.columns, MappedGames):
        for fault in damage(ledger.columns.files.folder):
            raise InputError(f"{fault}; build the ledger anew from its files")


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
