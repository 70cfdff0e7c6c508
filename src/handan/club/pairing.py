"""Who should play whom now: everybody who can, nobody whom they met within the week, and who waited longest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

Two = frozenset[str]
"""Keys of two players."""

LATELY = 7
"""Days within which nobody meets the same opponent again while another one is there."""
MONTHS = 60  # our choice: days after which it no longer matters that two have met
STONES = 6  # our choice: a stone of handicap is as unwelcome as having met six days later
UNFAIR = 20 * STONES  # our choice: of two for whom no terms are fair
MOST = 40  # our choice: players who are paired at once, so that a page does not wait


class Pairing(NamedTuple):
    """Suggested games."""

    pairs: tuple[tuple[str, str], ...]
    """Keys of both players, the one who waited longer first; who waited longest in the first pair."""
    left_out: tuple[str, ...]
    """Keys of those for whom nobody is left, in the order in which they waited."""


def pairing(waiting: Sequence[str], days: Mapping[Two, int], stones: Mapping[Two, int | None]) -> Pairing:
    """Return who should play whom.

    As many as can play do. Of all ways to do so that with the fewest pairs that met within a week is taken; of those
    the one that leaves out who waited least; of those the one in which the pairs met least lately and need the fewest
    stones, as `displeasure` has it. It is a maximum weight matching of the players (Edmonds 1965, by networkx).

    Args:
        waiting: Keys of those who are free, who waited longest first; of more than 40 the first 40 are paired.
        days: How many days ago two met last; none for two who never met.
        stones: The handicap of two at fair terms; None where no terms are fair.
    """
    import networkx as nx

    chosen = waiting[:MOST]
    graph = nx.Graph()
    each = MONTHS + UNFAIR + 1  # more than any pair displeases
    by_waiting = each * (len(chosen) // 2 + 1)  # more than all pairs together do
    not_lately = by_waiting * (len(chosen) + 1) ** 2  # more than all who wait together count
    for place, one in enumerate(chosen):
        for behind, other in enumerate(chosen[place + 1 :], place + 1):
            two = frozenset({one, other})
            patience = 2 * len(chosen) - place - behind
            weight = by_waiting * patience - displeasure(two, days, stones)
            weight += not_lately * (days.get(two, LATELY + 1) > LATELY)
            graph.add_edge(place, behind, weight=weight)
    matched = sorted(tuple(sorted(pair)) for pair in nx.max_weight_matching(graph, maxcardinality=True))
    taken = {place for pair in matched for place in pair}
    return Pairing(
        tuple((chosen[one], chosen[other]) for one, other in matched),
        tuple(key for place, key in enumerate(waiting) if place not in taken),
    )


def displeasure(two: Two, days: Mapping[Two, int], stones: Mapping[Two, int | None]) -> int:
    """Return how unwelcome a game of two is: that they met within two months, and the stones that it needs."""
    needed = stones.get(two, 0)
    met = max(0, MONTHS - max(0, days.get(two, MONTHS)))
    return met + (UNFAIR if needed is None else min(UNFAIR, STONES * needed))
