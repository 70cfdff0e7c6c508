"""What a reader found in one file, and how it gathers it game by game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

import numpy as np
import polars as pl

from handan.errors import Clause, FieldError, InputError, Problem
from handan.files.cells.dates import read_date, real_date
from handan.files.games.columns import MANY_STONES, MOST_USUAL_STONES, expected_date, in_order
from handan.files.games.interpretation import Understanding
from handan.files.io.limits import Limits
from handan.files.io.options import Options
from handan.ledger import Adjustment, Bye, Event, Game, Ledger, Pairing, Participant, Player, When
from handan.ledger.columns import of_games
from handan.ledger.dates import EARLIEST
from handan.ledger.entered_games import EnteredGames
from handan.ledger.facts import read_komi, read_name
from handan.ledger.name_folding import damaged

Value = TypeVar("Value")
UNKNOWN = {"", "xxx", "xxxx", "xx", "?"}
"""What stands in tables in place of a club."""
EXAMPLES = {"dmy": "24/10/2026", "mdy": "10/24/2026", "ymd": "2026-10-24"}
"""A date in each order."""
MOST_DIGITS = 3  # of the stones and the round of a game
NUMBER_OF_ONE = "the number of one player; it is that of {name}"
FILE = "#file"
"""Name of the column that `games_of` adds."""


class ListOfPlayersError(InputError):
    """A table that was to be read as games is a list of players; `rounds`: with columns that may hold their rounds."""

    def __init__(self, message: str, *, rounds: bool = False) -> None:
        super().__init__(message)
        self.rounds = rounds


@dataclass(frozen=True, slots=True)
class Entrant(Player):
    """One player as a file lists it; what the file does not say is empty. An id has the register's prefix."""

    rank: str = ""

    @property
    def player(self) -> Player:
        """The same as a player of a ledger."""
        return Player(**{each.name: getattr(self, each.name) for each in fields(Player)})

    def participant(
        self,
        byes: Mapping[int, Bye] | None = None,
        *,
        place: int | None = None,
        figures: tuple[str, ...] = (),
        preliminary: bool = False,
    ) -> Participant:
        """Return the same as a participant of an event, with the rounds they had no opponent in."""
        ordered = tuple(sorted((byes or {}).items()))
        return Participant(self.player, self.rank, place, ordered, figures, preliminary)


@dataclass(frozen=True, slots=True)
class Register:
    """What a register says for the files of games beside it, which name players by their numbers."""

    players: Mapping[str, Entrant]
    """By number."""
    event: str = ""
    day: When | None = None


@dataclass(frozen=True)
class Contents:
    """The games of one file, and what else a report tells of it."""

    columns: pl.DataFrame | EnteredGames
    """The games: a typed table (`handan.ledger.columns.SCHEMA`), or one in numbers; `games` is the table."""
    problems: list[Problem]
    """What was not taken, and what was read in another way than written; by line."""
    entrants: tuple[Entrant, ...] = ()
    """All players listed, also those without a game; empty where the format has no list of players."""
    events: tuple[Event, ...] = ()
    """What the file tells of tournaments besides the games: who took part, byes, absences, games not played."""
    unplayed: int = 0
    """Games that were paired and not played, where no event tells them."""
    byes: int = 0
    """Rows of a table with a bye in place of a player, where no event tells them."""
    register: Register | None = None
    """For the files beside this one; None where the format is no register."""
    event_title: str | None = None
    """What stands above the rounds of one event that no row names; empty where nothing does, None for other games."""
    tournament: str = ""
    """What names the tournament in every file that was saved of it; empty where files are not saved again and again."""
    saved: str = ""
    """When a tournament program saved the file, yyyyMMddHHmmss; empty where the format does not say."""
    understandings: tuple[Understanding, ...] = ()
    """What its tables were taken for; none for formats whose columns have one meaning."""
    adjustments: tuple[Adjustment, ...] = ()
    """Ranks and ratings set by hand, where the format holds them."""
    as_of: When | None = None
    """The day of a list of players, where it says one."""
    lists: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)
    """Rows of the lists of players that stand beside the games, by their names for the reports."""

    @property
    def games(self) -> pl.DataFrame:
        """The games as a typed table."""
        return table_of(self.columns)

    @property
    def byes_by_kind(self) -> Counter[Bye]:
        """How many rounds of all participants were byes of each kind."""
        return Counter(bye for event in self.events for each in event.participants for _, bye in each.byes)


