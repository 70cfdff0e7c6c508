"""American Go Association: BayRate's gap, its seeding rules, Accelrat beside it, and a twin."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from handan.errors import SettingError
from handan.kernels.incremental.bayrate import fit, misfit, new_sigmas
from handan.ledger import Adjustment, Game, Ledger
from handan.ratings import Standing
from handan.systems import system
from handan.systems.accelrat import Accelrat
from handan.systems.aga import (
    AGA,
    KNOT,
    SIGMAS,
    AGAExtra,
    accelrat_law,
    bayrate_law,
    closed,
    initial_sigma,
    reopened,
    seeding,
)
from tests.clubs import NAMES, a_club, games_of_a_club
from tests.naive import aga as naive

Column = NDArray[np.float64]
Indices = NDArray[np.int64]
Columns = tuple[Indices, Indices, Column, Column, Column, Column, Column, Column]


def event(seeds: list[float], sigmas: list[float], games: list[tuple[int, int, int, float, bool]]) -> Columns:
    """Return the columns of an event: seeds on the open scale; games (white, black, stones, komi, White won)."""
    terms = [bayrate_law(stones, komi) for *_, stones, komi, _ in games]
    return (
        np.array([black for _, black, *_ in games], dtype=np.int64),
        np.array([white for white, *_ in games], dtype=np.int64),
        np.array([1.0 if won else -1.0 for *_, won in games]),
        np.array([e for e, _ in terms]),
        np.array([s for _, s in terms]),
        np.array([closed(seed) for seed in seeds]),
        np.array(sigmas),
        np.array([closed(seed) for seed in seeds]),
    )


def solved(columns: Columns) -> tuple[list[float], list[float]]:
    """Return ratings on the open scale and deviations."""
    fit.for_work(1)(*columns)
    deviations = new_sigmas.for_work(1)(*columns, False)
    return [reopened(place) for place in columns[-1].tolist()], deviations.tolist()


def test_kyu_and_dan_meet_across_the_gap() -> None:
    games = [(0, 1, 0, 7.5, False), (2, 0, 2, 0.5, True), (2, 1, 4, 0.5, False), (0, 1, 1, 0.5, True)]
    ratings, sigmas = solved(event([1.5, -1.2, 3.4], [0.6, 0.8, initial_sigma(closed(3.4))], games))
    # worked example of the reference
    assert ratings == pytest.approx([1.301719, -1.015013, 3.717126], abs=1e-6)
    assert sigmas == pytest.approx([0.477098, 0.577263, 0.822811], abs=1e-6)


PLAYERS = 5
RESULTS = st.lists(
    st.tuples(
        st.permutations(range(PLAYERS)).map(lambda order: (order[0], order[1])),
        st.integers(0, 9),
        st.floats(-9, 9),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


@hypothesis_settings(max_examples=25)
@given(
    seeds=st.lists(st.floats(-4, 4), min_size=PLAYERS, max_size=PLAYERS),
    sigmas=st.lists(st.floats(0.3, 3), min_size=PLAYERS, max_size=PLAYERS),
    results=RESULTS,
)
def test_an_event_equals_the_twin(seeds: list[float], sigmas: list[float], results: list[Any]) -> None:
    columns = event(seeds, sigmas, [(*pair, stones, komi, won) for pair, stones, komi, won in results])
    _, deviations = solved(columns)
    black, white, sign, e, s, seed, sigma, mode = columns
    games = [(int(w), int(b), int(v), *rest) for w, b, v, *rest in zip(white, black, sign, e, s, strict=True)]
    np.testing.assert_allclose(mode, naive.fit(seed, sigma, games), atol=1e-8)
    expected = [naive.new_sigma(player, mode, seed, sigma, games) for player in range(PLAYERS)]
    np.testing.assert_allclose(deviations, expected, rtol=1e-7)


def test_players_of_hopelessly_different_strength_still_have_a_finite_answer() -> None:
    ratings, sigmas = solved(event([-50, 9], [0.01, 0.01], [(1, 0, 0, 7.5, False)] * 40))
    assert np.isfinite([*ratings, *sigmas]).all()
    assert ratings[0] > -50
    assert ratings[1] < 9


def test_laplace_deviation_is_the_curvature_at_the_mode() -> None:
    columns = event([2.5, 3.5, 1.5], [1.0, 0.8, 1.2], [(0, 1, 0, 7.5, True), (1, 2, 2, 0.5, False)])
    fit(*columns)
    sigmas = new_sigmas.for_work(1)(*columns, True)
    here, step = misfit(*columns), 1e-3
    for player, sigma in enumerate(sigmas):
        values = []
        for move in (-step, step):
            moved = columns[-1].copy()
            moved[player] += move
            values.append(misfit(*columns[:-1], moved))
        curvature = (values[0] - 2 * here + values[1]) / step**2
        assert sigma == pytest.approx(1 / math.sqrt(curvature), rel=1e-4)


def test_the_spline_meets_its_knots_and_ends_without_bend() -> None:
    assert [initial_sigma(KNOT + i) for i in range(57)] == pytest.approx(list(SIGMAS[:57]), abs=1e-12)
    bend = [initial_sigma(KNOT + i * 1e-3) for i in (0, 1, 2)]
    assert (bend[0] - 2 * bend[1] + bend[2]) / 1e-6 == pytest.approx(0, abs=1e-3)  # natural: no bend at the end
    # printed in the test suite of the Perl module, and the rules beyond the knots
    printed = {-48: 5.491812, -38: 4.512207, -28: 3.544011, -18: 2.599999, -8: 1.720464, 2: 1.166191, 12: 1, -60: 6}
    assert [initial_sigma(closed(seed)) for seed in printed] == pytest.approx(list(printed.values()), abs=1e-6)


@pytest.mark.parametrize(
    ("entry", "old", "sigma", "days", "wins", "expected"),
    [  # worked examples of the reference, ratings on the open scale
        (3.2, 3.9, 0.4, 100, 2, (3.9, 0.403113)),
        (4.5, 3.9, 0.4, 100, 2, (3.9, 0.403113)),
        (5.0, 3.9, 0.4, 100, 2, (4.278143, 0.684262)),
        (5.0, 3.9, 0.4, 100, 0, (3.9, 0.403113)),
        (7.0, 3.9, 0.4, 100, 2, (7.0, 1.004949)),
        (7.0, 3.9, 0.4, 100, 0, (3.9, 0.403113)),
        (2.5, -1.3, 0.5, 30, 1, (1.303032, 1.026760)),
        (-2.5, 1.3, 0.5, 0, 1, (1.3, 0.5)),
        (math.nan, 1.3, 0.3, 800, 9, (1.3, 0.5)),
    ],
)
def test_who_enters_higher_and_wins_is_seeded_higher(
    entry: float, old: float, sigma: float, days: float, wins: int, expected: tuple[float, float]
) -> None:
    place, new = seeding(closed(entry), closed(old), sigma, days, wins)
    assert (reopened(place), new) == pytest.approx(expected, abs=1e-6)


@given(st.floats(-60, 60).filter(lambda rating: abs(rating) >= 1))
def test_closing_and_reopening_the_gap_gives_the_rating_back(rating: float) -> None:
    if closed(rating) != 0:
        assert reopened(closed(rating)) == pytest.approx(rating, abs=1e-12)


def test_the_even_game_is_fair_at_766_points() -> None:
    one = Standing("Ada", 3.5)
    assert AGA().win_probability(one, one, 0, 0.580 / 0.0757) == pytest.approx(0.5, abs=1e-12)
    assert AGA().win_probability(Standing("Ada", 2.0), Standing("Bo", 3.0), 0, 7.5) == pytest.approx(
        1 - 0.825008, abs=1e-6
    )


def test_accelrat_is_bayrate_with_its_law_printed_times_100() -> None:
    plain, printed = AGA(law="accelrat").rate(a_club()), Accelrat().rate(a_club())
    np.testing.assert_allclose(100 * plain.rating, printed.rating, rtol=1e-12)
    np.testing.assert_allclose(100 * plain.arrays.change, printed.arrays.change, rtol=1e-12)
    assert [str(printed.arrays.rank_of(p)) for p in range(12)] == [str(plain.arrays.rank_of(p)) for p in range(12)]
    assert accelrat_law(2, 0.5) == (1.95, 1.04)


def undeclared_club() -> Ledger:
    """Return a club whose players declare no ranks, so that nobody is seeded anew; they enter at 12k to 1k."""
    games = [replace(game, black_rank="", white_rank="") for game in games_of_a_club()]
    return Ledger.of(games, [Adjustment(name, f"{12 - i}k") for i, name in enumerate(NAMES)])


def club_twin(ledger: Ledger, sequence: list[int], entry: Mapping[str, float]) -> list[float]:
    """Return the ratings after all events, each by the twin; entries are ratings of the open scale."""
    place = {name: closed(rating) for name, rating in entry.items()}
    sigma: dict[str, float] = {}
    last: dict[str, int] = {}
    by_event: dict[Any, list[int]] = {}
    for game in sequence:
        by_event.setdefault(ledger[game].event or int(ledger.arrays.day[game]), []).append(game)
    for games in by_event.values():
        names = sorted({name for game in games for name in (ledger[game].black, ledger[game].white)})
        day = int(ledger.arrays.day[games[0]])
        seed = np.array([place[name] for name in names])
        prior = np.array(
            [
                math.hypot(sigma[n], 0.0005 * max(0, day - last[n])) if n in sigma else initial_sigma(place[n])
                for n in names
            ]
        )
        results = [
            (
                names.index(ledger[game].white), names.index(ledger[game].black),
                1 if ledger.arrays.score[game] == 0 else -1,
                *bayrate_law(ledger[game].handicap, ledger[game].komi or 0.0),
            )
            for game in games
        ]  # fmt: skip
        mode = naive.fit(seed, prior, results)
        for i, name in enumerate(names):
            place[name], last[name] = float(mode[i]), day
            sigma[name] = naive.new_sigma(i, mode, seed, prior, results)
    return [reopened(place[name]) for name in NAMES]


def test_a_season_equals_the_twin() -> None:
    ledger = undeclared_club()
    ratings = AGA().rate(ledger)
    entry = {name: -(12 - i) - 0.5 for i, name in enumerate(NAMES)}
    np.testing.assert_allclose(ratings.rating, club_twin(ledger, ratings.arrays.sequence.tolist(), entry), atol=1e-7)


@pytest.mark.parametrize("seed", [2, 3])
def test_a_season_of_players_without_ranks_equals_the_twin_where_all_start_at_5k(seed: int) -> None:
    games = [replace(game, black_rank="", white_rank="") for game in games_of_a_club(seed, 40)]
    ledger = Ledger.of(games)
    ratings = AGA(start="5k").rate(ledger)
    twin = club_twin(ledger, ratings.arrays.sequence.tolist(), dict.fromkeys(NAMES, -5.5))
    np.testing.assert_allclose(ratings.rating, twin, atol=1e-7)
    assert not AGA().rate(ledger).rated  # without a start nobody enters


def test_contributions_are_the_prior_variance_times_the_pulls() -> None:
    ratings = AGA().rate(undeclared_club())
    game = int(ratings.arrays.sequence[0])
    assert ratings.arrays.change[game, 0] / AGAExtra.of(ratings).prior[game, 0] ** 2 == pytest.approx(
        -ratings.arrays.change[game, 1] / AGAExtra.of(ratings).prior[game, 1] ** 2, rel=1e-12
    )  # Newton's third law: a game pulls both players equally


def three_games(**more: Any) -> list[Game]:
    """Return a club game of Ada's, then an event that she enters."""
    return [
        Game("Ada", "Bo", "B+R", date="2025-01-01", komi=7.5, black_rank="5k", white_rank="5k"),
        Game("Ada", "Chidi", "B+R", date="2025-06-01", komi=7.5, event="Open", white_rank="1k", **more),
        Game("Bo", "Chidi", "B+R", date="2025-06-02", komi=7.5, event="Open"),
    ]


