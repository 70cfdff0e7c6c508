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
from handan.kernels.newton import SAFE
from handan.kernels.web import (
    CARRY,
    PIVOT,
    REST,
    STRENGTH,
    Floats,
    Ints,
    Web,
    factorise,
    hold_prior,
    pull,
    pull_of_prior,
    renew_game,
)  # fmt: skip

FINER = 4.0  # our choice: factor from one limit of what a player has to move to the next
DRIFT = 0.3  # our choice: a gap may drift by so many roots of the tolerance; a tangent misses less than 0.05 drift^2


class Queue(NamedTuple):
    """Players who wait to be solved."""

    ring: Ints
    """Shape (players,)."""
    ends: Ints
    """Place of the next one, and how many wait, shape (2,)."""
    waiting: NDArray[np.bool_]
    """Whether a player waits, shape (players,)."""


@kernel
def call(web: Web, queue: Queue, player: int, limit: float) -> None:
    """Let a player wait if what he has pending would move him by more than the limit."""
    if web.players.pending[player] > limit * web.players.weight[player] and not queue.waiting[player]:
        queue.waiting[player] = True
        queue.ring[(queue.ends[0] + queue.ends[1]) % len(queue.ring)] = player
        queue.ends[1] += 1


@kernel
def find_step(web: Web, player: int, chain: Ints, step: Floats) -> int:
    """Solve the player's own system for the rests; fill his days and their changes, and return how many they are.

    Forward y_i = rest_i + carry_i y_(i-1), backward x_i = y_i / d_i + carry_(i+1) x_(i+1). A step that changes a lead
    by d > 1.79 may lose; it is cut to ln(1 + d) / d of its length, which never loses.
    """
    state = web.days.state
    if web.players.stale[player]:
        factorise(web, player)
    size, run = 0, 0.0
    day = web.players.first[player]
    while day >= 0:
        run = state[day, REST] + state[day, CARRY] * run
        chain[size], step[size] = day, run
        size += 1
        day = web.days.following[day]
    change, width = 0.0, 0.0
    for place in range(size - 1, -1, -1):
        change += state[chain[place], PIVOT] * step[place]
        step[place] = change
        width = max(width, abs(change))
        change *= state[chain[place], CARRY]
    share = 1.0 if width <= SAFE else math.log(1.0 + width) / width
    web.players.pending[player] *= 1.0 - share
    for place in range(size):
        step[place] *= share
        state[chain[place], STRENGTH] += step[place]
        state[chain[place], REST] *= 1.0 - share
    return size


@kernel
def hand_on(web: Web, queue: Queue, size: int, chain: Ints, step: Floats, drift: float, limit: float) -> None:
    """Tell the opponents of a player's days by how much these have changed."""
    state, first_entry = web.days.state, web.days.entries
    gaps, known, opponents, rivals, more = (
        web.entries.gap, web.entries.known, web.entries.opponent, web.entries.rival, web.entries.more
    )
    pending, weight = web.players.pending, web.players.weight
    ring, ends, waiting = queue
    for place in range(size):
        day, change = chain[place], step[place]
        entry = first_entry[day]
        while entry >= 0:
            other, rival = opponents[entry], rivals[entry]
            before = state[other, REST]
            after = before + known[entry] * change
            state[other, REST] = after
            pending[rival] += abs(after) - abs(before)
            gap = state[day, STRENGTH] - state[other, STRENGTH]
            if abs(gap - gaps[entry]) > drift:
                renew_game(web, entry, gap)
            if pending[rival] > limit * weight[rival] and not waiting[rival]:
                waiting[rival] = True
                ring[(ends[0] + ends[1]) % len(ring)] = rival
                ends[1] += 1
            entry = more[entry]


@kernel
def settle(web: Web, tolerance: float) -> int:
    """Solve players until nobody has more than `tolerance` to move; return how many solutions that took.

    What a player has to move is the sum of the sizes of his rests over his information.
    """
    players, longest = web.players, int(web.used[0])
    count, drift = len(players.first), DRIFT * math.sqrt(tolerance)
    queue = Queue(np.empty(count, dtype=np.int64), np.zeros(2, dtype=np.int64), np.zeros(count, dtype=np.bool_))
    chain, step = np.empty(longest, dtype=np.int64), np.empty(longest)
    limit, solved = 0.0, 0
    for player in range(count):
        if players.first[player] >= 0:
            limit = max(limit, players.pending[player] / players.weight[player])
    while limit > tolerance:
        limit = max(limit / FINER, tolerance)
        for player in range(count):
            call(web, queue, player, limit)
        while queue.ends[1] > 0:
            player = queue.ring[queue.ends[0]]
            queue.ends[0] = (queue.ends[0] + 1) % count
            queue.ends[1] -= 1
            queue.waiting[player] = False
            size = find_step(web, player, chain, step)
            hand_on(web, queue, size, chain, step, drift, limit)
            if abs(web.days.state[chain[0], STRENGTH] - players.held[player]) > drift:
                pull_of_prior(web, player, -1.0)
                hold_prior(web, player)
            call(web, queue, player, limit)
            solved += 1
    return solved
