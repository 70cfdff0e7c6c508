"""The list of a ledger on disk by a system that solves all games together, found by workers who hold the games."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from handan.distributed.history_solution import Histories
from handan.distributed.share import Glance, Share, Solved, Tally, glance, token_of
from handan.distributed.solution import Posterior, maximise, worth_tells
from handan.distributed.workers import Workers, started
from handan.errors import InputError
from handan.kernels.arrays import latest
from handan.kernels.connectivity import pools
from handan.kernels.posterior.newton import Effort
from handan.kernels.types import Floats, Ints
from handan.ledger import Ledger
from handan.ledger.columns import of_games
from handan.ledger.disk import is_ledger, open_ledger
from handan.ratings import Ratings
from handan.ratings.listed import without_games
from handan.systems.bradley_terry import BradleyTerry
from handan.systems.core.base import System
from handan.systems.core.cautions import warnings_of_all
from handan.systems.core.entering import Anchors
from handan.systems.core.refusals import UNRATED
from handan.systems.families.learnable_terms import Rows, left_open, virtual_games, winners_column
from handan.systems.families.paired_comparison import FIRST_MOVE, UNIT, first_move_note
from handan.systems.whr import ONE_BY_ONE, WHR

ALONE = "deviations: with all opponents held fixed, which is a little too small"


@dataclass(frozen=True)
class Answer:
    """What workers answer."""

    ratings: Ratings
    """The list; it holds no game, so that it explains and forecasts nothing."""
    ledger: Ledger
    """Its games stay on disk."""
    rated: int
    """Number of rated games."""
    unrated: dict[str, int]
    """Number of games that were not rated, by reason."""
    newest: str | None
    """Date of the newest game."""


def rate(path: str | os.PathLike[str], system: System, address: str = "local:1") -> Answer:
    """Rate the games of a ledger on disk by workers, each of whom reads the games of its own players by that path.

    The answer is the same to the last bit whatever the number of workers, and one that dies changes nothing. It is that
    of `system.rate` within the system's tolerance; deviations are those with all opponents held fixed.

    Args:
        path: Folder that `handan ledger build` has made, as all workers see it.
        system: Bradley-Terry or decayed history with a prior, or Whole-History Rating.
        address: `threads:4` for threads of this process, `local:4` for processes, `ray:4` for actors on this machine,
            `ray://HOST:PORT` for those of a cluster.

    Raises:
        InputError: Another system or setting, no such folder, no such cluster.
    """
    rules = _suitable(system)
    if not is_ledger(path):
        raise InputError(f"{path} is no ledger on disk, which workers need; `handan ledger build` makes one of files")
    whole = str(Path(path).absolute())
    ledger = open_ledger(whole)
    token = token_of(ledger)
    entered = _entries(ledger, rules)
    seen = glance(ledger, rules)

    def shares(count: int) -> list[Share]:
        bounds = _bounds(seen.games, count)
        return [Share(whole, token, rules, bounds, place, seen.end) for place in range(count)]

    with started(address, shares) as workers:
        return _answer(ledger, rules, entered, seen, workers)


def _suitable(system: System) -> Solved:
    """Return a system that workers can solve; InputError for another one, or for settings that they cannot follow."""
    if not isinstance(system, BradleyTerry | WHR):
        raise InputError(f"workers solve bradley-terry, decayed and whr, not {system.name}")
    if system.prior == 0.0:
        raise InputError(f"{system.name}: prior=0 asks who can be reached from whom; workers need a prior, such as 0.1")
    if system.handicap == "learned":
        raise InputError(f"{system.name}: workers learn at most the first move, no handicap; leave handicap=pinned")
    return system


def _entries(ledger: Ledger, system: Solved) -> Anchors:
    """Return the entries of all players; only where ranks are declared or set are games read for it, all at once."""
    if not _enter_by_ranks(ledger, system):
        return Anchors.none(len(ledger.players))
    return system.anchors(system.schedule_of(ledger))


def _enter_by_ranks(ledger: Ledger, system: Solved) -> bool:
    """Return whether the games have to be read to see with what anybody enters."""
    declares = any(text for side in ("black_rank", "white_rank") for text in ledger.different(side)[0])
    return system.by_ranks and (declares or bool(ledger.adjustments))


def _bounds(games: Ints, count: int) -> tuple[int, ...]:
    """Return where the players of each worker begin, and their number: everybody has about as many games to read."""
    sums = np.cumsum(games)
    wanted = np.arange(1, count) * (float(sums[-1]) / count if len(sums) else 0.0)
    return (0, *np.searchsorted(sums, wanted).tolist(), len(games))


class Solution(NamedTuple):
    """What a solution says of each player, and of itself."""

    rating: Floats
    """Elo, the entry without games, shape (players,)."""
    deviation: Floats
    """Elo, NaN without games, shape (players,)."""
    effort: Effort
    learned: tuple[str, ...]
    """Notes on what was learned."""
    fixed: str
    """Note on what the deviations leave out."""
    unlearned: tuple[str, ...] = ()
    """Warnings of what was not."""


def _answer(ledger: Ledger, system: Solved, entered: Anchors, seen: Glance, workers: Workers) -> Answer:
    """Solve, and put together what the list shows."""
    tallies: list[Tally] = workers.ask("tally")
    counts = np.concatenate([tally.counts for tally in tallies])
    pool = _pools([tally.head for tally in tallies])
    if isinstance(system, WHR):
        solution = _histories(system, entered, [len(tally.counts) for tally in tallies], workers)
    else:
        solution = _strengths(system, pool, entered, workers)
    bare = Ledger.among(of_games([]), ledger.players, ledger.adjustments)
    schedule = system.schedule_of(ledger if _enter_by_ranks(ledger, system) else bare)
    notes, warnings = system.notes_on(schedule, solution.effort, ranked=entered.ranked)
    ratings = without_games(
        system, bare, rating=solution.rating, pool=pool, deviation=solution.deviation,
        notes=(*solution.learned, *notes, solution.fixed),
        warnings=(*ledger.warnings, *solution.unlearned, *warnings, *warnings_of_all(schedule.too_late, pool)),
    )  # fmt: skip
    dated = replace(ratings, ledger=ledger)
    newest = dated.days_of(np.array([len(ledger) - 1]))[0]  # games stand in the order of their dates
    vars(ratings)["tallies"] = counts
    vars(ratings)["last_days"] = dated.days_of(counts[:, 4])
    unrated = {UNRATED[reason]: int(seen.refused[reason]) for reason in np.flatnonzero(seen.refused[1:]) + 1}
    return Answer(ratings, ledger, int(seen.refused[0]), unrated, newest)


def _strengths(system: BradleyTerry, pool: Ints, entered: Anchors, workers: Workers) -> Solution:
    """Solve one strength for each player."""
    firm, unlearned = _firmness(system, entered.rating / UNIT, workers)
    prior = np.append(np.where(pool >= 0, system.prior, 1.0), firm)
    posterior = Posterior(workers, prior, entered.rating / UNIT, learns=len(firm) > 0)
    strength, effort = maximise(posterior, system.tolerance)
    players = len(pool)
    rating = UNIT * np.where(pool >= 0, strength[:players], 0.0) + entered.rating
    deviation = np.where(pool >= 0, UNIT / np.sqrt(posterior.curvature[:players]), np.nan)
    learned: tuple[str, ...] = ()
    if len(firm):
        open_still = left_open(FIRST_MOVE / UNIT, worth_tells(workers, entered.rating / UNIT, strength))
        learned = (first_move_note(UNIT * float(strength[players]), UNIT * open_still),)
    return Solution(rating, deviation, effort, learned, ALONE, unlearned)


def _histories(system: WHR, entered: Anchors, own: Sequence[int], workers: Workers) -> Solution:
    """Solve the strengths of each player's days; the list shows the last ones as of the last day of all.

    Args:
        system: The settings.
        entered: With what everybody enters.
        own: Number of the players of each worker.
        workers: Who hold the days.
    """
    entries = np.split(entered.rating / UNIT, np.cumsum(own)[:-1])
    histories = Histories(workers, entries, system.tolerance)
    effort = histories.maximise()
    strength, variance, period = histories.last().T
    after = latest(period[~np.isnan(period)]) - period
    rating = np.where(np.isnan(strength), entered.rating, UNIT * strength)
    return Solution(rating, UNIT * np.sqrt(variance + after * system.growth), effort, (), ONE_BY_ONE)


def _pools(heads: Sequence[Ints]) -> Ints:
    """Return the pool of every player from the groups that each worker's games make."""
    joined = [np.flatnonzero(head >= 0) for head in heads]
    one = np.concatenate(joined).astype(np.uint32)
    other = np.concatenate([head[members] for head, members in zip(heads, joined, strict=True)]).astype(np.uint32)
    return pools(one, other, len(heads[0]))


def _firmness(system: BradleyTerry, entry: Floats, workers: Workers) -> tuple[list[float], tuple[str, ...]]:
    """Return the virtual wins and losses of the first move, none where it is not learned, and what is to be said.

    As `kept_near_the_rule` decides.
    """
    lost, won, drawn = np.concatenate(workers.ask("as_black")).sum(axis=0).tolist()
    if system.advantage is not None or lost + won + drawn == 0.0:
        return [], ()
    nobody, kind = np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64)
    decided = Rows(nobody, nobody, np.array([0.0, 1.0]), np.array([lost, won]), kind)
    if column := winners_column(decided):
        return [], (column,)
    remains = worth_tells(workers, entry)
    return [virtual_games(FIRST_MOVE / UNIT, 0.25 * (lost + won + drawn), remains)], ()
