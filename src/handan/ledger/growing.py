"""A ledger that goes on: games that come last are put behind the others, and nothing before them is made anew."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any
from weakref import ref

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.ledger.coded import DIFFERING, PLAYERS, Coded, Different, dates, in_milliseconds, numbered, numbered_among
from handan.ledger.facts import Adjustment, Player
from handan.ledger.ledger import ORDER, Ledger
from handan.ledger.named import Named, field_of
from handan.ledger.parts import BY_GAME, OF_FIRST, Numbered
from handan.ledger.room import appended, with_room

MOST = 5_000  # games; our choice: more are laid out with all the others
BY_NAME = ("black", "white")


def ledger_with(ledger: Ledger, table: pl.DataFrame) -> Ledger | None:
    """Return the ledger with the games of a table behind its own; None unless they belong there.

    The answer is that of `Ledger.from_table` on all games. It takes games of players who have played, later than the
    last game or on the same date and behind it, in the order in which they were entered.

    Args:
        ledger: Made of games in the order of their `line`, kept as numbers.
        table: Typed games (`columns.SCHEMA`) in the same form, rows in order of entry, with the names shown and ids.
    """
    if not table.height:
        return ledger
    columns = ledger.columns
    if not isinstance(columns, Coded) or not len(ledger) or table.height > MOST:
        return None
    sides = {pair for side in BY_NAME for pair in zip(table[side], table[f"{side}_id"], strict=True)}
    if (table["black"] == table["white"]).any() or not all(_is_there(ledger, *pair) for pair in sides):
        return None
    if not _comes_behind(ledger, table):
        return None
    black, white = (np.array([ledger.get(name) for name in table[side]], dtype=np.uint32) for side in BY_NAME)
    later = Coded(black, white, dates(table["date"]), numbered(table), table["line"].to_numpy())
    grown = replace(ledger, columns=_behind(columns, later))
    _extend(ledger, grown)
    vars(grown)["past"] = ref(ledger)
    return grown


def with_players(
    ledger: Ledger, players: Iterable[Player], adjustments: tuple[Adjustment, ...] | None = None
) -> Ledger | None:  # fmt: skip
    """Return the ledger with further players, who stand in none of its games, each in the place that the order says.

    It is another ledger, whose players have other numbers. None
    where names or ids do not tell the players apart, or where the ledger had to find out who is who.

    Args:
        ledger: Kept as numbers.
        players: In any order; who is there without an id, as of an adjustment alone, may have one here.
        adjustments: In place of its own, None: these.
    """
    columns, new = ledger.columns, sorted(players, key=lambda player: player.order)
    if not isinstance(columns, Coded) or ledger.problems or ledger.warnings or not _bare(ledger.players):
        return None
    names, ids, orders = (list(field_of(ledger.players, name)) for name in ("name", "id", "order"))
    for player in new:
        place = ledger.exact(player.name)
        if place is not None:
            if names[place] != player.name or ids[place]:
                return None
            ids[place] = player.id
    new = [player for player in new if ledger.exact(player.name) is None]
    numbers = [number for number in (*ids, *(player.id for player in new)) if number]
    if len({*numbers}) < len(numbers):
        return None
    before = np.array([bisect_left(orders, player.order) for player in new], dtype=np.int64)
    own = np.arange(len(names))
    number: NDArray[np.uint32] = (own + np.searchsorted(before, own, side="right")).astype(np.uint32)
    for at, player in zip((before + np.arange(len(new))).tolist(), new, strict=True):
        for column, value in ((names, player.name), (ids, player.id), (orders, player.order)):
            column.insert(at, value)
    black, white = number[columns.black], number[columns.white]
    seated = Coded(black, white, columns.date, columns.different, columns.line)
    made = replace(ledger, columns=seated, players=Named(names, ids, orders))
    if adjustments is not None:
        made = replace(made, adjustments=adjustments)
    return made


def _bare(players: Sequence[Player]) -> bool:
    """Return whether nothing is known of players but names, ids and orders."""
    return isinstance(players, Named) or all(
        not player.country and not player.club and player.rating is None for player in players
    )


def goes_on(ledger: Ledger, past: Ledger) -> bool:
    """Return whether a ledger was made of another one by `ledger_with`, or is the same."""
    return ledger is past or (ledger.past is not None and ledger.past() is past)


def _behind(columns: Coded, more: Coded) -> Coded:
    """Return games with others behind them; where there is room behind the first ones these are not copied.

    Where there is none, the first ones take arrays that have some.
    """
    _make_room(columns, len(more))
    days = (columns.date, more.date)
    if days[0].dtype != days[1].dtype:
        days = (in_milliseconds(days[0]), in_milliseconds(days[1]))
    different = {
        name: _numbered_on(columns.different[name], more.different[name], (len(columns), len(more)))
        for name in DIFFERING
    }
    return Coded(
        appended(columns.black, more.black), appended(columns.white, more.white), appended(*days), different,
        None if columns.line is None or more.line is None else appended(*map(_numbers, (columns.line, more.line))),
    )  # fmt: skip


def _make_room(columns: Coded, games: int) -> None:
    """Let games keep equal arrays with room for so many behind them."""
    for name in (*PLAYERS, "date", "line"):
        if isinstance(column := getattr(columns, name), np.ndarray):
            object.__setattr__(columns, name, with_room(column, games))
    different = {
        name: Different(values, None if number is None else with_room(number, games))
        for name, (values, number) in columns.different.items()
    }
    object.__setattr__(columns, "different", different)


def _numbers(line: NDArray[Any] | range) -> NDArray[Any]:
    return np.arange(line.start, line.stop) if isinstance(line, range) else line


def _numbered_on(past: Different, later: Different, games: tuple[int, int]) -> Different:
    """Return a column with the values of later games behind its own; `games` are how many there are of both."""
    values, new = numbered_among(past.values, later, games[1])
    if new is None:
        return Different(values)
    old = np.zeros(games[0], new.dtype) if past.number is None else past.number
    return Different(values, appended(old.astype(new.dtype, copy=False), new))


def last_games(ledger: Ledger, first: int) -> tuple[Ledger, NDArray[np.int64]]:
    """Return the games from a place on as a ledger of who stands in them, and their places in the whole, ascending.

    The games are kept as numbers.
    """
    columns = _from(ledger, first)
    places = np.unique(np.concatenate([columns.black, columns.white])).astype(np.int64)
    black, white = (np.searchsorted(places, side).astype(np.uint32) for side in (columns.black, columns.white))
    part = Ledger(replace(columns, black=black, white=white), tuple(ledger.players[place] for place in places.tolist()))
    for name in BY_GAME:
        if name in vars(ledger) and name not in {"black", "white"}:
            vars(part)[name] = getattr(ledger, name)[first:]
    return part, places


def _from(ledger: Ledger, first: int) -> Coded:
    assert isinstance(ledger.columns, Coded)  # noqa: S101  # no other ledger goes on
    return ledger.columns.between(first, len(ledger))


def _is_there(ledger: Ledger, name: str, number: str) -> bool:
    """Return whether a player stands in the ledger by the very name and number."""
    index = ledger.get(name)
    return index is not None and (ledger.players[index].name, ledger.players[index].id) == (name, number)


def _comes_behind(ledger: Ledger, table: pl.DataFrame) -> bool:
    """Return whether each game of a table comes behind the one before, the first behind the last of a ledger.

    Games that share date, event and round stand in the order of their lines.
    """
    keys = (*ORDER[:3], "line")
    last = ledger.rows([len(ledger) - 1], keys).row(0)
    for row in zip(*(table[name] for name in keys), strict=True):
        if row[0] is None or (row[2] is None) != (last[2] is None):
            return False
        if row[:3] == last[:3]:
            if row[3] <= last[3]:
                return False
        elif not (last[0] is None or row[0] > last[0] or (row[0] == last[0] and _comes_later(row[1:3], last[1:3]))):
            return False
        last = row
    return True


def _comes_later(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Return whether event and round stand behind others; rounds are both known or both not."""
    return one[0] > other[0] or (one[0] == other[0] and one[1] is not None and one[1] > other[1])


