"""TrueSkill: the integral that it approximates, draws, days, absence and adjustments."""

from __future__ import annotations

import math
from datetime import date, timedelta
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.ledger import Adjustment, Game, Ledger
from handan.ratings import Standing
from handan.systems import TrueSkill
from handan.systems.trueskill import TrueSkillExtra
from tests.conftest import examples
from tests.forecasts import chance_of
from tests.naive.trueskill import after_game
from tests.vectors.adapters.glicko import trueskill_1v1

BETA, TAU = 25 / 6, 25 / 300
DAY = date(2025, 3, 3)
even = (25.0, 25.0 / 3.0)


skills = st.tuples(st.floats(10.0, 40.0), st.floats(1.0, 9.0))


@settings(max_examples=examples(10))
@given(skills, skills, st.sampled_from([0.05, 0.1, 0.5]), st.sampled_from([1.0, 0.5, 0.0]))
def test_the_closed_form_is_the_integral(
    one: tuple[float, float], other: tuple[float, float], p_draw: float, score: float
) -> None:
    integral = after_game(one, other, score, BETA, TAU, p_draw)
    first, second = (other, one) if score == 0.0 else (one, other)
    closed = trueskill_1v1(first, second, draw_probability=p_draw, drawn=score == 0.5)
    assert (closed[2:] + closed[:2] if score == 0.0 else closed) == pytest.approx(integral, rel=1e-5, abs=1e-5)


def test_a_ledger_moves_both_players_as_the_closed_form_says() -> None:
    games = [("B+", "Ada"), ("jigo", "Ada"), ("W+", "Ada"), ("B+", "Bo")]
    ratings = TrueSkill().rate(
        Ledger.of(
            [
                Game(black, "Bo" if black == "Ada" else "Ada", result, round=i)
                for i, (result, black) in enumerate(games, 1)
            ]
        )
    )
    ada, bo = even, even
    for ada_wins in (True, None, False, False):
        one, other = (bo, ada) if ada_wins is False else (ada, bo)
        mu1, sigma1, mu2, sigma2 = trueskill_1v1(one, other, drawn=ada_wins is None)
        ada, bo = ((mu2, sigma2), (mu1, sigma1)) if ada_wins is False else ((mu1, sigma1), (mu2, sigma2))
    assert ratings.deviation is not None
    assert ratings.rating == pytest.approx([ada[0], bo[0]], rel=1e-12)
    assert ratings.deviation == pytest.approx([ada[1], bo[1]], rel=1e-12)
    cautious = ratings.explain("Ada")[-1].reason.facts["mu - 3 sigma after the game"]
    assert cautious == pytest.approx(ada[0] - 3 * ada[1])
    for line in ratings.explain("Ada"):
        assert line.reason.value == pytest.approx(line.change, rel=1e-9, abs=1e-12)


def test_without_draws_a_jigo_is_not_rated_and_the_reason_says_so() -> None:
    ratings = TrueSkill(p_draw=0.0).rate(Ledger.of([Game("Ada", "Bo", "jigo"), Game("Ada", "Bo", "B+")]))
    assert ratings.rated == 1
    assert ratings.unrated_counts == {"a jigo, and p_draw is 0": 1}
    small = TrueSkill(p_draw=0.0).rate(Ledger.of([Game("Ada", "Bo", "jigo", size=13)]))
    assert list(small.unrated_counts) == ["not on a 19x19 board"]


@pytest.mark.parametrize(("least", "mu", "sigma"), [(40.0, 40.0, 2.0), (30.0, 37.5, 5.0)])
def test_the_deviation_of_a_lower_bound_counts_where_the_bound_does(least: float, mu: float, sigma: float) -> None:
    entries = [Adjustment("Ada", "1d"), Adjustment("Ada", None, least, deviation=2.0, at_least=True)]
    ratings = TrueSkill().rate(Ledger.of([], entries))
    assert ratings.deviation is not None
    assert (ratings.rating[0], ratings.deviation[0]) == (mu, pytest.approx(sigma))


def test_a_surprise_moves_more_and_the_less_certain_player_moves_more() -> None:
    expected, upset = trueskill_1v1((30, 3), (20, 3)), trueskill_1v1((20, 3), (30, 3))
    assert upset[0] - 20 > expected[0] - 30
    one = trueskill_1v1((25, 6), (25, 2))
    assert one[0] - 25 > 25 - one[2]


def test_absence_widens_sigma_only_where_tau_is_per_day() -> None:
    games = [Game("Ada", "Bo", "B+", date=DAY), Game("Cy", "Dee", "B+", date=DAY + timedelta(days=30))]
    per_game, per_day = (TrueSkill(tau=0.5, tau_per=per).rate(Ledger.of(games)) for per in ("game", "day"))
    assert per_game.deviation is not None
    assert per_day.deviation is not None
    assert per_game.deviation[0] == pytest.approx(trueskill_1v1(even, even, tau=0.5)[1])
    still = trueskill_1v1(even, even, tau=0.0)[1]
    assert per_day.deviation[0] == pytest.approx(math.sqrt(still**2 + 30 * 0.25))


