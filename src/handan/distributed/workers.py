"""Who holds the blocks: threads or processes of this machine, or Ray actors; what dies is started again.

A worker that was started again reads its games anew and goes on at the point that it is given, so that nothing is lost
but its time.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any

from handan.distributed.block import Block
from handan.distributed.days_block import DaysBlock
from handan.distributed.share import Holder, Share
from handan.errors import InputError, shown
from handan.systems.whr import WHR

THREADS, LOCAL, RAY = "threads", "local", "ray"
MOST = 1024  # workers; our choice
TRIES = 4  # our choice: how often one question is asked of workers that die
FAILED = "a worker failed: {error}"
NEEDS = "cluster {} needs ray: pip install 'handan[cluster]'"
WHAT = "threads:4, local:4 (processes), ray:4 (actors on this machine) or ray://HOST:PORT"


class Workers(ABC):
    """Those who hold the blocks."""

    @abstractmethod
    def ask(self, method: str, *given: Any, each: Sequence[Any] | None = None) -> list[Any]:
        """Return the answers of all blocks, in the order of the blocks; InputError where one does not come back.

        Args:
            method: Of a block.
            given: To every block.
            each: What is given to each of them behind that, if anything.
        """

    def send(self, method: str, *given: Any, each: Sequence[Any] | None = None) -> list[list[Any]]:
        """Return of each block an answer, and what it has for each of all blocks, to be given on with `each`.

        The latter may stay where it is, and this process need not see it.
        """
        return self.ask(method, *given, each=each)

    @abstractmethod
    def end(self) -> None:
        """Let all of them go."""


class Here(Workers):
    """All blocks in this process, a thread for each; of one thread it is this one."""

    def __init__(self, shares: Sequence[Share]) -> None:
        self._pool = ThreadPoolExecutor(len(shares))
        self._map: Callable[..., Iterable[Any]] = map if len(shares) == 1 else self._pool.map
        self._blocks = [*self._map(opened, shares)]

    def ask(self, method: str, *given: Any, each: Sequence[Any] | None = None) -> list[Any]:
        """Ask all at once."""
        whole = _whole(given, each, len(self._blocks))
        return [*self._map(lambda block, own: getattr(block, method)(*own), self._blocks, whole)]

    def end(self) -> None:
        """Forget the games."""
        self._pool.shutdown()
        self._blocks.clear()


class Processes(Workers):
    """A process for each block."""

    def __init__(self, shares: Sequence[Share]) -> None:
        self._shares = list(shares)
        self._pools = [_process() for _ in shares]

    def ask(self, method: str, *given: Any, each: Sequence[Any] | None = None) -> list[Any]:
        """Ask all at once; who died is started again and asked again."""
        whole = _whole(given, each, len(self._pools))
        jobs = [self._submit(place, method, whole[place]) for place in range(len(self._pools))]
        return [self._answer(place, job, method, whole[place]) for place, job in enumerate(jobs)]

    def _submit(self, place: int, method: str, given: tuple[Any, ...]) -> Future[Any]:
        try:
            return self._pools[place].submit(_answer, self._shares[place], method, given)
        except BrokenProcessPool:  # it died between two questions
            self._pools[place].shutdown(wait=False)
            self._pools[place] = _process()
            return self._pools[place].submit(_answer, self._shares[place], method, given)

    def _answer(self, place: int, job: Future[Any], method: str, given: tuple[Any, ...]) -> Any:
        for tries_left in range(TRIES - 1, -1, -1):
            try:
                return job.result()
            except BrokenProcessPool:
                if tries_left:
                    job = self._submit(place, method, given)
            except (ArithmeticError, LookupError, MemoryError, OSError, TypeError, ValueError) as error:
                raise InputError(FAILED.format(error=repr(error))) from error
        raise InputError(f"worker {place + 1} of {len(self._pools)} died {TRIES} times; is its memory enough?")

    def end(self) -> None:
        """End all processes."""
        for pool in self._pools:
            pool.shutdown()


class Actor:
    """A block in a process of Ray's."""

    def __init__(self, share: Share) -> None:
        self._share = share

    def answer(self, method: str, *given: Any) -> Any:
        """Ask the block, whose games are read at the first question, so that Ray tells why they cannot be."""
        return getattr(self._block, method)(*given)

    @cached_property
    def _block(self) -> Holder:
        return opened(self._share)


