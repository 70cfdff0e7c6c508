"""Ratings of a ledger taken in windows are, to the bit, those of all games together."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.ledger import Ledger
from handan.ratings import Ratings
from handan.systems import SYSTEMS, Elo
from handan.systems.core import streaming
from handan.systems.core.base import Sequential
from handan.systems.core.streaming import StreamedRatings, rated_in_windows
from tests.strategies import ledgers
from tests.test_ledger_on_disk import assert_same_bits, mapped
from tests.test_saved_systems import club

FEW = 40  # games in a window
REPLAYING = [kind() for kind in SYSTEMS.values() if issubclass(kind, Sequential)]
"""Every system that takes games one after another, by game, event, week or day."""


def assert_same(streamed: Ratings, whole: Ratings, *players: str) -> None:
    """Compare all that is said of players, then of some cards, then of every game."""
    assert isinstance(streamed, StreamedRatings)
    for name in ("rating", "pool", "deviation", "rank_number", "tallies"):
        np.testing.assert_array_equal(getattr(streamed, name), getattr(whole, name), name)
    assert streamed.table().equals(whole.table())
    for name in ("rated", "unrated_counts", "warnings", "notes", "adjusted"):
        assert getattr(streamed, name) == getattr(whole, name), name
    for player in players:
        lines = whole.explain(player)
        assert streamed.explain(player) == lines
        number = next((line.game for line in reversed(lines) if line.game), None)
        assert streamed.explain(player, number) == whole.explain(player, number)
    assert "before" not in vars(streamed)
    assert_same_bits(streamed, whole)


@pytest.mark.parametrize("system", REPLAYING, ids=lambda system: system.name)
def test_windows_give_the_bits_of_all_games_together(system: Sequential, tmp_path: Path) -> None:
    ledger = club(1)
    streamed = rated_in_windows(system, mapped(ledger, tmp_path / "a.ledger"), FEW)
    assert_same(streamed, system.rate(ledger), "c")


@settings(max_examples=15)
@given(ledger=ledgers(), games=st.integers(1, 5), name=st.sampled_from([system.name for system in REPLAYING]))
def test_any_ledger_in_any_windows(ledger: Ledger, games: int, name: str) -> None:
    system = SYSTEMS[name]()
    assert isinstance(system, Sequential)
    with TemporaryDirectory() as folder:
        streamed = rated_in_windows(system, mapped(ledger, Path(folder) / "a.ledger"), games)
        assert_same(streamed, system.rate(ledger), *[player.name for player in ledger.players[:1]])


def test_a_large_ledger_on_disk_is_taken_in_windows_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = mapped(club(1), tmp_path / "a.ledger")
    assert not isinstance(Elo().rate(stored), StreamedRatings)
    monkeypatch.setattr(streaming, "FROM", 100)
    assert isinstance(Elo().rate(stored), StreamedRatings)
    assert not isinstance(Elo().rate(club(1)), StreamedRatings)
