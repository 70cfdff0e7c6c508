"""What is sent to the programming interface."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import fields
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from ninja import Schema
from pydantic import BeforeValidator, ConfigDict, Field, create_model

from handan.systems import SYSTEMS

S = TypeVar("S", bound=Schema)


def fields_of(
    record: type, *, without: Collection[str] = (), nullable: Collection[str] = ()
) -> Callable[[type[S]], type[S]]:  # fmt: skip
    """Give a schema the fields of a dataclass or named tuple before its own; an answer has all of them.

    Args:
        record: Which one.
        without: Fields that are not sent, or in another type, which the schema declares itself.
        nullable: Fields that are null where the number is not finite.
    """
    hints = get_type_hints(record)
    own = record._fields if hasattr(record, "_fields") else [field.name for field in fields(record)]
    names = [name for name in own if name not in without]
    return _with_fields((name, (hints[name] | None if name in nullable else hints[name], ...)) for name in names)


def changes_of_fields(body: type[Schema], *, without: Collection[str] = ()) -> Callable[[type[S]], type[S]]:
    """Give the body of a change the fields of the body that makes the thing, each optional."""
    hints = get_type_hints(body, include_extras=True)
    names = [name for name in hints if name in body.__annotations__ and name not in without]
    return _with_fields((name, (_without_default(hints[name]) | None, None)) for name in names)


def _without_default(hint: Any) -> Any:
    """Return the type of a field with its bounds, but not with what makes its default."""
    kind, *others = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    bounds = [each.metadata if getattr(each, "default_factory", None) else [each] for each in others]
    for bound in chain.from_iterable(bounds):
        kind = Annotated[kind, bound]
    return kind


def _with_fields(more: Iterable[tuple[str, Any]]) -> Callable[[type[S]], type[S]]:
    """Return a decorator that makes a schema anew, with more fields before those that it declares."""
    earlier = dict(more)

    def decorate(schema: type[S]) -> type[S]:
        base, own = schema.__bases__[0], schema.__annotations__
        declared = {name: (info.annotation, info) for name, info in schema.model_fields.items() if name in own}
        made: type[S] = create_model(  # type: ignore[call-overload]
            schema.__name__, __base__=base, __doc__=schema.__doc__, __module__=schema.__module__, **earlier, **declared
        )
        return made

    return decorate


Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", json_schema_extra={"format": "date"})]
GameKey = Annotated[str, Field(pattern=r"^g[1-9][0-9]{0,14}$")]
PlayerKey = Annotated[str, Field(pattern=r"^([a-z][a-z0-9-]{0,39}\.)?p[1-9][0-9]{0,14}$")]
SheetKey = Annotated[str, Field(pattern=r"^s[1-9][0-9]{0,14}$")]
EventKey = Annotated[str, Field(pattern=r"^([a-z][a-z0-9-]{0,39}\.)?e[1-9][0-9]{0,14}$")]
AdjustmentKey = Annotated[str, Field(pattern=r"^a[1-9][0-9]{0,14}$")]
Slug = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
Text = Annotated[str, Field(max_length=200, pattern=r"^[^\u0000]*$")]
Token = Annotated[str, Field(max_length=64, pattern=r"^[^\u0000]*$")]
LongText = Annotated[str, Field(max_length=2000, pattern=r"^[^\u0000]*$")]
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\u0000]*[^\s\u0000][^\u0000]*$")]
if TYPE_CHECKING:
    SystemName = str
else:
    SystemName = Literal[tuple(SYSTEMS)]


def _whole(value: Any) -> Any:
    """Take 3.0 for 3, as JSON does; nothing else is turned into a number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)


class Body(Schema):
    """What is sent: nothing unknown, nothing read in another type than it has."""

    model_config = ConfigDict(extra="forbid", strict=True)
    token: Token | None = None
    """A mark of the sender's choice, as the header Idempotency-Key: sent again, it is carried out once."""


class Asked(Schema):
    """Which standings are asked for: as of a day, as known on a day, under another system."""

    as_of: Day | None = None
    known: Day | None = None
    system: SystemName | None = None


