"""With what rank a newcomer enters who declares none: the terms of the first game say it.

our choice: players who sit down with five stones against a 7 dan, or even with him, say by it how strong they take
themselves to be; the figure at which a scale happens to begin says nothing about them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from handan.handicaps import advantage
from handan.ranks import Rank

if TYPE_CHECKING:
    from handan.systems.sheet import Sheet

Entry = tuple[Rank | None, float | None]
"""Rank and rating with which a player enters."""
FURTHEST = 9.0  # stones; our choice: no terms say more than nine stones do


def by_terms(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries, where players without rank and rating enter by the terms of their first rated game.

    That is the rank that the opponent declared for this game, else entered with, less the stones received, or more the
    stones given. Against an opponent without a rank the entry stays empty.
    """
    given = list(entries)
    empty = [player for player, entry in enumerate(given) if entry == (None, None)]
    if len(empty) == len(given):
        return given
    first = sheet.first_game
    for player in sorted(empty, key=lambda player: (int(first[player]), player)):
        if first[player] < len(sheet.ledger):
            rank = _rank_by_terms(sheet, given, player, int(first[player]))
            given[player] = rank, None
    return given


def _rank_by_terms(sheet: Sheet, entries: Sequence[Entry], player: int, game: int) -> Rank | None:
    """Return the rank that the terms of a game give to one of its players, None where the opponent has none."""
    ledger = sheet.ledger
    side = int(ledger.white[game] == player)
    opponent = int((ledger.white, ledger.black)[side][game])
    ranks, number = ledger.declared[1 - side]
    rank = ranks[number[game]] or entries[opponent][0]
    if rank is None:
        return None
    worth = 0.0
    if ledger.colours_known[game]:
        worth = advantage(int(ledger.handicap[game]), float(ledger.komi_or()[game]))
        worth = float(np.clip(worth, -FURTHEST, FURTHEST))
    return Rank.at(rank.stones - worth if side == 0 else rank.stones + worth)
