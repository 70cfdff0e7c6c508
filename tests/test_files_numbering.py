"""Large tables numbered by machine code: the same cells, and the same ledger, as from any other way of reading."""

from __future__ import annotations

import csv
import io
import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import handan
from handan.files import repeats
from handan.files.io import cells, numbering
from handan.files.io.csv_rows import Body
from handan.files.io.numbering import numbered_columns
from handan.files.io.string_views import views_of
from handan.files.io.texts import Texts
from handan.kernels.cells import DONE, QUOTE, RETURN, Marks, alike, number_cells, number_views, zeros_below
from handan.kernels.compiling import kernel
from handan.kernels.different_cells import Bytes
from handan.kernels.hashing import ONE
from handan.kernels.types import Ints
from handan.ledger.coded import Coded
from tests.test_files_at_once import TABLES, assert_both_ways_agree

NAMES = ("black", "white", "result")
WRITTEN = st.text(st.characters(exclude_characters='\r\n\0",', codec="utf-8"), max_size=20)
ALIKE = st.tuples(st.just("the same sixteen bytes and "), st.sampled_from("abc"), st.just("z" * 9)).map("".join)
ROWS = st.lists(st.tuples(*[st.one_of(WRITTEN, ALIKE, st.sampled_from(("", "B+", "p1")))] * 3), min_size=1, max_size=30)


@pytest.fixture(autouse=True)
def little_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let machine code read the smallest table, in pieces that are too small for it."""
    monkeypatch.delenv("HANDAN_KERNELS", raising=False)
    for module in (cells, numbering, repeats):
        monkeypatch.setattr(module, "MANY", 0, raising=False)
    monkeypatch.setattr(numbering, "ROWS", 3)
    monkeypatch.setattr(numbering, "ROOM", 4)


def body_of(rows: list[tuple[str, ...]], end: str, *, closed: bool = True) -> Body:
    text = "a,b,c\n" + end.join(",".join(row) for row in rows) + (end if closed else "")
    places = {name: place for place, name in enumerate(NAMES)}
    return Body(text.encode(), 6, 2, 3, places, ",", "x.csv")


def columns_of(texts: dict[str, Texts]) -> list[list[str]]:
    return [[texts[name].different[place] for place in texts[name].number] for name in NAMES]


@settings(max_examples=60)
@given(rows=ROWS, end=st.sampled_from(("\n", "\r\n")), closed=st.booleans())
def test_the_cells_are_those_of_the_standard_library(rows: list[tuple[str, ...]], end: str, closed: bool) -> None:
    body = body_of(rows, end, closed=closed)
    numbered = cells.numbered_at_once(body)
    assert numbered is not None
    own = list(csv.reader(io.StringIO(body.data[6:].decode(), newline="")))
    assert columns_of(numbered) == [list(column) for column in zip(*own, strict=True)]
    assert numbered["black"].different == numbered["white"].different == sorted(numbered["black"].different)


@settings(max_examples=60)
@given(
    rows=st.lists(
        st.tuples(*[st.one_of(WRITTEN, ALIKE, st.sampled_from((",", "a,b,,", "")))] * 3), min_size=1, max_size=30
    ),
    quoted=st.lists(st.booleans(), min_size=1),
    end=st.sampled_from(("\n", "\r\n")),
)
def test_cells_in_quotes_are_those_of_the_standard_library(
    rows: list[tuple[str, ...]], quoted: list[bool], end: str
) -> None:
    marked = iter(itertools.cycle(quoted))
    text = [tuple(f'"{cell}"' if "," in cell or next(marked) else cell for cell in row) for row in rows]
    body = body_of(text, end)
    machine = numbering.Numbering(NAMES, number_cells.compiled)
    assert machine.add(body.data, ord(","), body.places, 3, body.start)
    assert columns_of(machine.texts()) == [list(column) for column in zip(*rows, strict=True)]
    assert list(csv.reader(io.StringIO(body.data[6:].decode(), newline=""))) == [list(row) for row in rows]


@pytest.mark.parametrize("cell", ['"a""b"', 'a"b', ' "a"', '"a" ', '"a', '"a\nb"', '"a\r\nb"', '"', '"""', '"a"b"'])
def test_other_quotes_are_left_to_others(cell: str) -> None:
    machine = numbering.Numbering(NAMES, number_cells.compiled)
    places = {name: place for place, name in enumerate(NAMES)}
    for row in (f"{cell},b,c\n", f"b,{cell},c\n", f"b,c,{cell}\n"):
        assert not machine.add(b"a,b,c\n" * 9 + row.encode() + b"a,b,c\n" * 40, ord(","), places, 3)


