"""Ranks compared between organisations: the printed rows, ranges instead of guesses, and the date of every answer."""

from __future__ import annotations

import pytest

from handan.comparison import ORGANISATIONS, ROWS, compare, dgs_rating, span
from handan.errors import InputError
from handan.ranks import Rank
from tests.conftest import ROOT


@pytest.mark.parametrize(
    ("rank", "source", "target", "low", "high"),
    [
        # source: Sensei's Library, Rank - worldwide comparison, snapshot of 2009-07-15
        ("1d", "KGS", "egf", "2k", "2k"),
        ("3k", "KGS", "EGF", "5k", "5k"),
        ("4k", "kgs", "europe", "7k", "6k"),  # two rows bear KGS 4k
        ("1k", "Japan", "ORO", "6k", "2k"),
        ("2k", "Europe", "OGS", "2k", "2k"),
        ("4d", "Japan", "ogs", "2d", "4d"),
        ("1k", "OGS", "AGA", "3d", "3d"),  # inside the cell 1k-1d
    ],
)
def test_a_rank_is_looked_up_in_all_rows_that_bear_it(rank: str, source: str, target: str, low: str, high: str) -> None:
    answer = compare(Rank.parse(rank), source, target)
    assert (answer.low, answer.high) == (low, high)
    assert "2009-07-15" in answer.text
    assert answer.notes


@pytest.mark.parametrize(
    ("cell", "weak", "strong"),
    [("25-21k", "25k", "21k"), ("2k-2d", "2k", "2d"), ("3-4d", "3d", "4d"), ("7d", "7d", "7d")],
)
def test_a_cell_may_hold_a_range(cell: str, weak: str, strong: str) -> None:
    assert span(cell) == (Rank.parse(weak), Rank.parse(strong))


def test_every_column_rises_from_weak_to_strong() -> None:
    assert len(ROWS) == 36
    for name in ORGANISATIONS:
        spans = [cell for row in ROWS if (cell := span(row[name]))]
        assert [low for low, _ in spans] == sorted(low for low, _ in spans), name


def test_what_the_table_does_not_hold_is_refused() -> None:
    with pytest.raises(
        InputError, match="KGS 30k has no Europe rank in the table of 2009-07-15; it reaches from 20k to 7d"
    ):
        compare(Rank.kyu(30), "kgs", "egf")
    with pytest.raises(InputError, match="organisation 'kgb' is not one of"):
        compare(Rank.kyu(3), "kgb", "egf")


def test_later_statements_stand_beside_the_answer() -> None:
    assert any("0.7 stone weaker" in note for note in compare(Rank.dan(1), "ogs", "egf").notes)


@pytest.mark.parametrize(("source", "rating", "expected"), [("KGS", 600, 0), ("KGS", 1450, 1100), ("IGS", 1350, 1300)])
def test_the_dragon_servers_own_map_is_linear_between_its_knots(source: str, rating: float, expected: float) -> None:
    assert dgs_rating(rating, source) == pytest.approx(expected)


def test_the_page_shows_the_table_that_is_used() -> None:
    lines = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8").splitlines()
    shown = [line.split() for line in lines]
    assert shown.count([*ROWS[0]]) == 1
    assert [line for line in shown[shown.index([*ROWS[0]]) + 1 :] if len(line) == len(ROWS[0])] == [
        [*row.values()] for row in ROWS
    ]
