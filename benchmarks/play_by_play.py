"""Play after play beside other libraries: `python -m benchmarks.play_by_play` writes the table of docs/peers.md.

`handan.live` and every program that is told winner and loser of one game after another take the same games, each
program in a process of its own. Of three runs each has its quickest.
"""

from __future__ import annotations

import time
from datetime import date, timedelta

import handan
from benchmarks import pages, peers_ahead, runner
from benchmarks.ledgers import Games, own
from benchmarks.peers import PEERS
from benchmarks.peers.environment import Environment
from benchmarks.report import table
from benchmarks.results import number

GAMES, RUNS, LIMIT = 20_000, 3, 60.0
OURS = {"elo": handan.systems.Elo(), "glicko2": handan.systems.Glicko2(period="game")}
OTHERS = ("elote Elo", "skelo Elo", "riix Elo", "glicko2", "skelo Glicko-2", "riix Glicko-2")


def seconds(system: handan.System, games: Games) -> float:
    """Return how long `handan.live` takes for all games."""
    first = date(2019, 1, 1)
    names = [f"player {number}" for number in range(games.players)]
    plays = [
        (names[black], names[white], names[black if won else white], first + timedelta(days=day))
        for black, white, won, day in zip(
            games.black.tolist(), games.white.tolist(), games.win.tolist(), games.day.tolist(), strict=True
        )
    ]
    live = handan.live(system)
    start = time.perf_counter()
    for black, white, winner, day in plays:
        live.play(black, white, winner, date=day)
    return time.perf_counter() - start


def main() -> None:
    """Measure, and write the table."""
    games = own(GAMES)
    peers_ahead.FOLDER.mkdir(parents=True, exist_ok=True)
    path = peers_ahead.FOLDER / "plays.npz"
    games.save(path)
    environment = Environment(runner.ROOT / ".venv-bench")
    environment.install({PEERS[name].package: None for name in OTHERS})
    rows = []
    for job, system in OURS.items():
        programs = [name for name in OTHERS if PEERS[name].job == job]
        took: dict[str, list[float]] = {}
        for _ in range(RUNS):
            took.setdefault("`handan.live`", []).append(seconds(system, games))
            for name in programs:
                if measured := runner.peer(PEERS[name], environment, path, LIMIT).seconds:
                    took.setdefault(name, []).append(measured)
        ours = min(took["`handan.live`"])
        rows += [
            [job, name, number(min(each) / ours, 2)]
            for name, each in sorted(took.items(), key=lambda item: min(item[1]))
        ]
    pages.write(peers_ahead.PAGE, "make peers, play after play", table(("system", "program", "time"), rows))


if __name__ == "__main__":
    main()
