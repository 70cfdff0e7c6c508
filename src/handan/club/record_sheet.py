"""A record sheet of many games: which players it means, which games it repeats, and the entries that it makes.

A file that tells of a tournament is one too: the event is entered with its games, and with all who took part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, NamedTuple, Self

import polars as pl

from handan.club import changes
from handan.club.changes import with_drafts
from handan.club.entries import Draft
from handan.club.events import facts_of_event
from handan.club.names import MOST_LIKE, is_clear, players_like, players_meant
from handan.club.new_games import (
    PointsOnEntry,
    TwinError,
    likeness_mark,
    played_day,
    twin_mark,
    twin_marks,
    twins_among,
)
from handan.club.people import Person
from handan.club.recorded import SIDES
from handan.club.state import GAME_FACTS, State
from handan.errors import Clause, FieldError, InputError, Problem, shown
from handan.files.cells.byes import is_nobody
from handan.files.cells.numbers import read_komi, read_stones
from handan.files.cells.ranked_names import Parts, namesakes, parts_of
from handan.ledger import Event, Ledger, Player, When
from handan.ledger.events import merged_event
from handan.ledger.identity import unlabelled
from handan.ledger.ledger import with_problems
from handan.ledger.name_folding import folded
from handan.ranks import Rank, parse_with_flag


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
    as_played: frozenset[int] = frozenset()
    """Numbers of lines that are seldom so and were."""
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
                "left_out": sorted(self.left_out), "others": sorted(self.others),
                "as_played": sorted(self.as_played), "counts": self.counts, "key": self.key,
                "numbers": list(self.numbers)}  # fmt: skip

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """Read what `as_dict` returns."""
        sets = {name: frozenset(data[name]) for name in ("left_out", "others", "as_played") if name in data}
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
        left_out, others, as_played = (
            frozenset(places[number] for number in numbers if number in places)
            for numbers in (self.left_out, self.others, self.as_played)
        )
        numbers = tuple(map(self.on_paper, kept))
        return replace(self, lines=lines, left_out=left_out, others=others, as_played=as_played, numbers=numbers)

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
    doubts: tuple[Clause, ...] = ()
    """What is unusual about it."""
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
        """`empty`, `left out`, `ready`, or what it waits for: `question`, `fault`, `alike`, `doubt`."""
        if self.is_empty:
            return "empty"
        if self.left_out:
            return "left out"
        if self.questions:
            return "question"
        return "fault" if self.faults else "alike" if self.alike else "doubt" if self.doubts else "ready"


def names_on(state: State, sheet: Sheet) -> SheetNames:
    """Return the names on a sheet, with whom they mean."""
    sides = [[line.get(side, "") for line in sheet.lines] for side in SIDES]
    return SheetNames(state, sides, sheet.people, sheet.newcomers)


def looked_at(
    state: State, sheet: Sheet, now: datetime, today: date,
    doubts_of: Callable[[Mapping[int, Mapping[str, Any]]], Mapping[int, tuple[Clause, ...]]],
) -> list[Looked]:  # fmt: skip
    """Return every line of a sheet with whom it means, what is wrong with it, and what it looks like.

    `doubts_of` returns what is unusual about games, given by their facts, by the number of the line.
    """
    names = names_on(state, sheet)
    registered, keys = _with_newcomers(names, sheet, now, today)
    looked, complete = [], dict[int, dict[str, Any]]()
    for number, cells in enumerate(sheet.lines, 1):
        line = Looked(number, cells, left_out=number in sheet.left_out)
        if line.is_empty:
            looked.append(line)
            continue
        people = {side: names.meant(cells.get(side, "")) for side in SIDES}
        facts, faults = _facts(registered, sheet, cells, people, keys, today)
        if facts and not line.left_out:
            complete[number] = facts
        looked.append(replace(line, people=people, faults=faults))
    alike = _likes(registered, complete, sheet.others)
    doubts = doubts_of({number: facts for number, facts in complete.items() if number not in sheet.as_played})
    return [replace(line, alike=alike.get(line.number, ()), doubts=doubts.get(line.number, ())) for line in looked]


def _likes(state: State, games: Mapping[int, Mapping[str, Any]], others: Collection[int]) -> dict[int, tuple[str, ...]]:
    """Return what the games of lines look like: keys of games, and an empty one for an earlier line."""
    likes, marks = dict[int, tuple[str, ...]](), set[Any]()
    for (number, facts), keys in zip(games.items(), twins_among(state, [*games.values()]), strict=True):
        mark = twin_mark(state, facts["black"], facts["white"], facts["result"], played_day(facts.get("date")))
        if number not in others:
            likes[number] = (*keys, *([""] if mark in marks else []))
        marks.add(mark)
    return likes


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
        draft = changes.games.record_game(registered, facts, today)
        drafts.append(draft if sheet.counts else points.as_history(draft))
    return drafts


def _newcomers(names: SheetNames, sheet: Sheet, now: datetime, today: date) -> list[Draft]:
    """Return the entries of the new players whom lines name, each once, with their ranks."""
    drafts: list[Draft] = []
    state = names.state
    for name, rank in _new_names(names, sheet).items():
        registered = with_drafts(state, drafts, now)
        drafts += changes.players.register_ranked(registered, {"name": name}, {"rank": rank}, today)
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
    registered = with_drafts(state, drafts, now)
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
        facts = changes.games.game_facts(state, fields, today)
        changes.games.refuse_margin(facts)
    except FieldError as error:
        return None, {**faults, error.field: error}
    except InputError as error:
        return None, {**faults, "black": error}
    return facts, {}


FAR = 2.0  # stones; our choice: between the rank on a sheet and that of the list
Matches = Mapping[str, str | None]
"""The key of the club's player whom each name of a sheet means; None for a newcomer."""


