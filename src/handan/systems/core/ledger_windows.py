"""A large ledger cut into windows of games, each rated from the state that the one before left."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from handan.ledger.ledger import between
from handan.systems.core.batches import batch_boundaries

if TYPE_CHECKING:
    from handan.kernels.types import Flags, Ints
    from handan.ledger import Ledger

GAMES = 1 << 22  # games of a window; our choice: some 600 MB of arrays while one is rated


FROM = 1 << 24  # games; our choice: ratings of fewer hold what was said of each
FOR_LIST = 1 << 20  # games of a window where a list is all that is wanted; our choice: its arrays stay in the heap
A_PLAYER = 4  # games of such a window for each player, who costs as much as a few games at its end; our choice


class Window(NamedTuple):
    """Games that stand behind each other, none of which is rated together with one before or after."""

    first: int
    """Index of the first one in the whole ledger."""
    end: int
    """Index behind the last one."""


def is_large(ledger: Ledger) -> bool:
    """Return whether a ledger is taken in windows: one with so many games that their ratings fill a memory."""
    return len(ledger) >= FROM


def games_at_once(ledger: Ledger, *, only_list: bool = False) -> int | None:
    """Return how many games are taken together, None for all of them.

    Args:
        ledger: The games.
        only_list: Whether nobody wants to know what is said of each game.
    """
    if is_large(ledger):
        return GAMES
    games = max(FOR_LIST, A_PLAYER * len(ledger.players))
    return games if only_list and len(ledger) >= 2 * games else None


def windows(ledger: Ledger, together: str, games: int = GAMES) -> list[Window]:
    """Return windows of about so many games; the last one holds the last day or period alone.

    Args:
        ledger: Its games.
        together: Which games are rated from the same ratings (`Sequential.together`).
        games: A window has more where a day, a period or an event does.
    """
    return windows_between(batch_boundaries(ledger, together), len(ledger), games)


def windows_between(cuts: Ints, end: int, games: int = GAMES, first: int = 0) -> list[Window]:
    """Return windows of about so many games up to an end, as `windows`, that begin at some of the cuts."""
    cuts = cuts[cuts > first]
    chosen = [first]
    while len(cuts) and cuts[-1] > chosen[-1]:
        place = int(np.searchsorted(cuts, chosen[-1] + games, side="left"))
        chosen.append(int(cuts[min(place, len(cuts) - 1)]))
    return [Window(*pair) for pair in pairwise([*chosen, end])]


def part_of(ledger: Ledger, window: Window, entered: Flags) -> Ledger:
    """Return the games of a window with all players, and with the adjustments that they need.

    Those are the adjustments of its time, and earlier ones of who has not entered.
    """
    positions = map(ledger.arrays.position, ledger.adjustments)
    items = tuple(
        item
        for item, place in zip(ledger.adjustments, positions, strict=True)
        if (place >= window.first or not entered[ledger.find(item.player)])
        and (place < window.end or window.end == len(ledger))
    )
    return between(ledger, *window, items)
