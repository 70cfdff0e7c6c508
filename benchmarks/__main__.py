"""Measure every system beside other programs and plain C: `python -m benchmarks --help`."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from benchmarks import finding, ledgers, reading, report, runner, yardsticks
from benchmarks.aims import aims
from benchmarks.figures import Figure
from benchmarks.jobs import Job, all_jobs
from benchmarks.peers import PACKAGES, PEERS
from benchmarks.peers.environment import Environment
from benchmarks.results import Results, ratio

FOLDER = runner.CACHE / "bench"
TURNS = 5  # of our loop and the one in C; our choice


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--sizes", default="10k,100k,1m", help="which ledgers, of 10k, 100k, 1m (default: all)")
    parser.add_argument("--games", type=int, help="one ledger of so many games, made here, instead of the sizes")
    parser.add_argument(
        "--players", type=int, help="with --games: so many players, who meet by chance, as on a server of strangers"
    )
    parser.add_argument("--systems", default="", help="jobs to measure, by commas (default: all)")
    parser.add_argument("--reading", action="store_true", help="only the reading of tables, and whole commands")
    parser.add_argument("--repeat", type=int, default=5, help="ratings whose median counts (default: 5)")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for each other program (default: 120)")
    parser.add_argument("--no-peers", action="store_true", help="leave the other Python programs out")
    parser.add_argument("--yardsticks", type=Path, default=runner.ROOT.parent / "shared" / "bench",
                        help="folder of gen.py and limit.c (default: beside the checkout)")  # fmt: skip
    parser.add_argument("--ratios", action="store_true", help="print no times, which belong to one machine and hour")
    parser.add_argument("--output", type=Path, help="write all figures to this file as JSON")
    options = parser.parse_args()
    for size in [] if options.games else options.sizes.split(","):
        if size not in ledgers.SIZES:
            parser.error(f"size {size!r} is not one of {', '.join(ledgers.SIZES)}")
    if options.games is not None and options.games < 10:
        parser.error(f"{options.games} games are too few; at least 10")
    if options.players is not None and (options.games is None or options.players < 2):
        parser.error("--players takes a number from 2 on, and --games")
    jobs = all_jobs()
    options.jobs = {name: jobs[name] for name in options.systems.split(",") if name in jobs} or jobs
    for name in filter(None, options.systems.split(",")):
        if name not in jobs:
            parser.error(f"{name!r} is not one of {', '.join(jobs)}")
    return options


def sources(options: argparse.Namespace) -> Iterator[tuple[str, Path, bool]]:
    """Go through the sizes: name, file of the games, and whether the yardsticks can read them, too."""
    shared = yardsticks.are_there(options.yardsticks)
    if options.players:
        yield str(options.games), ledgers.drawn_path(FOLDER, options.games, options.players), shared
        return
    if options.games:
        yield str(options.games), ledgers.own_path(FOLDER, options.games), False
        return
    for size in options.sizes.split(","):
        if shared:
            yield size, ledgers.shared_path(FOLDER / "shared", options.yardsticks / "gen.py", size), True
        else:
            yield size, ledgers.own_path(FOLDER, ledgers.SIZES[size]), False


def environment_of_peers(options: argparse.Namespace) -> tuple[Environment | None, dict[str, str], dict[str, str]]:
    """Return the environment of the other programs, their versions, and why some are missing."""
    if options.no_peers or options.reading:
        return None, {}, {}
    wanted = {peer.package for peer in PEERS.values() if peer.job in options.jobs}
    environment = Environment(runner.ROOT / ".venv-bench")
    say("installing the other programs where they are missing")
    return environment, *environment.install([package for package in PACKAGES if package in wanted])


def measure(
    options: argparse.Namespace,
    games: Path,
    names: int,
    environment: Environment | None,
    versions: Mapping[str, str],
    *,
    shared: bool,
) -> Iterator[Figure]:
    """Go through our jobs, each followed by the other programs on it; `shared`: the C programs read the games."""
    if not options.systems:
        yield from measure_reading(options, games)
    if options.reading:
        return
    if not options.systems:
        say(f"  {finding.JOB}")
        for program in finding.PROGRAMS:
            yield runner.finder(program, names, options.repeat)
    job: Job
    for job in options.jobs.values():
        say(f"  {job.name}")
        if shared and job.name in yardsticks.JOBS.values():
            yield from beside_c(options, job, games, names)
        else:
            yield runner.ours(job, games, options.repeat)
        for peer in PEERS.values():
            if environment and peer.job == job.name and peer.package in versions:
                say(f"    {peer.program}")
                yield runner.peer(peer, environment, games, options.limit)


def beside_c(options: argparse.Namespace, job: Job, games: Path, count: int) -> list[Figure]:
    """Return our figure and that of the loop in C, run in turns; of all turns the one with the middle ratio.

    What else a machine does can halve the speed of one of two programs that run seconds apart.
    """
    turns = []
    for _ in range(TURNS):
        ours = runner.ours(job, games, options.repeat)
        c = next(
            (figure for figure in yardsticks.loops(options.yardsticks, games, count) if figure.job == job.name), None
        )
        if c is None:
            return [ours]
        turns.append((ours, c))
    return list(sorted(turns, key=lambda turn: ratio(turn[0].loop_speed, turn[1].speed) or 0.0)[TURNS // 2])


def measure_reading(options: argparse.Namespace, games: Path) -> Iterator[Figure]:
    """Go through the jobs of reading tables."""
    for job, programs in reading.JOBS:
        say(f"  {job}")
        for program in programs:
            yield runner.reader(program, job, games, options.repeat)


def say(text: str) -> None:
    """Tell how far the run has come."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Run what the command line asks for, and print the tables."""
    options = arguments()
    environment, versions, refused = environment_of_peers(options)
    print(f"# Benchmarks\n\n{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}.")
    print(report.NOTICE)
    if versions:
        print("\nBeside us: " + ", ".join(f"{name} {version}" for name, version in versions.items()) + ".")
    for name, reason in refused.items():
        print(f"\n{name} could not be installed: {reason}")
    results = []
    for size, path, shared in sources(options):
        say(f"{size} games")
        games = ledgers.Games.load(path)
        figures = list(measure(options, path, len(games), environment, versions, shared=shared))
        if shared and not options.reading:
            say("  C")
            yards = yardsticks.measure(options.yardsticks, path, len(games), options.limit)
            measured = {figure.job for figure in figures if figure.program == yardsticks.PROGRAM}
            wanted = options.jobs.keys() - measured
            figures += [figure for figure in yards if figure.job in wanted or figure.note]
        origin = "the yardsticks' generator" if shared and not options.games else "the harness's own generator"
        results.append(Results(size, len(games), games.players, origin, games.best_loss(), tuple(figures)))
        print(f"\n{report.size_section(results[-1], times=not options.ratios)}", flush=True)
    judged = [aim for aim in aims(results) if aim.met is not None or not options.reading]
    times = not options.ratios
    print(f"\n{report.growth_section(results, times=times)}\n\n{report.aims_section(judged, times=times)}")
    if options.output:
        data = {"peers": versions, "sizes": {result.size: result.as_dict() for result in results}}
        data["aims"] = [asdict(aim) for aim in judged]
        options.output.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
