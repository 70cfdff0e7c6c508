"""The games of some players laid out by the days of each, and which of these days other workers need to know of."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from handan.distributed.share import Holder, Share, pieces
from handan.kernels.posterior.own_histories import OwnDays, count_days, lay_out_rows, number_nodes
from handan.kernels.types import Floats, Kinds, Nodes, Numbers, Seats
from handan.systems.families.paired_comparison import UNIT
from handan.systems.families.whole_history import kinds_of
from handan.systems.whr import WHR


class Games(NamedTuple):
    """The games of own players in the order of time, shape (games,) each."""

    black: Seats
    white: Seats
    period: Numbers
    kind: Kinds
    """Which of the different results and terms."""


class Laid(NamedTuple):
    """The days of own players, and what else there is to know of them."""

    days: OwnDays
    """Without entries."""
    nodes: int
    """How many there are, own ones and those of opponents who are elsewhere."""
    ends: Numbers
    """Last period of each own player, 0 without games, shape (own,)."""
    needed: list[Nodes]
    """Own nodes that each of all workers needs, by player and day."""


def read_games(block: Holder, system: WHR) -> tuple[Games, Floats]:
    """Read the games of a block and count them; also return Black's score and bonus of each kind, shape (kinds, 2)."""
    share, kinds = block.share, dict[tuple[float, float], int]()
    read: list[tuple[Any, ...]] = []
    for games, piece in pieces(block.ledger(), share.start, share.stop):
        schedule = system.schedule_of(piece)
        block.counted.add(share, schedule, games[schedule.sequence])
        own = kinds_of(schedule, system.worth_of_stone, system.advantage, UNIT)
        pairs = zip(own.score.tolist(), own.bonus.tolist(), strict=True)
        number = np.array([kinds.setdefault(pair, len(kinds)) for pair in pairs], dtype=np.uint32)
        read.append((*schedule.seats, system.periods(schedule), number[own.kind]))
    types: tuple[Any, ...] = (np.uint32, np.uint32, np.int32, np.min_scalar_type(2 * len(kinds)))
    columns = [
        np.concatenate([np.empty(0, dtype), *(piece[place].astype(dtype, copy=False) for piece in read)])
        for place, dtype in enumerate(types)
    ]
    return Games(*columns), np.array(list(kinds), dtype=np.float64).reshape(-1, 2)


def lay_out(share: Share, games: Games, kinds: Floats, system: WHR) -> Laid:
    """Lay out the games of a share.

    Args:
        share: Whose players are own.
        games: Those of own players.
        kinds: Black's score and bonus of each kind, shape (kinds, 2).
        system: Says what time between days is worth.
    """
    own, count = slice(share.start, share.stop), len(games.kind)
    last, days = np.zeros(share.bounds[-1], dtype=np.int32), np.zeros(share.bounds[-1], dtype=np.int64)
    count_days.for_work(count)(games.black, games.white, games.period, last, days)
    own_days, ends = days[own].copy(), last[own].copy()
    whole, own_nodes = int(days.sum()), int(own_days.sum())
    days[own] = 0
    begin = own_nodes + np.cumsum(days) - days
    begin[own] = np.cumsum(own_days) - own_days
    gap, rows = np.empty(own_nodes, dtype=np.uint32), np.zeros(own_nodes + 1, dtype=np.int64)
    nodes = (np.empty(count, dtype=np.uint32), np.empty(count, dtype=np.uint32))
    days[:] = 0
    run = number_nodes.for_work(count)
    run((games.black, games.white), games.period, begin, last, days, nodes, gap, rows)
    first = np.cumsum(rows)
    other, kind = np.empty(first[-1], dtype=np.uint32), np.empty(first[-1], dtype=games.kind.dtype)
    lay_out_rows.for_work(count)(nodes, games.kind, first[:-1].copy(), other, kind)
    links = np.arange(int(gap.max(initial=0)) + 1, dtype=np.float64) * system.growth
    links[1:] = 1.0 / links[1:]
    model = OwnDays(
        np.append(begin[own], own_nodes), gap, first, other, kind,
        score=np.column_stack((kinds[:, 0], 1.0 - kinds[:, 0])).reshape(-1),
        bonus=np.column_stack((kinds[:, 1], -kinds[:, 1])).reshape(-1),
        links=links, prior=system.prior, entry=np.zeros(len(ends)),
    )  # fmt: skip
    return Laid(model, whole, ends, _needed(share, games, nodes, own_nodes))


def _needed(share: Share, games: Games, nodes: tuple[Nodes, Nodes], own_nodes: int) -> list[Nodes]:
    """Return the own nodes on which the players of each worker were met."""
    bounds, met = np.array(share.bounds), [np.empty(0, dtype=np.int64)]
    for side, opponent in ((0, games.white), (1, games.black)):
        away = np.flatnonzero((nodes[side] < own_nodes) & (nodes[1 - side] >= own_nodes))
        where = np.searchsorted(bounds, opponent[away], side="right") - 1
        met.append(np.unique(where * own_nodes + nodes[side][away]))
    every = np.unique(np.concatenate(met))
    parts = np.searchsorted(every, np.arange(len(bounds)) * own_nodes)
    return [(every[start:stop] % own_nodes).astype(np.uint32) for start, stop in pairwise(parts.tolist())]
