"""A club of 100,000 games: how long a page takes after a game is entered or the oldest one is corrected.

Run by `make clubs`. Each page is asked for once after each change, by a process that has seen the ledger before, so
every figure includes the replay of all games. Prints times, and what docs/club.md keeps of them: a page after the
correction as a multiple of the same page after the new game.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from handan.club.rules import Rules
    from handan.club.store.models import Club

GAMES, PLAYERS, TIMES = 100_000, 500, 5
SYSTEMS = ("points", "sagc", "egf", "whr")
FIRST, DAYS = date(2000, 1, 1), 9_000
ENTERED, CORRECTED = "a game entered", "the oldest game corrected"


def main() -> int:
    """Make the club, change it, and print what each page took."""
    with TemporaryDirectory() as folder:
        os.environ |= {"DATABASE_URL": f"sqlite:///{Path(folder) / 'club.db'}", "HANDAN_HOSTS": "testserver",
                       "DJANGO_SETTINGS_MODULE": "handan.web.settings", "HANDAN_LOG_LEVEL": "error"}  # fmt: skip
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        club = large_club([f"Player {number:03}" for number in range(PLAYERS)], GAMES)
        print("| system | change | written | ladder | card | game |\n|---|---|---|---|---|---|")
        multiples = []
        for system in SYSTEMS:
            both = {change: _measured(club, system, change) for change in (ENTERED, CORRECTED)}
            for change, seconds in both.items():
                print(f"| {system} | {change} | " + " | ".join(f"{1000 * value:.0f} ms" for value in seconds) + " |")
            pairs = list(zip(both[ENTERED], both[CORRECTED], strict=True))[1:]
            multiples.append(f"| {system} | " + " | ".join(f"{late / new:.2f}" for new, late in pairs) + " |")
        print("\n| system | ladder | card | game |\n|---|---|---|---|", *multiples, sep="\n")
    return 0


def large_club(names: Sequence[str], games: int, rules: Rules | None = None) -> Club:
    """Return a club with games of players with these names, evenly over 25 years."""
    from handan.club import changes
    from handan.club.entries import Draft
    from handan.club.state import State
    from handan.club.store.cache import today
    from handan.club.store.writing import create_club, write

    dice = random.Random(1)
    club = create_club("big", "Big club", rules)
    write(club, lambda state: [changes.register_player(state, {"name": name}) for name in names], author="bench")

    def entered(state: State) -> Iterator[Draft]:
        keys = list(state.people)
        for key in keys:
            yield changes.adjust(state, key, {"rank": f"{dice.randint(1, 20)}k"}, today(), "entry")
        for number in range(games):
            black, white = dice.sample(keys, 2)
            day = FIRST + timedelta(days=number * DAYS // games)
            game = {"black": black, "white": white, "date": str(day), "result": dice.choice(["B+R", "W+R"]),
                    "handicap": dice.choice([0, 0, 2, 4]), "kind": "club"}  # fmt: skip
            yield changes.record_game(state, game, today())

    write(club, entered, author="bench")
    return club


def _measured(club: Club, system: str, change: str) -> list[float]:
    """Return the median times of writing and of three pages, in seconds."""
    from django.test import Client

    from handan.club import changes
    from handan.club.rules import Rules
    from handan.club.state import State
    from handan.club.store.cache import state_of, today
    from handan.club.store.writing import write

    if state_of(club).rules[-1].system != system:
        write(club, lambda state: changes.set_rules(state, Rules(system)), author="bench")
    client, home = Client(), f"/{club.slug}/"
    state = state_of(club)
    keys, oldest = list(state.people), f"g{state.games['line'].sort()[0]}"

    def make(state: State, number: int) -> Any:
        if change == ENTERED:
            game = {"black": keys[number], "white": keys[number + 1], "result": "B+R", "date": str(today())}
            return changes.record_game(state, game, today())
        return changes.correct_game(state, oldest, {"result": f"W+{number + random.randint(1, 300)}.5"}, today())

    rows = []
    pages = ("", f"players/{keys[0]}/", f"games/{oldest}/")
    for number in range(TIMES + 1):
        written = _timed(lambda n=number: write(club, lambda s: make(s, n), author="bench"))
        rows.append([written, *(_timed(lambda p=page: client.get(home + p)) for page in pages)])
    return [statistics.median(column) for column in zip(*rows[1:], strict=True)]


def _timed(call: Any) -> float:
    start = time.perf_counter()
    answer = call()
    took = time.perf_counter() - start
    if getattr(answer, "status_code", 200) != 200:
        raise SystemExit(f"a page answered {answer.status_code}")
    return took


if __name__ == "__main__":
    sys.exit(main())
