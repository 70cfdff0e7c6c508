"""Test settings shared by all: fixed seeds, and one folder of compiled kernels for all runs."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from _pytest import runner
from hypothesis import HealthCheck, settings

from handan.kernels.compiling import repeated
from tests.database import alone, club, database, empty, make_club  # noqa: F401  # fixtures; defined once, so that there is one database

ROOT = Path(__file__).resolve().parent.parent
SHUFFLE = os.environ.get("HANDAN_SHUFFLE", "")
"""Seed of the order of tests; "" for that of the files."""

os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".cache" / "numba"))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each process of a run has one core

SELDOM = (20_000, 20, 20)
"""New objects after which Python looks for cycles among them, and among older ones.
our choice: with Python's own 700 the search takes a tenth of a run, since tests make many objects and few cycles."""
gc.set_threshold(*SELDOM)

WORDS_OF_FRAMES = 70_000
"""Room for the frames of all calls within a test, in words of 8 bytes. Python keeps frames in chunks of 16 KB and gives
one back when the first frame in it returns: a loop that calls from the edge of a chunk asks the kernel for memory at
each call, which took a tenth of the time of tests of pages."""

settings.register_profile(
    "fixed", derandomize=True, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fixed")


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist, without which all runs in one process
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Let each process of `-n auto` begin with files that lie together, and take over from the slowest when it is done.

    What a file prepares is prepared once then. One process more than there are cores gains nothing: each compiles the
    loops of all systems, and imports and collects everything.
    """
    if config.option.dist == "no":
        config.option.dist = "worksteal"
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle files and the tests of each by a seed."""
    if SHUFFLE:
        dice = Random(SHUFFLE)
        places = {path: dice.random() for path in dict.fromkeys(item.path for item in items)}
        items.sort(key=lambda item: (places[item.path], dice.random()))


@pytest.fixture(autouse=True)
def counted_alone() -> Iterator[None]:
    """Let no test wait for the compiler because of what others asked of a loop before."""
    with repeated(1):
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Run a test from a function whose frame asks for a chunk that holds those of all its calls, too."""
    return _with_room(item, nextitem)


def _with_room(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    return runner.pytest_runtest_protocol(item, nextitem)


_with_room.__code__ = _with_room.__code__.replace(co_stacksize=WORDS_OF_FRAMES)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Take what is read and collected out of what is gone through for cycles: it stays until the end of the process."""
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end what was not tested here, and why, and the order of tests that were shuffled."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.getreports("skipped")
        if isinstance(report.longrepr, tuple)
    )
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{count} skipped: {reason}")
    if SHUFFLE:
        terminalreporter.write_line(f"in the order of HANDAN_SHUFFLE={SHUFFLE}")


def examples(number: int) -> int:
    """Return how many examples a test of the readers tries: `number`, times HANDAN_FUZZ if that is set."""
    return number * int(os.environ.get("HANDAN_FUZZ", "1"))
