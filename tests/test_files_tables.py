"""Tables of games as text: what is taken, what is rejected, and what the report says."""

from __future__ import annotations

import gzip
import random
import re
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from handan.errors import InputError
from handan.files import read, read_players
from handan.files.tables.header_rows import _lines
from handan.ledger import Ledger, Result
from tests.command_line import run

HEAD = "date,black,white,result\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "games.csv"


def reading(path: Path, text: str | bytes, **options: bool | str) -> Ledger:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read(path, **options)  # type: ignore[arg-type]


def refusal(path: Path, text: str | bytes, **options: bool | str) -> str:
    with pytest.raises(InputError) as caught:
        reading(path, text, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(str(path), path.name)


def report(ledger: Ledger) -> list[str]:
    """Return the problems without the folder of their file."""
    return [str(problem).rpartition("/")[2] for problem in ledger.problems]


def pairs(ledger: Ledger) -> list[tuple[str, str, str]]:
    return [(game.black, game.white, str(game.result)) for game in ledger]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("separator", [",", "\t", ";"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_separators_line_ends_and_encodings_are_found(table: Path, end: str, separator: str, encoding: str) -> None:
    rows = (("date", "black", "white", "result"), ("2024-05-01", "山野 空丸", "Zoë", "B+R"), ("", "Bob", "Zoë", "jigo"))
    text = "".join(separator.join(row) + end for row in rows)
    ledger = reading(table, text.encode(encoding))
    assert pairs(ledger) == [("Bob", "Zoë", "jigo"), ("山野 空丸", "Zoë", "B+R")]
    assert ledger.problems == ()
    assert ledger.games["line"].to_list() == [3, 2]


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("cp1252", "Zoë"), ("shift_jis", "山野"), ("gb18030", "林"), ("euc-kr", "솔뫼"), ("cp1251", "Мира")],
)
def test_another_encoding_is_read_when_it_is_named(table: Path, encoding: str, name: str) -> None:
    data = f"{HEAD}2024,Bob,Al,B+\n2024,Bob,{name},B+\n".encode(encoding)
    assert reading(table, data, encoding=encoding).players[-1].name == name
    if encoding == "cp1252":
        ledger = reading(table, data)
        assert (ledger.players[-1].name, len(ledger)) == (name, 2)
        assert report(ledger) == ["games.csv: the text is not UTF-8; read as cp1252 (--encoding says otherwise)"]


def test_an_unknown_encoding_is_an_error(table: Path) -> None:
    assert refusal(table, HEAD, encoding="klingon").startswith("encoding 'klingon' is unknown; give its encoding")
    assert refusal(table, HEAD, encoding="base64").startswith("encoding 'base64' is unknown")
    assert refusal(table, "black,white,result\nZoë,Bob,B+\n", encoding="ascii").startswith(
        "games.csv line 2: byte 0xc3 is not ascii"
    )


def test_the_content_and_not_the_name_tells_a_packed_file(table: Path) -> None:
    assert len(reading(table, gzip.compress(f"{HEAD},Alice,Bob,B+R\n".encode()))) == 1


def test_names_of_columns_match_without_capitals_and_blanks(table: Path) -> None:
    ledger = reading(table, " Black ,WHITE,Result,Black Rank\nAlice,Bob,w+,3K\n")
    assert ledger[0].black_rank == "3k"
    assert ledger.problems == ()


def test_a_column_that_stands_there_twice_is_refused(table: Path) -> None:
    message = refusal(table, "black,white,result,Black\nAlice,Bob,w+,\n")
    assert message == "games.csv line 1: column 'black' stands there twice; every column needs its own name"


def test_columns_without_a_name_are_no_columns(table: Path) -> None:
    ledger = reading(table, "black,white,result,,\nAlice,Bob,W+,,\n")
    assert len(ledger) == 1
    assert report(ledger)[0].startswith("games.csv line 1: column '(no name), (no name)' is not a column that is read")


def test_a_missing_column_is_refused_with_what_is_there_what_is_needed_and_what_may_be_meant(table: Path) -> None:
    message = refusal(table, "date,black,white,rseult\n")
    assert message == (
        "games.csv line 1: no column result in the header 'date', 'black', 'white', 'rseult'; needed are"
        " black, white, result or black, white, black_wins, games; did you mean result instead of 'rseult'?"
    )


def test_columns_that_are_not_read_are_named_as_in_the_file(table: Path) -> None:
    reported = report(reading(table, "Black,White,Result,TimeSystem,Prüfer  Name\nAlice,Bob,W+,30m,Carol\n"))
    assert reported == ["games.csv line 1: column 'TimeSystem, Prüfer Name' is not a column that is read; ignored"]


def test_unknown_columns_are_ignored_with_one_warning(table: Path) -> None:
    ledger = reading(table, "black,white,result,referee,blackrank\nAlice,Bob,W+,Carol,5d\nBob,Alice,W+,Carol,5d\n")
    assert len(ledger) == 2
    assert report(ledger) == [
        "games.csv line 1: column 'referee, blackrank' is not a column that is read; ignored;"
        " did you mean black_rank instead of 'blackrank'?"
    ]
    assert not ledger.problems[0].rejected


def test_a_row_with_more_cells_than_the_header_is_rejected(table: Path) -> None:
    ledger = reading(table, f"{HEAD},Alice,Bob,B+R\n,Bob,Alice,W+3,5\n,Bob,Carol,W+\n")
    assert pairs(ledger) == [("Alice", "Bob", "B+R"), ("Bob", "Carol", "W+")]
    assert report(ledger) == [
        "games.csv line 3: ',Bob,Alice,W+3,5' is not a row of 4 cells, as the header has; there are 5"
    ]


def test_a_row_with_fewer_cells_is_taken_if_only_optional_ones_are_missing(table: Path) -> None:
    ledger = reading(table, "black,white,result,komi,notes\nAlice,Bob,B+R,6.5\nBob,Alice\nBob,Carol,W+\n")
    assert pairs(ledger) == [("Alice", "Bob", "B+R"), ("Bob", "Carol", "W+")]
    assert report(ledger) == [
        "games.csv line 3: result '' is not filled in; every game needs it, "
        "and one that is not played yet has a question mark"
    ]


def test_a_file_that_ends_inside_a_row_is_reported(table: Path) -> None:
    ledger = reading(table, "black,white,result,komi\nAlice,Bob,B+R,6.5\nBob,Carol,W+")
    assert len(ledger) == 2
    assert report(ledger) == ["games.csv line 3: 'Bob,Carol,W+' is not a full row of 4 cells; the file ends inside it"]
    assert not ledger.problems[0].rejected
    assert reading(table, "black,white,result,komi\nAlice,Bob,B+R,6.5\nBob,Carol,W+\n").problems == ()


def test_quotes_hold_separators_quotes_and_line_ends(table: Path) -> None:
    ledger = reading(
        table, 'black,white,result,notes\n"Fern, Ida","Jan ""Bo"" Quist",B+R,"two\nlines"\n"Alice", "Bob" ,W+,\n'
    )
    assert pairs(ledger) == [("Fern, Ida", 'Jan "Bo" Quist', "B+R"), ("Alice", "Bob", "W+")]
    assert ledger[0].notes == "two\nlines"
    assert ledger.games["line"].to_list() == [2, 4]


def test_a_stray_quote_costs_only_its_own_row(table: Path) -> None:
    rows = ',"Alice,Bob,B+R\n,Bob,Carol,W+\n,Da"ve,Bob,B+\n,"Al"ice,Bob,B+\n,Carol,Bob,"B+\n,Bob,Alice,B+\n'
    ledger = reading(table, HEAD + rows)
    assert pairs(ledger) == [("Bob", "Carol", "W+"), ('Da"ve', "Bob", "B+"), ("Bob", "Alice", "B+")]
    assert [problem.line for problem in ledger.problems] == [2, 5, 6]


def test_blank_lines_are_no_rows_and_keep_the_count_of_lines(table: Path) -> None:
    ledger = reading(table, f"\n \n{HEAD}\n,Alice,Bob,B+R\n\n  \n,Alice,Bob,X\n\n")
    assert len(ledger) == 1
    assert ledger.games["line"].to_list() == [5]
    assert [problem.line for problem in ledger.problems] == [8]


def test_a_row_with_a_nul_byte_is_rejected(table: Path) -> None:
    ledger = reading(table, f"{HEAD},Al\0ice,Bob,B+R\n,Alice,Bob,B+R\n")
    assert len(ledger) == 1
    assert report(ledger) == [r"games.csv line 2: ',Al\x00ice,Bob,B+R' is not text without NUL bytes"]


def test_every_bad_cell_of_a_row_is_reported_and_the_row_is_left_out_once(table: Path) -> None:
    ledger = reading(
        table, "black,white,result,handicap,komi\nAlice,Bob,X+3,-1,6.5\nAlice,Alice,B+,0,6.5\nAlice,Bob,B+,,\n"
    )
    assert len(ledger) == 1
    assert report(ledger) == [
        "games.csv line 2: result 'X+3' is not a result such as B+3.5, W+R, jigo, both-lose or void",
        "games.csv line 2: handicap '-1' is not a whole number from 0 to 99",
        "games.csv line 3: white 'Alice' is not another player than black",
    ]


def test_a_slip_in_a_rank_rejects_the_row_and_other_text_means_no_rank(table: Path) -> None:
    ledger = reading(table, "black,white,result,black_rank\nAlice,Bob,B+,0d\nAlice,Bob,B+,Norway\nAlice,Bob,B+,31k\n")
    assert [game.black_rank for game in ledger] == [""]
    assert [problem.rejected for problem in ledger.problems] == [True, False, True]


def test_a_date_that_cannot_be_meant_is_unknown_and_reported(table: Path) -> None:
    ledger = reading(
        table, f"{HEAD}1500-01-01,Alice,Bob,B+\n2999,Alice,Bob,B+\n31.12.2020,Alice,Bob,B+\n2020-02-30,Bob,Alice,B+\n"
    )
    assert [str(game.date) for game in ledger] == ["None", "None", "2020-12-31"]
    assert [(problem.line, problem.rejected) for problem in ledger.problems] == [(2, False), (3, False), (5, True)]


def test_more_than_nine_stones_are_kept_with_a_warning(table: Path) -> None:
    ledger = reading(table, "black,white,result,handicap\nAlice,Bob,B+,13\n")
    assert ledger[0].handicap == 13
    assert not ledger.problems[0].rejected


def test_a_game_that_ids_make_one_against_oneself_is_rejected(table: Path) -> None:
    rows = "Alice,Bob,B+,egd:1,\nAlicia,Bob,W+,egd:1,\nAlice,Alicia,B+,,\n"
    ledger = reading(table, "black,white,result,black_id,white_id\n" + rows)
    assert pairs(ledger) == [("Alice", "Bob", "B+"), ("Alice", "Bob", "W+")]
    assert report(ledger) == ["games.csv line 4: white 'Alice' is not another player than black"]


def test_a_word_after_the_plus_sign_goes_to_the_notes(table: Path) -> None:
    ledger = reading(table, "black,white,result,notes\nAlice,Bob,B+Offline,late\nAlice,Bob,W+R,\n")
    assert [(str(game.result), game.notes) for game in ledger] == [("B+", "late Offline"), ("W+R", "")]


def test_sums_are_as_many_games(table: Path) -> None:
    ledger = reading(
        table, "black,white,black_wins,draws,games,komi\nAlice,Bob,2,1,4,6.5\nBob,Carol,0,,1,\nCarol,Bob,0,0,0,\n"
    )
    alice_bob = [("Alice", "Bob", result) for result in ("B+", "B+", "jigo", "W+")]
    assert pairs(ledger) == [*alice_bob, ("Bob", "Carol", "W+")]
    assert ledger.games["line"].to_list() == [2, 2, 2, 2, 3]
    assert ledger.games["komi"].to_list() == [6.5, 6.5, 6.5, 6.5, None]
    assert not ledger.arrays.dated.any()


def test_sums_that_do_not_add_up_are_rejected(table: Path) -> None:
    rows = "Alice,Bob,3,2\nAlice,Bob,-1,2\nAlice,,1,2\nAlice,Bob,1,9999999999\nAlice,Bob,1,1\n"
    ledger = reading(table, "black,white,black_wins,games\n" + rows)
    assert len(ledger) == 1
    assert report(ledger) == [
        "games.csv line 2: games '2' is not 3 or more, as many as won and drawn",
        "games.csv line 3: black_wins '-1' is not a whole number from 0 to 2000000",
        "games.csv line 4: white '' is not filled in; every game needs it",
        "games.csv line 5: games '9999999999' is not a whole number from 0 to 2000000",
    ]


def test_sums_of_too_many_games_are_refused(table: Path) -> None:
    message = refusal(table, "black,white,black_wins,games\n" + "Alice,Bob,0,2000000\n" * 2)
    assert message == "games.csv line 3: more than 2,000,000 games in one file; --allow games=NUMBER raises the limit"


def test_limits_are_given_by_name(table: Path) -> None:
    table.write_text("black,white,black_wins,games\n" + "Alice,Bob,0,2000000\n" * 2)
    with pytest.raises(InputError, match="more than 3,999,999 games"):
        read(table, limits={"games": 3_999_999})
    with pytest.raises(InputError, match=r"limit 'game' is not one of text, .*games"):
        read(table, limits={"game": 5})
    for number in (0, "5", 2.5):
        with pytest.raises(InputError, match=f"limit games is {number!r}, not a whole number above 0"):
            read(table, limits={"games": number})  # type: ignore[dict-item]


def test_strict_refuses_the_file_with_the_first_reasons_and_the_count(table: Path) -> None:
    text = HEAD + ",Alice,Bob,X\n" * 7
    message = refusal(table, text, strict=True)
    assert message.startswith("7 rows cannot be read: ")
    assert message.count("result 'X' is not") == 5
    assert refusal(table, HEAD + ",Alice,Bob,X\n", strict=True).startswith("1 row cannot be read: ")
    assert len(reading(table, f"{HEAD},Alice,Bob,B+\n", strict=True)) == 1


def test_repeated_rows_are_kept_unless_asked_otherwise(table: Path) -> None:
    text = HEAD + "2024-05-01,Alice,Bob,B+R\n2024-05-01,Bob,Alice,B+R\n2024-05-01,Alice,Bob,B+R\n"
    assert len(reading(table, text)) == 3
    ledger = reading(table, text, dedupe=True)
    assert pairs(ledger) == [("Alice", "Bob", "B+R"), ("Bob", "Alice", "B+R")]
    assert report(ledger) == ["games.csv: 1 repeated row left out; every game stands once"]
    assert len(read([table, table], dedupe=True)) == 2


@pytest.mark.parametrize("text", ["", "\n", " \r\n\n", "\ufeff"])
def test_an_empty_file_is_an_error(table: Path, text: str) -> None:
    assert refusal(table, text).startswith("games.csv is empty;")


def test_a_header_alone_is_an_empty_ledger(table: Path) -> None:
    assert reading(table, HEAD) == Ledger.of([])
    assert reading(table, HEAD.strip()) == Ledger.of([])


def test_files_that_are_none_are_errors(tmp_path: Path) -> None:
    for path, message in ((tmp_path / "none.csv", "there is no such file"), (tmp_path, "holds no file of games")):
        with pytest.raises(InputError, match=message):
            read(path)
    with pytest.raises(InputError, match="no file was given"):
        read([])


def test_a_slip_in_the_name_of_a_file_is_answered_with_the_names_beside_it(tmp_path: Path) -> None:
    for name in ("games.csv", "members.ods", "gamma.txt"):
        (tmp_path / name).write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=r"gmaes\.csv: there is no such file; did you mean games\.csv\?$"):
        read(tmp_path / "gmaes.csv")
    with pytest.raises(InputError, match=r"club\.csv: there is no such file$"):
        read(tmp_path / "nowhere" / "club.csv")