def _extend(ledger: Ledger, grown: Ledger) -> None:
    """Give a grown ledger what the one before has made already, with room behind what it says of each game."""
    later = Ledger(_from(grown, len(ledger)), grown.players)
    for name in BY_GAME:
        if name in vars(ledger):
            past = vars(ledger)[name] = with_room(vars(ledger)[name], len(later))
            vars(grown)[name] = appended(past, getattr(later, name))
    for name in ("_kinds", "_terms"):
        if name in vars(ledger):
            vars(grown)[name] = numbered_with(vars(ledger)[name], getattr(later, name), appended)
    own, there = vars(grown), vars(ledger)
    if "first_game" in there and ledger.first_game.max(initial=0) < len(ledger):  # nobody comes anew
        own["first_game"] = ledger.first_game
        own["_kept_at_entry"] = dict(there.get("_kept_at_entry", {}))
    own[OF_FIRST] = dict(there.get(OF_FIRST, {}))  # the first games are those of before
    if "event" in there and (later.column("event") == "").all():
        past = there["event"] = with_room(ledger.event, len(later))
        behind_them = int(past.max(initial=-1)) + 1
        own["event"] = appended(past, np.arange(behind_them, behind_them + len(later)))


def numbered_with(
    past: Numbered, later: Numbered, put: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
) -> Numbered:
    """Return the different values of all games, and the number of each game's among them, from those of two parts.

    `put` brings the numbers of the second part among those of the first.
    """
    different, number = past
    new = [value for value in later[0] if value not in different]
    places = np.array([(different + new).index(value) for value in later[0]], dtype=np.int64)
    room = np.promote_types(number.dtype, np.min_scalar_type(len(different) + len(new)))
    return different + new, put(number, places[later[1]].astype(room))
