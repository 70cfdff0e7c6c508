"""Ratings that go on live as arrays and plain values, from which another process goes on without solving anything.

The ratings themselves are few and read at once; the solved history behind them is many times as large, and is read when
somebody enters, looks into or tries out a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import WORTH_IN_ALL, repeated
from handan.kernels.whr_live.journal import journal_of
from handan.kernels.whr_live.reading import amend_games
from handan.kernels.whr_live.state import Days, Entries, History, Players, add_games
from handan.ledger import Ledger
from handan.ledger.room import drafts
from handan.ratings import Ratings
from handan.systems.core.plain_values import put_together, taken_apart
from handan.systems.families.keeping import checksum_of
from handan.systems.families.live_versions import Change, Versions
from handan.systems.families.paired_comparison import PairedExtra
from handan.systems.whr import WHR
from handan.systems.whr_live.continuing import LiveRatings, lines_anew, takes_games

OWN = ("rating", "deviation", "pool", "variance", "last", "number", "unrated", "sequence", "batch", "tallies")
"""Arrays of the ratings."""
BY_PLAYER = ("rating", "deviation", "pool", "variance", "last", "number", "entry", "tallies")
"""Arrays with a row a player."""
OF_GAMES = frozenset({"unrated", "sequence", "batch"})
"""Those of them behind which games that come are written."""
OF_ALL = ("entry", "learned_terms")
"""Arrays of `PairedExtra`."""
VALUES = ("advantage", "sweeps", "mean_entry", "ranked")
"""Other fields of it."""
WIDE = {"tallies": 5, "learned_terms": 3, "days_state": 4}
"""Arrays of two dimensions, and the length of their rows."""
ELSEWHERE: dict[str, Any] = {
    "printed": None, "rank_number": None, "rank_numbers": None, "earlier": None,
    "adjusted": (), "beside": {}, "state": {},
}  # fmt: skip
"""Fields of ratings that hold nothing under this system."""
PARTS: tuple[tuple[str, Any], ...] = (
    ("days", Days), ("entries", Entries), ("players", Players),
)  # fmt: skip
Arrays = Mapping[str, NDArray[Any]]


class Plain(NamedTuple):
    """What stands beside the arrays, as JSON knows it."""

    games: int
    """Checksum of who played which game, in which order (`checksum_of`)."""
    unit: float
    """`Ratings.deviation_unit`."""
    values: list[Any]
    """`VALUES`."""
    growth: float
    prior: float
    texts: list[list[Any]]
    """`reasons`, `warnings` and `notes`, as `taken_apart` makes them."""


def plain_of(ratings: LiveRatings) -> Plain | None:
    """Return what stands beside the arrays of ratings; None for ratings that hold more than is kept."""
    if any(not _same(getattr(ratings, name), nothing) for name, nothing in ELSEWHERE.items()):
        return None
    extra, history = PairedExtra.of(ratings), ratings.versions.history
    try:
        texts = [[taken_apart(text) for text in each] for each in (ratings.reasons, ratings.warnings, ratings.notes)]
    except TypeError:
        return None
    return Plain(
        checksum_of(ratings.ledger), ratings.deviation_unit, [getattr(extra, name) for name in VALUES],
        history.growth, history.prior, texts,
    )  # fmt: skip


@contextmanager
def arrays_of(ratings: LiveRatings) -> Iterator[tuple[Iterator[tuple[str, NDArray[Any]]], Callable[[], bool]] | None]:
    """Give the arrays of ratings by name, one after the other, and what tells whether these are of one version.

    None where the version cannot be reached any more. The history may go on meanwhile; what was read then is none.
    """
    with ratings.versions.at(ratings.version) as history:
        moves = ratings.versions.moves
    if history is None:
        yield None
        return
    own = {name: getattr(ratings, name) for name in OWN}
    own |= {name: getattr(PairedExtra.of(ratings), name) for name in OF_ALL}
    own |= {f"{part}_{name}": array for part, _ in PARTS for name, array in getattr(history, part)._asdict().items()}
    own["used"] = history.used

    def unmoved() -> bool:
        with ratings.versions.lock:
            return ratings.versions.moves == moves and ratings.versions.history is history

    yield ((name, array.reshape(-1)) for name, array in own.items()), unmoved


def names_of_arrays() -> tuple[list[str], list[str]]:
    """Return the names of the arrays of ratings, and of those of their history."""
    return [*OWN, *OF_ALL], [*(f"{part}_{name}" for part, kind in PARTS for name in kind._fields), "used"]


def taken_up(
    system: WHR, ledger: Ledger, own: Arrays, plain: Plain, read: Callable[[], Arrays | None]
) -> LiveRatings | None:
    """Return kept ratings of a ledger; None where they are of another one, or of one that does not go on live.

    Args:
        system: Under which they were rated.
        ledger: The games, as they were then.
        own: The arrays of the ratings, as they were kept.
        plain: What stood beside them.
        read: Returns the arrays of the history; None where they are damaged.
    """
    players, games = len(ledger.players), len(ledger)
    if not takes_games(system, ledger) or plain.games != checksum_of(ledger):
        return None
    own = {name: _wide(name, array) for name, array in own.items()}
    by_player = all(len(own[name]) == players for name in BY_PLAYER)
    if not by_player or not np.array_equal(np.sort(own["number"]), np.arange(players)) or len(own["unrated"]) != games:
        return None
    extra = dict(zip(VALUES, plain.values, strict=True)) | {name: own[name] for name in OF_ALL}
    reasons, warnings, notes = (tuple(map(put_together, each)) for each in plain.texts)
    made = object.__new__(LiveRatings)
    there = {part.name for part in fields(Ratings)} | {"variance", "last", "number", "tallies"}
    vars(made).update(
        ELSEWHERE | {name: array for name, array in own.items() if name in there},
        system=system,
        ledger=ledger,
        reasons=reasons,
        warnings=warnings,
        notes=notes,
        deviation_unit=plain.unit,
        extra=PairedExtra(**extra, make=partial(lines_anew, system, ledger)),
        versions=Versions(None, partial(_history, read, plain, players)),
        version=0,
    )
    return made


def get_ready(ratings: LiveRatings) -> None:
    """Load what the next game, preview, card or correction needs: a kept history, and the machine code of the loops."""
    nobody, nothing = np.empty(0, dtype=np.int64), np.empty(0)

    def enter(history: History) -> int:
        work = int(history.used[1])
        add_games.for_work(work)(history, np.empty((0, 2), np.int64), nobody, nothing, nothing)
        amend_games.for_work(work)(history, nobody, nobody, nobody, nothing, nothing, nothing)
        return 0

    system = ratings.system
    assert isinstance(system, WHR)  # noqa: S101  # no other ratings go on live
    with drafts(), repeated(WORTH_IN_ALL):
        ratings.versions.changed(Change(ratings.version, 0, enter, nobody, system.hessian_shift), lambda _: True)
        ratings.versions.load_code()
        if len(ratings.ladder):
            ratings._own(int(ratings.ladder[0]))  # noqa: SLF001  # read now and kept


def _history(read: Callable[[], Arrays | None], plain: Plain, players: int) -> History | None:
    """Return a kept history; None where it is damaged."""
    arrays = read()
    if arrays is None:
        return None
    arrays = {name: _wide(name, array) for name, array in arrays.items()}
    days, entries, people = (kind(*(arrays[f"{part}_{name}"] for name in kind._fields)) for part, kind in PARTS)
    history = History(days, entries, people, arrays["used"], plain.growth, plain.prior, journal_of(0))
    return history if _is_whole(history, players) else None


def _is_whole(history: History, players: int) -> bool:
    """Return whether all that a history points at is there, so that no loop reads what is not its own."""
    days, entries, people, used = history.days, history.entries, history.players, history.used
    if len(used) != 2 or not (0 <= used[0] <= len(days.player) and 0 <= used[1] <= len(entries.more)):
        return False
    rooms = [{len(array) for array in part} for part in (days, entries, people)]
    number, games = int(used[0]), int(used[1])
    pointed = [
        (days.player[:number], 0, players), (days.following[:number], -1, number), (days.entries[:number], -1, games),
        (entries.opponent[:games], 0, number), (entries.rival[:games], 0, players),
        (entries.mirror[:games], 0, games), (entries.more[:games], -1, games), (people.first, -1, number),
    ]  # fmt: skip
    return all(len(room) == 1 for room in rooms) and len(people.first) >= players and all(
        not len(numbers) or (numbers.min() >= low and numbers.max() < high) for numbers, low, high in pointed
    )  # fmt: skip


def _wide(name: str, array: NDArray[Any]) -> NDArray[Any]:
    return array.reshape(-1, WIDE[name]) if name in WIDE else array


def _same(value: Any, nothing: Any) -> bool:
    return value is None if nothing is None else value is not None and len(value) == 0
