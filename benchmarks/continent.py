"""A club server of a continent: 1.3 million games of 50,000 players in 25 years, asked through HTTP.

Run by `make continent`; `--scale 0.1` makes a tenth of it. Each figure is what one request to `handan serve` costs: to
a process that begins (alone, and with all that its worker does from its start on), to one that has answered before,
after each of a thousand entries, and after the oldest game is corrected. Prints the time that the processes of the
server work for it, which is the same whatever else the machine does, with the time until the answer is there; the
memory of the largest process on the way; and whether the limits, which are of the first of these times, are kept.
So that runs on machines of other speed can be compared, it also prints the time that Python with NumPy, polars and an
empty Django takes to begin, which is of the same kind and has nothing of Handan in it.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import urlencode

import numpy as np

from benchmarks.load import PASSWORD, ROOT, database, stored
from benchmarks.serving import Browser, Server, served

FIRST = date(2001, 1, 1)
DAYS = 9_100
EVENTS_END = 0.95  # part of the games that belong to tournaments; the last ones are games of clubs
AT_ONCE = 50_000  # games that are drawn together while the club is made
WRITTEN = 10_000  # entries a transaction then; PostgreSQL ends one in which nothing comes for a minute
TIMES = 7
PROCESSES = 3  # that begin for each page, of which the median counts
RESTING = 0.05  # seconds that a server which rests works in one
BEHIND = 2.0  # seconds after its start in which a server begins what only later pages need (`warming.py`)
WARM, COLD, CORRECTED, NEWCOMER, MEMORY, GROWTH = 0.1, 2.0, 1.0, 2.0, 1000.0, 1.1
"""Limits at full size: seconds warm, in a new process, after a correction, and where all games are rated for somebody's
first one; megabytes; and how often of what they were after a tenth of the entries these may be at the end."""
LIBRARIES_ALONE = """
import numpy, polars
from django.conf import settings
settings.configure(INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"])
from django.core.wsgi import get_wsgi_application
get_wsgi_application()
import django.forms, django.template, django.views.generic
"""
LADDER, CARD, SEARCH, PREVIEW, GAMES = "ladder", "card", "search", "preview", "games"


@dataclass(frozen=True)
class Continent:
    """What is made and asked."""

    games: int
    players: int
    entries: int
    system: str


def drafts(size: Continent) -> Iterator[list[Any]]:
    """Go through the entries that make the club, so many at once: players with ranks, then games by days."""
    from handan.club.entries import Draft
    from handan.club.kinds import Kind

    dice = np.random.default_rng(1)
    people = [Draft(Kind.PLAYER_REGISTERED, {"name": name_of(number), "reading": "", "country": "", "club": "",
                                             "ids": []}) for number in range(size.players)]  # fmt: skip
    for start in range(0, len(people), AT_ONCE):
        yield people[start : start + AT_ONCE]
    first = 2  # entry 1 sets the rules
    strength = dice.normal(0.0, 3.0, size.players)
    often = dice.pareto(1.2, size.players) + 0.3
    often /= often.sum()
    for start in range(0, size.games, AT_ONCE):
        number = min(AT_ONCE, size.games - start)
        black, white = dice.choice(size.players, (2, number), p=often)
        white = np.where(black == white, (white + 1) % size.players, white)
        won = dice.random(number) < 1.0 / (1.0 + np.exp(strength[white] - strength[black]))
        batch = []
        for place in range(number):
            game = start + place
            facts = {"black": f"p{black[place] + first}", "white": f"p{white[place] + first}",
                     "date": str(FIRST + timedelta(days=game * DAYS // size.games)),
                     "result": "B+" if won[place] else "W+", "kind": "club"}  # fmt: skip
            if game < EVENTS_END * size.games:
                facts["event"] = f"Event {game // 200}"
            if game < size.players:
                facts["black_rank"] = f"{int(np.clip(12 - 2 * strength[black[place]], 1, 25))}k"
            batch.append(Draft(Kind.GAME_RECORDED, facts))
        yield batch


def name_of(number: int) -> str:
    """Return a name that nobody else has, of two words as people have them."""
    sounds = ("ka", "ri", "to", "me", "san", "lo", "vi", "ber", "du", "no")
    digits = [int(digit) for digit in reversed(f"{number:06}")]
    words = ["".join(sounds[digit] for digit in part).capitalize() for part in (digits[:3], digits[3:])]
    return " ".join(words)


def populate(url: str, size: Continent) -> None:
    """Make the club of a continent in an empty database, and the account of a secretary."""
    from handan.cli.django import start

    start(url)
    from handan.club.rules import checked

    members, writing = stored("members"), stored("writing")
    stored("backup").migrate()
    club = writing.create_club("club", "Continent", checked(size.system, {}))
    for batch in drafts(size):
        for part in (batch[first : first + WRITTEN] for first in range(0, len(batch), WRITTEN)):
            writing.write(club, lambda _, drafts=part: drafts, author="import")
    members.set_member(club, members.new_account("keeper", PASSWORD), stored("models").Role.SECRETARY, author="import")
    keep_snapshot()


def keep_snapshot() -> None:
    """Write the snapshot that a server goes on from, as one that has folded all entries does beside its answers."""
    club = stored("models").Club.objects.get(slug="club")
    stored("snapshot").keep_snapshot(club, stored("cache").state_of(club), wait=True)


class Cost(NamedTuple):
    """What an answer costs, in seconds."""

    work: float
    """Time that the processes of the server work."""
    wait: float
    """Time until the answer is there."""


def cost_of(server: Server, action: Callable[[], tuple[int, str]], *, shows: str = "") -> Cost:
    """Return what an answer costs; RuntimeError unless it is a page that shows a text."""
    worked, start = server.processor_time(), time.perf_counter()
    status, text = action()
    took = Cost(server.processor_time() - worked, time.perf_counter() - start)
    if status != 200 or shows not in text:
        raise RuntimeError(f"a page answered {status} without {shows!r}: {re.sub('<[^>]*>', ' ', text)[:2000]}")
    return took


class Asking:
    """Somebody who keeps results, and asks for pages that nobody has asked for yet."""

    def __init__(self, server: Server, size: Continent, seed: int = 1) -> None:
        self.server, self.size = server, size
        self.browser, self.visitor = Browser(server.url), Browser(server.url)
        self.dice = np.random.default_rng(seed)
        self.mark = f"{seed}-{os.getpid()}-{time.monotonic_ns()}"  # no form is sent twice, whatever was asked before
        self.entered = 0

    def cost(self, action: Callable[[], tuple[int, str]], shows: str) -> Cost:
        """Return what an answer costs that shows a text."""
        return cost_of(self.server, action, shows=shows)

    def sign_in(self) -> None:
        """Sign in as the secretary."""
        self.browser.sign_in("keeper", PASSWORD)

    def player(self) -> int:
        """Return the number of a player who has played."""
        return int(self.dice.integers(0, min(1000, self.size.players)))

    def game(self, **more: str) -> dict[str, str]:
        """Return the fields of a game of two players on the last day."""
        black, white = self.dice.choice(min(1000, self.size.players), 2, replace=False) + 2
        day = str(FIRST + timedelta(days=DAYS))
        return {"black": f"p{black}", "white": f"p{white}", "result": "B+" if self.dice.random() < 0.5 else "W+",
                "date": day, "kind": "club", "handicap": "0", "komi": "6.5", "size": "19", "another": "on",
                **more}  # fmt: skip

    def enter(self, **more: str) -> Cost:
        """Enter a game and get its page."""
        self.entered += 1
        mark = f"{self.mark}-{self.entered}"
        fields = self.game(token=mark, notes=mark, save="1", **more)
        return self.cost(lambda: self.browser.post("/club/games/new/", **fields), "The game is entered")

    def first_game(self) -> dict[str, Cost]:
        """Register somebody, look at what the first game of that player would do, enter it and get its page."""
        name = f"Newcomer {self.mark} {self.entered}"
        _, page = self.browser.post("/club/players/new/", name=name, save="1", token=name)
        key = re.findall(r"/club/players/(p\d+)/", page)[0]
        return {PREVIEW: self.preview(white=key), "entry": self.enter(white=key)}

    def preview(self, **more: str) -> Cost:
        """Look at what a game would do."""
        fields = self.game(token="", preview="1", **more)
        return self.cost(lambda: self.browser.post("/club/games/new/", **fields), fields["black"])

    def correct(self, game: int) -> Cost:
        """Correct a game and get its page."""
        self.entered += 1
        form = self.browser.get(f"/club/games/g{game}/correct/")[1]
        typed = dict(re.findall(r'<input[^>]*name="(black|white|date|event|kind)"[^>]*value="([^"]*)"', form))
        stands = re.findall(r'<option value="([^"]*)" selected', form)
        result = next(other for other in ("B+R", "W+R") if other not in stands)
        fields = {**self.game(), **typed, "result": result, "token": f"{self.mark}-{self.entered}",
                  "notes": f"{self.mark}-{self.entered}", "reason": "as it was", "save": "1"}  # fmt: skip
        return self.cost(lambda: self.browser.post(f"/club/games/g{game}/correct/", **fields), "is corrected")

    def pages(self) -> dict[str, Cost]:
        """Return what is paid for ladder, card, search and games."""
        player, get = self.player(), self.visitor.get
        name = name_of(player).split()[0]
        return {
            LADDER: self.cost(lambda: get("/club/"), "last updated"),
            CARD: self.cost(lambda: get(f"/club/players/p{player + 2}/"), name),
            SEARCH: self.cost(lambda: get(f"/club/?{urlencode({'q': name})}"), name),
            GAMES: self.cost(lambda: get("/club/games/"), "Games"),
        }

    def preview_and_pages(self) -> dict[str, Cost]:
        """Return what is paid for all pages."""
        return {**self.pages(), PREVIEW: self.preview()}


def medians(rows: Sequence[dict[str, Cost]]) -> dict[str, Cost]:
    """Return the medians of each figure."""
    return {name: Cost(*map(statistics.median, zip(*(row[name] for row in rows), strict=True))) for name in rows[0]}


def libraries_alone() -> float:
    """Return the processor time of a process that only loads the libraries: Python, NumPy, polars, an empty Django."""
    took = []
    for _ in range(TIMES):
        before = _worked_by_children()
        subprocess.run([sys.executable, "-c", LIBRARIES_ALONE], check=True)
        took.append(_worked_by_children() - before)
    return statistics.median(took)


def _worked_by_children() -> float:
    """Return the seconds that all processes have worked which this one began and which have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Begun(NamedTuple):
    """What pages cost that are the first that a new server is asked for."""

    pages: dict[str, Cost]
    """The page alone."""
    with_start: dict[str, Cost]
    """With all that the process does from its start on: its code is loaded, its list is made."""
    memory: float


def cold(url: str, size: Continent, folder: Path, environment: dict[str, str]) -> Begun:
    """Return the medians of what each page costs when it is the first that a new server is asked for."""
    pages, with_start, memory = zip(*(begun(url, size, folder, environment) for _ in range(PROCESSES)), strict=True)
    return Begun(medians(pages), medians(with_start), max(memory))


def begun(url: str, size: Continent, folder: Path, environment: dict[str, str]) -> Begun:
    """Return what each page costs when it is the first that a new server is asked for, in a server each."""
    made = Begun({}, {}, 0.0)

    def note(server: Server, name: str, cost: Cost, start: float) -> Begun:
        whole = Cost(server.busiest_worker(), time.perf_counter() - start)
        made.pages[name], made.with_start[name] = cost, whole
        return made._replace(memory=max(made.memory, server.memory()))

    signed_in = dict[str, str]()
    for name, path in ((LADDER, "/club/"), (CARD, "/club/players/p5/"), (SEARCH, "/club/?q=karika")):
        start = time.perf_counter()
        with served(folder, url, environment=environment) as server:
            cost = cost_of(server, lambda s=server, p=path: Browser(s.url).get(p))  # type: ignore[misc]
            made = note(server, name, cost, start)
            if not signed_in:
                asking = Asking(server, size, 7)
                asking.sign_in()
                signed_in = asking.browser.jar
    start = time.perf_counter()
    with served(folder, url, environment=environment) as server:
        asking = Asking(server, size, 7)
        asking.browser.jar = signed_in  # who keeps results is signed in for weeks
        made = note(server, PREVIEW, asking.preview(), start)
    return made


def table(rows: dict[str, dict[str, Cost]]) -> str:
    """Return rows of costs as a table of milliseconds."""
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    lines = [f"| | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for title, row in rows.items():
        cells = (
            f"{1000 * row[name].work:.0f} ({1000 * row[name].wait:.0f}) ms" if name in row else "" for name in names
        )
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def watched(server: Server, asking: Asking, entries: int) -> tuple[dict[str, Cost], dict[str, Cost], list[float]]:
    """Enter games, look at all pages after some of them; return the medians at first and at last, and the memory."""
    rows, memory = [], [server.memory()]
    looks = max(1, entries // 50)
    for number in range(1, entries + 1):
        took = asking.enter()
        if number % looks == 0:
            rows.append({"entry": took, **asking.preview_and_pages()})
        if number % max(1, entries // 10) == 0:
            memory.append(server.memory())
    part = max(1, len(rows) // 5)
    return medians(rows[:part]), medians(rows[-part:]), memory


def await_rest(server: Server) -> None:
    """Wait until a server has nothing to do, as when it has written what it keeps behind its answers."""
    time.sleep(BEHIND + 1.0)
    worked = -RESTING
    while (now := server.processor_time()) - worked >= RESTING:
        worked = now
        time.sleep(1.0)


def measured(url: str, size: Continent, folder: Path) -> tuple[dict[str, dict[str, Cost]], list[float]]:
    """Return the cost of every page in each situation, and megabytes on the way."""
    environment = {"HANDAN_WRITES_A_MINUTE": "1000000000", "HANDAN_LOG_LEVEL": "warning",
                   "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
                   "PYTHONDONTWRITEBYTECODE": ""}  # fmt: skip  # code is compiled once, as pip does
    oldest = size.players + 2
    rows: dict[str, dict[str, Cost]] = {}
    with served(folder, url, environment=environment) as server:
        asking = Asking(server, size)
        rows["the very first"] = asking.pages()
        await_rest(server)
    new = cold(url, size, folder, environment)
    rows["a new process"], rows["a new process, from its start"] = new.pages, new.with_start
    with served(folder, url, environment=environment) as server:
        asking = Asking(server, size, 3)
        asking.sign_in()
        asking.preview_and_pages()
        await_rest(server)  # what it keeps for the next process is written behind its first pages
        rows["warm"] = medians([asking.preview_and_pages() for _ in range(TIMES)])
        asking.enter()
        newcomers = [(asking.first_game(), asking.preview_and_pages()) for _ in range(3)]
        rows["somebody’s first game"], rows["after it"] = map(medians, zip(*newcomers, strict=True))
        first, last, memory = watched(server, asking, size.entries)
        rows["after an entry, at first"], rows["after an entry, at last"] = first, last
        corrections = []
        for _ in range(3):
            written = asking.correct(oldest)
            corrections.append({"entry": written, **asking.preview_and_pages()})
        rows["the oldest game corrected"] = medians(corrections)
        memory.append(server.memory())
    return rows, [new.memory, *memory]


def broken(rows: dict[str, dict[str, Cost]], memory: Sequence[float], entries: int) -> list[str]:
    """Return which limits are not kept."""
    limits = {"a new process, from its start": COLD, "warm": WARM, "after an entry, at first": WARM,
              "after an entry, at last": WARM, "somebody’s first game": NEWCOMER,
              "after it": NEWCOMER, "the oldest game corrected": CORRECTED}  # fmt: skip
    over = [f"{title}: {name} took {row[name].work:.2f} s of {limits[title]:g} s" for title, row in rows.items()
            if title in limits for name in row if row[name].work > limits[title]]  # fmt: skip
    if max(memory) > MEMORY:
        over.append(f"memory reached {max(memory):.0f} MB of {MEMORY:.0f} MB")
    if entries >= 100 and memory[-2] > GROWTH * memory[3]:
        over.append(f"memory grew from {memory[3]:.0f} MB to {memory[-2]:.0f} MB")
    return over


def options() -> argparse.Namespace:
    """Return what is asked on the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.continent", description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="part of the games and players; default: 1")
    parser.add_argument("--entries", type=int, default=1000)
    parser.add_argument("--systems", default="points,egf,glicko2,whr")
    parser.add_argument("--database", default="sqlite", help="sqlite, postgresql, or the URL of an empty database")
    parser.add_argument("--kept", type=Path, help="folder whose club is taken up again, or that of the URL")
    parser.add_argument("--populate", metavar="URL", help="only make the club in an empty database")
    parser.add_argument("--only-system", action="store_true", help="only set the system of the club that is there")
    return parser.parse_args()


def set_system(url: str, system: str) -> None:
    """Set the system of the club in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.continent", "--populate", url, "--systems", system, "--only-system"]
    subprocess.run(command, check=True)


def under_system(url: str, system: str) -> None:
    """Write the entry that sets the system of the club, if it is another."""
    from handan.cli.django import start

    start(url)
    from handan.club import changes
    from handan.club.rules import checked

    club, made = stored("models").Club.objects.get(slug="club"), checked(system, {})
    if stored("cache").state_of(club).rules[-1].system != system:
        stored("writing").write(club, lambda state: changes.set_rules(state, made), author="import")
    keep_snapshot()


def main() -> int:
    """Make the club, measure each system, print what it came to, and return 1 if a limit is not kept."""
    given = options()
    systems = given.systems.split(",")
    size = Continent(int(1_300_000 * given.scale), int(50_000 * given.scale), given.entries, systems[0])
    if given.populate:
        if given.only_system:
            under_system(given.populate, size.system)
        else:
            populate(given.populate, size)
        return 0
    wrong = []
    with ExitStack() as stack:
        folder = given.kept or Path(stack.enter_context(TemporaryDirectory(prefix="handan-continent-")))
        folder.mkdir(parents=True, exist_ok=True)
        made = folder / ("club.db" if given.database == "sqlite" else "made.txt")
        there = made.exists()
        url = stack.enter_context(database(given.database, folder))
        if not there:
            start = time.monotonic()
            command = [sys.executable, "-m", "benchmarks.continent", f"--scale={given.scale}",
                       f"--systems={given.systems}", "--populate", url]  # fmt: skip
            subprocess.run(command, check=True)
            print(f"{size.games:,} games of {size.players:,} players, made in {time.monotonic() - start:.0f} s")
            if "://" in given.database:
                made.write_text(given.database, encoding="utf-8")
        for system in systems:
            set_system(url, system)
            before = libraries_alone()
            rows, memory = measured(url, size, folder)
            after = libraries_alone()
            print(f"\n{system} on {given.database}\n\n{table(rows)}\n")
            print(f"libraries alone, before and after: {1000 * before:.0f} and {1000 * after:.0f} ms")
            print(f"memory on the way, MB: {', '.join(f'{value:.0f}' for value in memory)}", flush=True)
            over = broken(rows, memory, given.entries)
            print("\n".join(over) or "every limit is kept", flush=True)
            wrong += over
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
