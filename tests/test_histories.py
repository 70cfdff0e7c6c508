"""Whole histories of very many games: how their days are laid out, and what is made only when somebody asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handan.kernels.posterior import newton
from handan.kernels.posterior.graph import Days, days_of, nodes_of, table_of
from handan.ledger import Ledger
from handan.systems.bradley_terry import BradleyTerry
from handan.systems.decayed import Decayed
from handan.systems.families.solved import SolvedExtra
from handan.systems.families.whole_history import Solved
from handan.systems.whr import WHR, WHRExtra
from tests.clubs import a_club, games_of_a_club

PLAYERS = 5000
rows = st.lists(
    st.tuples(st.integers(0, PLAYERS - 1), st.integers(0, 4), st.integers(0, 9)).filter(lambda row: row[0] != row[1]),
    max_size=40,
).map(lambda games: sorted(games, key=lambda game: game[2]))


def laid_out(games: list[tuple[int, int, int]]) -> Days:
    """Return the days of games, black, white and day each."""
    black, white, day = (np.array([game[place] for game in games], dtype=np.int64) for place in range(3))
    return days_of(black.astype(np.uint32), white.astype(np.uint32), day, PLAYERS)


@pytest.fixture(autouse=True, scope="module")
def plain() -> Iterator[None]:
    """Solve in plain Python, which takes less than the compiler does; the last test compares both forms."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HANDAN_KERNELS", "plain")
        yield


@given(games=rows)
def test_a_player_has_one_node_a_day_in_the_order_of_the_games(games: list[tuple[int, int, int]]) -> None:
    days = laid_out(games)
    table = table_of(days)
    pairs = list(zip(table.player.tolist(), table.day.tolist(), strict=True))
    expected = {(player, day) for *players, day in games for player in players}
    assert sorted(pairs) == sorted(expected)
    for sides, place in ((days.black, 0), (days.white, 1)):
        assert [pairs[node] for node in sides.tolist()] == [(game[place], game[2]) for game in games]
    for player in {player for player, _ in expected}:
        own = nodes_of(days, player).tolist()
        assert [pairs[node] for node in own] == sorted(pair for pair in expected if pair[0] == player)
        assert table.previous[own].tolist() == [own[0], *own[:-1]]
        assert (days.last[player], days.ends[player]) == (own[-1], pairs[own[-1]][1])
    assert pairs == list(dict.fromkeys((player, day) for *players, day in games for player in players))


def solved() -> Solved:
    """Return the histories of a club."""
    return WHRExtra.of(WHR().rate(a_club())).solved


@pytest.mark.extended
@pytest.mark.parametrize("stiff", [newton.STIFF, 0.0], ids=["32 bits", "64 bits"])
def test_histories_are_the_same_bits_in_plain_python_and_compiled(
    stiff: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    solutions = []
    monkeypatch.setattr(newton, "STIFF", stiff)
    for form in ("plain", "compiled"):
        monkeypatch.setenv("HANDAN_KERNELS", form)
        solutions.append(solved().strength.tobytes())
    assert solutions[0] == solutions[1]


def test_steps_of_32_bits_lead_to_the_same_strengths_as_those_of_64(monkeypatch: pytest.MonkeyPatch) -> None:
    short = solved().history
    monkeypatch.setattr(newton, "STIFF", 0.0)
    long = solved().history
    assert short == pytest.approx(long, abs=1e-9)
    assert (short != long).any()


def test_chains_that_hardly_move_are_solved_too() -> None:
    # w^2 so small that all days of a player are one: the day's strength is that of Bradley-Terry with as many virtual
    # games and pinned terms
    ledger = a_club()
    ratings = WHR(w2=1e-6, prior=1.0, entry="none", stone=0.0).rate(ledger)
    alone = BradleyTerry(prior=1.0, entry="none", stone=0.0, advantage=0.0).rate(ledger)
    assert ratings.rating == pytest.approx(alone.rating, abs=0.01)


@pytest.mark.parametrize("settings", [{}, {"handicap": "learned"}, {"entry": "none", "prior": 0.1}], ids=str)
def test_games_of_one_day_are_those_of_players_who_do_not_change(settings: dict[str, Any]) -> None:
    # a history of one day has no link, and what is left of its posterior is that of Bradley-Terry; decayed history
    # weighs a game of the last day as 1
    day = Ledger.of([replace(game, date=date(2026, 5, 3)) for game in games_of_a_club()])
    settings = {"advantage": 0.0, "prior": 1.2, **settings}
    history = WHR(**settings).rate(day)
    for system in (BradleyTerry(**settings), Decayed(**settings)):
        assert system.rate(day).rating == pytest.approx(history.rating, abs=1e-5)  # Elo; 1e-8 natural units are 2e-6


@pytest.mark.parametrize("system", [WHR(), BradleyTerry(), Decayed()], ids=lambda system: system.name)
def test_what_is_said_of_games_is_made_when_somebody_asks(system: WHR | BradleyTerry | Decayed) -> None:
    ratings = system.rate(a_club())
    ratings.table()
    made = {"before", "change", "variances"}
    assert not made & vars(ratings.arrays).keys()
    assert "lines" not in vars(SolvedExtra.of(ratings))
    line = ratings.history(ratings.ledger.players[0].name)
    assert line.height
    assert made >= {"before", "change"} & vars(ratings.arrays).keys() != set()
