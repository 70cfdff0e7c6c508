"""A history that can grow: the days of all players, and their games as both sides see them.

Of every day the rest is kept: the slope of the log posterior in its strength, nought at the maximum. A game is
represented by the tangent at the gap of strengths at which it was last looked at, and so is the prior.

Days and entries are linked, so that games can be added anywhere, and lie in memory player by player. Numbers are
narrow, and what is read together lies together, since reading memory is what takes the time.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import kernel
from handan.kernels.posterior.likelihood import win_and_information
from handan.kernels.types import Floats, Ints, Numbers

STRENGTH, REST, PIVOT, CARRY = range(4)
"""Columns of `Days.state`: strength in natural units; its slope; 1 / the pivot of the day in the player's own system,
eliminated from the first day on; how much of a day's solution its previous day takes over, link / that day's pivot."""


class Days(NamedTuple):
    """The days of all players, shape (room for days,)."""

    state: Floats
    """Shape (room for days, 4)."""
    player: Numbers
    day: Numbers
    following: Numbers
    """The same player's next day, -1 after the last."""
    entries: Numbers
    """First entry of the list of games, -1 for none."""


class Entries(NamedTuple):
    """The games as each side sees them, two entries a game, shape (room for entries,)."""

    gap: Floats
    """Own strength less the opponent's at which the game was last looked at."""
    known: Floats
    """Information p (1 - p) there."""
    bonus: Floats
    """What the terms add to the own strength."""
    opponent: Numbers
    """Day of the opponent."""
    rival: Numbers
    """The opponent."""
    twin: Numbers
    """The opponent's entry of the same game."""
    more: Numbers
    """Next entry of the same day, -1 after the last."""


class Players(NamedTuple):
    """What is known of each player, shape (room for players,)."""

    first: Numbers
    """First day, -1 for none."""
    held: Floats
    """Strength of the first day at which the prior was last looked at."""
    pending: Floats
    """Sum of the sizes of the rests of all days."""
    weight: Floats
    """Information of games and prior when the factors were last found."""
    stale: NDArray[np.bool_]
    """Whether the factors, `PIVOT` and `CARRY`, are to be found anew."""


class Web(NamedTuple):
    """Days, games and players with room for more."""

    days: Days
    entries: Entries
    players: Players
    used: Ints
    """Days and entries in use, shape (2,)."""
    growth: float
    """Variance that a day adds."""
    prior: float
    """Virtual wins and losses on the first day."""


Columns = TypeVar("Columns", Days, Entries, Players)
NONE = np.empty(0, dtype=np.int32)
NO_DAYS = Days(np.empty((0, 4)), NONE, NONE, NONE, NONE)
NO_ENTRIES = Entries(np.empty(0), np.empty(0), np.empty(0), NONE, NONE, NONE, NONE)
NO_PLAYERS = Players(NONE, np.empty(0), np.empty(0), np.empty(0), np.empty(0, dtype=np.bool_))
ROOM = 1024  # our choice: new room beyond a quarter of what there is


