"""Kinds of newcomers, by what is known of them: a rank in a source, or none in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from handan.kernels.connectivity import pools
from handan.kernels.incremental.entry_levels import PARTS, Levels
from handan.systems.core.replay_state import ENTRY

if TYPE_CHECKING:
    from handan.kernels.types import Flags, Floats, Ints
    from handan.ledger import Ledger
    from handan.ranks import Rank
    from handan.systems.core.schedule import Schedule

NO_RANK, BY_TERMS, FIRST_RANK = 0, 1, 2
"""Numbers of a newcomer without a rank, of one whom the terms of the first game give one, and of the first rank."""
SOURCE = 100.0  # points; our choice: deviation of what any rank of a source is worth beside that of the first source
RANK = 30.0  # points; our choice: deviation of what one rank is worth besides, and of the same in one source
NEWCOMER = 150.0  # points; our choice: deviation of the level of newcomers without a rank
YEARLY = 0.04  # our choice: share of these variances that a year adds, since later newcomers may be others


class Kind(NamedTuple):
    """Newcomers of whom the same is known."""

    source: str
    """Where their first games stand: a file, or what the user names."""
    rank: Rank | None
    """What they declare; None: nothing."""
    by_terms: bool
    """Whether the terms of the first game gave them a rank."""


class EntryLevels(NamedTuple):
    """What newcomers of each kind are worth after the last game, beside the rating of their rank or of the start."""

    kinds: tuple[Kind, ...]
    mean: Floats
    """Points, shape (kinds,)."""
    variance: Floats
    newest_source: str
    """Source of the last rated game."""

    @property
    def ranked(self) -> bool:
        """Whether newcomers of any kind have a rank."""
        return any(kind.rank is not None for kind in self.kinds)

    def of_today(self, rank: Rank | None) -> float:
        """Return the level of a newcomer of today: of the newest source where it has such newcomers."""
        alike = [n for n, kind in enumerate(self.kinds) if kind.rank == rank and not kind.by_terms]
        here = [n for n in alike if self.kinds[n].source == self.newest_source]
        surest = min(here or alike, key=lambda n: float(self.variance[n]), default=None)
        return 0.0 if surest is None else float(self.mean[surest])


@dataclass(frozen=True)
class NewcomerKinds:
    """The kinds of newcomers of a ledger, and who is of which."""

    kinds: tuple[Kind, ...]
    of_player: Ints
    """Kind as which each player enters; -1: by hand, or never; shape (players,)."""
    declared: Ints
    """Kind of the rank that each side of a rated game declares, -1: none; shape (rated, 2)."""
    numbers: Ints
    """Numbers of source and rank of each kind, shape (kinds, 2)."""
    source: Ints
    """Number of the source of each rated game, shape (rated,); the others are compared with that of the first."""
    newest_source: str
    """Source of the last game."""

    @classmethod
    def of(cls, schedule: Schedule) -> NewcomerKinds:
        """Return the kinds of a ledger whose starting ratings have been asked for.

        A rank says nothing until its source names another, or terms place a newcomer beside it: until the event in
        which it does, whoever declares it counts as one without a rank.
        """
        ledger, taken, first = schedule.ledger, schedule.sequence, schedule.first_game
        names, source = _sources(ledger)
        different = sorted({rank for ranks, _ in ledger.arrays.declared for rank in ranks if rank is not None})
        numbers = {rank: place for place, rank in enumerate(different, FIRST_RANK)}
        sides = []
        for ranks, place in ledger.arrays.declared:
            number = [NO_RANK if r is None else numbers[r] for r in ranks]
            sides.append(np.array(number, dtype=np.int64)[place[taken]])
        rank = np.stack(sides, axis=1)
        coming = np.flatnonzero((first >= 0) & (first < len(ledger)))
        by_terms = ~np.isnan(schedule.state.get(ENTRY, np.full(len(first), np.nan)))
        entry = np.where(by_terms[coming], BY_TERMS, NO_RANK)
        if numbers:
            own = [schedule.entry_ranks[player] for player in coming.tolist()]
            entry = np.where([r is None for r in own], entry, [NO_RANK if r is None else numbers[r] for r in own])
        tells = _tells(source[taken], ledger.arrays.event[taken], rank, np.searchsorted(taken, first[coming]), entry)
        rank[~tells] = NO_RANK
        entry = np.where(tells[np.searchsorted(taken, first[coming])], entry, NO_RANK)
        span = FIRST_RANK + len(numbers)
        entered, declaring = source[first[coming]] * span + entry, source[taken][:, None] * span + rank
        keys = np.unique(np.concatenate((entered, declaring[rank >= FIRST_RANK])))
        of_player = np.full(len(ledger.players), -1, dtype=np.int64)
        of_player[coming] = np.searchsorted(keys, entered)
        of_player[[player for _, player, _ in schedule.before_entry]] = -1
        declared = np.where(rank >= FIRST_RANK, np.searchsorted(keys, declaring), -1).astype(np.int64)
        named = [None, None, *numbers]
        both = np.stack(np.divmod(keys, span), axis=1).astype(np.int64)  # of nobody too
        kinds = tuple(Kind(names[s], named[r], r == BY_TERMS) for s, r in both.tolist())
        newest = names[int(source[taken[-1]])] if len(taken) else ""
        return cls(kinds, of_player, declared, both, source[taken], newest)

    @property
    def unplaced(self) -> Flags:
        """Who enters without a rank, or with one that says nothing, shape (players,)."""
        unplaced = self.of_player >= 0
        unplaced[unplaced] = self.numbers[self.of_player[unplaced], 1] == NO_RANK
        return unplaced

    def beside_start(self, apart: Floats, population: Ints) -> Floats:
        """Return by how much each kind enters beside the rating of its rank or the start, shape (kinds,).

        Args:
            apart: Where those without a rank enter, beside the start, shape (populations,).
            population: Of each rated game, shape (rated,).
        """
        of_source = np.zeros(int(self.source.max(initial=0)) + 1, dtype=np.int64)
        of_source[self.source] = population
        return np.where(self.numbers[:, 1] == NO_RANK, apart[of_source[self.numbers[:, 0]]], 0.0)

    @classmethod
    def none(cls, schedule: Schedule) -> NewcomerKinds:
        """Return that nothing is made of who enters how."""
        nobody = np.full(len(schedule.ledger.players), -1, dtype=np.int64)
        nothing = np.full((len(schedule), 2), -1, dtype=np.int64)
        return cls((), nobody, nothing, np.empty((0, 2), dtype=np.int64), np.zeros(len(schedule), dtype=np.int64), "")

    def levels(self, base: Floats, day_start: Ints) -> Levels:
        """Return what is believed of the levels before the first game.

        Args:
            base: Rating of the rank of each kind, shape (kinds,).
            day_start: Place of the first game of the day of each rated game, ascending, shape (rated,).
        """
        sources, source = np.unique(self.numbers[:, 0], return_inverse=True)
        ranks, rank = np.unique(self.numbers[:, 1], return_inverse=True)
        source, rank, own = source.reshape(-1), rank.reshape(-1), np.arange(len(self.kinds))
        parts = np.stack((source, rank, own), axis=1) + np.cumsum([0, len(sources), len(ranks)])
        deviation = np.concatenate((
            np.where(sources == self.source[:1], 0.0, SOURCE),
            np.where(ranks < FIRST_RANK, NEWCOMER, RANK),
            np.full(len(own), RANK),
        ))  # fmt: skip
        days = int((np.diff(day_start, prepend=-1) != 0).sum())
        records = min(len(deviation) * days, 4 * PARTS * len(day_start))
        return Levels(
            parts, base, np.zeros(len(deviation)), deviation**2, YEARLY / 365.0 * deviation**2,
            np.full(len(deviation), np.nan), np.zeros((len(sources), 3)), np.full(len(deviation), -1),
            np.empty(records, dtype=np.int64), np.empty(records), np.empty(records), np.empty(records, dtype=np.int64),
            np.zeros(1, dtype=np.int64),
        )  # fmt: skip


def _tells(source: Ints, event: Ints, rank: Ints, entering: Ints, entry: Ints) -> Flags:
    """Return whether the source of each game has named several ranks by then, shape (rated,).

    Who takes part in an event is known before its first game.

    Args:
        source: Of each rated game, shape (rated,).
        event: Number of the event of each, shape (rated,).
        rank: That each side declares, shape (rated, 2).
        entering: Place of the game with which each player enters.
        entry: As what the player enters, which counts where terms gave a rank.
    """
    by_terms = entering[entry == BY_TERMS]
    place = np.concatenate([np.arange(len(source)), np.arange(len(source)), by_terms])
    named = pl.DataFrame(
        {
            "place": place,
            "source": source[place],
            "rank": np.concatenate([rank[:, 0], rank[:, 1], np.full(len(by_terms), BY_TERMS)]),
        }
    ).filter(pl.col("rank") != NO_RANK)
    firsts = named.group_by("source", "rank").agg(pl.col("place").min())
    seconds = firsts.group_by("source").agg(pl.col("place").sort().get(1, null_on_oob=True)).drop_nulls()
    _, start, number = np.unique(event, return_index=True, return_inverse=True)
    tells_from = np.full(int(source.max(initial=0)) + 1, len(source))
    tells_from[seconds["source"].to_numpy()] = start[number.reshape(-1)[seconds["place"].to_numpy()]]
    return np.arange(len(source)) >= tells_from[source]


def _sources(ledger: Ledger) -> tuple[list[str], Ints]:
    """Return whose ranks players have, the server that a game names or else its file, and the place of each game's."""
    (servers, server), (files, file) = (ledger.arrays.different(name) for name in ("server", "source"))
    pairs, place = np.unique(server.astype(np.int64) * len(files) + file, return_inverse=True)
    texts = [servers[pair // len(files)] or files[pair % len(files)] or "" for pair in pairs.tolist()]
    names = sorted({*texts})  # a ledger on disk keeps its texts in another order
    place_of = {name: place for place, name in enumerate(names)}
    return names, np.array([place_of[text] for text in texts], dtype=np.int64)[place.reshape(-1)]


def populations(ledger: Ledger) -> Ints:
    """Return the number of the population of each game, shape (games,).

    The games of a server or a file are of one population, and those of all files with one event or one game each; so
    are all that have players or an event in common.
    """
    names, source = _sources(ledger)
    event, players = ledger.arrays.event.astype(np.int64), len(ledger.players)
    first, last = np.full(len(names), len(ledger)), np.full(len(names), -1)
    np.minimum.at(first, source, event)
    np.maximum.at(last, source, event)
    several = np.flatnonzero(first != last)  # the others are one home
    home = np.zeros(len(names), dtype=np.int64)
    home[several] = np.arange(1, len(several) + 1)
    home = players + home[source]
    one = np.concatenate([*ledger.arrays.seats, players + 1 + len(several) + event])
    joined = pools(one, np.concatenate([home, home, home]), players + 1 + len(several) + len(ledger))
    return joined[home]
