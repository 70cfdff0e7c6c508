"""Strengths found by workers: those of one machine, to the same bits however many they are and whoever dies.

Source of the numbers: `rate` of the same systems, whose tests have them from publications.
"""

from __future__ import annotations

from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import handan
from benchmarks.distributed import one_killed, same
from handan.distributed import rate, workers
from handan.distributed.workers import Here, Processes
from handan.errors import InputError
from handan.ledger import Ledger
from handan.systems import System, system
from tests.command_line import run
from tests.test_tuning import games_with

SYSTEMS = {
    "learned first move": system("bradley-terry"),
    "ageing games": system("decayed", tau=90.0),
    "set by hand": system("bradley-terry", entry="none", advantage=12.0, stone=60.0, prior=0.1),
}
CLOSE = 1e-6  # Elo; the tolerance of the solution is 1e-8 natural units, 1.7e-6 Elo, and its steps end far below it


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("far") / "games.ledger"
    games = [*games_with(60.0, 160), handan.Game("Nobody", "Nobody else", "void")]
    pair = [handan.Game("Far", "Away", "B+R", "2026-05-01", handicap=2), handan.Game("Away", "Far", "=")]
    handan.write(Ledger.of([*games, *pair]), path)
    return path


def by(count: int, path: Path, rules: System, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Rate by so many workers in this process."""
    monkeypatch.setattr(workers, "Processes", Here)
    return rate(path, rules, f"local:{count}")


@pytest.mark.parametrize("name", list(SYSTEMS))
def test_any_number_of_workers_says_what_one_machine_says(
    name: str, stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = SYSTEMS[name]
    here, ledger = rules.rate(handan.read(stored)), handan.read(stored)
    one = rate(stored, rules)
    assert np.abs(one.ratings.rating - here.rating).max() < CLOSE
    assert (one.rated, one.unrated, one.newest) == (here.rated, here.unrated_counts, ledger.newest)
    shown = ("player", "rank", "games", "wins", "losses", "draws", "last_played", "pool")
    assert one.ratings.table().select(shown).equals(here.table().select(shown))
    assert [note.split()[:5] for note in one.ratings.notes[:-2]] == [note.split()[:5] for note in here.notes[:-2]]
    assert set(one.ratings.warnings) == set(here.warnings)
    for count in (2, 3, 7):
        assert same(one, by(count, stored, rules, monkeypatch))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from(("B+", "W+", "="))), min_size=1))
@settings(max_examples=10)
def test_small_ledgers_are_solved_alike(tmp_path_factory: pytest.TempPathFactory, facts: list[Any]) -> None:
    games = [handan.Game(f"p{one}", f"p{other}", result, handicap=one) for one, other, result in facts if one != other]
    path = tmp_path_factory.mktemp("small") / "games.ledger"
    handan.write(Ledger.of(games), path)
    with pytest.MonkeyPatch.context() as patch:
        rules = system("bradley-terry", prior=0.2)
        one, here = rate(path, rules), rules.rate(handan.read(path))
        assert same(one, by(4, path, rules, patch))
    assert np.abs(one.ratings.rating - here.rating).max(initial=0.0) < CLOSE
    assert set(one.ratings.warnings) == set(here.warnings)


def test_ranks_and_adjustments_are_where_players_enter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.ledger"
    ledger = handan.read("examples/games.csv")
    handan.write(Ledger.of(ledger, [handan.Adjustment("Dave", None, -1500.0, None, "by hand")]), path)
    rules = system("bradley-terry")
    one, here = rate(path, rules), rules.rate(handan.read(path))
    assert np.abs(one.ratings.rating - here.rating).max() < CLOSE
    assert set(one.ratings.warnings) == set(here.warnings)
    assert same(one, by(3, path, rules, monkeypatch))


def test_a_process_that_is_killed_is_started_again(stored: Path) -> None:
    rules = SYSTEMS["learned first move"]
    with one_killed(Processes, 10) as killed:
        many = rate(stored, rules, "local:2")
    assert len(killed) == 1
    assert same(rate(stored, rules), many)


def test_an_actor_that_is_killed_is_started_again(stored: Path) -> None:
    pytest.importorskip("ray")
    rules = SYSTEMS["ageing games"]
    with one_killed(workers.Actors, 10) as killed:
        many = rate(stored, rules, "ray:2")
    assert len(killed) == 1
    assert same(rate(stored, rules), many)


def test_workers_that_die_again_and_again_are_told_of(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Dead:
        def submit(self, *_: Any) -> Any:
            return self

        def result(self) -> Any:
            raise BrokenProcessPool

        def shutdown(self, **_: Any) -> None:
            pass

    monkeypatch.setattr(workers, "_process", Dead)
    with pytest.raises(InputError, match="worker 1 of 2 died 4 times; is its memory enough"):
        rate(stored, SYSTEMS["ageing games"], "local:2")


def test_the_command_prints_the_list(stored: Path) -> None:
    done = run("rate", str(stored), "--system", "bradley-terry", "--set", "advantage=0", "--cluster", "local:1")
    plain = run("rate", str(stored), "--system", "bradley-terry", "--set", "advantage=0")
    assert done.status == plain.status == 0
    assert "with all opponents held fixed" in done.out
    assert [line.split()[:3] for line in done.out.splitlines()[1:5]] == [
        line.split()[:3] for line in plain.out.splitlines()[1:5]
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--cluster", "far"), "local:4 (processes), ray:4 (actors on this machine) or ray://HOST:PORT"),
        (("--cluster", "local:0"), "is not local:4"),
        (("--cluster", "local:1", "--system", "elo"), "workers solve bradley-terry and decayed, not elo"),
        (("--cluster", "local:1", "--set", "prior=0"), "need a prior"),
        (("--cluster", "local:1", "--set", "handicap=learned"), "leave handicap=pinned"),
        (("--cluster", "local:1", "--since", "2026-01-01"), "leave out --since"),
    ],
)
def test_what_workers_cannot_do_is_refused(stored: Path, arguments: tuple[str, ...], message: str) -> None:
    given = () if "--system" in arguments else ("--system", "bradley-terry")
    done = run("rate", str(stored), *given, *arguments)
    assert (done.status, message in done.err) == (2, True)


def test_files_are_built_into_a_ledger_first() -> None:
    done = run("rate", "examples/games.csv", "--system", "bradley-terry", "--cluster", "local:1")
    assert (done.status, "`handan ledger build` makes one" in done.err) == (2, True)
