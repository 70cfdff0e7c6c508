"""A solved history that games were added to: only the players whom the change reaches are solved again.

A change of one player is handed on to the rests of his opponents by the tangents of their games; a game is looked at
again once its lead has drifted. Solving one player after another, those with most pending first (Gauss-Southwell),
climbs to the maximum, which is unique.
"""

from __future__ import annotations

import math

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.likelihood import win_and_information
from handan.kernels.newton import SAFE
from handan.kernels.web import Floats, Ints, Web, pull, renew_prior

FINER = 4.0  # our choice: factor from one limit of the rests to the next


@kernel
def factorise(web: Web, player: int) -> None:
    """Find the factors of the player's own system, all others held fixed: pivots d_i = h_i - link^2 / d_(i-1)."""
    days = web.days
    _, known = win_and_information(web.players.held[player])
    curve, link, pivot = 2.0 * web.prior * known, 0.0, 0.0
    day = web.players.first[player]
    while day >= 0:
        entry = days.entries[day]
        while entry >= 0:
            curve += web.entries.known[entry]
            entry = web.entries.more[entry]
        after = days.following[day]
        carry = link * pivot
        curve += link - link * carry
        link = 1.0 / (web.growth * (days.day[after] - days.day[day])) if after >= 0 else 0.0
        pivot = 1.0 / (curve + link)
        days.carry[day], days.pivot[day] = carry, pivot
        curve, day = 0.0, after
    web.players.stale[player] = False


@kernel
def find_step(web: Web, player: int, chain: Ints, step: Floats) -> int:
    """Solve the player's own system for the rests; fill his days and their changes, and return how many they are.

    Forward y_i = rest_i + carry_i y_(i-1), backward x_i = y_i / d_i + carry_(i+1) x_(i+1). A step that changes a lead
    by d > 1.79 may lose; it is cut to ln(1 + d) / d of its length, which never loses.
    """
    days = web.days
    if web.players.stale[player]:
        factorise(web, player)
    size, sum_so_far = 0, 0.0
    day = web.players.first[player]
    while day >= 0:
        sum_so_far = days.rest[day] + days.carry[day] * sum_so_far
        chain[size], step[size] = day, sum_so_far
        size += 1
        day = days.following[day]
    change, width = 0.0, 0.0
    for place in range(size - 1, -1, -1):
        day = chain[place]
        change += days.pivot[day] * step[place]
        step[place] = change
        width = max(width, abs(change))
        change *= days.carry[day]
    share = 1.0 if width <= SAFE else math.log(1.0 + width) / width
    web.players.pending[player] *= 1.0 - share
    for place in range(size):
        day = chain[place]
        days.rest[day] *= 1.0 - share
        step[place] *= share
        days.strength[day] += step[place]
    return size


@kernel
def renew_game(web: Web, entry: int, lead: float) -> None:
    """Look at a game again, at its lead now, and put the rests of both days right."""
    entries = web.entries
    twin = entries.twin[entry]
    own, other = entries.opponent[twin], entries.opponent[entry]
    before, _ = win_and_information(entries.lead[entry])
    p, known = win_and_information(lead)
    missed = before + entries.known[entry] * (lead - entries.lead[entry]) - p
    entries.lead[entry], entries.lead[twin] = lead, -lead
    entries.known[entry] = entries.known[twin] = known
    pull(web, own, missed)
    pull(web, other, -missed)
    web.players.stale[web.days.player[own]] = True
    web.players.stale[web.days.player[other]] = True


@kernel
def settle(web: Web, tolerance: float) -> int:
    """Solve players until nobody has as much as `tolerance` pending; return how many solutions that took.

    Args:
        web: The history.
        tolerance: Slope; a lead may drift by 0.3 of its root before its game is looked at again.
    """
    players, longest = len(web.players.first), int(web.used[0])
    queue, waiting = np.empty(players, dtype=np.int64), np.zeros(players, dtype=np.bool_)
    chain, step = np.empty(longest, dtype=np.int64), np.empty(longest)
    days, entries, pending = web.days, web.entries, web.players.pending
    near = 0.3 * math.sqrt(tolerance)  # our choice: the tangent then misses less than 0.0044 of the tolerance
    limit, solved, head, size = np.abs(pending).max(), 0, 0, 0
    while limit > tolerance:
        limit = max(limit / FINER, tolerance)
        for player in range(len(pending)):
            if abs(pending[player]) > limit:
                waiting[player] = True
                queue[(head + size) % len(queue)] = player
                size += 1
        while size > 0:
            player = queue[head]
            head = (head + 1) % len(queue)
            size -= 1
            waiting[player] = False
            solved += 1
            count = find_step(web, player, chain, step)
            for place in range(count):
                day, change = chain[place], step[place]
                entry = days.entries[day]
                while entry >= 0:
                    other = entries.opponent[entry]
                    pull(web, other, entries.known[entry] * change)
                    lead = days.strength[day] - days.strength[other] + entries.bonus[entry]
                    if abs(lead - entries.lead[entry]) > near:
                        renew_game(web, entry, lead)
                    reached = days.player[other]
                    if abs(pending[reached]) > limit and not waiting[reached]:
                        waiting[reached] = True
                        queue[(head + size) % len(queue)] = reached
                        size += 1
                    entry = entries.more[entry]
            if abs(days.strength[chain[0]] - web.players.held[player]) > near:
                renew_prior(web, player)
            if abs(pending[player]) > limit and not waiting[player]:
                waiting[player] = True
                queue[(head + size) % len(queue)] = player
                size += 1
    return solved
