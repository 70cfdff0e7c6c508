"""Newcomers who enter where those like them stood: earlier games without ranks, later ones in which all say 9d."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

import handan
from handan import Adjustment, Game, Ledger, Player
from handan.ledger.columns import of_games
from tests.command_line import run
from tests.conftest import ROOT

EACH, GAMES = 24, 450
"""Players who are new in each half, and games of each half."""


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", "plain")


def games(ranks: tuple[str, str] = ("", "9d")) -> list[Game]:
    """Return games by Elo's law, in whose halves everybody declares these ranks; those of the second are new to it."""
    chance = random.Random(5)
    strength = [chance.gauss(0.0, 250.0) for _ in range(2 * EACH)]
    played = []
    for number in range(2 * GAMES):
        half = number // GAMES
        coming = EACH + half * (2 + (number - GAMES) * (EACH - 2) // GAMES)  # in the second half one by one
        one, other = chance.sample(range(EACH * half, coming), 2)
        if chance.random() < 0.5 * half:
            other = chance.randrange(EACH)  # who has been there for long
        won = chance.random() < 1.0 / (1.0 + math.pow(10.0, (strength[other] - strength[one]) / 400.0))
        day = date(2020, 1, 1) + timedelta(number // 4)
        rank, server = ranks[half], ("old", "new")[half]
        played.append(
            Game(
                black=f"p{one}", white=f"p{other}", result="B+" if won else "W+", date=day, server=server,
                black_rank=rank, white_rank=rank,
            )
        )  # fmt: skip
    return played


def losses(answer: handan.Comparison) -> dict[str, float]:
    return {each.system: each.log_loss for each in answer.systems if each.log_loss is not None}


@pytest.mark.extended
def test_ranks_that_only_later_games_declare_ruin_forecasts_far_less() -> None:
    answer = handan.compare(Ledger.of(games()), "elo,glicko,handan", since="2020-04-23", learned_entries=True)
    loss = losses(answer)
    assert "handan:entries" not in loss  # which learns them itself
    for name in ("elo", "glicko"):
        assert loss[f"{name}:entries"] < loss[name] - 0.2
        assert loss[name] > 0.6931


def test_where_nobody_declares_a_rank_everybody_enters_as_before() -> None:
    ledger = Ledger.of(games(("", "")))
    assert handan.with_learned_entries(ledger) is ledger
    assert [each.system for each in handan.compare(ledger, "elo", learned_entries=True).systems] == ["elo"]


def test_entries_are_learned_from_earlier_games_alone() -> None:
    played = games()
    whole, part = (handan.with_learned_entries(Ledger.of(some)) for some in (played, played[: GAMES + 200]))
    entered = {item.player: item for item in part.adjustments}
    assert len(entered) > EACH
    assert [item for item in whole.adjustments if item.player in entered] == list(part.adjustments)


def test_who_is_set_by_hand_and_whose_rating_a_file_declares_enters_with_that() -> None:
    listed = [Player("p41", rating=1900.0, rating_origin="EGF")]
    ledger = Ledger.from_table(of_games(games()), [Adjustment("p40", "2d")], listed=listed)
    entered = handan.with_learned_entries(ledger).adjustments
    assert {item.player for item in entered if item.player in {"p40", "p41"}} == {"p40"}
    assert [str(item.rank) for item in entered if item.player == "p40"] == ["2d"]


def test_a_rank_that_means_what_it_says_stays() -> None:
    """Newcomers of known ranks who play each other even give no reason to doubt them."""
    played = games(("5k", "5k"))
    for first in (0, GAMES):  # a server that names one rank alone says nothing with it
        played[first] = replace(played[first], black_rank="4k")
    assert len(handan.with_learned_entries(Ledger.of(played)).adjustments) < 2 * EACH // 3  # one in three


def test_commands_say_who_enters_where(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    handan.write(Ledger.of(games()), file)
    learned = ("--system", "elo", "--learned-entries")
    answer = run("rate", file, *learned)
    assert answer.status == 0
    assert "newcomers of 47 enter where those like them stood" in answer.err
    lines = run("explain", file, *learned, "--player", "p0").err
    assert "p0 enters with 6k: where newcomers like this one stood" in lines
    own = run("rate", ROOT / "examples" / "games.csv", "--system", "handan", "--learned-entries")
    assert "handan learns by itself where newcomers enter" in own.err
    assert "elo:entries" in run("compare", file, "--systems", "elo", "--learned-entries").out
    assert "give --save or --learned-entries" in run("rate", file, *learned, "--save", tmp_path / "saved").err
    assert "--learned-entries learns from games" in run("odds", "2d", "3k", *learned).err


@pytest.mark.extended
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
@pytest.mark.parametrize(("ranks", "named"), [(("", "9d"), True), (("", ""), False), (("5k", "5k"), False)])
def test_on_a_terminal_the_option_is_named_where_some_enter_without_a_rank(
    tmp_path: Path, ranks: tuple[str, str], *, named: bool
) -> None:
    import os
    import pty

    file = tmp_path / "games.csv"
    handan.write(Ledger.of(games(ranks)), file)
    main_end, terminal = pty.openpty()
    command = [sys.executable, "-m", "handan", "rate", str(file), "-s", "elo"]
    answer = subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, check=False)
    os.close(terminal)
    assert answer.returncode == 0
    assert ("--learned-entries" in os.read(main_end, 65536).decode()) is named
    os.close(main_end)
