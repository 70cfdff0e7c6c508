"""Events of a ledger: who took part, and what each did in a round without a game."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from handan.errors import InputError
from handan.files import read, write
from handan.files.formats.h9 import H9
from handan.files.formats.opengotha import OPENGOTHA
from handan.files.games.format import Format
from handan.files.io.options import Options
from handan.files.writing import encoded
from handan.ledger import Bye, Event, Game, Ledger, Pairing, Participant, Player, When
from handan.ledger.dataset import open_ledger, save_ledger
from handan.ledger.events import event_of, joined
from handan.ratings import events_in
from handan.systems import EGF, Elo
from tests.command_line import run

CUP = b"""; TC[T260503A]
; EV[Cup]
; DT[2026-05-03,2026-05-04]
; KM[6.5]
 1 Lindqvist Ada   3d SE Ume  3   2+/w0  0=      3+/w0  |10000001
 2 Tan Bo          2d SE Ume  1   1-/b0  3+/b0   0+     |10000002
   Moor Cy         1d SE Ume  0   0+     2-/w0   1-/b0  |10000003
 4 Ruiz Dee        1k SE Ume  0   0-     0-      0-
"""


def cup() -> Event:
    """Return the event of the table above."""
    [event] = H9.read(CUP, "cup.h9", Options()).events
    return event


def test_an_event_says_what_each_participant_had_in_a_round_without_a_game() -> None:
    event = cup()
    assert (event.name, str(event.first), event.rounds) == ("Cup", "2026-05-03", 3)
    byes = {each.player.name: dict(each.byes) for each in event.participants}
    assert byes == {
        "Lindqvist Ada": {2: Bye.HALF_POINT},
        "Tan Bo": {3: Bye.ALLOCATED},
        "Moor Cy": {1: Bye.ALLOCATED},
        "Ruiz Dee": {1: Bye.ZERO_POINT, 2: Bye.ZERO_POINT, 3: Bye.ZERO_POINT},
    }
    assert [each.place for each in event.participants] == [1, 2, 2, 4]  # Moor's place is left blank: it is shared


def test_a_ledger_keeps_events_in_memory_and_on_disk(tmp_path: Path) -> None:
    (tmp_path / "cup.h9").write_bytes(CUP)
    ledger = read(tmp_path / "cup.h9")
    assert ledger.events == (cup(),)
    assert [player.name for player in ledger.players] == ["Lindqvist Ada", "Moor Cy", "Tan Bo"]  # who has a game
    save_ledger(ledger, tmp_path / "cup.ledger")
    assert open_ledger(tmp_path / "cup.ledger").events == ledger.events
    assert read(tmp_path / "cup.ledger") == ledger
    assert ledger.as_of("2026-05-02").events == ()
    assert (ledger + Ledger.of([])).events == ledger.events


def test_participants_bear_the_names_that_the_ledger_gives_to_their_games(tmp_path: Path) -> None:
    (tmp_path / "cup.h9").write_bytes(CUP)
    (tmp_path / "other.csv").write_text(
        "date,black,white,result,black_id\n2026-01-01,Ada Lindqvist,Tan Bo,B+,egd:10000001\n"
        "2026-01-02,Moor Cy,Tan Bo,B+,egd:19999999\n"
    )
    ledger = read([tmp_path / "cup.h9", tmp_path / "other.csv"])
    names = [each.player.name for each in ledger.events[0].participants]
    assert names == ["Ada Lindqvist", "Tan Bo", "Moor Cy (egd:10000003)", "Ruiz Dee"]


def test_namesakes_with_two_numbers_take_part_as_two(tmp_path: Path) -> None:
    """Both of them stand in the table that is written again, each with their own results."""
    path, again = tmp_path / "cup.h9", tmp_path / "again.h9"
    path.write_bytes(CUP.replace(b"Moor Cy     ", b"Lindqvist Ada"))
    ledger = read(path)
    [event] = ledger.events
    labels = {player.id: player.name for player in ledger.players}
    assert len(labels) == len(set(labels.values())) == 3
    assert all(each.player.name == labels.get(each.player.id, "Ruiz Dee") for each in event.participants)
    write(ledger, again)
    rows = {
        line.rpartition("|")[2]: re.findall(r"\d[+-]/[bw]0", line) for line in again.read_text("utf-8").splitlines()
    }
    assert (rows["10000001"], rows["10000003"]) == (["2+/w0", "3+/w0"], ["2-/w0", "1-/b0"])


def test_an_event_is_plain_data_and_comes_back() -> None:
    assert event_of(cup().as_dict()) == cup()


def test_parts_of_one_event_are_one_event() -> None:
    whole = cup()
    parts = [
        replace(
            whole,
            participants=tuple(
                replace(each, byes=tuple(rest for rest in each.byes if rest[0] == number))
                for each in whole.participants
            ),
        )
        for number in (1, 2, 3)
    ]
    assert joined(parts) == (whole,)


def again(data: bytes, form: Format, to: Format | None = None) -> tuple[Event, list[str], bytes]:
    """Return the event of a file that is read, written and read again, what the writer says, and what it wrote."""
    contents = form.read(data, "cup", Options())
    ledger = Ledger.from_table(
        contents.games, listed=[each.player for each in contents.entrants], events=contents.events
    )
    to = to or form
    assert to.write is not None
    written, omissions = to.write(ledger, to.endings[0], False)  # as all
    [event] = to.read(written, "again", Options()).events
    return event, omissions, written


FULL = b"""; TC[W260503B]
; CL[B]
; EV[Cup]
; PC[SE, Umea]
; DT[2026-05-03,2026-05-04]
; HA[h9]
; KM[6.5]
; TM[82.5]
; CM[Standard byo-yomi]
; CM[(submitted by nobody)]
;
; Pl Name                            Rk Co Club   MMS   SOS SOSOS
   1 Zander Zoe       1d SE Ume  31  60  120 0   2+/w0  0=      3-/w0  |10000001
   2 Tan Bo           2d SE Ume  31  59  121 0   1-/b0  3+/b0   0+     |10000002
     Moor Cy          1d SE Ume  31  59  121 0   0+     2-/w0   1+/b0  |10000003
   4 Ruiz Dee         1k SE Ume  28  0   0   0   0-     0-      0-
