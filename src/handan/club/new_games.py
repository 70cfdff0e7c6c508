"""What is asked of a new game: whether it is another than one that is there, counts, or was played so at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, NamedTuple, Protocol

import polars as pl

from handan.club.changes.games import facts_of
from handan.club.entries import Draft
from handan.club.kinds import Kind
from handan.club.recorded import SIDES
from handan.club.state import WITHDRAWN, State
from handan.errors import Clause, FieldError, InputError
from handan.handicaps import NIGIRI, Terms
from handan.ledger import Result, When
from handan.ledger.results import Outcome
from handan.ranks import Rank
from handan.systems.core.unrated_reasons import FREE_KINDS, HISTORY


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


class DoubtError(FieldError):
    """A game can be so and seldom is: it is entered only if whoever enters it says that it was."""

    def __init__(self, doubts: Sequence[Clause]) -> None:
        """Take what is unusual about it."""
        self.doubts = tuple(doubts)
        super().__init__("as_played", "no", "said")
        first, *others = self.doubts
        for other in others:
            first = Clause.of("{one} and {other}", one=first, other=other)
        self.args = (Clause.of("{doubt}: was it played so?", doubt=first),)

    def __reduce__(self) -> tuple[type[DoubtError], tuple[tuple[Clause, ...]]]:  # type: ignore[override]
        """What another process is told."""
        return type(self), (self.doubts,)


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (" …" if len(names) > 5 else "")


def twins(state: State, facts: Mapping[str, Any]) -> list[str]:
    """Return keys of games that look like this one: the same two players, day and winner, however it was won."""
    return twins_among(state, [facts])[0]


def twins_among(state: State, games: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Return the keys of games that look like each of these, given by their facts; they are read at once."""
    days = {played_day(facts.get("date")) for facts in games}
    people = {state.person(facts[side]).key for facts in games for side in SIDES}
    names = [name for key in people for name in state.names_of(key)]
    same = state.recorded.on([day for day in days if day], undated=None in days)
    marks = twin_marks(state, same.filter(pl.col(side).is_in(names) for side in SIDES))
    return [marks.get(_mark_of(state, facts), []) for facts in games]


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
    return twin_mark(state, facts["black"], facts["white"], facts["result"], played_day(facts.get("date")))


def played_day(given: When | date | str | None) -> date | None:
    """Return the day of a date of a game; its first where only the month or year is given, None without a date."""
    when = When.of(given)
    return None if when is None else when.moment.date()


def twin_marks(state: State, games: pl.DataFrame) -> dict[tuple[Any, ...], list[str]]:
    """Return the keys of games that are not withdrawn by what twins share."""
    rows = games.lazy().filter(pl.col("status") != WITHDRAWN)
    marks: dict[tuple[Any, ...], list[str]] = {}
    rows = rows.select("line", "black", "white", "result", pl.col("date").dt.date())
    for line, *facts in rows.collect().iter_rows():
        marks.setdefault(twin_mark(state, *facts), []).append(f"g{line}")
    return marks


class PlayedFrom(Protocol):
    """Standings from which a game is played."""

    @property
    def state(self) -> State: ...  # noqa: D102  # as in `Standings`, and so on
    def fair_terms(self, one: str, other: str, ranks: Mapping[str, Rank] | None = ...) -> Terms: ...  # noqa: D102
    def newcomers(self, *keys: str) -> list[str]: ...  # noqa: D102


class Proposal(NamedTuple):
    """What the club's rules say of a game of two players, one of whom has Black."""

    terms: Terms | None = None
    """With these colours; None where the rules give the other one Black, or nothing is fair."""
    turned: Terms | None = None
    """The terms that give the other one Black."""


