"""Two ways to take a text table apart, and files damaged in every way."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from handan.errors import HandanError, InputError
from handan.files import Limits, read, write
from handan.files.io.cells import all_at_once, read_cells
from handan.files.io.csv_rows import Body, one_by_one
from handan.files.io.options import Options
from handan.ledger import Ledger
from tests.conftest import examples
from tests.strategies import ledgers, names, texts

COLUMNS = ("date", "black", "white", "result", "komi", "notes")
ABSURD = ("", "1e999", "-1", "99999999999999999999", "nan", "0x10", "½", "6,5", "1_0", "九段", "2024-13-45", "=1+1")


@settings(max_examples=100)
@given(text=st.text('ab",;\t \r\né', max_size=60), separator=st.sampled_from(",;\t"), width=st.integers(2, 4))
@example(text='"a,b",c\n"d ""e""",f\r\n', separator=",", width=2)
@example(text='a,"b\nc"\n', separator=",", width=2)
@example(text='a,b\n"c"\n', separator=",", width=2)
@example(text="a,b\n\nc,d,e\n", separator=",", width=2)
@example(text="a,b,c\nd\n", separator=",", width=2)
@example(text="a,b,c,d\na,b\n", separator=",", width=3)
@example(text='a,b\na,b,c,"d"\ne,f,g\r\n', separator=",", width=3)
@example(text="a,b,c\na,b\na,b,c,", separator=",", width=3)
def test_polars_and_row_by_row_give_the_same_cells(text: str, separator: str, width: int) -> None:
    places = {"a": 0, "b": width - 1}
    body = Body(f"head\n{text}".encode(), 5, 2, width, places, separator, "x")
    fast = all_at_once(body)
    slow, lines, problems = one_by_one(body, Limits())
    if fast is not None:
        assert fast.equals(slow)
        assert lines.to_list() == list(range(2, 2 + fast.height))
        assert problems == []


@pytest.mark.parametrize("several", [False, True])
def test_a_long_row_is_not_made_up_for_by_a_short_one(several: bool, tmp_path: Path) -> None:
    """Also where a column is not read, in a file and in a text; a stray comma moves all cells behind it."""
    rows = "2024-01-01,Lee, Kim,B+R,W+R,A\n2024-01-02,Cy,Bo,W+R\n" + "2024-01-03,Ada,Bo,W+R,A\n" * several
    text = f"date,black,white,result,club\n2024-01-01,Ada,Bo,B+R,A\n{rows}2024-01-03,Cy,Bo,W+R,A\n".encode()
    (tmp_path / "games.csv").write_bytes(text)
    for source in (tmp_path / "games.csv", text):
        ledger = read(source)
        assert {player.name for player in ledger.players} == {"Ada", "Bo", "Cy"}
        assert any(problem.line == 3 and "there are 6" in str(problem) for problem in ledger.problems)


@pytest.mark.parametrize("odd", ["", "1", "1,2,3", 'a,"b\nc"', 'x"y,z', "a\0,b"])
def test_a_table_with_an_odd_row_is_taken_apart_row_by_row(odd: str) -> None:
    body = Body(f"1,2\n3,4\n{odd}\n5,6\n".encode(), 0, 1, 2, {"a": 0, "b": 1}, ",", "x")
    assert all_at_once(body) is None
    text, lines, _ = one_by_one(body, Limits())
    assert (text.row(-1), lines[-1]) == (("5", "6"), 4 + odd.count("\n"))


@given(rows=st.lists(st.lists(texts(), min_size=3, max_size=3), max_size=6), end=st.sampled_from(("\n", "\r\n")))
def test_what_python_writes_is_read_as_python_reads_it(rows: list[list[str]], end: str) -> None:
    assume(end == "\r\n" or not any("\r" in cell for row in rows for cell in row))  # Python leaves a lone CR unquoted
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator=end).writerows([["black", "white", "result"], *rows])
    table = read_cells(stream.getvalue().encode(), "x", Options(), ("black", "white", "result"), [("black",)])
    assert table.problems == []
    assert table.text.rows() == [tuple(row) for row in rows]
    again = list(csv.reader(io.StringIO(stream.getvalue(), newline="")))
    assert table.text.rows() == [tuple(row) for row in again[1:]]


