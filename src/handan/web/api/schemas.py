"""What the programming interface answers."""

from __future__ import annotations

from typing import Any

from ninja import Schema

from handan import handicaps
from handan.club import rules
from handan.club.people import Home, Person
from handan.club.service.operation import Outcome
from handan.club.service.sheets import SheetFacts
from handan.club.state import ClubAdjustment, OfficialList, Source
from handan.ratings import Explanation
from handan.web.api.bodies import Bye, fields_of


class Fault(Schema):
    """Why something was refused."""

    message: str
    field: str | None = None
    twin: str | None = None
    """Key of the game that a refused one looks like."""


class NamedPlayer(Schema):
    """A player whom a name may mean."""

    key: str
    name: str
    reading: str


class NameQuestion(Schema):
    """A name that nobody clearly bears; `people` or `newcomers` of the next call answer it."""

    field: str
    name: str
    """Without a rank behind it; answers are given by it."""
    rank: str
    """Which stands behind the name, as `3k`; empty for none."""
    candidates: list[NamedPlayer]
    """Whom it may mean; empty for a stranger."""


class FieldFault(Schema):
    """What is wrong with a field."""

    field: str
    message: str


class WaitingLine(Schema):
    """A line of a sheet that is not ready."""

    line: int
    status: str
    """`question`, `fault`, `alike` for a game that looks like another, or `doubt` for one that is seldom so."""
    questions: list[NameQuestion]
    faults: list[FieldFault]
    twins: list[str]
    """Keys of the games that it looks like, and `line` for another line of the sheet."""
    doubts: list[str]
    """What is unusual about it."""


class SheetFault(Fault):
    """Why a sheet was refused; nothing of it was entered."""

    lines: list[WaitingLine] | None = None
    """The lines that wait, where that is why."""


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
    last_updated: str | None
    pool: int | None
    raw: float | None = None
    """Rating before devaluation; only where the system is holigor."""


@fields_of(Source, without={"slug", "number"})
class Stand(Schema):
    """Up to which entry a ledger was read."""

    entry: int


class LastAdded(Schema):
    """The game that was added last: not necessarily the one that was played last."""

    game: str
    date: str
    entered: str


class Ladder(Schema):
    """A list of a club: live, or of a day."""

    club: str
    label: str
    system: str
    as_of: str | None
    ledger: Stand
    last_added: LastAdded | None
    players: list[Standing]


@fields_of(Home)
class EarlierHome(Schema):
    """A country and club that a player has left."""


@fields_of(Person, without={"entry", "earlier_homes"})
class Player(Schema):
    """A player."""

    label: str
    earlier_homes: list[EarlierHome]
    """Countries and clubs before those of now, oldest first."""
    category: str
    """Category by age of this year; empty where the club has none, or does not know."""


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
    server: str
    moves: int | None
    notes: str
    status: str
    entry: int


@fields_of(Explanation, without={"ranked", "reason"}, nullable={"before", "change", "after"})
class Change(Schema):
    """What a game did to one side, with the factors that make it."""

    factors: list[dict[str, Any]]
    combine: str
    rounding: str
    facts: dict[str, Any]


class SheetEntry(Schema):
    """Who entered or checked a sheet, and when."""

    entry: int
    by: str
    entered: str


@fields_of(SheetFacts, without={"changed", "games"})
class Sheet(Schema):
    """A record sheet that was entered."""

    key: str
    games: int
    entry: int
    """The last entry about the sheet or one of its games; who checks it names it."""
    entered: list[SheetEntry]
    """The parts in which it was entered."""
    checked: list[SheetEntry]
    """Who compared it with the paper, without checks that were taken back."""


class SheetLine(Schema):
    """A line of a sheet."""

    number: int
    """On the paper."""
    changed: bool
    """Whether somebody wrote about the game since the sheet was checked, or entered."""
    game: Game


class SheetFull(Sheet):
    """A record sheet with its lines in the order of the paper."""

    lines: list[SheetLine]


class EventLine(Schema):
    """A line of the calendar."""

    key: str
    """Empty for an evening: the games of a day with the same word."""
    club: str
    """Short name of the federation's club whose it is; empty: of no other club."""
    event: str
    first: str
    last: str
    country: str
    kind: str
    games: int
    players: int | None
    """Who takes part; null for an evening."""


class EventParticipant(Schema):
    """Who takes part in an event."""

    key: str
    player: str
    country: str
    club: str
    rank: str
    place: int | None
    figures: list[str]
    byes: list[Bye]
    preliminary: bool


class EventOutcome(Schema):
    """What each result of a game that is paired and not played would do, to Black and to White."""

    round: int
    black: str
    white: str
    handicap: int
    chance: float | None
    """That Black wins."""
    black_wins: list[float | None]
    white_wins: list[float | None]


