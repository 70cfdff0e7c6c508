"""Every setting of every system and every card changes some figure, and what is explained then still adds up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from typing import Any

import numpy as np
import pytest

from handan.errors import SettingError
from handan.handicaps import CARDS
from handan.ledger import Adjustment, Game, Ledger, Player
from handan.ledger.columns import of_games
from handan.ranks import Rank
from handan.ratings import Ratings
from handan.systems import SYSTEMS, Points, System
from handan.systems.core.settings import Bounds, settings_of
from tests.forms import extended_but

RANKS = {"Ada": "9d", "Bo": "8d", "Chidi": "1d", "Dara": "3k", "Eun": "9k", "Femi": "18k", "Goro": "29k", "Hana": ""}
NAMES = tuple(RANKS)
RESULTS = ("B+R", "W+12.5", "B+0.5", "W+R", "W+T", "B+3.5", "jigo", "W+F", "W+0.5", "P1+", "B+R", "P=")
KINDS = ("", "club", "friendly", "tournament", "tournament-b", "tournament-c", "tournament-d", "teaching", "free")
STANDS_FOR: dict[tuple[str, str], dict[str, Any]] = {
    ("points", "settle"): {"step_low": 30, "step_low_below": 120},
    ("points", "freeze"): {"step_low": 30, "step_low_below": 120, "settle": "month"},
    ("points", "step_low_below"): {"step_low": 3},
    ("elo", "new_games"): {"k_new": 90.0},
    ("glicko", "max_deviation"): {"start_deviation": 200.0, "rank_deviation": 200.0, "w2": 1e4},
    ("glicko", "min_deviation"): {"start_deviation": 60.0, "rank_deviation": 60.0},
    ("glicko2", "max_deviation"): {"start_deviation": 200.0, "rank_deviation": 200.0, "volatility": 1.0},
    ("glicko2", "min_deviation"): {"start_deviation": 60.0, "rank_deviation": 60.0},
    ("glicko2", "idle_days"): {"period": "game"},
}
"""Settings that play a part only beside others, and those."""
WORDS = {"rank_points": "5k 60, 1d 200", "start": "12k", "card": "mami12"}
"""Another value of each setting that is text."""
SILENT = {
    ("accelrat", "law", ""): "it has one word only, which lists name",
    ("points", "jigo", "white_wins"): "what the card of Tagajo says itself",
    ("ogs", "rules", "korean"): "territory is counted as under Japanese rules",
}
"""Settings, and words of them, that change nothing, with the reason."""


@cache
def season() -> Ledger:
    """Return games in which every rule of a system finds a case: kinds, pauses, late ranks, one pair on one day."""
    games = []
    for number in range(60):
        one, other = number % 8, (number + 1 + number // 8 % 7) % 8
        white, black = sorted((one, other))
        if number % 4 == 3:
            white, black = black, white
        stones = (0, 0, 2, 1, 5)[number % 5]
        games.append(
            Game(
                NAMES[black], NAMES[white], RESULTS[number % 12],
                date=date(2023, 9, 1) + timedelta(days=number**2 // 20),
                handicap=stones, komi=(6.5, 7.5, None)[number % 3] if stones == 0 else 0.5,
                kind=KINDS[number * 5 % 9], event=("", "Open", "League")[number // 4 % 3], round=number,
                black_rank=rank(black, number), white_rank=rank(white, number), moves=(150, 200, 300)[number % 3],
            )
        )  # fmt: skip
    games += [Game("Ada", "Bo", "WB"[n % 2] + "+R", date=date(2024, 3, 1), kind="club", komi=6.5) for n in range(5)]
    adjusted = [Adjustment("Goro", "3k", None, date(2023, 12, 1)), Adjustment("Bo", "5k", None, date(2024, 1, 10))]
    listed = [Player("Dara", rating=1777.0, rating_origin="EGF"), Player("Chidi", rating=-3.3, rating_origin="AGA")]
    return Ledger.from_table(of_games(games), adjusted, listed=listed)


def rank(player: int, number: int) -> str:
    """Return the rank that a player declares in a game: Eun only later, Femi another one later."""
    name = NAMES[player]
    if name == "Eun" and number < 20:
        return ""
    return "11k" if name == "Femi" and number > 40 else RANKS[name]


def figures(ratings: Ratings) -> list[Any]:
    """Return what a user sees of ratings: figures, ranks, chances, fair terms, newcomers and what is not rated."""
    system, pairs = ratings.system, [("Ada", "Femi"), ("Dara", "Hana"), ("Chidi", "Dara")]
    chances = [ratings.win_probability(*pair, *terms) for pair in pairs for terms in ((0, 6.5), (0, None), (3, None))]
    arrays = (ratings.rating, ratings.arrays.change, ratings.arrays.after, ratings.deviation)
    terms = [ratings.fair_terms(*pair) for pair in pairs]
    newcomers = [system.newcomer("New"), system.newcomer("New", Rank.parse("5k"))]
    unrated = sorted(ratings.unrated_counts.items())
    return [
        *(str(np.asarray(each).tolist()) for each in arrays),
        chances,
        terms,
        newcomers,
        ratings.arrays.rank_texts,
        unrated,
    ]


def other_values(bounds: Bounds, default: Any, name: str) -> Iterator[list[Any]]:
    """Go through lists of values of which one must change something: each word alone, all numbers together."""
    if bounds.choices:
        yield from ([word] for word in bounds.choices if word != default)
    elif bounds.kind is bool:
        yield [not default]
    elif bounds.kind is str:
        yield [WORDS[name]]
    else:
        assert bounds.low is not None
        assert bounds.high is not None
        usual = default or 0
        wished = (1.3 * usual, usual + 1, 0.6 * usual, usual + 100, usual - 100, bounds.low, bounds.high)
        yield [bounds.kind(value) for value in wished if bounds.low <= value <= bounds.high and value != default]


def accepted(system: System, name: str, values: list[Any]) -> Iterator[System]:
    """Go through the system with these values of a setting, as far as its other settings allow them."""
    for value in values:
        try:
            yield replace(system, **{name: value})
        except SettingError:
            continue


def adds_up(ratings: Ratings, names: tuple[str, ...]) -> None:
    for name in names:
        for line in ratings.explain(name):
            assert line.reason.value == pytest.approx(line.change, rel=1e-9, abs=1e-7), (ratings.system, name, line)


@pytest.mark.parametrize("name", extended_but({"egf", "elo", "glicko2", "points", "sagc", "whr"}, sorted(SYSTEMS)))
def test_every_setting_changes_some_figure_and_is_explained(name: str) -> None:
    silent = []
    for setting, (declared, bounds) in settings_of(SYSTEMS[name]).items():
        usual = SYSTEMS[name](**STANDS_FOR.get((name, setting), {}))
        before = figures(usual.rate(season()))
        different = list(other_values(bounds, declared.default, setting))
        for values in different:
            for system in accepted(usual, setting, values):
                ratings = system.rate(season())
                if figures(ratings) != before:
                    adds_up(ratings, NAMES if not system.traits.whole else ("Chidi",))
                    break
            else:
                silent.append((name, setting, values[0] if bounds.choices else ""))
        silent += [(name, setting, "")] * (not different)
    assert silent == [reason for reason in SILENT if reason[0] == name]


@pytest.mark.parametrize("card", sorted(CARDS))
@pytest.mark.parametrize("settings", [{}, {"conditions": "card", "settle": "day"}], ids=["game", "day"])
def test_on_every_card_the_explanation_combines_to_the_change(card: str, settings: dict[str, Any]) -> None:
    at = {"Ada": 230.0, "Bo": 199.0, "Chidi": 150.0, "Dara": 120.0}  # Mami: other steps below 200
    entries = [Adjustment(name, None, points) for name, points in at.items()]
    ratings = Points(card=card, **settings).rate(Ledger.of(list(season()), entries))
    moved = np.abs(ratings.arrays.change[ratings.arrays.sequence])
    assert moved.max() > 0.0
    adds_up(ratings, NAMES)
