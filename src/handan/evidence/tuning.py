"""Settings of a system learned from one's own games: chosen on earlier games alone, scored on later ones.

Source: L. Tashman, "Out-of-sample tests of forecasting accuracy" (2000), for rolling origins; A. P. Dawid, "The
prequential approach" (1984), for weights of settings by their forecasts one step ahead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from handan.errors import InputError, SettingError, counted, shown
from handan.evidence import scores
from handan.evidence.evaluation_task import Task
from handan.evidence.intervals import APART, LEVEL, Clustered
from handan.evidence.one_step_ahead import forecasts
from handan.evidence.parallel import Cluster, made_here
from handan.kernels.types import Floats, Ints
from handan.ledger import Ledger
from handan.systems import System
from handan.systems.core.settings import no_setting, settings_of

USUAL: dict[str, tuple[float, ...]] = {
    "k": (6.0, 8.0, 12.0, 16.0, 20.0, 26.0, 34.0, 46.0, 60.0),
    "per_rank": (20.0, 30.0, 43.0, 60.0, 80.0, 104.0, 140.0, 190.0, 250.0),
    "start_deviation": (60.0, 90.0, 130.0, 190.0, 250.0, 350.0),
    "w2": (0.0, 2.0, 5.0, 10.0, 20.0, 40.0, 80.0),
    "performance": (0.0, 75.0, 150.0, 210.0, 300.0),
}
"""Settings in Elo that are tuned unless others are named, and their values. our choice."""
VALUES = 9  # our choice: how many values stand for a range
LAST = 3  # our choice: the newest third of the games is scored
ORIGINS = 4  # our choice: how often settings are chosen anew within it
LEAST = 30  # games to learn from or to score; our choice: fewer say nothing
BETTER = "better"


class Learned(NamedTuple):
    """What the games say of one setting."""

    name: str
    unit: str
    default: Any
    """Its value before."""
    value: float
    """The value that forecast all games best."""
    low: float
    """Values from here to `high` bear 95 % of the weight, all being equal before and the other settings as chosen."""
    high: float


class Choice(NamedTuple):
    """Settings chosen at one time."""

    games: int
    """How many games they were chosen on."""
    day: date | None
    """Day of the first game that they forecast."""
    settings: dict[str, float]


@dataclass(frozen=True)
class Tuning:
    """Settings that the games chose, and whether choosing them was worth it."""

    system: System
    """With the settings that forecast all games best."""
    learned: tuple[Learned, ...]
    choices: tuple[Choice, ...]
    """What was chosen before each part of the scored games, from the games before it alone."""
    scored: int
    known: str
    """What was known before each game: `game`, `day` or `event`."""
    log_loss: float
    """Of the scored games, by the settings chosen before each."""
    usual_log_loss: float
    """Of the same games, by the settings as they were."""
    interval: tuple[float, float]
    """95 %, of the difference of both."""
    games_needed: int | None
    """How many games would tell a difference of this size."""

    @property
    def verdict(self) -> str:
        """Whether tuned settings are better than those before, worse, or cannot be told apart from them."""
        if self.interval[0] <= 0.0 <= self.interval[1]:
            return APART
        return BETTER if self.interval[1] < 0.0 else "worse"

    @property
    def settings(self) -> dict[str, float]:
        """The settings that forecast all games best."""
        return {each.name: each.value for each in self.learned}

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "system": self.system.name, "settings": self.settings, "scored": self.scored, "known": self.known,
            "log_loss": self.log_loss,
            "usual_log_loss": self.usual_log_loss, "interval": self.interval, "verdict": self.verdict,
            "games_needed": self.games_needed, "learned": [each._asdict() for each in self.learned],
            "choices": [each._asdict() for each in self.choices],
        }  # fmt: skip


def tune(
    ledger: Ledger,
    rules: System,
    over: Mapping[str, Sequence[float]] | None = None,
    *,
    known: str = "game",
    cluster: Cluster | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Tuning:
    """Choose the settings of a system that forecast the games of a ledger best, and say whether that is worth it.

    Args:
        ledger: The games.
        rules: The system, with the settings from which the search begins.
        over: Values of each setting that is tuned, at least two; None: those of `USUAL` that the system has.
        known: What is known before a game, as in `compare`.
        cluster: Where forecasts are made; None: one after another in this process. The answer is the same.
        progress: Called with a text, parts done and parts in all.

    Raises:
        InputError: For a system that solves all games together or has no law, and for too few games.
        SettingError: For a setting that the system does not have.
    """
    refuse_untunable(rules)
    ladders = _ladders(rules, over)
    task = Task.of(ledger, known)
    cuts = _cuts(task)
    search = Search(rules, task, ladders, progress, cluster)
    start = search.start
    tuned, choices = [], []
    for first, behind in pairwise(cuts.tolist()):
        best = search.best(start, first)
        tuned.append(search.losses(best)[first:behind])
        day = task.ledger.arrays.column("date")[int(task.games[first])]
        choices.append(Choice(int(first), None if day is None else day.date(), search.settings(best)))
    best = search.best(start, len(task.games))
    usual = search.losses(start)[cuts[0] :]
    losses = np.stack((np.concatenate(tuned), usual), axis=1)
    games = task.games[cuts[0] :]
    players = np.stack((ledger.arrays.black[games], ledger.arrays.white[games]), axis=1)
    clusters = Clustered.of(losses, task.knowledge.day[games], players)
    weights = np.array([1.0, -1.0])
    interval = clusters.interval(weights)
    return Tuning(
        replace(rules, **search.settings(best)), tuple(search.learned(best)), tuple(choices), len(games),
        task.knowledge.level, float(losses[:, 0].mean()), float(usual.mean()), interval,
        clusters.games_needed(weights, interval),
    )  # fmt: skip


def refuse_untunable(rules: System) -> None:
    """Raise InputError for a system that solves all games together or has no law."""
    if rules.traits.whole or not rules.has_odds:
        why = "solves all games together" if rules.traits.whole else "has no law of winning chances"
        raise InputError(
            f"{rules.name} {why}; systems that can be tuned replay games and have odds, such as elo, handan"
        )


def values_between(low: float, high: float) -> tuple[float, ...]:
    """Return values for a range: equal ratios where it is above 0, else equal steps, with three digits."""
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InputError(f"{low:g}..{high:g} is not a range from a lower to a higher number")
    steps = np.geomspace(low, high, VALUES) if low > 0.0 else np.linspace(low, high, VALUES)
    return tuple(dict.fromkeys(float(f"{step:.3g}") for step in steps))


def _ladders(rules: System, over: Mapping[str, Sequence[float]] | None) -> dict[str, tuple[float, ...]]:
    """Return the values of each setting, ascending; SettingError for a setting that is none or no number."""
    fields = settings_of(rules)
    if over is None:
        over = {
            name: values for name, values in USUAL.items() if name in fields and fields[name][1].unit.startswith("Elo")
        }
        over = {name: values for name, values in over.items() if getattr(rules, name) is not None}
    if not over:
        raise InputError(
            f"{rules.name} has no settings that are tuned unasked (`handan systems {rules.name}` lists all); "
            f"name some{_such_as(rules) or ' with --over'}"
        )
    for name in over:
        if name not in fields:
            raise SettingError(no_setting(type(rules), name))
        if fields[name][1].kind is not float:
            raise SettingError(f"{rules.name}: {name} is not a setting that can be tuned: it is no measure")
        for value in over[name]:
            replace(rules, **{name: value})  # refuses what is out of bounds
    return {name: tuple(sorted(set(map(float, values)))) for name, values in over.items()}


def _such_as(rules: System) -> str:
    """Return an example of naming a measure of the system to tune, from half to twice its value; "" if it has none."""
    for name, (_, bounds) in settings_of(rules).items():
        value = getattr(rules, name)
        if bounds.kind is float and value is not None and value > 0.0:
            low, high = max(value / 2.0, bounds.low or 0.0), min(value * 2.0, bounds.high or math.inf)
            return f", such as --over {name}={low:g}..{high:g}"
    return ""


def _cuts(task: Task) -> Ints:
    """Return the places, each the first of a day, between which settings do not change; the last is the end."""
    count = len(task.games)
    if count * (LAST - 1) < LEAST * LAST:
        raise InputError(f"too few games to learn settings from: {count:,}; give {LEAST * LAST // (LAST - 1)} or more")
    day = task.knowledge.day[task.games]
    wanted = np.linspace(count * (LAST - 1) / LAST, count, ORIGINS + 1)[:-1].astype(np.int64)
    cuts = np.unique(np.searchsorted(day, day[wanted]))
    cuts = cuts[cuts > 0]
    if not len(cuts):
        raise InputError("all games are of one day: there is no earlier day to learn settings from")
    return np.append(cuts, count)


class Search:
    """The losses of every setting that was tried, and the way from one to a better one."""

    def __init__(
        self,
        rules: System,
        task: Task,
        ladders: dict[str, tuple[float, ...]],
        progress: Callable[[str, int, int], None] | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        self.rules, self.task, self.progress, self.cluster = rules, task, progress, cluster
        own = {name: getattr(rules, name) for name in ladders}
        self.ladders: dict[str, tuple[Any, ...]] = {
            name: values if own[name] is None or own[name] in values else tuple(sorted((*values, own[name])))
            for name, values in ladders.items()
        }
        self.start = tuple(own[name] for name in ladders)
        self._tried: dict[tuple[Any, ...], Floats] = {}
        self._probability: dict[tuple[Any, ...], Floats] = {}

    def settings(self, values: tuple[Any, ...]) -> dict[str, float]:
        """Return values by name."""
        return dict(zip(self.ladders, values, strict=True))

    def losses(self, values: tuple[Any, ...]) -> Floats:
        """Return the loss of each game of the task, shape (n,), infinite for settings that exclude each other."""
        if values not in self._tried:
            self._try([values])
        return self._tried[values]

    def _try(self, points: Sequence[tuple[Any, ...]]) -> None:
        """Forecast the games under settings that were not tried before, on the cluster if there is one."""
        if self.progress is not None:
            self.progress(f"forecasts under {counted(len(self._tried) + len(points), 'setting')}", 0, 0)
        calls = {}
        for values in points:
            try:
                calls[values] = partial(forecasts, replace(self.rules, **self.settings(values)))
            except SettingError:
                self._keep(values, None)
        made = made_here if self.cluster is None else self.cluster.forecasts
        for values, (probability, _) in zip(calls, made(list(calls.values()), self.task), strict=True):
            self._keep(values, probability)

    def _keep(self, values: tuple[Any, ...], probability: Floats | None) -> None:
        count = len(self.task.games)
        self._probability[values] = np.full(count, 0.5) if probability is None else probability
        self._tried[values] = (
            np.full(count, np.inf) if probability is None else scores.losses(probability, self.task.score)
        )

    def probability(self, values: tuple[Any, ...]) -> Floats:
        """Return the probability that Black wins each game of the task, shape (n,)."""
        self.losses(values)
        return self._probability[values]

    def _all_at_once(self, values: tuple[Any, ...], place: int, ladder: tuple[Any, ...]) -> None:
        """Try all values of one setting together where there is a cluster; here only those are tried that are asked."""
        new = [point for value in ladder if (point := _with(values, place, value)) not in self._tried]
        if self.cluster is not None and new:
            self._try(new)

    def best(self, start: tuple[Any, ...], until: int) -> tuple[Any, ...]:
        """Return values that no step of one setting betters, by the games before a place."""
        best, better = start, True
        while better:
            better = False
            for place, ladder in enumerate(self.ladders.values()):
                self._all_at_once(best, place, ladder)
                for step in (1, -1):
                    while (following := _moved(best, place, ladder, step)) is not None:
                        if not self.losses(following)[:until].mean() < self.losses(best)[:until].mean():
                            break
                        best, better = following, True
        return best

    def learned(self, best: tuple[Any, ...]) -> list[Learned]:
        """Return what all games say of each setting, the others as chosen."""
        lines = []
        for place, (name, ladder) in enumerate(self.ladders.items()):
            self._all_at_once(best, place, ladder)
            total = np.array([self.losses(_with(best, place, value)).sum() for value in ladder])
            weight = np.exp(total.min() - total)
            unit = settings_of(self.rules)[name][1].unit
            value = ladder[int(np.argmax(weight))] if best[place] is None else best[place]
            ends = least_range(np.array(ladder), weight / weight.sum())
            lines.append(Learned(name, unit, getattr(self.rules, name), value, *ends))
        return lines


def least_range(values: Floats, weight: Floats) -> tuple[float, float]:
    """Return the least range of values that bears 95 % of the weight, which is 1 together."""
    levels = np.unique(values)
    share = np.array([weight[values == level].sum() for level in levels])
    order = np.argsort(-share, kind="stable")
    chosen = levels[order[: int(np.searchsorted(np.cumsum(share[order]), LEVEL)) + 1]]
    return float(chosen.min()), float(chosen.max())


def _with(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _moved(values: tuple[Any, ...], place: int, ladder: tuple[Any, ...], step: int) -> tuple[Any, ...] | None:
    """Return the values with one of them a step up or down its ladder; None at its end."""
    if values[place] is None:  # the system finds it by itself: any value may be the better one
        return _with(values, place, ladder[len(ladder) // 2])
    index = ladder.index(values[place]) + step
    return _with(values, place, ladder[index]) if 0 <= index < len(ladder) else None


def ranges(texts: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """Return the values that `name=low..high` or `name=1,2,5` stand for; `name` alone stands for its usual ones.

    Raises:
        InputError: For a text that is none of these.
    """
    over: dict[str, tuple[float, ...]] = {}
    for text in texts:
        name, _, values = text.partition("=")
        key = name.strip().replace("-", "_")
        if not values and key not in USUAL:
            raise InputError(f"give the range of {shown(name)}, such as {key}=20..120")
        try:
            low, dots, high = values.partition("..")
            if dots:
                over[key] = values_between(float(low), float(high))
            else:
                over[key] = tuple(map(float, values.split(","))) if values else USUAL[key]
        except ValueError:
            raise InputError(f"{shown(text)} is not NAME=LOW..HIGH, such as stone=20..120") from None
        if len(over[key]) < 2:
            raise InputError(f"{shown(text)} leaves nothing to choose; give NAME=LOW..HIGH or values by commas")
    return over
