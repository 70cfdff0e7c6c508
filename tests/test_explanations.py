"""Explanations can be checked by hand: what the printed numbers come to is the printed change."""

from __future__ import annotations

import re
from datetime import date
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal, localcontext
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import handan
from handan.cli.explain import paragraph
from handan.files import read
from handan.ledger import Game, Ledger
from handan.ratings import Explanation, Factor, Reason
from handan.ratings.arithmetic import Term, arithmetic
from handan.ratings.explanation import Lines
from handan.ratings.lines import lines_between
from handan.systems import SYSTEMS
from handan.wording.figures import digits, fixed, step
from tests.clubs import a_club
from tests.command_line import games, run, table
from tests.forms import EACH_KIND, extended_but

PAIRS = ("Ada,Bo", "Bo,Chidi", "Chidi,Ada", "Ada,Chidi", "Bo,Ada", "Chidi,Bo", "Ada,Bo", "Bo,Ada")
RESULTS = (
    "B+R,0,6.5,club", "W+,2,0.5,club", "B+,0,6.5,tournament", "jigo,0,6,club",
    "W+R,3,0.5,league", "B+2.5,0,6.5,club", "B+R,0,6.5,friendly", "W+R,1,0.5,club",
)  # fmt: skip
EVERY_KIND = (
    "2026-01-03,Ada,Bo,B+3.5,0,6.5,19,tournament,Open,1,3d,2d",
    "2026-01-03,Chi,Dee,W+R,2,0.5,19,tournament,Open,1,5k,3k",
    "2026-01-03,Ada,Chi,W+T,0,6.5,19,tournament,Open,2,3d,5k",
    "2026-01-03,Bo,Dee,jigo,3,0,19,tournament,Open,2,2d,3k",
    "2026-01-10,Dee,Ada,B+F,5,0.5,19,club,,,3k,3d",
    "2026-01-10,Eve,Ada,W+,9,0.5,19,club,,,15k,3d",
    "2026-01-10,Eve,Ada,B+12,9,-20,19,club,,,15k,3d",
    "2026-01-10,Eve,Ada,W+12,9,-9,19,club,,,15k,3d",
    "2026-01-10,Eve,Ada,B+1,9,0.5,19,club,,,15k,3d",
    "2026-01-17,Fay,Gus,void,0,6.5,19,club,,,,",
    "2026-01-17,Fay,Gus,B+,1,0.5,19,club,,,,",
    "2026-01-17,Gus,Fay,both-lose,0,6.5,19,club,,,,",
    "2026-01-24,Bo,Ada,B+2,0,0,9,friendly,,,2d,3d",
    "2026-01-24,Bo,Ada,W+2,2,5.5,13,friendly,,,2d,3d",
    "2026-01-24,Bo,Ada,B+,0,6.5,19,free,,,2d,3d",
    "2026-03,Hal,Ivy,P1+,0,6.5,19,tournament-d,Web,1,30k,9p",
    "2026-03,Hal,Ivy,P=,0,6.5,19,tournament-d,Web,2,30k,9p",
    "2026-04-05,Ivy,Hal,B+R,3,6.5,19,tournament-b,May,1,9p,30k",
    "2026-04-05,Gus,Ivy,B+R,3,6.5,19,tournament-d,May,2,20k,9p",
    "2026-04-05,Kim,Bo,B+R,0,,19,league,May,3,1k,2d",
    "2026-05-05,Chi,Dee,B+R,1,-5.5,19,club,,,2k,3k",
    "2026-10-05,Chi,Dee,W+R,12,0,19,,Late,1,2k,7d",
    "2026-10-05,Lou,Mia,B+R,0,6.5,19,tournament,Late,2,20k,",
)  # fmt: skip
SET_BY_HAND = (
    "2026-01-01,Mia,4k,entry", "2026-01-20,Dee,7d,by hand", "2026-02-01,Fay,8k,",
    "2026-02-01,Gus,20k,reset", "2026-11-01,Lou,10k,after all games",
)  # fmt: skip


