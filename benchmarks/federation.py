"""What a federation costs: twenty years of tournaments loaded, a list published, a result of the first year corrected.

Run by `make federation`; `--players 4000 --events 60 --years 20` chooses the size. The tournaments are H9 files with
places, byes and numbers, made from one seed. Every figure is the work of the processes in seconds, but for pages, of
which it is the median in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.load import PASSWORD
from benchmarks.server import name_of
from benchmarks.serving import Browser, Server, served

FIRST_YEAR, ROUNDS = 2006, 5
PLAYERS_AN_EVENT = 40
PAGES = {
    "ladder": "/fed/", "calendar": "/fed/events/", "calendar of a year": f"/fed/events/?year={FIRST_YEAR}",
    "first event": "/fed/events/{first}/", "last event": "/fed/events/{last}/", "player": "/fed/players/p2/",
}  # fmt: skip
TIMES = 5  # that a page is asked for, of which the median counts


def tournaments(folder: Path, players: int, events: int, years: int) -> int:
    """Write the files of a federation, and return the number of their games."""
    dice = np.random.default_rng(1)
    strength = dice.normal(0.0, 1.0, players)
    games = 0
    for number in range(events * years):
        day = date(FIRST_YEAR + number // events, 1, 3) + timedelta(days=(number % events) * 360 // events)
        there = dice.choice(players, min(PLAYERS_AN_EVENT, players // 2), replace=False)
        games += len(there) // 2 * ROUNDS
        (folder / f"{number:05}.h9").write_text(table(number, day, there.tolist(), strength, dice), encoding="ascii")
    return games


def table(
    number: int, day: date, there: Sequence[int], strength: np.ndarray[tuple[int], np.dtype[np.float64]],
    dice: np.random.Generator,
) -> str:  # fmt: skip
    """Return a tournament in which who has as many points meet, as an H9 table."""
    points = dict.fromkeys(there, 0)
    cells: dict[int, list[str]] = {player: [] for player in there}
    halves: dict[int, list[tuple[int, str]]] = {player: [] for player in there}
    for _ in range(ROUNDS):
        order = sorted(there, key=lambda player: (-points[player], dice.random()))
        for black, white in zip(order[::2], order[1::2], strict=False):
            won = int(dice.random() < 1.0 / (1.0 + np.exp(strength[white] - strength[black])))
            points[black if won else white] += 1
            halves[black].append((white, f"{'-+'[won]}/b0"))
            halves[white].append((black, f"{'+-'[won]}/w0"))
    placed = sorted(there, key=lambda player: -points[player])
    place = {player: row for row, player in enumerate(placed, 1)}
    for player in there:
        cells[player] = [f"{place[other]}{text}" for other, text in halves[player]]
    head = [
        f"; TC[T{day:%y%m%d}A]", f"; CL[{'ABC'[number % 3]}]", f"; EV[Open {number % 60 + 1} {day.year}]",
        "; PC[SE, Umea]", f"; DT[{day},{day + timedelta(days=1)}]", "; HA[h9]", "; KM[6.5]", "; TM[60]", ";",
    ]  # fmt: skip
    rows = [
        f"{place[player]:>4} {name_of(player):30} {rank_of(strength[player]):>3} SE Ume  {points[player]} 0 0 0 "
        f"{' '.join(cells[player])} |{10_000_000 + player}"
        for player in placed
    ]
    return "\n".join([*head, *rows, ""])


def rank_of(strength: float) -> str:
    """Return a rank, 1 dan for a player of the middle."""
    steps = round(2 * strength)
    return f"{steps + 1}d" if steps >= 0 else f"{-steps}k"


def worked(command: Sequence[str], environment: dict[str, str]) -> float:
    """Run a command of Handan, and return the seconds that it worked."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "handan", *command], check=True, env=environment, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def milliseconds(server: Server, ask: Callable[[], object]) -> float:
    """Return the median of what a server works for a question."""
    times = []
    for _ in range(TIMES):
        before = server.processor_time()
        ask()
        times.append(server.processor_time() - before)
    return 1000.0 * statistics.median(times)


