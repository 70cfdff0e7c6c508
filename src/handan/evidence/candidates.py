"""Which systems are compared, and with what settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from handan.errors import InputError, shown
from handan.evidence.evaluation_task import Task
from handan.evidence.learned_entries import NOTE, learns_entries, with_learned_entries
from handan.evidence.one_step_ahead import forecasts
from handan.evidence.own_settings import MOST_WEIGHED, SEARCHED, WEIGHED, TunedForecasts, forecasts_tuned, values_of
from handan.evidence.rolling_fits import GROWTH, GROWTHS
from handan.kernels.types import Floats
from handan.systems import SYSTEMS, System, system
from handan.systems.core.settings import setting_values

ALL = "all"
TUNED, ENTRIES = "tuned", "entries"
OWN, FITTED = "its own law", "a logistic curve through rating difference and stones, fitted to earlier games"


@dataclass(frozen=True)
class Candidate:
    """A system that takes part in a comparison, with its settings or with learned ones."""

    rules: System
    learns: bool = False
    """Whether its settings are learned from earlier games, but for those that are not its defaults."""
    enters: bool = False
    """Whether newcomers enter where earlier newcomers like them stood."""
    of: str = ""
    """The label of the system of which it lacks a part; empty: it lacks none."""
    lacks: str = ""
    """What the part is."""

    @property
    def label(self) -> str:
        """Its name, with the settings that are not its defaults."""
        return label_of(self.rules) + f":{TUNED}" * self.learns + f":{ENTRIES}" * self.enters

    @property
    def way(self) -> str:
        """In words how its forecasts are made."""
        if self.learns:
            return f"{OWN}; {WEIGHED}; above {MOST_WEIGHED:,} games {SEARCHED}"
        return way_of(self.rules) + f"; newcomers enter {NOTE}" * self.enters

    def forecasts(self, task: Task) -> Floats | TunedForecasts | None:
        """Return the probability that Black wins each game, shape (n,); None where it can forecast none.

        With learned settings these come with it.
        """
        if self.learns:
            return forecasts_tuned(self.rules, task, changed(self.rules))
        return forecasts(self.rules, task.kept(ENTRIES, lambda: _with_entries(task)) if self.enters else task)


def _with_entries(task: Task) -> Task:
    """Return the games with entry ranks for newcomers, learned from earlier newcomers who were like them."""
    return replace(task, knowledge=replace(task.knowledge, ledger=with_learned_entries(task.ledger)))


def entrants(
    systems: Iterable[System], task: Task, *, tuned: bool = False, learned_entries: bool = False, parts: bool = False
) -> list[Candidate]:
    """Return who takes part.

    Args:
        systems: Each takes part.
        task: The games.
        tuned: Also each of them that can learn settings, learning.
        learned_entries: Also each of them that does not learn by itself where newcomers enter, if ranks are declared.
        parts: Also each of them that has parts, without one of them.
    """
    entered, ranked = [], (task.ledger.arrays.first_declared < len(task.ledger)).any()
    for rules in systems:
        entered.append(Candidate(rules))
        if tuned and values_of(rules, task, changed(rules)):
            entered.append(Candidate(rules, learns=True))
        if learned_entries and ranked and not learns_entries(rules):
            entered.append(Candidate(rules, enters=True))
        if parts:
            entered += [Candidate(without, of=label_of(rules), lacks=name) for name, without in without_parts(rules)]
    return entered


def without_parts(rules: System) -> Iterator[tuple[str, System]]:
    """Yield each part of a system that its settings do not leave out already, and the system without it."""
    for name, left_out, words in rules.traits.parts:
        if getattr(rules, name) != left_out:
            yield words, replace(rules, **{name: left_out})


def candidates(systems: str | System | Iterable[str | System]) -> list[System]:
    """Return the systems that are meant, each once.

    Args:
        systems: `all`, names separated by commas, or names and systems. A name may bear settings: `elo:k=32:k_new=60`.

    Raises:
        InputError: For an unknown name or setting, one system with the same settings twice, or none at all.
    """
    if isinstance(systems, System):
        systems = [systems]
    if isinstance(systems, str):
        systems = [name.strip() for name in systems.split(",") if name.strip()]
    chosen: list[System] = []
    for each in systems:
        chosen += [made() for made in SYSTEMS.values()] if each == ALL else [_made(each)]
    labels = [label_of(rules) for rules in chosen]
    twice = [label for place, label in enumerate(labels) if label in labels[:place]]
    if twice:
        raise InputError(f"system {shown(twice[0])} was given twice; it can be compared with other systems or settings")
    if not chosen:
        raise InputError(f"no system was given; give names such as elo,glicko or {ALL}")
    return chosen


def _made(each: str | System) -> System:
    """Return a system that is given as one, or by its name and settings."""
    if isinstance(each, System):
        return each
    name, *pairs = each.split(":")
    texts = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals:
            raise InputError(f"setting {shown(pair)} of {shown(name)} is not KEY=VALUE, such as elo:k=32")
        texts[key] = text
    return type(system(name)).configured(texts)


def label_of(rules: System) -> str:
    """Return the name of a system with the settings that are not its defaults, as `candidates` reads them."""
    return ":".join([rules.name, *(f"{key}={_text(getattr(rules, key))}" for key in changed(rules))])


def changed(rules: System) -> list[str]:
    """Return the names of the settings that are not the system's defaults."""
    usual = setting_values(SYSTEMS[rules.name]()) if rules.name in SYSTEMS else {}
    return [key for key, value in setting_values(rules).items() if usual.get(key, value) != value]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def way_of(rules: System) -> str:
    """Return in words how the forecasts of a system are made."""
    way = OWN if rules.has_odds else FITTED
    if rules.traits.whole:
        more = 100.0 * (GROWTHS.get(rules.name, GROWTH) - 1.0)
        way += f"; all games before a moment solved anew whenever they are {more:.0f} % more than at the last time"
    return way
