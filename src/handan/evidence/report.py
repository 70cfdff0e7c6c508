"""A comparison as one page that needs nothing else: tables and charts, to read on a screen or to print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from handan import __version__
from handan.charts import need_charts
from handan.errors import counted
from handan.evidence.comparison import HEAD, Comparison, Pair, Part, basis, row_of
from handan.evidence.intervals import APART
from handan.evidence.scores import COIN
from handan.wording.figures import about, percent, signed

if TYPE_CHECKING:
    import altair as alt

FEWEST = 20  # our choice: games with chances alike that make a point of a chart, or a tenth of all; fewer say nothing
MOST_CURVES = 5  # systems whose calibration one chart shows; our choice
STYLE = """
:root { color-scheme: light; background: #fff; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; } th { vertical-align: bottom; }
td { white-space: nowrap; } td:last-child { white-space: normal; min-width: 10.5rem; }
.wide, figure { overflow-x: auto; }
figure { margin: 1.5rem 0; padding: 0 3rem 0 1rem; } svg { overflow: visible; }
figcaption, small { color: #555; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 0 1.5rem; }
.charts figure { padding: 0; }
@media (max-width: 40rem) {
  h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; } body { margin: 1rem auto; }
  figure { padding: 0; } svg { max-width: 100%; height: auto; }
}
@page { size: A4; margin: 14mm 12mm; }
@media print {
  body { margin: 0; padding: 0; max-width: none; font-size: 9pt; } h1 { font-size: 16pt; margin: 0 0 3mm; }
  h2 { font-size: 12pt; margin: 6mm 0 2mm; } p { margin: 1.5mm 0; } table { margin: 2mm 0; } figure { margin: 3mm 0; }
  h1, h2, thead { break-after: avoid; } figure, tr, p, li { break-inside: avoid; }
  thead { display: table-header-group; } th, td { padding: .12rem .5rem; } td:last-child { min-width: 0; }
  svg { max-width: 100%; height: auto; } .wide, figure { overflow: visible; padding: 0; }
  figcaption, small { font-size: 8.5pt; }
}
"""


def whole_page(title: str, body: str) -> str:
    """Return a page that loads nothing, for screens of any width and paper."""
    viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{viewport}<title>{escape(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def page(answer: Comparison, title: str = "Which rating system forecasts these games?") -> str:
    """Return the page as HTML; InputError where what draws the charts is not installed."""
    need_charts()
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(basis(answer))}</p>",
        f"<p>{escape(answer.sentence)}</p>",
        table(HEAD, (row_of(each) for each in answer.systems)),
        *(["<h2>What each part earns</h2>", table(PARTS, map(_part, answer.parts))] if answer.parts else ()),
        figure(_losses(answer), "Log-loss with its 95 % interval; the broken line is a coin."),
        "<h2>Do chances mean what they say?</h2>",
        figure(
            _calibration(answer),
            "Of the best systems, chances that were given to at least "
            f"{counted(_fewest(answer), 'game')}. Flatter than the straight line from corner to corner is too sure.",
        ),
        *_parts(answer),
        "<h2>Pairs</h2>",
        table(("systems", "difference", "95 % interval", "verdict", "games that would tell"), map(_pair, answer.pairs)),
        "<h2>What the figures are</h2>",
        *(f"<p><small>{text}</small></p>" for text in _EXPLAINED),
        *_notes(answer),
        f"<p><small>Handan {__version__}</small></p>",
    ]
    return whole_page(title, "\n".join(part for part in parts if part))


def _notes(answer: Comparison) -> list[str]:
    """Return what to know about these very games, as a list with a heading; nothing without any."""
    items = "".join(f"<li><small>{escape(note)}</small></li>" for note in answer.notes)
    return ["<h2>About these games</h2>", f"<ul>{items}</ul>"] if items else []


PARTS = ("part", "earns", "95 % interval", "so it")
_EXPLAINED = (
    "Log-loss: the mean of -ln of the chance that was given to what happened, a draw one half. A coin has 0.6931. "
    "Brier: the mean squared distance of chance and result. Accuracy: how often the side with the higher chance won.",
    "Slope: 1 where chances are as forecast, below 1 where forecasts are too sure, above 1 where they are too timid.",
    "Intervals: games of one day, and games that share a player, are taken as alike; with few days or players they are "
    "wider. Of twenty systems that are equally good, one seems better at 95 %.",
)


def _part(part: Part) -> tuple[str, ...]:
    low, high = (signed(value, 4) for value in part.interval)
    return f"{part.system}: {part.part}", signed(part.earns, 4), f"{low} to {high}", part.verdict


def _pair(pair: Pair) -> tuple[str, ...]:
    low, high = (signed(value, 4) for value in pair.interval)
    open_question = pair.verdict == APART and pair.games_needed is not None
    needed = about(pair.games_needed or 0) if open_question else ""
    return f"{pair.a} / {pair.b}", signed(pair.difference, 4), f"{low} to {high}", pair.verdict, needed


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table, empty without rows."""
    lines = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<div class="wide" tabindex="0"><table><tr>{top}</tr>{body}</table></div>' if lines else ""


def figure(chart: alt.LayerChart | None, caption: str) -> str:
    """Return a chart as a figure, empty without one."""
    if chart is None:
        return ""
    from handan.charts import as_svg

    return f'<figure tabindex="0">{as_svg(chart)}<figcaption>{escape(caption)}</figcaption></figure>'


def _losses(answer: Comparison) -> alt.LayerChart | None:
    from handan.charts import loss_chart

    rows = [
        {"system": each.system, "log_loss": each.log_loss, "low": each.interval[0], "high": each.interval[1]}
        for each in answer.systems
        if each.interval is not None
    ]
    return loss_chart(rows, COIN, "Log-loss of each system") if rows else None


def _fewest(answer: Comparison) -> int:
    """Return how many games make a point of the chart of calibration."""
    return max(min(FEWEST, answer.scored // 10), 1)


def _calibration(answer: Comparison) -> alt.LayerChart | None:
    from handan.charts import calibration_chart

    rows = [
        {"system": each.system, "forecast": part.forecast, "score": part.score, "games": part.games}
        for each in answer.systems[:MOST_CURVES]
        if each.calibration is not None
        for part in each.calibration.table
        if part.games >= _fewest(answer)
    ]
    return calibration_chart(rows, "Forecasts and results") if rows else None


def _parts(answer: Comparison) -> list[str]:
    """Return the section about parts of the games, where it was asked for."""
    from handan.charts import share_chart

    if not answer.groups or answer.by is None:
        return []
    rows, lines = [], []
    for group in answer.groups:
        if group.white_score is None or group.interval is None:
            continue
        low, high = group.interval
        across = {"across": group.group}
        rows.append(across | {"system": "", "share": group.white_score, "low": low, "high": high})
        for each in answer.systems[:MOST_CURVES]:
            expected = group.white_expected.get(each.system)
            if expected is not None:
                rows.append(across | {"system": each.system, "share": expected})
        lines.append(
            (group.group, f"{group.games:,}", percent(group.white_score), f"{percent(low)} to {percent(high)}")
        )
    chart = share_chart(rows, answer.by, "White scores", "White's score and its forecasts") if rows else None
    return [
        f"<h2>White's score by {escape(answer.by)}</h2>",
        figure(chart, "Grey: White's score with its 95 % interval; lines: what the systems forecast."),
        table((answer.by, "games", "White scores", "95 % interval"), lines),
    ]
