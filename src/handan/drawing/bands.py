"""Ranks as bands of ratings, whatever system makes them: found from the ranks of ratings alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from handan.ranks import Rank

RankOf = Callable[[float], Rank | None]
"""The rank of a rating; never lower for a higher rating."""
HALVINGS = 60
"""Steps of a bisection; after them two numbers of double precision have met."""
MOST = 200  # bands; our choice


class Band(NamedTuple):
    """The ratings that are one rank, cut to what a drawing shows."""

    low: float
    high: float
    rank: Rank


def rank_bands(rank_of: RankOf, low: float, high: float, ends: dict[Rank, float] | None = None) -> list[Band]:
    """Return the bands between two ratings, lowest first; none for a system without ranks.

    Ends that were looked for once are kept in `ends`, which belongs to one law of ranks.
    """
    bands: list[Band] = []
    start, ends = low, {} if ends is None else ends
    while start < high and len(bands) < MOST and (rank := rank_of(start)) is not None:
        end = min(ends[rank], high) if rank in ends else _end_of(rank_of, start, high, rank)
        if end < high:
            ends[rank] = end
        bands.append(Band(start, end, rank))
        start = end
    return bands


def next_rank_at(rank_of: RankOf, rating: float, reach: float) -> tuple[Rank, float] | None:
    """Return the next higher rank and the rating at which it begins, None if there is none within reach."""
    rank = rank_of(rating)
    if rank is None:
        return None
    end = _end_of(rank_of, rating, rating + reach, rank)
    higher = rank_of(end)
    return None if higher is None or higher == rank else (higher, end)


def _end_of(rank_of: RankOf, start: float, stop: float, rank: Rank) -> float:
    """Return the first rating behind `start` that has another rank, `stop` if none before it has."""
    if rank_of(stop) == rank:
        return stop
    low, high = start, stop
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if middle in {low, high}:  # no number lies between them
            break
        low, high = (middle, high) if rank_of(middle) == rank else (low, middle)
    return high
