"""What a solved history says of the games of some players, read from their days alone."""

from __future__ import annotations

import numpy as np

from handan.kernels.arrays import inverse
from handan.kernels.posterior.day_chains import covariances, last_day_row
from handan.kernels.posterior.likelihood import win_and_information
from handan.kernels.types import Floats, Ints
from handan.kernels.whr_live.reading import read_players, sizes_of
from handan.kernels.whr_live.state import History
from handan.systems.core.schedule import Schedule
from handan.systems.families.attribution import contributions_of, evidence_of, pull_of_prior
from handan.systems.families.paired_comparison import UNIT
from handan.systems.families.solved import Lines
from handan.systems.whr import WHR


def lines_of_players(
    system: WHR, schedule: Schedule, history: History, players: Ints, entered: Floats, worth: Floats, number_of: Ints
) -> Lines:
    """Return what is said of the games of some players, as `WHR` says it of all games; of others it says nothing.

    Args:
        system: Of all games.
        schedule: All games in which one of these players stands.
        history: The solved histories.
        players: These players, ascending, shape (some,).
        entered: Elo at which each player enters, shape (players,).
        worth: What the terms of the rated games are worth to Black, natural units, shape (rated,).
        number_of: Number of each player in the history, shape (players,).
    """
    numbers = number_of[players]
    size, games = (np.empty(len(players), dtype=np.int64) for _ in range(2))
    sizes_of.for_work(len(schedule))(history, numbers, size, games)
    days, entries = int(size.sum()), int(games.sum())
    number, beyond = np.empty(days, dtype=np.int64), np.empty(days)
    own, rival, other = np.empty(entries, dtype=np.int64), np.empty(entries, dtype=np.int64), np.empty(entries)
    read_players.for_work(entries)(history, numbers, number, beyond, own, rival, other)
    rival = inverse(number_of)[rival]
    place = np.full(len(entered), -1)
    place[players] = np.arange(len(players))
    low, high = (int(number.min()), int(number.max())) if days else (0, 0)
    dates = np.repeat(np.arange(len(players)), size) * (high - low + 1) + (number - low)
    day = schedule.ledger.day[schedule.sequence] // system.period_days - low
    seats = (schedule.black, schedule.white)
    chosen = [place[side] >= 0 for side in seats]
    theirs = days + np.arange(len(schedule))
    sides = [
        np.where(is_own, np.searchsorted(dates, place[side] * (high - low + 1) + day), theirs)
        for side, is_own in zip(seats, chosen, strict=True)
    ]
    keys = own * len(entered) + rival
    order = np.argsort(keys, kind="stable")
    of_own = np.where(chosen[0], sides[0], sides[1]) * len(entered) + np.where(chosen[0], seats[1], seats[0])
    strength = np.append(beyond, other[order][np.searchsorted(keys[order], of_own)])
    ahead = (entered[schedule.black] - entered[schedule.white]) / UNIT
    evidence = evidence_of(schedule, (sides[0], sides[1]), worth + ahead, np.ones(len(schedule)), strength)
    total, leverage = evidence.total[:days], np.zeros(len(strength))
    first = np.zeros(days, dtype=np.bool_)
    ends = np.cumsum(size)
    first[(ends - size)[size > 0]] = True
    gap = np.where(first, 1, np.diff(number, prepend=0))
    link = np.where(first, 0.0, 1.0 / (system.growth * gap))
    links = link + np.append(link[1:], 0.0)[:days]
    previous = np.arange(days) - ~first
    diagonal = links + (pull_of_prior(np.where(first, system.prior, 0.0), beyond) + total)
    own_leverage = np.empty(days)
    last_day_row.for_work(days)(previous, link, diagonal, (ends - 1)[size > 0], own_leverage)
    leverage[:days] = own_leverage
    lines = contributions_of(schedule, evidence, strength, leverage, entered, worth)
    diagonal = links + total + system.hessian_shift
    diagonal[first] += [2.0 * system.prior * win_and_information(value)[1] for value in beyond[first].tolist()]
    variance, covariance = np.empty(days), np.empty(days)
    covariances.for_work(days)(previous, link, diagonal, variance, covariance)
    spread = np.full((len(schedule), 2), np.nan)
    for side, is_own in enumerate(chosen):
        spread[is_own, side] = variance[sides[side][is_own]]
    return lines._replace(variances=schedule.spread(spread))
