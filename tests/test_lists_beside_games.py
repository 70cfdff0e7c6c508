"""Lists of players read beside games: who gets a country, a club and a number, and whom a list leaves open."""

from __future__ import annotations

from pathlib import Path

import pytest

import handan
from handan.errors import InputError
from tests.command_line import run
from tests.spreadsheets import Sheet, excel

GAMES = """date,black,black_rank,white,white_rank,result,event,round
2026-05-02,Lindqvist Ada,3d,Moor Bo,1k,B+R,Spring Cup,1
2026-05-02,Dent Cy,2k,Quist Dee,4k,W+3.5,Spring Cup,1
2026-05-02,Lindqvist Ada,3d,Dent Cy,2k,B+2.5,Spring Cup,2
2026-05-02,Moor Bo,1k,Quist Dee,4k,B+R,Spring Cup,2
"""
PLAYERS = """name,country,club,EGF PIN,rank
Lindqvist Ada,SE,Ume,10000001,3d
Moor Bo,DE,Berl,10000002,1k
Dent Cy,GB,Lond,10000003,2k
Quist Dee,FR,75Pa,10000004,4k
"""
EGD = """ 10000001  Lindqvist Ada    SE  Ume     3d   --   2310    30  T171028F
 10000002  Moor Bo          DE  Berl    1k   --   2000    30  T171028F
 10000003  Dent Cy          GB  Lond    2k   --   1900    30  T171028F
 10000004  Quist Dee        FR  75Pa    4k   --   1700    30  T171028F
"""
FACTS = {
    "Lindqvist Ada": ("egd:10000001", "SE", "Ume"), "Moor Bo": ("egd:10000002", "DE", "Berl"),
    "Dent Cy": ("egd:10000003", "GB", "Lond"), "Quist Dee": ("egd:10000004", "FR", "75Pa"),
}  # fmt: skip


def facts(ledger: handan.Ledger) -> dict[str, tuple[str, str, str]]:
    """Return id, country and club of each player by name."""
    return {each.name: (each.id, each.country, each.club) for each in ledger.players}


def beside(folder: Path, *lists: str, games: str = GAMES) -> handan.Ledger:
    """Return the games that are read with lists beside them."""
    paths = []
    for number, text in enumerate((games, *lists)):
        paths.append(folder / f"file{number}.csv")
        paths[-1].write_text(text, encoding="utf-8")
    return handan.read(paths)


@pytest.mark.parametrize("players", [PLAYERS, EGD, PLAYERS.replace(",", ";"), PLAYERS.replace("EGF PIN", "PIN")])
def test_games_and_a_table_of_players_become_the_file_for_the_federation(players: str, tmp_path: Path) -> None:
    games, listed, h9 = (tmp_path / name for name in ("games.csv", "players.csv", "cup.h9"))
    games.write_text(GAMES, encoding="utf-8")
    listed.write_text(players, encoding="utf-8")
    for sources in ((games, listed), (listed, games)):
        assert run("convert", *sources, "-o", h9).status == 1, "how games ended is not written"
        rows = [line for line in h9.read_text(encoding="utf-8").splitlines() if not line.startswith(";")]
        assert {row.split("|")[-1] for row in rows} == {"10000001", "10000002", "10000003", "10000004"}
        assert not [row for row in rows if " XX " in row or " xxxx " in row]
        again = handan.read(h9)
        assert facts(again) == facts(handan.read(list(sources))) == FACTS
        assert [(game.black, game.white, game.black_rank, game.white_rank, game.round) for game in again] == [
            (game.black, game.white, game.black_rank, game.white_rank, game.round) for game in handan.read(games)
        ]


