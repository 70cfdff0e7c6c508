"""All figures of one size, and the questions that the report asks of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.figures import Figure
from benchmarks.yardsticks import PROGRAM as C

OURS = "handan"
ABSENT = "–"


@dataclass(frozen=True)
class Results:
    """What was measured on the games of one size."""

    size: str
    games: int
    players: int
    origin: str
    """Who made the games."""
    best_loss: float
    """Log-loss on the held-out games of one who knows the true chances."""
    figures: tuple[Figure, ...]

    def ours(self, job: str) -> Figure:
        """Return our figure for a job, an empty one if there is none."""
        return next((figure for figure in self.of(job) if figure.program == OURS), Figure(job, OURS))

    def c(self, job: str) -> Figure:
        """Return the yardstick's figure for a job, an empty one if there is none."""
        return next((figure for figure in self.of(job) if figure.program == C), Figure(job, C))

    def fastest_peer(self, job: str) -> Figure:
        """Return the fastest other program that finished a job, an empty figure if there is none."""
        peers = (figure for figure in self.of(job) if figure.program not in {OURS, C} and figure.speed)
        return max(peers, key=lambda figure: figure.speed or 0.0, default=Figure(job, ""))

    def of(self, job: str) -> list[Figure]:
        """Return the figures of a job: ours, the other programs from fast to slow, the yardstick."""
        chosen = [figure for figure in self.figures if figure.job == job]
        return sorted(chosen, key=lambda figure: (figure.program != OURS, figure.program == C, -(figure.speed or 0.0)))

    @property
    def jobs(self) -> list[str]:
        """The jobs in the order in which they were measured."""
        return list(dict.fromkeys(figure.job for figure in self.figures))

    @property
    def ledger_seconds(self) -> float | None:
        """Median time of making the ledger from a frame, over the processes that made it."""
        seconds = sorted(figure.ledger_seconds for figure in self.figures if figure.ledger_seconds)
        return seconds[len(seconds) // 2] if seconds else None

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        plain = {name: getattr(self, name) for name in ("games", "players", "origin", "best_loss", "ledger_seconds")}
        return plain | {"figures": [figure.as_dict() for figure in self.figures]}


def ratio(one: float | None, other: float | None) -> float | None:
    """Return how many times one speed is the other, None where either is missing."""
    return one / other if one and other else None


def number(value: float | None, digits: int) -> str:
    """Return a number with so many significant digits, without an exponent."""
    if value is None:
        return ABSENT
    if value >= 10 ** (digits - 1):
        return f"{round(value, digits - len(str(int(value)))):,.0f}"
    return f"{float(f'{value:.{digits}g}'):.10g}" if value >= 1e-4 else "0"