def matching_key(state: State, player: Player) -> str | None:
    """Return the key of the club's player who is meant: by number, then by name or reading; None for a newcomer.

    Who has another number in the same register is a namesake.
    """
    if player.id:
        own = player.id.removeprefix(f"{state.slug}:")
        if own != player.id and own in state.active:
            return own
        if owners := state.bearing(player.id):
            return owners[0]
    name, labels = unlabelled(player), state.keys
    alike = [labels[player.name]] if player.name in labels else state.spelt(name) or state.loosely_spelt(name)
    if register := register_of(player.id):
        alike = [key for key in alike if register not in map(register_of, state.person(key).ids)]
    return alike[0] if len(alike) == 1 else None


def register_of(number: str) -> str:
    """Return the register of a number, `egd` of `egd:17076590`; empty for a number of none."""
    return number.rpartition(":")[0]


def matches_of(state: State, players: Iterable[Player]) -> dict[str, str | None]:
    """Return the key of the club's player whom each name means, None for a newcomer."""
    return {player.name: matching_key(state, player) for player in players}


def people_on(ledger: Ledger) -> list[Player]:
    """Return the players of a sheet: those of its games, then who takes part in one of its events without a game."""
    there = {player.name: player for player in ledger.players}
    for event in ledger.events:
        for each in event.participants:
            there.setdefault(each.player.name, each.player)
    return [*there.values()]


def with_named_events(ledger: Ledger, source: str) -> Ledger:
    """Return a sheet without the byes of a table that names no event, and say how many these are."""
    named = tuple(event for event in ledger.events if event.name)
    gone = [event for event in ledger.events if not event.name]
    if not gone:
        return ledger
    number = sum(len(each.byes) for event in gone for each in event.participants)
    message = Clause.of(NAMELESS, number=number)
    problem = Problem(source, None, "event", "", "", rejected=False, message=message)
    return with_problems(replace(ledger, events=named), [problem])


NAMELESS = "byes and absences of a table that names no event are left out: {number}"
RATED_ONCE = "1 newcomer has a rating in this file, which sets none here: newcomers enter by their ranks"
RATED = "{number} newcomers have a rating in this file, which sets none here: newcomers enter by their ranks"


