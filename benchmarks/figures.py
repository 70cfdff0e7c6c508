"""One measured figure, and how children of the harness measure it; nothing here needs more than numpy."""

from __future__ import annotations

import gc
import resource
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

HELD_OUT = 0.1  # share of the games, the last ones, that forecasts are scored on
SUREST = 1e-6  # forecasts are cut to [1e-6, 1 - 1e-6] before they are scored


@dataclass(frozen=True, slots=True)
class Figure:
    """What one program did on one job."""

    job: str
    program: str
    games: int = 0
    """Games that were rated in `seconds`."""
    seconds: float | None = None
    wall_seconds: float | None = None
    """The same by the clock on the wall, where `seconds` are those of the processor."""
    first_seconds: float | None = None
    """The first rating of a ledger, which also lays out its columns."""
    loop_seconds: float | None = None
    """The part of `seconds` inside compiled loops, without the search for pools."""
    train_seconds: float | None = None
    """Rating the games before the held-out ones, once."""
    ledger_seconds: float | None = None
    """Making the ledger from a frame."""
    frozen: float | None = None
    """Log-loss on the held-out games of the ratings as of the games before them."""
    online: float | None = None
    """Log-loss on the held-out games of the ratings just before each of them."""
    memory: float | None = None
    """Peak memory in MB above what the process held with the games in memory."""
    note: str = ""
    """Why there is no figure, or what to know about it."""

    @property
    def speed(self) -> float | None:
        """Games per second."""
        return self.games / self.seconds if self.seconds else None

    @property
    def loop_speed(self) -> float | None:
        """Games per second of the compiled loops alone."""
        return self.games / self.loop_seconds if self.loop_seconds else None

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON, without what was not measured."""
        fields = asdict(self) | {"games_per_second": self.speed}
        return {key: value for key, value in fields.items() if value not in {None, ""}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Figure:
        """Return the figure that `as_dict` gave."""
        names = {field.name for field in fields(cls)}
        return cls(**{key: value for key, value in data.items() if key in names})


def log_loss(chance: NDArray[np.float64], win: NDArray[Any]) -> float:
    """Return the mean of -ln(probability given to what happened)."""
    kept = np.clip(chance, SUREST, 1.0 - SUREST)
    return float(-np.log(np.where(win == 1, kept, 1.0 - kept)).mean())


def first_held_out(games: int) -> int:
    """Return the index of the first game that forecasts are scored on."""
    return int((1.0 - HELD_OUT) * games)


class PeakMemory:
    """Memory of this process from here on: what it held at the start, and the most that it held since.

    On Linux the kernel's mark is set back at the start; elsewhere the mark is that of the whole life of the process, so
    that earlier peaks may hide a smaller later one.
    """

    def __init__(self) -> None:
        gc.collect()
        try:
            Path("/proc/self/clear_refs").write_text("5")
            self._start = _status("VmRSS")
            self._marked = True
        except OSError:
            self._start = _high_water()
            self._marked = False

    def growth(self) -> float:
        """Return the peak above the start, in MB."""
        peak = _status("VmHWM") if self._marked else _high_water()
        return max(0.0, peak - self._start) / 1024


def _status(name: str) -> int:
    """Return a line of the process's own status, in KB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


def _high_water() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
