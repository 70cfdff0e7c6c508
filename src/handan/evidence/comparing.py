"""Rating systems compared on one's own games: the same games for all, and how sure the difference is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import cached_property
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.errors import InputError, counted
from handan.evidence import scores
from handan.evidence.candidates import ALL, Candidate, candidates, entrants, settings
from handan.evidence.earlier_games import Joined, joined
from handan.evidence.groups import Group, grouped
from handan.evidence.intervals import APART, Clustered
from handan.evidence.parallel import Cluster, made_here
from handan.evidence.scores import COIN, Calibration, Chances
from handan.evidence.task import Task, since_day, why_not
from handan.kernels.types import Codes, Flags, Numbers, Reals
from handan.ledger import Ledger, When
from handan.systems import System

ROUNDING = 1e-9  # of a mean of losses
DRAW = 0.5
STRANGERS = ("both_known", "one_new", "both_new")
FIGURES = (
    "system", "settings", "log_loss", "interval", "brier", "accuracy", "calibration_slope", "strangers", "seconds",
)  # fmt: skip
Interval = tuple[float, float]
T = TypeVar("T", bound=np.generic)
Made = tuple[Candidate, Chances | None, float]
"""A candidate, the probability that Black wins each scored game, and the seconds that it took."""


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
        from handan.evidence.report import notebook_html

        return notebook_html(self)

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


def compare(
    ledger: Ledger,
    systems: str | System | Iterable[str | System] = ALL,
    *,
    train: Ledger | None = None,
    known: str = "game",
    since: date | str | None = None,
    by: str | None = None,
    tuned: bool = False,
    cluster: Cluster | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Comparison:
    """Compare how rating systems forecast the games of a ledger, each game from what was known before it.

    All systems are scored on the same games, strangers included; a draw is one half. The same ledger gives the same
    figures, to the last bit, except `seconds`.

    Args:
        ledger: The games.
        systems: `all`, names by commas, or names and systems; `elo:k=32` is a name with a setting.
        train: Earlier games that systems learn from and that are not scored.
        known: `game`, `day` or `event`: what is known before a game. Without times and rounds, `game` is `day`.
        since: Only games from this day on are scored.
        by: `handicap`, `rank`, `experience` or `year`: parts of the games that are shown too.
        tuned: Also each system with settings that are learned from earlier games, where it has such: `elo:tuned`.
        cluster: Where forecasts are made; None: one after another in this process. The figures are the same.
        progress: Called with a text, parts done and parts in all.

    Raises:
        InputError: For an unknown system, setting, level, day or group, and where no game can be scored.
    """
    chosen = candidates(systems)
    games = joined(ledger, train)
    late = since_day(games.ledger, When.of(since))
    if not (games.wanted & late).any():
        raise InputError("no game can be scored: " + (_since(since, games.ledger) if len(ledger) else "there is none"))
    unscored = _unscored(games.ledger, games.wanted & late)
    task = Task.of(games.ledger, known, games.wanted & late)
    if not task.wanted.any():
        raise InputError(f"no game can be scored: {unscored}")
    new = _newcomers(task)
    entered = entrants(chosen, task, tuned=tuned)
    calls = [candidate.forecasts for candidate in entered]
    answers = iter(cluster.forecasts(calls, task)) if cluster is not None else made_here(calls, task)
    made: list[Made] = []
    for number, candidate in enumerate(entered):
        if progress is not None:
            progress(f"forecasts of {candidate.label}", number, len(entered))
        probability, seconds = next(answers)
        kept = None if probability is None else scores.halved(_chosen(probability, task.wanted))
        made.append((candidate, kept, seconds))
        del probability  # else those of two systems would be in memory in full
    if progress is not None:
        progress("intervals", len(entered), len(entered))
    task.forget()
    notes = [*games.notes, *[f"not scored: {unscored}"] * bool(unscored)]
    return _judged(games, task, made, new, notes, by)


def _chosen(values: NDArray[T], wanted: Flags) -> NDArray[T]:
    """Return the values of the scored games; where all are scored, the very array."""
    return values if wanted.all() else values[wanted]


def _at(values: NDArray[T], games: Numbers) -> NDArray[T]:
    """Return the values of some games, ascending; of all games the very array."""
    return values if len(games) == len(values) else values[games]


def _since(since: date | str | None, ledger: Ledger) -> str:
    """Return why no game is of a day or a later one."""
    newest = f"the newest is of {ledger.newest}" if ledger.newest else "games have no date"
    return f"none is from {since} on; {newest}"


def _unscored(ledger: Ledger, wanted: Flags) -> str:
    """Return how many games nobody is asked about, by the first reason of each; empty if there is none."""
    left, parts = wanted.copy(), []
    for reason, mine in why_not(ledger).items():
        if count := int((left & mine).sum()):
            parts.append(f"{counted(count, 'game')} {reason}")
        left &= ~mine
    return ", ".join(parts)


def _newcomers(task: Task) -> Codes:
    """Return how many players of each scored game had not played before, shape (scored,)."""
    new: Codes = (task.earlier()[task.wanted] == 0).sum(axis=1, dtype=np.int8)
    return new


def _judged(whole: Joined, task: Task, made: list[Made], new: Codes, notes: list[str], by: str | None) -> Comparison:
    """Return the figures of all systems, the best first.

    Args:
        whole: All games.
        task: Those that were forecast.
        made: What each system said of the scored ones.
        new: How many of their players had not played before.
        notes: What to beware of.
        by: Groups that are wanted.
    """
    games = _chosen(task.games, task.wanted)
    score = _chosen(task.score, task.wanted).astype(np.float32)  # exact, and half the memory
    forecast = {candidate.label: p for candidate, p, _ in made if p is not None}
    mean = {name: scores.log_loss(p, score) for name, p in forecast.items()}
    ranked = sorted(mean, key=mean.__getitem__)
    silent = [candidate.label for candidate, p, _ in made if p is None]
    by_label = {each[0].label: each for each in made}
    clusters = None
    if ranked:
        narrow = np.min_scalar_type(len(whole.ledger.players))
        players = np.stack([_at(side, games).astype(narrow) for side in whole.ledger.arrays.seats], axis=1)
        losses = scores.Losses([forecast[name] for name in ranked], score)
        clusters = Clustered.of(losses, _at(task.knowledge.day, games), players)
        del players, losses
    figures = [
        _score(name, by_label[name], score, new, None if clusters is None or name in silent else clusters, ranked)
        for name in (*ranked, *silent)
    ]
    pairs = [] if clusters is None else [_pair(a, b, clusters, ranked) for a, b in combinations(ranked, 2)]
    notes += [f"{name} has no forecast: it needs dates, and no game has one" for name in silent]
    notes += _nothing_to_tell(task, score)
    if not whole.ledger.arrays.dated.any():
        notes.append("no game has a date: they are taken in the order of the files, by rounds where there are any")
    shown = {each.system: each.probability for each in figures if each.probability is not None}
    days = sorted(task.ledger.arrays.column("date").gather(games[[0, -1]]).drop_nulls().dt.date())
    first, last = (days[0], days[-1]) if days and whole.dated else (None, None)
    groups = grouped(task, by, shown) if by is not None else ()
    return Comparison(
        len(whole.ledger), len(games), task.knowledge.level, tuple(figures), tuple(pairs), tuple(notes), by, groups,
        first, last, task,
    )  # fmt: skip


def _nothing_to_tell(task: Task, score: Reals) -> list[str]:
    """Return why the games cannot tell systems apart, whatever these are."""
    notes = []
    if not task.opening[task.wanted].any():
        notes.append("no game was known before any of the scored ones, so everybody is forecast as a newcomer")
    if (score == DRAW).all():
        notes.append("every scored game was drawn: no forecast can be better than a coin's")
    return notes


def _score(
    name: str,
    of: Made,
    score: Reals,
    new: Codes,
    clusters: Clustered | None,
    ranked: list[str],
) -> Score:
    """Return the figures of one system."""
    candidate, chances, seconds = of
    listed = settings(candidate.rules) | {"forecast": candidate.way}
    if chances is None or clusters is None:
        listed["forecast"] = "none: it needs dates"
        return Score(name, listed, None, None, None, None, None, {}, seconds)
    loss = scores.losses(chances, score)
    strangers = {
        kind: {"games": int(mine.sum()), "log_loss": float(loss[mine].mean()) if mine.any() else None}
        for kind, mine in ((kind, new == count) for count, kind in enumerate(STRANGERS))
    }
    log_loss = float(loss.mean())
    del loss  # else two arrays of all games would be in memory
    low, high = clusters.interval(np.array([float(name == other) for other in ranked]))
    interval = (max(low, 0.0), high)  # no loss is below 0
    fit = scores.calibration(chances, score)
    return Score(
        name, listed, log_loss, interval, scores.brier(chances, score), scores.accuracy(chances, score), fit.slope,
        strangers, seconds, fit, chances,
    )  # fmt: skip


def _pair(a: str, b: str, clusters: Clustered, ranked: list[str]) -> Pair:
    """Return the difference of two systems."""
    weights = np.array([float(name == a) - float(name == b) for name in ranked])
    difference, interval = float(weights @ clusters.mean), clusters.interval(weights)
    told_apart = interval[1] < 0.0 or interval[0] > 0.0
    verdict = f"{a if difference < 0.0 else b} is better" if told_apart else APART
    return Pair(a, b, difference, interval, verdict, clusters.games_needed(weights, interval))
