"""Bradley-Terry, decayed history and Whole-History Rating: published figures, twins, shares."""

from __future__ import annotations

import math
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.errors import InputError
from handan.files import read
from handan.kernels.compiling import Kernel
from handan.kernels.posterior import newton
from handan.ledger import Game, Ledger
from handan.ratings import Ratings, Standing
from handan.systems import bradley_terry
from handan.systems.bradley_terry import BradleyTerry
from handan.systems.decayed import Decayed
from handan.systems.families.paired_comparison import PairedExtra
from handan.systems.whr import WHR
from tests.clubs import a_club
from tests.conftest import ROOT
from tests.naive import whr as naive

ENGINES = ROOT / "examples" / "go_engines"
DAY = date(2020, 1, 1)
KOMI = 6.5


def even(black: str, white: str, result: str, day: int = 0) -> Game:
    return Game(black, white, result, date=DAY + timedelta(days=day), komi=KOMI)


def ratings_of(ratings: Ratings) -> dict[str, float]:
    return {player.name: float(rating) for player, rating in zip(ratings.ledger.players, ratings.rating, strict=True)}


def three_to_one() -> Ledger:
    return Ledger.of([even("A", "B", "B+"), even("B", "A", "W+"), even("A", "B", "B+"), even("B", "A", "B+")])


def test_three_wins_of_four_are_odds_of_three_to_one() -> None:
    # 400 log10 3 without a prior; with one virtual win and loss each, +-72.895
    plain = ratings_of(BradleyTerry(prior=0.0, advantage=0.0).rate(three_to_one()))
    assert plain["A"] - plain["B"] == pytest.approx(400.0 * math.log10(3.0), abs=1e-9)
    assert plain["A"] + plain["B"] == pytest.approx(0.0, abs=1e-9)
    assert ratings_of(BradleyTerry(advantage=0.0).rate(three_to_one()))["A"] == pytest.approx(72.895, abs=1e-3)


def test_a_circle_of_wins_is_a_circle_of_equals() -> None:
    ledger = Ledger.of([even("A", "B", "B+"), even("B", "C", "B+"), even("C", "A", "B+")])
    rated = ratings_of(BradleyTerry(prior=0.0, advantage=0.0).rate(ledger))
    assert rated == pytest.approx({"A": 0.0, "B": 0.0, "C": 0.0}, abs=1e-9)


def test_decayed_history_has_its_worked_examples() -> None:
    repeated = [
        even("A", "B", "B+", 0),
        even("A", "B", "B+", 100),
        even("A", "B", "B+", 200),
        even("A", "B", "W+", 300),
    ]
    rated = ratings_of(Decayed(advantage=0.0).rate(Ledger.of(repeated)))
    assert rated == pytest.approx({"A": 39.1472, "B": -39.1472}, abs=1e-4)
    circle = [even("A", "B", "B+", 0), even("B", "C", "B+", 200), even("C", "A", "B+", 400)]
    rated = ratings_of(Decayed(advantage=0.0).rate(Ledger.of(circle)))
    assert rated == pytest.approx({"A": -54.9388, "B": 26.9408, "C": 27.6568}, abs=1e-4)


@pytest.fixture(scope="module")
def engines() -> Ledger:
    return read(ENGINES / "pairs.csv")


