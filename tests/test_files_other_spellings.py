"""The same things as others write them: cells, headings and lines whose siblings of another language are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import handan
from handan.errors import InputError
from handan.ledger import Ledger
from tests.command_line import run


def results_in(headings: str, cells: list[str]) -> list[str]:
    rows = [f"2026-03-01,Ada{place},Bo{place},{cell}" for place, cell in enumerate(cells)]
    return [str(game.result) for game in handan.read("\n".join([headings, *rows]).encode())]


def games_of(ledger: Ledger) -> list[tuple[str, str, str]]:
    return [(game.black, game.white, str(game.result)) for game in ledger]


def problems_of(ledger: Ledger) -> str:
    return "\n".join(map(str, ledger.problems))


@pytest.mark.parametrize(
    ("headings", "cells"),
    [
        ("date,black,white,result", {"Black+R": "B+R", "White + T": "W+T", "White wins by half a point": "W+0.5"}),
        ("date,black,white,result", {"both players lose": "both-lose", "Black didn't show": "W+F", "unfinished": "?"}),
        ("Datum,Schwarz,Weiß,Ergebnis", {"W+kl": "W+F", "abgebrochen": "?"}),
        ("Date,Noir,Blanc,Résultat", {"sans résultat": "void", "Blancs abandonnent": "B+R"}),
        ("Fecha,Negras,Blancas,Resultado", {"Blancas abandonan": "B+R", "sin resultado": "void"}),
        ("Data,Nero,Bianco,Risultato", {"Nero vince a tavolino": "B+F"}),
        ("Data,Pretas,Brancas,Resultado", {"Pretas vencem": "B+", "Brancas desistem": "B+R"}),
        ("Дата,Чёрные,Белые,Результат", {"Белые просрочили время": "B+T", "Чёрные выиграли неявкой": "B+F"}),
        ("日期,黑方,白方,结果", {"双方弃权": "both-lose", "白不战胜": "W+F", "黑胜": "B+"}),
        ("日付,黒,白,結果", {"白不戦敗": "B+F", "打ち掛け": "?"}),
        ("날짜,흑,백,결과", {"흑 몰수승": "B+F"}),
    ],
)
def test_results_in_words_of_one_language_are_read_as_in_its_neighbours(headings: str, cells: dict[str, str]) -> None:
    assert results_in(headings, list(cells)) == list(cells.values())


@pytest.mark.parametrize(
    "heading",
    ["Résultat de la partie", "Ergebnis der Partie", "Resultado de la partida", "Результат партии", "Wynik partii",
     "Maç sonucu", "Výsledek", "Eredmény", "比分", "Quem ganhou?", "誰が勝ちましたか"],
)  # fmt: skip
def test_headings_of_results_may_be_phrases(heading: str) -> None:
    ledger = handan.read(f"date,black,white,{heading}\n2026-03-01,Ada,Bo,B+\n2026-03-02,Cy,Ada,W+\n".encode())
    assert games_of(ledger) == [("Ada", "Bo", "B+"), ("Cy", "Ada", "W+")]


@pytest.mark.parametrize(
    ("home", "away"),
    [("Domicile", "Extérieur"), ("Local", "Visitante"), ("Thuis", "Uit"), ("主队", "客队"), ("홈", "원정")],
)
def test_home_is_black_and_away_is_white_in_other_languages(home: str, away: str) -> None:
    ledger = handan.read(f"{home},{away},Result\nAda,Bo,1-0\nCy,Dee,0-1\n".encode(), date="2026-03-01")
    assert games_of(ledger) == [("Ada", "Bo", "B+"), ("Cy", "Dee", "W+")]


@pytest.mark.parametrize("nobody", ["frirunda", "walk over", "W/O", "szünet", "pauze"])
def test_a_bye_in_another_word_is_no_player(nobody: str) -> None:
    ledger = handan.read(f"date,black,white,result\n2026-03-01,Ada,Bo,B+\n2026-03-01,Ada,{nobody},B+\n".encode())
    assert games_of(ledger) == [("Ada", "Bo", "B+")]


@pytest.mark.parametrize(
    ("rows", "drawn"),
    [("Ada,,胜,负\nBo,负,,和\nCy,胜,和,\n", 1), ("Ada,＼,◯2.5,✕\nBo,✕2.5,＼,△\nCy,◯,△,＼\n", 1),
     ("Ada,,win,loss\nBo,loss,,draw\nCy,win,draw,\n", 1), ("Ada,,승,패\nBo,패,,무\nCy,승,무,\n", 1)],
)  # fmt: skip
def test_a_cross_table_keeps_every_player_it_names(rows: str, drawn: int) -> None:
    ledger = handan.read(f"Name,Ada,Bo,Cy\n{rows}".encode(), date="2026-03-01")
    assert len(ledger) == 3
    assert sum(str(game.result) == "P=" for game in ledger) == drawn


def test_a_cross_table_with_a_cell_that_says_nothing_is_not_read_without_its_player() -> None:
    with pytest.raises(InputError):
        handan.read(b"Name,Ada,Bo,Cy\nAda,,1,0\nBo,0,,quince\nCy,1,quince,\n", date="2026-03-01")


@pytest.mark.parametrize(
    ("line", "game"),
    [
        ("Ada - Bo 1:0", ("Ada", "Bo", "P1+")),
        ("Ada vs. Bo 0 - 1", ("Ada", "Bo", "P2+")),
        ("Ada – Bo ½-½", ("Ada", "Bo", "P=")),
        ("Ada drew with Bo", ("Ada", "Bo", "P=")),
        ("Ada empató con Bo", ("Ada", "Bo", "P=")),
    ],
)
def test_a_score_may_stand_behind_both_names_and_a_draw_in_words(line: str, game: tuple[str, str, str]) -> None:
    ledger = handan.read(f"Cy 1-0 Dee\n{line}\n".encode(), date="2026-03-01")
    assert game in games_of(ledger)


def test_a_line_above_games_in_words_gives_their_round_and_their_day() -> None:
    ledger = handan.read(b"Round 1 (3 May 2026)\nAda 1-0 Bo\nRound 2 (4 May 2026)\nAda 0-1 Cy\n")
    assert [(game.round, str(game.date)) for game in ledger] == [(1, "2026-05-03"), (2, "2026-05-04")]


@pytest.mark.parametrize("second", ["Round 2", "Runde 2:", "第2局"])
def test_a_line_above_games_told_in_lines_gives_their_round(second: str) -> None:
    ledger = handan.read(f"Round 1\nAda 1-0 Bo\n{second}\nAda 0-1 Cy\nBo 1-0 Cy\n".encode(), date="2026-03-01")
    assert [game.round for game in ledger] == [1, 2, 2]


def test_headings_that_stand_once_more_are_no_game() -> None:
    text = "Round 1\nNoir,Blanc,Résultat\nAda,Bo,N+3\nRound 2\nNoir,Blanc,Résultat\nAda,Cy,B+3\n"
    ledger = handan.read(text.encode(), date="2026-03-01")
    assert [(game.round, str(game.result)) for game in ledger] == [(1, "B+3"), (2, "W+3")]
    assert "the headings stand once more in 1 row" in problems_of(ledger)
    assert not any(problem.rejected for problem in ledger.problems)


def test_a_rank_with_a_club_behind_a_name_is_taken_off() -> None:
    text = "Table\tWhite\tBlack\tResult\n1\tAda (8D,PRIN)\tBo (7D,PRIN)\t1-0\n2\tCy(5K)\tDee(5K)\t0-1\n"
    read = handan.read(text.encode(), date="2026-03-01")
    assert games_of(read) == [("Bo", "Ada", "W+"), ("Dee", "Cy", "B+")]
    assert [game.white_rank for game in read] == ["8d", "5k"]


def test_several_names_in_a_cell_of_a_table_are_told() -> None:
    ledger = handan.read("Datum,Schwarz,Weiß,Ergebnis\n2026-03-01,Ada & Cy,Bo / Dee,S+3\n".encode())
    assert problems_of(ledger).count("several names stand there") == 2


def test_ranks_too_far_apart_behind_one_name_are_told_in_records() -> None:
    record = "(;GM[1]FF[4]CA[UTF-8]PB[{}]PW[{}]DT[2026-01-0{}]RE[B+R])"
    text = record.format("Ada 3d", "Bo 2d", 1) + record.format("Bo 2d", "Ada 12k", 2)
    ledger = handan.read(text.encode())
    assert {name for game in ledger for name in (game.black, game.white)} == {"Ada 3d", "Ada 12k", "Bo"}
    assert problems_of(ledger).count("several people may have it") == 2


@pytest.mark.parametrize("kind", ["RENGO2", "PAIRGO", "TEAM3"])
def test_a_tournament_of_pairgoth_whose_players_are_no_persons_is_refused(kind: str) -> None:
    players = [
        {"id": 1, "name": "Lind", "firstname": "Ada", "rank": 2},
        {"id": 2, "name": "Tan", "firstname": "Bo", "rank": 1},
    ]
    games = [[{"id": 1, "t": 1, "w": 1, "b": 2, "h": 0, "r": "b"}]]
    whole = {"type": kind, "name": "Cup", "shortName": "c", "startDate": "2026-04-03", "rounds": 1, "pairing": {},
             "players": players, "games": games}  # fmt: skip
    with pytest.raises(InputError, match=f"tournament of teams \\({kind}\\)"):
        handan.read(json.dumps(whole).encode())
    assert len(handan.read(json.dumps(whole | {"type": "INDIVIDUAL"}).encode())) == 1


def test_an_archive_of_kgs_without_types_is_read_and_its_mark_for_no_rank_is_none_of_a_name() -> None:
    rows = "ada [3d],bo [-],19×19 H4,6/14/26 7:30 PM,W+Res.\nbo [?],ada [3d],19×19,6/15/26 7:30 PM,B+Res.\n"
    ledger = handan.read(f"White,Black,Setup,Start Time,Result\n{rows}".encode())
    assert games_of(ledger) == [("bo", "ada", "W+R"), ("ada", "bo", "B+R")]


REPORT = (
    "TOURNEY Cup\n start=5/3/2026\nPLAYERS\n101 Lind, Ada 3d\n102 Moor, Dee 1k\n{}101 102 w 2 0\n102 101 b 0 7\nEND\n"
)


@pytest.mark.parametrize("heading", ["", "RESULTS\n", "Pairings:\n"])
def test_games_of_a_report_begin_where_two_listed_players_meet(heading: str) -> None:
    ledger = handan.read(REPORT.format(heading).encode())
    assert games_of(ledger) == [("Moor, Dee", "Lind, Ada", "W+"), ("Lind, Ada", "Moor, Dee", "B+")]
    assert not any(problem.rejected for problem in ledger.problems)


def test_numbers_of_one_tournament_are_told_where_no_register_names_them(tmp_path: Path) -> None:
    rounds = "TMP1 USA12 w 0 7.5\n"
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "1.tde").write_text(rounds, encoding="utf-8")
    alone = run("check", tmp_path, "--date", "2026-01-01")
    assert alone.err.count("'TMP1' is not the number of one person at every tournament") == 2
    for place, name, day in (("a", "Lind, Ada", "04/05"), ("b", "Zed, Zoe", "06/05")):
        register = f"## Tourney  Cup {place}\n## Date  2026/{day}\nTMP1 {name}  5d\nUSA12 Tan, Bo  4k\n"
        (tmp_path / place / "register.tde").write_text(register, encoding="utf-8")
    beside = run("check", tmp_path)
    assert beside.status == 0
    assert not beside.err


def test_names_of_columns_above_a_list_of_members_are_no_player(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    text = "Name\tID\tMType\tRating\tExpiration\tClub\tState\nLind, Ada\t15648\tFull\t3.4\t7/2/2027\tNOVA\tNY\n"
    file.write_text(text, encoding="utf-8")
    done = run("check", file, "--format", "json")
    assert (done.status, done.json["files"][0]["players"]) == (0, 1)


@pytest.mark.parametrize("days", ["2026/05/03-2026/05/04", "2026/05/03", "2026/05/03 - 2026/05/04"])
def test_days_of_a_table_of_the_egd_may_have_slashes(days: str) -> None:
    head = f"; EV[Cup]\n; DT[{days}]\n; HA[h9]\n"
    rows = "1 Lind Ada 3d SE Ume 1 2+/w0 |10000001\n2 Tan Bo 2d SE Ume 0 1-/b0 |10000002\n"
    assert [str(game.date) for game in handan.read((head + rows).encode())] == ["2026-05-03"]


@pytest.mark.parametrize(
    ("headings", "first"),
    [("Bo.,No.,{},Rtg,Pts.,Result,Pts.,{},Rtg,No.", "Name"), (",,{},,,Ergebnis,,{},,", "Spieler")],
)
def test_one_heading_on_both_sides_of_the_result_is_first_and_second_player(headings: str, first: str) -> None:
    # as a list of pairings of chess-results.com is laid out
    results = {"1 - 0": "P1+", "½ - ½": "P=", "+ - -": "P1+F", "- - +": "P2+F", "- - -": "both-lose"}
    rows = [f"{board},3,Ada {board},2100,2,{mark},2,Bo,2050,5" for board, mark in enumerate(results)]
    ledger = handan.read("\n".join([headings.format(first, first), *rows]).encode())
    assert {game.black: str(game.result) for game in ledger} == {
        f"Ada {board}": result for board, result in enumerate(results.values())
    }
