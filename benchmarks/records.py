"""Measure what a folder of game records costs beside one file that holds them all: `python -m benchmarks.records`.

Both are times of the processor, of reading and of the reports of `handan check`; the last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from handan.files.duplicates import with_repeats
from handan.files.io.options import Options
from handan.files.name_variants import with_spellings
from handan.files.reading import read, readings
from handan.files.report import report

MOVES = 220
LETTERS = "abcdefghijklmnopqrs"


def written(folder: Path, games: int) -> tuple[Path, Path]:
    """Return one file of games, and a folder with a file for each."""
    chance = random.Random(1)
    apart, one = folder / "apart", folder / "one.sgf"
    apart.mkdir()
    records = []
    for number in range(games):
        black, white = chance.sample(range(60), 2)
        moves = "".join(f";B[{chance.choice(LETTERS)}{chance.choice(LETTERS)}]" for _ in range(MOVES))
        day = f"2025-{1 + number % 12:02}-{1 + number % 28:02}"
        head = f"PB[Player {black}]PW[Player {white}]BR[3d]WR[2d]DT[{day}]EV[Cup]RO[{number}]KM[6.5]RE[B+R]"
        records.append(f"(;GM[1]FF[4]SZ[19]CA[UTF-8]{head}{moves})\n")
        (apart / f"{number:06}.sgf").write_text(records[-1], encoding="utf-8")
    one.write_text("".join(records), encoding="utf-8")
    return one, apart


def taken(path: Path, repeat: int) -> float:
    """Return the seconds of the processor that reading and checking a path takes."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        read(path)
        for each in with_spellings(with_repeats(list(readings(path, Options())))):
            report(each)
        times.append(time.process_time() - start)
    return statistics.median(times)


def main() -> None:
    """Measure as many games as the command line says."""
    parser = argparse.ArgumentParser(description="Measure a folder of game records beside one file of them.")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        one, apart = written(Path(name), options.games)
        together, each = taken(one, options.repeat), taken(apart, options.repeat)
    per_file = 1000 * each / options.games
    print(f"{options.games} files: {per_file:.2f} ms a file to read and check, {each / together:.1f} times one file")
    print(json.dumps({"games": options.games, "ms_per_file": per_file, "times_one_file": each / together}))


if __name__ == "__main__":
    main()
