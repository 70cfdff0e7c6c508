"""Rating systems compared on one's own games: the same games for all, and how sure the difference is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from handan.errors import InputError, counted
from handan.evidence import scores
from handan.evidence.candidates import ALL, Candidate, candidates, entrants
from handan.evidence.comparison import STRANGERS, Comparison, Pair, Part, Score
from handan.evidence.earlier_games import Joined, joined
from handan.evidence.evaluation_task import Task, since_day, why_not
from handan.evidence.groups import grouped
from handan.evidence.intervals import APART, FEW, Clustered
from handan.evidence.own_settings import TunedForecasts
from handan.evidence.parallel import Cluster, made_here
from handan.evidence.scores import Chances
from handan.kernels.types import Codes, Flags, Numbers, Reals
from handan.ledger import Ledger, When
from handan.shortcuts import ledger_of
from handan.systems import System
from handan.systems.core.settings import setting_values

DRAW = 0.5
T = TypeVar("T", bound=np.generic)


class CandidateForecasts(NamedTuple):
    """How likely a candidate called a win for Black in each game."""

    candidate: Candidate
    probability: Chances | None
    """That Black wins each scored game; None: it has no forecasts."""
    seconds: float
    learned: dict[str, float]
    """Settings that it learned."""


def compare(
    games: Any,
    systems: str | System | Iterable[str | System] = ALL,
    *,
    train: Any = None,
    known: str = "game",
    since: date | str | None = None,
    by: str | None = None,
    tuned: bool = False,
    learned_entries: bool = False,
    parts: bool = False,
    cluster: Cluster | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Comparison:
    """Compare how rating systems forecast games, each game from what was known before it.

    All systems are scored on the same games, strangers included; a draw is one half. The same games give the same
    figures, to the last bit, except `seconds`.

    Args:
        games: As `handan.rate` takes them: a ledger, a path, a frame.
        systems: `all`, names by commas, or names and systems; `elo:k=32` is a name with a setting.
        train: Earlier games, in the same way, that systems learn from and that are not scored.
        known: `game`, `day` or `event`: what is known before a game. Without times and rounds, `game` is `day`.
        since: Only games from this day on are scored.
        by: `handicap`, `rank`, `experience` or `year`: parts of the games that are shown too.
        tuned: Also each system with settings that are learned from earlier games, where it has such: `elo:tuned`.
        learned_entries: Also each system with newcomers who enter where earlier ones like them stood
            (`handan.with_learned_entries`), where somebody declares a rank: `elo:entries`.
        parts: Also what each part of `handan` earns on these games.
        cluster: Where forecasts are made; None: one after another in this process. The figures are the same.
        progress: Called with a text, parts done and parts in all.

    Raises:
        InputError: For an unknown system, setting, level, day or group, and where no game can be scored.
    """
    chosen = candidates(systems)
    ledger = ledger_of(games)
    both = joined(ledger, None if train is None else ledger_of(train))
    late = since_day(both.ledger, When.of(since))
    if not (both.wanted & late).any():
        raise InputError("no game can be scored: " + (_since(since, both.ledger) if len(ledger) else "there is none"))
    unscored = _unscored(both.ledger, both.wanted & late)
    task = Task.of(both.ledger, known, both.wanted & late)
    if not task.wanted.any():
        raise InputError(f"no game can be scored: {unscored}")
    new = _newcomers(task)
    entered = entrants(chosen, task, tuned=tuned, learned_entries=learned_entries, parts=parts)
    calls = [candidate.forecasts for candidate in entered]
    answers = iter(cluster.forecasts(calls, task)) if cluster is not None else made_here(calls, task)
    made: list[CandidateForecasts] = []
    for number, candidate in enumerate(entered):
        if progress is not None:
            progress(f"forecasts of {candidate.label}", number, len(entered))
        answer, seconds = next(answers)
        probability, learned = answer if isinstance(answer, TunedForecasts) else (answer, {})
        kept = None if probability is None else scores.halved(_chosen(probability, task.wanted))
        made.append(CandidateForecasts(candidate, kept, seconds, learned))
        del probability, answer  # else those of two systems would be in memory in full
    if progress is not None:
        progress("intervals", len(entered), len(entered))
    task.forget()
    notes = [*both.notes, *[f"not scored: {unscored}"] * bool(unscored)]
    return _judged(both, task, made, new, notes, by)


def _chosen(values: NDArray[T], wanted: Flags) -> NDArray[T]:
    """Return the values of the scored games; where all are scored, the very array."""
    return values if wanted.all() else values[wanted]


def _at(values: NDArray[T], games: Numbers) -> NDArray[T]:
    """Return the values of some games, ascending; of all games the very array."""
    return values if len(games) == len(values) else values[games]


def _since(since: date | str | None, ledger: Ledger) -> str:
    """Return in words that no game was played from a day on."""
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


def _judged(
    whole: Joined, task: Task, made: list[CandidateForecasts], new: Codes, notes: list[str], by: str | None
) -> Comparison:
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
    by_label = {each.candidate.label: each for each in made if not each.candidate.lacks}
    without = {f"{each.candidate.of} without {each.candidate.lacks}": each for each in made if each.candidate.lacks}
    forecast = {name: each.probability for name, each in (by_label | without).items() if each.probability is not None}
    mean = {name: scores.log_loss(p, score) for name, p in forecast.items()}
    ranked = sorted(mean, key=mean.__getitem__)
    silent = [name for name in by_label if name not in forecast]
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
        if name in by_label
    ]
    pairs, parts = [], []
    if clusters is not None:
        whole_ones = [name for name in ranked if name in by_label]
        pairs = [_pair(a, b, clusters, ranked) for a, b in combinations(whole_ones, 2)]
        parts = [
            _part(each.candidate, _pair(name, each.candidate.of, clusters, ranked), mean[name])
            for name, each in without.items()
        ]
    notes += [f"{name} has no forecast: it needs dates, and no game has one" for name in silent]
    notes += _nothing_to_tell(task, score)
    if clusters is not None and clusters.degrees + 1.0 < FEW:
        notes.append(f"these games are of fewer than {FEW} independent days or players: 95 % intervals are no evidence")
    if not whole.ledger.arrays.dated.any():
        notes.append("no game has a date: they are taken in the order of the files, by rounds where there are any")
    shown = {each.system: each.probability for each in figures if each.probability is not None}
    days = sorted(task.ledger.arrays.column("date").gather(games[[0, -1]]).drop_nulls().dt.date())
    first, last = (days[0], days[-1]) if days and whole.dated else (None, None)
    groups = grouped(task, by, shown) if by is not None else ()
    return Comparison(
        len(whole.ledger), len(games), task.knowledge.level, tuple(figures), tuple(pairs), tuple(notes), by, groups,
        first, last, task, tuple(sorted(parts, key=lambda part: -part.earns)),
    )  # fmt: skip


def _nothing_to_tell(task: Task, score: Reals) -> list[str]:
    """Return why the games cannot tell systems apart, whatever these are."""
    notes = []
    if not task.known_until[task.wanted].any():
        notes.append("no game was known before any of the scored ones, so everybody is forecast as a newcomer")
    if (score == DRAW).all():
        notes.append("every scored game was drawn: no forecast can be better than a coin's")
    return notes


def _score(
    name: str,
    of: CandidateForecasts,
    score: Reals,
    new: Codes,
    clusters: Clustered | None,
    ranked: list[str],
) -> Score:
    """Return the figures of one system."""
    candidate, chances, seconds, learned = of
    listed = setting_values(candidate.rules) | learned | {"forecast": candidate.way}
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
        strangers, seconds, fit, chances, learned,
    )  # fmt: skip


def _part(candidate: Candidate, pair: Pair, without: float) -> Part:
    """Return what a part earns: how a system without it compares with the whole one."""
    verdict = "cannot be told" if pair.verdict == APART else "earns" if pair.difference > 0.0 else "costs"
    return Part(candidate.of, candidate.lacks, without, pair.difference, pair.interval, verdict)


def _pair(a: str, b: str, clusters: Clustered, ranked: list[str]) -> Pair:
    """Return the difference of two systems."""
    weights = np.array([float(name == a) - float(name == b) for name in ranked])
    difference, interval = float(weights @ clusters.mean), clusters.interval(weights)
    told_apart = interval[1] < 0.0 or interval[0] > 0.0
    verdict = f"{a if difference < 0.0 else b} is better" if told_apart else APART
    return Pair(a, b, difference, interval, verdict, clusters.games_needed(weights, interval))
