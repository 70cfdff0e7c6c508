"""Ratings of a ledger that goes on: games that come last cost a step each, and not the replay of all before them.

A system that replays one game after another needs of the past only what it knows of the players at its end. The
answer is, to the bit, that of the whole replay; wherever a new game could bear on the past, there is none, and the
system rates all games.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from handan.kernels.incremental.adjustments import ByHand
from handan.kernels.types import Floats, Ints
from handan.ledger import Ledger
from handan.ledger.growing import goes_on, part_behind
from handan.ledger.room import appended
from handan.ratings import Ratings
from handan.systems.core.schedule import Schedule


def later_games(ratings: Ratings, ledger: Ledger) -> Ledger | None:
    """Return the games of a ledger behind those of ratings, as a ledger; None where they could bear on the past.

    Args:
        ratings: Of a ledger that holds the first games of the other one.
        ledger: Made by `ledger_with`, so with the same players and adjustments, and games that come last.
    """
    past = ratings.ledger
    if not len(past) or not goes_on(ledger, past):
        return None
    later = part_behind(ledger, past)
    games = later.games
    if not (later.dated.all() and past.dated[-1]):  # the first date makes the games without one unrated
        return None
    if (games["black_rank"] != "").any() or (games["white_rank"] != "").any():  # it may be how a player entered
        return None
    if any(past.position(item) == len(past) for item in past.adjustments):  # set by hand after the last game
        return None
    return later


def plays_on(ratings: Ratings, schedule: Schedule) -> bool:
    """Return whether the rated games of a schedule are among players who entered before, and join no pools."""
    pools = [ratings.pool[players] for players in (schedule.black, schedule.white)]
    return bool((pools[0] >= 0).all() and (pools[0] == pools[1]).all())


def nobody() -> ByHand:
    """Return that nobody is set by hand."""
    none = np.empty(0, dtype=np.int64)
    return ByHand(none, none, np.empty(0), np.empty(0, dtype=np.bool_), np.empty(0), np.empty(0))


def games_played(ratings: Ratings) -> Ints:
    """Return how many rated games each player has played, shape (players,)."""
    ledger, players = ratings.ledger, len(ratings.ledger.players)
    black, white = (np.bincount(side[ratings.sequence], minlength=players) for side in (ledger.black, ledger.white))
    return black + white


def nobody_met(players: int, remembered: int) -> tuple[Ints, Ints]:
    """Return -1 for each of the last opponents of each player, and 0 for the games played, as before the first game."""
    return np.full((players, remembered), -1, dtype=np.int64), np.zeros(players, dtype=np.int64)


def last_opponents(ratings: Ratings, schedule: Schedule, remembered: int) -> tuple[Ints, Ints]:
    """Return the last opponents, that of game n at n modulo `remembered`, and the games played, of who plays on.

    Shapes (players, remembered) and (players,); all others are as before the first game.
    """
    recent, played = nobody_met(len(ratings.rating), remembered)
    black, white = (side[ratings.sequence] for side in (ratings.ledger.black, ratings.ledger.white))
    for player in {*schedule.black.tolist(), *schedule.white.tolist()}:
        own = np.flatnonzero((black == player) | (white == player))
        played[player] = len(own)
        last = np.arange(max(0, len(own) - remembered), len(own))
        games = own[last]
        recent[player, last % remembered] = np.where(black[games] == player, white[games], black[games])
    return recent, played


def joined(
    ratings: Ratings, ledger: Ledger, schedule: Schedule, rating: Floats, before: Floats, change: Floats, **more: Any
) -> Ratings:
    """Return ratings with what was found for later games.

    Args:
        ratings: Of the games before.
        ledger: All games.
        schedule: The later games alone.
        rating: Of every player at the end, shape (players,).
        before, change: Of the rated later games, shape (rated, 2).
        more: Further fields of `Ratings`, as they are now.
    """
    sequence = appended(ratings.sequence, schedule.sequence + len(ratings.ledger))
    whole = replace(
        ratings,
        ledger=ledger,
        rating=rating,
        before=appended(ratings.before, schedule.spread(before)),
        change=appended(ratings.change, schedule.spread(change)),
        unrated=appended(ratings.unrated, schedule.unrated),
        sequence=sequence,
        batch=appended(ratings.batch, ratings.batch[-1] + schedule.batch[1:]),
        state={},
        **more,
    )
    if "after" in vars(ratings) and whole.printed is None:
        behind = slice(len(ratings.ledger), None)
        vars(whole)["after"] = appended(ratings.after, whole.before[behind] + whole.change[behind])
    if "weights" in vars(ratings):
        later = whole.system.game_weights(schedule.ledger)
        vars(whole)["weights"] = None if ratings.weights is None or later is None else appended(ratings.weights, later)
    if "tallies" in vars(ratings):
        vars(whole)["tallies"] = _tallied(ratings.tallies, schedule, len(ratings.ledger))
    _pass_on_texts(ratings, whole, sorted({*schedule.black.tolist(), *schedule.white.tolist()}))
    return whole


def _pass_on_texts(ratings: Ratings, whole: Ratings, players: list[int]) -> None:
    """Let ratings know the ranks and last days of those who have not played since."""
    if "rank_texts" in vars(ratings):
        texts = list(ratings.rank_texts)
        for player in players:
            texts[player] = str(whole.rank_of(player) or "")
        vars(whole)["rank_texts"] = texts
    if "last_days" in vars(ratings):
        days = list(ratings.last_days)
        for player, day in zip(players, whole.days_of(whole.tallies[players, 4]), strict=True):
            days[player] = day
        vars(whole)["last_days"] = days


def _tallied(tallies: Ints, schedule: Schedule, past: int) -> Ints:
    """Return the tallies of all players after later games; `past` is the number of games before them."""
    tallies = tallies.copy()
    for black, white, score, game in zip(
        schedule.black, schedule.white, schedule.score, schedule.sequence, strict=True
    ):
        for player, own in ((black, score), (white, 1.0 - score)):
            tallies[player, 0] += 1
            tallies[player, 1:4] += (own == 1.0, own == 0.0, own == 0.5)
            tallies[player, 4] = past + game
    return tallies
