"""What each game says at the most likely strengths, and how these are shared out among the games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.posterior.attribution import say, share_out
from handan.kernels.types import Floats, Ints, Nodes
from handan.systems.core.entering import Anchors
from handan.systems.core.schedule import Schedule
from handan.systems.families.paired_comparison import UNIT


def pull_of_prior(prior: Floats, strength: Floats) -> Floats:
    """Return the weight with which the prior asks for 0: its pull n (2 p - 1) over the strength, n / 2 at 0."""
    small = np.abs(strength) < 1e-4  # tanh(r / 2) / r = 1/2 - r^2 / 24 + ...
    safe = np.where(small, 1.0, strength)
    result: Floats = prior * np.where(small, 0.5 - strength * strength / 24.0, np.tanh(safe / 2.0) / safe)
    return result


class Evidence(NamedTuple):
    """What the rated games say at the most likely strengths."""

    black: Nodes
    """Node of each side, shape (rated,)."""
    white: Nodes
    known: Floats
    """How much each game tells, w E (1 - E), shape (rated,)."""
    surprise: Floats
    """w (s - E) of Black, shape (rated,)."""
    total: Floats
    """What all games tell of each node, shape (nodes,)."""


def evidence_of(
    schedule: Schedule, sides: tuple[Ints | Nodes, Ints | Nodes], lead: Floats, weight: Floats, strength: Floats
) -> Evidence:
    """Return what the rated games say.

    Args:
        schedule: The games.
        sides: Node of Black and of White.
        lead: What the terms are worth to Black, and Black's entry less White's, natural units.
        weight: Weight of each game.
        strength: Of each node beyond the entry, natural units.
    """
    black, white = (side.astype(np.uint32, copy=False) for side in sides)
    known, surprise, total = np.empty(len(schedule)), np.empty(len(schedule)), np.zeros(len(strength))
    say.for_work(len(schedule))(black, white, schedule.score, lead, weight, strength, known, surprise, total)
    return Evidence(black, white, known, surprise, total)


def shared(
    schedule: Schedule, games: Evidence, strength: Floats, leverage: Floats, entry: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return strengths compared, shares, changes and sums of earlier changes in Elo, shape (rated, 2) each.

    Args:
        schedule: The games.
        games: What they say.
        strength: Of each node beyond the entry, natural units.
        leverage: How much a unit of information on each node moves the rating of its player.
        entry: Elo of each player's entry, from which the sums start.
    """
    compared, share, change, before = (np.empty((len(schedule), 2)) for _ in range(4))
    running, (black, white, known, surprise, _) = entry.copy(), games
    run = share_out.for_work(len(schedule))
    lines = compared, share, change, before
    run(black, white, *schedule.seats, known, surprise, strength, leverage, UNIT, running, *lines)
    if entry.any():
        compared += np.stack((entry[schedule.black], entry[schedule.white]), axis=1)
    return lines


def ahead_of(schedule: Schedule, entered: Anchors) -> Floats:
    """Return Black's entry less White's in each rated game, natural units, shape (rated,)."""
    if not entered.ranked:
        return np.zeros(len(schedule))
    ahead: Floats = (entered.rating[schedule.black] - entered.rating[schedule.white]) / UNIT
    return ahead
