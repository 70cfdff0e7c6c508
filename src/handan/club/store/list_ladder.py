"""The ladder of a rating list: its rows in any order, each read when somebody looks at it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, overload

from django.db import connection, models
from django.db.models import F, Q, QuerySet

from handan.club.movement import Movement, Summary
from handan.club.people import Person, sorted_as
from handan.club.standings import LadderFilter, LadderOrder
from handan.club.state import State
from handan.club.store.database import snapshot
from handan.club.store.list_models import NOW, RatingList, Standing
from handan.club.store.states import batches
from handan.ratings.ladder import Row

COUNTED = ("games", "wins", "losses", "draws")
ROW = ("player__key", "rating", "rank_number", "beside", "deviation", "rank", *COUNTED, "last_played", "last_updated",
       "pool")  # fmt: skip
"""What is read of a row of the ladder."""
P = ParamSpec("P")
R = TypeVar("R")


def from_snapshot(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Let a question be answered by the list of one moment, read anew where others may write between its queries."""

    @wraps(method)
    def run(self: Ladder, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if not connection.get_autocommit():
            return method(self, *args, **kwargs)
        with snapshot():
            row = RatingList.objects.get(club=self.list.club_id, question=NOW)
            return method(type(self)(row, self.state), *args, **kwargs)

    return run


class LadderRows(Sequence[Row]):
    """Rows of a ladder in some order, of which each part is read when somebody looks at it."""

    def __init__(self, number: Callable[[], int], read: Callable[[slice], list[Row]]) -> None:
        """Take what counts the rows, and what reads those from a start to an end that are there."""
        self._count, self._read = number, read

    @cached_property
    def _number(self) -> int:
        return self._count()

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
            return self._read(slice(start, stop))
        place = range(len(self))[at]
        return self._read(slice(place, place + 1))[0]

    def __iter__(self) -> Iterator[Row]:
        """Go through all rows, which are read together."""
        return iter(self[:])


class RowsByKey(Mapping[str, Row]):
    """The rows of a ladder by the key of the player."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder
        self._rows: dict[str, Row | None] = {}

    def __getitem__(self, key: str) -> Row:
        """Return the row of a player; KeyError for who is not in the ladder."""
        self.prefetch([key])
        row = self._rows[key]
        if row is None:
            raise KeyError(key)
        return row

    def prefetch(self, keys: Iterable[str]) -> None:
        """Fetch the rows of some players at once, before each is asked for."""
        new = [key for key in dict.fromkeys(keys) if key not in self._rows]
        for some in batches(new):
            rows = self.ladder.rows_of_keys(some)
            self._rows |= {key: rows.get(key) for key in some}

    def __len__(self) -> int:
        """Number of players."""
        return len(self.ladder.rows)

    def __iter__(self) -> Iterator[str]:
        """Go through the keys, strongest player first."""
        return iter(self.ladder.strongest_first)


class Ladder:
    """The ladder of a rating list, whose rows are read when somebody asks."""

    def __init__(self, row: RatingList, state: State) -> None:
        """Take the list, and the club as who asks may see it."""
        self.list, self.state = row, state
        self.by_key = RowsByKey(self)
        """The rows by the key of the player."""
        self.last_updated: dict[str, str] = {}
        """Day of the game that was added last of each player whose row was read, by key."""

    @property
    def summary(self) -> Summary:
        """What the list says of all players together."""
        return Summary(**{name: self.list.summary[name] for name in Summary._fields})

    @property
    def standings(self) -> QuerySet[Standing]:
        """The rows in the database."""
        return Standing.objects.filter(list=self.list)

    def prefetch(self, keys: Iterable[str]) -> None:
        """Fetch the rows of some players at once, before each is asked for."""
        self.by_key.prefetch(keys)

    def of_keys(self, keys: Sequence[str]) -> QuerySet[Standing]:
        """Return the rows of players by key, found by the index of the players of a club."""
        return self.standings.filter(player__club=self.list.club_id, player__key__in=keys)

    @property
    def rows(self) -> LadderRows:
        """The ladder, strongest first."""
        return self._rows_in(self._ordered(LadderOrder()), whole=True)

    @property
    def rank_counts(self) -> dict[str, int]:
        """How many players have each rank."""
        return dict(self.standings.exclude(rank="").order_by().values_list("rank").annotate(models.Count("pk")))

    @property
    def strongest_first(self) -> QuerySet[Standing, str]:
        """The keys of the ladder, strongest player first."""
        return self._ordered(LadderOrder()).values_list("player__key", flat=True)

    def ordered(self, order: LadderOrder, chosen: LadderFilter, moves: Mapping[str, Movement]) -> Sequence[Row]:
        """Return the rows of the ladder in an order, those of some players alone."""
        query = self._ordered(order).filter(self._chosen(chosen))
        if order.name == "change":
            return self._of_keys(self._by_change(query, moves, turned=order.turned))
        if order.name == "name":
            there, keys = {*query.values_list("player__key", flat=True)}, self.state.keys_by_name
            return self._of_keys([key for key in keys[:: -1 if order.turned else 1] if key in there])
        return self._rows_in(query, whole=order.is_default and chosen == LadderFilter())

    def _rows_in(self, query: QuerySet[Standing], *, whole: bool) -> LadderRows:
        """Return the rows that a query finds, in its order; `whole` says that they are the ladder itself."""
        number = partial(int, self.list.summary["players"]) if whole else query.count
        return LadderRows(number, lambda part: self.rows_of(query[part], part.start if whole else None))

    def _of_keys(self, keys: Sequence[str]) -> LadderRows:
        """Return the rows of the players whose keys are given, in the order of the keys."""

        def read(part: slice) -> list[Row]:
            rows = self.rows_of_keys(keys[part])
            return [rows[key] for key in keys[part]]

        return LadderRows(keys.__len__, read)

    def members_by(self, name: str, people: Sequence[Person] | None = None) -> Sequence[str]:
        """Return the keys of all members, or of some, by one of the orders of a ladder, most and latest first.

        Equals stand in the order of names, and who has no such figure at the end.
        """
        keys = self.state.keys_by_name if people is None else [person.key for person in sorted(people, key=sorted_as)]
        if name == "name":
            return keys
        if name == "rank":
            figures: dict[str, Any] = {key: -place for place, key in enumerate(self.strongest_first)}
        else:
            figures = dict(self.standings.values_list("player__key", name))
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
            unknown = models.Case(models.When(last_played="", then=1), default=0)
            names = [unknown.asc(), F("last_played").asc() if ascending else F("last_played").desc(), *strength]
        elif order.name in {"rating", "games"}:
            column = F(order.name)
            names = [column.asc(nulls_last=True) if ascending else column.desc(nulls_last=True), *strength]
        else:
            names = strength
        return self.standings.order_by(*names, "seat")

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
        """Return rows as `Standings.rows` has them.

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
        names = self._strength
        strengths = [tuple(item[name] for name in names) for item in items]
        if first is None and len(items) > 1:
            place: dict[Any, int] = {}
            order = self.standings.order_by(*(f"-{name}" for name in names))
            for at, strength in enumerate(order.values_list(*names), 1):
                place.setdefault(strength, at)
            return [place[strength] for strength in strengths]
        places = [self._stronger(items[0]) + 1 if first != 0 else 1]
        for at in range(1, len(items)):
            alike = strengths[at] == strengths[at - 1]
            places.append(places[-1] if alike else (first or 0) + at + 1)
        return places

    @property
    def _strength(self) -> list[str]:
        return ["rank_number", "rating"] if self.summary.own_ranks else ["rating"]

    def _stronger(self, item: Mapping[str, Any]) -> int:
        """Return how many players stand above a row."""
        above = Q(rating__gt=item["rating"])
        if self.summary.own_ranks:
            above = Q(rank_number__gt=item["rank_number"]) | (Q(rank_number=item["rank_number"]) & above)
        return self.standings.filter(above).count()

    def rows_of_keys(self, keys: Sequence[str]) -> dict[str, Row]:
        """Return the rows of players by key; who does not stand in the list has none."""
        return {row["key"]: row for row in self.rows_of(self.of_keys(keys))}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
