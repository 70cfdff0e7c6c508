"""A history that can grow: the days of all players, and their games as both sides see them.

Of every day the rest is kept: the slope of the log posterior in its strength, nought at the maximum. A game is
represented by the tangent at the lead at which it was last looked at, and so is the prior.

Days and entries are linked, so that games can be added anywhere, and lie in memory player by player.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import kernel
from handan.kernels.likelihood import win_and_information

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Days(NamedTuple):
    """The days of all players, shape (room for days,)."""

    strength: Floats
    """Natural units."""
    rest: Floats
    """Slope of the log posterior."""
    player: Ints
    day: Ints
    following: Ints
    """The same player's next day, -1 after the last."""
    entries: Ints
    """First entry of the list of games."""
    pivot: Floats
    """1 / the pivot of the day in the player's own system, eliminated from the first day on."""
    carry: Floats
    """How much of a day's solution its previous day takes over: link * pivot of the previous day."""


class Entries(NamedTuple):
    """The games as each side sees them, two entries a game, shape (room for entries,)."""

    opponent: Ints
    """Day of the opponent."""
    twin: Ints
    """The opponent's entry of the same game."""
    bonus: Floats
    """What the terms add to the own strength."""
    lead: Floats
    """Own lead, terms included, at which the game was last looked at."""
    known: Floats
    """Information p (1 - p) there."""
    more: Ints
    """Next entry of the same day, -1 after the last."""


class Players(NamedTuple):
    """What is known of each player, shape (room for players,)."""

    first: Ints
    """First day, -1 for none."""
    held: Floats
    """Strength of the first day at which the prior was last looked at."""
    pending: Floats
    """Sum of the rests of all days."""
    stale: NDArray[np.bool_]
    """Whether `pivot` and `carry` are to be found anew."""


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


WHOLE = {"player", "day", "following", "entries", "opponent", "twin", "more", "first"}
Columns = TypeVar("Columns", Days, Entries, Players)


def blank(kind: type[Columns], room: int) -> Columns:
    """Return columns with so much room: zeros, and no first day."""
    types = dict.fromkeys(WHOLE, np.int64) | {"stale": np.bool_}
    fields = kind._fields
    return kind(*(np.full(room, -1 if name == "first" else 0, types.get(name, np.float64)) for name in fields))


def with_room(columns: Columns, room: int) -> Columns:
    """Return the columns if there is so much room, else a copy with twice as much."""
    if len(columns[0]) >= room:
        return columns
    wider = blank(type(columns), 2 * room)
    for old, new in zip(columns, wider, strict=True):
        new[: len(old)] = old
    return wider


@kernel
def pull(web: Web, day: int, slope: float) -> None:
    """Add to the rest of a day."""
    web.days.rest[day] += slope
    web.players.pending[web.days.player[day]] += slope


@kernel
def pull_of_prior(web: Web, player: int) -> float:
    """Return the slope of the prior at the strength of the first day, on the tangent at the strength held."""
    held = web.players.held[player]
    p, known = win_and_information(held)
    return web.prior * (1.0 - 2.0 * p - 2.0 * known * (web.days.strength[web.players.first[player]] - held))


@kernel
def renew_prior(web: Web, player: int) -> None:
    """Look at the prior again, at the strength of the first day."""
    first = web.players.first[player]
    pull(web, first, -pull_of_prior(web, player))
    web.players.held[player] = web.days.strength[first]
    web.players.stale[player] = True
    pull(web, first, pull_of_prior(web, player))


@kernel
def begin_with(web: Web, player: int, day: int) -> None:
    """Make a day the player's first, to which the prior belongs."""
    web.players.first[player], web.players.held[player] = day, web.days.strength[day]
    pull(web, day, pull_of_prior(web, player))


@kernel
def day_of(web: Web, player: int, day: int) -> int:
    """Return a player's day, put into the chain if it is new, where it changes nobody's rest but by the prior.

    Between two days that is the strength on the line between both, else that of the only neighbour.
    """
    days = web.days
    before, after = -1, int(web.players.first[player])
    while after >= 0 and days.day[after] < day:
        before, after = after, int(days.following[after])
    if after >= 0 and days.day[after] == day:
        return after
    new = int(web.used[0])
    web.used[0] += 1
    strength = 0.0
    if before >= 0 and after >= 0:
        share = (day - days.day[before]) / (days.day[after] - days.day[before])
        strength = days.strength[before] + share * (days.strength[after] - days.strength[before])
    elif before >= 0 or after >= 0:
        strength = days.strength[max(before, after)]
    days.player[new], days.day[new], days.following[new], days.entries[new] = player, day, after, -1
    days.strength[new], days.rest[new] = strength, 0.0
    web.players.stale[player] = True
    if before >= 0:
        days.following[before] = new
    else:
        if after >= 0:
            pull(web, after, -pull_of_prior(web, player))
        begin_with(web, player, new)
    return new


@kernel
def enter_game(web: Web, places: tuple[int, int], black: int, white: int, score: float, bonus: float) -> None:
    """Enter a game between two days, as the entries `places`, into the lists of both."""
    days, entries = web.days, web.entries
    lead = days.strength[black] - days.strength[white] + bonus
    p, known = win_and_information(lead)
    for side in range(2):
        entry, sign = places[side], 1.0 - 2.0 * side
        own, other = (black, white) if side == 0 else (white, black)
        entries.opponent[entry], entries.twin[entry] = other, places[1 - side]
        entries.bonus[entry], entries.lead[entry], entries.known[entry] = sign * bonus, sign * lead, known
        entries.more[entry], days.entries[own] = days.entries[own], entry
        web.players.stale[days.player[own]] = True
        pull(web, own, sign * (score - p))


@kernel
def weave(web: Web, black: Ints, white: Ints, score: Floats, bonus: Floats) -> None:
    """Enter the games between days that exist, day by day in memory, and find all rests.

    Args:
        web: Days whose player, date, strength and next day are known, and which have no rest.
        black, white, score, bonus: Days, Black's score and the worth of the terms of each game, shape (games,).
    """
    days = web.days
    place = np.zeros(web.used[0] + 1, dtype=np.int64)
    for game in range(len(black)):
        place[black[game] + 1] += 1
        place[white[game] + 1] += 1
    place = np.cumsum(place)
    for game in range(len(black)):
        own, other = black[game], white[game]
        enter_game(web, (place[own], place[other]), own, other, score[game], bonus[game])
        place[own] += 1
        place[other] += 1
    web.used[1] = 2 * len(black)
    for player in range(len(web.players.first)):
        if web.players.first[player] >= 0:
            begin_with(web, player, web.players.first[player])
    for day in range(web.used[0]):
        after = days.following[day]
        if after >= 0:
            tension = (days.strength[after] - days.strength[day]) / (web.growth * (days.day[after] - days.day[day]))
            pull(web, day, tension)
            pull(web, after, -tension)


@kernel
def add_games(web: Web, players: Ints, day: Ints, score: Floats, bonus: Floats) -> None:
    """Enter games of any days; players have shape (games, 2), Black first."""
    for game in range(len(day)):
        black, white = day_of(web, players[game, 0], day[game]), day_of(web, players[game, 1], day[game])
        entry = int(web.used[1])
        web.used[1] += 2
        enter_game(web, (entry, entry + 1), black, white, score[game], bonus[game])
