"""A table that is read alone becomes the same ledger, with the same problems, as one that is read among others."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import handan
from handan.files.io.options import NamedOptions, Options
from handan.ledger import Game, Ledger
from tests.strategies import ledgers


def assert_both_ways_agree(data: bytes, path: Path) -> None:
    """Bytes are read as one of several things, a file alone."""
    path.write_bytes(data)
    among_others, alone = handan.read(data), handan.read(path)
    source = str(path)
    assert alone.games.drop("source").equals(among_others.games.drop("source"))
    assert set(alone.games["source"]) <= {source}
    assert alone.players == among_others.players
    assert alone.warnings == among_others.warnings
    assert alone.problems == tuple(replace(problem, source=source) for problem in among_others.problems)
    assert alone == among_others


HEAD = "date,black,white,result"
TABLES = {
    "in order": (f"{HEAD}\n2024-01-01,Ada,Bo,B+R\n2024-01-02,Bo,Ada,W+2.5\n"),
    "not in order": (f"{HEAD}\n2024-02-01,Ada,Bo,B+R\n2024-01-02,Bo,Cy,W+2.5\n2024-01-02,Bo,Ada,jigo\n"),
    "events and rounds": (
        f"{HEAD},event,round,handicap,komi\n2024-01-02,Ada,Bo,B+R,Cup,2,,6.5\n2024-01-02,Bo,Ada,W+,Cup,,3,0.5\n"
        "2024-01-02,Bo,Ada,W+,,1,,\n"
    ),
    "times of day and days without one": (f"{HEAD}\n2024-01-02 14:30,Ada,Bo,B+\n,Bo,Ada,W+\n2024-01-02,Bo,Ada,W+\n"),
    "no dates": ("black,white,result\nAda,Bo,B+\nBo,Ada,W+\n"),
    "names with blanks and marks": (f"{HEAD}\n2024-01-01, Ada  Øre ,Bo,B+R\n2024-01-02,Ada Øre,Bo,W+\n"),
    "quoted": (f'{HEAD}\n2024-01-01,"Øre, Ada",Bo,B+R\n2024-01-02,Bo,"Øre, Ada",W+R\n'),
    "ids": ("black,black_id,white,white_id,result\nAda,egd:1,Bo,,B+\nAda,egd:2,Bo,egd:3,W+\nCy,,Ada,egd:2,W+\n"),
    "repeated": (f"{HEAD}\n2024-01-01,Ada,Bo,B+R\n2024-01-01,Ada,Bo,B+R\n2024-01-03,Ada,Bo,W+\n"),
    "an unread column": (f"{HEAD},colour of the sky\n2024-01-01,Ada,Bo,B+R,blue\n2024-01-01,Ada,Bo,W+R,grey\n"),
    "two spellings of an id": ("black,black_id,white,result\nAda,egd:1,Bo,B+\nAda L,egd:1,Bo,W+\n"),
    "against oneself": (f"{HEAD}\n2024-01-01,Ada,Ada,B+R\n2024-01-01,Ada,Bo,W+R\n"),
    "a year": (f"{HEAD}\n2024,Ada,Bo,B+R\n2024,Ada,Bo,W+R\n"),
    "day first": (f"{HEAD}\n31.01.2024,Ada,Bo,B+R\n31.01.2024,Ada,Bo,W+R\n"),
    "tomorrow's tomorrow": (f"{HEAD}\n2999-01-01,Ada,Bo,B+R\n2024-01-01,Ada,Bo,W+R\n"),
    "dates that no game has, with time and without": (
        f"{HEAD}\n1599-12-31,Ada,Bo,B+R\n2024-01-01 14:30,Ada,Bo,W+R\n2999-01-01 09:00,Bo,Cy,W+R\n1599-12-31,Cy,Bo,W+\n"
    ),
    "no likely date": (f"{HEAD}\n2999-01-01,Ada,Bo,B+R\n2999-01-01,Bo,Cy,W+R\n"),
    "a bad result": (f"{HEAD}\n2024-01-01,Ada,Bo,soon\n2024-01-01,Ada,Bo,W+R\n"),
    "a short row": (f"{HEAD}\n2024-01-01,Ada,Bo\n2024-01-01,Ada,Bo,W+R\n"),
    "no name": (f"{HEAD}\n2024-01-01,,Bo,B+\n2024-01-01,Ada,Bo,W+R\n"),
    "twelve stones": (f"{HEAD},handicap\n2024-01-01,Ada,Bo,B+,12\n2999-01-01,Ada,Bo,W+R,11\n"),
    "a remark": (f"{HEAD}\n2024-01-01,Ada,Bo,B+Offline\n2024-01-01,Ada,Bo,W+R\n"),
    "entries": (f"{HEAD},entry\n2024-01-01,Ada,Bo,B+,2\n2024-01-01,Ada,Bo,W+R,1\n2024-01-01,Ada,Bo,W+T,\n"),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_read_alike_both_ways(name: str, tmp_path: Path) -> None:
    assert_both_ways_agree(TABLES[name].encode(), tmp_path / "games.csv")


@settings(max_examples=40)
@given(ledger=ledgers(), ending=st.sampled_from((".csv", ".tsv", ".parquet")))
def test_any_ledger_that_was_written_is_read_alike_both_ways(ledger: Ledger, ending: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"games{ending}"
        handan.write(ledger, path)
        assert_both_ways_agree(path.read_bytes(), path)


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_many_games_are_read_alike_both_ways(ending: str, tmp_path: Path) -> None:
    games = [
        Game(f"p{n % 9}", f"q{n % 7}", "B+R" if n % 3 else "W+0.5", f"2024-0{1 + n % 8}-{1 + n % 28:02}", komi=6.5)
        for n in range(500)
    ]
    handan.write(Ledger.of(games), tmp_path / f"games{ending}")
    assert_both_ways_agree((tmp_path / f"games{ending}").read_bytes(), tmp_path / f"copy{ending}")


@pytest.mark.parametrize("dates", ["days", "moments", "times", "gaps"])
def test_a_frame_with_dates_of_any_kind_becomes_the_same_ledger(dates: str) -> None:
    frame = pl.DataFrame({
        "date": pl.Series([19_723, 19_722, None if dates == "gaps" else 19_724], dtype=pl.Int32).cast(pl.Date),
        "black": ["Ada", "Bo", "Ada"], "white": ["Bo", "Cy", "Cy"], "result": ["B+R", "W+R", "B+0.5"],
        "komi": [6.5, 6.5, 0.5], "moves": [None, 200, 150],
    })  # fmt: skip
    if dates == "moments":
        frame = frame.with_columns(pl.col("date").cast(pl.Datetime("us")))
    if dates == "times":
        frame = frame.with_columns(pl.col("date").cast(pl.Datetime("ms")) + pl.duration(hours=20, minutes=30))
    ledger, slowly = handan.read(frame), handan.read([frame, frame.clear()])
    assert ledger.arrays.facts.equals(slowly.arrays.facts)
    assert ledger.warnings == slowly.warnings


def test_repeated_games_are_counted_where_they_have_a_day() -> None:
    games = {"date": ["2024-01-01", "2024-01-02", "2024-01-01", "", "", "2024-01-01"], "black": ["Ada"] * 6,
             "white": ["Bo"] * 6, "result": ["B+R", "W+R", "B+R", "B+", "B+", "B+R"],
             "event": ["", "", "", "", "", "Cup"]}  # fmt: skip
    frame = pl.DataFrame(games)
    (repeat,) = handan.read(frame).problems
    assert "1 row repeats another" in str(repeat)
    assert handan.read([frame, frame.clear()]).problems == (repeat,)


def test_an_id_with_a_nul_byte_is_refused_in_a_frame_as_in_a_file() -> None:
    frame = pl.DataFrame({
        "black": ["Ada", "Bo"], "black_id": ["egd:1", "egd:\0"], "white": ["Bo", "Ada"], "result": ["B+R", "W+"],
    })  # fmt: skip
    assert len(handan.read(frame)) == len(handan.read([frame, frame.clear()])) == 1


def test_the_options_of_reading_are_spelt_out_for_editors() -> None:
    assert [*NamedOptions.__annotations__] == [part.name for part in fields(Options)]
    with pytest.raises(TypeError, match="coding"):
        handan.read({"black": ["Ada"], "white": ["Bo"], "result": ["B+"]}, coding="cp1252")  # type: ignore[call-arg]
