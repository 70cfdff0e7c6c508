"""Ratings of a ledger taken in windows are, to the bit, those of all games together."""

from __future__ import annotations

import tracemalloc
from dataclasses import is_dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import handan
from handan.cli.notices import Pace
from handan.errors import InputError
from handan.ledger import Game, Ledger
from handan.ledger.dataset import correct, damage, open_ledger, save_ledger
from handan.ratings import Ratings
from handan.systems import SYSTEMS, Elo
from handan.systems.core import ledger_windows, streaming
from handan.systems.core.replay_state import ReplayState
from handan.systems.core.sequential import Sequential
from handan.systems.core.streaming import StreamedArrays, rated_in_windows
from tests.command_line import run
from tests.strategies import ledgers
from tests.test_causality import START, games_of
from tests.test_ledger_on_disk import assert_same_bits, mapped
from tests.test_saved_systems import club

pytestmark = pytest.mark.extended

FEW = 40  # games in a window
REPLAYING = [kind() for kind in SYSTEMS.values() if issubclass(kind, Sequential)]
"""Every system that takes games one after another, by game, event, week or day."""


def assert_same_players(streamed: Ratings, whole: Ratings) -> None:
    """Compare all that is said of players."""
    assert isinstance(streamed.arrays, StreamedArrays)
    for name in ("rating", "pool", "deviation", "rank_number", "tallies"):
        np.testing.assert_array_equal(getattr(streamed.arrays, name), getattr(whole.arrays, name), name)
    assert streamed.table().equals(whole.table())
    for name in ("rated", "unrated_counts", "warnings", "notes", "adjusted"):
        assert getattr(streamed.arrays, name) == getattr(whole.arrays, name), name


def assert_same(streamed: Ratings, whole: Ratings, *players: str) -> None:
    """Compare all that is said of players, then of some cards, then of every game."""
    assert_same_players(streamed, whole)
    assert "before" not in vars(streamed.arrays)
    for player in players:
        lines = whole.explain(player)
        assert streamed.explain(player) == lines
        number = next((line.game for line in reversed(lines) if line.game), None)
        assert streamed.explain(player, number) == whole.explain(player, number)
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


def test_a_large_ledger_is_taken_in_windows_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledgers = club(1), mapped(club(1), tmp_path / "a.ledger")
    assert not any(isinstance(Elo().rate(each).arrays, StreamedArrays) for each in ledgers)
    monkeypatch.setattr(ledger_windows, "FROM", 100)
    assert all(isinstance(Elo().rate(each).arrays, StreamedArrays) for each in ledgers)


@pytest.mark.parametrize("name", ["points", "egf", "glicko2"])
def test_the_list_of_many_games_is_made_in_windows_whatever_holds_them(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.csv"
    handan.write(replace(club(7), adjustments=()), path)
    command = ("rate", path, "--system", name, "--format", "json", "--since", "2024-03-01")
    at_once, most = run(*command), list[int]()
    monkeypatch.setattr(ledger_windows, "FOR_LIST", FEW)
    monkeypatch.setattr(ledger_windows, "A_PLAYER", 0)
    kind = SYSTEMS[name]
    assert issubclass(kind, Sequential)
    usual = kind.list_after

    def counted(rules: Sequential, past: ReplayState | None, ledger: Ledger) -> Ratings:
        if past is not None:
            most.append(len(ledger))
        return usual(rules, past, ledger)

    monkeypatch.setattr(kind, "list_after", counted)
    in_windows = run(*command)
    assert len(most) > 1
    assert max(most) < len(club(7)) // 2
    assert (in_windows.status, in_windows.json, in_windows.err) == (at_once.status, at_once.json, at_once.err)


def peak_of(games: int, path: Path) -> int:
    """Return the bytes of arrays and objects at most while a ledger on disk is rated in windows and its ladder made."""
    save_ledger(Ledger.of(games_of(1, games, START, "abcdefgh")), path)
    stored = open_ledger(path)
    tracemalloc.start()
    try:
        ratings = rated_in_windows(Elo(), stored, 300)
        assert ratings.rated > games // 4
        assert stored.newest
        assert ratings.table(limit=3).height == 3
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    values = vars(stored.arrays).items()
    kept = {name for name, value in values if isinstance(value, np.ndarray) and len(value) >= games}
    assert kept == set(), "arrays of one row a game"
    return peak


def test_memory_is_flat_in_the_number_of_games(tmp_path: Path) -> None:
    """A game more takes less than a fifth of what ratings say of it: what is kept is where its day begins."""
    peak_of(500, tmp_path / "first.ledger")  # loads what is loaded once
    few, many = (peak_of(games, tmp_path / f"{games}.ledger") for games in (1_000, 5_000))
    assert many - few < 13 * 4_000, (many, few)


def arrays_of(value: object) -> list[np.ndarray]:
    if isinstance(value, np.ndarray):
        return [value]
    parts = value if isinstance(value, tuple) else vars(value).values() if is_dataclass(value) else ()
    return [array for part in parts for array in arrays_of(part)]


def test_no_system_says_more_of_a_game_than_memory_is_asked_for() -> None:
    """`StreamedArrays` refuse by `OF_GAME` before arrays are made; one part in a hundred is not of games."""
    ledger = Ledger.of(games_of(1, 3_000, START, "abcdefgh"))
    for system in REPLAYING:
        ratings = system.rate(ledger)
        size = sum(array.nbytes for name in streaming.BY_GAME for array in arrays_of(getattr(ratings.arrays, name)))
        assert size < 1.01 * streaming.OF_GAME * len(ratings.ledger), system.name


def test_the_time_left_follows_from_the_games_of_this_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 100 games 40 stood behind a kept place; ten more took two minutes, so that the other fifty take ten."""
    clock, pace = iter([0.0, 0.0, 0.0, 120.0, 120.0, 700.0]), Pace()
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    far = [pace.progress("rating", done, 100) for done in (40, 50, 100)]
    assert far == ["40 of 100", "50 of 100, 10 min left", "100 of 100"]


def test_a_correction_of_no_game_or_of_two_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    ledger = Ledger.of([Game("a", "b", "B+R", "2025-01-01")] * 2 + [Game("c", "b", "B+R", "2025-01-03")])
    save_ledger(ledger, path)
    for games, message in (
        ([Game("a", "b", "W+R", "2025-01-01")], "2 such games are there"),
        ([Game("a", "b", "W+R", "2025-01-02")], "no such games are there"),
        ([Game("a", "new", "W+R", "2025-01-01")], "no such games are there"),
        ([Game("b", "c", "W+R", "2026-01-01")], "no such games are there"),
        ([Game("c", "b", result, "2025-01-03") for result in ("W+R", "W+T")], "two corrections are for one game"),
    ):
        with pytest.raises(InputError, match=message):
            correct(path, Ledger.of(games))
    assert open_ledger(path) == ledger
    right = tmp_path / "right.csv"
    right.write_text("date,black,white,result,handicap\n2025-01-03,c,b,W+2.5,3\n", encoding="utf-8")
    answer = run("ledger", "correct", path, right)
    assert (answer.status, "1 game corrected" in answer.err) == (0, True)
    assert open_ledger(path) == Ledger.of([*list(ledger)[:2], Game("c", "b", "W+2.5", "2025-01-03", handicap=3)])
    assert damage(path) == []
