"""The law by which a system learns from a game is the law by which it forecasts one, and no default is below a coin."""

from __future__ import annotations

import math
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import handan
from benchmarks.forecasts import SETS
from handan.errors import InputError
from handan.evidence import Task, forecasts
from handan.evidence.scores import COIN, log_loss, losses
from handan.kernels.calibration import AS_A_COIN, CHANGES, SLOPES, calibrated, calibration, first_weights
from handan.ledger import Adjustment, Game, Ledger
from handan.ledger.ledger import games_kept
from handan.ranks import Rank
from handan.ratings import Standing
from handan.systems import SYSTEMS, system
from handan.systems.core.settings import settings_of
from tests.clubs import a_club
from tests.forms import FORMS, extended_but

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"
WITH_LAW = [name for name in sorted(SYSTEMS) if SYSTEMS[name].winning_law is not None]
WITH_ODDS = [
    name for name in sorted(SYSTEMS) if not SYSTEMS[name].traits.whole and (name in WITH_LAW or name == "holigor")
]
WITH_STONE = [name for name in WITH_ODDS if "stone" in settings_of(SYSTEMS[name])]
DAY = date(2026, 3, 1)
LABELS = ("kgs", "football", "h9", "opengotha", "aga")
"""Sets of real games on which every default is tried."""
FIRST = 8_000  # games


@cache
def games_of(label: str) -> Ledger:
    """Read the first games of a set of real games once for all systems; `make forecasts` takes all of them."""
    ledger = handan.read(str(DATA / SETS[label]))
    return games_kept(ledger, pl.int_range(pl.len()) < FIRST, [])


def loss_of(name: str, ledger: Ledger) -> float:
    task = Task.of(ledger)
    probability = forecasts(system(name), task)
    assert probability is not None
    assert np.isfinite(probability).all()
    assert len(probability) > 0
    return log_loss(probability, task.score)


