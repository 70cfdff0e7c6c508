"""Spreadsheets as people and programs write them: read to the right games, or refused with one question."""

from __future__ import annotations

import io
import itertools
import json
import sys
import tarfile
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import handan
from handan.errors import InputError, QuestionError
from handan.files import Limits, read_aliases
from handan.ledger import Bye
from handan.paper.words import komi_words, stones_words
from handan.wording.languages import LANGUAGES
from handan.words import table
from tests import spreadsheets
from tests.command_line import run
from tests.conftest import ROOT
from tests.spreadsheets import Sheet, excel, open_document

READABLE = spreadsheets.readable()
ASKING = spreadsheets.asking()
REFUSED = spreadsheets.refused()
Games = list[tuple[str, str, str, str]]


def games_of(ledger: handan.Ledger) -> Games:
    return [(str(game.date), game.black, game.white, str(game.result)) for game in ledger]


def without_marks(games: Games | tuple[tuple[str, str, str, str], ...]) -> Games:
    """Return the games with names as encodings of East Asia have them."""
    marks = str.maketrans("üö", "uo")
    return [(day, black.translate(marks), white.translate(marks), result) for day, black, white, result in games]


def test_the_folder_holds_more_than_thirty_spreadsheets() -> None:
    assert len(READABLE) + len(ASKING) + len(REFUSED) >= 60


@pytest.mark.parametrize("name", READABLE)
def test_a_spreadsheet_is_read_to_its_games(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(READABLE[name])
    ledger = handan.read(path)
    expected = spreadsheets.GAMES[:2] if name.startswith("winners") else spreadsheets.GAMES
    assert without_marks(games_of(ledger)) == without_marks(expected)
    assert not [problem for problem in ledger.problems if problem.rejected]
    assert games_of(handan.read(READABLE[name])) == games_of(ledger)


WRITTEN = ROOT / "tests" / "written_spreadsheets"
READ = (
    "odfpy_french.ods", "openpyxl_german.xlsx", "openpyxl_two_sheets_text_dates.xlsx",
    "xlsxwriter_1904_inline.xlsx", "xlsxwriter_table.xlsx", "xlwt_japanese.xls",
)  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_a_spreadsheet_that_another_program_wrote_is_read_to_its_games(name: str) -> None:
    ledger = handan.read(WRITTEN / name)
    games = [(day[:10], black, white, result) for day, black, white, result in games_of(ledger)]
    assert games == list(spreadsheets.GAMES)
    assert not [problem for problem in ledger.problems if problem.rejected]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("openpyxl_ambiguous.xlsx", "Give --dates dmy or --dates mdy"),
        ("openpyxl_formula_uncached.xlsx", "2 formulas have no value in the file: open it in a spreadsheet program"),
        ("openpyxl_members.xlsx", "a column of another name is given as --column black=NAME"),
        ("openpyxl_only_header.xlsx", "no game was rated"),
    ],
)
def test_one_without_games_says_what_it_lacks(name: str, message: str) -> None:
    answer = run("rate", WRITTEN / name, "--system", "elo")
    assert answer.status == 2
    assert message in answer.err


def test_a_cross_table_that_another_program_wrote_is_read() -> None:
    assert [str(game.result) for game in handan.read(WRITTEN / "openpyxl_cross.xlsx")] == ["P1+", "P2+", "P1+"]


@pytest.mark.parametrize("name", ASKING)
def test_what_can_be_read_in_two_ways_is_refused_with_the_question_that_a_person_can_answer(
    name: str, tmp_path: Path
) -> None:
    data, option = ASKING[name]
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(QuestionError) as refused:
        handan.read(path)
    question = refused.value
    assert str(question).count("?") == 1
    assert not option or question.option == option
    for answer in question.answers:
        field = question.option.removeprefix("--").replace("column", "columns")
        value: Any = dict([answer.split("=")]) if field == "columns" else answer
        options: dict[str, Any] = {field: value}
        assert len(handan.read(path, **options)) >= 1
    for command in (["rate", "--system", "elo"], ["check"]):
        ended = run(*command, path)
        assert ended.status == 2
        assert question.option in ended.err