class Part(Schema):
    """Which part of a list."""

    limit: Annotated[int, Field(ge=1, le=1000)] = 100
    offset: Annotated[int, Field(ge=0, le=10**9)] = 0


class Whole(Schema):
    """Which part of a list that is given whole where nothing is asked."""

    limit: Annotated[int, Field(ge=1, le=1000)] | None = None
    offset: Annotated[int, Field(ge=0, le=10**9)] = 0


class Ladder(Asked, Whole):
    """Which standings, and which part of the list."""


class Search(Part):
    """Fragments of a name, and a category by age."""

    q: Text = ""
    category: Text = ""


class Games(Part):
    """Which games."""

    player: PlayerKey | None = None
    event: Text = ""
    """Key of an event, or the word of an evening."""


class Events(Part):
    """Which events."""

    year: Annotated[int, Field(ge=1, le=9998)] | None = None
    country: Text = ""
    kind: Text = ""


class Behind(Schema):
    """Which entries."""

    after: Annotated[int, Field(ge=0, le=10**9)] = 0
    limit: Annotated[int, Field(ge=1, le=1000)] = 100


class Submitted(Part):
    """Which files of results."""

    waiting: bool = False
    """Those alone that wait."""


class Look(Schema):
    """Whether a change is only looked at."""

    preview: bool = False


class FileOf(Look):
    """A file of results that is sent as the body of a call: what it is called, and how it is read."""

    name: Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\u0000/\\]*[^\s.\u0000/\\][^\u0000/\\]*$")]
    note: LongText = ""
    dates: Literal["dmy", "mdy", "ymd"] | None = None
    """In which order its dates are written, where they do not say it."""
    letters: Annotated[str, Field(max_length=10, pattern=r"^[^\u0000]*$")] | None = None
    """Those of Black and White in its results, such as bw, where they do not say it."""
    encoding: Annotated[str, Field(max_length=40, pattern=r"^[^\u0000]*$")] | None = None


class Acceptance(Body):
    """Which doubts about a file are answered."""

    newcomers: bool = False
    """Whether players who are new here are registered."""
    another: bool = False
    """Whether games that look like some in the ledger are others."""
    counts: bool = False
    """Whether games count that the points of members hold already."""


class Word(Body):
    """Why a file of results is returned."""

    word: Annotated[str, Field(min_length=1, max_length=2000, pattern=r"^[^\u0000]*[^\s\u0000][^\u0000]*$")]


class Pair(Schema):
    """Two players."""

    one: PlayerKey
    other: PlayerKey


class PlayerIn(Body):
    """A player to be registered."""

    name: Name
    reading: Text = ""
    country: Text = ""
    club: Text = ""
    ids: Annotated[list[Text], Field(max_length=20, default_factory=list)]
    rank: Annotated[str, Field(max_length=8)] | None = None
    """On entry."""
    rating: float | None = None
    """Points or rating on entry, in the unit of the club's system."""
    date: Annotated[str, Field(max_length=10)] | None = None
    """The day before whose games the rating was so; without it before all games."""


class EarlierHome(Schema):
    """A country and club that a player has left."""

    model_config = ConfigDict(extra="forbid", strict=True)
    until: Day
    """The day from which the next ones hold."""
    country: Text = ""
    club: Text = ""


@changes_of_fields(PlayerIn, without={"rank", "rating", "date"})
class PlayerChange(Body):
    """What changes of a player; the rest stays."""

    since: Day | None = None
    """The day from which another country or club holds; those of before are kept. Without it, it was a mistake."""
    earlier_homes: Annotated[list[EarlierHome], Field(max_length=50)] | None = None
    """Countries and clubs before those of now, in place of those that are known."""
    reason: LongText = ""