def test_rows_of_one_cell_are_numbered_in_pieces_too() -> None:
    rows = [f"x{number % 7}" for number in range(40)]
    machine = numbering.Numbering(["black"], number_cells.compiled)
    assert machine.add("\n".join(rows).encode(), ord("\n"), {"black": 0}, 1)
    numbered = machine.texts()["black"]
    assert [numbered.different[place] for place in numbered.number] == rows


@pytest.mark.parametrize(
    "text", ["a,b\n", "a,b,c,d\n", "a,b,c\n\na,b,c\n", "a,b\rc,d\n", "a,b,c\rd\n", "a,b\r,c\n", ",,\r\r\n"]
)
def test_rows_of_another_form_are_left_to_others(text: str) -> None:
    places = {name: place for place, name in enumerate(NAMES)}
    machine = numbering.Numbering(NAMES, number_cells.compiled)
    assert not machine.add(b"a,b,c\n" * 9 + text.encode(), ord(","), places, 3)
    assert cells.numbered_at_once(Body(b"x\n" + text.encode(), 2, 2, 3, places, ",", "x.csv")) is None


def test_the_plain_form_of_the_loop_gives_the_same_numbers() -> None:
    data = b'Ada,"Bo",B+\r\nBo,a name of more than sixteen bytes,W+\r\nAda,a name of more than sixteen Bytes,B+\r\n'
    ends = []
    for form in (number_cells.plain, number_cells.compiled):
        padded = data + bytes(numbering.SPARE)
        words: np.ndarray = np.ndarray((len(padded) - 7,), "<u8", padded, 0, (1,))
        different = numbering._room(32)
        numbers, at = np.zeros((3, 9), np.uint32), np.zeros(6, np.int64)
        marks = Marks(len(data), ord(","), RETURN, QUOTE, np.uint64(77))
        places = np.arange(3), np.array([0, 0, 1])
        with np.errstate(over="ignore"):
            end = form(np.frombuffer(padded, np.uint8), words, marks, *places, different, numbers, at)
        assert end == DONE
        ends.append((at.tolist(), numbers.tolist(), different.table.tolist()))
    assert ends[0] == ends[1]
    assert ends[0][1][0][:3] == [0, 1, 0]
    assert ends[0][1][1][:3] == [1, 2, 3]
    assert ends[0][1][2][:3] == [0, 1, 0]  # numbers of another group


@settings(max_examples=30)
@given(data=st.binary(min_size=80, max_size=80), place=st.integers(0, 16), byte=st.integers(0, 255))
def test_processors_look_at_many_bytes_as_plain_python_does(data: bytes, place: int, byte: int) -> None:
    cells, where = np.frombuffer(data, np.uint8), np.empty(65, np.int64)
    count = ends_of.compiled(cells, place, byte, where)
    assert where[count] == 64
    assert where[:count].tolist() == [each for each in range(64) if data[place + each] == byte]
    assert ends_of(cells, place, byte, where) == count
    assert where[:count].tolist() == [each for each in range(64) if data[place + each] == byte]


@kernel
def ends_of(data: Bytes, place: int, byte: int, where: Ints) -> int:
    """Return how many of 64 bytes are a certain one, and fill in where they stand."""
    ends, count = alike(data, place, byte), 0
    while ends:
        where[count] = zeros_below(ends)
        ends &= ends - ONE
        count += 1
    where[count] = zeros_below(ends)
    return count


@pytest.mark.parametrize("length", range(45))
def test_cells_that_fill_the_room_are_put_in_order(length: int) -> None:
    """The last one, which is short, stands at each distance from the end of the room for all of them."""
    texts = ["k" * length, "", "z"]
    machine = numbering.Numbering(["black"], number_cells.compiled)
    assert machine.add("".join(f"{text},\n" for text in texts).encode(), ord(","), {"black": 0}, 2)
    for numbered in (machine.texts(), numbered_columns(pl.DataFrame({"black": texts}))):
        assert numbered is not None
        assert numbered["black"].different == sorted(set(texts))


