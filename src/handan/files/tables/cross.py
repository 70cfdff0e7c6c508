"""Cross tables: players in rows and in columns, and in each cell what the row scored against the column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from handan.errors import Clause, FieldError, Problem
from handan.files.cells.ranked_names import is_rank
from handan.files.cells.results import FIRST, SECOND, read_result, tail_of
from handan.files.games.contents import Contents
from handan.files.io.csv_rows import split_row
from handan.files.io.options import Options
from handan.files.tables.column_names import Meaning
from handan.files.tables.header_rows import GAP, cell_at
from handan.files.tables.table import contents_of
from handan.files.tables.text_table import TextTable
from handan.ledger.name_folding import folded

ITSELF = frozenset((
    "x", "xx", "xxx", "×", "*", "**", "***", "#", "-", "–", "—", "\\", "■", "█", "▇", "●", "⬛", "/", "＼", "／",
    "╲", "+",
))  # fmt: skip
WIN, LOSS, DRAW = "1", "0", "½"
OUTCOMES = {WIN: "P1+", LOSS: "P2+", DRAW: "P="}
"""Seen from the player of the row."""
SCORES = {
    **dict.fromkeys(("1", "+", "w", "o", "○", "〇", "◯", "◎", "⭕"), WIN),
    **dict.fromkeys(("0", "-", "l", "●", "×", "✕", "✖", "╳"), LOSS),
    **dict.fromkeys(("½", "=", "0.5", "0,5", ".5", "1/2", "d", "△", "▲", "無"), DRAW),
}
"""Marks and letters; words are those of results."""
UNPLAYED = frozenset(("", ".", "?", "n/a", "_", "…"))
FEWEST, MOST = 2, 200  # players; the limit is our choice
LONGEST = 20  # characters of the scores of two players; our choice
PLACE = re.compile(r"\d{1,4}[.)]?")
THE_SAME = "what the cell of {name} (line {line}) tells of the same games"
MARKS = frozenset(mark for mark in SCORES if len(mark) == 1 and not mark.isascii() and mark != "½")
"""Scores behind which may stand how the game was won, as in `○3目半` and `●中押`."""
NO_TAIL = ""


class Score(NamedTuple):
    """What a cell says of one game."""

    points: str
    tail: str = NO_TAIL
    """How it was won, as results of files have it."""


@dataclass(frozen=True, slots=True)
class Cross:
    """A cross table: the rows of its players and where their cells against the first one stand."""

    names: list[str]
    rows: list[int]
    """Place of each player's row in the grid."""
    first: int
    """Place in a row of the cell against the first player."""
    ranks: list[str]
    """As they stand in front of the scores; empty where none do."""


def grid_of(lines: Sequence[str], separator: str = "") -> list[list[str]]:
    """Return the cells of lines, by a separator, or by that which most of them have."""
    separator = separator or separator_of(lines)
    return [_cells(line, separator) for line in lines]


def separator_of(lines: Sequence[str]) -> str:
    """Return the mark that most lines have between their cells, else blanks: one, or two where most lines have gaps."""
    filled = [line for line in lines if line.strip()]
    separator = max("\t;,|", key=lambda mark: sum(mark in line for line in filled))
    if not filled or 2 * sum(separator in line for line in filled) < len(filled):
        separator = "  " if 2 * sum(bool(GAP.search(line.strip())) for line in filled) >= len(filled) else " "
    return separator


def _cells(line: str, separator: str) -> list[str]:
    if separator == "  ":
        return [cell.strip() for cell in GAP.split(line.strip())]
    if separator == " ":
        return line.split()
    if separator == "|":
        line = line.strip().strip("|")
    row = split_row(line, 0, separator)
    return [cell.strip() for cell in row[0]] if row else [line.strip()]


