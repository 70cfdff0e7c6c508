"""The ratings of a club at a day: its ledger under the rules of that day, each game under the rules of its own."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from handan.club.movement import Figures, Movement, Summary, moved_since
from handan.club.people import Person
from handan.club.recorded import days_of_last_added
from handan.club.rules import Rules, effective_from, falls_within, rating_rules
from handan.club.state import State, game_number
from handan.errors import Clause, InputError, shown
from handan.handicaps import Terms
from handan.ledger import Adjustment, Ledger
from handan.ledger.dates import day_number, written_day
from handan.ledger.ledger import games_kept
from handan.ranks import Rank
from handan.ratings import Explanation, Ratings
from handan.ratings.event import Event, event_of_games, joined, numbered
from handan.ratings.ladder import TALLIES, Row, ladder_rows
from handan.ratings.lines import deviation_after, lines_between, reasoned
from handan.ratings.standing import Opponent
from handan.systems import System
from handan.systems.core.lazy_ratings import rated_in_full
from handan.wording.figures import digits

CHANGE = "the rules of the club changed"


class Line(NamedTuple):
    """One line of a player's card, with the key of the game and the rules under which it was rated."""

    game: str
    """Key of the game; empty for an adjustment."""
    opponent: str
    """Key of the opponent."""
    rules: Rules
    explanation: Explanation
    deviation: float | None = None
    """Deviation of the player's rating after the game; None where the system has none."""


class LastAdded(NamedTuple):
    """The game that was added to a ledger last."""

    game: str
    """Key of the game."""
    date: str
    """Day on which it was played, empty if unknown."""
    entered: datetime
    """Moment at which it was added."""


@dataclass(frozen=True)
class Phase:
    """Games that were rated under the same rules."""

    rules: Rules
    ratings: Ratings

    @cached_property
    def numbers(self) -> list[int]:
        """The numbers in the keys of the games, in playing order."""
        lines: list[int] = self.ratings.ledger.arrays.column("line").to_list()
        return lines

    def keyed(self, explained: Iterable[Explanation], player: int, key_of: Callable[[str], str]) -> list[Line]:
        """Return lines of a player, given by index, with the keys of game and opponent.

        `key_of` returns the key of a name of the ledger.
        """
        white, lines = self.ratings.ledger.arrays.seats[1], []
        for item in explained:
            if item.game is None:
                lines.append(Line("", key_of(item.opponent), self.rules, item))
                continue
            at = item.game - 1
            deviation = deviation_after(self.ratings, at, int(white[at] == player))
            lines.append(Line(f"g{self.numbers[at]}", key_of(item.opponent), self.rules, item, deviation))
        return lines


