"""Whose rating or rank differs between two standings, as before and after an entry."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import compress, count
from operator import is_not
from typing import Any

import numpy as np
from numpy.typing import NDArray

from handan.club.standings import Standings
from handan.ratings import Ratings
from handan.ratings.ladder import places_of, ranks_of

NOBODY: Mapping[str, Any] = {}
"""The row of who stands in no ladder."""


def changes_of(before: Standings, after: Standings) -> list[dict[str, Any]]:
    """Return every player whose rating or rank differs between two standings, the largest change first."""
    same = before.ratings.ledger.players is after.ratings.ledger.players
    moved = _of_the_same(before, after) if same else _of_others(before, after)
    return sorted(moved, key=lambda item: (-abs(item["change"] or 0.0), item["player"]))


def _of_the_same(before: Standings, after: Standings) -> list[dict[str, Any]]:
    """Return who moved among the same players; no row of a ladder is made for it."""
    one, other = before.ratings, after.ratings
    players = _differing(one, other)
    places = [_places(ratings)[players].tolist() if len(players) else [] for ratings in (one, other)]
    rating = [[_finite(value) for value in ratings.rating[players].tolist()] for ratings in (one, other)]
    ranks = [ranks_of(ratings, players.tolist()) for ratings in (one, other)]
    all_names, keys = other.ledger.names, after.state.keys
    names = [all_names[player] for player in players.tolist()]
    rows = zip(names, zip(*rating, strict=True), zip(*ranks, strict=True), zip(*places, strict=True), strict=True)
    return [_moved(keys[name], name, *pairs) for name, *pairs in rows]


def _differing(one: Ratings, other: Ratings) -> NDArray[np.int64]:
    """Return the players whose rating or rank differs, ascending."""
    differ = np.where(np.isfinite(one.rating), one.rating, np.nan) != np.where(
        np.isfinite(other.rating), other.rating, np.nan
    )
    differ &= np.isfinite(one.rating) | np.isfinite(other.rating)
    if one.system == other.system and (one.rank_number is None) == (other.rank_number is None):
        if one.rank_number is not None and other.rank_number is not None:
            differ |= one.rank_number != other.rank_number
        return np.flatnonzero(differ)  # else equal ratings are of one rank
    texts, later = one.rank_texts, other.rank_texts
    for player in compress(count(), map(is_not, texts, later)):  # most are the very text of before
        differ[player] |= texts[player] != later[player]
    return np.flatnonzero(differ)


def _places(ratings: Ratings) -> NDArray[np.int64]:
    """Return the place of every player in the ladder, shape (players,)."""
    places = np.empty(len(ratings.rating), dtype=np.int64)
    places[ratings.ladder] = places_of(ratings)
    return places


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _of_others(before: Standings, after: Standings) -> list[dict[str, Any]]:
    """Return who moved, came or went between standings of whatever players."""
    rows: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]]
    rows = {key: (before.by_key.get(key, NOBODY), row) for key, row in after.by_key.items()}
    rows |= {key: (row, NOBODY) for key, row in before.by_key.items() if key not in rows}
    return [
        _moved(key, (new or old)["player"], *((old.get(name), new.get(name)) for name in ("rating", "rank", "place")))
        for key, (old, new) in rows.items()
        if not old or not new or (old["rating"], old["rank"]) != (new["rating"], new["rank"])
    ]


def _moved(
    key: str, player: str, rating: tuple[Any, Any], ranks: tuple[str | None, str | None], places: tuple[Any, Any]
) -> dict[str, Any]:
    return {
        "key": key,
        "player": player,
        "before": rating[0],
        "after": rating[1],
        "change": None if None in rating else rating[1] - rating[0],
        "rank_before": ranks[0] or "",
        "rank_after": ranks[1] or "",
        "place_before": places[0],
        "place_after": places[1],
    }
