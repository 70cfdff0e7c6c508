"""With what rank a newcomer enters who declares none: the terms of the first game say it.

our choice: players who sit down with five stones against a 7 dan, or even, say by it how strong they take
themselves to be; the figure at which a scale happens to begin says nothing about them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from handan.handicaps import advantage
from handan.kernels.types import Floats
from handan.ledger import Adjustment, Ledger
from handan.ranks import Rank

if TYPE_CHECKING:
    from handan.systems.core.past import Past
    from handan.systems.core.schedule import Schedule

Entry = tuple[Rank | None, float | None]
"""Rank and rating with which a player enters."""
NOTHING: Entry = (None, None)
FURTHEST = 9.0  # stones; our choice: no terms say more than nine stones do


class Anchors(NamedTuple):
    """Where the prior of each player has its centre, in a system that solves all games together."""

    rating: Floats
    """Entry rating, shape (players,)."""
    entries: list[Entry]
    """Rank and rating with which each player enters, shape (players,)."""
    mean: float
    """Mean of the entries, at which players stand of whom neither ranks nor terms say anything."""
    ranked: bool
    """Whether anybody enters by a rank or a rating; else all entries are 0."""

    @classmethod
    def none(cls, players: int) -> Anchors:
        """Return the entries of players of whom nothing is known."""
        return cls(np.zeros(players), [NOTHING] * players, 0.0, ranked=False)


def by_declared(ledger: Ledger, origin: str, entry: str, past: Past | None = None) -> tuple[Ledger, tuple[str, ...]]:
    """Return the ledger whose players enter with the ratings that files declare of them, and what is to be said of it.

    A rating set by hand before the first game counts instead of the declared one.

    Args:
        ledger: Its players have the declared ratings.
        origin: Whose ratings the system reads, such as `EGF`.
        entry: The setting `entry`: `rank` leaves the ledger as it is.
        past: What is known of the players from games before; who has entered enters no more.
    """
    declared = [
        (place, player)
        for place, player in enumerate(ledger.players)
        if player.rating is not None and player.rating_origin == origin
    ]
    if not declared:
        return ledger, ()
    if entry != "rating":
        return ledger, (
            f"{len(declared)} declared ratings ({origin}) are not used; --set entry=rating starts from them",
        )
    by_hand = {item.player for item in ledger.adjustments if item.date is None}
    note = f"declared rating ({origin})"
    entries = [
        Adjustment(player.name, None, player.rating, None, note)
        for place, player in declared
        if player.name not in by_hand and not (past is not None and past.entered[place])
    ]
    return replace(ledger, adjustments=(*entries, *ledger.adjustments)), ()


def rating_of(entry: Entry, rating_for: Callable[[Rank], float], otherwise: float) -> float:
    """Return the rating of an entry, that of its rank where it has none; `otherwise` for an empty one."""
    rank, rating = entry
    if rating is not None:
        return rating
    return otherwise if rank is None else rating_for(rank)


def anchors(schedule: Schedule, rating_for: Callable[[Rank], float]) -> Anchors:
    """Return the entries of all players: by adjustment, declared rank or the terms of the first game, else their mean.

    The answer is one for the last day, by which a rank that came late is there: as an adjustment it is the entry.
    """
    late = schedule.late if schedule.late_ranks == "adjust" else []
    if not (late or schedule.declared.any()):
        return Anchors.none(len(schedule.ledger.players))
    entries = by_terms(schedule, schedule.entries(lambda entry: rating_of(entry, rating_for, np.nan)))
    for item, player, _ in late:
        entries[player] = (item.rank if isinstance(item.rank, Rank) else None, item.rating)
    rating = np.array([rating_of(entry, rating_for, np.nan) for entry in entries], dtype=np.float64)
    empty = np.isnan(rating)
    mean = float(rating[~empty].mean())
    rating[empty] = mean
    return Anchors(rating, entries, mean, ranked=True)


def by_terms(schedule: Schedule, entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries, where players without rank and rating enter by the terms of their first rated game.

    That is the rank that the opponent declared for this game, else entered with, less the stones received, or more the
    stones given. Against an opponent without a rank the entry stays empty.
    """
    given = list(entries)
    empty = [player for player, entry in enumerate(given) if entry == NOTHING]
    nobody_declares = all(ranks == [None] for ranks, _ in schedule.ledger.declared)
    nobody_declared = schedule.past is None or bool(np.isnan(schedule.past.entry_stones()).all())
    if not empty or (len(empty) == len(given) and nobody_declares and nobody_declared):
        return given
    first, games = schedule.first_game, len(schedule.ledger)
    for player in sorted(empty, key=lambda player: (int(first[player]), player)):
        if 0 <= first[player] < games:
            rank = _rank_by_terms(schedule, given, player, int(first[player]))
            given[player] = rank, None
    return given


def _rank_by_terms(schedule: Schedule, entries: Sequence[Entry], player: int, game: int) -> Rank | None:
    """Return the rank that the terms of a game give to one of its players, None where the opponent has none."""
    ledger = schedule.ledger
    side = int(ledger.white[game] == player)
    opponent = int((ledger.white, ledger.black)[side][game])
    ranks, number = ledger.declared[1 - side]
    rank = ranks[number[game]] or entries[opponent][0]
    stones = np.nan if rank is None else rank.stones
    if schedule.past is not None and rank is None and schedule.past.entered[opponent]:
        stones = float(schedule.past.entry_stones()[opponent])
    if np.isnan(stones):
        return None
    worth = 0.0
    if ledger.colours_known[game]:
        worth = advantage(int(ledger.handicap[game]), ledger.komi_of(game))
        worth = float(np.clip(worth, -FURTHEST, FURTHEST))
    return Rank.at(stones - worth if side == 0 else stones + worth)
