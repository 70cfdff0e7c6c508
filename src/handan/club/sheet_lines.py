"""A record sheet line by line, in the order of the paper: whom each name means, what is asked, and what is ready."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Self

import polars as pl

from handan.club import changes
from handan.club.changes import fold
from handan.club.entries import Draft, chained
from handan.club.names import MOST_LIKE, is_clear, players_like, players_meant
from handan.club.new_games import PointsOnEntry, twin_mark, twins
from handan.club.people import Person
from handan.club.state import State
from handan.errors import Clause, FieldError, InputError, shown
from handan.files.cells.byes import is_nobody
from handan.files.cells.numbers import read_komi, read_stones
from handan.files.cells.ranked_names import Parts, namesakes, parts_of
from handan.ledger import When
from handan.ledger.name_folding import folded
from handan.ranks import parse_with_flag


@dataclass(frozen=True, slots=True)
class Meant:
    """Whom a name on a sheet means."""

    text: str
    name: str = ""
    """Without a rank behind it: so a newcomer is registered, and so answers are kept."""
    key: str = ""
    """Of the player; empty as long as it is not clear, and for a newcomer."""
    rank: str | None = None
    """On entry, of a newcomer; None for who is none."""
    behind: str = ""
    """The rank behind the name, as `3k`; offered where the name is new."""
    candidates: tuple[Person, ...] = ()
    """Whom it may mean, if it is not clear."""
    nobody: bool = False
    """Whether it is a word or a mark for nobody, such as `BYE` or `---`, and no player of the club is called so."""

    @property
    def clear(self) -> bool:
        """Whether nothing is to be asked."""
        return bool(self.key) or self.rank is not None


class SheetNames:
    """The names on a sheet; each is looked for once, however often it stands there."""

    def __init__(
        self, state: State, sides: Sequence[Sequence[str]], people: Mapping[str, str], newcomers: Mapping[str, str]
    ) -> None:
        """Take the names.

        Args:
            state: The club.
            sides: The cells of Black, and those of White, by line.
            people: Keys of players by folded names, as somebody answered.
            newcomers: Ranks on entry by folded names, as somebody answered.
        """
        self.state, self.people, self.newcomers = state, people, newcomers
        parts = {cell: Parts(folded(own.name), own.rank) for side in sides for cell in side for own in [parts_of(cell)]}
        self._several = namesakes(parts, *(pl.Series(side, dtype=pl.String) for side in sides))
        self._meant: dict[str, Meant] = {}

    def meant(self, text: str) -> Meant:
        """Return whom a name means."""
        if text not in self._meant:
            self._meant[text] = self._look(text) if folded(text) else Meant("")
        return self._meant[text]

    def _look(self, text: str) -> Meant:
        """Return whom a name means as it is written; where nobody bears it so, without the rank behind it."""
        whole = text.strip()
        if (answered := self._answered(text, whole)) is not None:
            return answered
        if people := players_meant(self.state, text):
            if len(people) == 1 and is_clear(self.state, text):
                return Meant(text, whole, people[0].key)
            return Meant(text, whole, candidates=tuple(people[:MOST_LIKE]))
        if is_nobody(text):
            return Meant(text, whole, nobody=True)
        own = parts_of(text)
        if not own.rank:
            return Meant(text, whole, candidates=tuple(players_like(self.state, text)))
        name = whole if folded(own.name) in self._several else own.name
        if (answered := self._answered(text, name)) is not None:
            return answered
        people = players_meant(self.state, own.name)[:MOST_LIKE] or players_like(self.state, own.name)
        return Meant(text, name, behind=str(parse_with_flag(own.rank)[0]), candidates=tuple(people))

    def _answered(self, text: str, name: str) -> Meant | None:
        """Return whom somebody said that a name means, None where nobody did."""
        key = self.people.get(folded(name), "")
        if key in self.state.people and (own := self.state.person(key).key) in self.state.active:
            return Meant(text, name, own)
        if (rank := self.newcomers.get(folded(name))) is not None:
            return Meant(text, name, rank=rank)
        return None


COLUMNS = ("black", "white", "handicap", "komi", "result", "kind", "date", "notes", "event", "round")
"""Of a line, as texts; the first eight are those of the paper."""
SIDES = ("black", "white")


@dataclass(frozen=True, slots=True)
class Sheet:
    """What stands on a sheet, and what its questions were answered."""

    lines: tuple[Mapping[str, str], ...] = ()
    """Cells by column, of every line of the paper, also of empty ones."""
    date: str = ""
    """Of every line that has none."""
    kind: str = ""
    people: Mapping[str, str] = field(default_factory=dict)
    """Whom a name means that no player clearly bears: a key; by the folded name."""
    newcomers: Mapping[str, str] = field(default_factory=dict)
    """Ranks on entry of new players, empty for none, by their folded names."""
    ranks: Mapping[str, str] = field(default_factory=dict)
    """With which names were pasted, as `3k`, by the folded names: offered where they are new."""
    left_out: frozenset[int] = frozenset()
    """Numbers of lines that are not entered, the first being 1."""
    others: frozenset[int] = frozenset()
    """Numbers of lines that are another game than the one they look like."""
    counts: bool = False
    """Whether games count that the points of members hold already; otherwise they are history."""
    key: str = ""
    """Of the entered sheet whose further lines these are; empty for the first."""
    numbers: tuple[int, ...] = ()
    """Of its first lines on the paper, where others were entered before; those behind them follow the last."""

    def as_dict(self) -> dict[str, Any]:
        """Return plain data as JSON knows it."""
        return {"lines": [dict(line) for line in self.lines], "date": self.date, "kind": self.kind,
                "people": dict(self.people), "newcomers": dict(self.newcomers), "ranks": dict(self.ranks),
                "left_out": sorted(self.left_out), "others": sorted(self.others), "counts": self.counts,
                "key": self.key, "numbers": list(self.numbers)}  # fmt: skip

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """Read what `as_dict` returns."""
        sets = {name: frozenset(data[name]) for name in ("left_out", "others")}
        lists = {name: tuple(data[name]) for name in ("lines", "numbers") if name in data}
        return cls(**{**data, **sets, **lists})

    def on_paper(self, number: int) -> int:
        """Return the number of a line on the paper."""
        further = number - len(self.numbers)
        return self.numbers[number - 1] if further <= 0 else max(self.numbers, default=0) + further

    def without(self, numbers: Iterable[int]) -> Self:
        """Return the sheet without some of its lines."""
        gone = set(numbers)
        kept = [number for number in range(1, len(self.lines) + 1) if number not in gone]
        places = {number: place for place, number in enumerate(kept, 1)}
        lines = tuple(self.lines[number - 1] for number in kept)
        left_out, others = (
            frozenset(places[number] for number in numbers if number in places)
            for numbers in (self.left_out, self.others)
        )
        numbers = tuple(map(self.on_paper, kept))
        return replace(self, lines=lines, left_out=left_out, others=others, numbers=numbers)

    def with_members(self, keys: Mapping[str, str]) -> Self:
        """Return the sheet after newcomers on it were registered; `keys` are theirs by folded names."""
        newcomers = {name: rank for name, rank in self.newcomers.items() if name not in keys}
        return replace(self, people={**self.people, **keys}, newcomers=newcomers)


@dataclass(frozen=True, slots=True)
class Looked:
    """A line with what is known of it."""

    number: int
    cells: Mapping[str, str]
    people: Mapping[str, Meant] = field(default_factory=dict)
    """Black and White."""
    faults: Mapping[str, InputError] = field(default_factory=dict)
    """What is wrong, by column."""
    alike: tuple[str, ...] = ()
    """Games of the ledger, or lines of the sheet, that it looks like."""
    left_out: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands in it that a game needs."""
        return not any(self.cells.get(name, "").strip() for name in COLUMNS if name != "kind")

    @property
    def questions(self) -> list[Meant]:
        """The names that are not clear."""
        return [meant for meant in self.people.values() if meant.text and not meant.clear]

    @property
    def status(self) -> str:
        """`empty`, `left out`, `ready`, or what it waits for: `question`, `fault`, `alike`."""
        if self.is_empty:
            return "empty"
        if self.left_out:
            return "left out"
        if self.questions:
            return "question"
        return "fault" if self.faults else "alike" if self.alike else "ready"


