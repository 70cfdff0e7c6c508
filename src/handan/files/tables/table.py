"""The one way from a table of text with understood headings to the typed games table, for every kind of file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import polars as pl

from handan.errors import HeadingsError, InputError, Problem, QuestionError, counted
from handan.files.cells.byes import without_nobody
from handan.files.cells.dates import EPOCH, NAMES, DateReader
from handan.files.cells.numbers import CELLS
from handan.files.cells.ranked_names import taken_apart
from handan.files.cells.results import letters_used
from handan.files.cells.several_people import of_several
from handan.files.games.interpretation import Understanding
from handan.files.games.native_table import NEEDED, READABLE, in_order, read_table
from handan.files.games.parsed import Contents, ListOfPlayersError
from handan.files.io.csv_rows import refuse_long
from handan.files.io.dictionary_encoding import different, has
from handan.files.io.header import check_header, plain_name
from handan.files.io.options import Options
from handan.files.tables.between_games import parted_from_games
from handan.files.tables.blocks import with_blocks, with_days_of_evenings
from handan.files.tables.boards import with_sizes
from handan.files.tables.column_names import (
    ENOUGH,
    PAIRS,
    SCORES,
    Meaning,
    are_teams,
    enough,
    guesses,
    languages,
    meaning_of,
)  # fmt: skip
from handan.files.tables.layout import NO_COLOUR, Shaped, shaped
from handan.files.tables.left_out_rows import without_uncounted
from handan.files.tables.pairs import colour_question, parted
from handan.files.tables.points import with_home_side, with_results

FEWEST = min(map(len, ENOUGH))  # headings of a table of games
ENDINGS = {"R": "resignation", "T": "time", "F": "forfeit"}
LIST_OF_PLAYERS = "is a list of players and holds no games; it is read with --players, --from-list or --adjustments"
SAY_SO = "; a column of another name is given as --column black=NAME"


@dataclass(frozen=True, slots=True)
class Headed:
    """A table of text whose headings are understood."""

    text: pl.DataFrame
    """Its columns are named as their meanings; those without a meaning are not there."""
    lines: pl.Series
    """Line or row of each row in the source, counted from 1."""
    meanings: Sequence[Meaning]
    line: int | None = None
    """Line of the header; None where it has none."""
    above: str = ""
    """The text above the headings."""
    epoch: date = EPOCH
    """Day 0 of dates that are numbers of days."""


def check_meanings(meanings: Sequence[Meaning], source: str, line: int | None) -> list[Problem]:
    """Refuse headings by which no game can be read, and report those that mean nothing.

    Raises:
        HeadingsError: No set of columns is there by which games can be read.
    """
    columns = {meaning.column for meaning in meanings} - {""}
    names: list[str] = []
    choice = enough(meaning.column for meaning in meanings)
    for meaning in meanings:
        read = meaning.column and (choice or meaning.column in READABLE)
        name = meaning.column if read else plain_name(meaning.heading)
        if not meaning.column and name in READABLE:
            name = f"{name} (another)"
        if meaning.column or not name or name not in names:
            names.append(name)
    needed = [choice] if choice else NEEDED
    try:
        others = [each.heading for each in meanings if not each.column]
        unread = {plain_name(heading) for heading in others if meaning_of(heading).column in (*SCORES, *PAIRS)}
        return check_header(names, [*READABLE, *sorted(columns - set(READABLE))], needed, source, line, unread)
    except InputError as error:
        headings = tuple(meaning.heading for meaning in meanings)
        if choice or len(set(headings) - {""}) < FEWEST:
            raise
        from handan.files.tables.player_tables import holds_players

        if holds_players(meanings):
            raise ListOfPlayersError(f"{source} {LIST_OF_PLAYERS}") from None
        meant = tuple(meaning.column for meaning in meanings)
        raise HeadingsError(_advice(str(error), meanings), headings, meant) from None


def _advice(error: str, meanings: Sequence[Meaning]) -> str:
    """Return why headings are refused, with what would read the table as far as they tell."""
    guessed = guesses(meanings)
    if set(NEEDED[0]) <= guessed.keys():
        options = [
            f"--column {column}={heading}" for column, heading in guessed.items() if plain_name(heading) != column
        ]
        quoted = [option if " " not in option[9:] else f'--column "{option[9:]}"' for option in options]
        return f"{error.partition('; did you mean')[0]}; if these headings are what they look like: {' '.join(quoted)}"
    slip = error.endswith("?") and ": no column " in error  # of one column: the hint says what to do
    return error if slip or ": rename " in error else f"{error}{SAY_SO}"


def contents_of(
    headed: Headed, source: str, options: Options, problems: list[Problem], facts: dict[str, str]
) -> Contents:
    """Return the games of a table, and the ranks and ratings set by hand that stand between them.

    Args:
        headed: The table.
        source: Name for the reports.
        options: As the user gave them.
        problems: What was said of it before.
        facts: What was decided of it before (`Understanding.facts`).

    Raises:
        QuestionError: Dates, letters or columns can be read in two ways, and a guess could be wrong.
    """
    text, lines = _without_empty_rows(headed.text, headed.lines)
    text, lines, headings_again = _without_headings(text, lines, headed.meanings, source)
    refuse_long(text.height, problems, source, options.limits)
    text, lines, by_hand = parted_from_games(text, lines, source, headed.line)
    text, lines, uncounted = without_uncounted(text, lines, source)
    text, of_boards = with_sizes(text, headed.meanings, source)
    blocks = with_blocks(text, lines, headed.above, source)
    text, of_evenings = with_days_of_evenings(blocks.text, blocks.lines, source) if headed.line else (blocks.text, [])
    pairs = parted(text, blocks.lines, source)
    people, lines, nobody, byes = without_nobody(pairs.text, pairs.lines, source)
    of_teams = are_teams(headed.meanings)
    people = with_home_side(people) if of_teams else people
    scored = with_results(people, lines, enough(people.columns), source, of_teams=of_teams)
    choice, lines = enough(scored.text.columns), scored.lines
    letters = "bw" if scored.meaning else options.letters or ""
    text, ranked, example = taken_apart(scored.text, source)
    reader = DateReader(options.dates or "", languages(headed.meanings), headed.epoch)
    try:
        ready = shaped(text, choice, source, lines, _language_of_results(headed.meanings), letters)
        if pairs.cell and any(problem.expected == NO_COLOUR for problem in ready.problems):
            raise colour_question(pairs.cell, headed.meanings)
        columns = ready.text.select(name for name in ready.text.columns if name in READABLE)
        games, more = read_table(columns, source, ready.lines, options.limits, CELLS, reader)
        adjustments, of_hand = by_hand.read(games, reader)
    except QuestionError as question:
        raise question.at(source) from None
    understanding = Understanding(tuple((meaning.heading, meaning.column) for meaning in headed.meanings), facts)
    understanding = understanding.with_facts(
        header=f"line {headed.line}" if headed.line and headed.line > 1 else "",
        dates=_order(reader),
        players=pairs.example,
        results=scored.meaning,
        names=example,
        letters=_letters(ready),
    )
    everything = in_order(
        [
            *problems,
            *headings_again,
            *uncounted,
            *of_hand,
            *of_boards,
            *blocks.problems,
            *of_evenings,
            *pairs.problems,
            *scored.problems,
            *ranked,
            *ready.problems,
            *nobody,
            *of_several(scored.text, source),
            *_warnings(reader, ready, source),
            *_of_unknown_language(headed.meanings, scored.text, options, source),
            *more,
        ]
    )
    return Contents(games, everything, byes=byes, understandings=(understanding,), adjustments=adjustments)


def _language_of_results(meanings: Sequence[Meaning]) -> frozenset[str]:
    """Return the languages in which results are written: those of the headings, unless theirs is `result` itself."""
    plain = any(meaning.column == "result" and plain_name(meaning.heading) == "result" for meaning in meanings)
    return frozenset() if plain else languages(meanings)


def _order(reader: DateReader) -> str:
    """Say how the dates are read; empty where nothing was open."""
    if reader.serials:
        return "numbers of days"
    return f"{NAMES[reader.order]} ({reader.why})" if reader.order and reader.why else ""


def _letters(ready: Shaped) -> str:
    """Say what letters mean in results; empty where they are those of files."""
    colours = [f"{letter.upper()} {name}" for letter, name in zip(ready.letters, ("Black", "White"), strict=False)]
    return ", ".join(colours + [f"{letter} {ENDINGS[tail]}" for letter, tail in sorted(ready.endings.items())])


def _warnings(reader: DateReader, ready: Shaped, source: str) -> list[Problem]:
    """Return what was read by a likelihood rather than by what stands there."""
    texts = []
    if reader.why == "the headings":
        order = f"{NAMES[reader.order]}, as the language of the headings has them"
        texts.append(f"dates are read as {order} (--dates says otherwise)")
    if reader.serials:
        texts.append(f"dates are numbers of days since {reader.epoch}; read as spreadsheets count them")
    if ready.letters:
        black, white = list(ready.letters.upper())
        texts.append(f"in results {black} is Black and {white} is White (--letters says otherwise)")
    if ready.endings:
        listed = " and ".join(f"{letter} is {ENDINGS[tail]}" for letter, tail in sorted(ready.endings.items()))
        texts.append(f"behind the colour in results {listed}")
    return [Problem(source, None, "", text, "", rejected=False, message=text) for text in texts]


def _of_unknown_language(
    meanings: Sequence[Meaning], text: pl.DataFrame, options: Options, source: str
) -> list[Problem]:
    """Return a warning of results with B alone, where the user names columns whose headings show no language."""
    players = [meaning for meaning in meanings if meaning.column in ("black", "white")]
    shown_by = any(meaning.languages or meaning_of(meaning.heading).column for meaning in players)
    if options.letters or shown_by or not players or "result" not in text.columns:
        return []
    if letters_used(different(text["result"])) != {"b"}:
        return []
    message = "in results B is Black, as in game records (--letters says otherwise)"
    return [Problem(source, None, "", message, "", rejected=False, message=message)]


def _without_empty_rows(text: pl.DataFrame, lines: pl.Series) -> tuple[pl.DataFrame, pl.Series]:
    """Return the rows in which something stands; spreadsheets write rows of separators below a table."""
    if not has(text[text.columns[0]], ""):
        return text, lines
    filled = (
        text.select(pl.any_horizontal(pl.all().cast(pl.String).str.strip_chars() != ""))
        .to_series()
        .fill_null(value=False)
    )
    return (text, lines) if filled.all() else (text.filter(filled), lines.filter(filled))


def _without_headings(
    text: pl.DataFrame, lines: pl.Series, meanings: Sequence[Meaning], source: str
) -> tuple[pl.DataFrame, pl.Series, list[Problem]]:
    """Return the rows that are not the headings once more, as above the block of each round, and a remark of those."""
    written = {meaning.column: meaning.heading.strip() for meaning in meanings if meaning.column in text.columns}
    cells = {column: heading for column, heading in written.items() if heading}
    first = next(iter(cells), "")
    if len(cells) < FEWEST or not has(text[first], cells[first]):
        return text, lines, []
    same = pl.all_horizontal(
        pl.col(column).cast(pl.String).str.strip_chars() == heading for column, heading in cells.items()
    )
    again = text.select(same).to_series().fill_null(value=False)
    if not again.any():
        return text, lines, []
    message = f"the headings stand once more in {counted(int(again.sum()), 'row')}; passed over"
    line = lines.filter(again)[0]
    problem = Problem(source, int(line), "", message, "", rejected=False, message=message)
    return text.filter(~again), lines.filter(~again), [problem]
