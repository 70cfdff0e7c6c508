"""Every reader on damaged files: no error but ours, no hang, memory within bounds. `make fuzz` tries far more."""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.errors import HandanError, Problem
from handan.files import Limits, Options, read
from handan.files.formats import own_formats
from tests import spreadsheets
from tests.conftest import ROOT, examples
from tests.forms import extended_but

SECONDS = 10  # far more than any of these small files takes
MEMORY = 1_500_000  # KiB that all inputs of one process together may make it grow
NO_GAMES = ("databases", "same_answers.json")
"""What no reader takes for games lies there too; the document of the calls stands for it."""
SAMPLES = sorted(
    path
    for path in (ROOT / "tests" / "samples").rglob("*")
    if path.is_file() and not {path.name, path.parent.name} & {*NO_GAMES}
)
HOSTILE = (
    b"99999999999999999999", b"-1", b"1e309", b"NaN", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b'"', b"'", b"(", b")",
    b"[", b"]]", b"\\", b";", b",", b"\t", b"\r", b"\n\n", b"<", b"<![CDATA[", b"&lol;", b"<!ENTITY a 'b'>", b"]]>",
    b"0+/w9!", b"30k", b"0d", b"9999-99-99", b"1970-01-01", b"\xe3\x81\x82", b"\x1b[2J", b"..\\..\\", b"=cmd()",
    b"B+", b"?" * 300,
)  # fmt: skip
ENCODINGS = ("utf-8", "utf-16", "utf-8-sig", "gb18030", "shift_jis", "euc_kr", "iso-8859-15", "cp1252")
PLACE = st.integers(0, 10**6)
STEP = st.one_of(
    st.tuples(st.just("flip"), PLACE, st.integers(0, 255)),
    st.tuples(st.just("cut"), PLACE, st.integers(1, 400)),
    st.tuples(st.just("repeat"), PLACE, st.integers(1, 400)),
    st.tuples(st.just("insert"), PLACE, st.sampled_from(HOSTILE)),
    st.tuples(st.just("replace"), PLACE, st.sampled_from(HOSTILE)),
    st.tuples(st.just("swap"), PLACE, PLACE),
    st.tuples(st.just("nest"), PLACE, st.integers(1, 300)),
    st.tuples(st.just("splice"), PLACE, st.integers(0, 10**6)),
    st.tuples(st.just("recode"), PLACE, st.sampled_from(ENCODINGS)),
)


def parquet() -> bytes:
    """Return a small table as Parquet."""
    import io

    out = io.BytesIO()
    pl.DataFrame({"date": ["2026-05-01"], "black": ["Ada"], "white": ["Bo"], "result": ["B+R"]}).write_parquet(out)
    return out.getvalue()


def contents() -> dict[str, bytes]:
    """Return a whole file of every format."""
    samples = {str(path.relative_to(ROOT / "tests" / "samples")): path.read_bytes() for path in SAMPLES}
    samples["record.sgf"] = (
        b"(;GM[1]FF[4]SZ[19]PB[Ada]PW[Bo]BR[1d]WR[2k]RE[W+3.5]KM[6.5]HA[2]DT[2026-05-01];B[pd](;W[dd]))"
    )
    samples["table.csv"] = (ROOT / "examples" / "games.csv").read_bytes()
    return {**samples, "table.parquet": parquet()}


FILES = contents()
FILES["game.gib"] = (
    b"\\HS\n\\[GAMEDATE=2026- 6-14- 1-26-14\\]\n\\[GAMEWHITENAME=adalind (2D)\\]\n\\[GAMEBLACKNAME=botan (3D)\\]\n"
    b"\\[GAMEINFOMAIN=GRLT:8,ZIPSU:0,GONGJE:65,TCNT:232\\]\n\\HE\n\\GS\nINI 0 1 0 &4\nSTO 0 2 1 15 3\n\\GE\n"
)
FILES["game.ngf"] = b"Game\n19\nadalind 2D\nbotan 3D\nx\n0\n0\n6\n20260614\n5\nWhite wins by time\n232\nPMABBQDQD\n"


OF_EACH_KIND = ("cup.h9", "cup.xml", "egd_list.html", "record.sgf", "report.txt", "table.csv", "tygem.txt", "wall.txt")
"""Files that readers of every kind take."""


def mutated(data: bytes, steps: list[tuple[Any, ...]]) -> bytes:  # noqa: C901  # a table of damages
    """Return a file after its damages."""
    for kind, place, how in steps:
        at = place % (len(data) + 1)
        if kind == "flip" and at < len(data):
            data = data[:at] + bytes([how]) + data[at + 1 :]
        elif kind == "cut":
            data = data[:at] + data[at + how :]
        elif kind == "repeat":
            data = data[:at] + data[at : at + how] * 20 + data[at:]
        elif kind == "insert":
            data = data[:at] + how + data[at:]
        elif kind == "replace":
            data = data[:at] + how + data[at + len(how) :]
        elif kind == "swap":
            other = how % (len(data) + 1)
            low, high = sorted((at, other))
            data = data[:low] + data[high:] + data[low:high]
        elif kind == "nest":
            data = data[:at] + b"(;" * how + b"<a>" * how + data[at:]
        elif kind == "splice":
            names = sorted(FILES)
            other_file = FILES[names[how % len(names)]]
            data = data[:at] + other_file[how % (len(other_file) + 1) :]
        elif kind == "recode":
            data = data.decode("utf-8", "replace").encode(how, "replace")
    return data


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Fail if what is inside takes too much of the processor, whatever else the machine does."""

    def late(*_: object) -> None:
        raise TimeoutError(f"a small file took more than {seconds} seconds")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def one_line(problems: Callable[[], Sequence[Problem]], data: bytes) -> None:
    """Check that there is an error of ours, or problems in proportion, of one line each."""
    try:
        caught = problems()
    except HandanError as error:
        fault = str(error)
        assert "\n" not in fault
        return
    assert len(caught) <= 10 * (len(data) + 10)
    assert not any("\n" in str(problem) for problem in caught)


def test_there_is_a_whole_file_of_every_format() -> None:
    workbook = spreadsheets.readable()["libreoffice.ods"]  # damaged ones are tried in test_files_spreadsheets
    samples = [*FILES.values(), workbook]
    sniffed = {next(item.name for item in own_formats() if item.sniff(data[:65536])) for data in samples}
    assert sniffed == {item.name for item in own_formats()}


@pytest.mark.fuzz
@pytest.mark.parametrize("name", extended_but(OF_EACH_KIND, sorted(FILES)))
def test_a_damaged_file_gives_games_or_an_error_of_ours(name: str) -> None:
    options = Options(limits=Limits(), date="2025-05-03")
    form = next(item for item in own_formats() if item.sniff(FILES[name][:65536]))
    start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    @settings(max_examples=examples(30), deadline=None)
    @given(steps=st.lists(STEP, min_size=1, max_size=6))
    def hold(steps: list[tuple[Any, ...]]) -> None:
        data = mutated(FILES[name], steps)
        with TemporaryDirectory() as folder, within(SECONDS):
            path = Path(folder) / "input"
            path.write_bytes(data)
            one_line(lambda: read(path, options=options).problems, data)
            one_line(lambda: form.read(data, "input", options).problems, data)  # though it looks like another now

    hold()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start
    assert grown < MEMORY, f"{grown} KiB more were needed"