@pytest.mark.parametrize("name", REFUSED)
def test_a_spreadsheet_without_games_is_no_empty_ladder_with_status_0(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(REFUSED[name])
    answer = run("rate", path, "--system", "elo")
    assert answer.status == 2, (answer.out, answer.err)
    assert answer.err.strip()
    assert "Traceback" not in answer.err


def test_check_says_what_each_column_means_and_how_the_file_was_read(tmp_path: Path) -> None:
    path = tmp_path / "verein.csv"
    path.write_bytes(READABLE["excel_german.csv"])
    answer = run("check", path)
    out = answer.out
    assert answer.status == 0
    assert "encoding cp1252, separator semicolon, dates day/month/year (the column), letters S Black, W White" in out
    words = [line.split() for line in out.splitlines()]
    for heading, meaning in (("Datum", "date"), ("Schwarz", "Black"), ("Weiß", "White"), ("Ergebnis", "result")):
        assert [heading, meaning] in words
    workbook = tmp_path / "verein.xlsx"
    workbook.write_bytes(READABLE["excel_games_on_second_sheet.xlsx"])
    assert "worksheet Partien" in run("check", workbook).out


def test_a_worksheet_can_be_chosen() -> None:
    data = READABLE["excel_two_sheets_of_games.xlsx"]
    assert len(handan.read(data)) == 3
    assert len(handan.read(data, worksheet="August")) == 1
    with pytest.raises(InputError, match=r"no worksheet 'Augst'; it has 'August', 'September'; did you mean August"):
        handan.read(data, worksheet="Augst")


@pytest.mark.parametrize("workbook", [excel, open_document])
def test_cells_merged_over_rows_stand_in_each_of_them(workbook: Callable[..., bytes]) -> None:
    day = date(2026, 9, 3)
    rows: list[spreadsheets.Row] = [
        ["Date", "Black", "White", "Result"],
        [day, "Ada", "Bo", "B+"],
        [None, "Bo", "Ada", "W+"],
    ]
    ledger = handan.read(workbook(Sheet("x", rows, merged=("A2:A3",))))
    assert [str(game.date) for game in ledger] == ["2026-09-03"] * 2


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(InputError, match=r"is an Excel workbook: pip install 'handan\[sheets\]' reads it; or save it"):
        handan.read(READABLE["excel_1904_dates.xlsx"])


def test_a_workbook_that_spans_too_many_cells_is_refused_before_it_is_read() -> None:
    far = excel(Sheet("x", [["Black"]]))
    with zipfile.ZipFile(io.BytesIO(far)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["xl/worksheets/sheet1.xml"] = parts["xl/worksheets/sheet1.xml"].replace(
        b"</sheetData>", b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    with pytest.raises(InputError, match="more than 20,000,000 cells in one worksheet; --allow cells=NUMBER"):
        handan.read(stream.getvalue())
    wide = open_document(Sheet("x", [["Black"]]))
    with zipfile.ZipFile(io.BytesIO(wide)) as archive:
        content = archive.read("content.xml").decode()
    content = content.replace("</table:table-row>", '<table:table-cell table:number-columns-repeated="999999">'
                              "<text:p>x</text:p></table:table-cell></table:table-row>", 1)  # fmt: skip
    content = content.replace("<table:table-row>", '<table:table-row table:number-rows-repeated="999999">', 1)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
    with pytest.raises(InputError, match="cells in one worksheet"):
        handan.read(stream.getvalue())
    with pytest.raises(InputError, match="more than 100 bytes when unpacked"):
        handan.read(READABLE["libreoffice.ods"], limits=Limits(unpacked=100))


@settings(max_examples=40)
@given(
    place=st.integers(0, 2_000),
    byte=st.integers(0, 255),
    name=st.sampled_from(["libreoffice.ods", "google_sheets.xlsx"]),
)
def test_a_damaged_workbook_is_a_ledger_or_an_error_of_one_line(place: int, byte: int, name: str) -> None:
    data = bytearray(READABLE[name])
    data[place % len(data)] = byte
    message = ""
    try:
        handan.read(bytes(data))
    except InputError as error:
        message = str(error)
    assert "\n" not in message


CODECS = {
    "en": "cp1252", "de": "cp1252", "fr": "cp1252", "es": "cp1252", "it": "mac_roman", "nl": "cp1252", "pl": "cp1250",
    "ru": "cp1251", "tr": "cp1254", "zh": "gb18030", "ja": "cp932", "ko": "cp949",
}  # fmt: skip
PLAYERS = {
    "en": "Zoë Brontë,Chloé Renée,Bob Smith", "de": "Jürgen Groß,Käthe Schön,Otto Öhler",
    "fr": "René Lefèvre,Zoé Hébert,Anaïs Fouché", "es": "José Muñoz,Ángel Ibáñez,Inés Peña",
    "it": "Niccolò Cantù,Andrè Viganò,Lucà Bò", "nl": "Daniël de Boer,Zoë Smit,Renée Bakker",
    "pl": "Paweł Żak,Łukasz Wójcik,Zofia Gąska", "ru": "Иван Петров,Пётр Иванов,Анна Зимина",
    "tr": "Işık Yağmur,Şule Gökçe,Çağrı Öz", "zh": "张伟,王芳,李秀英", "ja": "山田 太郎,佐藤 花子,高橋 さくら",
    "ko": "김철수,이영희,박민수",
}  # fmt: skip
DAYS = [f"2026-09-{day:02}" for day in range(1, 29)]


@settings(max_examples=60, deadline=None)
@given(
    language=st.sampled_from(sorted(CODECS)),
    separator=st.sampled_from([",", ";", "\t", "|"]),
    kind=st.sampled_from(["utf-8", "utf-16", "own", "xlsx", "ods"]),
    order=st.permutations(range(5)),
    picks=st.lists(st.tuples(st.sampled_from(DAYS), st.integers(0, 5), st.integers(0, 5)), min_size=4, max_size=8),
)
def test_a_ledger_in_any_language_encoding_and_order_of_columns_reads_back_the_same(
    language: str, separator: str, kind: str, order: list[int], picks: list[tuple[str, int, int]]
) -> None:
    letters = table()["letters"][language].upper()
    pairs = list(itertools.permutations(PLAYERS[language].split(","), 2))
    endings = [("B", letters[0], "3.5"), ("W", letters[1], "R"), ("B", letters[0], "T"), ("W", letters[1], "12")]
    games = []
    for number, (day, pair, kyu) in enumerate(picks):
        side, letter, tail = endings[number % 4]
        games.append((day, *pairs[pair], f"{side}+{tail}", f"{letter}+{tail}", f"{kyu + 1}k"))
    words = table()
    colours = [words["colour"][colour][language].split(",")[0].strip() for colour in ("black", "white")]
    rank = f"{words['heading']['rank'][language].split(',')[0].strip()} {colours[0]}"
    headings = [words["heading"]["date"][language].split(",")[0].strip(), *colours,
                words["heading"]["result"][language].split(",")[0].strip(), rank]  # fmt: skip
    rows = [headings, *([day, black, white, written, declared] for day, black, white, _, written, declared in games)]
    rows = [[row[place] for place in order] for row in rows]
    if kind == "xlsx":
        data = excel(Sheet("x", [list(row) for row in rows]))
    elif kind == "ods":
        data = open_document(Sheet("x", [list(row) for row in rows]))
    else:
        data = "\n".join(separator.join(row) for row in rows).encode(CODECS[language] if kind == "own" else kind)
    ledger = handan.read(data)
    expected = handan.Ledger.of(
        handan.Game(black, white, result, date=day, black_rank=declared)
        for day, black, white, result, _, declared in games
    )
    assert ledger == expected, [str(problem) for problem in ledger.problems]


@pytest.mark.parametrize(
    ("cells", "dates", "expected"),
    [
        (["03/09/2026", "15/09/2026"], None, ["2026-09-03", "2026-09-15"]),
        (["03/09/2026", "9/15/2026"], None, ["2026-03-09", "2026-09-15"]),
        (["03/09/2026"], "dmy", ["2026-09-03"]),
        (["03/09/2026"], "mdy", ["2026-03-09"]),
        (["26/9/3", "26/9/30"], "ymd", ["2026-09-03", "2026-09-30"]),
        (["26-01-05", "26-01-12", "26-02-02"], None, ["2026-01-05", "2026-01-12", "2026-02-02"]),
        (["05-01-26", "12-01-26", "02-02-26"], None, ["2026-01-05", "2026-01-12", "2026-02-02"]),
        (["05-05-05"], None, ["2005-05-05"]),
        (["26-01-05"], "dmy", ["2005-01-26"]),
        (["26.01.05"], None, ["2005-01-26"]),
        (["3.9.26", "31.12.99"], None, ["2026-09-03", "1999-12-31"]),
        (["2026/1/8"], None, ["2026-01-08"]),
        (["令和8年9月3日"], None, ["2026-09-03"]),
        (["令和元年5月1日"], None, ["2019-05-01"]),
        (["平成31年4月30日"], None, ["2019-04-30"]),
        (["2026年9月3日(木)"], None, ["2026-09-03"]),
        (["2026년 9월 3일"], None, ["2026-09-03"]),
        (["3 Sept 2026", "Sept 3rd, 2026", "September 2026"], None, ["2026-09-03", "2026-09-03", "2026-09"]),
        (["Thu, 3 Sep 2026", "Do 03.09.2026"], None, ["2026-09-03", "2026-09-03"]),
        (
            ["3. März 2026", "3 mars 2026", "3 de marzo de 2026", "3 marzo 2026", "3 maart 2026"],
            None,
            ["2026-03-03"] * 5,
        ),
        (["3 marca 2026", "3 марта 2026 г.", "3 Mart 2026", "3-Mar-26"], None, ["2026-03-03"] * 4),
        (["3/9/2026 7:30 PM", "30/9/2026"], None, ["2026-09-03 19:30", "2026-09-30"]),
    ],
)
def test_dates_as_people_write_them(cells: list[str], dates: str | None, expected: list[str]) -> None:
    rows = [{"date": cell, "black": "Ada", "white": "Bo", "result": "B+"} for cell in cells]
    ledger = handan.read(rows, dates=dates)
    by_row = dict(zip(ledger.games["line"], (str(game.date) for game in ledger), strict=True))
    assert [by_row[row] for row in range(1, len(cells) + 1)] == expected


def test_a_day_that_no_calendar_has_does_not_turn_round_the_dates_of_a_season() -> None:
    games = [{"date": cell, "black": "Ada", "white": "Bo", "result": "B+"} for cell in ("3/4/26", "13/4/26", "27/4/26")]
    ledger = handan.read([*games, {"date": "31/6/26", "black": "Ada", "white": "Cy", "result": "B+"}])
    assert [str(game.date) for game in ledger] == ["2026-04-03", "2026-04-13", "2026-04-27"]
    assert "'31/6/26' is not a date in the order day/month/year" in "".join(map(str, ledger.problems))


@pytest.mark.parametrize("cell", ["26-01-05", "05-01-26", "26/01/05"])
def test_a_day_with_two_digits_at_either_end_is_asked_about(cell: str) -> None:
    with pytest.raises(handan.InputError, match=r"the day or the year: .* Give --dates dmy or --dates ymd"):
        handan.read({"date": [cell], "black": ["Ada"], "white": ["Bo"], "result": ["B+"]})
    local = handan.read({"Datum": [cell], "Schwarz": ["Ada"], "Weiß": ["Bo"], "Ergebnis": ["S+"]}, dates="ymd")
    assert str(local[0].date) == "20" + cell.replace("/", "-")


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("Black", "B+"), ("B", "B+"), ("w", "W+"), ("Ada", "B+"), ("bo", "W+"), ("Ada by 3.5", "B+3.5"),
        ("Bo resigned", "B+R"), ("黒中押し勝ち", "B+R"), ("白3目半勝ち", "W+3.5"), ("黒半目勝ち", "B+0.5"),
        ("흑 불계승", "B+R"), ("백 2.5집승", "W+2.5"), ("백 반집승", "W+0.5"), ("黑中盘胜", "B+R"),
        ("白胜1/4子", "W+0.5"),
        ("B+3½", "B+3.5"), ("B + 3,5", "B+3.5"), ("1-0", "B+"), ("0-1", "W+"), ("0:1", "W+"), ("½-½", "jigo"),
        ("B+.5", "B+0.5"), ("B+,5", "B+0.5"), ("B + .5", "B+0.5"),
        ("½", "jigo"), ("0,5", "jigo"), ("1/2", "jigo"), ("kein Ergebnis", "void"),
        ("win", "B+"), ("loss", "W+"), ("W+R", "W+R"), ("B+Time", "B+T"), ("jigo", "jigo"), ("持碁", "jigo"),
        ("무승부", "jigo"), ("Schwarz gewinnt durch Aufgabe", "B+R"), ("Noir gagne de 3,5 points", "B+3.5"),
        ("Blancas ganan por abandono", "W+R"), ("Nero vince", "B+"), ("Wit wint met 4 punten", "W+4"),
        ("Czarne wygrały", "B+"), ("Чёрные выиграли", "B+"), ("Siyah kazandı", "B+"), ("White lost by 7", "B+7"),
        ("黒投了", "W+R"), ("not played", "?"), ("nul", "jigo"), ("both-lose", "both-lose"), ("W+Aufgabe", "W+R"),
    ],
)  # fmt: skip
def test_results_as_people_write_them(cell: str, expected: str) -> None:
    ledger = handan.read({"black": ["Ada", "Ada"], "white": ["Bo", "Bo"], "result": [cell, "W+1"]})
    assert [str(game.result) for game in ledger] == [expected, "W+1"]


def test_a_board_has_as_many_lines_one_way_as_the_other() -> None:
    sizes = ["19x19", "13路", "9 × 9", "13x19", "19x13"]
    ledger = handan.read({"black": ["Ada"] * 5, "white": ["Bo"] * 5, "result": ["B+"] * 5, "size": sizes})
    assert [game.size for game in ledger] == [19, 13, 9]
    assert [(problem.field, problem.found) for problem in ledger.problems if problem.rejected] == [
        ("size", "13x19"), ("size", "19x13")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("6目半", 6.5), ("半目", 0.5), ("コミ半目", 0.5), ("반집", 0.5), ("6½", 6.5), ("½", 0.5), ("6,5 pts", 6.5),
        ("コミなし", 0.0), ("逆コミ3目", -3.0), ("白から半目", -0.5), ("倒贴3目", -3.0), ("역덤 3집", -3.0),
        ("White gives 3", -3.0), ("-", None), ("", None),
        (".5", 0.5), (",5", 0.5), ("-.5", -0.5), ("White gives .5", -0.5),
    ],
)  # fmt: skip
def test_komi_as_people_write_it_says_who_gives_it(cell: str, expected: float | None) -> None:
    [game] = handan.read({"black": ["Ada"], "white": ["Bo"], "result": ["B+"], "komi": [cell]})
    assert game.komi == expected