class EventPairing(Schema):
    """A game that is paired and not played; keys of the players."""

    round: int
    black: str
    white: str
    handicap: int


class Event(Schema):
    """An event with all who take part, its games, and what it did to each player."""

    key: str
    event: str
    first: str
    last: str
    rounds: int
    code: str
    kind: str
    country: str
    city: str
    director: str
    minutes: float | None
    komi: float | None
    size: int | None
    reduction: int | None
    most_stones: int | None
    comments: list[str]
    criteria: list[str]
    participants: list[EventParticipant]
    games: list[str]
    players: list[dict[str, Any]]
    """What it did to each player, as `handan event` says it: before, every result with what it brought, after."""
    looking_back: bool
    """Whether expectations are those of the final ratings, since the system solves all games together."""
    pairings: list[EventPairing]
    outcomes: list[EventOutcome]


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


@fields_of(ClubAdjustment, without={"facts"})
class Adjustment(Schema):
    """A rank or rating set by hand."""

    rank: str | None
    rating: float | None
    date: str | None
    at_least: bool
    deviation: float | None
    note: str


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


@fields_of(Outcome, without={"moved"})
class Written(Schema):
    """The entries that a change has made, or would make, and whom it moves."""

    moved: list[Moved]


class Submission(Schema):
    """A file of results that a member has submitted, and what became of it."""

    number: int
    file: str
    title: str
    """The events that it tells of."""
    games: int
    note: str
    """What the sender says of it."""
    sender: str
    """Empty for an account that is gone."""
    sent: str
    decision: str
    """`waiting`, `accepted`, `returned` or `taken back`."""
    decided: str | None
    decided_by: str
    word: str
    """Why it was returned."""
    entries: list[int]
    """Those by which it was accepted."""


class SubmittedEvent(Schema):
    """An event that a file tells of."""

    event: str
    kind: str
    participants: int


class NewPlayer(Schema):
    """A player of a file who is new to the club."""

    player: str
    id: str
    rank: str
    country: str
    club: str


class FarRank(Schema):
    """A player whose rank in a file is two stones or more from that of the list."""

    key: str
    declared: str
    listed: str


class SubmissionReport(Schema):
    """What a file of results says, and whom it would move."""

    games: int
    entered: int
    """How many of its games the club has already."""
    events: list[SubmittedEvent]
    newcomers: list[NewPlayer]
    far_ranks: list[FarRank]
    twins: list[str]
    """Keys of games in the ledger that some of it look like."""
    doubles: list[str]
    problems: list[str]
    """What of the file was left out, or read in another way than it is written."""
    refused: str
    """Why it cannot be entered as it is; empty if it can."""
    moved: list[Moved]


class SubmissionRead(Schema):
    """A file of results with what it says."""

    submission: Submission | None
    """Null for a file that is only looked at."""
    report: SubmissionReport | None
    """Null for one that was decided, whose file is kept no longer."""


@fields_of(handicaps.Terms, without={"nearer"})  # players have none, ranks alone have
class Terms(Schema):
    """Who takes what in the next game of two players."""

    handicap: int
    """As it is recorded with the game."""
    text: str
    win_probability: float | None
    """Of Black, at these terms."""
    newcomers: list[str]
    """Who of the two has neither games nor a rank, and is taken as a newcomer."""


@fields_of(rules.Rules, without={"settings", "since"})
class Rules(Schema):
    """Rules from a date on."""

    settings: dict[str, Any]
    since: str | None


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
    account: str = ""
    token: str = ""
    format: int = 1


@fields_of(OfficialList)
class PublishedList(Schema):
    """An official list."""


class Member(Schema):
    """A member and their role."""

    account: str
    role: str
    player: str


class RoleGiven(Member):
    """A member and the role that they have from now on."""

    ended: int
    """Invitations and links to a new password that they had made and may give no longer."""


class Invitation(Schema):
    """The link, shown once."""

    path: str


class OpenInvitation(Schema):
    """An invitation that nobody has used yet; its link is not kept."""

    number: int
    role: str
    player: str
    by: str
    """Account that made it; empty for the server's own commands."""
    expires: str


class Shown(Schema):
    """How visitors see a player: another name, empty for none at all, null for the player's own."""

    player: str
    name: str | None


class ForgetRequest(Schema):
    """That a player asks to be forgotten."""

    player: str
    requested: str


class Forgotten(Schema):
    """What forgetting a player takes away, and what stays."""

    players: list[str]
    """All keys under which the person stood."""
    accounts: int
    games: int
    """Games that stay."""
    entries: int
    """Entries from which texts went."""
    left: list[str]
    """Facts that hold the name and stay."""
    preview: bool


class Visitors(Schema):
    """What visitors see of a club: open, ladder, closed; and whether they see the log of an open one."""

    visitors: str
    log: bool
