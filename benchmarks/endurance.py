"""Five thousand single entries in one process: what an entry, a ladder and the memory cost at first and at last.

Run by `make endurance`. CPU time, so that other programs count less; the club has a hundred thousand games unless said
otherwise.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.load import DAYS, FIRST, Load, populate

LAST = 100  # entries over which a figure is a median


def memory() -> float:
    """Return the memory of this process now, in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def timed(action: Callable[[], object]) -> float:
    """Return the milliseconds of CPU that something takes."""
    start = time.process_time()
    action()
    return 1000 * (time.process_time() - start)


def main() -> int:
    """Enter the games, and print what they cost after the first and after all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endurance", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=1500)
    parser.add_argument("--entries", type=int, default=5000)
    parser.add_argument("--system", default="egf")
    options = parser.parse_args()
    with TemporaryDirectory(prefix="handan-endurance-") as folder:
        os.environ |= {"HANDAN_HOSTS": "testserver", "HANDAN_LOG_LEVEL": "error"}
        populate(f"sqlite:///{Path(folder) / 'club.db'}", Load(options.games, options.players, options.system, 0))
        lines = endured(options.entries)
    print("| entries | an entry, ms | the ladder after it, ms | memory, MB |\n|---|---|---|---|")
    print("\n".join(lines))
    return 0


def endured(entries: int) -> list[str]:
    """Enter games one by one, look at the ladder after each, and return what it cost after 5, and at last."""
    from django.test import Client

    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Club
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    club, client, dice, day = Club.objects.get(slug="club"), Client(), random.Random(1), today()
    keys, costs, lines = sorted(state_of(club).people), [], []
    client.get("/club/")
    marks = {5, entries // 2, entries}
    for number in range(1, entries + 1):
        black, white = dice.sample(keys, 2)
        facts = {"black": black, "white": white, "result": "B+", "date": str(FIRST + timedelta(days=DAYS))}
        entry = timed(lambda f=facts: write(club, lambda s: changes.games.record_game(s, f, day), author="x"))  # type: ignore[misc]
        costs.append((entry, timed(lambda: client.get("/club/"))))
        if number in marks:
            middle = [statistics.median(column) for column in zip(*costs[-LAST:], strict=True)]
            lines.append(f"| {number:,} | {middle[0]:.0f} | {middle[1]:.0f} | {memory():.0f} |")
    return lines


if __name__ == "__main__":
    raise SystemExit(main())