def with_room(columns: Columns, room: int) -> Columns:
    """Return the columns if there is so much room, else a longer copy, with -1 and 0 in what is new."""
    if len(columns[0]) >= room:
        return columns
    return type(columns)(*(_longer(column, room + room // 4 + ROOM) for column in columns))


def _longer(column: NDArray[Any], room: int) -> NDArray[Any]:
    longer = np.full((room, *column.shape[1:]), -1 if column.dtype == np.int32 else 0, column.dtype)
    longer[: len(column)] = column
    return longer


@kernel
def pull(state: Floats, pending: Floats, day: int, player: int, slope: float) -> None:
    """Add to the rest of a day of a player."""
    before = state[day, REST]
    after = before + slope
    state[day, REST] = after
    pending[player] += abs(after) - abs(before)


@kernel
def pull_of_prior(web: Web, player: int, sign: float) -> None:
    """Add the slope of the prior to the first day's rest (sign 1), or take it away (-1): it is that of the tangent."""
    first, held = web.players.first[player], web.players.held[player]
    p, known = win_and_information(held)
    slope = 1.0 - 2.0 * p - 2.0 * known * (web.days.state[first, STRENGTH] - held)
    pull(web.days.state, web.players.pending, first, player, sign * web.prior * slope)


@kernel
def hold_prior(web: Web, player: int) -> None:
    """Look at the prior anew, at the strength of the first day, which has no part of it yet."""
    web.players.held[player] = web.days.state[web.players.first[player], STRENGTH]
    web.players.stale[player] = True
    pull_of_prior(web, player, 1.0)


@kernel
def day_of(web: Web, player: int, day: int) -> int:
    """Return a player's day, put into the chain if it is new, where it changes nobody's rest but by the prior.

    Between two days that is the strength on the line between both, else that of the only neighbour.
    """
    days, state = web.days, web.days.state
    before, after = -1, web.players.first[player]
    while after >= 0 and days.day[after] < day:
        before, after = after, days.following[after]
    if after >= 0 and days.day[after] == day:
        return int(after)
    new = int(web.used[0])
    web.used[0] += 1
    strength = 0.0
    if before >= 0 and after >= 0:
        share = (day - days.day[before]) / (days.day[after] - days.day[before])
        strength = state[before, STRENGTH] + share * (state[after, STRENGTH] - state[before, STRENGTH])
    elif before >= 0 or after >= 0:
        strength = state[max(before, after), STRENGTH]
    days.player[new], days.day[new], days.following[new], days.entries[new] = player, day, after, -1
    state[new, STRENGTH], state[new, REST] = strength, 0.0
    web.players.stale[player] = True
    if before >= 0:
        days.following[before] = new
    else:
        if after >= 0:
            pull_of_prior(web, player, -1.0)
        web.players.first[player] = new
        hold_prior(web, player)
    return new


@kernel
def enter_game(web: Web, places: tuple[int, int], nodes: tuple[int, int], score: float, bonus: float) -> None:
    """Enter a game between two days, Black's first, as two entries, into the lists of both."""
    days, entries = web.days, web.entries
    gap = days.state[nodes[0], STRENGTH] - days.state[nodes[1], STRENGTH]
    p, known = win_and_information(gap + bonus)
    for side in range(2):
        entry, own, other, sign = places[side], nodes[side], nodes[1 - side], 1.0 - 2.0 * side
        player = days.player[own]
        entries.gap[entry], entries.known[entry], entries.bonus[entry] = sign * gap, known, sign * bonus
        entries.opponent[entry], entries.rival[entry] = other, days.player[other]
        entries.twin[entry] = places[1 - side]
        entries.more[entry] = days.entries[own]
        days.entries[own] = entry
        web.players.stale[player] = True
        pull(web.days.state, web.players.pending, own, player, sign * (score - p))


@kernel
def renew_game(web: Web, entry: int, gap: float) -> None:
    """Look at a game anew, at its gap now, and put the rests of both days right."""
    entries = web.entries
    twin, bonus, known = entries.twin[entry], entries.bonus[entry], entries.known[entry]
    player, rival = entries.rival[twin], entries.rival[entry]
    before, _ = win_and_information(entries.gap[entry] + bonus)
    p, known_now = win_and_information(gap + bonus)
    missed = before + known * (gap - entries.gap[entry]) - p
    entries.gap[entry], entries.gap[twin] = gap, -gap
    entries.known[entry], entries.known[twin] = known_now, known_now
    web.players.stale[player], web.players.stale[rival] = True, True
    pull(web.days.state, web.players.pending, entries.opponent[twin], player, missed)
    pull(web.days.state, web.players.pending, entries.opponent[entry], rival, -missed)


@kernel
def factorise(web: Web, player: int) -> None:
    """Find the factors of the player's own system, all others held fixed: pivots d_i = h_i - link^2 / d_(i-1)."""
    days = web.days
    _, known = win_and_information(web.players.held[player])
    told, link, pivot = 2.0 * web.prior * known, 0.0, 0.0
    web.players.weight[player], web.players.stale[player] = 0.0, False
    day = web.players.first[player]
    while day >= 0:
        entry = days.entries[day]
        while entry >= 0:
            told += web.entries.known[entry]
            entry = web.entries.more[entry]
        web.players.weight[player] += told
        after = days.following[day]
        carry = link * pivot
        curve = told + link - link * carry
        link = 1.0 / (web.growth * (days.day[after] - days.day[day])) if after >= 0 else 0.0
        pivot = 1.0 / (curve + link)
        days.state[day, CARRY], days.state[day, PIVOT] = carry, pivot
        told, day = 0.0, after


@kernel
def weave(web: Web, black: Ints, white: Ints, score: Floats, bonus: Floats) -> None:
    """Enter the games between days that exist, in memory day by day, and find all rests and factors.

    Args:
        web: Players, dates, strengths and order of the days are known; none has a rest.
        black, white, score, bonus: Days, Black's score and the worth of the terms of each game, shape (games,).
    """
    days, state = web.days, web.days.state
    place = np.zeros(web.used[0] + 1, dtype=np.int64)
    for game in range(len(black)):
        place[black[game] + 1] += 1
        place[white[game] + 1] += 1
    place = np.cumsum(place)
    for game in range(len(black)):
        one, other = black[game], white[game]
        enter_game(web, (place[one], place[other]), (one, other), score[game], bonus[game])
        place[one] += 1
        place[other] += 1
    web.used[1] = 2 * len(black)
    for day in range(web.used[0]):
        after = days.following[day]
        if after >= 0:
            link = 1.0 / (web.growth * (days.day[after] - days.day[day]))
            tension = link * (state[after, STRENGTH] - state[day, STRENGTH])
            pull(web.days.state, web.players.pending, day, days.player[day], tension)
            pull(web.days.state, web.players.pending, after, days.player[day], -tension)
    for player in range(len(web.players.first)):
        if web.players.first[player] >= 0:
            hold_prior(web, player)
            factorise(web, player)


@kernel
def add_games(web: Web, players: Ints, day: Ints, score: Floats, bonus: Floats) -> None:
    """Enter games of any days; players have shape (games, 2), Black first."""
    for game in range(len(day)):
        nodes = day_of(web, players[game, 0], day[game]), day_of(web, players[game, 1], day[game])
        entry = int(web.used[1])
        web.used[1] += 2
        enter_game(web, (entry, entry + 1), nodes, score[game], bonus[game])
    for game in range(len(day)):
        for side in range(2):
            if web.players.stale[players[game, side]]:
                factorise(web, players[game, side])
