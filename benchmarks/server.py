"""What a club server costs over the wire, in milliseconds of a processor: pages, entries in every order of dates.

Run by `make server`; `--games 500,100000,1300000` chooses the sizes, `--systems egf,points,glicko2` the systems,
`--database postgresql` a server of its own. Every figure is the time that the processes of `handan serve` work for one
request, a median; games are entered on the newest day, a day late and a month late by turns, and the ladder is asked
for after each. Beside them stands what the libraries alone cost: a bare view of Django with a session, behind the same
server of HTTP, in a process that has loaded NumPy, polars and Jinja2.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.load import PASSWORD, database, stored
from benchmarks.serving import Browser, Server, served

FIRST, DAYS = date(2001, 1, 1), 9_100
EVENTS_END = 0.95  # part of the games that belong to tournaments; the last ones are games of clubs
GAMES_A_PLAYER = 26
AT_ONCE = 10_000  # entries of a transaction while the club is made
MOST_ASKED = 1_000  # players who play and are looked at; our choice
LATE = {"newest day": 0, "a day late": 1, "a month late": 30}
"""Days behind the newest one on which a game is dated that is entered now."""
LADDER, CARD, SEARCH, CORRECTED, MEMORY = "ladder", "card", "search", "oldest corrected", "MB"
START, FIRST_PAGE = "start", "first page"
PROCESSES, CORRECTIONS = 3, 3  # of which medians count
REST = 0.05  # seconds of work in one, below which a server rests
SESSION = "sessionid"


@dataclass(frozen=True)
class Size:
    """A club."""

    games: int

    @property
    def players(self) -> int:
        """How many people play in it."""
        return max(60, self.games // GAMES_A_PLAYER)

    @property
    def oldest(self) -> str:
        """Key of its first game: the first entry sets the rules, the next ones register the players."""
        return f"g{self.players + 2}"


def name_of(number: int) -> str:
    """Return a name that nobody else has, of two words as people have them."""
    sounds = ("ka", "ri", "to", "me", "san", "lo", "vi", "ber", "du", "no")
    digits = [int(digit) for digit in reversed(f"{number:06}")]
    return " ".join("".join(sounds[digit] for digit in part).capitalize() for part in (digits[:3], digits[3:]))


def drafts(size: Size) -> Iterator[Any]:
    """Go through the entries that make a club: players with ranks, then games by days."""
    from handan.club.entries import Draft
    from handan.club.kinds import Kind

    dice, players = np.random.default_rng(1), size.players
    for number in range(players):
        facts = {"name": name_of(number), "reading": "", "country": "", "club": "", "ids": []}
        yield Draft(Kind.PLAYER_REGISTERED, facts)
    strength = dice.normal(0.0, 3.0, players)
    often = dice.pareto(1.2, players) + 0.3
    black, white = dice.choice(players, (2, size.games), p=often / often.sum())
    white = np.where(black == white, (white + 1) % players, white)
    won = dice.random(size.games) < 1.0 / (1.0 + np.exp(strength[white] - strength[black]))
    for game in range(size.games):
        facts = {"black": f"p{black[game] + 2}", "white": f"p{white[game] + 2}", "kind": "club",
                 "date": str(FIRST + timedelta(days=game * DAYS // size.games)),
                 "result": "B+" if won[game] else "W+"}  # fmt: skip
        if game < EVENTS_END * size.games:
            facts["event"] = f"Event {game // 200}"
        if game < players:
            facts["black_rank"] = f"{int(np.clip(12 - 2 * strength[black[game]], 1, 25))}k"
        yield Draft(Kind.GAME_RECORDED, facts)


def populate(url: str, size: Size, system: str) -> None:
    """Make a club in an empty database, and the account of an administrator."""
    from handan.cli.django import start

    start(url)
    from handan.club.rules import checked

    members, writing = stored("members"), stored("writing")
    stored("backup").migrate()
    club = writing.create_club("club", "Continent", checked(system, {}))
    entries = drafts(size)
    while part := list(islice(entries, AT_ONCE)):
        writing.write(club, lambda _, new=part: new, author="import")
    account = members.new_account("keeper", PASSWORD)
    members.set_member(club, account, stored("models").Role.ADMINISTRATOR, author="import")


@dataclass
class Costs:
    """What requests cost, in seconds of a processor, and megabytes of the largest process."""

    rows: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def note(self, name: str, server: Server, ask: Callable[[], tuple[int, str]], expected: int = 200) -> str:
        """Note what a request costs; RuntimeError for another status than the expected one."""
        worked = server.processor_time()
        status, text = ask()
        self.rows[name].append(server.processor_time() - worked)
        if status != expected:
            raise RuntimeError(f"{name}: status {status}: {re.sub('<[^>]*>', ' ', text)[:2000]}")
        return text

    def median(self, name: str) -> float:
        """Return the median of a figure; NaN where there is none."""
        return statistics.median(self.rows[name]) if self.rows[name] else float("nan")


@dataclass
class Asking:
    """Somebody who keeps results, and a visitor."""

    server: Server
    size: Size
    costs: Costs = field(default_factory=Costs)

    def __post_init__(self) -> None:
        self.keeper, self.visitor = Browser(self.server.url), Browser(self.server.url)
        self.keeper.sign_in("keeper", PASSWORD)
        self.keeper.follows = False
        self.dice = np.random.default_rng(time.time_ns())
        self.number = 0

    def pages(self) -> None:
        """Look at the ladder, a card and a search, each at an address that nobody has asked for yet."""
        self.number += 1
        player, fresh = int(self.dice.integers(min(MOST_ASKED, self.size.players))), f"x={time.time_ns()}"
        paths = {LADDER: f"/club/?{fresh}", CARD: f"/club/players/p{player + 2}/?{fresh}",
                 SEARCH: f"/club/?q={name_of(player).split()[0].lower()}&{fresh}"}  # fmt: skip
        for name, path in paths.items():
            self.costs.note(name, self.server, lambda path=path: self.visitor.get(path))  # type: ignore[misc]

    def game(self, days_late: int) -> dict[str, str]:
        """Return the form of a game."""
        black, white = self.dice.choice(min(MOST_ASKED, self.size.players), 2, replace=False) + 2
        result, mark = ("B+", "W+")[self.dice.integers(2)], f"mark-{time.time_ns()}"
        return {"black": f"p{black}", "white": f"p{white}", "result": result, "kind": "club", "handicap": "0",
                "date": str(FIRST + timedelta(days=DAYS - days_late)), "komi": "6.5", "size": "19", "another": "on",
                "token": mark, "notes": mark}  # fmt: skip

    def enter(self, late: str) -> None:
        """Enter a game, and look at what another one would do."""
        for button, answer in (("save", 302), ("preview", 200)):
            fields = {**self.game(LATE[late]), button: "1"}
            post = lambda sent=fields: self.keeper.post("/club/games/new/", **sent)  # noqa: E731
            self.costs.note(f"{button} {late}", self.server, post, answer)

    def correct(self) -> None:
        """Correct the oldest game: the other side won."""
        path = f"/club/games/{self.size.oldest}/correct/"
        form = self.keeper.get(path)[1]
        stands = re.findall(r'<input[^>]*value="([BW]\+\w?)"[^>]*checked|<option value="([BW]\+\w?)" selected', form)
        result = "W+R" if any("B+" in "".join(each) for each in stands) else "B+R"
        sides = dict(re.findall(r'<input[^>]*name="(black|white|date|event)"[^>]*value="([^"]*)"', form))
        fields = {**self.game(0), **sides, "result": result, "reason": "misread", "save": "1"}
        self.costs.note(CORRECTED, self.server, lambda: self.keeper.post(path, **fields), 302)

    def take(self, system: str) -> None:
        """Set the system of all games, and wait until the ladder stands under it."""
        mark = f"mark-{time.time_ns()}"
        self.keeper.post("/club/rules/", system=system, since="", confirmation="none", token=mark, save="1")
        while f'"system": "{system}"' not in re.sub(r'":"', '": "', self.visitor.get("/club/club.json")[1]):
            time.sleep(0.2)
        self.visitor.get("/club/")


def measured(url: str, size: Size, system: str, times: int, folder: Path) -> Costs:
    """Return what a club costs under a system."""
    limits = {
        "HANDAN_WRITES_A_MINUTE": "1000000000",
        "HANDAN_LOG_LEVEL": "warning",
        "HANDAN_COMPUTING_SECONDS": "1000000",
    }
    with served(folder, url, environment=limits) as server:
        asking = Asking(server, size)
        asking.take(system)
        asking.pages()
        for late in LATE:  # machine code is made by the first
            asking.enter(late)
        asking.costs.rows.clear()
        for _ in range(times):
            for late in LATE:
                asking.enter(late)
                asking.pages()
        asking.costs.rows[MEMORY].append(server.memory())
        for _ in range(CORRECTIONS):
            asking.correct()
            asking.visitor.get("/club/")
        await_rest(server)
    costs = asking.costs
    for _ in range(PROCESSES):
        with served(folder, url, environment=limits) as server:
            costs.rows[START].append(server.busiest_worker())
            costs.note(FIRST_PAGE, server, lambda: Browser(server.url).get("/club/"))
    return costs


def await_rest(server: Server) -> None:
    """Wait until a server does nothing behind its answers."""
    worked = -REST
    while (now := server.processor_time()) - worked >= REST:
        worked = now
        time.sleep(1.0)


def libraries(times: int, folder: Path) -> Costs:
    """Return what a bare view of Django with a session costs behind the same server of HTTP."""
    costs = Costs()
    for _ in range(PROCESSES):
        with served(folder, str(folder / "bare.db"), program=("benchmarks.bare",)) as server:
            costs.rows[START].append(server.busiest_worker())
            browser = Browser(server.url)
            costs.note(FIRST_PAGE, server, lambda: browser.get("/"))  # noqa: B023
            for _ in range(times):
                costs.note(LADDER, server, lambda: browser.get("/"))  # noqa: B023
            costs.rows[MEMORY].append(server.memory())
    return costs


def row(title: str, costs: Costs, bare: Costs) -> str:
    """Return a line of the table; the start of a process is what it costs beyond the libraries."""
    entries = " / ".join(f"{1000 * costs.median(f'save {late}'):.0f}" for late in LATE)
    previews = " / ".join(f"{1000 * costs.median(f'preview {late}'):.0f}" for late in LATE)
    cells = [
        *(f"{1000 * costs.median(name):.0f}" for name in (LADDER, CARD, SEARCH)), entries, previews,
        f"{1000 * costs.median(CORRECTED):.0f}", f"{1000 * costs.median(FIRST_PAGE):.0f}",
        f"{1000 * (costs.median(START) - bare.median(START)):.0f}",
        f"{costs.median(MEMORY):.0f} MB",
    ]  # fmt: skip
    return f"| {title} | {' | '.join(cells)} |"


HEAD = (
    "| club | ladder | card | search | entry: newest day / a day late / a month late | preview of the same "
    "| oldest game corrected | first page of a new process | its start, beyond the libraries | memory of a worker |\n"
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)


def options() -> argparse.Namespace:
    """Return what is asked on the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    parser.add_argument("--games", default="500,100000", help="sizes of the clubs; default: 500,100000")
    parser.add_argument("--systems", default="egf", help="commas between; default: egf")
    parser.add_argument("--times", type=int, default=7, help="entries of each kind, of which the median counts")
    parser.add_argument("--database", default="sqlite", help="sqlite, postgresql, or the URL of an empty database")
    parser.add_argument("--kept", type=Path, help="folder for the SQLite files of the clubs, which are made once")
    parser.add_argument("--populate", nargs=2, metavar=("URL", "GAMES"), help="only make the club in an empty database")
    return parser.parse_args()