@pytest.mark.parametrize("cell", ["逆コミ3目ほど", "unclear", "401"])
def test_a_cell_that_says_no_komi_is_rejected_and_never_taken_for_what_black_gives(cell: str) -> None:
    ledger = handan.read({"black": ["Ada", "Ada"], "white": ["Bo", "Bo"], "result": ["B+", "B+"], "komi": [cell, "6"]})
    assert [game.komi for game in ledger] == [6.0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_stones_and_komi_in_the_words_of_papers_are_read_in_every_language(language: str) -> None:
    komi = [0.0, 0.5, 3.0, 6.5, -0.5, -3.0, -6.5]
    stones = [1, *range(2, 10), 2]
    in_words = [stones_words(number if number > 1 else 0, language) for number in stones]
    cells = {"handicap": in_words, "komi": [komi_words(points, language) for points in (*komi, 6.5, 6.5, 6.5)]}
    ledger = handan.read({"black": ["Ada"] * 10, "white": ["Bo"] * 10, "result": ["B+"] * 10, **cells})
    assert [(game.handicap, game.komi) for game in ledger] == list(zip(stones, (*komi, 6.5, 6.5, 6.5), strict=True))


@pytest.mark.parametrize("cell", ["Cy", "Black resign", "5", "Ada and Bo", "Blackbeard", "won by Cy"])
def test_a_result_that_says_no_side_is_rejected_as_it_is_written(cell: str) -> None:
    ledger = handan.read({"black": ["Ada", "Ada"], "white": ["Bo", "Bo"], "result": [cell, "W+1"]})
    assert len(ledger) == 1
    [problem] = [problem for problem in ledger.problems if problem.rejected]
    assert (problem.found, problem.line) == (cell, 1)


@pytest.mark.parametrize(
    "headings",
    [
        "Black,Rank B,White,Rank W,Result",
        "Schwarz,S-Rang,Weiß,W-Rang,Ergebnis",
        "Noir,Niveau N,Blanc,Niveau (B),Résultat",
    ],
)
def test_ranks_beside_the_letters_of_both_colours_are_those_of_black_and_white(headings: str) -> None:
    ledger = handan.read(f"{headings}\nAda,5 kyu,Bo,1.Dan,Bo\n".encode())
    assert [(game.black_rank, game.white_rank) for game in ledger] == [("5k", "1d")]
    alone = headings.replace("Rank W", "Rank X").replace("W-Rang", "X-Rang").replace("(B)", "X")
    one_letter = handan.read(f"{alone}\nAda,5 kyu,Bo,1.Dan,Bo\n".encode())
    assert [(game.black_rank, game.white_rank) for game in one_letter] == [("", "")]


def test_headings_with_the_rank_in_brackets_are_the_players_with_their_ranks() -> None:
    rows = ";Jörg Müller (5k);Hans Groß (1d);ohne;Jörg Müller\n;Lena Schäfer (3.Kyu);Hans Groß (1. Dan);2;weiß\n"
    ledger = handan.read(f"Datum;Schwarz (Stärke);Weiß (Stärke);Vorgabe;Gewinner\n{rows}".encode())
    assert [(game.black, game.black_rank, game.white_rank, game.handicap, str(game.result)) for game in ledger] == [
        ("Jörg Müller", "5k", "1d", 0, "B+"), ("Lena Schäfer", "3k", "1d", 2, "W+")
    ]  # fmt: skip
    named = "Datum;Schwarz;Weiß;Schwarz (Stärke);Weiß (Stärke);Ergebnis\n;Ada;Bo;5k;1d;Bo\n"
    assert [(game.black, game.black_rank) for game in handan.read(named.encode())] == [("Ada", "5k")]


@pytest.mark.parametrize(
    ("headings", "cells", "results"),
    [
        (
            "date;black;white;winner",
            ("Ada +5", "Bo (3.5)", "Ada (R)", "Bo R", "Ada+T", "Bo by 3.5", "Ada (resigned)", "Bo [time]"),
            ["B+5", "W+3.5", "B+R", "W+R", "B+T", "W+3.5", "W+R", "W+T"],
        ),
        (
            "Datum;Schwarz;Weiß;Gewinner",
            ("Ada (Aufgabe)", "Bo A", "Ada +3,5", "Bo (kampflos)", "Ada mit 4,5 Punkten", "remis"),
            ["B+R", "W+R", "B+3.5", "W+F", "B+4.5", "jigo"],
        ),
        (
            "Date;Noir;Blanc;Vainqueur", ("Ada (abandon)", "Bo +5", "Ada de 3.5 points", "Bo A", "Ada (au temps)"),
            ["B+R", "W+5", "B+3.5", "W+R", "B+T"],
        ),
        ("対局日;黒;白;勝者", ("Ada（中押し）", "Bo 3目半", "Ada+5", "Bo（時間切れ）"), ["B+R", "W+3.5", "B+5", "W+T"]),
    ],
)  # fmt: skip
def test_a_winner_may_say_how_they_won(
    headings: str, cells: tuple[str, ...], results: list[str], tmp_path: Path
) -> None:
    table = tmp_path / "evening.csv"
    rows = [f"2026-05-{day:02};Ada;Bo;{cell}" for day, cell in enumerate(cells, 1)]
    table.write_text("\n".join([headings, *rows]) + "\n", encoding="utf-8")
    assert run("check", table).status == 0
    assert [str(game.result) for game in handan.read(table)] == results


@pytest.mark.parametrize(
    ("black", "white", "cells", "results"),
    [
        ("Ada Lind", "Bo Quist", ("Ada", "Quist +5", "Lind (R)", "quist"), ["B+", "W+5", "B+R", "W+"]),
        ("Jan de Vries", "Ada Moor", ("de Vries", "Moor by 3.5"), ["B+", "W+3.5"]),
        ("Lind, Ada", "Quist, Bo", ("Ada", "Quist"), ["B+", "W+"]),
        ("山田太郎", "佐藤花子", ("山田", "佐藤 中押し"), ["B+", "W+R"]),
    ],
)
def test_a_winner_may_be_called_by_a_part_of_the_name(
    black: str, white: str, cells: tuple[str, ...], results: list[str], tmp_path: Path
) -> None:
    table = tmp_path / "evening.csv"
    rows = [f"2026-05-{day:02};{black};{white};{cell}" for day, cell in enumerate(cells, 1)]
    table.write_text("\n".join(["date;black;white;winner", *rows]) + "\n", encoding="utf-8")
    answer = run("check", table)
    assert (answer.status, [str(game.result) for game in handan.read(table)]) == (0, results)
    assert "players are called by a part of the name that nobody else in the row has" in answer.err


@pytest.mark.parametrize(
    ("black", "white", "winner"),
    [
        ("Ada Lind", "Ada Moor", "Ada"),  # of both
        ("Ada Lind", "Bo Quist", "Adam"),
        ("Ada Lind", "Bo Quist", "A. Lind"),
        ("山田太郎", "山本花子", "山"),
        ("Ada Lind", "Bo Quist", "Cy"),  # who is called so plays in another row
    ],
)
def test_a_part_of_both_names_or_of_none_is_no_winner(black: str, white: str, winner: str, tmp_path: Path) -> None:
    table = tmp_path / "evening.csv"
    rows = f"{black},{white},{winner}\nCy,Bo Quist,Cy\nCy Lind,Bo Quist,Cy\n"
    table.write_text(f"black,white,winner\n{rows}", encoding="utf-8")
    answer = run("check", table)
    assert answer.err.count("is not one of the two players of the row") == 2
    assert [(game.black, str(game.result)) for game in handan.read(table)] == [("Cy", "B+")]


def test_forms_ask_whether_who_sends_them_won(tmp_path: Path) -> None:
    table = tmp_path / "form.csv"
    table.write_text(
        "Timestamp,Your name,Opponent's name,Did you win?,Your colour,Handicap,Komi\n"
        "10/1/2026 20:15:03,Ada,Bo,Yes,Black,0,6.5\n10/13/2026 21:02:44,Cy,Ada,No,Black,2,0.5\n"
        "10/15/2026 19:30:00,Bo,Cy,Yes,White,0,6.5\n10/16/2026 19:30:00,Bo,Cy,Draw,White,0,6\n",
        encoding="utf-8",
    )
    assert run("check", table).status == 0
    assert games_of(handan.read(table)) == [
        ("2026-10-01 20:15:03", "Ada", "Bo", "B+"), ("2026-10-13 21:02:44", "Cy", "Ada", "W+"),
        ("2026-10-15 19:30", "Cy", "Bo", "W+"), ("2026-10-16 19:30", "Cy", "Bo", "jigo"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "headings",
    ["対局日;先番;後番;勝敗;置石", "Datum;Schwarz;Weiß;Erg.;Vorg.", "Date;Black;White;Result;Hcp."],
)
def test_headings_that_clubs_cut_short_are_read(headings: str, tmp_path: Path) -> None:
    table = tmp_path / "evening.csv"
    table.write_text(f"{headings}\n2026-05-01;Ada;Bo;B+R;3\n2026-05-02;Ada;Bo;W+R;2\n", encoding="utf-8")
    assert run("check", table).status == 0
    assert [(game.black, str(game.result), game.handicap) for game in handan.read(table)] == [
        ("Ada", "B+R", 3), ("Ada", "W+R", 2),
    ]  # fmt: skip


def test_text_between_the_rows_of_games_is_passed_over_and_said(tmp_path: Path) -> None:
    table = tmp_path / "season.csv"
    table.write_text(
        "Oktober;;;\nDatum;Schwarz;Weiß;Ergebnis\n3.10.2026;Ada;Bo;S+R\nNovember;;;\n"
        "Datum;Schwarz;Weiß;Ergebnis\n7.11.2026;Cy;Bo;W+R\nWeihnachtspause;;;\n",
        encoding="utf-8",
    )
    answer = run("check", table)
    assert (answer.status, len(handan.read(table))) == (0, 2)
    assert "line 4: the text between the rows is passed over: November · Weihnachtspause" in answer.err
    table.write_text("Schwarz;Weiß;Ergebnis\nAda;Bo;S+R\nCy;;\n", encoding="utf-8")  # whose opponent is missing
    assert run("check", table).status == 1


def test_two_dashes_of_a_cross_table_are_a_game_that_was_not_played(tmp_path: Path) -> None:
    table = tmp_path / "cross.csv"
    table.write_text(";Ada;Bo;Cy\nAda;x;1;½\nBo;0;x;-\nCy;½;-;x\n", encoding="utf-8")
    assert run("check", table, "--date", "2026-05-01").status == 0
    assert [str(game.result) for game in handan.read(table)] == ["P1+", "P="]


def test_lines_of_an_evening_have_its_day_and_how_games_ended(tmp_path: Path) -> None:
    table = tmp_path / "evening.txt"
    table.write_text(
        "Clubabend 1.10.26\nAda - Bo 1:0\nBo - Cy 1:0 (Aufgabe)\nCy - Ada ½:½\nAda verschoben Bo 8.10.26\n"
        "\nClubabend 8.10.26\nAda - Cy 0:1 (3,5)\nAda - Bo 1:0 (draußen)\n",
        encoding="utf-8",
    )
    answer = run("check", table)
    assert games_of(handan.read(table)) == [
        ("2026-10-01", "Ada", "Bo", "P1+"), ("2026-10-01", "Bo", "Cy", "P1+R"), ("2026-10-01", "Cy", "Ada", "P="),
        ("2026-10-08", "Ada", "Cy", "P2+3.5"),
    ]  # fmt: skip
    assert answer.status == 1
    assert [line.partition(" ")[0] for line in answer.err.splitlines()] == ["rejected:", "rejected:"]
    assert "line 5" in answer.err
    assert "line 9" in answer.err


def test_messages_in_which_members_tell_their_games_are_read(tmp_path: Path) -> None:
    chat = tmp_path / "chat.txt"
    chat.write_text(
        "Ergebnisse vom 1. Oktober 2026:\n- Ada schlägt Bo (Aufgabe)\n- Cy verliert gegen Bo mit 3,5 Punkten\n"
        "- Ada – Cy: jigo\n- Bo gegen Cy, Bo gewinnt mit 2,5\n- Ada - Bo: 0:1\n- Cy vs Ada, ja gern\n",
        encoding="utf-8",
    )
    answer = run("check", chat)
    assert games_of(handan.read(chat)) == [
        ("2026-10-01", "Ada", "Bo", "P1+R"), ("2026-10-01", "Bo", "Cy", "P1+3.5"), ("2026-10-01", "Ada", "Cy", "P="),
        ("2026-10-01", "Bo", "Cy", "P1+2.5"), ("2026-10-01", "Ada", "Bo", "P2+"),
    ]  # fmt: skip
    assert [line for line in answer.err.splitlines() if "Cy vs Ada, ja gern" in line]
    assert answer.status == 1


@pytest.mark.parametrize(
    ("cells", "rounds", "days"),
    [(("1", "1", "2"), [1, 1, 2], [None] * 3), (("3.10.2026", "3.10.2026", "17.10.2026"), [None] * 3, ["2026-10-03"])],
)
def test_matchdays_are_rounds_or_days_as_their_cells_show(
    cells: tuple[str, ...], rounds: list[int | None], days: list[str | None], tmp_path: Path
) -> None:
    table = tmp_path / "league.csv"
    rows = [f"{cell};{game}" for cell, game in zip(cells, ("Ada;Bo;1:0", "Cy;Dee;0:1", "Ada;Cy;½:½"), strict=True)]
    table.write_text("\n".join(["Spieltag;Heim;Gast;Ergebnis", *rows]) + "\n", encoding="utf-8")
    assert run("check", table).status == 0
    ledger = handan.read(table)
    assert [game.round for game in ledger] == rounds
    assert [game.date and str(game.date) for game in ledger][: len(days)] == days


ROUNDS_BESIDE = (
    ("Runde 1", "", "", "", "Runde 2", "", ""),
    ("Schwarz", "Weiß", "Ergebnis", "", "Schwarz", "Weiß", "Ergebnis"),
    ("Ada", "Bo", "S+R", "", "Ada", "Cy", "W+R"), ("Cy", "Dee", "W+2,5", "", "Bo", "Dee", "S+R"),
    ("Eva", "Finn", "S+T", "", "", "", ""),
)  # fmt: skip
"""A round beside the other, with a game less."""


@pytest.mark.parametrize("ending", [".xlsx", ".csv"])
def test_tables_side_by_side_are_read_one_after_the_other(ending: str, tmp_path: Path) -> None:
    table = tmp_path / f"cup{ending}"
    if ending == ".xlsx":
        table.write_bytes(spreadsheets.excel(spreadsheets.Sheet("Cup", [list(row) for row in ROUNDS_BESIDE])))
    else:
        table.write_text("\n".join(map(";".join, ROUNDS_BESIDE)) + "\n", encoding="utf-8")
    answer = run("check", table)
    assert answer.status == 0
    assert "2 tables side by side" in answer.out
    assert [(game.round, game.black, game.white, str(game.result)) for game in handan.read(table)] == [
        (1, "Ada", "Bo", "B+R"), (1, "Cy", "Dee", "W+2.5"), (1, "Eva", "Finn", "B+T"),
        (2, "Ada", "Cy", "W+R"), (2, "Bo", "Dee", "B+R"),
    ]  # fmt: skip


def test_tables_side_by_side_may_share_a_day_and_name_lines_of_their_file(tmp_path: Path) -> None:
    table = tmp_path / "evenings.csv"
    table.write_text(
        "Date,Black,White,Result,Black,White,Result\n2026-10-01,Ada,Bo,B+R,Cy,Dee,W+R\n"
        "2026-10-08,Ada,Dee,B+R,,,\n2026-10-15,Ada,Dee,B+R,Bo,Cy,X\n",
        encoding="utf-8",
    )
    assert games_of(handan.read(table)) == [
        ("2026-10-01", "Ada", "Bo", "B+R"), ("2026-10-01", "Cy", "Dee", "W+R"), ("2026-10-08", "Ada", "Dee", "B+R"),
        ("2026-10-15", "Ada", "Dee", "B+R"),
    ]  # fmt: skip
    assert f"rejected: {table} line 4: result 'X'" in run("check", table).err


def test_headings_that_are_repeated_otherwise_are_refused(tmp_path: Path) -> None:
    table = tmp_path / "evenings.csv"
    table.write_text("Black,White,Result,Black,Note\nAda,Bo,B+R,Cy,x\n", encoding="utf-8")
    answer = run("check", table)
    assert (answer.status, "column 'black' stands there twice" in answer.err) == (2, True)


@pytest.mark.parametrize("letters", ["SW", "NB", "BW", "ZW", "ЧБ"])
def test_letters_of_colours_behind_names_are_those_of_any_language(letters: str, tmp_path: Path) -> None:
    black, white = letters[0], letters[1]
    table = tmp_path / "evening.csv"
    rows = f"1.10.2026;Ada ({black}) - Bo ({white});1:0\n18.10.2026;Bo ({white}) - Cy ({black});1:0\n"
    table.write_text(f"Datum;Paarung;Ergebnis\n{rows}", encoding="utf-8")
    assert run("check", table).status == 0
    assert games_of(handan.read(table)) == [("2026-10-01", "Ada", "Bo", "B+"), ("2026-10-18", "Cy", "Bo", "W+")]


def test_a_table_without_headings_is_refused_with_what_it_lacks(tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    table.write_text("2026-10-01;Ada;Bo;B+R\n2026-10-08;Cy;Bo;W+2.5\n", encoding="utf-8")
    answer = run("rate", table, "--system", "elo")
    assert answer.status == 2
    assert "this line looks like a game: put a line of headings above it, such as date,black,white,result" in answer.err


def test_what_stands_behind_a_winner_and_is_no_outcome_is_rejected(tmp_path: Path) -> None:
    table = tmp_path / "evening.csv"
    table.write_text("black,white,winner\nAda,Bo,Ada (3d)\nAda,Bo,Adam\nAda,Bo,Bo (late)\n", encoding="utf-8")
    answer = run("rate", table, "--system", "elo")
    assert answer.status == 2
    assert answer.err.count("is not one of the two players of the row, or Black or White") == 3


def test_winners_and_losers_without_colours_and_players_who_won() -> None:
    ledger = handan.read(b"Winner,Rank,Loser,Rank\nAda,3d,Bo,2d\n")
    assert [(game.black, str(game.result), game.black_rank, game.white_rank) for game in ledger] == [
        ("Ada", "P1+", "3d", "2d")
    ]
    rows = b"Player 1,Player 2,Result,Colour\nAda,Bo,1-0,W\nAda,Bo,Bo,\nAda,Bo,B+R,B\nAda,Bo,jigo,\nAda,Bo,W+,\n"
    ledger = handan.read(rows)
    games = [(game.black, game.white, str(game.result)) for game in ledger]
    assert games == [("Bo", "Ada", "W+"), ("Ada", "Bo", "P2+"), ("Ada", "Bo", "B+R"), ("Ada", "Bo", "P=")]
    [problem] = ledger.problems
    assert (problem.line, problem.found) == (6, "W+")
    assert "nothing says which of the two had Black" in str(problem)


def test_columns_can_be_named_by_the_user() -> None:
    text = b"Who,Against,How it ended\nAda,Bo,B+R\n"
    assert len(handan.read(text, columns={"black": "Who", "white": "against", "result": "How it ended"})) == 1
    with pytest.raises(InputError, match="no heading is 'Whom'; the headings are 'Who', 'Against'"):
        handan.read(text, columns={"black": "Whom"})
    with pytest.raises(InputError, match=r"column 'blak' is not one of .*did you mean black"):
        handan.read(text, columns={"blak": "Who"})


def test_a_cross_table_is_read_and_contradictions_are_said() -> None:
    ledger = handan.read(b"1 Ada x 1 0 1\n2 Bo 0 x 1 1\n3 Cy 1 0 x 0\n4 Di 0 0 0 x\n")
    assert [(game.black, game.white, str(game.result)) for game in ledger] == [
        ("Ada", "Bo", "P1+"), ("Ada", "Cy", "P2+"), ("Ada", "Di", "P1+"), ("Bo", "Cy", "P1+"), ("Bo", "Di", "P1+"),
    ]  # fmt: skip
    [problem] = [problem for problem in ledger.problems if problem.rejected]
    assert str(problem).startswith("bytes line 3: Cy '0 against 0' is not what the cell of Di (line 4) tells")
    grid: list[spreadsheets.Row] = [["Spring", None, None, None], ["Name", "Ada Li", "Bo Q", "Points"],
                                    ["Ada Li", None, "1 ½", 1.5], ["Bo Q", "0 ½", None, 0.5]]  # fmt: skip
    both = handan.read(excel(Sheet("x", grid)), date="2026-09-03")
    assert games_of(both) == [("2026-09-03", "Ada Li", "Bo Q", "P1+"), ("2026-09-03", "Ada Li", "Bo Q", "P=")]


def test_a_cross_table_may_say_how_each_game_was_won() -> None:
    text = "氏名,山田,佐藤,鈴木\n山田,×,○3目半,●中押\n佐藤,●3目半,×,○時間\n鈴木,○,●時間,×\n"
    assert [(game.black, game.white, str(game.result)) for game in handan.read(text.encode())] == [
        ("山田", "佐藤", "P1+3.5"), ("山田", "鈴木", "P2+R"), ("佐藤", "鈴木", "P1+T"),
    ]  # fmt: skip
    ledger = handan.read(text.replace("●3目半", "●半目").encode())
    assert [problem.line for problem in ledger.problems if problem.rejected] == [2]


def test_a_cross_table_with_an_empty_diagonal_may_number_its_columns() -> None:
    grid: list[spreadsheets.Row] = [
        ["League A 2026", None, None, None, None, None, None], [None, "Name", "Rank", 1, 2, 3, "Wins"],
        [1, "Ada", "3d", None, "1", "½", 1.5], [2, "Bo", "2d", "0", None, "1", 1], [3, "Cy", "1d", "½", "0", None, 0.5],
    ]  # fmt: skip
    text = "Pl,Name,Rank,1,2,3,Wins\n1,Ada,3d,,1,½,1.5\n2,Bo,2d,0,,1,1\n3,Cy,1d,½,0,,0.5\n"
    for ledger in (handan.read(excel(Sheet("x", grid))), handan.read(text.encode())):
        rows = [(game.black, game.white, str(game.result), game.black_rank, game.white_rank) for game in ledger]
        assert rows == [
            ("Ada", "Bo", "P1+", "3d", "2d"), ("Ada", "Cy", "P=", "3d", "1d"), ("Bo", "Cy", "P1+", "2d", "1d"),
        ]  # fmt: skip
    rounds = text.replace("3,Cy,1d,½,0,", "3,Cy,1d,1,1,")  # points of rounds, of which an empty one is a bye
    with pytest.raises(InputError, match="is a list of players"):
        handan.read(rounds.encode())


LEAGUE = (
    "Spring League\nStand: 3.5.2026\n,Name,Verein,Ada,Bo,Cy,Freilos,Punkte,SOS,Bemerkung\n1,Ada,Ume,x,1,½,1,2½,2,nice\n"
    "2,Bo,Ldn,0,x,1,1,2,4,\n3,Cy,,½,0,x,1,1½,3,\nweiter am 9. Mai\n"
)


def test_what_stands_beside_a_cross_table_is_an_event_or_is_said(tmp_path: Path) -> None:
    path = tmp_path / "league.csv"
    path.write_text(LEAGUE, encoding="utf-8")
    [report] = json.loads(run("check", path, "--format", "json").out)["files"]
    assert [report[name] for name in ("games", "byes", "from")] == [3, 3, "2026-05-03"]
    assert [(problem["line"], problem["found"]) for problem in report["problems"] if problem["line"] in (3, 7)] == [
        (3, "Bemerkung"), (3, ""), (7, "the text below the table is passed over: weiter am 9. Mai"),
    ]  # fmt: skip
    [event] = handan.read(path).events
    assert (event.name, str(event.first), event.criteria) == (
        "Spring League",
        "2026-05-03",
        ("Freilos", "Punkte", "SOS"),
    )
    assert [(each.player.name, each.player.club, each.place, each.figures) for each in event.participants] == [
        ("Ada", "Ume", 1, ("1", "2½", "2")), ("Bo", "Ldn", 2, ("1", "2", "4")), ("Cy", "", 3, ("1", "1½", "3")),
    ]  # fmt: skip
    run("convert", path, "-o", tmp_path / "league.h9")
    [back] = handan.read(tmp_path / "league.h9").events
    assert [each.figures for each in back.participants] == [("1", "2.5", "2"), ("1", "2", "4"), ("1", "1.5", "3")]
    assert json.loads(run("event", path, "--system", "egf", "--json").out)["event"] == "Spring League"


def test_byes_of_a_cross_table_that_tell_their_rounds_are_byes_of_the_event() -> None:
    rounds = LEAGUE.replace("½,1,2½", "½,3,2½").replace("x,1,1,2,4", "x,1,1,2,4").replace("0,x,1,1½", "0,x,2,1½")
    [event] = handan.read(rounds.encode()).events
    assert [each.byes for each in event.participants] == [
        ((3, Bye.ALLOCATED),), ((1, Bye.ALLOCATED),), ((2, Bye.ALLOCATED),),
    ]  # fmt: skip


def test_names_of_two_words_in_a_cross_table_between_blanks_are_whole() -> None:
    ledger = handan.read(b"1 Ada Lind 3d x 1\n2 Bo Quist 2k 0 x\n")
    assert [(game.black, game.white, game.black_rank) for game in ledger] == [("Ada Lind", "Bo Quist", "3d")]


def test_sentences_are_games() -> None:
    text = """Ada beat Bo by 3.5 on 2026-03-01
    - Bo Quist lost to Ada by resignation, 3 March 2026
    2026-03-04: Bo (B) defeated Ada
    Käthe gewinnt gegen Bo am 5.3.2026
    nothing happened"""
    ledger = handan.read(io.StringIO(text))
    assert games_of(ledger) == [
        ("2026-03-01", "Ada", "Bo", "P1+3.5"), ("2026-03-03", "Ada", "Bo Quist", "P1+R"),
        ("2026-03-04", "Bo", "Ada", "B+"), ("2026-03-05", "Käthe", "Bo", "P1+"),
    ]  # fmt: skip
    assert [problem.line for problem in ledger.problems if problem.rejected] == [5]


def test_json_and_json_lines_are_read_and_written(tmp_path: Path) -> None:
    nested = b'{"league": "x", "games": [{"player1": {"name": "Ada", "rank": "3d"}, "player2": "Bo", "winner": "Ada"}]}'
    [game] = handan.read(nested)
    assert (game.black, str(game.result), game.black_rank) == ("Ada", "P1+", "3d")
    lines = handan.read(b'{"black": "Ada", "white": "Bo", "winner": "black", "komi": 6.5}\nx\n')
    assert (len(lines), [problem.line for problem in lines.problems]) == (1, [2])
    ledger = handan.read("examples/games.csv")
    handan.write(ledger, tmp_path / "games.jsonl")
    assert handan.read(tmp_path / "games.jsonl") == ledger


def test_no_part_of_a_document_of_json_is_left_out_in_silence() -> None:
    game = '{"black": "Ada", "white": "Bo", "result": "B+"}'
    several = handan.read(
        f'{{"club": [{game}], "cup": [{game}, null], "players": [{{"name": "Ada"}}, {{}}, {{}}]}}'.encode()
    )
    assert (len(several), [str(problem) for problem in several.problems]) == (
        2,
        ["bytes: array 'players' is not one of games; ignored", "bytes line 3: 'null' is not a JSON object"],
    )
    listed = handan.read(f'[{game}, 5, ["x"]]'.encode())
    assert (len(listed), [problem.line for problem in listed.problems if problem.rejected]) == (1, [2, 3])
    rows = handan.read(b'[["black", "white", "result"], ["Ada", "Bo", "B+"], ["Ada", "Bo", "B+", "x"]]')
    assert (len(rows), [problem.line for problem in rows.problems if problem.rejected]) == (1, [3])
    deep = handan.read(b'[{"black": "Ada", "white": "Bo", "result": "B+", "a": {"b": {"c": {"d": "komi"}}}}]')
    assert [str(problem) for problem in deep.problems] == [
        "bytes: column 'a b c d' is not a column that is read; ignored"
    ]


def test_tables_of_python_are_read() -> None:
    columns = {
        "date": ["2026-09-03", "2026-09-04"],
        "Schwarz": ["Ada", "Bo"],
        "Weiß": ["Bo", "Ada"],
        "Sieger": ["Ada", "Weiß"],
    }
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    frame = pl.DataFrame(columns)
    expected = [("2026-09-03", "Ada", "Bo", "B+"), ("2026-09-04", "Bo", "Ada", "W+")]
    csv = frame.write_csv()
    for source in (columns, rows, frame, frame.lazy(), frame.to_pandas(), frame.to_arrow(), csv.encode(),
                   io.StringIO(csv), io.BytesIO(csv.encode()), [io.StringIO(csv)]):  # fmt: skip
        assert games_of(handan.read(source)) == expected
    for nothing in (None, 3, [None], object()):
        with pytest.raises(InputError, match="is not a path, a file, bytes, a"):
            handan.read(nothing)
    with pytest.raises(InputError, match="columns are of different lengths"):
        handan.read({"black": ["Ada"], "white": ["Bo", "Cy"], "result": ["B+"]})


def test_standard_input_and_output_stand_in_place_of_files() -> None:
    text = b"Datum;Schwarz;Weiss;Ergebnis\n3.9.2026;Ada;Bo;B+R\n4.9.2026;Ada;Bo;W+R\n"
    answer = run("convert", "-", "-o", "-", "--to", "jsonl", stdin=text)
    assert answer.status == 0
    assert answer.out.splitlines()[0] == '{"date": "2026-09-03", "black": "Ada", "white": "Bo", "result": "B+R"}'
    assert run("convert", "-", "-", stdin=text).out.startswith("date,black,white,result\n")
    assert "2 of 2 games rated" in run("rate", "-", "--system", "elo", stdin=text).out
    assert run("rate", "-", "--system", "elo", stdin=b"").status == 2


def test_adjustments_and_decisions_about_names_may_stand_in_workbooks(tmp_path: Path) -> None:
    rows: list[spreadsheets.Row] = [["Entry ranks"], [], ["Player", "Rank", "Rating", "Date"],
                                    ["Ada", "3k", None, date(2026, 9, 1)], [], ["Bo", None, 1500, None]]  # fmt: skip
    path = tmp_path / "entry.xlsx"
    path.write_bytes(excel(Sheet("x", [["nothing"]]), Sheet("y", rows)))
    adjustments, problems = handan.read_adjustments(path)
    assert [(item.player, str(item.rank), item.rating, str(item.date)) for item in adjustments] == [
        ("Ada", "3k", None, "2026-09-01"), ("Bo", "None", 1500.0, "None"),
    ]  # fmt: skip
    assert [str(problem) for problem in problems] == [
        f"{path} line 3: the text above the headings is passed over: Entry ranks"
    ]
    who = tmp_path / "who.ods"
    who.write_bytes(open_document(Sheet("x", [["decision", "player", "other"], ["same", "Ada L", "Ada"]])))
    [decision], _ = read_aliases(who)
    assert (decision.player, decision.other) == ("Ada L", "Ada")
    assert run("rate", "examples/games.csv", "--system", "sagc", "--adjustments", path).status == 0


HEADINGS = "Date,Black,White,Result"
TRAPS: dict[str, tuple[bytes, list[tuple[str, str, str]], tuple[str, ...]]] = {
    "points of one.csv": (
        f"{HEADINGS}\n2026-09-03,Ada,Bo,1\n2026-09-04,Bo,Ada,0\n2026-09-05,Bo,Ada,0.5\n".encode(),
        [("Ada", "Bo", "B+"), ("Bo", "Ada", "W+"), ("Bo", "Ada", "jigo")],
        ("results such as 1 are points of black, whose column stands first",),
    ),
    "points with halves.csv": (
        f"{HEADINGS}\n2026-09-03,Ada,Bo,½\n2026-09-04,Bo,Ada,0\n2026-09-05,Bo,Ada,½-½\n2026-09-06,Bo,Ada,?\n".encode(),
        [("Ada", "Bo", "jigo"), ("Bo", "Ada", "W+"), ("Bo", "Ada", "jigo"), ("Bo", "Ada", "?")],
        ("results such as ½ are points of black, whose column stands first",),
    ),
    "members beside.csv": (
        f"{HEADINGS},,Name,Rank\n2026-09-03,Ada,Bo,B+R,,Zed,3k\n2026-09-04,Bo,Cy,W+2.5,,Yan,5k\n".encode(),
        [("Ada", "Bo", "B+R"), ("Bo", "Cy", "W+2.5")],
        ("column '(no name), Name, Rank' is not a column that is read; ignored",),
    ),
    "white first.csv": (
        b"Date,White,Black,Score\n2026-09-03,Ada,Bo,1-0\n2026-09-04,Bo,Ada,0-1\n2026-09-05,Bo,Ada,1/2-1/2\n",
        [("Bo", "Ada", "W+"), ("Ada", "Bo", "B+"), ("Ada", "Bo", "jigo")],
        ("results such as 1-0 are points of white, whose column stands first",),
    ),
    "all drawn.csv": (f"{HEADINGS}\n2026-09-03,Ada,Bo,0\n".encode(), [("Ada", "Bo", "jigo")], ()),
    "bye.csv": (
        f"{HEADINGS}\n2026-09-03,Ada,BYE,B+\n2026-09-03,Freilos,Ada,W+\n2026-09-03,Bo,Cy,B+R\n".encode(),
        [("Bo", "Cy", "B+R")],
        ("white 'BYE' is no player but a bye; left out, since no column tells its round",
         "black 'Freilos' is no player but a bye; left out, since no column tells its round"),
    ),
    "formulas.xlsx": (
        excel(Sheet("Games", [HEADINGS.split(","), [date(2026, 9, 3), "Ada", "Bo", "B+R"],
                              [date(2026, 9, 4), "#N/A", "Ada", "W+R"]])),
        [("Ada", "Bo", "B+R")],
        ("black '#N/A' is not a player; a formula of the spreadsheet failed",),
    ),
    "joined.csv": (
        f"\ufeff{HEADINGS}\n2026-09-03,Ada,Bo,B+R\n\ufeff2026-09-04,\u200bBo,\u200eAda\u2060,W+R\n".encode(),
        [("Ada", "Bo", "B+R"), ("Bo", "Ada", "W+R")],
        (),
    ),
    "copied.xlsx": (
        excel(Sheet("Games", [HEADINGS.split(","), [date(2026, 9, 3), "\u200bAda", "Bo\ufeff", "B+R"]])),
        [("Ada", "Bo", "B+R")],
        (),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TRAPS)
def test_a_table_with_a_trap_is_read_to_its_games_and_says_what_it_left_out(name: str, tmp_path: Path) -> None:
    content, games, messages = TRAPS[name]
    path = tmp_path / name
    path.write_bytes(content)
    ledger = handan.read(path)
    assert sorted((game.black, game.white, str(game.result)) for game in ledger) == sorted(games)
    assert len(ledger.problems) == len(messages)
    for problem, message in zip(ledger.problems, messages, strict=True):
        assert message in str(problem)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"<html><body><table><tr><th>Black</th></tr></table></body></html>", "a web page, whatever it is called"),
        (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', "a web page, whatever it is called"),
        (b'<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>', "a workbook as XML"),
    ],
)
def test_a_page_that_calls_itself_a_workbook_is_refused_with_what_to_do(
    content: bytes, kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "results.xls"
    path.write_bytes(content)
    answer = run("rate", path, "--system", "elo")
    assert answer.status == 2
    assert f"results.xls is {kind}" in answer.err
    assert "save it as .xlsx or as CSV UTF-8" in answer.err


def with_row(above: str = "", cell: str = "") -> bytes:
    """Return the small spreadsheet of one game with rows above it, or with a cell for the name of Black."""
    table = open_document(Sheet("S", [["black", "white", "result"], ["Ada", "Bo", "B+"]]))
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(table)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            text = old.read(name).decode()
            if name == "content.xml":
                place = text.index("<table:table-row", text.index("result"))
                text = text[:place] + above + text[place:].replace("Ada", cell or "Ada", 1)
            new.writestr(name, text)
    return stream.getvalue()


def test_a_few_bytes_that_stand_for_a_billion_blanks_or_rows_are_refused_before_any_is_made() -> None:
    for digits in ("1000000000", "+01000000000", "9" * 400):
        with pytest.raises(InputError, match="more than 1,048,576 bytes in one line"):
            handan.read(with_row(cell=f'a<text:s text:c="{digits}"/>b'))
        filled = (
            f'<table:table-row table:number-rows-repeated="{digits}">{4 * "<table:table-cell>1</table:table-cell>"}'
        )
        with pytest.raises(InputError, match="cells in one worksheet"):
            handan.read(with_row(above=f"{filled}</table:table-row>"))
    assert handan.read(with_row(cell='Ada<text:s text:c="1"/>Moor')).players[0].name == "Ada Moor"


def test_empty_rows_between_games_and_below_them_are_no_games_and_the_lines_are_those_of_the_sheet() -> None:
    wide = '<table:table-cell table:number-columns-repeated="16384"/>'
    empty = f'<table:table-row table:number-rows-repeated="1000000">{wide}'
    bad = "".join(map(spreadsheets._open_cell, ("Cy", "Di", "maybe")))
    data = with_row(above=f"{empty}</table:table-row><table:table-row>{bad}</table:table-row>")
    ledger = handan.read(data, limits=Limits(games=2))
    assert len(ledger) == 1
    assert [problem.line for problem in ledger.problems if problem.rejected] == [1_000_002]
    text = "black,white,result\nAda,Bo,B+\n" + ",,\n" * 50
    assert len(handan.read(text.encode(), limits=Limits(games=1))) == 1


def test_a_quote_that_is_never_closed_is_what_is_wrong_with_a_table_of_too_many_rows() -> None:
    rows = "black,white,result\n" + "Ada,Bo,B+\n" * 3 + '"Ada,Bo,B+\n' + "Ada,Bo,W+\n" * 30
    with pytest.raises(InputError, match="line 5: a quote is opened there and not closed"):
        handan.read(rows.encode(), limits=Limits(games=20))
    assert len(handan.read(rows.encode())) == 33


def test_what_is_packed_in_a_way_that_is_not_read_is_named(tmp_path: Path) -> None:
    import lzma

    packed = tmp_path / "games.csv.xz"
    packed.write_bytes(lzma.compress(b"black,white,result\nAda,Bo,B+\n"))
    with pytest.raises(InputError, match=r"games\.csv\.xz is packed with xz: unpack it"):
        handan.read(packed)
    tape = tmp_path / "games.tar.gz"
    with tarfile.open(tape, "w:gz") as archive_of_tar:
        archive_of_tar.add(packed, "games.csv")
    with pytest.raises(InputError, match=r"games\.tar\.gz is packed with tar: unpack it"):
        handan.read(tape)
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("games.csv", "black,white,result\nAda,Bo,B+\n")
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.writestr("inner.zip", inner.getvalue())
    assert "is an archive: unpack it" in str(handan.read(tmp_path / "outer.zip").problems)
    link = tmp_path / "dangling.csv"
    link.symlink_to(tmp_path / "gone.csv")
    with pytest.raises(InputError, match="is a link to a file that is not there"):
        handan.read(link)
    number = f'[{{"black": "Ada", "white": "Bo", "result": "B+", "komi": {"9" * 5_000}}}]'
    with pytest.raises(InputError, match="a number of more than 4,300 digits stands in it"):
        handan.read(number.encode())


def with_sheet(text: str) -> bytes:
    """Return an Excel workbook with a head, a game, and rows as they stand in its worksheet."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(excel(Sheet("x", [["Black", "White", "Result"], ["Ada", "Bo", "B+"]])))) as archive,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        for name in archive.namelist():
            part = archive.read(name)
            made.writestr(name, part.replace(b"</sheetData>", text.encode()) if "sheet1" in name else part)
    return stream.getvalue()


def test_empty_rows_of_an_excel_worksheet_are_not_counted_and_the_lines_are_those_of_the_sheet() -> None:
    few, styled = Limits(cells=2_000_000, games=5), '<c r="A{0}" s="1"/><c r="B{0}" s="1"></c><c r="XFD{0}" s="1"/>'
    tail = "".join(f'<row r="{number}">{styled.format(number)}</row>' for number in (3, 900_000, 1_048_576))
    assert len(handan.read(with_sheet(f"{tail}</sheetData>"), limits=few)) == 1
    cells = "".join(f'<c r="{column}1048575" t="inlineStr"><is><t>{text}</t></is></c>'
                    for column, text in zip("ABC", ("Cy", "Di", "maybe"), strict=True))  # fmt: skip
    again = cells.replace("1048575", "1048576").replace("maybe", "W+")
    above = f'<row r="900000">{styled.format(900_000)}</row>'
    far = f'{above}<row r="1048575">{cells}</row><row r="1048576">{again}</row></sheetData>'
    merged = '<mergeCells><mergeCell ref="A1048575:A1048576"/></mergeCells>'
    for data in (with_sheet(far), with_sheet(far + merged)):
        ledger = handan.read(data, limits=few)
        assert [(game.black, game.white) for game in ledger] == [("Ada", "Bo"), ("Cy", "Di")]
        assert [(problem.line, problem.found) for problem in ledger.problems if problem.rejected] == [
            (1_048_575, "maybe")
        ]
    with pytest.raises(InputError, match="more than 100,000 cells in one worksheet"):
        handan.read(with_sheet(far), limits=Limits(cells=100_000))
