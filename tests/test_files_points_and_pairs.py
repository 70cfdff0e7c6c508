"""Tables whose result is the points of both players, or whose cells hold both players, and short forms of cells."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import handan
from handan.errors import InputError, QuestionError
from handan.words import table
from tests.command_line import run
from tests.spreadsheets import Sheet, excel

ROWS = (("2026-09-03", "Ada", "Bo"), ("2026-09-04", "Bo", "Cy"), ("2026-09-05", "Cy", "Ada"))
OUTCOMES = ["B+", "W+", "jigo"]
POINTS = {
    "ones": ("1 0", "0 1", "½ ½"), "decimals": ("1.0 0.0", "0 1", "0.5 0.5"), "commas": ("1 0", "0 1", "0,5 0,5"),
    "fractions": ("1 0", "0 1", "1/2 1/2"), "twos": ("2 0", "0 2", "1 1"),
    "words": ("win loss", "loss win", "draw draw"),
    "gewonnen": ("gewonnen verloren", "verloren gewonnen", "remis remis"),
}  # fmt: skip
HEADINGS = {
    "English": "date;black;white;black score;white score", "points": "Date;Black;White;Black points;White points",
    "result": "Date;White;Black;Result of White;Result of Black",
    "German": "Datum;Schwarz;Weiß;Punkte Schwarz;Punkte Weiß",
    "French": "date;noir;blanc;points noir;points blanc",
    "Spanish": "fecha;negras;blancas;puntos negras;puntos blancas",
    "Italian": "data;nero;bianco;punti nero;punti bianco", "Dutch": "datum;zwart;wit;punten zwart;punten wit",
    "Polish": "data;czarne;białe;wynik czarne;wynik białe", "Russian": "дата;чёрные;белые;очки чёрных;очки белых",
    "Turkish": "tarih;siyah;beyaz;siyah puan;beyaz puan", "Japanese": "日付;黒;白;黒得点;白得点",
    "Chinese": "日期;黑方;白方;黑方得分;白方得分", "Korean": "날짜;흑;백;흑 득점;백 득점",
    "behind": "Date;Black;Score;White;Score", "hinter": "Datum;Schwarz;Punkte;Weiß;Punkte",
}  # fmt: skip


def games_of(content: str | bytes, columns: dict[str, str] | None = None) -> list[tuple[str, str, str]]:
    data = content.encode() if isinstance(content, str) else content
    return [(game.black, game.white, str(game.result)) for game in handan.read(data, columns=columns or {})]


def written(headings: str, points: tuple[str, ...], mark: str = ";") -> str:
    lines = [headings]
    for (day, black, white), text in zip(ROWS, points, strict=True):
        one, other = text.split(" ")
        names = headings.split(";")
        second = names[2] in ("Score", "Punkte")
        seats = [black, one, white, other] if second else [black, white, one, other]
        if names[1] == "White":
            seats = [white, black, other, one]
        lines.append(mark.join([day, *seats]))
    return "\n".join(lines) + "\n"


TICKED = {
    "German": "Datum;Schwarz;Weiß;S gewinnt;W gewinnt;Remis", "English": "Date;Black;White;B wins;W wins;Draw",
    "words": "Date;Black;White;Black wins;White wins;Jigo", "won": "date;black;white;Won: Black;Won: White;drawn",
    "French": "Date;Noir;Blanc;N gagne;B gagne;Nulle", "victoire": "Date;Noir;Blanc;Victoire Noir;Victoire Blanc;Jigo",
    "Spanish": "Fecha;Negras;Blancas;Ganan negras;Ganan blancas;Tablas", "Japanese": "日付;黒;白;黒勝;白勝;持碁",
    "Chinese": "日期;黑方;白方;黑胜;白胜;和棋", "Korean": "날짜;흑;백;흑승;백승;무승부",
    "Italian": "data;nero;bianco;vince nero;vince bianco;patta", "Dutch": "datum;zwart;wit;Z wint;W wint;remise",
}  # fmt: skip
"""Headings over marks of whoever won."""


@pytest.mark.parametrize("mark", ["x", "X", "✓", "1", "TRUE", "○", "ja", "√"])
@pytest.mark.parametrize("headings", TICKED.values(), ids=TICKED)
def test_a_mark_in_the_column_of_whoever_won_is_a_result(headings: str, mark: str, tmp_path: Path) -> None:
    marks = (f"{mark};;", f";{mark};", f";;{mark}")
    rows = [";".join((*row, own)) for row, own in zip(ROWS, marks, strict=True)]
    table = tmp_path / "evening.csv"
    table.write_text("\n".join([headings, *rows]) + "\n", encoding="utf-8")
    assert run("check", table).status == 0
    assert [str(game.result) for game in handan.read(table)] == OUTCOMES


def test_marks_may_say_how_a_game_was_won_and_two_of_them_say_nothing(tmp_path: Path) -> None:
    table = tmp_path / "evening.csv"
    rows = ("Ada;Bo;R;-", "Ada;Bo;;3,5", "Ada;Bo;FALSCH;WAHR", "Ada;Bo;x;x", "Ada;Bo;;", "Ada;Bo;perhaps;")
    table.write_text("\n".join(["Schwarz;Weiß;Schwarz gewinnt;Weiß gewinnt", *rows]) + "\n", encoding="utf-8")
    answer = run("check", table)
    assert [str(game.result) for game in handan.read(table)] == ["B+R", "W+3.5", "W+"]
    assert answer.status == 1
    assert "line 5: result 'x, x' is not one mark in the row" in answer.err
    assert "line 6: result '' is not filled in" in answer.err
    assert "line 7: result 'perhaps' is not one mark in the row" in answer.err


@pytest.mark.parametrize(("won", "lost"), [("○", "×"), ("〇", "✗"), ("v", "x")])
def test_a_cross_beside_other_marks_says_no(won: str, lost: str, tmp_path: Path) -> None:
    table = tmp_path / "evening.csv"
    rows = (f"青葉,本田,{won},{lost}", f"青葉,本田,{lost},{won}", f"青葉,本田,{won},")
    table.write_text("\n".join(["黒,白,黒勝,白勝", *rows]) + "\n", encoding="utf-8")
    assert run("check", "--keep-repeats", table).status == 0
    assert [str(game.result) for game in handan.read(table, keep_repeats=True)] == ["B+", "W+", "B+"]


def test_marks_of_players_without_colours_leave_them_unknown(tmp_path: Path) -> None:
    table = tmp_path / "evening.csv"
    table.write_text("Spieler 1;Spieler 2;Sieg Spieler 1;Sieg Spieler 2\nAda;Bo;x;\nCy;Bo;;x\n", encoding="utf-8")
    assert run("check", table).status == 0
    assert [str(game.result) for game in handan.read(table)] == ["P1+", "P2+"]


def test_sums_of_wins_are_no_marks() -> None:
    assert len(handan.read(b"black,white,black wins,games\nAda,Bo,2,3\n")) == 3


@pytest.mark.parametrize("headings", HEADINGS.values(), ids=HEADINGS)
@pytest.mark.parametrize("points", POINTS.values(), ids=POINTS)
def test_results_follow_from_the_points_of_both_players(headings: str, points: tuple[str, ...]) -> None:
    expected = [(black, white, outcome) for (_, black, white), outcome in zip(ROWS, OUTCOMES, strict=True)]
    assert games_of(written(headings, points)) == expected


def test_points_of_first_and_second_players_leave_the_colours_open() -> None:
    content = "date,player 1,player 2,score 1,score 2\n2026-09-03,Ada,Bo,1,0\n2026-09-04,Bo,Cy,½,½\n"
    assert games_of(content) == [("Ada", "Bo", "P1+"), ("Bo", "Cy", "P=")]


def test_points_are_read_in_workbooks_and_frames_alike() -> None:
    headings = ["Date", "Black", "White", "Black score", "White score"]
    rows = [["2026-09-03", "Ada", "Bo", 1, 0], ["2026-09-04", "Bo", "Cy", 0.5, 0.5]]
    expected = [("Ada", "Bo", "B+"), ("Bo", "Cy", "jigo")]
    assert games_of(excel(Sheet("Games", [headings, *rows]))) == expected
    frame = pl.DataFrame(rows, schema=headings, orient="row", strict=False)
    assert [(game.black, game.white, str(game.result)) for game in handan.read(frame)] == expected


def test_a_row_whose_points_tell_nothing_is_rejected_and_the_others_are_read() -> None:
    content = "black;white;black score;white score\nA;B;1;0\nA;B;;1\nA;B;1;1\nB;A;0;1\nB;C;0;0\nB;C;0;1\nB;C;1;0\n"
    ledger = handan.read(content.encode())
    assert [str(game.result) for game in ledger] == ["B+", "W+", "W+", "B+"]
    assert [(problem.line, problem.rejected) for problem in ledger.problems] == [(3, True), (4, True), (6, True)]
    assert "points 'nothing and 1' is not 1 and 0, ½ and ½ or 0 and 1" in str(ledger.problems[0])


@pytest.mark.parametrize("points", ["183;178", "40.5;33", "3;2"])
def test_points_on_the_board_are_refused_with_the_question_who_won(points: str, tmp_path: Path) -> None:
    path = tmp_path / "club.csv"
    path.write_text(f"black;white;black score;white score\nAda;Bo;{points}\n", encoding="utf-8")
    answer = run("rate", path, "--system", "elo")
    assert answer.status == 2
    assert "who won each game? Give a column with the winner, or with the result, such as B+5.5" in answer.err


def test_a_result_counts_more_than_points() -> None:
    content = "black;white;result;black score;white score\nAda;Bo;W+0.5;183;178\n"
    ledger = handan.read(content.encode())
    assert [str(game.result) for game in ledger] == ["W+0.5"]
    assert "black score, white score" in str(ledger.problems[0])
    assert "did you mean" not in str(ledger.problems[0])


def test_two_columns_of_one_name_beside_both_players_are_still_refused() -> None:
    with pytest.raises(InputError, match="stands there twice"):
        handan.read(b"Black,White,Result,Result\nAda,Bo,B+,W+\n")


def test_check_says_how_points_and_pairs_were_understood(tmp_path: Path) -> None:
    points, pairs = tmp_path / "points.csv", tmp_path / "pairs.csv"
    points.write_text("black;white;black score;white score\nAda;Bo;1;0\n", encoding="utf-8")
    pairs.write_text("date;game;winner\n2026-09-03;Ada vs Bo;Ada\n", encoding="utf-8")
    answer = run("check", points, pairs)
    assert answer.status == 0
    assert "results the points of both players, 1 and 0 for a win" in answer.out
    assert "black score  points of Black" in answer.out
    assert "players 'Ada vs Bo' is Ada and Bo" in answer.out
    assert "game    both players" in answer.out


@pytest.mark.parametrize("mark", [
    " vs ", " vs. ", " v ", " v. ", " VS ", " - ", " – ", "–", " — ", " / ", " : ", " gegen ", " contre ", " contra ",
    " contro ", " tegen ", " kontra ", " против ", " karşı ", "対", " 対 ", " 对 ", " 대 ",
])  # fmt: skip
def test_two_players_in_one_cell_are_taken_apart(mark: str) -> None:
    games = [("Ada Lind", "Jean-Paul Li"), ("Jean-Paul Li", "Bo")]
    rows = "".join(f"2026-09-0{day};{mark.join(pair)};{pair[0]}\n" for day, pair in enumerate(games, 1))
    assert games_of(f"date;game;winner\n{rows}") == [(*pair, "P1+") for pair in games]


@pytest.mark.parametrize("language", sorted(table()["heading"]["players"]))
def test_every_heading_of_pairs_is_understood(language: str) -> None:
    for heading in table()["heading"]["players"][language].split(","):
        content = f"date;{heading.strip()};result\n2026-09-03;Ada vs Bo;1-0\n2026-09-04;Bo vs Cy;0-1\n"
        assert games_of(content) == [("Ada", "Bo", "P1+"), ("Bo", "Cy", "P2+")]


def test_a_heading_with_both_colours_says_who_had_black() -> None:
    rows = "Ada 3k - Bo 5k;B+3.5\nBo 5k - Cy 1d;W+R\n"
    assert games_of(f"Black - White;Result\n{rows}") == [("Ada", "Bo", "B+3.5"), ("Bo", "Cy", "W+R")]
    assert games_of(f"Weiß gegen Schwarz;Result\n{rows}") == [("Bo", "Ada", "B+3.5"), ("Cy", "Bo", "W+R")]


def test_where_results_name_colours_it_is_asked_who_had_black(tmp_path: Path) -> None:
    content = "date;game;result\n2026-09-03;Ada vs Bo;B+3.5\n"
    with pytest.raises(QuestionError) as refused:
        handan.read(content.encode())
    assert refused.value.answers == ("black_white=game", "white_black=game")
    path = tmp_path / "pairs.csv"
    path.write_text(content, encoding="utf-8")
    assert "who of the two in 'Ada vs Bo' had Black, the first or the second?" in run("check", path).err
    assert games_of(content, columns={"black_white": "game"}) == [("Ada", "Bo", "B+3.5")]
    assert games_of(content, columns={"white_black": "game"}) == [("Bo", "Ada", "B+3.5")]


def test_a_cell_that_parts_in_two_ways_is_rejected_and_never_guessed() -> None:
    content = (
        "game;winner\nAda - Bo;Ada\nJean - Pierre vs Cy;Cy\nBo - Cy;Bo\nBo;Bo\n鈴木対対馬;鈴木\n対馬 対 鈴木;鈴木\n"
    )
    ledger = handan.read(content.encode())
    assert [(game.black, game.white) for game in ledger] == [("Ada", "Bo"), ("Bo", "Cy"), ("対馬", "鈴木")]
    assert [problem.line for problem in ledger.problems if problem.rejected] == [3, 5, 6]


def test_a_number_of_the_game_is_no_pair() -> None:
    assert games_of("game;black;white;result\n1;Ada;Bo;B+R\n") == [("Ada", "Bo", "B+R")]
    with pytest.raises(InputError, match="give each player a column"):
        handan.read(b"game;result\n1;B+R\n2;W+R\n")


def test_a_cross_table_with_a_column_of_results_stays_one() -> None:
    content = "Nr;Spieler;Ada;Bo;Cy;Ergebnis\n1;Ada;x;1;0;1\n2;Bo;0;x;1;1\n3;Cy;1;0;x;1\n"
    expected = [("Ada", "Bo", "P1+"), ("Ada", "Cy", "P2+"), ("Bo", "Cy", "P1+")]
    assert games_of(content) == expected
    rows: list[list[object]] = [[*line.split(";")] for line in content.splitlines()]
    assert games_of(excel(Sheet("Cross", rows))) == expected


@pytest.mark.parametrize(("cell", "moves"), [
    ("1,201", 1201), ("1.201", 1201), ("1 201", 1201), ("1\u00a0201", 1201), ("1'201 Züge", 1201),
    ("1,000,000", 1000000), ("250 moves", 250), ("250手", 250), ("250.0", 250),
])  # fmt: skip
def test_moves_may_have_marks_between_thousands(cell: str, moves: int) -> None:
    ledger = handan.read(f"black;white;result;moves\nAda;Bo;B+R;{cell}\n".encode())
    assert [game.moves for game in ledger] == [moves]
    assert not ledger.problems


@pytest.mark.parametrize("cell", ["12,01", "1,20", "1,2345", "1-201"])
def test_moves_in_odd_groups_are_rejected(cell: str) -> None:
    ledger = handan.read(f"black;white;result;moves\nAda;Bo;B+R;{cell}\n".encode())
    assert len(ledger) == 0
    assert cell in str(ledger.problems[0])


@pytest.mark.parametrize(("headings", "cells", "expected"), [
    ("Schwarz;Weiß;Ergebnis", ("S+A", "W+A", "S+Z", "W+K"), ["B+R", "W+R", "B+T", "W+F"]),
    ("Schwarz;Weiß;Ergebnis", ("W+A", "W+3,5"), ["W+R", "W+3.5"]),
    ("black;white;result", ("S+A", "W+A"), ["B+R", "W+R"]),
    ("Noir;Blanc;Résultat", ("N+A", "B+A"), ["B+R", "W+R"]),
    ("Zwart;Wit;Uitslag", ("Z+O", "W+O", "W+T"), ["B+R", "W+R", "W+T"]),
])  # fmt: skip
def test_letters_of_other_languages_say_how_a_game_was_won(
    headings: str, cells: tuple[str, ...], expected: list[str]
) -> None:
    content = "\n".join([headings, *(f"Ada;Bo;{cell}" for cell in cells)])
    assert [result for *_, result in games_of(content)] == expected
    problems = [str(problem) for problem in handan.read(content.encode()).problems]
    assert any("behind the colour in results" in problem for problem in problems)


def test_such_letters_stay_as_they_are_where_nothing_tells_the_language() -> None:
    ledger = handan.read(b"black;white;result\nAda;Bo;B+A\nAda;Bo;W+A\n")
    assert [game.notes for game in ledger] == ["A", "A"]


@pytest.mark.parametrize(
    ("content", "results"),
    [
        ("Black,White,Winner,Score\nAda,Bo,Ada,12.5\nBo,Cy,Cy,0.5\nCy,Ada,Cy,R\n", ["B+12.5", "W+0.5", "B+R"]),
        ("Black,White,Result,Winner\nAda,Bo,½,Black\nBo,Cy,12.5,White\n", ["B+0.5", "W+12.5"]),
        ("Schwarz;Weiß;Sieger;Ergebnis\nAda;Bo;Ada;12,5\nBo;Cy;;Jigo\nCy;Bo;Bo;Aufgabe\n", ["B+12.5", "jigo", "W+R"]),
        ("Black,White,Winner,Result\nAda,Bo,Ada,\nBo,Cy,Cy,\n", ["B+", "W+"]),
        ("Winner,Loser,Score\nAda,Bo,12.5\nBo,Cy,0.5\nCy,Ada,R\n", ["P1+12.5", "P1+0.5", "P1+R"]),
        ("Sieger;Verlierer;Ergebnis\nAda;Bo;S+3,5\nBo;Cy;W+A\nCy;Ada;Jigo\n", ["B+3.5", "W+R", "P="]),
        ("Sieger;Verlierer;Farbe;Abstand\nAda;Bo;S;3,5\nBo;Cy;W;A\n", ["B+3.5", "W+R"]),
        ("Vainqueur;Perdant;Couleur\nAda;Bo;B\nBo;Cy;N\n", ["W+", "B+"]),
    ],
)
def test_results_beside_a_winner_say_by_how_much_and_with_which_colour(content: str, results: list[str]) -> None:
    ledger = handan.read(content.encode())
    assert sorted(ledger.games["result"].cast(pl.String)) == sorted(results)
    assert not ledger.problems


@pytest.mark.parametrize("results", ["B+12.5\nBo,Cy,Cy,W+", "1\nBo,Cy,Cy,0", "1-0\nBo,Cy,Cy,0-1"])
def test_whole_results_count_more_than_a_winner_beside_them(results: str) -> None:
    ledger = handan.read(f"Black,White,Winner,Score\nAda,Bo,Ada,{results}\n".encode())
    assert [str(game.result)[:2] for game in ledger] == ["B+", "W+"]
    assert "Winner" in [problem.found for problem in ledger.problems]


def test_a_colour_or_a_margin_that_says_nothing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("Winner,Loser,Margin,Colour\nAda,Bo,much,red\nBo,Cy,points,black\nCy,Ada,more,-\n")
    stderr = run("check", path).err
    assert "line 2: column 'Margin' says 'much' and the like in 2 rows, which are not read" in stderr
    assert "line 2: column 'Colour' says 'red' in 1 row, which is not read" in stderr