@pytest.mark.parametrize(
    "name",
    extended_but({"elo"}, WITH_ODDS),
)
def test_no_default_forecasts_worse_than_a_coin(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # ln 2 = 0.6931 is what a coin loses, in every ledger
    monkeypatch.setenv("HANDAN_KERNELS", "compiled")
    if not DATA.exists():
        pytest.skip("the sets of real games are absent")
    for label in LABELS:
        if label == "football" and name in {"aga", "accelrat"}:
            continue  # nobody has a rank there, and the association rates nobody without
        assert loss_of(name, games_of(label)) < COIN, label


@pytest.mark.extended
@pytest.mark.parametrize("name", ["bradley-terry", "decayed", "whr"])
def test_no_default_that_solves_all_games_forecasts_worse_than_a_coin(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", "compiled")
    if not DATA.exists():
        pytest.skip("the sets of real games are absent")
    for label in LABELS:
        ledger = games_of(label)
        newest = np.arange(len(ledger)) >= (0.9 * len(ledger) if len(ledger) > 5000 else 0)  # which needs fewer fits
        task = Task.of(ledger, wanted=newest)
        probability = forecasts(system(name), task)
        assert probability is not None
        assert log_loss(probability[task.wanted], task.score[task.wanted]) < COIN, label


@pytest.mark.parametrize("name", WITH_ODDS)
def test_fair_coins_cannot_be_forecast(name: str) -> None:
    # whatever a forecast says, a fair coin costs it ln 2 or more on the average
    dice = np.random.default_rng(11)
    ledger = a_club()
    results = pl.Series("result", np.where(dice.random(len(ledger)) < 0.5, "B+R", "W+R"))
    table = ledger.games.with_columns(results).cast({"black": pl.String, "white": pl.String})
    task = Task.of(Ledger.from_table(table))
    probability = forecasts(system(name), task)
    assert probability is not None
    loss = losses(probability, task.score)
    assert loss.mean() > COIN - 2.0 * loss.std() / math.sqrt(len(loss))


@pytest.mark.parametrize("name", WITH_STONE)
@pytest.mark.parametrize("result", ["B+R", "W+R"])
def test_a_stone_is_worth_the_same_in_learning_and_in_forecasting(name: str, result: str) -> None:
    # stones of Black's and as much more rating of Black's are the same game
    rules = SYSTEMS[name]()
    stone = rules.rating_for(Rank.parse("2d")) - rules.rating_for(Rank.parse("1d"))  # by default that of a rank
    low, high = rules.rating_for(Rank.parse("6k")), rules.rating_for(Rank.parse("1k"))

    def played(black: float, handicap: int, **settings: float) -> tuple[float, np.ndarray[Any, Any], float | None]:
        game = Game("Ada", "Bo", result, date=DAY, handicap=handicap, komi=6.5)
        hand = [Adjustment("Ada", None, black), Adjustment("Bo", None, high)]
        ratings = system(name, **settings).rate(Ledger.of([game], hand))
        rules = ratings.system
        one, other = rules.newcomer("Ada", rating=black), rules.newcomer("Bo", rating=high)
        chance = system(name, **settings).win_probability(one, other, handicap, 6.5)
        return ratings.forecasts()["probability"][0], ratings.arrays.change[0], chance

    for settings, worth in (({}, stone), ({"stone": 3.0}, 3.0), ({"stone": 0.0}, 0.0)):
        with_stones = played(low, 5, **settings)
        with_rating = played(low + 4 * worth, 0, **settings)
        assert with_stones[0] == pytest.approx(with_rating[0], rel=1e-12)
        np.testing.assert_allclose(with_stones[1], with_rating[1], rtol=1e-9)
        if name != "trueskill":  # which adds tau before the game
            assert with_stones[0] == pytest.approx(with_stones[2], rel=1e-12)


@pytest.mark.parametrize("name", WITH_LAW)
@pytest.mark.parametrize("kernels", FORMS)
def test_the_law_says_the_same_of_many_games_as_of_one(
    name: str, kernels: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", kernels)
    rules, ledger = system(name), a_club()
    ratings, played = rules.rate(ledger), list(ledger)
    games = np.flatnonzero(ledger.arrays.colours_known & ledger.arrays.full_size)
    rating = ratings.rating[np.stack((ledger.arrays.black, ledger.arrays.white), axis=1)[games]]
    spread = np.random.default_rng(2).random(rating.shape) * (rules._start_uncertainty or 1.0)
    for wide in (None, spread):
        many = rules.leads(ledger, games, rating, wide, ratings)
        assert many is not None
        single: list[float] = []
        for place, game in enumerate(games.tolist()):
            sides = [Standing("", rating[place, side], None if wide is None else wide[place, side]) for side in (0, 1)]
            lead = rules.log_odds(sides[0], sides[1], played[game].handicap, played[game].komi, ratings)
            assert lead is not None
            single.append(lead)
        np.testing.assert_allclose(many, single, rtol=1e-9, atol=1e-12)


def test_elo_moves_the_winner_by_k_times_what_the_forecast_left() -> None:
    ledger = a_club()
    ratings = system("elo").rate(ledger)
    expectation = np.full(len(ledger), np.nan)
    expectation[ratings.forecasts()["game"].to_numpy() - 1] = ratings.forecasts()["probability"].to_numpy()
    rated = ratings.arrays.unrated == 0
    np.testing.assert_allclose(
        ratings.arrays.change[rated, 0], 20.0 * (ledger.arrays.score[rated] - expectation[rated]), rtol=1e-9, atol=1e-12
    )
    assert (ledger.arrays.handicap[rated] > 1).any()


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("elo", {}),
        ("elo", {"batch": "event"}),
        ("glicko", {"rank_deviation": 1.0, "start_deviation": 1.0, "max_deviation": 1.0}),
        ("glicko2", {"rank_deviation": 1.0, "start_deviation": 1.0, "max_deviation": 1.0}),
    ],
)
def test_forecasts_are_the_expected_scores_of_the_explanations(name: str, settings: dict[str, Any]) -> None:
    # with deviations of 1 both g of Glicko's forecast, and the one of its expectation, are 1 but for 1e-5
    ledger = a_club()
    ratings = system(name, **settings).rate(ledger)
    for game, probability in ratings.forecasts().select("game", "probability").sample(40, seed=1).iter_rows():
        (line,) = ratings.explain(ledger.players[ledger.arrays.black[game - 1]].name, game)
        (expectation,) = (
            -part.value for item in line.reason.factors for part in item.parts if part.name == "less the expected score"
        )
        assert expectation == pytest.approx(probability, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "settings"),
    extended_but(
        [("elo", {}), ("glicko", {"period": "game"}), ("handan", {"deviation": 200.0})],
        [("elo", {}), ("egf", {"batch": "game"}), ("egf-classic", {"batch": "game"}), ("dgs", {}), ("ogs", {}),
         ("glicko", {"period": "game"}), ("handan", {"deviation": 200.0}), ("trueskill", {"tau": 0.0}), ("aga", {}),
         ("accelrat", {})],
    ),
)  # fmt: skip
def test_forecasts_are_what_win_probability_said_the_day_before(name: str, settings: dict[str, Any]) -> None:
    dice = np.random.default_rng(3)
    ranks = dict(zip("ABCDEF", ("9k", "5k", "2k", "1d", "3d", "5d"), strict=True))
    games = []
    for number in range(30):
        black, white = dice.choice(list(ranks), 2, replace=False).tolist()
        result, handicap = str(dice.choice(["B+R", "W+R"])), int(dice.choice([0, 2, 5]))
        declared: Any = {"black_rank": ranks[black], "white_rank": ranks[white]}
        games.append(Game(black, white, result, DAY, handicap, 0.5, event=f"round {number:02}", **declared))
    ledger = Ledger.of(games)
    rules = system(name, **settings)
    forecasts = dict(rules.rate(ledger).forecasts().select("game", "probability").iter_rows())
    for number in range(1, 30):
        earlier = rules.rate(Ledger.of(list(ledger)[:number]))
        names = {player.name for player in earlier.ledger.players}
        game = ledger[number]
        if name == "handan" and not names & {game.black, game.white}:
            continue  # odds are asked about people of the largest pool; two strangers in a game begin another
        sides = [who if who in names else Rank.parse(ranks[who]) for who in (game.black, game.white)]
        alone = earlier.win_probability(sides[0], sides[1], game.handicap, game.komi)
        assert forecasts[number + 1] == pytest.approx(alone, rel=1e-9)


