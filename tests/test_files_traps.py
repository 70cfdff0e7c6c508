"""Traps of tables that people keep: what looks like a fact of a game and is another thing, or none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import handan
from handan.errors import HeadingsError, InputError, QuestionError
from handan.files.cells.dates import DateReader
from handan.ledger import Ledger
from tests.command_line import run
from tests.spreadsheets import Sheet, excel


def table_of(heading: str, cells: list[str], beside: str = "") -> bytes:
    """Return a table of games of different players with one more column."""
    rows = [f"2026-03-01,P{2 * place},P{2 * place + 1},B+R,{cell}" for place, cell in enumerate(cells)]
    return "\n".join([f"date,black,white,result,{heading}{beside}", *rows]).encode()


def problems_of(ledger: Ledger) -> str:
    return "\n".join(map(str, ledger.problems))


@pytest.mark.parametrize(
    "heading",
    ["Board", "Brett", "Tablero", "Tavoliere", "Bord", "Plansza", "Доска", "Tahta", "棋盘", "碁盤", "판", "Goban"],
)
@pytest.mark.parametrize("cells", [["1", "2", "3", "4"], ["1", "2", "9", "13"], ["9", "10", "11", "12"], ["A", "B"]])
def test_a_column_of_boards_that_counts_tables_is_no_size(heading: str, cells: list[str]) -> None:
    ledger = handan.read(table_of(heading, cells))
    assert [game.size for game in ledger] == [19] * len(cells)
    assert f"column '{heading}' is read as numbers of tables" in problems_of(ledger)


@pytest.mark.parametrize("heading", ["Board", "Доска", "size"])
@pytest.mark.parametrize(
    ("cells", "sizes"),
    [
        (["19", "13", "9x9"], [19, 13, 9]),
        (["19"] * 12 + ["1"], [19] * 12),  # a slip, whose row is rejected
        (["7x7", "7 × 7"], [7, 7]),
        (["19路", ""], [19, 19]),
    ],
)
def test_a_column_of_boards_with_usual_sizes_is_their_size(heading: str, cells: list[str], sizes: list[int]) -> None:
    assert [game.size for game in handan.read(table_of(heading, cells))] == sizes


def test_the_column_of_sizes_is_the_size_beside_one_of_boards_and_where_the_user_says_so() -> None:
    [game] = handan.read(table_of("board,size", ["19,9"]))
    assert game.size == 9
    [game, _] = handan.read(table_of("board", ["2", "3"]), columns={"size": "board"})
    assert game.size == 2


@pytest.mark.parametrize(
    ("cell", "komi"),
    [
        ("minus 6", -6), ("reverse 5", -5), ("negative 5", -5), ("Rückkomi 5", -5), ("Rück-Komi 5", -5),
        ("обратное 6,5", -6.5), ("inverso 5", -5), ("ters 5", -5), ("逆コミ6目", -6), ("5目逆コミ", -5),
        ("倒贴5目", -5),
        ("역덤 5집", -5), ("omgekeerd 5", -5), ("odwrotne 5", -5), ("moins 5", -5), ("6 1/2", 6.5), ("½", 0.5),
        ("1/2", 0.5), ("¼", 0.25), ("6 3/4", 6.75), ("3又3/4子", 7.5), ("3.75子", 7.5), ("贴3又3/4子", 7.5),
        ("6,5 Pkt.", 6.5), ("Komi: 6.5", 6.5), ("6.5 points for white", 6.5), ("덤 6집 반", 6.5), ("6,5 очка", 6.5),
        ("6,5 punktów", 6.5), ("6,5 puan", 6.5), ("–6", -6), ("−6", -6), ("Black gives 5", 5), ("White gives 3", -3),
    ],
)  # fmt: skip
def test_komi_is_a_number_with_a_unit_and_a_sign_in_words(cell: str, komi: float) -> None:
    [game] = handan.read(table_of("komi", [f'"{cell}"']))
    assert game.komi == komi


@pytest.mark.parametrize("column", ["komi", "handicap", "round", "size"])
@pytest.mark.parametrize("cell", ["06. Mai", "06.maj", "06. máj", "May-06", "6-May", "03. Feb", "4. Apr", "06. май"])
def test_a_number_of_which_a_spreadsheet_has_made_a_day_is_rejected_with_the_cause(column: str, cell: str) -> None:
    ledger = handan.read(table_of(column, ["", cell]))
    assert len(ledger) == 1
    assert f"line 3: {column} '{cell}' is not a number; the spreadsheet program has made a day of it" in problems_of(
        ledger
    )


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("komi", "6 foo"), ("komi", "Black +5"), ("komi", "5 for Black"), ("komi", "minus -6"), ("komi", "6 or 7"),
        ("komi", "06.05.2026"), ("handicap", "3 foo"), ("handicap", "2 or 3"), ("handicap", "3 dan"),
    ],
)  # fmt: skip
def test_a_number_beside_an_unknown_word_is_neither_komi_nor_handicap(column: str, cell: str) -> None:
    ledger = handan.read(table_of(column, ["", cell]))
    assert len(ledger) == 1
    assert f"line 3: {column} '{cell}' is not a" in problems_of(ledger)


@pytest.mark.parametrize(
    "cell", ["3 stones", "H3", "3 Steine", "3 pierres", "3 piedras", "3 pietre", "3 stenen", "3 kamienie", "3 камня",
             "3 taş", "让3子", "3子", "置き3", "3점", "3.", "hcp 3"]
)  # fmt: skip
def test_stones_have_their_unit_in_every_language(cell: str) -> None:
    [game] = handan.read(table_of("handicap", [cell]))
    assert game.handicap == 3


BYES = """
BYE|bye|BYE 1|Bye-2|(bye)|exento|libre|riposo|turno di riposo|bay geçti|BAY GEÇTİ|пропуск|부전|부전승|シード|不戦勝
轮空|輪空|wolny los|свободен|vrij|descansa|Freilos|spielfrei|exempt|volný los|frirond|vapaakierros|erőnyerő
liber în rundă|вільний|folga|x|X|BAY|Frei"""
ABSENT = """
---|–|-|/|*|?|0|…|TBD|N/A|n/a|absent|no show|No-Show|nobody|abwesend|ausente|assente|nessuno|afwezig|nieobecny|пусто
отсутствует|boş|gelmedi|없음|欠席|缺席|未到|nepřítomen|frånvarande|poissa|távol|nimeni|відсутній"""
IN_PLACE_OF_PLAYERS = f"{BYES}{ABSENT}".strip().replace("\n", "|").split("|")


@pytest.mark.parametrize(
    ("heading", "result"),
    [
        ("black,white,result", "B+R"),
        ("winner,loser,how", "R"),
        ("player 1,player 2,result", "1-0"),
        ("white,black,result", "W+"),
    ],
)
def test_nobody_is_no_player_and_is_said(heading: str, result: str) -> None:
    rows = [f"Ada,{cell},{result}" for cell in ("Bo", *IN_PLACE_OF_PLAYERS)]
    ledger = handan.read("\n".join([heading, *rows]).encode())
    assert {player.name for player in ledger.players} == {"Ada", "Bo"}
    assert len(ledger) == 1
    assert [(problem.line, problem.found) for problem in ledger.problems] == list(enumerate(IN_PLACE_OF_PLAYERS, 3))
    assert {problem.found for problem in ledger.problems if problem.rejected} == {"x", "X", "BAY", "Frei"}


@pytest.mark.parametrize(
    "name", ["Li", "X Li", "이", "Bos", "Na", "Ng", "O", "Xu", "Freier", "Byers", "Abby E", "1234", "李", "ß", "Bayer"]
)
def test_a_short_name_of_a_person_stays_one(name: str) -> None:
    ledger = handan.read(f"date,black,white,result\n2026-03-01,Ada,{name},B+R\n2026-03-02,{name},Bo,B+R\n".encode())
    assert {player.name for player in ledger.players} == {"Ada", "Bo", name}
    assert ledger.problems == ()


def test_where_players_are_single_letters_x_is_one() -> None:
    ledger = handan.read(b"date,black,white,result\n2026-03-01,X,Y,B+R\n2026-03-02,Y,Z,W+R\n")
    assert {player.name for player in ledger.players} == {"X", "Y", "Z"}


@pytest.mark.parametrize(
    "content",
    [
        "date,black,white,result\n2026-03-01,Ada,Bo,B+R\n2026-03-02,Ada,Freilos,B+\n2026-03-03,BYE,Bo,\n",
        "date;game;winner\n2026-03-01;Ada vs Bo;Ada\n2026-03-02;Ada vs Freilos;Ada\n2026-03-03;Bo vs BYE;\n",
        "black,black score,white,white score\nAda,1,Bo,0\nAda,1,Freilos,\nBo,1,bye,\n",
        "Ada beat Bo on 2026-03-01\nAda beat Freilos\nBo beat bye\n",
    ],
)  # fmt: skip
def test_check_counts_byes_and_says_them_without_a_fault(content: str, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text(content, encoding="utf-8")
    answer = run("check", path, "--format", "json")
    [report] = json.loads(answer.out)["files"]
    assert (report["players"], report["games"], report["byes"], answer.status) == (2, 1, 2, 0)
    assert len(report["problems"]) == 2


def test_an_id_that_a_spreadsheet_has_rounded_makes_nobody_another_person() -> None:
    rows = ["Ada,Bo,B+R,1.70766E+07,17076590.0", 'Cy,Dee,B+R,"1,70766E+07",', "Bo,Cy,W+R,17076590,"]
    ledger = handan.read("\n".join(["black,white,result,black_id,white_id", *rows]).encode())
    assert {player.name: player.id for player in ledger.players} == {"Ada": "", "Bo": "17076590", "Cy": "", "Dee": ""}
    assert "line 2: black_id '1.70766E+07' is not an id with all its digits; the spreadsheet program" in problems_of(
        ledger
    )
    assert "line 3: black_id '1,70766E+07' is not" in problems_of(ledger)


def dates_of(cells: list[str], heading: str = "Date") -> list[str]:
    rows = [f"{cell};P{2 * place};P{2 * place + 1};B+R" for place, cell in enumerate(cells)]
    games = handan.read("\n".join([f"{heading};Black;White;Result", *rows]).encode())
    return [str(game.date) for game in sorted(games, key=lambda game: int(game.black[1:]))]


@pytest.mark.parametrize(
    ("heading", "cells", "dates"),
    [
        ("타임스탬프", ["2026. 3. 14 오후 7:30:12", "2026. 3. 15 오전 12:30:00"],
         ["2026-03-14 19:30:12", "2026-03-15 00:30"]),
        ("Timestamp", ["3/14/2026 12:30 PM", "3/15/2026 12:30 AM"], ["2026-03-14 12:30", "2026-03-15 00:30"]),
        ("タイムスタンプ", ["2026/03/14 7:30:12 午後 GMT+9"], ["2026-03-14 19:30:12"]),
        ("时间戳记", ["2026/3/14 下午7:30:12"], ["2026-03-14 19:30:12"]),
        ("Marca temporal", ["14/03/2026 7:30:12 p. m."], ["2026-03-14 19:30:12"]),
        ("Dátum", ["2026. március 14.", "2026. márc. 15."], ["2026-03-14", "2026-03-15"]),
        ("Date", ["03-04-2026", "05-04-2026"], ["2026-04-03", "2026-04-05"]),
    ],
)  # fmt: skip
def test_days_with_times_and_words_are_dates(heading: str, cells: list[str], dates: list[str]) -> None:
    assert dates_of(cells, heading) == dates


@pytest.mark.parametrize("heading", [
    "Timestamp", "Zeitstempel", "Horodateur", "Marca temporal", "Informazioni cronologiche", "Tijdstempel",
    "Sygnatura czasowa", "Отметка времени", "Zaman damgası", "时间戳记", "時間戳記", "タイムスタンプ", "타임스탬프",
    "Carimbo de data/hora",
])  # fmt: skip
def test_the_heading_that_forms_write_over_the_day_is_the_date(heading: str) -> None:
    assert dates_of(["2026-03-14 19:30:12"], heading) == ["2026-03-14 19:30:12"]


def test_numbers_of_days_are_read_from_1927_to_2119() -> None:
    reader = DateReader()
    dates, bad = reader(["10000", "80000", "80001"])
    assert {cell: str(when) for cell, when in dates.items()} == {"10000": "1927-05-18", "80000": "2119-01-11"}
    assert set(bad) == {"80001"}


def test_a_date_that_no_order_knows_is_rejected_with_its_line_and_nothing_read_is_status_2(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("Date,Black,White,Result\n31/31/2020,Ada,Bo,B+R\n", encoding="utf-8")
    answer = run("check", path)
    assert answer.status == 2
    assert "games.csv line 2: date '31/31/2020' is not a date such as" in answer.err


def test_a_buddhist_year_is_named_with_the_year_meant() -> None:
    ledger = handan.read(b"Date,Black,White,Result\n14/03/2569,Ada,Bo,B+R\n")
    assert "(if 2569 is a Buddhist year, 2026 is meant); read as unknown" in problems_of(ledger)


def test_a_day_that_stands_once_for_an_evening_is_that_of_the_rows_below_it(tmp_path: Path) -> None:
    head, rows = (
        "Date,Black,White,Result",
        ["2026-03-14,Ada,Bo,B+R", ",Cy,Dee,W+R", "2026-03-21,Ada,Cy,B+R", ",Bo,Dee,W+R"],
    )
    ledger = handan.read("\n".join([head, *rows]).encode())
    assert [str(game.date) for game in ledger] == ["2026-03-14", "2026-03-14", "2026-03-21", "2026-03-21"]
    assert "line 3: each day stands once: 2 rows without one below it have the same day" in problems_of(ledger)
    path = tmp_path / "games.csv"  # every row is dated by itself, so that an empty day is unknown
    path.write_text("\n".join([head, *rows, "2026-03-21,Ada,Dee,B+R"]), encoding="utf-8")
    assert sum(game.date is None for game in handan.read(path)) == 2
    answer = run("check", path, "--format", "json")
    [report] = json.loads(answer.out)["files"]
    assert (report["games"], report["rated"]) == (5, 3)
    assert "2 games without a date beside games that have one; not rated" in report["problems"][-1]["message"]
    assert "3 of 5 games rated" in run("rate", path, "--system", "elo").out


@pytest.mark.parametrize("total", ["Total", "計", "Summe"])
def test_a_row_of_totals_is_no_evening(total: str) -> None:
    rows = ["2026-03-14,Ada,Bo,B+R", ",Cy,Dee,W+R", "2026-03-21,Ada,Cy,B+R", ",Bo,Dee,W+R", f"{total},,,4"]
    ledger = handan.read("\n".join(["Date,Black,White,Result", *rows]).encode())
    assert [str(game.date) for game in ledger] == ["2026-03-14", "2026-03-14", "2026-03-21", "2026-03-21"]
    assert not [problem for problem in ledger.problems if problem.rejected]
    assert "line 6: 1 row of sums is passed over" in problems_of(ledger)


@pytest.mark.parametrize(("first", "second"), [
    ("Round 1", "Round 2"), ("1. Runde", "2. Runde"), ("第1回戦", "第2回戦"), ("Тур 1", "Тур 2"),
    ("제1라운드", "제2라운드"),
])  # fmt: skip
@pytest.mark.parametrize("above", [True, False])
def test_a_line_above_a_block_gives_its_rows_their_round(first: str, second: str, above: bool) -> None:
    head = f"{first}\nBlack,White,Result" if above else f"Black,White,Result\n{first},,"
    ledger = handan.read(f"{head}\nAda,Bo,B+R\nCy,Dee,W+R\n{second},,\nAda,Cy,B+R\n".encode())
    assert [(game.black, game.round) for game in ledger] == [("Ada", 1), ("Cy", 1), ("Ada", 2)]


def test_a_day_above_a_block_is_that_of_its_rows() -> None:
    ledger = handan.read(b"Black,White,Result\n14.03.2026,,\nAda,Bo,B+R\n15.03.2026,,\nAda,Cy,B+R\n")
    assert [str(game.date) for game in ledger] == ["2026-03-14", "2026-03-15"]


def test_check_says_of_an_id_with_two_names_in_one_file_and_in_several(tmp_path: Path) -> None:
    head = "date,black,white,result,black_id"
    for name, black in (("one.csv", "Ada"), ("two.csv", "Eve")):
        (tmp_path / name).write_text(f"{head}\n2026-03-01,{black},Bo,B+R,egd:17076590\n", encoding="utf-8")
    (tmp_path / "both.csv").write_text(
        f"{head}\n2026-03-01,Ada,Bo,B+R,egd:1\n2026-03-02,Eve,Bo,B+R,egd:1\n", encoding="utf-8"
    )
    assert "id egd:1 stands with 2 names (Ada, Eve)" in run("check", tmp_path / "both.csv").err
    assert "id egd:17076590 stands with 2 names" in run("check", tmp_path / "one.csv", tmp_path / "two.csv").err


def results_of(content: str, **options: Any) -> list[str]:
    return [str(game.result) for game in handan.read(content.encode(), **options)]


def test_in_a_column_of_colours_white_is_a_colour_and_in_one_of_names_a_name() -> None:
    head = "date,black,white,winner\n2026-03-01,White,Bo,White"
    assert results_of(f"{head}\n2026-03-02,Ada,Bo,Black\n2026-03-03,Bo,Cy,White\n") == ["W+", "B+", "W+"]
    assert results_of(f"{head}\n2026-03-02,Ada,Bo,Ada\n2026-03-03,Bo,Cy,Cy\n") == ["B+", "B+", "W+"]
    ledger = handan.read(f"{head}\n2026-03-02,Ada,Bo,Bo\n2026-03-03,Bo,Cy,White\n".encode())
    assert [str(game.result) for game in ledger] == ["W+", "W+"]
    assert "line 2: winner 'White' is not a colour or a name that the other cells of its column tell" in problems_of(
        ledger
    )


@pytest.mark.parametrize(
    ("headings", "letters"),
    [
        ("Černý;Bílý", "cb"), ("Crni;Bijeli", "cb"), ("Czarne;Białe", "cb"), ("Pretas;Brancas", "pb"),
        ("Noir;Blanc", "nb"), ("Siyah;Beyaz", "sb"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("by_user", [True, False])
def test_the_letter_of_white_in_the_language_of_the_headings_is_never_black_in_silence(
    headings: str, letters: str, by_user: bool
) -> None:
    black, white = headings.split(";")
    content = f"{headings};x\n" + "Ada;Bo;B+3,5\nBo;Cy;B+R\n"
    columns = {"result": "x"} | ({"black": black, "white": white} if by_user else {})
    with pytest.raises(QuestionError, match="does B in its results mean Black or White"):
        handan.read(content.encode(), columns=columns)
    assert results_of(content, columns=columns, letters=letters) == ["W+3.5", "W+R"]
    both = f"{content}Ada;Cy;{letters[0].upper()}+2\n"
    assert results_of(both, columns=columns) == ["W+3.5", "W+R", "B+2"]


@pytest.mark.parametrize(
    ("headings", "black", "white"),
    [
        ("Svart;Vit", "S+3,5", "V+U"),
        ("Sötét;Világos", "S+3,5", "V+2"),
        ("Negru;Alb", "N+3,5", "A+2"),
        ("Musta;Valkoinen", "M+3", "V+2"),
    ],
)
def test_letters_of_colours_are_those_of_the_headings(headings: str, black: str, white: str) -> None:
    results = results_of(f"{headings};result x\nAda;Bo;{black}\nBo;Cy;{white}\n", columns={"result": "result x"})
    assert [result[0] for result in results] == ["B", "W"]


def test_of_columns_in_no_known_language_it_is_said_what_b_is() -> None:
    ledger = handan.read(b"Who;Against;Result\nAda;Bo;B+3.5\n", columns={"black": "Who", "white": "Against"})
    assert "in results B is Black" in problems_of(ledger)


@pytest.mark.parametrize(
    ("cell", "result"),
    [
        ("Schwarz kampflos", "B+F"), ("Weiß verliert auf Zeit", "B+T"), ("Black forfeits", "W+F"),
        ("White no show", "B+F"),
        ("백 반칙승", "W+"), ("白反則勝ち", "W+"), ("黑犯规负", "W+"), ("無勝負", "void"), ("无胜负", "void"),
        ("B+Forf.", "B+F"),
        ("2:0", "B+"), ("0:2", "W+"), ("1:1", "jigo"), ("1 - 0", "B+"), ("B+1/2", "B+0.5"), ("Białe walkower", "W+F"),
        ("Siyah hükmen kazandı", "B+F"), ("Vit vann", "W+"), ("Pretas ganham por desistência", "B+R"),
    ],
)  # fmt: skip
def test_results_in_the_words_of_neighbours(cell: str, result: str) -> None:
    assert results_of(f"black;white;result\nAda;Bo;{cell}\nBo;Cy;W+1\n")[0] == result


def test_a_point_behind_a_result_is_none_of_it() -> None:
    assert results_of("Schwarz;Weiß;Ergebnis\nAda;Bo;S+k.\nBo;Cy;W+A.\n") == ["B+F", "W+R"]


QUESTIONS = (
    """
