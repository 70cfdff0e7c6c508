"""What stands in a folder of saved ratings: system, players, segments of games, and checkpoints between them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from handan.errors import InputError, SettingError
from handan.files.formats.saved_ratings import Parts, read_games, read_items, read_players
from handan.files.games.stored_games import frame_bytes, packed, packed_codes
from handan.files.io.saved_folder import opened
from handan.files.io.storage import named
from handan.ledger import Adjustment, Ledger, Player
from handan.ledger.coded import Coded
from handan.ledger.disk import adjustment_data
from handan.ledger.folder import Writing
from handan.saved.people import People
from handan.systems import SYSTEMS, System, system
from handan.systems.core.settings import settings_of

MOST_ROWS = 1 << 20  # games in one file; our choice
MOST_PARTS = 32  # files in which players stand; our choice
FEW_ROWS = 1 << 16  # our choice: files of so few games together are made one
Segment = dict[str, Any]
"""Games between two checkpoints, as the head describes them.

`games`: files, each with `file` (its name) and `rows`; `rows`; `last`, the last date in milliseconds, None for
games without one; `rated`; `unrated`, how many by reason; `people`, the players before the first of these games."""
PLAYERS = {
    "name": pl.String, "id": pl.String, "country": pl.String, "club": pl.String, "order": pl.String,
    "rating": pl.Float64, "rating_origin": pl.String, "deviation": pl.Float64,
}  # fmt: skip


@dataclass
class Contents:
    """What a folder holds; changed as games are added, then written."""

    parts: Parts
    """Holds what is there, and what is being written."""
    writing: Writing | None
    """None where nothing is written."""
    system: System
    segments: list[Segment]
    people: People | None
    """The players after the last game; None where the system solves all games together."""
    players: pl.DataFrame
    """One row a player (`PLAYERS`), in the order of their numbers."""
    player_parts: list[str]
    """The files in which they stand."""
    adjustments: list[Adjustment]
    shown: dict[str, Any]
    """What a list shows of a system that solves all games together."""

    def written(self, stem: str, data: bytes) -> str:
        """Write a part, and return its name."""
        assert self.writing is not None  # noqa: S101  # the caller writes
        name = f"{stem}_{self.writing.generation}_{len(self.writing.columns)}"
        self.writing.put_bytes(name, data)
        self.parts = self.writing
        return name

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(int(segment["rows"]) for segment in self.segments)


def described(rules: System) -> dict[str, Any]:
    """Return what makes a system this one: name, revision of the formula, all settings, and the card if it has one."""
    settings = {name: getattr(rules, name) for name in settings_of(rules)}
    card = getattr(rules, "table", None)
    own = {"card": repr(card)} if card is not None else {}
    return {"name": rules.name, "revision": rules.revision, "settings": settings, **own}


def system_of(head: Mapping[str, Any], name: str) -> System:
    """Return the system of a head.

    Raises:
        InputError: If there is no such system here, or its formula or its card is another one by now; the message says
            how to rate the games anew.
    """
    wanted = head["system"]
    if wanted["name"] not in SYSTEMS:
        raise InputError(f"{name} was saved by the system {wanted['name']}, which is not here")
    anew = f"handan rate {name} --system {wanted['name']} --save {name} makes it anew from the games in it"
    try:
        rules = system(wanted["name"], **wanted["settings"])
    except SettingError as error:
        raise InputError(f"{name} was saved with settings that are none any more ({error}): {anew}") from error
    if rules.revision != wanted["revision"]:
        made = f"{name} was made by revision {wanted['revision']} of {rules.name}"
        raise InputError(f"{made}, and this is revision {rules.revision}: {anew}")
    if json.loads(json.dumps(described(rules))) != wanted:
        raise InputError(f"{name} was saved with another card than {wanted['settings'].get('card')} is now: {anew}")
    return rules


def people_at(parts: Parts, place: dict[str, Any]) -> People:
    """Return the players as a checkpoint knows them."""
    return People.unpacked(parts.content(place["file"]), place["file"], place)


def checkpoint(contents: Contents, people: People) -> dict[str, Any]:
    """Write the players as they are now."""
    return {"file": contents.written("people", people.packed()), "batches": people.batches, "day": people.day}


def read_contents(folder: Path, writing: Writing | None = None) -> Contents:
    """Return what a folder holds, to be changed by `writing`.

    Raises:
        InputError: If it cannot be read, is damaged, or was made by another formula.
    """
    parts = opened(folder)
    head = parts.facts
    rules = system_of(head, named(folder))
    people = people_at(parts, head["people"]) if head["people"] else None
    players, items = read_players(parts, head["players"]), read_items(parts, head["adjustments"])
    segments, names = list(head["segments"]), list(head["players"])
    return Contents(parts, writing, rules, segments, people, players, names, items, dict(head["shown"]))


def write_contents(contents: Contents) -> None:
    """Let a folder hold this."""
    writing = contents.writing
    assert writing is not None  # noqa: S101  # the caller writes
    items = json.dumps([adjustment_data(item) for item in contents.adjustments], ensure_ascii=False)
    facts: dict[str, Any] = {
        "system": described(contents.system),
        "games": contents.games,
        "players": contents.player_parts,
        "adjustments": contents.written("adjustments", items.encode()),
        "people": None if contents.people is None else checkpoint(contents, contents.people),
        "shown": contents.shown,
        "segments": contents.segments,
    }
    used = set(_texts(facts))
    writing.columns = {name: column for name, column in writing.columns.items() if name in used}
    writing.commit(**facts)


def _texts(value: Any) -> Iterator[str]:
    """Yield all texts in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def write_games(contents: Contents, ledger: Ledger, numbers: dict[str, int]) -> list[dict[str, Any]]:
    """Write games in playing order, their players by number; return the files as a segment names them."""
    seats = np.array([numbers[name] for name in ledger.names], dtype=np.uint32)
    entry, columns, written = ledger.column("entry"), ledger.columns, []
    for first in range(0, len(ledger), MOST_ROWS):
        end = min(first + MOST_ROWS, len(ledger))
        if isinstance(columns, Coded):
            data = packed_codes(columns.between(first, end), entry[first:end], seats)
        else:
            data = packed(columns[first:end], numbers)
        written.append({"file": contents.written("games", data), "rows": end - first})
    return written


def table_of(contents: Contents, segments: list[Segment]) -> pl.DataFrame:
    """Return the games of some segments with the names of the players."""
    return read_games(contents.parts, segments, contents.players["name"])


def add_players(contents: Contents, players: Sequence[Player]) -> None:
    """Give players who are new here the next numbers, and write them down."""
    if not players and contents.player_parts:
        return
    new = pl.DataFrame({name: [getattr(player, name) for player in players] for name in PLAYERS}, schema=PLAYERS)
    contents.players = pl.concat([contents.players, new])
    written = new
    if len(contents.player_parts) >= MOST_PARTS:
        contents.player_parts, written = [], contents.players
    contents.player_parts = [*contents.player_parts, contents.written("players", frame_bytes(written))]


def describe_players(contents: Contents, players: Sequence[Player]) -> None:
    """Write down what is known by now of players who are there."""
    if not players:
        return
    rows = {player.name: {name: getattr(player, name) for name in PLAYERS} for player in players}
    new = [rows.get(row["name"], row) for row in contents.players.iter_rows(named=True)]
    contents.players, contents.player_parts = pl.DataFrame(schema=PLAYERS), []
    add_players(contents, [Player(**row) for row in new])
