"""What one core of the machine allows: C programs beside the checkout, built and run on the same arrays."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.peers.environment import last_line

PROGRAM = "C, one core"
FLAGS = ("-O3", "-march=native", "-ffast-math")
JOBS = {"elo": "elo", "glicko/game": "glicko", "glicko2/week": "glicko2-weekly"}
TOLERANCE = "0.001"  # nat; the precision to which the aims ask for Whole-History Rating
LOOP = re.compile(r"^(elo|glicko/game|glicko2/week)\s.* ([\d.]+) M games/s\n\s+online logloss ([\d.]+)", re.MULTILINE)
WHR = re.compile(
    rf"^whr\S* w2=14 tol={TOLERANCE}\s+build ([\d.]+) s.*?\d+ sweeps ([\d.]+) s.*\n\s+frozen logloss ([\d.]+)",
    re.MULTILINE,
)


def are_there(folder: Path) -> bool:
    """Return whether the yardsticks are in a folder."""
    return (folder / "gen.py").exists()


def build(source: Path, cache: Path, name: str) -> Path | str:
    """Compile one program; return where it is, or why there is none."""
    compiler = shutil.which("gcc")
    if compiler is None or not (source / f"{name}.c").exists():
        return f"no {name}.c beside the checkout" if compiler else "no gcc"
    program = cache / name
    command = [compiler, *FLAGS, str(source / f"{name}.c"), "-o", str(program), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return last_line(done.stderr) if done.returncode else program


def measure(source: Path, games: Path, count: int, limit: float) -> list[Figure]:
    """Return what the programs say of the arrays beside a file of games; a figure without seconds tells why not."""
    program = build(source, games.parent, "limit")
    if isinstance(program, str):
        return [Figure("limit", PROGRAM, note=program)]
    try:
        text = subprocess.run(
            [program, games.with_suffix("")], capture_output=True, text=True, check=True, timeout=limit
        ).stdout
    except subprocess.SubprocessError as error:
        return [Figure("limit", PROGRAM, note=str(error))]
    return parse(text, count, int(0.9 * count))


def loops(source: Path, games: Path, count: int) -> list[Figure]:
    """Return what the C program says of its three loops alone; it is stopped before it solves histories."""
    program, line_by_line = build(source, games.parent, "limit"), shutil.which("stdbuf")
    if isinstance(program, str) or line_by_line is None:
        return []
    text = ""
    with subprocess.Popen(
        [line_by_line, "-oL", program, games.with_suffix("")],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as running:  # fmt: skip
        for line in running.stdout or ():
            text += line
            if len(LOOP.findall(text)) == len(JOBS):
                break
        running.kill()
    return parse(text, count, int(0.9 * count))


def parse(text: str, games: int, train: int) -> list[Figure]:
    """Read the figures out of what the programs print; of several solutions of one problem the fastest."""
    figures = [
        Figure(JOBS[name], PROGRAM, games, games / (1e6 * float(speed)), online=float(loss))
        for name, speed, loss in LOOP.findall(text)
    ]
    solved = [
        Figure("whr", PROGRAM, train, float(built) + float(sweeps), frozen=float(loss))
        for built, sweeps, loss in WHR.findall(text)
    ]
    return figures + sorted(solved, key=lambda figure: figure.seconds or 0.0)[:1]
