"""The games after a place of a ledger, rated from the state there, with checkpoints left on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import polars as pl

from handan.kernels.types import Ints
from handan.ledger import Adjustment, Ledger, Player
from handan.ledger.ledger import between, in_order
from handan.ratings import Ratings
from handan.saved.contents import Contents, Place, put_state
from handan.saved.player_states import People
from handan.systems.core.batches import batch_boundaries, thin_out
from handan.systems.core.checkpoint import Checkpoint
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
    rows = _rows_of(contents, sorted(set(names)))
    players = {row["name"]: Player(**row) for row in rows.drop("number").iter_rows(named=True)}
    return Members(_numbers(rows), players)


def _rows_of(contents: Contents, names: Sequence[str]) -> pl.DataFrame:
    wanted = pl.Series(names, dtype=pl.String)
    return contents.players.with_row_index("number").filter(pl.col("name").is_in(wanted.implode()))


def _numbers(rows: pl.DataFrame) -> dict[str, int]:
    return dict(zip(rows["name"].to_list(), rows["number"].to_list(), strict=True))


def names_in(table: pl.DataFrame) -> set[str]:
    """Return the names of the players in games."""
    return {name for side in ("black", "white") for name in table[side].unique().cast(pl.String)}


def moment_of(item: Adjustment) -> int | None:
    """Return when an adjustment applies, milliseconds since 1970-01-01; None: before the first game."""
    return None if item.date is None else int(np.datetime64(item.date.moment, "ms").astype(np.int64))  # type: ignore[union-attr]  # read by Adjustment


def replayed(contents: Contents, before: list[Place], people: People, ledger: Ledger) -> None:
    """Take games behind a place, so that a folder holds what is known after them.

    Args:
        contents: Holds the players and the adjustments; `places` and `people` become those after the games.
        before: The places that stay.
        people: The players at the last of them; changed.
        ledger: Games, none of which is rated together with one before, with all who stand in them or in the
            adjustments.
    """
    rules = contents.system
    assert isinstance(rules, Sequential)  # noqa: S101  # only such systems have checkpoints
    numbers = numbers_in(contents, ledger)
    cuts = _checkpoints(ledger, batch_boundaries(ledger, rules.together))
    places = list(before)
    for window in map(Window, [0, *cuts], [*cuts, len(ledger)]):
        place = places[-1] if places else Place()
        part, past = behind(contents, ledger, window, people, numbers, place)
        ratings = rules.rate_after(past, part)
        people.take(ratings, past)
        places.append(put_state(contents, place.after(ratings), people))
    contents.places, contents.people = thinned(places), people


def replayed_from_beginning(contents: Contents, ledger: Ledger, progress: Callable[[int], None]) -> Ratings:
    """Rate all games of a ledger once, and write what is known after them as `replayed` does.

    Args:
        contents: Holds the players and the adjustments of the ledger; changed.
        ledger: The games.
        progress: Is called with the number of games behind.

    Returns:
        The ratings, to the bit those of `System.rate`; what they say of games is made when somebody asks.
    """
    rules = contents.system
    assert isinstance(rules, Sequential)  # noqa: S101  # only such systems have checkpoints
    people, place = People.strangers(len(ledger.players)), Place()
    cuts = batch_boundaries(ledger, rules.together)
    ends = _checkpoints(ledger, cuts)
    parts = _windows(ledger, cuts, ends, GAMES)
    past, places = Checkpoint.beginning(len(ledger.players)).past, list[Place]()
    for window, ratings, after in taken(rules, ledger, parts):
        people.take(ratings, past)
        past, place = after.past, place.after(ratings)
        if window.end in ends or window == parts[-1]:
            places.append(put_state(contents, place, people))
        progress(window.end)
        if window == parts[-1]:
            contents.places, contents.people = thinned(places), people
            return Ratings(StreamedArrays(ratings.arrays, ledger, after))
        del ratings  # else two windows would be in memory
    raise AssertionError("there is always a window")


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


def numbers_in(contents: Contents, ledger: Ledger) -> dict[str, int]:
    """Return the numbers under which the players of a ledger stand in a folder."""
    return _numbers(_rows_of(contents, ledger.names))


def behind(
    contents: Contents,
    ledger: Ledger,
    window: Window,
    people: People,
    numbers: dict[str, int],
    place: Place,
) -> tuple[Ledger, ReplayState]:
    """Return some games with the adjustments that they need, and what is known of the ledger's players before them.

    Args:
        contents: Holds the adjustments.
        ledger: Games in playing order.
        window: Which of them.
        people: The players before them.
        numbers: Under which all players of the ledger stand in the folder.
        place: Behind the games before.
    """
    games = between(ledger, *window, ())
    playing = {ledger.players[index].name for index in np.unique(np.concatenate(games.arrays.seats)).tolist()}
    until = None if window.end == len(ledger) else last_moment(games)
    items = _items(contents, playing, people, numbers, (place.last, until))
    places = np.array([numbers[name] for name in ledger.names], dtype=np.int64)
    return between(ledger, *window, in_order(items)), people.past(places)


def last_moment(ledger: Ledger) -> int | None:
    """Return the last date of games in milliseconds since 1970-01-01, None where none has one."""
    last: int | None = ledger.arrays.column("date").dt.epoch("ms").max()  # type: ignore[assignment]  # of whole numbers
    return last


def _items(
    contents: Contents, playing: set[str], people: People, numbers: dict[str, int], time: tuple[int | None, int | None]
) -> list[Adjustment]:
    """Return the adjustments that some games need: those of their time, and earlier ones of who enters with them.

    Args:
        contents: Holds all of them.
        playing: Who stands in the games.
        people: What is known before the games.
        numbers: Of all players.
        time: Date of the last game before, None where there is none; and that of the last of these games, None where
            none follow.
    """
    since, until = time
    chosen = []
    for item in contents.adjustments:
        when, entered = moment_of(item), bool(people.facts["entered"][numbers[item.player]])
        earlier = since is not None and (when is None or when <= since)
        later = until is not None and when is not None and when > until
        enters = not entered and item.player in playing
        if enters if earlier else (entered or enters) and not later:
            chosen.append(item)
    return chosen


def thinned(places: list[Place]) -> list[Place]:
    """Return few places, which still reach everywhere."""
    *earlier, last = places
    depths = np.array([last.games - place.games for place in earlier[::-1]], dtype=np.int64)
    return [*(earlier[::-1][kept] for kept in thin_out(depths)[::-1]), last]
