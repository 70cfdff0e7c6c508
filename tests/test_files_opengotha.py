"""Files of OpenGotha, which are read whole, and files for OpenGotha, which hold what its reader insists on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from handan.files import Options, read
from handan.files.reading import readings
from handan.ledger import Game
from tests.conftest import ROOT

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
    games = Counter(told(game, coloured=coloured) for game in ledger if str(game.result) != "?")
    return games, len(ledger) - games.total() + reading.contents.unplayed


def told(game: Game, *, coloured: bool) -> tuple[object, ...]:
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
