"""A ledger of which a few games say something else: their rows take the place of the old ones, and arrays follow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from weakref import ref

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.ledger.arrays import TERMS
from handan.ledger.coded import DIFFERING, Coded, amended
from handan.ledger.growing import BY_NAME, numbered_with
from handan.ledger.ledger import Ledger
from handan.ledger.parts import BY_GAME, OF_FIRST
from handan.ledger.room import fixed

STAYING = ("date", "precision", "black", "white", "black_id", "white_id", "event", "round", "source", "line")
"""What decides who plays and where a game stands."""
KEPT = ("black", "white", "first_game", "places", "dated", "day", "event")
"""What follows from these alone."""
RANKS = ("black_rank", "white_rank")
OF_RANKS = ("declared", "first_declared")
NUMBERED = {"_kinds": ("kind",), "_terms": TERMS, "_results": ("result",)}
"""Different values of columns, with the number of each game's among them."""
RATED_BY = ("kind", *TERMS, *RANKS)
"""Columns of which `Ledger.kept` may say something, besides whether and how a game was scored."""
HOW_SCORED = ("scored", "by_default", "colours_known")


def ledger_amended(ledger: Ledger, table: pl.DataFrame) -> Ledger | None:
    """Return a ledger in which the games of a table take the place of those with the same `line`.

    The answer is that of `Ledger.from_table` on all games. None where one of them is of other players, another day,
    event or round, or is not there.

    Args:
        ledger: Made of games with different `line`, kept as numbers.
        table: Typed games (`columns.SCHEMA`) in the same form, with the names shown and ids.
    """
    columns, line = ledger.columns, ledger.column("line")
    places = [line.index_of(number) for number in table["line"]]
    if not isinstance(columns, Coded) or None in places:
        return None
    chosen = np.array(places, dtype=np.int64)
    order = np.argsort(chosen)
    chosen, table = chosen[order], table[order]
    old = ledger.rows(chosen).with_columns(pl.col(*BY_NAME).cast(pl.String))
    if not old.select(STAYING).equals(table.select(STAYING)):
        return None
    changed = {name for name in DIFFERING if not old[name].equals(table[name], null_equal=True)}
    made = replace(ledger, columns=amended(columns, chosen, table, sorted(changed)))
    _hand_on(ledger, made, chosen, changed)
    vars(made)["original"] = ref(ledger)
    return made


def amends(ledger: Ledger, past: Ledger) -> bool:
    """Return whether a ledger was made of another one by `ledger_amended`."""
    return ledger.original is not None and ledger.original() is past


def _hand_on(ledger: Ledger, made: Ledger, places: NDArray[np.int64], changed: set[str]) -> None:
    """Give a ledger the arrays that the one before has made already, with what the rows say at their places."""
    own, there = vars(made), vars(ledger)
    before, rows = (_some(each, places) for each in (ledger, made))
    own.update({name: there[name] for name in KEPT if name in there})
    if changed.isdisjoint(RANKS):
        own.update({name: there[name] for name in OF_RANKS if name in there})
    for name in BY_GAME:
        if name in there and name not in KEPT:
            own[name] = _replaced(there[name], places, getattr(rows, name))
    for name, columns in NUMBERED.items():
        if name in there:
            same = changed.isdisjoint(columns)
            own[name] = there[name] if same else numbered_with(there[name], getattr(rows, name), _at(places))
    as_scored = all(np.array_equal(getattr(before, name), getattr(rows, name)) for name in HOW_SCORED)
    if as_scored and changed.isdisjoint(RATED_BY):
        own.update({name: dict(there[name]) for name in ("_kept", "_kept_at_entry") if name in there})
        own[OF_FIRST] = {end: dict(kept) for end, kept in there.get(OF_FIRST, {}).items()}


def _some(ledger: Ledger, places: NDArray[np.int64]) -> Ledger:
    """Return some games of a ledger that keeps them as numbers, with all its players."""
    assert isinstance(ledger.columns, Coded)  # noqa: S101  # no other ledger is amended
    return Ledger(ledger.columns.taken(places), ledger.players)


def _at(places: NDArray[np.int64]) -> Any:
    def put(past: NDArray[Any], later: NDArray[Any]) -> NDArray[Any]:
        return _replaced(past.astype(later.dtype, copy=False), places, later)

    return put


def _replaced(past: NDArray[Any], places: NDArray[np.int64], later: NDArray[Any]) -> NDArray[Any]:
    """Return an array with other values at some places, read only: itself where they are those that stand there."""
    if np.array_equal(past[places], later, equal_nan=True):
        return past
    made = past.copy()
    made[places] = later
    return fixed(made)
