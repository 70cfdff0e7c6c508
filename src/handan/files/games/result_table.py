"""One tournament laid out as a result table is written: players in rows, a cell a round, what cannot be held."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import NamedTuple

from handan.errors import InputError, counted
from handan.files.games.omissions import Part, event_omissions, omissions_of
from handan.handicaps import HANDICAP_KOMI
from handan.ledger import Bye, Event, Game, Ledger, Pairing, Participant, Player, Result
from handan.ledger.arrays import FULL_SIZE
from handan.ledger.events import merged_event
from handan.ledger.placing import (
    SYMBOLS,
    in_order,
    is_default,
    participants_of,
    result_of,
    rounds_of,
    standings,
    stands_in_tables,
    without_clashes,
)

MOST_ROUNDS = 999  # our choice: columns that a row has room for
LOWEST = "30k"  # where a format wants a rank and nobody declared one


class CrossTableRow(NamedTuple):
    """A row of the table."""

    player: Player
    name: tuple[str, str]
    """Surname and given name."""
    rank: str
    """As declared; empty where none is."""
    number: str
    """As files print it: the number of the row, or nothing where the place is that of the row above."""
    place: int | None
    """As declared; None where nobody declared one."""
    figures: tuple[str, ...]
    """Points and tie-breaks, one for each of the criteria."""
    cells: tuple[Cell | Bye | Open | None, ...]
    """One a round; None where nothing is told of it."""


class Open(NamedTuple):
    """A game that was not played, as one side's cell tells it."""

    pairing: Pairing
    side: int
    """0 Black, 1 White."""
    opponent: int
    """Number of the opponent's row, from 1."""


class Cell(NamedTuple):
    """A game as one side's cell tells it."""

    game: Game
    side: int
    """0 Black, 1 White."""
    opponent: int
    """Number of the opponent's row, from 1."""
    place: int
    """Of the game among those of the table, from 0."""

    @property
    def result(self) -> Result:
        """The result."""
        return result_of(self.game)

    @property
    def symbol(self) -> str:
        """`+`, `-` or `=`, seen from this side."""
        return SYMBOLS[self.result.outcome][self.side]

    @property
    def by_default(self) -> bool:
        """Whether the point was given without play."""
        return is_default(self.game)


COMPUTED = ("NBW", "SOS", "SOSOS")
"""Points, those of the opponents, and theirs: what places players where the file that was read placed nobody."""
LEAST_FIGURES = 4  # columns between club and results, which programs that split at blanks want to be there


@dataclass(frozen=True, slots=True)
class Tournament:
    """The one tournament of a ledger, as files of tournaments tell it."""

    event: Event
    """Without what its games contradict."""
    participants: list[Participant]
    games: list[Game]
    """All but void ones."""
    places: list[int]
    """Of these games in the ledger, from 0."""
    rounds: Mapping[int, int]
    """Round of each game, by its place among the games."""
    kind: str
    """The usual one."""
    first: date | None
    last: date | None
    komi: float | None
    """The usual one of even games."""
    size: int
    """The usual one."""
    omissions: list[str]
    """What none of these files can hold, one line each."""

    @property
    def unusual_parts(self) -> set[Part]:
        """Komi and size of the event, where those of its games are others, which files hold instead."""
        parts = {Part.KOMI: (self.komi, self.event.komi), Part.SIZE: (self.size, self.event.size)}
        return {part for part, (usual, of_event) in parts.items() if usual != of_event}

    @classmethod
    def of(cls, ledger: Ledger, name: str) -> Tournament:
        """Take the tournament of a ledger into a file of this name; InputError if the ledger holds several events."""
        event = only_event(ledger, name)
        every = list(ledger)
        places = [place for place, game in enumerate(every) if stands_in_tables(game)]
        games = [every[place] for place in places]
        void = len(ledger) - len(games)
        omissions = [f"void games that are not by default ({counted(void, 'game')})"] if void else []
        rounds, moved = rounds_of(games)
        omissions += [f"rounds of players with two games in one ({counted(moved, 'game')} moved)"] if moved else []
        event, gone = without_clashes(event, games, rounds)
        rested = "byes, absences and pairings in rounds in which the player has a game"
        omissions += [f"{rested} ({gone:,})"] if gone else []
        even = Counter(game.komi for game in games if game.handicap == 0 and game.komi is not None).most_common(1)
        first, last = days_of(ledger, event)
        return cls(
            event=event,
            participants=participants_of(ledger.players, event, games),
            games=games,
            places=places,
            rounds=rounds,
            kind=Counter(game.kind for game in games).most_common(1)[0][0] if games else event.kind,
            first=first,
            last=last,
            komi=even[0][0] if even else event.komi,
            size=Counter(game.size for game in games).most_common(1)[0][0] if games else event.size or FULL_SIZE,
            omissions=omissions,
        )


