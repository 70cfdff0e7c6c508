"""Events: tournaments as files tell them, with all who took part and what they did in the rounds without a game.

Games stay in the ledger's table; an event says who took part, with what rank and in which place, who was left over,
absent or got a point for nothing in which round, and which games were paired and not played. A reader hands its event
to `handan.files.games.contents.Contents.events`; `Ledger.events` keeps it; writers look there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

import polars as pl

from handan.errors import Clause, FieldError, shown
from handan.ledger.dates import DAY, When
from handan.ledger.facts import Player
from handan.ledger.identity import unlabelled


class Bye(StrEnum):
    """What a participant has in a round without an opponent, as FIDE tells kinds of byes apart."""

    ALLOCATED = "bye"
    """A win without an opponent, since the number of players was odd."""
    FULL_POINT = "free point"
    """A point that was given for another reason."""
    HALF_POINT = "half bye"
    """Half a point."""
    ZERO_POINT = "absence"
    """Nothing."""

    @property
    def symbol(self) -> str:
        """The symbol of the result that is worth as much, as the cells of tables have it."""
        return SYMBOL_OF_BYE[self]

    @property
    def points(self) -> float:
        """What it counts in the score."""
        return POINTS[self.symbol]


SYMBOL_OF_BYE = {Bye.ALLOCATED: "+", Bye.FULL_POINT: "+", Bye.HALF_POINT: "=", Bye.ZERO_POINT: "-"}
POINTS = {"+": 1.0, "=": 0.5, "-": 0.0, "?": 0.0}
"""What a result counts in the score by its symbol; `?` is a game without a result."""


@dataclass(frozen=True, slots=True)
class Participant:
    """One player of an event, with or without a game."""

    player: Player
    """As the event lists them: name (that of the ledger where they have a game), id, country, club, declared rating."""
    rank: str = ""
    """As declared."""
    place: int | None = None
    """In the final order, as the file declares it; several may share one. None where the file has no order."""
    byes: tuple[tuple[int, Bye], ...] = ()
    """Rounds without an opponent, ascending, and what each was; a round that is not here has a game, or is unknown."""
    figures: tuple[str, ...] = ()
    """Points and tie-breaks as they are printed, one for each of the event's `criteria`."""
    preliminary: bool = False
    """Whether the player is only registered."""
    settings: tuple[tuple[str, str], ...] = ()
    """What else the program that made the file keeps of the player, by its own names, such as `smmsCorrection`."""

    @property
    def surname_and_given_name(self) -> tuple[str, str]:
        """The parts of the name: as the file has them, else parted at the first blank, with the surname before it."""
        own, name = dict(self.settings), unlabelled(self.player)
        pair = own.get("name", ""), own.get("firstName", "")
        return pair if " ".join(" ".join(pair).split()) == name else name.partition(" ")[::2]


UNNAMED = "Tournament"
"""What an event is called that has no name, where it needs one."""
NO_HANDICAP_RULE = 9
"""`Event.reduction` of which no handicap is left: `h9` of H9 tables, whose cells tell all handicaps."""


