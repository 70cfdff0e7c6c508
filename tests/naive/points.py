"""A points card by its general law, game by game: whole points, one a game, komi by the rest of the difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Law(NamedTuple):
    """A card: points of a stone, komi to White at no difference, whether a tie is White's, games of a pair and day."""

    per_stone: int
    top_komi: float
    tie_to_white: bool
    daily_limit: int


class Game(NamedTuple):
    day: int
    black: str
    white: str
    score: float
    """Black's score."""
    coloured: bool
    handicap: int
    komi: float | None


def terms(law: Law, difference: int) -> tuple[int, float]:
    """Return free stones and komi to White at a difference of 0 or more points."""
    stones = difference // law.per_stone
    return stones, law.top_komi - (difference - law.per_stone * stones)


def at_the_card(law: Law, difference: int, game: Game) -> bool:
    """Return whether a game was played at the terms of the card; without colours the weaker may have been Black."""
    if not game.coloured:
        difference = abs(difference)
    if difference < 0:
        return False
    stones, komi = terms(law, difference)
    return max(game.handicap - 1, 0) == stones and game.komi in (None, komi)


def points(
    law: Law, games: Sequence[Game], entries: Mapping[str, int], *, only_at_the_card: bool, by_day: bool
) -> tuple[dict[str, int], list[int]]:
    """Return the points at the end, and which games counted, by their place."""
    own, start, today = dict(entries), dict(entries), -1
    met: Counter[tuple[int, frozenset[str]]] = Counter()
    counted = []
    for place, game in enumerate(games):
        if not by_day or game.day != today:
            start, today = dict(own), game.day
        if only_at_the_card and not at_the_card(law, start[game.white] - start[game.black], game):
            continue
        pair = game.day, frozenset((game.black, game.white))
        met[pair] += 1
        if law.daily_limit and met[pair] > law.daily_limit:
            continue
        counted.append(place)
        won = {1.0: 1, 0.0: -1, 0.5: -1 if law.tie_to_white and game.coloured else 0}[game.score]
        own[game.black] += won
        own[game.white] -= won
    return own, counted
