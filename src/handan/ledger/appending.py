"""Games put behind those of a ledger on disk: only what is new is written, unless numbers of players move."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from handan.errors import InputError, shown
from handan.ledger.coded import DIFFERING, PLAYERS, Coded, Different, in_milliseconds, numbered_among, of_table
from handan.ledger.disk import KIND, VERSION, earlier, open_ledger, put_besides
from handan.ledger.events import Event, joined
from handan.ledger.facts import Player
from handan.ledger.folder import Writing, writing
from handan.ledger.ledger import Ledger, in_order
from handan.ledger.mapped import MappedGames
from handan.ledger.rewriting import rewrite
from handan.ledger.runs import remove_runs

ANEW = "build the ledger anew from all files"
BEHIND = ["date", "event", "round"]


class Appended(NamedTuple):
    """What was put behind the games of a ledger."""

    later: Ledger
    newcomers: int
    """How many players are new."""


def append(
    path: str | os.PathLike[str], later: Ledger, look: Callable[[Ledger, Ledger], Ledger] = lambda _, later: later
) -> Appended:
    """Put games behind those of a ledger on disk.

    The answer is that of a ledger built of all games. It takes games that come last in the order of play.

    Args:
        path: Its folder.
        later: The games.
        look: Is shown the ledger and the games before anything is written, and returns those that are put there.

    Raises:
        InputError: A game comes before the last one, or a player may be one of two, or the folder is damaged or is
            being written; nothing is changed then.
    """
    with writing(Path(path), KIND, VERSION, grow=True) as folder:
        old = open_ledger(path)
        later = look(old, later)
        columns = old.columns
        assert isinstance(columns, MappedGames)  # noqa: S101  # it is on disk
        _check_order(old, later)
        newcomers = [player for player in later.players if place_in(old, player) is None]
        players = sorted((*old.players, *newcomers), key=lambda player: (player.order, player.name))
        number = {player.name: place for place, player in enumerate(players)}
        own = np.array([number[player.name] for player in old.players], dtype=np.uint32)
        theirs = np.array([number[name_in(old, player)] for player in later.players], dtype=np.uint32)
        more = later.columns if isinstance(later.columns, Coded) else of_table(later.games)
        for name in PLAYERS:
            if newcomers:
                rewrite(folder, name, own.dtype, lambda _, seats: own.take(seats, mode="clip"))
            folder.extend(name, theirs[getattr(more, name)])
        _put_dates(folder, columns.date, more.date)
        different = {
            name: _put_numbers(folder, name, columns.different.unread[name], len(old), more) for name in DIFFERING
        }
        grown = replace(
            old,
            players=tuple(players),
            adjustments=in_order((*old.adjustments, *later.adjustments)),
            problems=old.problems + later.problems,
            warnings=tuple(dict.fromkeys(old.warnings + later.warnings)),
            events=joined((*old.events, *_by_names_of(old, later))),
        )
        put_besides(folder, grown, different)
        remove_runs(folder.path)
        assert columns.origin is not None  # noqa: S101  # it is on disk
        kept = earlier(columns.origin, len(old))
        folder.commit(games=len(old) + len(later), players=len(players), earlier=kept)
    return Appended(later, len(newcomers))


def _by_names_of(old: Ledger, later: Ledger) -> Iterator[Event]:
    """Yield the events of later games with the names under which a ledger knows their players."""
    labels = {(player.name, player.id): name_in(old, player) for player in later.players}
    return (event.renamed(labels) for event in later.events)


def _check_order(old: Ledger, later: Ledger) -> None:
    """Refuse games that do not come behind the last one."""
    if not len(old) or not len(later):
        return
    last, first = (
        ledger.rows([game], [*BEHIND, "precision"]).row(0) for ledger, game in ((old, len(old) - 1), (later, 0))
    )
    if not _comes_behind(first[:3], last[:3]):
        text = "one without a date" if first[0] is None else f"that of {first[0]:%Y-%m-%d}"
        place = "games without a date" if last[0] is None else f"{last[0]:%Y-%m-%d}"
        raise InputError(f"a game, {text}, comes before the last of the ledger, {place}; {ANEW}")


def _comes_behind(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Return whether date, event and round of a game are those of another one or follow; what is absent comes first."""
    for own, its in zip(one, other, strict=True):
        if own != its:
            return its is None or (own is not None and own > its)
    return True


def place_in(old: Ledger, player: Player) -> int | None:
    """Return the number of a player of later games in a ledger, None for a newcomer; InputError if it is open."""
    by_id = old.exact(player.id) if player.id else None
    by_name = old.exact(player.name)
    if by_id is None and by_name is None:
        return None
    if by_id is not None and old.players[by_id].name == player.name:
        return by_id
    if by_id is None and not player.id:
        return by_name
    other = old.players[by_id if by_id is not None else by_name].name  # type: ignore[index]  # one of them is there
    raise InputError(f"{shown(player.name)} ({player.id or 'no id'}) may be {shown(other)} or another player; {ANEW}")


def name_in(old: Ledger, player: Player) -> str:
    """Return the name that a player of later games has in a ledger; InputError as `place_in`."""
    place = place_in(old, player)
    return player.name if place is None else old.players[place].name


def _put_dates(folder: Writing, old: NDArray[Any], later: NDArray[Any]) -> None:
    """Put dates behind others; times of day turn all of them into milliseconds."""
    if old.dtype == later.dtype:
        folder.extend("date", later)
        return
    if old.dtype == np.int32:
        rewrite(folder, "date", np.int64, lambda _, dates: in_milliseconds(dates))
    folder.extend("date", in_milliseconds(later))


def _put_numbers(folder: Writing, name: str, old: Different, games: int, later: Coded) -> Different:
    """Put the numbers of one column behind those of so many games; return its different values."""
    values, number = old
    made = numbered_among(values, later.different[name], len(later))
    if made.number is not None:
        dtype = made.number.dtype
        if number is None:
            folder.put(name, np.zeros(games, dtype))
        elif number.dtype != dtype:
            rewrite(folder, name, dtype, lambda _, numbers: numbers.astype(dtype))
        folder.extend(name, made.number)
    return made
