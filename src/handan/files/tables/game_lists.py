"""Lists of games that programs print, known by their headings: OpenGotha's rounds, and the archives of KGS.

They come as text, as a worksheet, or out of a web page. White stands first in both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from handan.errors import Clause, FieldError, InputError, clause_of
from handan.files.cells.ranked_names import parts_of
from handan.files.games.contents import Contents, Entrant, Gatherer, club_of, without_play
from handan.files.games.missing_dates import day_of_titles
from handan.files.games.records import read_outcome
from handan.files.io.header import DEEPEST, unread_columns
from handan.files.io.options import Options
from handan.ledger import Event, When
from handan.ledger.facts import read_name
from handan.ranks import plain_rank

OPENGOTHA = frozenset(("tble", "white", "black", "hd", "res"))
KGS = frozenset(("white", "black", "setup", "result"))
KGS_TIME = "start time"
"""How the heading of the dates begins; the time zone may follow."""
READ = {*OPENGOTHA, *KGS, KGS_TIME, "type", "viewable", "viewable?"}
"""What is read, and what says nothing of a game."""
ROUND = re.compile(r"\bround\s{0,3}([0-9]{1,2})\b", re.IGNORECASE)
ENTRANT = re.compile(r"([^()]*(?:\([^()]*)?)\(\s*(\d{1,2}\s?[kdp])\s*,([^()]*)\)", re.IGNORECASE)
"""OpenGotha's `Lindqvist Ada(3D,Ume )`."""
RESULTS = {
    "1-0": "W+", "0-1": "B+", "½-½": "jigo", "=": "jigo", "0.5-0.5": "jigo", "0-0": "both-lose", "1-1": "both-win",
}  # fmt: skip
"""Of OpenGotha, White's point first."""
KIND = "tournament"
SETUP = re.compile(r"(\d{1,2})\s?[×xX*]\s?(\d{1,2})(?:\s{0,3}H\s?(\d{1,2}))?")
KINDS = {
    "ranked": "server", "free": "free", "teaching": "teaching", "tournament": "tournament", "simul": "server",
    "simultaneous": "server",
}  # fmt: skip
"""Of KGS; other types are no games of two players."""
RANKED = "ranked"  # our choice where the list has no column of types
NO_RANK = re.compile(r"\s?\[[\s?~-]{0,3}\]$")
"""What KGS writes behind a player without a rank."""
NOT_PLAYED = frozenset(("", "-", "?", "?-?"))
LONGEST = 100  # characters of a cell; our choice
Cells = Mapping[str, str]
"""What stands under each heading."""


def game_list(grid: Sequence[Sequence[str]], source: str, options: Options) -> Contents | None:
    """Return the games of a list that a program printed; None if a grid is none.

    Args:
        grid: The cells; the lines of the reports are its rows, counted from 1.
        source: Name for the reports.
        options: As the user gave them.
    """
    place = place_of_header(grid)
    if place is None:
        return None
    headings = _headings(grid[place])
    archive = not set(headings) >= OPENGOTHA
    gatherer, titles = Gatherer(source, options.limits), [cell for row in grid[:place] for cell in row]
    reader = Archive() if archive else RoundList.under(titles, day_of_titles(titles, options, gatherer))
    for number in range(place + 1, len(grid)):
        cells = {name: cell.strip() for name, cell in zip(headings, grid[number], strict=False) if name}
        if cells.get("white") or cells.get("black"):
            reader.add(cells, number + 1, gatherer)
    others = [heading for heading, name in zip(grid[place], headings, strict=True) if name and name not in READ]
    gatherer.problems += unread_columns(others, source, place + 1)
    entrants = tuple(reader.entrants.values())
    return gatherer.contents(entrants, events=reader.events(gatherer), unplayed=reader.unplayed)


def place_of_header(grid: Sequence[Sequence[str]]) -> int | None:
    """Return the place of the row of headings of such a list; None if a grid is none."""
    for place, row in enumerate(grid[:DEEPEST]):
        names = set(_headings(row))
        if names >= OPENGOTHA or (names >= KGS and KGS_TIME in names):
            return place
    return None


def _headings(row: Sequence[str]) -> list[str]:
    names = [" ".join(cell.split()).casefold() if len(cell) <= LONGEST else "" for cell in row]
    return [KGS_TIME if name.startswith(KGS_TIME) else name for name in names]


