"""Every page of a club with nothing kept of it: the demonstration's clubs, and a club of 100,000 games.

Run by `make cold`. Before each page an entry is written, so that standings, rows and pages are made anew by a process
that has seen the ledger before. Prints the slowest pages, each in milliseconds of a processor, which other programs on
the machine lengthen least, and as a multiple of one without a club.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks.clubs import large_club

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

SYLLABLES = (
    "ka", "ri", "no", "mo", "ta", "se", "li", "va", "ru", "po", "den", "sten", "berg", "holm", "wak", "zyn", "dar",
    "fel", "gun", "hor", "jan", "kel", "lor", "mir",
)  # fmt: skip
LEFT_OUT = ("pdf-", "check-chain", "export", "sign-out")
"""Beginnings of the names of routes that are no pages, or go through the whole ledger on purpose."""


def main() -> int:
    """Ask every page, and print what the slowest took."""
    parser = ArgumentParser(prog="python -m benchmarks.cold", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=500)
    parser.add_argument("--system", default="points")
    parser.add_argument("--times", type=int, default=3, help="of which the median is taken")
    parser.add_argument("--only", default="", help="parts of names of routes, commas between")
    parser.add_argument("--demo", action="store_true", help="the clubs of the demonstration instead")
    parser.add_argument("--database", type=Path, help="a file that is kept, made if it is not there")
    asked_for = parser.parse_args()
    with TemporaryDirectory() as folder:
        file = asked_for.database or Path(folder) / "club.db"
        os.environ |= {"DATABASE_URL": f"sqlite:///{file.resolve()}", "HANDAN_HOSTS": "testserver",
                       "DJANGO_SETTINGS_MODULE": "handan.web.settings", "HANDAN_LOG_LEVEL": "error",
                       "HANDAN_COMPUTING_SECONDS": "1000000"}  # fmt: skip
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        for club in _clubs(asked_for):
            _print(club, asked_for.only, asked_for.times)
    return 0


def _clubs(asked_for: Namespace) -> list[Club]:
    from handan.club.rules import Rules
    from handan.club.store import demo
    from handan.club.store.models import Club

    if asked_for.demo:
        return list(Club.objects.all()) or list(demo.build().values())
    if (there := Club.objects.first()) is not None:
        return [there]
    names = _names(asked_for.players, random.Random(1))
    return [large_club(list(names), asked_for.games, Rules(asked_for.system))]


def _names(number: int, dice: random.Random) -> Iterator[str]:
    """Go through invented names of two words, each once."""
    seen: set[str] = set()
    while len(seen) < number:
        words = ("".join(dice.choices(SYLLABLES, k=dice.randint(2, 3))).capitalize() for _ in range(2))
        name = " ".join(words)
        if name not in seen:
            seen.add(name)
            yield name


def _print(club: Club, only: str, times: int) -> None:
    client, paths = _seated(club)
    plain = statistics.median(_timed(client, "/privacy/") for _ in range(times + 2))
    _anew(club, client, paths[0][1])  # which reads the ledger
    figures = []
    for name, path in paths:
        if any(part in name for part in only.split(",")):
            figures.append((statistics.median(_anew(club, client, path) for _ in range(times)), name, path))
    print(f"\n{club.slug}: {club.number:,} entries; a page without a club {1000 * plain:.0f} ms\n")
    print("| page | ms of a processor | times a page without a club |\n|---|---|---|")
    for seconds, name, _ in sorted(figures, reverse=True)[:20]:
        print(f"| {name} | {1000 * seconds:.0f} | {seconds / plain:.1f} |")


def _seated(club: Club) -> tuple[Client, list[tuple[str, str]]]:
    """Return an administrator of the club who is a player, and the addresses of its pages."""
    from uuid import uuid4

    from django.test import Client

    from handan.club.store.cache import state_of
    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role
    from handan.web.pages.urls import urlpatterns

    state = state_of(club)
    players = list(state.active)
    user = new_account(f"cold-{uuid4().hex[:8]}", "a long enough phrase")
    set_member(club, user, Role.ADMINISTRATOR, random.choice(players), author="bench")
    client = Client()
    client.force_login(user)
    game, entry = f"g{state.games['line'][-1]}", state.number
    keys = {
        "players": players[0],
        "games": game,
        "adjustments": next(iter(state.adjustments), ""),
        "sheets": next(iter(state.sheets), ""),
    }
    paths = []
    for pattern in urlpatterns:
        route, name = str(pattern.pattern), str(pattern.name)
        if not route.startswith("<slug:slug>/") or name.startswith(LEFT_OUT):
            continue
        kind = route.removeprefix("<slug:slug>/").partition("/")[0]
        if "<str:key>" in route and not keys.get(kind):
            continue
        number = str(entry if kind == "log" else 1)
        path = (
            route.replace("<slug:slug>", club.slug)
            .replace("<str:key>", keys.get(kind, ""))
            .replace("<int:number>", number)
        )
        paths.append((name, f"/{path}"))
    two = f"one={players[0]}&other={players[1]}"
    paths += [
        ("enter-game, two", f"/{club.slug}/games/enter/?{two}"),
        ("pair, two", f"/{club.slug}/pair/?{two}"),
        ("terms, two", f"/{club.slug}/terms/?{two}"),
        ("figures, a year", f"/{club.slug}/figures/?from=2024-01-01&to=2024-12-31"),
        ("ladder, another day", f"/{club.slug}/?as_of=2015-06-01"),
    ]
    return client, paths


def _anew(club: Club, client: Client, path: str) -> float:
    """Write a game, and return how long a page takes behind it."""
    from handan.club import changes
    from handan.club.store.cache import state_of, today
    from handan.club.store.writing import write

    keys = list(state_of(club).active)
    black, white = random.sample(keys, 2)
    fields = {"black": black, "white": white, "result": "B+R", "date": str(today())}
    write(club, lambda state: changes.record_game(state, fields, today()), author="bench")
    return _timed(client, path)


def _timed(client: Client, path: str) -> float:
    start = time.process_time()
    answer: Any = client.get(path)
    if getattr(answer, "streaming", False):
        b"".join(answer.streaming_content)
    took = time.process_time() - start
    if answer.status_code >= 500:
        raise SystemExit(f"{path} answered {answer.status_code}")
    return took


if __name__ == "__main__":
    sys.exit(main())