def test_stones_and_the_first_move_lower_what_black_gains() -> None:
    def gain(result: str, **settings: float) -> float:
        game = Game("Ada", "Bo", result, handicap=4, komi=0.5)
        return float(TrueSkill(**settings).rate(Ledger.of([game])).arrays.change[0, 0])  # type: ignore[arg-type]

    assert gain("B+", stone=1.0) < gain("B+", stone=0.0, advantage=1.0) < gain("B+", stone=0.0)
    assert gain("P1+", stone=1.0) == gain("B+", stone=0.0)


def test_a_later_mu_or_rank_makes_a_player_as_uncertain_as_an_entry_by_rank() -> None:
    games = [Game("Ada", "Bo", "B+", date=DAY + timedelta(days=i)) for i in range(10)]
    later = DAY + timedelta(days=5)
    ratings = TrueSkill().rate(
        Ledger.of(games, [Adjustment("Ada", None, 30.0, later), Adjustment("Bo", "3k", None, later)])
    )
    assert np.sqrt(TrueSkillExtra.of(ratings).onset_variance)[5] == pytest.approx(math.hypot(5.0, TAU))
    assert ratings.arrays.before[5].tolist() == [30.0, 37.5 - 3 * 1.75]  # 1 dan at 37.5, 1.75 a rank


def test_chances_include_both_deviations() -> None:
    # Phi((mu1 - mu2) / sqrt(2 beta^2 + sigma1^2 + sigma2^2)); with no deviation and a lead of sqrt(2) beta it is Phi(1)
    lead = math.sqrt(2.0) * BETA
    certain = Standing("a", lead, 0.0), Standing("b", 0.0, 0.0)
    assert chance_of(TrueSkill(p_draw=0.0), *certain, 0, 6.5) == pytest.approx(0.8413447461)
    assert chance_of(TrueSkill(), Standing("a", lead, 8.0), Standing("b", 0.0, 8.0), 0, 6.5) < 0.7


@pytest.mark.parametrize("p_draw", [0.0, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("gap", [0.0, 3.0, 10.0])
def test_the_forecast_is_the_expected_score_under_the_law_of_the_update(p_draw: float, gap: float) -> None:
    # by hand from the draw margin: (Phi(x - e) + Phi(x + e)) / 2; between equals the draw itself has p_draw
    normal, scale = NormalDist(), math.sqrt(2.0 * BETA**2 + 3.0**2 + 2.0**2)
    x, e = gap / scale, normal.inv_cdf((p_draw + 1.0) / 2.0) * math.sqrt(2.0) * BETA / scale
    one, other = Standing("a", 20.0 + gap, 3.0), Standing("b", 20.0, 2.0)
    expected = 0.5 * (normal.cdf(x - e) + normal.cdf(x + e))
    assert chance_of(TrueSkill(p_draw=p_draw), one, other, 0, 6.5) == pytest.approx(expected, abs=1e-12)
    assert chance_of(TrueSkill(p_draw=p_draw), other, one, 0, 6.5) == pytest.approx(1.0 - expected, abs=1e-12)


def test_a_forecast_with_draws_is_as_published() -> None:
    # github.com/wdm0006/elote, pull request 111: mu 30 against 20, p_draw 0.5: (Phi(1.0226) + Phi(2.3715)) / 2
    score = chance_of(TrueSkill(p_draw=0.5), Standing("a", 30.0), Standing("b", 20.0), 0, 6.5)
    assert score == pytest.approx(0.91893, abs=2e-5)


def test_the_chance_of_a_draw_that_a_forecast_counts_is_that_of_many_simulated_games() -> None:
    dice, gap, margin = np.random.default_rng(1), 4.0, NormalDist().inv_cdf(0.65) * math.sqrt(2.0) * BETA
    lead = gap + math.sqrt(2.0) * BETA * dice.standard_normal(400_000)
    score = float(np.where(np.abs(lead) <= margin, 0.5, lead > 0.0).mean())
    assert chance_of(TrueSkill(p_draw=0.3), Standing("a", gap), Standing("b", 0.0), 0, 6.5) == pytest.approx(
        score, abs=0.003
    )


def test_hopeless_upsets_stay_finite() -> None:
    entry = [Adjustment("Ada", None, 90000.0), Adjustment("Bo", None, -90000.0)]
    for result in ("W+", "jigo", "B+"):
        ratings = TrueSkill(beta=0.01, sigma=0.01).rate(Ledger.of([Game("Ada", "Bo", result)], entry))
        assert np.isfinite(ratings.rating).all()
        assert np.isfinite(ratings.arrays.deviations).all()  # type: ignore[arg-type]