NUMBER = r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
HEADER = re.compile(rf"  (?:\S+ )?({NUMBER}) → (?:\S+ )?({NUMBER}) \(({NUMBER})\)")
WRITTEN = rf"{NUMBER}(?: [×+-] {NUMBER})*"
LINE = re.compile(rf"  ({WRITTEN}) = ({NUMBER})(?: → ({NUMBER}))?")
FACTOR = re.compile(rf"    ( *)({NUMBER}) +(.+?)(?: = ({WRITTEN}))?: .*")


def by_hand(text: str) -> Decimal:
    """Return what numbers with signs between them come to."""
    tokens = text.split(" ")
    result = Decimal(tokens[0])
    for sign, number in zip(tokens[1::2], tokens[2::2], strict=True):
        result = {"×": result * Decimal(number), "+": result + Decimal(number), "-": result - Decimal(number)}[sign]
    return result


def as_printed(value: Decimal, text: str) -> Decimal:
    """Return a number rounded as a printed one is, in whichever direction halves are rounded."""
    unit = Decimal(1).scaleb(int(Decimal(text).as_tuple().exponent))
    up, down = (value.quantize(unit, rounding=way) for way in (ROUND_HALF_UP, ROUND_HALF_DOWN))
    return up if up == down else value


def faults(text: str) -> list[str]:
    """Return what does not come out in one printed explanation."""
    lines = text.splitlines()
    header = HEADER.fullmatch(lines[1])
    assert header, lines[1]
    before, after, change = (Decimal(number) for number in header.groups())
    limited = "limit: " in text or "gap: " in text
    misprinted = [f"does not add up: {lines[1]}"] * (before + change != after and not limited)
    singles = []
    for line in lines[2:]:
        if written := LINE.fullmatch(line):
            left, right, cut = written.groups()
            wrong = as_printed(by_hand(left), right) != Decimal(right)
            if cut is None:
                wrong |= Decimal(right) != change
            else:
                recurring = re.search(r"with x = (\d+)", text)  # x^5 / 30000 is 3.333... for x = 10
                wrong |= not int(Decimal(right)) == int(cut) == change
                wrong |= int(by_hand(left)) != change and not (recurring and int(recurring[1]) % 3)
            misprinted += [line] * wrong
        elif factor := FACTOR.fullmatch(line):
            indent, value, _, parts = factor.groups()
            misprinted += [line] * bool(parts and as_printed(by_hand(parts), value) != Decimal(value))
            singles += [value] * (not indent)
        if "-0 " in line or re.search(r"-0\.0*(?!\d)", line):
            misprinted.append(f"minus zero: {line}")
    if len(singles) == 1:
        misprinted += [f"{singles[0]} for {change}"] * (as_printed(Decimal(singles[0]), header[3]) != change)
    return misprinted


def misprints(terms: tuple[Term, ...]) -> list[str]:
    """Return printed factors that are not their values, or have fewer than four digits without being short."""
    misprinted = []
    for factor, text, parts in terms:
        unit = Decimal(1).scaleb(int(Decimal(text).as_tuple().exponent))
        allowed = 0.5 * float(unit) + 1e-13 * abs(factor.value)
        misprinted += [f"{text} for {factor.value}"] * (abs(float(text) - factor.value) > allowed)
        misprinted += misprints(parts)
    return misprinted


def check(lines: list[Explanation]) -> None:
    """Check all lines."""
    decimals = digits(value for line in lines for value in (line.before, line.change, line.after))
    for line in lines:
        text = paragraph(line, decimals)
        assert faults(text) == [], text
        shown = step(line.before, line.change, line.after, decimals)
        terms = arithmetic(line.reason, line.change, shown.decimals).terms
        assert misprints(terms) == [], text


