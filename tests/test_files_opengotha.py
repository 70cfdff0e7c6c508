"""Files of OpenGotha, which are read whole, and files for OpenGotha, which hold what its reader insists on."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from handan.errors import InputError
from handan.files import Options, read, write
from handan.files.formats.h9 import H9
from handan.files.reading import readings
from handan.ledger import Bye, Event, Game, Ledger, Pairing, Participant, Player, When
from handan.systems import EGF
from tests.command_line import run
from tests.conftest import ROOT
from tests.naive.opengotha import opened

SAMPLES = ROOT / "tests" / "samples"
DATA = ROOT.parent / "shared" / "data"
WRITTEN = DATA / "opengotha_written"
local = pytest.mark.skipif(not WRITTEN.exists(), reason="files that OpenGotha wrote are not beside the checkout")
EVENTS = {"canadian-open-2020": 398, "chonline": 40, "live-asynchronous-13x13": 16, "ppik2011": 78}
"""Pairings of each, by the README of the data."""


def pairings(path: Path, *, coloured: bool = True) -> tuple[Counter[tuple[object, ...]], int]:
    """Return the decided games of a file, with or without colours and stones, and the number of undecided ones."""
    [reading] = readings(path, Options())
    assert reading.contents is not None
    assert [str(problem) for problem in reading.contents.problems if problem.rejected] == []
    ledger = read(path)
    games = Counter(as_told(game, coloured=coloured) for game in ledger if str(game.result) != "?")
    paired = sum(len(event.pairings) for event in reading.contents.events)
    return games, len(ledger) - games.total() + paired


def as_told(game: Game, *, coloured: bool) -> tuple[object, ...]:
    """Return a game as all formats can tell it: .tou has no mark for games by default."""
    result = str(game.result).removesuffix("F")
    if coloured:
        return game.round, game.black, game.white, result, game.handicap
    first = {"B+": game.black, "P1+": game.black, "W+": game.white, "P2+": game.white}.get(result, result)
    return game.round, *sorted((game.black, game.white)), first


@local
@pytest.mark.parametrize("name", EVENTS)
def test_every_pairing_comes_out_of_the_three_formats_that_opengotha_writes(name: str) -> None:
    files = {ending: WRITTEN / f"{name}.{ending}" for ending in ("xml", "h9", "tou")}
    coloured = "/b" in files["h9"].read_text(encoding="iso-8859-15")
    xml = pairings(files["xml"])
    assert xml[0].total() + xml[1] == EVENTS[name]
    assert pairings(files["tou"]) == xml
    assert pairings(files["h9"], coloured=coloured) == pairings(files["xml"], coloured=coloured)


@local
@pytest.mark.parametrize("name", [*(f"opengotha_written/{name}" for name in EVENTS), "opengotha/juvisy-2019"])
def test_the_federations_changes_are_those_of_the_table_that_opengotha_wrote(name: str) -> None:
    changes: list[dict[str, float]] = []
    events: list[Event] = []
    for ending in (".xml", ".h9"):
        ledger = read(DATA / (name + ending))
        ratings = EGF(entry="rank").rate(ledger)  # tables hold no declared ratings
        changes.append({line.player: line.change for line in ratings.event("").lines})
        events += ledger.events
    assert changes[0] == changes[1]
    xml, table = events
    assert (xml.kind, xml.minutes, xml.comments) == (table.kind, table.minutes, table.comments)
    # places and their criteria are worked out of the games as the program does
    there = {each.player.name: each for each in table.participants}
    ranked = [each for each in xml.participants if each.player.name in there]
    assert [each.player.name for each in ranked] == [each.player.name for each in table.participants]
    for each in ranked:
        figures = [figure.replace("½", ".5") for figure in there[each.player.name].figures]
        assert list(each.figures) == figures[: len(xml.criteria)], each.player.name


@pytest.mark.parametrize(
    ("clock", "letter", "minutes"),
    [
        ('basicTime="60" complementaryTimeSystem="STDBYOYOMI" stdByoYomiTime="30"', "a", 82),
        ('basicTime="60" complementaryTimeSystem="SUDDENDEATH"', "b", 60),
        ('basicTime="60"', "a", 80),  # Canadian, five minutes for fifteen moves
        ('basicTime="45" complementaryTimeSystem="FISCHER" fischerTime="15"', "a", 75),
        ('basicTime="44" complementaryTimeSystem="FISCHER" fischerTime="30"', "b", 104),
        ('basicTime="30" complementaryTimeSystem="CANBYOYOMI" canByoYomiTime="600" nbMovesCanTime="25"', "c", 54),
        ('basicTime="20" complementaryTimeSystem="FISCHER" fischerTime="5"', "c", 30),
        ('basicTime="25" complementaryTimeSystem="SUDDENDEATH"', "x", 25),
        ('basicTime="200" complementaryTimeSystem="CANBYOYOMI" canByoYomiTime="60" nbMovesCanTime="3"', "a", 240),
        ('basicTime="40" complementaryTimeSystem="STDBYOYOMI" stdByoYomiTime="30" bInternet="true"', "d", 62),
        ('basicTime="30" complementaryTimeSystem="STDBYOYOMI" stdByoYomiTime="60" bInternet="true"', "x", 75),
    ],
)
def test_the_class_is_what_opengotha_makes_of_the_clock(tmp_path: Path, clock: str, letter: str, minutes: int) -> None:
    text = (SAMPLES / "cup.xml").read_text(encoding="utf-8")
    (tmp_path / "cup.xml").write_text(text.replace("<GeneralParameterSet", f"<GeneralParameterSet {clock}"), "utf-8")
    ledger = read(tmp_path / "cup.xml")
    assert set(ledger.games["kind"]) == {f"tournament-{letter}"}
    assert ledger.events[0].minutes == minutes
    assert (EGF().rate(ledger).arrays.unrated == 0).any() == (letter != "x")
    again = read(BytesIO(written_for_opengotha(ledger, tmp_path)))
    assert set(again.games["kind"]) == {f"tournament-{letter}"}


@pytest.mark.parametrize(
    ("letter", "minutes", "overtime", "is_kept"),
    [
        ("B", "60", "", True),
        ("D", "60", "", True),
        ("A", "90", "Fischer", True),
        ("C", "40", "Sudden death", True),
        ("X", "15", "Sudden death", True),
        ("A", "80", "Canadian byo-yomi", True),
        ("A", "82.5", "Standard byo-yomi", False),  # OpenGotha says whole minutes
        ("B", "52.5", "", False),
        ("A", "60", "", False),  # is of class B there
    ],
)
def test_the_time_of_an_h9_becomes_a_clock_that_opengotha_makes_it_of(
    tmp_path: Path, letter: str, minutes: str, overtime: str, is_kept: bool
) -> None:
    head = f"; CL[{letter}]\n; EV[Cup]\n; DT[2026-05-02]\n; KM[6.5]\n; TM[{minutes}]\n; CM[{overtime}]\n"
    (tmp_path / "cup.h9").write_text(f"{head}1 Moore Ada 3k SE Ume 1 2+/w\n2 Lind Bo 3k SE Ume 0 1-/b\n", "utf-8")
    done = run("convert", tmp_path / "cup.h9", tmp_path / "cup.xml")
    assert ("thinking time" in done.err) != is_kept
    run("convert", tmp_path / "cup.xml", tmp_path / "again.h9")
    again = (tmp_path / "again.h9").read_text("utf-8")
    assert f"CL[{letter}]" in again
    assert (f"TM[{minutes}]" in again) == is_kept
    assert f"TM[{int(float(minutes))}]" in again or letter == "A"
    assert f"CM[{overtime}" in again


def test_without_a_clock_the_class_stays_open(tmp_path: Path) -> None:
    ledger = Ledger.of([Game("Ada", "Bo", "B+", "2025-05-03", event="Cup", kind="tournament")])
    again = read(BytesIO(written_for_opengotha(ledger, tmp_path)))
    assert (set(again.games["kind"]), again.events[0].minutes) == ({"tournament"}, None)


def test_byes_absences_pairings_and_players_without_a_game_come_back_from_a_file_for_opengotha(tmp_path: Path) -> None:
    players = [Player(name, country="SE") for name in ("Ada", "Bo", "Cy", "Dee", "Eve")]
    byes = [(), (), ((1, Bye.ALLOCATED),), ((1, Bye.ZERO_POINT), (2, Bye.ZERO_POINT)), ()]
    event = Event(
        "Cup", When.of("2025-05-03"), When.of("2025-05-04"), rounds=2, kind="tournament-b", city="Umea",
        director="Ruiz",
        participants=tuple(
            Participant(player, "3k", byes=own, preliminary=player.name == "Eve")
            for player, own in zip(players, byes, strict=True)
        ),
        pairings=(Pairing(2, "Bo", "Cy", 2),), komi=6.5,
    )  # fmt: skip
    game = Game("Ada", "Bo", "B+", "2025-05-03", komi=6.5, event="Cup", round=1, kind="tournament-b")
    ledger = replace(Ledger.of([game]), events=(event,))
    (tmp_path / "cup.xml").write_bytes(written_for_opengotha(ledger, tmp_path))
    assert write(ledger, tmp_path / "again.xml") == ["ranks that are unknown, marked or change (1 game)"]
    [back] = read(tmp_path / "cup.xml").events
    kept = {each.player.name.strip(): (each.byes, each.preliminary) for each in back.participants}
    assert kept == {each.player.name: (each.byes, each.preliminary) for each in event.participants}
    for name in ("name", "first", "last", "rounds", "pairings", "kind", "city", "director", "komi"):
        assert getattr(back, name) == getattr(event, name), name


def written_for_opengotha(ledger: Ledger, folder: Path) -> bytes:
    path = folder / "written.xml"
    write(ledger, path)
    return path.read_bytes()


TOURNAMENTS = ("cup.xml", "cup.h9", "coupe.tou", "wall.txt", "report.txt", "director", "macmahon.xml")


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_opengotha_opens_what_is_written_of_every_sample(name: str, tmp_path: Path) -> None:
    ledger = read(SAMPLES / name, date="2025-05-03")
    games = opened(written_for_opengotha(ledger, tmp_path))
    paired = sum(len(event.pairings) for event in ledger.events)
    assert len(games) == len(ledger) + (name != "macmahon.xml") * paired > 0
    wins = {word: sum(row[3] == word for row in games) for word in ("BLACKWINS", "WHITEWINS")}
    assert wins["BLACKWINS"] == sum(str(game.result).startswith(("B+", "P1+")) for game in ledger)
    assert wins["WHITEWINS"] == sum(str(game.result).startswith(("W+", "P2+")) for game in ledger)


def test_opengotha_opens_the_games_of_a_club_without_rounds_or_ranks(tmp_path: Path) -> None:
    ledger = read(ROOT / "examples" / "games.csv")
    assert len(opened(written_for_opengotha(ledger, tmp_path))) == len(ledger)
    alone = Ledger.of([Game("Tan", "Professional Player", "B+", white_rank="9p", handicap=12)])
    data = written_for_opengotha(alone, tmp_path)
    assert opened(data) == [(1, "TAN", "PROFESSIONALPLAYER", "BLACKWINS")]
    assert "professional ranks, written as those of amateurs (1 player)" in write(alone, tmp_path / "again.xml")


def test_players_whom_opengotha_could_not_tell_apart_are_numbered(tmp_path: Path) -> None:
    names = ("Tan Bo", "TAN BO", "Tänbo", "Cy")
    ledger = Ledger.of([Game(name, "Dee", "B+", "2025-05-03", round=place) for place, name in enumerate(names, 1)])
    assert [row[1] for row in opened(written_for_opengotha(ledger, tmp_path))] == ["TANBO", "TANBO2", "TÄNBO3", "CY"]
    omissions = write(ledger, tmp_path / "cup.xml")
    assert "players whose names differ by marks, capitals or blanks only, and are numbered (2 players)" in omissions
    assert len(read(tmp_path / "cup.xml")) == 4


def test_more_rounds_than_opengotha_has_are_refused(tmp_path: Path) -> None:
    games = [Game("Ada", "Bo", "B+", "2025-05-03", round=number) for number in range(1, 22)]
    assert len(opened(written_for_opengotha(Ledger.of(games[:20]), tmp_path))) == 20
    with pytest.raises(InputError, match="holds at most 20 rounds, and these are 21"):
        write(Ledger.of(games), tmp_path / "cup.xml")


def test_two_games_in_one_round_are_moved_apart_and_said(tmp_path: Path) -> None:
    games = [Game("Ada", name, "B+", "2025-05-03", round=1, kind="tournament") for name in ("Bo", "Cy")]
    assert "rounds of players with two games in one (1 game moved)" in write(Ledger.of(games), tmp_path / "cup.xml")
    assert [row[0] for row in opened((tmp_path / "cup.xml").read_bytes())] == [1, 2]


def test_a_pairing_without_a_result_is_one_in_opengotha_too(tmp_path: Path) -> None:
    games = [Game("Ada", "Bo", "B+", "2025-05-03", round=1), Game("Cy", "Dee", "?", "2025-05-03", round=1)]
    data = written_for_opengotha(Ledger.of(games), tmp_path)
    assert [row[3] for row in opened(data)] == ["BLACKWINS", "UNKNOWN"]
    [reading] = readings(tmp_path / "written.xml", Options())
    assert reading.contents is not None
    assert (reading.contents.games.height, len(reading.contents.events[0].pairings)) == (1, 1)


def test_the_time_of_saving_is_kept_since_opengotha_ranks_files_by_it(tmp_path: Path) -> None:
    ledger = read(SAMPLES / "cup.xml")
    assert ledger.saved == "20250504120000"
    assert b'saveDT="20250504120000"' in written_for_opengotha(ledger, tmp_path)
    table = read(SAMPLES / "cup.h9")
    assert b'saveDT="20250504000000"' in written_for_opengotha(table, tmp_path)  # the last day
    again = read(tmp_path / "written.xml")
    assert written_for_opengotha(again, tmp_path) == written_for_opengotha(read(tmp_path / "written.xml"), tmp_path)
    assert read([SAMPLES / "cup.xml", SAMPLES / "wall.txt"]).saved == ""


@local
def test_files_of_opengotha_are_opened_before_and_after_they_were_read_and_written(tmp_path: Path) -> None:
    paths = [*sorted(WRITTEN.glob("*.xml")), *sorted((DATA / "opengotha").rglob("*.xml"))]
    assert len(paths) == 42
    for path in paths:
        if "İ".encode() in path.read_bytes():
            continue  # references in Turkish capitals: only a computer in Turkey opens it
        games = opened(path.read_bytes())
        ledger = read(path)
        again = opened(written_for_opengotha(ledger, tmp_path))
        assert len(again) == len(games), path.name
        assert Counter(row[3] for row in again) == Counter(row[3] for row in games), path.name


@local
@pytest.mark.parametrize("name", [*(f"opengotha_written/{name}" for name in EVENTS), "opengotha/juvisy-2019"])
def test_the_h9_that_is_made_of_a_file_is_opengothas_own_in_head_order_and_criteria(name: str, tmp_path: Path) -> None:
    """Its own may leave out code, rule of handicaps and colours; letters outside ASCII differ."""
    ours = tmp_path / "ours.h9"
    write(read(DATA / f"{name}.xml"), ours)
    one, other = (H9.fields(path.read_bytes(), path.name, Options()) for path in (DATA / f"{name}.h9", ours))  # type: ignore[misc]
    theirs = {key: text for key, text in one.items() if text and text.isascii()}
    bare = not any("/" in text for key, text in theirs.items() if " round " in key)
    shown = {key: other[key].partition("/")[0] if bare and " round " in key else other[key] for key in theirs}
    assert shown == theirs


STANDING = """<Tournament dataVersion="201" saveDT="20250504120000"><Players>
<Player name="de Vos" firstName="Ada" rank="3D" rating="2287" smmsCorrection="1"/>
<Player name="De" firstName="Zoe" rank="1D" rating="2100" participating="10111111111111111111"/>
<Player name="De Groot" firstName="Al" rank="1D" rating="2110"/>
<Player name="Lind" firstName="Bo" rank="2K" rating="1900"/>
<Player name="Moor" firstName="Dee" rank="3K" rating="-1200"/>
<Player name="Ruiz" firstName="Cy" rank="6K" rating="1500" participating="11011111111111111111"/>
<Player name="Tan" firstName="Eve" rank="8K" rating="1300"/>
<Player name="Vu" firstName="Gus" rank="2K" rating="1910" participating="00000000000000000000"/>
</Players><Games>
{games}</Games><ByePlayers><ByePlayer roundNumber="1" player="TANEVE"/>
<ByePlayer roundNumber="4" player="LINDBO"/></ByePlayers>
<TournamentParameterSet>
<GeneralParameterSet name="Spring Cup" shortName="spring" beginDate="2025-05-03" endDate="2025-05-04" komi="6.5"
 size="19" numberOfRounds="4" genMMFloor="5K" genMMBar="2D" genMMS2ValueAbsent="1" genMMS2ValueBye="2"
 genNBW2ValueBye="2" numberOfCategories="2" {more}><Categories><Category number="1" lowerLimit="1D"/></Categories>
