"""Names with a rank behind them in one cell: where they are taken apart, and where they stay as they are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

import handan
from handan.errors import InputError
from handan.files import write
from handan.files.cells.ranked_names import parts_of
from handan.files.ledger_building import build
from handan.ledger.dataset import open_ledger
from tests.command_line import run
from tests.spreadsheets import Sheet, excel

ROWS = [
    ("2026-01-05", "Ada 3k", "Lee (5d)", "W+3.5"),
    ("2026-01-06", "山田 初段", "Ada 3k", "B+R"),
    ("2026-02-06", "Bob, 2 kyu", "Ada 2k", "B+R"),
]
PEOPLE = ["Ada", "Bob", "Lee", "山田"]
HEADS = ("date", "black", "white", "result")


def csv(rows: Sequence[tuple[str, ...]], heads: tuple[str, ...] = HEADS) -> bytes:
    lines = [";".join(row) for row in (heads, *rows)]
    return ("\n".join(lines) + "\n").encode()


def sources(folder: Path) -> dict[str, object]:
    frame = pl.DataFrame(ROWS, schema=list(HEADS), orient="row")
    frame.write_parquet(folder / "games.parquet")
    lines = "\n".join(json.dumps(dict(zip(HEADS, row, strict=True))) for row in ROWS)
    return {
        "csv": csv(ROWS),
        "German headings": csv(ROWS, ("Datum", "Schwarz", "Weiß", "Ergebnis")),
        "json lines": lines.encode(),
        "parquet": folder / "games.parquet",
        "workbook": excel(Sheet("games", [HEADS, *ROWS])),
        "frame": frame,
        "pandas": frame.to_pandas(),
        "columns": frame.to_dict(as_series=False),
        "winner": csv([(*row[:3], row[1 if row[3][0] == "B" else 2]) for row in ROWS], (*HEADS[:3], "winner")),
        "winner and loser": csv(
            [(row[0], *(row[1:3] if row[3][0] == "B" else row[2:0:-1])) for row in ROWS], ("date", "winner", "loser")
        ),
    }


@pytest.mark.parametrize(
    "kind", ["csv", "German headings", "json lines", "parquet", "workbook", "frame", "pandas", "columns"]
)
def test_every_reader_takes_ranks_off_names(kind: str, tmp_path: Path) -> None:
    ledger = handan.read(sources(tmp_path)[kind])
    games = ledger.games
    assert [player.name for player in ledger.players] == PEOPLE
    assert games["black_rank"].to_list() == ["3k", "1d", "2k"]
    assert games["white_rank"].to_list() == ["5d", "3k", "2k"]
    assert ["most names end with ranks" in str(problem) for problem in ledger.problems] == [True]


@pytest.mark.parametrize("kind", ["winner", "winner and loser"])
def test_winners_are_found_by_names_without_ranks(kind: str, tmp_path: Path) -> None:
    ledger = handan.read(sources(tmp_path)[kind])
    table = handan.rate(ledger, "elo").table()
    assert dict(table.select("player", "wins").iter_rows()) == {"Ada": 0, "Bob": 1, "Lee": 1, "山田": 1}


@pytest.mark.parametrize(
    ("cell", "name", "rank"),
    [
        ("Ada 3k", "Ada", "3k"),
        ("Lee (5d)", "Lee", "5d"),
        ("Lee（5d）", "Lee", "5d"),
        ("foo [12k?]", "foo", "12k?"),
        ("山田三段", "山田", "三段"),
        ("김철수 5급", "김철수", "5급"),
        ("Marie Curie - 4e kyu", "Marie Curie", "4e kyu"),
        ("Anna Weiß, 3. Dan", "Anna Weiß", "3. Dan"),
        ("Ke Jie 9p", "Ke Jie", "9p"),
        ("Ada", "Ada", ""),
        ("Dan", "Dan", ""),
        ("3k", "3k", ""),
        ("go9d", "go9d", ""),
        ("Ada 31k", "Ada 31k", ""),
        ("Ada (Berlin)", "Ada (Berlin)", ""),
    ],
)
def test_a_cell_is_a_name_and_the_rank_behind_it(cell: str, name: str, rank: str) -> None:
    assert parts_of(cell) == (name, rank)


def test_names_stay_where_most_have_no_rank_behind_them() -> None:
    rows = [("2026-01-05", "Team 3d", "Bob", "B+"), ("2026-01-06", "Carol", "Team 3d", "B+")]
    ledger = handan.read(csv(rows))
    assert [player.name for player in ledger.players] == ["Bob", "Carol", "Team 3d"]
    assert not ledger.problems


def test_a_rank_behind_the_first_cell_of_each_player_is_enough() -> None:
    rows = [
        ("2026-01-05", "Ada 3k", "Lee 5d", "B+"),
        ("2026-01-06", "Ada", "Lee", "B+"),
        ("2026-01-07", "Lee", "Ada", "B+"),
    ]
    ledger = handan.read(csv(rows))
    assert ledger.names == ["Ada", "Lee"]
    assert ledger.games["black_rank"].to_list() == ["3k", "", ""]
    assert "'Ada 3k' is Ada, 3k" in str(ledger.problems[0])


def test_a_name_that_stands_with_a_rank_and_without_one_is_asked_about() -> None:
    rows = [("2026-01-05", "Ada 3k", "Bob", "B+"), ("2026-01-06", "Carol", "Ada", "B+")]
    ledger = handan.read(csv(rows))
    assert ledger.names == ["Ada", "Ada 3k", "Bob", "Carol"]
    assert ["'Ada 3k' and 'Ada' are read as two players" in str(problem) for problem in ledger.problems] == [True]


def test_names_stay_where_a_column_says_the_rank() -> None:
    ledger = handan.read(csv([(*row, "4k") for row in ROWS], (*HEADS, "black_rank")))
    assert "Ada 3k" in ledger.names
    assert ledger.games["black_rank"].to_list() == ["4k", "4k", "4k"]


def test_people_whom_ranks_alone_tell_apart_stay_two() -> None:
    rows = [
        *ROWS,
        ("2026-03-01", "Lee (3k)", "Bob 2k", "B+"),
        ("2026-03-02", "Kim 1d", "Kim 2d", "W+"),
    ]
    ledger = handan.read(csv(rows))
    assert [player.name for player in ledger.players] == [
        "Ada",
        "Bob",
        "Kim 1d",
        "Kim 2d",
        "Lee (3k)",
        "Lee (5d)",
        "山田",
    ]
    assert sorted(ledger.games["black_rank"]) == ["1d", "1d", "2k", "3k", "3k"]
    problems = " ".join(map(str, ledger.problems))
    assert "'Lee (3k)', 'Lee (5d)' may be several people" in problems
    assert "'Kim 1d', 'Kim 2d' may be several people" in problems


def test_names_that_stayed_stay_in_a_file_that_is_written(tmp_path: Path) -> None:
    rows = [("2026-03-01", "Lee (3k)", "Kim", "B+", ""), ("2026-03-02", "Lee (3k)", "Ann 2k", "B+", "")]
    ledger = handan.read(csv(rows, (*HEADS, "black_rank")))
    assert ledger.names == ["Ann 2k", "Kim", "Lee (3k)"]
    for ending in ("csv", "jsonl", "parquet"):
        write(ledger, tmp_path / f"games.{ending}")
        assert handan.read(tmp_path / f"games.{ending}").names == ledger.names


def test_check_shows_it(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_bytes(csv(ROWS))
    answer = run("check", file)
    assert "names ranks behind them ('Ada 2k' is Ada, 2k)" in answer.out


def test_a_file_read_in_pieces_is_refused_with_the_command_that_takes_names_apart(tmp_path: Path) -> None:
    source = tmp_path / "games.csv"
    source.write_bytes(csv(ROWS))
    with pytest.raises(InputError, match=r"handan convert .*games\.csv -o apart\.csv"):
        build([source], tmp_path / "games.ledger", size=64)
    with pytest.raises(InputError):
        open_ledger(tmp_path / "games.ledger")


def cup(*rounds: list[list[str]]) -> bytes:
    """Return a workbook with a worksheet for each round."""
    headings = ["Weiß", "Schwarz", "Ergebnis"]
    return excel(*(Sheet(f"Runde {number}", [headings, *rows]) for number, rows in enumerate(rounds, 1)))


def test_worksheets_are_rounds_and_namesakes_of_a_round_stay_two_in_all_of_them() -> None:
    webers = "Weber, T. (13k)", "Weber, T. (14k)"
    first = [[webers[0], "Ada (3k)", "1-0"], [webers[1], "Bo (4k)", "0-1"], ["Cy (9k)", "Di (9k)", "1-0"]]
    second = [[webers[0], "Bo (4k)", "1-0"], [webers[1], "Di (9k)", "0-1"], ["Cy (9k)", "Ada (3k)", "1-0"]]
    ledger = handan.read(cup(first, second))
    assert [game.round for game in ledger] == [1, 1, 1, 2, 2, 2]
    assert {*webers} < {player.name for player in ledger.players}
    messages = [str(problem) for problem in ledger.problems]
    assert sum("may be several people; these names stay" in text for text in messages) == 1
    assert sum("results such as 1-0 are points of white" in text for text in messages) == 1  # once for all worksheets


def test_who_has_two_opponents_in_a_round_may_be_two_people(tmp_path: Path) -> None:
    pairs = [("Weber", "Ada"), ("Weber", "Bo"), ("Cy", "Di"), ("Ed", "Flo")]
    rows = "".join(f"{one},{other},B+,1\n" for one, other in pairs)
    (tmp_path / "cup.csv").write_text(f"black,white,result,round\n{rows}", encoding="utf-8")
    messages = "players with two opponents in one round may be several people of one name, and count as one: Weber"
    for command in (("check",), ("rate", "--system", "elo")):
        assert messages in run(command[0], str(tmp_path / "cup.csv"), *command[1:]).err
    evening = "".join(f"{one},{other},B+,1\n" for one in "ABCD" for other in "EFGH")
    assert not handan.read(f"black,white,result,round\n{evening}".encode()).problems