def names_on(state: State, sheet: Sheet) -> SheetNames:
    """Return the names on a sheet, with whom they mean."""
    sides = [[line.get(side, "") for line in sheet.lines] for side in SIDES]
    return SheetNames(state, sides, sheet.people, sheet.newcomers)


def looked_at(state: State, sheet: Sheet, now: datetime, today: date) -> list[Looked]:
    """Return every line of a sheet with whom it means, what is wrong with it, and what it looks like."""
    names = names_on(state, sheet)
    registered, keys = _with_newcomers(names, sheet, now, today)
    marks: Counter[Any] = Counter()
    looked = []
    for number, cells in enumerate(sheet.lines, 1):
        line = Looked(number, cells, left_out=number in sheet.left_out)
        if line.is_empty:
            looked.append(line)
            continue
        people = {side: names.meant(cells.get(side, "")) for side in SIDES}
        facts, faults = _facts(registered, sheet, cells, people, keys, today)
        alike: tuple[str, ...] = ()
        if facts and not line.left_out:
            mark = twin_mark(registered, facts["black"], facts["white"], facts["result"], _day(facts))
            marks[mark] += 1
            if number not in sheet.others:
                alike = (*twins(registered, facts), *(("",) if marks[mark] > 1 else ()))
        looked.append(replace(line, people=people, faults=faults, alike=alike))
    return looked


