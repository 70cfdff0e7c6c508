"""Which columns of a table of half results are rounds: found by looking back, and by the form of their cells.

The opponent that a cell names must name the player in return. A column in which most cells have the form of a result
is a round too, whether they are answered or not: a table that was sorted anew by hand is reported and not passed over.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from handan.errors import Clause, InputError

TOKEN = re.compile(r"(\d*)([+\-=?]?)(!?)/?([bwBW?]?)[hH]?([0-9oO]{0,2})(!?)")
SIGNED = re.compile(r"\d*[+\-=?]\S*")
"""A cell with the sign of a result, whatever follows it."""
IDLE = {"", "--"}
"""What stands in a round for nothing at all."""
NOBODY = 10**6
"""Above the number of every player; stands for numbers with more digits."""


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
    numbered: bool = True
    """Whether the cell has a number, be it 0."""


@lru_cache(maxsize=1 << 14)
def parse_result_cell(cell: str) -> Half | None:
    """Return the half of a game that a cell holds; None if it holds something else."""
    match = TOKEN.fullmatch(cell)
    if not match or not (match[1] or match[2]):
        return None
    stones = match[5].replace("o", "0").replace("O", "0")
    colour = match[4].lower().replace("?", "")  # which OpenGotha writes where the colours are unknown
    if (match[4] and not (match[1] and match[2])) or (stones and not match[4] and (match[1], stones) != ("0", "0")):
        return None  # but `0=0`, which is `0=` to some programs
    return Half(
        opponent=int(match[1] or 0) if len(match[1]) < 7 else NOBODY,
        symbol=match[2],
        colour=colour,
        handicap=int(stones) if stones and colour else None,
        default=bool(match[3] or match[6]),
        numbered=bool(match[1]),
    )


Column = dict[int, str]
"""The cells of one column that are there, by the numbers of the players."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table, sorted by what they hold."""

    rounds: list[Column]
    """In order."""
    strays: list[tuple[int, str]]
    """Number of the player and cell of results that stand in a column of something else."""
    doubtful: list[tuple[str, str]]
    """Name and first such cell of columns whose cells look like jigos with players, though nobody answers."""
    figures: list[Column]
    """Those of something else, from the left: points and tie-breaks."""


def columns_of(rows: Iterable[tuple[int, Sequence[str]]], source: str, *, only_rounds: bool) -> Columns:
    """Sort the columns, counted from the left, or from the right if more cells answer each other then.

    Args:
        rows: Number of each player, and the cells behind the rank.
        source: Name for the error.
        only_rounds: Whether every column is a round, because the format has no others.

    Raises:
        InputError: No column holds results.
    """
    rows = list(rows)
    players = {number for number, _ in rows}
    best: Columns | None = None
    most = (-1, 0)
    for from_right in (False,) if only_rounds else (False, True):
        columns = _columns(rows, from_right=from_right)
        sorts = {place: _Sort.of(column) for place, column in columns.items()}
        places = _all_to_last(sorts) if only_rounds else _rounds(sorts)
        others = {place: columns[place] for place in columns.keys() - set(places)}
        strays = [] if only_rounds else _strays(others, sorts, players)
        fit = (sum(sorts[place].back for place in places), -len(strays))
        if places and fit > most:
            doubtful = _doubtful({place: others[place] for place in others if sorts[place].is_tie_break}, players)
            figures = [] if only_rounds else list(others.values())
            best, most = Columns([columns[place] for place in places], strays, doubtful, figures), fit
    if best is None:
        pattern = "{source}: no result columns; cells such as 12+ that name each other were expected"
        raise InputError(Clause.of(pattern, source=source))
    return best


def _columns(rows: Sequence[tuple[int, Sequence[str]]], *, from_right: bool) -> dict[int, Column]:
    """Return the cells by column, 0, 1, … from the left or …, -2, -1 from the right; one step for each cell."""
    columns: dict[int, Column] = defaultdict(dict)
    for number, cells in rows:
        shift = len(cells) if from_right else 0
        for place, cell in enumerate(cells):
            columns[place - shift][number] = cell
    return dict(sorted(columns.items()))


