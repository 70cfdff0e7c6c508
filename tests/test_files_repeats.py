"""What is given twice: the same file, one event in two formats, rows of one table."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

from handan.files import read, write
from handan.ledger import Game, Ledger
from tests.command_line import run
from tests.conftest import ROOT

SAMPLES = ROOT / "tests" / "samples"
DATA = ROOT.parent / "shared" / "data"
WRITTEN = DATA / "opengotha_written"
local = pytest.mark.skipif(not WRITTEN.exists(), reason="files that OpenGotha wrote are not beside the checkout")
TABLE = "date,black,white,result\n2026-01-05,Ada,Bo,B+\n2026-01-06,Ada,Bo,W+\n"
ROUND = "date,event,round,black,white,result\n"


def cup(*results: str, event: str = "Spring Cup", day: str = "2026-05-03") -> Ledger:
    """Return a tournament of four players; one result a game, two games a round."""
    pairs = (("Lindqvist Ada", "Tan Bo"), ("Ruiz Cy", "Lök Dee"), ("Lindqvist Ada", "Ruiz Cy"), ("Tan Bo", "Lök Dee"))
    return Ledger.of(
        Game(black, white, result, day, komi=6.5, event=event, round=1 + place // 2, kind="tournament",
             black_rank="1k", white_rank="1k")
        for place, ((black, white), result) in enumerate(zip(pairs, results, strict=True))
    )  # fmt: skip


def notes(ledger: Ledger) -> list[str]:
    return [str(problem).split("/")[-1] for problem in ledger.problems if problem.field in {"file", "event", ""}]


@pytest.mark.parametrize("second", ["games.csv", "copy.csv", "copy.csv.gz"])
def test_a_file_given_twice_counts_once_and_is_named(second: str, tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text(TABLE, encoding="utf-8")
    data = TABLE.encode()
    (tmp_path / second).write_bytes(gzip.compress(data) if second.endswith(".gz") else data)
    files = [tmp_path / "games.csv", tmp_path / second]
    ledger = read(files)
    assert len(ledger) == 2
    [problem] = ledger.problems
    assert (problem.source, problem.found, problem.rejected) == (str(tmp_path / second), "2 games", False)
    other = "this file was given before" if second == "games.csv" else f"{tmp_path / 'games.csv'} is the same file"
    assert problem.expected == f"counted again: {other} (--keep-repeats counts them all)"
    assert len(read(files, keep_repeats=True)) == 4
    assert len(read(files, keep_repeats=True, dedupe=True)) == 2


def test_the_same_bytes_are_other_games_where_the_path_dates_them(tmp_path: Path) -> None:
    for year in ("2024", "2025"):
        (tmp_path / year).mkdir()
        (tmp_path / year / "game.sgf").write_text("(;GM[1]PB[Ada]PW[Bo]RE[B+])", encoding="utf-8")
    assert len(read(tmp_path, date_from_path=True)) == 2
    assert len(read(tmp_path)) == 1


def test_lists_and_registers_are_read_twice_since_they_hold_no_games(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        for file in (SAMPLES / "director").iterdir():
            (tmp_path / folder / file.name).write_bytes(file.read_bytes())
    ledger = read(tmp_path, date="2025-05-03")
    assert ledger.arrays.facts.equals(read(SAMPLES / "director", date="2025-05-03").arrays.facts)
    assert len(read(tmp_path, date="2025-05-03", keep_repeats=True)) == 2 * len(ledger)


@pytest.mark.parametrize("first", [".xml", ".h9", ".tou", ".csv"])
@pytest.mark.parametrize("second", [".xml", ".h9", ".tou", ".csv"])
def test_one_event_in_two_formats_counts_once_and_is_named(first: str, second: str, tmp_path: Path) -> None:
    ledger = cup("B+", "W+", "W+R", "jigo")
    write(ledger, tmp_path / f"one{first}")
    write(ledger, tmp_path / f"two{second}")
    both = read([tmp_path / f"one{first}", tmp_path / f"two{second}"])
    assert len(both) == 4
    [problem] = [problem for problem in both.problems if problem.field in {"event", "file"}]
    assert {"one", "two"} == {Path(name).stem for name in (problem.source, _other(problem.expected))}
    assert len(read([tmp_path / f"one{first}", tmp_path / f"two{second}"], keep_repeats=True)) == 8


def _other(text: str) -> str:
    return next(word for word in text.split() if "/" in word).rstrip(",;")


def test_an_early_table_of_an_event_is_part_of_the_later_one(tmp_path: Path) -> None:
    whole = cup("B+", "W+", "W+", "B+")
    write(Ledger.of(list(whole)[:2]), tmp_path / "round1.h9")
    write(whole, tmp_path / "whole.csv")
    ledger = read([tmp_path / "round1.h9", tmp_path / "whole.csv"])
    assert len(ledger) == 4
    assert notes(ledger) == [
        "whole.csv holds the same games (--keep-repeats counts them all)",
    ]


def test_one_event_of_a_table_of_many_counts_once(tmp_path: Path) -> None:
    spring, autumn = cup("B+", "W+", "W+", "B+"), cup("B+", "W+", "W+", "B+", event="Autumn Cup", day="2026-10-03")
    write(spring + autumn, tmp_path / "all.csv")
    write(autumn, tmp_path / "autumn.h9")
    for order in (("all.csv", "autumn.h9"), ("autumn.h9", "all.csv")):
        ledger = read([tmp_path / name for name in order])
        assert sorted(ledger.games["event"].value_counts().rows()) == [("Autumn Cup", 4), ("Spring Cup", 4)]


@pytest.mark.parametrize(("last", "alike"), [(("W+", "W+"), 3), (("B+", "W+"), 2), (("B+", "jigo"), 2)])
def test_an_event_that_two_files_tell_differently_is_told_of_and_counts_twice(
    last: tuple[str, str], alike: int, tmp_path: Path
) -> None:
    write(cup("B+", "W+", "W+", "B+"), tmp_path / "a.csv")
    write(cup("B+", "W+", *last), tmp_path / "b.h9")
    ledger = read([tmp_path / "a.csv", tmp_path / "b.h9"])
    assert len(ledger) == 8
    [problem] = [problem for problem in ledger.problems if problem.field == "event"]
    assert problem.expected.endswith(f"a.csv: {alike} of 4 games are the same; all count")


@pytest.mark.parametrize(
    "other",
    [
        cup("B+", "W+", "W+", "B+", day="2026-06-03"), cup("W+", "B+", "B+", "W+"),
        Ledger.of([Game("Lindqvist Ada", "Tan Bo", "B+", "2026-05-03", event="Blitz", round=1)]),
    ],
    ids=["another day", "other results", "one game of another event"],
)  # fmt: skip
def test_other_events_are_no_repeats(other: Ledger, tmp_path: Path) -> None:
    write(cup("B+", "W+", "W+", "B+"), tmp_path / "a.csv")
    write(other, tmp_path / "b.csv")
    ledger = read([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert len(ledger) == 4 + len(other)
    assert notes(ledger) == []


def test_games_without_an_event_or_round_are_never_taken_for_one_event(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "b.csv").write_text(TABLE + "2026-01-07,Cy,Bo,B+\n", encoding="utf-8")
    ledger = read([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert len(ledger) == 5
    assert notes(ledger) == ["b.csv: 2 rows repeat others (--dedupe leaves them out)"]


def test_rows_that_repeat_others_are_counted_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text(TABLE + "2026-01-05,Ada,Bo,B+\n" * 2, encoding="utf-8")
    [note] = notes(read(path))
    assert note == "games.csv: 2 rows repeat others (--dedupe leaves them out)"
    assert len(read(path)) == 4
    assert len(read(path, dedupe=True)) == 2
    assert len(read(pl.read_csv(path), dedupe=True)) == 2
    path.write_text("black,white,black_wins,games\nAda,Bo,30,50\n", encoding="utf-8")
    assert notes(read(path)) == []  # a sum stands for games that are alike


def test_commands_say_what_is_given_twice(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text(TABLE, encoding="utf-8")
    done = run("rate", path, path, "--system", "elo", "--format", "json")
    assert done.json["games"] == 2
    [warning] = done.json["warnings"]
    assert warning.endswith(
        "games.csv: 2 games are not counted again: this file was given before (--keep-repeats counts them all)"
    )
    assert run("rate", path, path, "--system", "elo", "--format", "json", "--keep-repeats").json["games"] == 4
    checked = run("check", path, path, "--format", "json")
    assert checked.status == 0  # a warning; nothing of the files was left out that is not there already
    assert [len(file["problems"]) for file in checked.json["files"]] == [0, 1]
    assert "this file was given before" in checked.json["files"][1]["problems"][0]["message"]


@local
def test_four_tournaments_that_opengotha_wrote_in_three_formats_count_once() -> None:
    ledger = read(WRITTEN)
    decided = ledger.games.filter(pl.col("result") != "?")
    assert decided.height == 397 + 40 + 14 + 78  # pairings of the README without those that nobody decided


def test_each_game_of_a_ledger_on_disk_that_a_file_repeats_is_counted(tmp_path: Path) -> None:
    rows = [f"2024-05-{1 + n % 28:02},p{n},q{n},B+R\n" for n in range(40)]
    table = tmp_path / "games.csv"
    table.write_text("date,black,white,result\n" + "".join(rows), encoding="utf-8")
    assert run("ledger", "build", table, "-o", tmp_path / "games.ledger").status == 0
    for given in ([tmp_path / "games.ledger", table], [table, tmp_path / "games.ledger"]):
        answer = run("ledger", "build", *given, "-o", tmp_path / "both.ledger", "--keep-repeats")
        assert "40 rows repeat others (--dedupe leaves them out)" in answer.err


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """A folder with a table of games and the ledger that was built of it."""
    table = tmp_path / "games.csv"
    table.write_bytes((ROOT / "examples" / "games.csv").read_bytes())
    assert run("ledger", "build", str(table), "-o", str(tmp_path / "games.ledger")).status == 0
    return tmp_path


def rated(*arguments: str) -> tuple[str, list[str]]:
    """Return the last line of a rating, and the warnings."""
    answer = run("rate", *arguments, "--system", "elo")
    return answer.out.splitlines()[-1].partition(";")[0], answer.err.splitlines()


def test_games_count_once_beside_the_ledger_that_was_built_of_them(beside: Path) -> None:
    table, ledger = str(beside / "games.csv"), str(beside / "games.ledger")
    for given in ([str(beside)], [table, ledger], [ledger, table]):
        last, warnings = rated(*given)
        assert last == "Elo: 5 of 5 games rated"
        assert [line.partition("games.csv: ")[2] for line in warnings] == [
            f"5 games are not counted again: the ledger {ledger} holds the same games (--keep-repeats counts them all)"
        ]
    assert rated(str(beside), "--keep-repeats")[0] == "Elo: 10 of 10 games rated"


def test_a_ledger_counts_no_more_once_a_table_has_all_its_games_and_more(beside: Path) -> None:
    with (beside / "games.csv").open("a", encoding="utf-8") as table:
        table.write("2026-09-20,Bob,Alice,W+R,0,6.5,club,7k,10k\n")
    last, warnings = rated(str(beside))
    assert last == "Elo: 6 of 6 games rated"
    assert [line.partition("games.ledger: ")[2].partition(":")[0] for line in warnings] == [
        "5 games are not counted again"
    ]


def test_two_games_that_say_the_same_are_two_in_a_ledger_too(beside: Path) -> None:
    more = beside / "more.csv"
    lines = (beside / "games.csv").read_text(encoding="utf-8").splitlines()
    more.write_text("\n".join([lines[0], lines[1], lines[1]]) + "\n", encoding="utf-8")
    (beside / "games.csv").unlink()
    last, warnings = rated(str(beside))
    assert last == "Elo: 7 of 7 games rated"
    assert not any("not counted again" in line for line in warnings)
