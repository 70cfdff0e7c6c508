"""What goes in and comes out of the programming interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from ninja import Schema
from pydantic import BeforeValidator, ConfigDict, Field

from handan.systems import SYSTEMS

Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", json_schema_extra={"format": "date"})]
GameKey = Annotated[str, Field(pattern=r"^g[1-9][0-9]{0,14}$")]
PlayerKey = Annotated[str, Field(pattern=r"^([a-z][a-z0-9-]{0,39}\.)?p[1-9][0-9]{0,14}$")]
AdjustmentKey = Annotated[str, Field(pattern=r"^a[1-9][0-9]{0,14}$")]
Slug = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
Text = Annotated[str, Field(max_length=200, pattern=r"^[^\u0000]*$")]
LongText = Annotated[str, Field(max_length=2000, pattern=r"^[^\u0000]*$")]
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\u0000]*\S[^\u0000]*$")]
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


class Asked(Schema):
    """Which standings are asked for: as of a day, as known on a day, under another system."""

    as_of: Day | None = None
    known: Day | None = None
    system: SystemName | None = None


class Search(Schema):
    """Fragments of a name."""

    q: Text = ""
    limit: Annotated[int, Field(ge=1, le=1000)] = 100


class Games(Schema):
    """Which games."""

    player: PlayerKey | None = None
    limit: Annotated[int, Field(ge=1, le=1000)] = 100
    offset: Annotated[int, Field(ge=0, le=10**9)] = 0


class Behind(Schema):
    """Which entries."""

    after: Annotated[int, Field(ge=0, le=10**9)] = 0
    limit: Annotated[int, Field(ge=1, le=1000)] = 100


class Pair(Schema):
    """Two players."""

    one: PlayerKey
    other: PlayerKey


class Look(Schema):
    """Whether a change is only looked at."""

    preview: bool = False


class Fault(Schema):
    """Why something was refused."""

    message: str
    field: str | None = None


class Club(Schema):
    """A club and where its ledger stands."""

    slug: str
    name: str
    federation: str | None
    system: str
    entry: int
    digest: str


class Standing(Schema):
    """A row of a ladder."""

    place: int
    key: str
    player: str
    rank: str
    rating: float | None
    deviation: float | None
    games: int
    wins: int
    losses: int
    draws: int
    last_played: str | None
    pool: int | None


class Stand(Schema):
    """Up to which entry a ledger was read."""

    entry: int
    digest: str


class Ladder(Schema):
    """A list of a club: live, or of a day."""

    club: str
    label: str
    system: str
    as_of: str | None
    ledger: Stand
    players: list[Standing]


class Player(Schema):
    """A player."""

    key: str
    name: str
    label: str
    reading: str
    country: str
    club: str
    ids: list[str]


class PlayerIn(Body):
    """A player to be registered."""

    name: Name
    reading: Text = ""
    country: Text = ""
    club: Text = ""
    ids: Annotated[list[Text], Field(max_length=20, default_factory=list)]
    rank: Annotated[str, Field(max_length=8)] | None = None
    token: Text | None = None


class PlayerChange(Body):
    """What changes of a player; the rest stays."""

    name: Name | None = None
    reading: Text | None = None
    country: Text | None = None
    club: Text | None = None
    ids: Annotated[list[Text], Field(max_length=20)] | None = None
    reason: LongText = ""


class Game(Schema):
    """A game as it stands."""

    key: str
    date: str | None
    black: str
    white: str
    black_name: str
    white_name: str
    result: str
    handicap: int
    komi: float | None
    size: int
    kind: str
    event: str
    round: int | None
    moves: int | None
    notes: str
    status: str


class Change(Schema):
    """What a game did to one side, with the factors that make it."""

    game: int | None
    date: str
    opponent: str
    colour: str
    handicap: int
    komi: float | None
    result: str
    before: float | None
    change: float | None
    after: float | None
    rank_before: str
    rank_after: str
    note: str
    factors: list[dict[str, Any]]
    combine: str
    rounding: str
    facts: dict[str, Any]


class GameFull(Game):
    """A game with what it did to Black and White."""

    changes: list[Change]


class CardLine(Change):
    """A line of a player's card."""

    key: str
    opponent_key: str
    system: str


class Card(Schema):
    """A player's card."""

    key: str
    player: str
    label: str
    lines: list[CardLine]


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
    moves: Annotated[int, Field(ge=0, le=1_000_000), WHOLE] | None = None
    notes: LongText = ""
    token: Text | None = None


class GameChange(Body):
    """How a game really was; what is not told stays, and null clears."""

    black: PlayerKey | None = None
    white: PlayerKey | None = None
    result: Annotated[str, Field(min_length=1, max_length=20)] | None = None
    date: Day | None = None
    handicap: Annotated[int, Field(ge=0, le=99), WHOLE] | None = None
    komi: Annotated[float, Field(ge=-400, le=400)] | None = None
    size: Annotated[int, Field(ge=2, le=52), WHOLE] | None = None
    kind: Text | None = None
    event: Text | None = None
    round: Annotated[int, Field(ge=0, le=1_000_000), WHOLE] | None = None
    moves: Annotated[int, Field(ge=0, le=1_000_000), WHOLE] | None = None
    notes: LongText | None = None
    reason: LongText = ""


class Reason(Body):
    """Why."""

    reason: LongText = ""


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
    reason: LongText = ""
    token: Text | None = None


class Adjustment(Schema):
    """A rank or rating set by hand."""

    key: str
    player: str
    rank: str | None
    rating: float | None
    date: str | None
    at_least: bool
    note: str
    withdrawn: bool


class Moved(Schema):
    """A player whose rating a change moves."""

    key: str
    player: str
    before: float | None
    after: float | None
    change: float | None
    rank_before: str
    rank_after: str
    place_before: int | None
    place_after: int | None


class Written(Schema):
    """The entries that a change has made, or would make, and whom it moves."""

    entries: list[int]
    subject: str
    preview: bool
    moved: list[Moved]


class Terms(Schema):
    """Who takes what in the next game of two players."""

    black: str
    white: str
    colours: str
    difference: float
    card_stones: int
    free_stones: int
    stones_on_board: int
    komi: float | None
    tie: str
    text: str
    chance: float | None


class Rules(Schema):
    """Rules from a date on."""

    system: str
    settings: dict[str, Any]
    since: str | None
    confirmation: str


class RulesIn(Body):
    """Rules to be set from a date on."""

    system: SystemName
    settings: Annotated[dict[str, str | float | bool], Field(default_factory=dict)]
    since: Day | None = None
    confirmation: Literal["none", "loser", "both"] = "none"
    reason: LongText = ""


class Entry(Schema):
    """An entry of the ledger."""

    number: int
    kind: str
    subject: str
    facts: dict[str, Any]
    author: str
    entered: str
    reason: str
    previous: str
    digest: str


class Listed(Schema):
    """An official list."""

    number: int
    label: str
    as_of: str
    system: str
    entry: int


class ListIn(Body):
    """A list to be published."""

    label: Text = ""
    as_of: Day | None = None


class Member(Schema):
    """A member and his role."""

    account: str
    role: str
    player: str


RoleName = Literal["player", "keeper", "secretary", "officer", "administrator"]


class MemberIn(Body):
    """The role that a member gets; none ends the membership."""

    role: RoleName | None
    player: PlayerKey | None = None


class InvitationIn(Body):
    """For what a link is made."""

    role: RoleName
    player: PlayerKey | None = None


class Invitation(Schema):
    """The link, shown once."""

    path: str


class Count(Schema):
    """How many entries."""

    entries: int
