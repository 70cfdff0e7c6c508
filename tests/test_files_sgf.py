"""Game records: root properties as programs and servers spell them, encodings, limits, writing, real files."""

from __future__ import annotations

from pathlib import Path

import pytest

from handan.errors import InputError
from handan.files import Limits, Options, read, write
from handan.files.formats.sgf import SGF
from handan.files.games.contents import Contents
from handan.files.reading import readings
from handan.files.report import report
from handan.ledger import Game, Ledger
from tests.conftest import ROOT

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
        ("B+,5", "B+0.5", ""), ("W+.5", "W+0.5", ""),
        ("B+3,5", "B+3.5", ""), ("W+Time", "W+T", ""), ("B+Forfeit", "B+F", ""), ("B+Offline", "B+", "offline"),
        ("B+AW", "B+", "aw"), ("B+Res.", "B+R", ""), ("0", "jigo", ""), ("Draw", "jigo", ""), ("D+J", "jigo", ""),
        ("Void", "void", ""), ("?", "?", ""), ("", "?", ""), ("Black wins", "B+", ""),
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
    alone = sgf("(;PB[A]RE[B+])(;PW[B]RE[W+])")
    assert [(problem.field, problem.rejected) for problem in alone.problems] == [("PW", True), ("PB", True)]


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
    assert len(parsed.problems) == (text in {"12", "-2"})


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


def test_words_of_results_dates_and_ranks_are_those_of_tables() -> None:
    row = game("RE[黑中盘胜]DT[14 August 2007]BR[10 кю]WR[1st dan]")
    assert (row["result"], str(row["date"])[:10]) == ("B+R", "2007-08-14")
    assert (row["black_rank"], row["white_rank"]) == ("10k", "1d")
    for text, result in {
        "白胜43.5目": "W+43.5", "黒中押し勝ち": "B+R", "흑 불계승": "B+R", "Black + 2.5": "B+2.5", "持碁": "jigo",
        "和棋": "jigo", "Black wins by 3.5 points": "B+3.5", "Jigo (270 moves)": "jigo",
        "W+4.5 {moves 221- not known}": "W+4.5",
        "黑胜1又3/4子": "B+3.5", "B+R (White out of time)": "B+R", "白半目勝": "W+0.5",
        "Both lose": "both-lose", "両者負け": "both-lose", "无胜负": "void", "No result": "void", "黑不计点胜": "B+R",
    }.items():  # fmt: skip
        assert game(f"RE[{text}]")["result"] == result
    assert game("BR[11k+]")["black_rank"] == "11k"


def test_a_result_that_says_nothing_is_rejected_and_no_unplayed_game() -> None:
    parsed = sgf("(;PB[Ada]PW[Bo]RE[see the comment])(;PB[Ada]PW[Bo]RE[1-0])(;PB[Ada]PW[Bo]RE[B+R])")
    assert parsed.games["result"].to_list() == ["B+R"]
    assert [(each.field, each.found, each.rejected) for each in parsed.problems] == [
        ("RE", "see the comment", True), ("RE", "1-0", True)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "day", "problems"),
    [
        ("August 2007", "2007-08", 0), ("2007 Aug 14", "2007-08-14", 0), ("平成19年8月20日", "2007-08-20", 0),
        ("12/27/1996", "1996-12-27", 0), ("8/14/07", "2007-08-14", 0), ("14, 15 August 2007", "2007-08-14", 0),
        ("Aug 14-16, 2007", "2007-08-14", 0), ("Broadcast 2007-08-19", "2007-08-19", 0),
        ("14 August 2007, 15 August 2007", "2007-08-14", 0), ("Game 3 of 5, 14 August 2007", "2007", 1),
        ("2026-02-30", "2026-02", 1), ("5/5/2025", "2025-05-05", 0), ("3.4.2025", "2025-04-03", 0),
    ],
)  # fmt: skip
def test_dates_in_words_and_numbers_keep_what_they_say(text: str, day: str, problems: int) -> None:
    parsed = sgf(f"(;PB[Ada]PW[Bo]DT[{text}]RE[B+R])")
    [one] = Ledger.from_table(parsed.games)
    assert (str(one.date), len(parsed.problems)) == (day, problems)


