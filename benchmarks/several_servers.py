"""Several servers before one database, and clients who look whether a page of one shows what another has entered."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count as counter
from pathlib import Path
from typing import TypeVar

from benchmarks.serving import Browser, Server, served

Answer = TypeVar("Answer")
LADDER = "/club/ladder.json"


class Hosts:
    """Servers on ports of their own; one of them may be killed, and clients go on at the others."""

    def __init__(self, servers: Sequence[Server], another: Callable[[], Server]) -> None:
        self.servers = list(servers)
        self._another = another
        self.stale: list[str] = []
        """One line for each page that did not show what was entered before it was asked for."""
        self._alive = list(servers)
        self._counts: Counter[str] = Counter()  # games of each player of whom a server said that they are entered
        self.seen: Counter[str] = Counter()  # pages that were compared, clients that went to another server
        self._lock = threading.Lock()

    def url(self, number: int) -> str:
        """Return where the client of a number goes."""
        return self._alive[number % len(self._alive)].url

    def ask(self, browser: Browser, question: Callable[[], Answer]) -> Answer:
        """Ask, and if the server is gone ask another one once; OSError where that fails too."""
        try:
            return question()
        except OSError:
            if not self._move(browser):
                raise
            return question()

    def _move(self, browser: Browser) -> bool:
        """Send a client, with its cookies, to another server; False where its own is not known to be gone."""
        with self._lock:
            if browser.url in {server.url for server in self._alive}:
                return False
            self.seen["moved"] += 1
            browser.url = self._alive[self.seen["moved"] % len(self._alive)].url
        return True

    def begin(self) -> None:
        """Count the games that are there already."""
        self._counts.update(games_of(Browser(self.url(0))))

    def least(self) -> Counter[str]:
        """Return how many games each player has at least: those that were there, and those acknowledged since."""
        return self._counts

    def check(self, browser: Browser, sides: Sequence[str], mark: str) -> None:
        """Note that a game is entered, and look for it on the next pages of another server, as writer and as visitor.

        The writer's session, which began at one server, is shown to the other.
        """
        with self._lock:
            self._counts.update(sides)
            least = {side: self._counts[side] for side in sides}
            others = [server.url for server in self._alive if server.url != browser.url]
            self.seen["compared"] += 2 * bool(others)
        if not others:
            return
        other = others[len(mark) % len(others)]
        try:
            status, card = Browser(other, browser.jar).get(f"/club/players/{sides[0]}/")
            there = games_of(Browser(other))
        except OSError as error:
            if other in {server.url for server in self._alive}:
                self._note_stale(f"{other} did not answer: {type(error).__name__}")
            return
        if status != 200 or 'action="/sign-out/"' not in card:
            self._note_stale(f"the session of a writer does not hold at the other server: {status}")
        if any(there[side] < number for side, number in least.items()):
            self._note_stale(f"a ladder without the game {mark}")

    def _note_stale(self, text: str) -> None:
        with self._lock:
            self.stale.append(text)

    def kill_one(self, seconds: float) -> None:
        """Kill the last server after some seconds."""
        time.sleep(seconds)
        with self._lock:
            server = self._alive.pop()
        server.kill()
        self.seen["killed"] += 1

    def replace_one(self, seconds: float) -> None:
        """Kill the last server after some seconds, and start another one in its place."""
        self.kill_one(seconds)
        server = self._another()
        with self._lock:
            self.servers.append(server)
            self._alive.append(server)

    def log(self) -> str:
        """Return what the servers wrote to stderr."""
        return "\n".join(server.log.read_text(encoding="utf-8") for server in self.servers)

    def summary(self) -> str:
        """Return what was looked at and what happened."""
        seen = self.seen
        return (
            f"{len(self.servers)} servers: {seen['compared']:,} pages asked of another server after an entry, "
            f"{len(self.stale)} not as they should be; {seen['killed']} killed, {seen['moved']} clients went elsewhere"
        )


def games_of(browser: Browser) -> dict[str, int]:
    """Return the number of games of each player on the ladder that visitors see."""
    _, text = browser.get(LADDER)
    return {row["key"]: row["games"] for row in json.loads(text)["players"]}


@contextmanager
def hosts(count: int, folder: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> Iterator[Hosts]:
    """Run some servers, each with a folder of its own, until the block ends; several have one key for sessions."""
    key = {"HANDAN_SECRET_KEY": secrets.token_urlsafe(50)} if count > 1 else {}
    given, numbers = {**key, **(environment or {})}, counter()
    with ExitStack() as stack:

        def another() -> Server:
            own = folder / f"server-{next(numbers)}"
            own.mkdir()
            return stack.enter_context(served(own, *arguments, environment=given))

        yield Hosts([another() for _ in range(count)], another)
