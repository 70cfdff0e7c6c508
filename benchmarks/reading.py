"""Measure how long a table of games takes to read, beside the least that any reader does; the last line is JSON.

The least is what polars needs to read all cells as text and to hash each column once: who reads a column must look at
every cell. Times are those of the processor, since polars reads with all of them. Ours also checks every cell, finds
who is who, and puts the games into playing order.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.figures import Figure, PeakMemory
from benchmarks.ledgers import Games, frame_of

FORMATS = ("csv", "parquet")
PROGRAMS = ("handan", "polars")


def measure(program: str, ending: str, games: Games, repeat: int) -> Figure:
    """Return how long one program takes for a table of all games in one format."""
    import polars as pl

    import handan

    frame = frame_of(games)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"games.{ending}"
        getattr(frame, f"write_{ending}")(path)

        def least() -> Any:
            text = pl.read_csv(path, infer_schema=False) if ending == "csv" else pl.read_parquet(path)
            return [column.hash().sum() for column in text]

        run: Callable[[], Any] = least if program == "polars" else lambda: handan.read(path)
        run()
        memory = PeakMemory()
        seconds = [_timed(run) for _ in range(repeat)]
        note = "reads cells and hashes columns" if program == "polars" else ""
        return Figure(
            f"read {ending}", program, len(games), statistics.median(seconds), memory=memory.growth(), note=note
        )


def _timed(run: Callable[[], Any]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description="Measure one reader in a process of its own.")
    parser.add_argument("program", choices=PROGRAMS)
    parser.add_argument("format", choices=FORMATS)
    parser.add_argument("games", type=Path, help="arrays (.npz)")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    figure = measure(options.program, options.format, Games.load(options.games), options.repeat)
    print(json.dumps(figure.as_dict()))


if __name__ == "__main__":
    main()