class GameIn(Body):
    """A game to be entered."""

    black: PlayerKey
    white: PlayerKey
    result: Annotated[str, Field(min_length=1, max_length=20, examples=["B+R", "W+3.5", "jigo"])]
    date: Day | None = None
    handicap: Annotated[int, Field(ge=0, le=99), WHOLE] = 0
    komi: Annotated[float, Field(ge=-400, le=400)] | None = None
    size: Annotated[int, Field(ge=2, le=52), WHOLE] = 19
    kind: Text = ""
    event: Text = ""
    round: Annotated[int, Field(ge=0, le=1_000_000), WHOLE] | None = None
    server: Text = ""
    """Whose ranks the players have; empty: the club's."""
    moves: Annotated[int, Field(ge=0, le=1_000_000), WHOLE] | None = None
    notes: LongText = ""
    another: bool = False
    """Enter it though it looks like a game that is there: the same players, day and winner."""
    as_played: bool = False
    """Enter it though it is seldom so: a jigo at half a point, stones of the stronger player, a day of long ago."""
    counts: bool = False
    """It counts though the points with which its players came are of a later day; otherwise it is history."""


@changes_of_fields(GameIn, without={"another", "as_played", "counts", "result"})
class GameChange(Body):
    """How a game really was; what is not told stays, and null clears."""

    result: Annotated[str, Field(min_length=1, max_length=20)] | None = None
    reason: LongText = ""
    another: bool = False
    """Correct it though it then looks like a game that is there."""
    as_played: bool = False
    """Correct it though it then is seldom so."""


class Reason(Body):
    """Why."""

    reason: LongText = ""


class Split(Reason):
    """Which merger is undone, or who are two people."""

    apart: PlayerKey | None = None
    """Another player, who is somebody else; the two are not proposed as one person again."""


class Restoring(Reason):
    """Why a game is brought back."""

    another: bool = False
    """Restore it though it looks like a game that is there."""


class Seen(Body):
    """The last entry about a game or sheet that was seen (its `entry`)."""

    entry: Annotated[int, Field(ge=1, le=10**15), WHOLE]


class LineIn(Schema):
    """A line of a record sheet; one without anything keeps its number on the paper."""

    model_config = ConfigDict(extra="forbid", strict=True)
    black: Text = ""
    """Key, number, name, reading or a part of them, as on the page."""
    white: Text = ""
    result: Annotated[str, Field(max_length=20, examples=["B+R", "W+3.5", "jigo"])] = ""
    handicap: Annotated[int, Field(ge=0, le=99), WHOLE] = 0
    komi: Annotated[float, Field(ge=-400, le=400)] | None = None
    kind: Text = ""
    date: Day | None = None
    notes: LongText = ""
    event: Text = ""
    round: Annotated[int, Field(ge=0, le=1_000_000), WHOLE] | None = None
    another: bool = False
    """Enter it though it looks like a game that is there, or like another line."""
    as_played: bool = False
    """Enter it though it is seldom so."""


class SheetIn(Body):
    """A record sheet in the order of the paper, with what is known of names that nobody clearly bears."""

    lines: Annotated[list[LineIn], Field(min_length=1, max_length=150)]
    date: Day | None = None
    """Of the lines that have none."""
    kind: Text = ""
    """Of the lines that have none."""
    people: Annotated[dict[Text, PlayerKey], Field(max_length=300, default_factory=dict)]
    """Whom a name means: a key."""
    newcomers: Annotated[dict[Text, Annotated[str, Field(max_length=8)]], Field(max_length=300, default_factory=dict)]
    """Ranks on entry of new players by name, empty for none; no other name becomes a member."""
    sheet: SheetKey | None = None
    """The entered sheet whose further lines these are."""
    counts: bool = False
    """Games count though the points with which their players came are of a later day; otherwise they are history."""


Round = Annotated[int, Field(ge=1, le=1000), WHOLE]


class Bye(Schema):
    """A round without an opponent."""

    model_config = ConfigDict(extra="forbid", strict=True)
    round: Round
    kind: Literal["bye", "free point", "half bye", "absence"]


class ParticipantIn(Schema):
    """Who takes part in an event, with or without a game."""

    model_config = ConfigDict(extra="forbid", strict=True)
    player: PlayerKey
    rank: Annotated[str, Field(max_length=8)] = ""
    """As declared."""
    place: Annotated[int, Field(ge=1, le=10_000), WHOLE] | None = None
    byes: Annotated[list[Bye], Field(max_length=1000, default_factory=list)]
    figures: Annotated[list[Text], Field(max_length=100, default_factory=list)]
    """Points and tie-breaks as printed, one for each of the event's criteria."""
    country: Text = ""
    club: Text = ""
    preliminary: bool = False
    """Whether the player is only registered."""


