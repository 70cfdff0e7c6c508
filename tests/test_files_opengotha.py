"""Files of OpenGotha, which are read whole, and files for OpenGotha, which hold what its reader insists on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from handan.errors import InputError
from handan.files import Options, read, write
from handan.files.reading import readings
from handan.ledger import Game, Ledger
from tests.conftest import ROOT
from tests.naive.opengotha import opened

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


def written_for_opengotha(ledger: Ledger, folder: Path) -> bytes:
    path = folder / "written.xml"
    write(ledger, path)
    return path.read_bytes()


SAMPLES = ROOT / "tests" / "samples"
TOURNAMENTS = ("cup.xml", "cup.h9", "coupe.tou", "wall.txt", "report.txt", "director", "macmahon.xml")


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_opengotha_opens_what_is_written_of_every_sample(name: str, tmp_path: Path) -> None:
    ledger = read(SAMPLES / name, date="2025-05-03")
    games = opened(written_for_opengotha(ledger, tmp_path))
    assert len(games) == len(ledger) > 0
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
    losses = write(ledger, tmp_path / "cup.xml")
    assert "players whose names differ by marks, capitals or blanks only, and are numbered (2 players)" in losses
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
    assert b'saveDT="20250503000000"' in written_for_opengotha(table, tmp_path)  # the last day of play
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
        assert len(again) == len([row for row in games if row[3] != "UNKNOWN"]), path.name
        assert Counter(row[3] for row in again) == Counter(row[3] for row in games if row[3] != "UNKNOWN"), path.name
