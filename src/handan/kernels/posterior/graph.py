"""The graph of a posterior: nodes whose strengths are unknown, games between two of them, and chains of them.

A node is a player, or a player on a day with games, or the worth of terms that is learned beside the strengths. The
nodes of one player form a chain.
Days stand in blocks of successive ones, within a block by player, then by day. So the two nodes of a game lie in one
block, which a processor keeps near, and a sweep along the days of all players meets their next days in order, too.
A single block is near as a whole. Its nodes stand in the order of the games, so that no node of a sweep waits for what
the node just before it gives.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Ints, Nodes, Numbers, Seats

GAMES_OF_BLOCK = 1 << 16
"""Games of a block at least, except the last.
our choice: the vectors of some hundred thousand nodes stay near a processor, and most players play again soon."""
NOTHING: Nodes = np.empty(0, dtype=np.uint32)
"""Nodes of worths where none is learned."""
DIGIT = 11
"""Bits by which players are sorted at a time; our choice."""


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
    nodes: Ints
    """First node of each block, and the number of nodes, shape (blocks + 1,)."""
    games: Ints
    """First game of each block, and the number of games, shape (blocks + 1,)."""
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
    nodes: Ints
    """First node of each block, and the number of nodes, shape (blocks + 1,)."""
    games: Ints
    """First game of each block, and the number of games, shape (blocks + 1,)."""


class Table(NamedTuple):
    """What follows from `Days` of each node, shape (nodes,)."""

    player: Ints
    day: Ints
    """Number of the period."""
    previous: Ints
    """Node of the same player's previous day, the node itself on the first day."""


@kernel
def cut_at_days(day: Ints | Numbers, least: int, games: Ints) -> int:
    """Fill `games` with the first game of each block of at least so many games, and the end; return the blocks."""
    count, end = 0, 0
    games[0] = 0
    while end < len(day):
        end = min(end + least, len(day))
        while end < len(day) and day[end] == day[end - 1]:
            end += 1
        count += 1
        games[count] = end
    return count


@kernel
def sort_sides(black: Seats, white: Seats, players: int, order: Nodes, spare: Nodes) -> Nodes:
    """Return the sides of games (0 and 1 of the first, 2 and 3 of the second) by player, those of one as they stand.

    Args:
        black, white: Player of each side, shape (games,).
        players: Number of players; with 1 the sides stay as they stand.
        order, spare: Arrays with room for two sides a game; one of them is returned.
    """
    sides = 2 * len(black)
    for side in range(sides):
        order[side] = side
    begin = np.empty((1 << DIGIT) + 1, dtype=np.int64)
    shift = 0
    while (players - 1) >> shift > 0:
        begin[:] = 0
        for side in range(sides):
            player = white[side >> 1] if side & 1 else black[side >> 1]
            begin[((player >> shift) & ((1 << DIGIT) - 1)) + 1] += 1
        for digit in range(1 << DIGIT):
            begin[digit + 1] += begin[digit]
        for place in range(sides):
            side = int(order[place])
            player = white[side >> 1] if side & 1 else black[side >> 1]
            digit = (player >> shift) & ((1 << DIGIT) - 1)
            spare[begin[digit]] = side
            begin[digit] += 1
        order, spare = spare, order
        shift += DIGIT
    return order


@kernel
def number_days(black: Seats, white: Seats, day: Ints | Numbers, days: Days) -> int:
    """Fill `days`, whose blocks of games are given; return the number of nodes.

    Args:
        black, white: Players of each game, shape (games,).
        day: Period of each game, ascending, shape (games,).
        days: Arrays with room for two nodes a game.
    """
    count, widest = 0, 0
    players = len(days.first) if len(days.games) > 2 else 1
    for block in range(len(days.games) - 1):
        widest = max(widest, int(days.games[block + 1] - days.games[block]))
    order, spare = np.empty(2 * widest, dtype=np.uint32), np.empty(2 * widest, dtype=np.uint32)
    days.first[:] = -1
    days.last[:] = -1
    for block in range(len(days.games) - 1):
        days.nodes[block] = count
        start, end = days.games[block], days.games[block + 1]
        sides = sort_sides(black[start:end], white[start:end], players, order, spare)
        for place in range(2 * (end - start)):
            side = int(sides[place])
            game = start + (side >> 1)
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
    days.nodes[len(days.games) - 1] = count
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


def days_of(black: Seats, white: Seats, day: Ints | Numbers, players: int, least: int = GAMES_OF_BLOCK) -> Days:
    """Return the days of all players.

    Args:
        black, white: Players of each game, shape (games,).
        day: Number of the period of each game, ascending, shape (games,).
        players: Number of players.
        least: Games of a block.
    """
    games = len(black)
    cuts = np.empty(games // least + 2, dtype=np.int64)
    blocks = cut_at_days.for_work(games)(day, least, cuts)
    sides = [np.empty(games, dtype=np.uint32) for _ in range(2)]
    nodes = [np.empty(2 * games, dtype=np.uint32) for _ in range(2)]
    people = [np.empty(players, dtype=np.int64) for _ in range(4)]
    bounds = [np.empty(blocks + 1, dtype=np.int64), cuts[: blocks + 1].copy()]
    room = Days._make([*sides, *nodes, *people, *bounds])
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
    first, following, gap, nodes = days.first[days.first >= 0], days.following, days.gap, days.nodes
    if worth is None:
        return Graph(days.black, days.white, NOTHING, following, gap, first, nodes, days.games, count)
    after = np.arange(count, count + worths)
    return Graph(
        days.black,
        days.white,
        worth + np.uint32(count),
        np.append(following, after.astype(np.uint32)),
        np.append(gap, np.zeros(worths, dtype=np.uint32)),
        np.append(first, after),
        np.append(nodes[:-1], count + worths),
        days.games,
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
    blocks = np.array([0, players]), np.array([0, len(black)])
    sides = black.astype(np.uint32), white.astype(np.uint32)
    days = Days(*sides, nodes, np.zeros_like(nodes), people, people, people, people, *blocks)
    return graph_of_days(days, worth, worths)
