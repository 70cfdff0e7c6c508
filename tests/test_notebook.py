"""What a notebook shows of each object: tables and pictures that load nothing, with every text escaped."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

import handan
from tests.conftest import ROOT

NAME = "Ada <script>"
LEDGER = handan.Ledger.of(
    [handan.Game(NAME, "Bo & Co", "B+R", f"2026-05-{day:02}") for day in range(1, 13)]
    + [handan.Game("Cy", NAME, "W+2.5", "2026-05-20", handicap=2)]
)
VOID = {"br", "meta"}


class Elements(HTMLParser):
    """The elements of a page; refuses those that are not closed in their order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: dict[str, int] = {}
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert not dict(attrs).keys() & {"src", "href"}
        self.seen[tag] = self.seen.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("system", ["elo", "sagc", "whr"])
def test_every_object_is_a_table_or_a_paragraph(system: str) -> None:
    ratings = handan.systems.system(system).rate(LEDGER)
    lines = ratings.explain(NAME)
    shown: list[tuple[Any, int | None]] = [
        (LEDGER, 10 + 1),
        (ratings, 3 + 1),
        (ratings[NAME], 13 + 1),
        (lines, 13 + 1),
        (lines[0], None),
        (ratings.fair_terms(NAME, "Cy"), 0),
    ]
    for thing, rows in shown:
        elements = Elements(thing._repr_html_())
        assert "script" not in elements.seen
        assert rows in {None, elements.seen.get("tr", 0)}, thing
    assert lines[0].reason.factors[0].name in lines[0]._repr_html_()


def test_a_card_and_a_comparison_are_tables() -> None:
    card = handan.card("tokyo15")
    assert Elements(card._repr_html_()).seen["tr"] == len(card.rows()) + 1
    answer = handan.compare(handan.read(ROOT / "examples" / "club" / "games.csv"), "elo,egf")
    assert Elements(answer._repr_html_()).seen["tr"] == 2 + 1
    assert repr(answer).count("\n") == 2


def test_a_chart_is_a_picture_that_needs_no_program() -> None:
    chart: Any = handan.rate(LEDGER, "elo").chart("Cy")
    shown = chart._repr_mimebundle_()
    assert set(shown) == {"image/svg+xml", "text/plain"}
    assert shown["image/svg+xml"].startswith("<svg")


def test_figures_stand_to_the_right_and_words_to_the_left() -> None:
    table = handan.rate(ROOT / "examples" / "games.csv", "egf")["Alice"]._repr_html_()
    head = re.findall(r'<th style="text-align: (\w+)[^"]*">([^<]+)', table)
    assert {name for side, name in head if side == "left"} >= {"opponent", "result", "rank", "why"}
    assert {name for side, name in head if side == "right"} >= {"game", "before", "change", "after"}
    assert all("nowrap" in cell for cell in re.findall(r'<td style="([^"]*)">\d{4}-\d\d-\d\d', table))