def table_of(games: pl.DataFrame | EnteredGames) -> pl.DataFrame:
    """Return games as a typed table."""
    return games if isinstance(games, pl.DataFrame) else games.frame


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one file."""

    source: str
    """The file as the user named it; a member of an archive behind `!`."""
    format: str
    """Name of the format that was found; empty if the file could not be read at all."""
    contents: Contents | None
    """What was found; None if the file could not be read at all."""
    refusal: str = ""
    """Why it could not be read."""
    foreign: bool = False
    """Whether it lies in a folder or archive, and its name says that it is of a kind that holds no games."""
    digest: str = ""
    """SHA-256 of its unpacked bytes; empty where it is no file."""
    only_players: bool = False
    """Whether it is a table of players, which tells who the players of games beside it are."""
    ledger: Ledger | None = None
    """A ledger on disk, whose games need not be taken off it; None for all else."""


def games_of(readings: Iterable[Reading]) -> pl.DataFrame:
    """Return the games of files behind each other, with the place of each one's file among them as `#file`.

    What is asked about each of many small files is asked about this table, since a step of polars takes as long for a
    game as for thousands.
    """
    tables = [(place, each.contents.games) for place, each in enumerate(readings) if each.contents is not None]
    if not tables:
        return of_games([]).with_columns(pl.lit(0, pl.Int64).alias(FILE))
    places = np.repeat([place for place, _ in tables], [table.height for _, table in tables])
    texts = [pl.col(side).cast(pl.String) for side in ("black", "white")]  # names of ledgers on disk are numbers
    games = [table if table["black"].dtype == pl.String else table.with_columns(texts) for _, table in tables]
    return pl.concat(games).with_columns(pl.Series(FILE, places, dtype=pl.Int64))


def people_in(games: pl.DataFrame) -> pl.DataFrame:
    """Return the different names with their ids, `name` and `id`, of everybody in games."""
    return pl.concat(games.select(name=side, id=f"{side}_id").unique() for side in ("black", "white")).unique()


def without_play(result: str) -> tuple[str, str]:
    """Return a result that was decided without play, and what the notes say of it: `B+` is `B+F`, a jigo is void."""
    if result.endswith("+"):
        return f"{result}F", ""
    return "void" if result in ("jigo", "P=") else result, "default"


def club_of(text: str) -> str:
    """Return the club of a table's cell; empty where a mark stands for none."""
    return "" if text.lower() in UNKNOWN else text


