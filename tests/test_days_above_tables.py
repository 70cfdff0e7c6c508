"""Games without a day take the one that stands above their table or beside their round, and it is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from handan.club.sheet_text import lines_of
from handan.files import read
from handan.files.cells.dates import day_in_line
from handan.files.formats.trf import TRF
from handan.files.io.options import Options
from tests.command_line import run

GAMES = "black,white,result\nAda,Bo,B+\nCy,Dee,W+\n"
STANDINGS = """Spring Cup
{title}
Place,Name,Rank,R1,R2
1,Ada,1d,2+,3+
2,Bo,1k,1-,4+
3,Cy,1k,4+,1-
4,Dee,2k,3-,2-
"""
DATED = "gives the day of the games, 2026-05-02"


@pytest.mark.parametrize(
    "line",
    [
        "Spring Cup 2026-05-02", "Spring Cup, 2-3 May 2026", "May 2-3, 2026", "2. Mai 2026 Clubmeisterschaft",
        "Clubmeisterschaft (02.05.2026)", "2026年5月2日 春季大会", "Cup 2026-05-02 to 2026-05-04", "Sat 2 May 2026",
        "2e open 2 mai 2026", "Cup 20260502", "Spring Cup, 2 and 3 May 2026",
        "Cup 2026-05-02 to 2026-05-02", "2./3. Mai 2026", "2.–3.5.2026, Turnier", "2. und 3. Mai 2026",
    ],
)  # fmt: skip
def test_the_first_day_of_a_line_is_found_among_its_words(line: str) -> None:
    line_with_day = day_in_line(line)
    assert line_with_day
    assert str(line_with_day.day) == "2026-05-02"


@pytest.mark.parametrize(
    "line",
    [
        "Cup 5/2/2026", "Open 2026", "May 2026", "75014 Paris", "Spring Cup 3 of 5", "17076590",
        "entries by 1 May 2026, played on 3 May 2026", "2026-05-02 2026-05-09 2026-05-16", "",
    ],
)  # fmt: skip
def test_no_day_is_guessed(line: str) -> None:
    assert day_in_line(line) is None


def test_an_open_order_of_numbers_is_that_of_the_user() -> None:
    assert str(day_in_line("Cup 5/2/2026", "mdy").day) == "2026-05-02"  # type: ignore[union-attr]


@pytest.mark.parametrize("table", ["Spring Cup, 2 May 2026\n" + GAMES, STANDINGS.format(title="2-3 May 2026")])
def test_games_take_the_day_above_their_table(tmp_path: Path, table: str) -> None:
    file = tmp_path / "cup.csv"
    file.write_text(table, encoding="utf-8")
    assert {str(game.date) for game in read(file)} == {"2026-05-02"}
    assert DATED in run("check", file).err
    given = run("check", file, "--date", "2026-04-01")
    assert DATED not in given.err
    assert {str(game.date) for game in read(file, date="2026-04-01")} == {"2026-04-01"}


def test_a_title_without_a_clear_day_dates_nothing(tmp_path: Path) -> None:
    file = tmp_path / "cup.csv"
    file.write_text("Cup 5/2/2026\n" + GAMES, encoding="utf-8")
    assert {game.date for game in read(file)} == {None}
    assert "passed over: Cup 5/2/2026" in run("check", file).err


def test_a_game_that_has_a_day_leaves_the_others_without_one(tmp_path: Path) -> None:
    file = tmp_path / "cup.csv"
    file.write_text("Cup 2026-05-02\nblack,white,result,date\nAda,Bo,B+,\nCy,Dee,W+,2026-05-09\n", encoding="utf-8")
    assert {str(game.date) for game in read(file)} == {"2026-05-09", "None"}


def test_rounds_have_the_days_beside_them(tmp_path: Path) -> None:
    file = tmp_path / "cup.csv"
    rounds = "Black,White,Result\nRound 1 (2026-05-02),,\nAda,Bo,B+\nRound 2: 3 May 2026,,\nCy,Dee,W+\n"
    file.write_text(rounds, encoding="utf-8")
    ledger = read(file)
    assert [(game.round, str(game.date)) for game in ledger] == [(1, "2026-05-02"), (2, "2026-05-03")]
    assert any("give their rounds and dates: 2026-05-02, 2026-05-03" in str(each) for each in ledger.problems)


def test_a_report_of_chess_tells_the_day_of_each_round() -> None:
    players = [
        f"001 {place:>4}      {name:<33} {'':4} SWE {'':>11} {'':10} {points:>4} {place:>4}  {cells}"
        for place, name, points, cells in (
            (1, "Ada", "1.0", "   2 w 1     2 b 0"),
            (2, "Bo", "1.0", "   1 b 0     1 w 1"),
        )
    ]
    days = "132" + " " * 88 + "26/05/02  26/05/09"
    parsed = TRF.read("\n".join(["012 Cup", days, *players]).encode(), "cup.trf", Options())
    assert [str(day) for day in parsed.games["date"].dt.date()] == ["2026-05-02", "2026-05-09"]
    assert str(parsed.events[0].first) == "2026-05-02"
    assert not [each for each in parsed.problems if each.field == "date"]
    messages = [str(each.message) for each in parsed.problems]
    assert "line 132 gives the days of the rounds: 2026-05-02, 2026-05-09" in messages


def test_pasted_lines_take_the_day_above_them() -> None:
    pasted = "Friday, 2 May 2026\n" + GAMES.replace(",", "\t")
    assert [line["date"] for line in lines_of(pasted)] == ["2026-05-02", "2026-05-02"]
    assert [line.get("date", "") for line in lines_of("Friday\n" + GAMES.replace(",", "\t"))] == ["", ""]
