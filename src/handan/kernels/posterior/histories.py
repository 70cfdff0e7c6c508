"""The log posterior of whole histories: strengths of players' days, each game between two of them.

The same posterior as `likelihood.py` has, laid out for very many games: what they share stands in short tables,
and a sweep goes block by block (`player_days.py`), first along the days of all players, then over the games of the
block. Strengths are with the entry; learned worths stand behind the days, and behind them a fixed zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.posterior.likelihood import win_and_information
from handan.kernels.posterior.player_days import Days
from handan.kernels.prefetching import DAYS_AHEAD, MANY_DAYS, prefetch
from handan.kernels.types import Floats, Kinds, Nodes, Reals


class Histories(NamedTuple):
    """Everything that the posterior depends on besides the strengths."""

    days: Days
    kind: Kinds
    """Which of the different results and terms, shape (games,)."""
    score: Floats
    """Black's score: 1, 0.5 or 0, shape (kinds,)."""
    bonus: Floats
    """What Black's terms add to Black's strength, natural units, shape (kinds,)."""
    helps: Nodes
    """Node of a learned worth that adds to Black's strength, shape (games,), or (0,) where nothing is learned."""
    links: Floats
    """1 / variance of a step over so many periods, 0 for none, shape (longest gap + 1,)."""
    prior: float
    """Virtual wins, and as many virtual losses, on each player's first day against the entry."""
    entry: Floats
    """Natural units, shape (players,)."""
    beyond: Floats
    """Virtual wins and losses of learned worths against 0, and of the fixed zero, shape (worths + 1,) or (0,)."""


@kernel
def fill_leads(model: Histories, strength: Floats, start: int, leads: Floats) -> None:
    """Fill how far Black leads, natural units, in games from the one at `start` on, shape (some,)."""
    black, white, kind, bonus = model.days.black, model.days.white, model.kind, model.bonus
    for place in range(len(leads)):
        game = start + place
        leads[place] = strength[black[game]] - strength[white[game]] + bonus[kind[game]]
    if len(model.helps) > 0:
        for place in range(len(leads)):
            leads[place] += strength[model.helps[start + place]]


@kernel
def linearise_days(model: Histories, strength: Floats, block: int, gradient: Floats) -> None:
    """Add to the gradient what successive days of a block ask of each other: -(r1 - r2) / v and +(r1 - r2) / v."""
    days, following, gap, links = model.days, model.days.following, model.days.gap, model.links
    far = len(following) >= MANY_DAYS
    for node in range(days.nodes[block], days.nodes[block + 1]):
        if far:
            later = following[min(node + DAYS_AHEAD, len(following) - 1)]
            prefetch(strength, later)
            prefetch(gradient, later)
        after = following[node]
        tension = links[gap[node]] * (strength[after] - strength[node])
        gradient[node] += tension
        gradient[after] -= tension


@kernel
def linearise_games(
    model: Histories, leads: Floats, start: int, gradient: Floats, information: Reals, pull: Reals
) -> None:
    """Add what games say: S - p to the gradient, p (1 - p) to the information.

    Args:
        model: Holds the games.
        leads: Of Black in each of them, shape (some,).
        start: Index of the first.
        gradient, information: Of the nodes.
        pull: Filled with p (1 - p), shape (games,).
    """
    blacks, whites, kind, score, helps = model.days.black, model.days.white, model.kind, model.score, model.helps
    for place in range(len(leads)):
        game = start + place
        black, white = blacks[game], whites[game]
        p, weight = win_and_information(leads[place])
        surprise = score[kind[game]] - p
        pull[game] = weight
        gradient[black] += surprise
        gradient[white] -= surprise
        information[black] = np.float64(information[black]) + weight  # a sum of 64 bits in both forms of the loop
        information[white] = np.float64(information[white]) + weight
        if len(helps) > 0:
            gradient[helps[game]] += surprise
            information[helps[game]] = np.float64(information[helps[game]]) + weight


@kernel
def linearise(model: Histories, strength: Floats, gradient: Floats, information: Reals, pull: Reals) -> None:
    """Fill the gradient, the information of games and prior on each node, shape (nodes,), and p (1 - p) of each game.

    The diagonal of the negative Hessian is this information and the links to the days before and after.
    """
    gradient[:] = 0.0
    information[:] = 0.0
    for player in range(len(model.days.first)):
        node = model.days.first[player]
        if node >= 0:
            p, weight = win_and_information(strength[node] - model.entry[player])
            gradient[node], information[node] = model.prior * (1.0 - 2.0 * p), 2.0 * model.prior * weight
    days = len(model.days.following)
    for place in range(len(model.beyond)):
        p, weight = win_and_information(strength[days + place])
        gradient[days + place] = model.beyond[place] * (1.0 - 2.0 * p)
        information[days + place] = 2.0 * model.beyond[place] * weight
    for block in range(len(model.days.games) - 1):
        linearise_days(model, strength, block, gradient)
        start = model.days.games[block]
        leads = np.empty(model.days.games[block + 1] - start)
        fill_leads(model, strength, start, leads)
        linearise_games(model, leads, start, gradient, information, pull)


@kernel
def fill_hold(model: Histories, strength: Floats, hold: Floats) -> None:
    """Fill the information of each player's entry on the first day, 0 without games, shape (players,)."""
    for player in range(len(hold)):
        node = model.days.first[player]
        if node >= 0:
            hold[player] = 2.0 * model.prior * win_and_information(strength[node] - model.entry[player])[1]


@kernel
def fill_information(model: Histories, strength: Floats, information: Floats) -> None:
    """Fill the information of games and prior on each day, shape (days,)."""
    information[:] = 0.0
    for player in range(len(model.days.first)):
        node = model.days.first[player]
        if node >= 0:
            information[node] = 2.0 * model.prior * win_and_information(strength[node] - model.entry[player])[1]
    black, white = model.days.black, model.days.white
    for block in range(len(model.days.games) - 1):
        start = model.days.games[block]
        leads = np.empty(model.days.games[block + 1] - start)
        fill_leads(model, strength, start, leads)
        for place in range(len(leads)):
            weight = win_and_information(leads[place])[1]
            information[black[start + place]] += weight
            information[white[start + place]] += weight


@kernel
def eliminate_days(days: Days, links: Floats, information: Floats) -> None:
    """Add to the information on each day what the player's earlier days tell of it, all other players held fixed.

    Of h on a day with all before it, link h / (link + h) comes through to the next. On the last day it is 1 / variance.
    """
    for node in range(len(days.following)):
        after = days.following[node]
        if after != node:
            link, own = links[days.gap[node]], information[node]
            information[after] += link * own / (link + own)
