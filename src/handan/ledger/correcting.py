"""Games of a ledger on disk that other ones take the place of: only the columns in which they differ are written."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.errors import InputError, shown
from handan.ledger.appending import ANEW, place_in
from handan.ledger.coded import DIFFERING, Coded, Different, narrow
from handan.ledger.dates import When
from handan.ledger.disk import KIND, VERSION, earlier, open_ledger, put_besides
from handan.ledger.events import joined
from handan.ledger.folder import Writing, writing
from handan.ledger.ledger import Ledger, in_order
from handan.ledger.mapped import MappedGames
from handan.ledger.rewriting import rewrite
from handan.ledger.runs import remove_runs

WHEN = ("date", "precision")
WHERE = ("event", "round")
"""What a game and its correction have in common, besides the players and when they played."""
STAYING = ("precision", *WHERE, "source", "black_id", "white_id")


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
        seat = [place_in(old, player) for player in new.players]
        rows = new.games
        pairs = [(seat[black], seat[white]) for black, white in zip(new.black, new.white, strict=True)]
        places = [_place(old, columns, *each) for each in zip(rows.iter_rows(named=True), pairs, strict=True)]
        if len(set(places)) < len(places):
            raise InputError("two corrections are for one game; give one of them")
        different = dict(columns.different.unread)
        for name in DIFFERING:
            if name not in STAYING:
                changed = dict(zip(places, rows[name].to_list(), strict=True))
                different[name] = _put(folder, different[name], len(old), changed)
        put_besides(folder, _beside(old, new), different)
        remove_runs(folder.path)
        kept = earlier(columns.origin, min(places, default=len(old)))
        folder.commit(games=len(old), players=len(old.players), earlier=kept)
    return sorted(places)


def _beside(old: Ledger, new: Ledger) -> Ledger:
    """Return a ledger with what corrections say besides their games."""
    names = set(old.names)
    for item in new.adjustments:
        if item.player not in names:
            raise InputError(f"{shown(item.player)} of the adjustments is not in the ledger; {ANEW}")
    adjustments = dict.fromkeys((*old.adjustments, *new.adjustments))
    warnings = dict.fromkeys((*old.warnings, *new.warnings))
    return replace(
        old,
        adjustments=in_order(adjustments),
        problems=old.problems + new.problems,
        warnings=tuple(warnings),
        events=joined((*old.events, *new.events)),
    )


def _place(ledger: Ledger, columns: Coded, row: dict[str, Any], players: tuple[int | None, int | None]) -> int:
    """Return the index of the one game of two players that a correction is for."""
    if row["date"] is None:
        raise InputError(f"{row['black']} against {row['white']} has no date; a correction names that of its game")
    first = end = columns.first_from(row["date"])
    if first < len(ledger):
        end += int(np.searchsorted(columns.date[first:], columns.date[first], side="right"))
    like = np.empty(0, dtype=np.int64)
    elsewhere = ""
    if None not in players:
        seats = (columns.black[first:end], columns.white[first:end])
        like = np.flatnonzero((seats[0] == players[0]) & (seats[1] == players[1])) + first
        there = ledger.rows(like, (*WHEN, *WHERE)).to_dicts()
        same = [all(game[name] == row[name] for name in (*WHEN, *WHERE)) for game in there]
        of_day = [_where(game) for game in there if all(game[name] == row[name] for name in WHEN)]
        if of_day and not any(same):
            others = " and ".join(dict.fromkeys(of_day))
            elsewhere = f"; those of that day are of {others}, and the correction is of {_where(row)}"
        like = like[np.array(same, dtype=np.bool_)]
    if len(like) != 1:
        game = f"{row['black']} against {row['white']}, {When(row['date'], row['precision'])}"
        what = f"{len(like) or 'no'} such games are there; a correction takes the place of one"
        raise InputError(f"{game}: {what}{elsewhere}")
    return int(like[0])


def _where(game: dict[str, Any]) -> str:
    """Return event and round of a game in words."""
    event = f"event {shown(game['event'])}" if game["event"] else "no event"
    return f"{event}, {'no round' if game['round'] is None else 'round ' + str(game['round'])}"


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
