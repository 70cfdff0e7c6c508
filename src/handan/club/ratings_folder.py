"""Ratings that go on live as a folder of columns, from which a new process goes on. No database, no clock.

It holds no names of people. It counts only for the very state and rules that it was written of, and where every file is
as it was written; a new process that has none begins at the strengths (`strengths_folder.py`), or at the first game.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

import handan
from handan.club.rules import Rules
from handan.club.state import State
from handan.club.state_folder import Head, head_in, opened_if_ours
from handan.errors import InputError
from handan.ledger.coded import give_back
from handan.ledger.folder import Folder, writing
from handan.systems.whr import WHR
from handan.systems.whr_live.continuing import LiveRatings
from handan.systems.whr_live.keeping import Plain, arrays_of, names_of_arrays, plain_of, taken_up

KIND = "handan live ratings"
VERSION = 1
"""Of the layout, and of what the arrays mean: raised when either changes."""
TRIES = 4  # our choice: how often ratings are written that go on meanwhile


def kept_head(path: Path) -> Head | None:
    """Return of which state a folder holds the ratings; None where there is none that this version can read."""
    opened = opened_if_ours(path, KIND, VERSION)
    return None if opened is None else head_in(opened)


def write_ratings(path: Path, state: State, rules: Rules, ratings: LiveRatings) -> bool:
    """Write the ratings of all games of a state into a folder, in place of those there; return whether that was done.

    It is not where a version that nobody can reach any more is meant, or where games come faster than it is written.

    Raises:
        InputError: Another process is writing, or the folder holds other files or cannot be written.
    """
    for _ in range(TRIES):
        with arrays_of(ratings) as given, writing(path, KIND, VERSION, with_crc=True) as out:
            plain = None if given is None else plain_of(ratings)
            if given is None or plain is None:
                return False
            arrays, unmoved = given
            for name, array in arrays:
                out.put(name, array)
            out.put_value("plain", plain._asdict())
            if unmoved():
                out.commit(
                    handan=handan.__version__, slug=state.slug, number=state.number, digest=state.digest,
                    view=state.view, rules=rules.as_dict(),
                )  # fmt: skip
                return True
    return False


def read_ratings(path: Path, state: State, rules: Rules) -> LiveRatings | None:
    """Return the ratings of all games of a state under its rules; None where a folder holds others, or is damaged."""
    opened, system = opened_if_ours(path, KIND, VERSION), rules.made
    head = None if opened is None else head_in(opened)
    if opened is None or head != Head(state.slug, state.number, state.digest, state.view):
        return None
    if opened.facts.get("rules") != rules.as_dict() or not isinstance(system, WHR):
        return None
    few, many = names_of_arrays()
    try:
        own = {name: _checked(opened, name, opened.array(name, own=True)) for name in few}
        mapped = {name: opened.array(name, own=True) for name in many}
        return taken_up(system, state.ledger, own, Plain(**opened.value("plain")), lambda: _all_checked(opened, mapped))
    except (OSError, InputError, ValueError, KeyError, TypeError):
        return None


def _all_checked(opened: Folder, mapped: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]] | None:
    """Return mapped arrays if they are as they were written."""
    try:
        return {name: _checked(opened, name, array) for name, array in mapped.items()}
    except InputError:
        return None


def _checked(opened: Folder, name: str, array: NDArray[Any]) -> NDArray[Any]:
    """Return an array, to which nothing was written yet, if it is as it was written; its pages are given back."""
    checked = opened.checked(name, array)
    give_back(checked)
    return checked