def test_being_seeded_anew_is_a_line_of_the_card() -> None:
    ratings = AGA().rate(Ledger.of(three_games(black_rank="2d")))
    lines = ratings.explain("Ada")
    assert [line.game for line in lines] == [1, None, 2]
    assert lines[1].after == 2.5  # the seed of 2 dan, more than 3 stones above
    assert lines[1].rank_after == "2d"
    assert "seeded anew" in lines[1].note
    assert not AGA().rate(Ledger.of(three_games())).arrays.adjusted


def test_crossing_the_gap_is_said() -> None:
    games = [Game("Ada", "Bo", "B+R", date="2025-01-01", komi=7.5, black_rank="1k", white_rank="3d")]
    line = AGA().rate(Ledger.of(games)).explain("Ada", 1)[0]
    assert line.before == -1.5
    assert line.after > 1
    assert line.after == pytest.approx(line.before + line.change + 2, abs=1e-12)
    assert "gap" in line.reason.facts


def test_games_of_a_day_without_an_event_are_one_event() -> None:
    games = [
        Game("Ada", "Bo", "B+R", date="2025-01-01", komi=7.5, black_rank="5k", white_rank="5k"),
        Game("Bo", "Ada", "B+R", date="2025-01-01", komi=7.5, black_rank="5k", white_rank="5k"),
    ]
    one, other = (AGA().rate(Ledger.of(order)).rating for order in (games, games[::-1]))
    np.testing.assert_allclose(one, other, atol=1e-12)
    assert one[0] == pytest.approx(one[1], abs=1e-12)


