"""The strengths of a solved history as a folder of columns, from which a new process begins. No database, no clock.

It holds keys of players and no names. Whatever it says, the answer is that of the games: they are solved from there on.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from handan.club.state import State
from handan.errors import InputError
from handan.kernels.posterior.history_newton import Near
from handan.ledger import Ledger
from handan.ledger.folder import Folder, writing

KIND = "handan strengths"
VERSION = 1


class Strengths(NamedTuple):
    """What a solution found."""

    keys: list[str]
    """The players, by key."""
    near: Near
    """Of these players, in this order."""

    def of(self, state: State, ledger: Ledger) -> Near:
        """Return the same of the players of a ledger of a state; of those who were not there it says nothing."""
        keys = [state.keys.get(name, "") for name in ledger.names]
        if keys == self.keys:
            return self.near._replace(first=self.near.first.copy(), end=self.near.end.copy())  # not mapped
        place = {key: number for number, key in enumerate(self.keys)}
        own = np.array([place.get(key, -1) for key in keys], dtype=np.int64)
        first, end = (np.where(own >= 0, each[own], 0) for each in self.near[:2])
        return self.near._replace(first=first, end=end)


def strengths_number(path: Path) -> int | None:
    """Return the last entry of the state whose strengths a folder holds; None where there is none that can be read."""
    opened = Folder.if_there(path, KIND, VERSION)
    number = None if opened is None else opened.facts.get("number")
    return number if isinstance(number, int) else None


def write_strengths(path: Path, number: int, strengths: Strengths) -> None:
    """Write the strengths of a state, given by its last entry, into a folder, in place of those that are there.

    Raises:
        InputError: Another process is writing, or the folder holds other files or cannot be written.
    """
    with writing(path, KIND, VERSION, with_checksums=True) as out:
        out.put_value("keys", strengths.keys)
        for name, values in strengths.near._asdict().items():
            out.put(name, values)
        out.commit(number=number)


def read_strengths(path: Path) -> Strengths | None:
    """Return the strengths of a folder; None where there are none, or where they are damaged."""
    opened = Folder.if_there(path, KIND, VERSION)
    if opened is None:
        return None
    try:
        keys, near = opened.value("keys"), Near(*(opened.checked_array(name) for name in Near._fields))
    except (OSError, InputError, ValueError, KeyError, TypeError):
        return None
    days = len(near.number)
    fits = len(near.beyond) == days and len(near.first) == len(near.end) == len(keys)
    inside = fits and bool(((near.first >= 0) & (near.first <= near.end) & (near.end <= days)).all())
    return Strengths(keys, near) if inside and keys and np.isfinite(near.beyond).all() else None