def small_number(text: str) -> int:
    """Return a number of stones or of a round; 0 for other text."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else 0


def apart(players: dict[str, Entrant]) -> dict[str, Entrant]:
    """Return the players by number; those who share a name and have no id bear their number too."""
    names = Counter(player.name for player in players.values())
    return {
        key: replace(player, name=f"{player.name}#{key}") if not player.id and names[player.name] > 1 else player
        for key, player in players.items()
    }


@dataclass(slots=True)
class Gatherer:
    """Gathers the games of one file; a game that cannot be used becomes a problem, and the others are kept."""

    source: str
    """Name for the reports."""
    limits: Limits = field(default_factory=Limits)
    games: list[Game] = field(default_factory=list)
    lines: list[int | None] = field(default_factory=list)
    pairings: list[Pairing] = field(default_factory=list)
    """Games that were paired and have no result."""
    problems: list[Problem] = field(default_factory=list)
    odd_dates: set[str] = field(default_factory=set)
    """Dates that cannot be, each reported once."""

    def game(self, line: int | None, **facts: Any) -> bool:
        """Add the game of a line; return whether it could be used."""
        try:
            game = Game(**facts)
        except FieldError as fault:
            self.reject(line, fault.field, fault.found, fault.expected)
            return False
        except InputError:
            self.reject(line, "white", str(facts.get("white", "")), "another player than black")
            return False
        if game.handicap > MOST_USUAL_STONES:
            self.warn(line, "handicap", game.handicap, MANY_STONES)
        self.games.append(self._likely(line, game))
        self.lines.append(line)
        self.limits.check("games", len(self.games), self.source)
        return True

    def game_of(self, line: int | None, black: Entrant, white: Entrant, **facts: Any) -> bool:
        """Add the game of two players who are listed, with the name, id and rank of each."""
        sides = {"black": black, "white": white}
        facts |= {side: each.name for side, each in sides.items()}
        facts |= {f"{side}_{part}": getattr(each, part) for side, each in sides.items() for part in ("id", "rank")}
        return self.game(line, **facts)

    def pairing(self, place: int, black: Entrant, white: Entrant, handicap: str) -> None:
        """Add a game of a round that has no result."""
        self.pairings.append(Pairing(place, black.name, white.name, small_number(handicap)))

    def read(
        self, line: int | None, part: str, text: str, reader: Callable[[str], Value], expected: str
    ) -> Value | None:
        """Return what a reader makes of a text; None, and a warning, where it makes nothing of it."""
        try:
            return reader(text)
        except InputError:
            self.warn(line, part, text[:60], expected)
            return None

    def date(self, line: int | None, part: str, text: str, order: str = "ymd") -> When | None:
        """Return the date of a text in the order of a format; None, and a warning, for what is none."""
        expected = Clause.of("a date such as {example}; read as unknown", example=EXAMPLES[order])
        return self.read(line, part, text, lambda text: real_date(read_date(text, order)), expected)

    def komi(self, part: str, text: str) -> float | None:
        """Return the komi of a tournament; None, and a warning, for what is none."""
        return self.read(None, part, text, read_komi, "a number of points; read as unknown")

    def player_name(self, line: int | None, part: str, text: str) -> str | None:
        """Return the name of a player; None, and a problem, where there is none."""
        try:
            name = read_name(text)
        except InputError:
            self.reject(line, part, "", "the name of a player")
            return None
        self.name(line, name)
        return name

    def name(self, line: int | None, name: str) -> None:
        """Report a name in which the program that wrote it has lost letters."""
        if damaged(name):
            self.warn(line, "name", name, "a name with all its letters; read as it stands")

    def _likely(self, line: int | None, game: Game) -> Game:
        """Return the game without a date that cannot be its own, which is reported once."""
        tomorrow = datetime.now() + timedelta(days=1)  # noqa: DTZ005  # clubs write local time
        if game.date is None or EARLIEST <= game.date.moment <= tomorrow:  # type: ignore[union-attr]  # read by Game
            return game
        if str(game.date) not in self.odd_dates:
            self.odd_dates.add(str(game.date))
            self.warn(line, "date", game.date, expected_date(int(str(game.date)[:4])))
        return replace(game, date=None)

    def reject(self, line: int | None, part: str, cell: object, expected: str) -> None:
        """Note something that is left out."""
        self._note(Problem(self.source, line, part, str(cell), expected))

    def warn(self, line: int | None, part: str, cell: object, expected: str) -> None:
        """Note something that is read in another way than it is written."""
        self._note(Problem(self.source, line, part, str(cell), expected, rejected=False))

    def undated(self, options: Options, message: str = "no date stands in this format{hint}") -> None:
        """Warn that no date stands in a file for which the user gives none."""
        if options.date is None and not options.date_from_path:
            self.remark(Clause.of(message, hint="; --date gives it"), "date")

    def remark(self, message: str, part: str) -> None:
        """Note how something of the whole file is read."""
        self._note(Problem(self.source, None, part, message, "", rejected=False, message=message))

    def _note(self, problem: Problem) -> None:
        self.problems.append(problem)
        self.limits.check("problems", len(self.problems), self.source)

    def contents(self, entrants: tuple[Entrant, ...] = (), **counts: Any) -> Contents:
        """Return what was gathered; the counts are named as in `Contents`. InputError if there are too many players."""
        self.limits.check("players", len(entrants), self.source)
        table = of_games(self.games, self.source, self.lines)
        return Contents(table, in_order(self.problems), entrants, **counts)
