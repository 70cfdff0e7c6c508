"""The bundled examples, the demonstration, and the pages of the systems."""

from __future__ import annotations

import csv
import os
import re
import shlex
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from rich.cells import cell_len

import handan
from handan.cli import main
from handan.systems import SYSTEMS

ROOT = Path(__file__).resolve().parent.parent
CLUB = ROOT / "examples" / "club"
ENGINES = ROOT / "examples" / "go_engines"
PAGES = ROOT / "docs" / "systems"
LINK = re.compile(r"\]\((?!https?:)([^)#]+)\)")
WRITTEN = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]


@pytest.fixture(scope="module")
def club() -> handan.Ledger:
    return handan.read(CLUB / "games.csv", adjustments=CLUB / "adjustments.csv")


@pytest.fixture(scope="module")
def demo() -> str:
    environment = os.environ | {"COLUMNS": "80", "PYTHONUTF8": "1"}
    command = [sys.executable, "-W", "error", str(ROOT / "examples" / "demo.py")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_generator_writes_the_committed_club_byte_for_byte(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(CLUB / "make_club.py"), str(tmp_path)], check=True)
    for name in ("games.csv", "adjustments.csv"):
        assert (tmp_path / name).read_bytes() == (CLUB / name).read_bytes()


def test_the_club_reads_without_a_fault(club: handan.Ledger) -> None:
    [repeats] = club.problems  # pairs who met twice on an evening, with one result
    assert (repeats.found, repeats.rejected, club.warnings) == ("3 rows repeat others", False, ())
    assert 1500 <= len(club) <= 2500
    assert (club.games["date"] < datetime(2026, 11, 1)).all()  # noqa: DTZ001  # clubs write local time


def test_the_club_has_every_kind_of_game(club: handan.Ledger) -> None:
    results = set(club.games["result"])
    assert set(club.games["kind"]) == {"club", "friendly", "free", "tournament"}
    assert {"jigo", "void", "W+F"} <= results
    events = set(club.games["event"]) - {""}
    assert len(events) == 4
    assert set(club.games["round"]) == {None, 1, 2, 3, 4, 5}


def test_namesakes_of_the_club_are_two_players(club: handan.Ledger) -> None:
    names = [player.name for player in club.players if player.name.startswith("Robin Ashgrove")]
    assert names == ["Robin Ashgrove (club:11)", "Robin Ashgrove (club:30)"]


def test_every_game_outside_the_championship_is_at_the_terms_of_the_card(club: handan.Ledger) -> None:
    ratings = handan.rate(club, "points", card="tagajo12")
    other_terms = {
        club[line.game - 1].event.partition(" 2")[0]
        for player in club.players
        for line in ratings.explain(player.name)
        if line.game and line.reason.facts.get("played at these terms") is False
    }
    assert other_terms == {"Autumn Championship"}


def test_the_stronger_by_points_wins_most_even_games_of_the_championship(club: handan.Ledger) -> None:
    ratings = handan.rate(club, "points")
    even = [
        (ratings.arrays.before[index, 0] > ratings.arrays.before[index, 1]) == (club.arrays.score[index] == 1.0)
        for index, event in enumerate(club.games["event"])
        if event.startswith("Autumn") and not club.arrays.by_default[index]
    ]
    assert sum(even) > 0.6 * len(even)


def test_ranks_set_by_hand_stand_on_the_cards_of_their_players(club: handan.Ledger) -> None:
    ratings = handan.rate(club, "sagc")
    by_hand = [
        (player.name, line.rank_after, line.after)
        for player in club.players
        for line in ratings.explain(player.name, reasons=False)
        if line.game is None
    ]
    assert by_hand == [("Ines Valcarcel", "3k", 0.0), ("Zuzana Hrdlova", "1d", 0.0)]


def test_the_engines_have_the_counts_of_their_source() -> None:
    # 124,724 games between 319 programs; published_elo.csv says how many of them each program played
    ledger = handan.read(ENGINES / "pairs.csv")
    assert (len(ledger), len(ledger.players)) == (124_724, 319)
    played = {row["player"]: row["games"] for row in handan.rate(ledger, "elo").table().iter_rows(named=True)}
    with (ENGINES / "published_elo.csv").open(encoding="utf-8", newline="") as file:
        assert played == {row["engine"]: int(row["games"]) for row in csv.DictReader(file)}


def test_the_notice_of_the_engines_goes_with_them() -> None:
    assert "permission notice shall be included" in (ENGINES / "LICENSE-GoAIRatings.txt").read_text()
    assert "breakwa11/GoAIRatings" in (ENGINES / "README.md").read_text()


@pytest.mark.extended
def test_the_demonstration_shows_every_part(demo: str) -> None:
    sections = [line.partition(" ──")[0] for line in demo.splitlines() if line.endswith("───")]
    assert len(sections) == 6
    for words in ("Go programs", "under three systems", "why the ratings moved", "Who gives", "correction", "next"):
        assert any(words in section for section in sections)
    assert "124,724 games between 319 programs" in demo


@pytest.mark.extended
def test_the_demonstration_fits_eighty_columns_and_has_no_colour_in_a_file(demo: str) -> None:
    assert "\x1b" not in demo
    assert max(cell_len(line) for line in demo.splitlines()) <= 80


@pytest.mark.extended
def test_the_commands_that_the_demonstration_names_work(
    demo: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = re.findall(r"^handan .*$", demo.replace("\\\n", ""), re.MULTILINE)
    assert len(commands) >= 5
    monkeypatch.chdir(CLUB)
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0, command
        assert capsys.readouterr().out, command


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_has_a_page_with_a_command(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert re.search(rf"^handan rate games\.csv --system {name}( |$)", page, re.MULTILINE)


def test_every_page_belongs_to_a_system() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} == set(SYSTEMS)


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
