"""Games of a ledger that stand behind each other, as a ledger that takes what the whole has worked out of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from handan.ledger.coded import Coded
from handan.ledger.facts import Adjustment
from handan.ledger.ledger import Ledger
from handan.ledger.room import fixed

BY_GAME = ("black", "white", "score", "scored", "by_default", "colours_known", "handicap", "komi", "size", "full_size",
           "dated", "day")  # fmt: skip
"""Arrays of a ledger that say one thing of each game by itself."""
Numbered = tuple[list[Any], NDArray[Any]]
NUMBERED = ("_kinds", "_terms", "_results")
"""Different values, with the number of each game's among them."""
FIRST_GAMES = ("first_game", "first_declared")
"""Indices of games of players, the number of games where there is none."""
OF_FIRST = "kept of the first games"
"""Under which a ledger keeps what is kept at entry of its first games alone, by how many they are."""


def between(ledger: Ledger, first: int, end: int, items: Sequence[Adjustment]) -> Ledger:
    """Return the games from one index up to another one, with all players.

    Args:
        ledger: Has all games.
        first: Index of the first one.
        end: Index behind the last one.
        items: The adjustments of the part, in order.
    """
    columns = ledger.columns
    games = columns.between(first, end) if isinstance(columns, Coded) else columns[first:end]
    part = Ledger(games, ledger.players, tuple(items), warnings=ledger.warnings, lookup=ledger.lookup)
    own, there = vars(part), vars(ledger)
    if not isinstance(columns, Coded):
        return part
    own.update({name: there[name][first:end] for name in BY_GAME if name in there})
    for name in NUMBERED:
        if name in there:
            own[name] = _from_to(there[name], first, end)
    if "declared" in there:
        own["declared"] = tuple(_from_to(side, first, end) for side in ledger.declared)
    if first == 0:
        own.update({name: _up_to(there[name], end) for name in FIRST_GAMES if name in there})
        if "first_game" in there and ledger.first_game.max(initial=0) < end:  # nobody comes later
            own["_kept_at_entry"] = ledger._kept_at_entry  # noqa: SLF001  # what is found of the part is found of all
        else:
            own["_kept_at_entry"] = there.setdefault(OF_FIRST, {}).setdefault(end, {})  # for the next such part
    return part


def _from_to(numbered: Numbered, first: int, end: int) -> Numbered:
    different, number = numbered
    return different, number[first:end]


def _up_to(games: NDArray[np.int64], end: int) -> NDArray[np.int64]:
    """Return indices of games, of which those from the end on are not there any more."""
    return fixed(np.minimum(games, end))
