"""Files of OpenGotha and of the MacMahon program: what is read and written, hostile XML, and real files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handan.errors import InputError
from handan.files import Limits, Options, read, write
from handan.files.formats.macmahon import MACMAHON
from handan.files.formats.opengotha import OPENGOTHA
from handan.files.games.contents import Contents
from handan.files.reading import readings
from handan.files.report import report
from handan.ledger import Bye, Ledger
from handan.systems.egf import EGF
from tests.conftest import ROOT

SAMPLES = ROOT / "tests" / "samples"
DATA = ROOT.parent / "shared" / "data"
local = pytest.mark.skipif(not DATA.exists(), reason="the folder of real results is not beside the checkout")


def opengotha(content: str, **limits: int) -> Contents:
    return OPENGOTHA.read(content.encode(), "cup.xml", Options(limits=Limits(**limits)))


def test_opengothas_sample_is_read_game_by_game() -> None:
    [reading] = readings(SAMPLES / "cup.xml", Options())
    assert (reading.format, reading.refusal) == ("OpenGotha XML", "")
    parsed = reading.contents
    assert parsed is not None
    columns = ("round", "black", "white", "result", "handicap", "komi", "notes", "line")
    assert parsed.games.select(columns).rows() == [
        (1, "Moor Dee", "Lindqvist Ada", "W+", 2, 0.5, "", 11),
        (1, "Tan Bo", "Işık İlkin", "jigo", 0, 6.5, "", 12),
        (2, "Işık İlkin", "Lindqvist Ada", "P1+F", 0, 6.5, "", 13),
        (3, "Lindqvist Ada", "Moor Dee", "both-lose", 0, 6.5, "default", 14),
    ]
    assert (
        parsed.byes_by_kind[Bye.ALLOCATED],
        parsed.byes_by_kind[Bye.ZERO_POINT],
        len(parsed.events[0].pairings),
    ) == (1, 1, 1)
    assert [str(problem) for problem in parsed.problems] == [
        "cup.xml line 12: player 'Tan Bo, Işık İlkin' is not two participants; one is only registered".replace(
            "cup.xml", str(SAMPLES / "cup.xml")
        ),
        f"{SAMPLES / 'cup.xml'} line 15: player 'NOBODY' is not one of the players",
    ]
    assert [entrant.id for entrant in parsed.entrants] == ["egd:10000001", "ffg:1800002", "", ""]
    assert str(parsed.games["date"][0])[:10] == "2025-05-03"


def test_macmahons_first_figure_is_blacks() -> None:
    [reading] = readings(SAMPLES / "macmahon.xml", Options(date="2025-10-04"))
    parsed = reading.contents
    assert reading.format == "MacMahon XML"
    assert parsed is not None
    assert parsed.games.select("round", "black", "white", "result", "handicap", "size").rows() == [
        (1, "Tan Bo", "Lindqvist Ada", "B+", 3, 13),
        (2, "Lindqvist Ada", "Tan Bo", "W+F", 0, 13),
    ]
    assert (parsed.byes_by_kind[Bye.ALLOCATED], len(parsed.events[0].pairings)) == (1, 1)
    assert [problem.found for problem in parsed.problems] == ["9"]
    assert [(entrant.id, entrant.country) for entrant in parsed.entrants[:2]] == [("egd:10000001", "GB"), ("", "PL")]


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    ledger = read(SAMPLES / "cup.xml")
    assert write(ledger, tmp_path / "again.xml") == []
    again = read(tmp_path / "again.xml")
    assert not [problem for problem in again.problems if problem.rejected]
    assert again.arrays.facts.equals(ledger.arrays.facts)
    table = read(ROOT / "examples" / "games.csv")
    omissions = write(table, tmp_path / "table.xml")
    assert any(omission.startswith("how games ended") for omission in omissions)
    assert any(omission.startswith("dates of single games") for omission in omissions)


def test_the_same_event_reads_alike_from_three_formats(tmp_path: Path) -> None:
    ledger = read(SAMPLES / "cup.h9")
    plain = Ledger.of([game for game in ledger if game.result.score is not None])  # type: ignore[union-attr]
    write(plain, tmp_path / "cup.xml")
    write(plain, tmp_path / "cup.h9")
    changes = []
    for name in ("cup.xml", "cup.h9"):
        ratings = EGF(default_class="B").rate(read(tmp_path / name))
        changes.append({row["player"]: row["rating"] for row in ratings.table().iter_rows(named=True)})
    assert changes[0] == changes[1]


BOMB = """<?xml version="1.0"?><!DOCTYPE Tournament [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>
<Tournament dataVersion="201">&b;</Tournament>"""
OUTSIDE = """<?xml version="1.0"?><!DOCTYPE Tournament [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<Tournament dataVersion="201">&secret;</Tournament>"""


@pytest.mark.parametrize("text", [BOMB, OUTSIDE])
def test_entities_are_refused_before_they_grow(text: str) -> None:
    with pytest.raises(InputError, match="is declared; none is allowed"):
        opengotha(text)


def test_limits_of_xml_are_named() -> None:
    deep = "<Tournament dataVersion='201'>" + "<a>" * 100 + "</a>" * 100 + "</Tournament>"
    with pytest.raises(InputError, match=r"more than 64 levels of XML elements; --allow depth=NUMBER"):
        opengotha(deep)
    with pytest.raises(InputError, match=r"--allow text=NUMBER"):
        opengotha(deep, text=100)
    with pytest.raises(InputError, match=r"cup\.xml line 1, column \d+: .*well-formed XML was expected"):
        opengotha("<Tournament dataVersion='201'><a></Tournament>")
    with pytest.raises(InputError, match="root element 'Other'"):
        opengotha("<Other dataVersion='201'/>")


def test_of_files_saved_after_each_round_the_fullest_counts(tmp_path: Path) -> None:
    whole = (SAMPLES / "cup.xml").read_text(encoding="utf-8")
    early = re.sub(r"<Game [^>]*roundNumber=\"2\"[^>]*/>", "", whole)
    assert early != whole
    for name, text in (("1.xml", early), ("2.xml", whole), ("3.xml", early)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    ledger = read(tmp_path)
    assert ledger.arrays.facts.equals(read(SAMPLES / "cup.xml").arrays.facts)
    problems = [str(problem) for problem in ledger.problems if problem.field == "file"]
    assert [text.split(": ")[0].rsplit("/", 1)[-1] for text in problems] == ["1.xml", "3.xml"]
    assert all("the fullest file of this tournament" in text for text in problems)


def test_a_file_without_games_is_an_empty_table_with_a_warning() -> None:
    parsed = opengotha("<Tournament dataVersion='201'/>")
    assert parsed.games.height == 0
    assert [problem.field for problem in parsed.problems] == ["beginDate", "Games"]


@local
def test_the_real_files_have_their_known_counts() -> None:
    text = (DATA / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| ([\w/.-]+\.xml) \|(.*)\|$", text, re.MULTILINE)
    assert len(listed) == 38
    for name, line in listed:
        cells = [cell.strip() for cell in line.split("|")]
        day, size, komi, players, _, games, black, white, draws, default = cells[:10]
        both_lose, both_win, handicap, unplayed, byes = cells[10:15]
        [reading] = readings(DATA / "opengotha" / name, Options())
        assert reading.contents is not None, name
        summary, table = report(reading), reading.contents.games
        counts = (
            summary.players,
            summary.games,
            summary.jigo,
            summary.both_lose,
            summary.both_win,
            summary.handicap,
            summary.byes,
        )
        assert counts == tuple(map(int, (players, games, draws, both_lose, both_win, handicap, byes))), name
        wins = [int(table["result"].str.starts_with(side).sum()) for side in ("B+", "W+")]
        assert wins == [int(black), int(white)], name
        assert (summary.forfeits, summary.unplayed, summary.dates[0]) == (int(default), int(unplayed), day), name
        assert set(table["size"]) == {int(size)}, name
        assert set(table.filter(table["handicap"] == 0)["komi"]) <= {float(komi)}, name
        assert not [problem for problem in summary.problems if problem.rejected], name


@local
def test_juvisy_has_the_same_games_and_changes_in_all_three_formats() -> None:
    explained, changes = [], []
    for ending in ("xml", "h9", "tou"):
        ledger = read(DATA / "opengotha" / f"juvisy-2019.{ending}")
        rows = [(g.round, g.black.lower(), g.white.lower(), str(g.result), g.handicap, g.komi) for g in ledger]
        explained.append(sorted(rows))
        ratings = EGF(default_class="A", entry="rank").rate(ledger)
        table = ratings.table().iter_rows(named=True)
        changes.append({row["player"].lower(): round(row["rating"], 9) for row in table})
    assert explained[0] == explained[1] == explained[2]
    assert changes[0] == changes[1] == changes[2]


@local
def test_the_real_macmahon_file_is_read() -> None:
    ledger = read(DATA / "macmahon" / "sample-tournament.xml", date="2020-01-01")
    assert [str(game.result) for game in ledger] == ["B+", "W+", "W+"]


def cup(games: str, players: str = "", general: str = 'name="Cup" beginDate="2025-05-03" komi="6.5"') -> str:
    """Return a tournament of Lindqvist Ada, Tan Bo and those added."""
    return f"""<Tournament dataVersion="201" saveDT="20250506101500"><Players>
<Player name="Lindqvist" firstName="Ada" rank="3D"/><Player name="Tan" firstName="Bo" rank="5K"/>{players}</Players>
<Games>{games}</Games>
<TournamentParameterSet><GeneralParameterSet {general}/></TournamentParameterSet></Tournament>"""


def met(result: str, more: str = "", white: str = "LINDQVISTADA", black: str = "TANBO") -> str:
    return f'<Game roundNumber="1" whitePlayer="{white}" blackPlayer="{black}" result="{result}" {more}/>'


@pytest.mark.parametrize(
    ("word", "result", "notes"),
    [
        ("WHITEWINS", "W+", ""), ("BLACKWINS", "B+", ""), ("WHITEWINS_BYDEF", "W+F", ""),
        ("BLACKWINS_BYDEF", "B+F", ""), ("EQUAL", "jigo", ""), ("EQUAL_BYDEF", "void", "default"),
        ("BOTHLOSE", "both-lose", ""), ("BOTHLOSE_BYDEF", "both-lose", "default"), ("BOTHWIN", "both-win", ""),
        ("BOTHWIN_BYDEF", "both-win", "default"),
    ],
)  # fmt: skip
def test_every_result_of_opengotha_has_its_own(word: str, result: str, notes: str) -> None:
    parsed = opengotha(cup(met(f"RESULT_{word}")))
    assert parsed.games.select("result", "notes").rows() == [(result, notes)]
    assert not parsed.problems


def test_unknown_colours_leave_the_column_and_not_the_colour() -> None:
    words = ("WHITEWINS", "BLACKWINS_BYDEF", "EQUAL")
    games = "".join(met(f"RESULT_{word}", 'knownColor="false"') for word in words)
    assert opengotha(cup(games)).games["result"].to_list() == ["P2+", "P1+F", "P="]


def test_what_was_not_played_is_counted_and_what_contradicts_itself_is_refused() -> None:
    games = (
        met("RESULT_UNKNOWN") + met("RESULT_UNKNOWN", white="TANBO") + met("RESULT_WHITEWINS", white="TANBO")
        + met("RESULT_ODD") + met("RESULT_WHITEWINS", white="NOBODY") + met("RESULT_WHITEWINS", 'handicap="-2"')
    )  # fmt: skip
    parsed = opengotha(cup(games))
    assert (parsed.games.height, len(parsed.events[0].pairings)) == (0, 1)
    assert [(problem.field, problem.found) for problem in parsed.problems if problem.rejected] == [
        ("white", "Tan Bo"), ("result", "RESULT_ODD"), ("player", "NOBODY"), ("handicap", "-2"),
    ]  # fmt: skip
    assert [problem.field for problem in parsed.problems if not problem.rejected] == ["Games", "blackPlayer"]


@pytest.mark.parametrize(("key", "name"), [("IŞIKİLKİN", "Işık"), ("ISIKILKIN", "Işık"), ("ışıkilkin", "IŞIK")])
def test_turkish_names_are_found_in_all_their_capitals(key: str, name: str) -> None:
    players = f'<Player name="{name}" firstName="İlkin" country="TR"/>'
    parsed = opengotha(cup(met("RESULT_WHITEWINS", white=key), players))
    assert parsed.games["white"].to_list() == [f"{name} İlkin"]
    assert parsed.games["white_rank"].to_list() == ["30k"]  # the program's own default


def test_games_of_two_players_of_one_name_are_left_out() -> None:
    parsed = opengotha(cup(met("RESULT_WHITEWINS"), '<Player name="Tan" firstName="Bo" rank="1K"/>'))
    assert parsed.games.height == 0
    assert [(problem.rejected, problem.field) for problem in parsed.problems] == [
        (False, "Games"), (False, "name"), (True, "player"),
    ]  # fmt: skip


def test_komi_and_size_are_those_of_the_tournament_and_half_a_point_with_stones() -> None:
    games = met("RESULT_WHITEWINS") + met("RESULT_WHITEWINS", 'handicap="1"') + met("RESULT_WHITEWINS", 'handicap="9"')
    parsed = opengotha(cup(games, general='name="Cup" beginDate="2025-05-03" komi="7" size="9"'))
    assert parsed.games.select("komi", "handicap", "size").rows() == [(7.0, 0, 9), (0.5, 1, 9), (0.5, 9, 9)]
    assert opengotha(cup(games, general='name="Cup" beginDate="2025-05-03"')).games["komi"].to_list()[0] == 7.5


@pytest.mark.parametrize("text", ["1900-01-01", "2009-01-01", "", "soon"])
def test_the_day_of_saving_stands_in_for_a_date_that_nobody_gave(text: str) -> None:
    parsed = opengotha(cup(met("RESULT_WHITEWINS"), general=f'name="Cup" beginDate="{text}"'))
    assert str(parsed.games["date"][0])[:10] == "2025-05-06"
    assert all(problem.field == "beginDate" and not problem.rejected for problem in parsed.problems)
    assert parsed.problems
    unsaved = cup(met("RESULT_WHITEWINS"), general=f'name="Cup" beginDate="{text}"').replace("20250506101500", "")
    assert opengotha(unsaved).games["date"][0] is None


def test_absences_and_byes_are_counted_for_participants_only() -> None:
    players = (
        '<Player name="Moor" firstName="Dee" participating="10111111111111111111"/>'
        '<Player name="Ruiz" firstName="Cy" participating="00000000000000000000" registeringStatus="PRE"/>'
    )
    text = cup(met("RESULT_WHITEWINS"), players, 'name="Cup" beginDate="2025-05-03" numberOfRounds="3"')
    parsed = opengotha(
        text.replace("</Games>", '</Games><ByePlayers><ByePlayer player="MOORDEE" roundNumber="1"/></ByePlayers>')
    )
    assert (parsed.byes_by_kind[Bye.ALLOCATED], parsed.byes_by_kind[Bye.ZERO_POINT], len(parsed.entrants)) == (1, 1, 4)
    # the tournament's own name is the program's default
    assert opengotha(text.replace('name="Cup" begin', 'name="Test" begin')).problems[0].field == "name"


def test_personal_data_of_a_file_is_nowhere_in_what_was_read() -> None:
    text = cup(met("RESULT_WHITEWINS"), '<Player name="Moor" firstName="Dee" agaId="7" agaExpirationDate="SECRET"/>')
    parsed = opengotha(text.replace("saveDT", 'externalIPAddress="SECRET" saveDT'))
    assert "SECRET" not in repr(parsed)
    assert parsed.entrants[2].id == "aga:7"


def test_a_doctype_without_entities_and_instructions_are_passed_over() -> None:
    head = '<?xml version="1.0"?><!DOCTYPE Tournament SYSTEM "tournament.dtd"><?xml-stylesheet href="x.xsl"?>'
    text = cup(met("RESULT_WHITEWINS")).replace("<Games>", '<xi:include xmlns:xi="urn:x" href="/etc/passwd"/><Games>')
    assert opengotha(head + text).games.height == 1


def test_xml_of_another_kind_is_refused_with_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "other.xml"
    path.write_text('<?xml version="1.0"?>\n <Library/>\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"line 2, column 2: root element 'Library'; Tournament was expected"):
        read(path)


LATIN = cup(met("RESULT_WHITEWINS", black="TANZOË"), '<Player name="Tan" firstName="Zoë"/>')


@pytest.mark.parametrize(
    ("codec", "declared"),
    [
        ("utf-8", ""), ("utf-8", "UTF-8"), ("utf-8-sig", "UTF-8"), ("utf-8-sig", ""), ("utf-16", "UTF-16"),
        ("utf-16", ""), ("utf-16-le", "UTF-16"), ("utf-16-be", "UTF-16"), ("iso-8859-1", "ISO-8859-1"),
        ("iso-8859-15", "ISO-8859-15"), ("cp1252", "windows-1252"), ("gb18030", "GB18030"),
    ],
)  # fmt: skip
def test_xml_is_read_in_the_encoding_that_it_declares(codec: str, declared: str, tmp_path: Path) -> None:
    head = f'<?xml version="1.0" encoding="{declared}"?>\n' if declared else ""
    path = tmp_path / "cup.xml"
    path.write_bytes((head + LATIN).encode(codec))
    assert [game.black for game in read(path)] == ["Tan Zoë"]


@pytest.mark.parametrize(("codec", "name"), [("shift_jis", "山野"), ("euc-kr", "솔뫼"), ("gb18030", "空丸")])
def test_xml_of_eastern_encodings_is_read(codec: str, name: str) -> None:
    text = cup(met("RESULT_WHITEWINS", black=name), f'<Player name="{name}" firstName=" "/>')
    declared = f'<?xml version="1.0" encoding="{codec}"?>'.encode() + text.encode(codec)
    parsed = OPENGOTHA.read(declared, "cup.xml", Options())
    assert parsed.games["black"].to_list() == [name]
    undeclared = OPENGOTHA.read(text.encode(codec), "cup.xml", Options(encoding=codec))
    assert undeclared.games["black"].to_list() == [name]


@pytest.mark.parametrize(
    ("codec", "declared"),
    [
        ("utf-8-sig", "ISO-8859-1"), ("utf-8", "UTF-16"), ("utf-16", "UTF-8"),
        ("iso-8859-1", "punycode"), ("iso-8859-1", "no-such-thing"),
    ],
)  # fmt: skip
def test_a_declaration_that_contradicts_the_bytes_is_refused(codec: str, declared: str) -> None:
    head = f'<?xml version="1.0" encoding="{declared}"?>\n' if declared else ""
    with pytest.raises(InputError, match=r"^cup\.xml line \d+: .*(encod)"):
        OPENGOTHA.read((head + LATIN).encode(codec), "cup.xml", Options())


@pytest.mark.parametrize("declared", ["UTF-8", ""])
def test_bytes_that_are_no_utf_8_cost_letters_and_no_game(declared: str) -> None:
    head = f'<?xml version="1.0" encoding="{declared}"?>\n' if declared else ""
    contents = OPENGOTHA.read((head + LATIN).encode("iso-8859-1"), "cup.xml", Options())
    assert contents.games["black"].to_list() == ["Tan Zo\ufffd"]
    assert [problem.found for problem in contents.problems if problem.field == "name"] == ["Tan Zo\ufffd"]


def macmahon(pairings: str, players: str = "") -> Contents:
    people = "".join(
        f"<IndividualParticipant><Id>{number}</Id><GoPlayer><FirstName>{first}</FirstName><Surname>{last}</Surname>"
        "<GoLevel>3d</GoLevel></GoPlayer></IndividualParticipant>"
        for number, first, last in ((1, "Ada", "Lindqvist"), (2, "Bo", "Tan"), (3, "Min", "Kim"), (4, "Min", "Kim"))
    )
    text = f"""<Tournament xmlns="urn:mm" typeversion="3.9"><Name>Cup</Name>{people}{players}
<TournamentRound><RoundNumber>1</RoundNumber>{pairings}</TournamentRound></Tournament>"""
    assert MACMAHON.sniff(text.encode())
    return MACMAHON.read(text.encode(), "mm.xml", Options(date="2025-05-03"))


def paired(result: str, black: str = "2", more: str = "") -> str:
    return f"<Pairing><White>1</White><Black>{black}</Black><Result>{result}</Result>{more}</Pairing>"


@pytest.mark.parametrize(
    ("word", "result"),
    [
        ("1-0", "B+"), ("0-1", "W+"), ("½-½", "jigo"), ("S-S", "jigo"), ("0.5-0.5", "jigo"), ("0-0", "both-lose"),
        ("1-1", "both-win"), ("1-0!", "B+F"), ("0-1!", "W+F"), ("½-½!", "void"),
    ],
)  # fmt: skip
def test_every_result_of_macmahon_has_its_own(word: str, result: str) -> None:
    parsed = macmahon(paired(word))
    assert parsed.games.select("black", "result").rows() == [("Tan Bo", result)]
    assert not parsed.problems


def test_games_that_the_referee_decided_are_by_default() -> None:
    assert macmahon(paired("1-0", more="<ResultByReferee>true</ResultByReferee>")).games["result"][0] == "B+F"
    assert macmahon(paired("1-0", more="<ResultByReferee>false</ResultByReferee>")).games["result"][0] == "B+"


def test_byes_and_unplayed_pairings_of_macmahon_are_counted() -> None:
    bye = "<Pairing><PairingWithBye>{}</PairingWithBye><White>{}</White><Black>{}</Black></Pairing>"
    parsed = macmahon(
        paired("?-?") + paired("") + bye.format("true", "", "2") + bye.format("false", "0", "2")
        + bye.format("false", "1", "0") + "<Pairing><White>1</White><Black>2</Black></Pairing>"
    )  # fmt: skip
    assert (parsed.games.height, parsed.byes_by_kind[Bye.ALLOCATED], len(parsed.events[0].pairings)) == (0, 2, 3)


def test_namesakes_of_macmahon_stay_apart_and_strangers_are_refused() -> None:
    parsed = macmahon(paired("1-0", "3") + paired("1-0", "4") + paired("1-0", "99") + paired("2-0"))
    assert parsed.games["black"].to_list() == ["Kim Min#3", "Kim Min#4"]
    assert [(problem.field, problem.found, problem.line) for problem in parsed.problems] == [
        ("Id", "99", 2), ("Result", "2-0", 2),
    ]  # fmt: skip
    third = ("<Player><Id>5</Id><GoPlayer><FirstName>Min</FirstName><Surname>Kim</Surname><EgdPin>12345678</EgdPin>"
             "</GoPlayer></Player>")  # fmt: skip
    parsed = macmahon(paired("1-0", "5"), third)  # whose number tells who it is
    assert parsed.games.select("black", "black_id").rows() == [("Kim Min", "egd:12345678")]


def test_a_number_of_macmahon_belongs_to_one_player() -> None:
    again = "<Player><Id>2</Id><GoPlayer><FirstName>Cy</FirstName><Surname>Ruiz</Surname></GoPlayer></Player>"
    parsed = macmahon(paired("1-0"), again)
    assert parsed.games["black"].to_list() == ["Tan Bo"]
    assert [(problem.field, problem.rejected) for problem in parsed.problems] == [("Id", True)]
