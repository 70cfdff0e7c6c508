"""The figures as tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.aims import Aim
from benchmarks.figures import Figure
from benchmarks.results import ABSENT, OURS, Results, number, ratio

NOTICE = """\
Ratios are the message: all programs ran one after another on the same arrays. Times belong to this machine and hour.
`of C` is the whole of `rate`, which also sorts, checks and keeps every change; `loops of C` its compiled loops alone,
which is what the C programs time; all work on memory that they used in the repeat before. `frozen` is the log-loss on
the last tenth of the games by the ratings as of those before; `online` by the ratings just before each game. Memory is
the peak above what the games themselves take."""
TIMES = ("games/s", "µs/game", "ms")
"""Columns that tell times."""


def table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table whose columns are aligned in plain text too; numbers stand to the right."""
    cells = [list(headers), *(list(row) for row in rows)]
    width = [max(len(row[column]) for row in cells) for column in range(len(headers))]
    right = [all(_numeric(row[column]) for row in cells[1:]) for column in range(len(headers))]
    lines = [_line(row, width, right) for row in cells]
    rule = ["-" * (size - 1) + ":" if end else "-" * size for size, end in zip(width, right, strict=True)]
    return "\n".join([lines[0], f"| {' | '.join(rule)} |", *lines[1:]])


def _numeric(cell: str) -> bool:
    return cell in {"", ABSENT} or cell.replace(",", "").replace(".", "").isdigit()


def _line(row: Sequence[str], width: Sequence[int], right: Sequence[bool]) -> str:
    padded = [cell.rjust(size) if end else cell.ljust(size) for cell, size, end in zip(row, width, right, strict=True)]
    return f"| {' | '.join(padded)} |"


def size_section(result: Results, *, times: bool = True) -> str:
    """Return the title and table of one size, without `times` only ratios, memory and log-loss."""
    title = f"## {result.games:,} games, {result.players:,} players"
    made = f" The ledger was made from a frame in {result.ledger_seconds or 0.0:.3g} s." if times else ""
    heading = f"Games: {result.origin}.{made} Knowing the true chances scores {result.best_loss:.4f}."
    rows = [_row(result, figure) for job in result.jobs for figure in result.of(job)]
    return "\n\n".join([title, heading, *_table(rows, times=times)])


def _table(rows: Sequence[dict[str, str]], *, times: bool) -> list[str]:
    """Return the table of rows that name their cells, without columns of times if they are not wanted."""
    headers = [name for name in rows[0] if times or name not in TIMES] if rows else []
    return [table(headers, [[row[name] for name in headers] for row in rows])] if rows else []


def _row(result: Results, figure: Figure) -> dict[str, str]:
    own = figure.program == OURS
    ours, peer, c = result.ours(figure.job), result.fastest_peer(figure.job), result.c(figure.job)
    return {
        "job": figure.job,
        "program": figure.program,
        "games/s": number(figure.speed, 3),
        "µs/game": number(1e6 / figure.speed if figure.speed else None, 3),
        "× ours": ABSENT if own else number(ratio(figure.speed, ours.speed), 3),
        "× ours, wall": ABSENT if own else number(ratio(ours.wall_seconds, figure.wall_seconds), 3),
        "× fastest peer": number(ratio(figure.speed, peer.speed), 3) if own else ABSENT,
        "of C": number(ratio(figure.speed, c.speed), 2) if own else ABSENT,
        "loops of C": number(ratio(figure.loop_speed, c.speed), 2) if own else ABSENT,
        "frozen": f"{figure.frozen:.4f}" if figure.frozen else ABSENT,
        "online": f"{figure.online:.4f}" if figure.online else ABSENT,
        "MB": ABSENT if figure.memory is None else f"{figure.memory:.0f}",
        "note": figure.note,
    }


def growth_section(results: Sequence[Results], *, times: bool = True) -> str:
    """Return our time per game at each size, or the ratio to that of the first; in linear growth it stays the same."""
    jobs = list(dict.fromkeys(job for result in results for job in result.jobs))
    rows = []
    for job in jobs:
        speeds = [result.ours(job).speed for result in results]
        unit = 1e6 if times else next((speed for speed in speeds if speed), None)
        if any(speeds):
            rows.append([job, *(number(ratio(unit, speed), 3) for speed in speeds)])
    headers = ("job", *(f"{'µs' if times else 'time'}/game at {result.size}" for result in results))
    note = "" if times else f"Times per game, as multiples of that at {results[0].size}.\n\n"
    return f"## Growth\n\n{note}{table(headers, rows)}"


def aims_section(judged: Sequence[Aim], *, times: bool = True) -> str:
    """Return the aims with their verdicts, and the figures if they are ratios or times are wanted."""
    rows = [[aim.text, aim.verdict, aim.figure if times or not aim.timed else ABSENT] for aim in judged]
    return f"## Aims\n\n{table(('aim', 'verdict', 'figure'), rows)}"
