"""Vectors of FIDE's rating, through a ledger."""

from __future__ import annotations

from collections.abc import Sequence

from handan.systems.fide import FIDE  # type: ignore[import-not-found]  # it stands in the copy alone

from handan.ledger import Adjustment, Game, Ledger
from tests.vectors.family import Family
from tests.vectors.played import last, part, played


def fide_tournament(rating: float, games: Sequence[tuple[float, float]]) -> list[float]:
    """Return the change of a new player's rating by each game of a tournament: opponent's rating, own score."""
    names = [f"Opponent {number}" for number in range(len(games))]
    scores = {1: "B+", 0.5: "jigo", 0: "W+"}
    rows = [Game("Own", name, scores[score], event="cup") for name, (_, score) in zip(names, games, strict=True)]
    entries = [Adjustment("Own", None, rating)]
    entries += [Adjustment(name, None, other) for name, (other, _) in zip(names, games, strict=True)]
    lines = FIDE().rate(Ledger.of(rows, entries)).explain("Own")
    return [line.change for line in lines if line.game is not None]


def fide_expected(own: float, other: float) -> float:
    """Return P_D as it stands in the reason of a won game."""
    return 1.0 - part(last(played(FIDE(), (None, own), (None, other), 1.0)), "score - P_D")


FAMILIES = (Family("fide", r"\bfide\b", {"fide_tournament": fide_tournament, "fide_expected": fide_expected}),)
