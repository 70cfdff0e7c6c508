"""Kill the server of a large club while it keeps what new processes go on from: `--help` says more.

In each round another process writes entries, as a second host would: games, newcomers with first games, corrections
of old games. A server with two workers begins on them, keeps its state and ratings beside its answers, and takes games
until all its processes are killed at a random moment. None of these games may be lost, and a server that begins on what
is left has to answer as one does that reads all entries from the first on: every number of the ladder and of some
cards; under a Whole-History Rating, which goes on near the whole solution, the ratings within an Elo.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.continent import DAYS, FIRST, Asking, Continent, set_system
from benchmarks.load import stored
from benchmarks.serving import Browser, Server, served

SCALE = 0.11
"""Part of a continent: 143,000 games, since ratings of fewer than 131,072 are not kept."""
LONGEST = 3.0
"""Seconds until the kill; by then a server of this size has kept what it keeps."""
GAMES, NEWCOMERS, CORRECTIONS = (0, 30, 150, 1200), (0, 0, 3), (0, 0, 2)
"""Entries of a round, drawn among these: few are added to what is kept, more than a thousand are kept anew."""
CARDS = 4
PROGRAM = (sys.executable, "-m", "benchmarks.killed_servers")


def write_more(url: str, seed: int) -> None:
    """Write a round's entries."""
    from handan.cli.django import start

    start(url)
    from handan.club import changes
    from handan.club.state import State

    dice = random.Random(seed)
    writing, club = stored("writing"), stored("models").Club.objects.get(slug="club")
    last, today = FIRST + timedelta(days=DAYS), stored("cache").today()

    def people(state: State) -> list[Any]:
        names = [f"Newcomer {seed} {number}" for number in range(dice.choice(NEWCOMERS))]
        return [changes.register_player(state, {"name": name}) for name in names]

    new = [entry.subject for entry in writing.write(club, people, author="x")]

    def games(state: State) -> list[Any]:
        keys = [*state.active][:1000]
        pairs = [dice.sample(keys, 2) for _ in range(dice.choice(GAMES))] + [[key, dice.choice(keys)] for key in new]
        return [
            changes.record_game(state, {"black": black, "white": white, "result": dice.choice(["B+R", "W+3.5"]),
                                        "date": str(last - timedelta(days=dice.choice([0] * 20 + [900])))}, today)
            for black, white in pairs
        ]  # fmt: skip

    writing.write(club, games, author="x")
    for _ in range(dice.choice(CORRECTIONS)):
        game = f"g{dice.choice(stored('cache').state_of(club).games['line'].head(1000).to_list())}"
        facts = {"result": dice.choice(["B+R", "W+R", "jigo"])}
        writing.write(club, lambda state, of=game, to=facts: changes.correct_game(state, of, to, today), author="x")


def enter_until(asking: Asking, stopped: threading.Event) -> None:
    """Enter games until the server is gone."""
    while not stopped.is_set():
        try:
            asking.enter()
        except (OSError, RuntimeError):  # no answer, or half of one
            return


def killed(url: str, size: Continent, folder: Path, seconds: float, seed: int) -> int:
    """Begin a server, kill it after some seconds of work; return how many games it said are entered."""
    with served(folder, url, "--workers", "2") as server:
        asking, stopped = Asking(server, size, seed), threading.Event()
        asking.sign_in()
        thread = threading.Thread(target=enter_until, args=(asking, stopped))
        thread.start()
        time.sleep(seconds)
        server.kill()
        stopped.set()
        thread.join()
    return asking.entered - 1


def answers(server: Server, dice: random.Random) -> dict[str, Any]:
    """Return what visitors are told: the ladder, and the cards of some players, also of who came last."""
    browser = Browser(server.url)
    given = {"ladder": _data(browser, "/club/ladder.json")}
    keys = [row["key"] for row in given["ladder"]["players"]]
    last = max(keys, key=lambda key: int(key[1:]))
    for key in (last, *dice.sample(keys, CARDS - 1)):
        given[key] = _data(browser, f"/club/players/{key}/card.json")
    return given


def _data(browser: Browser, path: str) -> Any:
    status, text = browser.get(path)
    if status != 200:
        raise SystemExit(f"{path} answered {status}")
    return json.loads(text)


def games_in(database: Path) -> int:
    """Return how many games were entered."""
    with closing(sqlite3.connect(database)) as opened:
        number: int = opened.execute("SELECT count(*) FROM club_entry WHERE kind = 'game recorded'").fetchone()[0]
    return number


def copied(database: Path, target: Path) -> None:
    """Copy a database alone, without what is kept beside it."""
    with closing(sqlite3.connect(database)) as one, closing(sqlite3.connect(target)) as other:
        one.backup(other)


def strike(home: Path, size: Continent, seed: int) -> tuple[int, bool]:
    """Go through one round; return how many games the killed server took, and whether the answers are the same."""
    database, url, dice = home / "club.db", f"sqlite:///{home / 'club.db'}", random.Random(seed)
    subprocess.run([*PROGRAM, "--write", url, str(seed)], check=True)
    before = games_in(database)
    entered = killed(url, size, home, dice.uniform(0.0, LONGEST), seed)
    if (there := games_in(database) - before) < entered:
        raise SystemExit(f"{entered - there} games are lost that the server had said are entered")
    whole = home / "whole"
    whole.mkdir()
    copied(database, whole / "club.db")
    with served(home, url) as server:
        left = answers(server, random.Random(seed))
    with served(whole, f"sqlite:///{whole / 'club.db'}") as server:
        anew = answers(server, random.Random(seed))
    shutil.rmtree(whole)
    return entered, left == anew


def main() -> int:
    """Strike as often as asked, and print what it came to; return 1 if an answer is another one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.killed_servers", description=__doc__)
    parser.add_argument("--rounds", type=int, default=12, help="of each system")
    parser.add_argument("--systems", default="egf,glicko2,whr")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", nargs=2, metavar=("URL", "SEED"), help="only write the entries of a round")
    given = parser.parse_args()
    if given.write:
        write_more(given.write[0], int(given.write[1]))
        return 0
    systems, good = given.systems.split(","), True
    with TemporaryDirectory(prefix="handan-killed-") as name:
        home = Path(name)
        url = f"sqlite:///{home / 'club.db'}"
        command = [sys.executable, "-m", "benchmarks.continent", f"--scale={SCALE}", f"--systems={systems[0]}"]
        subprocess.run([*command, "--populate", url], check=True)
        for system in systems:
            set_system(url, system)
            size = Continent(int(1_300_000 * SCALE), int(50_000 * SCALE), 0, system)
            entered, same = 0, True
            for number in range(given.rounds):
                more, alike = strike(home, size, given.seed + number)
                entered, same = entered + more, same and alike
                print(f"{system}: {number + 1} of {given.rounds}", file=sys.stderr)
            good &= same
            answered = "the same" if same else "others"
            print(
                f"{system}: {given.rounds} times a server of {size.games:,} games was killed, which had taken "
                f"{entered:,} games in all, none of them lost; answers of the next one beside those from the first "
                f"entry on: {answered}",
                flush=True,
            )
    return int(not good)


if __name__ == "__main__":
    raise SystemExit(main())
