"""Whether training on earlier games hurts the forecasts of later ones: `python -m benchmarks.earlier_games --help`.

Each set of real games is cut into an earlier and a later part. The later one is forecast without training, then after
every other part: the earlier one of the same set, and those of other sets, moved to the days before it, with other
names. Ranks are left as they are, taken out, lowered by two, or 9d for everybody. All sets together under `handan` are
written into the page.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

import handan
from benchmarks import pages
from benchmarks.forecasts import DATA, SETS, sets_at_hand
from benchmarks.report import table
from handan import InputError, Ledger
from handan.evidence.intervals import Clustered
from handan.evidence.scores import losses
from handan.ranks import WEAKEST, Rank

PAGE = pages.DOCS / "compare.md"
CHOSEN = ("kgs", "tom", "tygem", "football", "h9", "opengotha")
CUTS = {"kgs": "2006-01-01", "tygem": "2007-01-01", "football": "1993-01-01", "h9": "2006-01-01"}
"""Where the later part begins: with a new year; elsewhere in the middle of the games."""
ENDS = {"tygem": "2007-07-01"}
"""Where it ends, so that the table takes minutes."""
ALLOWED = 0.002
"""By how much forecasts after training may be worse."""
LOWERED = 2.0
RANKS = ("as they are", "none", "two lower", "all 9d")


@dataclass(frozen=True, eq=False)
class Part:
    """An earlier or later part of a set."""

    name: str
    games: pl.DataFrame

    def with_ranks(self, ranks: str) -> Part:
        """Return the part with its ranks as one of `RANKS`."""
        sides = pl.col("black_rank", "white_rank")
        changed = {
            "as they are": sides,
            "none": pl.lit("").alias("black_rank"),
            "two lower": sides.replace({rank: lowered(rank) for rank in self.ranks}),
            "all 9d": pl.lit("9d").alias("black_rank"),
        }[ranks]
        games = self.games.with_columns(changed)
        return Part(
            self.name, games if ranks not in {"none", "all 9d"} else games.with_columns(white_rank="black_rank")
        )

    @property
    def ranks(self) -> list[str]:
        """The ranks that anybody declares."""
        sides = pl.concat([self.games["black_rank"], self.games["white_rank"]])
        return [rank for rank in sides.unique().drop_nulls().sort() if rank]

    def before(self, other: Part) -> Part:
        """Return the part with other names, moved to end on the day before another begins."""
        days = (other.games["date"].min() - self.games["date"].max()) - timedelta(days=1)  # type: ignore[operator]
        named = (pl.lit(f"{self.name} ") + pl.col("black", "white")).name.keep()
        away = pl.lit("").alias("black_id"), pl.lit("").alias("white_id")
        return Part(self.name, self.games.with_columns(pl.col("date") + days, named, *away))

    def ledger(self, folder: str) -> Ledger:
        """Return the games as those of a file or folder of this name."""
        return Ledger.from_table(self.games.with_columns(source=folder + "/" + pl.col("source")))


def lowered(text: str) -> str:
    """Return a rank two lower; professional ones stay."""
    rank = Rank.parse(text)
    return text if "p" in text else str(Rank.at(max(rank.stones - LOWERED, WEAKEST)))


def parts(name: str, path: Path) -> tuple[Part, Part] | None:
    """Return the earlier and the later part of a set; None where a set has too few days."""
    ledger = handan.read(str(path))
    games = ledger.games.filter(pl.col("date").is_not_null()).cast({"black": pl.String, "white": pl.String})
    games = games.with_columns(pl.col("source").str.split("/").list.last())
    day = pl.col("date").dt.date().cast(pl.String)
    cut = CUTS.get(name) or str(games["date"].sort()[len(games) // 2].date())
    earlier, later = games.filter(day < cut), games.filter((day >= cut) & (day < ENDS.get(name, "9999")))
    return (Part(name, earlier), Part(name, later)) if len(earlier) and len(later) else None


@dataclass(frozen=True)
class Row:
    """What training on one part does to the forecasts of another."""

    earlier: str
    earlier_ranks: str
    later: str
    later_ranks: str
    alone: float
    after: float
    error: float
    """Standard error of the difference."""

    @property
    def worse(self) -> float:
        """By how much the forecasts are worse after training."""
        return self.after - self.alone

    @property
    def text(self) -> str:
        """The difference, in bold where it is more than allowed."""
        return f"**{self.worse:+.4f}**" if self.worse > ALLOWED else f"{self.worse:+.4f}"


class Trials:
    """Forecasts of later parts, each made once without training."""

    def __init__(self, system: str) -> None:
        """Take the system whose forecasts are tried."""
        self.system = system
        self.alone = cache(self._alone)

    def _alone(self, later: Part) -> handan.Comparison:
        return handan.compare(later.ledger("later"), self.system)

    def row(self, earlier: Part, earlier_ranks: str, later: Part, later_ranks: str) -> Row:
        """Return what training does."""
        alone = self.alone(later)
        after = handan.compare(later.ledger("later"), self.system, train=earlier.ledger("earlier"))
        task = after.task
        assert task is not None  # a comparison of games that were made here has one
        games, score = task.games[task.wanted], task.score[task.wanted]
        each = [losses(made.systems[0].probability, score) for made in (after, alone)]  # type: ignore[arg-type]
        players = np.stack([side[games] for side in task.ledger.arrays.seats], axis=1)
        clusters = Clustered.of(np.stack(each, axis=1), task.knowledge.day[games], players)
        return Row(
            earlier.name, earlier_ranks, later.name, later_ranks, float(each[1].mean()), float(each[0].mean()),
            clusters.error(np.array([1.0, -1.0])),
        )  # fmt: skip


def trials(sets: Sequence[tuple[Part, Part]], system: str) -> Iterator[Row]:
    """Yield what training does, over all pairs of sets, and all kinds of ranks within one set."""
    trial = Trials(system)
    for _, later in sets:
        kinds = RANKS if later.ranks else (RANKS[0], RANKS[3])
        for later_ranks in kinds:
            scored = later.with_ranks(later_ranks)
            for earlier, _ in sets:
                if earlier.name == later.name:
                    for earlier_ranks in kinds:
                        yield trial.row(earlier.with_ranks(earlier_ranks), earlier_ranks, scored, later_ranks)
                elif later_ranks == RANKS[0]:
                    yield trial.row(earlier.before(scored), RANKS[0], scored, later_ranks)


def page_text(rows: Sequence[Row]) -> str:
    """Return a table of what training on the same set does, one of other sets, and how many keep the promise."""
    kept = sum(row.worse <= ALLOWED for row in rows)
    own = {(row.later, row.later_ranks): row.alone for row in rows if row.earlier == row.later}
    same = {(row.later, row.later_ranks, row.earlier_ranks): row.text for row in rows if row.earlier == row.later}
    other = {(row.later, row.earlier): row.text for row in rows if row.earlier != row.later}
    names = list(dict.fromkeys(row.later for row in rows))
    of_same = [
        [name, ranks, f"{alone:.4f}", *(same.get((name, ranks, each), "") for each in RANKS)]
        for (name, ranks), alone in own.items()
    ]
    of_other = [[name, *(other.get((name, each), "") for each in names)] for name in names]
    return "\n\n".join((
        table(("later games", "their ranks", "alone", *(f"earlier ranks {each}" for each in RANKS)), of_same),
        table(("later games", *(f"after {each}" for each in names)), of_other),
        f"{kept} of {len(rows)} pairs are worse by {ALLOWED} at most.",
    ))  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the pairs, and write what all sets show under the project's own system into the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.earlier_games", description=__doc__)
    parser.add_argument("sets", nargs="*", help=f"of {', '.join(SETS)} (default: those of a thousand games and more)")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the sets (default: beside the checkout)")
    parser.add_argument("--system", default="handan", help="system, with settings if any (default: handan)")
    options = parser.parse_args(arguments)
    at_hand = sets_at_hand(options.data, options.sets or [*CHOSEN])
    sets = [cut for name, path in at_hand if (cut := parts(name, path)) is not None]
    if not sets:
        raise InputError("no set of games has an earlier and a later part")
    rows = []
    for row in trials(sets, options.system):
        rows.append(row)
        later, earlier = f"{row.later}, ranks {row.later_ranks}", f"{row.earlier}, ranks {row.earlier_ranks}"
        print(
            later, earlier, f"{row.alone:.4f}", f"{row.after:.4f}", row.text, f"{row.error:.4f}", sep=" | ", flush=True
        )
    print("\n" + page_text(rows))
    if options.system == "handan" and {part.name for part, _ in sets} == {*CHOSEN}:
        pages.write(PAGE, "make earlier-games", page_text(rows))


if __name__ == "__main__":
    main()