@dataclass(frozen=True)
class Standings:
    """Where every player stands, and how they came there."""

    state: State
    phases: tuple[Phase, ...]
    day: date | None = None
    """The last day whose games count; None: all."""
    today: date | None = None
    """The day it is; fair terms are those of a game of this day, or of `day`. None: no day is meant."""

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self.phases[-1].rules

    @property
    def ratings(self) -> Ratings:
        """The ratings under the rules in force."""
        return self.phases[-1].ratings

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The ladder: the rows of `Ratings.rows` with the player's key and the games of earlier rules.

        Figures that are not finite, as a maximum without a prior can be, are None.
        """
        columns = ["rating", "deviation", *self.ratings.arrays.beside]
        rows = []
        for made in ladder_rows(self.ratings.arrays):
            row = {**made, "key": self.state.keys[made["player"]]}
            row |= {name: None for name in columns if row[name] is not None and not math.isfinite(row[name])}
            for earlier in self.earlier_rows:
                own = earlier.get(row["player"], {})
                row |= {name: row[name] + own.get(name, 0) for name in TALLIES}
                row["last_played"] = row["last_played"] or own.get("last_played")
            rows.append(row)
        return tuple(rows)

    def ordered(self, order: LadderOrder, chosen: LadderFilter, moves: Moves) -> Sequence[Row]:
        """Return the rows of the ladder in an order, those of some players alone."""
        return order.sort(chosen.rows(self), self.state, moves)

    def members_by(self, name: str, people: Collection[Person] | None = None) -> Sequence[str]:
        """Return the keys of all members, or of some, by one of `ORDERS`, most and latest first.

        Equals stand in the order of names, and who has no such figure at the end.
        """
        keys = self.state.keys_by_name
        if people is not None:
            chosen = {person.key for person in people}
            keys = [key for key in keys if key in chosen]
        if name == "name":
            return keys
        rows = [self.by_key.get(key, {"key": key}) for key in keys]
        return [row["key"] for row in LadderOrder(name).sort(rows, self.state, {})]

    @property
    def rank_counts(self) -> Mapping[str, int]:
        """How many players have each rank."""
        return Counter(str(row["rank"]) for row in self.rows if row["rank"])

    @cached_property
    def figures(self) -> Figures:
        """Ratings and ranks of the players."""
        keys = [self.state.keys[name] for name in self.ratings.ledger.names]
        return Figures(self.state, self.system, keys, self.ratings.rating, self.ratings.arrays.rank_number)

    def movements(self, since: date) -> dict[str, Movement]:
        """Return how far each player came who played rated games after a day, by key.

        Only games under the rules now in force are looked at, whose unit the ratings have.
        """
        return moved_since(self.ratings, self.state.keys.__getitem__, since)

    @property
    def system(self) -> System:
        """The system in force."""
        return self.rules.made

    @cached_property
    def summary(self) -> Summary:
        """What they say of all players together."""
        return Summary.of(self.ratings, self.decimals, draws=any(row["draws"] for row in self.rows))

    @property
    def cautions(self) -> list[str]:
        """Warnings, and how the answer was found."""
        return [*self.ratings.warnings, *self.ratings.notes]

    @cached_property
    def earlier_rows(self) -> list[dict[str, Row]]:
        """The ladders of the phases before the last, the latest first, by the name that is shown."""
        return [
            {row["player"]: row for row in ladder_rows(phase.ratings.arrays)} for phase in reversed(self.phases[:-1])
        ]

    @cached_property
    def decimals(self) -> int:
        """How many decimals the ratings are shown with."""
        return digits(self.ratings.rating.tolist())

    @cached_property
    def by_key(self) -> dict[str, Row]:
        """The ladder's row of each player by key."""
        return {row["key"]: row for row in self.rows}

    def prefetch(self, keys: Iterable[str]) -> None:
        """Fetch the rows of some players at once, before each is asked for."""

    @cached_property
    def _counted(self) -> pl.DataFrame:
        """When the games that count here were added, in the order in which they stand: `line`, `added`."""
        ledgers = [phase.ratings.ledger for phase in self.phases]
        added = self.state.games.select("line", "added")
        if sum(map(len, ledgers)) == added.height:
            return added
        counted = pl.concat([ledger.arrays.column("line") for ledger in ledgers])
        return added.filter(pl.col("line").is_in(counted.implode()))

    @cached_property
    def last_added(self) -> LastAdded | None:
        """The game that was added last, None where there is none."""
        lines = self._counted.filter(pl.col("added") == pl.col("added").max())["line"].to_list()
        last = max(lines, default=None)
        if last is None:
            return None
        row = self.state.game(f"g{last}")
        return LastAdded(f"g{row['line']}", day_of(row), row["added"])

    @cached_property
    def last_updated(self) -> Mapping[str, str]:
        """Date of the game that was added last, not necessarily played last, of each player by key."""
        games = self.state.games
        if self._counted.height < games.height:
            games = games.filter(pl.col("line").is_in(self._counted["line"].implode()))
        return days_of_last_added(games, self.state.final)

    def lines(self, key: str, *, reasons: bool = True) -> list[Line]:
        """Return a player's card; empty for a player without games and adjustments."""
        person = self.state.person(key)
        return [
            line
            for phase in self.phases
            for line in self._lines(phase, self.state.labels[person.key], None, reasons=reasons)
        ]

    def lines_between(self, first: date, last: date) -> dict[str, list[Line]]:
        """Return the lines from one day to another, without reasons, of each player with a game then, by key."""
        return lines_of_days(self.phases, self.state.keys.__getitem__, first, last)

    def card_page(self, key: str, start: int, stop: int, plain: list[Line] | None = None) -> list[Line]:
        """Return the lines from `start` to before `stop` of a card, with reasons; a negative start is cut to 0.

        `plain` are its lines without reasons, if they are there already.
        """
        plain = self.lines(key, reasons=False) if plain is None else plain
        chosen, label, lines = plain[max(0, start) : max(0, stop)], self.state.labels[self.state.person(key).key], []
        for phase in self.phases:
            own = [line for line in chosen if line.rules is phase.rules]
            moved = [line for line in own if line.game and line.explanation.is_rated]
            player = phase.ratings.ledger.find(label) if moved else 0
            explained = reasoned(phase.ratings, player, [line.explanation for line in moved])
            whole = {line.game: line._replace(explanation=item) for line, item in zip(moved, explained, strict=True)}
            lines += [whole.get(line.game, line) for line in own]
        return lines

    def game(self, key: str) -> list[Line]:
        """Return what a game did to Black and to White; InputError for a game that does not count at that day."""
        for phase in self.phases:
            ledger = phase.ratings.ledger
            place = ledger.arrays.column("line").index_of(game_number(key))
            if place is not None:
                sides = [ledger.players[int(side[place])].name for side in ledger.arrays.seats]
                return [line for name in sides for line in self._lines(phase, name, place + 1, reasons=True)]
        raise InputError(Clause.of("game {key} does not count here", key=shown(key)))

    def event(self, title: str, games: Mapping[int, datetime | None]) -> Event:
        """Return what some games, given by the numbers in their keys with their moments, did to each player, by label.

        InputError where none of them counts.
        """
        parts = []
        for phase in self.phases:
            parts += event_among(phase.ratings, phase.ratings.ledger.arrays.column("line"), title, games)
        if not parts:
            raise InputError("none of these games counts")
        return joined(parts)

    def _lines(self, phase: Phase, label: str, game: int | None, *, reasons: bool | Container[int]) -> list[Line]:
        player = phase.ratings.ledger.arrays.lookup.bearer(label)
        if player is None:
            return []
        return phase.keyed(phase.ratings.explain(label, game, reasons=reasons), player, self.state.keys.__getitem__)

    @cached_property
    def for_next_game(self) -> Ratings:
        """The ratings that a game of today, or of the day that is looked at, is rated from."""
        day = self.day or self.today
        return self.ratings if day is None else self.ratings.on(day)

    @cached_property
    def standing_still(self) -> dict[str, float]:
        """Ratings of the day by key, where what was won since its start is not settled yet."""
        now, next_game = self.ratings.rating, self.for_next_game.rating
        players = self.ratings.ledger.players
        differ = np.flatnonzero(now != next_game)
        return {self.state.keys[players[index].name]: float(next_game[index]) for index in differ.tolist()}

    def row_of_next_game(self, key: str) -> Mapping[str, Any]:
        """Return a player's row with the rating that the next game is rated from, and its rank."""
        row, rating = self.by_key.get(key, {}), self.standing_still.get(key)
        if rating is None:
            return row
        rank = self.for_next_game.arrays.rank_of(self.figures.place_of[key])
        return {**row, "rating": rating, "rank": str(rank or "")}

    def fair_terms(self, one: str, other: str, ranks: Mapping[str, Rank] | None = None) -> Terms:
        """Return the fair terms of the next game of two players, given by key; newcomers stand where they enter.

        `ranks` are those with which newcomers are provisionally taken, by key.
        """
        return self.for_next_game.fair_terms(*self._opponents(self.for_next_game, one, other, ranks=ranks))

    def win_probability(self, black: str, white: str, handicap: int = 0, komi: float | None = None) -> float | None:
        """Return the probability that Black, given by key, wins; None where the system has no such law."""
        one, other = self._opponents(self.ratings, black, white)
        return self.ratings.win_probability(one, other, handicap, komi)

    def newcomers(self, *keys: str) -> list[str]:
        """Return the names of those who have neither games nor a rank yet."""
        return [name for name in self._names(*keys) if self.ratings.ledger.arrays.lookup.bearer(name) is None]

    def _opponents(self, ratings: Ratings, *keys: str, ranks: Mapping[str, Rank] | None = None) -> list[Opponent]:
        """Return players as ratings are asked for them: who is not in these enters, whoever is called nearly so."""
        names = self._names(*keys)
        if len({*names}) < len(names):
            return [*names]  # which ratings refuse
        bearer, enter = ratings.ledger.arrays.lookup.bearer, ratings.system.newcomer
        return [
            enter(name, (ranks or {}).get(key), ratings=ratings) if bearer(name) is None else name
            for key, name in zip(keys, names, strict=True)
        ]

    def _names(self, *keys: str) -> list[str]:
        return [self.state.labels[self.state.person(key).key] for key in keys]


