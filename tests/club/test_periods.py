"""What a period was to a member follows from the lines of those days alone, without the rest of the card."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date, timedelta

import pytest

from handan.club import changes
from handan.club.rules import Rules
from handan.club.service.printing import members, period
from handan.club.standings import standings
from handan.paper import period_of
from tests.club.helpers import TODAY, Book
from tests.forms import extended_but

BEGIN = date(2026, 1, 1)


def club_of(system: str, seed: int) -> Book:
    """Return a club of two years' games, some unrated, undated or of a month, with ranks set by hand between them."""
    dice, book = random.Random(seed), Book()
    book.add(changes.office.set_rules(book.state, Rules(system)))
    keys = [book.player(name, f"{dice.randint(1, 9)}k") for name in ("Ada", "Bo", "Cy", "Dee")]
    for _ in range(60):
        black, white = dice.sample(keys, 2)
        day = str(BEGIN + timedelta(days=dice.randint(0, 300)))
        day = dice.choice([day, day, day, day, day[:7]])
        book.game(black, white, dice.choice(["B+R", "W+3.5", "jigo", "void", "W+F"]), day,
                  kind=dice.choice(["club", "free", "tournament"]))  # fmt: skip
    for key in keys[:2]:
        day = str(BEGIN + timedelta(days=dice.randint(0, 300)))
        book.add(
            changes.players.adjust(book.state, key, {"rank": f"{dice.randint(1, 5)}d", "date": day}, TODAY, "by hand")
        )
    return book


@pytest.mark.parametrize("system", extended_but(["points", "glicko"], ["points", "sagc", "egf", "glicko"]))
def test_the_lines_of_some_days_are_those_of_the_whole_card(system: str) -> None:
    dice = random.Random(7)
    for seed in range(3):
        book = club_of(system, seed)
        if seed == 2:  # rules that change on the way: two phases
            later = replace(Rules("elo" if system != "elo" else "egf"), since=BEGIN + timedelta(days=150))
            book.add(changes.office.set_rules(book.state, later))
        shown = standings(book.state, TODAY)
        everybody = members(shown, lambda _: "")
        cards = {one.id: [line.explanation for line in shown.lines(one.key, reasons=False)] for one in everybody}
        for _ in range(12):
            first = BEGIN + timedelta(days=dice.randint(0, 300))
            last = first + timedelta(days=dice.choice([0, 3, 30, 200]))
            parts = shown.lines_between(first, last)
            for one in everybody:
                whole = [line for line in cards[one.id] if len(line.date) > 7 and str(first) <= line.date <= str(last)]
                part = [line.explanation for line in parts.get(one.key, ()) if len(line.explanation.date) > 7]
                played = any(line.game for line in whole)
                assert repr(part) == repr(whole) or not played, (seed, one.name, first, last)
            assert repr(period(shown, everybody, first, last)) == repr(period_of(everybody, cards, first, last))
