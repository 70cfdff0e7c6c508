"""Ratings written to a folder, from which they are read at once and gone on from."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from handan.errors import InputError, refuse_other
from handan.ledger import Ledger
from handan.ledger.dataset import put_ledger
from handan.ledger.manifest import Draft, writing
from handan.ratings import Ratings
from handan.ratings.rules import Rules
from handan.saved.contents import Contents, Place, put_state, write_contents
from handan.saved.player_states import People
from handan.saved.replaying import replayed
from handan.systems import SYSTEMS, System
from handan.systems.core.replay_state import initial_state_with_counts
from handan.systems.core.sequential import Sequential


def save(ratings: Ratings, path: str | os.PathLike[str]) -> None:
    """Write ratings, with their games and what it takes to go on from them, to a folder.

    Args:
        ratings: Of any system of `handan.SYSTEMS`.
        path: Of the folder. It is made, or replaced where it holds saved ratings; nothing else is written over.

    Raises:
        InputError: If there is something else, or it cannot be written.
    """
    refuse_other("ratings", ratings, Ratings, "Ratings; handan.rate makes them")
    rules = _named(ratings.system)
    with writing(path) as draft:
        write_anew(draft, ratings.ledger, rules, ratings)


def _named(rules: Rules[Any]) -> System:
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
    with writing(path) as draft:
        return write_anew(draft, ledger, _named(rules), progress=progress).ratings


class Anew(NamedTuple):
    """A folder that has been written anew."""

    contents: Contents
    ratings: Ratings


def write_anew(
    draft: Draft,
    ledger: Ledger,
    rules: System,
    ratings: Ratings | None = None,
    progress: Callable[[int], None] | None = None,
) -> Anew:
    """Write all games of a ledger as rated by a system; `ratings` are those, if they have been made."""
    draft.drop(draft.now.files)
    put_ledger(draft, ledger)
    players = draft.now.frame(draft.now.file_of("players"))
    contents = Contents(draft.now, draft, rules, [], People.strangers(len(players)), players, ledger.adjustments, [])
    if isinstance(rules, Sequential):
        past = initial_state_with_counts(len(ledger.players))
        ratings = replayed(contents, [], contents.people, past, ledger, progress or (lambda _: None))
    else:
        ratings = ratings or rules.rate(ledger)
        contents.people.take(ratings, contents.people.past(np.arange(len(ledger.players))))
        contents.places = [put_state(contents, Place().after(ratings), contents.people)]
        contents.notes = list(ratings.notes)
        draft.put_frame("figures", _shown(ratings))
    write_contents(contents)
    return Anew(contents, ratings)


def _shown(ratings: Ratings) -> pl.DataFrame:
    """Return what a list shows of ratings that are solved from all games together."""
    columns: dict[str, Any] = {"rating": ratings.rating, **{f"beside {k}": v for k, v in ratings.arrays.beside.items()}}
    for name in ("deviation", "rank_number"):
        if (values := getattr(ratings.arrays, name)) is not None:
            columns[name] = values
    return pl.DataFrame({name: pl.Series(values=np.asarray(values)) for name, values in columns.items()})


def read_shown(contents: Contents) -> dict[str, Any]:
    """Return what a list shows, as fields of `Ratings`."""
    frame = contents.files.frame(contents.files.file_of("figures"))
    columns = {each: frame[each].to_numpy() for each in frame.columns}
    beside = {name.removeprefix("beside "): values for name, values in columns.items() if name.startswith("beside ")}
    own = {name: values for name, values in columns.items() if not name.startswith("beside ")}
    return {**own, "beside": beside, "notes": tuple(contents.notes)}