def lines_of_days(
    phases: Sequence[Phase], key_of: Callable[[str], str], first: date, last: date
) -> dict[str, list[Line]]:  # fmt: skip
    """Return the lines from one day to another, without reasons, of each player with a game then, by key.

    Args:
        phases: With all games of these days.
        key_of: Returns the key of a name of their ledgers.
        first: The first day.
        last: The last one.
    """
    low, high, names = day_number(first), day_number(last), set[str]()
    for arrays in (phase.ratings.ledger.arrays for phase in phases):
        within = np.flatnonzero((arrays.day >= low) & (arrays.day <= high))
        players = np.unique(np.concatenate([side[within] for side in arrays.seats]))
        names |= {arrays.lookup.names[player] for player in players}
    lines: dict[str, list[Line]] = {key_of(name): [] for name in names}
    for phase in phases:
        bearer = phase.ratings.ledger.arrays.lookup.bearer
        places = {place: key_of(name) for name in names if (place := bearer(name)) is not None}
        for place, own in lines_between(phase.ratings, [*places], first, last).items():
            lines[places[place]] += phase.keyed(own, place, key_of)
    return lines


def event_among(ratings: Ratings, lines: pl.Series, title: str, games: Collection[int]) -> list[Event]:
    """Return what some games, given by the numbers in their keys, did among others; nothing where none is there."""
    chosen = lines.is_in([*games]).to_numpy()
    return [numbered(event_of_games(ratings, chosen, title), lines.to_list())] if chosen.any() else []


