"""A club's own card as people type and paste it: every form is read, and every line that cannot be is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handan.handicaps import CARDS, card_of_text, card_terms, card_text
from handan.handicaps.pasted_card import MOST_CHARACTERS, read_typed
from handan.paper.card_table import card_table, runs, terms_words
from handan.paper.words import LANGUAGES

LINES = "0–5: even, Black gives 6.5\n6–11: Black first, no komi\n12-17: 2 stones, White gives 3"
TERMS = [(range(6), 0, 6.5), (range(6, 12), 1, 0.0), (range(12, 18), 2, -3.0)]
"""Differences, stones as clubs count them (0 even, 1 Black first), komi to White."""


@pytest.mark.parametrize(
    "text",
    [
        LINES,
        LINES.replace("–", " to ").replace(": ", "\t"),
        "0～5　互先　コミ6目半\n６～11点 先 コミなし\n12から17: 2子 逆コミ3目",
        "差\t手合\tコミ\n0-5\t0\t6.5\n6-11\t1\t0\n12-17\t2\t−3",
        "0,5,0,6.5\n6,11,1,0\n12,17,2,-3",
        "from;to;stones;komi;tie\n0;5;0;6,5;\n6;11;1;0;\n12;17;2;-3;jigo\n",
        "from,to,free_stones,komi\n12,17,1,-3\n",
        "\teven\tfirst\t2 stones\nBlack gives 6.5\t0–5\t\t\nno komi\t–\t6–11\t\nWhite gives 3\t\t\t12–15, 16–17",
    ],
)  # fmt: skip
def test_a_card_is_read_in_whatever_form_a_club_has_it(text: str) -> None:
    typed = read_typed(text)
    expected = {number: (stones, komi) for span, stones, komi in TERMS for number in span}
    if "free_stones" in text:
        expected = dict.fromkeys(range(12, 18), (2, -3.0))
    assert {number: (row.card_stones, row.komi) for number, row in typed.rows.items()} == expected
    assert not typed.has_faults


@pytest.mark.parametrize(("text", "komi"), [("6目半", 6.5), ("−3目半", -3.5), ("半目", 0.5), ("逆コミ3目半", -3.5)])
def test_half_a_point_behind_a_komi_goes_farther_from_nothing(text: str, komi: float) -> None:
    assert read_typed(f"0: 2子 {text}").rows[0].komi == komi


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CARDS)
def test_the_words_of_every_printed_card_are_read_back_in_every_language(name: str, language: str) -> None:
    """The poster's words of a run, `12–23: 2 stones, Black gives 6 … White gives 5`, make the same terms again."""
    table = card_table(CARDS[name])
    lines = [f"{run.text}: {terms_words(run.first, run.last, language)}" for run in runs(table.entries)]
    typed = read_typed("\n".join(lines), CARDS[name].tie)
    printed = {
        number: (entry.terms.stones_on_board, entry.terms.komi, entry.terms.tie)
        for entry in table.entries for number in range(entry.first, entry.last + 1)
    }  # fmt: skip
    assert {number: (row.stones_on_board, row.komi, row.tie) for number, row in typed.rows.items()} == printed
    assert not typed.has_faults


@pytest.mark.parametrize("name", CARDS)
def test_a_card_survives_the_way_through_the_text_that_rules_keep(name: str) -> None:
    text = card_text(CARDS[name])
    again, problems = card_of_text(text)
    assert ([str(problem) for problem in problems], card_text(again)) == ([], text)
    pairs = [(("A", 0.0), ("B", float(number))) for number in range(len(CARDS[name].rows()))]
    assert [card_terms(again, *pair) for pair in pairs] == [card_terms(CARDS[name], *pair) for pair in pairs]
    assert again.title == CARDS[name].title


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        ("hello", "range", "“hello” does not begin with a difference"),
        ("3: nonsense", "words", "“nonsense” is not understood"),
        ("5–2: 2 stones", "backwards", "5–2 runs backwards"),
        ("7: komi 6.5", "stones", "does not say the stones"),
        ("7: 2 stones, komi 6.5 and tea", "words", "“tea” is not understood"),
        ("2000: 2 stones", "far", "2000 is more than 1000"),
        ("7–9: 2 stones, Black gives 6 … White gives 5", "steps", "7–9 is 3 differences, and the komi goes over 12"),
        ("7: 2 stones, komi 999", "words", "is not understood"),
        ("5: 2 stones", "overlap", "difference 5 stands in line 1 already, which counts"),
        ("20: 2 stones, White gives 4", "gap", "differences 12–19 stand nowhere"),
        ("12: even, Black gives 6.5", "less", "difference 12 gives Black less help than difference 11"),
    ],
)
def test_each_line_that_is_wrong_is_named_with_what_is_wrong(line: str, kind: str, words: str) -> None:
    typed = read_typed("\n".join([*LINES.splitlines()[:2], "", line]))
    remark = typed.remarks[0]
    assert (len(typed.remarks), remark.line, remark.kind) == (1, 4, kind)
    assert words in remark.text
    assert remark.is_fault == (kind not in {"overlap", "gap", "less"})
    assert len(typed.rows) >= 12


def test_a_card_that_begins_late_or_nowhere_is_named() -> None:
    assert [remark.kind for remark in read_typed("3: 2 stones").remarks] == ["late"]
    assert [remark.kind for remark in read_typed("# our card\n\n").remarks] == ["empty"]
    assert [remark.kind for remark in read_typed("1: 2 stones\n" * 2000).remarks] == ["lines"]


@given(st.text(alphabet="0123456789–-:, \t\n.komiblackwhite子目半先互先stonevn#", max_size=300))
def test_whatever_is_typed_is_a_card_or_named(text: str) -> None:
    typed = read_typed(text)
    assert typed.rows or typed.remarks
    if typed.rows:
        again = read_typed(card_text(typed.card()))
        assert [(row.difference, row.card_stones, row.komi, row.tie) for row in again.card().listed] == [
            (row.difference, row.card_stones, row.komi, row.tie) for row in typed.card().listed
        ]


@pytest.mark.parametrize("text", ["1: komi" + " " * MOST_CHARACTERS, "1: " + "a\t" * 20_000, "1," * 25_000])
def test_a_text_without_end_is_read_at_once(text: str) -> None:
    assert len(read_typed(text).remarks) == 1
