"""What a machine can do with a ledger, measured on some of its games before the work begins."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from handan.ledger import Ledger
from handan.ledger.ledger import between
from handan.systems import System
from handan.systems.core.ledger_windows import GAMES, is_large
from handan.systems.core.memory_limit import TOGETHER, cores, memory, with_peak
from handan.systems.core.sequential import Sequential

TRIED = 200_000  # games that are rated to measure; our choice: a second of work
LEAST = 20_000  # games; our choice: fewer say nothing of many
OF_PLAYER = 300.0  # bytes that a replay in windows keeps of a player, with what it makes for a list


@dataclass(frozen=True, slots=True)
class Machine:
    """What there is."""

    cores: int
    memory: int | None
    """Bytes; None where the system does not say."""
    free: int | None
    disk: int
    """Free bytes where the files are."""


@dataclass(frozen=True, slots=True)
class Need:
    """What it takes to rate a ledger by a system."""

    system: str
    games: int
    players: int
    tried: int
    """Games on which it was measured."""
    seconds: float
    """For all games."""
    memory: float | None
    """Bytes beside the ledger; None where nobody can say."""
    in_windows: bool
    """Whether games are taken in windows, so that memory does not grow with them."""

    def as_dict(self) -> Mapping[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


def machine(beside: Path) -> Machine:
    """Return what there is, and the free disk beside a file."""
    there = memory()
    disk = shutil.disk_usage(beside if beside.exists() else Path()).free
    return Machine(cores(), there.total if there else None, there.free if there else None, disk)


def need_of(system: System, ledger: Ledger) -> Need:
    """Measure what rating the first games of a ledger takes, and return what all of them would take."""
    tried = min(len(ledger), TRIED)
    part = between(ledger, 0, tried)
    system.rate(part)  # the compiler and the caches of columns are no part of what grows
    started = time.perf_counter()
    _, peak = with_peak(lambda: system.rate(between(ledger, 0, tried)))
    seconds = time.perf_counter() - started
    share = len(ledger) / max(tried, 1)
    in_windows = isinstance(system, Sequential) and is_large(ledger)
    needed = None
    if peak is not None and tried >= LEAST:
        needed = peak * (GAMES / tried if in_windows else share) + OF_PLAYER * len(ledger.players) * in_windows
    if not isinstance(system, Sequential):
        needed = max(needed or 0.0, TOGETHER * len(ledger))
    return Need(system.name, len(ledger), len(ledger.players), tried, seconds * share, needed, in_windows)
