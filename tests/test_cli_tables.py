"""`handan card`, `systems` and `rank`, and how numbers and text are shown."""

from __future__ import annotations

import io
import json
import sys
import threading
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from handan.cli import notices, tables
from handan.cli.output import plain, visible
from handan.cli.tables import Column, aligned
from handan.handicaps import CARDS
from handan.systems import SYSTEMS
from handan.wording.figures import brief, digits, fixed, signed
from tests.command_line import run, table


def test_the_whole_tokyo_card_is_printed() -> None:
    # Sensei's Library, Point Ranking Scheme At Tokyo Go clubs: differences 0 to 44
    rows = run("card", "tokyo15", "--format", "json").json["rows"]
    assert len(rows) == 45
    terms = {row["difference"]: (row["card_stones"], row["komi"]) for row in rows}
    assert (terms[0], terms[14], terms[15], terms[44]) == ((0, 6.5), (1, -7.5), (2, 6.5), (3, -7.5))
    lines = run("card", "tokyo15").out.splitlines()
    assert lines[0].startswith("Tokyo clubs")
    assert lines[1].startswith("Source: ")
    assert lines[-1].split() == ["44", "3", "3", "-7.5", "impossible"]


def test_the_cards_are_listed() -> None:
    assert [row["card"] for row in run("card", "--format", "json").json] == list(CARDS)
    assert [line.split()[0] for line in run("card").out.splitlines()[1:]] == list(CARDS)
    assert [row["card"] for row in run("card", "--format", "csv").csv] == list(CARDS)


def test_a_printed_card_is_a_club_s_own_card_again(tmp_path: Path) -> None:
    own = tmp_path / "own.csv"
    rows = run("card", "futabi13", "--format", "csv").csv
    table(
        own, ("difference", "stones", "komi"), *[f"{r['difference']},{r['stones_on_board']},{r['komi']}" for r in rows]
    )
    again = run("card", own, "--format", "csv").csv
    assert [(r["free_stones"], r["komi"]) for r in again] == [(r["free_stones"], r["komi"]) for r in rows]


def test_the_systems_are_listed_with_their_settings() -> None:
    assert [row["system"] for row in run("systems", "--format", "json").json] == list(SYSTEMS)
    settings = run("systems", "elo", "--format", "json").json["settings"]
    (k,) = (row for row in settings if row["name"] == "k")
    assert (k["default"], k["unit"], k["low"], k["high"]) == (20, "Elo", 0, 1000)
    assert set(k) == {"name", "default", "unit", "low", "high", "choices", "text"}


@pytest.mark.parametrize("name", list(SYSTEMS))
def test_settings_say_their_numbers(name: str) -> None:
    texts = [row["text"] for row in run("systems", name, "--format", "json").json["settings"]]
    assert not [text for text in texts if "{" in text]
    entry = [text for text in texts if "terms of the first game give" in text]
    assert all(text.endswith(f"else {SYSTEMS[name]._customary_start:g}") for text in entry)


@pytest.mark.parametrize("name", list(SYSTEMS))
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_every_system_shows_its_settings(name: str, form: str) -> None:
    answer = run("systems", name, "--format", form)
    assert (answer.status, answer.err) == (0, "")
    assert len(answer.out.splitlines()) > 3


def test_a_rank_is_named_in_all_languages() -> None:
    answer = run("rank", "5k", "--format", "json").json
    assert (answer["rank"], answer["elo"], answer["stones"], answer["rank_number"]) == ("5k", 1600, 26, 26)
    assert answer["stage"] == "Intermediate amateur"  # Go ranks and ratings (Wikipedia): 9-1k
    assert {"5k", "5 kyu", "5級", "5级", "5급", "5e kyu", "5. Kyu"} == set(answer["names"].values())
    assert "5級" in run("rank", "5k").out