@dataclass(frozen=True, slots=True)
class _Sort:
    """How many cells of a column have which form."""

    filled: int
    """All but blank ones."""
    named: int
    """Those that name an opponent and say how it ended."""
    back: int
    """Those whose opponent names the player in return."""
    certain: int
    """Those that can be nothing but results: won, lost, or with a colour."""
    idle: int
    """Those without an opponent that say how it ended."""
    marked: int
    """Those with a number and a symbol of whatever meaning."""

    @classmethod
    def of(cls, column: Column) -> _Sort:
        """Count the cells of a column."""
        halves = {number: half for number, cell in column.items() if (half := parse_result_cell(cell)) and half.symbol}
        named = {number: half.opponent for number, half in halves.items() if half.opponent}
        return cls(
            filled=sum(cell not in IDLE for cell in column.values()),
            named=len(named),
            back=sum(named.get(opponent) == number != opponent for number, opponent in named.items()),
            certain=sum(_is_certain(half) for half in halves.values()),
            idle=len(halves) - len(named),
            marked=sum(half.numbered for half in halves.values()),
        )

    @property
    def is_round(self) -> bool:
        """Whether players meet in this column: their cells answer each other, or half of them can be nothing else."""
        return (self.back >= 2 and 2 * self.back >= self.named) or (self.named > 0 and 2 * self.certain >= self.filled)

    @property
    def is_bye(self) -> bool:
        """Whether most have no opponent in this column."""
        return 2 * self.idle > self.filled

    @property
    def is_tie_break(self) -> bool:
        """Whether most cells are figures such as `161=`, which tables show beside the results."""
        return 2 * self.marked > self.filled


def _is_certain(half: Half) -> bool:
    return half.numbered and (half.symbol in "+-" or half.colour != "")


def _rounds(sorts: dict[int, _Sort]) -> list[int]:
    """Return the places of the rounds: where players meet, byes between these, and absences beside these."""
    met = [place for place, sort in sorts.items() if sort.is_round]
    if not met:
        return []
    first, last = min(met), max(met)
    between = [place for place in range(first, last) if sorts[place].is_bye]
    while (behind := sorts.get(last + 1)) and behind.is_bye and behind.certain:
        last += 1
        between.append(last)
    return sorted({*met, *between})


def _all_to_last(sorts: dict[int, _Sort]) -> list[int]:
    """Return all places up to the last that holds anything."""
    last = max((place for place, sort in sorts.items() if sort.filled), default=-1)
    return [place for place in sorts if place <= last] if any(sort.named for sort in sorts.values()) else []


def _strays(others: dict[int, Column], sorts: dict[int, _Sort], players: set[int]) -> list[tuple[int, str]]:
    """Return the results in columns of something else, where a row has lost or won a cell.

    Beside a certain result, all that has a result's sign is one too, however damaged. A figure such as `358=` that is
    the number of nobody is a tie-break, and so are those in its column that could be a jigo.
    """
    strays: list[tuple[int, str]] = []
    for place, column in others.items():
        halves = {number: half for number, cell in column.items() if (half := parse_result_cell(cell))}
        signed = {number for number, half in halves.items() if half.symbol and half.numbered}
        results = {number for number in signed if _is_certain(halves[number])}
        figures = {number for number in signed - results if halves[number].opponent not in players | {0}}
        chosen = results if figures or sorts[place].is_tie_break else signed
        if results:
            chosen = chosen | {number for number, cell in column.items() if SIGNED.fullmatch(cell)} - figures
        strays += [(number, cell) for number, cell in column.items() if number in chosen]
    return strays


def _doubtful(columns: dict[int, Column], players: set[int]) -> list[tuple[str, str]]:
    """Return name and first cell of the columns of tie-breaks most of which might be games with players."""
    doubtful = []
    for place, column in columns.items():
        cells = [(number, cell, parse_result_cell(cell)) for number, cell in column.items()]
        like = [cell for number, cell, half in cells if half and half.opponent in players and half.opponent != number]
        if 2 * len(like) > len([cell for _, cell, _ in cells if cell not in IDLE]):
            title = f"column {place + 1}" if place >= 0 else f"column {-place} from the right"
            doubtful.append((title, like[0]))
    return doubtful
