"""Games that look alike, by players, day and winner: held back until somebody says that they are two games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import polars as pl

from handan.club.changes import facts_of
from handan.club.state import WITHDRAWN, State
from handan.errors import FieldError
from handan.ledger import Result, When


class TwinError(FieldError):
    """A game looks like one that is there: it is entered only if whoever enters it says that it is another."""

    def __init__(self, keys: Sequence[str], doubles: Sequence[str] = ()) -> None:
        """Take the keys of the games that are there, and games that are twice among those that are to be entered."""
        self.keys, self.doubles = tuple(keys), tuple(doubles)
        like = f"game{'s' if len(self.keys) > 1 else ''} {_few(self.keys)}" if self.keys else "each other"
        twice = f" (twice in the sheet: {_few(self.doubles)})" if self.doubles else ""
        super().__init__("another", "no", "said")
        self.args = (f"this looks like {like}{twice}: the same players, day and winner; say so if it is another game",)

    def __reduce__(self) -> tuple[type[TwinError], tuple[tuple[str, ...], tuple[str, ...]]]:  # type: ignore[override]
        """What another process is told."""
        return type(self), (self.keys, self.doubles)


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (" …" if len(names) > 5 else "")


def twins(state: State, facts: Mapping[str, Any]) -> list[str]:
    """Return keys of games that look like this one: the same two players, day and winner, however it was won."""
    day = _day_of(facts)
    same = state.recorded.on([day] if day else [], undated=day is None)
    sides = [state.names_of(state.person(facts[side]).key) for side in ("black", "white")]
    same = same.filter(pl.col("black").is_in(keys) | pl.col("white").is_in(keys) for keys in sides)
    mark = _mark_of(state, facts)
    return [key for other, keys in twin_marks(state, same).items() if other == mark for key in keys]


def twin_mark(state: State, black: str, white: str, result: str, day: date | None) -> tuple[Any, ...]:
    """Return what twins share: the two people, who of them won, and the day."""
    return likeness_mark(state.person(black).key, state.person(white).key, result, day)


def likeness_mark(first: str, second: str, result: str, day: date | None) -> tuple[Any, ...]:
    """Return what games share that look alike: the two people, who of them won, and the day."""
    score = Result.parse(result).score
    winner = {1.0: first, 0.5: "", 0.0: second}[score] if score in {0.0, 0.5, 1.0} else f"result {result}"
    return frozenset((first, second)), winner, day


def other_twins(state: State, key: str, facts: Mapping[str, Any]) -> list[str]:
    """Return keys of the games that a game looks like only since a correction; facts are those of the correction."""
    before = facts_of(state.game(key))
    if _mark_of(state, before) == _mark_of(state, facts):
        return []
    return [other for other in twins(state, facts) if other != key]


def _mark_of(state: State, facts: Mapping[str, Any]) -> tuple[Any, ...]:
    return twin_mark(state, facts["black"], facts["white"], facts["result"], _day_of(facts))


def _day_of(facts: Mapping[str, Any]) -> date | None:
    when = When.of(facts.get("date"))
    return None if when is None else when.moment.date()


def twin_marks(state: State, games: pl.DataFrame) -> dict[tuple[Any, ...], list[str]]:
    """Return the keys of games that are not withdrawn by what twins share."""
    rows = games.lazy().filter(pl.col("status") != WITHDRAWN)
    marks: dict[tuple[Any, ...], list[str]] = {}
    rows = rows.select("line", "black", "white", "result", pl.col("date").dt.date())
    for line, *facts in rows.collect().iter_rows():
        marks.setdefault(twin_mark(state, *facts), []).append(f"g{line}")
    return marks
