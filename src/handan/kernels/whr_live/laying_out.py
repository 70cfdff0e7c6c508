"""How a solved history is laid out so that it can grow: its days player by player, its games day by day."""

from __future__ import annotations

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.posterior.likelihood import win_and_information
from handan.kernels.posterior.player_days import Days as DaysOfGames
from handan.kernels.types import Floats, Nodes, Numbers
from handan.kernels.whr_live.state import STRENGTH, Days, History, factorise, push, relinearise_prior


@kernel
def lay_days(source: DaysOfGames, strength: Floats, entry: Floats, days: Days, first: Numbers, place: Numbers) -> None:
    """Fill the days of a history player by player, each with its strength beyond the entry.

    Args:
        source: The days as the solution has them.
        strength: Of each of them with the entry, natural units.
        entry: Of each player, shape (players,).
        days: Filled but for the games, with room for them.
        first: Filled with each player's first day; who has none keeps what is there.
        place: Filled with where each day of the solution stands here, shape (days,).
    """
    state, player_of, number, following, _ = days  # in loops the compiler is slow to look into records
    after, gap, at = source.following, source.gap, 0
    for player in range(len(source.first)):
        node = source.first[player]
        if node >= 0:
            first[player], day, last = at, source.begins[player], False
            while not last:
                place[node], player_of[at], number[at] = at, player, day
                state[at, STRENGTH] = strength[node] - entry[player]
                last = after[node] == node
                following[at] = -1 if last else at + 1
                day += gap[node]
                node = np.int64(after[node])
                at += 1


@kernel
def places_of_sides(history: History, black: Numbers, white: Numbers, places: Numbers) -> Nodes:
    """Find where the sides of games are entered, day by day; return which one stands in each place.

    Args:
        history: Whose days are filled in.
        black, white: Days of each game, shape (games,).
        places: Filled with where Black and White of each game are entered, shape (games, 2).

    Returns:
        2 * game for Black, 2 * game + 1 for White, shape (2 * games,).
    """
    place = np.zeros(history.used[0] + 1, dtype=np.int32)
    for game in range(len(black)):
        place[black[game] + 1] += 1
        place[white[game] + 1] += 1
    for day in range(1, len(place)):
        place[day] += place[day - 1]
    side_of = np.empty(2 * len(black), dtype=np.uint32)
    for game in range(len(black)):
        one, other = black[game], white[game]
        places[game, 0], places[game, 1] = place[one], place[other]
        side_of[place[one]], side_of[place[other]] = 2 * game, 2 * game + 1
        place[one] += 1
        place[other] += 1
    return side_of


@kernel
def build(history: History, black: Numbers, white: Numbers, score: Floats, bonus: Floats) -> None:
    """Enter the games between days that exist, in memory day by day; find all gradients and factors.

    What a game says is worked out once for each of its sides: kept, it would take a third of the memory of the history.

    Args:
        history: Players, dates, strengths and order of the days are filled in; all gradients are 0.
        black, white, score, bonus: Days, Black's score and the worth of the terms of each game, shape (games,).
    """
    places = np.empty((len(black), 2), dtype=np.int32)
    side_of = places_of_sides(history, black, white, places)
    state, player_of, number, following, first_entry = history.days
    gaps, informations, bonuses, opponents, rivals, mirrors, more = history.entries
    pending, growth = history.players.pending, history.growth
    for entry in range(len(side_of)):
        game, side = side_of[entry] >> 1, int(side_of[entry]) & 1
        one, other, sign = black[game], white[game], 1.0 - 2.0 * side
        gap = state[one, STRENGTH] - state[other, STRENGTH]
        p, information = win_and_information(gap + bonus[game])
        own, opponent = (one, other) if side == 0 else (other, one)
        gaps[entry], informations[entry], bonuses[entry] = sign * gap, information, sign * bonus[game]
        opponents[entry], rivals[entry], mirrors[entry] = opponent, player_of[opponent], places[game, 1 - side]
        more[entry] = first_entry[own]
        first_entry[own] = entry
        push(state, pending, own, player_of[own], sign * (score[game] - p))
    history.used[1] = len(side_of)
    for day in range(history.used[0]):
        after = following[day]
        if after >= 0:
            link = 1.0 / (growth * (number[after] - number[day]))
            tension = link * (state[after, STRENGTH] - state[day, STRENGTH])
            push(state, pending, day, player_of[day], tension)
            push(state, pending, after, player_of[day], -tension)
    for player in range(len(history.players.first)):
        if history.players.first[player] >= 0:
            relinearise_prior(history, player)
            factorise(history, player)
