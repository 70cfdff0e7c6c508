"""What one visitor, file or form may cost: each is refused or answered, and time and memory are printed.

Run by `make abuse`. Each case runs in a process of its own, so that the memory is its own.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import resource
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

PLAYERS, GAMES = 1500, 5000
MEGABYTE = 1000.0  # of the kilobytes in which Linux tells the largest memory of a process


def parquet(folder: Path) -> str:
    """A small Parquet file of a hundred million rows."""
    import polars as pl

    rows = pl.select(black=pl.repeat("A", 100_000_000, dtype=pl.Categorical()))
    path = folder / "rows.parquet"
    rows.write_parquet(path, compression="zstd")
    return _command("check", str(path))


def zipped(folder: Path) -> str:
    """An archive of a thousand members that look like many formats and are none."""
    path = folder / "many.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(1000):
            archive.writestr(f"{number}.txt", "\n" * 65_536 if number % 2 else "; [" * 20_000)
    return _command("check", str(path))


def pipe(folder: Path) -> str:
    """A folder with a named pipe, into which nobody writes."""
    os.mkfifo(folder / "pipe.csv")
    (folder / "games.csv").write_text("black,white,result\nAda,Bo,B+\n", encoding="utf-8")
    return _command("check", str(folder))


def fragments(folder: Path) -> str:
    """A search for fifteen thousand fragments."""
    client, _ = _club(folder)
    return _pages(client, "/club/?q=" + "+".join(["p"] * 15_000))


def days(folder: Path) -> str:
    """A hundred and thirty days of the past under Whole-History Rating, whose machine code is there."""
    client, _ = _club(folder)
    from handan.club.store.computing import throttle

    client.get("/club/?with=whr")  # the first page ever of a system makes its machine code, which stays on the disk
    throttle.forget()
    return _pages(client, *[f"/club/?as_of=2024-{1 + day % 12:02}-{1 + day // 12:02}&with=whr" for day in range(130)])


def sheet(folder: Path) -> str:
    """A record sheet of fifty thousand games with eight thousand newcomers."""
    client, keeper = _club(folder)
    client.force_login(keeper)
    dice = random.Random(2)
    lines = [f"New {dice.randrange(8000)},Player {dice.randrange(PLAYERS)},B+,2026-01-02" for _ in range(50_000)]
    upload = io.BytesIO("\n".join(["black,white,result,date", *lines]).encode())
    upload.name = "sheet.csv"
    start, worked = time.perf_counter(), time.process_time()
    answer = client.post("/club/games/sheet/", {"file": upload})
    refused = "refused" if b"at most" in answer.content else "answered"
    return f"{refused} ({answer.status_code}) | {_taken(time.perf_counter() - start, time.process_time() - worked)}"


CASES: dict[str, Callable[[Path], str]] = {
    case.__name__: case for case in (parquet, zipped, pipe, fragments, days, sheet)
}


def _command(*arguments: str) -> str:
    """Run a command, and return its exit status and seconds."""
    start, before = time.perf_counter(), os.times()
    done = subprocess.run([sys.executable, "-m", "handan", *arguments], capture_output=True, check=False, timeout=600)
    now = os.times()
    worked = now.children_user + now.children_system - before.children_user - before.children_system
    return f"exit status {done.returncode} | {_taken(time.perf_counter() - start, worked)}"


def _taken(seconds: float, worked: float) -> str:
    """Return how long something took, and how much of that a processor worked on it."""
    return f"{seconds:.1f} | {worked:.1f}"


def _club(folder: Path) -> tuple[Any, Any]:
    """Return a browser, and the account of a result keeper, of a club of many games."""
    from benchmarks.load import Load, populate

    os.environ |= {"HANDAN_HOSTS": "testserver", "HANDAN_LOG_LEVEL": "error"}
    populate(f"sqlite:///{folder / 'club.db'}", Load(GAMES, PLAYERS, "egf", 1))
    from django.contrib.auth import get_user_model
    from django.test import Client

    client = Client()
    client.get("/club/")
    return client, get_user_model().objects.get(username="writer-0")


def _pages(client: Any, *paths: str) -> str:
    """Ask for pages, and return how many were answered and refused, and the seconds of the slowest."""
    statuses: dict[int, int] = {}
    slowest, most = 0.0, 0.0
    for path in paths:
        start, worked = time.perf_counter(), time.process_time()
        status = client.get(path).status_code
        slowest, most = max(slowest, time.perf_counter() - start), max(most, time.process_time() - worked)
        statuses[status] = statuses.get(status, 0) + 1
    return ", ".join(f"{count} x {status}" for status, count in statuses.items()) + f" | {_taken(slowest, most)}"


def _measured(name: str) -> None:
    """Run one case in this process, and print its line."""
    with TemporaryDirectory(prefix="handan-abuse-") as folder:
        figures = CASES[name](Path(folder))
    used = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    title = (CASES[name].__doc__ or name).rstrip(".")
    print(f"| {title} | {figures} | {used / MEGABYTE:.0f} |", flush=True)


def main() -> int:
    """Run each case in a process of its own, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.abuse", description=__doc__)
    parser.add_argument("cases", nargs="*", help="default: all")
    parser.add_argument("--one", choices=list(CASES), help="run one case in this process")
    options = parser.parse_args()
    if options.one:
        _measured(options.one)
        return 0
    head = "| what | answer | slowest, seconds | most work of a processor, seconds | memory, MB |"
    print(f"{head}\n|---|---|---|---|---|", flush=True)
    failed = 0
    for name in options.cases or CASES:
        failed |= subprocess.run([sys.executable, "-m", "benchmarks.abuse", "--one", name], check=False).returncode
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
