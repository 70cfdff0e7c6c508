"""Events as the AGA rates them: all games of one at once, and a day's games without a named event as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from handan.systems.core.schedule import Schedule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handan.kernels.types import Codes, Ints
    from handan.ledger import Ledger
    from handan.systems.core.replay_state import ReplayState


def events(ledger: Ledger, unrated: Codes, reasons: tuple[str, ...], past: ReplayState | None = None) -> Schedule:
    """Lay out the rated games by events, in the order of their first games; a day's games without one are an event.

    Args:
        ledger: All games.
        unrated: Why a game is not rated, 0 for a rated one, shape (games,).
        reasons: What each of these numbers means.
        past: What is known of the players from games before; None: there are none.
    """
    taken = np.flatnonzero(unrated == 0)
    key = event_of(ledger)[taken]
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    place = np.argsort(np.argsort(first, kind="stable"), kind="stable")[number] if len(first) else number
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    return Schedule(ledger, taken[order], unrated, reasons, np.append(starts, len(taken)), past=past)


def event_of(ledger: Ledger) -> Ints:
    """Return the number of each game's event, shape (games,); below 0 for a day's games without a named one."""
    return ledger.arrays.kept("event of each game", lambda: _numbered(ledger))


def _numbered(ledger: Ledger) -> Ints:
    day = ledger.arrays.day
    rising = bool((day[1:] >= day[:-1]).all())  # as days of a ledger are, but for games without a date
    number: Ints = np.cumsum(np.diff(day, prepend=day[:1]) > 0) if rising else np.unique(day, return_inverse=True)[1]
    return np.where(ledger.arrays.in_event, ledger.arrays.event, -1 - number)


def with_strangers(ledger: Ledger, past: ReplayState | None = None) -> NDArray[np.bool_]:
    """Return whether a side has neither declared a rank by the end of the game's event, nor been set by hand."""
    games, event = np.arange(len(ledger)), np.append(event_of(ledger), 0)
    declared = ledger.arrays.first_declared
    by_hand = np.full(len(ledger.players), len(ledger))
    for item in ledger.adjustments:
        player = ledger.find(item.player)
        by_hand[player] = min(by_hand[player], ledger.arrays.position(item))
    if past is not None:
        declared, by_hand = np.where(past.declared != "", -1, declared), np.where(past.by_hand, -1, by_hand)
    strangers = np.zeros(len(ledger), dtype=np.bool_)
    for side in (ledger.arrays.black, ledger.arrays.white):
        later = (declared[side] > games) & (by_hand[side] > games)
        strangers |= later & ((declared[side] == len(ledger)) | (event[declared[side]] != event[:-1]))
    return strangers
