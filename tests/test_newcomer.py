"""The first minutes with the command line: help, examples, something to try, a sheet to fill, and `handan.toml`."""

from __future__ import annotations

import io
import shlex
import sqlite3
import subprocess
import sys
import tomllib
import zipfile
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from handan.cli import root
from handan.cli.config import NAME
from handan.cli.help import EXAMPLES
from tests.command_line import run

COMMANDS = sorted(name for name, each in root().commands.items() if not hasattr(each, "commands"))
WITHOUT = {"serve", "tune", "verify"}  # their examples would need a server, more games, and a list that one has made

WITH_MORE_GAMES = {"fit-card", "append"}  # a hundred at least, and those of a later day
WITH_SAVED_RATINGS = {"add"}  # its examples follow each other: tests/test_cli_saved.py


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert run("example", ".").status == 0
    return tmp_path


@pytest.mark.extended
@pytest.mark.parametrize(
    "line",
    [line for name, lines in EXAMPLES.items() if name not in WITH_MORE_GAMES | WITH_SAVED_RATINGS for line in lines],
)
def test_every_example_of_the_help_runs_in_the_example_club(club: Path, line: str) -> None:
    if "games.ledger" in line and "build" not in line:
        assert run("ledger", "build", "games.csv", "-o", "games.ledger").status == 0
    if "other.csv" in line:
        (club / "other.csv").write_bytes((club / "games.csv").read_bytes())
    if "right.csv" in line:  # the first game, which White has won
        head, first = (club / "games.csv").read_text(encoding="utf-8").splitlines()[:2]
        (club / "right.csv").write_text(f"{head}\n{first.replace('B+', 'W+')}\n", encoding="utf-8")
    answer = run(*shlex.split(line)[1:])
    assert answer.status in {0, 1}, answer.err  # 1: a file beside the games that holds none
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_short_help_option_and_examples(command: str) -> None:
    short, long, by_name = run(command, "-h"), run(command, "--help"), run("help", command)
    assert short.out == long.out == by_name.out
    if command not in WITHOUT:
        assert "\nExamples:\n" in short.out


def test_handan_alone_says_where_to_begin() -> None:
    answer = run()
    assert answer.out.startswith("Begin here:\n  handan example")


def test_nothing_is_written_over_unasked(club: Path) -> None:
    (club / "games.csv").write_text("mine", encoding="utf-8")
    assert run("example", ".").status == 2
    assert run("template").status == 2
    assert (club / "games.csv").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("rat", "games.csv"), "Did you mean 'rate'"),
        (("rate",), "handan rate games.csv --system sagc"),
        (("rate", "games.csv"), "points or sagc for a club, egf or aga for a federation"),
        (("rate", "games.csv", "-s", "EGFF"), "did you mean egf"),
        (("rate", "games.csv", "-s", "elo", "--set", "KK=3"), "did you mean k"),
        (("rate", "games.csv", "-s", "elo", "-f", "yaml"), "'markdown'"),
        (("rate", "games.csv", "-s", "elo", "--limit", "0"), "--limit"),
        (("handicap", "1", "2", "--card", "Tokio15"), "did you mean tokyo15"),
        (("rate", "ftp://example.org/games.csv", "-s", "elo"), "s3, gs, az and https are"),
    ],
)
def test_a_slip_is_answered_with_what_was_meant(club: Path, arguments: tuple[str, ...], words: str) -> None:
    answer = run(*arguments)
    assert (answer.status, answer.out) == (2, "")
    assert words in answer.err
    assert answer.err.count("\n") == 1
    for leak in ("Value error", "Input should", "pydantic", "unable to parse"):
        assert leak not in answer.err


def test_names_are_taken_in_any_capitals(club: Path) -> None:
    assert run("RATE", "games.csv", "--system", "EGF").out == run("rate", "games.csv", "--system", "egf").out
    assert run("card", "Tokyo15").out == run("card", "tokyo15").out


