"""No forecast of a comparison knows anything of its own moment, day or event, nor anything later; for all systems."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

import numpy as np
import polars as pl
import pytest

from handan.evidence import Task, forecasts
from handan.ledger import Adjustment, Game, Ledger
from handan.systems import SYSTEMS, system

pytestmark = pytest.mark.extended

NAMES = "ABCDEFGHIJ"
MORE = NAMES + "klmnop"
PAST, ALL = 70, 100
DAYS = [date(2024, 1, 1) + timedelta(days=day) for day in range(60)]


def games_of(count: int, *, moments: bool, names: str = MORE, seed: int = 7) -> list[Game]:
    """Return games of all kinds, three a day, in leagues that overlap; newcomers come all the time."""
    dice = np.random.default_rng(seed)
    made = []
    for number in range(count):
        some = names[: 6 + number // 12]
        black, white = (some[int(place)] for place in dice.permutation(len(some))[:2])
        day = DAYS[number // 3]
        when = datetime.combine(day, datetime.min.time()) + timedelta(hours=9 + number % 3) if moments else day
        stones = int(dice.choice([0, 0, 0, 1, 2, 4]))
        event = str(dice.choice(["", "League", "Open"])) if number % 2 else ""
        made.append(
            Game(
                black, white, str(dice.choice(["B+R", "W+3.5", "B+", "W+", "jigo", "void", "P1+", "B+T"])), date=when,
                handicap=stones, komi=[0.5 if stones else 6.5, None][int(dice.integers(2))], event=event,
                size=int(dice.choice([19, 19, 19, 13])), kind=str(dice.choice(["", "club", "tournament-b", "free"])),
                black_rank=str(dice.choice(["", "9k", "5k", "1d"])), white_rank=str(dice.choice(["", "2k", "3d"])),
            )
        )  # fmt: skip
    return made


def forecast_bytes(name: str, games: list[Game], level: str, count: int, *adjustments: Adjustment) -> bytes:
    """Return the forecasts of those of the first games that are scored, as bytes."""
    task = Task.of(Ledger.of(games, adjustments), level)
    probability = forecasts(system(name), task)
    assert probability is not None
    early = probability[task.games < count]
    assert len(early) > count // 3
    assert np.isfinite(early).all()
    return early.tobytes()


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", "plain")


LEVELS_AND_TIMES = [("game", True), ("day", False), ("event", False)]
CASES = [
    (name, level, moments)
    for name in sorted(SYSTEMS)
    for level, moments in (LEVELS_AND_TIMES[1:2] if SYSTEMS[name].traits.whole and name != "whr" else LEVELS_AND_TIMES)
]


@pytest.mark.parametrize(("name", "level", "moments"), CASES)
def test_later_games_ranks_and_results_change_no_forecast(name: str, level: str, moments: bool) -> None:
    games = games_of(ALL, moments=moments)
    hand = Adjustment("A", "4d", None, DAYS[20]), Adjustment("C", "3k", None, DAYS[PAST // 3 + 2])
    whole = forecast_bytes(name, games, level, PAST, *hand)
    assert forecast_bytes(name, games[:PAST], level, PAST, *hand) == whole
    changed = [
        replace(game, result="W+R", black_rank="9d", white_rank="30k", handicap=0, white=f"0{game.white}", event="Cup")
        for game in games[PAST:]
    ]
    assert forecast_bytes(name, games[:PAST] + changed, level, PAST, hand[0]) == whole


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_no_forecast_knows_the_result_of_its_own_day(name: str) -> None:
    games = games_of(ALL, moments=False)
    first = 60
    other = [
        replace(game, result={"B+R": "W+R", "W+3.5": "B+R", "B+": "W+", "W+": "B+"}.get(str(game.result), game.result))
        for game in games[first : first + 3]
    ]
    changed = games[:first] + other + games[first + 3 :]
    upto = first + 3
    assert forecast_bytes(name, games, "day", upto) == forecast_bytes(name, changed, "day", upto)
    assert forecast_bytes(name, games, "day", ALL) != forecast_bytes(name, changed, "day", ALL)


@pytest.mark.parametrize("name", [name for name in sorted(SYSTEMS) if SYSTEMS[name].winning_law is not None])
def test_rows_of_one_day_may_stand_in_any_order(name: str) -> None:
    games = [replace(game, event="", black_rank="5k", white_rank="3k") for game in games_of(ALL, moments=False)]
    turned = games[:60] + games[60:63][::-1] + games[63:]

    def of_that_day(chosen: list[Game]) -> dict[tuple[str, str], float]:
        task = Task.of(Ledger.of(chosen), "game")
        assert task.knowledge.level == "day"  # dates alone order nothing within a day
        probability = forecasts(system(name), task)
        assert probability is not None
        return {
            (task.ledger[game].black, task.ledger[game].white): chance
            for game, chance in zip(task.games.tolist(), probability.tolist(), strict=True)
            if 60 <= game < 63
        }

    assert of_that_day(games) == of_that_day(turned)
    assert of_that_day(games)


def test_two_events_of_one_day_do_not_know_each_other() -> None:
    day = date(2026, 5, 1)
    earlier = [Game("A", "B", "B+R", date=date(2026, 4, 1)), Game("A", "C", "B+R", date=date(2026, 4, 2))]
    one = [Game("A", "B", "B+R", date=day, event="Cup", round=number) for number in (1, 2)]
    other = [Game("A", "C", "B+R", date=day, event="Open", round=number) for number in (1, 2)]
    task = Task.of(Ledger.of([*earlier, *one, *other]), "game")
    chances = forecasts(system("elo"), task)
    assert chances is not None
    lost = [replace(game, result="W+R") for game in one]
    again = forecasts(system("elo"), Task.of(Ledger.of([*earlier, *lost, *other]), "game"))
    assert again is not None
    assert chances[3] != again[3]  # the second round knows the first
    assert chances[4:].tolist() == again[4:].tolist()  # which of the events was first nobody knows


def test_leagues_that_overlap_are_rated_in_parts() -> None:
    days = [date(2026, 5, day) for day in (1, 8, 15)]
    games = [Game("A", "B", "B+R", date=days[0], event="League"), Game("A", "C", "B+R", date=days[1], event="Open")]
    last = Game("A", "B", "B+R", date=days[2], event="League")
    lost = replace(last, result="W+R")
    for name in ("egf", "aga", "glicko"):
        settings = {"start": "1d"} if name == "aga" else {}
        both = [forecasts(system(name, **settings), Task.of(Ledger.of([*games, end]), "day")) for end in (last, lost)]
        assert both[0] is not None
        assert both[1] is not None
        assert both[0].tolist() == both[1].tolist()


def test_without_dates_rows_are_the_order_and_rounds_if_there_are() -> None:
    games = [Game("A", "B", "B+R"), Game("A", "B", "B+R"), Game("A", "B", "B+R")]
    task = Task.of(Ledger.of(games), "game")
    chances = forecasts(system("elo"), task)
    assert chances is not None
    assert chances[0] == 0.5 < chances[1] < chances[2]
    assert forecasts(system("whr"), task) is None  # it needs dates
    rounds = [replace(game, round=1, event="Cup") for game in games]
    chances = forecasts(system("elo"), Task.of(Ledger.of(rounds), "game"))
    assert chances is not None
    assert chances.tolist() == [0.5, 0.5, 0.5]


def test_scored_games_are_the_same_for_all_systems() -> None:
    ledger = Ledger.of(games_of(ALL, moments=False))
    task = Task.of(ledger)
    played = ledger.games.filter(
        (pl.col("size") == 19) & (pl.col("result") != "void") & (pl.col("kind") != "free")
    ).height
    for name in SYSTEMS:
        chances = forecasts(system(name), task)
        assert chances is not None
        assert np.isfinite(chances).sum() == played == len(task.games)
