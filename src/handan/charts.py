"""Charts of ratings as Altair specifications, for notebooks, files and reports; pages have `handan.drawing`."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

from handan.errors import InputError
from handan.ranks import INDEX_OF_A_RANK, Rank
from handan.wording.figures import digits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import altair as alt

WIDTH, HEIGHT = 480, 220  # our choice: pixels; a page scales them
TEXT = 13  # our choice: pixels, which a telephone still shows well
MOST_TICKS = 8  # our choice
STEPS = (1.0, 2.0, 5.0)
NARROW = 200  # our choice: with names and figures beside it fits telephones
LINE = "#1f5f8b"
MARK = "#999999"
SYSTEMS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000")
"""Colours that are told apart by all kinds of sight. Source: M. Okabe and K. Ito, "Color universal design" (2008)."""
DASHES = ((1, 0), (8, 3), (2, 2), (8, 3, 2, 3), (14, 4))
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")
LONGEST_LABEL = 260  # our choice: pixels
RANK_LABEL = (
    "datum.value < 1 || datum.value > 39 ? '' : datum.value > 30 ? (datum.value - 30) + 'd' : (31 - datum.value) + 'k'"
)


def need_charts() -> None:
    """Raise InputError where what draws charts is not installed."""
    try:
        import altair as alt  # noqa: F401  # only whether they are there
        import vl_convert  # noqa: F401
    except ImportError as error:
        raise InputError("charts need more packages: pip install 'handan[charts]'") from error


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
        axis, field = alt.Axis(values=_whole_ticks(rows, "height"), labelExpr=RANK_LABEL), "height:Q"
    else:
        whole = all(float(row["rating"]).is_integer() for row in rows)
        axis = alt.Axis(values=_whole_ticks(rows, "rating"), format="d") if whole else alt.Axis()
        field = "rating:Q"
    name = "rank and index" if own_ranks else "rating"
    base = alt.Chart(alt.InlineData(values=rows), title=title, description=title).encode(
        x=alt.X("number:Q", title="game", axis=alt.Axis(values=_whole_ticks(rows, "number"), format="d")),
        y=alt.Y(field, title=name, scale=alt.Scale(zero=False), axis=axis),
    )
    line = base.mark_line(color=LINE, interpolate="step-after" if len(rows) > 1 else "linear")
    dots = base.mark_circle(color=LINE, size=36, opacity=0.8)
    return alt.LayerChart(layer=[line, dots]).properties(width=WIDTH, height=HEIGHT)


def round_ticks(low: float, high: float, most: int, *, whole: bool = False) -> list[float]:
    """Return at most so many round numbers between two numbers, a power of ten times 1, 2 or 5 apart."""
    span = max(high - low, 1e-9)
    power = 10.0 ** math.floor(math.log10(span / most))
    steps = [power * factor * step for factor in (1, 10) for step in STEPS if not whole or power * factor * step >= 1]
    step = next((step for step in steps if span / step < most), steps[-1] if steps else 1.0)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _whole_ticks(rows: Sequence[Mapping[str, Any]], name: str) -> list[float]:
    """Return whole numbers for an axis; Vega itself also marks halves, and rounds them."""
    values = [float(row[name]) for row in rows]
    return round_ticks(min(values, default=0.0), max(values, default=0.0), MOST_TICKS, whole=True)


def course_chart(
    rows: Sequence[Mapping[str, Any]], across: str, ranks: Sequence[Mapping[str, Any]], title: str
) -> alt.LayerChart:
    """Return the ratings of some players, each of which holds until the next game, with lines where ranks begin.

    Args:
        rows: For each game `player`, `date`, `number`, `opponent`, `result`, `before`, `after` and `rank`,
            which is empty where ranks say nothing.
        across: `date`, or `number` of the player's game.
        ranks: `rank` and `rating` at which it begins.
        title: What is shown, for those who cannot see it too.
    """
    import altair as alt

    names = list(dict.fromkeys(row["player"] for row in rows))
    x = (
        alt.X("date:T", title=None)
        if across == "date"
        else alt.X("number:Q", title="game", axis=alt.Axis(values=_whole_ticks(rows, "number")))
    )
    y = alt.Y("after:Q", title="rating", scale=alt.Scale(zero=False))
    legend = alt.Legend(title=None, orient="top") if len(names) > 1 else None
    color = alt.Color("player:N", scale=alt.Scale(domain=names, range=list(SYSTEMS[: len(names)])), legend=legend)
    dash = alt.StrokeDash(
        "player:N", scale=alt.Scale(domain=names, range=[*map(list, DASHES[: len(names)])]), legend=legend
    )
    figures = f".{digits(row['after'] for row in rows)}f"
    tips = [
        *(alt.Tooltip(f"{name}:N") for name in ("player", "date", "opponent", "result")),
        *(alt.Tooltip(f"{name}:Q", format=figures) for name in ("before", "after")),
        *([alt.Tooltip("rank:N")] if any(row["rank"] for row in rows) else []),
    ]
    base = alt.Chart(alt.InlineData(values=[dict(row) for row in rows])).encode(x=x, y=y, color=color)
    line = base.mark_line(interpolate="step-after").encode(strokeDash=dash)
    dots = base.mark_circle(size=30, opacity=0.8).encode(tooltip=tips)
    grid = alt.Chart(alt.InlineData(values=[dict(rank) for rank in ranks])).encode(y=alt.Y("rating:Q", title="rating"))
    lines = grid.mark_rule(color=MARK, strokeDash=[2, 4], opacity=0.6)
    labels = grid.mark_text(align="left", dx=4, color=MARK).encode(x=alt.value(WIDTH), text="rank:N")
    layers = [lines, labels, line, dots] if ranks else [line, dots]
    chart: alt.LayerChart = _drawn_here()(layer=layers, title=title, description=title)
    return chart.properties(width=WIDTH, height=HEIGHT)


@cache
def _drawn_here() -> type[Any]:
    """Return the class of charts that a notebook shows as SVG: Altair's own load the program that draws them."""
    import altair as alt

    class DrawnChart(alt.LayerChart):
        def _repr_mimebundle_(self, *_: Any, **__: Any) -> dict[str, str]:
            return {"image/svg+xml": as_svg(self), "text/plain": str(self.to_dict()["title"])}

    return DrawnChart