def test_players_of_a_folder_are_told_by_the_list_in_it(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text(GAMES, encoding="utf-8")
    (tmp_path / "players.csv").write_text(PLAYERS, encoding="utf-8")
    ledger = handan.read(tmp_path)
    assert facts(ledger) == FACTS
    assert not ledger.problems


def test_a_table_of_players_may_be_a_workbook(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text(GAMES, encoding="utf-8")
    rows = [[int(cell) if cell.isdecimal() else cell for cell in line.split(",")] for line in PLAYERS.splitlines()]
    (tmp_path / "players.xlsx").write_bytes(excel(Sheet("Players", rows)))
    assert facts(handan.read([tmp_path / "games.csv", tmp_path / "players.xlsx"])) == FACTS


def test_who_has_no_game_changes_nothing(tmp_path: Path) -> None:
    more = PLAYERS + "Spare Ed,FR,69Ly,10000009,5k\nSpare Ed,DE,Berl,10000008,5k\n"
    assert beside(tmp_path, more) == beside(tmp_path, PLAYERS)
    assert not beside(tmp_path, more).problems


def test_namesakes_of_a_list_get_nothing_and_are_named(tmp_path: Path) -> None:
    for other in ("Moor Bo,GB,Ldn,10000005,1k\n", "Moor Bo,GB,Ldn,,1k\n"):
        ledger = beside(tmp_path, PLAYERS + other)
        assert facts(ledger) == FACTS | {"Moor Bo": ("", "", "")}
        assert [(each.field, each.found, each.rejected) for each in ledger.problems] == [("name", "Moor Bo", False)]
    two_lists = beside(tmp_path, PLAYERS, "name,id,club\nMoor Bo,egd:10000005,Ldn\n")
    assert facts(two_lists)["Moor Bo"] == ("", "", "")
    assert "Moor Bo" in [each.found for each in two_lists.problems]


def test_namesakes_are_told_by_the_ids_of_their_games(tmp_path: Path) -> None:
    games = "date,black,black_id,white,result\n2026-05-02,Moor Bo,egd:10000005,Lindqvist Ada,B+R\n"
    ledger = beside(tmp_path, PLAYERS + "Moor Bo,GB,Ldn,10000005,1k\n", games=games)
    assert facts(ledger) == {"Lindqvist Ada": FACTS["Lindqvist Ada"], "Moor Bo": ("egd:10000005", "GB", "Ldn")}
    assert not ledger.problems


def test_an_id_that_the_games_tell_is_not_overwritten(tmp_path: Path) -> None:
    games = "date,black,black_id,white,result\n2026-05-02,Moor Bo,egd:10000007,Lindqvist Ada,B+R\n"
    ledger = beside(tmp_path, PLAYERS, games=games)
    assert facts(ledger) == {"Lindqvist Ada": FACTS["Lindqvist Ada"], "Moor Bo": ("egd:10000007", "", "")}
    assert [(each.field, each.found, each.rejected) for each in ledger.problems] == [("name", "Moor Bo", False)]


def test_a_number_of_two_players_is_nobodys(tmp_path: Path) -> None:
    ledger = beside(tmp_path, PLAYERS.replace("10000004", "10000003"))
    assert facts(ledger) == FACTS | {"Dent Cy": ("", "GB", "Lond"), "Quist Dee": ("", "FR", "75Pa")}
    assert [each.found for each in ledger.problems] == ["egd:10000003", "egd:10000003"]


@pytest.mark.parametrize(
    ("heading", "cell", "number"),
    [
        ("EGF PIN", "10000001", "egd:10000001"), ("EGD PIN", "10000001.0", "egd:10000001"),
        ("AGA number", "USA0123", "aga:123"), ("AGA ID", "TMP1", ""), ("FFG licence", "1800001", "ffg:1800001"),
        ("id", "egd:10000001", "egd:10000001"), ("EGF PIN", "egd:10000001", "egd:10000001"), ("id", "17", ""),
        ("EGF PIN", "1000001", ""), ("EGF PIN", "", ""),
    ],
)  # fmt: skip
def test_the_heading_names_the_register(heading: str, cell: str, number: str, tmp_path: Path) -> None:
    ledger = beside(tmp_path, f"name,{heading},country\nLindqvist Ada,{cell},SE\n")
    assert facts(ledger)["Lindqvist Ada"] == (number, "SE", "")
    assert any(each.field == "PIN" for each in ledger.problems) == (cell == "1000001")


def test_of_several_numbers_the_first_of_a_register_counts(tmp_path: Path) -> None:
    ledger = beside(
        tmp_path,
        "No,name,EGF PIN,AGA number\n1,Lindqvist Ada,10000001,17\n2,Moor Bo,,18\n3,Dent Cy,,\n",
        "No,name,club\n1,Quist Dee,Ume\n",
    )
    numbers = {"Lindqvist Ada": "egd:10000001", "Moor Bo": "aga:18", "Dent Cy": "", "Quist Dee": ""}
    assert {each.name: each.id for each in ledger.players} == numbers, "numbers of rows make nobody one player"


def test_whoever_a_table_of_players_lacks_is_named_and_so_are_columns_without_meaning(tmp_path: Path) -> None:
    ledger = beside(tmp_path, "name,PIN,shoes\nMoor Bo,10000002,43\n")
    assert {each.field: each.found for each in ledger.problems} == {
        "column": "shoes",
        "name": "Dent Cy, Lindqvist Ada, Quist Dee",
    }
    assert not beside(tmp_path, "".join(EGD.splitlines(keepends=True)[:2])).problems, "a register knows not everybody"


def test_a_table_of_players_with_rounds_or_without_games_beside_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no games"):
        beside(tmp_path, "Pl,Name,Rank,1,2\n1,Lindqvist Ada,3d,,1\n2,Moor Bo,1k,,1\n")
    with pytest.raises(InputError, match="holds no games"):
        beside(tmp_path, PLAYERS, games=PLAYERS)


def test_who_declares_no_rank_in_the_games_has_that_of_the_list_by_the_first_day(tmp_path: Path) -> None:
    games, listed, ranks, h9 = (tmp_path / name for name in ("games.csv", "players.csv", "ranks.csv", "cup.h9"))
    bare = GAMES.replace(",3d,", ",,").replace(",2k,", ",,").replace(",4k,", ",,")  # Moor Bo alone declares one
    games.write_text(bare, encoding="utf-8")
    listed.write_text(PLAYERS, encoding="utf-8")
    ranks.write_text(
        "player,rank,date\nLindqvist Ada,2d,2026-05-01\nLindqvist Ada,4d,2026-05-02\nLindqvist Ada,5d,2026-05-03\n"
        "Moor Bo,9d,\nDent Cy,2k,\nQuist Dee,1d,2026-05-09\n",
        encoding="utf-8",
    )
    answer = run("convert", games, listed, "--adjustments", ranks, "-o", h9)
    assert "not written: ranks and ratings set by hand (4)" in answer.err  # 2d, 5d, 9d and 1d
    rows = [line.split() for line in h9.read_text(encoding="utf-8").splitlines() if not line.startswith(";")]
    declared = {" ".join(row[1:3]): row[3] for row in rows}
    assert declared == {"Lindqvist Ada": "4d", "Moor Bo": "1k", "Dent Cy": "2k", "Quist Dee": "30k"}
    back = handan.read(h9)
    assert {game.black_rank for game in back if game.black == "Lindqvist Ada"} == {"4d"}


TITLED = """Members of the Umeå club;;;;
1 May 2026;;;;

Name;Rank;Country;Club;EGF PIN
Ada Lindqvist;3d;SE;Ume;10000001
MOOR Bö;1k;DE;Berl;10000002
Dent, Cy;2k;GB;Lond;10000003
Quist Dea;4k;FR;75Pa;10000004
"""
BARE = "\n".join(",".join(row.split(",")[at] for at in (0, 1, 3, 5, 6, 7)) for row in GAMES.splitlines())
"""The games without the ranks of their players."""


def test_a_list_below_titles_with_names_in_other_order_marks_and_capitals_is_that_of_the_players(
    tmp_path: Path,
) -> None:
    ledger = beside(tmp_path, TITLED)
    assert facts(ledger) == FACTS | {"Quist Dee": ("", "", "")}, "a name of other letters is proposed, and not taken"
    remarks = [str(problem).partition(": ")[2] for problem in ledger.problems]
    assert remarks == [
        "the text above the headings gives the day of the list, 2026-05-01: Members of the Umeå club · 1 May 2026",
        "3 names stand otherwise in the games, and are read as there: "
        "Ada Lindqvist = Lindqvist Ada; Dent, Cy = Dent Cy; MOOR Bö = Moor Bo",
        "Quist Dee is not on the list; did you mean Quist Dea?",
    ]
    by_hand = handan.read(tmp_path / "file0.csv", adjustments=tmp_path / "file1.csv")
    assert {item.player: str(item.rank) for item in by_hand.adjustments} == {
        "Lindqvist Ada": "3d", "Moor Bo": "1k", "Dent Cy": "2k",
    }  # fmt: skip
    assert "3 names stand otherwise" in " ".join(map(str, by_hand.problems))
    table = tmp_path / "ranks.csv"
    table.write_text('Entry ranks\n\nplayer;rank\n"Dent, Cy";5k\n', encoding="utf-8")
    adjusted = handan.read(tmp_path / "file0.csv", adjustments=table)
    assert [(item.player, str(item.rank)) for item in adjusted.adjustments] == [("Dent Cy", "5k")]
    assert {*adjusted.names} == {*FACTS}, "nobody is listed who does not play"


def test_a_name_beside_a_given_name_is_a_surname(tmp_path: Path) -> None:
    ledger = beside(tmp_path, "Name;Vorname;EGD-PIN\nMoor;Bo;10000002\n")
    assert facts(ledger)["Moor Bo"] == ("egd:10000002", "", "")


def test_a_name_that_two_players_could_mean_is_nobodys(tmp_path: Path) -> None:
    games = "date,black,white,result\n2026-05-02,Lind Ada,Ada Lind,B+\n"
    for names in ("Ada LIND", "lind, ada"):
        assert {*facts(beside(tmp_path, f'name,id\n"{names}",egd:10000001\n', games=games)).values()} == {("", "", "")}
    two = "name,id\nADA LIND,egd:10000001\nLIND ADA,egd:10000002\n"
    games = "date,black,white,result\n2026-05-02,Lind Ada,Moor Bo,B+\n"
    assert {*facts(beside(tmp_path, two, games=games)).values()} == {("", "", "")}


def test_ranks_of_a_table_of_players_are_those_of_who_declares_none(tmp_path: Path) -> None:
    declared = handan.read(GAMES.encode())
    ranked = beside(tmp_path, PLAYERS, games=BARE)
    assert [(game.black_rank, game.white_rank) for game in ranked] == [
        (game.black_rank, game.white_rank) for game in declared
    ]
    others = beside(tmp_path, PLAYERS.replace("3d", "9d"))
    assert [*others] == [*beside(tmp_path, PLAYERS)], "the games say another rank"
    assert {game.black_rank for game in beside(tmp_path, EGD, games=BARE)} == {""}, "a register is of its own day"
    set_by_hand = tmp_path / "ranks.csv"
    set_by_hand.write_text("player,rank\nMoor Bo,5k\n", encoding="utf-8")
    paths = [tmp_path / "file0.csv", tmp_path / "players.csv"]
    paths[1].write_text(PLAYERS, encoding="utf-8")
    by_hand = handan.read(paths, adjustments=set_by_hand)
    assert {game.black_rank for game in by_hand} == {"3d", "2k", ""}


def test_players_and_games_in_two_worksheets_are_read_as_two_files(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text(BARE, encoding="utf-8")
    (tmp_path / "players.csv").write_text(PLAYERS, encoding="utf-8")
    sheets = [Sheet("Notes", [["Come", "early"], ["and", "stay"]])]
    for name in ("players", "games"):
        lines = (tmp_path / f"{name}.csv").read_text(encoding="utf-8").splitlines()
        sheets.append(Sheet(name, [line.split(",") for line in lines]))
    book = tmp_path / "cup.xlsx"
    book.write_bytes(excel(*sheets))
    ledger, both = handan.read(book), handan.read([tmp_path / "games.csv", tmp_path / "players.csv"])
    assert [*ledger] == [*both]
    assert facts(ledger) == facts(both) == FACTS
    assert [str(each).partition(": ")[2] for each in ledger.problems] == [
        "worksheets not read, no games in them: 'Notes'"
    ]
    assert "cup.xlsx!players" in run("check", book).out
    by_hand = handan.read(tmp_path / "games.csv", adjustments=book)
    assert {str(item.rank) for item in by_hand.adjustments} == {"3d", "1k", "2k", "4k"}


def test_clubs_and_countries_that_a_table_cuts_are_said(tmp_path: Path) -> None:
    games, listed = tmp_path / "games.csv", tmp_path / "players.csv"
    games.write_text(GAMES, encoding="utf-8")
    listed.write_text(PLAYERS.replace("SE,Ume", "SWE,Göteborg"), encoding="utf-8")
    for name, omissions in (
        ("cup.h9", ("clubs in other letters than ASCII or of more than four (1 player)",
                    "countries that are not two letters (1 player)")),
        ("cup.tou", ("clubs in letters outside ISO-8859-15 or of more than four (1)", "countries of players (4)")),
    ):  # fmt: skip
        err = run("convert", games, listed, "-o", tmp_path / name).err
        assert all(f"not written: {omission}" in err for omission in omissions), err


OVER_YEARS = """date,black,white,result,event
2020-01-05,Ada,Bo,B+R,Winter Cup
2020-01-06,Bo,Cy,W+2.5,Winter Cup
2022-05-01,Ada,Cy,B+,
2024-01-05,Cy,Ada,B+,
2024-01-05,Ada,Bo,W+,
"""
RANKS = "name,rank\nAda,3d\nBo,1k\nCy,2k\n"


@pytest.mark.parametrize(
    ("listed", "options", "declared"),
    [
        (RANKS, (), [("3d", "1k"), ("1k", "2k"), ("", ""), ("", ""), ("", "")]),
        (f"Members on 1 March 2022,\n{RANKS}", (), [("", ""), ("", ""), ("3d", "2k"), ("", ""), ("", "1k")]),
        (RANKS, ("--list-date", "2024"), [("", ""), ("", ""), ("", ""), ("2k", "3d"), ("3d", "1k")]),
        (RANKS, ("--list-date", "2025"), [("", "")] * 5),
    ],
)
def test_a_list_tells_ranks_of_one_day(
    listed: str, options: tuple[str, ...], declared: list[tuple[str, str]], tmp_path: Path
) -> None:
    games, members = tmp_path / "games.csv", tmp_path / "members.csv"
    games.write_text(OVER_YEARS, encoding="utf-8")
    members.write_text(listed, encoding="utf-8")
    answer = run("convert", games, members, *options, "-o", tmp_path / "whole.csv")
    ledger = handan.read(tmp_path / "whole.csv")
    assert [(game.black_rank, game.white_rank) for game in ledger] == declared
    assert "3 ranks of the list are told of one day: each player's first games declare it" in answer.err
    rate = run("rate", games, members, *options, "--system", "egf", "--format", "json")
    assert "are told of one day" in rate.err


def test_a_list_beside_one_evening_declares_its_ranks_in_every_game(tmp_path: Path) -> None:
    ledger = beside(tmp_path, RANKS, games="black,white,result\nAda,Bo,B+\nBo,Cy,W+\nCy,Ada,W+\n")
    assert [(game.black_rank, game.white_rank) for game in ledger] == [("3d", "1k"), ("1k", "2k"), ("2k", "3d")]
    assert not [problem for problem in ledger.problems if problem.field == "rank"]
