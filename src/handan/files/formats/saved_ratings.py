"""The games of a folder of saved ratings (`handan rate --save`), for every command that reads games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from handan.errors import InputError
from handan.files.games.format import Format
from handan.files.games.parsed import Contents, Entrant
from handan.files.games.stored_games import frame_of, unpacked
from handan.files.io.options import Options
from handan.files.io.saved_folder import BEGINNING, is_saved, opened
from handan.ledger import Adjustment
from handan.ledger.columns import of_games
from handan.ledger.disk import adjustment_of
from handan.ledger.folder import HEAD


class Parts(Protocol):
    """What holds the parts of a folder, by name: `ledger.folder.Folder`, or `Writing`."""

    def content(self, name: str) -> bytes:
        """Return the bytes of a part."""
        ...


def read_players(parts: Parts, names: list[str]) -> pl.DataFrame:
    """Return the players in the order of their numbers: name, id, country, club, order, rating, rating_origin."""
    return pl.concat([frame_of(parts.content(name), name) for name in names])


def read_games(parts: Parts, segments: list[dict[str, Any]], names: pl.Series) -> pl.DataFrame:
    """Return the games of some segments in playing order, with the names of the players."""
    files = [each["file"] for segment in segments for each in segment["games"]]
    tables = [unpacked(parts.content(file), names, file) for file in files]
    return pl.concat(tables, rechunk=True) if tables else of_games([])


def read_items(parts: Parts, name: str) -> list[Adjustment]:
    """Return the ranks and ratings set by hand."""
    return [adjustment_of(item) for item in json.loads(parts.content(name))]


def _read(data: bytes, source: str, options: Options) -> Contents:  # noqa: ARG001  # the head is read with its folder
    path = Path(source)
    folder = path.parent if path.name == HEAD else path
    if not is_saved(folder):
        raise InputError(f"{source} is the head of saved ratings; give the folder in which it lies, unpacked")
    parts = opened(folder)
    options.limits.check_games(int(parts.facts["games"]), source)
    players = read_players(parts, parts.facts["players"])
    games = read_games(parts, parts.facts["segments"], players["name"])
    described = players.filter(
        (pl.col("country") != "") | (pl.col("club") != "") | pl.col("rating").is_not_null()
    ).drop("order")
    entrants = tuple(Entrant(**row) for row in described.iter_rows(named=True))
    return Contents(games, [], entrants, adjustments=tuple(read_items(parts, parts.facts["adjustments"])))


SAVED_RATINGS = Format("saved ratings", lambda start: start.startswith(BEGINNING), _read)
