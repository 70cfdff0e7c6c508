"""Result tables in which every player's row holds his half of each game: `12+/b2`, `0-`, `7=w0!`.

Which columns hold results is found by looking back: the opponent that a cell names must name the player in return.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from handan.errors import InputError
from handan.files.contents import Entrant, Gatherer
from handan.ranks import Rank

TOKEN = re.compile(r"(\d*)([+\-=?]?)(!?)/?([bwBW]?)[hH]?([0-9oO]{0,2})(!?)")
MOST_STONES = 9
UNKNOWN = {"", "xxx", "xxxx", "xx", "?"}
IDLE = {"", "--"}
"""What stands in a round for nothing at all."""


@dataclass(frozen=True, slots=True)
class Half:
    """One player's half of a game."""

    opponent: int
    """Number of the opponent; 0 for none."""
    symbol: str
    """`+`, `-`, `=`, `?`, or empty."""
    colour: str
    """`b`, `w`, or empty."""
    handicap: int | None
    default: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One player's row."""

    line: int
    number: int
    """As printed; 0 where there is none."""
    entrant: Entrant
    cells: tuple[str, ...]
    """All cells behind the rank."""


@dataclass(slots=True)
class Sheet:
    """The rows of one tournament and what holds for all of its games."""

    rows: list[Row] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    """Fields that all games share: date, event, kind, size."""
    komi: float | None = None
    """Of even games; with a handicap it is 0.5."""
    reduction: int | None = None
    """Handicap where a cell gives none: the difference of ranks less this; None: even."""


def parse_half(cell: str) -> Half | None:
    """Return the half of a game that a cell holds; None if it holds something else."""
    match = TOKEN.fullmatch(cell)
    if not match or not (match[1] or match[2]):
        return None
    stones = match[5].replace("o", "0").replace("O", "0")
    if (match[4] and not (match[1] and match[2])) or (stones and not match[4]):
        return None
    return Half(
        opponent=int(match[1] or 0) if len(match[1]) < 7 else 0,
        symbol=match[2],
        colour=match[4].lower(),
        handicap=int(stones) if stones else None,
        default=bool(match[3] or match[6]),
    )


def gather(sheet: Sheet, gatherer: Gatherer) -> dict[str, int]:
    """Take the games of a sheet and return the counts of byes, half byes, absences and pairings without a result.

    Args:
        sheet: Its rows in order of the file.
        gatherer: Takes games and problems.

    Raises:
        InputError: No column holds results.
    """
    tell_apart(sheet, gatherer)
    rows = _numbered(sheet.rows, gatherer)
    by_number = {row.number: row for row in rows}
    counts = {"byes": 0, "half_byes": 0, "absences": 0}
    for place, column in enumerate(_rounds(rows, gatherer.source), 1):
        halves = {number: half for number, cell in column.items() if (half := parse_half(cell)) is not None}
        for number, cell in column.items():
            row, half = by_number[number], halves.get(number)
            if half is None:
                if cell not in IDLE:
                    gatherer.reject(row.line, f"round {place}", cell, "a result such as 12+, 7-/w0, 0= or 0-")
            elif half.opponent == 0:
                counts[{"+": "byes", "=": "half_byes"}.get(half.symbol, "absences")] += 1
            else:
                _pair(row, half, by_number, halves, place, sheet, gatherer)
    return counts


def tell_apart(sheet: Sheet, gatherer: Gatherer) -> None:
    """Keep players apart whose names have lost all their letters, or who bear one name without an id."""
    names = Counter(row.entrant.name for row in sheet.rows)
    event = sheet.facts.get("event", "")
    for place, row in enumerate(sheet.rows):
        entrant = row.entrant
        gatherer.name(row.line, entrant.name)
        lost = not any(c.isalpha() for c in entrant.name)
        if not entrant.id and (lost or names[entrant.name] > 1):
            own = f"{entrant.name}#{row.number or place + 1}" + (f" {event}" if lost else "")
            sheet.rows[place] = replace(row, entrant=replace(entrant, name=own.strip()))


def _numbered(rows: list[Row], gatherer: Gatherer) -> list[Row]:
    """Return the rows with player numbers: the printed place, or the position, also where a number occurs twice."""
    printed = [row.number or position for position, row in enumerate(rows, 1)]
    twice = len(set(printed)) < len(printed)
    if twice:
        gatherer.warn(
            None, "place", "a place that occurs twice", "one place for each player; rows are numbered by position"
        )
    return [
        replace(row, number=position if twice else number)
        for position, (row, number) in enumerate(zip(rows, printed, strict=True), 1)
    ]


Column = dict[int, str]
"""The cells of one column that are there, by the numbers of the players."""


def _rounds(rows: list[Row], source: str) -> list[Column]:
    """Return the columns that hold results, counted from the left, or from the right if that agrees better."""
    best: dict[int, Column] = {}
    found: dict[int, tuple[int, int]] = {}
    most = 0
    for from_right in (False, True):
        columns = _columns(rows, from_right=from_right)
        agreement = {place: _agreement(column) for place, column in columns.items()}
        total = sum(back for _, back in agreement.values())
        if total > most:
            best, found, most = columns, agreement, total
    rounds = [place for place, (named, back) in found.items() if back >= 2 and 2 * back >= named]
    if not rounds:
        raise InputError(f"{source}: no result columns; cells such as 12+ that name each other were expected")
    between = range(min(rounds), max(rounds))
    idle = [place for place in between if not found[place][0] and _all_idle(best[place], len(rows))]
    return [best[place] for place in sorted({*rounds, *idle})]


