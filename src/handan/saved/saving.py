"""Ratings written to a folder, from which they are read at once and gone on from."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from handan.errors import InputError
from handan.files.games.stored_games import frame_bytes, frame_of
from handan.files.io.saved_folder import KIND, VERSION
from handan.ledger import Ledger
from handan.ledger.disk import refuse_damage_of
from handan.ledger.folder import Writing, writing
from handan.ratings import Ratings
from handan.ratings.rules import Rules
from handan.saved.contents import PLAYERS, Contents, add_players, write_contents
from handan.saved.people import People
from handan.saved.replaying import numbers_in, replayed_from_beginning, segment
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
    rules = _named(ratings.system)
    with writing(Path(path), KIND, VERSION) as folder:
        write_anew(folder, ratings.ledger, rules, ratings)


def _named(rules: Rules) -> System:
    """Return a system that the head of a folder can name; InputError for any other."""
    if not isinstance(rules, System) or rules.name not in SYSTEMS:
        raise InputError(f"{rules.label} is no system that saved ratings could name")
    return rules


def rate_and_save(
    rules: System, ledger: Ledger, path: str | os.PathLike[str], progress: Callable[[int], None] | None = None
) -> Ratings:
    """Rate games and save them as `save` does; no game is rated twice.

    Args:
        rules: One of `handan.SYSTEMS`, with its settings.
        ledger: The games.
        path: As for `save`.
        progress: Is called with the number of games behind.

    Returns:
        The ratings, to the bit those of `System.rate`.

    Raises:
        InputError: As `save`.
    """
    with writing(Path(path), KIND, VERSION) as folder:
        return write_anew(folder, ledger, _named(rules), progress=progress).ratings


class Anew(NamedTuple):
    """A folder that has been written anew."""

    contents: Contents
    ratings: Ratings


def write_anew(
    folder: Writing,
    ledger: Ledger,
    rules: System,
    ratings: Ratings | None = None,
    progress: Callable[[int], None] | None = None,
) -> Anew:
    """Write all games of a ledger as rated by a system; `ratings` are those, if they have been made."""
    refuse_damage_of(ledger)
    contents = Contents(folder, folder, rules, [], None, pl.DataFrame(schema=PLAYERS), [], list(ledger.adjustments), {})
    add_players(contents, ledger.players)
    if isinstance(rules, Sequential):
        ratings = replayed_from_beginning(contents, ledger, progress or (lambda _: None))
    else:
        ratings = ratings or rules.rate(ledger)
        contents.people = People.strangers(len(ledger.players))
        contents.people.take(ratings, contents.people.past(np.arange(len(ledger.players))))
        contents.segments = [segment(contents, ratings, numbers_in(contents, ledger), None)]
        contents.shown = _write_shown(contents, ratings)
    write_contents(contents)
    return Anew(contents, ratings)


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
