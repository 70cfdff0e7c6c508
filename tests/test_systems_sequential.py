"""Elo, the European ratings, SAGC and points: published examples through the ledger, settings, events and resets."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Literal

import numpy as np
import pytest

from handan.errors import SettingError
from handan.ledger import Adjustment, Game, Ledger
from handan.ranks import Rank
from handan.ratings import Ratings
from handan.systems import EGF, SAGC, EGFClassic, Elo, Points
from handan.systems.families.sagc_ranks import moved

DAY = date(2025, 3, 1)


def club(*games: Game, **entry: float | str) -> Ledger:
    """Return a ledger in which players enter with a rating (number), a rank, or both (`rank index`)."""
    adjustments = []
    for name, value in entry.items():
        rank, _, rating = str(value).rpartition(" ")
        if isinstance(value, str) and not rank:
            rank, rating = value, ""
        adjustments.append(Adjustment(name, rank or None, float(rating) if rating else None))
    return Ledger.of(games, adjustments)


def now(ratings: Ratings, name: str) -> float:
    return float(ratings.rating[ratings.ledger.find(name)])


def test_elo_moves_by_k_times_the_surprise() -> None:
    ratings = Elo().rate(club(Game("Ada", "Bo", "B+"), Ada=1500, Bo=1700))
    # reference: 1500 beats 1700 at K 20
    assert (now(ratings, "Ada"), now(ratings, "Bo")) == pytest.approx((1515.1949, 1684.8051), abs=5e-5)


def test_elo_keeps_the_sum_of_ratings() -> None:
    games = [Game("Ada", "Bo", "B+"), Game("Bo", "Cy", "B+"), Game("Cy", "Ada", "jigo"), Game("Cy", "Ada", "W+")]
    assert float(Elo().rate(club(*games)).rating.sum()) == pytest.approx(4500)


def test_elo_newcomers_move_faster() -> None:
    ratings = Elo(k_new=60.0, new_games=1).rate(club(Game("Ada", "Bo", "B+"), Game("Ada", "Bo", "B+")))
    first, second = ratings.explain("Ada")
    assert first.change == pytest.approx(30)
    assert second.reason.factors[0].value == 20.0


@pytest.mark.parametrize("batch", ["game", "event"])
def test_each_side_moves_as_fast_as_its_own_games_say(batch: Literal["game", "event"]) -> None:
    games = [Game("Ada", "Cy", "B+", date=DAY)]
    games += [Game(*pair, "B+", date=DAY + timedelta(days=1)) for pair in (("Ada", "Bo"), ("Di", "Ada"))]
    ratings = Elo(k_new=60.0, new_games=1, batch=batch).rate(Ledger.of(games))
    for newcomer, line in (("Bo", 1), ("Di", 2)):
        own = ratings.explain(newcomer)[0].change
        assert own == pytest.approx(-3.0 * ratings.explain("Ada")[line].change)  # K 60 and 20


def test_elo_rates_an_event_from_the_ratings_at_its_start() -> None:
    games = [Game("Ada", "Bo", "B+", date=DAY, event="Open", round=number) for number in (1, 2, 3)]
    ratings = Elo(batch="event").rate(Ledger.of(games))
    assert [line.change for line in ratings.explain("Ada")] == [10.0, 10.0, 10.0]
    assert now(ratings, "Ada") == 1530.0


def test_egf_tournament_classes_weigh_the_whole_change() -> None:
    # reference: 2100 beats 2200 in classes A to D
    expected = {"a": 2111.9035, "b": 2108.9276, "c": 2105.9517, "d": 2102.9759}
    for letter, value in expected.items():
        game = Game("Ada", "Bo", "B+", komi=6.5, kind=f"tournament-{letter}")
        assert now(EGF().rate(club(game, Ada=2100, Bo=2200)), "Ada") == pytest.approx(value, abs=5e-5)


def test_egf_handicap_of_five_stones() -> None:
    game = Game("Ada", "Bo", "B+", handicap=5, komi=0.5)
    ratings = EGF().rate(club(game, Ada=1850, Bo=2400))
    # reference: 1850 takes 5 stones from 2400 and wins
    assert (now(ratings, "Ada"), now(ratings, "Bo")) == pytest.approx((1867.2240, 2392.5449), abs=5e-5)


def test_no_european_rating_falls_below_its_floor() -> None:
    games = [Game("Ada", "Bo", "W+", date=DAY + timedelta(days=i)) for i in range(40)]
    assert now(EGF().rate(club(*games, Ada=-880, Bo=-880)), "Ada") >= -900.0
    assert now(EGFClassic().rate(club(*games, Ada=110, Bo=110)), "Ada") == 100.0


@pytest.mark.parametrize(("system", "floor"), [(EGF(), -900.0), (EGFClassic(), 100.0)])
def test_an_adjustment_below_the_european_floor_counts_as_the_floor(system: EGF, floor: float) -> None:
    # "The absolute minimum rating is set to be -900" (2021), 100 (until 2021)
    games = [Game("Ada", "Bo", "B+", date=DAY), Game("Ada", "Bo", "W+", date=DAY + timedelta(days=60))]
    typo = Adjustment("Ada", None, -5000.0, DAY + timedelta(days=30), "typo")
    ratings = system.rate(Ledger.of(games, [Adjustment("Ada", None, 2000.0), Adjustment("Bo", None, 2000.0), typo]))
    _, set_by_hand, last = ratings.explain("Ada")
    assert (set_by_hand.after, last.before) == (floor, floor)
    assert ratings.warnings == (
        f"1 adjustment asks for a rating below {floor:g}; the nearest end of the scale is taken",
    )
    assert [factor.name for factor in last.reason.factors if abs(factor.value) > 200] == []  # no lift from -5000


@pytest.mark.parametrize(("system", "floor"), [(EGF(), -900.0), (EGFClassic(), 100.0)])
def test_an_entry_below_the_european_floor_counts_as_the_floor(system: EGF, floor: float) -> None:
    ratings = system.rate(club(Game("Ada", "Bo", "B+"), Ada=-5000, Bo=-5000))
    assert [line.before for name in ("Ada", "Bo") for line in ratings.explain(name)] == [floor, floor]


def test_at_least_in_europe_lifts_and_never_lowers() -> None:
    games = [Game("Ada", "Bo", "jigo", date=DAY, komi=6), Game("Ada", "Bo", "jigo", date="2025-06-01", komi=6)]
    for wanted, after in ((1500.0, 2000.0), (2200.0, 2200.0), (-5000.0, 2000.0)):
        item = Adjustment("Ada", None, wanted, "2025-05-01", "", at_least=True)
        ledger = Ledger.of(games, [Adjustment("Ada", None, 2000.0), Adjustment("Bo", None, 2000.0), item])
        assert EGFClassic(epsilon=0.0).rate(ledger).explain("Ada")[1].after == after


@pytest.mark.parametrize(("entered", "rating"), [("4k", 1700.0), ("7k", 1400.0), ("8k", None)])
def test_a_grade_two_above_the_highest_so_far_resets_the_rating_on_request(entered: str, rating: float | None) -> None:
    games = [
        Game("Ada", "Bo", "B+", date=DAY, event="One", black_rank="9k", white_rank="5k"),
        Game("Ada", "Bo", "W+", date=DAY + timedelta(days=90), event="Two", black_rank=entered, white_rank="5k"),
    ]
    ledger = Ledger.of(games)
    lines = [line for line in EGF(reset_two_grades=True).rate(ledger).explain("Ada") if line.game is None]
    assert [(line.after, line.rank_after) for line in lines] == [(rating, entered)] * (rating is not None)
    assert {line.note for line in lines} <= {f"reset: entered as {entered}, the highest grade so far was 9k"}
    assert len(EGF().rate(ledger).explain("Ada")) == 2


def test_the_reason_of_a_change_names_the_rating_of_the_opponent() -> None:
    game = Game("Ada", "Bo", "B+", date=DAY, black_rank="9k", white_rank="5k")
    for rules, ratings in ((EGF(), (1200.0, 1600.0)), (EGFClassic(), (1200.0, 1600.0)), (Elo(), (1560.0, 1800.0))):
        rated = rules.rate(Ledger.of([game]))
        facts = [rated.explain(name)[0].reason.facts for name in ("Ada", "Bo")]
        assert [each["opponent's rating"] for each in facts] == [*reversed(ratings)]


def test_a_reset_does_not_go_beyond_1_dan_nor_down() -> None:
    games = [
        Game("Ada", "Bo", "B+", date=DAY, event="One", black_rank="3k", white_rank="5k"),
        Game("Ada", "Bo", "W+", date=DAY + timedelta(days=90), event="Two", black_rank="4d", white_rank="5k"),
        Game("Ada", "Bo", "W+", date=DAY + timedelta(days=180), event="Three", black_rank="1k", white_rank="5k"),
    ]
    lines = [line for line in EGF(reset_two_grades=True).rate(Ledger.of(games)).explain("Ada") if line.game is None]
    assert [line.after for line in lines] == [2100.0]


def test_a_tournament_of_no_class_moves_nobody() -> None:
    # source: European Go Federation, classes by thinking time; what is too short for class C is in no class (X)
    games = [
        Game("Ada", "Bo", "B+", date=DAY, kind=kind, black_rank="3k", white_rank="3k")
        for kind in ("tournament-x", "tournament-c")
    ]
    ratings = EGF().rate(Ledger.of([*games, replace(games[0], result="void")]))
    assert ratings.unrated_counts == {"a tournament of no class (X)": 1, "void or without a result": 1}
    assert [line.change != 0.0 for line in ratings.explain("Ada")] == [False, True, False]


@pytest.mark.parametrize(("index", "zones", "sentence"), [(-500.0, -950.0, -900.0), (-960.0, None, -999.0)])
def test_the_two_readings_of_the_floors_differ_inside_a_zone(
    index: float, zones: float | None, sentence: float
) -> None:
    eleven_kyu = 20
    assert moved(eleven_kyu, index, -99999.0, True) == ((20, zones) if zones else (19, 0.0))
    assert moved(eleven_kyu, index, -99999.0, False) == (20, sentence)


def test_free_games_count_for_the_opponent_factor_only() -> None:
    free = [Game("Ada", "Bo", "B+", date=DAY + timedelta(days=i), kind="free") for i in range(3)]
    lines = SAGC().rate(club(*free, Game("Ada", "Bo", "B+", date="2025-06-01"), Ada="5k", Bo="5k")).explain("Ada")
    assert [line.change for line in lines[:3]] == [0, 0, 0]
    assert lines[3].reason.factors[2].value == pytest.approx(0.7)


def test_only_the_previous_ten_games_count_for_the_opponent_factor() -> None:
    games = [Game("Ada", "Bo", "B+", date=DAY)] + [
        Game("Ada", f"Guest {i}", "B+", date=DAY + timedelta(days=1 + i)) for i in range(10)
    ]
    lines = SAGC().rate(Ledger.of([*games, Game("Ada", "Bo", "B+", date="2025-06-01")])).explain("Ada")
    assert lines[-1].reason.factors[2].value == 1.0


def test_a_synchronised_rank_starts_at_index_zero() -> None:
    games = [Game("Ada", "Bo", "B+", date=DAY), Game("Ada", "Bo", "B+", date="2025-05-01")]
    sync = Adjustment("Ada", "3k", None, "2025-04-01", "national list")
    lines = SAGC().rate(Ledger.of(games, [sync])).explain("Ada")
    assert [(line.game, line.rank_before, line.rank_after) for line in lines][1] == (None, "29k", "3k")
    assert (lines[1].after, lines[2].before) == (0.0, 0.0)


def test_points_settled_by_the_month() -> None:
    games = [Game("Ada", "Bo", "B+", date=day) for day in ("2025-03-01", "2025-03-31", "2025-04-01")]
    lines = Points(settle="month").rate(club(*games, Ada=100, Bo=100)).explain("Ada")
    assert [line.reason.facts["points held"] for line in lines] == [100.0, 100.0, 102.0]


def test_the_fourth_game_of_a_day_with_one_opponent_is_not_rated() -> None:
    games = [Game("Ada", "Bo", "B+", date=DAY, entry=i) for i in range(4)] + [
        Game("Ada", "Cy", "B+", date=DAY, entry=5)
    ]
    ratings = Points().rate(club(*games, Ada=100, Bo=100))
    assert now(ratings, "Ada") == 104.0
    assert [line.note for line in ratings.explain("Ada")][3].startswith("not rated: one game too many")
    assert now(Points(daily_limit=0).rate(club(*games, Ada=100, Bo=100)), "Ada") == 105.0


def test_below_200_points_two_points_move_at_the_mami_club() -> None:
    ratings = Points(card="mami12").rate(club(Game("Ada", "Bo", "B+"), Ada=199, Bo=200))
    assert (now(ratings, "Ada"), now(ratings, "Bo")) == (201.0, 199.0)  # each by the step of his own points


def test_a_jigo_follows_the_card() -> None:
    game = Game("Ada", "Bo", "jigo")
    assert now(Points(card="tagajo12").rate(club(game, Ada=100, Bo=110)), "Ada") == 99.0  # a tie is White's
    assert now(Points(card="takadanobaba18").rate(club(game, Ada=100, Bo=110)), "Ada") == 100.0
    assert now(Points(card="tagajo12", jigo="unchanged").rate(club(game, Ada=100, Bo=110)), "Ada") == 100.0


def test_games_at_other_terms_than_the_cards_are_refused_on_request() -> None:
    right = Game("Ada", "Bo", "B+", handicap=2, komi=-1.5, date=DAY)
    wrong = Game("Ada", "Bo", "B+", handicap=4, komi=0.5, date=DAY + timedelta(days=1))
    strict = Points(card="tokyo15", conditions="card").rate(club(right, wrong, Ada=215, Bo=238))
    assert strict.unrated_counts == {"not at the terms of the card": 1}
    assert now(strict, "Ada") == 216.0
    loose = Points(card="tokyo15").rate(club(right, wrong, Ada=215, Bo=238))
    assert [line.reason.facts["played at these terms"] for line in loose.explain("Ada")] == [True, False]


def test_forfeits_move_points_on_request() -> None:
    ledger = club(Game("Ada", "Bo", "B+F"), Ada=100, Bo=100)
    assert now(Points().rate(ledger), "Ada") == 100.0
    assert now(Points(forfeits="rated").rate(ledger), "Ada") == 101.0


@pytest.mark.parametrize(("rank", "points"), [("9k", 22), ("1k", 118), ("1d", 130), ("8d", 214), ("11k", -2)])
def test_entry_points_follow_the_rank(rank: str, points: float) -> None:
    # source: Points Rating System, initial points of the Tagajo branch, continued below 9k
    system = Points()
    assert system.standing(rank).rating == points
    assert str(system.rank(points)) == rank


def test_an_unknown_card_is_refused_by_name() -> None:
    with pytest.raises(SettingError, match="card='tokyo16' is not one of"):
        Points(card="tokyo16")


def test_a_game_on_a_small_board_is_not_rated() -> None:
    ratings = EGF().rate(Ledger.of([Game("Ada", "Bo", "B+", size=9)]))
    assert ratings.unrated_counts == {"not on a 19x19 board": 1}


def test_a_handicap_of_unknown_colours_is_ignored() -> None:
    ledger = club(Game("Ada", "Bo", "P1+", handicap=5, komi=0.5), Ada=2000, Bo=2000)
    even = club(Game("Ada", "Bo", "B+", komi=6.5), Ada=2000, Bo=2000)
    for system in (EGF(), EGFClassic(), Elo(stone=100.0), SAGC()):
        np.testing.assert_allclose(system.rate(ledger).rating, system.rate(even).rating)


@pytest.mark.parametrize("rules", [EGF(), EGFClassic()])
def test_amateurs_of_8_and_9_dan_enter_the_european_scale_at_its_last_grade(rules: EGF) -> None:
    """The published scale ends at 7 dan, which is 1 professional dan; a title stands above no professional."""
    ratings = {rank: rules.rating_for(Rank.parse(rank)) for rank in ("7d", "8d", "9d", "1p", "2p", "4p")}
    assert ratings == {"7d": 2700.0, "8d": 2700.0, "9d": 2700.0, "1p": 2700.0, "2p": 2730.0, "4p": 2790.0}
    game = Game("Ada", "Bo", "B+", "2026-01-01", black_rank="8d", white_rank="4p", komi=6.5)
    assert rules.rate(Ledger.of([game])).arrays.before.tolist() == [[2700.0, 2790.0]]
