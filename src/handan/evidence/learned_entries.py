"""Newcomers enter where those like them turned out to stand, under any system.

A rank that one server calls 5k is 2k on another, and players without a rank are not all of the strength at which a
scale begins. `handan` learns from the games of those who came before what newcomers of each kind are worth
(`kernels/incremental/entry_levels.py`); here other systems take their entry ranks from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from handan.ledger import Adjustment
from handan.ranks import Rank
from handan.shortcuts import ledger_of
from handan.systems.core.schedule import Schedule
from handan.systems.handan import Handan

if TYPE_CHECKING:
    from handan.ledger import Ledger
    from handan.systems import System

NOTE = "where newcomers like this one stood"
HALF = 0.5
"""Ranks by which a declared rank may be wrong before another one takes its place."""


def with_learned_entries(games: Any) -> Ledger:
    """Return the games with an entry rank for each newcomer: that of earlier newcomers who were like this one.

    `handan` says it before a player's first game, from the games up to then: by the declared rank and its source, or
    by no rank, which one that all of a source declare amounts to, and by who is met. A declared rank stays if it is
    less than half a rank away. Who is set by hand before the first game, or whose rating a file declares, enters with
    that; where nobody declares a rank, nothing changes.

    Args:
        games: As `handan.rate` takes them: a ledger, a path, a frame.

    Raises:
        InputError: The games cannot be read.
    """
    ledger = ledger_of(games)
    if not (ledger.arrays.first_declared < len(ledger)).any():
        return ledger
    return ledger.with_adjustments(list(_entries(ledger)))


def learns_entries(system: System) -> bool:
    """Return whether a system learns by itself where newcomers enter, so that it needs no entry ranks."""
    return getattr(system, "newcomers", "") == "learned"


def _entries(ledger: Ledger) -> Iterator[Adjustment]:
    """Yield the entry ranks that differ from what players declare."""
    rules = Handan()
    ratings = rules.rate(ledger)
    declared = Schedule.of(ledger, rules.refusals(ledger)).entry_ranks
    by_hand = {item.player for item in ledger.adjustments if item.date is None}
    sequence, seats = ratings.arrays.sequence, ledger.arrays.seats
    players = np.stack([seat[sequence] for seat in seats], axis=1).reshape(-1)
    before = ratings.arrays.before[sequence].reshape(-1)
    for player, first in zip(*(each.tolist() for each in np.unique(players, return_index=True)), strict=True):
        person, rank = ledger.players[player], declared[player]
        if person.name in by_hand or person.rating is not None:
            continue
        rating = float(before[first])
        if rank is None:
            yield Adjustment(person.name, rules.rank(rating), note=NOTE)
        elif abs(apart := (rating - rules.rating_for(rank)) / rules.per_rank) >= HALF:
            yield Adjustment(person.name, Rank.at(rank.stones + apart), note=NOTE)