def test_quiet_keeps_warnings_back_but_not_errors(club: Path) -> None:
    (club / "twice.csv").write_text("date,black,white,result\n2026-01-01,A,B,B+\n2026-01-01,A,B,B+\n", encoding="utf-8")
    assert "repeat" in run("rate", "twice.csv", "-s", "elo").err
    assert run("rate", "twice.csv", "-s", "elo", "--quiet").err == ""
    assert "no such file" in run("rate", "nowhere.csv", "-s", "elo", "-q").err


@pytest.mark.parametrize("form", ["markdown", "html", "jsonl"])
@pytest.mark.parametrize(
    "line",
    [
        "rate games.csv -s elo", "history games.csv -s elo -p Alice", "explain games.csv -s elo -p Alice", "systems",
        "card tokyo15", "players games.csv", "handicap 1 30 --card tokyo15", "odds 2d 2k -s igs", "odds --table",
        "rank 3k", "rank 3k --from kgs --to egf",
    ],
)  # fmt: skip
def test_every_answer_has_every_form(club: Path, line: str, form: str) -> None:
    answer = run(*line.split(), "-f", form)
    assert answer.status == 0, answer.err
    if form == "html":
        ET.fromstring(f"<div>{answer.out.replace('<br>', '<br/>')}</div>")  # our own output
    if form == "jsonl":
        assert all(row.startswith("{") for row in answer.out.splitlines())


def test_markdown_cells_mean_nothing_to_markdown(tmp_path: Path) -> None:
    played = tmp_path / "games.csv"
    played.write_text("black,white,result\nA|b *c* <i>,D,B+\n", encoding="utf-8")
    row = run("rate", played, "-s", "elo", "-f", "markdown").out.splitlines()[2]
    assert r"A\|b \*c\* &lt;i\>" in row


def test_a_filled_template_is_rated(club: Path) -> None:
    sheet = club / "season.csv"
    assert run("template", "-o", sheet).status == 0
    with sheet.open("a", encoding="utf-8") as file:
        file.write("2026-09-02,Ann,Ben,B+R,2,0.5,club,,,\n")
    assert run("rate", sheet, "-s", "elo", "-f", "json").json["rated"] == 1


def test_the_excel_template_is_a_workbook_with_the_same_columns(club: Path) -> None:
    assert run("template", "--for", "excel").status == 0
    with zipfile.ZipFile(io.BytesIO((club / "games.xlsx").read_bytes())) as book:
        for name in book.namelist():
            ET.fromstring(book.read(name))  # our own output
        texts = [cell.text for cell in ET.fromstring(book.read("xl/worksheets/sheet1.xml")).iter() if cell.text]
    assert texts == run("template", "-o", "-").out.strip().split(",")


def test_what_was_set_up_is_taken_by_every_command_and_said(club: Path) -> None:
    made = run(
        "init",
        ".",
        "--system",
        "points",
        "--card",
        "tokyo15",
        "--adjustments",
        "adjustments.csv",
        "--set",
        "step_low=2",
    )
    assert made.status == 0, made.err
    answer = run("rate", "games.csv", "-f", "json")
    by_hand = run(
        "rate", "games.csv", "-f", "json", "-s", "points", "--set", "card=tokyo15", "--set", "step_low=2",
        "--adjustments", "adjustments.csv",
    )  # fmt: skip
    assert answer.json == by_hand.json
    assert f"using {NAME}: system points, card tokyo15" in answer.err
    assert "using" not in run("rate", "games.csv", "-q").err
    for line in ("history games.csv --all", "explain games.csv -p Alice", "check games.csv", "players games.csv"):
        assert f"using {NAME}" in run(*line.split()).err, line


def test_the_rules_of_a_folder_are_those_of_commands_without_files_there(club: Path) -> None:
    (club / "handan.toml").write_text(
        'system = "points"\ncard = "tokyo15"\nadjustments = "none.csv"\n', encoding="utf-8"
    )
    assert run("handicap", "215", "238").out.startswith("Black: 215, 2 stones, White gives 1.5")
    assert run("handicap", "215", "238", "--card", "tagajo12").out.startswith("Black: 215, 2 stones, White gives 5")
    assert run("print", "poster", "-o", "poster.html").status == 0
    assert "15 points a stone" in (club / "poster.html").read_text(encoding="utf-8")


