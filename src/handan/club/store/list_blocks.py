"""The blocks of games of a stored list with their ratings: read, or rated once more from what each starts with."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from handan.club.blocks import checkpoint_of_bytes, rate_block, ratings_of, renumbered, stored_facts, unpacked
from handan.club.rules import Rules, date_of, falls_within
from handan.club.state import State
from handan.club.store.list_models import Block, RatingList
from handan.club.store.stored_facts import milliseconds
from handan.kernels.types import Ints
from handan.ledger import Adjustment
from handan.ledger.ledger import in_order
from handan.ratings import Ratings
from handan.systems.core.sequential import Sequential

AT_ONCE = 8  # our choice: blocks that are read together


class StoredBlock(NamedTuple):
    """A block without its games: where it stands, under which of the rules, and when it ends."""

    pk: int
    position: int
    phase: int
    ends: int | None


class ListChangedError(Exception):
    """A list has gone on since its blocks were looked up."""


class ListBlocks:
    """The blocks of a list; each column is read when it is asked for."""

    def __init__(self, row: RatingList, state: State, phase_rules: Sequence[Rules]) -> None:
        """Take the list, the club as who asks may see it, and the rules under which its games are rated."""
        self.list, self.state, self.phase_rules = row, state, phase_rules

    def __len__(self) -> int:
        """Number of blocks."""
        return len(self.blocks)

    @cached_property
    def blocks(self) -> list[StoredBlock]:
        """All blocks in playing order, without their games."""
        rows = Block.objects.filter(list=self.list).order_by("position")
        return [StoredBlock(*row) for row in rows.values_list("pk", "position", "phase", "ends")]

    @cached_property
    def ends(self) -> list[float]:
        """The moment at which each block ends; a block without dated games ends with the one before."""
        return list(accumulate((-math.inf if block.ends is None else block.ends for block in self.blocks), max))

    @cached_property
    def keys(self) -> list[str]:
        """Keys of all players by number."""
        return self.list.keys.split("\n") if self.list.keys else []

    @cached_property
    def figures(self) -> dict[str, Any]:
        """Figures of all players by number."""
        return unpacked(bytes(self.list.figures))[0]

    def columns(self, places: Sequence[int], *names: str) -> Iterator[list[bytes]]:
        """Go through columns of blocks, given by place and ascending; ListChangedError if one is there no more."""
        for first in range(0, len(places), AT_ONCE):
            part = [self.blocks[place].pk for place in places[first : first + AT_ONCE]]
            rows = list(Block.objects.filter(pk__in=part).values_list(*names))
            if len(rows) < len(part):
                raise ListChangedError
            yield from ([bytes(value or b"") for value in row] for row in rows)

    def place_of(self, moment: datetime | None) -> int:
        """Return the place of the block with the games of a moment, None for games without a date."""
        return 0 if moment is None else min(bisect_left(self.ends, milliseconds(moment)), len(self.blocks) - 1)

    def places(self, phase: int) -> list[int]:
        """Return the places of the blocks under one of the rules."""
        return [place for place, block in enumerate(self.blocks) if block.phase == phase]

    def adjustments(
        self, phase: int, players: Iterable[str], entered: Collection[str] = (), last: datetime | None = None
    ) -> list[Adjustment]:
        """Return the adjustments of players under one of the rules, those with which they enter it among them, by key.

        Args:
            phase: Which of the rules.
            players: Their keys.
            entered: Players of whom only those are wanted that come on the day `last` or later.
            last: A day on which somebody played, None: all are wanted.
        """
        wanted, day = {*players}, "" if last is None else str(last.date())

        def plays_part(player: str, when: Any) -> bool:
            return player in wanted and not (player in entered and str(when or "") < day)

        since = self.phase_rules[phase].since if phase else None
        until = self.phase_rules[phase + 1].since if phase + 1 < len(self.phase_rules) else None
        items = [
            Adjustment(**item) for item in self.list.carried[phase] if plays_part(item["player"], item.get("date"))
        ]
        for item in self.state.shown_adjustments:
            key = self.state.final(item.player)
            if plays_part(key, item.facts.get("date")) and self.state.is_in_force(item):
                made = Adjustment(key, **{**item.facts, "note": item.key})
                if falls_within(date_of(made), since, until):
                    items.append(made)
        return list(in_order(items))

    def ratings(self, places: Sequence[int], seat: int) -> Ratings:
        """Return the ratings of one player's games in blocks under one of the rules."""
        system = self.phase_rules[self.blocks[places[0]].phase].made
        nobody = {"rating": np.zeros(0), "pool": np.zeros(0, dtype=np.int64)}
        figures = self.figures if system.traits.whole else nobody
        blocks = ((facts, ratings) for facts, ratings in self.columns(places, "facts", "ratings"))
        return ratings_of(system, blocks, self.keys, figures, seat)[1]

    def ratings_after(self, moment: datetime) -> Ratings | None:
        """Return the ratings of the blocks with games after a moment, under the last of the rules; None without one."""
        rows = Block.objects.filter(list=self.list, phase=len(self.phase_rules) - 1, ends__gt=milliseconds(moment))
        blocks = [(bytes(facts), bytes(ratings)) for facts, ratings in rows.values_list("facts", "ratings")]
        if not blocks:
            return None
        self.list.refresh_from_db(fields=["keys", "figures"])
        return ratings_of(self.phase_rules[-1].made, blocks, self.keys, self.figures)[1]

    def rated_again(self, place: int, labels: Mapping[str, str] | None = None) -> tuple[pl.DataFrame, Ratings]:
        """Return the games of a block, whose players are numbered anew, and their ratings.

        `labels` are names of some players by key; others are called by their keys.
        """
        block, called = self.blocks[place], labels or {}
        system = self.phase_rules[block.phase].made
        [[facts, content]] = self.columns([place], "facts", "start")
        start = checkpoint_of_bytes(content)
        assert start.past is not None and isinstance(system, Sequential)  # noqa: S101, PT018  # it has blocks
        players: Ints = start.past.numbers
        keys = [self.keys[player] for player in players.tolist()]
        entered = {keys[at] for at in np.flatnonzero(start.past.entered).tolist()}
        items = [
            replace(item, player=called.get(item.player, item.player))
            for item in self.adjustments(block.phase, keys, entered, start.last)
        ]
        final, games = place == self.places(block.phase)[-1], renumbered(stored_facts(facts), players)
        names = [called.get(key, key) for key in keys]
        return games, rate_block(system, games, names, items, start, final=final)
