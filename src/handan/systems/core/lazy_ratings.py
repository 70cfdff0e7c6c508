"""Ratings whose figures of single games are computed when somebody first asks for them.

For some systems writing it down takes as long as rating. They leave it out of `Sequential.list_after`, and all games
are rated once more, with it, for the first card or explanation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

from handan.ratings import RatingArrays
from handan.systems.core.schedule import NOTHING

if TYPE_CHECKING:
    from handan.ledger import Ledger
    from handan.ratings import Ratings, Rules
    from handan.systems.core.sequential import Sequential

FROM = 1 << 17  # games; our choice: fewer take less time than a page


def made_from(source: Callable[[Any], Any], name: str) -> Any:
    """Return an array of ratings that is made, with the others of its source, when somebody asks."""
    return cached_property(lambda arrays: getattr(source(arrays), name))


def of_whole(name: str) -> Any:
    """Return an array that is made, for all games, when somebody asks."""
    return made_from(attrgetter("whole"), name)


class ArraysOnDemand(RatingArrays):
    """What is known of the players now; some arrays are made when somebody asks."""

    later: ClassVar[tuple[str, ...]]
    """Those that are made."""

    def __init__(self, listed: RatingArrays) -> None:
        """Take over all arrays but those that are made when somebody asks."""
        for part in fields(RatingArrays):
            if part.name not in self.later:
                object.__setattr__(self, part.name, getattr(listed, part.name))


class ListedArrays(ArraysOnDemand):
    """The arrays of a list; what is said of each game is made when somebody asks."""

    later = ("before", "change", "variances", "extra")
    before = of_whole("before")
    change = of_whole("change")
    variances = of_whole("variances")
    extra = of_whole("extra")

    @cached_property
    def whole(self) -> RatingArrays:
        """The same with what is said of each game."""
        rules: Any = self.system
        ratings: Ratings = rules.rate_after(None, self.ledger)
        return ratings.arrays


def rated(rules: Sequential, ledger: Ledger) -> Ratings:
    """Return the ratings of a ledger in memory; those of many games say of each what they do when somebody asks."""
    answer = rules.list_after(None, ledger) if len(ledger) >= FROM else rules.rate_after(None, ledger)
    return replace(answer, arrays=ListedArrays(answer.arrays)) if answer.arrays.before is NOTHING else answer


def rated_in_full(rules: Rules[Ratings], ledger: Ledger) -> Ratings:
    """Return what `rate` gives, with what is said of each game made already, for who will read it of most of them."""
    ratings = rules.rate(ledger)
    return replace(ratings, arrays=ratings.arrays.whole) if isinstance(ratings.arrays, ListedArrays) else ratings
