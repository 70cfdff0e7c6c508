"""`handan serve games.csv`: the pages over a file, which nobody can write to and which follow the file."""

from __future__ import annotations

import contextlib
import shutil
import time
from pathlib import Path

import pytest

import handan
from benchmarks.serving import Browser, served
from handan.cli.serve_file import is_shown, read_shown
from tests.conftest import ROOT

GAMES = ROOT / "examples" / "games.csv"
PATIENCE = 60.0


def test_only_files_of_games_are_shown(tmp_path: Path) -> None:
    database, empty = tmp_path / "club.db", tmp_path / "empty.db"
    database.write_bytes(b"SQLite format 3\x00" + bytes(100))
    empty.write_bytes(b"")
    assert is_shown(str(GAMES))
    assert is_shown(str(tmp_path))
    assert not any(is_shown(name) for name in (None, str(database), str(empty), "nowhere.db", "postgresql://host/name"))


def test_this_folder_is_shown_under_its_own_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "lake"
    folder.mkdir()
    shutil.copy(GAMES, folder)
    monkeypatch.chdir(folder)
    assert read_shown(Path(), "elo", None)[2] == "lake"


@pytest.mark.extended
def test_the_pages_show_the_file_follow_it_and_refuse_writing(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    shutil.copy(GAMES, file)
    (tmp_path / "handan.toml").write_text('system = "elo"\ntitle = "Lake Club"\n', encoding="utf-8")
    with served(tmp_path, str(file)) as server:
        browser = Browser(server.url)
        status, ladder = browser.get("/club/")
        assert status == 200
        assert "Lake Club" in ladder
        for row in handan.rate(handan.read(file), "elo").table().iter_rows(named=True):
            assert row["player"] in ladder
            assert f"{row['rating']:.1f}" in ladder
        assert browser.get("/sign-in/")[0] == 200
        for path in ("/sign-in/", "/club/games/new/", "/api/v1/clubs/club/games"):
            assert browser.post(path, username="a", password="b")[0] == 403  # nobody's
        file.write_text(file.read_text(encoding="utf-8") + "2026-09-20,Zoe,Bob,B+R,0,6.5,club,,\n", encoding="utf-8")
        until = time.monotonic() + PATIENCE
        answers = [ladder]
        while time.monotonic() < until and "Zoe" not in answers[-1]:
            with contextlib.suppress(ConnectionResetError):  # the one that ends may have been asked last
                answers.append(browser.get("/club/")[1])  # an error if nobody listens
            time.sleep(0.1)
        assert "Zoe" in answers[-1]
        assert all("Lake Club" in answer for answer in answers)
    assert server.process.returncode == 0
