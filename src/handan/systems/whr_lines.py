"""What a solved history says of the games of one player, read from that player's days alone."""

from __future__ import annotations

import numpy as np

from handan.kernels.posterior.day_chains import covariances, last_day_row
from handan.kernels.posterior.likelihood import win_and_information
from handan.kernels.types import Floats
from handan.kernels.whr_live.reading import read_player, size_of
from handan.kernels.whr_live.state import History
from handan.systems.core.schedule import Schedule
from handan.systems.families.attribution import contributions_of, evidence_of, pull_of_prior
from handan.systems.families.paired_comparison import UNIT
from handan.systems.families.solved import Lines
from handan.systems.whr import WHR


def lines_of_player(
    system: WHR, schedule: Schedule, history: History, player: int, entered: Floats, worth: Floats
) -> Lines:
    """Return what is said of the games of one player, as `WHR` says it of all games; of the opponents it says nothing.

    Args:
        system: Of all games.
        schedule: The player's games.
        history: The solved histories.
        player: The one.
        entered: Elo at which each player enters, shape (players,).
        worth: What the terms of the player's rated games are worth to Black, natural units, shape (rated,).
    """
    days, games = size_of.for_work(len(schedule))(history, player)
    number, beyond = np.empty(days, dtype=np.int64), np.empty(days)
    own, rival, other = np.empty(games, dtype=np.int64), np.empty(games, dtype=np.int64), np.empty(games)
    read_player.for_work(games)(history, player, number, beyond, own, rival, other)
    players, side = len(entered), schedule.white == player
    opponent = np.where(side, schedule.black, schedule.white)
    day = np.searchsorted(number, schedule.ledger.day[schedule.sequence] // system.period_days)
    keys = own * players + rival
    order = np.argsort(keys, kind="stable")
    strength = np.append(beyond, other[order][np.searchsorted(keys[order], day * players + opponent)])
    theirs = days + np.arange(len(schedule))
    ahead = (entered[schedule.black] - entered[schedule.white]) / UNIT
    sides = np.where(side, theirs, day), np.where(side, day, theirs)
    evidence = evidence_of(schedule, sides, worth + ahead, np.ones(len(schedule)), strength)
    total, leverage = evidence.total[:days], np.zeros(len(strength))
    link = np.append(0.0, 1.0 / (system.growth * np.diff(number)))[:days]
    links = link + np.append(link[1:], 0.0)[:days]
    first = np.arange(days) == 0
    previous = np.maximum(np.arange(days) - 1, 0)
    diagonal = links + (pull_of_prior(np.where(first, system.prior, 0.0), beyond) + total)
    own_leverage, last = np.empty(days), np.array([days - 1])
    last_day_row.for_work(days)(previous, link, diagonal, last, own_leverage)
    leverage[:days] = own_leverage
    lines = contributions_of(schedule, evidence, strength, leverage, entered, worth)
    of_prior = np.array([2.0 * system.prior * win_and_information(float(value))[1] for value in beyond[:1]])
    diagonal = links + total + system.hessian_shift
    diagonal[:1] += of_prior
    variance, covariance = np.empty(days), np.empty(days)
    covariances.for_work(days)(previous, link, diagonal, variance, covariance)
    spread = np.full((len(schedule), 2), np.nan)
    spread[np.arange(len(schedule)), side.astype(int)] = variance[day]
    return lines._replace(variances=schedule.spread(spread))
