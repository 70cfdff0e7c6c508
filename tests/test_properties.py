"""Properties that hold for any ledger: order of input, corrections, explanations, and the two forms of every kernel."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import handan
from handan import shortcuts
from handan.cli import main
from handan.ledger import Adjustment, Game, Ledger
from handan.systems import SYSTEMS
from tests.forms import extended_but

NAMES = ("Ada", "박하늘", "Čeněk", "三田 花", "Пётр")
RESULTS = ("B+R", "W+3.5", "W+T", "jigo", "B+F", "void", "both-lose", "P1+", "P=")
EVERY_SYSTEM = pytest.mark.parametrize(
    "name", extended_but(["egf", "elo", "glicko2", "points", "whr"], sorted(SYSTEMS))
)


@st.composite
def clubs(draw: st.DrawFn) -> tuple[list[Game], list[Adjustment]]:
    """Draw games that differ in date, event or round, and adjustments."""
    count = draw(st.integers(1, 14))
    games = []
    for number in range(count):
        black, white = draw(st.permutations(NAMES))[:2]
        games.append(
            Game(
                black,
                white,
                draw(st.sampled_from(RESULTS)),
                date=date(2025, 1, 1) + timedelta(days=draw(st.integers(0, 40))),
                handicap=draw(st.integers(0, 9)),
                komi=draw(st.sampled_from([None, -5.5, 0.5, 6.5, 7.0])),
                kind=draw(st.sampled_from(["", "club", "tournament-b", "friendly", "free"])),
                event=draw(st.sampled_from(["", "Open", "League"])),
                round=number,
                black_rank=draw(st.sampled_from(["", "5k", "3d?", "20k"])),
            )
        )
    ranks, days = st.sampled_from(["9k", "2d"]), st.integers(0, 40)
    adjustments = [
        Adjustment(name, draw(ranks), None, date(2025, 1, 1) + timedelta(days=draw(days)))
        for name in draw(st.lists(st.sampled_from(NAMES), max_size=2, unique=True))
    ]
    return games, adjustments


@EVERY_SYSTEM
@settings(max_examples=10)
@given(club=clubs(), seed=st.integers(0, 2**32 - 1))
def test_the_order_of_input_changes_no_byte(name: str, club: tuple[list[Game], list[Adjustment]], seed: int) -> None:
    games, adjustments = club
    shuffled = [games[place] for place in np.random.default_rng(seed).permutation(len(games))]
    one, other = (shortcuts.rate(Ledger.of(each, adjustments), name) for each in (games, shuffled))
    assert one.table().equals(other.table())
    assert one.rating.tobytes() == other.rating.tobytes()
    assert one.arrays.change.tobytes() == other.arrays.change.tobytes()


@EVERY_SYSTEM
@settings(max_examples=10)
@given(club=clubs(), result=st.sampled_from(RESULTS))
def test_correcting_the_oldest_game_equals_a_clean_replay(
    name: str, club: tuple[list[Game], list[Adjustment]], result: str
) -> None:
    games, adjustments = club
    ledger = Ledger.of(games, adjustments)
    corrected = replace(ledger[0], result=result)
    clean = Ledger.of([corrected, *list(ledger)[1:]], adjustments)
    assert ledger.with_game(corrected, index=0) == clean
    one, other = shortcuts.rate(ledger.with_game(corrected, index=0), name), shortcuts.rate(clean, name)
    assert one.rating.tobytes() == other.rating.tobytes()
    assert one.arrays.change.tobytes() == other.arrays.change.tobytes()


@EVERY_SYSTEM
@settings(max_examples=10)
@given(club=clubs())
def test_every_change_is_explained(name: str, club: tuple[list[Game], list[Adjustment]]) -> None:
    ratings = shortcuts.rate(Ledger.of(*club), name)
    for player in ratings.ledger.players:
        lines = ratings.explain(player.name)
        for line in lines:
            assert line.reason.value == pytest.approx(line.change, rel=1e-9, abs=1e-7)
        if lines:
            now = float(ratings.rating[ratings.ledger.find(player.name)])
            assert lines[-1].after == pytest.approx(now, rel=1e-9, abs=1e-7)


@given(club=clubs(), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15)
def test_the_command_prints_the_same_bytes_for_any_order_of_rows(
    club: tuple[list[Game], list[Adjustment]], seed: int
) -> None:
    with TemporaryDirectory() as folder:
        path, shuffled = Path(folder) / "games.csv", Path(folder) / "shuffled" / "games.csv"
        shuffled.parent.mkdir()
        handan.write(Ledger.of(club[0]), path)
        header, *rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
        order = np.random.default_rng(seed).permutation(len(rows))
        shuffled.write_text("".join([header, *(rows[place] for place in order)]), encoding="utf-8")
        printed = [run("rate", str(file), "--system", "sagc", "--format", "json") for file in (path, shuffled)]
        assert printed[0] == printed[1]
        assert json.loads(printed[0])["games"] == len(club[0])


def run(*arguments: str) -> str:
    """Run a command and return what it prints."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        assert main(list(arguments)) == 0
    return out.getvalue()