def test_rows_polars_can_read_are_left_to_it() -> None:
    for text in ("a,b\nc,d\n", "a,b\r\nc,d", '"a,x","b ""y"""\nc,""\n', "", ",\n"):
        assert all_at_once(Body(text.encode(), 0, 1, 2, {"a": 0}, ",", "x")) is not None


class Damage:
    """A valid file, changed step by step in ways that keep the number of its rows known."""

    def __init__(self, rows: list[list[str]]) -> None:
        self.header = list(COLUMNS)
        self.rows = [list(row) for row in rows]
        self.separator = ","
        self.blanks: set[int] = set()
        self.cut = 1.0
        self.encoding, self.named = "utf-8", False
        self.packed = False
        self.ends = True

    def apply(self, kind: str, data: st.DataObject) -> None:  # noqa: C901  # a table of damages
        """Change one thing; `data` says where."""
        place = data.draw(st.integers(0, len(self.rows) - 1), label="row")
        row = self.rows[place]
        if not row:  # all its cells have been taken away
            return
        column = data.draw(st.integers(0, len(row) - 1), label="column")
        if kind == "truncate":
            self.cut = data.draw(st.floats(0, 1), label="cut")
        elif kind == "encoding":
            codecs = ("utf-8-sig", "utf-16", "utf-16-le", "cp1252", "shift_jis", "gb18030", "euc-kr")
            self.encoding, self.named = data.draw(st.sampled_from(codecs)), data.draw(st.booleans())
        elif kind == "drop column":
            lost = data.draw(st.integers(0, len(self.header) - 1), label="lost")
            del self.header[lost]
            for cells in self.rows:
                del cells[lost : lost + 1]
        elif kind == "absurd":
            row[column] = data.draw(st.sampled_from(ABSURD))
        elif kind == "nul":
            row[column] += "\0"
        elif kind == "many columns":
            row += ["x"] * data.draw(st.sampled_from((1, 50, 20_000)), label="more")
        elif kind == "wide header":
            self.header += [f"x{number}" for number in range(data.draw(st.sampled_from((1, 20_000)), label="more"))]
        elif kind == "few columns":
            del row[data.draw(st.integers(1, len(row)), label="kept") :]
        elif kind == "blank lines":
            self.blanks.add(place)
        elif kind == "stray quote":  # before a letter, so that it cannot close a cell
            row[column] = data.draw(st.sampled_from(('"x{}', 'x"x{}', '""x{}', ' "x{}', '"""x{}'))).format(row[column])
        elif kind == "name":
            row[column] = data.draw(names()).replace(",", "").replace('"', "")
        elif kind == "pack":
            self.packed = True
        elif kind == "no end":
            self.ends = False

    def content(self) -> bytes:
        """Return the bytes of the file."""
        lines = [self.separator.join(self.header)]
        for place, row in enumerate(self.rows):
            lines += ["", " "] * (place in self.blanks)
            lines.append(self.separator.join(row))
        data = ("\n".join(lines) + "\n" * self.ends).encode(self.encoding, "replace")
        data = data[: round(len(data) * self.cut)]
        return gzip.compress(data) if self.packed else data

    def height(self) -> int:
        """Return the number of rows: lines after the header that hold more than blanks."""
        data = gzip.decompress(self.content()) if self.packed else self.content()
        lines = data.decode(self.encoding, "replace").removeprefix("\ufeff").split("\n")[1:]
        return sum(1 for line in lines if line.strip(" "))