def test_a_file_that_may_not_be_read_is_an_error(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(path: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", closed)
    with pytest.raises(InputError, match=r"games\.csv cannot be read: Permission denied"):
        read(table)


def test_a_line_over_the_limit_is_refused(table: Path) -> None:
    row = ",Alice,Bob,B+" + " " * ((1 << 20) - 13)
    assert len(row) == 1 << 20
    assert len(reading(table, f"{HEAD}{row}\n{row}\r\n{row}")) == 3
    message = refusal(table, f"{HEAD}{row} \n")
    assert message == "games.csv: more than 1,048,576 bytes in one line; --allow line=NUMBER raises the limit"


def test_too_many_columns_are_refused(table: Path) -> None:
    names = ["black", "white", "result", *(f"extra{number}" for number in range(9_998))]
    message = refusal(table, ",".join(names) + "\n")
    assert message == "games.csv line 1: 10001 columns are more than 10000, the limit"
    assert len(reading(table, ",".join(names[:-1]) + "\nAlice,Bob,B+\n")) == 1


def test_a_packed_file_that_grows_beyond_all_bounds_is_refused(table: Path) -> None:
    message = refusal(table, gzip.compress((HEAD + ",Alice,Bob,B+R\n" * 5_000_000).encode(), 9))
    assert (
        message == "games.csv: more than 200 unpacked bytes for each packed one; --allow ratio=NUMBER raises the limit"
    )


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data[:12] + b"xxxx" + data[16:]])
def test_a_damaged_packed_file_is_refused(table: Path, damage: object) -> None:
    data = gzip.compress(f"{HEAD},Alice,Bob,B+R\n".encode())
    assert callable(damage)
    assert refusal(table, damage(data)).startswith("games.csv is a damaged gzip file: ")


