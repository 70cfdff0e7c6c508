"""Ratings whose figures of single games are computed when somebody first asks for them.

For some systems writing it down takes as long as rating. They leave it out of `Sequential.list_after`, and all games
are rated once more, with it, for the first card or explanation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

from handan.ratings import RatingArrays
from handan.systems.core.schedule import NOTHING

if TYPE_CHECKING:
    from handan.ledger import Ledger
    from handan.ratings import Ratings, Rules
    from handan.systems.core.replay_state import ReplayState

FROM = 1 << 17  # games; our choice: fewer take less time than a page

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


class InOrder(Protocol):
    """A system that takes games in order, as far as these functions need it; `Sequential` is made with them."""

    @property
    def name(self) -> str: ...  # noqa: D102  # as in `Sequential`, and so on
    @property
    def together(self) -> str: ...  # noqa: D102
    def list_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings: ...  # noqa: D102
    def rate_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings: ...  # noqa: D102


def rated(rules: InOrder, ledger: Ledger) -> Ratings:
    """Return the ratings of a ledger in memory; those of many games say of each what they do when somebody asks."""
    answer = rules.list_after(None, ledger) if len(ledger) >= FROM else rules.rate_after(None, ledger)
    if answer.arrays.before is not NOTHING:
        return answer
    return replace(answer, arrays=LazyArrays(answer.arrays, OF_LIST, partial(_arrays_of, rules, ledger)))


def _arrays_of(rules: InOrder, ledger: Ledger) -> RatingArrays:
    return rules.rate_after(None, ledger).arrays


def rated_in_full(rules: Rules[Ratings], ledger: Ledger) -> Ratings:
    """Return what `rate` gives, with what is said of each game made already, for who will read it of most of them."""
    ratings = rules.rate(ledger)
    arrays = ratings.arrays
    if type(arrays) is LazyArrays and not rules.traits.whole:
        return replace(ratings, arrays=arrays.source)
    return ratings
