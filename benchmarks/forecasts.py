"""How well each system's defaults forecast games, one step ahead: `python -m benchmarks.forecasts --help`.

Log-loss (natural, a draw one half, probabilities kept 1e-6 from 0 and 1); a coin has 0.6931. Systems that replay
forecast every rated game from what was known before it. Systems that solve all games together are refitted as of every
so many days and forecast the games until the next; who has no earlier game is a newcomer by rank, or by nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl

import handan
from benchmarks import runner
from handan.kernels.types import Floats
from handan.ledger import Ledger
from handan.ranks import Rank
from handan.ratings import Ratings, Standing
from handan.systems import SYSTEMS, System

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
CLIP = 1e-6
EPOCH = date(1970, 1, 1)
COIN = float(np.log(2.0))


def log_loss(probability: Floats, score: Floats) -> float:
    """Return the mean of -(s ln p + (1 - s) ln(1 - p))."""
    p = np.clip(probability, CLIP, 1.0 - CLIP)
    return float(-np.mean(score * np.log(p) + (1.0 - score) * np.log(1.0 - p)))


def one_step(rules: System, ledger: Ledger, days: int) -> tuple[Floats, Floats]:
    """Return probability and score of each game that a system forecasts, shape (forecasts,) each."""
    if rules.whole:
        return refitted(rules, ledger, days)
    ratings = rules.rate(ledger)
    if not ratings.rated:
        return np.empty(0), np.empty(0)
    forecasts = ratings.forecasts()
    return forecasts["probability"].to_numpy(), ledger.score[forecasts["game"].to_numpy() - 1]


def refitted(rules: System, ledger: Ledger, days: int) -> tuple[Floats, Floats]:
    """Return the same for a system that solves all games together: a fit as of every `days` days forecasts the next."""
    taken = np.flatnonzero(ledger.scored & ~ledger.by_default & ledger.dated & ledger.full_size)
    span = (ledger.day[taken] - ledger.day[taken].min(initial=0)) // days if len(taken) else taken
    probability, score = [], []
    for number in np.unique(span).tolist():
        games = taken[span == number]
        eve = EPOCH + timedelta(days=int(ledger.day[games].min()) - 1)
        before = ledger.as_of(eve)
        ratings = rules.rate(before) if len(before) else None
        names_so_far = {player.name for player in before.players}
        for game in games.tolist():
            chance = forecast(rules, ratings, names_so_far, ledger, game)
            if chance is not None:
                probability.append(chance)
                score.append(float(ledger.score[game]))
    return np.array(probability, dtype=np.float64), np.array(score, dtype=np.float64)


def forecast(rules: System, ratings: Ratings | None, names_so_far: set[str], ledger: Ledger, game: int) -> float | None:
    """Return the probability that Black wins a game, from ratings of earlier games; newcomers enter by their rank."""
    row = ledger.games.row(game, named=True)
    sides: list[Standing] = []
    for side in ("black", "white"):
        if ratings is not None and row[side] in names_so_far:
            sides.append(ratings.standing(row[side]))
        else:
            rank = row[f"{side}_rank"]
            declared = Rank.parse(rank.rstrip("?*")) if rank else None
            sides.append(rules.newcomer(row[side], rank=declared, ratings=ratings))
    handicap, komi = (int(row["handicap"]), row["komi"]) if ledger.colours_known[game] else (0, None)
    return rules.win_probability(sides[0], sides[1], handicap, komi, ratings)


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
    parser.add_argument("--days", type=int, default=28, help="days between two fits of those (default: 28)")
    options = parser.parse_args()
    chosen = [name for name in options.systems.split(",") if name] or [
        name for name in SYSTEMS if options.whole or not SYSTEMS[name].whole
    ]
    ledgers = {name: handan.read(str(path)) for name, path in sets_at_hand(options.data, options.sets)}
    rows = []
    for name in chosen:
        rules = SYSTEMS[name]()
        cells = {"system": name}
        for label, ledger in ledgers.items():
            try:
                probability, score = one_step(rules, ledger, options.days)
            except handan.InputError:
                continue
            cells[label] = cell(probability, score)
        if len(cells) > 1:
            rows.append(cells)
            print(", ".join(f"{key} {value}" for key, value in cells.items()), file=sys.stderr)
    if not rows:
        print("no set of games, or no system with a law of winning chances")
        return
    with pl.Config(tbl_rows=-1, tbl_cols=-1, tbl_formatting="MARKDOWN", tbl_hide_column_data_types=True,
                   tbl_hide_dataframe_shape=True, tbl_width_chars=200):  # fmt: skip
        print(pl.DataFrame(rows))


def cell(probability: Floats, score: Floats) -> str:
    """Return the log-loss as printed, empty without a forecast."""
    if not len(probability):
        return ""
    loss = log_loss(probability, score)
    return f"{loss:.4f}" + "*" * (loss > COIN)


if __name__ == "__main__":
    main()
