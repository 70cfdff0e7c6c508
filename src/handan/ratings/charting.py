"""The courses of players as a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from handan.errors import InputError
from handan.ratings.frames import histories

if TYPE_CHECKING:
    import altair as alt

    from handan.ratings.rated_ledger import RatedLedger

STEPS = 400  # our choice: heights that are looked at, about the pixels of a chart
SHOWN = ("player", "date", "opponent", "result", "before", "after", "rank")


def chart_of(ratings: RatedLedger, *players: str) -> alt.LayerChart:
    """Return the ratings of players over the days, as `Ratings.chart` does."""
    from handan.charts import SYSTEMS, course_chart, need_charts

    need_charts()
    names = players or tuple(ratings.ledger.players[player].name for player in ratings.arrays.ladder[:1])
    if not names:
        raise InputError("nobody has a rating of which there could be a chart")
    if len(names) > len(SYSTEMS):
        raise InputError(f"a chart shows at most {len(SYSTEMS)} players; {len(names)} were given")
    chosen = [ratings.ledger.find(name) for name in dict.fromkeys(names)]
    rank = pl.col("rank_after") if ratings.arrays.ranks_declared else pl.lit("")
    cards = histories(ratings, chosen).with_columns(rank=rank)
    rows = pl.concat([cards.filter(pl.col("player") == ratings.ledger.names[player])
                      .select(*SHOWN, number=pl.int_range(1, pl.len() + 1)) for player in chosen])  # fmt: skip
    own = ", ".join(rows["player"].unique(maintain_order=True))
    across = "date" if rows.height and (rows["date"] != "").all() else "number"
    heights = [*rows["before"], *rows["after"]]
    ranks = _ranks_between(ratings, min(heights), max(heights)) if heights else []
    return course_chart(rows.to_dicts(), across, ranks, f"{own}: {ratings.system.label}")


def _ranks_between(ratings: RatedLedger, low: float, high: float) -> list[dict[str, Any]]:
    """Return the ranks that begin between two ratings, and where; none where the rating is an index of the rank."""
    if ratings.system.traits.index_of_rank or not ratings.arrays.ranks_declared or not low < high:
        return []
    heights = np.linspace(low, high, STEPS)
    ranks = [ratings.system.rank(height) for height in heights.tolist()]
    return [
        {"rank": str(rank), "rating": float(height)}
        for height, rank, below in zip(heights[1:], ranks[1:], ranks, strict=False)
        if rank is not None and rank != below
    ]
