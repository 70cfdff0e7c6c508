"""The games of a folder of saved ratings (`handan rate --save`), for every command that reads games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from handan.errors import InputError
from handan.files.games.format import Format
from handan.files.games.parsed import Contents, Entrant
from handan.files.games.stored_games import frame_of, unpacked
from handan.files.io.folder_head import BEGINNING, HEAD_OF_FOLDER
from handan.files.io.options import Options
from handan.files.io.whole_folder import parsed_head, read_part
from handan.ledger import Adjustment
from handan.ledger.columns import of_games


def read_players(folder: Path, head: dict[str, Any]) -> pl.DataFrame:
    """Return the players in the order of their numbers: name, id, country, club, order, rating, rating_origin."""
    frames = [frame_of(read_part(folder, part), part[0]) for part in head["players"]]
    return pl.concat(frames) if len(frames) > 1 else frames[0]


def read_games(folder: Path, segments: list[dict[str, Any]], names: pl.Series) -> pl.DataFrame:
    """Return the games of some segments in playing order, with the names of the players."""
    parts = [part for segment in segments for part in segment["games"]]
    tables = [unpacked(read_part(folder, part["file"]), names, part["file"][0]) for part in parts]
    return pl.concat(tables, rechunk=True) if tables else of_games([])


def read_items(folder: Path, head: dict[str, Any]) -> list[Adjustment]:
    """Return the ranks and ratings set by hand."""
    rows = json.loads(read_part(folder, head["adjustments"]))
    return [Adjustment(**row) for row in rows]


def _read(data: bytes, source: str, options: Options) -> Contents:
    path = Path(source)
    folder = path.parent if path.name == HEAD_OF_FOLDER else path
    if not folder.is_dir():
        raise InputError(f"{source} is the head of saved ratings; give the folder in which it lies, unpacked")
    head = parsed_head(data, source)
    options.limits.check_games(int(head["games"]), source)
    players = read_players(folder, head)
    games = read_games(folder, head["segments"], players["name"])
    described = players.filter(
        (pl.col("country") != "") | (pl.col("club") != "") | pl.col("rating").is_not_null()
    ).drop("order")
    entrants = tuple(Entrant(**row) for row in described.iter_rows(named=True))
    return Contents(games, [], entrants, adjustments=tuple(read_items(folder, head)))


SAVED_RATINGS = Format("saved ratings", lambda start: start.startswith(BEGINNING), _read)
