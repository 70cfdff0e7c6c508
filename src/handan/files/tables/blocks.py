"""What stands once for many rows: a round or a day above a block of them, a day in an evening's first row, a cell with
ditto marks below it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from pathlib import PurePath

import polars as pl

from handan.colours import COLOURS
from handan.errors import Clause
from handan.files.cells.dates import day_in_line, looks_like_date
from handan.files.cells.numbers import round_in
from handan.files.games.columns import is_own_header
from handan.files.games.date_column import stand_once
from handan.files.io.dictionary_encoding import different, has, known_texts
from handan.files.io.header import passed_over
from handan.files.tables.column_names import PERSONS
from handan.files.tables.text_table import TextTable
from handan.words import written_words

MARKS = frozenset(("〃", "〻", "″", "”", '"', "''", *written_words("ditto", "sure")))
"""Marks and words that stand for what the cell above them says."""
DITTO = MARKS | {*written_words("ditto", "doubtful")}
"""These, and words for the same that somebody may have for a name."""
MOST_NAMED = 5  # our choice: days that a message names
SHORT = ("date", "round", "handicap", "komi", "size", "black_rank", "white_rank", "result")
"""Columns in which such a word means nothing else."""
DITTO_ONCE = "1 ditto mark is read as the cell above it"
DITTO_OFTEN = "{number} ditto marks are read as the cells above them"

BESIDE_GAMES = ("date", "round", "event", "notes")
"""Columns in one of which a line of text between games stands."""
BETWEEN_ROWS = "the text between the rows is passed over: {title}"
LETTER = r"\p{L}"
ONCE = {
    ("date", 1): "each day stands once: 1 row without one below it has the same day",
    ("date", 2): "each day stands once: {number} rows without one below it have the same day",
    ("round", 1): "each round stands once: 1 row without one below it is of the same round",
    ("round", 2): "each round stands once: {number} rows without one below it are of the same round",
}
"""By what stands once, and how many rows get it, 2 for several."""

ABOVE = {
    ("rounds", 1): "1 line above blocks of rows gives their rounds",
    ("rounds", 2): "{number} lines above blocks of rows give their rounds",
    ("dates", 1): "1 line above blocks of rows gives their dates: {days}",
    ("dates", 2): "{number} lines above blocks of rows give their dates: {days}",
    ("rounds and dates", 1): "1 line above blocks of rows gives their rounds and dates: {days}",
    ("rounds and dates", 2): "{number} lines above blocks of rows give their rounds and dates: {days}",
}
"""By what they give, and how many there are, 2 for several."""


def as_above(cells: Sequence[str], marks: Collection[str] = DITTO) -> list[str]:
    """Return the cells of a column with ditto marks replaced by the cell above; a mark in the first row stays."""
    made: list[str] = []
    for cell in cells:
        made.append(made[-1] if made and cell.strip().lower() in marks else cell)
    return made


def spread_dittos(table: TextTable) -> None:
    """Give cells with ditto marks what stands above them; a player may be called by a word for them.

    Events, kinds and notes may be any text, such as a quotation mark.
    """
    for name in table.text.columns:
        if name not in (*COLOURS, *PERSONS, *SHORT):
            continue
        marks = DITTO if name in SHORT else MARKS
        if not known_texts(table.text[name]).str.strip_chars().str.to_lowercase().is_in(list(marks)).any():
            continue
        cells = table.cells(name)
        filled = pl.Series(name, as_above(cells.to_list(), marks), dtype=pl.String)
        if (changed := filled != cells).any():
            number = int(changed.sum())
            message = Clause.of(DITTO_ONCE if number == 1 else DITTO_OFTEN, number=number)
            table.remark(message, name, int(table.lines.filter(changed)[0]))
            table.text = table.text.with_columns(filled)


def spread_blocks(table: TextTable) -> None:
    """Give the rows of a block the round or day of the line that heads it, such as `Round 2`, and leave that line out.

    The text above the headings may head the first block.
    """
    text = table.text
    full = (column for column in text if not has(column, ""))
    if text.width < 2 or len(list(islice(full, 2))) == 2:
        return
    cells = text.select(pl.all().cast(pl.String).fill_null("").str.strip_chars())
    alone = cells.select(pl.sum_horizontal(pl.all() != "") == 1).to_series()
    heads: dict[str, dict[int, str]] = {"round": {}, "date": {}}
    for row in alone.arg_true().to_list():
        cell = next(cell for cell in cells.row(row) if cell)
        for column, value in headed(cell).items():
            heads[column][row] = value
    rows = sorted({row for values in heads.values() for row in values})
    if not rows:
        return
    above = {column: value for line in table.above for column, value in headed(line).items()}
    made = cells
    for column, values in heads.items():
        if not values:
            continue
        first = {0: above[column]} if column in above and 0 not in values else {}
        own = [values.get(row, first.get(row)) for row in range(text.height)]
        of_block = pl.Series(own, dtype=pl.String).forward_fill().fill_null("")
        if column in made.columns:
            of_block = pl.select(pl.when(made[column] == "").then(of_block).otherwise(made[column])).to_series()
        made = made.with_columns(of_block.alias(column))
        if first:
            table.above = [line for line in table.above if column not in headed(line)]
    days = list(dict.fromkeys(heads["date"].values()))
    what = " and ".join(f"{name}s" for name, values in heads.items() if values)
    named = f"{', '.join(days[:MOST_NAMED])}{', …' if len(days) > MOST_NAMED else ''}"
    message = Clause.of(ABOVE[what, min(len(rows), 2)], number=len(rows), days=named)
    table.remark(message, text.columns[-1], int(table.lines[rows[0]]))
    table.text = made
    table.keep(~pl.int_range(text.height, eager=True).is_in(rows))


def leave_out_titles(table: TextTable) -> None:
    """Leave out lines of text between rows of games, such as the name of a month, and say what stands there."""
    columns = [column for column in BESIDE_GAMES if column in table.text.columns]
    if not columns or not all(has(table.text[column], "") for column in table.choice if column in table.text.columns):
        return
    cells = table.text.select(pl.all().cast(pl.String).fill_null("").str.strip_chars())
    text = pl.concat_str(*columns)
    alone = (pl.sum_horizontal(pl.all() != "") == 1) & text.str.contains(LETTER)
    titles = cells.select(alone, title=text)
    if rows := titles.to_series().arg_true().to_list():
        lines = [int(table.lines[row]) for row in rows]
        table.problems += passed_over(titles["title"].gather(rows), table.source, lines[0], BETWEEN_ROWS)
        table.keep(~titles.to_series())


def headed(cell: str) -> Mapping[str, str]:
    """Return the round and the day that a line such as `Round 2` gives rows below it, by column; nothing if none."""
    number = round_in(cell)
    if number is not None:
        return {"round": str(number)}
    if looks_like_date(cell):
        return {"date": cell.strip()}
    line = day_in_line(cell)
    number = None if line is None else round_in(line.rest)
    return {} if line is None or number is None else {"round": str(number), "date": str(line.day)}


def spread_title(table: TextTable, order: str, *, dated: bool) -> None:
    """Give rows the day in the text above the headings where no row has one, which is said.

    Args:
        table: The rows.
        order: Of day, month and year, as the user says it.
        dated: Whether the user gives a day, which counts.
    """
    if not table.above:
        return
    bare = "date" not in table.text.columns or not any(different(table.text["date"]).str.strip_chars())
    days = {line.day for text in table.above if (line := day_in_line(text, order))} if bare and not dated else set()
    title = " · ".join(table.above)
    if len(days) == 1:
        day = str(*days)
        table.text = table.text.with_columns(pl.lit(day).alias("date"))
        pattern = "the text above the headings gives the day of the games, {day}: {title}"
        table.remark(Clause.of(pattern, day=day, title=title[:60]), "date", table.line)


def title_of(table: TextTable) -> str:
    """Return the first line above the headings that says more than a round or a day; empty where none does."""
    return next(
        (line for line in table.above if not headed(line) and ((day := day_in_line(line)) is None or day.rest)), ""
    )


def spread_round(table: TextTable) -> None:
    """Take a missing round from the name of the worksheet or file, such as `Runde 2` or `round2.csv`."""
    name = PurePath(table.source.rpartition("!")[2])
    number = round_in(name.name) or round_in(name.stem)
    if number and "round" not in table.text.columns:
        table.text = table.text.with_columns(pl.lit(str(number)).alias("round"))
        table.remark(Clause.of("the name says the round of these games: {number}", number=number), "round")


def fill_down(table: TextTable) -> None:
    """Give rows without a day or round that of the row above, where each stands once for an evening or a round.

    Where a day stands in two rows, or most rows have one, each is dated by itself, and an empty cell is an unknown day.
    Under Handan's own headings an empty round is an unknown one: so it is written.
    """
    own = is_own_header(",".join(meaning.heading for meaning in table.meanings))
    for name in ("date",) if own else ("date", "round"):
        if name not in table.text.columns or not has(table.text[name], ""):
            continue
        cells = table.cells(name)
        filled = pl.Series(filled_down(cells.to_list()), dtype=pl.String)
        empty = (cells == "") & (filled != "")
        if empty.any():
            number = int(empty.sum())
            table.remark(Clause.of(ONCE[name, min(number, 2)], number=number), name, int(table.lines.filter(empty)[0]))
            table.text = table.text.with_columns(filled.alias(name))


def filled_down(days: Sequence[str]) -> list[str]:
    """Return days, or rounds, filled down if only the first row of each evening, or round, has one; else as given.

    A word without a figure, such as `Sum` in a row of totals, is no day.
    """
    given = [day for day in days if any(map(str.isnumeric, day))]
    words = sum(bool(day) for day in days) - len(given)
    if not given or days[0] != given[0] or not stand_once(len(days) - words, len(given), len(set(given))):
        return list(days)
    written, last = set(given), ""
    made: list[str] = []
    for day in days:
        last = day if day in written else last
        made.append(day or last)
    return made
