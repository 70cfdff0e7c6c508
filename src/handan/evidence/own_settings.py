"""A system with settings that its own games choose: weighed where games are few, searched for where there are many.

Source: A. P. Dawid, "The prequential approach" (1984), for weights of settings by their forecasts one step ahead;
L. Tashman, "Out-of-sample tests of forecasting accuracy" (2000), for settings chosen on earlier games only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from handan.errors import InputError, counted, refuse_other
from handan.evidence import scores
from handan.evidence.evaluation_task import Task
from handan.evidence.one_step_ahead import forecasts
from handan.evidence.tuning import LEAST, USUAL, Learned, Search, least_range, refuse_untunable
from handan.kernels.types import Floats
from handan.ledger import Ledger
from handan.shortcuts import ledger_of
from handan.systems import System, system
from handan.systems.core.settings import settings_of

if TYPE_CHECKING:
    from handan.typed import SystemName

MOST_WEIGHED = 5000  # games up to which settings are weighed rather than searched for; our choice
MOST = 36  # our choice: how many settings are weighed at once
DOUBLED = 2.0  # our choice: how much games have grown when settings are searched for again
OF_RANKS = frozenset({"per_rank", "rank_deviation"})
"""Settings that say nothing where nobody declares a rank and no game has a handicap."""
BEFORE = {
    "k": (14.0, 0.5, 0.0),
    "per_rank": (80.0, 0.7, 0.0),
    "start_deviation": (100.0, 0.5, 0.0),
    "rank_deviation": (100.0, 0.5, 0.0),
    "w2": (5.0, 1.0, 3.0),
    "performance": (150.0, 0.7, 50.0),
}
"""What is believed of a setting before the first game: ln(value + c) is normal around ln(m + c) with deviation s, given
as m, s, c; our choice: what did well in circles of a few hundred games (`make circles`)."""
NOTHING = "{} has no setting that these games could teach; elo, glicko, glicko2 and handan have"
WEIGHED = "settings weighed by how each forecast the games before"
SEARCHED = "settings searched for on the games before, again whenever these have doubled"


@dataclass(frozen=True)
class Tuned:
    """A system with the settings that the games of a ledger chose."""

    system: System
    learned: tuple[Learned, ...]
    games: int
    """How many games they were chosen on."""

    @property
    def text(self) -> str:
        """One line: which settings, from where to where 95 % of the weight lies, and on how many games."""
        parts = [f"{each.name} {each.value:g} ({each.low:g} to {each.high:g}, before {_plain(each.default)})"
                 for each in self.learned]  # fmt: skip
        return f"settings learned from {counted(self.games, 'game')}: {', '.join(parts)}"

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {"games": self.games, "learned": [each._asdict() for each in self.learned]}


def tuned(
    games: Any,
    rules: SystemName | System,
    *,
    fixed: Collection[str] = (),
    known: str = "game",
    progress: Callable[[str, int, int], None] | None = None,
) -> Tuned:
    """Return a system with the settings by which it forecasts games best, each from earlier games.

    Up to 5,000 games every setting is weighed by its forecasts and the answer is their mean, so that few games move it
    little; above, the best settings are searched for.

    Args:
        games: As `handan.rate` takes them: a ledger, a path, a frame.
        rules: The system, or its name.
        fixed: Names of settings that stay as they are.
        known: What is known before a game, as in `compare`.
        progress: Called with a text, parts done and parts in all.

    Raises:
        InputError: For a system that solves all games together, has no law or no such setting, and for too few games.
    """
    rules = system(rules) if isinstance(rules, str) else rules
    refuse_other("system", rules, System, "the name of a system such as elo, or a System")
    refuse_untunable(rules)
    ledger = ledger_of(games)
    task = Task.of(ledger, known)
    if len(task.games) < LEAST:
        raise InputError(f"too few games to learn settings from: {len(task.games):,}; give {LEAST} or more")
    values = values_of(rules, task, fixed)
    if not values:
        raise InputError(NOTHING.format(rules.name))
    if len(task.games) <= MOST_WEIGHED:
        weighed = Weighed.of(rules, task, values, progress)
        learned = weighed.learned()
    else:
        search = Search(rules, task, values, progress)
        learned = tuple(search.learned(search.best(search.start, len(task.games))))
    return Tuned(replace(rules, **{each.name: each.value for each in learned}), learned, len(task.games))


class TunedForecasts(NamedTuple):
    """Forecasts under settings learned from earlier games, and what these are by the last game."""

    probability: Floats
    """That Black wins each game, shape (n,)."""
    settings: dict[str, float]


def forecasts_tuned(rules: System, task: Task, fixed: Collection[str] = ()) -> TunedForecasts:
    """Return forecasts of each game under settings learned from earlier games.

    Games of the first 5,000 are forecast by the mean over all settings, weighed by their forecasts so far; later ones
    by the best settings of the games before, searched for again whenever these have doubled.

    Raises:
        InputError: For a system that has no setting to learn.
    """
    values = values_of(rules, task, fixed)
    if not values:
        raise InputError(NOTHING.format(rules.name))
    weighed = Weighed.of(rules, task, values)
    chance = weighed.mean()
    if len(task.games) <= MOST_WEIGHED:
        return TunedForecasts(chance, {each.name: each.value for each in weighed.learned()})
    search = Search(rules, task, values)
    best, games = search.start, MOST_WEIGHED
    while games <= task.known_until.max(initial=0):
        best = search.best(best, games)
        mine = (task.known_until >= games) & (task.known_until < DOUBLED * games)
        chance[mine] = search.probability(best)[mine]
        games = int(DOUBLED * games)
    return TunedForecasts(chance, search.settings(best))


def values_of(rules: System, task: Task, fixed: Collection[str] = ()) -> dict[str, tuple[float, ...]]:
    """Return the values of each setting that games can choose: those in Elo, of ranks only where there are any."""
    if rules.traits.whole or not rules.has_odds:
        return {}
    ledger, fields = task.ledger, settings_of(rules)
    ranked = any(rank is not None for ranks, _ in ledger.arrays.declared for rank in ranks)
    ranked = ranked or bool(ledger.arrays.stones.any()) or bool(ledger.adjustments)
    return {
        name: values
        for name, values in (USUAL | {"rank_deviation": USUAL["start_deviation"]}).items()
        if name in fields and fields[name][1].unit.startswith("Elo") and getattr(rules, name) is not None
        and name not in fixed and (ranked or name not in OF_RANKS)
        and not (name == "start_deviation" and "rank_deviation" in fields and _all_ranked(ledger))
    }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Weighed:
    """Many settings of one system at once, each with its forecasts of all games."""

    rules: System
    task: Task
    names: tuple[str, ...]
    points: tuple[tuple[float, ...], ...]
    """Values of the settings, in the order of the names."""
    chances: Floats
    """Shape (settings, n)."""
    before: Floats
    """ln of the weight of each before the first game, shape (settings,)."""

    @classmethod
    def of(
        cls, rules: System, task: Task, values: dict[str, tuple[float, ...]],
        progress: Callable[[str, int, int], None] | None = None,
    ) -> Weighed:  # fmt: skip
        """Make the forecasts."""
        points = tuple(product(*thinned(values).values()))
        chances = []
        for number, point in enumerate(points):
            if progress is not None:
                progress(f"forecasts under {counted(len(points), 'setting')}", number, len(points))
            chance = forecasts(replace(rules, **dict(zip(values, point, strict=True))), task)
            chances.append(np.full(len(task.games), 0.5) if chance is None else chance)
        names = tuple(values)
        before = np.array([sum(map(_log_prior, names, point)) for point in points])
        return cls(rules, task, names, points, np.stack(chances), before)

    def mean(self) -> Floats:
        """Return the mean of the chances, weighed by how each setting forecast what was known before, shape (n,)."""
        total, highest = np.zeros(len(self.task.games)), np.full(len(self.task.games), -np.inf)
        weights = [self._log_weight(number) for number in range(len(self.points))]
        for weight in weights:
            np.maximum(highest, weight, out=highest)
        mean = np.zeros(len(total))
        for weight, chance in zip(weights, self.chances, strict=True):
            share = np.exp(weight - highest)
            total += share
            mean += share * chance
        return mean / total

    def learned(self) -> tuple[Learned, ...]:
        """Return the mean of each setting under the weights that all games give, and where 95 % of its weight lies."""
        losses = np.array([scores.losses(chance, self.task.score).sum() for chance in self.chances])
        weight = np.exp(self.before - losses - (self.before - losses).max())
        weight /= weight.sum()
        fields, lines = settings_of(self.rules), []
        for place, name in enumerate(self.names):
            own = np.array([point[place] for point in self.points])
            shift = BEFORE[name][2]
            mean = math.exp(float(weight @ np.log(own + shift))) - shift
            value = min(max(float(f"{mean:.3g}"), float(own.min())), float(own.max()))
            low, high = least_range(own, weight)
            lines.append(
                Learned(name, fields[name][1].unit, getattr(self.rules, name), value, min(low, value), max(high, value))
            )
        return tuple(lines)

    def _log_weight(self, number: int) -> Floats:
        """Return ln of the weight of a setting before each game: no game of its moment or later has a part in it."""
        losses = np.append(0.0, np.cumsum(scores.losses(self.chances[number], self.task.score)))
        weight: Floats = self.before[number] - losses[self.task.known_until]
        return weight


def thinned(values: dict[str, tuple[float, ...]]) -> dict[str, tuple[float, ...]]:
    """Return values so thinned that all settings together are few enough to weigh, each from end to end."""
    each = max(3, math.floor(MOST ** (1.0 / max(len(values), 1)) + 1e-9))
    return {
        name: tuple(ladder[place] for place in np.unique(np.linspace(0, len(ladder) - 1, each).round().astype(int)))
        for name, ladder in values.items()
    }


def _log_prior(name: str, value: float) -> float:
    middle, spread, shift = BEFORE[name]
    return -0.5 * (math.log((value + shift) / (middle + shift)) / spread) ** 2


def _all_ranked(ledger: Ledger) -> bool:
    """Return whether both sides of every game declare a rank."""
    return all(
        all(ranks[number] is not None for number in np.unique(numbers).tolist())
        for ranks, numbers in ledger.arrays.declared
    )


def _plain(value: Any) -> str:
    return "none" if value is None else f"{value:g}"
