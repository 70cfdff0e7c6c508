"""What faults cost rating systems, as one page that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from handan import __version__
from handan.charts import need_charts
from handan.evidence.report import figure, table, whole_page
from handan.evidence.stress import MEASURES, Stress

TITLES = {
    "error": "error",
    "newcomer_games": "newcomer",
    "inflation": "inflation",
    "split": "two pools",
    "mistakes": "wrong results",
    "sandbaggers": "sandbaggers",
    "collusion": "collusion",
}
WORDS = {
    "error": "ranks by which chances of games between regulars were wrong",
    "newcomer_games": "games until a newcomer's chances are within half a rank of that",
    "inflation": "ranks a year by which regulars who stay as strong as they are rise, while newcomers improve",
    "split": "ranks by which chances between two pools were wrong that forty games join",
    "mistakes": "log-loss added by 5 % of results entered the wrong way round, in thousandths",
    "sandbaggers": "log-loss added by 10 % who declare three ranks less and lose on purpose, in thousandths",
    "collusion": "ranks by which those are overrated whom a partner let win sixty times",
}
DECIMALS = {"newcomer_games": 0, "mistakes": 1, "sandbaggers": 1}


def cell(name: str, value: float | None) -> str:
    """Return a figure as it is printed."""
    return "" if value is None else f"{value:.{DECIMALS.get(name, 2)}f}"


def stress_page(answers: Sequence[Stress]) -> str:
    """Return the page as HTML; InputError where what draws the charts is not installed."""
    from handan.charts import bar_chart

    need_charts()
    title = "What faults cost rating systems"
    rows = [(each.system, *(cell(name, getattr(each, name)) for name in MEASURES)) for each in answers]
    parts = [f"<h1>{escape(title)}</h1>", table(("system", *TITLES.values()), rows)]
    charts = []
    for name in MEASURES:
        values = [(each.system, getattr(each, name)) for each in answers]
        there = [{"system": of, "value": value, "text": cell(name, value)} for of, value in values if value is not None]
        if there:
            charts.append(figure(bar_chart(there, TITLES[name]), WORDS[name].capitalize() + "."))
    parts.append(f'<div class="charts">{"".join(charts)}</div>')
    parts.append(f"<p><small>Invented clubs whose true strengths are known. Handan {__version__}</small></p>")
    return whole_page(title, "\n".join(parts))
