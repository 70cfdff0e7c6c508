"""A list without what is said of each game: the same list, and the same cards when somebody asks."""

from __future__ import annotations

from dataclasses import fields
from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import handan
from handan.ledger import Adjustment, Ledger
from handan.ratings import RatingArrays
from handan.systems import SYSTEMS, Elo, Glicko, Glicko2, System
from handan.systems.core import lazy_ratings
from handan.systems.core.sequential import Sequential
from tests.forms import FORMS

IN_ORDER = sorted(name for name, kind in SYSTEMS.items() if issubclass(kind, Sequential))
LISTS_FIRST: list[System] = [
    Elo(), Elo(k_new=40.0, new_games=3), Glicko(period="game"), Glicko(period="game", c=30.0), Glicko2(period="game"),
]  # fmt: skip


def ledger_of(players: int, games: int) -> Ledger:
    """Return games with ranks, stones, draws, games that are not rated, and ratings set by hand in between."""
    rng = np.random.default_rng(20_261_123)
    black = rng.integers(players, size=games)
    days = [date(2020, 1, 1) + timedelta(days=int(day)) for day in np.sort(rng.integers(0, 300, games))]
    frame = pl.DataFrame(
        {
            "date": [str(day) for day in days],
            "black": [f"p{player}" for player in black],
            "white": [f"p{player}" for player in (black + rng.integers(1, players, games)) % players],
            "result": rng.choice(["B+R", "W+3.5", "Draw", "Void"], games, p=[0.4, 0.4, 0.1, 0.1]),
            "handicap": rng.choice([0, 0, 0, 2, 4], games),
            "black_rank": rng.choice(["", "5k", "1d"], games),
        }
    )
    items = [Adjustment(f"p{number}", None, 1900.0 + number, days[games // 2 + number]) for number in range(3)]
    return handan.read(frame).with_adjustments(items)


def assert_same(one: handan.Ratings, other: handan.Ratings) -> None:
    """Compare all that both say, to the bit."""
    for part in fields(RatingArrays):
        if part.name not in {"system", "ledger", "extra"}:
            np.testing.assert_equal(getattr(one.arrays, part.name), getattr(other.arrays, part.name), part.name)
    np.testing.assert_equal(vars(one.arrays.extra), vars(other.arrays.extra))
    assert one.table().equals(other.table())
    assert one.histories().equals(other.histories())
    for name in ("p0", "p1"):
        assert one.explain(name) == other.explain(name)


@pytest.mark.parametrize("name", IN_ORDER)
def test_no_system_says_anything_else_of_a_list_first(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy_ratings, "FROM", 0)
    ledger, system = ledger_of(9, 60), SYSTEMS[name]()
    assert isinstance(system, Sequential)
    assert_same(system.rate(ledger), system.rate_after(None, ledger))


@pytest.mark.parametrize("system", LISTS_FIRST, ids=str)
@pytest.mark.parametrize("form", FORMS)
def test_systems_that_leave_it_out_make_it_when_somebody_asks(
    system: Sequential, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where hundreds of games side by side share no player."""
    if form == "compiled":
        pytest.importorskip("numba")
    monkeypatch.setenv("HANDAN_KERNELS", form)
    monkeypatch.setattr(lazy_ratings, "FROM", 0)
    ledger = ledger_of(400, 900)

    ratings = system.rate(ledger)

    assert isinstance(ratings.arrays, lazy_ratings.LazyArrays)
    assert "source" not in vars(ratings.arrays)
    assert ratings.table().equals(system.rate_after(None, ledger).table())
    assert "source" not in vars(ratings.arrays)
    assert_same(ratings, system.rate_after(None, ledger))


def test_few_games_are_rated_with_what_is_said_of_each() -> None:
    assert type(handan.rate(ledger_of(9, 60), "elo")) is handan.Ratings
