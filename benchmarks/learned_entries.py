"""What it earns that newcomers enter where those like them stood: `python -m benchmarks.learned_entries --help`.

Each set is forecast with the entries of each system and with learned ones. In the last column the earlier half of the
games of tom has no ranks, and in the later half, which is scored, everybody declares 9d.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import polars as pl

import handan
from benchmarks import pages
from benchmarks.earlier_games import parts
from benchmarks.forecasts import DATA, SETS
from benchmarks.report import table

PAGE = pages.DOCS / "compare.md"
CHOSEN = ("kgs", "h9", "opengotha")
MIXED = "tom"
SYSTEMS = ("elo", "glicko", "glicko2", "trueskill", "whr", "egf", "dgs", "ogs")


def mixed(path: Path) -> tuple[handan.Ledger, str]:
    """Return the games of a set, ranks only in its later half, and the day on which that begins."""
    halves = parts(MIXED, path)
    assert halves is not None  # it has years of games
    earlier, later = halves[0].with_ranks("none").games, halves[1].with_ranks("all 9d").games
    games = pl.concat([earlier.with_columns(source=pl.lit("earlier")), later.with_columns(source=pl.lit("later"))])
    return handan.Ledger.from_table(games), str(later["date"].min())[:10]


def main(arguments: Sequence[str] | None = None) -> None:
    """Forecast the sets, and write the table into the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learned_entries", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the sets (default: beside the checkout)")
    folder = parser.parse_args(arguments).data
    sets: list[tuple[str, handan.Ledger, str | None]] = [
        (name, handan.read(str(folder / SETS[name])), None) for name in CHOSEN
    ]
    sets.append((f"{MIXED}, ranks in its later half", *mixed(folder / SETS[MIXED])))
    rows = {name: [f"`{name}`"] for name in SYSTEMS}
    for name, ledger, since in sets:
        answer = handan.compare(ledger, ",".join(SYSTEMS), since=since, learned_entries=True)
        loss = {each.system: each.log_loss for each in answer.systems}
        print(name, loss, flush=True)
        for system, row in rows.items():
            row.append(f"{loss[system]:.4f} → {loss[f'{system}:entries']:.4f}")
    pages.write(PAGE, "make learned-entries", table(("system", *(name for name, *_ in sets)), list(rows.values())))


if __name__ == "__main__":
    main()
