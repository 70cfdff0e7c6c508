"""A solved history that games were added to: only the players whom the change reaches are solved again.

A change of one player is handed on to the rests of his opponents by the tangents of their games; a game is looked at
anew once its gap of strengths has drifted. Solving one player after another, those with most to move first
(Gauss-Southwell), climbs to the maximum, which is unique.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import kernel
from handan.kernels.posterior.newton import SAFE
from handan.kernels.types import Floats, Ints
from handan.kernels.whr_live.state import (
    CARRY,
    PIVOT,
    REST,
    STRENGTH,
    Days,
    Web,
    factorise,
    hold_prior,
    pull,
    pull_of_prior,
    renew_game,
)  # fmt: skip

FINER = 4.0  # our choice: factor from one limit of what a player has to move to the next


class Queue(NamedTuple):
    """Players who wait to be solved."""

    ring: Ints
    """Shape (players,)."""
    ends: Ints
    """Place of the next one, and how many wait, shape (2,)."""
    waiting: NDArray[np.bool_]
    """Whether a player waits, shape (players,)."""


@kernel
def call(queue: Queue, player: int) -> None:
    """Let a player wait who does not wait yet."""
    queue.waiting[player] = True
    queue.ring[(queue.ends[0] + queue.ends[1]) % len(queue.ring)] = player
    queue.ends[1] += 1


@kernel
def find_step(days: Days, first: int, chain: Ints, step: Floats) -> tuple[int, float]:
    """Solve a player's own system for the rests, and move him; fill his days and their changes.

    Forward y_i = rest_i + carry_i y_(i-1), backward x_i = y_i / d_i + carry_(i+1) x_(i+1). A step that changes a lead
    by d > 1.79 may lose; it is cut to ln(1 + d) / d of its length, which never loses.

    Args:
        days: Those of all players.
        first: The player's first day.
        chain, step: Filled, with room for one player's days.

    Returns:
        How many days the player has, and the share of the rests that is left.
    """
    state = days.state
    size, run, day = 0, 0.0, first
    while day >= 0:
        run = state[day, REST] + state[day, CARRY] * run
        chain[size], step[size] = day, run
        size += 1
        day = days.following[day]
    change, width = 0.0, 0.0
    for place in range(size - 1, -1, -1):
        change += state[chain[place], PIVOT] * step[place]
        step[place] = change
        width = max(width, abs(change))
        change *= state[chain[place], CARRY]
    share = 1.0 if width <= SAFE else math.log(1.0 + width) / width
    for place in range(size):
        step[place] *= share
        state[chain[place], STRENGTH] += step[place]
        state[chain[place], REST] *= 1.0 - share
    return size, 1.0 - share


@kernel
def hand_on(web: Web, queue: Queue, size: int, chain: Ints, step: Floats, drift: float, limit: float) -> None:
    """Hand the changes of a player's days on to his opponents, and call those who have more than the limit to move."""
    state, first_entry = web.days.state, web.days.entries
    pending, weight = web.players.pending, web.players.weight
    waiting = queue.waiting
    gaps, known, _, opponents, rivals, _, more = web.entries  # in loops the compiler is slow to look into records
    for place in range(size):
        day, change = chain[place], step[place]
        entry = first_entry[day]
        while entry >= 0:
            other, rival = opponents[entry], rivals[entry]
            pull(state, pending, other, rival, known[entry] * change)
            gap = state[day, STRENGTH] - state[other, STRENGTH]
            if abs(gap - gaps[entry]) > drift:
                renew_game(web, entry, gap)
            if pending[rival] > limit * weight[rival] and not waiting[rival]:
                call(queue, rival)
            entry = more[entry]


@kernel
def settle(web: Web, tolerance: float) -> int:
    """Solve players until nobody has more than `tolerance` to move; return how many solutions that took.

    What a player has to move is the sum of the sizes of his rests over his information.
    """
    players, longest = web.players, int(web.used[0])
    count, drift = len(players.first), math.sqrt(tolerance)
    queue = Queue(np.empty(count, dtype=np.int64), np.zeros(2, dtype=np.int64), np.zeros(count, dtype=np.bool_))
    chain, step = np.empty(longest, dtype=np.int64), np.empty(longest)
    limit, solved = 0.0, 0
    for player in range(count):
        if players.first[player] >= 0:
            limit = max(limit, players.pending[player] / players.weight[player])
    while limit > tolerance:
        limit = max(limit / FINER, tolerance)
        for player in range(count):
            if players.pending[player] > limit * players.weight[player] and not queue.waiting[player]:
                call(queue, player)
        while queue.ends[1] > 0:
            player = queue.ring[queue.ends[0]]
            queue.ends[0] = (queue.ends[0] + 1) % count
            queue.ends[1] -= 1
            queue.waiting[player] = False
            if players.stale[player]:
                factorise(web, player)
            size, left = find_step(web.days, players.first[player], chain, step)
            players.pending[player] *= left
            hand_on(web, queue, size, chain, step, drift, limit)
            if abs(web.days.state[chain[0], STRENGTH] - players.held[player]) > drift:
                pull_of_prior(web, player, -1.0)
                hold_prior(web, player)
            if players.pending[player] > limit * players.weight[player] and not queue.waiting[player]:
                call(queue, player)
            solved += 1
    return solved
