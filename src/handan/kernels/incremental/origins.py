"""Where people without ranks enter, and where their scale begins, as the ranks of others and their own first ones tell.

Ratings of people who have only met others without a rank say who is stronger, and not where they stand among ranks. The
first ranks that such people declare tell where the scale of all of them begins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Flags, Floats, Ints

PRIOR_PEOPLE = 10.0  # our choice: so many people say as much as what is known before anybody comes
PRIOR_RANKS = 0.3  # our choice: and so many first ranks of people who came without one, which tell much more


class Origins(NamedTuple):
    """What ranks tell of people without ranks."""

    start: Floats
    """Rating at which the first enter, shape (populations,)."""
    entries: Floats
    """How many have come with ranks, shape (populations,)."""
    mean_entry: Floats
    """Mean rating of these ranks, shape (populations,)."""
    shift: Floats
    """Points by which the scale of people without ranks has shifted, shape (populations,)."""
    ranks: Floats
    """How many first ranks have shifted it, shape (populations,)."""
    unplaced: Flags
    """Who comes without a rank and has only met such people, shape (players,)."""
    in_rating: Floats
    """The shift that a player's rating has followed, shape (players,)."""
    people: Floats
    """How many have come to the pool that a player heads, shape (players,)."""
    ranked: Flags
    """Whether any of them has declared a rank, shape (players,)."""


def no_origins(start: Floats, unplaced: Flags) -> Origins:
    """Return the origins before anybody has come.

    Args:
        start: Where people without ranks enter at first, shape (populations,).
        unplaced: Who will come without a rank, shape (players,).
    """
    populations, players = len(start), len(unplaced)
    ranked = np.zeros(players, dtype=np.bool_)
    return Origins(
        start,
        np.zeros(populations),
        np.zeros(populations),
        np.zeros(populations),
        np.zeros(populations),
        unplaced,
        np.zeros(players),
        np.zeros(players),
        ranked,
    )


@kernel
def count_entry(origins: Origins, population: int, rating: float) -> None:
    """Count somebody who enters at the rating of a rank."""
    origins.entries[population] += 1.0
    origins.mean_entry[population] += (rating - origins.mean_entry[population]) / origins.entries[population]


@kernel
def entry_without_rank(origins: Origins, population: int) -> float:
    """Return where somebody without a rank enters: at first where the scale begins, then near those with ranks."""
    entries = origins.entries[population]
    ranked = entries / (entries + PRIOR_PEOPLE)
    start = (1.0 - ranked) * origins.start[population] + ranked * origins.mean_entry[population]
    return float(start + origins.shift[population])


@kernel
def note_ranks(origins: Origins, heads: Ints, head: int, declared: Ints, coming: int) -> float:
    """Note who has come to the pools that a game joins, and whether with ranks.

    Return the share of those who came without, if there are ranks now, else 0.

    Args:
        origins: Changed.
        heads: Who headed the pools, -1: none; shape (3,).
        head: Who heads them now.
        declared: Kind of the rank that each side declares, -1: none; shape (2,).
        coming: How many of both play for the first time.
    """
    ranked, people, without = declared[0] >= 0 or declared[1] >= 0, 0.0, 0.0
    for old in heads:
        if old >= 0:
            ranked = ranked or origins.ranked[old]
            people += origins.people[old]
            without += 0.0 if origins.ranked[old] else origins.people[old]
    origins.people[head], origins.ranked[head] = people + coming, ranked
    return float(without / (people + PRIOR_PEOPLE)) if ranked else 0.0


@kernel
def teach_origin(origins: Origins, population: int, apart: float) -> None:
    """Let the first rank of a player who has only met people without ranks tell where the scale of all these begins.

    Args:
        origins: Changed.
        population: Of the game.
        apart: Points by which the rank lies above the rating.
    """
    origins.ranks[population] += 1.0
    origins.shift[population] += apart / (origins.ranks[population] + PRIOR_RANKS)