</GeneralParameterSet><HandicapParameterSet hdCorrection="2"/>
<PlacementParameterSet><PlacementCriteria>{criteria}</PlacementCriteria></PlacementParameterSet>
<PairingParameterSet/><DPParameterSet/><PublishParameterSet/></TournamentParameterSet></Tournament>
"""
GAMES = (
    (1, "DEVOSADA", "DEZOE", 1, "BLACKWINS"),
    (1, "DEGROOTAL", "LINDBO", 1, "WHITEWINS"),
    (1, "MOORDEE", "RUIZCY", 2, "WHITEWINS"),
    (2, "DEVOSADA", "DEGROOTAL", 1, "WHITEWINS"),
    (2, "LINDBO", "MOORDEE", 0, "BLACKWINS"),
    (2, "RUIZCY", "TANEVE", 1, "EQUAL"),
    (3, "DEZOE", "DEGROOTAL", 0, "BLACKWINS"),
    (3, "MOORDEE", "DEVOSADA", 0, "BLACKWINS_BYDEF"),
    (3, "LINDBO", "TANEVE", 4, "WHITEWINS"),
    (4, "DEVOSADA", "RUIZCY", 6, "BLACKWINS"),
    (4, "DEGROOTAL", "MOORDEE", 2, "BOTHLOSE"),
    (4, "DEZOE", "TANEVE", 5, "UNKNOWN"),
)
"""Round, White, Black, handicap, result."""
FIGURES = {
    "MMS": "Ada 34 Al 32 Zoe 31 Bo 30 Dee 29 Cy 26.5 Eve 26.5",
    "NBW": "Al 2 Bo 2 Dee 2 Ada 2 Cy 1.5 Eve 1.5 Zoe 1",
    "CPS": "Dee 12 Al 10 Zoe 8 Ada 6 Bo 3 Cy 3 Eve 3",
    "STS": "Ada 38 Al 32 Zoe 31 Bo 30 Dee 29 Cy 26.5 Eve 26.5",
    "SOSM": "Zoe 126.5 Ada 126.5 Al 126 Dee 122.5 Bo 118.5 Cy 107.5 Eve 102.5",
    "SOSW": "Dee 7.5 Al 7 Ada 6.5 Zoe 5.5 Bo 5.5 Cy 5.5 Eve 4.5",
    "SOSM-1": "Ada 97.5 Zoe 96.5 Al 95 Dee 94 Bo 90.5 Cy 82.5 Eve 77.5",
    "SOSW-1": "Al 6 Dee 6 Zoe 5.5 Bo 5.5 Cy 5.5 Ada 5.5 Eve 4.5",
    "SOSM-2": "Ada 65.5 Zoe 65 Al 64 Dee 64 Bo 61.5 Cy 55.5 Eve 52",
    "SOSW-2": "Zoe 4 Al 4 Bo 4 Dee 4 Cy 4 Ada 4 Eve 3.5",
    "SOSTS": "Zoe 130.5 Al 130 Dee 126.5 Ada 126.5 Bo 118.5 Cy 111.5 Eve 102.5",
    "SOSOSM": "Al 494 Ada 482.5 Dee 478.5 Zoe 475 Bo 463 Eve 452.5 Cy 451.5",
    "SOSOSW": "Ada 25.5 Al 25 Dee 24.5 Bo 19 Cy 18.5 Zoe 18 Eve 16.5",
    "SODOSM": "Al 62 Ada 62 Dee 58.5 Cy 41.75 Zoe 33 Bo 30.5 Eve 12.75",
    "SODOSW": "Ada 4 Dee 3.5 Al 3 Cy 2.75 Zoe 2 Bo 1.5 Eve 0.75",
    "CUSSM": "Ada 133 Al 126 Zoe 124 Bo 115 Dee 115 Eve 105.5 Cy 102.5",
    "CUSSW": "Dee 7 Al 6 Eve 5.5 Ada 5 Zoe 4 Bo 3 Cy 2.5",
    "EXT": "Dee 14 Eve 12 Cy 10 Zoe 6 Al 5 Bo 4 Ada 0",
    "EXR": "Cy 6 Zoe 4 Dee 4 Al 1 Bo 0 Eve 0 Ada 0",
    "Rating": "Ada 2287 Al 2110 Zoe 2100 Bo 1900 Cy 1500 Eve 1300 Dee -900",
    "Rank": "Ada 2 Zoe 0 Al 0 Bo -2 Dee -3 Cy -6 Eve -8",
    "NBW DC SOSW": "Dee 2/3/7.5 Ada 2/2/6.5 Al 2/1/7 Bo 2/0/5.5 Cy 1.5/1/5.5 Eve 1.5/0/4.5 Zoe 1/0/5.5",
    "CAT DC SOSM": "Zoe 1/2/126.5 Ada 1/2/126.5 Al 1/0/126 Dee 2/4/122.5 Bo 2/3/118.5 Cy 2/1/107.5 Eve 2/0/102.5",
    "CAT SDC DC SOSM": "Zoe 1/1/2/126.5 Ada 1/1/2/126.5 Al 1/1/0/126 Dee 2/0/4/122.5 Bo 2/0/3/118.5 Cy 2/0/1/107.5 "
    "Eve 2/0/0/102.5",
    "CAT DC SDC": "Zoe 1/0/1 Al 1/0/1 Ada 1/0/1 Dee 2/2/0 Bo 2/1/0 Cy 2/0/0 Eve 2/0/0",
    "CAT SDC": "Zoe 1/1 Al 1/1 Ada 1/1 Bo 2/0 Dee 2/0 Cy 2/0 Eve 2/0",
    "Rank SDC": "Ada 2/0 Al 0/1 Zoe 0/0 Bo -2/0 Dee -3/0 Cy -6/0 Eve -8/0",
}
"""Criteria, and the order and figures by which OpenGotha 3.51 places the players of `STANDING`: the scores of its
`Tournament.java`, printed as its `formatScore` does."""
WITH_HALVES = {
    "MMS": "Ada 34 Al 32 Zoe 31.5 Bo 30 Dee 29 Cy 27 Eve 26.5",
    "SOSM": "Ada 128.5 Al 126.5 Zoe 126 Dee 122 Bo 119 Cy 107.5 Eve 103.5",
    "SOSW-1": "Ada 6.5 Al 6 Bo 6 Dee 5.5 Cy 5.5 Eve 5.5 Zoe 5",
    "SOSOSW": "Dee 27.5 Al 26.5 Ada 25 Zoe 21.5 Cy 21 Bo 20 Eve 16.5",
    "SODOSM": "Al 62.5 Ada 62.5 Dee 58.5 Cy 41.25 Zoe 32.5 Bo 30.5 Eve 13",
    "CUSSM": "Ada 133 Al 126 Zoe 125.5 Bo 115 Dee 115 Eve 105.5 Cy 103.5",
}
"""The same where points of absences are not rounded down, and games that were not played count half a point."""


def standing_file(criteria: str, more: str, folder: Path) -> Path:
    tables = Counter[int]()
    games = ""
    for number, white, black, stones, result in GAMES:
        tables[number] += 1
        games += (
            f'<Game roundNumber="{number}" tableNumber="{tables[number]}" whitePlayer="{white}" '
            f'blackPlayer="{black}" handicap="{stones}" result="RESULT_{result}"/>'
        )
    items = "".join(f'<PlacementCriterion number="{at}" name="{name}"/>' for at, name in enumerate(criteria.split(), 1))
    path = folder / "cup.xml"
    path.write_text(STANDING.format(games=games, more=more, criteria=items), "utf-8")
    return path


@pytest.mark.parametrize(
    ("criteria", "more", "figures"),
    [
        *((criteria, "", figures) for criteria, figures in FIGURES.items()),
        *(
            (criteria, 'genRoundDownNBWMMS="false" genCountNotPlayedGamesAsHalfPoint="true"', figures)
            for criteria, figures in WITH_HALVES.items()
        ),
    ],
)
def test_players_stand_as_opengotha_places_them(criteria: str, more: str, figures: str, tmp_path: Path) -> None:
    [event] = read(standing_file(criteria, more, tmp_path)).events
    placed = [each for each in event.participants if each.place]
    shown = [f"{each.player.name.split()[-1]} {'/'.join(each.figures)}" for each in placed]
    assert " ".join(shown) == figures  # Vu, who has no game, is in none of its lists
    equal = Counter(each.figures for each in placed)
    assert [each.place for each in placed] == [
        1 + next(at for at, other in enumerate(placed) if other.figures == each.figures) for each in placed
    ], equal


def test_after_two_rounds_opengotha_keeps_no_mcmahon_score_without_the_least(tmp_path: Path) -> None:
    path = standing_file("NBW SOSM-1 SOSW-1 SOSM-2", "", tmp_path)
    text = re.sub(r'<(Game|ByePlayer) roundNumber="[34]"[^>]*/>', "", path.read_text("utf-8"))
    path.write_text(text.replace('numberOfRounds="4"', 'numberOfRounds="2"'), "utf-8")
    placed = [each for each in read(path).events[0].participants if each.place]
    shown = " ".join(f"{each.player.name.split()[-1]} {'/'.join(each.figures)}" for each in placed)
    assert shown == "Dee 2/0/0.5/0 Eve 1.5/0/0.5/0 Zoe 1/0/1/0 Al 1/0/1/0 Ada 1/0/1/0 Cy 0.5/0/2/0 Bo 0/0/2/0"


def test_of_two_byes_in_a_round_the_last_one_brings_its_points(tmp_path: Path) -> None:
    path = standing_file("MMS", "", tmp_path)
    more = '<ByePlayer roundNumber="1" player="VUGUS"/></ByePlayers>'
    path.write_text(path.read_text("utf-8").replace("</ByePlayers>", more), "utf-8")
    figures = {each.player.name.split()[-1]: each.figures for each in read(path).events[0].participants}
    assert (figures["Eve"], figures["Gus"]) == (("25.5",), ("30",))


def test_points_that_a_file_leaves_out_are_none_as_opengotha_reads_it(tmp_path: Path) -> None:
    """Its dialog offers a point for a bye and half a one for an absence, and its reader none (`ExternalDocument`)."""
    path = standing_file("MMS", "", tmp_path)
    text = path.read_text("utf-8")
    for name in ('genMMS2ValueAbsent="1"', 'genMMS2ValueBye="2"', 'genNBW2ValueBye="2"'):
        text = text.replace(name, "")
    path.write_text(text, "utf-8")
    figures = {each.player.name.split()[-1]: each.figures for each in read(path).events[0].participants}
    assert (figures["Bo"], figures["Eve"]) == (("29",), ("25.5",))


@pytest.mark.parametrize(("reduction", "rule"), [("2", "; HA[h2]\n"), ("0", ""), ("-1", "")])
def test_the_rule_of_handicaps_is_that_of_opengothas_own_h9(reduction: str, rule: str, tmp_path: Path) -> None:
    """It has none without a reduction, whatever the criteria (`generateH9File`)."""
    for criteria in ("MMS", "NBW"):
        path = standing_file(criteria, "", tmp_path)
        path.write_text(path.read_text("utf-8").replace('hdCorrection="2"', f'hdCorrection="{reduction}"'), "utf-8")
        write(read(path), tmp_path / "cup.h9")
        head = (tmp_path / "cup.h9").read_text("utf-8")
        assert ("HA[" in head, rule in head) == (bool(rule), True)


ITS_H9 = """\
; CL[A]
; EV[Spring Cup]
; PC[,Paris]
; DT[2025-05-03,2025-05-04]
; HA[h2]
; KM[6.5]
; TM[80]
; CM[Canadian byo-yomi]
; Generated by OpenGotha 3.51.02
;
; Pl Name                            Rk Co Club  MMS  SOSSOSOS
   1 de_Vos Ada                      3D XX xxxx   34 126? 482? 0    3-/w1    2+/w1    5+!b0    6-/w6
   2 De_Groot Al                     1D XX xxxx   32  126  494 0    4+/w1    1-/b1    3+/b0    5-/w2
   3 De Zoe                          1D XX xxxx   31 126?  475 0    1+/b1    0=       2-/w0    7?/w5
   4 Lind Bo                         2K XX xxxx   30 118?  463 0    2-/b1    5-/w0    7+/w4    0+
   5 Moor Dee                        3K XX xxxx   29 122? 478? 0    6+/w2    4+/b0    1-!w0    2-/b2
   6 Ruiz Cy                         6K XX xxxx  26? 107? 451? 0    5-/b2    7=/w1    0=       1+/b6
   7 Tan Eve                         8K XX xxxx  26? 102? 452? 0    0+       6=/b1    4-/b4    3?/b5
