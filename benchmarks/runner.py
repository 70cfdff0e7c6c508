"""Run one measurement in a process of its own, so that neither memory nor a hang of one touches another."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.finding import JOB
from benchmarks.jobs import Job
from benchmarks.peers import Peer
from benchmarks.peers.environment import Environment, last_line

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 10.0  # a process that has used so many times less of the processor than its limit by then is waiting
CACHE = ROOT / ".cache"
KEPT = {"MALLOC_MMAP_THRESHOLD_": str(32 << 20), "MALLOC_TRIM_THRESHOLD_": str(32 << 30)}
"""Lets a process keep the memory that it freed, for all programs alike: the C programs, too, work on arrays that they
used in the repeat before, and a fresh page costs as much as the games that it holds."""


def ours(job: Job, games: Path, repeat: int) -> Figure:
    """Measure one of our systems, with all loops compiled."""
    command = [sys.executable, "-m", "benchmarks.ours", job.name, str(games), "--repeat", str(repeat)]
    compiled = {
        "HANDAN_KERNELS": "compiled",
        "NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR", str(CACHE / "numba")),
    }
    return _run(command, compiled, None, Figure(job.name, "handan"))


def reader(program: str, job: str, games: Path, repeat: int) -> Figure:
    """Measure how fast a table of games is read, by us or by who does the least."""
    command = [sys.executable, "-m", "benchmarks.reading", program, job, str(games), "--repeat", str(repeat)]
    return _run(command, {}, None, Figure(job, program))


def finder(program: str, names: int, repeat: int) -> Figure:
    """Measure how fast a name is missed among so many, by us or by a dictionary."""
    command = [sys.executable, "-m", "benchmarks.finding", program, str(names), "--repeat", str(repeat)]
    return _run(command, {}, None, Figure(JOB, program))


def peer(program: Peer, environment: Environment, games: Path, limit: float, *more: str) -> Figure:
    """Measure another program; start and forecasts count against its limit, in seconds of the processor."""
    command = [str(environment.python), "-m", "benchmarks.peers", program.program, str(games)]
    command += ["--limit", str(math.ceil(limit)), *more]
    path = os.pathsep.join(map(str, [*environment.path(program.package), ROOT]))
    return _run(command, {"PYTHONPATH": path}, limit, Figure(program.job, program.program))


def _run(command: Sequence[str], variables: Mapping[str, str], limit: float | None, missing: Figure) -> Figure:
    """Return the figure that the last line of a process tells, else `missing` with the reason."""
    environment = {**os.environ, **KEPT, **variables}
    longest, late = (None, "") if limit is None else (PATIENCE * limit, f"not within {limit:g} s")
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, timeout=longest, capture_output=True, text=True, check=False
        )
    except subprocess.TimeoutExpired:
        reason = late
    else:
        if done.returncode == 0:
            return Figure.from_dict(json.loads(last_line(done.stdout)))
        reason = late if done.returncode == -signal.SIGXCPU else last_line(done.stderr)
    return Figure(missing.job, missing.program, note=reason)
