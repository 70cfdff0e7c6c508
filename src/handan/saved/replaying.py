"""The games behind a place of a ledger, taken from what was known there, with checkpoints left on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from handan.kernels.types import Ints
from handan.ledger import Adjustment, Ledger, Player
from handan.ledger.ledger import in_order
from handan.ledger.parts import between
from handan.ratings import Ratings
from handan.saved.contents import FEW_ROWS, Contents, Segment, checkpoint, table_of, write_games
from handan.saved.people import People
from handan.systems.core.base import Sequential
from handan.systems.core.boundaries import batch_boundaries, thin_out
from handan.systems.core.checkpoint import Checkpoint
from handan.systems.core.checkpoint_folder import checkpoint_store_of
from handan.systems.core.replay_state import ReplayState
from handan.systems.core.streaming import StreamedRatings, taken
from handan.systems.core.windows import GAMES, Window, windows_between


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
    return None if item.date is None else milliseconds(item.date.moment)  # type: ignore[union-attr]  # read by Adjustment


def milliseconds(moment: datetime) -> int:
    """Return a moment in milliseconds since 1970-01-01."""
    return int(np.datetime64(moment, "ms").astype(np.int64))


def replayed(contents: Contents, before: list[Segment], people: People, ledger: Ledger) -> None:
    """Take games behind some segments and write them, so that a folder holds the segments and these games.

    Args:
        contents: Holds the players and the adjustments; `segments` and `people` become those after the games.
        before: The segments that stay.
        people: The players behind them; changed.
        ledger: Games, none of which is rated together with one of the segments, with all who stand in them or in the
            adjustments.
    """
    rules = contents.system
    assert isinstance(rules, Sequential)  # noqa: S101  # only such systems have checkpoints
    numbers = numbers_in(contents, ledger)
    places = _checkpoints(ledger, batch_boundaries(ledger, rules.together))
    segments = list(before)
    for window in map(Window, [0, *places], [*places, len(ledger)]):
        place = checkpoint(contents, people) if segments else None
        part, past = behind(contents, ledger, window, people, numbers, segments[-1]["last"] if segments else None)
        ratings = rules.rate_after(past, part)
        people.take(ratings, past)
        segments.append(segment(contents, ratings, numbers, place))
    contents.segments, contents.people = thinned(contents, segments), people


def replayed_from_beginning(contents: Contents, ledger: Ledger, progress: Callable[[int], None]) -> Ratings:
    """Rate all games of a ledger once, and write them as `replayed` does.

    Args:
        contents: Holds the players and the adjustments of the ledger, and no game; changed.
        ledger: The games.
        progress: Is called with the number of games behind.

    Returns:
        The ratings, to the bit those of `System.rate`; what they say of games is made when somebody asks.
    """
    rules = contents.system
    assert isinstance(rules, Sequential)  # noqa: S101  # only such systems have checkpoints
    numbers, people = numbers_in(contents, ledger), People.strangers(len(ledger.players))
    cuts = batch_boundaries(ledger, rules.together)
    places = _checkpoints(ledger, cuts)
    parts = _windows(ledger, cuts, places, GAMES)
    before, segments = Checkpoint.beginning(len(ledger.players)), list[Segment]()
    store = checkpoint_store_of(rules, ledger)
    store.choose([window.end for window in parts])
    for window, ratings, after in taken(rules, ledger, parts, before):
        place = checkpoint(contents, people) if window.first in places else None
        people.take(ratings, before.past)
        part = segment(contents, ratings, numbers, place)
        if place or not segments:
            segments.append(part)
        else:
            segments[-1] = _one(contents, segments[-1], part)
        store.keep(after)
        progress(window.end)
        before, last = after, ratings if window == parts[-1] else None
        del ratings  # else two windows would be in memory
    assert last is not None  # noqa: S101  # there is always a window
    contents.segments, contents.people = thinned(contents, segments), people
    return StreamedRatings(last, ledger, before, GAMES, store)


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


def segment(contents: Contents, ratings: Ratings, numbers: dict[str, int], place: dict[str, Any] | None) -> Segment:
    """Write the games of ratings; return how the head describes them.

    Args:
        contents: Take the games.
        ratings: Of these games.
        numbers: Under which their players stand in the folder.
        place: The checkpoint before them, None where there is none.
    """
    games = ratings.ledger
    return {
        "games": write_games(contents, games, numbers),
        "rows": len(games),
        "last": last_moment(games),
        "newest": games.newest,
        "rated": ratings.rated,
        "unrated": ratings.unrated_counts,
        "people": place,
    }


def numbers_in(contents: Contents, ledger: Ledger) -> dict[str, int]:
    """Return the numbers under which the players of a ledger stand in a folder."""
    return _numbers(_rows_of(contents, ledger.names))


def behind(
    contents: Contents,
    ledger: Ledger,
    window: Window,
    people: People,
    numbers: dict[str, int],
    since: int | None,
    *,
    last: bool = True,
) -> tuple[Ledger, ReplayState]:
    """Return some games with the adjustments that they need, and what is known of the ledger's players before them.

    Args:
        contents: Holds the adjustments.
        ledger: Games in playing order.
        window: Which of them.
        people: The players before them.
        numbers: Under which all players of the ledger stand in the folder.
        since: Date of the last game before, None where there is none.
        last: Whether no game follows those of the ledger.
    """
    games = between(ledger, *window, ())
    playing = {ledger.players[index].name for index in np.unique(np.concatenate(games.seats)).tolist()}
    until = None if last and window.end == len(ledger) else last_moment(games)
    items = _items(contents, playing, people, numbers, (since, until))
    places = np.array([numbers[name] for name in ledger.names], dtype=np.int64)
    return between(ledger, *window, in_order(items)), people.past(places)


def last_moment(ledger: Ledger) -> int | None:
    """Return the last date of games in milliseconds since 1970-01-01, None where none has one."""
    last: int | None = ledger.column("date").dt.epoch("ms").max()  # type: ignore[assignment]  # of whole numbers
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


def thinned(contents: Contents, segments: list[Segment]) -> list[Segment]:
    """Return segments with few checkpoints, which still reach everywhere; small files of games are made one."""
    depths = np.cumsum([segment["rows"] for segment in segments[::-1]])[:-1]
    kept = {len(segments) - 1 - place for place in thin_out(depths)}
    joined: list[Segment] = []
    for number, segment in enumerate(segments):
        if number == 0 or number in kept:
            joined.append(segment)
        else:
            joined[-1] = _one(contents, joined[-1], segment)
    return joined


def _one(contents: Contents, one: Segment, other: Segment) -> Segment:
    """Return two segments as one."""
    files = [*one["games"], *other["games"]]
    if len(files) > 1 and sum(part["rows"] for part in files[-2:]) <= FEW_ROWS:
        table = table_of(contents, [{"games": files[-2:]}])
        games = Ledger.among(table, members_of(contents, names_in(table)).players.values())
        files[-2:] = write_games(contents, games, numbers_in(contents, games))
    reasons = {**one["unrated"], **other["unrated"]}
    return {
        **other,
        "games": files,
        "rows": one["rows"] + other["rows"],
        "rated": one["rated"] + other["rated"],
        "unrated": {reason: one["unrated"].get(reason, 0) + other["unrated"].get(reason, 0) for reason in reasons},
        "people": one["people"],
    }