"""


@pytest.mark.parametrize(
    ("city", "date", "warned"), [("Bonn", "2026-05-02", True), ("Bonn", "2026-05-09", False), ("", "2026-05-02", False)]
)
def test_two_events_of_one_name_and_day_in_two_files_are_warned_of(
    tmp_path: Path, city: str, date: str, *, warned: bool
) -> None:
    table = """; EV[Spring Open]
; PC[{place}]
; DT[{date}]
 1 {name} Ada 3d SE Xyz 1 2+/w0
 2 {name} Bo  2d SE Xyz 0 1-/b0
"""
    for name, place, day in (("Lind", "SE, Umea", "2026-05-02"), ("Adler", f"DE, {city}" if city else "", date)):
        (tmp_path / f"{name}.h9").write_text(table.format(name=name, place=place, date=day), encoding="utf-8")
    warning = "'Spring Open' (2026-05-02) is Bonn, DE in one file and Umea, SE in another; its games are one event"
    written = tmp_path / "all.csv"
    for command in (("check", tmp_path), ("rate", "--system", "egf", tmp_path), ("convert", tmp_path, written)):
        assert (warning in run(*command).err) is warned
        written.unlink(missing_ok=True)
    files, kept = sorted(tmp_path.glob("*.h9")), tmp_path / "kept"
    assert run("ledger", "build", files[0], "-o", kept).status == run("ledger", "append", kept, files[1]).status == 0
    assert (warning in run("rate", "--system", "egf", kept).err) is warned


def test_an_h9_table_written_again_keeps_header_order_byes_and_tie_breaks() -> None:
    event, omissions, written = again(FULL, H9)
    [before] = H9.read(FULL, "cup.h9", Options()).events
    assert (event, omissions) == (before, [])
    for line in FULL.decode().splitlines()[:9]:
        assert line in written.decode().splitlines()
    assert event.criteria == ("MMS", "SOS", "SOSOS", "")
    assert event.participants[0].figures == ("31", "60", "120", "0")


SET_UP = """<?xml version="1.0" encoding="UTF-8"?>
<Tournament dataVersion="201" saveDT="20250504120000">
<Players>
<Player name="De Vos" firstName="Ada" country="SE" club="Ume" egfPin="10000001" ffgLicence="1800002"
  rank="3D" grade="3D"
  rating="2287" ratingOrigin="EGF : 2287" smmsCorrection="1" registeringStatus="FIN"/>
