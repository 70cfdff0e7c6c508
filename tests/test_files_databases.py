"""Games that stand in a database are the answer to a query; ratings and who moved become a table of one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from handan.files import read
from handan.ledger import Ledger
from tests.command_line import games, run

ROWS = ("2026-05-01,Ada,Bo,B+R,0,6.5,club", "2026-05-02,Bo,Ada,W+3.5,2,0.5,club", "2026-05-03,Ada,Cy,jigo,0,6,club")
QUERY = "select day as date, black, white, result, handicap, komi, kind from results where kind = 'club' order by day"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Return an SQLite file with the games of a server, and one that is none of the club's."""
    file = tmp_path / "server.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(
            "create table results (day text, black, white, result text, handicap integer, komi real, kind text)"
        )
        rows = [row.split(",") for row in (*ROWS, "2026-05-04,Bo,Cy,W+R,0,6.5,blitz")]
        connection.executemany("insert into results values (?, ?, ?, ?, ?, ?, ?)", rows)
        connection.commit()
    return file


def without_places(ledger: Ledger) -> list[dict[str, object]]:
    return ledger.games.drop("source", "line").to_dicts()


def test_the_answer_to_a_query_is_read_as_the_same_table_in_a_file(results: Path, tmp_path: Path) -> None:
    ledger = read(f"sqlite:///{results}", query=QUERY)
    assert without_places(ledger) == without_places(read(games(tmp_path / "games.csv", *ROWS)))
    done = run("rate", f"sqlite:///{results}", "--query", QUERY, "--system", "elo")
    assert (done.status, "3 of 3 games rated" in done.out) == (0, True)
    address = f"sqlite:///{results}"
    assert f"\n{address} " in run("check", address, "--query", QUERY).out  # as it can be given again


@pytest.mark.parametrize(
    ("address", "query", "reason"),
    [
        ("sqlite:///FILE", "", "is a database; give --query"),
        ("sqlite:///FILE", "select * from absent", "does not answer the query: no such table: absent"),
        ("sqlite:///FILE", "select black, black from results", "answers with column 'black' twice"),
        ("sqlite:///FILE", "delete from results", "attempt to write a readonly database"),
        ("sqlite:///FILE", "select * from results where kind = 'x'", "no game was rated: no row holds one"),
        ("sqlite:///nowhere.db", QUERY, "handan: sqlite:///nowhere.db: there is no such file"),
        ("postgresql://user:secret@127.0.0.1:1/x", QUERY, "does not answer the query: "),
    ],
)
def test_what_a_database_refuses_is_said_without_its_password(
    results: Path, address: str, query: str, reason: str
) -> None:
    options = ("--query", query) if query else ()
    done = run("rate", address.replace("FILE", str(results)), *options, "--system", "elo")
    assert done.status == 2
    assert reason in done.err
    assert "secret" not in done.err
    assert len(read(f"sqlite:///{results}", query=QUERY)) == 3


def test_an_answer_is_as_long_as_a_file_may_be(results: Path) -> None:
    done = run("rate", f"sqlite:///{results}", "--query", QUERY, "--system", "elo", "--allow", "games=2")
    assert (done.status, "games=NUMBER" in done.err) == (2, True)


