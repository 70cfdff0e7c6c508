"""A ladder beside the one of an earlier day: places, ranks and ratings up and down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from handan.ratings.columns import MOVEMENT

if TYPE_CHECKING:
    from handan.ratings.ratings import Ratings


def with_movement(now: Ratings, then: Ratings) -> pl.DataFrame:
    """Return the ladder with what each player had on the earlier ladder; null for who had no rated game by then.

    `places_up` counts places among all players of each ladder: positive is up. `rating_change` is null where the rank
    is a state of its own and has changed, since the two ratings then say different things.
    """
    before = {row["player"]: row for row in then.table().iter_rows(named=True) if row["games"]}
    own_ranks = now.arrays.rank_number is not None
    columns: dict[str, list[Any]] = {name: [] for name in MOVEMENT}
    table = now.table()
    for row in table.iter_rows(named=True):
        earlier = before.get(row["player"])
        same_unit = earlier is not None and not (own_ranks and earlier["rank"] != row["rank"])
        columns["place_before"].append(earlier and earlier["place"])
        columns["places_up"].append(earlier and earlier["place"] - row["place"])
        columns["rank_before"].append(earlier and earlier["rank"])
        columns["rating_before"].append(earlier and earlier["rating"])
        columns["rating_change"].append(row["rating"] - earlier["rating"] if earlier and same_unit else None)
    return table.hstack(pl.DataFrame(columns, schema=MOVEMENT))