@pytest.mark.parametrize("name", extended_but(EACH_KIND, SYSTEMS))
@pytest.mark.parametrize("seed", extended_but([0], range(3)))
def test_what_is_printed_comes_to_the_printed_change(name: str, seed: int) -> None:
    ratings = SYSTEMS[name]().rate(a_club(seed))
    for player in ratings.ledger.players:
        check(ratings.explain(player.name))


values = st.floats(-1e4, 1e4, allow_nan=False).filter(lambda value: value == 0.0 or abs(value) > 1e-6)


@settings(max_examples=300)
@given(
    values=st.lists(values, min_size=2, max_size=5),
    combine=st.sampled_from(("product", "sum")),
    decimals=st.integers(0, 3),
)
def test_any_factors_come_to_what_is_printed(values: list[float], combine: Any, decimals: int) -> None:
    reason = Reason(tuple(Factor("factor", value, "") for value in values), combine)
    assume(abs(reason.value) < 1e6)
    written = arithmetic(reason, reason.value, decimals)
    left, right = written.line.split(" = ")
    assert right == fixed(reason.value, decimals)
    assert misprints(written.terms) == []
    with localcontext(prec=60):
        off = abs(by_hand(left) - Decimal(reason.value))
        # a value that is all but half a unit away is not told apart by twelve digits
        assert as_printed(by_hand(left), right) == Decimal(right) or 2 * off.scaleb(decimals) < 1 + Decimal("1e-4")


def test_a_product_that_is_cut_shows_the_digits_that_decide() -> None:
    # South African Go Clubs, LF = x^2 + 1.5 x + 55 + x^5 / 30000; 9 000 less a little is cut to 8 999
    level = 34 * 34 + 1.5 * 34 + 55 + 34**5 / 30000.0
    assert level == pytest.approx(2776.5141, abs=1e-4)
    for status in (9000.0 / 2776.5142, 8999.9996 / 2776.51413333, 9000.0004 / 2776.51413333):
        values = (level, status, 1.0)
        reason = Reason(tuple(Factor("factor", value, "") for value in values), "product", rounding="truncated")
        left, exact, cut = re.split(" = | → ", arithmetic(reason, reason.value, 0).line)
        assert int(by_hand(left)) == int(Decimal(exact)) == int(cut) == reason.value


def test_a_recurring_level_factor_has_four_decimals_and_its_product_is_whole() -> None:
    # ibid., 4 kyu: 100 + 15 + 55 + 10^5 / 30000 = 173.3333...; a tournament loss without differential costs 260
    reason = Reason((Factor("level", 520.0 / 3.0, ""), Factor("rest", -1.5, "")), "product", rounding="truncated")
    assert arithmetic(reason, -260.0, 0).line == "173.3333 × -1.5 = -260 → -260"


def test_a_line_has_the_decimals_at_which_it_adds_up() -> None:
    assert step(1500.14, 10.34, 1510.48, 1)[:3] == ("1500.14", "+10.34", "1510.48")  # 1500.1 + 10.3 is not 1510.5
    assert step(1500.12, 10.31, 1510.43, 1)[:3] == ("1500.1", "+10.3", "1510.4")
    assert step(1.0, -2.0, 3.0, 0)[:3] == ("1", "-2", "3")  # a limit or a gap: the rest of the line says so
    assert step(None, None, 3.25, 1)[:3] == ("", "", "3.2")


def test_who_won_stands_in_a_history_where_the_colours_are_known_or_nobody_did() -> None:
    results = ("B+", "W+3.5", "jigo", "P1+", "P=", "void")
    played = [Game("Ada", "Bo", result, f"2026-01-0{day}") for day, result in enumerate(results, 1)]
    history = SYSTEMS["elo"]().rate(Ledger.of(played)).history("Ada")
    assert history["winner"].to_list() == ["black", "white", "jigo", "", "jigo", ""]


