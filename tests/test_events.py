"""Events of a ledger: who took part, and what each did in a round without a game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from handan.files import read
from handan.files.formats.h9 import H9
from handan.files.games.format import Format
from handan.files.io.options import Options
from handan.files.writing import encoded
from handan.ledger import Event, Ledger, Rest
from handan.ledger.disk import open_ledger, save_ledger
from handan.ledger.events import event_of, joined

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
    rests = {each.player.name: dict(each.rests) for each in event.participants}
    assert rests == {
        "Lindqvist Ada": {2: Rest.HALF_BYE},
        "Tan Bo": {3: Rest.BYE},
        "Moor Cy": {1: Rest.BYE},
        "Ruiz Dee": {1: Rest.ABSENCE, 2: Rest.ABSENCE, 3: Rest.ABSENCE},
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


def test_an_event_is_plain_data_and_comes_back() -> None:
    assert event_of(cup().as_dict()) == cup()


def test_parts_of_one_event_are_one_event() -> None:
    whole = cup()
    parts = [
        replace(
            whole,
            participants=tuple(
                replace(each, rests=tuple(rest for rest in each.rests if rest[0] == number))
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
    written, losses = to.write(ledger, to.endings[0], False)  # as all
    [event] = to.read(written, "again", Options()).events
    return event, losses, written


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


def test_an_h9_table_written_again_keeps_header_order_byes_and_tie_breaks() -> None:
    event, losses, written = again(FULL, H9)
    [before] = H9.read(FULL, "cup.h9", Options()).events
    assert (event, losses) == (before, [])
    for line in FULL.decode().splitlines()[:9]:
        assert line in written.decode().splitlines()
    assert event.criteria == ("MMS", "SOS", "SOSOS", "")
    assert event.participants[0].figures == ("31", "60", "120", "0")


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
    (tmp_path / "cup.h9").write_bytes(FULL)
    _, losses = encoded(read(tmp_path / "cup.h9"), f"cup{ending}", excel_safe=False)
    for loss in (
        "byes (2 rounds)", "half byes (1 round)", "absences (3 rounds)", "players without a game (1 player)",
        "places in the final order (4 players)", "of the tournament: code, place, thinking time, comments",
    ):  # fmt: skip
        assert loss in losses