def day_of(row: Mapping[str, Any]) -> str:
    """Return the day of a game's row as text, empty for a game without a date."""
    return written_day(row["date"], row["precision"])


def standings(state: State, today: date, day: date | None = None, rules: Rules | None = None) -> Standings:
    """Rate a club's ledger.

    Args:
        state: The club, as known at some moment.
        today: Rules from a later date are not yet in force.
        day: Count games up to this day only; None: all.
        rules: Other rules in place of the club's own, for all games.
    """
    ledger = state.ledger if day is None else state.ledger.as_of(day)
    chosen = rating_rules(state.rules, min(day or today, today)) if rules is None else [rules]
    phases: list[Phase] = []
    for number, item in enumerate(chosen):
        until = chosen[number + 1].since if number + 1 < len(chosen) else None
        brought = _brought(phases[-1], item) if phases else ()
        part = ledger if len(chosen) == 1 else _between(ledger, item.since if number else None, until, brought)
        phases.append(Phase(item, rated_in_full(item.made, part)))
    return Standings(state, tuple(phases), day, today)


def _brought(before: Phase, rules: Rules) -> Iterator[Adjustment]:
    """Return what everybody brings from earlier rules into others."""
    everybody = range(len(before.ratings.ledger.players))
    return carried(before.ratings, everybody, same=before.rules.system == rules.system)


def _between(ledger: Ledger, since: date | None, until: date | None, brought: Iterable[Adjustment]) -> Ledger:
    """Return the facts from a day up to, not including, another, with what players bring into them.

    Facts without a date belong to the first part.
    """
    day = pl.col("date").dt.date()
    kept = (day >= since if since else pl.lit(value=True)) & (day < until if until else pl.lit(value=True))
    own = [item for item in ledger.adjustments if falls_within(effective_from(item), since, until)]
    return games_kept(ledger, kept.fill_null(since is None), [*brought, *own])