def test_the_other_records_of_a_folder_say_whether_the_day_comes_first(tmp_path: Path) -> None:
    def record(name: str, date: str) -> None:
        (tmp_path / name).write_text(f"(;PB[Ada]PW[{name}]DT[{date}]RE[B+R])")

    record("a.sgf", "26-01-05")
    with pytest.raises(InputError, match="--dates dmy or --dates ymd"):
        read(tmp_path / "a.sgf")
    record("a.sgf", "3/4/2025")
    with pytest.raises(InputError, match="--dates dmy or --dates mdy"):
        read(tmp_path / "a.sgf")
    assert [str(game.date) for game in read(tmp_path / "a.sgf", dates="mdy")] == ["2025-03-04"]
    record("b.sgf", "12/27/2024")
    assert {str(game.date) for game in read(tmp_path)} == {"2024-12-27", "2025-03-04"}
    record("c.sgf", "27/12/2024")  # now both orders stand there: nobody knows which the first has
    ledger = read(tmp_path)
    assert {str(game.date) for game in ledger} == {"2024-12-27"}
    assert "the day or the month" in str(ledger.problems[0])


def test_the_date_of_chinese_sites_is_the_date_of_any_record() -> None:
    assert str(game("RD[2026-04-29]")["date"])[:10] == "2026-04-29"
    assert str(game("DT[2026-04-30]RD[2026-04-29]")["date"])[:10] == "2026-04-30"


@pytest.mark.parametrize(
    ("text", "more", "komi", "problems"),
    [
        ("50", "AP[foxwq]", 0.5, 1), ("50", "", 50.0, 0), ("650", "AP[foxwq]", 6.5, 0), ("375", "SO[foxwq]", 7.5, 0),
        ("275", "AP[foxwq]", 5.5, 0), ("6.5", "AP[foxwq]", 6.5, 0), ("3.75", "", 7.5, 1), ("2.75", "", 5.5, 1),
        ("-1.75", "", -3.5, 1), ("650", "", 6.5, 1), ("3又3/4子", "", 7.5, 0), ("6目半", "", 6.5, 0),
        ("0.5", "", 0.5, 0), ("65", "", 6.5, 1), ("3 3/4", "", 7.5, 1),
    ],
)  # fmt: skip
def test_hundredths_tenths_and_chinese_stones_are_points_and_said(
    text: str, more: str, komi: float, problems: int
) -> None:
    parsed = sgf(f"(;PB[Ada]PW[Bo]KM[{text}]{more}RE[B+R])")
    assert (parsed.games["komi"].to_list(), len(parsed.problems)) == ([komi], problems)


@pytest.mark.parametrize(
    ("text", "stones", "problems"),
    [
        ("AB[pd][dp][pp];W[dd]", 3, 0), ("AB[pd]AB[dp];W[dd]", 2, 0), ("AB[aa:bb];W[dd]", 4, 0),
        (";AB[pd][dp];W[dd]", 2, 0), ("HA[3]AB[pd][dp][pp];W[dd]", 3, 0), ("HA[4]AB[pd][dp];W[dd]", 4, 1),
        ("HA[0]AB[pd][dp];W[dd]", 2, 1), ("AB[pd][dp]AW[dd][pp];B[aa]", 0, 1), ("AB[aa:jj];W[dd]", 0, 1),
        ("HA[2];B[pd]", 2, 0), ("AB[pd];W[dd]", 0, 0),
    ],
)  # fmt: skip
def test_stones_on_the_board_are_the_handicap_where_it_is_not_written(text: str, stones: int, problems: int) -> None:
    parsed = sgf(f"(;PB[Ada]PW[Bo]RE[B+R]{text};B[qq])")
    assert (parsed.games["handicap"].to_list(), len(parsed.problems)) == ([stones], problems)


def test_records_of_chinese_and_japanese_sites_lack_semicolons_or_brackets() -> None:
    sina = "(\r\nTE[第八届杯]\r\nRD[2026-04-29]\r\nKO[7.5]\r\nRE[黑胜2又3/4子]\r\nPB[陈一]\r\nPW[李二]\n\n;B[qd])\n"
    row = sgf((2 * sina).encode("gb18030")).games.row(1, named=True)
    assert (row["black"], row["white"], row["event"], row["komi"]) == ("陈一", "李二", "第八届杯", 7.5)
    assert (row["result"], str(row["date"])[:10]) == ("B+5.5", "2026-04-29")
    for text in (";GM[1]FF[4]SZ[19]PB[Ada]PW[Bo]RE[B+R];B[pd])", "GM[1]SZ[19]PB[Ada]PW[Bo]RE[B+R];B[pd];W[dd])"):
        assert SGF.sniff(text.encode())
        assert sgf(text).games.select("black", "white", "result").rows() == [("Ada", "Bo", "B+R")]
    assert not SGF.sniff(b"; EV[Cup]\n; DT[2026-05-03]\n1 Lindqvist Ada 3d SE Ume 2+/w0\n")