def account() -> None:
    """Make a secretary of the federation in the database of the environment."""
    from handan.cli.django import start

    start(os.environ["HANDAN_DATABASE"])
    from handan.club.store import members
    from handan.club.store.models import Club, Role

    club = Club.objects.get(slug="fed")
    members.set_member(club, members.new_account("officer", PASSWORD), Role.SECRETARY, author="measurement")


def measured(folder: Path, players: int, events: int, years: int) -> None:
    """Make the federation and print what each step costs."""
    files = folder / "files"
    files.mkdir()
    games = tournaments(files, players, events, years)
    print(f"{players:,} players, {events * years:,} events, {games:,} games", flush=True)
    url = f"sqlite:///{folder / 'fed.db'}"
    environment = {**os.environ, "HANDAN_DATABASE": url, "HANDAN_SECRET_KEY": "x" * 50}
    steps = {
        "migrate": ("club", "migrate"),
        "create": ("club", "create", "fed", "--name", "Federation", "--system", "egf"),
        "load": ("club", "load", "fed", str(files)),
        "publish": ("club", "publish", "fed"),
        "verify": ("club", "verify"),
        "list for directors": ("club", "ratings", "fed", "--for", "opengotha", "-o", str(folder / "egf_db.txt")),
    }
    for name, command in steps.items():
        print(f"{name:20} {worked(command, environment):8.1f} s", flush=True)
    subprocess.run([sys.executable, "-m", "benchmarks.federation", "--account"], check=True, env=environment)
    limits = {"HANDAN_WRITES_A_MINUTE": "1000000", "HANDAN_COMPUTING_SECONDS": "1000000"}
    with served(folder, url, environment=limits) as server:
        visitor, officer = Browser(server.url), Browser(server.url)
        officer.sign_in("officer", PASSWORD)
        visitor.get("/fed/")
        keys = shown_keys(visitor)
        for name, path in PAGES.items():
            where = path.format(**keys)
            print(f"{name:20} {milliseconds(server, lambda where=where: visitor.get(where)):8.0f} ms", flush=True)  # type: ignore[misc]
        before = server.processor_time()
        correct(officer, keys["first"])
        visitor.get("/fed/")
        seconds = server.processor_time() - before
        print(f"{'first year corrected':20} {seconds:8.1f} s", flush=True)
    print(f"{'verify again':20} {worked(('club', 'verify'), environment):8.1f} s", flush=True)


def shown_keys(visitor: Browser) -> dict[str, str]:
    """Return the keys of the first and the last event of the calendar."""
    _, text = visitor.get("/api/clubs/fed/events?limit=1")
    rows = json.loads(text)
    _, text = visitor.get(f"/api/clubs/fed/events?year={FIRST_YEAR}&limit=1000")
    return {"last": rows[0]["key"], "first": json.loads(text)[-1]["key"]}


def correct(officer: Browser, event: str) -> None:
    """Exchange the winner of a game of an event."""
    key = json.loads(officer.get(f"/fed/events/{event}/event.json")[1])["games"][-1]
    game = json.loads(officer.get(f"/api/clubs/fed/games/{key}")[1])
    officer.get(f"/fed/games/{key}/correct/")
    fields = {
        name: str(game[name]) for name in ("black", "white", "date", "handicap", "komi", "event", "round", "kind")
    }
    result = "W+" if game["result"].startswith("B") else "B+"
    _, text = officer.post(f"/fed/games/{key}/correct/", **fields, result=result, reason="misread", save="1",
                           another="on", size="19", token="correction")  # fmt: skip
    if "The game is corrected" not in text:
        raise RuntimeError(f"game {key} was not corrected")


def main() -> int:
    """Make a federation in a folder that is gone afterwards, and measure it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.federation", description=__doc__)
    parser.add_argument("--players", type=int, default=4000)
    parser.add_argument("--events", type=int, default=60, help="tournaments a year")
    parser.add_argument("--years", type=int, default=20)
    parser.add_argument("--account", action="store_true", help="only make an account in the database")
    given = parser.parse_args()
    if given.account:
        account()
        return 0
    with TemporaryDirectory(prefix="handan-federation-") as name:
        measured(Path(name), given.players, given.events, given.years)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