"""
"""What OpenGotha 3.51 prints of `STANDING` by MMS, SOSM and SOSOSM (`generateH9File`); `?` is its ½."""


ITS_H9_OF_SIX_ROUNDS = """\
; CL[A]
; EV[Spring Cup]
; PC[,Paris, 13e]
; DT[2025-05-03,2025-05-04]
; HA[h2]
; KM[6.5]
; TM[80]
; CM[Canadian byo-yomi]
; Generated by OpenGotha 3.51.02
;
; Pl Name                            Rk Co Club  MMS  SOSSOSOS
   1 de_Vos Ada                      3D XX xxxx   34 190? 1086 0    3-/w1    2+/w1    5+!b0    7-/w6    0-       0-
   2 De_Groot Al                     1D XX xxxx   32  185 1085 0    6+/w1    1-/b1    3+/b0    5-/w2    0-       0-
   3 De Zoe                          1D XX xxxx   31 185? 1067 0    1+/b1    0=       2-/w0    8?/w5    0-       0-
   4 Vu Gus                          2K XX   75   31  168 1008 0    0=       0=       0=       0=       0=       0=
   5 Moor Dee                        3K XX xxxx   29 175? 1029 0    7+/w2    6+/b0    1-!w0    2-/b2    0-       0-
   6 Lind Bo                         2K XX xxxx   29 173? 1016 0    2-/b1    5-/w0    8+/w4    0=       0-       0-
   7 Ruiz Cy                         6K XX xxxx  26? 156? 967? 0    5-/b2    8=/w1    0=       1+/b6    0-       0-
   8 Tan Eve                         8K XX xxxx  25? 151? 965? 0    0=       7=/b1    6-/b4    3?/b5    0-       0-
