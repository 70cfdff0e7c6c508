"""Game records: root properties as programs and servers spell them, encodings, limits, writing, real files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.errors import InputError
from handan.files import Limits, Options, read, write
from handan.files.formats.sgf import SGF
from handan.files.games.parsed import Contents
from handan.files.reading import readings
from handan.files.report import report
from handan.ledger import Game, Ledger
from tests.conftest import ROOT, examples

SAMPLES = ROOT / "tests" / "samples"
DATA = ROOT.parent / "shared" / "data"
local = pytest.mark.skipif(not DATA.exists(), reason="the folder of real results is not beside the checkout")


def sgf(text: str | bytes, **limits: int) -> Contents:
    data = text if isinstance(text, bytes) else text.encode()
    return SGF.read(data, "game.sgf", Options(limits=Limits(**limits)))


def game(properties: str) -> dict[str, object]:
    parsed = sgf(f"(;GM[1]PB[Ada]PW[Bo]{properties};B[pd];W[dp])")
    assert parsed.games.height == 1, [str(problem) for problem in parsed.problems]
    return parsed.games.row(0, named=True)


@pytest.mark.parametrize(
    ("text", "result", "notes"),
    [
        ("B+", "B+", ""), ("W", "W+", ""), ("B+R       ", "B+R", ""), (" b+r", "B+R", ""), ("W+0.02", "W+0.02", ""),
        ("B+3,5", "B+3.5", ""), ("W+Time", "W+T", ""), ("B+Forfeit", "B+F", ""), ("B+Offline", "B+", "offline"),
        ("B+AW", "B+", "aw"), ("B+Res.", "B+R", ""), ("0", "jigo", ""), ("Draw", "jigo", ""), ("D+J", "jigo", ""),
        ("Void", "void", ""), ("?", "?", ""), ("", "?", ""), ("Black wins", "?", "Black wins"),
    ],
)  # fmt: skip
def test_results_are_read_as_they_occur(text: str, result: str, notes: str) -> None:
    parsed = game(f"RE[{text}]")
    assert (parsed["result"], parsed["notes"]) == (result, notes)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1996-12-27,28", "1996-12-27"), ("2003-9-25", "2003-09-25"), (r"2015/05/22,06\:00\:00", "2015-05-22"),
        ("21.10.2009", "2009-10-21"), ("31.10.97", "1997-10-31"), ("31-10-2009", "2009-10-31"),
        ("2009-10-31T12:00:00Z", "2009-10-31"), ("1997", "1997-01-01"), ("2001-13-45", None), ("", None),
    ],
)  # fmt: skip
def test_dates_are_read_as_they_occur(text: str, day: str | None) -> None:
    parsed = game(f"DT[{text}]")["date"]
    assert (None if parsed is None else str(parsed)[:10]) == day


@pytest.mark.parametrize(
    ("text", "more", "komi"),
    [
        ("6.5", "", 6.5), ("6,5", "", 6.5), ("6.50", "", 6.5), ("-5.5", "", -5.5), ("650", "", 6.5), ("750", "", 7.5),
        ("375", "", 7.5), ("325", "", 6.5), ("0", "", 0.0), ("0", "AP[foxwq]", None), ("", "", None), ("x", "", None),
    ],
)  # fmt: skip
def test_komi_is_read_as_servers_write_it(text: str, more: str, komi: float | None) -> None:
    assert game(f"KM[{text}]{more}")["komi"] == komi


def test_ranks_sizes_rounds_and_handicaps() -> None:
    parsed = game("BR[3d?]WR[9段]SZ[13:13]HA[2]RO[3 (final)]EV[Spring  Cup]")
    assert (parsed["black_rank"], parsed["white_rank"], parsed["size"]) == ("3d?", "9d", 13)
    assert (parsed["handicap"], parsed["round"], parsed["event"]) == (2, 3, "Spring Cup")
    assert game("BR[Poland]")["black_rank"] == ""


def test_old_names_escapes_and_line_ends() -> None:
    parsed = sgf("junk before (;GaMe[1]PlayerBlack[A\\]da]PlayerWhite[B\\\no]KoMi[5.5])")
    row = parsed.games.row(0, named=True)
    assert (row["black"], row["white"], row["komi"]) == ("A]da", "Bo", 5.5)


def test_a_bracket_that_is_not_escaped_costs_only_its_own_value() -> None:
    parsed = sgf("(;PB[Ada]PW[Bo]EV[Cup ] of spring]RE[B+R])")
    assert parsed.games.row(0, named=True)["result"] == "B+R"
    assert [problem.field for problem in parsed.problems] == ["root"]


def test_a_collection_is_read_game_by_game_with_lines() -> None:
    games = "(;PB[A]PW[B]RE[B+];B[aa](;W[bb])(;W[cc]))\n\n(;PB[C]PW[D]RE[W+])\n"
    parsed = sgf(games + "(;GM[2]PB[E]PW[F])(;SZ[9:13]PB[G]PW[H])(;B[aa])")
    assert parsed.games.select("black", "result", "line").rows() == [("A", "B+", 1), ("C", "W+", 3)]
    assert [problem.field for problem in parsed.problems] == ["GM", "SZ", "PB"]


@pytest.mark.parametrize(
    ("name", "codec", "declared"),
    [
        ("山野", "utf-8", ""), ("空丸", "gb18030", ""), ("山野", "shift_jis", "Shift_JIS"),
        ("솔뫼", "euc-kr", "EUC-KR"), ("Zoë", "latin-1", ""),
    ],
)  # fmt: skip
def test_names_are_read_in_the_first_encoding_that_fits(name: str, codec: str, declared: str) -> None:
    head = f"CA[{declared}]" if declared else ""
    parsed = sgf(f"(;{head}PB[{name}]PW[Bo]RE[B+])".encode(codec))
    assert parsed.games["black"][0] == name


def test_damaged_bytes_are_kept_as_such_and_reported() -> None:
    parsed = sgf("(;CA[UTF-8]PB[山野".encode() + b"\xff" + b"]PW[Bo])")
    assert parsed.games["black"][0] == "山野\ufffd"
    assert [problem.field for problem in parsed.problems] == ["name"]


def test_limits_are_named() -> None:
    with pytest.raises(InputError, match="--allow nesting=NUMBER"):
        sgf("(;PB[A]PW[B]" + "(;B[aa]" * 20_000 + ")" * 20_001)
    with pytest.raises(InputError, match="--allow node=NUMBER"):
        sgf("(;PB[A]PW[B]C[" + "x" * 500 + "])", node=100)
    with pytest.raises(InputError, match="has no game"):
        sgf("no game here")


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    games = [
        Game("Ada ]L[", "Bo\\", "B+3.5", "2025-05-03", 2, 0.5, 13, event="Cup", round=2, black_rank="3d"),
        Game("Zoë", "山野", "jigo", "2025-05-04", komi=6.0),
        Game("Zoë", "Bo", "void", "2025-05-05"),
    ]
    ledger = Ledger.of(games)
    assert write(ledger, tmp_path / "games.sgf") == []
    assert read(tmp_path / "games.sgf") == ledger
    odd = Ledger.of([Game("A", "B", "P1+", "2025-05-03", kind="club", notes="x")])
    assert write(odd, tmp_path / "odd.sgf") == ["unknown colours (1 game)", "kinds (1 game)", "notes (1 game)"]


@pytest.mark.fuzz
@settings(max_examples=examples(200))
@given(data=st.data())
def test_mutated_records_are_contents_or_an_error_of_one_line(data: st.DataObject) -> None:
    text = "(;GM[1]CA[UTF-8]PB[山野 A\\]da]PW[Zoë]RE[B+R]DT[1996-12-27,28]KM[6.5]SZ[19]HA[2]BR[3d?]"
    text += ";B[pd](;W[dp])(;W[dd]))\n"
    content = (2 * text).encode(data.draw(st.sampled_from(("utf-8", "gb18030", "utf-16"))))
    for _ in range(data.draw(st.integers(0, 5))):
        place = data.draw(st.integers(0, max(len(content) - 1, 0)))
        end = place + data.draw(st.integers(0, 20))
        content = content[:place] + data.draw(st.binary(max_size=6)) + content[end:]
    try:
        assert isinstance(SGF.read(content, "x", Options()), Contents)
    except InputError as error:
        fault = str(error)
        assert "\n" not in fault


@local
def test_the_polish_championships_have_their_known_counts() -> None:
    # the data's own README: 150 games, Black 62, White 86, 2 without a result, 26 without a date, 37 names
    parsed = list(readings(DATA / "sgf", Options()))
    summaries = [report(reading) for reading in parsed]
    assert (len(summaries), sum(each.games for each in summaries), sum(each.unplayed for each in summaries)) == (
        150,
        150,
        2,
    )
    ledger = read(DATA / "sgf")
    wins = [sum(str(game.result).startswith(side) for game in ledger) for side in ("B+", "W+")]
    assert (wins, len(ledger.players)) == ([62, 86], 37)
    assert sum(game.date is None for game in ledger) == 26
    assert sum(game.komi is None for game in ledger) == 37
    assert not any(game.handicap for game in ledger)
    assert not any(game.date is None for game in read(DATA / "sgf", date_from_path=True))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2019年5月21日", "2019-05-21"), ("20190521", "2019-05-21"), ("1996-05,06", "1996-05-01"),
        ("Published 1998", "1998-01-01"), ("2018-05-06,07,08", "2018-05-06"), ("1996-13", None), ("soon", None),
        ("2999-01-01", None), ("1271-01-01", None), ("01.01.50", None), ("01.01.51", "1951-01-01"),
    ],
)  # fmt: skip
def test_odd_dates_are_read_or_unknown_with_a_warning(text: str, day: str | None) -> None:
    parsed = sgf(f"(;PB[Ada]PW[Bo]DT[{text}])")
    moment = parsed.games["date"][0]
    assert (None if moment is None else str(moment)[:10]) == day
    assert len(parsed.problems) == (day is None)


@pytest.mark.parametrize(
    ("text", "rank", "warned"),
    [
        ("3d", "3d", 0), ("12k?", "12k?", 0), ("6d*", "6d*", 0), ("9p", "9p", 0), ("P9段", "9p", 0), ("18级", "18k", 0),
        ("2305?", "", 0), ("?", "", 0), ("CHN", "", 1), ("31d", "", 1), ("0d", "", 1),
    ],
)  # fmt: skip
def test_a_rank_is_read_and_other_text_is_none(text: str, rank: str, warned: int) -> None:
    parsed = sgf(f"(;PB[Ada]PW[Bo]BR[{text}])")
    assert (parsed.games["black_rank"][0], len(parsed.problems)) == (rank, warned)


@pytest.mark.parametrize(
    ("text", "stones"), [("", 0), ("0", 0), ("1", 1), ("9", 9), ("12", 12), ("none", 0), ("-2", None)]
)
def test_handicaps_are_whole_numbers_from_nought(text: str, stones: int | None) -> None:
    parsed = sgf(f"(;PB[Ada]PW[Bo]HA[{text}])")
    assert parsed.games["handicap"].to_list() == ([] if stones is None else [stones])
    assert len(parsed.problems) == (text in {"12", "none", "-2"})


@pytest.mark.parametrize(
    ("text", "size"), [("", 19), ("9", 9), ("13:13", 13), ("19x19", 19), ("9:13", None), ("1", None), ("53", None)]
)
def test_boards_are_square(text: str, size: int | None) -> None:
    parsed = sgf(f"(;PB[Ada]PW[Bo]SZ[{text}])")
    assert parsed.games["size"].to_list() == ([] if size is None else [size])


@pytest.mark.parametrize("text", ["Cup [A] of spring", "Cup [A] (final); really", "a] b] c", "[x] ]"])
def test_after_a_bracket_that_is_not_escaped_the_next_property_is_found(text: str) -> None:
    parsed = sgf(f"(;PB[Ada]PW[Bo]EV[{text}]RE[B+R]KM[6.5];B[pd]RE[W+])(;PB[Cy]PW[Bo]RE[W+])")
    assert parsed.games.select("black", "result").rows() == [("Ada", "B+R"), ("Cy", "W+")]
    assert [problem.field for problem in parsed.problems] == ["root"]


def test_names_with_lost_letters_stay_as_they_are_and_are_reported() -> None:
    parsed = sgf("(;PB[M?ller]PW[Bo]RE[B+])")
    assert parsed.games["black"][0] == "M?ller"
    assert [(problem.field, problem.found, problem.rejected) for problem in parsed.problems] == [
        ("name", "M?ller", False)
    ]


def test_half_letters_that_are_brackets_or_backslashes_are_letters_where_the_encoding_is_known() -> None:
    # in Shift_JIS 十 ends with a backslash and ゾ with ], in GBK 乗 ends with a backslash
    for codec, name in (("shift_jis", "十段ゾ"), ("gbk", "乗山"), ("gb18030", "乗山"), ("big5", "功山")):
        text = f"(;CA[{codec}]PB[{name}]PW[Bo]EV[{name}]RE[B+R])"
        parsed = sgf(text.encode(codec))
        assert parsed.games.select("black", "event", "result").rows() == [(name, name, "B+R")]
        assert not parsed.problems
        plain = text.replace(f"CA[{codec}]", "").encode(codec)
        again = SGF.read(plain, "game.sgf", Options(encoding=codec))
        assert again.games["black"].to_list() == [name]


def test_a_fox_record_and_a_kgs_record_are_read_as_servers_write_them() -> None:
    fox = (
        "(;GM[1]FF[4]SZ[19]GN[]DT[2019-05-21]PB[山野]PW[空丸]BR[9段]WR[8段]KM[0]HA[1]RU[Chinese]AP[GNU Go:3.8]"
        "RE[W+R]TM[300]TC[3]TT[60]AP[foxwq]RL[0];B[pd])"
    )
    row = sgf(fox).games.row(0, named=True)
    assert (row["black_rank"], row["komi"], row["handicap"], row["result"]) == ("9d", None, 1, "W+R")
    kgs = "(;GM[1]FF[4]CA[UTF-8]RU[Japanese]SZ[19]KM[0.50]TM[1200]PW[ada]PB[bo]WR[6d]BR[5d?]DT[2006-01-02]RE[W+Time])"
    row = sgf(kgs).games.row(0, named=True)
    assert (row["komi"], row["handicap"], row["black_rank"], row["result"]) == (0.5, 0, "5d?", "W+T")


def test_files_of_three_line_ends_have_the_same_lines() -> None:
    text = "(;PB[A]PW[B]\nRE[B+])\n\n(;PB[C\\\nc]PW[D]RE[W+])\n"
    tables = [sgf(text.replace("\n", end)).games.select("black", "line").rows() for end in ("\n", "\r\n", "\r")]
    assert tables[0] == tables[1] == tables[2] == [("A", 1), ("Cc", 4)]
