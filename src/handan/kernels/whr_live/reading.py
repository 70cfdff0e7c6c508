"""What a history says of single players and games, and how it is taken back to what it was, and on again."""

from __future__ import annotations

from handan.kernels.compiling import kernel
from handan.kernels.posterior.likelihood import win_and_information
from handan.kernels.prefetching import MANY_DAYS
from handan.kernels.types import Floats, Ints, Numbers
from handan.kernels.whr_live.journal import (
    ARRAY_BITS,
    ARRAYS,
    BONUS,
    FIRST_DAY,
    FIRST_ENTRY,
    FOLLOWING,
    GAP,
    INFORMATION,
    PENDING,
    PRIOR_AT,
    STALE,
    USED,
    WEIGHT,
)
from handan.kernels.whr_live.state import (
    DAYS_AHEAD,
    STRENGTH,
    History,
    amend_game,
    factorise,
    fetch_opponents,
)


@kernel
def last_days(history: History, players: Ints, shift: float, strength: Floats, variance: Floats, number: Ints) -> None:
    """Find where players stand on their last days.

    Args:
        history: Of the players.
        players: Who have days, shape (some,).
        shift: Added to the information of each day.
        strength, variance: Filled: beyond the entry, natural units; all other players held fixed for the variance.
        number: Filled: number of the day.
    """
    state, _, day_number, following, first_entry = history.days  # in loops the compiler is slow to look into records
    _, _, bonus, opponent, _, _, more = history.entries
    first, prior, growth = history.players.first, history.prior, history.growth
    strengths, rows, end = state.reshape(-1), history.journal.rows, len(first_entry) - 1
    for place in range(len(players)):
        day = first[players[place]]
        _, curve = win_and_information(state[day, STRENGTH])
        information, link, pivot, last = 2.0 * prior * curve + shift, 0.0, 0.0, -1
        while day >= 0:
            if end >= MANY_DAYS:  # most days of a player stand one after the other
                fetch_opponents(strengths, rows, first_entry[min(day + DAYS_AHEAD, end)], opponent, more)
            entry = first_entry[day]
            while entry >= 0:
                lead = state[day, STRENGTH] - state[opponent[entry], STRENGTH] + bonus[entry]
                _, of_game = win_and_information(lead)
                information += of_game
                entry = more[entry]
            after = following[day]
            curve = information + link - link * link * pivot
            link = 1.0 / (growth * (day_number[after] - day_number[day])) if after >= 0 else 0.0
            pivot = 1.0 / (curve + link)
            information, last, day = shift, day, after
        strength[place], variance[place], number[place] = state[last, STRENGTH], pivot, day_number[last]


@kernel
def sizes_of(history: History, players: Ints, days_of: Ints, entries_of: Ints) -> None:
    """Count the days and the entries of some players.

    Args:
        history: Of all players.
        players: Some of them, shape (some,).
        days_of, entries_of: Filled, shape (some,).
    """
    following, first_entry = history.days.following, history.days.entries
    first, more = history.players.first, history.entries.more
    for place in range(len(players)):
        days_of[place], entries_of[place] = 0, 0
        day = first[players[place]]
        while day >= 0:
            days_of[place] += 1
            entry = first_entry[day]
            while entry >= 0:
                entries_of[place] += 1
                entry = more[entry]
            day = following[day]


@kernel
def read_players(
    history: History, players: Ints, number: Ints, strength: Floats, own: Ints, rival: Ints, other: Floats
) -> None:
    """Read the days and games of some players, one player after the other.

    Args:
        history: Of all players.
        players: Some of them, shape (some,).
        number, strength: Filled: number of each day, and strength beyond the entry, shape (days,).
        own, rival, other: Filled: place of the day of each entry, the opponent, and the opponent's strength beyond the
            entry, shape (entries,).
    """
    state, _, day_number, following, first_entry = history.days
    _, _, _, opponent, rival_of, _, more = history.entries
    first, place, game = history.players.first, 0, 0
    for player in players:
        day = first[player]
        while day >= 0:
            number[place], strength[place] = day_number[day], state[day, STRENGTH]
            entry = first_entry[day]
            while entry >= 0:
                own[game], rival[game] = place, rival_of[entry]
                other[game] = state[opponent[entry], STRENGTH]
                game += 1
                entry = more[entry]
            place += 1
            day = following[day]


