"""Measure how long a table of games takes to read, beside the least that any reader does; the last line is JSON.

The least is what polars needs to read all cells as text and to hash each column once: who reads a column must look at
every cell. Times are those of the processor, since polars reads with all of them; the wall clock stands beside. Ours
also checks every cell, finds who is who, and puts the games into playing order. `rate csv` and `rate parquet` are
whole commands from start to end, `handan rate` beside a program that does the least, both from modules compiled to
bytecode, as installers leave them; their memory is all that the process has at its peak.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.figures import Figure, PeakMemory
from benchmarks.ledgers import Games, frame_of

CACHE = Path(__file__).resolve().parent.parent / ".cache"
FORMATS = ("csv", "parquet")
FRAMES = ("polars", "pandas", "arrow")
"""Frames in memory; those of polars are what the others are compared with."""
COMMANDS = ("csv", "parquet")
PROGRAMS = ("handan", "polars")
JOBS = (
    *((f"read {ending}", PROGRAMS) for ending in FORMATS),
    *((f"read {kind} frame", PROGRAMS if kind == "polars" else PROGRAMS[:1]) for kind in FRAMES),
    *((f"rate {ending}", PROGRAMS) for ending in COMMANDS),
)
"""What is measured, and of which programs."""
LEAST = """
import sys, polars as pl
path = sys.argv[1]
table = pl.read_csv(path, infer_schema=False) if path.endswith("csv") else pl.read_parquet(path)
print([column.hash().sum() for column in table])
"""
COMMAND = """
import sys
sys.modules.update(dict.fromkeys(["cffi", "colorama", "coverage", "yaml"]))  # not there
from handan.__main__ import main
sys.exit(main())
"""
"""The command as `pip install 'handan[fast]'` brings it: numba loads these where they are, and they are where papers
are printed, or developers test and document."""
RUN = """
import json, os, subprocess, sys, time
passed = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(process.pid, 0)
print(json.dumps([used.ru_utime + used.ru_stime, time.perf_counter() - passed, used.ru_maxrss / 1024]))
sys.exit(os.waitstatus_to_exitcode(status) != 0)
"""
"""Runs a command, and says what this one process took. A process that starts another lends it its own peak of memory,
so that this small one stands between."""
NOTES = {"read": "reads cells and hashes columns", "rate": "a program that reads cells and hashes columns"}


def measure(program: str, job: str, games: Games, repeat: int) -> Figure:
    """Return how long one program takes for all games."""
    verb, kind = job.split()[:2]
    note = "" if program == "handan" else NOTES[verb]
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"games.{kind}"
        frame = frame_of(games)
        if job.endswith("frame"):
            source: Any = {"polars": frame.clone, "pandas": frame.to_pandas, "arrow": frame.to_arrow}[kind]()
        else:
            getattr(frame, f"write_{kind}")(path)
            source = path
        del frame
        if verb == "rate":
            seconds, memory = _commands(program, path, len(games), repeat)
        else:
            seconds, memory = _reads(program, source, len(games), repeat)
    used, passed = (statistics.median(part) for part in zip(*seconds, strict=True))
    return Figure(job, program, len(games), used, wall_seconds=passed, memory=memory, note=note)


def _reads(program: str, source: Any, games: int, repeat: int) -> tuple[list[tuple[float, float]], float]:
    """Return the times of reading in this process, of the processor and of the wall, and the memory that it takes."""
    import polars as pl

    import handan
    from handan.files import Limits

    limits = Limits(games=max(games, Limits().games))

    def least() -> Any:
        if isinstance(source, pl.DataFrame):
            text = source
        else:
            text = pl.read_csv(source, infer_schema=False) if source.suffix == ".csv" else pl.read_parquet(source)
        return [column.hash().sum() for column in text]

    run: Callable[[], Any] = least if program == "polars" else lambda: handan.read(source, limits=limits)
    run()
    memory = PeakMemory()
    return [_timed(run) for _ in range(repeat)], memory.growth()


def _timed(run: Callable[[], Any]) -> tuple[float, float]:
    used, passed = time.process_time(), time.perf_counter()
    run()
    return time.process_time() - used, time.perf_counter() - passed


def _commands(program: str, path: Path, games: int, repeat: int) -> tuple[list[tuple[float, float]], float]:
    """Return the times of whole processes, of the processor and of the wall, and the most memory that one had."""
    command = [sys.executable, "-c", LEAST, str(path)]
    if program == "handan":
        command = [sys.executable, "-c", COMMAND, "rate", str(path), "--system", "elo", "--allow", f"games={games}"]
    _ran(command)
    runs = [_ran(command) for _ in range(repeat)]
    return [times for times, _ in runs], max(memory for _, memory in runs)


def _ran(command: list[str]) -> tuple[tuple[float, float], float]:
    """Run a command to its end; return its times, and its memory at the peak in MB."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    own["PYTHONPYCACHEPREFIX"] = str(CACHE / "bytecode")
    done = subprocess.run([sys.executable, "-c", RUN, *command], capture_output=True, text=True, env=own, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    used, passed, memory = json.loads(done.stdout)
    return (used, passed), memory


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description="Measure one reader in a process of its own.")
    parser.add_argument("program", choices=PROGRAMS)
    parser.add_argument("job", choices=[job for job, _ in JOBS])
    parser.add_argument("games", type=Path, help="arrays (.npz)")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    figure = measure(options.program, options.job, Games.load(options.games), options.repeat)
    print(json.dumps(figure.as_dict()))


if __name__ == "__main__":
    main()
