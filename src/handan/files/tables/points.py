"""Points of both players in a column each (`Punkte Schwarz`, `Punkte Weiß`), from which results follow."""

from __future__ import annotations

import re
from collections import Counter

import polars as pl

from handan.errors import Clause, FieldError, InputError, line_of, shown
from handan.files.cells.results import FIRST, SECOND, plain_text, read_result, tail_of
from handan.files.tables.column_names import DRAWN, SCORES, TICKS
from handan.files.tables.text_table import TextTable
from handan.words import joined, words_of

NUMBER = re.compile(r"\d{1,6}(?:[.,]\d{1,6})?|[.,]5|1/2")
SCORE = r"^(?P<home>\d{1,3})\s{0,3}[-–—:]\s{0,3}(?P<away>\d{1,3})$"
LOSS, HALF, WIN, TWO = 0.0, 0.5, 1.0, 2.0
ONES = {(WIN, LOSS): 0, (LOSS, WIN): 1, (HALF, HALF): 2}
TWOS = {(TWO, LOSS): 0, (LOSS, TWO): 1, (WIN, WIN): 2}
"""Which result points are, where a win is worth one or two: the first player won, the second, nobody."""
WHO_WON = (
    "{source}: {column} and {second} are {one} and {other}, which do not say who won ({expected} would; points on the "
    "board have komi in them or not); who won each game? Give a column with the winner, or with the result, such as "
    "B+5.5"
)
EXPECTED = {1: "1 and 0, ½ and ½ or 0 and 1", 2: "2 and 0, 1 and 1 or 0 and 2"}
MARKS = frozenset("✓✔☑√●•○◯〇◎⭕*+vo")
CROSSES = frozenset("☒✗✘×x")
"""Marks too where a table has no others; beside these, such as ○, they say no."""
NO_MARKS = frozenset("0-–—☐□")
"""What stands in a column where no mark is made."""
ONE_TICK = "one mark in the row, in the column of the player who won or of draws, or how they won"
OUTCOMES = {"black": ("B+", "W+", "jigo"), "player1": ("P1+", "P2+", "P=")}


def find_results(table: TextTable, *, of_teams: bool = False) -> bool:
    """Let results follow from points of both players, or marks for who won; rows in which they do not are problems.

    Args:
        table: Its columns of points become one of results.
        of_teams: Whether points are those of a match, such as goals: who has more has won.

    Raises:
        InputError: Less than half of the points say who won, such as 183 and 178, in which komi may be counted or not.
    """
    choice = table.choice
    columns = choice[2:]
    if columns in (TICKS[:2], TICKS[2:]):
        _find_ticks(table, columns, OUTCOMES[choice[0]])
        return True
    if columns not in (SCORES[:2], SCORES[2:]):
        return False
    sides = [table.cells(column) for column in columns]
    pairs = list(zip(*sides, strict=True))
    worths = {cell: _worth(cell) for cell in {*sides[0].unique(), *sides[1].unique()}}
    counts = Counter((worths[one], worths[other]) for one, other in pairs)
    twice = sum(counts[pair] for pair in TWOS) > sum(counts[pair] for pair in ONES)
    decided = TWOS if twice else ONES
    outcomes = OUTCOMES[choice[0]]
    outcome_of: dict[tuple[str, str], str | None] = {("", ""): ""}
    for one, other in set(pairs) - {("", "")}:
        place = _more(worths[one], worths[other]) if of_teams else decided.get((worths[one], worths[other]))  # type: ignore[arg-type]
        outcome_of[one, other] = None if place is None else outcomes[place]
        if place in {0, 1} and of_teams:
            outcome_of[one, other] = f"{outcomes[place]}{float(abs(worths[one] - worths[other])):g}"  # type: ignore[operator]
    results = [outcome_of[pair] for pair in pairs]
    faulty = [row for row, result in enumerate(results) if result is None]
    expected = "numbers of points" if of_teams else EXPECTED[1 + twice]
    if 2 * len(faulty) > sum(pair != ("", "") for pair in pairs):
        one, other = map(shown, pairs[faulty[0]])
        values = {"column": columns[0], "second": columns[1], "one": one, "other": other}
        line = line_of(table.source, int(table.lines[faulty[0]]))
        raise InputError(Clause.of(WHO_WON, source=line, expected=Clause.of(expected), **values))
    cells = [_quoted(*pairs[row]) for row in faulty]
    table.reject(faulty, "points", cells, expected)
    table.text = table.text.drop(columns).with_columns(pl.Series("result", results, dtype=pl.String))
    table.keep(table.text["result"].is_not_null())
    if of_teams:
        at_home = "; home as Black, but on neutral ground" if "colour" in table.text.columns else ""
        table.facts["results"] = f"the points of both: who has more has won{at_home}"
    else:
        table.facts["results"] = f"the points of both players, {2 if twice else 1} and 0 for a win"
    return True