class Actors(Workers):
    """A Ray actor for each block; Ray starts again who dies."""

    def __init__(self, ray: Any, shares: Sequence[Share]) -> None:
        self._ray = ray
        actor = ray.remote(max_restarts=TRIES, max_task_retries=TRIES)(Actor)
        self.actors = [actor.remote(share) for share in shares]

    def ask(self, method: str, *given: Any, each: Sequence[Any] | None = None) -> list[Any]:
        """Ask all at once."""
        return self._results([parts[0] for parts in self._submit(1, method, given, each)])

    def send(self, method: str, *given: Any, each: Sequence[Any] | None = None) -> list[list[Any]]:
        """Ask all at once; what they have for each other stays with Ray."""
        submitted = self._submit(1 + len(self.actors), method, given, each)
        answers = self._results([answer for answer, *_ in submitted])
        return [[answer, *passed] for answer, (_, *passed) in zip(answers, submitted, strict=True)]

    def _submit(self, parts: int, method: str, given: tuple[Any, ...], each: Sequence[Any] | None) -> list[list[Any]]:
        """Return of each actor where so many parts of its answer will be."""
        whole = _whole([self._ray.put(item) for item in given], each, len(self.actors))
        pairs = zip(self.actors, whole, strict=True)
        where = [actor.answer.options(num_returns=parts).remote(method, *own) for actor, own in pairs]
        return where if parts > 1 else [[one] for one in where]

    def _results(self, where: list[Any]) -> list[Any]:
        """Wait for answers; each is None where something that was passed on went with its machine."""
        try:
            answers: list[Any] = self._ray.get(where)
        except self._ray.exceptions.ObjectLostError:
            return [None] * len(where)
        except self._ray.exceptions.RayActorError as error:
            raise InputError(f"a worker died {TRIES} times; is its memory enough? {error}".splitlines()[0]) from None
        except self._ray.exceptions.RayTaskError as error:
            clear = isinstance(error.cause, InputError)
            raise InputError(str(error.cause) if clear else FAILED.format(error=repr(error.cause))) from error
        return answers

    def end(self) -> None:
        """Let the actors end, on a cluster that goes on."""
        for actor in self.actors:
            self._ray.kill(actor)


def count_of(address: str) -> int | None:
    """Return how many workers an address names, None for as many as the cluster has processors; InputError for none."""
    kind, _, number = address.partition(":")
    if kind == RAY and number.startswith("//"):
        return None
    if (
        kind in {THREADS, LOCAL, RAY}
        and number.isascii()
        and (number.isdecimal() or not number)
        and 0 < int(number or 1) <= MOST
    ):
        return int(number or 1)
    raise InputError(f"cluster {shown(address)} is not {WHAT}")


@contextmanager
def started(address: str, shares_for: Callable[[int], Sequence[Share]]) -> Iterator[Workers]:
    """Start the workers of an address until the block ends.

    Args:
        address: `threads:N`, `local:N`, `ray:N` or `ray://HOST:PORT`.
        shares_for: Returns the shares of so many workers.

    Raises:
        InputError: The address is none, or Ray is not installed or does not answer.
    """
    count = count_of(address)
    with ExitStack() as stack:
        if address.startswith(RAY):
            ray = stack.enter_context(_ray(address, count))
            count = count or max(int(ray.cluster_resources().get("CPU", 1)), 1)
            workers: Workers = Actors(ray, shares_for(count))
        else:
            number = count or 1
            workers = (Here if number == 1 or address.startswith(THREADS) else Processes)(shares_for(number))
        stack.callback(workers.end)
        yield workers


@contextmanager
def _ray(address: str, count: int | None) -> Iterator[Any]:
    """Connect to a Ray cluster, or start one of this machine that ends with the block."""
    try:
        ray = import_module("ray")
    except ModuleNotFoundError:
        raise InputError(NEEDS.format(address)) from None
    quiet: dict[str, Any] = {"log_to_driver": False, "ignore_reinit_error": True}
    try:
        if count is None:
            ray.init(address, **quiet)
        else:
            ray.init("local", num_cpus=count, include_dashboard=False, **quiet)
    except Exception as error:  # noqa: BLE001  # Ray raises the base of all
        raise InputError(f"cluster {shown(address)} does not answer: {' '.join(str(error).split())}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _process() -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")  # threads of polars do not live on in a fork
    return ProcessPoolExecutor(1, context, initializer=_end_with_parent)


def _end_with_parent() -> None:
    """Let this process end when the one that began it does, however that ended."""
    threading.Thread(target=_await_parent, daemon=True).start()


def _await_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def _answer(share: Share, method: str, given: tuple[Any, ...]) -> Any:
    """Ask the block of this process, which is read at the first question."""
    return getattr(_block(share), method)(*given)


@lru_cache(maxsize=1)
def _block(share: Share) -> Holder:
    return opened(share)


def opened(share: Share) -> Holder:
    """Read the games of a share."""
    if isinstance(share.system, WHR):
        return DaysBlock(share, share.system)
    return Block(share, share.system)


def _whole(given: Sequence[Any], each: Sequence[Any] | None, count: int) -> list[tuple[Any, ...]]:
    """Return all that each of so many blocks is given."""
    return [tuple(given)] * count if each is None else [(*given, *own) for own in each]
