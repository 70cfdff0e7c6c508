"""The games after a place of a ledger, rated from the state there, with checkpoints left on the way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import polars as pl

from handan.kernels.types import Ints
from handan.ledger import Adjustment, Ledger, Player
from handan.ratings import Ratings
from handan.saved.contents import Contents, Place, put_state
from handan.saved.player_states import People
from handan.systems.core.batches import batch_boundaries, thin_out
from handan.systems.core.ledger_windows import GAMES, Window, windows_between
from handan.systems.core.replay_state import ReplayState
from handan.systems.core.sequential import Sequential
from handan.systems.core.streaming import StreamedArrays, taken


class Members(NamedTuple):
    """The players who stand in some games or adjustments, by name."""

    numbers: dict[str, int]
    players: dict[str, Player]


def members_of(contents: Contents, names: Iterable[str]) -> Members:
    """Return numbers and facts of the players of these names."""
    wanted = pl.Series(sorted(set(names)), dtype=pl.String)
    rows = contents.players.with_row_index("number").filter(pl.col("name").is_in(wanted.implode()))
    players = {row["name"]: Player(**row) for row in rows.drop("number").iter_rows(named=True)}
    return Members(dict(zip(players, rows["number"].to_list(), strict=True)), players)


def names_in(table: pl.DataFrame) -> set[str]:
    """Return the names of the players in games."""
    return {name for side in ("black", "white") for name in table[side].unique().cast(pl.String)}


def moment_of(item: Adjustment) -> int | None:
    """Return when an adjustment applies, milliseconds since 1970-01-01; None: before the first game."""
    return None if item.date is None else int(np.datetime64(item.date.moment, "ms").astype(np.int64))  # type: ignore[union-attr]  # read by Adjustment


def replayed(
    contents: Contents, before: list[Place], people: People, past: ReplayState, ledger: Ledger,
    progress: Callable[[int], None] = lambda _: None,
) -> Ratings:  # fmt: skip
    """Rate games behind a place once, so that a folder holds what is known after them.

    Args:
        contents: `places` and `people` become those after the games.
        before: The places that stay.
        people: The players at the last of them; changed.
        past: The same of the players of the ledger alone.
        ledger: Games, none of which is rated together with one before, and the adjustments that they need.
        progress: Is called with the number of games behind.

    Returns:
        The ratings, from the beginning to the bit those of `System.rate`; what they say of games is made when somebody
        asks.
    """
    rules = contents.system
    assert isinstance(rules, Sequential)  # noqa: S101  # only such systems have checkpoints
    cuts, places = batch_boundaries(ledger, rules.together), list(before)
    ends, place = _checkpoints(ledger, cuts), before[-1] if before else Place()
    parts = _windows(ledger, cuts, ends, GAMES)
    for window, ratings, after in taken(rules, ledger, parts, past):
        people.take(ratings, past)
        past, place = after.past, place.after(ratings)
        if window.end in ends or window == parts[-1]:
            places.append(put_state(contents, place, people))
        progress(window.end)
        if window == parts[-1]:
            contents.places, contents.people = thinned(places), people
            return Ratings(StreamedArrays(rules, ratings.arrays, ledger, after))
        del ratings  # else two windows would be in memory
    raise AssertionError("there is always a window")


def needed_after(place: Place, adjustments: Iterable[Adjustment], entered: Collection[str]) -> list[Adjustment]:
    """Return the adjustments that games behind a place need: those of their time, and earlier ones of who enters.

    Args:
        place: Behind the games before.
        adjustments: All of them.
        entered: Names of those who have played a rated game before.
    """

    def is_past(item: Adjustment) -> bool:
        when = moment_of(item)
        return place.last is not None and (when is None or when <= place.last) and item.player in entered

    return [item for item in adjustments if not is_past(item)]


def _checkpoints(ledger: Ledger, cuts: Ints) -> list[int]:
    """Return the cuts of a ledger at which checkpoints are left, ascending."""
    ends = cuts[::-1]
    return [int(ends[kept]) for kept in thin_out(len(ledger) - ends)][::-1]


def _windows(ledger: Ledger, cuts: Ints, places: list[int], games: int) -> list[Window]:
    """Return windows of about so many games at most, none of which holds a checkpoint within."""
    windows = []
    for first, end in pairwise([0, *places, len(ledger)]):
        within = cuts[(cuts > first) & (cuts < end)] if end - first > games else cuts[:0]
        windows += windows_between(within, end, games, first)
    return windows


def thinned(places: list[Place]) -> list[Place]:
    """Return few places, which still reach everywhere."""
    *earlier, last = places
    depths = np.array([last.games - place.games for place in earlier[::-1]], dtype=np.int64)
    return [*(earlier[::-1][kept] for kept in thin_out(depths)[::-1]), last]
