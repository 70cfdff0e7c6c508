"""A history that can grow: the days of all players, and their games as both sides see them.

For every player-day the gradient of the log posterior in its strength is stored; it is 0 at the maximum. A game counts
by its linearisation at the rating difference at which it was last linearised, and so does the prior.

Days and entries are linked lists, so that games can be added anywhere, and lie in memory player by player. Numbers are
narrow, and what is read together lies together, since reading memory is what takes the time.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import kernel
from handan.kernels.posterior.likelihood import win_and_information
from handan.kernels.prefetching import prefetch
from handan.kernels.types import Flags, Floats, Ints, Numbers
from handan.kernels.whr_live.journal import (
    BONUS,
    FIRST_DAY,
    FIRST_ENTRY,
    FOLLOWING,
    GAP,
    INFORMATION,
    PRIOR_AT,
    STALE,
    USED,
    WEIGHT,
    Journal,
    note,
    note_pending,
    note_state,
)

DAYS_AHEAD = 8  # our choice: how many days before a day its opponents are fetched
COLUMNS = 4
STRENGTH, GRADIENT, PIVOT, CARRY = range(COLUMNS)
"""Columns of `Days.state`: strength in natural units; its gradient; 1 / the pivot of the day in the player's own
system, eliminated from the first day on; how much of a day's solution its previous day takes over, link / that day's
pivot."""


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
    """Own strength less the opponent's at which the game was last linearised."""
    information: Floats
    """Information p (1 - p) there."""
    bonus: Floats
    """What the terms add to the own strength."""
    opponent: Numbers
    """Day of the opponent."""
    rival: Numbers
    """The opponent."""
    mirror: Numbers
    """The opponent's entry of the same game."""
    more: Numbers
    """Next entry of the same day, -1 after the last."""


class Players(NamedTuple):
    """The state of each player, shape (room for players,)."""

    first: Numbers
    """First day, -1 for none."""
    prior_at: Floats
    """Strength of the first day at which the prior was last linearised."""
    pending: Floats
    """Sum of the absolute gradients of all days: how far the player is from the maximum."""
    weight: Floats
    """Information of games and prior when the system was last factorised."""
    stale: Flags
    """Whether `PIVOT` and `CARRY`, the factors, are out of date."""


class History(NamedTuple):
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
    journal: Journal
    """What is overwritten."""


Columns = TypeVar("Columns", Days, Entries, Players)
NONE = np.empty(0, dtype=np.int32)
NO_DAYS = Days(np.empty((0, 4)), NONE, NONE, NONE, NONE)
NO_ENTRIES = Entries(np.empty(0), np.empty(0), np.empty(0), NONE, NONE, NONE, NONE)
NO_PLAYERS = Players(NONE, np.empty(0), np.empty(0), np.empty(0), np.empty(0, dtype=np.bool_))
ROOM, SHARE = 1024, 16  # our choice: new room beyond one in so many of what there is


