"""Files of OpenGotha and of the MacMahon program: what is read and written, hostile XML, and real files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.errors import InputError
from handan.files import Limits, Options, read, write
from handan.files.contents import Contents
from handan.files.macmahon import MACMAHON
from handan.files.opengotha import OPENGOTHA
from handan.files.reading import readings
from handan.files.report import report
from handan.ledger import Ledger
from handan.systems.egf import EGF
from tests.conftest import ROOT, examples

SAMPLES = ROOT / "tests" / "samples"
DATA = ROOT.parent / "shared" / "data"
local = pytest.mark.skipif(not DATA.exists(), reason="the folder of real results is not beside the checkout")


def opengotha(content: str, **limits: int) -> Contents:
    return OPENGOTHA.read(content.encode(), "cup.xml", Options(limits=Limits(**limits)))


def test_opengothas_sample_is_read_game_by_game() -> None:
    [reading] = readings(SAMPLES / "cup.xml", Options())
    assert (reading.format, reading.refusal) == ("OpenGotha XML", "")
    found = reading.contents
    assert found is not None
    columns = ("round", "black", "white", "result", "handicap", "komi", "notes", "line")
    assert found.games.select(columns).rows() == [
        (1, "Moor Dee", "Lindqvist Ada", "W+", 2, 0.5, "", 11),
        (1, "Tan Bo", "Işık İlkin", "jigo", 0, 6.5, "", 12),
        (2, "Işık İlkin", "Lindqvist Ada", "P1+F", 0, 6.5, "", 13),
        (3, "Lindqvist Ada", "Moor Dee", "both-lose", 0, 6.5, "default", 14),
    ]
    assert (found.byes, found.absences, found.unplayed) == (1, 1, 1)
    assert [str(problem) for problem in found.problems] == [
        "cup.xml line 12: player 'Tan Bo, Işık İlkin' is not two participants; one is only registered".replace(
            "cup.xml", str(SAMPLES / "cup.xml")
        ),
        f"{SAMPLES / 'cup.xml'} line 15: player 'NOBODY' is not one of the players",
    ]
    assert [entrant.id for entrant in found.entrants] == ["egd:10000001", "ffg:1800002", "", ""]
    assert str(found.games["date"][0])[:10] == "2025-05-03"


def test_macmahons_first_figure_is_blacks() -> None:
    [reading] = readings(SAMPLES / "macmahon.xml", Options(date="2025-10-04"))
    found = reading.contents
    assert reading.format == "MacMahon XML"
    assert found is not None
    assert found.games.select("round", "black", "white", "result", "handicap", "size").rows() == [
        (1, "Tan Bo", "Lindqvist Ada", "B+", 3, 13),
        (2, "Lindqvist Ada", "Tan Bo", "W+F", 0, 13),
    ]
    assert (found.byes, found.unplayed) == (1, 1)
    assert [problem.found for problem in found.problems] == ["9"]
    assert [(entrant.id, entrant.country) for entrant in found.entrants[:2]] == [("egd:10000001", "GB"), ("", "PL")]


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    ledger = read(SAMPLES / "cup.xml")
    assert write(ledger, tmp_path / "again.xml") == []
    again = read(tmp_path / "again.xml")
    assert not [problem for problem in again.problems if problem.rejected]
    assert again.facts.equals(ledger.facts)
    table = read(ROOT / "examples" / "games.csv")
    losses = write(table, tmp_path / "table.xml")
    assert any(loss.startswith("how games ended") for loss in losses)
    assert any(loss.startswith("dates after the first") for loss in losses)


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
    assert ledger.facts.equals(read(SAMPLES / "cup.xml").facts)
    told = [str(problem) for problem in ledger.problems if problem.field == "file"]
    assert [text.split(": ")[0].rsplit("/", 1)[-1] for text in told] == ["1.xml", "3.xml"]
    assert all("the fullest file of this tournament" in text for text in told)


def test_a_file_without_games_is_an_empty_table_with_a_warning() -> None:
    found = opengotha("<Tournament dataVersion='201'/>")
    assert found.games.height == 0
    assert [problem.field for problem in found.problems] == ["beginDate", "Games"]


@pytest.mark.fuzz
@settings(max_examples=examples(150))
@given(data=st.data(), name=st.sampled_from(("cup.xml", "macmahon.xml")))
def test_mutated_xml_is_contents_or_an_error_of_one_line(data: st.DataObject, name: str) -> None:
    text = (SAMPLES / name).read_bytes()
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, max(len(text) - 1, 0)))
        end = place + data.draw(st.integers(0, 30))
        text = text[:place] + data.draw(st.binary(max_size=6)) + text[end:]
    for form in (OPENGOTHA, MACMAHON):
        try:
            assert isinstance(form.read(text, "x", Options()), Contents)
        except InputError as error:
            fault = str(error)
            assert "\n" not in fault


@local
def test_the_real_files_have_their_known_counts() -> None:
    text = (DATA / "README.md").read_text(encoding="utf-8")
    known = re.findall(r"^\| ([\w/.-]+\.xml) \|(.*)\|$", text, re.MULTILINE)
    assert len(known) == 38
    for name, line in known:
        cells = [cell.strip() for cell in line.split("|")]
        day, size, komi, players, _, games, black, white, draws, default = cells[:10]
        both_lose, both_win, handicap, unplayed, byes = cells[10:15]
        [reading] = readings(DATA / "opengotha" / name, Options())
        assert reading.contents is not None, name
        told, table = report(reading), reading.contents.games
        counts = (told.players, told.games, told.jigo, told.both_lose, told.both_win, told.handicap, told.byes)
        assert counts == tuple(map(int, (players, games, draws, both_lose, both_win, handicap, byes))), name
        wins = [int(table["result"].str.starts_with(side).sum()) for side in ("B+", "W+")]
        assert wins == [int(black), int(white)], name
        assert (told.forfeits, told.unplayed, told.dates[0]) == (int(default), int(unplayed), day), name
        assert set(table["size"]) == {int(size)}, name
        assert set(table.filter(table["handicap"] == 0)["komi"]) <= {float(komi)}, name
        assert not [problem for problem in told.problems if problem.rejected], name


@local
def test_juvisy_has_the_same_games_and_changes_in_all_three_formats() -> None:
    told, changes = [], []
    for ending in ("xml", "h9", "tou"):
        ledger = read(DATA / "opengotha" / f"juvisy-2019.{ending}")
        rows = [(g.round, g.black.lower(), g.white.lower(), str(g.result), g.handicap, g.komi) for g in ledger]
        told.append(sorted(rows))
        ratings = EGF(default_class="A").rate(ledger)
        table = ratings.table().iter_rows(named=True)
        changes.append({row["player"].lower(): round(row["rating"], 9) for row in table})
    assert told[0] == told[1] == told[2]
    assert changes[0] == changes[1] == changes[2]


@local
def test_the_real_macmahon_file_is_read() -> None:
    ledger = read(DATA / "macmahon" / "sample-tournament.xml", date="2020-01-01")
    assert [str(game.result) for game in ledger] == ["B+", "W+", "W+"]
