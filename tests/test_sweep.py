"""Forecasts made on cores and clusters are those made here, to the last bit, also where a worker is killed on the way.

The tests of joblib's back ends run where the extra `cluster` is installed (`make cluster`).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import handan
from handan.errors import InputError
from handan.evidence import Cluster, Task, forecasts, parallel
from handan.evidence.tuning import tune
from handan.kernels.types import Floats
from handan.ledger import Ledger
from handan.systems import system
from tests.command_line import run
from tests.test_tuning import ADVANTAGE, games_with

pytestmark = pytest.mark.extended

NAMES = ("elo", "egf", "glicko")


@pytest.fixture(scope="module")
def task() -> Task:
    return Task.of(Ledger.of(games_with(60.0, 120)))


@dataclass(frozen=True)
class KilledOnce:
    """Forecasts of a system by a worker that is killed at its first try."""

    mark: Path
    name: str

    def __call__(self, task: Task) -> Floats | None:
        if not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return forecasts(system(self.name), task)


def holds(cluster: Cluster, task: Task, mark: Path) -> None:
    """Check that a cluster says what this process says, with a worker that dies."""
    calls: list[Callable[[Task], Floats | None]] = [partial(forecasts, system(name)) for name in NAMES]
    here = [answer for answer, _ in parallel.made_here(calls, task)]
    calls.append(KilledOnce(mark, "dgs"))
    there = cluster.forecasts(calls, task)
    assert mark.exists()
    dgs = forecasts(system("dgs"), task)
    for one, (other, _) in zip([*here, dgs], there, strict=True):
        assert one is not None
        assert other is not None
        assert one.tobytes() == other.tobytes()


def test_work_that_does_not_come_back_is_given_out_again_and_what_is_there_stays(
    task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_out: list[int] = []

    @contextmanager
    def workers(address: str) -> Iterator[parallel.Run]:
        assert address == "local"

        def one_then_dead(jobs: Any) -> None:
            given_out.append(len(jobs))
            parallel.make(*jobs[0])
            raise ConnectionError("worker lost")

        yield one_then_dead

    monkeypatch.setattr(parallel, "_workers", workers)
    calls = [partial(forecasts, system(name)) for name in NAMES]
    answers = Cluster("local", tmp_path).forecasts(calls, task)
    assert given_out == [3, 2, 1]
    for (answer, _), (expected, _) in zip(answers, parallel.made_here(calls, task), strict=True):
        assert np.array_equal(answer, expected)  # type: ignore[arg-type]
    Cluster("local", tmp_path).forecasts(calls, task)  # all are kept
    assert given_out == [3, 2, 1]
    more = [partial(forecasts, system("elo", k=float(k))) for k in range(1, 7)]
    with pytest.raises(InputError, match="2 of 6 results did not come back from the workers: worker lost"):
        Cluster("local", tmp_path).forecasts(more, task)


def test_an_address_that_is_none_is_refused() -> None:
    done = run("compare", "examples/games.csv", "--cluster", "here")
    assert done.status == 2
    assert "tcp://HOST:PORT (Dask) or ray://HOST:PORT" in done.err
    assert "--keep is for --cluster" in run("compare", "examples/games.csv", "--keep", "x").err


def test_the_extra_that_is_missing_is_named(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(parallel, "import_module", absent)
    with pytest.raises(InputError, match=r"pip install 'handan\[cluster\]'"):
        Cluster("local").forecasts([partial(forecasts, system("elo"))], task)


def test_all_cores_say_what_one_process_says(task: Task, tmp_path: Path) -> None:
    pytest.importorskip("joblib")
    holds(Cluster("local"), task, tmp_path / "killed")


def test_a_comparison_and_a_search_on_all_cores_are_those_made_here(tmp_path: Path) -> None:
    pytest.importorskip("joblib")
    ledger = Ledger.of(games_with(60.0, 300))
    here, there = (handan.compare(ledger, "elo,whr,sagc", tuned=True, cluster=c) for c in (None, Cluster("local")))
    for one, other in zip(here.systems, there.systems, strict=True):
        assert (one.system, one.log_loss, one.interval) == (other.system, other.log_loss, other.interval)
    assert tune(ledger, system("elo"), ADVANTAGE) == tune(
        ledger, system("elo"), ADVANTAGE, cluster=Cluster("local", tmp_path)
    )
    assert len(list(tmp_path.glob("forecast-*"))) >= len(ADVANTAGE["advantage"])


def test_a_dask_cluster_says_what_one_process_says(task: Task, tmp_path: Path) -> None:
    pytest.importorskip("joblib")
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=None) as workers:
        holds(Cluster(workers.scheduler_address, tmp_path), task, tmp_path / "killed")


@pytest.mark.filterwarnings("ignore:Ray Client connection timed out")  # a busy machine's head; it is tried again
def test_a_ray_cluster_says_what_one_process_says(task: Task, tmp_path: Path) -> None:
    pytest.importorskip("joblib")
    pytest.importorskip("ray")
    address = os.environ.get("HANDAN_TEST_RAY", "")
    if not address:
        pytest.skip("HANDAN_TEST_RAY names no cluster; make cluster starts one")
    holds(Cluster(address, tmp_path), task, tmp_path / "killed")
