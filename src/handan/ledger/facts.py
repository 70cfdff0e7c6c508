"""The facts of a ledger: games, players, and adjustments. No fact holds a rating that a system computed."""

from __future__ import annotations

import datetime as dt
import math
import unicodedata
from dataclasses import dataclass, field
from typing import Any

from handan.errors import Clause, FieldError, InputError, ProposesArguments, shown
from handan.ledger.dates import MISSING, When
from handan.ledger.results import Result
from handan.ranks import RANK_EXPECTED, Rank, parse_with_flag

MOST_HANDICAP = 99  # stones; more is a mistake
MOST_RECORDED_KOMI = 400.0  # points; beyond it a komi is a mistake (larger than the board)
KOMI_EXPECTED = "a number of points from -400 to 400"
UNSEEN = "\ufeff\u200b\u2060\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks without width and of direction, which come with copied text and joined files, and mean nothing."""
SOFT_HYPHEN = "\xad"
NOT_IN_NAMES = dict.fromkeys(map(ord, UNSEEN + SOFT_HYPHEN))
SIZES = (2, 52)  # lines; the sizes that game records can name


@dataclass(frozen=True, slots=True)
class Game(ProposesArguments):
    """One game as it was played; text is accepted for every field and checked."""

    black: str
    white: str
    result: Result | str
    date: When | dt.datetime | dt.date | str | None = None
    handicap: int = 0
    """As recorded: 0 even, 1 Black moves first without full komi, 2 and more stones on the board."""
    komi: float | None = None
    """Points for White, negative for Black; None where it was not recorded."""
    size: int = 19
    """Lines of the board."""
    kind: str = ""
    """A lower-case word: tournament, tournament-a … tournament-d, club, friendly, free, league, server, …"""
    event: str = ""
    round: int | None = None
    black_rank: str = ""
    """Rank declared at that game."""
    white_rank: str = ""
    black_id: str = ""
    """Number in a register, best with a prefix: `egd:17076590`."""
    white_id: str = ""
    server: str = ""
    """Whose ranks the players have: a server, a register, a club; empty where the file is of one alone."""
    moves: int | None = None
    notes: str = ""
    entry: int | None = None
    """Place among the games of one date, event and round; given by the order of entry where it is None."""

    def __post_init__(self) -> None:
        """Check every field and bring it to its one form."""
        for name, read in READERS.items():
            object.__setattr__(self, name, read(known_or_empty(getattr(self, name))))
        if (self.black_id or self.black) == (self.white_id or self.white):
            raise InputError(f"game of {shown(self.black)} against the same player; a game has two players")


