"""The games that everybody is measured on: arrays in files, made once, and the same games as a ledger."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import first_held_out, log_loss

if TYPE_CHECKING:
    import polars as pl

    from handan import Ledger

SIZES = {"10k": 10_000, "100k": 100_000, "1m": 1_000_000}
SEED = 20_240_615
DAYS = 1826  # five years
FIRST_DAY = "2019-01-01"
RIVALS = 4  # our choice: an opponent is the nearest in strength of so many drawn by chance


@dataclass(frozen=True)
class Games:
    """Games in playing order; all arrays have shape (games,)."""

    black: NDArray[np.int64]
    white: NDArray[np.int64]
    win: NDArray[np.int64]
    """1 if Black won, else 0; there are no draws and no handicaps."""
    day: NDArray[np.int64]
    truth: NDArray[np.float64]
    """Black's true chance."""

    def __len__(self) -> int:
        """Number of games."""
        return len(self.win)

    @property
    def players(self) -> int:
        """Number of players; some may have no game."""
        return int(max(self.black.max(), self.white.max())) + 1

    @property
    def cut(self) -> int:
        """Index of the first held-out game."""
        return first_held_out(len(self))

    def best_loss(self) -> float:
        """Return the log-loss on the held-out games of one who knows the true chances."""
        return log_loss(self.truth[self.cut :], self.win[self.cut :])

    @classmethod
    def load(cls, path: Path) -> Games:
        """Read the arrays, whichever generator wrote them."""
        with np.load(path) as arrays:
            black, white, win, day = (arrays[name].astype(np.int64) for name in ("a", "b", "win", "day"))
            return cls(black, white, win, day, arrays["ptrue"].astype(np.float64))

    def save(self, path: Path) -> None:
        """Write the arrays."""
        columns = {"a": self.black, "b": self.white, "win": self.win, "day": self.day}
        np.savez(path, ptrue=self.truth, **columns)  # type: ignore[arg-type]


def own(games: int) -> Games:
    """Return seeded games of players whose strengths drift, most of them among near equals."""
    rng = np.random.default_rng([SEED, games])
    players = max(4, round(1.27 * games**0.7))  # our choice: 800 players at 10,000 games, 20,000 at a million
    month = DAYS // 30 + 1
    walk = rng.normal(0.0, 0.1, (players, month)).cumsum(axis=1)
    strength = rng.normal(0.0, 2.0, (players, 1)) + walk + rng.exponential(0.005, (players, 1)) * np.arange(month)
    day = np.sort(rng.integers(0, DAYS, games))
    eager = rng.lognormal(0.0, 1.0, players)
    one = rng.choice(players, games, p=eager / eager.sum())
    rivals = (one[:, None] + rng.integers(1, players, (games, RIVALS))) % players
    now = day // 30
    gap = np.abs(strength[rivals, now[:, None]] - strength[one, now][:, None])
    other = rivals[np.arange(games), gap.argmin(axis=1)]
    truth = 1.0 / (1.0 + np.exp(strength[other, now] - strength[one, now]))
    return Games(one, other, (rng.random(games) < truth).astype(np.int64), day, truth)


def own_path(folder: Path, games: int) -> Path:
    """Return the file of our own games of one size, made if it is not there."""
    path = folder / f"own_{games}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        own(games).save(path)
    return path


def drawn(games: int, players: int) -> Games:
    """Return seeded games of so many players, each pair as likely as any other: no player is near the one before."""
    rng = np.random.default_rng([SEED, games, players])
    strength = rng.normal(0.0, 1.0, players)
    black = rng.integers(0, players, games)
    white = (black + rng.integers(1, players, games)) % players
    truth = 1.0 / (1.0 + np.exp(strength[white] - strength[black]))
    day = np.sort(rng.integers(0, DAYS, games))
    return Games(black, white, (rng.random(games) < truth).astype(np.int64), day, truth)


def drawn_path(folder: Path, games: int, players: int) -> Path:
    """Return the file of drawn games, made if it is not there, with the raw arrays that the yardsticks read."""
    path = folder / f"drawn_{games}_{players}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        made = drawn(games, players)
        raw = {"a.i32": made.black, "b.i32": made.white, "day.i32": made.day, "win.i8": made.win}
        for ending, column in raw.items():
            column.astype(f"<i{int(ending[-2:].strip('i')) // 8}").tofile(path.with_suffix(f".{ending}"))
        path.with_suffix(".meta").write_text(f"{games} {players}\n")
        made.save(path)
    return path


def shared_path(folder: Path, generator: Path, size: str) -> Path:
    """Return the file of the generator's games of one size; the generator makes all sizes at once."""
    path = folder / f"g{size}.npz"
    if not all((folder / f"g{name}.npz").exists() for name in SIZES):
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, generator, folder], check=True, stdout=subprocess.DEVNULL)
    return path


def ledger_of(games: Games, rated: int | None = None) -> Ledger:
    """Return the ledger of the games; those from `rated` on, if given, are void: they name players but rate nobody."""
    import handan

    return handan.read(frame_of(games, rated))


def frame_of(games: Games, rated: int | None = None) -> pl.DataFrame:
    """Return the games as a frame with date, names, result and komi; those from `rated` on, if given, are void."""
    import polars as pl

    number = pl.int_range(pl.len())
    columns: dict[str, Any] = {"black": games.black + 1, "white": games.white + 1, "win": games.win, "day": games.day}
    played = pl.when(pl.col("win") == 1).then(pl.lit("B+")).otherwise(pl.lit("W+"))
    return pl.DataFrame(columns).select(
        date=pl.lit(FIRST_DAY).str.to_date() + pl.duration(days=pl.col("day")),
        black=_named("black"),
        white=_named("white"),
        result=pl.when(number < (len(games) if rated is None else rated)).then(played).otherwise(pl.lit("void")),
        komi=pl.lit(6.5),
    )


def _named(side: str) -> Any:
    """Return the names of a column of player numbers: p00001 and so on, so that names sort as numbers do."""
    import polars as pl

    return pl.lit("p") + pl.col(side).cast(pl.String).str.zfill(5)