@pytest.mark.parametrize("name", ["glicko", "glicko2", "handan", "ogs", "trueskill"])
def test_an_entry_by_rank_is_surer_than_an_entry_by_nothing(name: str) -> None:
    ratings = system(name).rate(Ledger.of([Game("Ada", "Bo", "B+R", date=DAY, black_rank="3k")]))
    before = ratings.system.onset(ratings)[1]  # type: ignore[attr-defined]
    assert before[0, 0] < before[0, 1]
    declared, nothing = (ratings.standing(name, strangers="allow").deviation for name in ("3k", "Chidi"))
    assert declared is not None
    assert nothing is not None
    assert declared < nothing
    assert before[0] == pytest.approx([declared, nothing], rel=1e-3)


@pytest.mark.parametrize(
    ("game", "rank"),
    [
        # 7d is 37 on the axis; 5 stones and komi 0.5 are 4 + 6/13 stones, and 32.54 is nearest to 33, 3 dan
        (Game("New", "Old", "W+R", DAY, handicap=5, komi=0.5, white_rank="7d"), "3d"),
        (Game("Old", "New", "W+R", DAY, handicap=5, komi=0.5, black_rank="3d"), "7d"),
        (Game("New", "Old", "B+R", DAY, komi=6.5, white_rank="4k"), "4k"),
        (Game("Old", "New", "P1+", DAY, handicap=5, komi=0.5, black_rank="4k"), "4k"),  # nobody is known to be Black
    ],
)
@pytest.mark.parametrize("name", ["elo", "glicko", "handan", "ogs", "egf", "dgs", "trueskill"])
def test_a_newcomer_without_a_rank_enters_by_the_terms_of_the_first_game(name: str, game: Game, rank: str) -> None:
    rules = system(name)
    ratings = rules.rate(Ledger.of([game]))
    side = int(game.white == "New")
    assert ratings.arrays.before[0, side] == pytest.approx(rules.rating_for(Rank.parse(rank)))
    start = rules._customary_start
    fixed = system(name, **{"mu" if name == "trueskill" else "start": start}).rate(Ledger.of([game]))
    assert fixed.arrays.before[0, side] == start


def test_without_any_rank_newcomers_stand_where_the_scale_begins() -> None:
    games = [Game("A", "B", "B+R", DAY, handicap=3), Game("C", "A", "B+R", DAY + timedelta(days=1), handicap=9)]
    ratings = system("elo").rate(Ledger.of(games))
    assert ratings.arrays.before[0].tolist() == [1500.0, 1500.0]
    assert ratings.arrays.before[1, 0] == 1500.0


def test_slopes_tell_a_law_that_holds_from_a_coin() -> None:
    # 4,000 games of the law itself, and of fair coins: the slopes are 1 and 0, as the log-likelihood says
    dice = np.random.default_rng(7)
    lead = dice.normal(0.0, 2.0, 4000)
    after = np.arange(4000)
    lawful = (dice.random(4000) < 1.0 / (1.0 + np.exp(-lead))).astype(float)
    coins = (dice.random(4000) < 0.5).astype(float)
    for score, slope in ((lawful, 1.0), (coins, 0.0)):
        weight = first_weights()
        calibration(lead, score, after, weight)
        assert weight @ np.array(SLOPES) == pytest.approx(slope, abs=0.05)

    def by_weights(weight: np.ndarray) -> np.ndarray:
        return np.array([calibrated(each, np.array(SLOPES), weight) for each in lead.tolist()])

    # no game of a batch tells of another of it, and an event that began earlier knows less
    for known_until in (np.repeat([0, 2000], 2000), np.repeat([0, 2000, 0], [2000, 1000, 1000])):
        flat = calibration(lead, coins, known_until)
        weight = first_weights()
        np.testing.assert_allclose(flat[known_until == 0], by_weights(weight)[known_until == 0], rtol=1e-12)
        calibration(lead[:2000], coins[:2000], after[:2000], weight)
        np.testing.assert_allclose(flat[known_until == 2000], by_weights(weight)[known_until == 2000], rtol=1e-12)


