"""How well each system's defaults forecast games, one step ahead: `python -m benchmarks.forecasts --help`.

The log-loss of `handan compare` on sets of real games, one column a set. Systems that solve all games together are
solved anew as games grow, and forecast the games until the next time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl

import handan
from benchmarks import runner
from handan.evidence import Task, forecasts
from handan.evidence.information_set import LEVELS
from handan.evidence.scores import COIN, log_loss
from handan.systems import SYSTEMS

DATA = runner.ROOT.parent / "shared" / "data"
SETS = {
    "kgs": "servers/kgs_6dplus_2001_2003_2006.csv.gz",
    "tom": "servers/tom_9d.csv.gz",
    "tygem": "servers/tygem_2005_2011.csv.gz",
    "football": "football/international_to_2014.csv",
    "h9": "h9",
    "opengotha": "opengotha",
    "aga": "aga/cherry_blossom_20260418_report.txt",
    "sgf": "sgf",
}
"""Sets with results of real games, by name; the folder may hold others, whose results are invented."""


def sets_at_hand(folder: Path, names: list[str]) -> Iterator[tuple[str, Path]]:
    """Go through the sets that are asked for, by name or as files."""
    for name in names or list(SETS):
        path = folder / SETS[name] if name in SETS else Path(name)
        if path.exists():
            yield name, path
        else:
            print(f"{name}: {path} is absent, skipped", file=sys.stderr)


def main() -> None:
    """Print a table of log-loss, one row a system and one column a set; `*` marks what is worse than a coin."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forecasts", description=__doc__)
    parser.add_argument("sets", nargs="*", help=f"files of games, or of {', '.join(SETS)} (default: all of these)")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the sets (default: beside the checkout)")
    parser.add_argument("--systems", default="", help="systems, by commas (default: all that replay)")
    parser.add_argument("--whole", action="store_true", help="also the systems that solve all games together (slow)")
    parser.add_argument("--known", default="game", choices=LEVELS, help="what is known before a game")
    options = parser.parse_args()
    chosen = [name for name in options.systems.split(",") if name] or [
        name for name in SYSTEMS if options.whole or not SYSTEMS[name].traits.whole
    ]
    rows: list[dict[str, str]] = [{"system": name} for name in chosen]
    for label, path in sets_at_hand(options.data, options.sets):
        task = Task.of(handan.read(str(path)), options.known)
        for row in rows:
            probability = forecasts(SYSTEMS[row["system"]](), task)
            row[label] = "" if probability is None or not len(probability) else cell(log_loss(probability, task.score))
            print(f"{row['system']}, {label}, known {task.knowledge.level}: {row[label]}", file=sys.stderr)
    if len(rows) == 0 or len(rows[0]) == 1:
        print("no set of games")
        return
    with pl.Config(tbl_rows=-1, tbl_cols=-1, tbl_formatting="MARKDOWN", tbl_hide_column_data_types=True,
                   tbl_hide_dataframe_shape=True, tbl_width_chars=200):  # fmt: skip
        print(pl.DataFrame(rows))


def cell(loss: float) -> str:
    """Return a log-loss as printed."""
    return f"{loss:.4f}" + "*" * (loss > COIN + 1e-9)


if __name__ == "__main__":
    main()
