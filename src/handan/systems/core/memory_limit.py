"""How much memory is free, how much a piece of work took, and the refusal of work that needs more."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from handan.errors import InputError

Answer = TypeVar("Answer")
GIGA = 1e9
GROUP = Path("/sys/fs/cgroup")
"""Where a container says how much it may take."""


TOGETHER = 450.0
"""Bytes a game of systems that solve all games together: `whr` took 424 above a ledger of a million games of 10,000
players on random days in ten years, with what is said of every game; the list alone takes about a third of it."""


class Memory(NamedTuple):
    """Bytes of a machine, or of the container in which this runs."""

    total: int
    free: int
    """What can be taken without pushing out anything but files that are read again."""


def memory() -> Memory | None:
    """Return how much memory there is; None where the system does not say."""
    sizes = _sizes(Path("/proc/meminfo"))
    if not {"MemTotal", "MemAvailable"} <= sizes.keys():
        return None
    total, free = sizes["MemTotal"], sizes["MemAvailable"]
    limit, taken = (_number(GROUP / name) for name in ("memory.max", "memory.current"))
    if limit is not None and limit < total:
        total, free = limit, min(free, limit - (taken or 0))
    return Memory(total, max(free, 0))


def refuse_beyond(need: float, what: str, remedy: str) -> None:
    """Raise InputError if there is less memory than some work needs."""
    there = memory()
    if there is not None and need > there.free:
        raise InputError(
            f"{what} would need about {need / GIGA:.1f} GB of memory, and {there.free / GIGA:.1f} GB are free: {remedy}"
        )


def with_peak(work: Callable[[], Answer]) -> tuple[Answer, int | None]:
    """Do work, and return its answer and how many bytes of memory it took at most; None where nobody can say."""
    status, reset = Path("/proc/self/status"), Path("/proc/self/clear_refs")
    before = _sizes(status).get("VmRSS")
    try:
        reset.write_text("5", encoding="ascii")  # the kernel counts the largest size from here on
    except OSError:
        before = None
    answer = work()
    peak = _sizes(status).get("VmHWM")
    return answer, None if before is None or peak is None else max(peak - before, 0)


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _sizes(file: Path) -> dict[str, int]:
    """Return the lines of a table of the kernel such as `MemTotal: 100 kB`, in bytes."""
    try:
        rows = [line.split() for line in file.read_text(encoding="ascii", errors="replace").splitlines()]
    except OSError:
        return {}
    return {row[0].rstrip(":"): int(row[1]) * 1024 for row in rows if len(row) == 3 and row[2] == "kB"}


def _number(file: Path) -> int | None:
    try:
        return int(file.read_text(encoding="ascii"))
    except (OSError, ValueError):  # none is set
        return None
