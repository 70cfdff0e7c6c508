"""Kill writers at random points, two hundred times, and check the ledger after each: `--help` says more."""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

CLUB = "club"
AT_ONCE = (1, 1, 5, 50)
"""Games in a transaction of a writer, by turns."""
ROUNDS_A_FILE = 25  # a fresh file then, so that checking stays quick
LONGEST = 0.15  # seconds until the kill
PROGRAM = (sys.executable, "-m", "benchmarks.faults")


def prepare(url: str) -> int:
    """Make a club of two players, and return the number of its last entry."""
    from handan.cli.django import start

    start(url)
    from handan.club import changes
    from handan.club.rules import checked
    from handan.club.store import backup
    from handan.club.store.writing import create_club, write

    backup.migrate()
    club = create_club(CLUB, "Club under fire", checked("sagc", {}))
    made = write(
        club, lambda s: [changes.players.register_player(s, {"name": name}) for name in ("One", "Other")], author="x"
    )
    return made[-1].number


def write_on(url: str, at_once: int) -> None:
    """Wait for a line, then enter games until killed; say the span of entries of each transaction."""
    from handan.cli.django import start

    start(url)
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Club
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    club, day = Club.objects.get(slug=CLUB), today()
    state_of(club)
    game = {"black": "p2", "white": "p3", "result": "B+", "date": str(day)}
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    while True:
        done = write(club, lambda s: [changes.games.record_game(s, game, day) for _ in range(at_once)], author="x")
        sys.stdout.write(f"{done[0].number} {done[-1].number}\n")
        sys.stdout.flush()


def strike(url: str, dice: random.Random, writers: int) -> list[tuple[int, int]]:
    """Start writers, kill them all at one moment, and return the spans of entries that they said are written."""
    sizes = [dice.choice(AT_ONCE) for _ in range(writers)]
    command = [*PROGRAM, "--write", url]
    started = [
        subprocess.Popen([*command, str(size)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for size in sizes
    ]
    for process in started:
        if not process.stdout or process.stdout.readline() != "ready\n":
            raise SystemExit("a writer did not begin")
    for process in started:
        if process.stdin:
            process.stdin.write("\n")
            process.stdin.flush()
    time.sleep(dice.uniform(0.0, LONGEST))
    for process in started:
        process.send_signal(signal.SIGKILL)
    texts = [process.communicate()[0] for process in started]
    lines = [line for text in texts for line in text.splitlines(keepends=True) if line.endswith("\n")]
    return [(int(line.split()[0]), int(line.split()[1])) for line in lines]


def check(spans: list[tuple[int, int]], before: int) -> tuple[int, int, int]:
    """Check pages, chain, replay, and that all that was said is there; return last entry, games said, games held."""
    from django.db import connections

    from handan.club.store import backup
    from handan.club.store.models import Entry

    number = backup.verify_clubs()[CLUB][0]
    stored = set(Entry.objects.filter(kind="game recorded", number__gt=before).values_list("number", flat=True))
    connections.close_all()
    acknowledged = [entry for first, last in spans for entry in range(first, last + 1)]
    if not set(acknowledged) <= stored:
        raise SystemExit(f"{len(set(acknowledged) - stored)} games are lost that were said to be entered")
    if len(set(acknowledged)) != len(acknowledged):
        raise SystemExit("two writers were given the same entry")
    return number, len(acknowledged), len(stored)


def strike_file(url: str, rounds: int, writers: int, seed: int) -> None:
    """Strike at one file, and print how many games were said to be entered and how many there are."""
    number, dice = prepare(url), random.Random(seed)
    total = [0, 0]
    for _ in range(rounds):
        number, acknowledged, stored = check(strike(url, dice, writers), number)
        total = [total[0] + acknowledged, total[1] + stored]
    print(*total)


def main() -> int:
    """Strike as often as asked, and print what it came to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--writers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", nargs=2, metavar=("URL", "GAMES"), help="be a writer that waits to be killed")
    parser.add_argument("--file", metavar="URL", help="strike at this one file")
    arguments = parser.parse_args()
    if arguments.write:
        write_on(arguments.write[0], int(arguments.write[1]))
    if arguments.file:
        strike_file(arguments.file, arguments.rounds, arguments.writers, arguments.seed)
        return 0
    acknowledged = stored = 0
    with TemporaryDirectory(prefix="handan-faults-") as folder:
        for place, start in enumerate(range(0, arguments.rounds, ROUNDS_A_FILE)):
            rounds = min(ROUNDS_A_FILE, arguments.rounds - start)
            options = f"--rounds {rounds} --writers {arguments.writers} --seed {arguments.seed + place}".split()
            command = [*PROGRAM, "--file", f"sqlite:///{Path(folder) / f'{place}.db'}", *options]
            figures = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
            acknowledged, stored = acknowledged + int(figures[0]), stored + int(figures[1])
            print(f"{start + rounds} of {arguments.rounds}", file=sys.stderr)
    print(
        f"{arguments.rounds} times {arguments.writers} writers were killed at one moment: the {acknowledged:,} games "
        f"that they had said are entered are all there, and {stored - acknowledged:,} more whose writer was killed "
        "before it could say so. integrity_check, the chain and the replay agreed each time."
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