def main() -> int:
    """Make the clubs, measure them, and print the table."""
    given = options()
    systems = given.systems.split(",")
    if given.populate:
        populate(given.populate[0], Size(int(given.populate[1])), systems[0])
        return 0
    with TemporaryDirectory(prefix="handan-server-") as name:
        bare = libraries(given.times, Path(name))
        figures = [
            1000 * bare.median(LADDER),
            1000 * bare.median(FIRST_PAGE),
            1000 * bare.median(START),
            bare.median(MEMORY),
        ]
        print("libraries alone: {:.1f} ms a page, {:.1f} the first, {:.0f} to begin, {:.0f} MB\n".format(*figures))
        print(HEAD, flush=True)
        for size in map(Size, map(int, given.games.split(","))):
            for system in systems:
                with ExitStack() as stack:
                    folder = Path(stack.enter_context(TemporaryDirectory(dir=name)))
                    url = stack.enter_context(database(given.database, folder))
                    fill(url, size, given.kept, folder)
                    costs = measured(url, size, system, given.times, folder)
                print(row(f"{size.games:,} games, {system}", costs, bare), flush=True)
    return 0


def fill(url: str, size: Size, kept: Path | None, folder: Path) -> None:
    """Make a club, or copy the one that is kept."""
    file = kept and kept / f"club-{size.games}.db"
    if file and url.startswith("sqlite") and file.exists():
        shutil.copy(file, folder / "club.db")
        return
    command = [sys.executable, "-m", "benchmarks.server", "--systems", "egf", "--populate", url, str(size.games)]
    subprocess.run(command, check=True)
    if file and url.startswith("sqlite"):
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / "club.db", file)


if __name__ == "__main__":
    raise SystemExit(main())