"""
"""What OpenGotha 3.51 prints of `STANDING` by MMS, SOSM and SOSOSM after four of six rounds, with half a point for a
bye, and one for Vu, who is registered only; figures have four characters."""


def test_the_h9_of_a_tournament_is_opengothas_own_cell_by_cell(tmp_path: Path) -> None:
    path = standing_file("MMS SOSM SOSOSM", 'basicTime="60" location="Paris, 13e"', tmp_path)
    text = path.read_text("utf-8").replace('numberOfRounds="4"', 'numberOfRounds="6"')
    text = text.replace('genMMS2ValueBye="2"', 'genMMS2ValueBye="1"')
    text = text.replace('0000"/>', '0000" club=" 75" registeringStatus="PRE"/>')
    text = text.replace("</ByePlayers>", '<ByePlayer roundNumber="5" player="VUGUS"/></ByePlayers>')
    path.write_text(text, "utf-8")
    done = run("convert", path, tmp_path / "ours.h9")
    theirs = [line for line in ITS_H9_OF_SIX_ROUNDS.splitlines() if "Generated by" not in line]
    ours = [line for line in (tmp_path / "ours.h9").read_text("utf-8").splitlines() if "TC[" not in line]
    assert [line for line in ours if line[0] == ";"] == [line for line in theirs if line[0] == ";"], done.err
    for own, other in zip(ours, theirs, strict=True):
        if own[0] != ";":
            rank, country, club, *figures_and_cells = own[36:].split()
            figures = [figure.replace(".5", "?")[:4] for figure in figures_and_cells[:4]]
            assert (own[:36], rank.upper(), country, club) == (other[:36], *other[36:].split()[:3])
            assert [*figures, *figures_and_cells[4:]] == other.split()[-10:]
    [event] = read(tmp_path / "ours.h9").events
    assert (event.country, event.city, event.rounds) == ("", "Paris, 13e", 6)


def test_a_bye_whose_worth_no_parameter_tells_is_a_free_win(tmp_path: Path) -> None:
    # as in tables of results, where `0+` is a bye (the EGF's page of the format)
    path = standing_file("NBW", "", tmp_path)
    path.write_text(path.read_text("utf-8").replace('genNBW2ValueBye="2"', ""), "utf-8")
    run("convert", path, tmp_path / "ours.h9")
    assert len(re.findall(r" 0\+", (tmp_path / "ours.h9").read_text("utf-8"))) == path.read_text("utf-8").count(
        "<ByePlayer "
    )


def test_games_at_one_table_and_beyond_the_last_one_have_tables_of_their_own(tmp_path: Path) -> None:
    """The program keeps one game for each number, of which a round has a thousand."""
    path = standing_file("MMS", "", tmp_path)
    text = path.read_text("utf-8").replace('roundNumber="1" tableNumber="3"', 'roundNumber="1" tableNumber="1"')
    path.write_text(text.replace('roundNumber="2" tableNumber="3"', 'roundNumber="2" tableNumber="1001"'), "utf-8")
    written = written_for_opengotha(read(path), tmp_path).decode()
    tables = re.findall(r'roundNumber="(\d)" tableNumber="(\d+)" blackPlayer="(\w+)"', written)
    assert {black: table for number, table, black in tables if number == "1"} == {
        "DEZOE": "1", "LINDBO": "2", "RUIZCY": "3"
    }  # fmt: skip
    assert sorted(table for number, table, _ in tables if number == "2") == ["1", "2", "3"]


def test_a_ledger_without_places_stands_in_opengotha_as_in_its_own_tables(tmp_path: Path) -> None:
    """By wins, as no file has said who starts with what, also where games have handicaps."""
    games = "Black,White,Result,Date,Round,Handicap,Black rank,White rank\n"
    games += "Ada,Bo,B+R,2026-05-02,1,2,3k,1d\nAda,Cy,B+R,2026-05-02,2,0,3k,3k\nDee,Bo,W+R,2026-05-02,2,4,5k,1d\n"
    (tmp_path / "games.csv").write_text(games, "utf-8")
    run("convert", tmp_path / "games.csv", tmp_path / "cup.xml")
    run("convert", tmp_path / "games.csv", tmp_path / "cup.h9")
    table = [each.player.name for each in read(tmp_path / "cup.h9").events[0].participants]
    file = read(tmp_path / "cup.xml").events[0]
    assert ([each.player.name for each in file.participants], file.criteria) == (table, ("NBW", "SOS", "SOSOS"))


def test_a_time_without_a_class_is_kept_as_a_clock(tmp_path: Path) -> None:
    head = ";name=Cup\n;date=02/05/2026\n;ta=75\n;komi=7.5\n;Num Nom Prenom\n"
    rows = f"   1 {'Moor Ada':25} 3K 1800001 75Pa    2+w0\n   2 {'Lind Bo':25} 3K 1800002 75Pa    1-b0\n"
    (tmp_path / "cup.tou").write_text(head + rows, "utf-8")
    done = run("convert", tmp_path / "cup.tou", tmp_path / "cup.xml")
    assert "thinking time" not in done.err
    assert read(tmp_path / "cup.xml").events[0].minutes == 75


def test_a_table_stands_in_opengotha_as_it_is_printed(tmp_path: Path) -> None:
    """The McMahon scores at the start, which no H9 tells, are those that bring the points of the table."""
    (tmp_path / "cup.h9").write_text(ITS_H9, "utf-8")
    done = run("convert", tmp_path / "cup.h9", tmp_path / "cup.xml")
    assert [line for line in done.err.splitlines() if "places" in line or "tie-breaks" in line] == []
    text = (tmp_path / "cup.xml").read_text("utf-8")
    assert re.findall(r'number="\d" name="(\w+-?\d?)"', text) == ["MMS", "SOSM", "SOSOSM", "NULL", "NULL", "NULL"]
    table, file = (read(tmp_path / f"cup.{ending}").events[0].participants for ending in ("h9", "xml"))
    assert [(each.player.name, each.place) for each in file] == [(each.player.name, each.place) for each in table]
    for each, other in zip(file, table, strict=True):
        assert each.figures == tuple(figure.replace("?", ".5") for figure in other.figures[:3])
    # a table without figures has the usual criteria that place its players so, if there are any
    (tmp_path / "cup.h9").write_text(re.sub(r"(xxxx) +\S+ +\S+ +\S+ +0 ", r"\1", ITS_H9), "utf-8")
    done = run("convert", tmp_path / "cup.h9", tmp_path / "bare.xml")
    assert "places" not in done.err
    bare = read(tmp_path / "bare.xml").events[0].participants
    assert [each.player.name for each in bare] == [each.player.name for each in table]


def test_half_points_of_absences_come_from_opengotha_and_back(tmp_path: Path) -> None:
    """Its H9 of six rounds has halves for byes and absences, and nothing for rounds that are not paired yet."""
    whole = re.sub("(1086|1029)", r"\1?", ITS_H9_OF_SIX_ROUNDS).replace("  75 ", "xxxx ")  # not cut
    (tmp_path / "cup.h9").write_text(whole, "utf-8")
    done = run("convert", tmp_path / "cup.h9", tmp_path / "cup.xml")
    assert [line for line in done.err.splitlines() if "places" in line or "tie-breaks" in line] == []
    table, file = (read(tmp_path / f"cup.{ending}").events[0].participants for ending in ("h9", "xml"))
    assert [(each.player.name, each.place) for each in file] == [(each.player.name, each.place) for each in table]
    for each, other in zip(file, table, strict=True):
        assert each.figures == tuple(figure.replace("?", ".5") for figure in other.figures[:3])


def test_what_opengotha_does_not_open_or_reads_otherwise_is_cut_and_said(tmp_path: Path) -> None:
    players = (
        Player("Ada Moor", country="Sweden", club="Umea-Go", rating=-192.0, rating_origin="FFG"),
        Player("Bo Lind", country="SE", club="Ume", rating=-3.5, rating_origin="AGA"),
    )
    event = Event("Cup", participants=tuple(Participant(player, "2k") for player in players))
    game = Game("Ada Moor", "Bo Lind", "P1+", "2025-05-03", event="Cup", round=1)
    path = tmp_path / "cup.xml"
    omissions = write(Ledger.from_table(Ledger.of([game]).games, listed=players, events=(event,)), path)
    assert "clubs cut after 4 letters (1 player)" in omissions
    assert "countries of other than 2 letters (1 player)" in omissions
    text = path.read_text("utf-8")
    assert opened(text.encode()) == [(1, "ADAMOOR", "BOLIND", "BLACKWINS")]
    # its reader looks for unknown colours under this name, and keeps ratings as `RatedPlayer` makes them European
    assert 'strKnownColor="false"' in text
    ratings = re.findall(r'rating="(\d+)" ratingOrigin="(\w+) :', text)
    assert ratings == [("1858", "FFG"), ("1800", "AGA")]


def test_an_absence_that_brings_a_point_is_no_bye(tmp_path: Path) -> None:
    """The program takes one bye a round, and another in its place: Zoe was absent in round 2, Bo had the bye of 4."""
    path = standing_file("MMS", "", tmp_path)
    path.write_text(path.read_text("utf-8").replace('ValueAbsent="1"', 'ValueAbsent="2"'), "utf-8")
    first = read(path)
    text = written_for_opengotha(first, tmp_path).decode()
    assert re.findall(r'<ByePlayer player="(\w+)" roundNumber="(\d)"', text) == [("TANEVE", "1"), ("LINDBO", "4")]
    again = read(tmp_path / "written.xml")
    one, other = (
        [(each.player.name, each.place, each.byes, each.figures) for each in ledger.events[0].participants]
        for ledger in (first, again)
    )
    assert one == other
