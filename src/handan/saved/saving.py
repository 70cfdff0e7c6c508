"""Ratings written to a folder, from which they are read at once and gone on from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from handan.errors import InputError
from handan.files.games.stored_games import frame_bytes, frame_of
from handan.files.io.saved_folder import KIND, VERSION
from handan.ledger import Ledger
from handan.ledger.folder import Writing, writing
from handan.ratings import Ratings
from handan.saved.contents import PLAYERS, Contents, add_players, write_contents, write_games
from handan.saved.people import People
from handan.saved.replaying import replayed
from handan.systems import SYSTEMS, System
from handan.systems.core.base import Sequential


def save(ratings: Ratings, path: str | os.PathLike[str]) -> None:
    """Write ratings, with their games and what it takes to go on from them, to a folder.

    Args:
        ratings: Of any system of `handan.SYSTEMS`.
        path: Of the folder. It is made, or replaced where it holds saved ratings; nothing else is written over.

    Raises:
        InputError: If there is something else, or it cannot be written.
    """
    rules = ratings.system
    if not isinstance(rules, System) or rules.name not in SYSTEMS:
        raise InputError(f"{rules.label} is no system that saved ratings could name")
    with writing(Path(path), KIND, VERSION) as folder:
        write_anew(folder, ratings.ledger, rules, ratings)


def write_anew(folder: Writing, ledger: Ledger, rules: System, ratings: Ratings | None = None) -> Contents:
    """Write all games of a ledger as rated by a system; `ratings` are those, if they have been made."""
    contents = Contents(folder, folder, rules, [], None, pl.DataFrame(schema=PLAYERS), [], list(ledger.adjustments), {})
    add_players(contents, ledger.players)
    if isinstance(rules, Sequential):
        replayed(contents, [], People.strangers(len(ledger.players)), ledger)
    else:
        ratings = ratings or rules.rate(ledger)
        numbers = {player.name: number for number, player in enumerate(ledger.players)}
        contents.people = People.strangers(len(ledger.players))
        past = contents.people.past(np.arange(len(ledger.players)))
        contents.people.take(ratings, past)
        contents.segments = [
            {
                "games": write_games(contents, ledger, numbers),
                "rows": len(ledger),
                "last": None,
                "newest": ledger.newest,
                "rated": ratings.rated,
                "unrated": ratings.unrated_counts,
                "people": None,
            }
        ]
        contents.shown = _write_shown(contents, ratings)
    write_contents(contents)
    return contents


def _write_shown(contents: Contents, ratings: Ratings) -> dict[str, Any]:
    """Write what a list shows of ratings that are solved from all games together."""
    columns: dict[str, Any] = {"rating": ratings.rating, **{f"beside {k}": v for k, v in ratings.beside.items()}}
    for name in ("deviation", "rank_number"):
        if (values := getattr(ratings, name)) is not None:
            columns[name] = values
    frame = pl.DataFrame({name: pl.Series(values=np.asarray(values)) for name, values in columns.items()})
    return {"figures": contents.written("figures", frame_bytes(frame)), "notes": list(ratings.notes)}


def read_shown(contents: Contents) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what a list shows, as fields of `Ratings`, and the notes."""
    name = contents.shown["figures"]
    frame = frame_of(contents.parts.content(name), name)
    columns = {each: frame[each].to_numpy() for each in frame.columns}
    beside = {name.removeprefix("beside "): values for name, values in columns.items() if name.startswith("beside ")}
    own = {name: values for name, values in columns.items() if not name.startswith("beside ")}
    return {**own, "beside": beside}, tuple(contents.shown["notes"])
