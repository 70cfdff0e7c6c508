"""Charts of ratings, as Altair specifications that serve notebooks, files and pages alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import altair as alt

WIDTH, HEIGHT = 640, 260  # our choice: pixels; a page scales them
LINE = "#1f5f8b"


def history_chart(points: Sequence[Mapping[str, Any]], title: str) -> alt.LayerChart:
    """Return a player's ratings in the order of his games.

    Args:
        points: For each game `number` (from 1), `date` (ISO text, may be empty), `rating`, `rank`, and `result`.
        title: What is shown, for those who cannot see it too.
    """
    import altair as alt

    base = alt.Chart(alt.InlineData(values=[dict(point) for point in points]), title=title, description=title).encode(
        x=alt.X("number:Q", title="game", axis=alt.Axis(tickMinStep=1, format="d")),
        y=alt.Y("rating:Q", title="rating", scale=alt.Scale(zero=False)),
    )
    line = base.mark_line(color=LINE, interpolate="step-after" if len(points) > 1 else "linear")
    dots = base.mark_circle(color=LINE, size=36, opacity=0.8)
    return alt.LayerChart(layer=[line, dots]).properties(width=WIDTH, height=HEIGHT)


def as_svg(chart: alt.TopLevelMixin) -> str:
    """Return a chart as SVG, made on this machine without any service."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(chart.to_dict()))
