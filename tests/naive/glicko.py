"""Glicko period by period as its source writes it, in Elo, with dictionaries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Q = math.log(10) / 400
Result = tuple[str, str, float]


@dataclass
class Player:
    """What is known of a player."""

    r: float
    rd: float
    last: float


def g(rd: float) -> float:
    """Return the weight of an opponent with this deviation."""
    return 1 / math.sqrt(1 + 3 * Q**2 * rd**2 / math.pi**2)


def expected(r: float, other: float, rd: float) -> float:
    """Return the expected score against an opponent."""
    return 1 / (1 + 10 ** (-g(rd) * (r - other) / 400))


def rate(
    periods: Sequence[tuple[float, Sequence[Result]]], end: float, c2: float, start: float = 1500.0, rd0: float = 350.0
) -> dict[str, tuple[float, float]]:
    """Return rating and deviation of every player at the time `end`; a period is its time and its games.

    c2 is the growth of the squared deviation in a unit of time.
    """
    players: dict[str, Player] = {}
    for time, games in periods:
        for name in {name for game in games for name in game[:2]}:
            player = players.setdefault(name, Player(start, rd0, time))
            player.rd = min(350.0, math.sqrt(player.rd**2 + c2 * (time - player.last)))
            player.last = time
        new = {name: after_period(name, games, players) for name in players}
        for name, (r, rd) in new.items():
            players[name].r, players[name].rd = r, rd
    return {
        name: (player.r, min(350.0, math.sqrt(player.rd**2 + c2 * (end - player.last))))
        for name, player in players.items()
    }


def after_period(name: str, games: Sequence[Result], players: dict[str, Player]) -> tuple[float, float]:
    """Return rating and deviation of a player after the games of a period."""
    own = players[name]
    played = [(players[w], s) for b, w, s in games if b == name] + [
        (players[b], 1 - s) for b, w, s in games if w == name
    ]
    if not played:
        return own.r, own.rd
    chances = [expected(own.r, other.r, other.rd) for other, _ in played]
    d2 = 1 / (Q**2 * sum(g(other.rd) ** 2 * e * (1 - e) for (other, _), e in zip(played, chances, strict=True)))
    surprise = sum(g(other.rd) * (s - e) for (other, s), e in zip(played, chances, strict=True))
    precision = 1 / own.rd**2 + 1 / d2
    return own.r + Q / precision * surprise, math.sqrt(1 / precision)
