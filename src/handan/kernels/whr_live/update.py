"""A solved history to which games were added: only players whose gradient exceeds the tolerance are solved again.

A change of one player is propagated to the gradients of the opponents through the linearised games; a game is
re-linearised once its rating difference has drifted. Solving one player after another, those with most to move first
(Gauss-Southwell), climbs to the maximum, which is unique.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.posterior.newton import SAFE
from handan.kernels.prefetching import MANY_DAYS
from handan.kernels.types import Flags, Floats, Ints
from handan.kernels.whr_live.journal import Journal, note_pending, note_row
from handan.kernels.whr_live.state import (
    CARRY,
    DAYS_AHEAD,
    GRADIENT,
    PIVOT,
    STRENGTH,
    Days,
    History,
    add_prior_gradient,
    factorise,
    fetch_opponents,
    push,
    relinearise_game,
    relinearise_prior,
)  # fmt: skip

FINER = 4.0  # our choice: factor from one limit of what a player has to move to the next


class Queue(NamedTuple):
    """Players who wait to be solved."""

    ring: Ints
    """Shape (players,)."""
    ends: Ints
    """Place of the next one, and how many wait, shape (2,)."""
    waiting: Flags
    """Whether a player waits, shape (players,)."""


@kernel
def enqueue(queue: Queue, player: int) -> None:
    """Enqueue a player. The caller checks that the player is not queued."""
    queue.waiting[player] = True
    queue.ring[(queue.ends[0] + queue.ends[1]) % len(queue.ring)] = player
    queue.ends[1] += 1


@kernel
def find_step(journal: Journal, days: Days, first: int, chain: Ints, step: Floats) -> tuple[int, float]:
    """Solve a player's own system for the gradients, and move the player; fill the days and their changes.

    Forward y_i = gradient_i + carry_i y_(i-1), backward x_i = y_i / d_i + carry_(i+1) x_(i+1). A step that changes a
    lead by d > 1.79 may lose; it is cut to ln(1 + d) / d of its length, which never loses.

    Args:
        journal: Of the history.
        days: Those of all players.
        first: The player's first day.
        chain, step: Filled, with room for one player's days.

    Returns:
        How many days the player has, and the share of the gradients that is left.
    """
    state = days.state
    size, run, day = 0, 0.0, first
    while day >= 0:
        run = state[day, GRADIENT] + state[day, CARRY] * run
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
    _, _, days_noted, states_noted, used, rows, _ = journal
    writes = len(rows) > 0
    for place in range(size):
        day = chain[place]
        step[place] *= share
        if writes and not rows[day]:
            note_row(days_noted, states_noted, used, rows, state, day)
        state[day, STRENGTH] += step[place]
        state[day, GRADIENT] *= 1.0 - share
    return size, 1.0 - share


@kernel
def propagate(history: History, queue: Queue, size: int, chain: Ints, step: Floats, drift: float, limit: float) -> None:
    """Propagate the changes of a player's days to the opponents; enqueue those who have more than the limit to move."""
    state, first_entry = history.days.state, history.days.entries
    pending, weight = history.players.pending, history.players.weight
    waiting, strengths, many = queue.waiting, state.reshape(-1), len(first_entry) >= MANY_DAYS
    _, _, days_noted, states_noted, used, rows, noted = history.journal
    writes = len(rows) > 0
    gaps, information, _, opponents, rivals, _, more = (
        history.entries
    )  # in loops the compiler is slow to look into records
    for place in range(size):
        if many and place + DAYS_AHEAD < size:
            fetch_opponents(strengths, rows, first_entry[chain[place + DAYS_AHEAD]], opponents, more)
        day, change = chain[place], step[place]
        entry = first_entry[day]
        while entry >= 0:
            other, rival = opponents[entry], rivals[entry]
            if writes:
                if not rows[other]:
                    note_row(days_noted, states_noted, used, rows, state, other)
                if not noted[rival]:
                    note_pending(history.journal, pending, rival)
            push(state, pending, other, rival, information[entry] * change)
            gap = state[day, STRENGTH] - state[other, STRENGTH]
            if abs(gap - gaps[entry]) > drift:
                relinearise_game(history, entry, gap)
            if pending[rival] > limit * weight[rival] and not waiting[rival]:
                enqueue(queue, rival)
            entry = more[entry]


@kernel
def solve(history: History, tolerance: float, moved: Flags) -> int:
    """Solve players until nobody has more than a tolerance to move; return how many solutions that took.

    What a player has to move is the sum of the absolute gradients of the player's days over the information.

    Args:
        history: Of all players.
        tolerance: Natural units.
        moved: Set where a player is solved; else left as it is, shape (players,).
    """
    first, prior_at, pending, weight, stale = history.players  # in loops the compiler is slow to look into records
    journal, days, state = history.journal, history.days, history.days.state
    count, longest, drift = len(first), int(history.used[0]), math.sqrt(tolerance)
    queue = Queue(np.empty(count, dtype=np.int64), np.zeros(2, dtype=np.int64), np.zeros(count, dtype=np.bool_))
    ring, ends, waiting = queue
    chain, step = np.empty(longest, dtype=np.int64), np.empty(longest)
    limit, solved = 0.0, 0
    for player in range(count):
        if first[player] >= 0:
            limit = max(limit, pending[player] / weight[player])
    while limit > tolerance:
        limit = max(limit / FINER, tolerance)
        for player in range(count):
            if pending[player] > limit * weight[player] and not waiting[player]:
                enqueue(queue, player)
        while ends[1] > 0:
            player = ring[ends[0]]
            ends[0] = (ends[0] + 1) % count
            ends[1] -= 1
            waiting[player] = False
            if stale[player]:
                factorise(history, player)
            size, left = find_step(journal, days, first[player], chain, step)
            moved[player] = True
            note_pending(journal, pending, player)
            pending[player] *= left
            propagate(history, queue, size, chain, step, drift, limit)
            if abs(state[chain[0], STRENGTH] - prior_at[player]) > drift:
                add_prior_gradient(history, player, -1.0)
                relinearise_prior(history, player)
            if pending[player] > limit * weight[player] and not waiting[player]:
                enqueue(queue, player)
            solved += 1
    return solved
