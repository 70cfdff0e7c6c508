"""Reports and member lists of the AGA, and the player lists of the European database and the French federation."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from handan.errors import InputError
from handan.files import Options, read, write
from handan.files.formats.aga_report import AGA_REPORT
from handan.files.games.contents import Contents
from handan.files.reading import rating_list, readings
from handan.ledger import Game, Ledger
from tests.conftest import ROOT

SAMPLES = ROOT / "tests" / "samples"
DATA = ROOT.parent / "shared" / "data"
local = pytest.mark.skipif(not DATA.exists(), reason="the folder of real results is not beside the checkout")


def contents(name: str) -> tuple[str, Contents]:
    [reading] = readings(SAMPLES / name, Options())
    assert reading.contents is not None, reading.refusal
    return reading.format, reading.contents


def test_white_stands_first_in_a_report() -> None:
    form, parsed = contents("report.txt")
    assert form == "AGA report"
    columns = ("round", "black", "white", "result", "handicap", "komi", "black_rank", "notes", "line")
    assert parsed.games.select(columns).rows() == [
        (1, "Moor, Dee", "Lindqvist, Ada", "W+", 1, 0.0, "1k", "", 15),
        (1, "Tan, Bo", "Ruiz Cy", "B+", 3, 0.0, "5k", "a good game", 16),
    ]
    assert [(each.round, each.black, each.white) for each in parsed.events[0].pairings] == [
        (2, "Ruiz Cy", "Lindqvist, Ada")
    ]
    assert [(problem.line, problem.field, problem.found) for problem in parsed.problems] == [
        (19, "result", "0"),
        (20, "id", "777"),
    ]
    assert [entrant.id for entrant in parsed.entrants] == ["aga:101", "aga:102", "", ""]
    assert set(parsed.games["event"]) == {"Spring Cup, May 3 2025"}
    assert str(parsed.games["date"][0])[:10] == "2025-05-03"


def test_a_report_behind_another_is_not_left_out_in_silence() -> None:
    text = "TOURNEY Cup\nstart=5/3/2025\nPLAYERS\n1 Ada 3d\n2 Bo 2d\nGAMES 1\n1 2 w 0 7\nEND\n"
    parsed = AGA_REPORT.read(f"{text}\nMany thanks, Ada\n\n{text}".encode(), "cup.txt", Options())
    assert (parsed.games.height, [(each.line, each.found, each.rejected) for each in parsed.problems]) == (
        1,
        [(12, "TOURNEY Cup", True), (18, "1 2 w 0 7", True)],
    )


def test_a_report_without_its_end_or_date_says_so() -> None:
    text = "TOURNEY Cup\nstart=5/3/2025\nPLAYERS\n1 Ada 3d\n2 Bo 2d\nGAMES (5)\n1 2 w 0 7\n"
    parsed = AGA_REPORT.read(text.encode(), "cup.txt", Options())
    assert [problem.field for problem in parsed.problems] == ["END", "GAMES"]
    assert parsed.games["round"].to_list() == [None]
    with pytest.raises(InputError, match="has no start or finish date"):
        AGA_REPORT.read(text.replace("start=5/3/2025\n", "").encode(), "cup.txt", Options())


def test_a_number_of_two_players_is_refused() -> None:
    text = "TOURNEY Cup\nstart=5/3/2025\nPLAYERS\n1 Ada 3d\n1 Bo 2d\n1 Ada 3d\nGAMES 1\nEND\n"
    parsed = AGA_REPORT.read(text.encode(), "cup.txt", Options())
    assert [(problem.line, problem.rejected) for problem in parsed.problems] == [(5, True), (6, False)]


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    games = [
        Game("Moor, Dee", "Lindqvist, Ada", "W+", "2025-05-03", 2, 0.0, event="Cup", round=1, black_rank="1k",
             white_rank="3d", white_id="aga:101", kind="tournament"),
        Game("Lindqvist, Ada", "Moor, Dee", "B+", "2025-05-03", 0, 7.0, event="Cup", round=2, black_rank="3d",
             white_rank="1k", black_id="aga:101", kind="tournament"),
    ]  # fmt: skip
    assert write(Ledger.of(games), tmp_path / "cup.aga") == []
    again = read(tmp_path / "cup.aga")
    assert not again.problems
    rows = (
        "black",
        "white",
        "result",
        "handicap",
        "komi",
        "round",
        "date",
        "event",
        "kind",
        "black_rank",
        "white_rank",
    )
    assert again.games.select(rows).rows() == Ledger.of(games).games.select(rows).rows()
    unknown = [replace(games[1], handicap=stones, komi=None, round=3 + stones) for stones in range(3)]
    write(Ledger.of(unknown), tmp_path / "unknown.aga")
    assert read(tmp_path / "unknown.aga").games["komi"].to_list() == [7.0, 0.0, 0.0]
    omissions = write(Ledger.of([*games, Game("A", "B", "jigo", event="Cup")]), tmp_path / "odd.aga")
    assert omissions[0] == "games by default, jigo and games without a winner (1 game)"


def test_lists_give_players_and_no_games() -> None:
    form, parsed = contents("members.txt")
    assert (form, parsed.games.height) == ("AGA list", 0)
    assert [(each.name, each.id, each.rating) for each in parsed.entrants] == [
        ("Lindqvist, Ada", "aga:101", 3.45),
        ("Dee Moor", "aga:102", None),
    ]
    assert [problem.line for problem in parsed.problems] == [3]
    form, parsed = contents("egd_list.html")
    assert form == "EGD list"
    assert [(each.name, each.id, each.country, each.club, each.rank, each.rating) for each in parsed.entrants] == [
        ("Lindqvist Ada", "egd:10000001", "SE", "Ume", "3d", 2310.0),
        ("Moor Dee Anne", "egd:10000002", "GB", "", "1k", 2001.0),
    ]
    assert [problem.line for problem in parsed.problems] == [5]
    form, parsed = contents("ffg_list.txt")
    assert form == "FFG list"
    assert [(each.name, each.id, each.club, each.rating) for each in parsed.entrants] == [
        ("LINDQVIST Ada", "", "", 243),
        ("MOOR Zoë", "ffg:1800002", "75Pa", None),
    ]


def test_the_european_list_says_xx_where_it_knows_no_country(tmp_path: Path) -> None:
    rows = (SAMPLES / "egd_list.html").read_text(encoding="utf-8").replace(" GB ", " XX ")
    (tmp_path / "list.html").write_text(rows, encoding="utf-8")
    listed = rating_list(tmp_path / "list.html", Options())
    assert listed is not None
    assert [each.country for each in listed.entrants] == ["SE", ""]


def test_a_list_beside_the_games_tells_country_and_club() -> None:
    table = Ledger.of([Game("Lindqvist Ada", "Bo", "B+", black_id="egd:10000001")])
    ledger = Ledger.from_table(read([SAMPLES / "egd_list.html"]).games, listed=())
    assert len(ledger) == 0
    joined = table + ledger
    assert [player.name for player in joined.players] == ["Bo", "Lindqvist Ada"]


@local
def test_the_real_report_has_its_known_counts() -> None:
    # 31 players, 54 games, Black 22, White 32, 27 with handicap 1 or more, 14 with 2 or more
    [reading] = readings(DATA / "aga" / "cherry_blossom_20260418_report.txt", Options())
    parsed = reading.contents
    assert parsed is not None
    assert (len(parsed.entrants), parsed.games.height, parsed.games["round"].max()) == (31, 54, 4)
    assert Counter(parsed.games["result"]) == {"B+": 22, "W+": 32}
    stones = parsed.games["handicap"]
    assert (int((stones >= 1).sum()), int((stones >= 2).sum())) == (27, 14)
    assert not parsed.problems


@local
def test_the_real_lists_are_read() -> None:
    counts = {}
    for name in ("aga/tdlista_head.txt", "lists/egf_db_head.txt", "lists/ech_ffg_V3_head.txt"):
        [reading] = readings(DATA / name, Options())
        assert reading.contents is not None
        assert not [problem for problem in reading.contents.problems if problem.rejected]
        counts[name] = len(reading.contents.entrants)
    assert counts["aga/tdlista_head.txt"] == 162
    assert counts["lists/ech_ffg_V3_head.txt"] == 499
    assert counts["lists/egf_db_head.txt"] > 400


HOSTILE = (
    b"x," * 30_000,
    b"<" * 60_000,
    b"\n" * 60_000,
    b"PLAYERS" + b" " * 60_000 + b"x",
    b"[" * 60_000,
    b"(;" + b"[" * 60_000,
    b"(;PB[" + b"a" * 60_000,
    b"(;" + b"a" * 60_000,
    b"(;" + (b"a" * 4000 + b"[x] ") * 15,
    b";" * 60_000,
    b"1\t" * 30_000,
    b"TOURNEY\nPLAYERS\n" + b" 1" * 30_000,
    b"10000001 " + b"A " * 30_000,
    b"#Echelle\n" + b"A " * 30_000,
    b";name=x\n;Num\n" + b"1 a " * 15_000,
    b"; TC[T250503]\n" + b"1 " * 30_000,
    b'"' * 60_000,
)


@pytest.mark.parametrize("content", HOSTILE, ids=lambda content: repr(content[:16]))
def test_no_format_takes_long_over_hostile_text(content: bytes, tmp_path: Path) -> None:
    # what backtracks would take minutes here, and the test run would not end
    path = tmp_path / "hostile"
    path.write_bytes(content)
    try:
        read(path, date="2025-01-01")
    except InputError as error:
        fault = str(error)
        assert "\n" not in fault


def test_a_directors_folder_is_read_with_names_ranks_and_rounds() -> None:
    ledger = read(SAMPLES / "director", date="2025-05-03")
    rows = [(game.round, game.black, game.black_rank, game.white, str(game.result), game.handicap) for game in ledger]
    assert rows == [
        (1, "Moor, Dee", "1k", "Lindqvist, Ada", "W+", 1),
        (1, "Lindqvist, Ada", "3d", "Ruiz, Cy", "B+", 0),
        (2, "Ruiz, Cy", "3k", "Moor, Dee", "B+", 2),
    ]
    assert ledger[0].black_id == "aga:102"
    assert [problem for problem in ledger.problems if problem.rejected] == []


def test_a_round_alone_has_numbers_for_names(tmp_path: Path) -> None:
    path = tmp_path / "7.tde"
    good = "101 102 w 1 0\n103 104 b 0 7.5\n105 106 w 0 7.5\n"
    path.write_text(f"{good}107 108 x 0 7\n101 102\n", encoding="utf-8")
    ledger = read(path)
    first = ledger[0]
    assert (first.round, first.black, first.white, len(ledger)) == (7, "102", "101", 3)
    assert [problem.line for problem in ledger.problems if problem.rejected] == [4, 5]


def aga(games: str, players: str = "", head: str = "TOURNEY Cup\nstart=5/3/2025\n") -> Contents:
    text = f"{head}PLAYERS\n1 Lindqvist, Ada 3d\n2 Tan, Bo 1k\n{players}{games}END\n"
    return AGA_REPORT.read(text.encode(), "cup.txt", Options())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1 2 w 0 7", ("W+", 0, 7.0)), ("1\t2 \t B  0   7.5   ", ("B+", 0, 7.5)), ("1 2 b 1 0", ("B+", 1, 0.0)),
        ("1 2 w 0 0", ("W+", 0, 0.0)), ("1 2 W 9 0", ("W+", 9, 0.0)), ("1 2 w 0 -5.5", ("W+", 0, -5.5)),
        ("1 2 w 2 0 # late", ("W+", 2, 0.0)), ("1 2 w 2 0 // late", ("W+", 2, 0.0)),
    ],
)  # fmt: skip
def test_lines_of_games_are_read_in_both_dialects(line: str, expected: tuple[str, int, float]) -> None:
    parsed = aga(f"GAMES\n{line}\n")
    assert parsed.games.select("result", "handicap", "komi").rows() == [expected]
    assert parsed.games.select("white", "black", "round").rows() == [("Lindqvist, Ada", "Tan, Bo", None)]
    assert not parsed.problems


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("1 2 0 0 7", "result"), ("1 2 = 0 7", "result"), ("1 2 draw 0 7", "result"), ("1 9 w 0 7", "id"),
        ("1 1 w 0 7", "white"), ("1 2 w -1 7", "handicap"), ("1 2 w 0 999", "komi"), ("1 2 w", "game"),
    ],
)  # fmt: skip
def test_lines_that_are_no_games_are_refused_by_line(line: str, field: str) -> None:
    parsed = aga(f"GAMES 1\n{line}\n1 2 w 0 7\n")
    assert parsed.games.height == 1
    assert [(problem.line, problem.field, problem.rejected) for problem in parsed.problems] == [(7, field, True)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("7 IWAGAMI, YUTAKA 7p", ("IWAGAMI, YUTAKA", "aga:7", "7p", None)),
        ("USA2122 Armenia, veronica 4.45", ("Armenia, veronica", "aga:2122", "4d", 4.45)),
        ("TMP5\tJung, J\t-3.34 ", ("Jung, J", "", "3k", -3.34)),
        ("99999 Ruiz Cy 12K", ("Ruiz Cy", "", "12k", None)),
        ("007 Ruiz, Cy 3 dan", ("Ruiz, Cy", "aga:7", "3d", None)),
        ("7 Ruiz, Cy 3d*", ("Ruiz, Cy", "aga:7", "3d*", None)),
        ("7 Ruiz, Cy 25k? # late", ("Ruiz, Cy", "aga:7", "25k?", None)),
        ("CAN7 Ruiz 2 Cy 4 K", ("Ruiz 2 Cy", "aga:CAN7", "4k", None)),
        ("7 Ruiz, Cy 5d Club=PALO BYE Drop3", ("Ruiz, Cy", "aga:7", "5d", None)),
        ("7 Ruiz, Cy 4.4 DROP2 # 4 dan", ("Ruiz, Cy", "aga:7", "4d", 4.4)),
    ],
)  # fmt: skip
def test_players_are_read_as_they_are_written(line: str, expected: tuple[object, ...]) -> None:
    parsed = aga("GAMES 1\n1 2 w 0 7\n", f"{line}\n")
    each = parsed.entrants[2]
    assert (each.name, each.id, each.rank, each.rating) == expected
    assert not parsed.problems


def test_no_rating_lies_between_minus_one_and_one() -> None:
    parsed = aga("GAMES 1\n1 2 w 0 7\n", "7 Ruiz, Cy 0.5\n")
    assert (parsed.entrants[2].rank, parsed.entrants[2].rating) == ("", None)
    assert [(problem.line, problem.rejected) for problem in parsed.problems] == [(6, False)]
    weakest = aga("GAMES 1\n1 2 w 0 7\n", "7 Ruiz, Cy 1.0\n8 Lind, Bo -1.0\n")
    assert [each.rank for each in [*weakest.entrants][2:]] == ["1d", "1k"]
    assert not weakest.problems


def test_players_without_an_id_are_told_apart_within_a_file() -> None:
    parsed = aga("GAMES 1\n99999 99998 w 0 7\n", "99999 Kim, Min 3d\n99998 Kim, Min 1k\n")
    assert parsed.games.select("white", "black").rows() == [("Kim, Min#99999", "Kim, Min#99998")]


@pytest.mark.parametrize(
    "head",
    [
        "tourney Cup\nSTART=5/3/2025\n", "Tournament\nCup\nstart = 2025-05-03\n", "TOURNEY Cup\n# start=5/3/2025\n",
        'mail before it\n\nTOURNAMENT: Cup\nstart="5/3/2025"\nrules=AGA\n', "TOURNEY Cup\nfinish=5/3/2025\n",
        "Tournament results are below, best wishes\n\nTOURNEY Cup\nstart=5/3/2025\n",
        "TOURNEY Cup\nlocation=Here\nstart='5/3/2025'\n",
    ],
)  # fmt: skip
def test_titles_and_fields_are_read_in_all_their_spellings(head: str) -> None:
    parsed = aga("GAMES 1\n1 2 w 0 7\n", head=head)
    assert set(parsed.games["event"]) == {"Cup"}
    assert str(parsed.games["date"][0])[:10] == "2025-05-03"
    assert not parsed.problems


def test_an_unreadable_start_gives_way_to_the_finish_and_is_reported() -> None:
    parsed = aga("GAMES 1\n1 2 w 0 7\n", head="TOURNEY Cup\nstart=soon\nfinish=5/4/2025\n")
    assert str(parsed.games["date"][0])[:10] == "2025-05-04"
    assert [(problem.field, problem.rejected) for problem in parsed.problems] == [("start", False)]


def test_numbers_in_brackets_are_counts_and_others_are_rounds() -> None:
    parsed = aga("GAMES (3)\n1 2 w 0 7\n1 2 ? 0 7\n1 2 b 0 7\n", head="TOURNEY Cup\nstart=5/3/2025\n")
    assert (parsed.games["round"].to_list(), parsed.problems) == ([None, None], [])
    assert len(parsed.events[0].pairings) == 1
    assert aga("GAMES 3\n1 2 w 0 7\n").games["round"].to_list() == [3]


def test_a_directors_folder_keeps_players_without_an_id_and_refuses_strangers(tmp_path: Path) -> None:
    register = "# invented\n101 Lindqvist, Ada 3d\nTMP2 Moor, Dee 1k\n99999 Kim, Min 4.45\n99998 Kim, Min -3.34\n"
    for folder, white in (("one", "Lindqvist, Ada"), ("two", "Ruiz, Cy")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "register.tde").write_text(register.replace("Lindqvist, Ada", white), encoding="utf-8")
        (tmp_path / folder / "1.tde").write_text("101 TMP2 w 2 0\n99999\t99998\tB\t0\t7\t# well\n", encoding="utf-8")
    (tmp_path / "two" / "2.tde").write_text("TMP2 99998 ? 0 7\n777 101 w 0 7\n", encoding="utf-8")
    ledger = read(tmp_path / "two", date="2025-05-03")
    rows = [(game.black, game.black_id, game.black_rank, game.white, str(game.result), game.round) for game in ledger]
    assert rows == [
        ("Moor, Dee", "", "1k", "Ruiz, Cy", "W+", 1),
        ("Kim, Min#99998", "", "3k", "Kim, Min#99999", "B+", 1),
    ]
    assert ledger[1].notes == "well"
    assert [(problem.line, problem.found) for problem in ledger.problems] == [(2, "777")]
    both = read([tmp_path / "one", tmp_path / "two"], date="2025-05-03")  # each folder has a register of its own
    assert len(both) == 4
    elsewhere = read([tmp_path / "one" / "register.tde", tmp_path / "two" / "1.tde"], date="2025-05-03")
    assert elsewhere[0].white == "Lindqvist, Ada"  # the only register


def test_no_expression_looks_for_the_start_of_a_line_over_many_lines() -> None:
    """Blanks at the start of any line that may be line ends themselves are tried from every line end to the last."""
    from pathlib import Path

    import handan.files

    for file in Path(handan.files.__file__).parent.rglob("*.py"):
        for line in file.read_text(encoding="utf-8").splitlines():
            start = line.partition("(?")[2].partition(")")[0]
            assert not ("m" in start and start.isalpha() and r"^\s" in line), f"{file.name}: {line.strip()}"


@pytest.mark.parametrize(
    ("line", "club"),
    [("7 Ruiz, Cy 3d NOVA", "NOVA"), ("7 Ruiz, Cy 3d club=PALO", "PALO"), ("7 Ruiz, Cy -3.4 New York", "New York"),
     ("7 Ruiz, Cy 3d", "")],
)  # fmt: skip
def test_a_club_may_stand_behind_the_rank(line: str, club: str) -> None:
    assert aga("GAMES 1\n1 2 w 0 7\n", f"{line}\n").entrants[2].club == club


@pytest.mark.parametrize(
    ("heading", "place"),
    [("GAMES (w b winner handi komi)", None), ("GAMES ROUND 1", 1), ("ROUND 2", 2), ("Round 2: games", 2),
     ("GAMES - Round 3", 3), ("games 4 (w b winner)", 4), ("GAMES:", None)],
)  # fmt: skip
def test_any_line_that_begins_like_games_begins_them(heading: str, place: int | None) -> None:
    parsed = aga(f"{heading}\n1 2 w 0 7\n")
    assert parsed.games.select("round", "black", "white").rows() == [(place, "Tan, Bo", "Lindqvist, Ada")]
    assert len(parsed.entrants) == 2
    assert not parsed.problems


def test_a_heading_that_says_so_puts_black_first() -> None:
    parsed = aga("GAMES 1 (b w winner handi komi)\n1 2 w 0 7\nGAMES 2\n1 2 w 0 7\n")
    assert parsed.games["black"].to_list() == ["Lindqvist, Ada", "Tan, Bo"]


def test_a_title_that_begins_like_games_is_a_title() -> None:
    parsed = aga("GAMES 1\n1 2 w 0 7\n", head="TOURNEY\nGames Festival, round robin\nstart=5/3/2025\n")
    assert set(parsed.games["event"]) == {"Games Festival, round robin"}


def test_a_temporary_number_is_that_of_one_tournament(tmp_path: Path) -> None:
    for folder, one, other in (("a", "Lindqvist, Ada", "Moor, Dee"), ("b", "Pell, Zed", "Roe, Cy")):
        (tmp_path / folder).mkdir()
        register = f"TMP001 {one} 5d Drop3\nTMP2 {other} 4d\nUSA012 Tan, Bo 4k\n"
        (tmp_path / folder / "register.tde").write_text(register, encoding="utf-8")
        (tmp_path / folder / "1.tde").write_text("TMP1 12 w 0 7.5\nTMP002 USA12 w 0 7.5\n", encoding="utf-8")
    ledger = read(tmp_path, date="2026-01-01")
    assert sorted((game.white, game.black_id) for game in ledger) == [
        (name, "aga:12") for name in ("Lindqvist, Ada", "Moor, Dee", "Pell, Zed", "Roe, Cy")
    ]
    assert len(ledger.players) == 5


def test_a_register_says_when_and_where_its_rounds_were_played(tmp_path: Path) -> None:
    head = "## Tourney  Spring Cup\n## Date  2026/04/05\n## Rounds  1\n# a remark\n"
    (tmp_path / "register.tde").write_text(f"{head}1 Lindqvist, Ada 5d Club=PALO\n2 Moor, Dee 4.4\n", encoding="utf-8")
    (tmp_path / "1.tde").write_text("1 2 w 0 -7.5 # Ada (4.5)\n", encoding="utf-8")
    [game] = read(tmp_path)
    assert (game.white, game.event, str(game.date)) == ("Lindqvist, Ada", "Spring Cup", "2026-04-05")
    assert not read(tmp_path).problems
    assert str(read(tmp_path, date="2020-01-01")[0].date) == "2020-01-01"  # the user knows better


def test_the_list_in_columns_is_the_list_with_tabs() -> None:
    form, parsed = contents("members_in_columns.txt")
    assert form == "AGA list"
    assert [(each.name, each.id, each.club, each.country, each.rating) for each in parsed.entrants] == [
        ("Lindqvist, Ada", "aga:15648", "", "US", 3.4), ("Moor, Dee", "aga:9616", "NOVA", "US", -1.9),
        ("Tan, Bo", "aga:19806", "", "US", None), ("Roe, Cy", "aga:25982", "HOGC", "US", -17.7),
    ]  # fmt: skip
    assert [problem.line for problem in parsed.problems] == [5]


def test_a_report_keeps_the_place_of_its_tournament_and_names_with_marks(tmp_path: Path) -> None:
    games = "GAMES 1\n99999 99998 w 0 7\n"
    head = "TOURNEY Cup\nstart=5/3/2025\nfinish=5/4/2025\nlocation=Ume, Sweden\ntd=Pell, Zed\n"
    text = f"{head}PLAYERS\n99999 Kim, Min 3d\n99998 Kim, Min 1k # second\n{games}END\n"
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    ledger = read(tmp_path / "a.txt")
    assert not [omission for omission in write(ledger, tmp_path / "b.aga") if omission.startswith("of the tournament")]
    written = (tmp_path / "b.aga").read_text(encoding="utf-8")
    assert "\tlocation=Ume, Sweden\n" in written
    assert "\ttd=Pell, Zed\n" in written
    again = read(tmp_path / "b.aga")
    assert [(game.black, game.white) for game in again] == [("Kim, Min#99998", "Kim, Min#99999")]
    assert not [problem for problem in again.problems if problem.rejected]