def test_what_is_not_submitted_is_not_rated() -> None:
    fixed: dict[str, Any] = {"komi": 7.5, "black_rank": "5k", "white_rank": "4k"}
    games = [
        Game("Ada", "Bo", "jigo", **fixed),
        Game("Ada", "Bo", "B+R", **(fixed | {"kind": "server"})),
        Game("Ada", "Chidi", "B+R", komi=7.5, black_rank="5k"),
        Game("Ada", "Bo", "B+R", **(fixed | {"handicap": 10, "komi": 0.5})),
        Game("Ada", "Bo", "B+R", **(fixed | {"handicap": 2, "komi": -10})),
        Game("Ada", "Bo", "B+R", **(fixed | {"komi": -20})),
        Game("Ada", "Bo", "B+F", **fixed),
        Game("Ada", "Bo", "B+R", **(fixed | {"handicap": 9, "komi": -9.5})),
    ]
    ratings = AGA().rate(Ledger.of(games))
    counts = ratings.unrated_counts
    assert ratings.rated == 1
    assert counts.pop("more than 9 stones, or komi of 10 points and more (20 without stones)") == 3
    assert set(counts.values()) == {1}
    assert AGA(start="20k").rate(Ledger.of(games)).rated == 2  # with Chidi, whose rank is not known


def test_a_rating_set_by_hand_is_as_certain_as_a_new_one() -> None:
    games = [*three_games(), Game("Ada", "Bo", "W+R", date="2025-09-01", komi=7.5)]
    later = Adjustment("Ada", None, 4.2, "2025-08-01", "federation")
    ratings = AGA().rate(Ledger.of(games, [later]))
    assert [line.after for line in ratings.explain("Ada") if line.game is None] == [4.2]
    assert AGAExtra.of(ratings).prior[3, 0] == initial_sigma(closed(4.2))
    ended = AGA().rate(Ledger.of(three_games(), [Adjustment("Ada", "4d", None, "2025-08-01")]))
    assert ended.rating[0] == 4.5


@pytest.mark.parametrize("name", ["aga", "accelrat", "sagc"])
@pytest.mark.parametrize("start", ["40k", "", " "])
def test_a_rank_that_is_none_is_refused_as_start(name: str, start: str) -> None:
    with pytest.raises(SettingError, match=f"{name}: start"):
        system(name, start=start)
