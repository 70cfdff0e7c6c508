"""Ratings of a club as a folder of columns, from which a new process goes on. No database, no clock.

It holds no names of people. It counts only for the very state and rules that it was written of, and where every file is
as it was written; a new process that has none begins at the first game.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

import handan
from handan.club.rules import Rules
from handan.club.state import State
from handan.club.state_folder import Head, head_in, opened_if_ours
from handan.errors import InputError
from handan.ledger.folder import Folder, Writing, writing
from handan.ledger.room import give_back_file, mapped_with_room, room_behind
from handan.ratings import Ratings
from handan.systems.families import keeping
from handan.systems.families.keeping import GROWING, Shape

KIND = "handan live ratings"
VERSION = 7
"""Of the layout, and of what the arrays mean: raised when either changes."""


def kept_head(path: Path) -> Head | None:
    """Return of which state a folder holds the ratings; None where there is none that this version can read."""
    opened = opened_if_ours(path, KIND, VERSION)
    return None if opened is None else head_in(opened)


def are_kept(ratings: Ratings) -> bool:
    """Return whether ratings are of so many games that a new process is to go on from them."""
    return keeping.is_kept(ratings)


def write_ratings(
    path: Path, state: State, rules: Rules, ratings: Ratings, unwanted: Callable[[], bool] = lambda: False
) -> bool:
    """Write the ratings of all games of a state into a folder, in place of those there; return whether that was done.

    It is not where somebody else's ratings take their place meanwhile, or where the ratings hold what is not kept.

    Args:
        path: The folder.
        state: Whose games these are.
        rules: Under which they are rated.
        ratings: Of all of them.
        unwanted: Asked between the files; says whether to give up.

    Raises:
        InputError: Another process is writing, or the folder holds other files or cannot be written.
    """
    if (kept := keeping.kept_of(ratings)) is None:
        return False
    with writing(path, KIND, VERSION, with_checksums=True) as out:
        for name, array in kept.arrays.items():
            if unwanted():
                return False
            out.put(name, array, room=room_behind(len(array)) if name.startswith(GROWING) else 0)
            give_back_file(array)
        out.put_value("plain", kept.plain)
        _commit(out, state, rules)
    return True


def _commit(out: Writing, state: State, rules: Rules) -> None:
    out.commit(
        handan=handan.__version__, slug=state.slug, number=state.number, digest=state.digest, view=state.view,
        rules=rules.as_dict(), revision=rules.made.revision,
    )  # fmt: skip


def read_ratings(path: Path, state: State, rules: Rules) -> Ratings | None:
    """Return the ratings of all games of a state under its rules; None where a folder holds others, or is damaged."""
    opened, system = opened_if_ours(path, KIND, VERSION), rules.made
    head = None if opened is None else head_in(opened)
    if opened is None or head != Head(state.slug, state.number, state.digest, state.view):
        return None
    facts = opened.facts
    if facts.get("rules") != rules.as_dict() or facts.get("revision") != system.revision:
        return None
    try:
        return keeping.taken_up(system, state.ledger, opened.value("plain"), _Arrays(opened).get)
    except (OSError, InputError, ValueError, KeyError, TypeError):
        return None


class _Arrays:
    """The arrays of a folder; its files stay open, since another process may write the folder anew meanwhile."""

    def __init__(self, opened: Folder) -> None:
        self._opened, self._checked = opened, set[str]()
        self._files = {
            name: os.open(opened.path / column.file, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            for name, column in opened.columns.items()
            if name.startswith(GROWING) and column.size
        }
        for file in self._files.values():
            finalize(self, os.close, file)

    def get(self, shape: Shape) -> NDArray[Any]:
        """Return an array; InputError if it is not as it was written."""
        own, column = (shape.rows, *shape.row), self._opened.columns[shape.name]
        if math.prod(own) * np.dtype(column.dtype).itemsize > column.size:
            raise InputError(f"{self._opened.path / column.file} is damaged: it has less than {shape.rows} rows")
        file = self._files.get(shape.name)
        if file is None:
            whole: NDArray[Any] = np.array(self._opened.checked_array(shape.name))
            return whole[: math.prod(own)].reshape(own)
        if shape.name not in self._checked:
            data = np.frombuffer(mmap(file, column.size, access=ACCESS_READ), dtype=np.uint8)
            self._opened.checked(shape.name, data)
            self._checked.add(shape.name)
        return mapped_with_room(file, column.dtype, own)
