"""The page of a club as one HTML file: nothing is loaded from elsewhere, and nothing in it is a script."""

from __future__ import annotations

import base64
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

import handan
from handan.reports.club_report import MOST_CHARTS, ClubReport, MemberCard

if TYPE_CHECKING:
    from jinja2 import Environment

WIDTH_OF_TERMS = 8  # our choice: opponents side by side in the table of who takes what; so many fit on A4


def as_html(report: ClubReport, *, progress: Callable[[str, int, int], None] | None = None) -> str:
    """Return the page; charts are in it if the extra `handan[charts]` is installed."""
    charts = {}
    drawn = [card for card in report.cards if len(card.points) > 2][:MOST_CHARTS] if charts_available() else []
    for number, card in enumerate(drawn, 1):
        if progress:
            progress("charts", number, len(drawn))
        charts[card.anchor] = _chart(report, card)
    blocks = [report.paired[start : start + WIDTH_OF_TERMS] for start in range(0, len(report.paired), WIDTH_OF_TERMS)]
    left_out = list(report.left_out)
    if not charts_available():
        left_out.append("charts, for which the extra handan[charts] is needed")
    page = _environment().get_template("report.html")
    return page.render(report=report, charts=charts, blocks=blocks, left_out=left_out, version=handan.__version__)


def charts_available() -> bool:
    """Return whether the libraries that draw charts are installed."""
    return find_spec("altair") is not None and find_spec("vl_convert") is not None


def _chart(report: ClubReport, card: MemberCard) -> str:
    """Return a member's chart as the address of a picture that the page holds itself."""
    from handan.charts import as_svg, history_chart

    title = f"Rating of {card.player} by game"
    picture = as_svg(history_chart(card.points, title, own_ranks=report.own_ranks))
    return f"data:image/svg+xml;base64,{base64.b64encode(picture.encode()).decode()}"


def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("handan.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