def read_damaged(damage: Damage) -> tuple[Ledger | None, str]:
    """Return the ledger of a damaged file, or None and the error."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.csv"
        path.write_bytes(damage.content())
        try:
            return read(path, encoding=damage.encoding if damage.named else None), ""
        except HandanError as error:
            return None, str(error)


KINDS = ("truncate", "encoding", "drop column", "absurd", "nul", "many columns", "wide header", "few columns",
         "blank lines", "stray quote", "name", "pack", "no end")  # fmt: skip
PLAIN = st.tuples(
    st.sampled_from(("", "2024-05-01", "2024-05", "1.5.2024 ", "2024-05-01 10:30")),
    st.sampled_from(("Alice", "Zoë", "山野 空丸", "Мира", "솔뫼")),
    st.sampled_from(("Bob", "Carol", "はるか かぜ", "Dave")),
    st.sampled_from(("B+R", "W+3.5", "jigo", "P1+", "X")),
    st.sampled_from(("6.5", "", "0")),
    st.sampled_from(("", "late")),
).map(list)


@pytest.mark.fuzz
@settings(max_examples=examples(30))
@given(
    rows=st.lists(PLAIN, min_size=1, max_size=8),
    kinds=st.lists(st.sampled_from(KINDS), max_size=3, unique=True),
    data=st.data(),
)
def test_a_damaged_file_loses_no_row_without_a_word(
    rows: list[list[str]], kinds: list[str], data: st.DataObject
) -> None:
    damage = Damage(rows)
    for kind in sorted(kinds, key=KINDS.index, reverse=True):
        damage.apply(kind, data)
    ledger, fault = read_damaged(damage)
    if ledger is None:
        assert fault
        assert "\n" not in fault
        assert set(kinds) & {"truncate", "encoding", "drop column", "wide header"}
        return
    left_out = {problem.line for problem in ledger.problems if problem.rejected or "left out" in str(problem)}
    assert len(ledger) + len(left_out) == damage.height()
    assert all("\n" not in str(problem) for problem in ledger.problems)


@pytest.mark.fuzz
@settings(max_examples=examples(60))
@given(content=st.one_of(st.binary(max_size=200), st.text(max_size=100).map(str.encode)), packed=st.booleans())
def test_any_bytes_are_a_ledger_or_an_error_of_one_line(content: bytes, packed: bool) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.csv"
        path.write_bytes(gzip.compress(content) if packed else content)
        fault = ""
        try:
            assert isinstance(read(path), Ledger)
        except InputError as error:
            fault = str(error)
        assert "\n" not in fault


@pytest.mark.fuzz
@settings(max_examples=examples(20))
@given(ledger=ledgers(), places=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_a_written_file_with_wrong_bytes_is_a_ledger_or_an_error_of_one_line(
    ledger: Ledger, places: list[tuple[float, int]]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.csv"
        write(ledger, path)
        content = bytearray(path.read_bytes())
        for place, byte in places:
            content[int(place * (len(content) - 1))] = byte
        path.write_bytes(content)
        fault = ""
        try:
            assert isinstance(read(path), Ledger)
        except InputError as error:
            fault = str(error)
        assert "\n" not in fault


def test_faults_that_are_alike_are_counted_beyond_a_thousand() -> None:
    """A table in which every date lies in the future is one fault and not as many as it has rows."""
    rows = "".join(f"2999-01-{1 + n % 28:02},Ada,Bo,B+R,0\n2024-01-01,Ada,Bo,W+T,x\n" for n in range(1_500))
    ledger = read(f"date,black,white,result,komi\n{rows}".encode())
    dates = [problem for problem in ledger.problems if problem.field == "date"]
    komi = [problem for problem in ledger.problems if problem.field == "komi"]
    assert len(ledger) == 1_500
    assert not ledger.arrays.dated.any()
    assert [len(dates), len(komi)] == [1_001, 1_001]
    counts = [str(problem) for problem in ledger.problems if problem.line is None]
    assert counts == [
        "bytes: 500 more rows in which date is not a date from 1600 to tomorrow; read as unknown",
        "bytes: 500 more rows in which komi is not a number of points from -400 to 400",
    ]
    assert [komi[0].rejected, komi[1].line] == [True, 3]