Who played Black?|Who played White?;Black player's name|White player's name;Spieler mit Schwarz|Spieler mit Weiß
Wer hatte Schwarz?|Wer hatte Weiß?;Qui avait Noir ?|Qui avait Blanc ?;Jugador de negras|Jugador de blancas
Nombre del jugador negro|Nombre del jugador blanco;Chi ha giocato con il nero?|Chi ha giocato con il bianco?
Wie speelde met zwart?|Wie speelde met wit?;Kto grał czarnymi?|Kto grał białymi?;Кто играл чёрными?|Кто играл белыми?
Siyah oyuncunun adı|Beyaz oyuncunun adı;Siyahı kim oynadı?|Beyazı kim oynadı?;黒番の名前|白番の名前
黒を持った人|白を持った人;黑方姓名|白方姓名;执黑者|执白者;흑을 잡은 사람|백을 잡은 사람
Nome do jogador de pretas|Nome do jogador de brancas
What is the name of the player who played with the Black stones?|What is the name of the player with the White stones?
""".strip()
    .replace("\n", ";")
    .split(";")
)


@pytest.mark.parametrize("questions", QUESTIONS)
def test_headings_that_are_questions_are_the_players_of_their_colours(questions: str) -> None:
    black, white = questions.split("|")
    [game] = handan.read(f'Who won?,"{white}","{black}"\nWhite,Bo,Ada\n'.encode())
    assert (game.black, game.white, str(game.result)) == ("Ada", "Bo", "W+")


def test_what_else_a_heading_tells_of_a_colour_is_no_player() -> None:
    [game] = handan.read(b"Who had Black?,Black's rank,Who had White?,White's rank,Result\nAda,3k,Bo,5k,B+R\n")
    assert (game.black, game.black_rank, game.white_rank) == ("Ada", "3k", "5k")
    [game] = handan.read(b"Black rating,White rating,Player 1,Player 2,Result\n1800,1900,Ada,Bo,1-0\n")
    assert (game.black, str(game.result)) == ("Ada", "P1+")


def test_lines_with_a_score_or_a_verb_between_two_names_are_games() -> None:
    content = """Ada 1 - 0 Bo
