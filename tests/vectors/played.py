"""One game of two players through a ledger and `rate`, as published cases tell it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handan.ledger import Adjustment, Game, Ledger
from handan.ratings import Explanation, Factor, Ratings
from handan.systems.core.base import System

Entry = tuple[str | None, float | None]
"""Rank and rating with which a player enters."""
WORDS = {(1.0, True): "B+", (0.0, True): "W+", (1.0, False): "W+", (0.0, False): "B+"}


def played(
    system: System,
    own: Entry,
    other: Entry,
    score: float,
    *,
    black: bool = True,
    handicap: int = 0,
    komi: float | None = 6.5,
    before: Sequence[Game] = (),
    **facts: Any,
) -> Ratings:
    """Rate a game of Own against Other, and other games before it; `black` says whether Own is Black."""
    result = "jigo" if score == 0.5 else WORDS[score, black]
    names = ("Own", "Other") if black else ("Other", "Own")
    game = Game(*names, result, handicap=handicap, komi=komi, **facts)
    entries = [Adjustment("Own", *own), Adjustment("Other", *other)]
    return system.rate(Ledger.of([*before, game], entries))


def last(ratings: Ratings) -> Explanation:
    """Return the last line of Own's card."""
    return ratings.explain("Own")[-1]


def part(line: Explanation, name: str) -> float:
    """Return a factor by name, wherever it stands in the reason."""
    wanted = [*line.reason.factors]
    while wanted:
        factor: Factor = wanted.pop(0)
        if factor.name == name:
            return factor.value
        wanted += factor.parts
    raise LookupError(f"no factor {name!r}")
