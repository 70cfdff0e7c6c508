"""Indexes of TYGEM and TOM."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.errors import InputError
from handan.files import Options
from handan.files.formats.server_indexes import TOM, TYGEM
from handan.files.games.parsed import Contents
from handan.files.reading import readings
from tests.conftest import ROOT, examples

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


@pytest.mark.fuzz
@settings(max_examples=examples(80))
@given(data=st.data(), name=st.sampled_from(("tygem.txt", "tom.txt")))
def test_mutated_indexes_are_contents_or_an_error_of_one_line(data: st.DataObject, name: str) -> None:
    text = (SAMPLES / name).read_bytes()
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, max(len(text) - 1, 0)))
        text = text[:place] + data.draw(st.binary(max_size=6)) + text[place + data.draw(st.integers(0, 20)) :]
    for form in (TYGEM, TOM):
        try:
            assert isinstance(form.read(text, "x", Options()), Contents)
        except InputError as error:
            fault = str(error)
            assert "\n" not in fault