@dataclass(slots=True)
class RoundList:
    """The list of a round, whose games are added row by row."""

    event: str = ""
    round: int | None = None
    day: When | None = None
    entrants: dict[str, Entrant] = field(default_factory=dict)
    """The players by name."""
    unplayed: int = 0

    def events(self, gatherer: Gatherer) -> tuple[Event, ...]:
        """Return the tournament, as far as this round tells it."""
        there = tuple(each.participant() for each in self.entrants.values())
        rounds = self.round or 0
        return (
            Event(
                self.event, self.day, rounds=rounds, participants=there, pairings=tuple(gatherer.pairings), kind=KIND
            ),
        )

    @classmethod
    def under(cls, titles: Sequence[str], day: When | None) -> RoundList:
        """Return the list under some lines of text, which name the tournament and the round."""
        texts = [" ".join(title.split()) for title in titles if title.strip() and len(title) <= LONGEST]
        rounds = [match for text in texts if (match := ROUND.search(text))]
        return cls(next(iter(texts), ""), int(rounds[0][1]) if rounds else None, day)

    def add(self, cells: Cells, line: int, gatherer: Gatherer) -> None:
        """Add the game of a row."""
        result = "".join(cells.get("res", "").split()).replace("1/2", "½").rstrip("!")
        white, black = (_entrant(cells.get(side, ""), line, gatherer) for side in ("white", "black"))
        if white is None or black is None:
            return
        self.entrants |= {each.name: each for each in (white, black)}
        handicap = cells.get("hd", "") or "0"
        if result in NOT_PLAYED:
            gatherer.pairing(self.round or 1, black, white, handicap)
            return
        if result not in RESULTS:
            gatherer.reject(
                line, "res", cells.get("res", "")[:60], "a result such as 1-0, 0-1 or ½-½, White's point first"
            )
            return
        default = cells.get("res", "").rstrip().endswith("!")
        outcome, notes = without_play(RESULTS[result]) if default else (RESULTS[result], "")
        facts = {
            "event": self.event,
            "kind": KIND,
            "date": self.day,
            "round": self.round,
            "result": outcome,
            "notes": notes,
        }
        gatherer.game_of(line, black, white, **facts, handicap=handicap, komi=None if handicap == "0" else 0.5)


def _entrant(cell: str, line: int, gatherer: Gatherer) -> Entrant | None:
    """Return the player of a cell such as `Lindqvist Ada(3D,Ume )`; None if it names none, which is a problem."""
    match = ENTRANT.fullmatch(cell.strip()) if len(cell) <= LONGEST else None
    name, rank, club = (match[1].rstrip("( "), match[2], match[3].strip()) if match else (*parts_of(cell), "")
    try:
        own = plain_rank(rank) if rank else ""
        return Entrant(read_name(name), "", "", club_of(club), rank=own)
    except InputError as fault:
        pattern = "a name with rank and club, such as Lindqvist Ada(3D,Ume) ({fault})"
        gatherer.reject(line, "player", cell[:60], Clause.of(pattern, fault=clause_of(fault)))
        return None


@dataclass(slots=True)
class Archive:
    """The archive of a player of KGS, whose games are added row by row."""

    entrants: dict[str, Entrant] = field(default_factory=dict)
    unplayed: int = 0

    def events(self, gatherer: Gatherer) -> tuple[Event, ...]:  # noqa: ARG002  # as of a list of a round
        """Return nothing: it is no tournament."""
        return ()

    def add(self, cells: Cells, line: int, gatherer: Gatherer) -> None:
        """Add the game of a row."""
        kind = cells.get("type", RANKED).casefold()
        setup = SETUP.fullmatch(cells.get("setup", "")) if len(cells.get("setup", "")) <= LONGEST else None
        if kind not in KINDS:
            gatherer.reject(
                line, "type", cells.get("type", "")[:60], "a game of two players: ranked, free, simul, teaching"
            )
            return
        if setup is None or setup[1] != setup[2]:
            gatherer.reject(
                line, "setup", cells.get("setup", "")[:60], "a square board and a handicap, such as 19×19 H4"
            )
            return
        try:
            result, _ = read_outcome(cells.get("result", ""))
        except FieldError:
            gatherer.reject(
                line, "result", cells.get("result", "")[:60], "a result such as W+Res., B+3.5, Jigo or Unfinished"
            )
            return
        if result == "?":
            self.unplayed += 1
            return
        white, black = (parts_of(NO_RANK.sub("", cells.get(side, "")[:LONGEST])) for side in ("white", "black"))
        gatherer.game(
            line,
            date=gatherer.date(line, KGS_TIME, cells.get(KGS_TIME, ""), "mdy"),
            black=black.name,
            white=white.name,
            result=result,
            handicap=setup[3] or 0,
            size=setup[1],
            kind=KINDS[kind],
            black_rank=black.rank,
            white_rank=white.rank,
        )