def test_a_damaged_parquet_file_is_refused(table: Path) -> None:
    assert refusal(table, b"PAR1 and no more").startswith("games.csv is a damaged Parquet file: ")


def test_the_path_is_named_as_the_user_named_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.csv.gz").write_bytes(gzip.compress(f"{HEAD},Alice,Bob,X\n".encode()))
    ledger = read("games.csv.gz")
    assert ledger.problems[0].source == "games.csv.gz"
    assert ledger.problems[0].line == 2


def test_of_many_different_bad_cells_a_thousand_are_reported_each_with_its_line_and_the_others_counted(
    table: Path,
) -> None:
    ledger = reading(table, HEAD + "".join(f",Alice,Bob,X{number}\n" for number in range(3_000)))
    rest, *each = ledger.problems
    assert "2,000 more rows in which result is not a result" in str(rest)
    assert [(problem.line, problem.found) for problem in each] == [(n + 2, f"X{n}") for n in range(1_000)]


def test_a_typed_result_needs_no_file() -> None:
    frame = pl.DataFrame({"black": ["Alice"], "white": ["Bob"], "result": ["1-0"]})
    assert read(frame)[0].result == Result.parse("B+")


def test_repeated_numbers_and_dates_of_a_frame_are_read_as_their_text_would_be() -> None:
    # columns in which values repeat take another way through the reader than columns of text
    rows = 200
    frame = pl.DataFrame(
        {
            "date": [[date(2025, 5, 3), date(1492, 1, 1), None, date(2025, 5, 4)][row % 4] for row in range(rows)],
            "black": [row % 7 for row in range(rows)],
            "white": [10 + row % 5 for row in range(rows)],
            "result": ["B+"] * rows,
            "handicap": [[0, 2, -3, None, 12][row % 5] for row in range(rows)],
            "komi": [[6.5, float("nan"), 1e9, 0.5][row % 4] for row in range(rows)],
            "size": [[19, 9, 1][row % 3] for row in range(rows)],
            "round": [[None, 1, 2][row % 3] for row in range(rows)],
            "moves": [[-1, 250][row % 2] for row in range(rows)],
        }
    )
    text = frame.with_columns(
        pl.col("date").dt.strftime("%Y-%m-%d"),
        pl.col("komi").fill_nan(None).cast(pl.String).str.strip_suffix(".0"),
        pl.col("black", "white", "handicap", "size", "round", "moves").cast(pl.String),
    )
    one, other = read(frame), read(text)
    assert len(one) > 0
    assert one == other
    assert [str(problem) for problem in one.problems] == [str(problem) for problem in other.problems]
    assert one.problems


