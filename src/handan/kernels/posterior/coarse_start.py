"""Whole histories of many games begin near their solution: at that with one strength of a player in each season.

A season is a span of periods. It is the same posterior over far fewer nodes: a sweep over them takes a small part of
one over all days, and brings the players into the right order, which takes the days most of their sweeps.
"""

from __future__ import annotations

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.posterior.graph import Days, graph_of_days
from handan.kernels.posterior.likelihood import Posterior
from handan.kernels.posterior.newton import maximise_from, prior_means
from handan.kernels.types import Floats, Nodes, Numbers

ROUGHLY = 0.1
"""Change of a strength, natural units, below which the solution of seasons is near enough for the days; our choice."""
DAYS_OF_SEASON = 12
"""Days with games that an average player has in a season; our choice."""
LEAST_GAMES = 10_000
"""Games from which it pays to solve the seasons first; our choice: of fewer it takes as long without."""
LEAST_DAYS = 4
"""Days in an average season from which it pays to solve the seasons first; our choice."""


@kernel
def number_seasons(
    days: Days, span: int, period: Numbers, node: Nodes, number: Numbers, following: Nodes, gap: Nodes
) -> int:
    """Number the seasons in the order of their first days; return how many they are.

    Args:
        days: The days.
        span: Periods of a season.
        period, node: Filled with the period and the season of each day, shape (days,).
        number, following, gap: Filled for each season: its number, the node of the same player's next season and the
            seasons until it, as `Days` has them; with room for as many seasons as days.
    """
    count, none = 0, len(node)
    for player in range(len(days.first)):
        if days.first[player] >= 0:
            period[days.first[player]], node[days.first[player]] = days.begins[player], none
    for day in range(len(node)):
        season, before = period[day] // span, node[day]
        if before == none or number[before] != season:
            number[count], following[count], gap[count] = season, count, 0
            if before != none:
                following[before], gap[before] = count, season - number[before]
            node[day] = count
            count += 1
        after = days.following[day]
        if after != day:
            period[after], node[after] = period[day] + days.gap[day], node[day]
    return count


def span_of(days: Days) -> int:
    """Return how many periods a season has; days of at least one player with games are needed."""
    plays = days.first >= 0
    whole = int(days.ends[plays].max() - days.begins[plays].min()) + 1
    return max(1, min(whole, round(DAYS_OF_SEASON * whole * int(plays.sum()) / len(days.following))))


def coarse_strengths(posterior: Posterior, days: Days, tolerance: float) -> Floats | None:
    """Return the most likely strengths if each player had one in each season, shape (nodes,).

    None of few games, or where seasons are hardly fewer than days.

    Args:
        posterior: Of the days.
        days: They.
        tolerance: To which the strengths of seasons are found.
    """
    coarse = seasons_of(posterior, days)
    if coarse is None:
        return None
    seasons, node = coarse
    strength = prior_means(seasons)
    maximise_from(seasons, strength, max(tolerance, ROUGHLY))
    return np.append(strength[node], strength[seasons.graph.strengths :])


def seasons_of(posterior: Posterior, days: Days) -> tuple[Posterior, Nodes] | None:
    """Return the posterior over seasons, and the season of each day; None as `coarse_strengths` does."""
    graph, nodes = posterior.graph, len(days.following)
    if len(posterior.kind) < LEAST_GAMES or len(posterior.links) < 2:
        return None
    span = span_of(days)
    period, number = np.empty(nodes, dtype=np.int32), np.empty(nodes, dtype=np.int32)
    node, following, gap = (np.empty(nodes, dtype=np.uint32) for _ in range(3))
    count = number_seasons.for_work(nodes)(days, span, period, node, number, following, gap)
    if count * LEAST_DAYS > nodes:
        return None
    blocks = np.zeros_like(days.games)
    blocks[-1] = count  # a season goes over several blocks of games, so that its node stands in none of them
    first = days.first.copy()
    first[first >= 0] = node[first[first >= 0]]
    seasons = days._replace(
        black=node[days.black],
        white=node[days.white],
        following=following[:count].copy(),
        gap=gap[:count].copy(),
        first=first,
        nodes=blocks,
    )
    links = np.arange(int(seasons.gap.max(initial=0)) + 1, dtype=np.float64)
    links[1:] = posterior.links[1] / (span * links[1:])
    worth, prior = graph.worth - np.uint32(graph.strengths), posterior.prior.node
    coarse = np.append(node.astype(np.int64), np.arange(count, count + len(graph.following) - nodes))
    return posterior._replace(
        graph=graph_of_days(seasons, worth if len(worth) else None, len(graph.following) - nodes),
        links=links,
        prior=posterior.prior._replace(node=coarse[prior]),
    ), node
