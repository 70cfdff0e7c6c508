"""The information of each game at the most likely strengths, and how these are decomposed into its contributions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from handan.kernels.posterior.attribution import Contributions, Evidence, attribute
from handan.kernels.posterior.graph import graph_of_players
from handan.kernels.posterior.likelihood import Posterior, Prior, evidence
from handan.systems.families.paired_comparison import UNIT
from handan.systems.families.solved import Lines

if TYPE_CHECKING:
    from handan.kernels.types import Floats, Ints, Nodes
    from handan.systems.core.initial_ratings import Anchors
    from handan.systems.core.schedule import Schedule


def precision_of_prior(prior: Floats, strength: Floats) -> Floats:
    """Return the weight with which the prior asks for 0: its slope n (2 p - 1) over the strength, n / 2 at 0."""
    small = np.abs(strength) < 1e-4  # tanh(r / 2) / r = 1/2 - r^2 / 24 + ...
    safe = np.where(small, 1.0, strength)
    result: Floats = prior * np.where(small, 0.5 - strength * strength / 24.0, np.tanh(safe / 2.0) / safe)
    return result


def evidence_of(
    schedule: Schedule, sides: tuple[Ints | Nodes, Ints | Nodes], bonus: Floats, weight: Floats, strength: Floats
) -> Evidence:
    """Return what the rated games say.

    Args:
        schedule: The games.
        sides: Node of Black and of White.
        bonus: What the terms are worth to Black, and Black's entry less White's, natural units.
        weight: Weight of each game.
        strength: Of each node beyond the entry, natural units.
    """
    nodes, games = len(strength), len(schedule)
    graph = graph_of_players(*sides, nodes)
    nobody = Prior.of(np.empty(0, dtype=np.int64), np.empty(0))
    posterior = Posterior.of_games(graph, schedule.score, weight, bonus, nobody)
    surprise, information = np.empty(games), np.empty(games)
    evidence.for_work(games)(posterior, strength, surprise, information)
    total = np.zeros(nodes)
    for side in (graph.black, graph.white):
        total += np.bincount(side, information, nodes)
    return Evidence(graph.black, graph.white, information, surprise, total)


def contributions_of(
    schedule: Schedule, games: Evidence, strength: Floats, leverage: Floats, entry: Floats, worth: Floats
) -> Lines:
    """Return what each game contributes to the ratings of its players, in Elo, at the games of the ledger.

    Args:
        schedule: The games.
        games: What they say.
        strength: Of each node beyond the entry, natural units.
        leverage: How much a unit of information on each node moves the rating of its player.
        entry: Elo of each player's entry, from which the sums start.
        worth: What the terms are worth to Black, natural units, shape (rated,).
    """
    made = Contributions(*(np.empty((len(schedule), 2)) for _ in Contributions._fields))
    run = attribute.for_work(len(schedule))
    run(games, *schedule.seats, strength, leverage, UNIT, entry.copy(), made)
    if entry.any():
        np.add(made.compared, np.stack((entry[schedule.black], entry[schedule.white]), axis=1), out=made.compared)
    columns = (made.before, made.change, made.share, made.compared, UNIT * worth)
    return Lines(*(schedule.scatter(column) for column in columns))


def ahead_of(schedule: Schedule, entered: Anchors) -> Floats:
    """Return Black's entry less White's in each rated game, natural units, shape (rated,)."""
    if not entered.ranked:
        return np.zeros(len(schedule))
    ahead: Floats = (entered.rating[schedule.black] - entered.rating[schedule.white]) / UNIT
    return ahead