def test_a_result_without_colours_stays_one_beside_results_of_every_kind(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    rows = ["P1+40.5", "P2+R", "P=", "both-win", "both-lose", "void", "?", "jigo", "B+2"]
    file.write_text("black,white,result\n" + "".join(f"A,B,{row}\n" for row in rows), encoding="utf-8")
    assert read(file, strict=True).games["result"].to_list() == rows


def test_lines_with_text_are_numbered_as_when_all_are_gone_through() -> None:
    dice = random.Random(1)
    for _ in range(2000):
        data = bytes(dice.choices(b'\r\n\n\r ;ab"|,\t', k=dice.randrange(30)))
        lines = enumerate(re.finditer(rb"([^\r\n]*)(\r\n|\r|\n|\Z)", data), 1)
        whole = [(number, line.end(), line[1].decode()) for number, line in lines if line[1].strip(b' ;,\t|"')]
        assert list(_lines(data)) == whole


@pytest.mark.parametrize(
    "text",
    [
        "Name,Rank,Club\nAda,3d,Ume\n", "Name;Rating\nAda;2100\n", "氏名,段位\n山田,3段\n",
        "Player,Rating,Country\nAda,3k,X\n", "Nachname;Vorname;Verein\nMoor;Ada;Ume\n",
        '[{"name": "Moor", "firstname": "Ada", "rating": 2300, "licence": "1800001", "club": "Ume"}]',
    ],
)  # fmt: skip
def test_a_list_of_players_is_refused_as_one(text: str) -> None:
    with pytest.raises(InputError, match="is a list of players and holds no games"):
        read(text.encode())


@pytest.mark.parametrize("text", ["Name,Wins\nAda,3\n", "Name,Opponent,Club\nAda,Bo,Ume\n", "Black,Club\nAda,Ume\n"])
def test_a_table_in_which_a_game_may_stand_is_asked_for_its_columns(text: str) -> None:
    with pytest.raises(InputError, match=r"no columns? "):
        read(text.encode())


def test_a_readme_beside_games_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text("black,white,result\nAda,Bo,B+\n", encoding="utf-8")
    for name in ("readme.txt", "README", "License.txt"):
        (tmp_path / name).write_text("hello, all\n", encoding="utf-8")
    assert [problem.rejected for problem in read(tmp_path).problems] == [False]
    (tmp_path / "notes.txt").write_text("hello, all\n", encoding="utf-8")
    assert any(problem.rejected for problem in read(tmp_path).problems)


@pytest.mark.parametrize("head", ["date,black,white,result", "Date;Player 1;Player 2;Winner;Note"])
def test_rows_of_sums_are_no_games_and_named_once(table: Path, head: str) -> None:
    mark = ";" if ";" in head else ","
    rows = ["2026-01-01,Ada,Bo,Ada", "Total,,,1", "2026-01-02,Ada,Bo,Bo", "Sum,,,2"]
    if mark == ",":
        rows = [row.replace("Ada,Bo,Ada", "Ada,Bo,B+").replace("Ada,Bo,Bo", "Ada,Bo,W+") for row in rows]
    ledger = reading(table, "\n".join([head, *(row.replace(",", mark) for row in rows)]) + "\n")
    assert [str(game.result) for game in ledger] == (["B+", "W+"] if mark == "," else ["P1+", "P2+"])
    sums = [each for each in ledger.problems if "rows of sums" in str(each)]
    assert [(each.line, each.rejected, str(each).partition(": ")[2]) for each in sums] == [
        (3, False, "2 rows of sums are passed over")
    ]
    assert not [each for each in ledger.problems if each.rejected]


@pytest.mark.parametrize(
    "row",
    [
        "Summe;;;;12", "Total:;;;;12", ";Insgesamt;;;12", ";Σ;;;12", "合計;;;;12", "合计;2;2;;12", "합계;;;;12",
        ";;;;12", "Total 2;;;1-1;",
    ],
)  # fmt: skip
def test_check_passes_over_a_row_of_sums_and_says_so(tmp_path: Path, row: str) -> None:
    table = tmp_path / "evening.csv"
    games = "Datum;Schwarz;Weiß;Ergebnis;Vorgabe\n3.9.2026;Ada;Bo;S+3,5;5\n4.9.2026;Cy;Bo;W+R;7\n"
    table.write_text(f"{games}{row}\n", encoding="utf-8")
    answer = run("check", table)
    assert answer.status == 0
    assert f"warning: {table} line 4: 1 row of sums is passed over" in answer.err
    assert [(game.black, game.handicap) for game in read(table)] == [("Ada", 5), ("Cy", 7)]


@pytest.mark.parametrize(
    ("row", "games"),
    [
        ("4.9.2026;Total;Bo;S+R;", 2),  # somebody is called so
        ("4.9.2026;Suma;Gesamt;S+R;2", 2),
        ("4.9.2026;Total;Bo;;2", 1),  # a game without its result, which is rejected
    ],
)
def test_whoever_is_called_like_a_sum_plays(tmp_path: Path, row: str, games: int) -> None:
    table = tmp_path / "evening.csv"
    table.write_text(f"Datum;Schwarz;Weiß;Ergebnis;Vorgabe\n3.9.2026;Ada;Bo;S+3,5;5\n{row}\n", encoding="utf-8")
    answer = run("check", table)
    assert "row of sums" not in answer.err
    assert (answer.status, len(read(table))) == (2 - games, games)


def test_a_row_of_sums_in_a_list_is_no_player(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text("black,white,result\nAda,Bo,B+\n", encoding="utf-8")
    rows = "Ada;3k;1500\nBo;2k;1600\nTotal;1d;1700\nSumme;;4800\nTotal (3);;\n"
    (tmp_path / "list.csv").write_text(f"Name;Rang;Punkte\n{rows}", encoding="utf-8")
    assert [each.name for each in read_players([tmp_path / "list.csv"])] == ["Ada", "Bo", "Total"]
    answer = run("check", tmp_path / "games.csv", tmp_path / "list.csv")
    assert "2 rows of sums are passed over" in answer.err


def test_a_row_of_sums_below_standings_is_no_player(tmp_path: Path) -> None:
    table = tmp_path / "standings.csv"
    rows = "1;Ada;3k;2+/b0;1\n2;Bo;2k;1-/w0;0\n;Summe;;;1\n"
    table.write_text(f"Pl;Name;Rang;1;Punkte\n{rows}", encoding="utf-8")
    ledger = read(table, date="2026-05-01")
    assert [each.player.name for each in ledger.events[0].participants] == ["Ada", "Bo"]
    assert any("the text below the table is passed over: Summe 1" in str(each) for each in ledger.problems)


@pytest.mark.parametrize(
    ("cells", "head", "days"),
    [
        (("3 May", "10 May"), "Date,Black,White,Result", ["2026-05-03", "2026-05-10"]),
        (("3.5.", "14.5."), "Datum,Schwarz,Weiß,Ergebnis", ["2026-05-03", "2026-05-14"]),
        (("05/13", "05/14 19:30"), "Date,Black,White,Result", ["2026-05-13", "2026-05-14 19:30"]),
        (("5月3日", "5/4"), "日付,黒,白,結果", ["2026-05-03", "2026-05-04"]),
        (("29 Feb", "Sat 1 March 2025"), "date,black,white,result", ["", "2025-03-01"]),
    ],
)
def test_days_without_a_year_are_of_the_year_that_is_given(
    table: Path, cells: tuple[str, ...], head: str, days: list[str]
) -> None:
    text = "\n".join([head, *(f"{cell},Ada,Bo,jigo" for cell in cells)]) + "\n"
    ledger = reading(table, text, date="2026")
    assert {str(game.date) for game in ledger} == {day for day in days if day}
    in_path = table.with_name("2026")
    in_path.mkdir()
    assert {str(game.date) for game in reading(in_path / "games.csv", text, date_from_path=True)} == {*days} - {""}
    bad = [each for each in reading(table, text).problems if each.rejected]
    assert {each.expected for each in bad} == {"a date with its year, such as 2026-05-01 (--date gives the year)"}


def test_the_order_of_days_without_a_year_is_asked_for_where_it_is_open(table: Path) -> None:
    text = "Date,Black,White,Result\n03/05,Ada,Bo,B+\n04-06,Ada,Bo,B+\n"
    assert "is '03/05' 2026-05-03 or 2026-03-05?" in refusal(table, text, date="2026")
    assert [str(game.date) for game in reading(table, text, date="2026", dates="mdy")] == ["2026-03-05", "2026-04-06"]


def test_a_note_that_a_game_was_not_played_is_said_beside_a_result_that_counts(table: Path) -> None:
    head, rows = "Datum,Schwarz,Weiß,Ergebnis,Bemerkung\n", ("kampflos", "schöne Partie", "Kampflos ", "")
    games = "".join(f"2026-03-0{day},Anna,Ben,1-0,{note}\n" for day, note in enumerate(rows, 1))
    ledger = reading(table, head + games)
    (remark,) = [line for line in report(ledger) if "kampflos" in line]
    assert "stands in the notes of 2 games that count as played; B+F is a forfeit" in remark
    assert [str(game.result) for game in ledger] == ["B+"] * 4
    assert not any("kampflos" in line for line in report(reading(table, head + games.replace("1-0", "S+F"))))
