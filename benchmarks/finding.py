"""Measure how long a name takes that is not in a ledger, beside a bare dictionary; the last line is JSON.

The dictionary is the least that any program needs: it holds the folded names, and is asked for the folded name. Ours
also raises the error whose message, when somebody reads it, proposes names that are like it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable

from benchmarks.figures import Figure

JOB = "find stranger"
PROGRAMS = ("handan", "dict")
LOOKUPS = 10_000


def measure(program: str, names: int, repeat: int) -> Figure:
    """Return how long one program takes for names that are not among so many; the first lookup makes the index."""
    from handan.errors import InputError
    from handan.ledger import Player
    from handan.ledger.columns import of_games
    from handan.ledger.ledger import of_players
    from handan.ledger.name_folding import folded

    players = tuple(Player(f"Player {number:08}") for number in range(names))
    ledger = of_players(of_games([]), players)
    numbers = {folded(player.name): number for number, player in enumerate(players)}

    def ask(name: str) -> None:
        if program == "dict":
            numbers.get(folded(name))
            return
        try:
            ledger.find(name)
        except InputError:
            return
        raise AssertionError(name)

    first = _timed(lambda: ask("Stranger"))
    strangers = [f"Stranger {number:08}" for number in range(LOOKUPS)]

    def ask_all() -> None:
        for name in strangers:
            ask(name)

    seconds = statistics.median(_timed(ask_all) for _ in range(repeat))
    note = f"lookups among {names:,} names"
    return Figure(JOB, program, LOOKUPS, seconds, first_seconds=first, note=note)


def _timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description="Measure names that are not there in a process of its own.")
    parser.add_argument("program", choices=PROGRAMS)
    parser.add_argument("names", type=int)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    print(json.dumps(measure(options.program, options.names, options.repeat).as_dict()))


if __name__ == "__main__":
    main()
