"""Frames that people have in memory: texts as they lie there, dates of any kind, and the same rows as of files."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from handan import InputError, rate, read, write
from handan.files.tables.frames import to_polars

TEXTS = ["x", None, "longer than the twelve bytes of a view", "é" * 20, ""]


def test_texts_of_pandas_are_those_that_polars_copies() -> None:
    frame = pd.DataFrame({"text": TEXTS, 1: range(5), "part": [1.5, None, 2, 3, 4], "other": TEXTS[::-1]})
    for own in (frame, frame.iloc[1:4], frame[["text"]], frame.iloc[:0], frame.astype({"text": object})):
        assert to_polars(own).equals(pl.from_pandas(own))


def test_texts_of_arrow_are_those_that_polars_copies() -> None:
    frame = pl.DataFrame({"text": TEXTS, "number": range(5)})
    for own in (frame, frame[1:4], frame.clear()):
        table = own.to_arrow(compat_level=pl.CompatLevel.oldest())
        assert to_polars(table).equals(own)


@pytest.mark.parametrize(
    ("days", "dates"),
    [
        ([date(2024, 1, 2), date(2024, 1, 1), date(2024, 1, 3)], ["2024-01-01", "2024-01-02", "2024-01-03"]),
        ([date(2024, 1, 2), date(2024, 1, 1), None], [None, "2024-01-01", "2024-01-02"]),
        (
            [datetime(2024, 1, 2, 20, 30), datetime(2024, 1, 1), datetime(2024, 1, 2, 9)],  # noqa: DTZ001  # clubs write local time
            ["2024-01-01", "2024-01-02 09:00", "2024-01-02 20:30"],
        ),
    ],
    ids=["days", "days and gaps", "moments"],
)
def test_a_frame_with_dates_of_any_kind_is_read_in_their_order(
    days: list[date | None], dates: list[str | None]
) -> None:
    frame = pl.DataFrame({
        "date": days, "black": ["Ada", "Bo", "Ada"], "white": ["Bo", "Cy", "Cy"], "result": ["B+R", "W+R", "B+0.5"],
    })  # fmt: skip
    ledger = read(frame)
    assert [None if game.date is None else str(game.date) for game in ledger] == dates
    assert ledger == read([frame, frame.clear()])


def test_repeated_games_are_counted_where_they_have_a_day() -> None:
    games = {"date": ["2024-01-01", "2024-01-02", "2024-01-01", "", "", "2024-01-01"], "black": ["Ada"] * 6,
             "white": ["Bo"] * 6, "result": ["B+R", "W+R", "B+R", "B+", "B+", "B+R"],
             "event": ["", "", "", "", "", "Cup"]}  # fmt: skip
    (repeat,) = read(pl.DataFrame(games)).problems
    assert "1 row repeats another" in str(repeat)


def test_an_id_with_a_nul_byte_is_refused_in_a_frame_as_in_a_file() -> None:
    frame = pl.DataFrame({
        "black": ["Ada", "Bo"], "black_id": ["egd:1", "egd:\0"], "white": ["Bo", "Ada"], "result": ["B+R", "W+"],
    })  # fmt: skip
    ledger = read(frame)
    assert len(ledger) == 1
    assert "black_id" in str(ledger.problems[0])


def test_a_player_whose_number_is_0_plays_and_numbers_of_any_size_are_read() -> None:
    results = ["B+", "W+", "B+"]
    ledger = read(pl.DataFrame({"black": [0, 1, 0], "white": [1, 2, 2], "result": results}))
    assert ([player.name for player in ledger.players], len(ledger)) == (["0", "1", "2"], 3)
    byes = read(pl.DataFrame({"black": [3, 1, 2], "white": [1, 2, 0], "result": results}))
    assert (len(byes), str(byes.problems[0])) == (2, "frame line 3: white '0' names no player; left out")
    many = pl.Series([2**63, 2**64 - 1, 2**63], dtype=pl.UInt64)
    assert len(read(pl.DataFrame({"black": many, "white": [1, 2, 2], "result": results})).players) == 4


def test_two_columns_of_one_name_are_refused_in_our_words(tmp_path: Path) -> None:
    names = ["black", "white", "result", "note", "note"]
    cells = ["Ada", "Bo", "B+R", "x", "y"]
    own = pd.DataFrame([cells], columns=names)
    arrow = pa.table([pa.array([cell]) for cell in cells], names=names)
    for frame in (own, arrow):
        with pytest.raises(InputError, match=r"^frame: column 'note' stands there twice; every column needs its own"):
            read(frame)
        with pytest.raises(InputError, match="games to forecast have two columns of one name"):
            rate([("Ada", "Bo", "B+")], "elo").predict(frame)
    pq.write_table(arrow, tmp_path / "twice.parquet")
    with pytest.raises(InputError, match=r"twice.parquet: .*'note'.*; every column needs its own name"):
        read(tmp_path / "twice.parquet")


def test_half_a_character_is_a_lost_letter() -> None:
    [game] = read({"black": ["A\ud800"], "white": ["Bo"], "result": ["B+"]})
    assert (game.black, game.white) == ("A?", "Bo")


def test_a_column_of_pandas_is_refused() -> None:
    with pytest.raises(InputError, match="'Series' is not a path"):
        read(pd.Series([{"a": 1}, 2]))


def test_a_frame_is_written_once_it_is_read(tmp_path: Path) -> None:
    frame = pl.DataFrame({"black": ["Ada"], "white": ["Bo"], "result": ["B+"]})
    with pytest.raises(InputError, match=r"'DataFrame' is no Ledger; handan\.read makes one"):
        write(frame, tmp_path / "games.csv")  # type: ignore[arg-type]
    assert write(read(frame), tmp_path / "games.csv") == []