def cross_table(grid: Sequence[Sequence[str]], source: str, options: Options, facts: dict[str, str]) -> Contents | None:
    """Return the games of a cross table; None if a grid is none.

    Both cells of two players must tell the same; where they do not, the game is a problem. Colours are unknown.

    Args:
        grid: The cells; the lines of the reports are its rows, counted from 1.
        source: Name for the reports.
        options: As the user gave them.
        facts: What was decided of it before (`Understanding.facts`).
    """
    cross = _laid_out(grid)
    if cross is None:
        return None
    games: list[tuple[str, str, str, str, str, int]] = []
    problems: list[Problem] = []
    for place, name in enumerate(cross.names):
        for other in range(place + 1, len(cross.names)):
            cells = (_cell(grid, cross, place, other), _cell(grid, cross, other, place))
            outcomes = _outcomes(*cells)
            line = cross.rows[place] + 1
            if outcomes is None:
                expected = Clause.of(THE_SAME, name=cross.names[other], line=cross.rows[other] + 1)
                cells_of_both = f"{cells[0] or '(empty)'} against {cells[1] or '(empty)'}"
                problems.append(Problem(source, line, name, cells_of_both, expected))
                continue
            ranks = cross.ranks[place], cross.ranks[other]
            games += [(name, cross.names[other], *ranks, text, line) for text in outcomes]
    if not games:
        return None
    options.limits.check("games", len(games), source)
    problems.append(_no_colours(source))
    columns = ("player1", "player2", "player1_rank", "player2_rank", "result")
    schema = {**dict.fromkeys(columns, pl.String()), "#": pl.Int64()}
    frame = pl.DataFrame(games, schema=schema, orient="row")
    meanings = [Meaning("rows", "player1"), Meaning("columns", "player2"), Meaning("cells", "result")]
    if any(cross.ranks):
        meanings += [Meaning("ranks", column) for column in columns[2:4]]
    else:
        frame = frame.drop(columns[2:4])
    facts = {**facts, "layout": "cross table"}
    return contents_of(
        TextTable(frame.drop("#"), frame["#"], source, meanings, problems=problems, facts=facts), options
    )


def _no_colours(source: str) -> Problem:
    pattern = "a cross table: it tells who won, and neither colours nor{hint} days"
    message = Clause.of(pattern, hint=", without --date,")
    return Problem(source, None, "", "a cross table", "a list of games", rejected=False, message=message)


def _laid_out(grid: Sequence[Sequence[str]]) -> Cross | None:
    """Find rows of as many players as there are cells between them, with a diagonal of cells against oneself."""
    rows = [place for place, row in enumerate(grid) if sum(bool(cell.strip()) for cell in row) >= FEWEST]
    if len(rows) > MOST + 10:
        return None
    for skipped in range(min(6, len(rows))):
        players = rows[skipped:]
        for count in range(len(players), FEWEST - 1, -1) if len(players) <= 60 else [len(players)]:
            cross = _diagonal(grid, players[:count])
            if cross is not None:
                return cross
    return None


def _diagonal(grid: Sequence[Sequence[str]], rows: list[int]) -> Cross | None:
    """Return the cross table of these rows, if each has the mark of oneself one place behind that of the row before."""
    width = min(len(grid[row]) for row in rows)
    for first in range(1, min(width, 8)):
        if max(len(grid[row]) for row in rows) < first + len(rows):  # the empty ends of some aside
            continue
        own = [cell_at(grid, row, first + place) for place, row in enumerate(rows)]
        if not all(cell.lower() in ITSELF or not cell for cell in own):
            continue
        numbered = not any(own) and not _named_above(grid, rows, first)
        if numbered and not _numbered_above(grid, rows, first):
            continue
        names = _names(grid, rows, first)
        if names and len({folded(name) for name in names}) == len(names) and _all_scores(grid, rows, first):
            cross = Cross(names, rows, first, _ranks(grid, rows, first))
            if (not numbered or _agrees(grid, cross)) and not _another_named(grid, rows, first):
                return cross
    return None


def _all_scores(grid: Sequence[Sequence[str]], rows: list[int], first: int) -> bool:
    """Return whether all cells between different players are scores or empty, and some are scores."""
    some = False
    for at, row in enumerate(rows):
        for place in range(len(rows)):
            cell = cell_at(grid, row, first + place)
            if place == at or cell.lower() in UNPLAYED:
                continue
            if len(cell) > LONGEST or _scores(cell) is None:
                return False
            some = True
    return some


def _named_above(grid: Sequence[Sequence[str]], rows: list[int], first: int) -> bool:
    """Return whether the row above the players names them once more, in their order."""
    if not rows[0]:
        return False
    names = _names(grid, rows, first)
    above = [cell_at(grid, rows[0] - 1, first + place) for place in range(len(rows))]
    return bool(names) and list(map(folded, above)) == list(map(folded, names))


