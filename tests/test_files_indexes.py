"""Indexes of TYGEM and TOM."""

from __future__ import annotations

from handan.files import Options
from handan.files.reading import readings
from tests.conftest import ROOT

SAMPLES = ROOT / "tests" / "samples"


def test_white_stands_first_and_an_id_beats_a_name_in_tygems_index() -> None:
    [reading] = readings(SAMPLES / "tygem.txt", Options())
    parsed = reading.contents
    assert reading.format == "TYGEM index"
    assert parsed is not None
    columns = ("black", "white", "result", "komi", "black_rank", "moves", "notes", "line")
    assert parsed.games.select(columns).rows() == [
        ("bo2", "ada1", "B+R", 6.5, "9d", 187, "", 1),
        ("ada1", "Cy", "W+T", 6.5, "9d", 90, "", 2),
        ("ada1", "Cy", "B+", 6.5, "9d", 12, "offline", 3),
    ]
    assert str(parsed.games["date"][0]) == "2009-03-05 20:21:00"
    assert [(problem.line, problem.field) for problem in parsed.problems] == [(4, "row"), (5, "result")]


def test_toms_index_has_its_komi() -> None:
    [reading] = readings(SAMPLES / "tom.txt", Options())
    assert reading.format == "TOM index"
    assert reading.contents is not None
    assert reading.contents.games.select("black", "white", "result", "komi").rows() == [
        ("Bo", "Ada", "W+0.25", 7.5),
        ("山野", '"Q", x', "B+R", 6.5),
    ]