class PairingIn(Schema):
    """A game that was paired and not played, or not yet."""

    model_config = ConfigDict(extra="forbid", strict=True)
    round: Round
    black: PlayerKey
    white: PlayerKey
    handicap: Annotated[int, Field(ge=0, le=99), WHOLE] = 0


class EventIn(Body):
    """A tournament or another event; its games are those with its name on its days."""

    event: Name
    first: Day
    last: Day | None = None
    rounds: Annotated[int, Field(ge=0, le=1000), WHOLE] = 0
    code: Text = ""
    kind: Text = ""
    """As that of its games: tournament-a … tournament-d, tournament, league, …"""
    country: Text = ""
    city: Text = ""
    director: Text = ""
    minutes: Annotated[float, Field(ge=0, le=100_000)] | None = None
    """Adjusted thinking time of a player."""
    komi: Annotated[float, Field(ge=-400, le=400)] | None = None
    size: Annotated[int, Field(ge=2, le=52), WHOLE] | None = None
    reduction: Annotated[int, Field(ge=0, le=30), WHOLE] | None = None
    """Stones by which a handicap is less than the difference of ranks or scores."""
    most_stones: Annotated[int, Field(ge=0, le=30), WHOLE] | None = None
    comments: Annotated[list[LongText], Field(max_length=100, default_factory=list)]
    criteria: Annotated[list[Text], Field(max_length=100, default_factory=list)]
    participants: Annotated[list[ParticipantIn], Field(max_length=10_000, default_factory=list)]
    pairings: Annotated[list[PairingIn], Field(max_length=10_000, default_factory=list)]


@changes_of_fields(EventIn)
class EventChange(Body):
    """What changes of an event; the rest stays."""

    reason: LongText = ""


class EventMove(Reason):
    """The day on which an event is to begin."""

    date: Day
    another: bool = False
    """Move it though a game then looks like one that is there."""


class EveningMove(EventMove):
    """The evening whose games get another day."""

    event: Name
    day: Day


class CheckWithdrawal(Reason):
    """A check that is taken back."""

    entry: Annotated[int, Field(ge=1, le=10**15), WHOLE]
    """The entry that says it: the last of the sheet's `checked`."""


class Objection(Seen):
    """What was otherwise, with the last entry about the game that was seen."""

    reason: Annotated[str, Field(min_length=1, max_length=2000, pattern=r"^[^\u0000]*[^\s\u0000][^\u0000]*$")]


class Merge(Body):
    """Whom a player was found to be."""

    into: PlayerKey
    reason: LongText = ""


class AdjustmentIn(Body):
    """A rank or rating to be set by hand."""

    player: PlayerKey
    rank: Annotated[str, Field(max_length=8)] | None = None
    rating: Annotated[float, Field(gt=-1e9, lt=1e9)] | None = None
    date: Day | None = None
    at_least: bool = False
    deviation: Annotated[float, Field(gt=0, lt=1e9)] | None = None
    reason: LongText = ""


class RulesIn(Body):
    """Rules to be set from a date on."""

    system: SystemName
    settings: Annotated[dict[str, str | float | bool], Field(default_factory=dict)]
    since: Day | None = None
    confirmation: Literal["none", "loser", "both"] = "none"
    reason: LongText = ""


class ZoneIn(Body):
    """The zone in which the club's days begin."""

    zone: Annotated[str, Field(max_length=64, pattern=r"^[^\u0000]*$", examples=["Asia/Tokyo", ""])]
    """A name of the IANA database; empty: the server's."""
    reason: LongText = ""


class ListIn(Body):
    """A list to be published."""

    label: Text = ""
    as_of: Day | None = None


RoleName = Literal["player", "keeper", "secretary", "officer", "administrator"]


class MemberIn(Body):
    """The role that a member gets; none ends the membership."""

    role: RoleName | None
    player: PlayerKey | None = None


class InvitationIn(Body):
    """For what a link is made."""

    role: RoleName
    player: PlayerKey | None = None
