"""What a state hands on to the next one, so that an entry costs what it changes and not the whole ledger."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from handan.club.first_days import SIDES, first_days_with
from handan.club.game_rows import FEW, rows_of
from handan.club.kinds import Kind
from handan.club.numbering import order_of
from handan.errors import InputError, shown
from handan.ledger import Ledger, Player
from handan.ledger.amended import ledger_amended
from handan.ledger.columns import SCHEMA
from handan.ledger.growing import ledger_with, with_players
from handan.ledger.ledger import in_order

if TYPE_CHECKING:
    from handan.club.state import State

OF_PEOPLE = {
    "active", "gone", "labels", "keys", "owners", "spellings", "loose_spellings", "searched", "searched_texts", "homes",
    "like_names", "namesakes", "name_numbers", "keys_by_name",
}  # fmt: skip
"""What a state works out of its players alone."""
WITH_MORE_PEOPLE = {"gone", "namesakes"}
"""What of this stays where people come whose names nobody else bears."""
NEWCOMERS = {Kind.PLAYER_REGISTERED, Kind.RANK_ADJUSTED}
"""Kinds of entries that bring players, or set their ranks, and change no game."""


class Since(NamedTuple):
    """The ledger of an earlier state, and what was entered since, where that is about games alone."""

    ledger: Ledger
    new: tuple[int, ...] = ()
    """Numbers of the games that were entered or confirmed."""
    amended: tuple[int, ...] = ()
    """Numbers of the games of the ledger that were corrected."""
    adjusted: bool = False
    """Whether ranks or ratings were set by hand."""

    def followed_by(self, games: Collection[int], counted: Collection[int], *, adjusted: bool) -> Since:
        """Return the same with further entries about games, of which those that counted before are corrected."""
        corrected = {*counted} - {*self.new}
        new = (*self.new, *(number for number in games if number not in corrected))
        return Since(
            self.ledger,
            tuple(dict.fromkeys(new)),
            tuple(dict.fromkeys((*self.amended, *corrected))),
            self.adjusted or adjusted,
        )


def pass_on(state: State, made: State, kinds: set[Kind], games: Collection[int], counted: Collection[int]) -> None:
    """Let a state know what the one before has worked out and what the entries between have left as it was.

    Args:
        state: The state before.
        made: The state after.
        kinds: Of the entries between.
        games: Numbers of the games that they are about.
        counted: Those of them that counted before.
    """
    vars(made)["searched_before"] = vars(state).get("searched", state.searched_before)
    if not all(kind.traits.adds_only or kind.traits.amends or kind in NEWCOMERS for kind in kinds):
        return
    if Kind.PLAYER_REGISTERED not in kinds or _same_labels(state, made):
        _hand_on(state, made, games, counted, adjusted=Kind.RANK_ADJUSTED in kinds)


def _same_labels(state: State, made: State) -> bool:
    """Let a state with more players know their labels; return whether nobody else has another one by that.

    Where there is no ledger to hand on, or somebody went, nothing is looked at.
    """
    if ("ledger" not in vars(state) and state.since is None) or made.gone != state.gone:
        return False
    new = dict(islice(made.people.items(), len(state.people), None))
    names = [person.name for person in new.values()]
    there = {person.name for person in state.active.values()}
    if len({*names}) < len(names) or not there.isdisjoint(names) or not state.keys.keys().isdisjoint(names):
        return False
    vars(made)["active"] = {**state.active, **new}
    vars(made)["labels"] = {**state.labels, **{key: person.name for key, person in new.items()}}
    vars(made)["keys"] = {**state.keys, **{person.name: key for key, person in new.items()}}
    return True


def _hand_on(
    state: State, made: State, games: Collection[int], counted: Collection[int], *, adjusted: bool = False
) -> None:
    """Let a state know what the one before has worked out; arguments as in `pass_on`.

    The people are the same, or there are more of them and nobody's label is another one.
    """
    if made.withdrawn and made.gone != state.gone:  # a game came or went that holds somebody who was withdrawn
        return
    names = OF_PEOPLE if len(made.people) == len(state.people) else WITH_MORE_PEOPLE
    vars(made).update({name: value for name, value in vars(state).items() if name in names})
    days = vars(state).get("first_days")
    if days is not None and (later := first_days_with(state, made, days, games)) is not None:
        vars(made)["first_days"] = later
    ledger = vars(state).get("ledger")
    since = state.since if ledger is None else Since(ledger)
    if since is not None:
        vars(made)["since"] = since.followed_by(games, counted, adjusted=adjusted)


def pass_on_from(before: State | None, made: State, counts: int) -> State:
    """Return a state that was put together anew, with what an earlier one has worked out and its games left as it was.

    So a federation's ledger, and one without the names of some, grow by the games that were entered since. `counts` is
    the status of a game that counts.
    """
    kept = ("slug", "people", "merged", "withdrawn", "adjustments")
    if before is None or any(getattr(before, name) != getattr(made, name) for name in kept):
        return made
    marks = ["line", "latest"]  # an entry about a game is its latest one
    lines = made.games.select(marks).join(before.games.select(marks), marks, "anti")["line"].to_list()
    counted = rows_of(before.games, lines).filter(pl.col("status") == counts)["line"].to_list()
    _hand_on(before, made, lines, counted)
    return made


def ledger_since(state: State, counts: int) -> Ledger | None:
    """Return the ledger of an earlier state with what games say since, None where it has to be made anew.

    `counts` is the status of a game that counts.
    """
    since = vars(state).pop("since", None)  # else it would keep a ledger that nobody needs
    if since is None:
        return None
    new = _counting(state, since.new, counts)
    ledger = _with_newcomers(state, since, new)
    grown = None if ledger is None else ledger_with(ledger, new)
    if grown is None or not since.amended:
        return grown
    rows = _counting(state, since.amended, counts)
    if rows.height < len(since.amended):
        return None
    if since.new:
        vars(state)["grown"] = grown
    return ledger_amended(grown, rows)


def _with_newcomers(state: State, since: Since, new: pl.DataFrame) -> Ledger | None:
    """Return the ledger of before with those who come by new games or ranks; None where it has to be made anew."""
    ledger, adjustments = since.ledger, in_order(state.valid_adjustments) if since.adjusted else None
    players = dict(pair for side in SIDES for pair in zip(new[side], new[f"{side}_id"], strict=True))
    if adjustments is not None:
        players = {item.player: "" for item in adjustments} | players
    newcomers = [
        Player(name, number, order=order_of(state.keys[name]))
        for name, number in players.items()
        if (place := ledger.bearer(name)) is None or (number and ledger.players[place].id != number)
    ]
    if newcomers:
        return with_players(ledger, newcomers, adjustments)
    return ledger if adjustments is None else replace(ledger, adjustments=adjustments)


def _counting(state: State, lines: Collection[int], counts: int) -> pl.DataFrame:
    """Return those of some games that count, as the table of a ledger."""
    new = rows_of(state.games, lines)
    if new.height > 1 or (new["status"] != counts).any():
        new = new.filter(pl.col("status") == counts).sort("entry")
    people = {key: state.person(key) for key in {*new["black"], *new["white"]}}
    names = {key: state.labels[person.key] for key, person in people.items()}
    ids = {key: next(iter(person.ids), "") for key, person in people.items()}
    return named(new, names, ids, state.slug)


def named(games: pl.DataFrame, names: Mapping[str, str], ids: Mapping[str, str], slug: str) -> pl.DataFrame:
    """Return games as the table of a ledger, with the names and numbers of the keys; InputError for a stranger."""
    if not games.height:
        return pl.DataFrame(schema=SCHEMA)
    if games.height <= FEW and all(key in names for side in SIDES for key in games[side]):
        cells = {side: [names[key] for key in games[side]] for side in SIDES}
        cells |= {f"{side}_id": [ids[key] for key in games[side]] for side in SIDES}
        cells["source"] = [slug] * games.height
        return pl.DataFrame(
            [
                pl.Series(name, cells[name], SCHEMA[name]) if name in cells else games[name].cast(SCHEMA[name])
                for name in SCHEMA
            ]
        )
    try:
        games = games.with_columns(
            *(pl.col(side).replace_strict(names, return_dtype=pl.String) for side in SIDES),
            *(pl.col(side).replace_strict(ids, return_dtype=pl.String).alias(f"{side}_id") for side in SIDES),
            source=pl.lit(slug),
        )
    except pl.exceptions.InvalidOperationError:
        stranger = next(key for side in SIDES for key in games[side] if key not in names)
        raise InputError(f"player {shown(stranger)} is not registered") from None
    return games.select(list(SCHEMA)).cast(SCHEMA)


def with_cells(games: pl.DataFrame, **cells: Mapping[int, int | bool]) -> pl.DataFrame:
    """Return a frame of games with some cells replaced: for each column, what stands in it by the line of the game."""
    lines = games["line"].to_numpy()
    columns = []
    for name, values in cells.items():
        there = np.flatnonzero(np.isin(lines, list(values)))  # a join, or an expression, goes over all columns of games
        if len(there):
            column = games[name].clone()
            columns.append(column.scatter(there, [values[line] for line in lines[there].tolist()]))
    return games.with_columns(columns) if columns else games