def line_drafts(
    state: State, sheet: Sheet, numbers: Sequence[int], now: datetime, today: date, evening: date
) -> list[Draft]:  # fmt: skip
    """Return the entries of some lines: the newcomers among them first, then the games in the order of the paper.

    `evening` as in `PointsOnEntry`.
    """
    part = replace(sheet, lines=tuple(line if number in numbers else {} for number, line in enumerate(sheet.lines, 1)))
    names = names_on(state, sheet)
    drafts = _newcomers(names, part, now, today)
    registered, keys = _with_newcomers(names, part, now, today)
    points = PointsOnEntry(registered, evening)
    for number in sorted(numbers):
        cells = sheet.lines[number - 1]
        people = {side: names.meant(cells.get(side, "")) for side in SIDES}
        facts, faults = _facts(registered, sheet, cells, people, keys, today)
        if facts is None:
            raise InputError(f"line {number}: {'; '.join(map(str, faults.values()))}")
        draft = changes.record_game(registered, facts, today)
        drafts.append(draft if sheet.counts else points.as_history(draft))
    return drafts


def _newcomers(names: SheetNames, sheet: Sheet, now: datetime, today: date) -> list[Draft]:
    """Return the entries of the new players whom lines name, each once, with their ranks."""
    drafts: list[Draft] = []
    state = names.state
    for name, rank in _new_names(names, sheet).items():
        registered = fold(state, chained(drafts, state.number, state.digest, "", now))
        drafts += changes.register_ranked(registered, {"name": name}, {"rank": rank}, today)
    return drafts


def _new_names(names: SheetNames, sheet: Sheet) -> dict[str, str]:
    """Return the names and ranks of the newcomers whom lines that are not left out name, as first written."""
    new: dict[str, tuple[str, str]] = {}
    for number, cells in enumerate(sheet.lines, 1):
        for meant in (names.meant(cells.get(side, "")) for side in SIDES):
            if meant.rank is not None and number not in sheet.left_out:
                new.setdefault(folded(meant.name), (meant.name, meant.rank))
    return dict(new.values())


def _with_newcomers(names: SheetNames, sheet: Sheet, now: datetime, today: date) -> tuple[State, dict[str, str]]:
    """Return the state with the newcomers, and their keys by folded name; without those whose rank is none."""
    state = names.state
    try:
        drafts = _newcomers(names, sheet, now, today)
    except FieldError:  # a rank that is none: the lines say so
        return state, {}
    registered = fold(state, chained(drafts, state.number, state.digest, "", now))
    new = [person for key, person in registered.people.items() if key not in state.people]
    return registered, {folded(person.name): person.key for person in new}


def _facts(
    state: State, sheet: Sheet, cells: Mapping[str, str], people: Mapping[str, Meant], keys: Mapping[str, str],
    today: date,
) -> tuple[dict[str, Any] | None, dict[str, InputError]]:  # fmt: skip
    """Return the facts of the game of a line, None with what is wrong where something is; names may still be open."""
    fields: dict[str, Any] = {name: cells.get(name, "").strip() or None for name in COLUMNS if name not in SIDES}
    fields["date"], fields["kind"] = fields["date"] or sheet.date or None, fields["kind"] or sheet.kind or None
    faults: dict[str, InputError] = {}
    for side in SIDES:
        meant = people[side]
        fields[side] = meant.key or keys.get(folded(meant.name), "")
        if not meant.text.strip():
            faults[side] = InputError("a player is missing")
        elif meant.rank is not None and not fields[side]:
            faults[side] = InputError(Clause.of("{rank} is not a rank such as 5k or 1d", rank=shown(meant.rank)))
    if not fields["result"]:
        faults["result"] = InputError("who won?")
    try:
        if fields["handicap"]:
            fields["handicap"] = read_stones(fields["handicap"])
        if fields["komi"]:
            fields["komi"] = read_komi(fields["komi"])
        if faults or not all(fields[side] for side in SIDES):
            return None, faults
        facts = changes.game_facts(state, fields, today)
        changes.refuse_margin(facts)
    except FieldError as error:
        return None, {**faults, error.field: error}
    except InputError as error:
        return None, {**faults, "black": error}
    return facts, {}


def _day(facts: Mapping[str, Any]) -> date | None:
    when = When.of(facts.get("date"))
    return None if when is None else when.moment.date()
