"""Bradley-Terry, decayed history and Whole-History Rating begin at entry ranks, as everybody else does."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.ledger import Adjustment, Game, Ledger
from handan.ranks import Rank
from handan.ratings import Ratings
from handan.systems import system
from handan.systems.families.paired_comparison import PairedExtra
from tests.clubs import a_club, games_of_a_club
from tests.naive import bradley_terry as naive_bt
from tests.naive import whr as naive_whr

DAY = date(2026, 3, 1)
THREE = ("bradley-terry", "decayed", "whr")
RANKS = {"a": "20k", "b": "3k", "c": "1d", "d": "7d", "e": "9d"}
ENTRY = {"a": -1200.0, "b": -180.0, "c": 0.0, "d": 360.0, "e": 480.0}
"""60 Elo a rank, and 1 dan at 0."""
SCORE = {"B+R": 1.0, "jigo": 0.5, "W+R": 0.0}


def entries_of(ratings: Ratings) -> dict[str, float]:
    return dict(
        zip((player.name for player in ratings.ledger.players), PairedExtra.of(ratings).entry.tolist(), strict=True)
    )


def game(black: str, white: str, result: str = "B+R", day: int = 0, **facts: Any) -> Game:
    return Game(black, white, result, DAY + timedelta(days=day), **({"komi": 6.5} | facts))


def declared(black: str, white: str, *more: Any, **facts: Any) -> Game:
    return game(black, white, *more, **facts, black_rank=RANKS[black], white_rank=RANKS[white])


rows = st.lists(
    st.tuples(
        st.sampled_from("abcde"), st.sampled_from("abcde"), st.sampled_from(tuple(SCORE)), st.integers(0, 400),
        st.sampled_from((0, 0, 3)),
    ).filter(lambda row: row[0] != row[1]),
    min_size=1, max_size=25,
)  # fmt: skip
WORTH = {0: 0.0, 3: (2.0 + 6.0 / 13.0) * 60.0}  # 3 stones at komi 0.5; a stone is a rank


def games_of(rows: list[Any]) -> list[Game]:
    return [
        declared(black, white, result, day, handicap=stones, komi=0.5 if stones else 6.5)
        for black, white, result, day, stones in rows
    ]


@settings(max_examples=25)
@given(rows=rows, prior=st.sampled_from((0.3, 1.0)))
def test_bradley_terry_and_decayed_equal_the_twin_that_begins_at_entry_ranks(rows: list[Any], prior: float) -> None:
    last = max(row[3] for row in rows)
    for name, tau in (("bradley-terry", np.inf), ("decayed", 400.0)):
        twin = [(b, w, SCORE[result], WORTH[stones], np.exp((day - last) / tau)) for b, w, result, day, stones in rows]
        ratings = system(name, prior=prior, advantage=0.0).rate(Ledger.of(games_of(rows)))
        for player, strength in naive_bt.strengths(twin, prior, ENTRY).items():
            assert ratings.standing(player).rating == pytest.approx(strength, abs=1e-5)


@settings(max_examples=25)
@given(rows=rows, w2=st.sampled_from((1.0, 14.0, 300.0)), prior=st.sampled_from((0.5, 1.2)))
def test_whole_history_equals_the_twin_that_begins_at_entry_ranks(rows: list[Any], w2: float, prior: float) -> None:
    twin = [(black, white, SCORE[result], day, WORTH[stones]) for black, white, result, day, stones in rows]
    days, strength, _ = naive_whr.history(twin, w2, prior, ENTRY)
    rules: Any = system("whr", w2=w2, prior=prior)
    ratings = rules.rate(Ledger.of(games_of(rows)))
    for player in {player for player, _ in days}:
        own = [value for (name, _), value in zip(days, strength, strict=True) if name == player]
        curve = rules.curve(ratings, player)
        assert curve["rating"].to_list() == pytest.approx(own, abs=1e-5)
        assert rules.at(ratings, player, curve["date"][0])[0] == pytest.approx(own[0], abs=1e-5)
        assert ratings.standing(player).rating == pytest.approx(own[-1], abs=1e-5)


@pytest.mark.parametrize("name", THREE)
def test_without_entries_the_answer_is_that_of_a_ledger_without_ranks(name: str) -> None:
    games = games_of_a_club()
    bare = Ledger.of([replace(each, black_rank="", white_rank="") for each in games])
    one, other = system(name, entry="none").rate(a_club()), system(name).rate(bare)
    pure = system(name, entry="none", stone=60.0).rate(bare)
    for ratings in (other, pure):
        assert one.rating.tobytes() == ratings.rating.tobytes()
        assert one.arrays.before.tobytes() == ratings.arrays.before.tobytes()
        assert one.arrays.change.tobytes() == ratings.arrays.change.tobytes()
    assert other.standing("3d").rating == one.standing("3d").rating == 0.0
    assert "adjustments have no effect: strengths follow from results alone" in one.warnings


def test_the_pure_maximum_knows_no_entries() -> None:
    games = [declared("a", "e", result) for result in ("B+R", "B+R", "B+R", "W+R")]
    ratings = system("bradley-terry", prior=0.0, advantage=0.0).rate(Ledger.of(games))
    # 400 log10 3, counted from the mean of the pool
    assert ratings.rating == pytest.approx([95.4243, -95.4243], abs=1e-3)


@pytest.mark.parametrize("name", THREE)
def test_a_card_begins_at_the_entry_rank(name: str) -> None:
    even = {} if name == "whr" else {"advantage": 0.0}
    ratings = system(name, at_1d=2100.0, per_rank=100.0, **even).rate(
        Ledger.of([declared("b", "d", "B+R"), declared("d", "b")])
    )
    first, second = ratings.explain("b")
    assert (first.before, first.rank_before) == (1800.0, "3k")
    assert second.before == first.after
    assert second.after == pytest.approx(ratings.standing("b").rating)
    (_, says) = first.reason.factors
    assert says.name == "what the game says beyond the entry"
    assert [part.name for part in says.parts] == ["own strength beyond the entry", "surprise of the result"]
    assert first.reason.facts["entry"] == 1800.0
    # the law at the strengths of both, whatever their entries
    lead = ratings.standing("b").rating - ratings.standing("d").rating
    if name != "whr":
        assert first.reason.facts["expected score"] == pytest.approx(1.0 / (1.0 + 10.0 ** (-lead / 400.0)))


@pytest.mark.parametrize("name", THREE)
def test_who_has_no_rank_enters_by_the_terms_of_the_first_game_else_at_the_mean(name: str) -> None:
    games = [
        declared("d", "b"),
        game("five", "d", handicap=5, komi=0.5, white_rank="7d"),  # 4 stones and 6 points below 7 dan: 3 dan, 120
        game("lost", "found", "W+R"),
    ]
    ratings = system(name).rate(Ledger.of(games))
    entries = entries_of(ratings)
    assert (entries["d"], entries["b"], entries["five"]) == (360.0, -180.0, 120.0)
    assert entries["lost"] == entries["found"] == 0.0  # no rank joins them
    # the mean of 360, -180 and 120
    assert ratings.standing(None).rating == ratings.standing("nobody", strangers="allow").rating == 100.0
    assert ratings.standing("2k").rating == -120.0
    assert ratings.standing("2k").rank == Rank.parse("2k")
    assert any(
        "3 of 5 players have no entry rank; they start at the rank that the terms" in w for w in ratings.warnings
    )


@pytest.mark.parametrize(("komi", "entry"), [(32.5, -60.0), (-19.5, -300.0), (400.0, 360.0)])
def test_komi_that_is_far_from_fair_says_who_is_stronger_up_to_nine_stones(komi: float, entry: float) -> None:
    # b is 3 kyu, -180; half a stone less komi / 13 are -2, 2 and, kept within nine, -9 stones
    ratings = system("bradley-terry").rate(Ledger.of([declared("d", "b"), game("new", "b", komi=komi)]))
    assert entries_of(ratings)["new"] == entry


@pytest.mark.parametrize("name", THREE)
def test_adjustments_before_the_first_game_are_entries_and_later_ones_are_not(name: str) -> None:
    games = [game("x", "y"), game("x", "y", day=9)]
    early = [Adjustment("x", "5d", None, None), Adjustment("y", None, 77.0, DAY - timedelta(days=1))]
    ratings = system(name).rate(Ledger.of(games, early))
    assert entries_of(ratings) == {"x": 240.0, "y": 77.0}
    assert not any("adjustments" in warning for warning in ratings.warnings)
    later = system(name).rate(Ledger.of(games, [*early, Adjustment("x", "9d", None, DAY + timedelta(days=5))]))
    assert later.rating.tobytes() == ratings.rating.tobytes()
    assert any("adjustments after a player's first game have no effect" in warning for warning in later.warnings)


@pytest.mark.parametrize("name", THREE)
def test_a_rank_that_came_late_is_a_remark_unless_it_is_to_adjust(name: str) -> None:
    games = [game("x", "b", white_rank="3k", handicap=0), game("b", "c"), game("c", "b", day=2, black_rank="2k")]
    ratings = system(name).rate(Ledger.of(games))
    assert entries_of(ratings)["c"] == -180.0  # even terms with 3 kyu
    assert any("first declared a rank after the first rated game" in warning for warning in ratings.warnings)
    late = system(name, late_ranks="adjust").rate(Ledger.of(games))
    assert entries_of(late)["c"] == -120.0
    assert not any("no effect" in warning or "late_ranks" in warning for warning in late.warnings)


@pytest.mark.parametrize("name", THREE)
@pytest.mark.parametrize(("settings", "worth"), [({}, 60.0), ({"stone": 30.0}, 30.0), ({"stone": 0.0}, 0.0)])
def test_a_stone_is_worth_the_same_in_learning_and_in_forecasting(
    name: str, settings: dict[str, float], worth: float
) -> None:
    def played(black: float, handicap: int) -> Ratings:
        hand = [Adjustment("Ada", None, black), Adjustment("Bo", None, 0.0)]
        return system(name, advantage=0.0, **settings).rate(Ledger.of([game("Ada", "Bo", handicap=handicap)], hand))

    stones, rating = played(-500.0, 5), played(-500.0 + 4.0 * worth, 0)
    np.testing.assert_allclose(stones.arrays.change, rating.arrays.change, rtol=1e-9)
    assert stones.win_probability("Ada", "Bo", 5, 6.5) == pytest.approx(rating.win_probability("Ada", "Bo", 0, 6.5))
    strangers = stones.win_probability("-500", "0", 5, 6.5)
    assert strangers == pytest.approx(stones.win_probability(str(-500.0 + 4.0 * worth), "0", 0, 6.5))


@pytest.mark.parametrize("name", THREE)
def test_worths_are_learned_beside_entries(name: str) -> None:
    # results exactly as the entries and an advantage of 100 Elo say leave strengths at the entries
    chance = 1.0 / (1.0 + 10.0 ** (-100.0 / 400.0))
    wins = round(400 * chance)
    games = [
        Game(black, white, "B+R" if k < wins else "W+R", DAY, 4, 0.5, black_rank="3d", white_rank="3d")
        for black, white in (("A", "B"), ("B", "A"))
        for k in range(400)
    ]
    rules: Any = system(name, handicap="learned")
    ratings = rules.rate(Ledger.of(games))
    assert rules.learned_terms(ratings)[4, 0.5] == pytest.approx(100.0, abs=3.0)
    assert ratings.rating == pytest.approx([120.0, 120.0], abs=1e-3)


@pytest.mark.parametrize("name", ["bradley-terry", "decayed"])
def test_forecasts_average_over_both_uncertainties_where_players_have_ranks(name: str) -> None:
    ratings = system(name, advantage=0.0).rate(Ledger.of([declared("b", "c"), declared("c", "d")]))
    one, other = ratings.standing("b"), ratings.standing("d")
    assert one.deviation is not None
    assert other.deviation is not None
    # by summation over a fine grid of the normal density
    z = np.linspace(-10.0, 10.0, 200_001)
    spread = np.hypot(one.deviation, other.deviation)
    chance = 1.0 / (1.0 + 10.0 ** (-(one.rating - other.rating + spread * z) / 400.0))
    expected = float((np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi) * chance).sum() * (z[1] - z[0]))
    assert ratings.win_probability("b", "d", 0, 6.5) == pytest.approx(expected, abs=2e-6)
    bare = system(name, advantage=0.0, entry="none").rate(ratings.ledger)
    lead = bare.standing("b").rating - bare.standing("d").rating
    assert bare.win_probability("b", "d", 0, 6.5) == pytest.approx(1.0 / (1.0 + 10.0 ** (-lead / 400.0)))


@pytest.mark.parametrize("name", THREE)
def test_who_has_a_rank_and_no_game_is_forecast_as_a_newcomer_of_that_rank(name: str) -> None:
    rank, games = Rank.parse(RANKS["e"]), [declared("b", "c"), declared("c", "d")]
    ratings = system(name).rate(Ledger.of(games, adjustments=[Adjustment("e", rank=rank)]))
    newcomer = ratings.system.newcomer("somebody", rank, ratings=ratings)
    assert ratings.win_probability("e", "d") == ratings.win_probability(newcomer, "d")
    assert ratings.win_interval("e", "d") == ratings.win_interval(newcomer, "d")
