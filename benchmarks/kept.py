"""Forecasts kept in a folder, a file for each system, so that a system made anew leaves the others as they are."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from handan.evidence import Cluster, Task
from handan.evidence.candidates import Candidate
from handan.evidence.parallel import made_here

T = TypeVar("T")


@dataclass(frozen=True)
class Kept(Cluster):
    """Forecasts that are made in this process where the folder does not have them.

    A file counts for the revision and settings of its system and for the games that it was made of; with another of
    these, forecasts are made anew.
    """

    address: str = "local"
    again: bool = False
    """Whether all are made anew."""

    def forecasts(self, calls: Sequence[Callable[[Task], T]], task: Task) -> list[tuple[T, float]]:
        """Return the forecasts of each call and their seconds, those of the folder where they are there."""
        return [self._of(call, task) for call in calls]

    def _of(self, call: Callable[[Task], Any], task: Task) -> tuple[Any, float]:
        file = self.file(cast("Candidate", getattr(call, "__self__")), task)  # noqa: B009  # of a bound method
        if file.exists() and not self.again:
            with np.load(file) as arrays:
                return arrays["probability"] if len(arrays["probability"]) else None, float(arrays["seconds"])
        print(f"  {file.stem}", file=sys.stderr, flush=True)
        ((probability, seconds),) = made_here([call], task)
        file.parent.mkdir(parents=True, exist_ok=True)
        np.savez(file, probability=np.empty(0) if probability is None else probability, seconds=seconds)
        return probability, seconds

    def file(self, candidate: Candidate, task: Task) -> Path:
        """Return where the forecasts of a system stand."""
        rules = candidate.rules
        games = np.concatenate(
            (task.games, task.ledger.arrays.black[task.games], task.ledger.arrays.white[task.games], task.known_until)
        )
        which = f"{candidate.label} {rules.revision} {rules!r} ".encode() + games.tobytes() + task.score.tobytes()
        return (self.keep or Path()) / f"{rules.name}-{hashlib.sha256(which).hexdigest()[:12]}.npz"