def declared_ratings(source: str, newcomers: Iterable[Player]) -> list[Problem]:
    """Return the remark that a club takes no rating from a file of games; none where it declares no newcomer's."""
    number = sum(player.rating is not None for player in newcomers)
    message = Clause.of(RATED_ONCE if number == 1 else RATED, number=f"{number:,}")
    return [Problem(source, None, "rating", "", "", rejected=False, message=message)] if number else []


class OtherRank(NamedTuple):
    """A player whose rank on a sheet is far from that of the club's list."""

    key: str
    declared: str
    listed: str


def declared_ranks(ledger: Ledger) -> dict[str, str]:
    """Return the rank that a sheet declares of each player, the last one where it has several."""
    ranks = {
        getattr(game, side): str(rank)
        for game in ledger for side in ("black", "white") if (rank := getattr(game, f"{side}_rank"))
    }  # fmt: skip
    return ranks | {each.player.name: each.rank for event in ledger.events for each in event.participants if each.rank}


def far_ranks(
    matches: Matches, declared: Mapping[str, str], listed: Mapping[str, Mapping[str, Any]]
) -> list[OtherRank]:
    """Return whose declared rank is far from the one on the club's list.

    Args:
        matches: The key of each name; None for a newcomer.
        declared: Ranks by name.
        listed: Rows of the club's list by key.
    """
    others = []
    for name, rank in declared.items():
        key = matches.get(name)
        own = str((listed.get(key) or {}).get("rank") or "") if key else ""
        if key and own and abs(Rank.parse(rank).stones - Rank.parse(own).stones) >= FAR:
            others.append(OtherRank(key, rank, own))
    return others


def sheet_drafts(
    state: State, ledger: Ledger, now: datetime, today: date, evening: date, *, counts: bool = False
) -> list[Draft]:  # fmt: skip
    """Return the entries of a sheet: newcomers first, then its events, then the games in their order.

    `counts` says that games count which the points of members hold already; otherwise they are history. `evening` as
    in `PointsOnEntry`.
    """
    keys: dict[str, str] = {}
    drafts: list[Draft] = []
    for player in people_on(ledger):
        key = matching_key(state, player)
        if key is None:
            drafts.append(changes.players.register_player(state, facts_of_player(player)))
            key = f"p{state.number + len(drafts)}"
        keys[player.name] = key
    registered = with_drafts(state, drafts, now)
    drafts += event_drafts(registered, ledger, keys, today)
    points = PointsOnEntry(registered, evening)
    for game in ledger:
        fields = {name: getattr(game, name) for name in GAME_FACTS if getattr(game, name) is not None}
        fields |= {"black": keys[game.black], "white": keys[game.white]}
        draft = changes.games.record_game(registered, fields, today)
        drafts.append(draft if counts else points.as_history(draft))
    return drafts


def facts_of_player(player: Player) -> dict[str, Any]:
    """Return with what a player of files is registered."""
    ids = [player.id] if player.id else []
    return {"name": unlabelled(player), "country": player.country, "club": player.club, "ids": ids}


def event_drafts(state: State, ledger: Ledger, keys: Mapping[str, str], today: date) -> list[Draft]:
    """Return the entries of the events that files tell of: new ones, and what those that are there are now.

    Byes of a table are added to what is known of its event.

    Args:
        state: The club, with all players.
        ledger: The files.
        keys: Of the players, by the names that the files give them.
        today: The day it is.
    """
    drafts = []
    for event in ledger.events:
        whole = _whole_event(event, ledger, keys)
        present = changes.events.event_like(state, whole)
        if present and event.tells_byes_alone:
            by_key = (replace(each, player=Player(each.player.name)) for each in whole.participants)
            whole = merged_event([present.event(), replace(whole, participants=tuple(by_key))])
        if present is None:
            drafts.append(changes.events.enter_event(state, whole, today))
        elif present.facts != facts_of_event(whole):
            drafts.append(changes.events.change_event(state, present.key, whole, today))
    return drafts