def _columns(rows: list[Row], *, from_right: bool) -> dict[int, Column]:
    """Return the cells by column, 0, 1, … from the left or …, -2, -1 from the right; one step for each cell."""
    columns: dict[int, Column] = defaultdict(dict)
    for row in rows:
        shift = len(row.cells) if from_right else 0
        for place, cell in enumerate(row.cells):
            columns[place - shift][row.number] = cell
    return columns


def _agreement(column: Column) -> tuple[int, int]:
    """Return how many cells of a column name an opponent, and how many of them are named back."""
    held = {number: parse_half(cell) for number, cell in column.items()}
    named = {number: half.opponent for number, half in held.items() if half and half.opponent and half.symbol}
    return len(named), sum(named.get(opponent) == number for number, opponent in named.items())


def _all_idle(column: Column, players: int) -> bool:
    """Return whether all players have a symbol in a column in which nobody names an opponent."""
    return len(column) == players and all((half := parse_half(cell)) and half.symbol for cell in column.values())


def _pair(
    row: Row, half: Half, by_number: Mapping[int, Row], halves: Mapping[int, Half], number: int, sheet: Sheet,
    gatherer: Gatherer,
) -> None:  # fmt: skip
    """Take a game once, at the half of the lower number, if both halves tell the same."""
    other = by_number.get(half.opponent)
    place = f"round {number}"
    if other is None:
        gatherer.reject(row.line, place, _shown(half), f"a result against one of the players 1 to {max(by_number)}")
        return
    if other.number == row.number:
        gatherer.reject(row.line, place, _shown(half), "a result against another player than oneself")
        return
    back = halves.get(other.number)
    if back is None or back.opponent != row.number:
        told = "nothing" if back is None else _shown(back)
        expected = f"answered by player {other.number}: line {other.line} has {told}"
        gatherer.reject(row.line, place, _shown(half), expected)
        return
    if row.number < other.number:
        _game(row, half, other, back, number, sheet, gatherer)


def _shown(half: Half) -> str:
    return f"{half.opponent}{half.symbol}{'/' + half.colour if half.colour else ''}{half.handicap or ''}"


OUTCOMES = {
    ("+", "-"): "1", ("-", "+"): "2", ("=", "="): "=", ("?", "?"): "?", ("-", "-"): "both-lose", ("+", "+"): "both-win",
}  # fmt: skip


def _game(row: Row, half: Half, other: Row, back: Half, number: int, sheet: Sheet, gatherer: Gatherer) -> None:
    """Take a game of two halves that name each other."""
    place = f"round {number}"
    outcome = OUTCOMES.get((half.symbol, back.symbol))
    if outcome is None:
        expected = f"matched by line {other.line}, which has {_shown(back)}"
        gatherer.reject(row.line, place, _shown(half), expected)
        return
    if outcome in {"both-lose", "both-win"}:
        gatherer.warn(
            row.line, place, _shown(half), f"a game with one winner; line {other.line} says {back.symbol}: {outcome}"
        )
    if None not in (half.handicap, back.handicap) and half.handicap != back.handicap:
        expected = f"a game with one handicap; line {other.line} has {_shown(back)}"
        gatherer.reject(row.line, place, _shown(half), expected)
        return
    known = bool(half.colour or back.colour)
    if half.colour and half.colour == back.colour:
        gatherer.warn(
            row.line, place, _shown(half), f"a game of two colours; line {other.line} has the same: colours unknown"
        )
        known = False
    swap = known and (half.colour == "w" or (not half.colour and back.colour == "b"))
    black, white = (other, row) if swap else (row, other)
    handicap = half.handicap if half.handicap is not None else back.handicap
    if handicap is None:
        handicap = _implied(black, white, sheet, place, gatherer) if known else 0
    gatherer.game(
        row.line,
        **sheet.facts,
        black=black.entrant.name,
        white=white.entrant.name,
        result=_result(outcome, swap=swap, known=known, default=half.default or back.default),
        handicap=handicap,
        komi=sheet.komi if handicap == 0 else 0.5,
        round=number,
        black_rank=black.entrant.rank,
        white_rank=white.entrant.rank,
        black_id=black.entrant.id,
        white_id=white.entrant.id,
        notes="default" if (half.default or back.default) and outcome not in {"1", "2"} else "",
    )


def _result(outcome: str, *, swap: bool, known: bool, default: bool) -> str:
    """Return the result in the spelling of tables."""
    tail = "F" if default else ""
    if outcome in {"1", "2"}:
        first = (outcome == "1") != swap
        sides = ("B", "W") if known else ("P1", "P2")
        return f"{sides[0 if first else 1]}+{tail}"
    if outcome == "=":
        return "void" if default else "jigo" if known else "P="
    return outcome


def _implied(black: Row, white: Row, sheet: Sheet, place: str, gatherer: Gatherer) -> int:
    """Return the handicap that follows from the ranks where the cells give none."""
    if sheet.reduction is None or not black.entrant.rank or not white.entrant.rank:
        return 0
    gap = (Rank.parse(white.entrant.rank).stones - Rank.parse(black.entrant.rank).stones) - sheet.reduction
    if -gap - 2 * sheet.reduction > 0:
        gatherer.warn(black.line, place, "black", "the weaker player of a game with a handicap; read as even")
    return int(max(0, min(MOST_STONES, gap)))