def test_games_under_an_empty_root_and_players_in_the_second_node_are_read() -> None:
    several = (
        "(;GM[1]SZ[13]AP[MultiGo:4.2.1]MULTIGOGM[1]\n(;PB[Ada]PW[Bo]RE[B+R];B[pd];W[dp])(;PB[Cy]PW[Dee]RE[W+2.5]))"
    )
    second = "(;GM[1]SZ[19];PB[Eve]PW[Fay]RE[W+R];B[pd])"
    parsed = sgf(several + "\n" + second)
    assert parsed.games.select("black", "white", "result", "size", "line").rows() == [
        ("Ada", "Bo", "B+R", 13, 2), ("Cy", "Dee", "W+2.5", 13, 2), ("Eve", "Fay", "W+R", 19, 3)
    ]  # fmt: skip
    problems = sgf("(;GM[1]C[ten problems](;AB[aa]AW[bb])(;AB[cc]))")
    assert problems.games.height == 0
    assert [problem.field for problem in problems.problems] == ["PB"]


def test_several_names_for_one_side_are_warned_of() -> None:
    parsed = sgf("(;PB[Ada & Cy]PW[Bo / Dee]BT[Team 1]RE[B+R])(;PB[Ada]PW[Bo-Lee]BT[Team 1]RE[B+R])")
    assert [(each.line, each.field) for each in parsed.problems] == [(1, "PB"), (1, "PW")]


def test_of_a_property_that_stands_twice_the_last_value_counts_and_the_other_is_named() -> None:
    parsed = sgf("(;PB[Ada]PB[Eve]PW[Bo]PW[Bo]AP[x]AP[y]RE[B+R]RE[W+2.5])")
    game = parsed.games.row(0, named=True)
    assert (game["black"], game["white"], game["result"]) == ("Eve", "Bo", "W+2.5")
    assert [(each.field, each.found) for each in parsed.problems] == [("PB", "Ada"), ("RE", "B+R")]


def test_ranks_behind_names_are_taken_off_where_most_names_have_one(tmp_path: Path) -> None:
    for number, (black, white) in enumerate((("Ada 3d", "Bo 2d"), ("Bo 3d", "Ada (3d)"), ("Cy (1k)", "Ada 4d"))):
        (tmp_path / f"{number}.sgf").write_text(f"(;PB[{black}]PW[{white}]RE[B+R])")
    ledger = read(tmp_path)
    assert list(ledger.names) == ["Ada", "Bo", "Cy"]
    assert [(game.black_rank, game.white_rank) for game in ledger] == [("3d", "2d"), ("3d", "3d"), ("1k", "4d")]
    assert sgf("(;PB[Ada 3d]BR[3d]PW[Studio 3d]WR[1k]RE[B+R])").games.select("black", "white").rows() == [
        ("Ada", "Studio 3d")
    ]


def test_the_other_records_of_a_folder_say_in_which_encoding_one_is(tmp_path: Path) -> None:
    names = ("김민준", "이서연", "박지훈", "최수빈", "정하윤", "강도현", "한", "류")
    for number, (black, white) in enumerate(zip(names[::2], names[1::2], strict=True)):
        (tmp_path / f"{number}.sgf").write_bytes(f"(;PB[{black}]PW[{white}]RE[B+R])".encode("euc-kr"))
    ledger = read(tmp_path)
    assert set(ledger.names) == set(names)
    assert all("encoding" in str(problem) or "cp949" in str(problem) for problem in ledger.problems)


def test_games_of_several_encodings_in_one_file_are_each_read_in_their_own() -> None:
    games = [
        ("山野", "shift_jis", "CA[Shift_JIS]"),
        ("솔뫼", "euc-kr", "CA[EUC-KR]"),
        ("空丸", "utf-8", ""),
        ("Ян Лем", "utf-8", ""),
    ]
    data = b"\n".join(f"(;{head}PB[{name}]PW[Bo]RE[B+R])".encode(codec) for name, codec, head in games)
    assert sgf(data).games["black"].to_list() == [name for name, _, _ in games]
