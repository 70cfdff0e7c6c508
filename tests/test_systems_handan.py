"""The house's own system: against a slow twin, against its own model, and what its settings learn."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

import handan
from handan.errors import SettingError
from handan.evidence import Task, World, forecasts, simulate
from handan.evidence.information_set import InformationSet
from handan.evidence.scores import log_loss
from handan.kernels.incremental.observation_weights import fill_observation_weights
from handan.ledger import Game, Ledger
from handan.ledger.columns import of_games
from handan.systems import system
from handan.systems.core.schedule import Schedule
from handan.systems.handan import GROWTHS, OPPONENTS, RESULTS, Handan, HandanExtra, forecast_origins
from tests.clubs import a_club
from tests.forms import extended_but
from tests.naive import handan as twin
from tests.test_tuning import games_with

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST = date(2020, 1, 1)
Q = math.log(10.0) / 400.0


def loss_of(ledger: Ledger, **settings: float | str) -> float:
    task = Task.of(ledger)
    probability = forecasts(system("handan", **settings), task)
    assert probability is not None
    return log_loss(probability, task.score)


def test_it_does_what_the_slow_twin_does() -> None:
    dice = np.random.default_rng(1)
    games, rows = [], []
    for number in range(160):
        black, white = (f"p{who}" for who in dice.choice(4 + number // 10, 2, replace=False))
        stones = int(dice.choice([0, 0, 3]))
        komi = 0.5 if stones else float(dice.choice([6.5, 0.5]))
        ending = str(dice.choice(["R", "T", "0.5", "4.5", "20.5", ""]))
        first, second = ("P1", "P2") if number % 9 == 0 else ("B", "W")
        result = "jigo" if number % 15 == 0 else f"{first if dice.random() < 0.6 else second}+{ending}"
        day = FIRST + timedelta(days=number // 3)
        moves = int(dice.choice([100, 200, 250])) if number % 2 else None
        games.append(Game(black, white, result, day, stones, komi, moves=moves))
        resigned = {None: 1.15, 100: 1.3, 200: 1.1, 250: 0.9}[moves]
        says = 2.0 if result == "jigo" else {"R": resigned, "T": 0.95}.get(ending, 1.0)
        margin = float(ending) if "." in ending and result != "jigo" else None
        coloured = not result.startswith("P")
        worth = 100.0 * (max(0, stones - 1) + (6.5 - komi) / 13.0) if coloured else 0.0
        score = 0.5 if result == "jigo" else float(result.startswith(("B", "P1")))
        rows.append(twin.Game(number // 3, black, white, score, worth, coloured, margin, says))
    ratings = system("handan").rate(Ledger.of(games))
    means, weights, coefficients, _ = twin.after_each_game(rows)
    np.testing.assert_allclose(ratings.arrays.after, means, rtol=1e-7)
    np.testing.assert_allclose(HandanExtra.of(ratings).weights[-1], weights, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(Handan().terms_between(ratings, -1, -1).mean, coefficients, rtol=1e-5, atol=1e-8)
    assert (GROWTHS, OPPONENTS, RESULTS) == twin.AXES


@pytest.mark.parametrize(("before", "first"), extended_but([(30, 8)], [(0, None), (30, None), (30, 8)]))
def test_levels_of_newcomers_and_declared_ranks_are_those_of_the_slow_twin(before: int, first: int | None) -> None:
    """With ranks from the beginning, and after so many games without any, or with 9d for everybody."""
    dice = np.random.default_rng(12)
    tables: dict[str, list[Game]] = {"club": [], "server": []}
    rows = []
    for number in range(150):
        day = number // 3
        players = dice.choice(4 + number // 8, 2, replace=False).tolist()
        source = "server" if number % 3 == 2 and number > 30 else "club"
        ranks = tuple(None if dice.random() < 0.3 else who % 7 - 3 + int(dice.random() < 0.2) for who in players)
        ranks = (first, first) if number < before else ranks
        names = tuple("" if r is None else f"{r + 1}d" if r >= 0 else f"{-r}k" for r in ranks)
        black, white = (f"p{who}" for who in players)
        win = bool(dice.random() < 0.5)
        game = Game(
            black, white, f"{'B' if win else 'W'}+", FIRST + timedelta(days=day), 0, 6.5, round=number,
            black_rank=names[0], white_rank=names[1],
        )  # fmt: skip
        tables[source].append(game)
        rows.append(twin.Game(day, black, white, float(win), ranks=ranks, source=source))  # type: ignore[arg-type]
    both = [of_games(games, source) for source, games in tables.items()]
    ratings = system("handan", start=1500.0).rate(Ledger.from_table(pl.concat(both)))
    means, weights, coefficients, _ = twin.after_each_game(rows)
    np.testing.assert_allclose(ratings.arrays.after, means, rtol=1e-5)  # the twin differentiates by differences
    np.testing.assert_allclose(HandanExtra.of(ratings).weights[-1], weights, rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(Handan().terms_between(ratings, -1, -1).mean, coefficients, rtol=1e-4, atol=1e-7)
    assert abs(HandanExtra.of(ratings).by_level).max() > 10.0  # points


@pytest.mark.extended
def test_ranks_of_one_for_everybody_hardly_spoil_the_forecasts_of_later_games_with_real_ones() -> None:
    """A file that says 9d of everybody is as good as one without ranks: the next file's ranks begin anew."""
    dice = np.random.default_rng(3)
    strength = np.sort(dice.normal(-8.0, 5.0, 60))  # ranks from 1 dan
    ranks = [f"{int(one) + 1}d" if one >= 0 else f"{int(-one) + 1}k" for one in strength.tolist()]

    def games(count: int, first: int, declared: Callable[[int], str]) -> pl.DataFrame:
        rows = []
        for number in range(count):
            one = int(dice.integers(0, 57))
            other = one + int(dice.integers(1, 4))
            pair = (one, other) if dice.random() < 0.5 else (other, one)
            chance = 1.0 / (1.0 + math.exp(-0.6 * (strength[pair[0]] - strength[pair[1]])))
            rows.append(
                Game(
                    f"p{pair[0]}", f"p{pair[1]}", "B+R" if dice.random() < chance else "W+R",
                    FIRST + timedelta(days=first + number // 10), 0, 6.5,
                    black_rank=declared(pair[0]), white_rank=declared(pair[1]),
                )
            )  # fmt: skip
        return of_games(rows, str(first))

    earlier, later = games(600, 0, lambda _: "9d"), games(400, 100, lambda who: ranks[who])
    losses = [
        handan.compare(Ledger.from_table(later), "handan", train=train).systems[0].log_loss or math.inf
        for train in (None, Ledger.from_table(earlier))
    ]
    assert losses[1] < losses[0] + 0.01


def test_strangers_of_one_rank_take_nothing_from_ranks_that_have_shown_their_worth() -> None:
    """Two of them make others uncertain of what ranks are worth, and no more: their own 9d stays what it was."""
    dice = np.random.default_rng(4)

    def games(names: str, count: int, first: int, rank: str, source: str) -> pl.DataFrame:
        rows = []
        for number in range(count):
            one, other = dice.choice(12, 2, replace=False).tolist()
            day = FIRST + timedelta(days=first + number // 4)
            ranks = {"black_rank": rank, "white_rank": rank if one else "8d" if rank else ""}
            rows.append(Game(f"{names}{one}", f"{names}{other}", "B+R" if one < other else "W+R", day, 0, 6.5, **ranks))  # type: ignore[arg-type]
        return of_games(rows, source)

    pool = [games("a", 120, 0, "", "a"), games("a", 60, 40, "9d", "b")]
    strangers = [Game("s0", "s1", "B+R", FIRST + timedelta(days=60), black_rank="9d", white_rank="9d")]
    meeting = Game("s0", "t", "B+R", FIRST + timedelta(days=61), black_rank="5k", white_rank="4k")
    last = of_games([Game("a3", "a4", "B+R", FIRST + timedelta(days=70), 0, 6.5)], "b")

    def before(*more: pl.DataFrame) -> list[float]:
        ledger = Ledger.from_table(pl.concat([*pool, *more, last]))
        ratings = system("handan", start=1500.0).rate(ledger)
        onset, _ = Handan().onset(ratings)
        return [float(each) for each in onset[-1]]

    alone = before()
    with_strangers = before(of_games(strangers, "c"), of_games([meeting], "d"))
    assert with_strangers == pytest.approx(alone, abs=200.0)


def test_an_event_joins_pools_as_in_the_slow_twin() -> None:
    """Five clubs of four play among themselves, three games a day; two days are of an event."""
    dice = np.random.default_rng(7)
    games, rows = [], []
    for number in range(90):
        club, day = int(dice.integers(5)), number // 3
        black, white = (f"p{club}{who}" for who in dice.choice(4, 2, replace=False))
        event, win = ("cup" if day == 8 else "open" if day == 20 else ""), bool(dice.random() < 0.7)
        result = f"{'B' if win else 'W'}+"
        games.append(Game(black, white, result, FIRST + timedelta(days=day), 2, 0.5, event=event))
        rows.append(twin.Game(day, black, white, float(win), 100.0 * (1.0 + 6.0 / 13.0), event=event))
    ratings = system("handan", start=1500.0).rate(Ledger.of(games))
    means, *_ = twin.after_each_game(rows)
    np.testing.assert_allclose(ratings.arrays.after, means, rtol=1e-7)
    without = system("handan", start=1500.0).rate(Ledger.of([replace(game, event="") for game in games]))
    assert np.abs(without.rating - ratings.rating).max() > 1.0  # points


def test_pools_of_several_populations_are_as_in_the_slow_twin() -> None:
    """Five clubs of four, three in two files and two in a file a game; in the north a guest joins two clubs."""
    dice = np.random.default_rng(17)
    tables: dict[str, list[Game]] = {}
    rows = []
    for number in range(120):
        club, day = int(dice.integers(5)), number // 3
        black, white = (f"p{club}{who}" for who in dice.choice(4, 2, replace=False))
        black = "p00" if number == 58 else black
        home = ("north", "north", "south", f"game {number}", f"game {number}")[club]
        win, margin = bool(dice.random() < 0.7), float(dice.choice([0.5, 4.5, 20.5]) * (1 + club))
        game = Game(
            black, white, f"{'B' if win else 'W'}+{margin:g}", FIRST + timedelta(days=day), 2, 0.5, round=number
        )
        tables.setdefault(home, []).append(game)
        worth = 100.0 * (1.0 + 6.0 / 13.0)
        rows.append(twin.Game(day, black, white, float(win), worth, margin=margin, source=home))
    ledger = Ledger.from_table(pl.concat([of_games(games, home) for home, games in tables.items()]))
    ratings = system("handan", start=1500.0).rate(ledger)
    means, weights, *_ = twin.after_each_game([rows[number] for number in ledger.games["round"]])
    np.testing.assert_allclose(ratings.arrays.after, means, rtol=1e-7)
    np.testing.assert_allclose(HandanExtra.of(ratings).weights[-1], weights, rtol=1e-5, atol=1e-9)


@pytest.mark.extended
def test_strangers_of_another_file_change_no_rating() -> None:
    """Those of a club are the same to the last digit beside a league whose margins are goals."""
    club = of_a_club(1, 60, 60.0, "a ").with_columns(source=pl.lit("club.csv"))
    league = of_a_club(2, 600, 300.0, "b ").with_columns(source=pl.lit("league.csv"), result=pl.lit("B+2"))
    rules = Handan(newcomers="fixed")
    alone, beside = (rules.rate(Ledger.from_table(table)) for table in (club, pl.concat([club, league])))
    for name in (player.name for player in alone.ledger.players):
        assert beside[name].rating == alone[name].rating
        assert beside[name].deviation == pytest.approx(alone[name].deviation, rel=1e-9)
    one, other = (beside.ledger.find(table["black"][0]) for table in (club, league))
    apart = [rules.terms_between(beside, *pair).covariance[1, 1] for pair in ((one, one), (other, other))]
    assert 0.0 < rules.terms_between(beside, one, other).covariance[1, 1] < min(apart)  # what both say adds up
    same = pl.concat([club, league]).with_columns(source=pl.lit("all.csv"))
    moved = rules.rate(Ledger.from_table(same))
    assert max(abs(moved[p.name].rating - alone[p.name].rating) for p in alone.ledger.players) > 1.0  # points


@pytest.mark.extended
@pytest.mark.parametrize("spread", [70.0, 150.0, 350.0])
def test_settings_that_the_games_choose_forecast_like_the_right_ones(spread: float) -> None:
    # the right settings are those of the model that made the games; 1 % of their loss is the aim
    ledger = Ledger.of(games_with(0.0, 2500, 2, players=60, spread=spread))
    right = loss_of(ledger, deviation=spread, w2=0.0, performance=0.0)
    assert loss_of(ledger, performance=0.0) < 1.01 * right


@pytest.mark.extended
def test_games_tell_the_spread_of_their_players() -> None:
    learned = []
    for spread in (70.0, 350.0):
        rules = system("handan", scale="fixed", opponents=0.0)  # pairs are drawn by lot
        weights = HandanExtra.of(rules.rate(Ledger.of(games_with(0.0, 2500, 3, players=60, spread=spread)))).weights
        learned.append(float(weights[0] @ weights[-1]))
    assert learned[0] < 110.0
    assert learned[1] > 270.0


def test_later_results_of_opponents_count_like_in_the_slow_twin_also_when_there_are_many() -> None:
    dice = np.random.default_rng(9)
    pairs = [("hub", f"p{number}") for number in range(40)]
    pairs += [(f"p{one}", f"p{other}") for one, other in (dice.choice(40, 2, replace=False) for _ in range(40))]
    pairs += [("hub", "p39"), ("hub", "p1"), ("p2", "hub"), ("hub", "p39")]
    wins = dice.random(len(pairs)) < 0.5
    games = [
        Game(black, white, "B+R" if win else "W+R", FIRST + timedelta(days=number // 2))
        for number, ((black, white), win) in enumerate(zip(pairs, wins, strict=True))
    ]
    rows = [
        twin.Game(number // 2, black, white, float(win), emphasis=1.15)
        for number, ((black, white), win) in enumerate(zip(pairs, wins, strict=True))
    ]
    ratings = system("handan").rate(Ledger.of(games))
    means, _, _, _ = twin.after_each_game(rows)
    np.testing.assert_allclose(ratings.arrays.after, means, rtol=1e-7)
    assert abs(HandanExtra.of(ratings).by_look_back[80:]).max() > 0.1  # points


def test_who_lost_to_a_newcomer_is_taken_for_stronger_when_the_newcomer_beats_others() -> None:
    regulars = [Game("A", "B", "B+R" if day % 2 else "W+R", FIRST + timedelta(days=day)) for day in range(10)]
    lost = Game("new", "A", "B+R", FIRST + timedelta(days=10))
    others = [Game("new", f"C{day}", "B+R", FIRST + timedelta(days=11 + day)) for day in range(8)]
    again = Game("A", "B", "B+R", FIRST + timedelta(days=30))

    def moved_before_the_last(games: list[Game], **settings: float) -> float:
        ratings = system("handan", **settings).rate(Ledger.of(games))
        return float(HandanExtra.of(ratings).by_look_back[-1, 0])

    quiet, strong = [*regulars, lost, again], [*regulars, lost, *others, again]
    assert moved_before_the_last(strong) > moved_before_the_last(quiet) + 1.0
    assert moved_before_the_last(strong, look_back=0.0) < moved_before_the_last(strong) - 1.0
    ratings = system("handan").rate(Ledger.of(strong))
    line = ratings.explain("A")[-1]
    assert "later results of opponents" in {factor.name for factor in line.reason.factors}
    same_day = [replace(game, date=again.date) for game in others]  # what is of the day is not known
    assert moved_before_the_last([*regulars, lost, *same_day, again]) == pytest.approx(
        moved_before_the_last(quiet), abs=0.2
    )


def test_a_first_rank_places_others_without_one_in_the_next_game_of_its_event_and_a_result_the_day_after() -> None:
    """Old players without ranks come to an event: what one declares says where the scale of all of them begins."""
    past = [
        Game(f"p{day % 4}", f"p{(day + 1) % 4}", "B+R" if day % 3 else "W+R", FIRST + timedelta(days=day))
        for day in range(40)
    ]

    def going_in(rank: str, result: str) -> float:
        day = FIRST + timedelta(days=60)
        event = [
            Game("p0", "p1", result, day, event="cup", round=1, black_rank=rank),
            Game("p2", "new", "B+R", day, event="cup", round=2, white_rank="3k"),
        ]
        return float(Handan().onset(system("handan").rate(Ledger.of([*past, *event])))[0][-1, 0])

    assert going_in("5d", "B+R") > going_in("1d", "B+R") + 300.0  # four ranks, of which one player says 1 / 1.3
    # the result weighs the settings anew, and else says nothing on its day
    assert going_in("5d", "B+R") == pytest.approx(going_in("5d", "W+R"), abs=0.5)


def test_who_comes_without_a_rank_enters_near_those_who_came_with_one() -> None:
    games = [
        Game(f"a{number}", f"b{number}", "B+R", FIRST + timedelta(days=number), black_rank="5d", white_rank="3d")
        for number in range(20)
    ]
    strangers = Game("x", "y", "B+R", FIRST + timedelta(days=30))
    before = system("handan").rate(Ledger.of([*games, strangers])).arrays.before[-1]
    expected = (10 * 1500.0 + 20 * (2500.0 + 2300.0)) / (10 + 40)  # as the page says; nobody has taught the level
    assert before.tolist() == pytest.approx([expected, expected], rel=1e-12)


def test_a_rank_that_all_declare_says_no_more_than_none() -> None:
    dice = np.random.default_rng(2)
    games = [
        Game(f"p{one}", f"p{other}", "B+R" if dice.random() < 0.5 else "W+R", FIRST + timedelta(days=day // 3))
        for day in range(120)
        for one, other in [dice.choice(12, 2, replace=False)]
    ]
    alike = [replace(game, black_rank="9d", white_rank="9d") for game in games]
    without, of_one = (system("handan", scale="fixed").rate(Ledger.of(each)).arrays.after for each in (games, alike))
    np.testing.assert_allclose(of_one, without + 2900.0 - 1500.0, atol=1e-6)
    names_another = replace(alike[60], white_rank="8d")
    several = system("handan", scale="fixed").rate(Ledger.of([*alike[:60], names_another, *alike[61:]])).arrays.after
    np.testing.assert_array_equal(several[:60], of_one[:60])
    assert abs(several[61:] - of_one[61:]).max() > 10.0  # points: from its day on the ranks are read


@pytest.mark.extended
def test_games_without_ranks_hardly_spoil_the_forecasts_of_later_ones_in_which_everybody_declares_9d() -> None:
    games = Ledger.of(games_with(0.0, 1600, players=80)).games.cast({"black": pl.String, "white": pl.String})
    met_before = pl.all_horizontal(pl.col("black", "white").is_in([f"p{who}" for who in range(40)]))
    ranks = pl.lit("9d").alias("black_rank"), pl.lit("9d").alias("white_rank")
    earlier = Ledger.from_table(games[:800].filter(met_before))
    later = Ledger.from_table(games[800:].with_columns(*ranks))
    alone, after, fixed = (
        handan.compare(later, how, train=train).systems[0].log_loss or math.inf
        for how, train in (("handan", None), ("handan", earlier), ("handan:newcomers=fixed", earlier))
    )
    assert after < alone + 0.01
    assert fixed > alone + 0.01  # who enters at 9d is taken for fourteen ranks stronger than those who are known


def test_settings_that_are_given_are_not_weighed() -> None:
    given = {"deviation": 200.0, "w2": 10.0, "opponents": 0.0, "results": 0.3, "look_back": 0.0, "advantage": 0.0}
    ratings = system("handan", **given, rank_share=0.5, newcomers="fixed", scale="fixed").rate(a_club())
    np.testing.assert_array_equal(HandanExtra.of(ratings).weights, [[200.0], [100.0], [10.0], [0.0], [0.3], [1.0]])
    assert {len(line.reason.factors) for line in ratings.explain(ratings.ledger.players[0].name)} <= {0, 1}


def test_an_entry_knows_no_game_of_its_day_or_of_its_event() -> None:
    games = [
        Game("A", "B", "B+R", FIRST),
        Game("A", "C", "B+R", FIRST + timedelta(days=1), event="cup", round=1),
        Game("B", "D", "B+R", FIRST + timedelta(days=1)),
        Game("A", "E", "B+R", FIRST + timedelta(days=2), event="cup", round=2),
        Game("A", "F", "B+R", FIRST + timedelta(days=2)),
    ]
    ledger = Ledger.of(games)
    schedule = Schedule.of(ledger, system("handan").refusals(ledger))
    place = {
        game.white: int(known_until) for game, known_until in zip(ledger, forecast_origins(schedule)[0], strict=True)
    }
    assert place == {"B": 0, "C": 1, "D": 1, "E": 1, "F": 3}


def test_an_upset_beyond_all_bounds_leaves_finite_ratings() -> None:
    games = [Game("A", "B", "B+R", FIRST, black_rank="30k", white_rank="9d"), Game("A", "B", "W+R", FIRST)]
    ratings = system("handan", per_rank=2000.0, performance=0.0, deviation=1.0).rate(Ledger.of(games))
    assert np.isfinite(ratings.rating).all()
    assert np.isfinite(HandanExtra.of(ratings).weights).all()


def even_games(seed: int, home: float, games: int, ending: str = "R") -> list[Game]:
    """Return games of twenty equals, three in four with a home side that `home` Elo help, others on neutral ground."""
    dice = np.random.default_rng(seed)
    made = []
    for number in range(games):
        black, white = dice.choice(20, 2, replace=False)
        neutral = number % 4 == 0
        chance = 1.0 / (1.0 + 10.0 ** (-(0.0 if neutral else home) / 400.0))
        side = ("P1", "P2") if neutral else ("B", "W")
        result = f"{side[int(dice.random() > chance)]}+{ending}"
        made.append(Game(f"p{black}", f"p{white}", result, FIRST + timedelta(days=number // 5)))
    return made


def test_games_tell_the_worth_of_the_first_move() -> None:
    ledger = Ledger.of(even_games(4, 100.0, 900))
    # p (1 - p) q^2 a game of 675: the information leaves a deviation of 14 Elo; the prior, 30 Elo around 0, pulls by 18
    first_move = Handan().terms_between(system("handan").rate(ledger), -1, -1).mean[0]
    assert first_move == pytest.approx(82.0, abs=3.0 * 14.0)
    assert loss_of(ledger) < loss_of(ledger, advantage=0.0) - 0.018


def test_a_table_of_winners_and_losers_says_nothing_of_colours() -> None:
    games = [replace(game, result="B+R") for game in even_games(5, 0.0, 200)]
    ratings = system("handan").rate(Ledger.of(games))
    assert Handan().terms_between(ratings, -1, -1).mean[0] == 0.0
    assert (HandanExtra.of(ratings).learned.rows.precision[:, 0] == 0.0).all()


@pytest.mark.parametrize("elo", extended_but([160.0], [40.0, 160.0]))
def test_ranks_tell_what_a_rank_is_worth(elo: float) -> None:
    dice = np.random.default_rng(6)
    ranks = dice.integers(-8, 4, 300)  # 0 is 1 dan
    names = [f"{rank + 1}d" if rank >= 0 else f"{-rank}k" for rank in ranks.tolist()]
    games = []
    for number in range(600):
        black, white = (2 * number % 300, (2 * number + 1 + 2 * (number // 150)) % 300)
        chance = 1.0 / (1.0 + 10.0 ** (elo * float(ranks[white] - ranks[black]) / 400.0))
        result, day = "B+R" if dice.random() < chance else "W+R", FIRST + timedelta(days=number // 5)
        declared = {"black_rank": names[black], "white_rank": names[white]}
        games.append(Game(f"p{black}", f"p{white}", result, day, komi=6.5, **declared))  # type: ignore[arg-type]
    rules, ledger = system("handan"), Ledger.of(games)
    learned = rules.rate(ledger)
    chance = learned.win_probability("1d", "4k", 0, 6.5)
    assert chance is not None
    assert math.log(chance / (1.0 - chance)) == pytest.approx(4.0 * elo * Q, rel=0.3)
    assert learned.standing("1d").rank == rules.rank(2100.0)  # whatever it is worth, a rating means the same rank
    assert loss_of(ledger) < loss_of(ledger, scale="fixed")


def test_games_of_people_without_ranks_say_less_of_what_a_rank_is_worth_when_ranks_come() -> None:
    dice = np.random.default_rng(1)
    games = []
    for number in range(400):
        black, white = (f"p{who}" for who in sorted(dice.choice(20, 2, replace=False).tolist()))
        result = "W+R" if number % 6 == 0 else "B+R"
        games.append(Game(black, white, result, FIRST + timedelta(days=number // 4), komi=6.5))
    equal = Game(
        "p3", "new", "W+R", FIRST + timedelta(days=101), 0, 6.5, black_rank="6k", white_rank="5k"
    )  # it says little
    precision = HandanExtra.of(system("handan").rate(Ledger.of([*games, equal]))).learned.rows.precision[:, 1, 1]
    assert precision[-2] > 5.0
    assert precision[-1] == pytest.approx(precision[-2] / 3.0, rel=0.05)  # 1 - 20 / (20 + 10)


def test_a_newcomer_is_expected_near_the_opponent_by_what_was_known_the_day_before() -> None:
    regulars = [Game("A", "B", "B+R", FIRST + timedelta(days=day)) for day in range(6)]
    first = Game("new", "A", "B+R", FIRST + timedelta(days=7))
    same_day = Game("A", "B", "W+R", FIRST + timedelta(days=7))
    rules = system("handan", opponents=1.0)
    ratings = rules.rate(Ledger.of([*regulars, first]))
    regular = float(ratings.arrays.before[6, 1])
    assert ratings.arrays.before[6, 0] == pytest.approx(
        1500.0 + (regular - 1500.0) / 2.0, abs=2.0
    )  # the level of newcomers moves too
    again = rules.rate(Ledger.of([*regulars, same_day, first]))
    assert again.arrays.before[7, 0] == ratings.arrays.before[6, 0]
    alone = system("handan", opponents=0.0).rate(Ledger.of([*regulars, first]))
    assert alone.arrays.before[6, 0] == pytest.approx(1500.0, abs=2.0)


def test_a_narrow_win_says_less_than_a_clear_one() -> None:
    def moved(ending: str) -> float:
        games = [*even_games(7, 0.0, 60, "8.5"), Game("p1", "p2", f"B+{ending}", FIRST + timedelta(days=20))]
        return float(HandanExtra.of(system("handan", results=0.5).rate(Ledger.of(games))).by_result[-1, 0])

    assert moved("0.5") < moved("8.5") < moved("40.5")


def test_margins_are_compared_with_those_of_their_population() -> None:
    # -ln of a rank that is uniform on 0 to 1 is exponential with mean 1, whatever the unit of the margins
    margins, population = np.random.default_rng(8).gamma(2.0, 30.0, 5000), np.arange(5000) % 2
    margins[::2] /= 4.0
    emphasis = np.ones(5000)
    fill_observation_weights.plain(population, margins, emphasis)
    for each in (emphasis[500::2], emphasis[501::2]):
        assert each.mean() == pytest.approx(1.0, abs=0.05)
    assert np.corrcoef(margins[501::2], emphasis[501::2])[0, 1] > 0.9


@pytest.mark.extended
def test_plain_and_compiled_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for form in ("plain", "compiled"):
        monkeypatch.setenv("HANDAN_KERNELS", form)
        ratings = system("handan").rate(a_club())
        made.append(
            [
                ratings.rating.tobytes(),
                ratings.arrays.after.tobytes(),
                HandanExtra.of(ratings).learned.rows.force.tobytes(),
            ]
        )
        made[-1].append(np.asarray(ratings.forecasts()["probability"]).tobytes())
    assert made[0] == made[1]


def test_what_two_events_of_a_day_teach_is_known_the_day_after() -> None:
    games = [
        Game("A", "B", "B+R", FIRST, event="one", round=1),
        Game("A", "B", "B+R", FIRST, event="one", round=2),
        Game("C", "D", "B+R", FIRST, event="two", round=1),
        Game("A", "B", "B+R", FIRST + timedelta(days=1), event="three", round=1),
        Game("C", "D", "B+R", FIRST + timedelta(days=1), event="three", round=2),
    ]
    assert InformationSet.of(Ledger.of(games)).common.tolist() == [0, 0, 0, 3, 4]


def of_a_club(seed: int, games: int, per_rank: float, prefix: str) -> pl.DataFrame:
    """Return the games of a club of ten whose ranks are worth so many Elo, with handicaps, without declared ranks."""
    made = simulate(World(seed=seed, players=10, games=games, per_rank=per_rank, declares="never"))
    named = (pl.lit(prefix) + pl.col("black", "white")).name.keep()
    return made.ledger.games.cast({"black": pl.String, "white": pl.String}).with_columns(named)


@pytest.mark.parametrize(("games", "moved"), extended_but([(100, 0.2)], [(25, 0.2), (100, 0.2), (400, 0.2)]))
def test_strangers_hardly_move_the_ratings_and_terms_of_a_pool(games: int, moved: float) -> None:
    """However many games they play; the less, the more the pool has itself. `moved` is in deviations of the ratings.

    What strangers say of a term reaches a pool with at most the precision by which pools differ. With half of the
    variance common, the mean of the pool moves by at most half of the way to theirs.
    """
    club, strangers = of_a_club(1, games, 60.0, "a "), of_a_club(2, 2000, 300.0, "b ")
    rules = Handan(newcomers="fixed")
    alone, beside = (rules.rate(Ledger.from_table(table)) for table in (club, pl.concat([club, strangers])))
    names = [player.name for player in alone.ledger.players]
    (one, other), deviation = (
        [np.array([ratings[name].rating for name in names]) for ratings in (alone, beside)],
        np.array([alone[name].deviation for name in names]),
    )
    assert (np.abs((other - other.mean()) - (one - one.mean())) < moved * deviation).all()
    first, second, theirs = (
        rules.terms_between(ratings, *[ratings.ledger.find(name)] * 2).mean
        for ratings, name in ((alone, names[0]), (beside, names[0]), (beside, beside.ledger.players[-1].name))
    )
    assert abs(second[1] - first[1]) <= max(0.5 * abs(theirs[1] - first[1]), 0.1)
    assert games == 25 or abs(theirs[1] - first[1]) > 0.25  # strangers do say something else


def test_games_that_join_two_pools_add_up_what_both_said() -> None:
    first, second = of_a_club(1, 200, 60.0, "a "), of_a_club(2, 200, 60.0, "b ")
    names = first["black"][0], second["black"][0]
    bridge = second.tail(1).with_columns(black=pl.lit(names[0]), white=pl.lit(names[1]))
    rules = Handan(newcomers="fixed")
    apart = rules.rate(Ledger.from_table(pl.concat([first, second])))
    joined = rules.rate(Ledger.from_table(pl.concat([first, second, bridge])))
    doubts = [
        rules.terms_between(ratings, *[ratings.ledger.find(name)] * 2).covariance[1, 1]
        for ratings in (apart, joined)
        for name in names
    ]
    assert doubts[2] == doubts[3] < min(doubts[:2])


def test_a_setting_that_is_none_by_default_can_be_set_to_none() -> None:
    # as where a file of settings says otherwise
    assert Handan.configured({"deviation": "none", "w2": " None "}) == Handan()
    with pytest.raises(SettingError, match="per_rank='none' is not a number"):
        Handan.configured({"per_rank": "none"})
