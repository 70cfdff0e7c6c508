"""Games by the hundred million on one machine: made, built, rated, explained, added to, corrected; and the memory."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl

PIECE = 10_000_000  # games of a file
DAYS = 3_650
FIRST = np.datetime64("2015-01-01", "D")
SYSTEMS = ("elo", "egf", "glicko2")


def write_games(folder: Path, games: int, players: int) -> list[Path]:
    """Write files of games of random dates and strengths, players by name; files that are there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    names = pl.Series([f"player {number:07d}" for number in range(players)])
    strength = np.random.default_rng(1).normal(0.0, 1.5, players)
    files = []
    for first in range(0, games, PIECE):
        count = min(PIECE, games - first)
        file = folder / f"games-{players}-{first}-{count}.parquet"
        files.append(file)
        if file.exists():
            continue
        rng = np.random.default_rng([2, first])
        black = rng.integers(players, size=count)
        white = (black + rng.integers(1, players, count)) % players
        wins = rng.random(count) < 1.0 / (1.0 + np.exp(strength[white] - strength[black]))
        day = FIRST + rng.integers(0, DAYS, count)
        columns = {"date": day, "black": names.gather(black), "white": names.gather(white)}
        table = pl.DataFrame(columns).with_columns(result=pl.Series(np.where(wins, "B+R", "W+R")))
        table.write_parquet(file, compression="zstd", row_group_size=1 << 20)
    return files


Took = tuple[float, float, float, float]
"""Seconds of the clock and of the processor, and megabytes of heap and of all memory."""


def command(*words: object) -> Took:
    """Run a command of Handan; return seconds, those of the processor, and the largest heap and memory in megabytes.

    The memory is that of the kernel's table of the process: what `wait` says is at least that of who started it.
    """
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "handan", *map(str, words)], stdout=subprocess.DEVNULL)
    heap, whole, ended, status = 0.0, 0.0, 0, 0
    while not ended:
        sizes = _sizes_of(process.pid)
        heap, whole = max(heap, sizes.get("RssAnon", 0.0)), max(whole, sizes.get("VmHWM", 0.0))
        time.sleep(0.05)
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
    if status != 0:
        raise SystemExit(f"handan {' '.join(map(str, words))} ended with {status}")
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime, heap, whole


def _sizes_of(process: int) -> dict[str, float]:
    """Return what the kernel says of a process's memory, in megabytes; nothing where it does not."""
    try:
        text = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return {}
    rows = [line.split() for line in text.splitlines() if line.endswith("kB")]
    return {row[0].rstrip(":"): float(row[1]) / 1024.0 for row in rows}


def steps(folder: Path, games: int, players: int, systems: tuple[str, ...]) -> dict[str, Took]:
    """Build, rate, explain, add and correct; return what each step took."""
    files = write_games(folder / "files", games, players)
    ledger = folder / f"{games}.ledger"
    shutil.rmtree(ledger, ignore_errors=True)
    took = {"build": command("ledger", "build", *files, "-o", ledger)}
    today, old = folder / "today.csv", folder / "old.csv"
    for name in systems:
        took[f"rate {name}"] = command("rate", ledger, "--system", name, "--limit", 20)
    took["explain"] = command("explain", ledger, "--system", "elo", "--player", "player 0000000")
    later = FIRST + DAYS + 1
    rows = [f"{later},player {i:07d},player {i + 1:07d},B+R\n" for i in range(0, 1000, 2)]
    today.write_text("date,black,white,result\n" + "".join(rows), encoding="utf-8")
    took["a day added"] = command("ledger", "append", ledger, today)
    took["rate elo after it"] = command("rate", ledger, "--system", "elo", "--limit", 20)
    old.write_text(_old_game(ledger), encoding="utf-8")
    took["an old result corrected"] = command("ledger", "correct", ledger, old)
    took["rate elo after that"] = command("rate", ledger, "--system", "elo", "--limit", 20)
    return took


def _old_game(path: Path) -> str:
    """Return the game in the middle of a ledger as a table, won by the other side."""
    import handan

    ledger = handan.read(path)
    game = ledger[len(ledger) // 2]
    result = "W+R" if str(game.result) == "B+R" else "B+R"
    return f"date,black,white,result\n{game.date},{game.black},{game.white},{result}\n"


def main() -> None:
    """Print one line a step and size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default="10m", help="sizes, such as 10m,100m,1000m")
    parser.add_argument("--players", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, default=Path("build/billion"))
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    given = parser.parse_args()
    print(f"{given.players:,} players; seconds of the processor beside those of the clock;")
    print("heap and memory of all, with pages of files, in megabytes, and ratios to the first size")
    print(f"{'games':>13} {'step':26} {'clock':>8} {'seconds':>8} {'ns a game':>10} {'heap':>7} {'all':>7}  ratios")
    first: dict[str, tuple[float, float]] = {}
    for size in given.games.split(","):
        games = int(size.lower().replace("m", "")) * (1_000_000 if "m" in size.lower() else 1)
        took = steps(given.folder, games, given.players, tuple(given.systems.split(",")))
        for name, (clock, seconds, heap, whole) in took.items():
            each = 1e9 * seconds / games
            least = first.setdefault(name, (each, heap))
            ratios = f"{each / least[0]:>6.2f} {heap / max(least[1], 1.0):>5.2f}"
            line = f"{games:>13,} {name:26} {clock:>8.1f} {seconds:>8.1f} {each:>10.0f} {heap:>7.0f} {whole:>7.0f}"
            print(line + ratios, flush=True)
        (given.folder / f"{games}.json").write_text(json.dumps(took), encoding="utf-8")


if __name__ == "__main__":
    main()
