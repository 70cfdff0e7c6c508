"""Every text format in every usual encoding, with every line end, packed and in folders; damaged bytes."""

from __future__ import annotations

import gzip
from pathlib import Path
from zipfile import ZipFile

import pytest

from handan.errors import InputError
from handan.files import Options, read
from handan.files.reading import readings
from tests.conftest import ROOT

pytestmark = pytest.mark.extended

NAMES = {
    "utf-8": "Zoë空丸", "utf-8-sig": "Zoë空丸", "utf-16": "Zoë空丸", "utf-16-be": "Zoë空丸", "iso-8859-1": "Zoë",
    "iso-8859-15": "Zoë", "cp1252": "Zoë", "gb18030": "空丸", "shift_jis": "山野", "euc-kr": "솔뫼",
}  # fmt: skip
TEXTS = {
    "H9": "; EV[{0}]\n; DT[2025-05-03]\n1 {0} Ada 3d SE Ume 2+/w0\n2 Tan Bo 1k GB Ldn 1-/b0\n",
    "FFG .tou": ";name={0}\n;date=03/05/2025\n;komi=7.5\n;Num Nom Prenom\n"
    "   1 {0} Ada{1}3D 1800001 75Pa 2+w0    \n   2 Tan Bo                    1K 1800002 69Ly 1-b0    \n",
    "printed table": "Pl\tName\tRank\tClub\t1\n1\t{0} Ada\t3d\tUme\t2+/w0\n2\tTan Bo\t1k\tLdn\t1-/b0\n",
    "AGA report": "TOURNEY {0}\nstart=5/3/2025\nPLAYERS\n1 {0} Ada 3d\n2 Tan Bo 1k\nGAMES 1\n1 2 w 0 7\nEND\n",
    "TYGEM index": "1\tC2009.03.05 20:21\t{0} Ada\t\t0\tTan Bo\t\t1\tW+Resign\t187\t30\n" * 2,
    "TOM index": "1\t2009.03.05 20:21\t{0} Ada\tTan Bo\t6.5\tW+0.5\t187\n" * 2,
    "SGF": "(;GM[1]PW[{0} Ada]PB[Tan Bo]RE[W+]DT[2025-05-03])\n",
    "table": "date,black,white,result\n2025-05-03,Tan Bo,{0} Ada,W+\n",
    "OpenGotha XML": '<Tournament dataVersion="201"><Players><Player name="{0}" firstName="Ada"/>\n'
    '<Player name="Tan" firstName="Bo"/></Players><Games>\n'
    '<Game whitePlayer="{0}ADA" blackPlayer="TANBO" result="RESULT_WHITEWINS"/></Games></Tournament>\n',
    "MacMahon XML": '<Tournament typeversion="3.9"><Player><Id>1</Id><GoPlayer><FirstName>Ada</FirstName>\n'
    "<Surname>{0}</Surname></GoPlayer></Player><Player><Id>2</Id><GoPlayer><FirstName>Bo</FirstName>\n"
    "<Surname>Tan</Surname></GoPlayer></Player><Round><RoundNumber>1</RoundNumber><Pairing><White>1</White>\n"
    "<Black>2</Black><Result>0-1</Result></Pairing></Round></Tournament>\n",
}


def written(form: str, codec: str) -> str:
    """Return a file of a format with a name that its encoding can hold."""
    name = NAMES[codec]
    return TEXTS[form].format(name, " " * (21 - len(name)))  # a name of .tou has 25 places


def white(path: Path, form: str, encoding: str | None = None) -> str:
    """Return the name of White in the first game, after checking what the file was taken for."""
    [reading] = readings(path, Options(encoding=encoding, date="2025-05-03"))
    assert reading.format == form
    assert reading.contents is not None, reading.refusal
    assert reading.contents.games.height >= 1, [str(problem) for problem in reading.contents.problems]
    return str(reading.contents.games["white"][0])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("codec", NAMES)
