"""How commands on files end: 0 all was read, 1 something was left out, 2 nothing was rated; the same for all."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from handan.cli.output_files import refuse_unwritable
from handan.errors import InputError
from handan.files import read
from tests.command_line import Run, adjustments, games, run

GOOD = ("2026-05-01,Ada,Bo,B+R,0,6.5,club", "2026-05-02,Bo,Ada,W+3.5,0,6.5,club")
BAD = "2026-05-03,Bo,Ada,X+3,0,6.5,club"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
SPREADSHEET = "application/vnd.oasis.opendocument.spreadsheet"
COMMANDS = ("rate", "explain", "history", "check", "convert")


def ended(command: str, file: Path, *options: str) -> Run:
    """Run a command on a file with what else it needs."""
    player = ("--player", "Ada")
    more = {
        "rate": ("--system", "elo"),
        "explain": ("--system", "elo", *player),
        "history": ("--system", "elo", *player),
        "check": (),
        "convert": (file.with_name("converted.parquet"),),
    }[command]
    return run(command, file, *more, *options)


def workbook(member: str, content: str = "") -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(member, content)
        archive.writestr("_rels/.rels", "<x/>")
    return data.getvalue()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_read_in_full_ends_with_0(command: str, tmp_path: Path) -> None:
    assert ended(command, games(tmp_path / "a.csv", *GOOD)).status == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_a_row_left_out_ends_with_1_and_the_rest_is_there(command: str, tmp_path: Path) -> None:
    answer = ended(command, games(tmp_path / "a.csv", *GOOD, BAD))
    assert answer.status == 1
    assert "line 4: result 'X+3'" in answer.err
    assert answer.out or command == "convert"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_column_that_is_ignored_is_only_a_warning(command: str, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("black,white,result,referee\nAda,Bo,B+,Chidi\n", encoding="utf-8")
    answer = ended(command, file)
    assert answer.status == 0
    assert "warning: " in answer.err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("rows", [(), (BAD, BAD)], ids=["header alone", "bad rows alone"])
def test_nothing_rated_ends_with_2(command: str, rows: tuple[str, ...], tmp_path: Path) -> None:
    answer = ended(command, games(tmp_path / "a.csv", *rows))
    assert answer.status == 2
    assert "handan: " in answer.err
    assert not (tmp_path / "converted.parquet").exists()


def test_games_of_which_none_counts_are_said_to_be_unrated(tmp_path: Path) -> None:
    answer = run("rate", games(tmp_path / "a.csv", "2026-05-01,Ada,Bo,W+F,,,club"), "--system", "elo")
    assert answer.status == 2
    assert answer.err.splitlines()[-1] == "handan: no game was rated: 1 decided without play"


def test_a_list_before_the_first_game_says_so(tmp_path: Path) -> None:
    answer = run("rate", games(tmp_path / "a.csv", *GOOD), "--system", "elo", "--as-of", "1900-01-01")
    assert answer.status == 2
    assert "no game was played up to 1900-01-01; the first is of 2026-05-01" in answer.err


def test_games_without_a_date_are_counted_when_a_list_is_of_a_day(tmp_path: Path) -> None:
    file = games(tmp_path / "a.csv", *GOOD, ",Bo,Ada,W+,,,")
    answer = run("rate", file, "--system", "elo", "--as-of", "2026-12-31")
    assert "warning: 1 game without a date left out of the list of 2026-12-31" in answer.err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("club.xlsx", workbook("xl/workbook.xml"), "an Excel workbook"),
        ("club.xls", OLE + bytes(600) + "Workbook".encode("utf-16-le"), "an Excel workbook of before 2007"),
        ("club.ods", workbook("mimetype", SPREADSHEET), "an OpenDocument spreadsheet"),
        ("club.csv", workbook("xl/workbook.xml"), "an Excel workbook"),
    ],
    ids=["xlsx", "xls", "ods", "another ending"],
)  # fmt: skip
def test_a_workbook_that_cannot_be_read_is_refused_in_one_line_that_says_what_to_do(
    command: str, name: str, data: bytes, kind: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_bytes(data)
    answer = ended(command, file)
    assert answer.status == 2
    lines = [line for line in answer.err.splitlines() if "save it as CSV UTF-8" in line]
    assert len(lines) == 1
    assert f"{file} is {kind}: " in lines[0]
    assert command == "check" or len(answer.err.splitlines()) == 1


def test_a_workbook_in_a_folder_does_not_hide_the_other_files(tmp_path: Path) -> None:
    games(tmp_path / "a.csv", *GOOD)
    (tmp_path / "b.xlsx").write_bytes(workbook("xl/workbook.xml"))
    answer = run("rate", tmp_path, "--system", "elo", "--format", "json")
    assert (answer.status, answer.json["games"]) == (1, 2)
    assert "b.xlsx: is an Excel workbook" in answer.err


@pytest.mark.parametrize("command", ["rate", "check"])
def test_foreign_files_of_a_folder_are_counted_in_one_line(command: str, tmp_path: Path) -> None:
    games(tmp_path / "a.csv", *GOOD)
    for name in ("README.md", "LICENSE", "script.py"):
        (tmp_path / name).write_text("Nothing of games.\n", encoding="utf-8")
    answer = ended(command, tmp_path)
    assert answer.status == 0
    (line,) = [line for line in answer.err.splitlines() if "passed over" in line]
    assert line == f"warning: {tmp_path}/LICENSE: holds no games and is passed over, like 2 more of such kinds"


def test_a_table_of_a_folder_that_cannot_be_read_is_named_once(tmp_path: Path) -> None:
    games(tmp_path / "a.csv", *GOOD)
    (tmp_path / "b.csv").write_text("ticket,price\nA1,3\n", encoding="utf-8")
    answer = run("rate", tmp_path, "--system", "elo")
    assert answer.status == 1
    (line,) = [line for line in answer.err.splitlines() if "b.csv" in line]
    assert line.count("b.csv") == 1
    assert "line 1: no columns black, white, result in the header 'ticket', 'price'" in line


def test_converting_a_file_onto_itself_is_refused(tmp_path: Path) -> None:
    file = games(tmp_path / "a.csv", *GOOD)
    before = file.read_bytes()
    for sources in ([file], [tmp_path], [tmp_path / "*.csv"]):
        answer = run("convert", *sources, file)
        assert answer.status == 2
        assert "is among the files to read" in answer.err
    assert file.read_bytes() == before


def test_an_address_is_named_as_one() -> None:
    for given in ("ftp://example.org/games.csv", Path("ftp://example.org/games.csv")):
        with pytest.raises(InputError, match=r"^ftp://example\.org/games\.csv: addresses of 'ftp' are not read"):
            read(given)


def test_wildcards_are_read_where_the_shell_leaves_them(tmp_path: Path) -> None:
    for name, row in zip("ab", GOOD, strict=True):
        games(tmp_path / f"{name}.csv", row)
    assert len(read(tmp_path / "*.csv")) == 2
    with pytest.raises(InputError, match="there is no such file"):
        read(tmp_path / "*.tsv")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--format", "yaml"), "'yaml' is not one of 'table', 'json', 'csv', 'jsonl', 'markdown', 'html'."),
        (("--limit", "0"), "Invalid value for '--limit': it should be at least 1"),
        (("--limit", "x"), "Invalid value for '--limit': it should be a whole number"),
        (("--system", "EGFF"), "did you mean egf"),
        (("--system", "points", "--set", "card=tokio15"), "nor a .csv file; did you mean tokyo15?"),
        (("--set", "kk=1"), "elo has no setting 'kk'; did you mean k?"),
        (("--system", "elo", "-s", "egf"), "--system is given twice and takes one value"),
    ],
)
def test_messages_about_options_are_for_users(options: tuple[str, ...], text: str, tmp_path: Path) -> None:
    system = () if "--system" in options else ("--system", "elo")
    answer = run("rate", games(tmp_path / "a.csv", *GOOD), *system, *options)
    assert answer.status == 2
    assert text in answer.err


@pytest.mark.parametrize(
    "command",
    [
        ("compare", "--systems", "elo", "--report"),
        ("fit-card", "--force", "--write"),
        ("report", "--system", "elo", "--out"),
    ],
)
@pytest.mark.parametrize("name", ["a.csv", "hand.csv"])
def test_a_page_or_card_is_never_written_over_what_is_read(command: tuple[str, ...], name: str, tmp_path: Path) -> None:
    file = games(tmp_path / "a.csv", *GOOD * 60)
    by_hand = adjustments(tmp_path / "hand.csv", "Ada,1d,,2026-01-01,")
    before = (tmp_path / name).read_bytes()
    answer = run(command[0], file, "--adjustments", by_hand, *command[1:], tmp_path / name)
    assert (answer.status, answer.out) == (2, "")
    assert "is among the files to read; give the file to write another name" in answer.err
    assert (tmp_path / name).read_bytes() == before


def test_where_no_page_can_be_nothing_is_computed_first(tmp_path: Path) -> None:
    file = games(tmp_path / "a.csv", *GOOD)
    page = tmp_path / "no" / "page.html"
    for command in (("compare", file, "--systems", "elo"), ("stress", "--systems", "elo")):
        answer = run(*command, "--report", page)
        assert (answer.status, answer.out) == (2, "")
        assert answer.err == f"handan: {page} cannot be written: there is no folder {page.parent}\n"


def test_without_the_right_to_write_nothing_is_computed_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root, as tests may run, has every right
    with pytest.raises(InputError, match="cannot be written: there is no right to write to"):
        refuse_unwritable(tmp_path / "page.html")


@pytest.mark.parametrize("system", [(), ("--system", "elo")])
def test_a_file_that_is_not_there_is_said_before_a_system_is_asked_for(system: tuple[str, ...], tmp_path: Path) -> None:
    answer = run("rate", tmp_path / "gmaes.csv", *system)
    assert (answer.status, answer.out) == (2, "")
    assert "gmaes.csv: there is no such file" in answer.err


@pytest.mark.parametrize("content", ["date,black,white,result\n", "Datum;Schwarz;Weiß;Ergebnis\n;;;\n"])
@pytest.mark.parametrize(
    "command", [("rate", "-s", "egf"), ("event", "-s", "egf"), ("what-if", "--from", "egf", "--to", "elo")]
)
def test_headings_alone_are_an_error_and_no_empty_list(command: tuple[str, ...], content: str, tmp_path: Path) -> None:
    table = tmp_path / "empty.csv"
    table.write_text(content, encoding="utf-8")
    answer = run(command[0], table, *command[1:])
    assert (answer.status, answer.out) == (2, "")
    [line] = answer.err.splitlines()
    assert line.startswith("handan: no game was rated")