def rows_of(file: Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(f"select player, rating from {table} order by rating desc").fetchall()


def test_the_ladder_becomes_a_file_or_a_table_whose_rows_are_replaced(tmp_path: Path) -> None:
    import handan

    file, database = games(tmp_path / "games.csv", *ROWS), tmp_path / "out.db"
    for _ in range(2):
        assert run("rate", file, "-s", "elo", "-o", f"sqlite:///{database}").status == 0
    expected = handan.rate(file, "elo").table()
    assert rows_of(database, "ratings") == expected.select("player", "rating").rows()
    assert run("rate", file, "-s", "elo", "-o", tmp_path / "out.parquet").status == 0
    written = pl.read_parquet(tmp_path / "out.parquet").with_columns(pl.col("last_played").cast(pl.String))
    assert written.drop("rank").equals(expected.drop("rank"))  # none is declared
    done = run("rate", file, "-s", "elo", "-o", tmp_path / "out.csv", "--limit", "1")
    assert (done.status, (tmp_path / "out.csv").read_text().count("\n")) == (0, 2)


def test_games_that_are_added_write_who_moved_alone(tmp_path: Path) -> None:
    file, database = games(tmp_path / "games.csv", *ROWS), tmp_path / "out.db"
    assert run("rate", file, "-s", "elo", "--save", tmp_path / "saved").status == 0
    later = games(tmp_path / "later.csv", "2026-05-09,Bo,Cy,W+R,0,6.5,club")
    assert run("add", tmp_path / "saved", later, "-o", f"sqlite:///{database}", "--table", "moved").status == 0
    assert {name for name, _ in rows_of(database, "moved")} == {"Bo", "Cy"}


def test_an_hour_without_games_moves_nobody_and_is_no_fault(results: Path, tmp_path: Path) -> None:
    server, moved = f"sqlite:///{results}", f"sqlite:///{tmp_path / 'out.db'}"
    assert run("rate", server, "--query", QUERY, "-s", "elo", "--save", tmp_path / "saved").status == 0
    hour = ("--query", f"select * from ({QUERY}) where date > '2026-05-02'", "-o", moved, "--table", "moved")
    assert run("add", tmp_path / "saved", server, "--keep-repeats", *hour).status == 0
    assert {name for name, _ in rows_of(tmp_path / "out.db", "moved")} == {"Ada", "Cy"}
    hour = (hour[0], hour[1].replace("05-02", "05-03"), *hour[2:])
    done = run("add", tmp_path / "saved", server, *hour)
    assert (done.status, "0 games added" in done.out) == (0, True)
    assert rows_of(tmp_path / "out.db", "moved") == []


def test_the_last_day_of_a_player_is_a_date_for_other_programs(tmp_path: Path) -> None:
    rows = ("2024,Ada,Bo,B+R,0,6.5,club", "2026-05,Ada,Cy,B+R,0,6.5,club", "2026-06-07,Cy,Dee,B+R,0,6.5,club")
    file, database = games(tmp_path / "games.csv", *rows), tmp_path / "out.db"
    assert run("rate", file, "-s", "elo", "-o", tmp_path / "out.parquet").status == 0
    days = dict(pl.read_parquet(tmp_path / "out.parquet").select("player", "last_played").iter_rows())
    first = {"Ada": date(2026, 5, 1), "Bo": date(2024, 1, 1)}  # of a month and a year alone
    assert days == first | {"Cy": date(2026, 6, 7), "Dee": date(2026, 6, 7)}
    assert run("rate", file, "-s", "elo", "-o", f"sqlite:///{database}").status == 0
    with closing(sqlite3.connect(database)) as connection:
        written = dict(connection.execute("select player, last_played from ratings").fetchall())
    assert written == {name: str(day) for name, day in days.items()}


def test_a_file_of_a_database_is_named_as_it_is_given_again(results: Path) -> None:
    done = run("rate", results, "-s", "elo")
    assert (done.status, f"give sqlite:///{results} --query" in done.err) == (2, True)
    absent = run("rate", f"sqlite:///{results}", "-s", "elo")
    assert f"sqlite:///{results} is a database" in absent.err


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("-o", "out.txt"), "ends in neither .parquet nor .csv"),
        (("-o", "sqlite:///FILE", "--table", "x; drop table results"), "is no name of a table"),
        (("-o", "sqlite:///FILE", "--table", "results"), "does not take the rows into its table results"),
        (("-o", "postgresql://user:secret@127.0.0.1:1/x"), "does not take the rows into its table ratings"),
    ],
)
def test_rows_that_cannot_be_written_change_nothing(
    results: Path, tmp_path: Path, options: tuple[str, ...], reason: str
) -> None:
    given = (option.replace("FILE", str(results)) for option in options)
    done = run("rate", games(tmp_path / "games.csv", *ROWS), "-s", "elo", *given)
    assert (done.status, reason in done.err, "secret" in done.err) == (2, True, False)
    assert len(read(f"sqlite:///{results}", query=QUERY)) == 3