@pytest.mark.parametrize("words", [("5k",), ("5", "kyu"), ("5 kyu",), ("5級",), ("5급",), ("--bare-kyu", "5")])
def test_a_rank_is_read_as_people_write_it(words: tuple[str, ...]) -> None:
    assert run("rank", *words, "--format", "csv").csv[0]["rank"] == "5k"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rank", "5"], "rank '5' is not a rank such as"),
        (["rank", "31k"], "'31k'"),
        (["card", "tokio15"], "did you mean tokyo15?"),
        (["card", "nowhere.csv"], "nowhere.csv"),
        (["systems", "elp"], "did you mean elo?"),
        (["card", "\x1b[31m\n"], r"\x1b[31m\x0a"),
        (["crad"], "crad"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(arguments: list[str], message: str) -> None:
    answer = run(*arguments)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert message in answer.err
    assert "\x1b" not in answer.err


def test_figures_have_the_digits_that_their_size_asks_for() -> None:
    assert (digits([215.0, -3.0, None]), digits([1500.3]), digits([-3.25, float("nan")])) == (0, 1, 2)
    assert (fixed(1500.25, 1), fixed(None, 0), fixed(float("nan"), 0), fixed(-0.01, 1)) == ("1500.2", "", "", "0.0")
    assert (signed(499.0, 0), signed(-172.0, 0), signed(0.0, 0), signed(0.04, 1)) == ("+499", "-172", "0", "0.0")
    assert [brief(value) for value in (369.9525, 0.34567, 1.0, True, None, -0.0, 0.00001234)] == [
        "369.95", "0.3457", "1", "yes", "", "0", "1.23e-05",
    ]  # fmt: skip


@given(st.text())
def test_shown_text_holds_no_control_characters(text: str) -> None:
    assert all(c.isprintable() or c in "\u200c\u200d" for c in visible(text))
    assert visible(visible(text)) == visible(text)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(), st.lists))
def test_whatever_is_found_can_be_written_as_json(value: object) -> None:
    json.dumps(plain(value), allow_nan=False)


@given(st.lists(st.tuples(st.text(st.characters(categories=["Lu", "Lo"])), st.integers()), min_size=1))
def test_columns_stand_straight(rows: list[tuple[str, int]]) -> None:
    lines = aligned(
        [Column("player", [name for name, _ in rows]), Column("points", [str(n) for _, n in rows], right=True)]
    )
    assert len({cell_len(line) for line in lines.split("\n")}) == 1


class Terminal(io.StringIO):
    """A stream that says it is a terminal, and when a word was written to it."""

    def __init__(self, awaited: str) -> None:
        super().__init__()
        self.awaited, self.seen = awaited, threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self.awaited in text:
            self.seen.set()
        return super().write(text)


def test_long_work_shows_a_sign_of_life_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal("reading 3 files")
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(notices, "PATIENCE", 0.0)
    with notices.working("reading 3 files"):
        assert screen.seen.wait(timeout=60)


class Pipe(Terminal):
    """A stream that is no terminal."""

    def isatty(self) -> bool:
        return False


def test_long_work_shows_a_sign_of_life_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = Pipe("round 7 (7 of 1,000)")
    monkeypatch.setattr(sys, "stderr", pipe)
    monkeypatch.setattr(notices, "BETWEEN", 0.001)
    with notices.working("fitting a card") as progress:
        progress("round 7", 7, 1000)
        assert pipe.seen.wait(timeout=60)
    before = pipe.getvalue()
    assert set(before.splitlines()) <= {"working: fitting a card", "working: round 7 (7 of 1,000)"}
    with notices.quietly(quiet=True), notices.working("fitting a card"):
        pass
    assert pipe.getvalue() == before


@pytest.mark.parametrize("terminal", ["xterm", "dumb"])
def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch, terminal: str) -> None:
    screen = Terminal("reading")
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    with notices.working("reading 3 files"):
        pass
    assert screen.getvalue() == ""


def written_exactly(value: float, decimals: int) -> Decimal:
    """Return a number of 14 digits rounded by decimal arithmetic, a half to the even digit."""
    exact = Decimal(f"{value:.14g}")
    return exact if abs(exact) >= 10**15 else exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN)


@given(
    value=st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**7), 10**7).map(lambda whole: whole / 8),
    decimals=st.integers(0, 6),
)
def test_a_number_is_rounded_as_decimal_arithmetic_rounds_it(value: float, decimals: int) -> None:
    exact = written_exactly(value, decimals)
    expected = f"{exact or abs(exact):f}"
    assert fixed(value, decimals) == expected
    assert signed(value, decimals) == ("+" if exact > 0 else "") + expected


def test_lines_break_at_the_terminal_s_width_beneath_the_words_they_belong_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "terminal_width", lambda: 44)
    text = "    1.5  game result factor: Promotion zone, victory\n  名前が長い人 plays here and 名前が長い人 goes on"
    assert tables.wrapped(text).split("\n") == [
        "    1.5  game result factor: Promotion zone,",
        "         victory",
        "  名前が長い人 plays here and 名前が長い人",
        "    goes on",
    ]
    monkeypatch.setattr(tables, "terminal_width", lambda: None)
    assert tables.wrapped(text) == text
