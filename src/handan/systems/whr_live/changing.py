"""Ratings of a solved history after a change of its ledger: games that come last, further players, other results.

Whatever else happens, all games are solved anew.
"""

from __future__ import annotations

import numpy as np

from handan.kernels.types import Ints
from handan.kernels.whr_live.reading import amend_games
from handan.kernels.whr_live.state import History, add_games
from handan.ledger import Ledger
from handan.ledger.growing import Enlarged, last_games
from handan.ledger.room import appended
from handan.ledger.room import with_room as array_with_room
from handan.ratings import Ratings
from handan.ratings.ladder import tallied, tallied_on
from handan.systems.families.continuing import games_come_last, nobody_is_set_behind, pass_on_days
from handan.systems.families.live_versions import Change, Reached
from handan.systems.whr import WHR
from handan.systems.whr_live.continuing import PLAYERS_READ, LiveRatings
from handan.systems.whr_live.newcomers import with_entries, with_more_players


def ratings_with(ratings: LiveRatings, ledger: Ledger, *, among_more: bool = False) -> Ratings | None:
    """Return the ratings of games behind those of `ratings` too; None where all games must be solved.

    That is where a game declares a rank, where pools join, where games do not come last, and where newcomers, or ranks
    that are set, have others enter elsewhere (`with_entries`).

    Args:
        ratings: Of the games before.
        ledger: Goes on from theirs.
        among_more: Whether its players are more than those who were rated.
    """
    if len(ledger) == len(ratings.ledger) or not games_come_last(ratings, ledger):
        return None
    part, players = last_games(ledger, len(ratings.ledger))
    system = ratings.system
    assert isinstance(system, WHR)  # noqa: S101  # as of those in the beginning
    schedule = system.schedule_of(part)
    seats = players[np.stack((schedule.black, schedule.white), axis=1)]
    if among_more or (ratings.pool[seats] < 0).any() or not nobody_is_set_behind(ratings):
        entered = with_entries(ratings, ledger)
        if entered is None:
            return None
        ratings = entered
    black, white = ratings.pool[seats].T
    if ((black < 0) | (black != white)).any():
        return None
    entry = ratings.entry
    bonus = ratings.worth_of(part)[schedule.sequence] + entry[seats[:, 0]] - entry[seats[:, 1]]
    day = part.day[schedule.sequence] // system.period_days
    numbers = ratings.number[seats]
    score = schedule.score.copy()  # the loop is compiled for arrays that can be written to

    def enter(history: History) -> int:
        add_games.for_work(int(history.used[1]))(history, numbers, day, score, bonus)
        return 0

    def ratings_at(reached: Reached) -> Ratings:
        """Return the ratings of the games before and of these; called while the history stands where it came to."""
        first, own = len(ratings.ledger), vars(ratings)
        for name in ("unrated", "sequence", "batch"):
            own[name] = array_with_room(own[name], len(part))
        made = ratings.followed_by(
            reached,
            ledger,
            unrated=appended(ratings.unrated, schedule.unrated),
            sequence=appended(ratings.sequence, schedule.sequence + first),
            batch=appended(ratings.batch, ratings.batch[-1] + schedule.batch[1:]),
        )
        tallies = ratings.tallies.copy()
        tallies[players] = tallied_on(tallies[players], tallied(part, schedule.sequence), first)
        vars(made)["tallies"] = tallies
        pass_on_days(ratings, made, players.tolist())
        _read_now(made, seats)
        return made

    people = len(ledger.players)
    games = Change(ratings.version, len(schedule), enter, np.unique(numbers), system.hessian_shift, people)
    return ratings.versions.changed(games, ratings_at)


def ratings_among(ratings: LiveRatings, more: Enlarged, ledger: Ledger) -> Ratings | None:
    """Return the ratings of a ledger with further players, and games behind theirs; None where all must be solved.

    Args:
        ratings: Of the games before.
        more: Their ledger with these players.
        ledger: The same, or made of it.
    """
    among = with_more_players(ratings, more)
    if ledger is more.ledger:
        return with_entries(among, ledger)
    return ratings_with(among, ledger, among_more=True)


def ratings_amended(ratings: LiveRatings, ledger: Ledger) -> Ratings | None:
    """Return the ratings of the same games, of which some say something else; None where all must be solved.

    That is where other games are rated, and where other ranks are declared.

    Args:
        ratings: Of the games before.
        ledger: Made of theirs (`ledger.amended`).
    """
    past, system = ratings.ledger, ratings.system
    assert isinstance(system, WHR)  # noqa: S101  # as of those in the beginning
    if not np.array_equal(system.refusals(ledger), ratings.unrated) or not _same_ranks(past, ledger):
        return None
    worths = [ratings.worth_of(each) for each in (past, ledger)]
    other = np.flatnonzero((ratings.unrated == 0) & ((past.score != ledger.score) | (worths[0] != worths[1])))
    black, white, day = past.black[other], past.white[other], past.day[other] // system.period_days
    seats, gain = np.stack((black, white), axis=1), ledger.score[other] - past.score[other]
    before, now = (worth[other] + ratings.entry[black] - ratings.entry[white] for worth in worths)
    numbers = ratings.number[seats]
    of_black, of_white = numbers.T.copy()

    def amend(history: History) -> int:
        run = amend_games.for_work(int(history.used[1]))
        return len(other) - run(history, of_black, of_white, day, gain, before, now)

    def ratings_at(reached: Reached) -> Ratings:
        made = ratings.followed_by(reached, ledger)
        _read_now(made, seats)
        return made

    games = Change(ratings.version, 0, amend, np.unique(numbers), system.hessian_shift)
    return ratings.versions.changed(games, ratings_at)


def _same_ranks(past: Ledger, ledger: Ledger) -> bool:
    """Return whether two ledgers of the same games declare the same ranks."""
    are_one, pairs = past.declared is ledger.declared, zip(past.declared, ledger.declared, strict=True)
    return are_one or all(one[0] == other[0] and np.array_equal(one[1], other[1]) for one, other in pairs)


def _read_now(ratings: LiveRatings, seats: Ints) -> None:
    """Read the games of the players of new games, whom the page behind an entry shows, while they can be reached."""
    for player in np.unique(seats)[:PLAYERS_READ].tolist():
        ratings._own(player)  # noqa: SLF001  # of this package