@pytest.mark.extended
def test_without_a_prior_the_go_programs_have_their_published_elo(
    engines: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    # examples/go_engines/published_elo.csv, which is rounded; one common offset
    monkeypatch.setenv("HANDAN_KERNELS", "compiled")  # plain Python takes longer than the compiler
    ratings = BradleyTerry(prior=0.0, advantage=0.0).rate(engines)
    both = ratings.table().join(pl.read_csv(ENGINES / "published_elo.csv"), left_on="player", right_on="engine")
    difference = both["rating"] - both["published_elo"]
    assert len(difference) == 319
    assert float((difference - difference.median()).abs().max()) < 0.6  # type: ignore[arg-type]


@pytest.mark.extended
def test_the_first_move_of_the_go_programs_is_worth_19_3_elo(engines: Ledger) -> None:
    ratings = BradleyTerry(prior=0.0).rate(engines)
    # 19.34 without a prior of the first move, which has the say of 134 among 124,724 games
    assert float(PairedExtra.of(ratings).advantage) == pytest.approx(19.34, abs=0.05)
    assert ratings.notes[0] == "learned: the first move is worth 19.3 ± 1.1 Elo"


def test_a_strength_without_end_is_an_error_that_names_the_player() -> None:
    ledger = Ledger.of([even("A", "B", "B+"), even("B", "C", "B+"), even("C", "B", "B+")])
    with pytest.raises(InputError, match=r"prior=0 has no finite answer: A only won, or only lost"):
        BradleyTerry(prior=0.0).rate(ledger)
    assert BradleyTerry().rate(ledger).standing("A").rating > 0.0


def test_pools_without_a_prior_have_their_mean_at_zero() -> None:
    games = [even(x + one, x + other, "B+") for x in "xy" for one, other in (("a", "b"), ("b", "a"), ("b", "a"))]
    rated = ratings_of(BradleyTerry(prior=0.0, advantage=0.0).rate(Ledger.of(games)))
    assert rated["xa"] + rated["xb"] == pytest.approx(0.0, abs=1e-9)
    assert rated["xa"] == pytest.approx(rated["ya"], abs=1e-9)


def test_deviations_are_those_of_the_inverse_of_the_information() -> None:
    ledger = a_club()
    ratings = BradleyTerry(advantage=0.0, stone=0.0, entry="none").rate(ledger)
    strength = ratings.rating / naive.UNIT
    information = np.zeros((len(strength), len(strength)))
    for i, j in zip(
        ledger.arrays.black[ratings.arrays.sequence], ledger.arrays.white[ratings.arrays.sequence], strict=True
    ):
        p = 1.0 / (1.0 + math.exp(strength[j] - strength[i]))
        information[np.ix_([i, j], [i, j])] += p * (1.0 - p) * np.array([[1.0, -1.0], [-1.0, 1.0]])
    p = 1.0 / (1.0 + np.exp(-strength))
    information += np.diag(2.0 * p * (1.0 - p))
    exact = naive.UNIT * np.sqrt(np.diag(np.linalg.inv(information)))
    plays = ratings.arrays.pool >= 0
    assert ratings.deviation is not None
    assert ratings.deviation[plays] == pytest.approx(exact[plays], rel=1e-6)


def test_without_a_prior_deviations_are_counted_from_the_mean() -> None:
    ratings = BradleyTerry(prior=0.0, advantage=0.0).rate(three_to_one())
    # two players, information 4 p (1 - p) with p = 3/4 about their difference; each is half of it from the mean
    expected = naive.UNIT * 0.5 / math.sqrt(4 * 0.75 * 0.25)
    assert ratings.deviation == pytest.approx([expected, expected], rel=1e-6)


def test_learned_handicaps_move_towards_what_the_results_say() -> None:
    games = [Game("A", "B", "B+", handicap=4, komi=0.5, date=DAY)] * 9
    games += [even(one, other, result) for one, other in (("A", "B"), ("B", "A")) for result in ("B+", "W+")]
    system = BradleyTerry(handicap="learned", stone=30.0)
    by_rule = 30.0 * (3.0 + 6.0 / 13.0)
    notes = system.rate(Ledger.of(games)).notes
    learned = {note.split(": ")[1].split(" is")[0]: float(note.split()[-6]) for note in notes if "learned" in note}
    assert by_rule + 5.0 < learned["handicap 4, komi 0.5"] < by_rule + 2.0 * math.hypot(30.0, 0.5 * by_rule)
    assert abs(learned["handicap 0, komi 6.5"]) < 1e-6


@pytest.mark.parametrize("system", [BradleyTerry(), Decayed(), WHR(), WHR(handicap="learned")], ids=lambda s: s.name)
def test_contributions_add_up_to_the_rating(system: Any) -> None:
    # from the entry: 12 kyu to 1 kyu by the alphabet, 60 Elo a rank, 1 dan at 0
    ratings = system.rate(a_club(games=60))
    total = 60.0 * np.arange(-12.0, 0.0)
    for side, players in enumerate((ratings.ledger.arrays.black, ratings.ledger.arrays.white)):
        np.add.at(total, players[ratings.arrays.sequence], ratings.arrays.change[ratings.arrays.sequence, side])
    assert total == pytest.approx(ratings.rating, abs=1e-6)


rows = st.lists(
    st.tuples(
        st.sampled_from("abcde"), st.sampled_from("abcde"), st.sampled_from((0.0, 0.5, 1.0)), st.integers(0, 400),
        st.sampled_from((0, 0, 3)),
    ).filter(lambda row: row[0] != row[1]),
    min_size=1, max_size=25,
)  # fmt: skip


@settings(max_examples=15)
@given(rows=rows, w2=st.sampled_from((1.0, 14.0, 300.0)), prior=st.sampled_from((0.5, 1.2)))
def test_whole_history_equals_the_twin(rows: list[Any], w2: float, prior: float) -> None:
    results = {1.0: "B+R", 0.5: "jigo", 0.0: "W+R"}
    games = [
        Game(
            black, white, results[score], date=DAY + timedelta(days=day), handicap=stones, komi=0.5 if stones else KOMI
        )
        for black, white, score, day, stones in rows
    ]
    # 3 stones at komi 0.5: two stones and 6/13 of one
    worth = [(2.0 + 6.0 / 13.0) * 60.0 if stones else 0.0 for *_, stones in rows]
    twin = [(*row[:4], value) for row, value in zip(rows, worth, strict=True)]
    days, strength, information = naive.history(twin, w2, prior)
    system = WHR(w2=w2, prior=prior)
    ratings = system.rate(Ledger.of(games))
    inverse = naive.UNIT**2 * block_inverse(days, information)
    for player in {player for player, _ in days}:
        own = [index for index, (name, _) in enumerate(days) if name == player]
        curve = system.curve(ratings, player)
        assert curve["rating"].to_list() == pytest.approx([strength[index] for index in own], abs=1e-6)
        assert system.covariance(ratings, player) == pytest.approx(inverse[np.ix_(own, own)], rel=1e-6)


def block_inverse(days: list[naive.Day], information: Any) -> Any:
    """Invert the information of each player by itself, all others held fixed, as the paper does."""
    inverse = np.zeros_like(information)
    for player in {player for player, _ in days}:
        own = np.ix_(*[[index for index, (name, _) in enumerate(days) if name == player]] * 2)
        inverse[own] = np.linalg.inv(information[own])
    return inverse


def season() -> Ledger:
    return Ledger.of(
        [even("A", "B", "B+", 0), even("A", "B", "W+", 10), even("B", "A", "B+", 30), even("A", "C", "B+", 30)]
    )


def test_between_two_days_the_rating_is_that_of_a_day_without_information() -> None:
    # a jigo against a player who is known to be equal would tell something; a day without games tells nothing, so the
    # formula must give what the twin gives when the chain has one more day without a game: exact conditioning
    system = WHR()
    ratings = system.rate(season())
    mean, deviation = system.at(ratings, "A", DAY + timedelta(days=4))
    (t1, r1), (t2, r2) = (((day - DAY).days, r) for day, r, _ in system.curve(ratings, "A").rows()[:2])
    assert mean == pytest.approx(r1 + (r2 - r1) * (4 - t1) / (t2 - t1), abs=1e-9)
    covariance = system.covariance(ratings, "A")
    a, b = (t2 - 4) / (t2 - t1), (4 - t1) / (t2 - t1)
    expected = a * a * covariance[0, 0] + 2 * a * b * covariance[0, 1] + b * b * covariance[1, 1]
    assert deviation**2 == pytest.approx(expected + 14.0 * 4 * 6 / 10, rel=1e-9)


def test_after_the_last_day_the_mean_stays_and_the_deviation_grows() -> None:
    system = WHR()
    ratings = system.rate(season())
    last = system.curve(ratings, "A").rows()[-1]
    mean, deviation = system.at(ratings, "A", DAY + timedelta(days=130))
    assert mean == pytest.approx(last[1])
    assert deviation**2 == pytest.approx(last[2] ** 2 + 14.0 * 100, rel=1e-9)
    with pytest.raises(InputError, match="no rated game up to 2019-12-31"):
        system.at(ratings, "A", "2019-12-31")


def test_forecasts_average_over_both_uncertainties() -> None:
    # by summation over a fine grid of the normal density
    z = np.linspace(-10.0, 10.0, 200_001)
    lead, spread = 120.0 / naive.UNIT, math.hypot(150.0, 80.0) / naive.UNIT
    density = np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
    expected = float((density / (1.0 + np.exp(-(lead + spread * z)))).sum() * (z[1] - z[0]))
    one, other = Standing("", 120.0, 150.0), Standing("", 0.0, 80.0)
    assert WHR().win_probability(one, other, 0, KOMI) == pytest.approx(expected, abs=1e-9)
    assert WHR(uncertainty=False).win_probability(one, other, 0, KOMI) == pytest.approx(
        1.0 / (1.0 + math.exp(-lead)), abs=1e-12
    )


@pytest.mark.extended
def test_a_search_that_takes_long_asks_for_all_its_work_and_ends_where_it_would_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = Ledger.of(even(f"P{number:03}", f"P{number + 1:03}", "B+" if number % 3 else "W+") for number in range(120))
    system, usual = BradleyTerry(prior=0.001, handicap="pinned"), newton.USUAL
    work: list[int] = []
    efforts: list[newton.Effort] = []

    def counted(kernel: Kernel[..., Any], steps: int) -> Any:
        work.append(steps if kernel is newton.maximise else 0)
        return kernel.linked

    def kept(*args: Any) -> newton.Effort:
        efforts.append(newton.maximise_from(*args))
        return efforts[-1]

    monkeypatch.setattr(Kernel, "for_work", counted)
    monkeypatch.setattr(bradley_terry, "maximise_from", kept)
    by_parts = ratings_of(system.rate(row))
    asked_for = sum(work)
    monkeypatch.setattr(newton, "USUAL", 10**6)
    assert ratings_of(system.rate(row)) == by_parts
    assert efforts[0] == efforts[1]
    assert asked_for >= efforts[0].iterations * len(row) > usual * len(row)