def _whole_event(event: Event, ledger: Ledger, keys: Mapping[str, str]) -> Event:
    """Return an event of a sheet with keys of players for their names, and the days of its games where it tells none.

    Who is paired without being listed takes part too. Games of a later event of the same name are its own.
    """
    listed = [replace(each, player=replace(each.player, name=keys[each.player.name])) for each in event.participants]
    pairings = tuple(
        replace(each, black=keys[each.black], white=keys[each.white])
        for each in event.pairings if {each.black, each.white} <= keys.keys()
    )  # fmt: skip
    games = ledger.games.filter(pl.col("event") == event.name)["date"].drop_nulls()
    if event.first is not None:
        firsts = (each.first.moment for each in ledger.events if each.name == event.name and each.first is not None)
        later = [first for first in firsts if first > event.first.moment]
        games = games.filter(games < min(later)) if later else games
    days = games.dt.date()
    of_games = [When.of(day) for day in (days.min(), days.max()) if isinstance(day, date)]
    first = event.first or next(iter(of_games), None)
    last = max(filter(None, (first, event.last, *of_games[1:])), key=lambda when: when.last, default=None)
    return replace(event, first=first, last=last, participants=tuple(listed), pairings=pairings)


def without_entered(state: State, ledger: Ledger) -> Ledger:
    """Return a sheet without games that the club has already in the same event, as files of later rounds hold them."""
    names = {event.name for event in ledger.events if changes.events.event_like(state, event)}
    if not names:
        return ledger
    matches = matches_of(state, ledger.players)
    there = games_on_days_of(state, ledger)
    marks = twin_marks(state, there.filter(pl.col("event").is_in([*names])))
    kept = []
    for game in ledger:
        black, white = matches[game.black], matches[game.white]
        mark = twin_mark(state, black, white, str(game.result), played_day(game.date)) if black and white else None
        entered = marks.get(mark, []) if mark is not None and game.event in names else []
        kept.append(not entered)
        del entered[:1]  # two players may meet twice
    return ledger if all(kept) else replace(ledger, arrays=ledger.arrays.of(ledger.games.filter(pl.Series(kept))))


def refuse_sheet_twins(state: State, ledger: Ledger) -> None:
    """Raise TwinError for a sheet with games that look like some of the club, or like each other."""
    matches = matches_of(state, ledger.players)
    alike, doubles = sheet_twins(state, ledger, matches), sheet_doubles(ledger, matches)
    if alike or doubles:
        raise TwinError(alike, doubles)


def sheet_twins(state: State, ledger: Ledger, matches: Matches) -> list[str]:
    """Return keys of the games in the club's ledger that games of the sheet look like."""
    marks, alike = twin_marks(state, games_on_days_of(state, ledger)), []
    for game in ledger:
        black, white = matches[game.black], matches[game.white]
        if black and white:
            alike += marks.get(twin_mark(state, black, white, str(game.result), played_day(game.date)), [])
    return list(dict.fromkeys(alike))


def sheet_doubles(ledger: Ledger, matches: Matches) -> list[str]:
    """Return the games of a sheet that look like another game of it, in words, each once."""
    times: Counter[tuple[Any, ...]] = Counter()
    words: dict[tuple[Any, ...], str] = {}
    for game in ledger:
        black, white = (matches[name] or f"new {name}" for name in (game.black, game.white))
        mark = likeness_mark(black, white, str(game.result), played_day(game.date))
        times[mark] += 1
        words.setdefault(mark, f"{game.black} – {game.white} {game.date or ''}".strip())
    return [words[mark] for mark, number in times.items() if number > 1]


def games_on_days_of(state: State, ledger: Ledger) -> pl.DataFrame:
    """Return the club's games on the days of a sheet's, among which those are that look like them."""
    moments = ledger.arrays.column("date")
    days, undated = moments.dt.date().unique(), moments.null_count() > 0
    return state.recorded.on(days.drop_nulls().to_list(), undated=undated)