@dataclass(frozen=True, slots=True)
class Player:
    """One person (or program) of the ledger."""

    name: str
    """The name shown, different for every player of a ledger."""
    id: str = ""
    country: str = ""
    club: str = ""
    order: str = ""
    """Players stand in this order, then in that of names; it makes figures independent of what somebody is called."""
    rating: float | None = field(default=None, compare=False)
    """As a file declares it, in the unit of its origin; None where none does. It is not compared: most formats have
    no room for it."""
    rating_origin: str = field(default="", compare=False)
    """Whose rating it is: EGF, FFG, AGA, or MAN for one set by hand."""
    deviation: float | None = field(default=None, compare=False)
    """Standard deviation of the declared rating in its unit, such as the AGA's sigma; None where none is declared."""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A rank or rating set by hand: an entry rank, a rank taken over from another organisation, a reset."""

    player: str
    rank: Rank | str | None = None
    rating: float | None = None
    """In the unit of the system that reads it: points, the index, Elo."""
    date: When | dt.datetime | dt.date | str | None = None
    """Applies before the games of that date; None: before the first game."""
    note: str = ""
    """The reason."""
    at_least: bool = False
    """Whether a higher rating stays as it is."""
    deviation: float | None = None
    """Standard deviation of the rating in its unit, as a published list gives it; None: that of such an entry."""

    def __post_init__(self) -> None:
        """Check every field and bring it to its one form."""
        object.__setattr__(self, "player", read_name(known_or_empty(self.player)))
        object.__setattr__(self, "date", When.of(self.date))
        rank = Rank.parse(self.rank) if isinstance(self.rank, str) and self.rank.strip() else self.rank or None
        object.__setattr__(self, "rank", rank)
        object.__setattr__(self, "rating", read_rating(known_or_empty(self.rating)))
        object.__setattr__(self, "deviation", read_deviation(known_or_empty(self.deviation)))
        if rank is None and self.rating is None:
            pattern = "adjustment of {name} has neither rank nor rating; give one of them"
            raise InputError(Clause.of(pattern, name=shown(self.player)))


def known_or_empty(value: Any) -> Any:
    """Return a value, or empty text for None and for what rows of pandas have where nothing is known."""
    return "" if value is None or (not isinstance(value, str) and str(value) in MISSING) else value


def read_name(value: Any) -> str:
    """Return a name with single blanks in composed Unicode form (NFC), without marks that nobody sees."""
    text = read_id(value)
    if not text:
        raise FieldError("name", text, "the name of a player")
    if "\x00" in text:
        raise FieldError("name", text, "text without NUL bytes")
    return text


def read_id(value: Any) -> str:
    """Return text with single blanks in composed Unicode form (NFC), without marks that nobody sees."""
    text = str(value)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text.translate(NOT_IN_NAMES))
    return " ".join(text.split())


def read_text(value: Any) -> str:
    """Return text with its ends trimmed."""
    return str(value).strip()


def read_word(value: Any) -> str:
    """Return a kind of game: one lower-case word."""
    return str(value).strip().lower()


def read_rank(value: Any) -> str:
    """Return a declared rank in its one spelling, with its flag; InputError for other text."""
    if not str(value).strip():
        return ""
    try:
        rank, flag = parse_with_flag(str(value))
    except InputError as error:
        raise FieldError("rank", value, RANK_EXPECTED) from error
    return f"{rank}{flag}"


def read_result(value: Any) -> Result:
    """Return a result from text."""
    return value if isinstance(value, Result) else Result.parse(str(value))


def read_number(value: Any, name: str, low: int, high: int, otherwise: int | None) -> int | None:
    """Return a whole number within bounds, `otherwise` for an empty cell."""
    text = str(value).strip()
    if not text:
        return otherwise
    try:
        number = float(text)
        if number == int(number) and low <= number <= high:
            return int(number)
    except (ValueError, OverflowError):
        pass
    raise FieldError(name, text, Clause.of("a whole number from {low} to {high}", low=low, high=high))


def read_handicap(value: Any) -> int:
    """Return the handicap in stones."""
    return int(read_number(value, "handicap", 0, MOST_HANDICAP, 0) or 0)


def read_size(value: Any) -> int:
    """Return the side of the board in lines."""
    return int(read_number(value, "size", *SIZES, 19) or 19)


def read_round(value: Any) -> int | None:
    """Return the round."""
    return read_number(value, "round", 0, 1_000_000, None)


def read_moves(value: Any) -> int | None:
    """Return the number of moves."""
    return read_number(value, "moves", 0, 1_000_000, None)


def read_entry(value: Any) -> int | None:
    """Return the place among games of one date, event and round."""
    return read_number(value, "entry", 0, 2**53, None)


def read_komi(value: Any) -> float | None:
    """Return the komi in points for White."""
    text = str(value).strip().replace(",", ".")
    if not text:
        return None
    try:
        komi = float(text)
        if -MOST_RECORDED_KOMI <= komi <= MOST_RECORDED_KOMI:
            return komi + 0.0  # no negative zero
    except ValueError:
        pass
    raise FieldError("komi", text, KOMI_EXPECTED)


def read_rating(value: Any, name: str = "rating") -> float | None:
    """Return a rating, or an amount of another name in its unit; None for an empty cell."""
    text = str(value).strip()
    if not text:
        return None
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise FieldError(name, text, "a number")
    return value if isinstance(value, (float, int)) else number


def read_deviation(value: Any) -> float | None:
    """Return the deviation of a rating in its unit; None for an empty cell."""
    deviation = read_rating(value, "deviation")
    if deviation is not None and deviation <= 0.0:
        raise FieldError("deviation", value, "a number above 0")
    return deviation


READERS = {
    "date": When.of,
    "black": read_name,
    "white": read_name,
    "result": read_result,
    "handicap": read_handicap,
    "komi": read_komi,
    "size": read_size,
    "kind": read_word,
    "event": read_text,
    "round": read_round,
    "black_rank": read_rank,
    "white_rank": read_rank,
    "black_id": read_id,
    "white_id": read_id,
    "server": read_text,
    "moves": read_moves,
    "notes": read_text,
    "entry": read_entry,
}
"""How each column of a games table is read, in the order in which columns are written."""

COLUMNS = tuple(READERS)
REQUIRED = ("black", "white", "result")
