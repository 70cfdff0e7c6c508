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
HEADERS = (
    "job", "program", "games/s", "µs/game", "× fastest peer", "of C", "loops of C", "frozen", "online", "MB", "note"
)  # fmt: skip


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


def size_section(result: Results) -> str:
    """Return the title and table of one size."""
    title = f"## {result.games:,} games, {result.players:,} players"
    made = f"The ledger was made from a frame in {result.ledger_seconds or 0.0:.3g} s."
    told = f"Games: {result.origin}. {made} Knowing the true chances scores {result.best_loss:.4f}."
    jobs = [job for job in result.jobs if job != "whr-update"]
    rows = [_row(result, figure) for job in jobs for figure in result.of(job)]
    return "\n\n".join([title, told, table(HEADERS, rows), *_updates(result)])


def _row(result: Results, figure: Figure) -> list[str]:
    own = figure.program == OURS
    peer, c = result.fastest_peer(figure.job), result.c(figure.job)
    lead = ratio(figure.speed, peer.speed) if own else None
    share = ratio(figure.speed, c.speed) if own else None
    loops = ratio(figure.loop_speed, c.speed) if own else None
    return [
        figure.job,
        figure.program,
        number(figure.speed, 3),
        number(1e6 / figure.speed if figure.speed else None, 3),
        number(lead, 3),
        number(share, 2),
        number(loops, 2),
        f"{figure.frozen:.4f}" if figure.frozen else ABSENT,
        f"{figure.online:.4f}" if figure.online else ABSENT,
        ABSENT if figure.memory is None else f"{figure.memory:.0f}",
        figure.note,
    ]


def _updates(result: Results) -> list[str]:
    """Return the table of games added to a solved history, if it was measured."""
    rows = [
        [
            figure.program,
            number(1000 * figure.seconds, 3),
            number(ratio(figure.scratch_seconds, figure.seconds), 3),
            number(figure.error, 2),
            figure.note,
        ]
        for figure in result.of("whr-update")
        if figure.seconds
    ]
    title = "Twenty games added to a solved whole history:"
    headers = ("program", "ms", "times faster than from scratch", "largest error in Elo", "note")
    return [title, table(headers, rows)] if rows else []


def growth_section(results: Sequence[Results]) -> str:
    """Return our time per game at each size; in a job of linear growth it stays the same."""
    jobs = [job for job in dict.fromkeys(job for result in results for job in result.jobs) if job != "whr-update"]
    rows = []
    for job in jobs:
        speeds = [result.ours(job).speed for result in results]
        if any(speeds):
            rows.append([job, *(number(1e6 / speed if speed else None, 3) for speed in speeds)])
    headers = ("job", *(f"µs/game at {result.size}" for result in results))
    return f"## Growth\n\n{table(headers, rows)}"


def aims_section(judged: Sequence[Aim]) -> str:
    """Return the aims with their verdicts."""
    rows = [[aim.text, aim.verdict, aim.figure] for aim in judged]
    return f"## Aims\n\n{table(('aim', 'verdict', 'figure'), rows)}"