def carried(ratings: Ratings, players: Iterable[int], *, same: bool) -> Iterator[Adjustment]:
    """Yield what players, given by index, bring into new rules.

    That is rank and rating where the system is the `same`, else the rank.
    """
    names = ratings.ledger.names
    for player in players:
        rank = ratings.arrays.rank_of(player)
        if same:
            own_rank = rank if ratings.arrays.rank_number is not None else None
            yield Adjustment(names[player], own_rank, float(ratings.rating[player]), None, CHANGE)
        elif rank is not None:
            yield Adjustment(names[player], rank, None, None, CHANGE)


Moves = Mapping[str, Movement]
"""How far players have come of late, by key."""
ORDERS = ("rank", "name", "rating", "games", "last_played", "change")
"""What a ladder can be sorted by."""


@dataclass(frozen=True, slots=True)
class LadderOrder:
    """By what a ladder is sorted: one of `ORDERS`, and whether the other way round."""

    name: str = "rank"
    turned: bool = False

    @classmethod
    def of(cls, text: str) -> LadderOrder:
        """Read an order as addresses have it: `games`, `-games`; strongest first for what is none."""
        name = text.removeprefix("-")
        return cls(name, text.startswith("-")) if name in ORDERS else cls()

    def __str__(self) -> str:
        """Return the order as an address has it."""
        return f"{'-' * self.turned}{self.name}"

    @property
    def is_default(self) -> bool:
        """Whether it is the order of the ladder itself."""
        return self == LadderOrder()

    @property
    def ascends(self) -> bool:
        """Whether what is small stands first, as names do."""
        return (self.name == "name") != self.turned

    def led_to(self, name: str) -> LadderOrder:
        """Return the order that the heading of a column leads to: the other way round where it is sorted so already."""
        return LadderOrder(name, turned=self.name == name and not self.turned)

    def sort(self, rows: Sequence[Row], state: State, moves: Moves) -> list[Row]:
        """Return rows of a ladder in this order: equal ones as they stood, and who has no such figure at the end."""
        figures: Mapping[str, Any]
        if self.name == "rank":
            figures = {row["key"]: -row["place"] if "place" in row else None for row in rows}
        elif self.name == "name":
            figures = {key: place for place, key in enumerate(state.keys_by_name)}
        elif self.name == "change":  # a new rank in another unit is more than any
            figures = {key: move.figure for key, move in moves.items()}
        else:
            figures = {row["key"]: row.get(self.name) for row in rows}
        filled = [row for row in rows if figures.get(row["key"]) is not None]
        empty = [row for row in rows if figures.get(row["key"]) is None]
        filled.sort(key=lambda row: figures[row["key"]], reverse=not self.ascends)
        return [*filled, *empty]


@dataclass(frozen=True, slots=True)
class LadderFilter:
    """Whom a ladder shows; what is empty or 0 leaves nobody out."""

    text: str = ""
    """What a search finds."""
    country: str = ""
    club: str = ""
    since: str = ""
    """The day on which or after which the last game was, as it is written."""
    games: int = 0
    """The fewest games."""
    without: frozenset[str] = frozenset()
    """Keys of players who are left out."""
    only: frozenset[str] | None = None
    """Keys of those who are not, None: all."""

    def rows(self, standings: Standings) -> list[Row]:
        """Return the rows of the players who are shown, strongest first."""
        rows = [
            row
            for row in standings.rows
            if row["games"] >= self.games
            and (row["last_played"] or "") >= self.since
            and row["key"] not in self.without
            and (self.only is None or row["key"] in self.only)
        ]
        if not (self.text or self.country or self.club):
            return rows
        people = {person.key for person in self.people(standings.state, standings.day)}
        return [row for row in rows if row["key"] in people]

    def people(self, state: State, day: date | None = None) -> list[Person]:
        """Return the players who match the text, and the country and the club that were theirs on a day."""
        people = state.matching(self.text) if self.text else state.active.values()
        homes = ((person, person.home_on(day)) for person in people)
        return [
            person
            for person, (country, club) in homes
            if (not self.country or country == self.country) and (not self.club or club == self.club)
        ]
