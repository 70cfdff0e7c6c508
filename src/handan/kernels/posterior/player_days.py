"""The days of players: every player has one node a day with games, and the nodes stand in the order of time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Ints


class Days(NamedTuple):
    """The nodes of a set of games; a node's player, day and predecessor have shape (nodes,)."""

    black: Ints
    """Node of Black in each game, shape (games,)."""
    white: Ints
    player: Ints
    day: Ints
    previous: Ints
    """Node of the same player's previous day, the node itself on the first day."""


@kernel
def number_days(black: Ints, white: Ints, day: Ints, last: Ints, days: Days) -> int:
    """Fill `days` from games in the order of their days; return the number of nodes.

    Args:
        black, white: Players of each game, shape (games,).
        day: Day of each game, ascending, shape (games,).
        last: Filled with the node of each player's last day, -1 without games, shape (players,).
        days: Arrays with room for two nodes a game.
    """
    count = 0
    last[:] = -1
    for game in range(len(black)):
        for side in range(2):
            player = black[game] if side == 0 else white[game]
            node = last[player]
            if node < 0 or days.day[node] != day[game]:
                days.player[count] = player
                days.day[count] = day[game]
                days.previous[count] = node if node >= 0 else count
                last[player] = count
                count += 1
            if side == 0:
                days.black[game] = last[player]
            else:
                days.white[game] = last[player]
    return count


def days_of(black: Ints, white: Ints, day: Ints, players: int) -> tuple[Days, Ints]:
    """Return the days of all players, and the node of each player's last day, -1 without games, shape (players,)."""
    games = len(black)
    last = np.empty(players, dtype=np.int64)
    room = Days(*(np.empty(size, dtype=np.int64) for size in (games, games, 2 * games, 2 * games, 2 * games)))
    count = number_days.for_work(games)(black, white, day, last, room)
    return Days(room.black, room.white, room.player[:count], room.day[:count], room.previous[:count]), last