def looks_of_systems(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the encodings by which lines of systems differ: colour, dashes and shapes, the same in all charts.

    Args:
        rows: With `system`; those named first get the first colour.
    """
    import altair as alt

    names = list(dict.fromkeys(row["system"] for row in rows))
    channels: list[tuple[str, Any, Sequence[Any]]] = [
        ("color", alt.Color, SYSTEMS),
        ("strokeDash", alt.StrokeDash, DASHES),
        ("shape", alt.Shape, SHAPES),
    ]
    # below the chart, where a telephone shows it
    legend = alt.Legend(title=None, orient="bottom", columns=2, labelLimit=LONGEST_LABEL)
    return {
        name: of("system:N", scale=alt.Scale(domain=names, range=list(values)), legend=legend)
        for name, of, values in channels
    }


def loss_chart(rows: Sequence[Mapping[str, Any]], coin: float, title: str) -> alt.LayerChart:
    """Return the log-loss of systems with its interval, one row each, and a line where a coin stands.

    Args:
        rows: For each system `system`, `log_loss`, `low` and `high`, from top to bottom.
        coin: Log-loss of a coin.
        title: What is shown, for those who cannot see it too.
    """
    import altair as alt

    names = [row["system"] for row in rows]
    base = alt.Chart(alt.InlineData(values=[dict(row) for row in rows]), title=title, description=title).encode(
        y=alt.Y("system:N", title=None, sort=names, axis=alt.Axis(labelLimit=LONGEST_LABEL))
    )
    ticks = alt.Axis(tickCount=7, labelOverlap=True)
    axis = alt.X("low:Q", title="log-loss, lower is better", scale=alt.Scale(zero=False), axis=ticks)
    bars = base.mark_rule(color=LINE, strokeWidth=2).encode(x=axis, x2="high:Q")
    dots = base.mark_circle(color=LINE, size=60, opacity=1).encode(x="log_loss:Q")
    line = alt.Chart(alt.InlineData(values=[{"coin": coin}])).mark_rule(color=MARK, strokeDash=[4, 4])
    layers = [line.encode(x="coin:Q"), bars, dots]
    return alt.LayerChart(layer=layers).properties(width=WIDTH, height=22 * max(len(names), 2))


def bar_chart(rows: Sequence[Mapping[str, Any]], title: str) -> alt.LayerChart:
    """Return a figure of each system as bars from 0, one row each, as narrow as a telephone.

    Args:
        rows: `system`, `value`, and `text`, the value as it is printed, from top to bottom.
        title: What is shown, for those who cannot see it too.
    """
    import altair as alt

    names = [row["system"] for row in rows]
    axis = alt.Axis(tickCount=4, labelOverlap=True)
    base = alt.Chart(alt.InlineData(values=[dict(row) for row in rows]), title=title, description=title).encode(
        y=alt.Y("system:N", title=None, sort=names, axis=alt.Axis(labelLimit=LONGEST_LABEL)),
        x=alt.X("value:Q", title=None, axis=axis),
    )
    # beside the bar, also of one that goes below 0
    figures = (
        base.transform_calculate(end="max(datum.value, 0)")
        .mark_text(align="left", dx=4)
        .encode(x=alt.X("end:Q", title=None, axis=axis), text="text:N")
    )
    layers = [base.mark_bar(color=LINE), figures]
    return alt.LayerChart(layer=layers).properties(width=NARROW, height=22 * max(len(names), 2))


def share_chart(rows: Sequence[Mapping[str, Any]], across: str, upwards: str, title: str) -> alt.LayerChart:
    """Return expected and observed shares: a line of expectations for each system, ticks with intervals for results.

    Args:
        rows: `across`, `share`, and `system`, empty for results, which may have `low` and `high`.
        across, upwards: What the axes say.
        title: What is shown, for those who cannot see it too.
    """
    import altair as alt

    order = list(dict.fromkeys(row["across"] for row in rows))
    base = alt.Chart(title=title, description=title).encode(
        x=alt.X("across:N", title=across, sort=order, axis=alt.Axis(labelAngle=-40, labelLimit=LONGEST_LABEL)),
        y=alt.Y("share:Q", title=upwards, axis=alt.Axis(format="%"), scale=alt.Scale(zero=False)),
    )
    forecasts = [dict(row) for row in rows if row["system"]]
    looks, lines = looks_of_systems(forecasts), alt.InlineData(values=forecasts)
    expected = base.mark_line().encode(color=looks["color"], strokeDash=looks["strokeDash"])
    points = base.mark_point(filled=True, size=40, opacity=1).encode(color=looks["color"], shape=looks["shape"])
    seen = base.mark_tick(color=MARK, thickness=3, width=16)
    ends = base.mark_rule(color=MARK, strokeWidth=3).encode(y="low:Q", y2="high:Q")
    dots = alt.InlineData(values=[dict(row) for row in rows if not row["system"]])
    results = [ends.properties(data=dots), seen.properties(data=dots)]
    layers = [*results, expected.properties(data=lines), points.properties(data=lines)]
    return alt.LayerChart(layer=layers).properties(width=WIDTH, height=HEIGHT)


def calibration_chart(rows: Sequence[Mapping[str, Any]], title: str) -> alt.LayerChart:
    """Return how often Black won where systems gave so much chance; on the diagonal forecasts mean what they say.

    Args:
        rows: `system`, `forecast`, `score` and `games`.
        title: What is shown, for those who cannot see it too.
    """
    import altair as alt

    scale = alt.Scale(domain=[0, 1])
    base = alt.Chart(alt.InlineData(values=[dict(row) for row in rows]), title=title, description=title).encode(
        x=alt.X("forecast:Q", title="forecast for Black", scale=scale, axis=alt.Axis(format="%")),
        y=alt.Y("score:Q", title="Black scored", scale=scale, axis=alt.Axis(format="%")),
    )
    looks = looks_of_systems(rows)
    ends = alt.InlineData(values=[{"forecast": 0, "score": 0}, {"forecast": 1, "score": 1}])
    diagonal = alt.Chart(ends).mark_line(color=MARK, strokeDash=[4, 4]).encode(x="forecast:Q", y="score:Q")
    lines = base.mark_line().encode(color=looks["color"], strokeDash=looks["strokeDash"])
    dots = base.mark_point(filled=True, opacity=0.8).encode(
        color=looks["color"], shape=looks["shape"], size=alt.Size("games:Q", legend=None)
    )
    return alt.LayerChart(layer=[diagonal, lines, dots]).properties(width=HEIGHT + 80, height=HEIGHT + 80)


def as_svg(chart: alt.TopLevelMixin) -> str:
    """Return a chart as SVG, made on this machine without any service."""
    import vl_convert

    drawn = chart.to_dict()
    text = {"labelFontSize": TEXT, "titleFontSize": TEXT}
    drawn["config"] = {
        **drawn.get("config", {}),
        "title": {"anchor": "start", "fontSize": TEXT + 1},  # where narrow screens begin to scroll
        "axis": text,
        "legend": text,
        "text": {"fontSize": TEXT},
    }
    return str(vl_convert.vegalite_to_svg(drawn))