@settings(max_examples=40)
@given(rows=ROWS, cut=st.integers(0, 3))
def test_columns_in_memory_are_numbered_alike(rows: list[tuple[str, ...]], cut: int) -> None:
    """In one piece, from a row on, and in two pieces, one of which begins in the middle of its memory."""
    frame = pl.DataFrame(rows, schema=dict.fromkeys(NAMES, pl.String), orient="row")
    for table in (frame, frame.slice(cut), pl.concat([frame, frame.slice(cut)], rechunk=False)):
        numbered = numbered_columns(table)
        assert numbered is not None
        assert columns_of(numbered) == [table[name].to_list() for name in NAMES]
        assert numbered["black"].different == sorted({*table["black"], *table["white"]})


def test_a_cell_that_is_absent_is_empty() -> None:
    rows = {"black": ["Ada", None], "white": [None, "x" * 40], "result": [None, None]}
    frame = pl.DataFrame(rows, dict.fromkeys(NAMES, pl.String))
    numbered = numbered_columns(frame)
    assert numbered is not None
    assert columns_of(numbered) == [["Ada", ""], ["", "x" * 40], ["", ""]]


@pytest.mark.parametrize("form", [number_views.plain, number_views.compiled])
def test_both_forms_number_texts_that_differ_anywhere(form: Any) -> None:
    """Lengths around those of a view, of two words and of whole words; a change of each byte in turn."""
    texts = [""] + ["a" * length for length in (1, 4, 8, 11, 12, 13, 15, 16, 17, 23, 24, 25, 40)]
    texts += ["a" * place + "b" + "a" * (24 - place) for place in range(25)] + ["é" * 6, "é" * 7]
    column = pl.Series(texts * 2, dtype=pl.String)
    pieces = views_of(column)
    assert pieces is not None
    piece = next(pieces)
    different = numbering._room(256)
    numbers, at = np.zeros(2 * len(texts), np.uint32), np.zeros(5, np.int64)
    views, words = piece.views.view(np.uint64), numbering._words(piece.text)
    with np.errstate(over="ignore"):
        end = form(views, piece.views, piece.text, words, piece.start, np.uint64(77), different, numbers, at)
    assert end == DONE
    assert numbers.tolist() == 2 * list(range(len(texts)))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_read_alike_by_machine_code(name: str, tmp_path: Path) -> None:
    text, at_once = TABLES[name]
    assert_both_ways_agree(text.encode(), tmp_path / "games.csv", at_once=at_once)
    assert_both_ways_agree(text.replace("\n", "\r\n").encode(), tmp_path / "games.csv", at_once=at_once)
    if '"' not in text:
        in_quotes = re.sub(r"[^,\n]+", r'"\g<0>"', text)
        assert_both_ways_agree(in_quotes.encode(), tmp_path / "games.csv", at_once=at_once)
    frame = pl.read_csv(text.encode(), infer_schema=False)
    assert handan.read(frame).facts.equals(handan.read([frame, frame.clear()]).facts)


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
    assert isinstance(ledger.columns, Coded) is (dates != "times")
    assert ledger.facts.equals(slowly.facts)
    assert ledger.warnings == slowly.warnings


def test_repeated_games_are_counted_by_days() -> None:
    games = {"date": ["2024-01-01", "2024-01-02", "2024-01-01", "", "", "2024-01-01"], "black": ["Ada"] * 6,
             "white": ["Bo"] * 6, "result": ["B+R", "W+R", "B+R", "B+", "B+", "B+R"],
             "event": ["", "", "", "", "", "Cup"]}  # fmt: skip
    frame = pl.DataFrame(games)
    assert isinstance(handan.read(frame).columns, Coded)
    (repeat,) = handan.read(frame).problems
    assert "1 row repeats another" in str(repeat)
    assert handan.read([frame, frame.clear()]).problems == (repeat,)


def test_an_id_with_a_nul_byte_is_refused_in_a_frame_as_in_a_file() -> None:
    frame = pl.DataFrame({
        "black": ["Ada", "Bo"], "black_id": ["egd:1", "egd:\0"], "white": ["Bo", "Ada"], "result": ["B+R", "W+"],
    })  # fmt: skip
    assert len(handan.read(frame)) == len(handan.read([frame, frame.clear()])) == 1
