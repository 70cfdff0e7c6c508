"""The graph of a posterior: nodes whose strengths are unknown, games between two of them, and chains of them.

A node is a player, or a player on a day with games, or the worth of terms that is learned beside the strengths. The
nodes of one player form a chain. Days stand in the order of the games, so that a sweep meets most players again soon.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Ints, Nodes, Numbers, Seats

NOTHING: Nodes = np.empty(0, dtype=np.uint32)
"""Nodes of worths where none is learned."""


class Graph(NamedTuple):
    """Nodes, and what joins them."""

    black: Nodes
    """Node of Black in each game, shape (games,)."""
    white: Nodes
    worth: Nodes
    """Node of a learned worth that adds to Black's strength, shape (games,), or (0,) where nothing is learned."""
    following: Nodes
    """The next node of the same chain, the node itself at the end, shape (nodes,)."""
    gap: Nodes
    """Periods until the next node of the same chain, 0 at the end, shape (nodes,)."""
    first: Ints
    """The first node of each chain."""
    strengths: int
    """How many nodes are strengths; those of learned worths come after them."""


class Days(NamedTuple):
    """The days of all players, of games that stand in their order."""

    black: Nodes
    """Node of Black in each game, shape (games,)."""
    white: Nodes
    following: Nodes
    """Node of the same player's next day, the node itself on the last day, shape (nodes,)."""
    gap: Nodes
    """Periods until the same player's next day, 0 on the last day, shape (nodes,)."""
    first: Ints
    """Node of each player's first day, -1 without games, shape (players,)."""
    last: Ints
    """Node of each player's last day, -1 without games, shape (players,)."""
    begins: Ints
    """Number of the period of each player's first day, shape (players,)."""
    ends: Ints
    """The same of the last day."""


class Table(NamedTuple):
    """What follows from `Days` of each node, shape (nodes,)."""

    player: Ints
    day: Ints
    """Number of the period."""
    previous: Ints
    """Node of the same player's previous day, the node itself on the first day."""


@kernel
def number_days(black: Seats, white: Seats, day: Ints | Numbers, days: Days) -> int:
    """Fill `days`; return the number of nodes.

    Args:
        black, white: Players of each game, shape (games,).
        day: Period of each game, ascending, shape (games,).
        days: Arrays with room for two nodes a game.
    """
    count = 0
    days.first[:] = -1
    days.last[:] = -1
    for side in range(2 * len(black)):
        game = side >> 1
        player = white[game] if side & 1 else black[game]
        node = days.last[player]
        if node < 0 or days.ends[player] != day[game]:
            days.gap[count], days.following[count] = 0, count
            if node < 0:
                days.first[player], days.begins[player] = count, day[game]
            else:
                days.gap[node] = day[game] - days.ends[player]
                days.following[node] = count
            days.last[player], days.ends[player] = count, day[game]
            count += 1
        if side & 1:
            days.white[game] = days.last[player]
        else:
            days.black[game] = days.last[player]
    return count


@kernel
def fill_table(days: Days, table: Table) -> None:
    """Fill the player, the period and the previous day of each node."""
    for player in range(len(days.first)):
        node = days.first[player]
        if node >= 0:
            table.player[node], table.day[node], table.previous[node] = player, days.begins[player], node
    for node in range(len(days.following)):
        after = days.following[node]
        if after != node:
            table.player[after], table.previous[after] = table.player[node], node
            table.day[after] = table.day[node] + days.gap[node]


def days_of(black: Seats, white: Seats, day: Ints | Numbers, players: int) -> Days:
    """Return the days of all players.

    Args:
        black, white: Players of each game, shape (games,).
        day: Number of the period of each game, ascending, shape (games,).
        players: Number of players.
    """
    games = len(black)
    sides = [np.empty(games, dtype=np.uint32) for _ in range(2)]
    nodes = [np.empty(2 * games, dtype=np.uint32) for _ in range(2)]
    people = [np.empty(players, dtype=np.int64) for _ in range(4)]
    room = Days._make([*sides, *nodes, *people])
    count = number_days.for_work(2 * games)(black, white, day, room)
    return room._replace(following=room.following[:count], gap=room.gap[:count])


def table_of(days: Days) -> Table:
    """Return the player, the period and the previous day of each node."""
    table = Table(*(np.empty(len(days.following), dtype=np.int64) for _ in Table._fields))
    fill_table.for_work(len(days.following))(days, table)
    return table


def nodes_of(days: Days, player: int) -> Ints:
    """Return the nodes of a player, given by index, from the first day on."""
    node, nodes = int(days.first[player]), []
    while node >= 0:
        nodes.append(node)
        after = int(days.following[node])
        node = after if after != node else -1
    return np.array(nodes, dtype=np.int64)


def graph_of_days(days: Days, worth: Nodes | None = None, worths: int = 0) -> Graph:
    """Return the graph whose nodes are players' days, and learned worths after them.

    Args:
        days: The days.
        worth: Node of the worth of each game, counted from that of the first worth on, shape (games,).
        worths: How many worths there are.
    """
    count = len(days.following)
    first, following, gap = days.first[days.first >= 0], days.following, days.gap
    if worth is None:
        return Graph(days.black, days.white, NOTHING, following, gap, first, count)
    after = np.arange(count, count + worths)
    return Graph(
        days.black,
        days.white,
        worth + np.uint32(count),
        np.append(following, after.astype(np.uint32)),
        np.append(gap, np.zeros(worths, dtype=np.uint32)),
        np.append(first, after),
        count,
    )


def graph_of_players(
    black: Ints | Nodes, white: Ints | Nodes, players: int, worth: Nodes | None = None, worths: int = 0
) -> Graph:
    """Return the graph whose nodes are players, each a chain by itself, and learned worths after them.

    Args:
        black, white: Players of each game, shape (games,).
        players: Number of players.
        worth, worths: As in `graph_of_days`.
    """
    nodes = np.arange(players, dtype=np.uint32)
    people = np.arange(players, dtype=np.int64)
    sides = black.astype(np.uint32), white.astype(np.uint32)
    days = Days(*sides, nodes, np.zeros_like(nodes), people, people, people, people)
    return graph_of_days(days, worth, worths)
