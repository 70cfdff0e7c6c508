"""Games of a ledger on disk that other ones take the place of: only the columns in which they differ are written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.errors import InputError
from handan.ledger.coded import DIFFERING, Coded, Different, narrow
from handan.ledger.disk import KIND, VERSION, earlier, open_ledger, put_besides
from handan.ledger.folder import Writing, writing
from handan.ledger.ledger import Ledger
from handan.ledger.mapped import MappedGames
from handan.ledger.rewriting import rewrite

KEYS = ("date", "black", "white", "event", "round")
"""What a game and its correction have in common."""
STAYING = ("event", "round", "source", "black_id", "white_id")


def correct(path: str | os.PathLike[str], new: Ledger) -> list[int]:
    """Let each of some games take the place of the one of its date, players, event and round.

    Returns:
        The indices of the games that were corrected, ascending.

    Raises:
        InputError: No such game is there, or several are, or the folder is damaged or is being written; nothing is
            changed then.
    """
    with writing(Path(path), KIND, VERSION, grow=True) as folder:
        old = open_ledger(path)
        columns = old.columns
        assert isinstance(columns, MappedGames) and columns.origin is not None  # noqa: S101, PT018  # it is on disk
        rows = new.games.cast({"black": pl.String, "white": pl.String})
        places = [_place(old, columns, row) for row in rows.select(KEYS).iter_rows(named=True)]
        if len(set(places)) < len(places):
            raise InputError("two corrections are for one game; give one of them")
        different = dict(columns.different.unread)
        for name in DIFFERING:
            if name not in STAYING:
                changed = dict(zip(places, rows[name].to_list(), strict=True))
                different[name] = _put(folder, different[name], len(old), changed)
        put_besides(folder, old, different)
        kept = earlier(columns.origin, min(places, default=len(old)))
        folder.commit(games=len(old), players=len(old.players), earlier=kept)
    return sorted(places)


def _place(ledger: Ledger, columns: Coded, row: dict[str, Any]) -> int:
    """Return the index of the one game that a correction is for."""
    if row["date"] is None:
        raise InputError(f"{row['black']} against {row['white']} has no date; a correction names that of its game")
    first = end = columns.first_from(row["date"])
    if first < len(ledger):
        end += int(np.searchsorted(columns.date[first:], columns.date[first], side="right"))
    players = [ledger.exact(row[side]) for side in ("black", "white")]
    like = np.empty(0, dtype=np.int64)
    if None not in players:
        seats = (columns.black[first:end], columns.white[first:end])
        like = np.flatnonzero((seats[0] == players[0]) & (seats[1] == players[1])) + first
        chosen = ledger.rows(like, KEYS)
        same = [all(game[name] == row[name] for name in ("date", "event", "round")) for game in chosen.to_dicts()]
        like = like[np.array(same, dtype=np.bool_)]
    if len(like) != 1:
        game = f"{row['black']} against {row['white']}, {row['date']}"
        raise InputError(f"{game}: {len(like) or 'no'} such games are there; a correction takes the place of one")
    return int(like[0])


def _put(folder: Writing, column: Different, games: int, changed: dict[int, Any]) -> Different:
    """Write a column of so many games anew in which some have other values; return its different ones."""
    values, number = column
    place = {value: index for index, value in enumerate(values.to_list())}
    before = {game: 0 if number is None else int(number[game]) for game in changed}
    after = {game: place.setdefault(value, len(place)) for game, value in changed.items()}
    if before == after:
        return column
    together = pl.Series(values.name, list(place), dtype=values.dtype)
    dtype = np.dtype(narrow(len(together)))

    def corrected(first: int, numbers: NDArray[Any]) -> NDArray[Any]:
        part = numbers.astype(dtype)
        for game, code in after.items():
            if first <= game < first + len(part):
                part[game - first] = code
        return part

    if number is None:
        folder.put(values.name, corrected(0, np.zeros(games, dtype)))
    else:
        rewrite(folder, values.name, dtype, corrected)
    return Different(together, np.empty(0, dtype))
