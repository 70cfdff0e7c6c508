"""What is given to the library in another type than it takes is refused in one line, as a wrong value is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import handan
from handan import Adjustment, Game, Ledger, Rank, Result
from handan.errors import FieldError, InputError
from handan.ledger import When

LEDGER = Ledger.of([Game("Ada", "Bo", "B+R", "2026-05-01", black_rank="3k", white_rank="2k")])
ROWS = {"black": ["Ada"], "white": ["Bo"], "result": ["B+"]}
OTHERS = (3.5, b"3k", ["3k"], {"rank": "3k"}, object(), dt.date(2026, 1, 1), (1, 2))
"""None of them is text, a whole number or one of our own facts."""


def ratings() -> handan.Ratings:
    return handan.rate(LEDGER, "egf")


TAKERS: dict[str, Callable[[Any], object]] = {
    "Rank.parse": Rank.parse,
    "Rank": lambda value: Rank(value, 3),
    "Rank.kyu": Rank.kyu,
    "Rank.dan": Rank.dan,
    "Rank.pro": Rank.pro,
    "Rank.format": Rank.kyu(3).format,
    "Result.parse": Result.parse,
    "When.parse": When.parse,
    "game": lambda value: Ledger.of([value]),
    "adjustment": lambda value: Ledger.of([], [value]),
    "with_game": LEDGER.with_game,
    "place of a game": lambda value: LEDGER.with_game(LEDGER[0], value),
    "without_game": LEDGER.without_game,
    "with_adjustments": lambda value: LEDGER.with_adjustments([value]),
    "adjustments of read": lambda value: handan.read(ROWS, adjustments=[value]),
    "dates": lambda value: handan.read(ROWS, dates=value),
    "letters": lambda value: handan.read(ROWS, letters=value),
    "limits": lambda value: handan.read(ROWS, limits=value),
    "path": handan.read_adjustments,
    "path that is written": lambda value: handan.write(LEDGER, value),
    "path of saved ratings": handan.open,
    "saved ratings": lambda value: handan.save(value, "nowhere"),
    "event": lambda value: ratings().event(value),
    "system that is tuned": lambda value: handan.tuned(LEDGER, value),
}


@pytest.mark.parametrize("name", TAKERS)
def test_a_value_of_another_type_is_refused_in_one_line(name: str) -> None:
    for value in OTHERS:
        with pytest.raises(InputError) as error:
            TAKERS[name](value)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("value", [value for value in OTHERS if value != 3.5])
def test_a_place_in_stones_and_an_opponent_are_numbers(value: object) -> None:
    for take in (Rank.at, ratings().standing):
        with pytest.raises(InputError):
            take(value)  # type: ignore[arg-type]  # what is tested
    with pytest.raises(InputError):
        Rank.at(Decimal(3))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("take", "message"),
    [
        (lambda: Rank.parse(3), "rank '3' is not text such as 12k, 3d or 9p"),  # type: ignore[arg-type]
        (lambda: Result.parse(None), "result 'None' is not text such as B+3.5, W+R or jigo"),  # type: ignore[arg-type]
        (lambda: When.parse(2026), "date '2026' is not text such as 2026-05-01"),  # type: ignore[arg-type]
        (lambda: Rank.kyu(3.5), "rank '3.5k' is not one of 30k to 1k, 1d to 9d, 1p to 10p"),  # type: ignore[arg-type]
        (lambda: Ledger.of(["Ada"]), "game 'Ada' is not a Game; handan.read takes rows as dicts and tuples"),  # type: ignore[list-item]
    ],
)
def test_the_line_says_what_is_taken(take: Callable[[], object], message: str) -> None:
    with pytest.raises(FieldError) as error:
        take()
    assert str(error.value) == message


def test_what_is_taken_is_still_taken(tmp_path: Path) -> None:
    assert handan.read(ROWS, adjustments=(item for item in [Adjustment("Ada", "3k")])).adjustments
    assert Rank.at(31) == Rank.dan(1)
    assert handan.write(LEDGER, tmp_path / "games.csv") == []
