"""The European ratings as published, event by event with plain loops, of games with one date each.

Events are rated one after the other in the order of their first games, also where they overlap. A rating set by hand on
a day applies before the first event after all in which the player had played before that day.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

CON = (116, 110, 105, 100, 95, 90, 85, 80, 75, 70, 65, 60, 55, 51, 47, 43, 39, 35, 31, 27, 24, 21, 18, 15, 13, 11, 10)


class Game(NamedTuple):
    day: int
    black: str
    white: str
    score: float
    """Black's score."""
    handicap: int
    weight: float
    event: str
    """Empty: an event by itself."""


class ByHand(NamedTuple):
    day: int
    player: str
    rating: float
    at_least: bool


def since_2021(own: float, other: float, own_stones: float, other_stones: float, score: float) -> float:
    one, two = min(own + own_stones, 3299.999), min(other + other_stones, 3299.999)
    expected = 1.0 / (1.0 + ((3300.0 - one) / (3300.0 - two)) ** 7)
    con = math.pow((3300.0 - own) / 200.0, 1.6)
    return con * (score - expected) + math.log(1.0 + math.exp((2300.0 - own) / 80.0)) / 5.0


def until_2021(own: float, other: float, own_stones: float, other_stones: float, score: float) -> float:
    one, two = own + own_stones, other + other_stones
    scale = 200.0 - (min(max(min(one, two), 100.0), 2700.0) - 100.0) / 20.0
    lower = 1.0 / (math.exp(abs(one - two) / scale) + 1.0)
    expected = (lower if one <= two else 1.0 - lower) - 0.008
    place = min(max((own - 100.0) / 100.0, 0.0), 26.0)
    entry = min(int(place), 25)
    con = CON[entry] + (place - entry) * (CON[entry + 1] - CON[entry])
    return con * (score - expected)


def ratings(
    games: Sequence[Game],
    entries: Mapping[str, float],
    by_hand: Sequence[ByHand],
    change: Callable[[float, float, float, float, float], float],
    floor: float,
) -> dict[str, float]:
    """Return the rating of every player at the end."""
    events: dict[str, list[Game]] = defaultdict(list)
    for number, game in enumerate(sorted(games)):
        events[game.event or f"#{number}"].append(game)
    order = sorted(events.values(), key=lambda event: event[0].day)
    rating = {player: max(entry, floor) for player, entry in entries.items()}
    due: dict[int, list[ByHand]] = defaultdict(list)
    for item in sorted(by_hand, key=lambda item: item.day):
        before = [
            number for number, event in enumerate(order)
            if any(game.day < item.day and item.player in (game.black, game.white) for game in event)
        ]  # fmt: skip
        due[max(before, default=-1) + 1].append(item)
    for number, event in enumerate([*order, []]):
        for item in due[number]:
            value = max(item.rating, floor)
            rating[item.player] = max(value, rating[item.player]) if item.at_least else value
        at_start = dict(rating)
        for game in event:
            stones = 100.0 * (game.handicap - 0.5) if game.handicap else 0.0
            black, white = at_start[game.black], at_start[game.white]
            gain = game.weight * change(black, white, stones, 0.0, game.score)
            loss = game.weight * change(white, black, 0.0, stones, 1.0 - game.score)
            rating[game.black] = max(floor, rating[game.black] + gain)
            rating[game.white] = max(floor, rating[game.white] + loss)
    return rating
