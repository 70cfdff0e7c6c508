"""Dragon Go Server: the knots of con, the band, and a twin written from the description."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handan.ledger import Adjustment, Game, Ledger
from handan.ratings import Standing
from handan.systems.dgs import DGS, centred, con, conventional, initial_band, moved, proper, scale, size_factor, stones
from tests.clubs import a_club
from tests.naive import dgs as naive

EVEN = {"komi": 6.5, "kind": "club"}
RATINGS = st.floats(-900, 3000)
HALVES = st.floats(20, 600)


def test_the_knots_of_con_are_met_and_joined_by_lines() -> None:
    # the table of the server's code; below 100 its first piece goes on
    table = {-900: 176, 100: 116, 200: 110, 750: 82.5, 1300: 55, 2000: 27, 2400: 15, 2600: 11, 2700: 10, 9999: 10}
    assert [con(rating) for rating in table] == pytest.approx(list(table.values()), abs=1e-9)
    assert [scale(rating) for rating in (-900, 100, 2700, 9000)] == [250, 200, 70, 70]


@given(
    white=st.tuples(RATINGS, HALVES),
    black=st.tuples(RATINGS, HALVES),
    t=st.sampled_from([0.0, 0.5, 1.0]),
    size=st.sampled_from([5, 9, 13, 19, 25]),
    komi=st.floats(-30, 30),
    handicap=st.integers(0, 9),
)
def test_one_game_equals_the_twin(
    white: tuple[float, float], black: tuple[float, float], t: float, size: int, komi: float, handicap: int
) -> None:
    one, other = ((r, r - half, r + half) for r, half in (white, black))
    expected = naive.update(one, other, t, size, komi, handicap)
    shared = (stones(handicap, komi, size), size_factor(size), 0.0 if t == 0.5 else 0.014)
    assert moved(1, one, other, t, *shared) == pytest.approx(expected[0], rel=1e-9, abs=1e-6)
    assert moved(0, other, one, 1 - t, *shared) == pytest.approx(expected[1], rel=1e-9, abs=1e-6)


def test_a_season_equals_the_twin() -> None:
    ledger = a_club()
    system = DGS()
    ratings = system.rate(ledger)
    entry = {p.name: 2100.0 - 100.0 * (12 - number) for number, p in enumerate(ledger.players)}  # 12k to 1k
    states = {name: (rating, *initial_band(rating)) for name, rating in entry.items()}
    reset = {adjusted.place for adjusted in ratings.arrays.adjusted}
    for place, index in enumerate(ratings.arrays.sequence):
        if place in reset:
            states["Goro"] = (1800.0, *initial_band(1800.0))  # 3k, set by hand
        game = ledger[int(index)]
        t = 1 - float(ledger.arrays.score[index])
        after = naive.update(states[game.white], states[game.black], t, 19, game.komi or 0.0, game.handicap)
        states[game.white], states[game.black] = after
    np.testing.assert_allclose(ratings.rating, [states[p.name][0] for p in ledger.players], atol=1e-6)
    widths = [(high - low) / 2 for _, low, high in (states[p.name] for p in ledger.players)]
    assert ratings.deviation == pytest.approx(widths, abs=1e-6)


@given(rating=RATINGS, low=st.floats(-3000, 4000), width=st.floats(1, 2000))
def test_the_rating_stays_off_both_ends_of_its_band(rating: float, low: float, width: float) -> None:
    bottom, top = centred(rating, low, low + width)
    margin = 3 / 8 * (top - bottom)
    assert top > bottom
    # the first rule may leave the other end nearer than the margin only if it was moved last; both hold to rounding
    assert rating <= top - margin + 1e-6 or bottom == low
    assert rating >= bottom + margin - 1e-6


def test_in_a_jigo_nobody_gives_up_expected_score() -> None:
    # worked figure of the reference: white 2100, black 2000, jigo, even, komi 6.5
    game = Game("Bo", "Ada", "jigo", **EVEN)  # type: ignore[arg-type]
    ledger = Ledger.of([game], [Adjustment("Ada", None, 2100.0), Adjustment("Bo", None, 2000.0)])
    assert DGS().rate(ledger).rating == pytest.approx([2094.681750, 2005.983031], abs=1e-6)


def test_no_rating_falls_below_30_kyu_and_the_card_says_so() -> None:
    games = [Game("Ada", "Bo", "W+R", date=f"2025-01-{day:02}", **EVEN) for day in range(1, 21)]  # type: ignore[arg-type]
    ledger = Ledger.of(games, [Adjustment(name, None, -890.0) for name in ("Ada", "Bo")])
    ratings = DGS().rate(ledger)
    assert ratings.rating[0] == -900
    first = ratings.explain("Ada", 1)[0]
    assert first.reason.factors[-1].name == "floor"
    assert first.reason.value == pytest.approx(first.change, abs=1e-9)


def test_small_boards_count_less_and_make_handicaps_worth_more() -> None:
    # the law: a 9x9 game counts (9/19)^2, and a stone there is 256/36 ranks
    assert size_factor(9) == pytest.approx((9 / 19) ** 2, abs=1e-15)
    assert stones(2, 6.5, 9) == pytest.approx(256 / 36, abs=1e-12)


def test_games_that_were_hardly_begun_and_other_boards_are_not_rated() -> None:
    games = [
        Game("Ada", "Bo", "B+R", moves=12, handicap=3),
        Game("Ada", "Bo", "B+R", moves=13, handicap=3),
        Game("Ada", "Bo", "B+R", size=37),
    ]
    counts = DGS().rate(Ledger.of(games)).unrated_counts
    assert counts == {"ended after too few moves": 1, "not on a board of 5 to 25 lines": 1}


@pytest.mark.parametrize(
    ("difference", "terms"), [(0, (1, 6.5)), (100, (2, 6.5)), (60, (1, -1.5)), (50, (1, 0.0)), (1200, (9, -45.5))]
)
def test_proper_handicap_leaves_the_rest_to_komi(difference: float, terms: tuple[int, float]) -> None:
    # Hh = d/100 + 0.5 on 19x19, komi = round(26 (stones - Hh)) / 2; at 1200 points the cap of nine stones holds
    assert proper(difference) == terms
    assert proper(-difference) == terms


def test_conventional_handicap_is_a_stone_a_rank() -> None:
    assert [conventional(d) for d in (0, 49, 50, 300)] == [(0, 6.5), (0, 6.5), (1, 0.5), (3, 0.5)]


def test_proper_terms_make_the_chances_even() -> None:
    system = DGS()
    for difference in (0, 40, 130, 270, 555):
        one, other = Standing("Ada", 1500.0 + difference), Standing("Bo", 1500.0)
        terms = system.fair_terms(one, other)
        chance = system.win_probability(other, one, max(terms.stones_on_board, 1), terms.komi)
        assert chance == pytest.approx(0.5, abs=0.01)  # half a point of komi is 1/26 of a stone


def test_unknown_colours_carry_no_handicap_and_nobody_gives_up_epsilon() -> None:
    unknown = Ledger.of([Game("Ada", "Bo", "P1+", handicap=4, komi=0.5)])
    even = Ledger.of([Game("Ada", "Bo", "B+R", handicap=0, komi=6.5)])
    np.testing.assert_allclose(DGS().rate(unknown).rating, DGS(epsilon=0.0).rate(even).rating, atol=1e-12)


@pytest.mark.parametrize(("ada", "bo"), [(1500.0, 1500.0), (1500.0, 1650.0)])
def test_the_order_of_columns_says_nothing_where_colours_are_not_known(ada: float, bo: float) -> None:
    entry = [Adjustment("Ada", None, ada), Adjustment("Bo", None, bo)]
    one, other = (DGS().rate(Ledger.of([game], entry)) for game in (Game("Ada", "Bo", "P1+"), Game("Bo", "Ada", "P2+")))
    np.testing.assert_array_equal(one.rating, other.rating)
    for line in one.explain("Ada"):
        assert line.reason.value == pytest.approx(line.change, abs=1e-9)
