"""Ratings whose figures of single games are computed when somebody first asks for them.

For some systems writing it down takes as long as rating. They leave it out of `Sequential.list_after`, and all games
are rated once more, with it, for the first card or explanation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from handan.ratings import RatingArrays

if TYPE_CHECKING:
    from handan.ledger import Ledger
    from handan.ratings import Ratings, Rules

OF_LIST = ("before", "change", "variances", "extra")
"""What is said of each game besides a list."""


def _of_source(name: str) -> Any:
    """Return an array that is made, with the others of its source, when somebody asks."""
    return cached_property(lambda arrays: getattr(arrays.source, name))


class LazyArrays(RatingArrays):
    """Arrays of which some are made, with the others of their source, when somebody first asks for one of them."""

    before = _of_source("before")
    change = _of_source("change")
    variances = _of_source("variances")
    extra = _of_source("extra")
    unrated = _of_source("unrated")
    sequence = _of_source("sequence")
    batch = _of_source("batch")
    printed = _of_source("printed")
    rank_numbers = _of_source("rank_numbers")

    make: Callable[[], Any]

    def __init__(self, arrays: RatingArrays, later: Sequence[str], make: Callable[[], Any]) -> None:
        """Take over all arrays but those that `make` gives."""
        for part in fields(RatingArrays):
            if part.name not in later:
                object.__setattr__(self, part.name, getattr(arrays, part.name))
        object.__setattr__(self, "make", make)

    @cached_property
    def source(self) -> Any:
        """What has the arrays that are made."""
        return self.make()


def rated_in_full(rules: Rules[Ratings], ledger: Ledger) -> Ratings:
    """Return what `rate` gives, with what is said of each game made already, for who will read it of most of them."""
    ratings = rules.rate(ledger)
    arrays = ratings.arrays
    if type(arrays) is LazyArrays and not rules.traits.whole:
        return replace(ratings, arrays=arrays.source)
    return ratings