Cy 0:1 Dee
Ada ½-½ Dee
Eve 2:0 Flo on 2026-03-01
2026-03-04: Bo (B) 1-0 Ada
Ada def. Cy
Bo bt Dee
Ada d. Eve by 3.5
Bo resigned against Eve
"""
    games = {(game.black, game.white, str(game.result)) for game in handan.read(content.encode())}
    assert games == {
        ("Ada", "Bo", "P1+"), ("Cy", "Dee", "P2+"), ("Ada", "Dee", "P="), ("Eve", "Flo", "P1+"), ("Bo", "Ada", "B+"),
        ("Ada", "Cy", "P1+"), ("Bo", "Dee", "P1+"), ("Ada", "Eve", "P1+3.5"), ("Eve", "Bo", "P1+"),
    }  # fmt: skip


def test_a_line_may_hold_the_games_of_a_round() -> None:
    ledger = handan.read(b"R1: Ash 0:1 Bex; Cob 1:0 Dix\nRound 2: Cob beat Bex; Ash lost to Dix by 3.5\n")
    assert [(game.round, game.black, game.white, str(game.result)) for game in ledger] == [
        (1, "Ash", "Bex", "P2+"), (1, "Cob", "Dix", "P1+"), (2, "Cob", "Bex", "P1+"), (2, "Dix", "Ash", "P1+3.5"),
    ]  # fmt: skip


@pytest.mark.parametrize("cell", ["no show", "walkower", "forfeit", "Black foul", "白の反則"])
def test_a_default_or_a_foul_that_says_no_side_is_rejected(cell: str) -> None:
    assert results_of(f"black;white;result\nAda;Bo;{cell}\nBo;Cy;W+1\n") == ["W+1"]


@pytest.mark.parametrize(
    ("heads", "cells", "results"),
    [
        ("home,away,score", ["A,B,2-1", "B,C,0:0", "C,A,3 – 4"], ["B+1", "jigo", "W+1"]),
        ("Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR", ["2026-05-01,A,B,2,1,H", "2026-05-02,B,C,0,0,D"], ["B+1", "jigo"]),
        ("home_team,away_team,home_goals,away_goals", ["A,B,1,3"], ["W+2"]),
        ("Heim,Gast,Ergebnis", ["A,B,1:3", "A,B,1:1"], ["W+2", "jigo"]),
        ("team1,team2,score1,score2", ["A,B,3,1", "B,A,0,0"], ["P1+2", "P="]),
        ("winner_name,loser_name,tourney_date,score", ["A,B,20260501,6-4 6-3"], ["P1+"]),
        ("home,away,result", ["A,B,1-0", "B,A,0-1"], ["B+", "W+"]),  # who won, and no score
    ],
)
def test_matches_as_collections_of_other_games_write_them(heads: str, cells: list[str], results: list[str]) -> None:
    ledger = handan.read("\n".join([heads, *cells]).encode() + b"\n")
    assert ledger.games["result"].cast(pl.String).to_list() == results
    assert ledger.games["black"].cast(pl.String)[0] == "A"
    assert not [problem for problem in ledger.problems if problem.rejected]


def test_what_is_no_score_among_scores_is_refused_with_its_line() -> None:
    ledger = handan.read(b"home,away,score\nA,B,2-1\nB,C,2-2\nC,A,abandoned\n")
    assert [(problem.line, problem.found, problem.rejected) for problem in ledger.problems] == [(4, "abandoned", True)]
    assert len(ledger) == 2


def test_home_and_away_with_two_scores_are_a_match_that_the_higher_has_won() -> None:
    rows = "2026-03-01,Ada,Bo,3,1,\n2026-03-02,Ada,Cy,1,1,FALSE\n2026-03-03,Bo,Cy,0,2,no\n2026-03-04,Cy,Bo,2,1,TRUE\n"
    ledger = handan.read(f"date,home_team,away_team,home_score,away_score,neutral\n{rows}".encode())
    assert [str(game.result) for game in ledger] == ["B+2", "jigo", "W+2", "P1+1"]
    assert [(game.black, game.white) for game in ledger][:2] == [("Ada", "Bo"), ("Ada", "Cy")]
    assert ledger.problems == ()
    assert results_of("home,away,winner\nAda,Bo,Bo\nBo,Cy,Bo\n") == ["W+", "B+"]
    assert results_of("player_a,player_b,score_a,score_b\nAda,Bo,1,0\nBo,Cy,0,1\n") == ["P1+", "P2+"]


@pytest.mark.parametrize(
    ("headings", "columns"),
    [
        ("B,W,Res", {"black": "B", "white": "W", "result": "Res"}),
        ("S,W,Erg", {"black": "S", "white": "W", "result": "Erg"}),
        ("Black,White,Resul", {"result": "Resul"}),
    ],
)  # fmt: skip
def test_the_refusal_of_letters_as_headings_gives_the_whole_line_that_reads_them(
    headings: str, columns: dict[str, str]
) -> None:
    content = f"{headings}\nAda,Bo,{headings[0]}+R\n".encode()
    with pytest.raises(HeadingsError) as refused:
        handan.read(content)
    assert str(refused.value).endswith(" ".join(f"--column {name}={heading}" for name, heading in columns.items()))
    assert [str(game.result) for game in handan.read(content, columns=columns)] == ["B+R"]


@pytest.mark.parametrize(
    "text",
    [
        ",Black,,White,,\nDate,Name,Rank,Name,Rank,Result\n2026-03-01,Ada,3k,Bo,4k,B+R",
        "Club;;;;;\nDatum;Schwarz;;Weiß;;Ergebnis\n;Name;Rang;Name;Rang;\n1.3.2026;Ada;3k;Bo;4k;S+A",
        "Date\tBlack\t\tWhite\t\tResult\n\tPlayer\tGrade\tPlayer\tGrade\t\n2026-03-01\tAda\t3k\tBo\t4k\tB+R",
    ],
)
def test_headings_in_two_rows_are_read_together(text: str) -> None:
    [game] = handan.read(text.encode())
    assert (str(game.date), game.black, game.white, str(game.result)) == ("2026-03-01", "Ada", "Bo", "B+R")
    assert (game.black_rank, game.white_rank) == ("3k", "4k")


def test_headings_in_two_rows_of_a_workbook_are_read_together() -> None:
    rows = [["Club"], ["Date", "Black", "", "White", "", "Result"], ["", "Name", "Rank", "Name", "Rank", ""],
            ["2026-03-01", "Ada", "3k", "Bo", "4k", "B+R"]]  # fmt: skip
    [game] = handan.read(excel(Sheet("Games", rows)))
    assert (game.black, game.black_rank, game.white, game.white_rank) == ("Ada", "3k", "Bo", "4k")


def test_a_row_of_totals_is_one_problem() -> None:
    ledger = handan.read(b"date,black,white,result\n2026-03-01,Ada,Bo,B+R\nTotal,1 game,,\n")
    assert len(ledger) == len(ledger.problems) == 1
    assert "line 3: result '' is not a result, and a second player is missing as well" in problems_of(ledger)


def test_plus_and_minus_alone_are_a_win_and_a_loss_of_the_first_player() -> None:
    ledger = handan.read(
        b"date,player 1,player 2,result\n2026-03-01,Ada,Bo,+\n2026-03-02,Ada,Bo,-\n2026-03-03,Ada,Bo,=\n"
    )
    assert [str(game.result) for game in ledger] == ["P1+", "P2+", "P="]


@pytest.mark.parametrize(("komi", "kept"), [("65", 65.0), ("375", 375.0), ("3.75", 3.75)])
def test_a_komi_that_nobody_plays_with_is_kept_and_told(komi: str, kept: float) -> None:
    ledger = handan.read(table_of("komi", [komi, "6.5", "-80.5", "0"]))
    assert [game.komi for game in ledger] == [kept, 6.5, -80.5, 0.0]
    assert f"line 2: komi '{komi}' is not a usual komi" in problems_of(ledger)
    assert len(ledger.problems) == 1


def test_colours_behind_all_names_are_those_of_the_players() -> None:
    ledger = handan.read(
        b"date,player 1,player 2,winner\n2026-03-01,Ada (B),Bo (W),Ada\n2026-03-08,Bo (B),Ada (W),Ada (W)\n"
    )
    assert [(game.black, game.white, str(game.result)) for game in ledger] == [("Ada", "Bo", "B+"), ("Bo", "Ada", "W+")]
    assert "colours stand behind the names" in problems_of(ledger)


@pytest.mark.parametrize("second", ["Bo (B)", "Bo", "Bo (Wales)"])
def test_names_with_brackets_that_are_no_colours_of_a_game_stay(second: str) -> None:
    ledger = handan.read(f"date,player 1,player 2,result\n2026-03-01,Ada (B),{second},1-0\n".encode())
    assert set(ledger.names) == {"Ada (B)", second}


def test_a_result_at_the_end_of_a_sentence_is_no_part_of_a_name() -> None:
    ledger = handan.read(b"Ada beat Bo B+R\nCy lost to Ada (W+3.5)\nBo beat Cy\n")
    assert [(game.black, game.white, str(game.result)) for game in ledger] == [
        ("Ada", "Bo", "B+R"), ("Cy", "Ada", "W+3.5"), ("Bo", "Cy", "P1+"),
    ]  # fmt: skip


def test_a_day_without_its_year_is_told_how_to_get_one() -> None:
    table = b"date,black,white,result\nSat 3 Oct,Ada,Bo,B+R\n"
    assert "(--date gives the year)" in problems_of(handan.read(table))
    assert [str(game.date) for game in handan.read(table, date="2026")] == ["2026-10-03"]


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "a PDF document"), (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a picture"),
    ],
)  # fmt: skip
def test_what_only_shows_a_table_is_called_what_it_is(head: bytes, kind: str) -> None:
    with pytest.raises(InputError, match=f"bytes is {kind}, which holds no table"):
        handan.read(head)


def test_messages_of_a_saved_chat_tell_games_of_their_days() -> None:
    text = "[15.09.26, 20:14:02] Cy: Ada beat Bo by 3.5\n22.09.26, 21:01 - Bo Quist: Bo lost to Ada (resign)\n"
    games = [(str(game.date), game.black, game.white, str(game.result)) for game in handan.read(text.encode())]
    assert games == [("2026-09-15", "Ada", "Bo", "P1+3.5"), ("2026-09-22", "Ada", "Bo", "P1+R")]


def test_a_round_that_stands_once_is_that_of_the_rows_below_it(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text("Rd;Schwarz;Weiß;Erg.\n1;Ada;Bo;1-0\n;Cy;Di;0-1\n2;Ada;Cy;1-0\n;Bo;Di;0-1\n")
    assert handan.read(path).games["round"].to_list() == [1, 1, 2, 2]
    assert "line 3: each round stands once: 2 rows without one below it are of the same round" in run("check", path).err


def test_an_empty_round_under_our_own_headings_is_unknown() -> None:
    text = "date,black,white,result,round\n2026-05-01,Ada,Bo,B+,1\n2026-05-01,Cy,Di,B+,\n2026-05-01,Ada,Cy,B+,\n"
    assert handan.read(text.encode()).games["round"].drop_nulls().to_list() == [1]


def test_the_line_that_gives_the_first_block_its_round_is_not_said_to_be_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    head = "Schwarz;Weiß;Ergebnis\n"
    path.write_text(f"Club cup;;\nRunde 1 (3.5.2026);;\n{head}Ada;Bo;1:0\nRunde 2 (10.5.2026);;\n{head}Ada;Cy;1:0\n")
    ledger = handan.read(path)
    assert [(game.round, str(game.date)) for game in ledger] == [(1, "2026-05-03"), (2, "2026-05-10")]
    assert "passed over: " not in problems_of(ledger)


def test_a_handicap_in_brackets_is_no_part_of_a_name_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(
        "Ada beat Bo by 4.5 (handicap 2)\nCy lost to Di by resignation (2 stones).\nEve - Fay: 1-0 (3 Steine)\n"
        "Gil beat Hal by 4.5 on board 3\n"
    )
    ledger = handan.read(path)
    assert [(game.black, game.white, str(game.result), game.handicap) for game in ledger] == [
        ("Ada", "Bo", "P1+4.5", 2), ("Di", "Cy", "P1+R", 2), ("Eve", "Fay", "P1+", 3),
    ]  # fmt: skip
    assert "line 4: 'Gil beat Hal by 4.5 on board 3' is not a game" in problems_of(ledger)