def unnamed(day: When | None) -> str:
    """Return what an event without a name is called that begins on a day, if one is known."""
    return UNNAMED if day is None else f"{UNNAMED} {str(day)[:DAY]}"


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game that was paired and of which no result is known."""

    round: int
    black: str
    white: str
    handicap: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament, or a club evening."""

    name: str
    """That of its games (`Game.event`)."""
    first: When | None = None
    """Its first day, which is the date of its games where they have none of their own."""
    last: When | None = None
    """Its last day, where the file tells it."""
    rounds: int = 0
    participants: tuple[Participant, ...] = ()
    """In the final order where the file has one, else as the file lists them."""
    pairings: tuple[Pairing, ...] = ()
    """Games that were not played, or not yet."""
    code: str = ""
    """Under which a register keeps it, such as `T160605A`."""
    kind: str = ""
    """That of its games: tournament, tournament-a … tournament-d, or tournament-x for one of no class."""
    country: str = ""
    """Two letters."""
    city: str = ""
    director: str = ""
    minutes: float | None = None
    """Adjusted thinking time of a player: main time and what the overtime is worth."""
    komi: float | None = None
    """Of even games."""
    size: int | None = None
    """Lines of the board."""
    reduction: int | None = None
    """Stones by which a handicap is less than the difference of ranks or scores, where the file tells it;
    `NO_HANDICAP_RULE` where it says that no handicap follows from these."""
    most_stones: int | None = None
    """The largest handicap; 0 where all games are even."""
    comments: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    """Names of the columns of points and tie-breaks (`Participant.figures`), the first decides first; a column whose
    name the file does not tell is called ""."""
    settings: tuple[tuple[str, str], ...] = ()
    """What else the program was set to that made the file, by its own names, such as `PairingParameterSet.seedSystem`;
    written back into files of that program."""

    @property
    def has_handicap_rule(self) -> bool:
        """Whether handicaps follow from the difference of ranks or scores, less the `reduction`."""
        return self.reduction is not None and self.reduction < NO_HANDICAP_RULE

    @property
    def tells_byes_alone(self) -> bool:
        """Whether it says no more than who had byes, as a table of games does."""
        return replace(self, first=None, last=None, participants=()) == Event(self.name, kind=self.kind)

    @property
    def places(self) -> bool:
        """Whether the order of the participants is that of their places."""
        return any(each.place is not None for each in self.participants)

    def renamed(self, name_of: Mapping[tuple[str, str], str]) -> Event:
        """Return the event with participants of other names, by name and id; pairings name them anew too.

        A pairing bears a name alone: one that several participants bear stays there as it is.
        """
        names = [name_of.get((each.player.name, each.player.id), each.player.name) for each in self.participants]
        if all(name == each.player.name for name, each in zip(names, self.participants, strict=True)):
            return self
        participants = tuple(
            replace(each, player=replace(each.player, name=name))
            for name, each in zip(names, self.participants, strict=True)
        )
        bearers: dict[str, set[str]] = {}
        for name, each in zip(names, self.participants, strict=True):
            bearers.setdefault(each.player.name, set()).add(name)
        single = {name: next(iter(own)) for name, own in bearers.items() if len(own) == 1}
        pairings = tuple(
            replace(each, black=single.get(each.black, each.black), white=single.get(each.white, each.white))
            for each in self.pairings
        )
        return replace(self, participants=participants, pairings=pairings)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data without what is empty, from which `event_of` makes the event again."""
        own = {name: getattr(self, name) for name in PLAIN}
        days = {"first": self.first, "last": self.last}
        whole = {
            **own,
            **{name: str(day) for name, day in days.items() if day is not None},
            "participants": [_participant_data(each) for each in self.participants],
            "pairings": [[each.round, each.black, each.white, each.handicap] for each in self.pairings],
        }
        return {name: value for name, value in whole.items() if value not in ("", None, [], ())}


LISTS = ("comments", "criteria", "settings")
PLAIN = (
    "name", "rounds", "code", "kind", "country", "city", "director", "minutes", "komi", "size", "reduction",
    "most_stones", *LISTS,
)  # fmt: skip
OF_PLAYER = tuple(item.name for item in fields(Player) if item.name != "order")


def _participant_data(each: Participant) -> dict[str, Any]:
    """Return a participant as plain data without what is empty."""
    whole = {
        **{name: getattr(each.player, name) for name in OF_PLAYER},
        "rank": each.rank, "place": each.place, "rests": [[number, bye.value] for number, bye in each.byes],
        "figures": each.figures, "preliminary": each.preliminary, "settings": [list(pair) for pair in each.settings],
    }  # fmt: skip
    return {name: value for name, value in whole.items() if value not in ("", None, [], (), False)}


def event_of(data: Mapping[str, Any]) -> Event:
    """Return the event that plain data stand for; KeyError, TypeError or ValueError if they are none."""
    days = {name: _day(name, data[name]) for name in ("first", "last") if name in data}
    own: dict[str, Any] = {name: data[name] for name in PLAIN if name in data}
    lists: dict[str, Any] = {
        name: tuple(tuple(item) if isinstance(item, list) else item for item in own[name])
        for name in LISTS if name in own
    }  # fmt: skip
    return Event(
        **(own | lists | days),
        participants=tuple(_participant_of(each) for each in data.get("participants", ())),
        pairings=tuple(Pairing(*each) for each in data.get("pairings", ())),
    )


def _day(name: str, written: Any) -> When:
    """Return the day of a field; ledgers of earlier versions keep how much of it is known behind its text."""
    text = written if isinstance(written, str) else written[0]
    try:
        return When.parse(text)
    except FieldError as fault:
        raise FieldError(name, text, fault.expected) from None


def _participant_of(data: Mapping[str, Any]) -> Participant:
    return Participant(
        Player(**{name: data[name] for name in OF_PLAYER if name in data}),
        rank=data.get("rank", ""),
        place=data.get("place"),
        byes=tuple((number, Bye(bye)) for number, bye in data.get("rests", ())),
        figures=tuple(data.get("figures", ())),
        preliminary=data.get("preliminary", False),
        settings=tuple((str(name), str(value)) for name, value in data.get("settings", ())),
    )


def joined(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return events of which those of one name and first day are one, as files that hold a round each tell them."""
    merged: dict[tuple[str, When | None], Event] = {}
    for event in events:
        key = event.name, event.first
        merged[key] = _together(merged[key], event) if key in merged else event
    return tuple(merged.values())