def test_lines_between_two_days_are_those_of_both_and_of_all_within() -> None:
    ratings = SYSTEMS["elo"]().rate(a_club())
    name = ratings.ledger.players[0].name
    lines = ratings.explain(name, reasons=False)
    days = sorted({line.date for line in lines if len(line.date) == 10})
    first, last = days[1], days[-2]
    chosen = lines_between(ratings, [0], date.fromisoformat(first), date.fromisoformat(last))[0]
    assert [line.game for line in chosen] == [line.game for line in lines if first <= line.date <= last]


def test_no_figure_is_a_negative_zero() -> None:
    assert [fixed(-0.04, 1), fixed(-0.0, 0), step(0.0, -0.0, 0.0, 1).change] == ["0.0", "0", "0.0"]


@pytest.mark.parametrize("name", extended_but(EACH_KIND, SYSTEMS))
def test_the_command_line_prints_what_can_be_checked(tmp_path: Any, name: str) -> None:
    rows = [f"2026-05-{day:02},{pair},{result}" for day, pair, result in zip(range(1, 9), PAIRS, RESULTS, strict=True)]
    played = games(tmp_path / "games.csv", *rows)
    for player in ("Ada", "Bo", "Chidi"):
        for text in run("explain", played, "--system", name, "--player", player).out.split("\n\n"):
            assert faults(text) == [], text
        for row in run("explain", played, "--system", name, "--player", player, "--format", "csv").csv:
            if row["arithmetic"]:
                # an apostrophe keeps a spreadsheet from reading a cell that begins with a minus as a formula
                left, right = row["arithmetic"].removeprefix("'").split(" → ")[0].split(" = ")
                assert as_printed(by_hand(left), right) == Decimal(right)


@pytest.mark.parametrize("name", extended_but(EACH_KIND, SYSTEMS))
def test_every_kind_of_game_and_what_is_set_by_hand_can_be_checked(tmp_path: Any, name: str) -> None:
    head = ("date", "black", "white", "result", "handicap", "komi", "size", "kind", "event", "round",
            "black_rank", "white_rank")  # fmt: skip
    played = table(tmp_path / "games.csv", head, *EVERY_KIND)
    corrections = table(tmp_path / "adjustments.csv", ("date", "player", "rank", "note"), *SET_BY_HAND)
    ratings = SYSTEMS[name]().rate(read(played, adjustments=corrections))
    assert len(ratings) == 12
    for player in ratings:
        lines = ratings.explain(player)
        check(lines)
        for line in lines:
            assert line.reason.value == pytest.approx(line.change, abs=1e-6), line
        assert lines[-1].after == pytest.approx(ratings[player].rating, abs=1e-6)


def test_history_aligns_numbers_on_the_point_and_adds_up(tmp_path: Any) -> None:
    rows = [f"2026-05-{day:02},{pair},{result}" for day, pair, result in zip(range(1, 9), PAIRS, RESULTS, strict=True)]
    played = games(tmp_path / "games.csv", *rows)
    title, *lines = run("history", played, "--system", "elo", "--player", "Ada").out.splitlines()
    assert len({line.rindex(".", 0, title.index("after") + 9) for line in lines}) <= 2
    for line in lines:
        before, change, after = (Decimal(text) for text in re.findall(NUMBER, line)[-3:])
        assert before + change == after, line


def test_a_line_of_a_console_adds_up_as_printed_and_shows_no_rank_that_nobody_declared() -> None:
    games = "date,black,white,result\n2026-01-01,A,B,B+\n2026-01-08,B,A,B+\n2026-01-15,A,B,B+\n"
    for system in ("elo", "glicko2", "handan", "egf"):
        lines = handan.rate(games.encode(), system)["A"].explain()
        assert isinstance(lines, Lines)
        for line in lines:
            shown = re.search(r": (\S+) (\S+) = (\S+)( \d+[kd])? \(", str(line))
            assert shown is not None
            before, change, after = map(Decimal, shown.groups()[:3])
            assert before + change == after
            assert (shown[4] is None) == (system != "egf")
        assert [f">{line.rank_after}</td>" in lines._repr_html_() for line in lines] == [system == "egf"] * 3