@dataclass(frozen=True, slots=True)
class CrossTable(Tournament):
    """A tournament in rows and rounds."""

    rows: list[CrossTableRow]
    criteria: tuple[str, ...]
    """Names of the figures of each row."""

    @property
    def tells_places(self) -> bool:
        """Whether a declared place is another than the number of its row, such as one that two players share."""
        return any(row.place not in {None, number} for number, row in enumerate(self.rows, 1))

    def omissions_of(self, size: int, ids: re.Pattern[str], kind: str) -> list[str]:
        """Return all omissions of a table that tells one size of boards, some ids, and one kind of game."""
        return self.omissions + omissions_of(
            self.games,
            komi=lambda game: self.komi if self.handicap(game) == 0 else HANDICAP_KOMI,
            size=size,
            date=str(self.first or ""),
            ids=ids,
            kind=kind,
        )

    @staticmethod
    def handicap(game: Game) -> int:
        """Return the stones that the table tells of a game; without colours it tells none."""
        return game.handicap if result_of(game).colours_known else 0


OF_TABLES = frozenset((
    Part.BYES, Part.HALF_BYES, Part.ABSENCES, Part.WITHOUT_GAMES, Part.PAIRINGS, Part.PLACES, Part.COMMENTS, Part.TIME,
    Part.KOMI,
))  # fmt: skip
"""What all tables of half results hold of an event."""


def cross_table(ledger: Ledger, name: str, kept: Collection[Part] = OF_TABLES) -> CrossTable:
    """Lay out the one tournament of a ledger, and say what is lost of it.

    Raises:
        InputError: It holds several events, or more rounds than a row has room for.
    """
    own = Tournament.of(ledger, name)
    last = max(own.rounds.values(), default=0)
    if last > MOST_ROUNDS:
        raise InputError(f"{name} holds at most {MOST_ROUNDS} rounds, and one game is of round {last}")
    omissions = list(own.omissions)
    stones = sum(game.handicap > 0 and not result_of(game).colours_known for game in own.games)
    omissions += [f"handicaps of games without colours ({counted(stones, 'game')})"] if stones else []
    present = own.participants if Part.WITHOUT_GAMES in kept else _paired(own, omissions)
    table = _Table(present, own.games, own.rounds, own.event)
    early = next((place for place, used in enumerate(table.used) if used), 0)
    omissions += [f"rounds without games before the first ({early})"] if early else []
    columns = {Part.ROUNDS} if len(table.used) >= own.event.rounds else set()
    omissions += event_omissions([own.event], {*kept, Part.WITHOUT_GAMES} - own.unusual_parts | columns, own.games)
    shared = {item.name: getattr(own, item.name) for item in fields(own)}
    return CrossTable(**shared | {"omissions": omissions}, rows=table.rows(), criteria=table.criteria)


def _paired(own: Tournament, omissions: list[str]) -> list[Participant]:
    """Return who has a game, a pairing or a bye in a tournament; tell how many have none."""
    games = [(each.black, each.white) for each in own.games]
    named = {name for pair in (*games, *((each.black, each.white) for each in own.event.pairings)) for name in pair}
    named |= {each.player.name for each in own.participants if Bye.ALLOCATED in dict(each.byes).values()}
    present = [each for each in own.participants if each.player.name in named]
    if gone := len(own.participants) - len(present):
        omissions.append(f"{Part.WITHOUT_GAMES} ({counted(gone, 'player')})")
    return present


