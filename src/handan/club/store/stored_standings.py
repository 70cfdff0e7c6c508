"""The standings of a club as its rating list has them: each question is a query, or the rating of a few blocks."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property, partial, wraps
from itertools import accumulate
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar, overload

import numpy as np
import polars as pl
from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, When

from handan.club.blocks import (
    Checkpoint,
    checkpoint_of_bytes,
    clause_of,
    empty_ratings,
    rate_block,
    ratings_of,
    renumbered,
    stored_facts,
    with_names,
)
from handan.club.figures import Figures
from handan.club.ladder_order import LadderFilter, LadderOrder
from handan.club.movement import Movement
from handan.club.packing import unpacked
from handan.club.people import Person, sorted_as
from handan.club.recorded import written_day
from handan.club.rules import Rules
from handan.club.standings import (
    UNRATED,
    LastAdded,
    Line,
    Phase,
    Standings,
    date_of,
    event_among,
    falls_within,
)
from handan.club.state import COUNTS, State, game_number
from handan.club.store.fact_models import Game
from handan.club.store.list_models import Block, RatingList, Standing
from handan.club.store.list_replay import head_of
from handan.club.store.models import Club
from handan.club.store.stored_games import games_with, milliseconds, moment_of
from handan.errors import Clause, InputError, shown
from handan.handicaps import Terms
from handan.kernels.types import Ints
from handan.ledger import Adjustment
from handan.ledger.dates import When as Moment
from handan.ledger.ledger import in_order
from handan.ranks import Rank
from handan.ratings import Ratings
from handan.ratings.event import Event, joined
from handan.ratings.explanation import Explanation
from handan.ratings.ladder import Row
from handan.ratings.lines import cards, deviation_after, explanations, reasoned
from handan.ratings.rules import rank_from
from handan.ratings.standing import Standing as Opponent
from handan.systems import System
from handan.systems.core.sequential import Sequential

MONTH = timedelta(days=31)
"""The longest time whose games are settled together (`System.rating_on`)."""
TRIES = 3  # our choice: so often a list is read that goes on meanwhile; then once more while nobody can write
COUNTED = ("games", "wins", "losses", "draws")
ROW = ("player__key", "rating", "rank_number", "beside", "deviation", "rank", *COUNTED, "last_played", "last_updated",
       "pool")  # fmt: skip
"""What is read of a row of the ladder."""
AT_ONCE = 8  # our choice: blocks that are read together


class StoredBlock(NamedTuple):
    """Where a block stands."""

    pk: int
    position: int
    phase: int
    ends: int | None


class ListChangedError(Exception):
    """A list has gone on since its blocks were looked up."""


class StoredBlocks:
    """What is read once of the blocks of a list."""

    def __init__(self, row: RatingList) -> None:
        self.list = row

    @cached_property
    def blocks(self) -> list[StoredBlock]:
        """All blocks in playing order, without their games."""
        rows = Block.objects.filter(list=self.list).order_by("position")
        return [StoredBlock(*row) for row in rows.values_list("pk", "position", "phase", "ends")]

    @cached_property
    def ends(self) -> list[float]:
        """When each block ends; one without games, or without dates, where the one before does."""
        return list(accumulate((-math.inf if block.ends is None else block.ends for block in self.blocks), max))

    @cached_property
    def keys(self) -> list[str]:
        """Keys of all players by number."""
        return self.list.keys.split("\n") if self.list.keys else []

    @cached_property
    def figures(self) -> dict[str, Any]:
        """Figures of all players by number."""
        return unpacked(bytes(self.list.figures))[0]

    def columns(self, places: Sequence[int], *names: str) -> Iterator[list[bytes]]:
        """Go through columns of blocks, given by place and ascending; ListChangedError if one is there no more."""
        for first in range(0, len(places), AT_ONCE):
            part = [self.blocks[place].pk for place in places[first : first + AT_ONCE]]
            rows = list(Block.objects.filter(pk__in=part).values_list(*names))
            if len(rows) < len(part):
                raise ListChangedError
            yield from ([bytes(value or b"") for value in row] for row in rows)


P = ParamSpec("P")
R = TypeVar("R")


def read_again(method: Callable[Concatenate[StoredStandings, P], R]) -> Callable[Concatenate[StoredStandings, P], R]:
    """Make a question one that is asked anew of a list that has gone on while it was answered."""

    @wraps(method)
    def run(self: StoredStandings, /, *args: P.args, **kwargs: P.kwargs) -> R:
        for _ in range(TRIES):
            try:
                return method(self, *args, **kwargs)
            except ListChangedError:
                self.look_again()
        with transaction.atomic():
            Club.objects.select_for_update().get(pk=self.club.pk)
            self.look_again()
            return method(self, *args, **kwargs)

    return run


class StoredRows(Sequence[Row]):
    """Rows of a ladder in some order, strongest first unless it is another; those are read that somebody looks at."""

    def __init__(self, made: StoredStandings, query: QuerySet[Standing], *, whole: bool) -> None:
        """Take the standings, the query of the rows in their order, and whether it is the ladder itself."""
        self.made, self.query, self.whole = made, query, whole

    @cached_property
    def _number(self) -> int:
        return int(self.made.list.summary["players"]) if self.whole else self.query.count()

    @property
    def drawn(self) -> bool:
        """Whether a game of any of these players was drawn."""
        return self.query.filter(draws__gt=0).exists()

    def __len__(self) -> int:
        """Number of players."""
        return self._number

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: Any) -> Any:
        """Return a row, or some of them."""
        if isinstance(at, slice):
            start, stop, _ = at.indices(len(self))
            return self.made.rows_of(self.query[start:stop], start if self.whole else None)
        return self[range(len(self))[at] : range(len(self))[at] + 1][0]

    def __iter__(self) -> Iterator[Row]:
        """Go through all rows."""
        return iter(self.made.rows_of(self.query, 0 if self.whole else None))


class StoredRowsOfKeys(Sequence[Row]):
    """Rows of a ladder of players given by key, in their order; those are read that somebody looks at."""

    def __init__(self, made: StoredStandings, keys: Sequence[str]) -> None:
        self.made, self.keys = made, keys

    def __len__(self) -> int:
        """Number of players."""
        return len(self.keys)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: Any) -> Any:
        """Return a row, or some of them."""
        if isinstance(at, slice):
            rows = self.made.rows_of_keys(self.keys[at])
            return [rows[key] for key in self.keys[at]]
        return self[range(len(self))[at] : range(len(self))[at] + 1][0]


class _GamesOfPlayer(NamedTuple):
    """Games of one player under one of the rules."""

    rules: Rules
    seat: int
    """Number of the player."""
    ratings: Ratings
    """Of these games alone; what is said of the opponents holds before their games with the player."""

    @property
    def are_explained(self) -> bool:
        """Whether reasons are made from what is stored of the games."""
        return self.ratings.arrays.extra.by_game is not None

    def lines(self, now: Callable[[], tuple[float, str]]) -> list[Line]:
        """Return the lines of the card; `now` returns the rating and rank of one whom nothing moved."""
        ratings, lines = self.ratings, []
        numbers, white = ratings.ledger.arrays.column("line"), ratings.ledger.arrays.seats[1]
        for line in explanations(ratings, cards(ratings, [self.seat], now)):
            if line.game is None:
                lines.append(Line("", line.opponent, self.rules, line))
                continue
            at = line.game - 1
            deviation = deviation_after(ratings, at, int(white[at] == self.seat))
            lines.append(Line(f"g{numbers[at]}", line.opponent, self.rules, line, deviation))
        return lines


class StoredStandings:
    """Where every player of a club stands now, and how they came there; the questions of `Standings`."""

    day = None
    """No day of the past."""

    def __init__(
        self, club: Club, row: RatingList, state: State, today: date, phases: Sequence[Rules],
        made_of_all: Callable[[], Standings],
    ) -> None:  # fmt: skip
        """Take the list.

        Args:
            club: Whose.
            row: Its list, which follows the state.
            state: The club as who asks may see it.
            today: The day it is.
            phases: The rules under which the games are rated.
            made_of_all: Returns the standings of the state made from all its games, for what only these tell.
        """
        self._made_of_all = made_of_all
        self.club, self.list, self.state, self.today, self.phase_rules = club, row, state, today, list(phases)
        self._read, self._read_again = StoredBlocks(row), False
        self._rows: dict[str, Row | None] = {}
        self._own_games: dict[str, list[_GamesOfPlayer]] = {}
        """Of each player whose card was read, by key."""
        self.last_updated: dict[str, str] = {}
        """Day of the game that was added last of each player whose row was read, by key."""

    def look_again(self) -> None:
        """Read the list as it is now."""
        self.list = RatingList.objects.get(club=self.club, question="")
        self._read, self._read_again = StoredBlocks(self.list), True
        self._rows, self._own_games = {}, {}

    @property
    def is_behind(self) -> bool:
        """Whether they follow an earlier entry than the state does."""
        return (self.list.number, self.list.digest) != (self.state.number, head_of(self.state))

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self.phase_rules[-1]

    @property
    def system(self) -> System:
        """The system in force."""
        return self.rules.made

    @property
    def beside(self) -> tuple[str, ...]:
        """Further columns of figures."""
        return tuple(self.list.summary["beside"])

    @property
    def decimals(self) -> int:
        """How many decimals the ratings are shown with."""
        return int(self.list.summary["decimals"])

    @property
    def pools(self) -> int:
        """Number of groups of players that never met, not even through others."""
        return int(self.list.summary["pools"])

    @property
    def has_deviations(self) -> bool:
        """Whether ratings have deviations."""
        return bool(self.list.summary["deviations"])

    @property
    def has_own_ranks(self) -> bool:
        """Whether the rank is a state of its own and does not follow from the rating."""
        return bool(self.list.summary["own_ranks"])

    @property
    def cautions(self) -> list[str]:
        """Warnings, and how the answer was found."""
        return [clause_of(text) for text in self.list.summary["warnings"]]

    @cached_property
    def drawn(self) -> bool:
        """Whether a game of anybody was drawn."""
        return self._standings.filter(draws__gt=0).exists()

    @cached_property
    def last_added(self) -> LastAdded | None:
        """The game that was added last, None where there is none."""
        games = self._games.exclude(added=None).order_by("-added", "-line")
        row = games.values_list("line", "date", "precision", "added").first()
        if row is None:
            return None
        line, day, precision, added = row
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=added or 0)
        return LastAdded(f"g{line}", written_day(moment_of(day), precision), moment)

    @property
    def _standings(self) -> QuerySet[Standing]:
        return Standing.objects.filter(list=self.list)

    def _of_keys(self, keys: Sequence[str]) -> QuerySet[Standing]:
        """Return the rows of players by key, found by the index of the players of a club."""
        return self._standings.filter(player__club=self.club, player__key__in=keys)

    @property
    def _games(self) -> QuerySet[Game]:
        return Game.objects.filter(club=self.club, status=COUNTS)

    # the ladder

    @cached_property
    def figures(self) -> Figures:
        """Ratings and ranks of the players."""
        figures = self._figures
        seats = np.flatnonzero(figures["listed"])
        keys = [self._keys[seat] for seat in seats.tolist()]
        numbers = figures["rank_number"][seats] if "rank_number" in figures else None
        return Figures(self.state, self.system, keys, figures["rating"][seats], numbers)

    @property
    def rows(self) -> StoredRows:
        """The ladder, strongest first."""
        return StoredRows(self, self._ordered(LadderOrder()), whole=True)

    def ladder(self, order: LadderOrder, chosen: LadderFilter, moves: Mapping[str, Movement]) -> Sequence[Row]:
        """Return the rows of the ladder in an order, those of some players alone."""
        query = self._ordered(order).filter(self._chosen(chosen))
        if order.name == "change":
            return StoredRowsOfKeys(self, self._by_change(query, moves, turned=order.turned))
        if order.name == "name":
            there, keys = {*query.values_list("player__key", flat=True)}, self.state.keys_by_name
            return StoredRowsOfKeys(self, [key for key in keys[:: -1 if order.turned else 1] if key in there])
        return StoredRows(self, query, whole=order.is_default and chosen == LadderFilter())

    def members_by(self, name: str, people: Sequence[Person] | None = None) -> Sequence[str]:
        """Return the keys of all members, or of some, by one of the orders of a ladder, most and latest first.

        Equals stand in the order of names, and who has no such figure at the end.
        """
        keys = self.state.keys_by_name if people is None else [person.key for person in sorted(people, key=sorted_as)]
        if name == "name":
            return keys
        if name == "rank":
            strongest_first = self._ordered(LadderOrder()).values_list("player__key", flat=True)
            figures: dict[str, Any] = {key: -place for place, key in enumerate(strongest_first)}
        else:
            figures = dict(self._standings.values_list("player__key", name))
        there = [key for key in keys if figures.get(key) not in {None, ""}]
        there.sort(key=lambda key: figures[key], reverse=True)
        return [*there, *(key for key in keys if figures.get(key) in {None, ""})]

    def _ordered(self, order: LadderOrder) -> QuerySet[Standing]:
        """Return the rows in an order; equals stand in the order of the ladder, who has no such figure at the end."""
        strength = [F(name).desc(nulls_last=True) for name in self._strength]
        ascending = order.ascends
        if order.name == "rank":
            names = [F(name).asc(nulls_first=True) for name in self._strength] if order.turned else strength
        elif order.name == "last_played":
            unknown = Case(When(last_played="", then=1), default=0)
            names = [unknown.asc(), F("last_played").asc() if ascending else F("last_played").desc(), *strength]
        elif order.name in {"rating", "games"}:
            column = F(order.name)
            names = [column.asc(nulls_last=True) if ascending else column.desc(nulls_last=True), *strength]
        else:
            names = strength
        return self._standings.order_by(*names, "seat")

    def _chosen(self, chosen: LadderFilter) -> Q:
        """Return whom a ladder shows."""
        wanted = Q()
        if chosen.text or (self.state.view and (chosen.country or chosen.club)):
            wanted &= Q(player__key__in=[person.key for person in chosen.people(self.state)])
        elif chosen.country or chosen.club:
            wanted &= Q(player__country=chosen.country) if chosen.country else Q()
            wanted &= Q(player__home=chosen.club) if chosen.club else Q()
        if chosen.since:
            wanted &= Q(last_played__gte=chosen.since)
        if chosen.only is not None:
            wanted &= Q(player__key__in=chosen.only)
        if chosen.without:
            wanted &= ~Q(player__key__in=chosen.without)
        return wanted & Q(games__gte=chosen.games) if chosen.games else wanted

    def _by_change(self, query: QuerySet[Standing], moves: Mapping[str, Movement], *, turned: bool) -> list[str]:
        """Return the keys of players by how far they came of late; those who did not play stand at the end."""
        keys = list(query.values_list("player__key", flat=True))
        sense = 1.0 if turned else -1.0
        moved = [key for key in keys if key in moves]
        moved.sort(key=lambda key: sense * moves[key].figure)
        return [*moved, *(key for key in keys if key not in moves)]

    def rows_of(self, query: QuerySet[Standing], first: int | None = None) -> list[Row]:
        """Return rows of the ladder as `Standings.rows` has them.

        Args:
            query: The rows.
            first: How many stand before them, where they stand one after the other in the ladder.
        """
        items = list(query.values(*ROW))
        places, labels = self._places(items, first), self.state.labels
        labels.prefetch([item["player__key"] for item in items])
        self.last_updated |= {item["player__key"]: day for item in items if (day := item["last_updated"]) is not None}
        return [
            {
                "place": place,
                "player": labels[item["player__key"]],
                "rating": _finite(item["rating"]),
                **item["beside"],
                "deviation": item["deviation"],
                "rank": item["rank"],
                **{name: item[name] for name in COUNTED},
                "last_played": item["last_played"] or None,
                "pool": item["pool"],
                "key": item["player__key"],
            }
            for item, place in zip(items, places, strict=True)
        ]

    def _places(self, items: Sequence[Mapping[str, Any]], first: int | None) -> list[int]:
        """Return the places of rows from 1 on; equal ones share that of the first. Arguments as in `rows_of`."""
        if not items:
            return []
        strengths = [self._strength_of(item) for item in items]
        if first is None and len(items) > 1:
            place: dict[Any, int] = {}
            order = self._standings.order_by(*(f"-{name}" for name in self._strength))
            for at, strength in enumerate(order.values_list(*self._strength), 1):
                place.setdefault(strength, at)
            return [place[strength] for strength in strengths]
        places = [self._stronger(items[0]) + 1 if first != 0 else 1]
        for at in range(1, len(items)):
            alike = strengths[at] == strengths[at - 1]
            places.append(places[-1] if alike else (first or 0) + at + 1)
        return places

    @property
    def _strength(self) -> list[str]:
        return ["rank_number", "rating"] if self.has_own_ranks else ["rating"]

    def _strength_of(self, item: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(item[name] for name in self._strength)

    def _stronger(self, item: Mapping[str, Any]) -> int:
        """Return how many players stand above a row."""
        above = Q(rating__gt=item["rating"])
        if self.has_own_ranks:
            above = Q(rank_number__gt=item["rank_number"]) | (Q(rank_number=item["rank_number"]) & above)
        return self._standings.filter(above).count()

    def rows_of_keys(self, keys: Sequence[str]) -> dict[str, Row]:
        """Return the rows of players by key; who does not stand in the list has none."""
        return {row["key"]: row for row in self.rows_of(self._of_keys(keys))}

    @property
    def by_key(self) -> StoredRowsByKey:
        """The rows of the ladder by the key of the player."""
        return StoredRowsByKey(self, self._rows)

    # the games

    @property
    def _blocks(self) -> list[StoredBlock]:
        return self._read.blocks

    def _block_at(self, moment: datetime | None) -> int:
        """Return the place of the block with the games of a moment, None for games without a date."""
        if moment is None:
            return 0
        return min(bisect_left(self._read.ends, milliseconds(moment)), len(self._blocks) - 1)

    @property
    def _keys(self) -> list[str]:
        return self._read.keys

    @property
    def _figures(self) -> dict[str, Any]:
        return self._read.figures

    def _seat_of(self, key: str) -> int | None:
        """Return the number of a player who stands in the list."""
        seat: int | None = self._of_keys([key]).values_list("seat", flat=True).first()
        return seat

    def _adjustments(
        self, phase: int, players: Iterable[str], entered: Container[str] = (), last: datetime | None = None
    ) -> list[Adjustment]:
        """Return the adjustments of players under one of the rules, those with which they enter it among them, by key.

        Args:
            phase: Which of the rules.
            players: Their keys.
            entered: Players of whom only those are wanted that come on the day `last` or later.
            last: A day on which somebody played, None: all are wanted.
        """
        wanted, day = {*players}, "" if last is None else str(last.date())

        def plays_part(player: str, when: Any) -> bool:
            return player in wanted and not (player in entered and str(when or "") < day)

        since = self.phase_rules[phase].since if phase else None
        until = self.phase_rules[phase + 1].since if phase + 1 < len(self.phase_rules) else None
        items = [
            Adjustment(**item) for item in self.list.carried[phase] if plays_part(item["player"], item.get("date"))
        ]
        for item in self.state.shown_adjustments:
            key = self.state.final(item.player)
            if plays_part(key, item.facts.get("date")) and self.state.is_in_force(item):
                made = Adjustment(key, **{**item.facts, "note": item.key})
                if falls_within(date_of(made), since, until):
                    items.append(made)
        return list(in_order(items))

    def _stored(self, places: Sequence[int], seat: int | None = None) -> tuple[pl.DataFrame, Ratings]:
        """Return the games of blocks under one of the rules, or those of a player, and their ratings."""
        system = self.phase_rules[self._blocks[places[0]].phase].made
        nobody = np.zeros(0)
        figures = self._figures if system.traits.whole else {"rating": nobody, "pool": nobody.astype(np.int64)}
        blocks = ((facts, ratings) for facts, ratings in self._read.columns(places, "facts", "ratings"))
        return ratings_of(system, blocks, self._keys, figures, seat)

    @read_again
    def lines(self, key: str, *, reasons: bool = True) -> list[Line]:
        """Return a player's card; empty for a player without games and adjustments."""
        plain = self._plain_lines(self.state.person(key).key)
        return self._reasoned(key, plain) if reasons else plain

    @read_again
    def card_page(self, key: str, start: int, stop: int, plain: list[Line] | None = None) -> list[Line]:
        """Return the lines from `start` to before `stop` of a card, with reasons; a negative start is cut to 0.

        `plain` are its lines without reasons, if they are there already.
        """
        plain = self.lines(key, reasons=False) if plain is None or self._read_again else plain
        return self._reasoned(key, plain[max(0, start) : max(0, stop)])

    def _plain_lines(self, key: str) -> list[Line]:
        seat = self._seat_of(key)
        if seat is None:
            return []
        names = self.state.names_of(key)
        games = list(games_with(self._games, names).values_list("line", "date", "notes"))
        places = {self._block_at(moment_of(day)) for _, day, _ in games}
        for phase in range(len(self.phase_rules)):
            last = max((at for at, block in enumerate(self._blocks) if block.phase == phase), default=0)
            places |= {min(self._block_at(date_of(item)), last) for item in self._adjustments(phase, [key])}
        lines: list[Line] = []
        self._own_games[key] = []
        for phase, rules in enumerate(self.phase_rules):
            if own := [place for place in sorted(places) if self._blocks[place].phase == phase]:
                games_of_phase = _GamesOfPlayer(rules, seat, self._stored(own, seat)[1])
                self._own_games[key].append(games_of_phase)
                lines += games_of_phase.lines(partial(self._now, key))
        notes = {line: text for line, _, text in games if text}
        self.state.labels.prefetch([line.opponent for line in lines if line.opponent])
        return [self._completed(line, notes) for line in lines]

    def _now(self, key: str) -> tuple[float, str]:
        """Return the rating and rank of a player in the list."""
        row = self.by_key.get(key) or {}
        return math.nan if row.get("rating") is None else row["rating"], row.get("rank", "")

    def _completed(self, line: Line, notes: Mapping[int, str]) -> Line:
        """Return a line with the name of the opponent and the notes of the game."""
        label, item = self.state.labels.get(line.opponent, ""), line.explanation
        if line.game:
            comment = self.state.label_of(notes.get(game_number(line.game), ""))
            return line._replace(explanation=replace(item, opponent=label, comment=comment))
        note = item.note
        if note in self.state.adjustments:
            note = self.state.adjustments[note].facts.get("note") or "adjustment"
        return line._replace(explanation=replace(item, opponent=label, note=note))

    @read_again
    def game(self, key: str) -> list[Line]:
        """Return what a game did to Black and to White; InputError for a game that does not count."""
        row = self._games.filter(line=game_number(key)).values_list("date", "notes", "black", "white").first()
        if row is None:
            raise InputError(Clause.of("game {key} does not count here", key=shown(key)))
        day, notes, *sides = row
        place, lines = self._block_at(moment_of(day)), []
        for side in sides:
            person = self.state.person(side).key
            own_games = self._games_in(place, self._keys.index(person))
            own = [line for line in own_games.lines(partial(self._now, person)) if line.game == key]
            whole = [self._completed(line, {game_number(key): notes}) for line in own]
            if any(
                line.explanation.note.startswith(UNRATED) for line in own
            ):  # what the player had then, lines before say
                whole = [line for line in self._plain_lines(person) if line.game == key]
            lines += self._explained(own_games, person, whole)
        return lines

    def _games_in(self, place: int, seat: int) -> _GamesOfPlayer:
        """Return the games in one block of a player, given by number."""
        _, ratings = self._stored([place], seat)
        [[start]] = self._read.columns([place], "start")
        before = checkpoint_of_bytes(start) if start else None
        if before is not None and before.past is not None:
            earlier = np.zeros(len(self._keys), dtype=np.int64)
            earlier[before.past.numbers] = before.earlier
            ratings = Ratings(replace(ratings.arrays, earlier=earlier))
        return _GamesOfPlayer(self.phase_rules[self._blocks[place].phase], seat, ratings)

    @read_again
    def event(self, title: str, games: Mapping[int, datetime | None]) -> Event:
        """Return what some games, given by the numbers in their keys with their moments, did to each player, by label.

        InputError where none of them counts.
        """
        parts = []
        for phase in range(len(self.phase_rules)):
            if not isinstance(self.phase_rules[phase].made, Sequential):
                ratings = self.whole.phases[phase].ratings
                parts += event_among(ratings, ratings.ledger.arrays.column("line"), title, games)
                continue
            for place in sorted({self._block_at(moment) for moment in games.values()}):
                if self._blocks[place].phase == phase:
                    parts += self._event_in(place, title, games)
        if not parts:
            raise InputError("none of these games counts")
        return joined(parts)

    def _event_in(self, place: int, title: str, games: Mapping[int, datetime | None]) -> list[Event]:
        """Return what those of some games did that are in a block; nothing where none is."""
        [content] = self._read.columns([place], "facts", "start")
        own = stored_facts(content[0]).filter(pl.col("line").is_in([*games]))
        if not own.height:
            return []
        keys = [self._keys[seat] for seat in pl.concat([own["black"], own["white"]]).unique().to_list()]
        self.state.labels.prefetch(keys)
        facts, ratings = self._rated_again(place, content, {key: self.state.labels[key] for key in keys})
        return event_among(ratings, facts["line"], title, games)

    def _reasoned(self, key: str, lines: list[Line]) -> list[Line]:
        """Return lines of a player's card, which was read already, with the reasons of their changes."""
        person = self.state.person(key).key
        moved: dict[str, Line] = {}
        for own_games in self._own_games.get(person, ()):
            own = [line for line in lines if line.rules is own_games.rules]
            moved |= {line.game: line for line in self._explained(own_games, person, own)}
        return [moved.get(line.game, line) for line in lines]

    def _explained(self, own_games: _GamesOfPlayer, key: str, lines: list[Line]) -> list[Line]:
        """Return lines of a player's games under one of the rules, given by key, with reasons."""
        ratings, seat = own_games.ratings, own_games.seat
        moved = [line for line in lines if line.game and not line.explanation.note.startswith(UNRATED)]
        if not moved:
            return lines
        if own_games.are_explained:
            ratings = with_names(ratings, self._names_in(ratings, [line.explanation.game for line in moved]))
        else:
            ratings = self.whole.phases[self.phase_rules.index(own_games.rules)].ratings
            seat = ratings.ledger.find(self.state.labels[key])
            number = {f"g{line}": at for at, line in enumerate(ratings.ledger.arrays.column("line").to_list(), 1)}
            moved = [line for line in moved if line.game in number]  # not those that came since the state was read
            moved = [line._replace(explanation=replace(line.explanation, game=number[line.game])) for line in moved]
        pairs = zip(moved, reasoned(ratings, seat, [line.explanation for line in moved]), strict=True)
        explained = {line.game: line._replace(explanation=item) for line, item in pairs}
        return [explained.get(line.game, line) for line in lines]

    def _names_in(self, ratings: Ratings, games: Sequence[int | None]) -> list[str]:
        """Return the names of all players, those of some games, given by number from 1, as who asks sees them."""
        names, at = [*self._keys], np.array(games, dtype=np.int64) - 1
        for seat in {*np.concatenate([side[at] for side in ratings.ledger.arrays.seats]).tolist()}:
            names[seat] = self.state.labels[names[seat]]
        return names

    def _rated_again(
        self, place: int, content: Sequence[bytes], labels: Mapping[str, str]
    ) -> tuple[pl.DataFrame, Ratings]:
        """Return the games of a block, given by facts and start, and their ratings, with players called by labels."""
        block = self._blocks[place]
        system = self.phase_rules[block.phase].made
        facts, start = content
        games, start_state = stored_facts(facts), checkpoint_of_bytes(start)
        assert start_state.past is not None and isinstance(system, Sequential)  # noqa: S101, PT018  # it has blocks
        players: Ints = start_state.past.numbers
        keys = self._keys
        names = [keys[player] for player in players.tolist()]
        own = [labels.get(name, name) for name in names]
        items = [
            replace(item, player=labels.get(item.player, item.player))
            for item in self._adjustments(block.phase, names, _entered(names, start_state), start_state.last)
        ]
        final = place + 1 == len(self._blocks) or self._blocks[place + 1].phase != block.phase
        games = renumbered(games, players)
        return games, rate_block(system, games, own, items, start_state, final=final)

    @cached_property
    def whole(self) -> Standings:
        """The same standings made from all games, for what only these tell."""
        return self._made_of_all()

    @property
    def phases(self) -> tuple[Phase, ...]:
        """Games that were rated under the same rules, made from all games."""
        return self.whole.phases

    def lines_between(self, first: date, last: date) -> dict[str, list[Explanation]]:
        """Return the lines from one day to another, without reasons, of each player with a game then, by key."""
        return self.whole.lines_between(first, last)

    # the next game

    @cached_property
    def _learned(self) -> Ratings:
        """What was learned beside the ratings, as forecasts and fair terms read it."""
        if not isinstance(self.system, Sequential):
            return self.whole.ratings
        weights, made = self.list.summary["slope_weights"], empty_ratings(self.system)
        return Ratings(replace(made.arrays, slope_weights=None if weights is None else np.array(weights)))

    @cached_property
    def standing_still(self) -> dict[str, float]:
        """Ratings of the day by key, where what was won since its start is not settled yet."""
        return self._standing_still()

    @read_again
    def _standing_still(self) -> dict[str, float]:
        if type(self.system).rating_on is System.rating_on or not self._blocks:
            return {}
        block, last = self._blocks[-1], moment_of(self._blocks[-1].ends)
        if last is None or last.date() + MONTH < self.today:
            return {}
        [[facts, start]] = self._read.columns([len(self._blocks) - 1], "facts", "start")
        games, start_state = stored_facts(facts), checkpoint_of_bytes(start)
        assert start_state.past is not None and isinstance(self.system, Sequential)  # noqa: S101, PT018  # it settles days
        players: Ints = start_state.past.numbers
        names = [self._keys[player] for player in players.tolist()]
        items = self._adjustments(block.phase, names, _entered(names, start_state), start_state.last)
        ratings = rate_block(self.system, renumbered(games, players), names, items, start_state, final=True)
        later = self.system.rating_on(ratings, Moment.of(self.today))  # type: ignore[arg-type]  # there is a day
        differ = np.flatnonzero(ratings.rating != later)
        return {names[place]: float(later[place]) for place in differ.tolist()}

    def row_of_next_game(self, key: str) -> Mapping[str, Any]:
        """Return a player's row with the rating that the next game is rated from, and its rank."""
        row, rating = self.by_key.get(key) or {}, self.standing_still.get(key)
        if rating is None:
            return row
        rank = row["rank"] if self.has_own_ranks else str(self.system.rank(rating) or "")
        return {**row, "rating": rating, "rank": rank}

    def fair_terms(self, one: str, other: str, ranks: Mapping[str, Rank] | None = None) -> Terms:
        """Return the fair terms of the next game of two players, given by key; newcomers stand where they enter.

        `ranks` are those with which newcomers are provisionally taken, by key.
        """
        first, second = (self._opponent(key, ranks, next_game=True) for key in self._two(one, other))
        return self.system.fair_terms(first, second, self._learned)

    def win_probability(self, black: str, white: str, handicap: int = 0, komi: float | None = None) -> float | None:
        """Return the probability that Black, given by key, wins; None where the system has no such law."""
        one, other = (self._opponent(key, next_game=False) for key in self._two(black, white))
        return self.system.win_probability(one, other, handicap, komi, self._learned)

    def newcomers(self, *keys: str) -> list[str]:
        """Return the names of those who have neither games nor a rank yet."""
        people = [self.state.person(key).key for key in keys]
        there = {*self._of_keys(people).values_list("player__key", flat=True)}
        return [self.state.labels[key] for key in people if key not in there]

    def _two(self, one: str, other: str) -> list[str]:
        keys = [self.state.person(key).key for key in (one, other)]
        if keys[0] == keys[1]:
            raise InputError(f"{self.state.labels[keys[0]]} was given twice; a game has two players")
        return keys

    def _opponent(self, key: str, ranks: Mapping[str, Rank] | None = None, *, next_game: bool) -> Opponent:
        """Return where a player stands, or enters."""
        label = self.state.labels[key]
        item = self._of_keys([key]).first()
        if item is None:
            return self.system.newcomer(label, (ranks or {}).get(key), ratings=self._learned)
        rating = math.nan if item.rating is None else item.rating
        if next_game:
            rating = self.standing_still.get(key, rating)
        own = self.has_own_ranks and item.rank_number is not None
        rank = rank_from(item.rank_number) if own else self.system.rank(rating)  # type: ignore[arg-type]  # it is there
        return Opponent(label, rating, item.deviation, rank)

    # of late

    @read_again
    def movements(self, since: date) -> dict[str, Movement]:
        """Return how far each player came who played rated games after a day, by key.

        Only games under the rules now in force are looked at, whose unit the ratings have.
        """
        number, phase = milliseconds(datetime.combine(since, datetime.max.time())), len(self.phase_rules) - 1
        first: dict[int, tuple[float, str]] = {}
        counts: dict[int, int] = {}
        for place, block in enumerate(self._blocks):
            if block.phase == phase and block.ends is not None and block.ends > number:
                for seat, before, rank in self._entered(place, number):
                    first.setdefault(seat, (before, rank))
                    counts[seat] = counts.get(seat, 0) + 1
        items = self._standings.filter(seat__in=first) if first else Standing.objects.none()
        moves = {}
        for key, seat, rating, rank in items.values_list("player__key", "seat", "rating", "rank"):
            before, earlier = first[seat]
            after = math.nan if rating is None else rating
            change = None if self.system.traits.index_of_rank and earlier != rank else after - before
            moves[key] = Movement(key, counts[seat], before, after, earlier, rank, change)
        return moves

    def _entered(self, place: int, number: int) -> Iterator[tuple[int, float, str]]:
        """Yield who played each rated game of a block after a moment, with rating and rank before it, in order."""
        facts, ratings = self._stored([place])
        dates = facts["date"].to_physical().fill_null(number).to_numpy()
        games = ratings.arrays.sequence[dates[ratings.arrays.sequence] > number]
        law: dict[float, str] = {}
        for game in games.tolist():
            for side, seats in enumerate(ratings.ledger.arrays.seats):
                before = float(ratings.arrays.before[game, side])
                if ratings.arrays.rank_numbers is not None:
                    rank = str(rank_from(int(ratings.arrays.rank_numbers[0][game, side])))
                elif before not in law:
                    rank = law[before] = str(self.system.rank(before) or "")
                else:
                    rank = law[before]
                yield int(seats[game]), before, rank


class StoredRowsByKey(Mapping[str, Row]):
    """The rows of a ladder by the key of the player."""

    def __init__(self, made: StoredStandings, rows: dict[str, Row | None]) -> None:
        """Take the standings, and the rows that were read already, to which more are added."""
        self.made, self._rows = made, rows

    def __getitem__(self, key: str) -> Row:
        """Return the row of a player; KeyError for who is not in the ladder."""
        if key not in self._rows:
            self._rows[key] = self.made.rows_of_keys([key]).get(key)
        row = self._rows[key]
        if row is None:
            raise KeyError(key)
        return row

    def __len__(self) -> int:
        """Number of players."""
        return len(self.made.rows)

    def __iter__(self) -> Iterator[str]:
        """Go through the keys, strongest player first."""
        return (row["key"] for row in self.made.rows)


def _entered(names: Sequence[str], start: Checkpoint) -> set[str]:
    """Return which players, by number, have entered at the start of a block."""
    assert start.past is not None  # noqa: S101  # such a system has no blocks
    return {names[place] for place in np.flatnonzero(start.past.entered).tolist()}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
