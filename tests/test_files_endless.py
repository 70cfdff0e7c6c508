"""What has no end, or holds a thousand files without games, is refused after the first part that tells."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import handan
from handan.errors import InputError
from handan.files.io.limits import Limits
from handan.files.io.options import Options

SOON = 16 << 20  # bytes within which an endless stream must be refused


class Endless(io.RawIOBase):
    """A stream that repeats a piece for ever, and counts what was read of it."""

    def __init__(self, piece: bytes) -> None:
        self.piece, self.given = piece, 0

    def read(self, size: int = -1) -> bytes:
        assert size >= 0, "read to its end, which does not come"
        self.given += size
        return (self.piece * (size // len(self.piece) + 1))[:size]


@pytest.mark.parametrize(
    ("piece", "why"),
    [
        (b"\0", "stand in no text"),
        (bytes(range(256)), "stand in no text"),
        (b"a", "in one line"),
        (b"y\n", "games in one file"),
        (b"\n", "games in one file"),
    ],
)
def test_an_endless_stream_is_refused_soon(piece: bytes, why: str) -> None:
    stream = Endless(piece)
    with pytest.raises(InputError, match=why):
        handan.read(stream)
    assert stream.given <= SOON


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device")
def test_a_device_without_end_is_refused() -> None:
    with pytest.raises(InputError, match="stand in no text"):
        handan.read("/dev/zero")


def test_a_program_is_refused_in_words_without_its_bytes(tmp_path: Path) -> None:
    file = tmp_path / "program.csv"
    file.write_bytes(b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 4)
    with pytest.raises(InputError) as refused:
        handan.read(file)
    assert str(refused.value) == f"{file} line 1 begins with bytes that stand in no text; a file of games was expected"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "shift_jis"])
def test_a_stream_of_games_is_read_in_any_encoding(encoding: str) -> None:
    text = "black,white,result,notes\n" + "Ada,Bo,B+,鈴木\n" * 40_000
    assert len(handan.read(io.BytesIO(text.encode(encoding)))) == 40_000


def test_a_text_stream_is_read_too() -> None:
    assert len(handan.read(io.StringIO("black,white,result\nAda,Bo,B+\n" * 1))) == 1


def _archive(members: int, text: Callable[[int], str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(members):
            archive.writestr(f"{number:04}.txt", text(number))
    return packed.getvalue()


def test_an_archive_of_files_without_games_is_refused_at_its_limit() -> None:
    data = _archive(30, lambda _: "nothing of that kind\n")
    with pytest.raises(InputError, match=r"more than 20 files without games .*--allow unreadable=NUMBER"):
        handan.read(data, options=Options(limits=Limits(unreadable=20)))
    games = _archive(30, lambda number: f"black,white,result\nAda,Bo{number},B+\n")
    assert len(handan.read(games, options=Options(limits=Limits(unreadable=20)))) == 30


@pytest.mark.parametrize("blank", ["\n", "\n \t\n\n", "\n" * 5000])
def test_empty_lines_before_and_between_rows_make_no_other_format(blank: str) -> None:
    rows = [f"{place} Ada{place} Name 3k ZA Club {place}+ {place}-" for place in range(1, 5)]
    from handan.files.formats import own_formats
    from handan.files.io.decoding import plain_head
    from handan.files.reading import BLANK_LINES

    plain = "\n".join(rows).encode()
    spaced = BLANK_LINES.sub(b"\n\n", plain_head(blank.join(rows).encode(), None))
    assert [form.sniff(plain) for form in own_formats()] == [form.sniff(spaced) for form in own_formats()]