def proposal(standings: PlayedFrom, black: str, white: str) -> Proposal:
    """Return the fair terms of two players, given by key; none for who is not there, or where nothing is fair.

    Of a newcomer without a rank nobody knows what would be fair.
    """
    people = standings.state.active
    if black == white or black not in people or white not in people or standings.newcomers(black, white):
        return Proposal()
    try:
        terms = standings.fair_terms(black, white)
    except InputError:
        return Proposal()
    fits = terms.colours == NIGIRI or standings.state.keys[terms.black] == black
    return Proposal(terms=terms) if fits else Proposal(turned=terms)


LONGEST_LIFE = 100  # years; our choice: who played in an older game plays no more
LATELY = timedelta(days=31)  # our choice: within it, who is the stronger one by the list of now was so in the game


def doubts_of(
    state: State, facts: Mapping[str, Any], today: date, standings: Callable[[], PlayedFrom | None]
) -> tuple[Clause, ...]:
    """Return what is unusual about a game, given by its facts; nothing for most games.

    Whether the stronger one has the stones is asked of games of late alone, where `standings` returns those of now.
    """
    made, day, stones = [], played_day(facts.get("date")), facts.get("handicap", 0)
    komi = facts.get("komi") or 0.0
    if komi % 1 and Result.parse(facts["result"]).outcome is Outcome.JIGO:
        made.append(Clause.of("a komi of {komi:g} leaves no jigo", komi=komi))
    if day is not None and day.year < today.year - LONGEST_LIFE:
        made.append(Clause.of("the game is more than {years} years old", years=LONGEST_LIFE))
    if stones >= 2 and (day is None or day >= today - LATELY) and (listed := standings()) is not None:
        black, white = (state.final(str(facts[side])) for side in SIDES)
        if proposal(listed, black, white).turned is not None:
            made.append(Clause.of("the stronger one has the {stones} stones", stones=stones))
    return tuple(made)


class PointsOnEntry:
    """The days of which the points are that members brought along, as far as no counted game is older."""

    def __init__(self, state: State, evening: date | None = None) -> None:
        """Take the club, and the day of its evening: no points hold what is played now, also past midnight."""
        self.state, self.evening = state, evening
        self._days: dict[str, date] = {}
        """The earliest day of points of each member, by key."""
        self._is_first: dict[str, bool] = {}
        """Whether no game that counts is older than these points."""
        for item in state.adjustments.values():
            when = When.of(item.facts.get("date"))
            if when is None or item.facts.get("rating") is None or item.facts.get("at_least"):
                continue
            if state.is_in_force(item):
                key, day = state.final(item.player), when.moment.date()
                self._days[key] = min(day, self._days.get(key, day))

    def holding(self, facts: Mapping[str, Any]) -> date | None:
        """Return the day of the points that hold a game already, given by its facts; None where it counts.

        Where only one of the two came with points, they are that one's; where both did, it is older than both.
        """
        when = When.of(facts.get("date"))
        if when is None or not self._days or facts.get("kind") in {*FREE_KINDS, HISTORY}:
            return None
        if self.evening is not None and when.moment.date() >= self.evening:
            return None
        keys = [self.state.final(str(facts[side])) for side in SIDES]
        days = [self._days[key] for key in keys if key in self._days and self._came_with_them(key)]
        return min(days) if days and when.moment.date() < min(days) else None

    def _came_with_them(self, key: str) -> bool:
        """Return whether no game that counts is older than a member's points."""
        if key not in self._is_first:
            games = self.state.recorded.of(self.state.names_of(key))
            counted = (pl.col("status") != WITHDRAWN) & (pl.col("kind").fill_null("") != HISTORY)
            self._is_first[key] = games.filter(counted & (pl.col("date").dt.date() < self._days[key])).is_empty()
        return self._is_first[key]

    def as_history(self, draft: Draft) -> Draft:
        """Return the entry of a game as one of history, if points hold it; other entries as they are."""
        if draft.kind is not Kind.GAME_RECORDED or self.holding(draft.facts) is None:
            return draft
        return replace(draft, facts={**draft.facts, "kind": HISTORY})
