"""Warnings of any replay: newcomers without a rank, ranks declared too late, ratings off the scale, separate pools."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from handan.errors import Clause

if TYPE_CHECKING:
    from handan.kernels.types import Flags, Ints
    from handan.ranks import Rank


def newcomers_warning(plays: Flags, declared: Flags, what: str | Rank, *, by_terms: bool) -> tuple[str, ...]:
    """Return a warning that says how many players entered without any rank or rating.

    Args:
        plays: Whether each player has a rated game, shape (players,).
        declared: Whether each enters by a declared rank, or was set by hand before.
        what: Where the others start.
        by_terms: Whether the terms of the first game say more where they can.
    """
    unknown = plays & ~declared
    if not unknown.any():
        return ()
    one = "1 of {all} players has no entry rank; they start at {what}"
    more = "{count} of {all} players have no entry rank; they start at {what}"
    if by_terms and declared.any():
        one = (
            "1 of {all} players has no entry rank; they start at the rank that the terms of their first game give, "
            "else at {what}"
        )
        more = (
            "{count} of {all} players have no entry rank; they start at the rank that the terms of their first game "
            "give, else at {what}"
        )
    count = int(unknown.sum())
    return (Clause.of(one if count == 1 else more, count=count, all=int(plays.sum()), what=what),)


def warnings_of_all(too_late: Flags, pool: Ints) -> tuple[str, ...]:
    """Return the warnings of ratings under any system; whose rank came too late, and pools, shape (players,) each."""
    return (*late_ranks_warning(int(too_late.sum())), *pool_warning(pool))


def late_ranks_warning(count: int) -> tuple[str, ...]:
    """Return a warning that says how many players declared a rank too late for it to play a part."""
    if not count:
        return ()
    one = "1 player first declared a rank after the first rated game: only a remark, unless late_ranks=adjust"
    more = "{count} players first declared a rank after the first rated game: only a remark, unless late_ranks=adjust"
    return (Clause.of(one if count == 1 else more, count=count),)


def idle_deviations_warning(count: int) -> tuple[str, ...]:
    """Return a warning that says how many deviations set by hand play no part."""
    if not count:
        return ()
    one = "1 deviation set by hand plays no part under this system"
    more = "{count} deviations set by hand play no part under this system"
    return (Clause.of(one if count == 1 else more, count=count),)


def scale_ends_warning(count: int, low: float, high: float) -> tuple[str, ...]:
    """Return a warning that says how many ratings set by hand lie beyond the ends of the scale."""
    if not count:
        return ()
    if np.isinf(high):
        pattern = "{count} adjustments ask for ratings below {low:g}; the nearest end of the scale is taken"
        one = "1 adjustment asks for a rating below {low:g}; the nearest end of the scale is taken"
    else:
        pattern = (
            "{count} adjustments ask for ratings outside {low:g} to {high:g}; the nearest end of the scale is taken"
        )
        one = "1 adjustment asks for a rating outside {low:g} to {high:g}; the nearest end of the scale is taken"
    return (Clause.of(one if count == 1 else pattern, count=count, low=low, high=high),)


def pool_warning(pool: Ints) -> tuple[str, ...]:
    """Return a warning if there are players who never met, not even through others; `pool` has shape (players,)."""
    count = int(pool.max(initial=-1)) + 1
    if count < 2:
        return ()
    outside = int((pool > 0).sum())
    pattern = "{count} separate pools: {outside} players never met the largest pool; numbers cannot be compared across"
    return (Clause.of(pattern, count=count, outside=outside),)
