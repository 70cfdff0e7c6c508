"""`handan diff`: tournament files compared field by field, and that none is lost when they are written again."""

from __future__ import annotations

from pathlib import Path

import pytest

from handan.errors import InputError
from handan.files.differences import changed_by_writing, differences
from tests.command_line import run

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
H9 = """; TC[W260503B]
; CL[B]
; EV[Cup]
; PC[SE, Umea]
; DT[2026-05-03,2026-05-04]
; HA[h2]
; KM[6.5]
; TM[82.5]
; CM[Standard byo-yomi]
; CM[(submitted by nobody)]
;
; Pl Name                            Rk Co Club   MMS   SOS SOSOS
   1 De_Vos Zoe       4d SE Ume  31  60  120   2+/w0  0=      3-/w1  |10000001
   2 Tan Bo           2d SE Ume  31  59  121   1-/b0  3+!/b0  0+     |10000002
     Moor Cy          1d SE Ume  31  59  121   0+     2-!/w0  1+/b1  |10000003
   4 Ruiz Dee         1k SE Ume  28  0   0     0-     0-      0-
"""
XML = """<?xml version="1.0" encoding="UTF-8"?>
<Tournament saveDT="20250504120000" externalIPAddress="192.0.2.1">
<Players>
<Player name="De Vos" firstName="Ada" country="SE" club="Ume" egfPin="10000001" ffgLicence="1800002" agaId=""
  rank="3D" grade="3D" rating="2287" ratingOrigin="EGF : 2287" smmsCorrection="1" registeringStatus="FIN"
  participating="11111111111111111111"/>
<Player name="Moor" firstName="Dee" country="GB" club="Ldn" rank="1K" grade="1K" rating="2000" ratingOrigin="INI"
  smmsCorrection="0" registeringStatus="FIN" participating="01011111111111111111"/>
<Player name="Ruiz" firstName="Cy" country="ES" club="Mad" rank="2K" grade="2K" rating="1900" ratingOrigin="INI"
  smmsCorrection="0" registeringStatus="FIN" participating="11111111111111111111"/>
</Players>
<Games><Game roundNumber="1" tableNumber="7" whitePlayer="DEVOSADA" blackPlayer="RUIZCY" handicap="3"
  knownColor="true" result="RESULT_WHITEWINS"/></Games>
<ByePlayers><ByePlayer player="RUIZCY" roundNumber="2"/></ByePlayers>
<Teams><Team teamName="Bears" teamNumber="2"><Board boardNumber="1" player="RUIZCY" roundNumber="1"/>
<Board boardNumber="2" player="MOORDEE" roundNumber="1"/></Team>
<Team teamName="Ants" teamNumber="1"><Board boardNumber="1" player="DEVOSADA" roundNumber="1"/></Team></Teams>
<TournamentParameterSet>
<GeneralParameterSet name="Spring Cup" shortName="spring" beginDate="2025-05-03" endDate="2025-05-04" komi="6.5"
  size="19" numberOfRounds="2" basicTime="45" genMMBar="2D" numberOfCategories="2" director="Ada" location="Umea">
<Categories><Category lowerLimit="10K" number="1"/></Categories></GeneralParameterSet>
<HandicapParameterSet hdBasedOnMMS="false" hdCorrection="2" hdCeiling="4" hdNoHdRankThreshold="3D"/>
<PlacementParameterSet><PlacementCriteria><PlacementCriterion number="1" name="MMS"/></PlacementCriteria>
</PlacementParameterSet><PairingParameterSet seedSystem="SPLITANDSLIP"/><DPParameterSet/><PublishParameterSet/>
</TournamentParameterSet>
<TeamTournamentParameterSet><TeamGeneralParameterSet teamSize="3"/><TeamPlacementParameterSet><PlacementCriteria>
<PlacementCriterion number="1" name="TEAMP"/></PlacementCriteria></TeamPlacementParameterSet>
</TeamTournamentParameterSet>
</Tournament>
"""