@pytest.mark.parametrize("first", [0, 1, 700])
def test_calibrated_forecasts_of_any_games_in_a_row_cost_little_more_than_a_coin(first: int) -> None:
    # M. Herbster and M. Warmuth (1998), section 5: whatever the results, here those that the law holds unlikely, after
    # games in which it held
    dice = np.random.default_rng(9)
    lead = dice.normal(0.0, 3.0, 1500)
    lead[0] = 600.0
    score = (lead < 0.0).astype(float)
    score[:first] = 1.0 - score[:first]
    flat = calibration(lead, score, np.arange(1500))
    loss = np.log1p(np.exp(np.where(score == 1.0, -flat, flat)))
    for end in range(first + 1, 1501):
        span = end - first
        promised = span * (math.log(2.0) - math.log1p(-CHANGES))
        promised -= math.log(AS_A_COIN) + (math.log(CHANGES) if first else 0.0)
        assert loss[first:end].sum() <= promised + 1e-9


def test_plain_and_compiled_slopes_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(8)
    lead, score = dice.normal(0.0, 30.0, 500), dice.choice([0.0, 0.5, 1.0], 500)
    answers = []
    for form in ("plain", "compiled"):
        monkeypatch.setenv("HANDAN_KERNELS", form)
        answers.append(calibration(lead, score, np.arange(500)))
    np.testing.assert_allclose(answers[0], answers[1], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(("name", "words"), [("whr", "solves all games together"), ("sagc", "no law of winning")])
def test_systems_without_forecasts_say_so(name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        SYSTEMS[name]().rate(a_club()).forecasts()


def test_the_interval_of_a_chance_is_that_of_the_difference_of_two_ratings() -> None:
    # Glickman's law at exact ratings is Elo's; independent deviations add as squares
    glicko = system("glicko")
    black, white = Standing("Ada", 1700.0, 60.0), Standing("Bo", 1550.0, 80.0)
    interval = glicko.win_interval(black, white)
    assert interval is not None
    for end, sign in zip(interval, (-1.0, 1.0), strict=True):
        elo = 150.0 + sign * 1.959964 * 100.0
        assert end == pytest.approx(1.0 / (1.0 + 10.0 ** (-elo / 400.0)), abs=1e-6)
    assert glicko.win_interval(black._replace(deviation=None), white._replace(deviation=None)) is None
    assert system("egf").win_interval(Standing("Ada", 1700.0), Standing("Bo", 1550.0)) is None
    with pytest.raises(InputError, match="level 95 is not between 0 and 1"):
        glicko.win_interval(black, white, level=95)


@pytest.mark.parametrize("name", ["glicko", "glicko2", "ogs", "trueskill", "aga", "bradley-terry", "whr", "handan"])
def test_a_forecast_lies_in_its_interval_which_narrows_with_the_level(name: str) -> None:
    ratings = SYSTEMS[name]().rate(a_club())
    one, other = list(ratings)[:2]
    chance = ratings.win_probability(one, other)
    intervals = [ratings.win_interval(one, other, level=level) for level in (0.5, 0.95)]
    assert chance is not None
    (low, high), (lowest, highest) = (each for each in intervals if each is not None)
    assert 0.0 < lowest < low < chance < high < highest < 1.0


@pytest.mark.parametrize("name", ["bradley-terry", "handan"])
def test_a_chance_is_the_less_sure_the_less_is_known_of_the_first_move(name: str) -> None:
    ledger = a_club()
    learned, pinned = (SYSTEMS[name]().rate(ledger), system(name, advantage=0.0).rate(ledger))
    one, other = list(learned)[:2]
    black, white = (Standing(each, learned.standing(each).rating, 0.0) for each in (one, other))
    open_ = learned.win_interval(black, white)
    assert open_ is not None
    assert open_[0] < open_[1]
    if name == "bradley-terry":  # nothing else is learned there
        assert pinned.win_interval(black, white) is None
