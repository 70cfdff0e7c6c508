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
from handan.wording.figures import about, fixed, percent

ROUNDING = 1e-9  # of a mean of losses
FIGURES = (
    "system", "settings", "log_loss", "interval", "brier", "accuracy", "calibration_slope", "strangers", "seconds",
)  # fmt: skip
Interval = tuple[float, float]
STRANGERS = ("both_known", "one_new", "both_new")
HEAD = (
    "system", "log-loss", "95 % interval", "Brier", "accuracy", "slope", "both known", "one new", "both new", "coin",
)  # fmt: skip


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
    learned: dict[str, float] = field(default_factory=dict)
    """Settings that earlier games chose, as they are by the last game; empty for settings that are given."""

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


@dataclass(frozen=True, slots=True)
class Part:
    """What one part of a system earns on these games."""

    system: str
    part: str
    without: float
    """Log-loss of the system without it."""
    earns: float
    """By how much that is more than with it; below 0 the part costs."""
    interval: Interval
    verdict: str
    """Whether it earns or costs, or nobody can tell."""


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
    parts: tuple[Part, ...] = ()
    """What parts of systems earn, where that was asked for; the largest first."""

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
        words = (escape(text) for text in (basis(self), self.sentence))
        return "".join(f"<p>{text}</p>" for text in words) + html_table(HEAD, (row_of(each) for each in self.systems))

    @property
    def curve(self) -> list[dict[str, float]]:
        """The reliability of the best system: `forecast`, Black's `score` and `games`, for each tenth of chances."""
        table = () if self.best is None or self.best.calibration is None else self.best.calibration.table
        return [{"forecast": each.forecast, "score": each.score, "games": each.games} for each in table]

    @cached_property
    def best(self) -> Score | None:
        """The system of the lowest log-loss; None where no system has forecasts."""
        return next((score for score in self.systems if score.log_loss is not None), None)

    @property
    def more_games(self) -> int | None:
        """How many more games would tell the first two systems apart; None where these games do, or none would."""
        if not self.pairs or self.pairs[0].verdict != APART or self.pairs[0].games_needed is None:
            return None
        return max(self.pairs[0].games_needed - self.scored, 1)

    @property
    def sentence(self) -> str:
        """Which system is right for these games, in a sentence to be read aloud."""
        best, games = self.best, counted(self.scored, "game")
        if best is None:
            return f"No system can forecast these {games}."
        if best.verdict != "better":
            return f"These {games} do not show that any system forecasts better than a coin."
        if not self.pairs:
            return f"{best.system} forecasts these {games} better than a coin."
        of = f"Of {len(self.systems)} systems {best.system} forecasts these {games} best"
        level = [pair.b for pair in self.pairs if best.system == pair.a and pair.verdict == APART]
        if not level:
            return f"{of}, by more than chance."
        if self.more_games is None:
            return f"{of}, but it may be chance that {level[0]} is behind."
        return f"{of}, but it would take {about(self.more_games)} more games to tell it from {self.pairs[0].b}."

    def table(self) -> pl.DataFrame:
        """Return one row a system, the best first.

        Columns: `system`, `scored` games, `log_loss` with its 95 % interval from `low` to `high`, `brier`, `accuracy`,
        `calibration_slope`, the log-loss of games of `both_known`, `one_new` and `both_new` players, and `seconds`.
        Figures that a system has not are null.
        """
        rows = []
        for each in self.systems:
            low, high = each.interval or (None, None)
            row = {"system": each.system, "scored": self.scored, "log_loss": each.log_loss, "low": low, "high": high}
            row |= {"brier": each.brier, "accuracy": each.accuracy, "calibration_slope": each.calibration_slope}
            row |= {kind: each.strangers[kind]["log_loss"] if each.strangers else None for kind in STRANGERS}
            rows.append(row | {"seconds": each.seconds})
        schema = dict.fromkeys(rows[0] if rows else (), pl.Float64()) | {"system": pl.String(), "scored": pl.Int64()}
        return pl.DataFrame(rows, schema=schema)

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
        answer |= {"sentence": self.sentence, "more_games": self.more_games, "curve": self.curve}
        if self.parts:
            answer["parts"] = [asdict(part) for part in self.parts]
        if self.by is not None:
            answer |= {"by": self.by, "groups": [asdict(group) for group in self.groups]}
        return answer


def basis(answer: Comparison) -> str:
    """Return which games were scored, and from what each was forecast."""
    days = f" from {answer.first} to {answer.last}" if answer.first else ""
    unit = {"game": "its moment or round", "day": "its day", "event": "its event"}[answer.known]
    return f"{counted(answer.scored, 'game')}{days}, each forecast from what was known before {unit}."


def row_of(each: Score) -> tuple[str, ...]:
    """Return the cells of a system under `HEAD`."""
    new = [fixed(part["log_loss"], 4) for part in each.strangers.values()] or [""] * 3
    between = f"{each.interval[0]:.4f} to {each.interval[1]:.4f}" if each.interval else ""
    return (
        each.system, fixed(each.log_loss, 4), between, fixed(each.brier, 4), percent(each.accuracy),
        fixed(each.calibration_slope, 2), *new, each.verdict,
    )  # fmt: skip
