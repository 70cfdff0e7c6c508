"""What is written is read again: every ledger, through every format and every kind of frame, in any order of rows."""

from __future__ import annotations

import csv
import gzip
import io
import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.errors import InputError
from handan.files import read, read_adjustments, write, write_adjustments
from handan.ledger import Adjustment, Game, Ledger
from tests.conftest import examples
from tests.forms import extended_but
from tests.strategies import adjustments, ledgers

ENDINGS = (".csv", ".csv.gz", ".tsv", ".parquet")


def through(ledger: Ledger, ending: str) -> Ledger:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"games{ending}"
        write(ledger, path)
        assert [entry.name for entry in Path(folder).iterdir()] == [path.name]
        return read(path, strict=True)


def header(ledger: Ledger) -> list[str]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.csv"
        write(ledger, path)
        return path.read_text(encoding="utf-8").splitlines()[0].split(",")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.fuzz
@settings(max_examples=examples(12))
@given(ledger=ledgers())
def test_a_ledger_comes_back_from_a_file(ledger: Ledger, ending: str) -> None:
    assert through(ledger, ending) == ledger


@pytest.mark.parametrize("kind", extended_but(["polars", "pandas"], ["polars", "lazy", "pandas", "pyarrow"]))
@pytest.mark.fuzz
@settings(max_examples=examples(12))
@given(ledger=ledgers())
def test_a_ledger_comes_back_from_a_frame(ledger: Ledger, kind: str) -> None:
    frame = ledger.games.cast({"black": pl.String, "white": pl.String})
    frames = {"polars": lambda: ledger.games, "lazy": frame.lazy, "pandas": frame.to_pandas, "pyarrow": frame.to_arrow}
    assert read(frames[kind](), strict=True) == ledger


