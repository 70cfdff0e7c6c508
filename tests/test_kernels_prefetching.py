"""Memory that is asked for early changes no bit, and is asked for by compiled code where there are many players."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import handan
from handan import shortcuts
from handan.kernels.compiling import Kernel
from handan.kernels.posterior.conjugate_gradients import Vectors, sweep_back, sweep_on
from handan.kernels.posterior.graph import days_of, graph_of_days
from handan.kernels.prefetching import MANY_DAYS, MANY_PLAYERS, prefetch

pytestmark = pytest.mark.extended


@pytest.fixture(scope="module")
def crowd() -> handan.Ledger:
    """Games of more players than a replay fetches not at all: all play once, some many times, two of them every day."""
    rng = np.random.default_rng(20_261_123)
    pairs, more = MANY_PLAYERS // 2 + 1, 2_000
    black = np.concatenate([np.arange(pairs), rng.integers(0, pairs, more)])
    white = np.concatenate([np.arange(pairs) + pairs, rng.integers(pairs, 2 * pairs, more)])
    black[-more::5], white[-more::5] = 1, pairs + 1
    order = rng.permutation(len(black))
    day = np.datetime64("2020-01-01") + np.sort(rng.integers(0, 400, len(black)))
    frame = pl.DataFrame(
        {
            "black": [f"p{player}" for player in black[order]],
            "white": [f"p{player}" for player in white[order]],
            "result": np.where(rng.random(len(black)) < 0.5, "B+", "W+"),
            "date": day,
        }
    )
    return handan.read(frame)


@pytest.mark.parametrize(
    ("system", "settings"),
    [
        ("elo", {}),
        ("egf", {}),
        ("glicko", {"period": "game"}),
        ("glicko2", {"period": "week"}),
        ("trueskill", {}),
        ("ogs", {}),
        ("dgs", {}),
        ("points", {}),
    ],
)
def test_a_crowd_has_the_same_bits_in_plain_python_where_nothing_is_fetched(
    crowd: handan.Ledger, system: str, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(crowd.players) >= MANY_PLAYERS
    answers = []
    for form in ("plain", "compiled"):
        monkeypatch.setenv("HANDAN_KERNELS", form)
        answers.append(shortcuts.rate(crowd, system, **settings))
    plain, compiled = answers
    assert plain.rating.tobytes() == compiled.rating.tobytes()
    assert plain.change.tobytes() == compiled.change.tobytes()
    assert np.unique(plain.rating).size > 2


def test_the_instruction_is_in_the_machine_code() -> None:
    numba = pytest.importorskip("numba")
    fetch = prefetch.inner

    @numba.njit  # type: ignore[untyped-decorator]
    def ask(values: Any, place: int) -> None:
        fetch(values, place)

    ask(np.zeros(8), 3)
    (code,) = ask.inspect_llvm().values()
    assert "call void @llvm.prefetch" in code


def test_sweeps_over_very_many_days_have_the_same_bits_in_plain_python() -> None:
    pytest.importorskip("numba")
    rng = np.random.default_rng(5)
    games, players = MANY_DAYS, 3_000
    black = rng.integers(0, players, games).astype(np.uint32)
    white = ((black + rng.integers(1, players, games)) % players).astype(np.uint32)
    days = days_of(black, white, np.sort(rng.integers(0, 900, games)), players, least=MANY_DAYS // 4)
    nodes = len(days.following)
    assert nodes >= MANY_DAYS
    graph = graph_of_days(days)
    begun = Vectors(*(rng.random(nodes).astype(np.float32) for _ in Vectors._fields))
    calls: dict[Kernel[..., Any], Any] = {
        sweep_back: lambda run, vectors: run(graph, 0.5, 0, nodes, vectors),
        sweep_on: lambda run, vectors: run(graph, 0.5, 0.1, vectors),
    }
    for loop, call in calls.items():
        answers = []
        for run in (loop.plain, loop.compiled):
            vectors = Vectors(*(vector.copy() for vector in begun))
            answers.append((call(run, vectors), [vector.tobytes() for vector in vectors]))
        assert answers[0] == answers[1]
        assert answers[0][1] != [vector.tobytes() for vector in begun]
