"""How ratings drift, and who is misrated: planted truths are in the intervals, coins list nobody."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from handan.errors import InputError
from handan.evidence import World, simulate
from handan.evidence.drift import established, inflation, levels, trend
from handan.evidence.evaluation_task import Task
from handan.evidence.groups import wilson
from handan.evidence.intervals import NORMAL
from handan.evidence.misrated import adjusted, misrated, shift, two_sided_p_value
from handan.evidence.worlds import WORLDS
from handan.ledger import Adjustment, Game, Ledger
from handan.ranks import Rank
from handan.systems import Elo, system
from handan.systems.core.forecasting import probabilities
from tests.command_line import games, run
from tests.conftest import ROOT

STILL = World(
    players=30, games=1500, days=365, newcomers=0.0, rare=0.0, drift=0.0, ageing=0.0, learning=0.0,
    rank_error=0.0, terms="even",
)  # fmt: skip
FIXED = Elo(k=0.0, per_rank=100.0)
"""Everybody stays at the entry."""


def test_intervals_of_a_trend_hold_a_planted_slope_as_often_as_they_say() -> None:
    dice = np.random.default_rng(5)
    covered = 0
    for _ in range(300):
        player = np.repeat(np.arange(20), dice.integers(3, 30, 20))
        years = dice.uniform(0.0, 3.0, len(player))
        # levels and own slopes differ between players, and the own slopes make rows of a player alike
        own = dice.normal(30.0, 40.0, 20)
        value = 300.0 * player + own[player] * years + dice.normal(0.0, 50.0, len(player))
        answer = trend(value, years, player)
        assert answer is not None
        low, high = answer.interval
        covered += low <= 30.0 <= high
    # 95 % of 300 within three standard deviations
    assert 273 <= covered <= 297


def test_a_planted_inflation_is_seen_by_year_and_by_level() -> None:
    ledger = simulate(replace(STILL, days=1090, games=3000, spread=5.0, middle="2k")).ledger
    entry = dict(zip([each.name for each in ledger.players], FIXED.rate(ledger).rating, strict=True))
    strong = {name for name, rating in entry.items() if rating >= FIXED.rating_for(_rank("1d")) - 50.0}
    first = date(2024, 1, 5)
    # each month ratings of dan players are raised by 5, of others taken down by 2
    ledger = replace(
        ledger,
        adjustments=tuple(
            Adjustment(name, rating=rating + (5.0 if name in strong else -2.0) * month, date=first + _months(month))
            for month, (name, rating) in product(range(1, 36), entry.items())
        ),
    )
    rows = {(each.years, each.level): each for each in inflation(ledger, FIXED)}
    for years in ("all", "2024-2025", "2025-2026"):
        dan, kyu = rows[years, "1d to 3d"], rows[years, "9k to 5k"]
        assert dan.rating == pytest.approx(60.0, abs=3.0)
        assert dan.ranks == pytest.approx(dan.rating / 100.0)
        assert kyu.rating == pytest.approx(-24.0, abs=2.0)
        assert (dan.verdict, kyu.verdict) == ("rising", "falling")


def test_a_list_that_stays_has_no_drift() -> None:
    (everybody, *_) = inflation(simulate(STILL).ledger, FIXED)
    assert everybody.rating == pytest.approx(0.0, abs=1e-6)
    assert everybody.players == 30


def test_ranks_with_an_index_beside_them_rise_by_both() -> None:
    learning = replace(STILL, progress=2.0, days=1090, games=3000)
    (everybody, *_) = inflation(simulate(learning).ledger, system("sagc"))
    assert everybody.ranks == pytest.approx(everybody.rating / 1000.0)
    assert everybody.level == "all"


def test_who_has_played_five_games_is_judged_and_who_has_played_fifteen_is_established() -> None:
    played = [Game("A", "B", "BW"[n % 2] + "+", date=date(2026, 1, 1) + timedelta(days=n)) for n in range(17)]
    assert [misrated(Ledger.of(played[:count]), Elo()).looked_at for count in (4, 5)] == [0, 2]
    ledger = Ledger.of(played)
    rows = established(Elo(), Task.of(ledger), np.ones((17, 2), dtype=np.bool_))
    assert sorted(rows.game.tolist()) == [15, 15, 16, 16]  # counted from 0


def test_beyond_the_ranks_the_scale_of_levels_goes_on_as_it_ends() -> None:
    rules = system("ogs")  # whose ranks lie the farther apart the stronger they are
    last, before, after, first = (Rank.parse(text) for text in ("30k", "29k", "8d", "9d"))
    beyond = [2.0 * rules.rating_for(end) - rules.rating_for(inner) for end, inner in ((last, before), (first, after))]
    assert levels(rules, np.array(beyond)) == pytest.approx([last.stones - 1.0, first.stones + 1.0])


def test_systems_that_solve_all_games_together_and_ledgers_without_dates_have_no_drift_in_time() -> None:
    with pytest.raises(InputError, match="choose a system that takes games in order"):
        inflation(simulate(STILL).ledger, system("whr"))
    with pytest.raises(InputError, match="no game has a date"):
        inflation(Ledger.of([Game("a", "b", "B+")]), Elo())


def test_who_enters_five_ranks_too_low_is_underrated_by_so_much() -> None:
    inside = outside = 0
    for seed in range(1, 7):
        # nobody loses on purpose where every meeting is a tournament
        club = simulate(replace(STILL, sandbaggers=0.1, sandbag=5.0, tournaments=1, seed=seed))
        names = [each.name for each in club.ledger.players]
        rated = dict(zip(names, FIXED.rate(club.ledger).rating, strict=True))
        strength = dict(club.players.select("player", "last_strength").iter_rows())
        apart = {name: strength[name] - rated[name] for name in names}
        answer = misrated(club.ledger, FIXED)
        low = {each.player: each for each in answer.players if each.verdict == "underrated"}
        assert set(low) == set(club.players.filter(club.players["sandbagger"])["player"])
        for name, each in low.items():
            sides = list(club.games.select("black", "white").iter_rows())
            met = [apart[white if black == name else black] for black, white in sides if name in (black, white)]
            truth = apart[name] - float(np.mean(met))
            inside += each.low < truth < each.high
            outside += not each.low < truth < each.high
    # of 18 at 95 %, more than three outside come once in a hundred times
    assert inside + outside == 18
    assert outside <= 3


@pytest.mark.parametrize("rules", [FIXED, Elo()])
def test_coins_list_nobody_beyond_the_stated_level(rules: Elo) -> None:
    lists = 0
    for seed in range(40):
        coins = World(**(WORLDS["coins"] | {"seed": seed + 1, "games": 250, "players": 20, "days": 200}))
        lists += bool(misrated(simulate(coins).ledger, rules).players)
    # 5 % of 40 and three standard deviations more
    assert lists <= 6


def test_levels_are_those_of_all_outcomes_counted_and_of_the_published_correction() -> None:
    p = np.array([0.9, 0.6, 0.3, 0.2, 0.5])
    chance: dict[int, float] = {}
    for outcome in product((0, 1), repeat=5):
        wins = sum(outcome)
        chance[wins] = chance.get(wins, 0.0) + float(np.prod(np.where(outcome, p, 1.0 - p)))
    assert two_sided_p_value(p, 5.0) == pytest.approx(2.0 * chance[5])
    assert two_sided_p_value(p, 4.5) == pytest.approx(2.0 * (chance[4] + chance[5]))
    assert two_sided_p_value(p, 0.5) == pytest.approx(2.0 * (chance[0] + chance[1]))
    # Benjamini and Yekutieli (2001): m (1 + 1/2 + ... + 1/m) p(k) / k, the least of those behind
    assert adjusted(np.array([0.04, 0.001, 0.02])) == pytest.approx([0.22 / 3.0, 0.0055, 0.055])
    moved = shift(p, 3.7)
    assert probabilities(np.log(p / (1.0 - p)) + moved).sum() == pytest.approx(3.7)
    assert shift(p, 5.0) is None
    assert shift(p, 0.0) is None
    # for equal chances that is Wilson's interval
    moves = [shift(np.full(40, 0.5), 30.0, errors) for errors in (NORMAL, -NORMAL)]
    low, high = probabilities(np.array(moves))
    assert (low, high) == pytest.approx(wilson(0.75, 40))


def test_the_command_says_both(tmp_path: Path) -> None:
    days = [date(2024, 9, 1) + timedelta(days=12 * number) for number in range(60)]
    names = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay"]
    pairs = [(names[number % 6], names[(number + 1 + number // 6 % 5) % 6]) for number in range(60)]
    file = games(tmp_path / "games.csv", *(
        f"{day},{one},{other},{'W' if other == 'Ann' else 'B'}+,,,"
        for day, pair in zip(days, pairs, strict=True) for one, other in (pair, pair[::-1])
    ))  # fmt: skip
    answer = run("drift", file, "--system", "elo")
    assert answer.status == 0
    assert answer.out.startswith("years      level")
    document = run("drift", file, "--system", "elo", "--format", "json").json
    assert document["drift"][0]["players"] == 6
    rows = run("drift", file, "--system", "elo", "--format", "csv").csv
    assert [row["years"] for row in rows if row["level"] == "all"] == ["all", "2025-2026"]
    listed = run("drift", file, "--system", "elo", "--set", "k=1", "--players", "--format", "json").json
    assert [each["player"] for each in listed["players"] if each["verdict"] == "underrated"] == ["Ann"]
    assert listed["players"][0]["change"] is None  # won every game
    assert "won all" in run("drift", file, "--system", "elo", "--set", "k=1", "--players").out
    assert "nobody can be told" in run("drift", file, "-s", "elo", "--players", "--from", days[-3]).out
    assert run("drift", file, "-s", "elo", "--kind", "club").err == "handan: --kind goes with --players\n"
    assert run("drift", ROOT / "examples" / "games.csv", "-s", "elo", "-f", "jsonl").out == ""  # too few games
    assert "no game of kind 'chess'" in run("drift", file, "-s", "elo", "--players", "--kind", "chess").err


def _rank(text: str) -> Rank:
    return Rank.parse(text)


def _months(number: int) -> timedelta:
    return timedelta(days=365.25 * number / 12.0)
