"""Forecasts of the house's own system: each game with the terms of the pool of both players, as known before it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.incremental.handan import Games, Rows, members_of
from handan.kernels.incremental.handan_law import Scale, log_odds_between
from handan.kernels.incremental.pool_terms import (
    FIRST_MOVE,
    TERMS,
    Information,
    Law,
    Pools,
    Terms,
    add_information,
    add_pool,
    believed,
    blurred,
    copy_information,
    copy_row,
    counts_colours,
    head_of,
    information_of,
    without_first_move,
)
from handan.kernels.types import Floats, Ints


class Learned(NamedTuple):
    """What the games say of the terms, by which games of any day are forecast."""

    games: Games
    """The rated games, as the replay took them."""
    rows: Rows
    """What was known of terms after each."""
    pools: Pools
    """What the games say in each pool of players."""
    information: Information
    """What all pools of each population say of the terms together, shape (populations, ...)."""
    wins: Floats
    """Of White and of Black in all games of each, shape (populations, 2)."""
    share: Floats
    """Points by which a rating moves for a unit of each term, shape (players, TERMS)."""

    @property
    def day(self) -> float:
        """Day of the last game."""
        return float(self.games.day[-1]) if len(self.games.day) else 0.0


class Questions(NamedTuple):
    """Games to forecast, in the order of `known_until`, shape (questions, ...)."""

    black: Ints
    white: Ints
    event_member: Ints
    """Black of the first game of the event, -1: none."""
    population: Ints
    known_until: Ints
    """Place of a game before which everything is known."""
    rating: Floats
    """Of both sides, shape (questions, 2)."""
    variance: Floats
    worth: Floats
    """What handicap and komi add to Black's rating, and 1 for known colours, shape (questions, 2)."""


@kernel
def terms_between(
    pools: Pools, others: Information, wins: Floats, law: Law, heads: tuple[int, int, int], population: int, day: float
) -> Terms:  # fmt: skip
    """Return what is believed of the terms of a game that joins pools, or of a new pool.

    Args:
        pools: As they stand.
        others: What all pools of each population say together.
        wins: Of White and of Black in all games of each.
        law: What is believed before any game.
        heads: Who heads the pools of Black, of White and of the event, -1: nobody.
        population: Of the game.
        day: Of the game.
    """
    own, own_wins, first_day = Information(np.zeros((TERMS, TERMS)), np.zeros(TERMS)), np.zeros(2), day
    rest = Information(others.precision[population].copy(), others.force[population].copy())
    for place in range(3):
        head, counted = heads[place], False
        for earlier in range(place):
            counted = counted or heads[earlier] == head
        if head >= 0 and not counted:
            if pools.population[head] == population:
                add_information(rest, blurred(information_of(pools, head), law.own), -1.0)
            idle = max(day - pools.day[head], 0.0)
            add_information(own, blurred(information_of(pools, head), law.drift * idle), 1.0)
            own_wins += pools.wins[head]
            first_day = min(first_day, pools.first_day[head])
    terms = believed(law, rest, own, day - first_day)
    if law.common[FIRST_MOVE] > 0.0 and not counts_colours(own_wins, wins[population]):
        without_first_move(terms)
    return terms


@kernel
def take_game(games: Games, game: int, rows: Rows, pools: Pools, wins: Floats, law: Law, others: Information) -> None:
    """Bring pools, and what all of them say, to what is known after a game."""
    members, head, population = members_of(games, game), -1, games.population[game]
    for place in range(3):
        other = head_of(pools, members[place])
        if other >= 0 and head >= 0 and other != head:
            add_pool(pools, head, other)
        head = other if head < 0 else head
    if head < 0:
        head = int(min(members[0], members[1]))
        pools.first_day[head] = games.day[game]
    pools.head[games.black[game]] = pools.head[games.white[game]] = head
    information = Information(rows.precision[game], rows.force[game])
    copy_information(information_of(pools, head), information)
    pools.day[head], pools.population[head] = games.day[game], population
    if games.coloured[game] == 1.0 and games.score[game] != 0.5:
        pools.wins[head, int(games.score[game])] += 1.0
        wins[population, int(games.score[game])] += 1.0
    total = Information(others.precision[population], others.force[population])
    copy_information(total, Information(rows.others_precision[game], rows.others_force[game]))
    add_information(total, blurred(information, law.own), 1.0)


@kernel
def fill_log_odds(
    games: Games, rows: Rows, pools: Pools, populations: int, law: Law, scale: Scale, end: float,
    questions: Questions, lead: Floats,
) -> None:  # fmt: skip
    """Fill the log odds of Black in each question, shape (questions,).

    Args:
        games, rows: As the replay took them and left them.
        pools: Without any game; changed.
        populations: How many there are.
        law: What is believed of the terms before any game.
        scale: What a rating means.
        end: Day of games after the last.
        questions: In the order of what is known.
        lead: Filled.
    """
    count, done = len(games.black), 0
    others = Information(np.zeros((populations, TERMS, TERMS)), np.zeros((populations, TERMS)))
    wins, shares = np.zeros((populations, 2)), np.zeros((len(pools.head), TERMS))
    for number in range(len(lead)):
        while done < questions.known_until[number]:
            take_game(games, done, rows, pools, wins, law, others)
            copy_row(rows.share[done, 0], shares[games.black[done]])
            copy_row(rows.share[done, 1], shares[games.white[done]])
            done += 1
        black, white = questions.black[number], questions.white[number]
        day = games.day[done] if done < count else end
        heads = head_of(pools, black), head_of(pools, white), head_of(pools, questions.event_member[number])
        terms = terms_between(pools, others, wins, law, heads, questions.population[number], day)
        rating, variance, worth = questions.rating[number], questions.variance[number], questions.worth[number]
        lead[number] = log_odds_between(
            scale,
            (terms.mean, terms.covariance),
            (rating[0], rating[1]),
            (variance[0], variance[1]),
            (shares[black], shares[white]),
            (worth[0], worth[1]),
        )
