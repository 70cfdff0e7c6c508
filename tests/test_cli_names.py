"""Options have one name in all commands, and what counts one of something is said in the singular."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import handan
from handan.cli import root
from tests.command_line import run

ROW = "2026-09-03,Ada,Bo,B+R\n"


@pytest.fixture
def one_game(tmp_path: Path) -> Path:
    path = tmp_path / "games.csv"
    path.write_text(f"date,black,white,result\n{ROW}", encoding="utf-8")
    return path


def test_options_that_mean_the_same_are_called_alike() -> None:
    names: dict[str, set[str]] = {}
    commands = [(name, command) for name, command in root().commands.items()]
    for name, command in commands:
        for inner in getattr(command, "commands", {name: command}).values():
            for item in inner.params:
                for short in [option for option in item.opts if re.fullmatch("-[a-z]", option)]:
                    names.setdefault(short, set()).update(set(item.opts) - {short})
    assert names.pop("-s") == {"--system", "--systems"}  # one, and many by commas
    assert {short: len(long) for short, long in names.items()} == dict.fromkeys(names, 1)
    assert names["-o"] == {"--output"}


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        (("stress", "--systems=elo", "-q"), ("stress", "--system", "elo", "-q")),
        (("compare", "FILE", "--systems", "elo,egf"), ("compare", "FILE", "--system=elo,egf")),
        (("convert", "FILE", "--output", "-", "--to", ".csv"), ("convert", "FILE", "--out", "-", "--to", ".csv")),
    ],
)
def test_an_option_is_understood_by_the_name_that_another_command_has_for_it(
    mine: tuple[str, ...], other: tuple[str, ...], one_game: Path
) -> None:
    one, same = (
        run(*(one_game if text == "FILE" else text for text in command)) for command in (mine, other)
    )  # fmt: skip
    assert (one.status, one.out) == (same.status, same.out)
    assert "No such option" not in same.err
    assert "--out " not in run(mine[0], "-h").out


def test_papers_bear_the_name_of_the_club_in_its_configuration(one_game: Path, tmp_path: Path) -> None:
    (tmp_path / "handan.toml").write_text('title = "Seven Stars"\nsystem = "elo"\n', encoding="utf-8")
    page = tmp_path / "cards.html"
    assert run("print", "cards", one_game, "--card", "tokyo15", "--out", page).status == 0
    assert "Seven Stars" in page.read_text(encoding="utf-8")
    assert run("print", "cards", one_game, "--card", "tokyo15", "--name", "Other", "-o", page).status == 0
    assert "Other" in page.read_text(encoding="utf-8")


PLURAL_OF_ONE = re.compile(r"(?<![\d.,])1 (?!is\b|was\b|has\b|less\b|of\b|and\b)(?:more )?[a-z]+s\b")


def test_one_game_is_said_in_the_singular(one_game: Path, tmp_path: Path) -> None:
    answers = [
        run("rate", one_game, "--system", "points"),
        run("report", one_game, "--system", "elo", "-o", tmp_path / "a.html"),
        run("print", "cards", one_game, "--card", "tokyo15", "-o", tmp_path / "b.html"), run("fit-card", one_game),
        run("compare", one_game, "--systems", "elo,igs"), run("check", one_game, one_game),
        run("ledger", "build", one_game, "-o", tmp_path / "one.ledger"), run("tune", one_game, "--system", "elo"),
        run("explain", one_game, "--system", "sagc", "--player", "Ada"),
    ]  # fmt: skip
    for answer in answers:
        assert not PLURAL_OF_ONE.search(answer.out + answer.err), answer.out + answer.err
    assert "1 of 1 game rated" in answers[0].err + answers[0].out
    assert repr(handan.read(one_game)).startswith("<Ledger 1 game, 2 players")


def test_a_command_that_there_is_not_is_answered_with_where_all_are_listed() -> None:
    assert "No such command 'forecast'. (handan -h lists them)" in run("forecast", "x").err
    assert "(handan club -h lists them)" in run("club", "frobnicate").err
    assert "Did you mean 'rate'?" in run("rte", "x").err


def test_adding_what_is_there_prints_no_empty_table(one_game: Path, tmp_path: Path) -> None:
    saved = tmp_path / "club.handan"
    assert run("rate", one_game, "--system", "elo", "--save", saved).status == 0
    answer = run("add", saved, one_game)
    assert answer.out.splitlines() == [
        f"{saved}: 0 games added; 1 there already and not added again (--keep-repeats adds them)"
    ]
    assert run("add", saved, one_game, "--format", "json").json["players"] == []


def test_a_system_without_usual_settings_to_tune_says_how_to_name_them(tmp_path: Path) -> None:
    many = tmp_path / "many.csv"
    days = [f"2026-{month:02}-{day:02}" for month in range(1, 7) for day in range(1, 11)]
    rows = [f"{day},{('Ada', 'Bo', 'Cy')[n % 3]},{('Bo', 'Cy', 'Ada')[n % 3]},B+R" for n, day in enumerate(days)]
    many.write_text("\n".join(["date,black,white,result", *rows]) + "\n", encoding="utf-8")
    answer = run("tune", many, "--system", "egf")
    assert answer.status == 2
    expected = "egf has no settings that are tuned unasked (`handan systems egf` lists all); name some with --over"
    assert expected in answer.err


def test_of_a_file_without_players_it_is_said_that_there_is_nobody(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("date,black,white,result\n")
    assert run("players", path).out == "nobody stands in the files\n"
