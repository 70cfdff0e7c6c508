"""Games added to a solved Whole-History Rating: the same history as from scratch, whatever games these are."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.errors import InputError
from handan.kernels.posterior import player_days
from handan.ledger import Game, Ledger
from handan.ratings import Ratings
from handan.systems.core.schedule import Schedule
from handan.systems.elo import Elo
from handan.systems.families.learnable_terms import Terms
from handan.systems.families.paired_comparison import UNIT
from handan.systems.families.whole_history import GameKinds
from handan.systems.whr import WHR, WHRExtra
from handan.systems.whr_live import LiveHistory
from tests.clubs import a_club, games_of_a_club

pytestmark = pytest.mark.extended

DAY = date(2020, 1, 1)
FINE = 1e-9  # natural units; the answer then agrees to far less than EXACT
EXACT = 1e-4  # Elo


def games_of(names: str) -> st.SearchStrategy[Game]:
    """Games of every sort that a file may hold: also those that the system does not rate."""
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names)).filter(lambda pair: pair[0] != pair[1])
    return st.builds(
        lambda pair, **facts: Game(*pair, **facts),
        pairs,
        result=st.sampled_from(("B+R", "B+R", "W+R", "W+0.5", "jigo", "P1+", "P=", "W+F", "void", "both-lose", "?")),
        date=st.none() | st.integers(-400, 400).map(lambda day: DAY + timedelta(days=day)),
        handicap=st.sampled_from((0, 0, 0, 1, 3, 9)),
        komi=st.sampled_from((None, 6.5, 0.5, -5.0)),
        size=st.sampled_from((19, 19, 19, 13, 9)),
        kind=st.sampled_from(("", "", "club", "free", "teaching", "tournament")),
    )


def parts(names: str) -> st.SearchStrategy[list[Game]]:
    return st.lists(games_of(names), max_size=20)


systems = st.builds(
    WHR,
    w2=st.sampled_from((1.0, 14.0, 300.0)),
    prior=st.sampled_from((0.1, 1.2)),
    advantage=st.sampled_from((0.0, 30.0)),
    stone=st.sampled_from((0.0, 100.0)),
    handicap=st.sampled_from(("pinned", "learned")),
    period_days=st.sampled_from((1, 7)),
)


def with_worths_held(solved: Ratings, games: list[Game]) -> dict[tuple[str, int], float]:
    """Solve all games from scratch, each handicap with its komi worth what it is worth in games solved before."""
    system: Any = solved.system
    schedule = Schedule.of(ledger := Ledger.of(games), system.refusals(ledger))
    terms = system.terms_of(schedule)
    if system.handicap == "learned":
        old = solved.ledger
        worth = {
            (old.handicap[game], old.komi_or()[game]): WHRExtra.of(solved).lines.worth[game] / UNIT
            for game in solved.sequence
            if old.colours_known[game]
        }
        pairs = zip(ledger.handicap[schedule.sequence], ledger.komi_or()[schedule.sequence], strict=True)
        worths = [worth.get(pair, bonus) for pair, bonus in zip(pairs, terms.bonus, strict=True)]
        bonus = np.where(ledger.colours_known[schedule.sequence], worths, 0.0)
        terms = Terms(bonus, np.full(len(schedule), -1, dtype=np.int64), ())
    players = len(ledger.players)
    days = player_days.days_of(*schedule.seats, system.periods(schedule), players)
    kinds = GameKinds(np.arange(len(schedule), dtype=np.uint32), schedule.score, terms.bonus)
    solution = system.history(days, kinds, terms, np.zeros(players))
    rating = UNIT * solution.history
    nodes = enumerate(zip(solution.table.player.tolist(), solution.table.day.tolist(), strict=True))
    return {(ledger.players[player].name, day): rating[place] for place, (player, day) in nodes}


def days_of(live: LiveHistory, names: str) -> dict[tuple[str, int], float]:
    return {(name, day): strength for name in names for day, strength in live.curve(name)}


@settings(max_examples=60)
@given(system=systems, games=parts("abcde"), later=parts("cdefg"))
def test_games_added_lead_to_the_history_of_all_games_with_learned_worths_held(
    system: WHR, games: list[Game], later: list[Game]
) -> None:
    solved = system.rate(Ledger.of(games))
    live = LiveHistory.of(solved, FINE)
    added = live.add(later)
    assert days_of(live, "abcdefg") == pytest.approx(with_worths_held(solved, [*games, *later]), abs=EXACT)
    refused = system.refusals(Ledger.of(later))
    assert added.rated == (refused == 0).sum()
    assert sum(added.unrated.values()) == (refused > 0).sum()


@settings(max_examples=20)
@given(games=parts("abcde"), later=parts("cdefg"))
def test_games_can_be_added_one_by_one(games: list[Game], later: list[Game]) -> None:
    live = LiveHistory.of(WHR().rate(Ledger.of(games)), FINE)
    for game in later:
        live.add([game])
    whole = WHR().rate(Ledger.of([*games, *later]))
    for player in whole.ledger.players:
        if live.curve(player.name):
            assert live.rating(player.name) == pytest.approx(whole.standing(player.name).rating, abs=EXACT)


def test_both_forms_of_the_loops_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    games = games_of_a_club()
    rating = []
    for form in ("plain", "compiled"):
        monkeypatch.setenv("HANDAN_KERNELS", form)
        live = LiveHistory.of(WHR().rate(Ledger.of(games[:100])))
        live.add(games[100:])
        rating.append([live.curve(name) for name in ("Ada", "Goro", "Lien")])
    assert rating[0] == rating[1]


def won(black: str, white: str, day: int = 0, **facts: Any) -> Game:
    return Game(black, white, "B+R", date=DAY + timedelta(days=day), komi=6.5, **facts)


def test_only_the_players_whom_a_game_reaches_are_solved_again() -> None:
    live = LiveHistory.of(WHR().rate(Ledger.of([won(f"x{i}", f"x{i + 1}", i) for i in range(400)])))
    far = live.curve("x300")
    assert 2 <= live.add([won("x0", "stranger", 50)]).solved < 200
    assert live.curve("x300") == far


def test_a_win_over_a_far_stronger_player_does_not_throw_a_newcomer_out_of_bounds() -> None:
    # a step of Newton from 0 would lead to more than 10,000 Elo: hardly anything is known where the win is certain
    strong = [won("strong", f"weak{i}", day) for i in range(3) for day in range(40)]
    system = WHR(prior=0.001)
    live = LiveHistory.of(system.rate(Ledger.of(strong)), 1e-7)
    live.add([won("newcomer", "strong", 41)])
    whole = system.rate(Ledger.of([*strong, won("newcomer", "strong", 41)]))
    assert live.rating("newcomer") == pytest.approx(whole.standing("newcomer").rating, abs=0.05)


def test_games_that_do_not_count_are_told_by_reason() -> None:
    live = LiveHistory.of(WHR().rate(a_club()))
    undated = Game("Ada", "Bo", "B+R")
    added = live.add([won("Ada", "Bo"), undated, won("Bo", "new", size=9), won("Bo", "new", kind="teaching")])
    assert added.rated == 1
    assert added.unrated == {
        "a free game": 1,
        "not on a 19x19 board": 1,
        "no date, which this system needs": 1,
    }
    with pytest.raises(InputError, match="'new' has no rated game"):
        live.rating("new")
    assert live.add([]).solved == 0


def test_players_are_known_by_their_ids() -> None:
    live = LiveHistory.of(WHR().rate(Ledger.of([won("Ida Fern", "Bo", black_id="egd:1", white_id="egd:2")])))
    live.add([won("Fern, I.", "Bo", 9, black_id="egd:1")])
    assert len(live.curve("Ida Fern")) == 2
    assert live.curve("Fern, I.") == live.curve("Ida Fern")
    live.add([won("Bo", "Ida Fern", 10, black_id="egd:3"), won("Bo", "Jo", 11), won("Jo", "Bo", 12, white_id="egd:3")])
    assert [day - live.curve("Bo")[0][0] for day, _ in live.curve("Bo")] == [0, 9]
    assert len(live.curve("Bo (egd:3)")) == 3  # in one batch a name without an id belongs to the only id with it


def test_what_cannot_go_on_is_refused() -> None:
    others = Elo().rate(a_club())
    with pytest.raises(InputError, match="elo is not whr"):
        LiveHistory.of(others)
    with pytest.raises(InputError, match="tolerance 0 is not a number of at least 1e-12"):
        LiveHistory.of(WHR().rate(a_club()), 0.0)
