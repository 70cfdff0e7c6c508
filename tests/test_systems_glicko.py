"""Glicko and Glicko-2: slow twins over random ledgers, periods, absence, adjustments, handicap."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, timedelta
from itertools import groupby
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handan.errors import SettingError
from handan.ledger import Adjustment, Game, Ledger
from handan.ratings import Ratings, Standing
from handan.systems import Glicko, Glicko2
from handan.systems.core.periods import Period, calendar, first_day
from handan.systems.families.glickman import Glickman, Onsets
from handan.systems.glicko2 import SCALE, Glicko2Extra, new_sigma2
from tests.naive import glicko as naive
from tests.naive import glicko2 as naive2
from tests.vectors.adapters.glicko import glicko_2

MONDAY = date(2025, 3, 3)
SYSTEMS = (Glicko, Glicko2)
PLAYERS = ("Ada", "Bo", "Cy", "Dee")
Row = tuple[int, str, str, float]
rows = st.lists(
    st.tuples(
        st.integers(0, 120),
        st.permutations(PLAYERS).map(lambda names: names[:2]),
        st.sampled_from([0.0, 0.5, 1.0]),
    ).map(lambda row: (row[0], row[1][0], row[1][1], row[2])),
    min_size=1,
    max_size=25,
).map(lambda rows: sorted(rows, key=lambda row: row[0]))


def day(number: int) -> date:
    return MONDAY + timedelta(days=number)


def ledger_of(games: list[Row]) -> Ledger:
    result = {0.0: "W+", 0.5: "jigo", 1.0: "B+"}
    return Ledger.of(
        [
            Game(black, white, result[score], date=day(number), round=i)
            for i, (number, black, white, score) in enumerate(games, 1)
        ]
    )


def now(ratings: Ratings, name: str) -> tuple[float, float]:
    player = ratings.ledger.find(name)
    assert ratings.deviation is not None
    return float(ratings.rating[player]), float(ratings.deviation[player])


def near(ratings: Ratings, expected: Mapping[str, tuple[float, ...]]) -> None:
    assert {player.name for player in ratings.ledger.players} == expected.keys()
    for name, (rating, deviation, *_) in expected.items():
        assert now(ratings, name) == pytest.approx((rating, deviation), rel=1e-9), name


@given(rows)
def test_glicko_by_months_agrees_with_its_twin(games: list[Row]) -> None:
    periods = [
        (float(month), [row[1:] for row in group])
        for month, group in groupby(
            games, key=lambda row: int(calendar("month", np.array([day(row[0]).toordinal() - 719163]))[0])
        )
    ]
    near(Glicko(period="month", c=40.0).rate(ledger_of(games)), naive.rate(periods, periods[-1][0], 1600.0))


@given(rows)
def test_glicko_game_by_game_agrees_with_its_twin(games: list[Row]) -> None:
    periods = [(float(row[0]), [row[1:]]) for row in games]
    near(Glicko(period="game", w2=300.0).rate(ledger_of(games)), naive.rate(periods, periods[-1][0], 300.0))


def test_many_players_game_by_game_agree_with_the_twin() -> None:
    """Games of different players are taken side by side, up to one whose player is among them."""
    rng = np.random.default_rng(20_261_123)
    games: list[Row] = []
    for number in np.sort(rng.integers(0, 40, 300)).tolist():
        black, white = rng.choice(150, 2, replace=False).tolist()
        games.append((number, f"p{black:03}", f"p{white:03}", float(rng.choice([0.0, 0.5, 1.0]))))
    periods = [(float(row[0]), [row[1:]]) for row in games]
    near(Glicko(period="game").rate(ledger_of(games)), naive.rate(periods, periods[-1][0], 20.0))


@given(rows)
def test_glicko_by_days_agrees_with_its_twin(games: list[Row]) -> None:
    periods = [(float(number), [row[1:] for row in group]) for number, group in groupby(games, key=lambda row: row[0])]
    near(Glicko(period="day").rate(ledger_of(games)), naive.rate(periods, periods[-1][0], 20.0))


@given(rows, st.sampled_from([0.3, 0.5, 1.2]))
def test_glicko2_by_weeks_agrees_with_its_twin(games: list[Row], tau: float) -> None:
    weeks = range(games[0][0] // 7, games[-1][0] // 7 + 1)
    periods = [[row[1:] for row in games if row[0] // 7 == week] for week in weeks]
    expected = naive2.rate(periods, tau)
    ratings = Glicko2(tau=tau, max_deviation=1e4).rate(ledger_of(games))
    near(ratings, expected)
    for name, (*_, volatility) in expected.items():
        assert Glicko2Extra.of(ratings).volatility[ratings.ledger.find(name)] == pytest.approx(volatility, rel=1e-9)


def of_one_period(system: Glickman) -> Ratings:
    """Rate two games of one event."""
    games = [Game("Ada", "Bo", "B+", date=MONDAY, event="Open"), Game("Ada", "Cy", "W+", date=MONDAY, event="Open")]
    adjustments = [Adjustment("Ada", None, 1500.0), Adjustment("Bo", None, 1400.0), Adjustment("Cy", None, 1550.0)]
    return system.rate(Ledger.of(games, adjustments))


@pytest.mark.parametrize("cls", SYSTEMS)
def test_games_of_a_period_count_from_its_onset_and_add_up(cls: type[Glickman]) -> None:
    ratings = of_one_period(cls(period="event"))
    first, second = ratings.explain("Ada")
    assert first.before == 1500.0
    assert second.before == pytest.approx(first.after)
    assert first.change + second.change == pytest.approx(now(ratings, "Ada")[0] - 1500.0)
    assert Onsets.of(ratings).rated_from[:, 0].tolist() == [1500.0, 1500.0]
    for line in (first, second):
        assert line.reason.value == pytest.approx(line.change, rel=1e-9)


def test_order_within_a_period_changes_no_rating() -> None:
    games: list[Row] = [(0, "Ada", "Bo", 1.0), (0, "Bo", "Cy", 0.5), (0, "Cy", "Ada", 1.0)]
    one, other = (Glicko2().rate(ledger_of(order)) for order in (games, games[::-1]))
    np.testing.assert_allclose(one.rating, other.rating, rtol=1e-12)


def test_a_strong_player_who_loses_ten_games_falls_and_turns_volatile() -> None:
    # the definition; a well-known program puts the rating where the paper has the deviation, which shows away from 1500
    opponent, own = (0.0, 50 / SCALE, 0.06), (700 / SCALE, 60 / SCALE, 0.06)
    mu, phi, sigma = naive2.after_period(own, [(opponent, 0.0)] * 10, 0.5)
    got = glicko_2(2200, 60, 0.06, [(1500, 50, 0)] * 10)
    assert (got["rating"], got["rd"], got["vol"]) == pytest.approx((1500 + SCALE * mu, SCALE * phi, sigma), rel=1e-9)
    assert (got["rating"], got["vol"]) == pytest.approx((1997.14, 0.061279), rel=1e-5)


@given(
    st.floats(0.02, 4.0),
    st.floats(0.01, 0.5),
    st.floats(0.01, 50.0),
    st.floats(-30.0, 30.0),
    st.sampled_from([0.3, 1.2]),
)
def test_the_volatility_is_the_root_that_halving_finds(
    phi: float, sigma: float, v: float, ratio: float, tau: float
) -> None:
    delta = ratio * math.sqrt(phi * phi + v)
    new = math.sqrt(new_sigma2(sigma * sigma, delta * delta, phi * phi + v, tau**-2.0))
    assert new == pytest.approx(naive2.volatility(phi, sigma, v, delta, tau), rel=1e-8)


def test_the_chance_tends_to_even_with_the_deviations() -> None:
    # the definition: E with g of both deviations; a well-known program loses them
    chances = [Glicko().win_probability(Standing("a", 1500, d), Standing("b", 1400, d), 0, 6.5) for d in (50.0, 350.0)]
    assert chances == pytest.approx([naive.expected(1500, 1400, d * math.sqrt(2)) for d in (50.0, 350.0)])
    assert chances == pytest.approx([0.637, 0.58], abs=0.005)


def test_absence_widens_the_deviation_as_the_root_of_the_time() -> None:
    early = ledger_of([(0, "Ada", "Bo", 1.0)])
    later = ledger_of([(0, "Ada", "Bo", 1.0), (100, "Cy", "Dee", 1.0)])
    rating, deviation = now(Glicko().rate(early), "Ada")
    assert now(Glicko().rate(later), "Ada") == pytest.approx((rating, min(350.0, math.sqrt(deviation**2 + 2000.0))))


def test_a_deviation_does_not_grow_beyond_its_cap_nor_sink_below_its_floor() -> None:
    games: list[Row] = [(0, "Ada", "Bo", 1.0), (4000, "Cy", "Dee", 1.0)]
    for system in (Glicko(w2=100.0), Glicko2(volatility=0.3)):
        assert now(system.rate(ledger_of(games)), "Ada")[1] == pytest.approx(350.0)
    many: list[Row] = [(i, "Ada", "Bo", float(i % 2)) for i in range(60)]
    for cls in SYSTEMS:
        ratings = cls(min_deviation=120.0, period="game").rate(ledger_of(many))
        assert float(np.sqrt(Onsets.of(ratings).variance).min()) * ratings.arrays.deviation_unit == pytest.approx(120.0)


@pytest.mark.parametrize("cls", SYSTEMS)
def test_a_rating_set_by_hand_is_as_uncertain_as_an_entry_by_rank(cls: type[Glickman]) -> None:
    games: list[Row] = [(i, "Ada", "Bo", float(i % 2)) for i in range(20)]
    later = Adjustment("Ada", None, 1800.0, day(15))
    for period in get_args(Period):
        ledger = ledger_of(games)
        ratings = cls(period=period).rate(ledger.with_adjustments([later]))
        after = np.flatnonzero(Onsets.of(ratings).rated_from[:, 0] == 1800.0)
        onset = ratings.arrays.deviation_unit * np.sqrt(Onsets.of(ratings).variance)
        assert ratings.deviation is not None
        deviation = onset[after[0], 0] if len(after) else ratings.deviation[0]  # all games lie in one month
        assert deviation == pytest.approx(250.0), period
        assert ratings.arrays.adjusted[0].after == 1800.0


def test_a_calendar_period_needs_dates_and_others_do_not() -> None:
    ledger = Ledger.of([Game("Ada", "Bo", "B+"), Game("Bo", "Ada", "B+")])
    assert Glicko2().rate(ledger).rated == 0
    assert Glicko2(period="game").rate(ledger).rated == 2
    ratings = Glicko().rate(ledger)
    assert ratings.rated == 2
    assert any("no game has a date" in warning for warning in ratings.warnings)


def test_stones_count_only_where_they_are_worth_something_and_colours_are_known() -> None:
    def lead(result: str, stone: float) -> float:
        game = Game("Ada", "Bo", result, date=MONDAY, handicap=3, komi=0.5)
        return float(Glicko(stone=stone).rate(Ledger.of([game])).arrays.change[0, 0])

    even = lead("B+", 0.0)
    assert lead("B+", 100.0) < even
    assert lead("P1+", 100.0) == pytest.approx(even)
    # the law in one line: the worth is added to Black's rating inside E
    worth = 100.0 * (2 + 6 / 13)
    players = {"Ada": naive.Player(1500.0 + worth, 350.0, 0.0), "Bo": naive.Player(1500.0, 350.0, 0.0)}
    after, _ = naive.after_period("Ada", [("Ada", "Bo", 1.0)], players)
    assert lead("B+", 100.0) == pytest.approx(after - 1500.0 - worth)


def test_weeks_begin_on_monday_and_months_on_their_first() -> None:
    monday = np.array([MONDAY.toordinal() - date(1970, 1, 1).toordinal()])
    assert calendar("week", monday)[0] == calendar("week", monday + 6)[0] == calendar("week", monday + 7)[0] - 1
    assert first_day("week", monday + 5)[0] == monday[0]
    assert first_day("month", monday)[0] == monday[0] - 2  # 1 March 2025
    assert first_day("day", monday)[0] == monday[0]


@pytest.mark.parametrize("cls", SYSTEMS)
def test_extreme_ratings_and_long_series_stay_finite(cls: type[Glickman]) -> None:
    games = [Game("Ada", "Bo", "W+", date=day(i // 30)) for i in range(300)]
    entry = [Adjustment("Ada", None, 90000.0), Adjustment("Bo", None, -90000.0)]
    for period in get_args(Period):
        ratings = cls(period=period).rate(Ledger.of(games, entry))
        assert np.isfinite(ratings.rating).all(), period
        assert np.isfinite(ratings.arrays.change).all(), period


def test_a_deviation_above_the_largest_is_refused_by_name() -> None:
    with pytest.raises(SettingError, match="start_deviation"):
        Glicko(start_deviation=400.0)
    with pytest.raises(SettingError, match="min_deviation"):
        Glicko2(min_deviation=360.0)
