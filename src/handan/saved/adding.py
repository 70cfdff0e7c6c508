"""Games added to saved ratings: from the nearest checkpoint before them, the games behind it are taken again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import numpy as np
import polars as pl

from handan.errors import InputError
from handan.files.duplicates import PLACE
from handan.files.games.stored_games import frame_of
from handan.files.io.saved_folder import KIND, VERSION, is_saved
from handan.files.io.storage import named
from handan.ledger import Ledger, Player
from handan.ledger.event_numbers import EVENT_GAP
from handan.ledger.folder import writing
from handan.saved.contents import (
    Contents,
    add_players,
    describe_players,
    people_at,
    read_contents,
    table_of,
    write_contents,
)
from handan.saved.people import People
from handan.saved.recognising import WhoIsWho, recognised
from handan.saved.replaying import members_of, moment_of, names_in, replayed
from handan.saved.saving import write_anew
from handan.saved.views import Moved, moved, standings
from handan.systems.core.base import Sequential
from handan.systems.core.periods import CALENDAR, calendar

DAY = 86_400_000  # milliseconds
KEYS = ("date", "black", "white", "event", "round")
"""What a game and its correction have in common."""


@dataclass(frozen=True)
class Added:
    """What became of games that were added."""

    games: int
    """Games added, without repeats."""
    repeats: int
    """Games that were there already, and were not added again."""
    corrected: int
    """Games that took the place of old ones."""
    taken: int
    """Games that were rated, old ones and new."""
    since: str | None
    """Day of the first of them; None for the beginning."""
    anew: str
    """Why all games were rated, empty where a checkpoint served."""
    moved: list[Moved]
    """The players of the new games, the one that moved most first."""


class _Anew(Exception):  # noqa: N818  # no error: the message says why
    """No checkpoint serves."""


def add(path: str | os.PathLike[str], later: Ledger, *, correct: bool = False, keep_repeats: bool = False) -> Added:
    """Add games, and ranks set by hand, to saved ratings; the answer is that of `rate` for all games together.

    Args:
        path: Folder of the saved ratings.
        later: Games of any dates.
        correct: Whether each game takes the place of the one with its date, players, event and round.
        keep_repeats: Whether a game that says the same as an old one counts again.

    Raises:
        InputError: If there are no saved ratings, they are damaged, another formula made them, another command writes
            them, or a correction finds no game. Then nothing is changed.
    """
    folder = Path(path)
    if not is_saved(folder):
        raise InputError(f"{named(path)} holds no saved ratings; handan rate FILES --system NAME --save makes them")
    with writing(folder, KIND, VERSION, grow=True) as draft:
        contents = read_contents(folder, draft)
        try:
            return _from_checkpoint(contents, later, correct=correct, keep_repeats=keep_repeats)
        except (_Anew, WhoIsWho) as why:
            return _all_anew(contents, later, str(why), correct=correct, keep_repeats=keep_repeats)


def _from_checkpoint(contents: Contents, later: Ledger, *, correct: bool, keep_repeats: bool) -> Added:
    """Take the games from the nearest checkpoint on; _Anew or WhoIsWho, before anything is changed, if none serves."""
    rules, people = contents.system, contents.people
    if not isinstance(rules, Sequential) or people is None:
        raise _Anew(f"{rules.name} finds all ratings together")
    names, strangers, described = recognised(contents.players, later.players)
    new = _renamed(later.games, names)
    items = [replace(item, player=names[item.player]) for item in later.adjustments]
    fresh = {player.name for player in strangers}
    if new["date"].null_count():
        raise _Anew("games without a date stand before all others")
    if any(item.date is None and item.player not in fresh for item in items):
        raise _Anew("a rank from the beginning on is set for somebody who was there")
    if described and getattr(rules, "entry", "rank") != "rank":
        raise _Anew("declared ratings of players who were there may say how they entered")
    times = [*new["date"].dt.epoch("ms").to_list(), *(when for item in items if (when := moment_of(item)) is not None)]
    place = _place_before(contents, new, min(times)) if times else len(contents.segments) - 1
    kept = contents.segments[:place]
    beginning = "" if kept or len(contents.segments) == 1 else "they go back before the first checkpoint"
    old = table_of(contents, contents.segments[place:])
    table, repeats, corrected = together(old, new, correct=correct, keep_repeats=keep_repeats)
    if repeats == len(new) and not items and not strangers and not described:
        return Added(0, repeats, 0, 0, None, "", [])
    touched = sorted(names_in(new) | {item.player for item in items})
    before = standings(contents, [name for name in touched if name not in fresh])
    add_players(contents, strangers)
    describe_players(contents, described)
    contents.adjustments = [*contents.adjustments, *items]
    start = people_at(contents.parts, contents.segments[place]["people"]) if kept else People.strangers(0)
    start.grow(len(contents.players))
    players = members_of(contents, names_in(table) | {item.player for item in contents.adjustments}).players.values()
    replayed(contents, kept, start, Ledger.among(table, players))
    write_contents(contents)
    since = table["date"].min() if kept else None
    return Added(
        new.height - repeats - corrected, repeats, corrected, table.height,
        since.date().isoformat() if isinstance(since, datetime) else None, beginning,
        moved(before, standings(contents, touched)),
    )  # fmt: skip


def _all_anew(contents: Contents, later: Ledger, why: str, *, correct: bool, keep_repeats: bool) -> Added:
    """Rate all games, those that were there and the new ones."""
    players = [Player(**row) for row in contents.players.iter_rows(named=True)]
    old, new = table_of(contents, contents.segments), _renamed(later.games, {})
    table, repeats, corrected = together(old, new, correct=correct, keep_repeats=keep_repeats)
    ledger = Ledger.from_table(table, [*contents.adjustments, *later.adjustments], (), [*players, *later.players])
    old_names = set(contents.players["name"])
    touched = names_in(new) | {item.player for item in later.adjustments}
    before = standings(contents, sorted(touched & old_names))
    assert contents.writing is not None  # noqa: S101  # the caller writes
    made = write_anew(contents.writing, ledger, contents.system).contents
    there = {player.name for player in ledger.players}
    return Added(
        new.height - repeats - corrected, repeats, corrected, len(ledger), None, why,
        moved(before, standings(made, sorted(touched & there))),
    )  # fmt: skip


def _renamed(games: pl.DataFrame, names: Mapping[str, str]) -> pl.DataFrame:
    """Return games in order of entry, their players under other names."""
    sides = [pl.col(side).cast(pl.String).replace(names) for side in ("black", "white")]
    return games.with_columns(*sides, entry=pl.lit(None, dtype=pl.Int64))


def together(
    old: pl.DataFrame, new: pl.DataFrame, *, correct: bool, keep_repeats: bool
) -> tuple[pl.DataFrame, int, int]:
    """Return old and new games in order of entry, how many new ones were repeats, and how many corrected an old one.

    A game that stands twice in the new ones, and once in the old, is added once.
    """
    old = old.with_columns(entry=pl.lit(None, dtype=pl.Int64))
    if correct:
        return _corrected(old, new), 0, new.height
    if keep_repeats:
        return pl.concat([old, new]), 0, 0
    columns = [name for name in new.columns if name not in PLACE]
    count = pl.int_range(pl.len(), dtype=pl.UInt32).over(columns)
    more = new.with_columns(count.alias("#")).join(
        old.filter(pl.col("date").is_in(new["date"].unique().implode())).with_columns(count.alias("#")),
        on=[*columns, "#"], how="anti", nulls_equal=True, maintain_order="left",
    ).drop("#")  # fmt: skip
    return pl.concat([old, more]), new.height - more.height, 0


def _corrected(old: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    """Return the old games, each with a correction where there is one; InputError for one that finds no single game."""
    rows = old.with_row_index("row").join(new.with_row_index("by"), on=KEYS, how="inner", nulls_equal=True)
    for number, row in enumerate(new.select(*KEYS).iter_rows(named=True)):
        like = rows.filter(pl.col("by") == number).height
        if like != 1:
            game = f"{row['black']} against {row['white']}, {row['date']}"
            raise InputError(f"{game}: {like or 'no'} such games are there; a correction takes the place of one")
    places = rows.sort("by")["row"]
    if places.n_unique() != len(places):
        raise InputError("two corrections are for one game; give one of them")
    return (
        pl.concat([old.with_row_index("row").filter(~pl.col("row").is_in(places.implode())),
                   new.with_columns(row=places).select("row", *new.columns)])
        .sort("row", maintain_order=True).drop("row")
    )  # fmt: skip


def _place_before(contents: Contents, new: pl.DataFrame, first: int) -> int:
    """Return the last segment that can be taken anew with games from a moment on; 0 takes all of them."""
    for place in range(len(contents.segments) - 1, 0, -1):
        if _parts_nothing(contents, place, new, first):
            return place
    return 0


def _parts_nothing(contents: Contents, place: int, new: pl.DataFrame, first: int) -> bool:
    """Return whether no game from a moment on is rated together with one before a segment."""
    rules, last = contents.system, contents.segments[place - 1]["last"]
    assert isinstance(rules, Sequential)  # noqa: S101  # the caller has asked
    days = np.array([last // DAY, first // DAY], dtype=np.int64)
    if days[1] <= days[0]:
        return False
    if rules.together in CALENDAR:
        earlier, later = calendar(rules.together, days)
        return bool(earlier < later)
    names = set(new["event"].unique()) - {""} if rules.together == "event" else set()
    return not names or not names & _recent_events(contents, place, first)


def _recent_events(contents: Contents, place: int, first: int) -> set[str]:
    """Return the events of the games before a segment that a game from a moment on could belong to."""
    since = first - int(EVENT_GAP.total_seconds() * 1000)
    names: set[str] = set()
    parts = [part for segment in contents.segments[:place] for part in segment["games"]]
    for part in reversed(parts):
        frame = frame_of(contents.parts.content(part["file"]), part["file"]).select("event", "date")
        recent = frame.filter(pl.col("date").dt.epoch("ms") >= since)
        names |= set(recent["event"].cast(pl.String).unique())
        if recent.height < frame.height:
            break
    return names