<Player name="Moor" firstName="Dee" country="GB" club="Ldn" agaId="12" agaExpirationDate="2026-01-01" rank="1K"
  grade="1K" rating="2000" ratingOrigin="INI" smmsCorrection="0"
  registeringStatus="FIN" participating="01111111111111111111"/>
<Player name="Ruiz" firstName="Cy" country="ES" club="Mad" rank="2K" grade="2K" rating="1900" ratingOrigin="INI"
  smmsCorrection="0" registeringStatus="FIN"/>
</Players>
<Games><Game roundNumber="1" tableNumber="1" whitePlayer="DEVOSADA" blackPlayer="RUIZCY" handicap="3"
  knownColor="true" result="RESULT_WHITEWINS"/></Games>
<TournamentParameterSet>
<GeneralParameterSet name="Spring Cup" shortName="spring" beginDate="2025-05-03" endDate="2025-05-04" komi="6.5"
  size="19" numberOfRounds="1" basicTime="45" complementaryTimeSystem="CANBYOYOMI" canByoYomiTime="300"
  nbMovesCanTime="15" genMMBar="2D" genMMFloor="15K" genMMS2ValueAbsent="1" director="Ada" location="Umea"/>
<HandicapParameterSet hdBasedOnMMS="false" hdCorrection="2" hdCeiling="4" hdNoHdRankThreshold="3D"/>
<PlacementParameterSet><PlacementCriteria><PlacementCriterion number="1" name="MMS"/>
<PlacementCriterion number="2" name="SODOSM"/></PlacementCriteria></PlacementParameterSet>
<PairingParameterSet seedSystem="SPLITANDSLIP" paiBaAvoidDuplGame="500000000000000"/>
<DPParameterSet displayClCol="true"/>
</TournamentParameterSet>
</Tournament>
"""


def test_an_opengotha_file_written_again_keeps_clock_criteria_pairing_and_what_it_says_of_players() -> None:
    [before] = OPENGOTHA.read(SET_UP.encode(), "cup.xml", Options()).events
    event, omissions, written = again(SET_UP.encode(), OPENGOTHA)
    assert (event, omissions) == (before, [])
    assert (event.minutes, event.reduction, event.most_stones) == (65, 2, 4)
    for part in ('name="De Vos"', 'ffgLicence="1800002"', 'seedSystem="SPLITANDSLIP"', 'genMMBar="2D"'):
        assert part in written.decode()
    assert "2026-01-01" not in written.decode()  # whose membership is paid until when is not kept
    assert event_of(event.as_dict()) == event


def test_without_places_points_with_those_of_byes_then_those_of_opponents_make_the_order(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text(
        "date,event,round,black,white,result\n"
        "2026-05-03,Cup,1,Ada,Zoe,W+\n2026-05-03,Cup,1,Bo,Yan,B+\n"
        "2026-05-03,Cup,2,Zoe,Bo,B+\n2026-05-03,Cup,2,Ada,Yan,B+\n"
    )
    data, _ = encoded(read(tmp_path / "games.csv"), "cup.h9", excel_safe=False)
    [event] = H9.read(data, "cup.h9", Options()).events
    # Zoe 2; Ada and Bo 1 each, Ada's opponents have 2 and 0, Bo's 0 and 2; Ada's opponents' opponents 1+1 and 1+1
    assert (event.participants[0].player.name, event.participants[0].figures[:2]) == ("Zoe", ("2", "2"))
    assert event.criteria[:3] == ("NBW", "SOS", "SOSOS")


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".tsv", ".parquet", ".aga", ".sgf"])
def test_what_a_format_cannot_hold_of_an_event_is_said(tmp_path: Path, ending: str) -> None:
    (tmp_path / "cup.h9").write_bytes(FULL.replace(b"HA[h9]", b"HA[h2]"))
    _, omissions = encoded(read(tmp_path / "cup.h9"), f"cup{ending}", excel_safe=False)
    place = "" if ending == ".aga" else "place, "  # reports have one
    byes = ("byes (2 rounds)", "half byes (1 round)", "absences (3 rounds)", "players without a game (1 player)")
    assert [each in omissions for each in byes] == [ending not in {".csv", ".tsv"}] * len(byes)
    assert "places in the final order (4 players)" in omissions
    last = "" if ending == ".aga" else "last day, "
    assert f"of the tournament: code, {place}thinking time, comments, {last}rule of handicaps" in omissions


def test_a_report_holds_the_last_day_of_its_tournament_and_xml_alone_the_settings_of_a_program(tmp_path: Path) -> None:
    (tmp_path / "cup.h9").write_bytes(FULL)
    ledger = read(tmp_path / "cup.h9")
    data, _ = encoded(ledger, "cup.aga", excel_safe=False)
    assert f"finish={ledger.events[0].last}" in data.decode()
    (tmp_path / "cup.xml").write_text(SET_UP, encoding="utf-8")
    _, omissions = encoded(read(tmp_path / "cup.xml"), "cup.h9", excel_safe=False)
    assert "of the tournament: director, largest handicap, settings of the program" in omissions


@pytest.mark.parametrize(
    ("ending", "lost"),
    [
        *(
            (ending, {"komi of even games", "number of rounds"})
            for ending in (".csv", ".tsv", ".jsonl", ".sgf", ".aga")
        ),
        *((ending, set()) for ending in (".xml", ".tou", ".h9")),
    ],
)
def test_komi_size_and_rounds_of_a_tournament_are_written_or_said_to_be_lost(
    tmp_path: Path, ending: str, lost: set[str]
) -> None:
    """Its one game has a handicap and the size of the tournament, and four of the five rounds are still to come."""
    text = SET_UP.replace('numberOfRounds="1"', 'numberOfRounds="5"').replace('size="19"', 'size="13"')
    (tmp_path / "cup.xml").write_text(text, encoding="utf-8")
    done = run("convert", tmp_path / "cup.xml", tmp_path / f"again{ending}")
    [line] = [each for each in done.err.splitlines() if "of the tournament:" in each] or [""]
    parts = {"komi of even games", "size of the board", "number of rounds"}
    assert {part for part in parts if part in line} == lost
    assert done.status == (0 if ending == ".xml" else 1)
    if ending in {".tou", ".xml"}:
        [event] = read(tmp_path / f"again{ending}").events
        assert (event.komi, read(tmp_path / f"again{ending}")[0].size) == (6.5, 13)


def test_komi_that_every_even_game_tells_is_not_lost(tmp_path: Path) -> None:
    (tmp_path / "cup.h9").write_bytes(CUP)
    assert "komi of even games" not in run("convert", tmp_path / "cup.h9", tmp_path / "cup.csv").err


def tournament(seed: int) -> Ledger:
    """Return an invented tournament in which everybody has a game, a pairing or a rest in each round."""
    chance = Random(seed)  # invented tournaments
    names = [f"{surname} {given}" for surname, given in zip(chance.sample(SURNAMES, len(SURNAMES)), GIVEN, strict=True)]
    names = names[: chance.randint(3, len(names))]
    rounds = chance.randint(1, 4)
    byes: dict[str, dict[int, Bye]] = {name: {} for name in names}
    games, pairings = [], []
    idle = set(chance.sample(names, 1))  # who has no game at all
    for number in range(1, rounds + 1):
        there = [name for name in names if name not in idle and chance.random() < 0.8]
        chance.shuffle(there)
        for name in [*idle, *(name for name in names if name not in idle and name not in there)]:
            byes[name][number] = chance.choice([Bye.ZERO_POINT, Bye.HALF_POINT])
        if len(there) % 2:
            byes[there.pop()][number] = Bye.ALLOCATED
        for black, white in zip(there[::2], there[1::2], strict=True):
            handicap = chance.randint(0, 9)
            if number == rounds > 1 and chance.random() < 0.3:
                pairings.append(Pairing(number, black, white, handicap))
                continue
            result = chance.choice(["B+", "W+", "B+", "W+", "jigo", "B+F", "both-lose"])
            komi = 6.5 if handicap == 0 else 0.5
            games.append(
                Game(black, white, result, "2026-05-03", handicap, komi, event="Cup", round=number, kind="tournament",
                     black_rank="3k", white_rank="1k")
            )  # fmt: skip
    places = list(range(1, len(names) + 1)) if chance.random() < 0.5 else [None] * len(names)
    participants = tuple(
        Participant(Player(name, country="SE"), "2k", place, tuple(sorted(byes[name].items())))
        for name, place in zip(names, places, strict=True)
    )
    event = Event("Cup", When.of("2026-05-03"), rounds=rounds, participants=participants, pairings=tuple(pairings))
    return replace(Ledger.of([*games, Game("Zed", "Yun", "B+", "2026-05-03", event="Cup", round=1)]), events=(event,))


SURNAMES = ["Ahlin", "Berg", "Cole", "Dahl", "Eden", "Falk", "Gold", "Holm", "Ives"]
GIVEN = ["Ada", "Bo", "Cy", "Dee", "Eve", "Finn", "Gus", "Hal", "Ina"]
NAMED = {Bye.ALLOCATED: "byes", Bye.HALF_POINT: "half byes", Bye.ZERO_POINT: "absences"}


@pytest.mark.parametrize("ending", [".h9", ".tou", ".xml", ".csv", ".jsonl", ".aga"])
def test_every_game_bye_absence_and_player_of_a_tournament_is_written_or_its_loss_is_said(
    tmp_path: Path, ending: str
) -> None:
    for seed in range(25):
        ledger = tournament(seed)
        [event] = ledger.events
        path = tmp_path / f"cup{seed}{ending}"
        omissions = "\n".join(write(ledger, path))
        again = read(path)
        back = again.events[0] if again.events else Event("Cup")
        there: dict[str, dict[int, Bye]] = {player.name: {} for player in again.players}
        there |= {each.player.name.strip(): dict(each.byes) for each in back.participants}
        names = {each.player.name for each in event.participants}
        paired: set[tuple[int | None, str, str]] = {(each.round, each.black, each.white) for each in back.pairings}
        paired |= {(game.round, game.black, game.white) for game in again if str(game.result) == "?"}
        for each in event.participants:
            name, byes = each.player.name, dict(each.byes)
            if name not in there:
                assert re.search("players without a game|absences", omissions), (seed, name)
            for number, rest in byes.items():
                if there.get(name, {}).get(number) is not rest:
                    assert re.search(NAMED[rest], omissions), (seed, name, number)
        for pairing in event.pairings:
            if (pairing.round, pairing.black, pairing.white) not in paired:
                assert "games that were paired and not played" in omissions, seed
        played = [game for game in again if str(game.result) != "?"]
        if len(played) < len(ledger):
            assert re.search("by default|both lost|without a winner", omissions), seed
        if any(each.place for each in event.participants) and ending in (".h9", ".tou"):
            order = [each.player.name for each in back.participants if each.player.name in names]
            assert order == [each.player.name for each in event.participants], seed


def test_the_preview_of_an_event_shows_what_is_paired_and_not_played(tmp_path: Path) -> None:
    game = Game("Ada", "Bo", "B+", "2026-05-03", event="Cup", round=1, black_rank="2k", white_rank="2k")
    there = tuple(Participant(Player(name)) for name in ("Ada", "Bo", "Cy"))
    pairings = (Pairing(2, "Bo", "Ada", 2), Pairing(2, "Ada", "Cy"), Pairing(3, "Bo", "Cy", 1))
    event = Event("Cup", When.of("2026-05-03"), participants=there, pairings=pairings, komi=6.5)
    preview = EGF().rate(replace(Ledger.of([game]), events=(event,))).event("Cup")
    assert [(each.round, each.black, each.white, each.handicap, each.komi) for each in preview.pairings] == [
        (2, "Bo", "Ada", 2, 0.5), (2, "Ada", "Cy", 0, 6.5), (3, "Bo", "Cy", 1, 0.5),
    ]  # fmt: skip
    ratings = EGF().rate(Ledger.of([game]))
    chances = [each.chance for each in preview.pairings]
    assert chances == [ratings.win_probability("Bo", "Ada", 2, 0.5), None, None]  # Cy has no rating yet


def test_what_is_told_of_an_event_is_of_its_games_though_it_began_long_before() -> None:
    days = [f"2026-{month:02}-15" for month in range(1, 7)]
    games = [Game("Ada", "Bo", "B+", day, event="League", round=n) for n, day in enumerate(days, 1)]
    event = Event("League", When.of(days[-1]), pairings=(Pairing(7, "Bo", "Ada"),))
    ratings = EGF().rate(replace(Ledger.of(games), events=(event,)))
    assert events_in(ratings) == ["League"]
    assert [each.round for each in ratings.event("League").pairings] == [7]


@pytest.mark.parametrize("played", [True, False])
def test_a_round_that_is_paired_shows_what_each_result_would_do(played: bool) -> None:
    ranks = {"Ada": "2k", "Bo": "2k", "Cy": "5k", "Dee": "3k"}
    there = tuple(Participant(Player(name), rank) for name, rank in ranks.items())
    first = [
        Game("Ada", "Bo", "B+", "2026-05-03", 0, 6.5, event="Cup", round=1, black_rank="2k", white_rank="2k"),
        Game("Dee", "Cy", "W+", "2026-05-03", 0, 6.5, event="Cup", round=1, black_rank="3k", white_rank="5k"),
    ][: 2 if played else 0]
    earlier = Game("Ada", "Bo", "W+", "2025-05-03", event="Cup", black_rank="3k", white_rank="2k")
    pairings = (Pairing(2, "Cy", "Ada", 3), Pairing(2, "Bo", "Dee"), Pairing(3, "Ada", "Dee"))
    event = Event("Cup", When.of("2026-05-03"), participants=there, pairings=pairings, komi=6.5)
    ledger = replace(Ledger.of([earlier, *first]), events=(event,))
    rows = EGF().rate(ledger).event("Cup 2026").pairings
    for result, of_result in (("B+", "black_wins"), ("W+", "white_wins")):
        games = [
            Game("Cy", "Ada", result, "2026-05-03", 3, 0.5, event="Cup", round=2, black_rank="5k", white_rank="2k"),
            Game("Bo", "Dee", result, "2026-05-03", 0, 6.5, event="Cup", round=2, black_rank="2k", white_rank="3k"),
        ]
        entered = EGF().rate(Ledger.of([earlier, *first, *games])).event("Cup 2026-05-03")
        changes = {line.player: line.changes[-1] for line in entered.lines}
        outcomes = [getattr(each, of_result) for each in rows]
        assert outcomes == [(changes["Cy"], changes["Ada"]), (changes["Bo"], changes["Dee"]), None]


def test_an_event_that_is_held_every_year_is_one_event_a_year() -> None:
    days = ("2024-05-04", "2024-05-05", "2025-05-03", "2025-06-20")
    ratings = Elo().rate(Ledger.of([Game("Ada", "Bo", "B+", day, event="Cup") for day in days]))
    assert events_in(ratings) == ["Cup 2024-05-04", "Cup 2025-05-03", "Cup 2025-06-20"]
    assert [len(ratings.event(name).lines[0].results) for name in ("Cup 2024", "Cup 2025-05", "Cup")] == [2, 1, 1]
    assert ratings.event("Cup").first == "2025-06-20"
    with pytest.raises(InputError, match="the games are of 3 events"):
        ratings.event()


def test_byes_count_as_in_the_rules_of_chess() -> None:
    # source: FIDE Handbook C.04.2: the allocated bye and a full-point bye count a win, the others half a point or none
    points = {Bye.ALLOCATED: 1.0, Bye.FULL_POINT: 1.0, Bye.HALF_POINT: 0.5, Bye.ZERO_POINT: 0.0}
    assert {each: each.points for each in Bye} == points