def with_room(columns: Columns, room: int) -> Columns:
    """Return the columns if there is so much room, else a longer copy, with -1 and 0 in what is new."""
    if len(columns[0]) >= room:
        return columns
    return type(columns)(*(_longer(column, room + room // SHARE + ROOM) for column in columns))


def _longer(column: NDArray[Any], room: int) -> NDArray[Any]:
    longer = np.zeros((room, *column.shape[1:]), column.dtype)  # zeros take no time until they are read
    longer[: len(column)] = column
    if column.dtype == np.int32:
        longer[len(column) :] = -1
    return longer


@kernel
def fetch_opponents(strengths: Floats, rows: Flags, entry: int, opponents: Numbers, more: Numbers) -> None:
    """Fetch where the opponents of a day that comes soon stand.

    Args:
        strengths: `Days.state` in one dimension.
        rows: Of the journal.
        entry: The first one of that day.
        opponents, more: Those of `Entries`.
    """
    while entry >= 0:
        prefetch(strengths, opponents[entry] * COLUMNS)
        if len(rows) > 0:
            prefetch(rows, opponents[entry])
        entry = more[entry]


@kernel
def push(state: Floats, pending: Floats, day: int, player: int, slope: float) -> None:
    """Add a slope to the gradient of one day of a player, which the journal has already, if there is one."""
    before = state[day, GRADIENT]
    after = before + slope
    state[day, GRADIENT] = after
    pending[player] += abs(after) - abs(before)


@kernel
def add_gradient(journal: Journal, state: Floats, pending: Floats, day: int, player: int, slope: float) -> None:
    """Add a slope to the gradient of one day of a player."""
    note_state(journal, state, day)
    note_pending(journal, pending, player)
    push(state, pending, day, player, slope)


@kernel
def mark_stale(history: History, player: int) -> None:
    """Write down that the factors of a player are out of date."""
    if not history.players.stale[player]:
        note(history.journal, STALE, player, 0.0)
        history.players.stale[player] = True


@kernel
def add_prior_gradient(history: History, player: int, sign: float) -> None:
    """Add the slope of the linearised prior to the gradient of the first day (sign 1), or subtract it (sign -1)."""
    first, prior_at = history.players.first[player], history.players.prior_at[player]
    p, information = win_and_information(prior_at)
    slope = 1.0 - 2.0 * p - 2.0 * information * (history.days.state[first, STRENGTH] - prior_at)
    state, pending = history.days.state, history.players.pending
    add_gradient(history.journal, state, pending, first, player, sign * history.prior * slope)


@kernel
def relinearise_prior(history: History, player: int) -> None:
    """Re-linearise the prior at the first day's strength now. Its old slope must have been subtracted."""
    note(history.journal, PRIOR_AT, player, history.players.prior_at[player])
    history.players.prior_at[player] = history.days.state[history.players.first[player], STRENGTH]
    mark_stale(history, player)
    add_prior_gradient(history, player, 1.0)


@kernel
def day_of(history: History, player: int, day: int) -> int:
    """Return a player's day. A new one is put into the chain at the strength that changes no gradient but by the prior.

    Between two days that is the strength on the line between both, else that of the only neighbour.
    """
    days, state = history.days, history.days.state
    before, after = -1, history.players.first[player]
    while after >= 0 and days.day[after] < day:
        before, after = after, days.following[after]
    if after >= 0 and days.day[after] == day:
        return int(after)
    new = int(history.used[0])
    note(history.journal, USED, 0, history.used[0])
    history.used[0] += 1
    strength = 0.0
    if before >= 0 and after >= 0:
        share = (day - days.day[before]) / (days.day[after] - days.day[before])
        strength = state[before, STRENGTH] + share * (state[after, STRENGTH] - state[before, STRENGTH])
    elif before >= 0 or after >= 0:
        strength = state[max(before, after), STRENGTH]
    days.player[new], days.day[new], days.following[new], days.entries[new] = player, day, after, -1
    state[new, STRENGTH], state[new, GRADIENT] = strength, 0.0
    mark_stale(history, player)
    if before >= 0:
        note(history.journal, FOLLOWING, before, days.following[before])
        days.following[before] = new
    else:
        if after >= 0:
            add_prior_gradient(history, player, -1.0)
        note(history.journal, FIRST_DAY, player, history.players.first[player])
        history.players.first[player] = new
        relinearise_prior(history, player)
    return new


@kernel
def enter_game(history: History, places: tuple[int, int], nodes: tuple[int, int], score: float, bonus: float) -> None:
    """Enter a game between two days, Black's first, as two entries, into the lists of both."""
    days, entries = history.days, history.entries
    gap = days.state[nodes[0], STRENGTH] - days.state[nodes[1], STRENGTH]
    p, information = win_and_information(gap + bonus)
    for side in range(2):
        entry, own, other, sign = places[side], nodes[side], nodes[1 - side], 1.0 - 2.0 * side
        player = days.player[own]
        entries.gap[entry], entries.information[entry], entries.bonus[entry] = sign * gap, information, sign * bonus
        entries.opponent[entry], entries.rival[entry] = other, days.player[other]
        entries.mirror[entry] = places[1 - side]
        entries.more[entry] = days.entries[own]
        note(history.journal, FIRST_ENTRY, own, days.entries[own])
        days.entries[own] = entry
        mark_stale(history, player)
        add_gradient(history.journal, history.days.state, history.players.pending, own, player, sign * (score - p))


@kernel
def relinearise_game(history: History, entry: int, gap: float) -> None:
    """Re-linearise a game at its rating difference now, and correct the gradients of both days."""
    amend_game(history, entry, gap, history.entries.bonus[entry], 0.0)


@kernel
def amend_game(history: History, entry: int, gap: float, bonus: float, gain: float) -> None:
    """Re-linearise a game that says something else now, and correct the gradients of both days.

    Args:
        history: Holds it.
        entry: One of its two entries.
        gap: Own strength less the opponent's now.
        bonus: What its terms add to the own strength now.
        gain: Own score now less that of before.
    """
    entries = history.entries
    mirror, information = entries.mirror[entry], entries.information[entry]
    player, rival = entries.rival[mirror], entries.rival[entry]
    before, _ = win_and_information(entries.gap[entry] + entries.bonus[entry])
    p, information_now = win_and_information(gap + bonus)
    missed = before + information * (gap - entries.gap[entry]) - p + gain
    more = bonus - entries.bonus[entry]
    for side in range(2):
        place = mirror if side else entry
        note(history.journal, GAP, place, entries.gap[place])
        note(history.journal, INFORMATION, place, entries.information[place])
        if more != 0.0:
            note(history.journal, BONUS, place, entries.bonus[place])
    entries.gap[entry], entries.gap[mirror] = gap, -gap
    entries.bonus[entry], entries.bonus[mirror] = bonus, -bonus
    entries.information[entry], entries.information[mirror] = information_now, information_now
    mark_stale(history, player)
    mark_stale(history, rival)
    state, pending = history.days.state, history.players.pending
    add_gradient(history.journal, state, pending, entries.opponent[mirror], player, missed)
    add_gradient(history.journal, state, pending, entries.opponent[entry], rival, -missed)


@kernel
def factorise(history: History, player: int) -> None:
    """Factorise the player's own system, all others fixed: pivots d_i = h_i - link^2 / d_(i-1)."""
    state, _, number, following, first_entry = history.days  # in loops the compiler is slow to look into records
    more, of_game = history.entries.more, history.entries.information
    journal, (first, prior_at, _, weight, stale) = history.journal, history.players
    _, curve_of_prior = win_and_information(prior_at[player])
    information, link, pivot, whole = 2.0 * history.prior * curve_of_prior, 0.0, 0.0, 0.0
    note(journal, WEIGHT, player, weight[player])
    note(journal, STALE, player, stale[player])
    day = first[player]
    while day >= 0:
        entry = first_entry[day]
        while entry >= 0:
            information += of_game[entry]
            entry = more[entry]
        whole += information
        after = following[day]
        carry = link * pivot
        curve = information + link - link * carry
        link = 1.0 / (history.growth * (number[after] - number[day])) if after >= 0 else 0.0
        pivot = 1.0 / (curve + link)
        note_state(journal, state, day)
        state[day, CARRY], state[day, PIVOT] = carry, pivot
        information, day = 0.0, after
    weight[player], stale[player] = whole, False


@kernel
def add_games(history: History, players: Ints, day: Ints, score: Floats, bonus: Floats) -> None:
    """Enter games of any days; players have shape (games, 2), Black first."""
    for game in range(len(day)):
        nodes = day_of(history, players[game, 0], day[game]), day_of(history, players[game, 1], day[game])
        entry = int(history.used[1])
        note(history.journal, USED, 1, history.used[1])
        history.used[1] += 2
        enter_game(history, (entry, entry + 1), nodes, score[game], bonus[game])
    for game in range(len(day)):
        for side in range(2):
            if history.players.stale[players[game, side]]:
                factorise(history, players[game, side])
