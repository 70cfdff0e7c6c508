"""What commands cost to start, in processor time: `python -m benchmarks.starting`.

Each number is the median over many starts, as a ratio to importing polars, numpy and rich alone, measured in turns with
it in one run.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from statistics import median

from benchmarks.runner import ROOT

LIBRARIES = ("-c", "import polars, numpy, rich")
COMMANDS = {
    "handan --help": 0.35,
    "handan handicap 215 238 --card tokyo15": 0.35,
    "handan odds 2d 2k --system igs": 0.9,
    "handan rate examples/games.csv --system egf": 1.4,
}
"""Commands, and the ratio that they should stay under."""


def processor_seconds(*arguments: str) -> float:
    """Return the processor time of one Python process, whose modules are compiled already."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=own, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print a line for each command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.starting", description=__doc__)
    parser.add_argument("--starts", type=int, default=21, help="starts of each command (default: 21)")
    starts = parser.parse_args().starts
    lines = {"": LIBRARIES} | {line: ("-m", *line.split()) for line in COMMANDS}
    for words in lines.values():  # so that each has its modules compiled
        processor_seconds(*words)
    turns = [{line: processor_seconds(*words) for line, words in lines.items()} for _ in range(starts)]
    medians = {line: median(turn[line] for turn in turns) for line in lines}
    print(f"{'command':45} {'ratio':>6} {'at most':>8}")
    for line, most in COMMANDS.items():
        print(f"{line:45} {medians[line] / medians['']:6.2f} {'' if most is None else most:>8}")


if __name__ == "__main__":
    main()
