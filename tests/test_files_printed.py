"""Tables that programs print, as text, as a worksheet and as a web page; all names are invented."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from handan.errors import InputError
from handan.files import Options, read
from handan.files.formats.web_page import WEB_PAGE_TABLES
from handan.files.games.contents import Contents
from handan.files.reading import readings
from handan.files.tables.header_rows import separator_of
from handan.ledger import Bye
from tests import spreadsheets
from tests.command_line import run
from tests.conftest import ROOT
from tests.test_files_fuzz import within

SAMPLES = ROOT / "tests" / "samples" / "programs"
STANDINGS = (SAMPLES / "standings.csv").read_text(encoding="utf-8")
GAMES = [
    (1, "Tan Bo", "Lindqvist Ada", "W+", 0, "3d", "3d"), (1, "Moor Cy", "Roe Dee", "W+", 0, "2d", "1d"),
    (2, "Lindqvist Ada", "Moor Cy", "B+", 0, "3d", "2d"), (2, "Roe Dee", "Tan Bo", "W+", 1, "1d", "3d"),
    (3, "Roe Dee", "Lindqvist Ada", "W+", 1, "1d", "3d"), (3, "Tan Bo", "Moor Cy", "W+", 0, "3d", "2d"),
]  # fmt: skip
NAMES = ("round", "black", "white", "result", "handicap", "black_rank", "white_rank")


def contents(path: Path) -> tuple[str, Contents]:
    [reading] = readings(path, Options())
    assert reading.contents is not None, reading.refusal
    return reading.format, reading.contents


def as_html(text: str) -> str:
    rows = "".join("<tr>" + "".join(f"<td>{cell}&nbsp;" for cell in line.split(",")) for line in text.splitlines())
    return f"<!DOCTYPE html><h1>Cup</h1><script>if (1 < 2) x()</script><table>{rows}</table>"


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_standings_of_opengotha_are_read_whatever_separates_their_cells(tmp_path: Path, mark: str) -> None:
    (tmp_path / "s.csv").write_text(STANDINGS.replace(",", mark), encoding="utf-8")
    form, parsed = contents(tmp_path / "s.csv")
    assert form == "printed table"
    assert parsed.games.select(NAMES).rows() == GAMES
    assert [(each.name, each.country, each.club) for each in parsed.entrants[1:3]] == [
        ("Tan Bo", "SE", "Ume"), ("Moor Cy", "GB", ""),
    ]  # fmt: skip
    assert [(each.field, each.rejected) for each in parsed.problems] == [("date", False)]


def test_standings_are_read_out_of_a_web_page_and_a_workbook(tmp_path: Path) -> None:
    (tmp_path / "s.html").write_text(as_html(STANDINGS), encoding="utf-8")
    form, parsed = contents(tmp_path / "s.html")
    assert (form, parsed.games.select(NAMES).rows()) == ("web page", GAMES)
    assert set(parsed.games["event"]) == {"Cup"}
    rows = [[int(cell) if cell.isdecimal() else cell for cell in line.split(",")] for line in STANDINGS.splitlines()]
    (tmp_path / "s.xlsx").write_bytes(spreadsheets.excel(spreadsheets.Sheet("Sheet1", rows)))
    form, parsed = contents(tmp_path / "s.xlsx")
    assert (form, parsed.games.select(NAMES).rows()) == ("workbook", GAMES)
    assert len(parsed.entrants) == 4


def test_the_list_of_a_round_is_read_with_ranks_clubs_and_the_round_above_it() -> None:
    form, parsed = contents(SAMPLES / "round.html")
    assert form == "web page"
    assert parsed.games.select(NAMES).rows() == [
        (2, "Tan Bo", "Lindqvist Ada", "W+", 0, "8d", "5d"), (2, "Fay Flo", "Pell Zed", "B+", 2, "4k", "2k"),
    ]  # fmt: skip
    assert [(each.name, each.club) for each in parsed.entrants[2:4]] == [("Roe Cy", "LDN"), ("Moor Dee", "LDN")]
    assert set(parsed.games["event"]) == {"Spring Cup"}
    assert [(each.black, each.handicap) for each in parsed.events[0].pairings] == [("Moor Dee", 7)]


CHESS = """Rk.,SNo,Name,Rtg,FED,1.Rd,2.Rd,3.Rd,Pts.
1,3,"Lindqvist, Ada",2350,SWE,3w1,2b½,-1,2.5
2,1,"Tan, Bo",2100,FRA,4s1,1w½,3w+,2.5
3,4,"Moor, Cy",2050,ENG,1b0,-0,2b-,0
4,2,"Roe, Dee",2000,ENG,2w0,-½,,0.5
"""


def test_a_cross_table_of_a_chess_program_is_read(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text(CHESS, encoding="utf-8")
    form, parsed = contents(tmp_path / "c.csv")
    assert form == "printed table"
    assert parsed.games.select("round", "black", "white", "result").rows() == [
        (1, "Moor, Cy", "Lindqvist, Ada", "W+"), (1, "Tan, Bo", "Roe, Dee", "B+"),
        (2, "Lindqvist, Ada", "Tan, Bo", "jigo"), (3, "Moor, Cy", "Tan, Bo", "W+F"),
    ]  # fmt: skip
    assert parsed.byes_by_kind == {Bye.ALLOCATED: 1, Bye.HALF_POINT: 1, Bye.ZERO_POINT: 1}
    assert any("w in the rounds is White, as chess programs have it" in str(each) for each in parsed.problems)


def test_what_a_row_between_blanks_has_more_than_the_headings_is_of_the_name(tmp_path: Path) -> None:
    text = "Pl Name Str 1 2 Pt\n1 Ann 5d 2+ 3+ 2\n2 Ben Roe 5d 1- 3+ 1\n3 Cyd 6d 2- 1- 0\n"
    (tmp_path / "wall.txt").write_text(text, encoding="utf-8")
    form, parsed = contents(tmp_path / "wall.txt")
    assert (form, parsed.games.select("black", "white", "result").rows()) == (
        "printed table", [("Ann", "Ben Roe", "P1+"), ("Ann", "Cyd", "P1+")],
    )  # fmt: skip
    assert [problem.line for problem in parsed.problems if problem.rejected] == [3, 4]  # 3+ and 2- say different things
    club = text.replace("Ann 5d", "Ann 5d New York").replace("Cyd 6d", "Cyd 6d Ume").replace("Str", "Str Club")
    (tmp_path / "wall.txt").write_text(club.replace("Roe 5d", "Roe 5d Ldn"), encoding="utf-8")
    assert contents(tmp_path / "wall.txt")[0] == "H9"  # the second word of a club would be one of a name


SWISS = (
    "Spring Cup\n3 May 2026\nPl Name Rank Club 1 2 3\n1 Ada_Lind 3d Ume 2+ bye 3+\n2 Bo 1k Ldn 1- 3+ 4+\n"
    "3 Cy_Roe 2k 75 4+ 2- 1-\n4 Di 3k Ldn 3- absent 2-\nPlayed by Swiss rules\n"
)


def table_with(mark: str) -> str:
    """Return a Swiss table without countries whose cells are parted so; its titles are lines of text."""
    lines = [line if line.count(" ") < 5 else line.replace(" ", mark) for line in SWISS.splitlines()]
    return "\n".join(lines).replace("_", " ") + "\n"


@pytest.mark.parametrize("mark", ["\t", " ", "   "])
def test_a_swiss_table_without_countries_has_the_date_above_it_and_byes_in_words(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "swiss.txt"
    path.write_text(table_with(mark), encoding="utf-8")
    [report] = json.loads(run("check", path, "--format", "json").out)["files"]
    assert [report[name] for name in ("format", "games", "byes", "absences", "from")] == [
        "printed table", 5, 1, 1, "2026-05-03",
    ]  # fmt: skip
    places = [(problem["line"], problem["rejected"]) for problem in report["problems"]]
    assert places == [(None, False), (8, False)]  # where the date is from, and the line below the table
    event = json.loads(run("event", path, "--system", "egf", "--json").out)
    assert (event["event"], event["first"]) == ("Spring Cup", "2026-05-03")
    for name in ("cup.h9", "cup.xml", "cup.tou"):
        run("convert", path, "-o", tmp_path / name)
        back = read(tmp_path / name)
        assert sorted((game.round, game.black, game.white, str(game.result), str(game.date)) for game in back) == [
            (1, "Ada Lind", "Bo", "P1+", "2026-05-03"), (1, "Cy Roe", "Di", "P1+", "2026-05-03"),
            (2, "Bo", "Cy Roe", "P1+", "2026-05-03"), (3, "Ada Lind", "Cy Roe", "P1+", "2026-05-03"),
            (3, "Bo", "Di", "P1+", "2026-05-03"),
        ]  # fmt: skip
    [event_of_h9] = read(tmp_path / "cup.h9").events
    assert [(each.player.name, each.player.club, each.byes) for each in event_of_h9.participants] == [
        ("Ada Lind", "Ume", ((2, Bye.ALLOCATED),)), ("Bo", "Ldn", ()), ("Cy Roe", "75", ()),
        ("Di", "Ldn", ((2, Bye.ZERO_POINT),)),
    ]  # fmt: skip


def test_points_places_and_columns_that_are_not_read_of_standings_are_kept_or_said(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text(CHESS, encoding="utf-8")
    _, parsed = contents(tmp_path / "c.csv")
    [event] = parsed.events
    assert event.criteria == ("Pts.",)
    assert [(each.player.name, each.place, each.player.rating, each.figures) for each in event.participants] == [
        ("Lindqvist, Ada", 1, 2350, ("2.5",)), ("Tan, Bo", 2, 2100, ("2.5",)), ("Moor, Cy", 3, 2050, ("0",)),
        ("Roe, Dee", 4, 2000, ("0.5",)),
    ]  # fmt: skip
    (tmp_path / "c.csv").write_text(CHESS.replace("FED", "Federation"), encoding="utf-8")
    remarks = [str(problem) for problem in contents(tmp_path / "c.csv")[1].problems]
    assert any("line 1: column 'Federation' is not a column that is read; ignored" in text for text in remarks)


def test_an_archive_of_kgs_is_read() -> None:
    form, parsed = contents(SAMPLES / "kgs_archive.txt")
    assert form == "printed table"
    rows = parsed.games.select("black", "white", "result", "handicap", "size", "kind", "black_rank", "white_rank")
    assert rows.rows() == [
        ("botan", "adalind", "W+R", 4, 19, "server", "1k", "3d"),
        ("adalind", "cymoor", "B+F", 0, 19, "free", "3d", "2d"),
        ("cymoor", "botan", "jigo", 0, 19, "server", "2d", "1k"),
    ]  # fmt: skip
    assert [str(day) for day in parsed.games["date"]] == [
        "2026-06-14 19:30:00",
        "2026-06-15 20:00:00",
        "2026-06-16 20:00:00",
    ]
    assert parsed.problems == []


def test_what_the_archive_of_kgs_does_not_tell_of_two_players_is_said(tmp_path: Path) -> None:
    rows = (
        "9×9 H2\t6/4/2026 7:05 AM\tFree\tB+3.5", "19×19\t6/4/26 7:05 AM\tRengo\tB+3.5",
        "19x13\t6/4/26 7:05 AM\tFree\tW+",
        "19×19\tsoon\tTeaching\tW+Time", "19×19\t6/4/26 7:05 AM\tRanked\tUnfinished",
        "19×19\t6/4/26 7:05 AM\tRanked\tmaybe",
    )  # fmt: skip
    text = "".join(f"Yes\tada [3d]\tbo [-]\t{row}\n" for row in rows)
    path = tmp_path / "kgs.txt"
    path.write_text(f"Viewable?\tWhite\tBlack\tSetup\tStart Time (GMT)\tType\tResult\n{text}", encoding="utf-8")
    ledger = read(path)
    assert sorted((game.size, game.handicap, str(game.result), game.kind) for game in ledger) == [
        (9, 2, "B+3.5", "free"), (19, 0, "W+T", "teaching"),
    ]  # fmt: skip
    assert [(each.line, each.field, each.rejected) for each in ledger.problems] == [
        (3, "type", True), (4, "setup", True), (5, "start time", False), (7, "result", True),
    ]  # fmt: skip


def test_a_page_without_games_is_refused_by_what_it_is(tmp_path: Path) -> None:
    for text in ("<html><p>hello</html>", "<table><tr><td>Name<td>Town<tr><td>Ada<td>Ume</table>"):
        (tmp_path / "p.html").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="is a web page"):
            read(tmp_path / "p.html")


def test_a_table_of_games_in_a_page_is_read_as_one_of_a_worksheet(tmp_path: Path) -> None:
    table = "Date,Noir,Blanc,Résultat\n2026-03-01,Ada,Bo,N+3.5\n2026-03-02,Bo,Ada,B+R\n"
    (tmp_path / "p.html").write_text(as_html(table), encoding="utf-8")
    assert [(game.black, str(game.result)) for game in read(tmp_path / "p.html")] == [("Ada", "B+3.5"), ("Bo", "W+R")]


def test_pages_are_read_as_browsers_read_them(tmp_path: Path) -> None:
    page = (
        '<!DOCTYPE html><!-- <table> --><style>td > a { }</style><h2>Cup &amp; more<br>2026</h2><table border="1 > 0">'
        "<th>Tble<th colspan=1>White<th>Black<th>Hd<th>Res</tr><tr><td>1<td><b>Ann &lt;3</b>(1d, )<td>B&#233;n"
        "<td>0<td>1-0<script>'<td>'</script></table><table><tr><td>other"
    )
    (tmp_path / "p.html").write_text(page, encoding="utf-8")
    _, parsed = contents(tmp_path / "p.html")
    assert parsed.games.select("event", "black", "white", "result").rows() == [
        ("Cup & more 2026", "Bén", "Ann <3", "W+")
    ]


@pytest.mark.parametrize("piece", ["<a ", "<table>", "<td ", "<!--", "<script>", '<a "', "&#9999999999", "<!", "</td"])
def test_a_page_of_tags_that_do_not_end_is_gone_over_once(piece: str) -> None:
    text = "<table><tr><td>" + piece * 100_000
    with within(5), pytest.raises(InputError):
        WEB_PAGE_TABLES.read(text.encode(), "p.html", Options())


@pytest.mark.parametrize(
    ("lines", "separator"),
    [(["a;b", "c;d", "e", "f"], ";"), (["a;b", "c", "d", "e"], " "), (["a  b", "c  d", "e", "f"], "  ")],
)
def test_the_separator_of_a_table_stands_in_half_of_its_lines(lines: list[str], separator: str) -> None:
    assert separator_of(lines) == separator


def test_letters_of_colours_beside_the_rounds_of_standings_are_the_colours(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    rows = "1;Ada;3d;2+;{0};3+;{1};2\n2;Bo;2d;1-;{1};4+;{0};1\n3;Cy;1d;4+;{0};1-;{0};1\n4;Di;1k;3-;{1};2-;{1};0\n"
    for letters, heading in (("BW", ""), ("SW", "Farbe"), ("nb", "")):
        path.write_text(f"Pl;Name;Rang;1;{heading};2;{heading};Pkt\n" + rows.format(*letters))
        games = [(game.black, game.white, str(game.result)) for game in read(path)]
        assert games == [("Ada", "Bo", "B+"), ("Cy", "Di", "B+"), ("Cy", "Ada", "W+"), ("Bo", "Di", "B+")]


def test_what_stands_beside_standings_under_no_heading_or_above_them_is_said(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(
        "Spring Cup;;;;;;\nLed by Otto;;;;;;\nPl;Name;Rank;Rating;1;2;;Pts\n"
        "1;Ada;3d;2310;2+;3+;late;2\n2;Bo;2d;2200;1-;4+;;1\n3;Cy;1d;2105;4+;1-;;1\n4;Di;1k;2000;3-;2-;;0\n"
    )
    text = run("check", path).err
    assert "line 3: the text above the headings is passed over: Led by Otto\n" in text
    assert "line 3: column '(no name)' is not a column that is read; ignored\n" in text
    assert "nothing says whose ratings stand under 'Rating', so that no system begins with them" in text
    assert "nothing says whose ratings stand under 'Rating'" in run("rate", path, "--system", "egf").err


def test_letters_of_colours_beside_the_scores_of_a_cross_table_are_those_of_the_row(tmp_path: Path) -> None:
    path = tmp_path / "cross.csv"
    path.write_text(";Ada Berg;Bo Carl;Cy Dahl\nAda Berg;x;S+;W-\nBo Carl;W-;x;1 S\nCy Dahl;S+;0/w;x\n")
    assert [(game.black, game.white, str(game.result)) for game in read(path)] == [
        ("Ada Berg", "Bo Carl", "B+"), ("Cy Dahl", "Ada Berg", "B+"), ("Bo Carl", "Cy Dahl", "B+"),
    ]  # fmt: skip
    path.write_text(";Ada Berg;Bo Carl;Cy Dahl\nAda Berg;x;S+;W-\nBo Carl;S-;x;S+\nCy Dahl;S+;W-;x\n")
    assert (
        "'S+ against S-' is not a game of two colours; line 3 has the same: colours unknown" in run("check", path).err
    )
    path.write_text(";Ada Berg;Bo Carl;Cy Dahl\nAda Berg;x;B+;B+\nBo Carl;;x;B+\nCy Dahl;;;x\n")
    assert run("check", path).status == 2  # Black or the player of the row has won
