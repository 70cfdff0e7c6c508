"""Strengths found by workers: those of one machine, to the same bits however many they are and whoever dies.

Source of the numbers: `rate` of the same systems, whose tests have them from publications.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import handan
from benchmarks.distributed import one_killed, same
from handan.distributed import rate, workers
from handan.distributed.days_block import DaysBlock
from handan.distributed.workers import Here, Processes
from handan.errors import InputError
from handan.kernels.compiling import unlocked_kernel
from handan.ledger import Ledger
from handan.systems import System, system
from handan.systems.whr import WHR
from tests.command_line import run
from tests.test_tuning import games_with

pytestmark = pytest.mark.extended

SYSTEMS = {
    "learned first move": system("bradley-terry"),
    "ageing games": system("decayed", tau=90.0),
    "set by hand": system("bradley-terry", entry="none", advantage=12.0, stone=60.0, prior=0.1),
    "whole histories": system("whr"),
    "by the week": system("whr", period_days=7, hessian_shift=0.001, advantage=12.0, stone=60.0, w2=60.0),
}
FIRST, DAY = date(2026, 1, 1), st.integers(0, 400)
CLOSE = 1e-6  # Elo; the tolerance of the solution is 1e-8 natural units, 1.7e-6 Elo, and its steps end far below it


@unlocked_kernel
def turns_alone(turns: int) -> float:
    """Work for a while."""
    total = 0.0
    for turn in range(turns):
        total += math.cos(turn * 0.0)
    return total


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("far") / "games.ledger"
    games = [*games_with(60.0, 160), handan.Game("Nobody", "Nobody else", "void")]
    pair = [handan.Game("Far", "Away", "B+R", "2026-05-01", handicap=2), handan.Game("Away", "Far", "=")]
    handan.write(Ledger.of([*games, *pair]), path)
    return path


def by(count: int, path: Path, rules: System) -> Any:
    """Rate by so many threads of this process."""
    return rate(path, rules, f"threads:{count}")


@pytest.mark.parametrize("name", list(SYSTEMS))
def test_any_number_of_workers_says_what_one_machine_says(name: str, stored: Path) -> None:
    rules = SYSTEMS[name]
    here, ledger = rules.rate(handan.read(stored)), handan.read(stored)
    one = rate(stored, rules)
    assert np.abs(one.ratings.rating - here.rating).max() < CLOSE
    if isinstance(rules, WHR):  # the others have exact ones on one machine where games are few
        assert one.ratings.deviation is not None
        assert here.deviation is not None
        np.testing.assert_allclose(one.ratings.deviation, here.deviation, rtol=1e-9)
    assert (one.rated, one.unrated, one.newest) == (here.rated, here.unrated_counts, ledger.newest)
    shown = ("player", "rank", "games", "wins", "losses", "draws", "last_played", "pool")
    assert one.ratings.table().select(shown).equals(here.table().select(shown))
    assert [note.split()[:5] for note in one.ratings.notes[:-2]] == [note.split()[:5] for note in here.notes[:-2]]
    assert sum(note.startswith("deviations:") for note in one.ratings.notes) == 1
    assert set(one.ratings.warnings) == set(here.warnings)
    for count in (2, 3, 7):
        assert same(one, by(count, stored, rules))


@pytest.mark.parametrize("rules", [system("bradley-terry", prior=0.2), system("whr", prior=0.2, w2=1000.0)])
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from(("B+", "W+", "=")), DAY), min_size=1))
@settings(max_examples=10)
def test_small_ledgers_are_solved_alike(
    tmp_path_factory: pytest.TempPathFactory, rules: System, facts: list[Any]
) -> None:
    games = [
        handan.Game(f"p{one}", f"p{other}", result, FIRST + timedelta(days=day), handicap=one)
        for one, other, result, day in facts
        if one != other
    ]
    path = tmp_path_factory.mktemp("small") / "games.ledger"
    handan.write(Ledger.of(games), path)
    one, here = rate(path, rules), rules.rate(handan.read(path))
    assert same(one, by(4, path, rules))
    assert np.abs(one.ratings.rating - here.rating).max(initial=0.0) < CLOSE
    assert set(one.ratings.warnings) == set(here.warnings)


@pytest.mark.parametrize("name", ["bradley-terry", "whr"])
def test_ranks_and_adjustments_are_where_players_enter(name: str, tmp_path: Path) -> None:
    path = tmp_path / "games.ledger"
    ledger = handan.read("examples/games.csv")
    handan.write(Ledger.of(ledger, [handan.Adjustment("Dave", None, -1500.0, None, "by hand")]), path)
    rules = system(name)
    one, here = rate(path, rules), rules.rate(handan.read(path))
    assert np.abs(one.ratings.rating - here.rating).max() < CLOSE
    assert set(one.ratings.warnings) == set(here.warnings)
    assert same(one, by(3, path, rules))


def test_a_rank_that_comes_too_late_is_told_of(tmp_path: Path) -> None:
    path, first = tmp_path / "games.ledger", handan.Game("Ada", "Bo", "B+R", "2026-05-01")
    handan.write(Ledger.of([first, handan.Game("Ada", "Bo", "W+R", "2026-05-02", black_rank="5k")]), path)
    one, here = rate(path, system("whr")), handan.rate(handan.read(path), "whr")
    assert set(one.ratings.warnings) == set(here.warnings)
    assert any("first declared a rank after" in warning for warning in one.ratings.warnings)


def test_a_step_that_goes_too_far_is_shortened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, rules = tmp_path / "games.ledger", system("whr", prior=0.01, w2=1.0)
    shortened: list[Any] = []
    games = [
        handan.Game("Ada", "Bo", "B+R", FIRST + timedelta(days=day), black_rank="20k", white_rank="5d")
        for day in range(60)  # against all odds
    ]
    games += [handan.Game("Cy", "Bo", "W+R", FIRST + timedelta(days=day)) for day in range(40)]
    handan.write(Ledger.of(games), path)
    monkeypatch.setattr(DaysBlock, "take_back", counting(DaysBlock.take_back, shortened))
    one = rate(path, rules)
    assert np.abs(one.ratings.rating - rules.rate(handan.read(path)).rating).max() < 1e-5  # of thousands
    assert len(shortened) > 0
    assert same(one, by(3, path, rules))


def counting(method: Callable[..., Any], calls: list[Any]) -> Callable[..., Any]:
    def counted(*given: Any) -> Any:
        calls.append(given)
        return method(*given)

    return counted


@pytest.mark.parametrize("question", [2, 4, 9, -20, -2, -1])
def test_a_step_is_begun_again_where_a_worker_knows_nothing_of_it(
    question: int, stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, ask, methods, made_again = SYSTEMS["whole histories"], Here.ask, list[str](), list[int]()

    def asking(self: Here, method: str, *given: Any, each: Any = None) -> list[Any]:
        if made_again and made_again[0] == len(methods):
            self._blocks[1] = workers.opened(self._blocks[1].share)
        methods.append(str(given[2]) if method == "follow" else method)
        return ask(self, method, *given, each=each)

    monkeypatch.setattr(Here, "ask", asking)
    whole = by(3, stored, rules)
    first = methods.copy()
    made_again.append(question % len(first))
    methods.clear()
    assert same(whole, by(3, stored, rules))
    assert methods.count("begin") == first.count("begin") + 1


def test_a_worker_that_never_comes_to_know_of_a_step_is_told_of(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DaysBlock, "look", lambda *_: None)
    with pytest.raises(InputError, match="workers died in 4 tries of one step"):
        rate(stored, SYSTEMS["whole histories"])


@pytest.mark.parametrize("name", ["learned first move", "whole histories"])
def test_a_process_that_is_killed_is_started_again(name: str, stored: Path) -> None:
    rules = SYSTEMS[name]
    with one_killed(Processes, 10) as killed:
        many = rate(stored, rules, "local:2")
    assert len(killed) == 1
    assert same(rate(stored, rules), many)


@pytest.mark.parametrize("name", ["ageing games", "whole histories"])
def test_an_actor_that_is_killed_is_started_again(name: str, stored: Path) -> None:
    pytest.importorskip("ray")
    rules = SYSTEMS[name]
    with one_killed(workers.Actors, 10) as killed:
        many = rate(stored, rules, "ray:2")
    assert len(killed) == 1
    assert same(rate(stored, rules), many)


@pytest.mark.parametrize("name", ["learned first move", "whole histories"])
def test_a_ray_cluster_says_what_one_process_says(name: str, stored: Path) -> None:
    pytest.importorskip("ray")
    address = os.environ.get("HANDAN_TEST_RAY", "")
    if not address:
        pytest.skip("HANDAN_TEST_RAY names no cluster; make cluster starts one")
    assert same(rate(stored, SYSTEMS[name]), rate(stored, SYSTEMS[name], address))


def test_what_a_cluster_prints_stands_in_no_list(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def talking(*given: Any) -> Any:
        sys.stdout.write("a worker died\n")
        return rate(*given)

    monkeypatch.setattr("handan.distributed.rate", talking)
    done = run("rate", str(stored), "--system", "bradley-terry", "--cluster", "local:1", "--format", "csv")
    assert "a worker died" not in done.out
    assert "a worker died" in done.err
    assert done.out.startswith("place,player,")


@pytest.mark.parametrize("name", ["learned first move", "by the week"])
def test_threads_say_the_same_bits_in_plain_python_and_compiled(
    name: str, stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", "plain")
    plain = by(3, stored, SYSTEMS[name])
    monkeypatch.setenv("HANDAN_KERNELS", "compiled")
    for count in (1, 3, 16):
        assert same(plain, by(count, stored, SYSTEMS[name]))


def test_threads_of_compiled_code_run_side_by_side() -> None:
    """While one thread is in a loop of some tenths of a second, another one gets its turn many times."""
    begun, ended, turns = threading.Event(), threading.Event(), 0
    waits = turns_alone.compiled
    assert waits(10) == 10.0  # made now

    def work() -> None:
        begun.set()
        waits(300_000_000)
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    while not ended.is_set():
        turns += 1
        time.sleep(0.001)
    thread.join()
    assert turns > 5


def test_what_went_with_a_machine_is_as_good_as_a_worker_that_died() -> None:
    ray = pytest.importorskip("ray")

    class Lost:
        exceptions = ray.exceptions

        def remote(self, **_: Any) -> Any:
            return lambda block: block

        def get(self, _: Any) -> Any:
            raise ray.exceptions.ObjectLostError("00" * 28, "127.0.0.1", "")

    assert workers.Actors(Lost(), [])._results([1, 2]) == [None, None]


@pytest.mark.parametrize("question", [1, 9])
def test_a_ledger_that_is_written_anew_on_the_way_is_refused(
    question: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, ask, numbers = tmp_path / "games.ledger", Here.ask, iter(range(10_000))
    handan.write(Ledger.of(games_with(60.0, 40)), path)

    def asking(self: Here, method: str, *given: Any, each: Any = None) -> list[Any]:
        if next(numbers) == question:
            handan.write(Ledger.of(games_with(-60.0, 40)), path)
            self._blocks[1] = workers.opened(self._blocks[1].share)
        return ask(self, method, *given, each=each)

    monkeypatch.setattr(Here, "ask", asking)
    with pytest.raises(InputError, match="was written anew while workers solved it"):
        by(2, path, SYSTEMS["whole histories"])


@pytest.mark.parametrize("kinds", [255, 256, 257])
def test_as_many_terms_as_fit_a_byte_are_no_special_case(kinds: int, tmp_path: Path) -> None:
    path, rules = tmp_path / "games.ledger", system("whr")
    games = [
        handan.Game("Ada", "Bo", "B+R", FIRST + timedelta(days=number), komi=number + 0.5) for number in range(kinds)
    ]
    handan.write(Ledger.of(games), path)
    one, here = rate(path, rules), rules.rate(handan.read(path))
    assert np.abs(one.ratings.rating - here.rating).max() < CLOSE


@pytest.mark.parametrize("name", ["whole histories", "ageing games"])
def test_years_before_1970_are_like_others(name: str, tmp_path: Path) -> None:
    lists: list[Any] = []
    for year in (1921, 1991):
        path = tmp_path / f"{year}.ledger"
        games = [handan.Game("Ada", "Bo", "B+R", f"{year}-01-01"), handan.Game("Bo", "Ada", "B+R", f"{year + 1}-01-01")]
        handan.write(Ledger.of(games), path)
        one, here = rate(path, SYSTEMS[name]), SYSTEMS[name].rate(handan.read(path))
        lists += [one.ratings.rating, here.rating]
        if name == "whole histories":
            lists += [one.ratings.deviation, here.deviation]
    half = len(lists) // 2
    for old, new in zip(lists[:half], lists[half:], strict=True):
        np.testing.assert_allclose(old, new, rtol=1e-9, atol=1e-9)


def test_processes_end_with_the_one_that_began_them(stored: Path) -> None:
    text = (
        "from handan.distributed.workers import _process; import os, time; "
        "print(_process().submit(os.getpid).result(), flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.kill()
    for _ in range(200):
        if not Path(f"/proc/{worker}").exists() or "Z" in Path(f"/proc/{worker}/stat").read_text().split(")")[1][:3]:
            break
        time.sleep(0.05)
    else:
        pytest.fail("it is still there")


def test_why_a_worker_cannot_read_its_games_is_said(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        def submit(self, *_: Any) -> Any:
            return self

        def result(self) -> Any:
            raise ValueError("no such column")

        def shutdown(self, **_: Any) -> None:
            pass

    monkeypatch.setattr(workers, "_process", Failing)
    with pytest.raises(InputError, match="a worker failed: ValueError\\('no such column'\\)"):
        rate(stored, SYSTEMS["whole histories"], "local:2")


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
        (("--cluster", "far"), "threads:4, local:4 (processes), ray:4 (actors on this machine) or ray://HOST:PORT"),
        (("--cluster", "local:0"), "is not threads:4"),
        (("--cluster", "local:1", "--system", "elo"), "workers solve bradley-terry, decayed and whr, not elo"),
        (("--cluster", "local:1", "--set", "prior=0"), "need a prior"),
        (("--cluster", "local:1", "--set", "handicap=learned"), "leave handicap=pinned"),
        (("--cluster", "local:1", "--system", "whr", "--set", "handicap=learned"), "leave handicap=pinned"),
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
