"""Games without a date get one from the user or from the path."""

from __future__ import annotations

from pathlib import Path

import pytest

from handan.files import read
from handan.files.games.missing_dates import in_path
from tests.command_line import run

TABLE = "date,black,white,result\n,Alice,Bob,B+\n2020-05-01,Alice,Bob,W+\n"


@pytest.mark.parametrize(
    ("path", "date"),
    [
        ("cup/2011/game-3.sgf", "2011"),
        ("cup-2011-05-07.sgf", "2011-05-07"),
        ("20110507 final.sgf", "2011-05-07"),
        ("archive-2010.zip!2011-05/a.sgf", "2011-05"),
        ("2011-13-45.sgf", "2011"),
        ("2011-02-30.sgf", None),
        ("game 12345.sgf", None),
        ("a.sgf", None),
    ],
)
def test_a_date_is_found_in_a_path(path: str, date: str | None) -> None:
    assert (None if (day := in_path(path)) is None else str(day)) == date


def test_only_games_without_a_date_are_given_one(tmp_path: Path) -> None:
    file = tmp_path / "club 2019-03.csv"
    file.write_text(TABLE, encoding="utf-8")
    assert [str(game.date) for game in read(file, date_from_path=True)] == ["2019-03", "2020-05-01"]
    card = run("history", file, "--system", "elo", "--player", "Alice", "--date", "2018-01-02", "--format", "csv").csv
    assert [row["date"] for row in card if row["game"]] == ["2018-01-02", "2020-05-01"]
