"""A ledger built from pieces of files is the one built of all games in memory."""

from __future__ import annotations

import gzip
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import handan
from handan.errors import InputError
from handan.files import large_files, ledger_building
from handan.files.io.options import Options
from handan.files.large_files import in_pieces
from handan.files.ledger_building import build
from handan.ledger import Ledger, dataset
from handan.ledger.dataset import damage, open_ledger, save_ledger
from handan.ledger.encoded_columns import differing
from tests.command_line import run
from tests.processes import inherited
from tests.strategies import ledgers

SMALL = 300  # bytes of a piece


def content(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def a_file(folder: Path, games: int = 60) -> Path:
    rows = [
        f"2024-{1 + i * 7 % 12:02}-{1 + i * 5 % 28:02},p{i * 3 % 11},q{i * 7 % 13},{'BW'[i % 2]}+R,{i % 3}\n"
        for i in range(games)
    ]
    file = folder / "games.csv"
    file.write_text("date,black,white,result,handicap\n" + "".join(rows), encoding="utf-8")
    return file


def test_of_json_lines_less_is_read_together(tmp_path: Path) -> None:
    """A byte of them takes several times the memory of a byte of CSV while it is read."""
    file = a_file(tmp_path)
    handan.write(handan.read(file), tmp_path / "games.jsonl")
    whole = (tmp_path / "games.jsonl").stat().st_size
    pieces = list(in_pieces(tmp_path / "games.jsonl", Options(), whole // 3))
    assert len(pieces) > 6
    assert sum(len(piece.contents.games) for piece in pieces) == 60


@settings(max_examples=12, phases=[Phase.explicit, Phase.generate])
@given(ledger=ledgers(), size=st.integers(120, 900), ending=st.sampled_from(["csv", "csv.gz", "jsonl", "parquet"]))
def test_any_file_in_pieces_is_the_ledger_in_memory(ledger: Ledger, size: int, ending: str) -> None:
    with TemporaryDirectory() as place:
        if not len(ledger):
            return
        file = Path(place) / f"games.{ending.removesuffix('.gz')}"
        handan.write(ledger, file)
        if ending.endswith(".gz"):
            packed = file.with_name("games.csv.gz")
            packed.write_bytes(gzip.compress(file.read_bytes()))
            file = packed
        assert build([file], Path(place) / "a.ledger", size=size) == handan.read(file)


ODD = """date,black,white,result,komi,black_id,white_id
2024-05-01,Ada,Bo,B+R,6.5,,
2024-05-01,Ada,Bo,B+R,6.5,,
2024-05-01,Zoë,Bo,W+3.5,,z:1,
2024-04-01,Ada,Ada,W+3.5,,,
2024-04-31,Ada,Bo,B+R,6.5,,
2023-04-01 12:30,"Cy, the 2nd",Bo,B+,7,c:1,
,Ada,Bo,jigo,6.5,,
2024-05-01,Ada,Cyrus,W+R,6.5,,c:1
2024-05-01,Ada
2024-05-02,Ada,Bo,B+what,6.5,,
2024-05-03,本因坊,Bo,B+R,6.5,,
"""


@pytest.mark.parametrize("size", [60, 150, 10_000])
def test_odd_rows_are_told_with_their_lines(size: int, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text(ODD, encoding="utf-8")
    whole, built = handan.read(file), build([file], tmp_path / "a.ledger", size=size)
    assert built == whole
    assert built.warnings == whole.warnings
    assert sorted(map(str, built.problems)) == sorted(map(str, whole.problems))
    with pytest.raises(InputError, match="cannot be read"):
        build([file], tmp_path / "strict.ledger", size=size, strict=True)
    assert not (tmp_path / "strict.ledger").exists()


def test_two_files_are_one_ledger_and_count_what_stands_in_both(tmp_path: Path) -> None:
    first = a_file(tmp_path)
    second = tmp_path / "more.csv"
    second.write_text("date,black,white,result\n2023-01-01,p0,new,B+R\n2024-01-01,p0,q0,B+R\n", encoding="utf-8")
    built = build([first, second], tmp_path / "a.ledger", size=SMALL)
    assert built == handan.read([first, second], keep_repeats=True)
    assert [str(problem) for problem in built.problems if "repeat" in str(problem)]


def test_a_build_that_ends_in_the_middle_leaves_the_old_ledger(tmp_path: Path) -> None:
    file, old = a_file(tmp_path), handan.Ledger.of([handan.Game("Ada", "Bo", "B+R", "2024-05-01")])
    save_ledger(old, tmp_path / "a.ledger")

    def interrupt(text: str, done: int, total: int) -> None:
        if text == "putting in order":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build([file], tmp_path / "a.ledger", size=SMALL, progress=interrupt)
    assert open_ledger(tmp_path / "a.ledger") == old
    assert not (tmp_path / "a.ledger" / "building").exists()
    assert build([file], tmp_path / "a.ledger", size=SMALL) == handan.read(file)


KILLED = """
import os, signal, sys
from handan.__main__ import main
from handan.files import large_files, ledger_building
step, moment, size = sys.argv.pop(1), int(sys.argv.pop(1)), int(sys.argv.pop(1))
count = 0
def until(call):
    def counted(*args, **named):
        global count
        count += 1
        if count == moment:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*args, **named)
    return counted
if step == "piece":
    ledger_building.Building.take = until(ledger_building.Building.take)
elif step == "order":
    ledger_building.put_games = until(ledger_building.put_games)
else:
    os.fsync = until(os.fsync)
ledger_building.LARGE, large_files.PIECE = 1, size
main()
print(count)
"""
"""Runs a command that builds in pieces; it kills itself at the call of a number of one of its steps."""


def killed_at(step: str, number: int, *command: object) -> tuple[bool, str]:
    """Run a command that is killed at a step of a number, counted from 1; whether it was, and what it printed."""
    given = [sys.executable, "-c", KILLED, step, str(number), str(SMALL), *map(str, command)]
    answer = subprocess.run(given, env=inherited(), stdout=subprocess.PIPE, encoding="utf-8", check=False)
    return answer.returncode == -signal.SIGKILL, answer.stdout


@pytest.mark.extended
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9")
@pytest.mark.parametrize("there", [False, True], ids=["first", "again"])
def test_a_build_that_is_killed_leaves_the_old_ledger_or_the_new_one(there: bool, tmp_path: Path) -> None:
    file, ledger, clean = a_file(tmp_path), tmp_path / "a.ledger", tmp_path / "clean.ledger"
    old, new = handan.Ledger.of([handan.Game("Ada", "Bo", "B+R", "2024-05-01")]), handan.read(file)
    if there:
        save_ledger(old, ledger)
    ended, printed = killed_at("write", 0, "ledger", "build", file, "-o", clean)
    writes = int(printed.split()[-1])  # the last but one makes the head whole, the last the folder with it in place
    assert not ended
    for step, number in (("piece", 4), ("order", 1), ("write", 1), ("write", writes // 2), ("write", writes - 1)):
        assert killed_at(step, number, "ledger", "build", file, "-o", ledger)[0]
        if there:
            assert open_ledger(ledger) == old
        else:
            assert "is not whole" in run("rate", ledger, "-s", "elo").err
    assert killed_at("write", writes, "ledger", "build", file, "-o", ledger)[0]
    assert open_ledger(ledger) == new
    assert run("ledger", "build", file, "-o", ledger).status == 0
    assert open_ledger(ledger) == new
    assert damage(ledger) == []
    assert len(content(ledger)) == len(content(clean))


def test_a_year_of_many_games_is_put_in_order_some_days_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset, "MOST_GAMES", 7)
    file = tmp_path / "games.csv"
    days = ["2024-01-01", "2024-03-09", "2024-01-05", "", "2023-12-31"]
    rows = [f"{days[i * 7 % 5]},p{i},q,B+R,e{i % 3},{i % 2}\n" for i in range(50)]
    file.write_text("date,black,white,result,event,round\n" + "".join(rows), encoding="utf-8")
    assert build([file], tmp_path / "a.ledger", size=SMALL) == handan.read(file)
    assert len(list((tmp_path / "a.ledger" / "games").iterdir())) > 3


def test_the_command_reads_large_files_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = a_file(tmp_path)
    monkeypatch.setattr(ledger_building, "LARGE", 1)
    monkeypatch.setattr(large_files, "PIECE", SMALL)
    answer = run("ledger", "build", file, "-o", tmp_path / "a.ledger")
    assert (answer.status, "60 games, 24 players" in answer.err) == (0, True)
    assert open_ledger(tmp_path / "a.ledger") == handan.read(file)


@pytest.mark.parametrize("size", [60, 120, 2_000])
def test_a_label_that_stands_in_the_rows_is_kept_in_pieces(tmp_path: Path, size: int) -> None:
    rows = ["2026-01-01,Dave (egd:101),Dave (egd:102),B+R,egd:101,egd:102", "2026-01-02,Dave (egd:102),Bo,B+R,,",
            "2026-01-03,Dave,Dave (x 3),W+R,,x 3", "2026-01-04,Dave (x 3),Bo,W+R,x 3,"]  # fmt: skip
    file = tmp_path / "games.csv"
    file.write_text("\n".join(["date,black,white,result,black_id,white_id", *rows, ""]), encoding="utf-8")
    assert build([file], tmp_path / "a.ledger", size=size) == handan.read(file)


def test_a_row_of_several_lines_may_be_longer_than_a_piece(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text(
        'date,black,white,result,notes\n2026-01-01,Ada,Bo,B+R,"one\ntwo"\n2026-01-02,Bo,Ada,B+R,x\n', "utf-8"
    )
    assert build([file], tmp_path / "a.ledger", size=56) == handan.read(file)


@pytest.mark.parametrize("kind", [pl.Int8, pl.Int64, pl.UInt16, pl.Int128])
@pytest.mark.parametrize("cells", [[5, 0, 5, 9], [-3, 4, -3], [7, 7], [100, None, 101, 100]])
def test_a_column_of_whole_numbers_is_its_different_values_as_they_come(kind: Any, cells: list[int | None]) -> None:
    column = pl.Series(cells, dtype=kind if min(cell or 0 for cell in cells) >= 0 else pl.Int128)
    different = differing(column)
    assert different.values.to_list() == list(dict.fromkeys(cells))
    assert different.column(len(cells)).to_list() == cells