def two_in_one(events: Iterable[Event]) -> list[Clause]:
    """Return a warning of each event of which files tell two places, or codes, as those of two events do."""
    first: dict[tuple[str, When | None], Event] = {}
    warnings = []
    for event in events:
        same = first.setdefault((event.name, event.first), event)
        pairs = [(getattr(same, name), getattr(event, name)) for name in ("code", "city", "country")]
        if any(one != other for one, other in pairs if one and other):
            one, other = (", ".join(filter(None, facts)) for facts in zip(*pairs, strict=True))
            name = shown(event.name) + (f" ({str(event.first)[:DAY]})" if event.first else "")
            pattern = (
                "{name} is {one} in one file and {other} in another; its games are one event, and the first counts"
            )
            warnings.append(Clause.of(pattern, name=name, one=one, other=other))
    return list(dict.fromkeys(warnings))


def merged_event(parts: Sequence[Event]) -> Event:
    """Return what several files tell of one event, which begins as the first of them says."""
    [whole] = joined(replace(each, first=parts[0].first) for each in parts)
    return whole


def _together(one: Event, other: Event) -> Event:
    """Return two parts of an event as one; what the first says of a player or of a round counts."""
    players = {_who(each.player): each for each in one.participants}
    for each in other.participants:
        same = players.get(_who(each.player))
        byes: dict[int, Bye] = dict(each.byes)
        byes.update(same.byes if same else ())
        players[_who(each.player)] = replace(same or each, byes=tuple(sorted(byes.items())))
    pairings = tuple(dict.fromkeys((*one.pairings, *other.pairings)))
    rounds = max(one.rounds, other.rounds)
    return replace(one, participants=tuple(players.values()), pairings=pairings, rounds=rounds)


def _who(player: Player) -> str:
    return player.id or player.name


def with_names_of_games(events: Collection[Event], table: pl.DataFrame, games: pl.DataFrame) -> tuple[Event, ...]:
    """Return events whose participants bear the names that the ledger gave to the players of their games.

    A participant is the player of the same name and id, else of the same id; one without an id is the only player
    of that name, and keeps the name where there are several.

    Args:
        events: As files tell them.
        table: Names and ids of the games as files tell them.
        games: The same games with the names that the ledger gave.
    """
    sides = [pl.DataFrame({"name": table[f"{side}"], "id": table[f"{side}_id"], "label": games[side]}).unique()
             for side in ("black", "white")]  # fmt: skip
    rows = sorted(pl.concat(sides).unique().iter_rows())
    labels = {(name, number): label for name, number, label in rows}
    label_of_id = {number: label for _, number, label in rows if number}
    labels_of_name: dict[str, set[str]] = {}
    for name, _, label in rows:
        labels_of_name.setdefault(name, set()).add(label)
    for name, number in {(each.player.name, each.player.id) for event in events for each in event.participants}:
        if (name, number) in labels:
            continue
        if number in label_of_id:
            labels[name, number] = label_of_id[number]
        elif not number and len(labels_of_name.get(name, ())) == 1:
            [labels[name, number]] = labels_of_name[name]
    return tuple(event.renamed(labels) for event in events)