def _worth_of_bye(event: Event) -> Bye:
    """Return what a bye brought, as a cell tells it: by the half points that a file of OpenGotha sets, else a point."""
    facts = dict(event.settings)
    kind = "MMS" if facts.get("PlacementCriterion.1") == "MMS" else "NBW"
    halves = facts.get(f"GeneralParameterSet.gen{kind}2ValueBye", "").strip()
    return {"0": Bye.ZERO_POINT, "1": Bye.HALF_POINT}.get(halves, Bye.ALLOCATED)


def only_event(ledger: Ledger, name: str) -> Event:
    """Return the one event of a ledger, with what files tell of it; InputError if it holds several."""
    names = ledger.games["event"].unique().to_list() or [event.name for event in ledger.events][:1]
    if len(names) != 1:
        first = ", ".join(sorted(names)[:5])
        raise InputError(f"{name} holds one tournament, and these are {len(names)}: {first}; give the files of one")
    parts = [each for each in ledger.events if each.name == names[0]]
    return merged_event(parts) if parts else Event(names[0])


def days_of(ledger: Ledger, event: Event) -> tuple[date | None, date | None]:
    """Return the first and the last day of a tournament; that of its event where games have the first one only."""
    days = ledger.games["date"].drop_nulls().dt.date()
    first, last = (days.min(), days.max()) if len(days) else (None, None)
    if not isinstance(first, date) or not isinstance(last, date):
        return (None, None)
    end = event.last.moment.date() if event.last else last
    return first, end if first <= end else last


class _Table:
    """Rows of participants, in order, with a cell a round."""

    def __init__(
        self, participants: list[Participant], games: list[Game], rounds: Mapping[int, int], event: Event
    ) -> None:
        standing = standings(participants, games)
        self.placed = event.places
        self.participants = in_order(participants, standing, by_places=self.placed)
        self.figures = {
            each.player.name: each.figures
            if self.placed and each.figures
            else tuple(f"{value:g}" for value in standing[each.player.name])
            for each in participants
        }
        self.criteria = event.criteria if self.placed and event.criteria else COMPUTED
        numbers = {each.player.name: place for place, each in enumerate(self.participants, 1)}
        worth = _worth_of_bye(event)
        cells_of: dict[str, dict[int, Cell | Bye | Open]] = {name: {} for name in numbers}
        for each in self.participants:
            cells_of[each.player.name].update({
                number: worth if bye is Bye.ALLOCATED else bye for number, bye in each.byes if 0 < number <= MOST_ROUNDS
            })  # fmt: skip
        for pairing in event.pairings:
            sides = (pairing.black, pairing.white)
            if 0 < pairing.round <= MOST_ROUNDS and all(side in numbers for side in sides):
                for side, own in enumerate(sides):
                    cells_of[own][pairing.round] = Open(pairing, side, numbers[sides[1 - side]])
        for index, place in rounds.items():
            sides = (games[index].black, games[index].white)
            for side, own in enumerate(sides):
                cells_of[own][place] = Cell(games[index], side, numbers[sides[1 - side]], index)
        planned = event.rounds if event.settings else 0  # as OpenGotha's own tables have all of them
        last = max([planned, *(number for cells in cells_of.values() for number in cells)])
        self.cells = {
            name: tuple(cells.get(number) for number in range(1, last + 1)) for name, cells in cells_of.items()
        }
        self.used = [any(cells[place] is not None for cells in self.cells.values()) for place in range(last)]

    def rows(self) -> list[CrossTableRow]:
        """Return the rows; whoever shares the place of the row above has none of their own."""
        rows = []
        above: int | None = None
        for number, each in enumerate(self.participants, 1):
            name = each.player.name
            shared = self.placed and each.place is not None and each.place == above
            printed = "" if shared and not name.split()[0].isdecimal() else str(number)
            above = each.place
            rows.append(
                CrossTableRow(
                    each.player,
                    each.surname_and_given_name,
                    each.rank,
                    printed,
                    each.place,
                    self.figures[name],
                    self.cells[name],
                )
            )
        return rows