def _find_ticks(table: TextTable, columns: tuple[str, ...], outcomes: tuple[str, str, str]) -> None:
    """Let results follow from marks for who won, in whose place may stand how the game was won."""
    drawn = table.cells(DRAWN) if DRAWN in table.text.columns else pl.repeat("", table.text.height, eager=True)
    rows = list(zip(*(table.cells(column) for column in columns), drawn, strict=True))
    beside = {cell.lower() for row in rows for cell in row} & MARKS
    marks, no_marks = (MARKS, NO_MARKS | CROSSES) if beside else (CROSSES, NO_MARKS)
    results = [_of_ticks(row, outcomes, marks, no_marks) for row in rows]
    faulty = [row for row, result in enumerate(results) if result is None]
    table.reject(faulty, "result", [", ".join(filter(None, rows[row])) for row in faulty], ONE_TICK)
    table.text = table.text.drop(*columns, DRAWN, strict=False).with_columns(
        pl.Series("result", results, dtype=pl.String)
    )
    table.keep(table.text["result"].is_not_null())
    table.facts["results"] = "marks in the column of whoever won"


def _of_ticks(
    cells: tuple[str, ...], outcomes: tuple[str, str, str], marks: frozenset[str], no_marks: frozenset[str]
) -> str | None:
    """Return the result of the cells for the first player, for the second, and for a draw; None if they tell none."""
    marked = [place for place, cell in enumerate(cells) if not _says_no(cell, no_marks)]
    if len(marked) != 1:
        return None if marked else ""
    [place] = marked
    cell = cells[place]
    if cell.lower() in marks or joined(cell) in words_of("yes"):
        return outcomes[place]
    tail = tail_of(cell.strip("+ ")) if place < len(outcomes) - 1 else ""
    return f"{outcomes[place]}{tail}" if tail else None


def _says_no(cell: str, no_marks: frozenset[str]) -> bool:
    return not cell or cell.lower() in no_marks or joined(cell) in words_of("no")


def _quoted(one: str, other: str) -> str:
    """Return points that say nothing as a report shows them; a word in the place of a score stands alone."""
    return one if one and not other and _worth(one) is None else f"{one or 'nothing'} and {other or 'nothing'}"


def scores_apart(text: pl.DataFrame) -> pl.DataFrame:
    """Return a table of home and away whose results are scores, such as `2-1` or `0:0`, with a column for each side.

    A table in which half of the results or fewer are scores stays as it is; so does one of 1-0 and 0-1 alone, which say
    who won but not by how much.
    """
    if "result" not in text.columns:
        return text
    results = text["result"].cast(pl.String).fill_null("").str.strip_chars()
    goals = results.str.extract_groups(SCORE).struct.unnest()
    only_won = (goals["home"] + goals["away"]).drop_nulls().is_in(["10", "01"]).all()
    if only_won or 2 * goals["home"].count() <= (results != "").sum():
        return text
    sides = (goals["home"].fill_null(results), goals["away"].fill_null(""))  # what is no score stays to be refused
    named = [side.alias(name) for side, name in zip(sides, SCORES[2:], strict=True)]
    return text.drop("result").with_columns(*named)


def with_home_side(text: pl.DataFrame) -> pl.DataFrame:
    """Return a table of home and away in which home has black, whose first move is then what playing at home is worth.

    On neutral ground (`neutral`) nobody has it.
    """
    if "colour" in text.columns:
        return text
    ground = text["neutral"] if "neutral" in text.columns else pl.repeat("", text.height, eager=True)
    neutral = words_of("yes") | words_of("heading", "neutral")
    texts = {cell: "" if joined(cell or "") in neutral else "black" for cell in ground.unique()}
    colour = [texts[cell] for cell in ground.to_list()]
    return text.drop("neutral", strict=False).with_columns(pl.Series("colour", colour, dtype=pl.String))


def _more(one: float | None, other: float | None) -> int | None:
    """Return the place in `OUTCOMES` of points of which the higher win; None if one cell holds none."""
    if one is None or other is None:
        return None
    return 2 if one == other else int(one < other)


def _worth(cell: str) -> float | None:
    """Return the points that a cell holds, those of `win` and `loss` too; None if it holds none."""
    text = plain_text(cell)
    if NUMBER.fullmatch(text):
        text = text.replace(",", ".")
        return HALF if text == "1/2" else float(text)
    try:
        finding = read_result(cell)
    except FieldError:
        return None
    if finding.tail:
        return None
    return {FIRST: WIN, SECOND: LOSS, "draw": HALF}.get(finding.winner)
