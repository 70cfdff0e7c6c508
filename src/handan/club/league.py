"""Leagues over games that were chosen: everybody against everybody, and the ladder on which winners climb."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class LeagueGame(NamedTuple):
    """One game of a league."""

    key: str
    black: str
    """Key of the player."""
    white: str
    score: float
    """Of Black: 1, 0.5 or 0."""


class Met(NamedTuple):
    """One game as one of the two has it."""

    game: str
    """Key of the game."""
    score: float


class LeagueRow(NamedTuple):
    """One player of a league."""

    key: str
    met: dict[str, list[Met]]
    """The games against each opponent, by key, in playing order."""
    games: int
    points: float
    """A win is 1, a jigo 0.5."""

    @property
    def won(self) -> int:
        """Number of wins."""
        return self._with(1.0)

    @property
    def drawn(self) -> int:
        """Number of jigo."""
        return self._with(0.5)

    def _with(self, score: float) -> int:
        return sum(item.score == score for games in self.met.values() for item in games)


def league_table(games: Iterable[LeagueGame], least: int = 1) -> list[LeagueRow]:
    """Return the players of some games, whoever has most points first; of as many, whoever needed fewer games.

    Args:
        games: In playing order.
        least: How many games a player has at least; games against others are left out with these, until all have.
    """
    chosen = list(games)
    while True:
        met: dict[str, dict[str, list[Met]]] = defaultdict(lambda: defaultdict(list))
        for game in chosen:
            met[game.black][game.white].append(Met(game.key, game.score))
            met[game.white][game.black].append(Met(game.key, 1.0 - game.score))
        rows = [_row(key, dict(own)) for key, own in met.items()]
        few = {row.key for row in rows if row.games < least}
        if not few:
            return sorted(rows, key=lambda row: (-row.points, row.games, row.key))
        chosen = [game for game in chosen if game.black not in few and game.white not in few]


def challenge_ladder(games: Iterable[LeagueGame], start: Sequence[str]) -> list[str]:
    """Return the keys of the players of a ladder cup after some games, from the top.

    Who beats somebody higher takes that place, and all from there down to the place that was left go down by one.

    Args:
        games: In playing order, of players of `start`.
        start: Keys of the players as they stand at first, from the top.
    """
    ladder = list(start)
    for game in games:
        if game.score == 0.5:
            continue
        winner, loser = (game.black, game.white) if game.score == 1.0 else (game.white, game.black)
        place = ladder.index(loser)
        if ladder.index(winner) > place:
            ladder.remove(winner)
            ladder.insert(place, winner)
    return ladder


def _row(key: str, met: dict[str, list[Met]]) -> LeagueRow:
    games = [item for own in met.values() for item in own]
    return LeagueRow(key, met, len(games), sum(item.score for item in games))
