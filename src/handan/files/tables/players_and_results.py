"""From understood headings to the columns of a games table: who is Black, who won, and how."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import polars as pl

from handan.colours import COLOURS
from handan.errors import Clause, FieldError, shown
from handan.files.cells.results import (
    FIRST,
    HALF_POINTS,
    SECOND,
    Finding,
    endings_of,
    is_score,
    letters_of,
    read_result,
    tail_of,
)  # fmt: skip
from handan.files.io.dictionary_encoding import different as different_texts
from handan.files.io.header import unread_columns
from handan.files.tables.text_table import TextTable
from handan.ledger import Outcome, Result
from handan.ledger.name_folding import folded, unspaced
from handan.words import joined, plain, words_of

SHORTEST_ANSWER = 2  # letters of the alphabet; N is a colour in some languages
FIRST_WINS, SECOND_WINS = "P1+", "P2+"
SCORES = {
    **dict.fromkeys(("1", "1.0", "+"), "1-0"), **dict.fromkeys(("0", "0.0", "-"), "0-1"),
    **dict.fromkeys(HALF_POINTS, "½-½"),
}  # fmt: skip
"""Points of the first player as scores of both."""
AROUND_OUTCOME = " :,-()[]（）［］"
"""What stands between a name and how its player won, and around that."""
ENDINGS = ("R", "T", "F")
SHORTEST_NAME = 2  # letters of a part of a name by which a winner is called; our choice
COLOURS_UNKNOWN = (FIRST_WINS, SECOND_WINS, "P=")
"""How a result begins that says of itself that nobody knows who was Black, whatever its table says."""
SIDES = (*COLOURS, FIRST, SECOND)
"""Who won, where somebody did."""
UNREAD_ONCE = "column {column} says {cell} in 1 row, which is not read"
UNREAD = "column {column} says {cell} and the like in {number} rows, which are not read"
NOT_A_PLAYER = Clause.of("one of the two players of the row, or Black or White")
NAME_OR_COLOUR = Clause.of(
    "a colour or a name that the other cells of its column tell apart: somebody in the row is called so"
)
IN_SHORT = "players are called by a part of the name that nobody else in the row has: {cell} is {name}"
NO_COLOUR = Clause.of(
    "the name of the player who won; nothing says which of the two had Black{hint}", hint=" (--column black=…)"
)


class Spelling(NamedTuple):
    """How results are written that are not as in files."""

    letters: str = ""
    """Letters of Black and White, where they are not B and W."""
    endings: Mapping[str, str] = {}
    """Letters that stand behind them, where they are of another language, and what they say."""


def find_margins(table: TextTable) -> None:
    """Take results that say only how games were won, such as `12.5` and `R`, for margins beside a column of winners.

    A half is a margin there, and a word for a draw stays the result. Beside whole results nobody reads who won.
    """
    if not {"winner", "result"} <= {*table.text.columns} or table.choice[-1] != "result":
        return
    cells = table.cells("result")
    different = {*cells.unique()} - {""}
    sides = {cell: finding.winner for cell in different - {*HALF_POINTS} if (finding := finding_of(cell))}
    how = {cell for cell in different if tail_of(cell) and sides.get(cell) not in COLOURS}
    without_winner = [cell for cell, side in sides.items() if side not in SIDES]
    points = different and different <= SCORES.keys()
    if "margin" in table.text.columns or points or different - how - {*without_winner}:
        table.text = table.text.drop("winner")
        headings = [meaning.heading for meaning in table.meanings if meaning.column == "winner"]
        table.problems += unread_columns(headings, table.source, table.line)
        meant = {"winner": ""}
    else:
        winners = _where(cells.is_in(without_winner), cells, table.cells("winner"))
        table.text = table.text.with_columns(winner=winners).rename({"result": "margin"})
        meant = {"result": "margin"}
    table.meanings = [replace(each, column=meant.get(each.column, each.column)) for each in table.meanings]


def seat_players(table: TextTable, choice: tuple[str, ...], languages: frozenset[str], letters: str) -> Spelling:
    """Give a table the columns black, white and result.

    Args:
        table: To be changed.
        choice: The set of columns by which it is read.
        languages: Those of the headings.
        letters: Of Black and White as the user says; empty for those that the column shows.

    Raises:
        QuestionError: The letters of the results can mean either colour.
    """
    if "black_wins" in choice:
        return Spelling()
    text, coloured, name = table.text, choice[0] == "black", choice[-1]
    if coloured and name == "result" and "margin" not in text.columns and _plain_results(text, letters, languages):
        return Spelling()
    table.text = text.cast(pl.String).fill_null("")
    if choice == ("winner", "loser"):
        _part_results(table, languages, letters)
    _read_colours(table, languages, letters)
    _read_margins(table, languages)
    text = table.text
    if choice == ("winner", "loser"):
        table.text = _of_winners(text)
        return Spelling()
    cells, points = _scores(text[name])
    sides = [side for side in text.columns if side in choice[:2]] if coloured else choice[:2]
    names = (text[sides[0]], text[sides[1]])
    used = letters or letters_of(cells.unique(), languages)
    marks = (FIRST_WINS, SECOND_WINS) if not coloured else ("B+", "W+") if sides[0] == "black" else ("W+", "B+")
    endings = endings_of(used, languages)
    findings = {cell: finding_of(cell, used, endings) for cell in cells.unique()}
    outcome, problems, called = _outcomes(
        cells, names, findings, person_first=name == "winner", marks=marks, endings=endings
    )
    if "margin" in text.columns:
        outcome = _where(outcome.str.ends_with("+"), outcome + text["margin"], outcome)
    if not coloured:
        text, outcome, more = _with_colours(text, outcome)
        problems += more
    for cell, whole in islice(called.items(), 1):
        table.remark(Clause.of(IN_SHORT, cell=shown(cell), name=shown(whole)), name)
    for row, expected in problems:
        table.reject([row], name, [cells[row]], expected)
    if points or (sides[0] == "white" and any(map(is_score, cells.unique().to_list()))):
        pattern = "results such as {example} are points of {side}, whose column stands first"
        table.remark(Clause.of(pattern, example=points or "1-0", side=Clause.of(sides[0])), name)
    table.text = text.with_columns(outcome.alias("result"))
    table.keep(~pl.int_range(text.height, eager=True).is_in([row for row, _ in problems]))
    spoken = {cell.strip()[-1:].upper(): tail for cell, tail in _by_letters(findings, endings).items()}
    return Spelling(used if used != "bw" else "", spoken)


def _by_letters(findings: Mapping[str, Finding | None], endings: Mapping[str, str]) -> dict[str, str]:
    """Return the results whose last letter says how they were won, with what it says."""
    tails = {cell: endings.get(plain(cell.strip().rpartition("+")[2].strip()), "") for cell in findings}
    return {cell: tail for cell, tail in tails.items() if tail and (finding := findings[cell]) and finding.tail == tail}


def _plain_results(text: pl.DataFrame, letters: str, languages: frozenset[str]) -> bool:
    """Return whether every result is written as files have it, with the letters B and W."""
    if letters not in ("", "bw"):
        return False
    different = different_texts(text["result"]).to_list()
    endings = endings_of("bw", languages)
    if endings and any(plain(cell[-1:]) in endings for cell in different):
        return False
    starts = {cell[:1].lower() for cell in different}
    if "b" in starts and "w" not in starts:
        return False  # the letter may be that of another language
    if text.columns.index("white") < text.columns.index("black") and any(map(is_score, different)):
        return False
    return all(_is_plain(cell) for cell in different)


def _is_plain(cell: str) -> bool:
    try:
        return not tail_of(Result.parse(cell).remark)
    except FieldError:
        return not cell.strip()


def _scores(cells: pl.Series) -> tuple[pl.Series, str]:
    """Return results that are points of the first player, 1, ½ or 0, as scores of both, and one of them; else as is.

    So are yes and no, as forms ask who sends them whether they won.
    """
    different = {cell.strip() for cell in cells.unique().to_list()} - {""}
    answers = {cell: answer for cell in different if (answer := _answer(cell))}
    if answers and all(cell in answers or _is_draw(cell) for cell in different):
        return cells.str.strip_chars().replace(answers), next(iter(sorted(answers)))
    # where all are 0 or 1/2, those are draws, as files of single games write them
    points = sorted(different & SCORES.keys() - {"0", "0.0", "1/2", "-"})  # a dash alone may stand for nothing
    if not points or any(map(_names_a_side, different - SCORES.keys())):
        return cells, ""
    return cells.str.strip_chars().replace(SCORES), "1" if "1" in points else points[0]


def _answer(cell: str) -> str:
    """Return the score of the player who answers whether they won; empty for a cell that is no such answer."""
    word = joined(cell)
    if len(word) < SHORTEST_ANSWER and word.isascii():
        return ""
    return "1-0" if word in words_of("yes") else "0-1" if word in words_of("no") else ""


def _is_draw(cell: str) -> bool:
    finding = finding_of(cell, "bw")
    return finding is not None and finding.winner == "draw"


def _names_a_side(cell: str) -> bool:
    """Return whether a result is neither the points of both players nor one without a winner."""
    if is_score(cell):
        return False
    try:
        return Result.parse(cell).outcome in (Outcome.BLACK, Outcome.WHITE)
    except FieldError:
        return True


def _of_winners(text: pl.DataFrame) -> pl.DataFrame:
    """Return the games of a table of winners and losers; the winner stands in the black column unless it says White."""
    white = _has_colour(text, "white")
    coloured = _has_colour(text, "black") | white
    sides = pl.when(white).then(pl.lit("W+")).when(coloured).then(pl.lit("B+")).otherwise(pl.lit(FIRST_WINS))
    result = pl.select(sides).to_series() + (text["margin"] if "margin" in text.columns else "")
    if "result" in text.columns:
        result = _where(text["result"] == "", result, text["result"])
    return _seated(text, "winner", "loser", white).with_columns(result=result)


def _part_results(table: TextTable, languages: frozenset[str], letters: str) -> None:
    """Give a table of winners and losers the colour of the winner and the margin that its results tell.

    What stays a result is one without a winner, such as a draw, but for a half, which is a margin.
    """
    names = [name for name in ("colour", "margin") if name not in table.text.columns]
    if "result" not in table.text.columns or not names:
        return
    cells = table.cells("result")
    used = letters or letters_of(cells.unique(), languages)
    endings = endings_of(used, languages)
    findings = {cell: None if cell in HALF_POINTS else finding_of(cell, used, endings) for cell in cells.unique()}
    without = {cell: own.text(FIRST_WINS, "") for cell, own in findings.items() if own and own.winner not in SIDES}
    facts = {
        "colour": {cell: own.winner for cell, own in findings.items() if own and own.winner in COLOURS},
        "margin": {cell: own.tail if own else cell for cell, own in findings.items()},
    }
    columns = [cells.replace_strict(facts[name], default="", return_dtype=pl.String).alias(name) for name in names]
    result = cells.replace_strict(without, default="", return_dtype=pl.String)
    table.text = table.text.with_columns(*columns, result=result)


def _read_colours(table: TextTable, languages: frozenset[str], letters: str) -> None:
    """Give the column of colours their names in place of words and letters."""
    if "colour" in table.text.columns:
        used = letters or letters_of(table.text["colour"].unique(), languages)
        _read_cells(table, "colour", lambda cell: own.winner if (own := finding_of(cell, used)) else None)


def _read_margins(table: TextTable, languages: frozenset[str]) -> None:
    """Give the column of margins what results have behind the colour; nothing for a word such as `points` alone."""
    endings = endings_of("bw", languages)

    def read(cell: str) -> str | None:
        tail = tail_of(cell) or endings.get(plain(cell).strip("+. "), "")
        return tail if tail or finding_of(f"black wins {cell}") else None

    if "margin" in table.text.columns:
        _read_cells(table, "margin", read)


def _read_cells(table: TextTable, name: str, read: Callable[[str], str | None]) -> None:
    """Give a column what its cells say, and note those of which that is None."""
    cells = table.cells(name)
    meant = {cell: read(cell) for cell in cells.unique()}
    table.text = table.text.with_columns(cells.replace_strict(meant, return_dtype=pl.String).fill_null("").alias(name))
    unread = cells.is_in([cell for cell, own in meant.items() if own is None and joined(cell)])
    if unread.any():
        headings = {meaning.column: meaning.heading for meaning in table.meanings}
        heading = headings.get(name, headings.get("result", name))
        values = {"column": shown(heading), "cell": shown(cells.filter(unread)[0]), "number": f"{unread.sum():,}"}
        message = Clause.of(UNREAD_ONCE if unread.sum() == 1 else UNREAD, **values)
        table.remark(message, name, int(table.lines.filter(unread)[0]))


def _seated(text: pl.DataFrame, first: str, second: str, swapped: pl.Series) -> pl.DataFrame:
    """Return a table in which the first person, with rank and id, is Black, and White where `swapped` says so."""
    seats = {}
    for kind in ("", "_rank", "_id"):
        names = [f"{person}{kind}" for person in (first, second)]
        if any(name in text.columns for name in names):
            one, two = (pl.col(name) if name in text.columns else pl.lit("") for name in names)
            seats[f"black{kind}"] = pl.when(swapped).then(two).otherwise(one)
            seats[f"white{kind}"] = pl.when(swapped).then(one).otherwise(two)
    return text.with_columns(**seats)


def _has_colour(text: pl.DataFrame, colour: str) -> pl.Series:
    """Return in which rows the colour column says a colour."""
    if "colour" not in text.columns:
        return pl.repeat(value=False, n=text.height, eager=True, dtype=pl.Boolean)
    return text["colour"] == colour


def _outcomes(
    cells: pl.Series,
    names: tuple[pl.Series, pl.Series],
    findings: Mapping[str, Finding | None],
    *,
    person_first: bool,
    marks: tuple[str, str],
    endings: Mapping[str, str],
) -> tuple[pl.Series, list[tuple[int, str]], Mapping[str, str]]:
    """Return the results as files have them, and the rows whose result says neither a side nor a player.

    Last come the cells that call a player by a part of the name, with the whole one.

    Args:
        cells: As they are written.
        names: Of the first and the second player of each row.
        findings: What each different cell says.
        person_first: Whether a cell is a player's name before it is a result.
        marks: What a win of the first player begins with, and one of the second.
        endings: Letters of another language behind them, and what they say.
    """
    first, second = (cells.str.strip_chars() == side.str.strip_chars() for side in names)
    texts = {
        cell: cell if cell.startswith(COLOURS_UNKNOWN) else finding.text(*marks)
        for cell, finding in findings.items()
        if finding
    }
    outcome = cells.replace_strict(texts, default=None, return_dtype=pl.String)
    by_name = (first | second) & (cells != "")
    is_colour = cells.is_in([cell for cell, finding in findings.items() if finding and finding.winner in COLOURS])
    both = by_name & is_colour
    of_names, of_colours = bool((by_name & ~is_colour).any()), bool((is_colour & ~by_name).any())
    unclear = both if of_names == of_colours else both & ~both
    by_name &= ~(unclear if of_names else both)
    if not person_first:
        by_name &= outcome.is_null() | both
    outcome = _where(unclear, pl.Series([None] * len(cells), dtype=pl.String), outcome)
    named = pl.select(pl.when(first).then(pl.lit(marks[0])).otherwise(pl.lit(marks[1]))).to_series()
    outcome = _where(by_name, named, outcome)
    read = outcome.to_list()
    problems: list[tuple[int, str]] = []
    called: dict[str, str] = {}
    whole = {*map(folded, different_texts(*names))} if outcome.null_count() else set()
    for row in outcome.is_null().arg_true():
        cell = cells[row]
        if unclear[row]:
            read[row] = cell
            problems.append((int(row), NAME_OR_COLOUR))
        elif not cell.strip() or _is_plain(cell):  # such as `both-lose`
            read[row] = cell
        else:
            result, name = result_by_name(cell, (names[0][row], names[1][row]), marks, endings, whole)
            read[row], called[cell] = result or cell, name
            if read[row] == cell and person_first:
                problems.append((int(row), NOT_A_PLAYER))
    return pl.Series("result", read, dtype=pl.String), problems, {cell: name for cell, name in called.items() if name}


def finding_of(cell: str, letters: str = "bw", endings: Mapping[str, str] | None = None) -> Finding | None:
    """Return what a result says, as `read_result` does; None if it says none."""
    try:
        return read_result(cell, letters, endings)
    except FieldError:
        return None


def _forms(name: str, other: str, whole: Collection[str]) -> list[str]:
    """Return what a player of a row may be called: the whole name, and parts that neither the other nor anybody has.

    Args:
        name, other: Folded names of the player and of the other one.
        whole: Those of all players.
    """
    parts = [part for part in _parts(name) if part not in whole and part not in _parts(other)]
    return [name, *parts] if name else []


def _parts(name: str) -> list[str]:
    """Return words of a name that follow each other; of one without blanks in such a script, its beginnings."""
    words = name.replace(",", " ").split()
    if len(words) == 1 and unspaced(name):
        return [name[:end] for end in range(1, len(name))]
    runs = (" ".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, len(words) + 1))
    return [run for run in runs if run != name and len(run) >= SHORTEST_NAME]


def _of_tail(text: str, endings: Mapping[str, str]) -> Finding | None:
    """Return a win of Black by a letter alone, such as `R` or `+T`; None where it is none."""
    letter = text.lstrip("+ ").rstrip(".")
    finding = finding_of(f"B+{letter}", "bw", endings) if len(letter) == 1 else None
    return finding if finding and finding.tail in ENDINGS else None


def result_by_name(
    cell: str, names: tuple[str, str], marks: tuple[str, str], endings: Mapping[str, str], whole: Collection[str]
) -> tuple[str, str]:
    """Return the result of a cell that begins with a player's name, such as `Ada by 3.5`, and the whole name of whoever
    is called by a part of it; empty for any other cell.
    """
    text = folded(cell)
    first, second = map(folded, names)
    forms = [(form, 0) for form in _forms(first, second, whole)] + [(form, 1) for form in _forms(second, first, whole)]
    for own, side in sorted(forms, key=lambda pair: -len(pair[0])):
        if not text.startswith(own) or (rest := text[len(own) :])[:1].isalnum():
            continue
        called = "" if own in (first, second) else names[side]
        if not rest.strip():
            return marks[side], called
        rest = rest.strip(AROUND_OUTCOME)
        finding = _of_tail(rest, endings) or finding_of(f"black {rest}", "bw") or finding_of(f"black wins {rest}", "bw")
        if finding is not None:
            return marks[side if finding.winner == "black" else 1 - side] + finding.tail, called
    return "", ""


def _with_colours(text: pl.DataFrame, outcome: pl.Series) -> tuple[pl.DataFrame, pl.Series, list[tuple[int, str]]]:
    """Return a table of first and second players with black and white, where a column says the first player's colour.

    A row whose result names a colour is a fault where nothing says who had it.
    """
    white, black = _has_colour(text, "white"), _has_colour(text, "black")
    lettered = outcome.str.contains(r"^[BW]\+").fill_null(value=False)
    result = _where(white & ~lettered, _mapped(outcome, {"P1+": "W+", "P2+": "B+", "P=": "jigo"}), outcome)
    result = _where(black & ~lettered, _mapped(outcome, {"P1+": "B+", "P2+": "W+", "P=": "jigo"}), result)
    open_rows = (lettered & ~(white | black)).arg_true()
    return _seated(text, "player1", "player2", white), result, [(int(row), NO_COLOUR) for row in open_rows]


def _mapped(cells: pl.Series, beginnings: Mapping[str, str]) -> pl.Series:
    """Return results with another beginning."""
    texts = {cell: cell for cell in cells.unique()}
    for cell in texts:
        for old, new in beginnings.items():
            if cell.startswith(old):
                texts[cell] = new + cell.removeprefix(old)
    return cells.replace_strict(texts, return_dtype=pl.String)


def _where(rows: pl.Series, then: pl.Series, otherwise: pl.Series) -> pl.Series:
    return pl.select(pl.when(rows).then(then).otherwise(otherwise)).to_series()