@pytest.mark.fuzz
@settings(max_examples=examples(12))
@given(ledger=ledgers(), seed=st.integers(0, 10_000))
def test_a_written_file_may_be_shuffled(ledger: Ledger, seed: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.csv"
        write(ledger, path)
        head, *rows = csv.reader(io.StringIO(path.read_bytes().decode(), newline=""))
        random.Random(seed).shuffle(rows)
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([head, *rows])
        assert read(path, strict=True) == ledger


@pytest.mark.fuzz
@settings(max_examples=examples(12))
@given(ledger=ledgers(), seed=st.integers(0, 10_000))
def test_rows_told_apart_by_the_round_may_stand_in_any_order(ledger: Ledger, seed: int) -> None:
    table = ledger.games.with_columns(round=pl.int_range(pl.len(), dtype=pl.Int32)).drop("entry")
    assert read(table.sample(fraction=1, shuffle=True, seed=seed)) == read(table)


@pytest.mark.fuzz
@settings(max_examples=examples(12))
@given(ledger=ledgers())
def test_writing_what_was_read_gives_the_same_bytes(ledger: Ledger) -> None:
    with TemporaryDirectory() as folder:
        first, second = Path(folder) / "first.csv.gz", Path(folder) / "second.csv.gz"
        write(ledger, first)
        write(read(first), second)
        assert first.read_bytes() == second.read_bytes()


@pytest.mark.fuzz
@settings(max_examples=examples(12))
@given(parts=st.lists(ledgers(5), min_size=1, max_size=3))
def test_reading_several_files_is_adding_their_ledgers(parts: list[Ledger]) -> None:
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.csv" for number in range(len(parts))]
        for part, path in zip(parts, paths, strict=True):
            write(part, path)
        total = read(paths[0])
        for path in paths[1:]:
            total += read(path)
        assert read(paths, keep_repeats=True) == total  # hypothesis likes two equal files


@pytest.mark.fuzz
@settings(max_examples=examples(12))
@given(items=st.lists(adjustments(), max_size=8))
def test_adjustments_come_back_from_a_file(items: list[Adjustment]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "adjustments.csv"
        write_adjustments(items, path)
        assert read_adjustments(path) == (items, [])


def test_the_four_main_columns_are_always_written() -> None:
    assert header(Ledger.of([])) == ["date", "black", "white", "result"]
    assert header(Ledger.of([Game("Alice", "Bob", "B+R")])) == ["date", "black", "white", "result"]


def test_other_columns_are_written_in_order_where_a_game_says_something() -> None:
    games = [Game("Alice", "Bob", "B+R", notes="x"), Game("Bob", "Carol", "W+", komi=0, date="2024")]
    assert header(Ledger.of(games)) == ["date", "black", "white", "result", "komi", "notes"]


def test_entry_is_written_where_games_share_date_event_and_round() -> None:
    one, two = Game("Alice", "Bob", "B+R", date="2024-05-01"), Game("Bob", "Carol", "W+", date="2024-05-01")
    assert header(Ledger.of([one, two]))[-1] == "entry"
    assert "entry" not in header(Ledger.of([one, Game("Bob", "Carol", "W+", date="2024-05-02")]))


def test_dates_of_whole_days_are_dates_in_parquet_and_others_timestamps(tmp_path: Path) -> None:
    whole = Ledger.of([Game("Alice", "Bob", "B+R", date="2024-05-01")])
    timed = Ledger.of([Game("Alice", "Bob", "B+R", date="2024-05-01 10:30")])
    month = Ledger.of([Game("Alice", "Bob", "B+R", date="2024-05")])
    schemas = []
    for ledger in (whole, timed, month):
        write(ledger, tmp_path / "games.parquet")
        schemas.append(pl.read_parquet_schema(tmp_path / "games.parquet"))
    assert [schema["date"] for schema in schemas] == [pl.Date, pl.Datetime("ms"), pl.Date]
    assert ["precision" in schema for schema in schemas] == [False, False, True]


def test_a_formula_gets_an_apostrophe_only_when_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    ledger = Ledger.of([Game("=1+2", "@Bob", "P=", komi=-5.5, event="-cup", notes="+x")])
    write(ledger, path)
    assert read(path) == ledger
    write(ledger, path, excel_safe=True)
    assert path.read_text(encoding="utf-8").splitlines()[1] == ",'=1+2,'@Bob,P=,-5.5,'-cup,'+x"


def test_an_existing_file_stays_whole_when_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.csv"
    path.write_text("old", encoding="utf-8")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(InputError, match=r"games\.csv cannot be written: No space left on device"):
        write(Ledger.of([Game("Alice", "Bob", "B+R")]), path)
    assert path.read_text(encoding="utf-8") == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.csv"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("games.xlsx", "does not end in a format that is written; give .parquet, .jsonl, .ndjson, .xml, .sgf"),
        ("nowhere/games.csv", "cannot be written: No such file or directory"),
        ("folder.csv", "is a folder; give the name of a file"),
    ],
)
def test_a_place_where_nothing_can_be_written_is_an_error_of_one_line(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError) as caught:
        write(Ledger.of([]), tmp_path / name)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_packed_file_is_the_same_bytes_at_any_time(tmp_path: Path) -> None:
    write(Ledger.of([Game("Alice", "Bob", "B+R")]), tmp_path / "games.csv.gz")
    packed = (tmp_path / "games.csv.gz").read_bytes()
    assert packed[4:8] == b"\0\0\0\0"  # the time in a gzip header, RFC 1952
    assert gzip.decompress(packed) == b"date,black,white,result\n,Alice,Bob,B+R\n"


@settings(max_examples=20)
@given(ledger=ledgers())
def test_pandas_own_files_are_read(ledger: Ledger) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.csv"
        frame = ledger.games.drop("source", "line", "precision").filter(pl.col("date").is_null())
        pd.DataFrame(frame.cast({"black": pl.String, "white": pl.String}).to_dict(as_series=False)).to_csv(
            path, index=False
        )
        assert len(read(path, strict=True)) == frame.height
