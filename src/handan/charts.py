"""Charts of ratings, as Altair specifications that serve notebooks, files and pages alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handan.ranks import Rank

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import altair as alt

WIDTH, HEIGHT = 640, 260  # our choice: pixels; a page scales them
LINE = "#1f5f8b"
INDEX_OF_A_RANK = 1000.0  # South African Go Clubs: past +999 a player is a rank higher, at index 0
RANK_LABEL = (
    "datum.value < 1 || datum.value > 39 ? '' : datum.value > 30 ? (datum.value - 30) + 'd' : (31 - datum.value) + 'k'"
)


def rank_and_index(rank: str, index: float) -> float:
    """Return rank and index as one number of ranks, on which a promotion is no fall: 10k 985 is 21.985, 9k 0 is 22."""
    return Rank.parse(rank).stones + index / INDEX_OF_A_RANK


def history_chart(points: Sequence[Mapping[str, Any]], title: str, *, own_ranks: bool = False) -> alt.LayerChart:
    """Return a player's ratings in the order of the games.

    Args:
        points: For each game `number` (from 1; 0 is the entry), `date` (ISO text, may be empty), `rating` and `rank`.
        title: What is shown, for those who cannot see it too.
        own_ranks: Whether the rank is a state of its own beside the rating, an index; both then share one axis, whose
            grid lines are the ranks.
    """
    import altair as alt

    rows = [dict(point) for point in points]
    if own_ranks:
        rows = [{**row, "height": rank_and_index(row["rank"], row["rating"])} for row in rows]
        axis, field = alt.Axis(tickMinStep=1, labelExpr=RANK_LABEL), "height:Q"
    else:
        whole = all(float(row["rating"]).is_integer() for row in rows)
        axis, field = alt.Axis(tickMinStep=1, format="d") if whole else alt.Axis(), "rating:Q"
    name = "rank and index" if own_ranks else "rating"
    base = alt.Chart(alt.InlineData(values=rows), title=title, description=title).encode(
        x=alt.X("number:Q", title="game", axis=alt.Axis(tickMinStep=1, format="d")),
        y=alt.Y(field, title=name, scale=alt.Scale(zero=False), axis=axis),
    )
    line = base.mark_line(color=LINE, interpolate="step-after" if len(rows) > 1 else "linear")
    dots = base.mark_circle(color=LINE, size=36, opacity=0.8)
    return alt.LayerChart(layer=[line, dots]).properties(width=WIDTH, height=HEIGHT)


def as_svg(chart: alt.TopLevelMixin) -> str:
    """Return a chart as SVG, made on this machine without any service."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(chart.to_dict()))