@pytest.mark.parametrize("form", TEXTS)
def test_a_file_is_read_in_the_encoding_that_the_user_names(form: str, codec: str, end: str, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(written(form, codec).replace("\n", end).encode(codec))
    assert white(path, form, codec) == f"{NAMES[codec]} Ada"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("form", TEXTS)
def test_unicode_needs_no_name(form: str, codec: str, end: str, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(written(form, codec).replace("\n", end).encode(codec))
    assert white(path, form) == f"{NAMES[codec]} Ada"


@pytest.mark.parametrize(
    ("form", "codec"),
    [
        ("H9", "iso-8859-15"), ("FFG .tou", "iso-8859-15"), ("AGA report", "cp1252"),
        ("SGF", "iso-8859-1"), ("SGF", "gb18030"), ("TYGEM index", "gb18030"),
    ],
)  # fmt: skip
def test_old_files_are_read_in_the_encoding_of_their_format(form: str, codec: str, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(written(form, codec).encode(codec))
    assert white(path, form) == f"{NAMES[codec]} Ada"


@pytest.mark.parametrize("form", TEXTS)
def test_damaged_bytes_cost_no_game(form: str, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(written(form, "utf-8").encode().replace("丸".encode(), b"\xff\xfe"))
    assert white(path, form).endswith(" Ada")


NAME = NAMES["utf-8"]


def destroyed(name: bytes) -> list[bytes]:
    """Return a name with each of its bytes that are not ASCII destroyed or lost."""
    places = [place for place, byte in enumerate(name) if byte > 127]
    return [name[:place] + hurt + name[place + 1 :] for place in places for hurt in (b"\xff", b"")]


@pytest.mark.parametrize("form", TEXTS)
def test_a_byte_destroyed_in_one_name_touches_no_other_and_brings_no_other_letters(form: str, tmp_path: Path) -> None:
    path = tmp_path / "input"
    data = written(form, "utf-8").replace("Tan", "Tän").replace("TAN", "TÄN").encode()
    for name in destroyed(NAME.encode()):
        path.write_bytes(data.replace(NAME.encode(), name))
        [reading] = readings(path, Options(date="2025-05-03"))
        assert reading.format == form
        assert reading.contents is not None
        [black], [hurt] = (reading.contents.games[side].unique() for side in ("black", "white"))
        assert black == "Tän Bo"
        assert hurt.endswith(" Ada")
        assert set(hurt) <= {*NAME, *" Ada", "\ufffd"}, hurt
        assert "\ufffd" in hurt
        assert [problem for problem in reading.contents.problems if "\ufffd" in problem.found and problem.line]
        assert not [problem for problem in reading.contents.problems if problem.rejected]


@pytest.mark.parametrize("byte", [0x85, 0xA0, 0xB8, 0xC3, 0xE4, 0xE9, 0xEB, 0xF6, 0xFC, 0xFF])
@pytest.mark.parametrize("form", TEXTS)
def test_one_odd_byte_in_a_latin_name_never_makes_it_chinese_or_korean(form: str, byte: int, tmp_path: Path) -> None:
    path = tmp_path / "input"
    for name in ("M?ller", "Zo?", "?kerblom", "Gar?on", "No??l", "MU?LLER"):
        width = " " * (21 - len(name))
        text = (
            TEXTS[form].format(name, width).encode().replace(name.encode(), name.encode().replace(b"?", bytes([byte])))
        )
        path.write_bytes(text)
        [reading] = readings(path, Options(date="2025-05-03"))
        assert reading.contents is not None
        assert reading.contents.games.height >= 1, [str(problem) for problem in reading.contents.problems]
        read_name = str(reading.contents.games["white"][0])
        assert read_name.endswith(" Ada")
        assert all(ord(c) < 0x180 or c in "\u20ac\u2026\ufffdŽžŠš" for c in read_name), read_name


def test_a_table_with_few_destroyed_cells_is_read_with_a_warning_for_each(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    rows = ["date,black,white,result", *[f"2026-01-{day:02},Zoë,Bo,B+" for day in range(1, 9)]]
    data = "\n".join([*rows, "2026-01-09,K?the,Bo,B+", ""]).encode().replace(b"K?the", b"K\xe4the")
    path.write_bytes(data)
    ledger = read(path)
    assert len(ledger) == 9
    [problem] = ledger.problems
    assert (problem.line, problem.field, problem.rejected) == (10, "black", False)
    assert "\ufffd" in problem.found
    assert problem.expected == "whole; \ufffd stands for destroyed bytes"


@pytest.mark.parametrize("form", TEXTS)
def test_a_file_may_be_packed_and_lie_deep(form: str, tmp_path: Path) -> None:
    data = written(form, "utf-8").encode()
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    (folder / "input.gz").write_bytes(gzip.compress(data))
    assert white(tmp_path, form) == white(folder / "input.gz", form) == "Zoë空丸 Ada"
    with ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("c/d/input", data)
        archive.writestr("c/input.gz", gzip.compress(data))
    parsed = list(readings(tmp_path / "all.zip", Options(date="2025-05-03")))
    assert [reading.format for reading in parsed] == [form, form]


@pytest.mark.parametrize(
    "form", [form for form in TEXTS if form not in {"SGF", "table", "printed table"} and "XML" not in form]
)
def test_an_unknown_encoding_is_an_error_that_says_so(form: str, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_text(written(form, "utf-8"), encoding="utf-8")
    with pytest.raises(InputError, match="encoding 'klingon' is unknown"):
        read(path, encoding="klingon")


@pytest.mark.parametrize(
    "form", [form for form in TEXTS if form not in {"SGF", "table", "printed table"} and "XML" not in form]
)
def test_a_nul_byte_is_refused_with_its_line(form: str, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(written(form, "utf-8").encode() + b"\x00")
    with pytest.raises(InputError, match=r"input line \d+: a NUL byte"):
        read(path, date="2025-05-03")


def test_the_whole_archive_of_samples_is_read(tmp_path: Path) -> None:
    others = (".json", ".gz")  # answers of all systems, databases of clubs
    paths = sorted((ROOT / "tests" / "samples").rglob("*"))
    samples = [path for path in paths if path.is_file() and path.suffix not in others]
    with ZipFile(tmp_path / "samples.zip", "w") as archive:
        for path in samples:
            archive.write(path, path.relative_to(ROOT).as_posix())
    parsed = list(readings(tmp_path / "samples.zip", Options(date="2025-05-03"), refuse=False))
    assert len(parsed) == len(samples)
    assert [reading.source for reading in parsed if reading.refusal] == []


@pytest.mark.parametrize("codec", ["utf-16", "utf-32"])
def test_a_table_with_a_byte_order_mark_is_read_as_the_mark_says(codec: str, tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text("black,white,result\nZoë,空丸,B+R\nBo,Zoë,W+R\n", encoding=codec)
    ledger = read(tmp_path / "games.csv")
    assert [player.name for player in ledger.players] == ["Bo", "Zoë", "空丸"]
    assert ledger.problems == ()
