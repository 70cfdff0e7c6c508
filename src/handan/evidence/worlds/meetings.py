"""Who meets whom in a world: the pairings of all meetings, bridges between pools, and arranged games."""

from __future__ import annotations

from itertools import count
from typing import NamedTuple

import numpy as np

from handan.evidence.worlds.people import People
from handan.evidence.worlds.world import World
from handan.kernels.types import Flags, Floats, Ints


class Pairings(NamedTuple):
    """Games without results, in playing order, shape (games,) each."""

    meeting: Ints
    round: Ints
    """From 1; two people meet once in a round."""
    one: Ints
    other: Ints
    arranged: Flags
    """Whether the second player lets the first win."""


def days_of(world: World) -> Ints:
    """Return the days of the meetings, counted from the first."""
    return np.arange(0, world.days, world.every)


def pairings_of(world: World, people: People, level: Floats, dice: np.random.Generator) -> Pairings:
    """Draw who plays whom, given the strengths at each meeting, shape (meetings, players)."""
    meetings = len(level)
    ends = np.round(np.linspace(0, world.games, meetings + 1)).astype(np.int64)
    bridges = np.sort(dice.integers(0, meetings, world.bridges)) if world.pools > 1 else np.zeros(0, np.int64)
    days = days_of(world)
    rows: list[tuple[Ints, Ints, Ints, Ints, Flags]] = []
    for meeting in range(meetings):
        here = np.flatnonzero(people.joined <= days[meeting])
        games = int(ends[meeting + 1] - ends[meeting])
        drawn = [
            _rounds(world, share, here[people.pool[here] == pool], people, level[meeting], dice)
            for pool, share in enumerate(_shares(people.pool[here], games, world.pools))
        ]
        drawn.append(_bridges(int((bridges == meeting).sum()), here, people, dice))
        drawn.append(_arranged(world, meeting, meetings))
        table = np.concatenate([each for each in drawn if len(each)] or [np.zeros((0, 4), np.int64)])
        table[:, 0] = _once_in_a_round(table)
        table = table[np.argsort(table[:, 0], kind="stable")]
        rows.append((np.full(len(table), meeting), table[:, 0], table[:, 1], table[:, 2], table[:, 3] == 1))
    return Pairings(*(np.concatenate(column) for column in zip(*rows, strict=True)))


def _once_in_a_round(table: Ints) -> Ints:
    """Return the rounds of a meeting's games, later ones where two people would meet twice in a round."""
    seen: set[tuple[int, int, int]] = set()
    rounds = []
    for number, one, other in np.column_stack((table[:, 0], np.sort(table[:, 1:3]))).tolist():
        free = next(each for each in count(number) if (each, one, other) not in seen)
        seen.add((free, one, other))
        rounds.append(free)
    return np.array(rounds, dtype=np.int64)


def _shares(pool: Ints, games: int, pools: int) -> list[int]:
    """Return how many of the games each pool plays, by its people."""
    people = np.bincount(pool, minlength=pools)
    people = np.where(people >= 2, people, 0)
    if not people.sum():
        return [0] * pools
    ends = np.round(games * np.cumsum(people) / people.sum()).astype(np.int64)
    return [int(each) for each in np.diff(ends, prepend=0)]


def _rounds(world: World, games: int, here: Ints, people: People, level: Floats, dice: np.random.Generator) -> Ints:
    """Return round, both players, and 0, of the games of one room at one meeting; near strengths meet more often."""
    drawn, number = [], 0
    boards = max(-(-games // world.rounds), 1)
    while games > 0:
        number += 1
        count = min(games, boards, len(here) // 2)
        wish = np.log(people.keenness[here]) + dice.gumbel(size=len(here))
        come = here[np.argsort(-wish, kind="stable")[: 2 * count]]
        order = come[np.argsort(level[come] + world.apart * dice.normal(size=len(come)), kind="stable")]
        pairs = order.reshape(-1, 2)[dice.permutation(count)]
        drawn.append(np.column_stack((np.full(count, number), pairs, np.zeros(count, np.int64))))
        games -= count
    return np.concatenate(drawn) if drawn else np.zeros((0, 4), np.int64)


def _bridges(count: int, here: Ints, people: People, dice: np.random.Generator) -> Ints:
    """Return games between members of different pools, in the first round."""
    made = []
    for _ in range(count if len(np.unique(people.pool[here])) > 1 else 0):
        one = int(dice.choice(here))
        other = int(dice.choice(here[people.pool[here] != people.pool[one]]))
        made.append((1, one, other, 0))
    return np.array(made, dtype=np.int64).reshape(-1, 4)


def _arranged(world: World, meeting: int, meetings: int) -> Ints:
    """Return the arranged games of a meeting: players 0 and 1, 2 and 3, and so on, the first winning."""
    before, after = (round(world.arranged * place / meetings) for place in (meeting, meeting + 1))
    pairs = [(1, 2 * pair, 2 * pair + 1, 1) for pair in range(world.colluders) for _ in range(after - before)]
    return np.array(pairs, dtype=np.int64).reshape(-1, 4)
