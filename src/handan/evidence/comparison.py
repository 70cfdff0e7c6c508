"""What a comparison of rating systems found: the figures of each, the differences of two, and the answer in words."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import date
from functools import cached_property
from html import escape
from typing import Any

import polars as pl

from handan.errors import InputError, counted
from handan.evidence.evaluation_task import Task
from handan.evidence.groups import Group
from handan.evidence.intervals import APART
from handan.evidence.scores import COIN, Calibration, Chances
from handan.notebook import html_table
from handan.wording.figures import percent

ROUNDING = 1e-9  # of a mean of losses
FIGURES = (
    "system", "settings", "log_loss", "interval", "brier", "accuracy", "calibration_slope", "strangers", "seconds",
)  # fmt: skip
Interval = tuple[float, float]
HEAD = (
    "system",
    "log-loss",
    "95 % interval",
    "Brier",
    "accuracy",
    "slope",
    "both known",
    "one new",
    "both new",
    "coin",
)


@dataclass(frozen=True, slots=True)
class Score:
    """How one system forecast the games; figures are None where it has no forecasts."""

    system: str
    """Its name, with the settings that are not its defaults."""
    settings: dict[str, Any]
    """All settings, and under `forecast` how forecasts are made."""
    log_loss: float | None
    interval: Interval | None
    """95 %: games of one day, and games that share a player, are taken as alike."""
    brier: float | None
    accuracy: float | None
    """Share of decided games whose winner had the higher chance; None where no game was decided."""
    calibration_slope: float | None
    """1: chances are as forecast; below 1 forecasts are too sure. None where it cannot be told."""
    strangers: dict[str, dict[str, Any]]
    """Games and log-loss where both players had played before, one was new, both were."""
    seconds: float
    calibration: Calibration | None = None
    probability: Chances | None = None
    """That Black wins, for each scored game; of very many games as numbers of 32 bits."""

    @property
    def verdict(self) -> str:
        """Whether the system is better or worse than a coin, which loses ln 2, or cannot be told from it."""
        if self.interval is None or self.log_loss is None:
            return "no forecast"
        if self.interval[0] <= COIN <= self.interval[1] or abs(self.log_loss - COIN) < ROUNDING:
            return APART
        return "better" if self.log_loss < COIN else "worse"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems on the same games."""

    a: str
    b: str
    difference: float
    """Log-loss of a less that of b: below 0, a is better."""
    interval: Interval
    verdict: str
    """Which one is better, or that they cannot be told apart."""
    games_needed: int | None
    """How many games would tell a difference of this size; None where there is none."""


@dataclass(frozen=True, repr=False)
class Comparison:
    """Systems on the same games, the best first."""

    games: int
    """Games that were read, those learned from included."""
    scored: int
    known: str
    """What was known before each game: earlier games of its day, earlier days, or other events."""
    systems: tuple[Score, ...]
    pairs: tuple[Pair, ...]
    notes: tuple[str, ...] = ()
    by: str | None = None
    groups: tuple[Group, ...] = ()
    first: date | None = None
    """Day of the first scored game."""
    last: date | None = None
    task: Task | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        """One line a system, the best first."""
        lines = [f"<Comparison: {counted(self.scored, 'game')} scored; log-loss, a coin has {COIN:.4f}"]
        for each in self.systems:
            figure = "no forecast" if each.log_loss is None else f"{each.log_loss:.4f}"
            between = "" if each.interval is None else f" ({each.interval[0]:.4f} to {each.interval[1]:.4f})"
            lines.append(f"  {each.system} {figure}{between}")
        return "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        """What was scored, the answer in words, and the figures."""
        words = (escape(text) for text in (basis(self), *findings(self)))
        return "".join(f"<p>{text}</p>" for text in words) + html_table(HEAD, (row_of(each) for each in self.systems))

    @cached_property
    def best(self) -> Score | None:
        """The system of the lowest log-loss; None where no system has forecasts."""
        return next((score for score in self.systems if score.log_loss is not None), None)

    def pair(self, a: str, b: str) -> Pair:
        """Return what is known of two systems, in the order in which they are compared; InputError for others."""
        for pair in self.pairs:
            if {pair.a, pair.b} == {a, b}:
                return pair
        raise InputError(f"{a} and {b} were not compared with each other")

    def forecasts(self) -> pl.DataFrame:
        """Return one row a scored game: `game`, counted from 1, `score` of Black, and a column for each system."""
        if self.task is None:
            return pl.DataFrame()
        games = self.task.games[self.task.wanted]
        columns = {each.system: each.probability for each in self.systems if each.probability is not None}
        return pl.DataFrame({"game": games + 1, "score": self.task.ledger.arrays.score[games], **columns})

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data, as the command prints them."""
        answer: dict[str, Any] = {"games": self.games, "scored": self.scored, "known": self.known}
        answer["systems"] = [{name: getattr(each, name) for name in FIGURES} for each in self.systems]
        answer["pairs"] = [asdict(pair) for pair in self.pairs]
        if self.by is not None:
            answer |= {"by": self.by, "groups": [asdict(group) for group in self.groups]}
        return answer


def basis(answer: Comparison) -> str:
    """Return which games were scored, and from what each was forecast."""
    days = f" from {answer.first} to {answer.last}" if answer.first else ""
    unit = {"game": "its moment or round", "day": "its day", "event": "its event"}[answer.known]
    return f"{counted(answer.scored, 'game')}{days}, each forecast from what was known before {unit}."


def findings(answer: Comparison) -> list[str]:
    """Return the answer in words."""
    if answer.best is None:
        return ["No system has a forecast."]
    best = answer.best.system
    level = [pair.b for pair in answer.pairs if pair.a == best and pair.verdict == APART]
    if not answer.pairs:
        return []
    if not level:
        return [f"{best} forecasts these games best."]
    return [f"{best} has the lowest log-loss, but cannot be told apart from {', '.join(level)} on so many games."]


def row_of(each: Score) -> tuple[str, ...]:
    """Return the cells of a system under `HEAD`."""
    new = [fixed(part["log_loss"], 4) for part in each.strangers.values()] or [""] * 3
    between = f"{each.interval[0]:.4f} to {each.interval[1]:.4f}" if each.interval else ""
    return (
        each.system, fixed(each.log_loss, 4), between, fixed(each.brier, 4), percent(each.accuracy),
        fixed(each.calibration_slope, 2), *new, each.verdict,
    )  # fmt: skip


def fixed(value: float | None, decimals: int) -> str:
    """Return a figure with so many decimals, empty for None."""
    return "" if value is None else f"{value:.{decimals}f}"