@pytest.mark.parametrize(("name", "text"), [("cup.h9", H9), ("cup.xml", XML)])
def test_a_tournament_file_written_again_has_every_field_as_it_was(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    done = run("diff", file, "--written")
    assert (done.status, done.out, done.err) == (0, "", "1 file, of which 0 differ\n")
    (tmp_path / "notes.txt").write_text("no games\n")
    done = run("diff", tmp_path, "--written")
    assert (done.status, "passed over: " in done.err, "1 file, of which 0 differ" in done.err) == (0, True, True)


def test_every_field_that_differs_is_named_and_sets_the_status(tmp_path: Path) -> None:
    one, other = tmp_path / "one.h9", tmp_path / "other.h9"
    one.write_text(H9)
    other.write_text(H9.replace("W260503B", "W260503A").replace("De_Vos", "Devos").replace("1-/b0", "1-/b1"))
    done = run("diff", one, other, "--json")
    assert done.status == 1
    assert [(each["field"], each["one"], each["other"]) for each in done.json["differences"]] == [
        ("TC", "W260503B", "W260503A"), ("row 1 surname", "De Vos", "Devos"), ("row 2 round 1", "1-/b", "1-/b1"),
    ]  # fmt: skip
    assert run("diff", one, one).status == 0
    assert "give two files" in run("diff", one).err


def test_files_of_two_formats_are_compared_by_what_is_read_of_them(tmp_path: Path) -> None:
    (tmp_path / "cup.xml").write_text(XML, encoding="utf-8")
    done = run("convert", tmp_path / "cup.xml", tmp_path / "cup.h9")
    assert done.status == 1
    assert "not written: teams (3 players)" in done.err
    assert "players without a game (1 player)" in done.err  # whom OpenGotha's own H9 leaves out, too
    differing = {
        item.field.removeprefix("Spring Cup ") for item in differences(tmp_path / "cup.xml", tmp_path / "cup.h9")
    }
    assert "row 3 name" in differing
    assert {field for field in differing if field == "row 3 figures" or not field.startswith("row 3 ")} == {
        "director", "size", "most_stones", "code", "criteria", *(f"row {row} figures" for row in (1, 2, 3)),
        "row 1 round 2",  # nobody has said that she was absent
    }  # fmt: skip


def test_every_game_of_two_players_is_compared(tmp_path: Path) -> None:
    heads = "date,black,white,result,black_rank,kind,notes,rank"
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    rows = [
        "2026-01-01,A,B,B+,3k,,,",
        "2026-01-01,A,B,B+R,3k,,,",
        "2026-01-02,A,B,W+,3k,,,",
        "2026-01-03,A,A,,,adjustment,exam,2k",
    ]
    one.write_text("\n".join([heads, *rows]), encoding="utf-8")
    rows[0], rows[2], rows[3] = rows[0].replace("B+", "W+"), rows[2].replace("3k", "4k"), rows[3].replace("2k", "1k")
    other.write_text("\n".join([heads, *rows]), encoding="utf-8")
    assert [(each.field, each.one, each.other) for each in differences(one, other)] == [
        ("2026-01-01 A - B", "B+, handicap 0, 19 lines, 2026-01-01, 3k", "W+, handicap 0, 19 lines, 2026-01-01, 3k"),
        ("2026-01-02 A - B", "W+, handicap 0, 19 lines, 2026-01-02, 3k", "W+, handicap 0, 19 lines, 2026-01-02, 4k"),
        ("A set by hand 2026-01-03", "2k, exam", "1k, exam"),
    ]
    assert differences(one, one) == []


def test_a_row_that_is_not_read_differs_from_one_that_is(tmp_path: Path) -> None:
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    one.write_text("black,white,result\nA,B,B+\nA,C,hm\n", encoding="utf-8")
    other.write_text("black,white,result\nA,B,B+\n", encoding="utf-8")
    answer = run("diff", one, other, "--format", "json")
    assert answer.json["differences"] == [
        {"file": str(other), "field": "line 3 result", "one": "hm (not read)", "other": None}
    ]
    assert answer.status == 1
    assert run("diff", "--written", one).status == 1


def test_a_last_day_before_the_first_is_told_and_written_as_the_first(tmp_path: Path) -> None:
    file = tmp_path / "cup.xml"
    file.write_text(XML.replace('endDate="2025-05-04"', 'endDate="2025-01-04"'), encoding="utf-8")
    assert "a day after beginDate; read as unknown" in run("check", file).err
    done = run("diff", file, "--written", "--json")
    assert done.status == 1
    assert [(each["field"].split()[-1], each["one"], each["other"]) for each in done.json["differences"]] == [
        ("endDate", "2025-01-04", "2025-05-03")
    ]


DOCUMENTED = ("TC", "HA", "given name", "surname")
"""Fields that are added or other in a file that is written, as the pages on formats say."""


@pytest.mark.skipif(not DATA.is_dir(), reason="the files of tournaments that were played lie beside the repository")
def test_files_of_tournaments_that_were_played_lose_nothing_but_what_the_pages_on_formats_list() -> None:
    for folder in ("h9", "opengotha_written", "opengotha/small"):
        for name, differing in changed_by_writing(DATA / folder):
            assert not isinstance(differing, InputError), name
            assert not [
                item for item in differing
                if not item.field.endswith(DOCUMENTED) and (item.one, item.other) != ("0?", "0-")
                and not (item.field.endswith("endDate") and str(item.one) < str(item.other))  # it lay before beginDate
            ], name  # fmt: skip