def test_options_go_before_the_file_and_the_file_before_the_defaults(club: Path) -> None:
    (club / NAME).write_text('system = "elo"\n[settings]\nk = 40\nk_new = 40\n', encoding="utf-8")
    assert run("rate", "games.csv", "-f", "json").json["settings"]["k"] == 40
    assert run("rate", "games.csv", "-f", "json", "--set", "k=10").json["settings"]["k"] == 10
    other = run("rate", "games.csv", "-f", "json", "--system", "egf").json
    assert other["system"] == "egf"  # whose settings are not those of elo


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('sytem = "elo"', "did you mean system"),
        ("system = 3", "system is not text in quotes"),
        ("system = ", NAME),
        ('system = "ello"', "did you mean elo"),
        ('adjustments = "nowhere.csv"\nsystem = "elo"', "no such file"),
    ],
)
def test_a_file_that_cannot_be_is_refused_in_one_line(club: Path, text: str, words: str) -> None:
    (club / NAME).write_text(text, encoding="utf-8")
    answer = run("rate", "games.csv")
    assert (answer.status, answer.out) == (2, "")
    assert words in answer.err.splitlines()[-1]


def test_an_unreadable_rule_is_not_written_down(club: Path) -> None:
    assert run("init", ".", "--system", "elo", "--set", "kk=3").status == 2
    assert not (club / NAME).exists()
    assert run("init", ".", "--system", "elo").status == 0
    assert run("init", ".", "--system", "egf").status == 2
    assert "elo" in (club / NAME).read_text(encoding="utf-8")


def test_a_file_is_named_from_the_folder_in_which_the_games_are(club: Path) -> None:
    assert run("example", "lake").status == 0
    assert run("init", "lake", "--system", "sagc", "--adjustments", "lake/adjustments.csv").status == 0
    assert 'adjustments = "adjustments.csv"' in (club / "lake" / NAME).read_text(encoding="utf-8")
    elsewhere = club / "adjustments.csv"
    assert run("init", "lake", "--system", "sagc", "--adjustments", elsewhere, "--force").status == 0
    assert run("rate", "lake/games.csv").status == 0


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
def test_somebody_at_a_terminal_is_asked(club: Path) -> None:
    import os
    import pty

    main_end, terminal = pty.openpty()
    os.write(main_end, b'The "Lake" Club\npoints\ntokyo15\n\n')
    command = [sys.executable, "-m", "handan", "init"]
    answer = subprocess.run(command, stdin=terminal, capture_output=True, check=False)
    os.close(terminal)
    os.close(main_end)
    assert (answer.returncode, answer.stdout.strip()) == (0, b"")
    written = tomllib.loads((club / NAME).read_text(encoding="utf-8"))
    assert written == {
        "title": 'The "Lake" Club', "system": "points", "card": "tokyo15", "adjustments": "adjustments.csv",
    }  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
def test_on_a_terminal_the_next_step_is_named(club: Path) -> None:
    import os
    import pty

    main_end, terminal = pty.openpty()
    command = [sys.executable, "-m", "handan", "rate", "games.csv", "-s", "elo"]
    answer = subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, check=False)
    os.close(terminal)
    assert answer.returncode == 0
    assert "why? handan explain games.csv --system elo --player Haruto" in os.read(main_end, 65536).decode()
    os.close(main_end)


def test_standard_input_and_a_database_take_the_rules_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "handan.toml").write_text('system = "elo"\n[columns]\nblack = "Noir"\n', encoding="utf-8")
    answer = run("rate", "-", "-f", "json", stdin=b"Noir,white,result\nAda,Bo,B+R\n")
    assert (answer.json["system"], [row["player"] for row in answer.json["players"]]) == ("elo", ["Ada", "Bo"])
    assert "using handan.toml: system elo" in answer.err
    with closing(sqlite3.connect(tmp_path / "server.db")) as connection:
        connection.execute("create table games (Noir, white, result)")
        connection.execute("insert into games values ('Ada', 'Bo', 'B+R')")
        connection.commit()
    answer = run("rate", "sqlite:///server.db", "--query", "select * from games", "-f", "json")
    assert [row["player"] for row in answer.json["players"]] == ["Ada", "Bo"]
