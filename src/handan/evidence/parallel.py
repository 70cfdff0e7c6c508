"""Many forecasts of the same games at once: on all cores, or on a cluster, through the back ends of joblib.

What is forecast is written to a folder once and passed by its path. Every result is written there as it comes, so that
a worker that dies costs its own work alone, and a sweep that was broken off goes on where it stood.
"""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import Any, TypeVar, cast

from handan.errors import HandanError, InputError, shown
from handan.evidence.evaluation_task import Task

LOCAL = "local"
DASK, RAY = ("tcp://", "tls://"), ("ray://",)
TRIES = 4  # our choice: how often work is given out that did not come back
NEEDS = "{} needs joblib, and dask or ray for a cluster; pip install 'handan[cluster]'"

T = TypeVar("T")
Job = tuple[Path, Callable[[Task], Any], Path]
"""The games, a call, and where its result is written."""
Run = Callable[[Sequence[Job]], None]
"""What gives out work and waits for it."""


@dataclass(frozen=True)
class Cluster:
    """Where forecasts are made, and where they are kept."""

    address: str
    """`local`: the cores of this machine; `tcp://host:port`: the scheduler of a Dask cluster; `ray://host:port`."""
    keep: Path | None = None
    """Folder that all workers see, in which results stay; None: one of this machine that goes when all are there."""

    def __post_init__(self) -> None:
        """Refuse an address that is none."""
        if self.address != LOCAL and not self.address.startswith((*DASK, *RAY)):
            raise InputError(f"cluster {shown(self.address)} is not {LOCAL}, tcp://HOST:PORT (Dask) or ray://HOST:PORT")

    def forecasts(self, calls: Sequence[Callable[[Task], T]], task: Task) -> list[tuple[T, float]]:
        """Return the answer of every call and its seconds, the same to the last bit as if it were made here.

        Args:
            calls: They forecast the games of a task, and can be pickled.
            task: The games.

        Raises:
            InputError: Where joblib or the cluster's own package is not installed, and where work does not come back.
        """
        with ExitStack() as stack:
            folder = self.keep or Path(stack.enter_context(TemporaryDirectory(prefix="handan-")))
            folder.mkdir(parents=True, exist_ok=True)
            path = _put(folder, task)
            results = [_result_of(path, call) for call in calls]
            work = [(call, result) for call, result in zip(calls, results, strict=True) if not result.exists()]
            if work:
                _work(stack.enter_context(_workers(self.address)), path, work)
            return [_read(result) for result in results]


def made_here(calls: Sequence[Callable[[Task], T]], task: Task) -> Iterator[tuple[T, float]]:
    """Yield the answer of each call and its seconds, one after another in this process."""
    for call in calls:
        start = time.perf_counter()
        answer = [call(task)]
        yield answer.pop(), time.perf_counter() - start  # not kept here while the next one is made


def make(path: Path, call: Callable[[Task], Any], result: Path) -> None:
    """Make the forecasts of one call in a worker, and write them down; what another worker has written stays."""
    if result.exists():
        return
    ((answer, seconds),) = made_here([call], _task(path))
    _write(result, pickle.dumps((answer, seconds)))


def _work(run: Run, path: Path, work: Sequence[tuple[Callable[[Task], Any], Path]]) -> None:
    """Give out work until all of it is done; InputError where it does not come back, again and again."""
    fault: Exception | None = None
    for _ in range(TRIES):
        left = [(call, result) for call, result in work if not result.exists()]
        if not left:
            return
        try:
            run([(path, call, result) for call, result in left])
        except HandanError:
            raise
        except Exception as error:  # noqa: BLE001  # each back end has errors of its own for workers that died
            fault = error
    absent = sum(not result.exists() for _, result in work)
    if absent:
        raise InputError(f"{absent} of {len(work)} results did not come back from the workers: {fault}")


@contextmanager
def _workers(address: str) -> Iterator[Run]:
    """Yield what gives out work to the workers of an address; InputError without the packages that it needs."""
    try:
        joblib = import_module("joblib")

        def run_on(backend: str) -> Run:
            def run(jobs: Sequence[Job]) -> None:
                with joblib.parallel_config(backend, n_jobs=-1):
                    joblib.Parallel()(joblib.delayed(make)(*job) for job in jobs)

            return run

        if address == LOCAL:
            yield run_on("loky")
        elif address.startswith(DASK):
            with import_module("distributed").Client(address, set_as_default=True):
                yield run_on("dask")
        else:
            ray, register = import_module("ray"), import_module("ray.util.joblib").register_ray
            ray.init(address, ignore_reinit_error=True, log_to_driver=False)
            register()
            try:
                yield run_on("ray")
            finally:
                ray.shutdown()
    except ModuleNotFoundError as error:
        raise InputError(NEEDS.format(f"cluster {address}") + f" ({error})") from None


def _put(folder: Path, task: Task) -> Path:
    """Write a task down under its digest, without what follows from it, and return where."""
    content = pickle.dumps(replace(task))
    path = folder / f"games-{hashlib.sha256(content).hexdigest()[:16]}.pickle"
    if not path.exists():
        _write(path, content)
    return path


def _result_of(path: Path, call: Callable[[Task], Any]) -> Path:
    """Return where the result of a call stands: under the digest of games, call and version."""
    from handan import __version__

    digest = hashlib.sha256(f"{path.stem} {__version__} ".encode() + pickle.dumps(call)).hexdigest()
    return path.parent / f"forecast-{digest[:16]}.pickle"


def _write(path: Path, content: bytes) -> None:
    """Write a file at once, so that nobody reads half of it."""
    with NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
    Path(file.name).replace(path)


def _read(result: Path) -> tuple[Any, float]:
    answer, seconds = pickle.loads(result.read_bytes())  # noqa: S301  # our own workers wrote it
    return answer, float(seconds)


@lru_cache(maxsize=1)
def _task(path: Path) -> Task:
    """Return the task of a file, read once by each worker."""
    return cast("Task", pickle.loads(path.read_bytes()))  # noqa: S301  # our own process wrote it