@kernel
def read_days(history: History, first: Ints, end: Ints, number: Numbers, beyond: Floats) -> None:
    """Read the days of all players, one player after the other; the arrays are filled as `Near` has them."""
    state, _, day_number, following, _ = history.days
    begin, place = history.players.first, 0
    for player in range(len(first)):
        first[player] = place
        day = begin[player]
        while day >= 0:
            number[place], beyond[place] = day_number[day], state[day, STRENGTH]
            place += 1
            day = following[day]
        end[player] = place


@kernel
def find_entry(history: History, black: int, white: int, day: int, bonus: float) -> int:
    """Return Black's entry of a game of a day whose terms are worth `bonus`, -1 if there is none."""
    node = history.players.first[black]
    while node >= 0 and history.days.day[node] < day:
        node = history.days.following[node]
    if node < 0 or history.days.day[node] != day:
        return -1
    entry = history.days.entries[node]
    while entry >= 0:
        if history.entries.rival[entry] == white and history.entries.bonus[entry] == bonus:
            return int(entry)
        entry = history.entries.more[entry]
    return -1


@kernel
def amend_games(
    history: History, black: Ints, white: Ints, day: Ints, gain: Floats, bonus: Floats, bonus_now: Floats
) -> int:
    """Let games say something else; return how many were there, and stop at the first that is not.

    Args:
        history: Holds them.
        black, white, day: Players and day of each game, shape (games,).
        gain: Black's score now less that of before.
        bonus, bonus_now: What its terms were worth to Black, and are.
    """
    state, entries = history.days.state, history.entries
    for game in range(len(day)):
        entry = find_entry(history, black[game], white[game], day[game], bonus[game])
        if entry < 0:
            return game
        node, other = entries.opponent[entries.mirror[entry]], entries.opponent[entry]
        amend_game(history, entry, state[node, STRENGTH] - state[other, STRENGTH], bonus_now[game], gain[game])
    for game in range(len(day)):
        for player in (black[game], white[game]):
            if history.players.stale[player]:
                factorise(history, player)
    return len(day)


@kernel
def exchange_values(history: History, place: Ints, value: Floats, step: int) -> None:  # noqa: C901  # a case an array
    """Give the arrays of single values of a history those of a journal, which then has what stood there.

    Args:
        history: Whose values they are.
        place, value: As `Journal` has them.
        step: 1 where the oldest value comes first, -1 where the newest does.
    """
    _, _, _, following, first_entry = history.days  # in loops the compiler is slow to look into records
    gap, information, bonus, _, _, _, _ = history.entries
    first, prior_at, pending, weight, stale = history.players
    used, at = history.used, 0 if step > 0 else len(place) - 1
    for _ in range(len(place)):
        array, index, now, before = place[at] & (ARRAYS - 1), place[at] >> ARRAY_BITS, value[at], 0.0
        if array == FOLLOWING:
            before, following[index] = following[index], int(now)
        elif array == FIRST_ENTRY:
            before, first_entry[index] = first_entry[index], int(now)
        elif array == GAP:
            before, gap[index] = gap[index], now
        elif array == INFORMATION:
            before, information[index] = information[index], now
        elif array == BONUS:
            before, bonus[index] = bonus[index], now
        elif array == FIRST_DAY:
            before, first[index] = first[index], int(now)
        elif array == PRIOR_AT:
            before, prior_at[index] = prior_at[index], now
        elif array == PENDING:
            before, pending[index] = pending[index], now
        elif array == WEIGHT:
            before, weight[index] = weight[index], now
        elif array == STALE:
            before, stale[index] = stale[index], now != 0.0
        elif array == USED:
            before, used[index] = used[index], int(now)
        value[at] = before
        at += step


@kernel
def exchange_states(history: History, day: Numbers, kept: Floats) -> None:
    """Give days the states of a journal, each once; the journal then has those that stood there."""
    state = history.days.state  # in loops the compiler is slow to look into records
    for at in range(len(day)):
        row = day[at]
        for column in range(4):
            before = state[row, column]
            state[row, column] = kept[at, column]
            kept[at, column] = before


@kernel
def take_back(history: History, place: Ints, value: Floats, day: Numbers, state: Floats) -> None:
    """Give a history what a journal says, the newest value first; the journal then has what stood there."""
    exchange_values(history, place, value, -1)
    exchange_states(history, day, state)


@kernel
def take_on(history: History, place: Ints, value: Floats, day: Numbers, state: Floats) -> None:
    """Give a history back what `take_back` took, the oldest value first; the journal then is as it was."""
    exchange_values(history, place, value, 1)
    exchange_states(history, day, state)