def _another_named(grid: Sequence[Sequence[str]], rows: list[int], first: int) -> bool:
    """Return whether the row above the players names one more column, whose player has a row below theirs."""
    above = folded(cell_at(grid, rows[0] - 1, first + len(rows))) if rows[0] else ""
    return bool(above) and any(above in map(folded, row[:first]) for row in grid[rows[-1] + 1 :])


def _numbered_above(grid: Sequence[Sequence[str]], rows: list[int], first: int) -> bool:
    """Return whether the row above the players numbers their columns 1, 2, 3 and so on, and no more columns."""
    count = len(rows)
    above = [cell_at(grid, rows[0] - 1, first + place).rstrip(".") for place in range(count + 1)] if rows[0] else []
    return above[:count] == [str(place) for place in range(1, count + 1)] and above[count] != str(count + 1)


def _agrees(grid: Sequence[Sequence[str]], cross: Cross) -> bool:
    """Return whether both cells of all players tell the same; scores of numbered rounds would hardly do so."""
    pairs = [(place, other) for place in range(len(cross.names)) for other in range(place)]
    return all(_outcomes(_cell(grid, cross, *pair), _cell(grid, cross, *pair[::-1])) is not None for pair in pairs)


def _ranks(grid: Sequence[Sequence[str]], rows: list[int], first: int) -> list[str]:
    """Return the ranks in the column before the scores where most cells are some; empty where no column has them."""
    for column in range(first):
        cells = [cell_at(grid, row, column) for row in rows]
        if 2 * sum(is_rank(cell) for cell in cells) > len(cells):
            return [cell if is_rank(cell) else "" for cell in cells]
    return [""] * len(rows)


def _names(grid: Sequence[Sequence[str]], rows: list[int], first: int) -> list[str]:
    """Return the name in each row: the first cell before the scores that is no place; none if a row has none."""
    names = []
    for row in rows:
        before = [cell.strip() for cell in grid[row][:first]]
        name = next((cell for cell in before if cell and not PLACE.fullmatch(cell)), "")
        if not any(c.isalpha() for c in name):
            return []
        names.append(name)
    return names


def _cell(grid: Sequence[Sequence[str]], cross: Cross, player: int, other: int) -> str:
    return cell_at(grid, cross.rows[player], cross.first + other)


def _scores(cell: str) -> list[Score] | None:
    """Return the scores of a cell, of several games in `1 0` or `10½`; None if it holds anything else."""
    text = cell.lower()
    if text in SCORES:
        return [Score(SCORES[text])]
    if text[:1] in MARKS and (tail := tail_of(cell[1:].strip(" +:"))):
        return [Score(SCORES[text[:1]], tail)]
    if any(map(str.isalpha, text)):
        return _in_words(cell)
    parts = [part for part in re.split(r"[\s,/]+", text) if part]
    if len(parts) > 1:
        scores = [SCORES.get(part) for part in parts]
    else:
        scores = [SCORES.get(char) for char in text] if text and set(text) <= set("10½=") else [None]
    return [Score(score) for score in scores if score] if all(scores) else None


def _outcomes(own: str, other: str) -> list[str] | None:
    """Return the results of the games of two players, seen from the first; None if the cells tell different things."""
    mine = [] if own.lower() in UNPLAYED else _scores(own) or []
    yours = [] if other.lower() in UNPLAYED else _scores(other) or []
    turned = {WIN: LOSS, LOSS: WIN, DRAW: DRAW}
    yours = [Score(turned[score.points], score.tail) for score in yours]
    if mine and yours and (len(mine) != len(yours) or not all(map(_same, mine, yours))):
        return None
    games = zip(mine or yours, yours or mine, strict=True)
    return [f"{OUTCOMES[one.points]}{'' if one.points == DRAW else one.tail or two.tail}" for one, two in games]


def _same(one: Score, other: Score) -> bool:
    """Return whether two cells tell the same of a game, as far as both tell it."""
    return one.points == other.points and (one.tail == other.tail or not (one.tail and other.tail))


def _in_words(cell: str) -> list[Score] | None:
    """Return the score of a cell that says in words what the row's player did; None if it names a colour or nothing."""
    try:
        finding = read_result(cell)
    except FieldError:
        return None
    points = {FIRST: WIN, SECOND: LOSS, "draw": DRAW}.get(finding.winner)
    return [Score(points, finding.tail)] if points else None
