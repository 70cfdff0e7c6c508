"""Games added to saved ratings: the games after the nearest checkpoint before them are rated again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import polars as pl

from handan.errors import InputError
from handan.files.io.storage import named
from handan.ledger import Ledger
from handan.ledger.dataset import Merged, besides_in, games_from, ledger_in, put_in
from handan.ledger.duplicate_games import together
from handan.ledger.event_numbers import EVENT_GAP
from handan.ledger.identity import OldPlayersChanged
from handan.ledger.ledger import of_players
from handan.ledger.manifest import is_saved, writing
from handan.saved.contents import Contents, Place, read_contents, write_contents
from handan.saved.player_states import People
from handan.saved.replaying import members_of, moment_of, names_in, needed_after, replayed
from handan.saved.saved_list import Moved, moved, standings
from handan.saved.saving import write_anew
from handan.systems.core.periods import CALENDAR, calendar
from handan.systems.core.sequential import Sequential

DAY = 86_400_000  # milliseconds


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
    if not is_saved(path):
        raise InputError(f"{named(path)} holds no saved ratings; handan rate FILES --system NAME --save makes them")
    with writing(path, grow=True) as draft:
        contents = read_contents(draft.now, draft)
        try:
            put = put_in(draft, later, correct=correct, keep_repeats=keep_repeats)
            return _from_checkpoint(contents, put, later)
        except (_Anew, OldPlayersChanged) as why:
            draft.now = contents.manifest
            return _all_anew(contents, later, str(why), correct=correct, keep_repeats=keep_repeats)


def _from_checkpoint(contents: Contents, put: Merged, later: Ledger) -> Added:
    """Take the games from the nearest checkpoint on, where new ones are put already; _Anew if none serves."""
    rules, repeats = contents.system, sum(put.repeats.values())
    if not isinstance(rules, Sequential):
        raise _Anew(f"{rules.name} finds all ratings together")
    fresh = {player.name for player in put.newcomers}
    if later.arrays.column("date").null_count():
        raise _Anew("games without a date stand before all others")
    if any(item.date is None and item.player not in fresh for item in put.adjustments):
        raise _Anew("a rank from the beginning on is set for somebody who was there")
    if put.described and getattr(rules, "entry", "rank") != "rank":
        raise _Anew("declared ratings of players who were there may say how they entered")
    if not (put.games or put.corrected or put.adjustments or fresh or put.described):
        return Added(0, repeats, 0, 0, None, "", [])
    moments = [when for item in put.adjustments if (when := moment_of(item)) is not None]
    kept = _places_before(contents, later, [*later.arrays.column("date").dt.epoch("ms").unique(), *moments])
    beginning = "" if kept or len(contents.places) == 1 else "they go back before the first checkpoint"
    touched = sorted(set(put.names.values()))
    before = standings(contents, [name for name in touched if name not in fresh])
    contents.players = contents.files.frame(contents.files.file_of("players"))
    contents.adjustments = besides_in(contents.files)["adjustments"]
    start = contents.people_at(kept[-1]) if kept else People.strangers(0)
    start.grow(len(contents.players))
    table = games_from(contents.files, kept[-1].games if kept else 0)
    members = members_of(contents, names_in(table) | {item.player for item in contents.adjustments})
    entered = {name for name, number in members.numbers.items() if start.facts["entered"][number]}
    items = needed_after(kept[-1] if kept else Place(), contents.adjustments, entered)
    ledger = of_players(table, members.players.values(), items)
    past = start.past(np.array([members.numbers[name] for name in ledger.names], dtype=np.int64))
    replayed(contents, kept, start, past, ledger)
    write_contents(contents)
    since = table["date"].min() if kept else None
    return Added(
        put.games, repeats, put.corrected, table.height,
        since.date().isoformat() if isinstance(since, datetime) else None, beginning,
        moved(before, standings(contents, touched)),
    )  # fmt: skip


def _all_anew(contents: Contents, later: Ledger, why: str, *, correct: bool, keep_repeats: bool) -> Added:
    """Rate all games, those that were there and the new ones."""
    old = ledger_in(contents.manifest)
    text = dict.fromkeys(("black", "white"), pl.String)
    there, new = (part.games.cast(text).with_columns(entry=pl.lit(None, pl.Int64)) for part in (old, later))  # type: ignore[arg-type]
    table, repeats = together(there, new, correct=correct, keep_repeats=keep_repeats)
    ledger = Ledger.from_table(
        table, [*old.adjustments, *later.adjustments], [*old.problems, *later.problems],
        [*old.players, *later.players], [*old.events, *later.events],
    )  # fmt: skip
    touched = names_in(new) | {item.player for item in later.adjustments}
    before = standings(contents, sorted(touched & set(contents.players["name"])))
    assert contents.draft is not None  # noqa: S101  # the caller writes
    made = write_anew(contents.draft, ledger, contents.system).contents
    there_now = set(ledger.names)
    return Added(
        0 if correct else new.height - repeats.height, repeats.height, new.height if correct else 0, len(ledger), None,
        why, moved(before, standings(made, sorted(touched & there_now))),
    )  # fmt: skip


def _places_before(contents: Contents, new: Ledger, moments: list[int]) -> list[Place]:
    """Return the places up to the last one from which games of some moments can be taken; none: from the first."""
    earlier = contents.places[:-1]
    while moments and earlier and not _parts_nothing(contents, earlier[-1], new, min(moments)):
        earlier = earlier[:-1]
    return earlier


def _parts_nothing(contents: Contents, place: Place, new: Ledger, first: int) -> bool:
    """Return whether no game from a moment on is rated together with one before a place."""
    rules = contents.system
    assert isinstance(rules, Sequential) and place.last is not None  # noqa: S101, PT018  # the caller has asked
    days = np.array([place.last // DAY, first // DAY], dtype=np.int64)
    if days[1] <= days[0]:
        return False
    if rules.together in CALENDAR:
        earlier, later = calendar(rules.together, days)
        return bool(earlier < later)
    names = set(new.arrays.column("event").unique()) - {""} if rules.together == "event" else set()
    return not names or not names & _recent_events(contents, place, first)


def _recent_events(contents: Contents, place: Place, first: int) -> set[str]:
    """Return the events of the games before a place that a game from a moment on could belong to."""
    since = first - int(EVENT_GAP.total_seconds() * 1000)
    names, start, files = set[str](), 0, contents.manifest
    for file in files.games:
        last, rows = files.files[file].last, files.files[file].rows
        if start < place.games and last is not None and last >= since:
            frame = files.frame(file, ["event", "date"])[: place.games - start]
            names |= set(frame.filter(pl.col("date").dt.epoch("ms") >= since)["event"].cast(pl.String))
        start += rows
    return names
