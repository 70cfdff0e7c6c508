"""The one way from a table of text with understood headings to the typed games table, for every kind of file."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from handan.errors import Clause, FieldError, HeadingsError, InputError, Problem, QuestionError, clause_of, shown
from handan.files.cells.dates import NAMES, DateReader, looks_like_date
from handan.files.cells.numbers import CELLS, read_board
from handan.files.cells.results import letters_used
from handan.files.games.columns import NEEDED, READABLE, in_order, read_table
from handan.files.games.contents import Contents, ListOfPlayersError
from handan.files.games.interpretation import Understanding
from handan.files.games.missing_dates import given_date
from handan.files.games.unnamed_events import is_one_event
from handan.files.io.csv_rows import refuse_long
from handan.files.io.dictionary_encoding import different, has
from handan.files.io.header import check_header, passed_over, plain_name, refuse_no_text
from handan.files.io.options import Options
from handan.files.tables.adjustments_between_games import read_adjustments_between, take_adjustments
from handan.files.tables.blocks import (
    fill_down,
    leave_out_titles,
    spread_blocks,
    spread_dittos,
    spread_round,
    spread_title,
    title_of,
)
from handan.files.tables.byes import read_byes
from handan.files.tables.column_names import (
    ENOUGH,
    PAIRS,
    SCORES,
    Meaning,
    are_teams,
    enough,
    guesses,
    have_home_side,
    languages,
    meaning_of,
)  # fmt: skip
from handan.files.tables.pairs import colour_question, part_players
from handan.files.tables.players import leave_out_nobody, names_in, part_colours, part_ranks, remark_several
from handan.files.tables.players_and_results import NO_COLOUR, Spelling, find_margins, seat_players
from handan.files.tables.points import find_results, scores_apart, with_home_side
from handan.files.tables.sums import leave_out_sums
from handan.files.tables.text_table import TextTable
from handan.ledger.entered_games import EnteredGames
from handan.words import joined, words_of

FEWEST = min(map(len, ENOUGH))  # headings of a table of games
ENDINGS = {"R": "resignation", "T": "time", "F": "forfeit"}
BEHIND = {"R": "{letter} is resignation", "T": "{letter} is time", "F": "{letter} is forfeit"}
LETTERS = " (--letters says otherwise)"
FORFEIT = "{note} stands in the notes of 1 game that count as played; {result}F is a forfeit"
FORFEITS = "{note} stands in the notes of {number} games that count as played; {result}F is a forfeit"
HEADINGS_ONCE = "the headings stand once more in 1 row; passed over"
HEADINGS = "the headings stand once more in {number} rows; passed over"
LIST_OF_PLAYERS = "{source} is a list of players and holds no games{hint}"
READ_WITH = "; it is read beside games, or with --players, --from-list or --adjustments"
OF_STEPS = ("players", "results", "names")
"""What steps have understood, by the names of their facts."""
NUMBER_OF_ROUND = r"^\d{0,2}$"
USUAL = frozenset((9, 13, 19))
"""Lines of the boards that clubs have."""
RARE = range(5, 26)
"""Our choice: lines of other boards on which somebody plays."""
MOSTLY = 2 / 3  # our choice: of the rows have a usual size in a column of sizes
SLIPS = 0.1  # our choice: of the rows may have a number that no board has in it
NO_HEADINGS = "; this line looks like a game: put a line of headings above it, such as date,black,white,result"
RESULT = re.compile(r"[BW]\+[\w.,]{0,5}|[01½][-:][01½]", re.IGNORECASE)
SAY_SO = "; a column of another name is given as --column black=NAME"


def check_meanings(meanings: Sequence[Meaning], source: str, line: int | None) -> list[Problem]:
    """Refuse headings by which no game can be read, and report those that mean nothing.

    Raises:
        HeadingsError: No set of columns is there by which games can be read.
    """
    columns = {meaning.column for meaning in meanings} - {""}
    names: list[str] = []
    shown_headings: list[str] = []
    choice = enough(meaning.column for meaning in meanings)
    for meaning in meanings:
        read = meaning.column and (choice or meaning.column in READABLE)
        name = meaning.column if read else plain_name(meaning.heading)
        if not meaning.column and name in READABLE:
            name = f"{name} (another)"
        if meaning.column or not name or name not in names:
            names.append(name)
            shown_headings.append(name if name.endswith("(another)") else meaning.heading)
    needed = [choice] if choice else NEEDED
    try:
        others = [each.heading for each in meanings if not each.column]
        unread = {plain_name(heading) for heading in others if meaning_of(heading).column in (*SCORES, *PAIRS)}
        readable = [*READABLE, *sorted(columns - set(READABLE))]
        return check_header(names, readable, needed, source, line, unread, shown_headings)
    except InputError as error:
        headings = tuple(meaning.heading for meaning in meanings)
        refuse_no_text(map(plain_name, headings), source, line)
        if choice or len(set(headings) - {""}) < FEWEST:
            raise
        refuse_list(meanings, source)
        meant = tuple(meaning.column for meaning in meanings)
        raise HeadingsError(clause_of(error).with_english(_advice(str(error), meanings)), headings, meant) from None


def refuse_list(meanings: Sequence[Meaning], source: str) -> None:
    """Raise ListOfPlayersError for the headings of a list of players."""
    from handan.files.tables.player_tables import holds_players

    if holds_players(meanings):
        rounds = any(not meaning.column and meaning.heading.strip()[-1:].isdecimal() for meaning in meanings)
        raise ListOfPlayersError(Clause.of(LIST_OF_PLAYERS, source=source, hint=READ_WITH), rounds=rounds) from None


def refuse_list_below_titles(rows: Sequence[Sequence[str]], source: str) -> None:
    """Raise ListOfPlayersError for the rows of a list of players, whose headings need not be the first of them."""
    from handan.files.tables.player_tables import heading_row

    place = heading_row(rows)
    if place is not None:
        refuse_list([meaning_of(cell) for cell in rows[place]], source)


def _advice(error: str, meanings: Sequence[Meaning]) -> str:
    """Return why headings are refused, with what would read the table as far as they tell."""
    guessed = guesses(meanings)
    if set(NEEDED[0]) <= guessed.keys():
        options = [
            f"--column {column}={heading}" for column, heading in guessed.items() if plain_name(heading) != column
        ]
        quoted = [option if " " not in option[9:] else f'--column "{option[9:]}"' for option in options]
        return f"{error.partition('; did you mean')[0]}; if these headings are what they look like: {' '.join(quoted)}"
    if any(map(_is_cell_of_game, (meaning.heading for meaning in meanings))):
        return f"{error}{NO_HEADINGS}"
    slip = error.endswith("?") and ": no column " in error  # of one column: the hint says what to do
    return error if slip or ": rename " in error else f"{error}{SAY_SO}"


def _is_cell_of_game(heading: str) -> bool:
    """Return whether a day or a result stands where a heading should."""
    return looks_like_date(heading) or RESULT.fullmatch(heading.strip()) is not None


def contents_of(table: TextTable, options: Options) -> Contents:
    """Return the games of a table, and the ranks and ratings set by hand that stand between them.

    Raises:
        QuestionError: Dates, letters or columns can be read in two ways, and a guess could be wrong.
    """
    source = table.source
    _leave_out_empty_rows(table)
    _leave_out_headings(table)
    leave_out_sums(table)
    refuse_long(table.text.height, table.problems, source, options.limits)
    set_by_hand = take_adjustments(table)
    table.leave_out_uncounted()
    _find_sizes(table)
    _find_rounds(table)
    find_margins(table)
    meanings = table.meanings
    spread_dittos(table)
    spread_blocks(table)
    leave_out_titles(table)
    if table.line:
        fill_down(table)
    given = given_date(source, options)
    spread_title(table, options.dates or "", dated=given is not None)
    spread_round(table)
    are_rounds = _has_all_rounds(table)
    cell_of_two = part_players(table)
    names = names_in(table.text)
    byes, rows_of_byes = leave_out_nobody(table, names)
    names = part_colours(table, names)
    of_teams = are_teams(meanings)
    if of_teams:
        table.text = scores_apart(table.text)
    if have_home_side(meanings):
        table.text = with_home_side(table.text)
    in_points, choice = find_results(table, of_teams=of_teams), table.choice
    remark_several(table, names)
    _remark_unknown_language(table, options)
    part_ranks(table, names)
    reader = DateReader(options.dates or "", languages(meanings), table.epoch, given.moment.year if given else None)
    try:
        letters = "bw" if in_points else options.letters or ""
        spelling = seat_players(table, choice, _language_of_results(meanings), letters)
        if cell_of_two and any(problem.expected == NO_COLOUR for problem in table.problems):
            raise colour_question(cell_of_two, table)
        columns = table.text.select(name for name in table.text.columns if name in READABLE)
        games, more = read_table(columns, source, table.lines, options.limits, CELLS, reader)
        of_rows = read_byes(rows_of_byes, games, table, spelling, reader, options)
        adjustments, of_hand = read_adjustments_between(set_by_hand, games, reader)
    except QuestionError as question:
        raise question.at(source) from None
    _warn_of_guesses(table, reader, spelling)
    _remark_forfeits(table, games)
    understanding = Understanding(tuple((meaning.heading, meaning.column) for meaning in meanings)).with_facts(
        **{name: fact for name, fact in table.facts.items() if name not in OF_STEPS},
        header=f"line {table.line}" if table.line and table.line > 1 else "",
        dates=_order(reader),
        **{name: table.facts.get(name, "") for name in OF_STEPS},
        letters=_letters(spelling),
    )
    title = title_of(table) if are_rounds and is_one_event([games.frame]) else None
    if not any(problem.field == "date" and problem.line == table.line for problem in table.problems):
        table.problems += passed_over((line for line in table.above if line != title), source, table.line or 1)
    problems = in_order([*table.problems, *of_hand, *more, *of_rows.problems])
    byes += of_rows.left_out
    return Contents(
        games, problems, events=of_rows.events, byes=byes, understandings=(understanding,), adjustments=adjustments,
        event_title=title,
    )  # fmt: skip


def _has_all_rounds(table: TextTable) -> bool:
    """Return whether each row has a round, and no column tells events: one that is empty says that there is none."""
    text = table.text
    return "event" not in text.columns and "round" in text.columns and text.height > 0 and not has(text["round"], "")


def _language_of_results(meanings: Sequence[Meaning]) -> frozenset[str]:
    """Return the languages in which results are written: those of the headings, unless theirs is `result` itself."""
    plain = any(meaning.column == "result" and plain_name(meaning.heading) == "result" for meaning in meanings)
    return frozenset() if plain else languages(meanings)


def _order(reader: DateReader) -> str:
    """Say how the dates are read; empty where nothing was open."""
    if reader.serials:
        return "numbers of days"
    return f"{NAMES[reader.order]} ({reader.why})" if reader.order and reader.why else ""


def _letters(spelling: Spelling) -> str:
    """Say what letters mean in results; empty where they are those of files."""
    colours = [f"{letter.upper()} {name}" for letter, name in zip(spelling.letters, ("Black", "White"), strict=False)]
    return ", ".join(colours + [f"{letter} {ENDINGS[tail]}" for letter, tail in sorted(spelling.endings.items())])


def _warn_of_guesses(table: TextTable, reader: DateReader, spelling: Spelling) -> None:
    """Say what was read by a likelihood rather than by what stands there."""
    if reader.why == "the headings":
        pattern = "dates are read as {order}, as the language of the headings has them{hint}"
        hint = " (--dates says otherwise)"
        table.remark(Clause.of(pattern, order=Clause.of(NAMES[reader.order]), hint=hint))
    if reader.serials:
        pattern = "dates are numbers of days since {day}; read as spreadsheets count them"
        table.remark(Clause.of(pattern, day=reader.epoch))
    if spelling.letters:
        black, white = list(spelling.letters.upper())
        pattern = "in results {black} is Black and {white} is White{hint}"
        table.remark(Clause.of(pattern, black=black, white=white, hint=LETTERS))
    if spelling.endings:
        first, *others = (Clause.of(BEHIND[tail], letter=letter) for letter, tail in sorted(spelling.endings.items()))
        for other in others:
            first = Clause.of("{one} and {other}", one=first, other=other)
        table.remark(Clause.of("behind the colour in results {listed}", listed=first))


def _remark_unknown_language(table: TextTable, options: Options) -> None:
    """Note results with B alone, where the user names columns whose headings show no language."""
    players = [meaning for meaning in table.meanings if meaning.column in ("black", "white")]
    shown_by = any(meaning.languages or meaning_of(meaning.heading).column for meaning in players)
    if options.letters or shown_by or not players or "result" not in table.text.columns:
        return
    if letters_used(different(table.text["result"])) == {"b"}:
        table.remark(Clause.of("in results B is Black, as in game records{hint}", hint=LETTERS))


def _remark_forfeits(table: TextTable, games: EnteredGames) -> None:
    """Note wins that count as played although a word for a forfeit stands in their notes."""
    if "notes" not in table.text.columns:
        return
    forfeits = words_of("result", "default") | words_of("result", "awarded") | words_of("result", "forfeits")
    words = [note.strip() for note in different(table.text["notes"]) if note and joined(note) in forfeits]
    if not words:
        return
    wins = games.frame.filter(pl.col("result").is_in(["B+", "W+", "P1+", "P2+"]), pl.col("notes").is_in(words))
    if len(wins):
        result, note, line = wins.select("result", "notes", "line").row(0)
        values = {"note": shown(note), "number": f"{len(wins):,}", "result": result}
        table.remark(Clause.of(FORFEIT if len(wins) == 1 else FORFEITS, **values), "notes", line, note)


def _leave_out_empty_rows(table: TextTable) -> None:
    """Leave out rows in which nothing stands; spreadsheets write rows of separators below a table."""
    if not has(table.text[table.text.columns[0]], ""):
        return
    some = pl.any_horizontal(pl.all().cast(pl.String).str.strip_chars() != "")
    filled = table.text.select(some).to_series().fill_null(value=False)
    if not filled.all():
        table.keep(filled)


def _leave_out_headings(table: TextTable) -> None:
    """Leave out the headings where they stand once more, as above the block of each round."""
    text = table.text
    written = {meaning.column: meaning.heading.strip() for meaning in table.meanings if meaning.column in text.columns}
    cells = {column: heading for column, heading in written.items() if heading}
    first = next(iter(cells), "")
    if len(cells) < FEWEST or not has(text[first], cells[first]):
        return
    same = pl.all_horizontal(
        pl.col(column).cast(pl.String).str.strip_chars() == heading for column, heading in cells.items()
    )
    again = text.select(same).to_series().fill_null(value=False)
    if again.any():
        line = int(table.lines.filter(again)[0])
        number = int(again.sum())
        table.remark(Clause.of(HEADINGS_ONCE if number == 1 else HEADINGS, number=f"{number:,}"), line=line)
        table.keep(~again)


def _find_sizes(table: TextTable) -> None:
    """Call the column `board` that of sizes if it holds such, and leave it out if it counts tables."""
    if "board" not in table.text.columns:
        return
    cells = table.cells("board")
    filled = "size" not in table.text.columns and bool((cells != "").any())
    if filled and _are_sizes(cells):
        table.text = table.text.rename({"board": "size"})
        return
    table.text = table.text.drop("board")
    if filled:
        heading = next(meaning.heading for meaning in table.meanings if meaning.column == "board")
        pattern = "column {column} is read as numbers of tables and not as sizes of boards{hint}"
        hint = f' (--column "size={heading}" says otherwise)'
        table.remark(Clause.of(pattern, column=shown(heading), hint=hint), "board")


def _find_rounds(table: TextTable) -> None:
    """Call a column of matchdays that of rounds if it holds their numbers."""
    named = next((meaning.heading for meaning in table.meanings if meaning.column == "date"), "")
    if joined(named) not in words_of("matchday") or "date" not in table.text.columns or "round" in table.text.columns:
        return
    cells = table.cells("date")
    if cells.str.contains(NUMBER_OF_ROUND).all() and (cells != "").any():
        table.text = table.text.rename({"date": "round"})
        table.remark(
            Clause.of("column {column} is read as numbers of rounds and not as days", column=shown(named)), "round"
        )


def _are_sizes(cells: pl.Series) -> bool:
    """Return whether a column holds sizes: most of its rows a usual one, and hardly any a number that no board has."""
    counts = dict(cells.filter(cells != "").value_counts().iter_rows())
    lines = {cell: _lines(cell) for cell in counts}
    rows = sum(counts.values())
    usual = sum(count for cell, count in counts.items() if lines[cell] in USUAL or (lines[cell] and not cell.isdigit()))
    no_board = sum(count for cell, count in counts.items() if lines[cell] not in RARE)
    return bool(usual >= MOSTLY * rows and no_board <= SLIPS * rows)


def _lines(cell: str) -> int:
    """Return the lines of a board, 0 if the cell names none."""
    try:
        return read_board(cell)
    except FieldError:
        return 0
