"""Explanations can be checked by hand: what the printed numbers come to is the printed change."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.cli.explain import paragraph
from handan.files import read
from handan.ledger import Game, Ledger
from handan.ratings import Explanation, Factor, Reason
from handan.systems import SYSTEMS
from handan.wording.arithmetic import Term, arithmetic
from handan.wording.figures import digits, fixed, step
from tests.clubs import a_club
from tests.command_line import games, run
from tests.conftest import ROOT

CLUB = ROOT / "examples" / "club"
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
    """Return a number rounded as a printed one is."""
    return value.quantize(Decimal(1).scaleb(int(Decimal(text).as_tuple().exponent)), rounding=ROUND_HALF_UP)


def faults(text: str) -> list[str]:
    """Return what does not come out in one printed explanation."""
    lines = text.splitlines()
    header = HEADER.fullmatch(lines[1])
    assert header, lines[1]
    before, after, change = (Decimal(number) for number in header.groups())
    found = [f"does not add up: {lines[1]}"] * (before + change != after and "limit: " not in text and "gap: " not in text)
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
            found += [line] * wrong
        elif factor := FACTOR.fullmatch(line):
            indent, value, _, parts = factor.groups()
            found += [line] * bool(parts and as_printed(by_hand(parts), value) != Decimal(value))
            singles += [value] * (not indent)
        if "-0 " in line or re.search(r"-0\.0*(?!\d)", line):
            found.append(f"minus zero: {line}")
    if len(singles) == 1:
        found += [f"{singles[0]} for {change}"] * (as_printed(Decimal(singles[0]), header[3]) != change)
    return found


def misprints(terms: tuple[Term, ...]) -> list[str]:
    """Return printed factors that are not their values, or have fewer than four digits without being short."""
    found = []
    for factor, text, parts in terms:
        unit = Decimal(1).scaleb(int(Decimal(text).as_tuple().exponent))
        found += [f"{text} for {factor.value}"] * (abs(float(text) - factor.value) > 0.5000001 * float(unit))
        found += misprints(parts)
    return found


def checked(lines: list[Explanation]) -> tuple[int, int]:
    """Check all lines; return how many there were and the longest printed factor."""
    decimals = digits(value for line in lines for value in (line.before, line.change, line.after))
    longest = 0
    for line in lines:
        text = paragraph(line, decimals)
        assert faults(text) == [], text
        shown = step(line.before, line.change, line.after, decimals)
        terms = arithmetic(line.reason, line.change, shown.decimals).terms
        assert misprints(terms) == [], text
        longest = max([longest, *(len(term.text) for term in terms)])
    return len(lines), longest


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_printed_comes_to_the_printed_change(name: str, seed: int) -> None:
    ratings = SYSTEMS[name]().rate(a_club(seed))
    for player in ratings.ledger.players:
        checked(ratings.explain(player.name))


@pytest.fixture(scope="module")
def club() -> Ledger:
    return read(CLUB / "games.csv", adjustments=CLUB / "adjustments.csv")


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_line_of_the_example_club_can_be_checked(club: Ledger, name: str) -> None:
    ratings = SYSTEMS[name]().rate(club)
    counts = [checked(ratings.explain(player.name)) for player in club.players[::6]]
    assert sum(lines for lines, _ in counts) > 100
