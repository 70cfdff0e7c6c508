"""A solved history to which games are added: only the players whom the change reaches are solved again.

Each player's days form a chain, each day has a list of games; both are linked, so that a game can be added anywhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import kernel
from handan.kernels.likelihood import win_and_information

MOST_ROUNDS = 50  # our choice: Newton steps for one player; two or three are usual


class Web(NamedTuple):
    """Days and games with room for more; -1 ends every list."""

    strength: NDArray[np.float64]
    """Of each day, natural units, shape (room for days,)."""
    player: NDArray[np.int64]
    day: NDArray[np.int64]
    following: NDArray[np.int64]
    """The same player's next day."""
    first: NDArray[np.int64]
    """First day of each player, shape (players,)."""
    games: NDArray[np.int64]
    """First entry of each day's list of games."""
    other: NDArray[np.int64]
    """Opponent's day of each entry, shape (room for entries,); a game has two entries."""
    score: NDArray[np.float64]
    """Own score."""
    bonus: NDArray[np.float64]
    """What the terms add to the own strength."""
    more: NDArray[np.int64]
    """Next entry of the same day."""
    used: NDArray[np.int64]
    """Days and entries in use, shape (2,)."""


@kernel
def day_of(web: Web, player: int, day: int) -> int:
    """Return the node of a player's day, put into the chain if it is new, at the strength of the day before."""
    before, node = -1, int(web.first[player])
    while node >= 0 and web.day[node] < day:
        before, node = node, int(web.following[node])
    if node >= 0 and web.day[node] == day:
        return node
    new = int(web.used[0])
    web.used[0] += 1
    web.player[new], web.day[new], web.following[new], web.games[new] = player, day, node, -1
    near = before if before >= 0 else node
    web.strength[new] = web.strength[near] if near >= 0 else 0.0
    if before >= 0:
        web.following[before] = new
    else:
        web.first[player] = new
    return new


@kernel
def join_game(web: Web, black: int, white: int, score: float, bonus: float) -> None:
    """Enter a game between two days into the lists of both."""
    for side in range(2):
        entry = web.used[1]
        web.used[1] += 1
        own, other = (black, white) if side == 0 else (white, black)
        web.other[entry] = other
        web.score[entry] = score if side == 0 else 1.0 - score
        web.bonus[entry] = bonus if side == 0 else -bonus
        web.more[entry] = web.games[own]
        web.games[own] = entry


@kernel
def weave(
    black: NDArray[np.int64], white: NDArray[np.int64], score: NDArray[np.float64], bonus: NDArray[np.float64], web: Web
) -> None:
    """Enter all games between days that exist."""
    for game in range(len(black)):
        join_game(web, black[game], white[game], score[game], bonus[game])


@kernel
def resolve_player(
    web: Web, player: int, growth: float, prior: float, tolerance: float, nodes: NDArray[np.int64],
    work: NDArray[np.float64],
) -> int:  # fmt: skip
    """Solve one player's chain, all others held fixed; return the number of days.

    Args:
        web: The history.
        player: Whose chain.
        growth: Variance that a day adds.
        prior: Virtual wins and losses on the first day.
        tolerance: Largest change of the last Newton step.
        nodes: Filled with the player's days.
        work: Room for four numbers a day; work[3] is filled with the change of each day.
    """
    size, node = 0, web.first[player]
    while node >= 0:
        nodes[size] = node
        work[3, size] = web.strength[node]
        size += 1
        node = web.following[node]
    pivot, carry, step = work[0], work[1], work[2]
    for _ in range(MOST_ROUNDS):
        link_before = 0.0
        for i in range(size):
            node = nodes[i]
            own = web.strength[node]
            gradient, curve = 0.0, 0.0
            if i == 0:
                p, known = win_and_information(own)
                gradient, curve = prior * (1.0 - 2.0 * p), 2.0 * prior * known
            entry = web.games[node]
            while entry >= 0:
                p, known = win_and_information(own - web.strength[web.other[entry]] + web.bonus[entry])
                gradient += web.score[entry] - p
                curve += known
                entry = web.more[entry]
            link = 0.0
            if i > 0:
                gradient -= link_before * (own - web.strength[nodes[i - 1]])
                curve += link_before
            if i + 1 < size:
                link = 1.0 / (growth * (web.day[nodes[i + 1]] - web.day[node]))
                gradient -= link * (own - web.strength[nodes[i + 1]])
                curve += link
            carry[i] = link_before / pivot[i - 1] if i > 0 else 0.0
            pivot[i] = curve - (link_before * carry[i] if i > 0 else 0.0)
            step[i] = gradient + (carry[i] * step[i - 1] if i > 0 else 0.0)
            link_before = link
        largest = 0.0
        for i in range(size - 1, -1, -1):
            step[i] = step[i] / pivot[i] + (carry[i + 1] * step[i + 1] if i + 1 < size else 0.0)
            web.strength[nodes[i]] += step[i]
            largest = max(largest, abs(step[i]))
        if largest * largest < tolerance:  # the next step would be about its square
            break
    for i in range(size):
        work[3, i] = web.strength[nodes[i]] - work[3, i]
    return size


@kernel
def settle(
    web: Web, queue: NDArray[np.int64], waiting: NDArray[np.bool_], size: int, growth: float, prior: float,
    tolerance: float, pending: NDArray[np.float64], nodes: NDArray[np.int64], work: NDArray[np.float64],
) -> int:  # fmt: skip
    """Solve the players of the queue, and those whom a change may move by `tolerance`; return how many solutions.

    Args:
        web: The history.
        queue: Ring of players, shape (players,); the first `size` wait.
        waiting: Whether a player is in the queue, shape (players,).
        size: Players that wait.
        growth, prior: As for `resolve_player`.
        tolerance: Move of a player from which he is solved again, natural units.
        pending: Pull that changes of opponents have put on each player since he was solved, shape (players,).
        nodes, work: Room for one player's days.
    """
    head, solved = 0, 0
    while size > 0:
        player = queue[head]
        head = (head + 1) % len(queue)
        size -= 1
        waiting[player] = False
        pending[player] = 0.0
        solved += 1
        for place in range(resolve_player(web, player, growth, prior, tolerance, nodes, work)):
            change = work[3, place]
            if abs(change) < 0.1 * tolerance:
                continue
            own = web.strength[nodes[place]]
            entry = web.games[nodes[place]]
            while entry >= 0:
                day = web.other[entry]
                reached = web.player[day]
                _, known = win_and_information(own - web.strength[day] + web.bonus[entry])
                pending[reached] += known * change
                if not waiting[reached] and abs(pending[reached]) >= tolerance:
                    waiting[reached] = True
                    queue[(head + size) % len(queue)] = reached
                    size += 1
                entry = web.more[entry]
    return solved
