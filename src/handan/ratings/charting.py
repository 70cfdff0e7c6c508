"""The courses of players as a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from handan.errors import InputError

if TYPE_CHECKING:
    import altair as alt

    from handan.ratings.ratings import Ratings

STEPS = 400  # our choice: heights that are looked at, about the pixels of a chart
SHOWN = ("player", "date", "opponent", "result", "before", "after", "rank")


def chart_of(ratings: Ratings, *players: str) -> alt.LayerChart:
    """Return the ratings of one or several players over the days, as an Altair chart.

    A notebook shows it as SVG; `chart.save("alice.html")`, `.png` and `.svg` write it. Where a game has no date, the
    numbers of the games stand across.

    Args:
        ratings: Of any system.
        players: Names or ids, at most as many as there are colours; none stands for the strongest player.

    Raises:
        InputError: Nobody is called so, there are too many, or the extra `handan[charts]` is not installed.
    """
    from handan.charts import SYSTEMS, course_chart

    try:
        import altair as alt  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError:
        raise InputError("charts need altair: pip install 'handan[charts]'") from None
    names = players or tuple(ratings.ledger.players[player].name for player in ratings.arrays.ladder[:1])
    if not names:
        raise InputError("nobody has a rating of which there could be a chart")
    if len(names) > len(SYSTEMS):
        raise InputError(f"a chart shows at most {len(SYSTEMS)} players; {len(names)} were given")
    cards = [_card(ratings, name) for name in dict.fromkeys(names)]
    rows = pl.concat(cards)
    own = ", ".join(rows["player"].unique(maintain_order=True))
    across = "date" if rows.height and (rows["date"] != "").all() else "number"
    heights = [*rows["before"], *rows["after"]]
    ranks = _ranks_between(ratings, min(heights), max(heights)) if heights else []
    return course_chart(rows.to_dicts(), across, ranks, f"{own}: {ratings.system.label}")


def _card(ratings: Ratings, name: str) -> pl.DataFrame:
    player = ratings.ledger.players[ratings.ledger.find(name)].name
    card = ratings.history(name).with_columns(player=pl.lit(player), rank=pl.col("rank_after"))
    return card.select(*SHOWN, number=pl.int_range(1, pl.len() + 1))


def _ranks_between(ratings: Ratings, low: float, high: float) -> list[dict[str, Any]]:
    """Return the ranks that begin between two ratings, and where; none where the rank is a state of its own."""
    if ratings.arrays.rank_number is not None or not ratings.arrays.ranks_declared or not low < high:
        return []
    heights = np.linspace(low, high, STEPS)
    ranks = [ratings.system.rank(height) for height in heights.tolist()]
    return [
        {"rank": str(rank), "rating": float(height)}
        for height, rank, below in zip(heights[1:], ranks[1:], ranks, strict=False)
        if rank is not None and rank != below
    ]
