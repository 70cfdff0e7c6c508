"""`handan check` and `handan convert`: what is in files, and files of one kind made into another."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from handan.files import read
from tests.command_line import games, run
from tests.spreadsheets import Sheet, excel

GOOD = (
    "2026-01-05,Alice,Bob,B+R,2,0.5,club",
    "2026-01-06,Carol,Bob,jigo,0,6,club",
    "2026-02-01,Carol,Alice,W+F,,,club",
)


def test_a_clean_file_is_reported_in_figures(tmp_path: Path) -> None:
    done = run("check", games(tmp_path / "a.csv", *GOOD, ",Bob,Alice,both-lose,,,"), "--format", "json")
    [report] = done.json["files"]
    assert done.status == 0
    assert report["format"] == "table"
    assert report["file"] == str(tmp_path / "a.csv")
    figures = {
        name: report[name] for name in ("players", "games", "rated", "handicap", "jigo", "forfeits", "both_lose")
    }
    assert figures == {"players": 3, "games": 4, "rated": 2, "handicap": 1, "jigo": 1, "forfeits": 1, "both_lose": 1}
    assert (report["from"], report["to"], report["problems"]) == ("2026-01-05", "2026-02-01", [])


def test_every_row_that_is_not_taken_is_listed_with_its_place_and_remedy(tmp_path: Path) -> None:
    file = games(tmp_path / "a.csv", *GOOD, "2026-01-05,Alice,Bob,X+3,2,0.5,club", "2026-01-05,Eve,Eve,B+,,,")
    done = run("check", file, "--format", "json")
    assert done.status == 1
    problems = done.json["files"][0]["problems"]
    assert [(problem["line"], problem["field"], problem["found"]) for problem in problems] == [
        (5, "result", "X+3"),
        (6, "white", "Eve"),
    ]
    assert problems[0]["expected"].startswith("a result such as")
    table = run("check", file)
    assert table.err.startswith(f"rejected: {file} line 5: result 'X+3' is not a result such as B+3.5")


def test_a_file_that_cannot_be_read_does_not_hide_the_others(tmp_path: Path) -> None:
    done = run("check", tmp_path / "none.csv", games(tmp_path / "a.csv", *GOOD), "--format", "csv")
    assert done.status == 2
    assert [row["games"] for row in done.csv] == ["0", "3"]
    assert done.csv[0]["refusal"].endswith("there is no such file")


def test_folders_and_archives_are_gone_through_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    (folder / "2025").mkdir(parents=True)
    games(folder / "b.csv", GOOD[0])
    games(folder / "2025" / "a.csv", *GOOD)
    (folder / ".hidden").write_text("x", encoding="utf-8")
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(folder / "b.csv", "in/b.csv")
        packed.writestr("readme.txt", "no games here")
    done = run("check", folder, archive, "--format", "json")
    names = [(Path(report["file"]).name, report["games"]) for report in done.json["files"]]
    assert names == [("b.csv", 1), ("a.csv", 3), ("b.csv", 1)]
    assert "readme.txt: holds no games and is passed over" in done.err
    assert done.json["files"][2]["file"] == f"{archive}!in/b.csv"
    assert len(read([folder, archive], keep_repeats=True)) == 5
    assert len(read([folder, archive])) == 4
    assert [problem.source for problem in read(archive).problems] == [f"{archive}!readme.txt"]


@pytest.mark.parametrize("name", ["../out.csv", "/etc/games.csv"])
def test_an_archive_with_members_outside_itself_is_refused(tmp_path: Path, name: str) -> None:
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr(name, "black,white,result\nA,B,B+\n")
    done = run("check", archive)
    assert done.status == 2
    assert "is not a plain file inside the archive" in done.err


def test_an_archive_that_grows_beyond_all_bounds_is_refused_and_the_limit_can_be_raised(tmp_path: Path) -> None:
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.csv", "black,white,result\n" + "A,B,B+\n" * 10_000_000)
    done = run("check", archive)
    assert done.status == 2
    assert "more than 200 unpacked bytes for each packed one; --allow ratio=NUMBER raises the limit" in done.err


def test_limits_are_named_and_checked(tmp_path: Path) -> None:
    file = games(tmp_path / "a.csv", *GOOD)
    assert "line=NUMBER" in run("check", file, "--allow", "line=20").err
    assert run("rate", file, "--system", "elo", "--allow", "line=20").status == 2
    assert "limit 'lien' is not one of" in run("check", file, "--allow", "lien=2k").err
    assert "is not NAME=NUMBER" in run("check", file, "--allow", "line=many").err


def test_files_are_converted_with_all_their_games(tmp_path: Path) -> None:
    first, second = games(tmp_path / "a.csv", *GOOD[:2]), games(tmp_path / "b.csv", GOOD[2])
    target = tmp_path / "all.parquet"
    done = run("convert", first, second, target)
    assert (done.status, done.err) == (0, f"{target}: 3 games\n")
    assert read(target) == read([first, second])


def test_converting_says_what_was_left_out(tmp_path: Path) -> None:
    file = games(tmp_path / "a.csv", *GOOD, "2026-01-05,Alice,Bob,X,,,")
    assert run("convert", file, tmp_path / "b.csv").status == 1
    assert run("convert", file, tmp_path / "b.csv", "--strict").status == 2
    assert "does not end in a format" in run("convert", file, tmp_path / "b.docx").err
    assert "one file was given" in run("convert", file).err


def test_worksheets_that_are_laid_out_alike_are_explained_once(tmp_path: Path) -> None:
    heading = ("Schwarz", "Weiß", "Ergebnis")
    months = [Sheet(month, [heading, ("Ada", "Bo", "B+R"), ("Bo", "Ada", "B+3")]) for month in ("May", "June")]
    other = Sheet("Cup", [("Weiß", "Schwarz", "Ergebnis"), ("Cy", "Ada", "W+R"), ("Bo", "Cy", "W+R")])
    (tmp_path / "club.xlsx").write_bytes(excel(*months, other))
    answer = run("check", tmp_path / "club.xlsx")
    assert answer.out.count("Ergebnis") == 2
    assert "club.xlsx: worksheets May, June" in answer.out
    assert "club.xlsx: worksheet Cup" in answer.out
