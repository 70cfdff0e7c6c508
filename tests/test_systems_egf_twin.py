"""The European systems and their slow twin: adjustments inside events that overlap, below the floor, and at it."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, timedelta

import numpy as np
import pytest

from handan.ledger import Adjustment, Game, Ledger
from handan.ratings import Standing
from handan.systems import EGF, EGFClassic
from tests.naive import egf as naive

DAY = date(2024, 1, 1)
NAMES = ("Ada", "Bo", "Chidi", "Dara", "Eun", "Femi")
WEIGHTS = {"A": 1.0, "B": 0.75, "C": 0.5, "D": 0.25}
RESULTS = {1.0: "B+", 0.0: "W+", 0.5: "jigo"}


def season(seed: int, lowest: int) -> tuple[list[naive.Game], dict[str, float], list[naive.ByHand]]:
    """Return games of overlapping events, one a day, entries of whole ranks, and ratings set in the midst of them."""
    dice = np.random.default_rng(seed)
    games = []
    for day in range(28):
        one, other = (NAMES[player] for player in dice.permutation(len(NAMES))[:2])
        score, weight = float(dice.choice([1.0, 1.0, 0.0, 0.0, 0.5])), float(dice.choice(list(WEIGHTS.values())))
        games.append(
            naive.Game(
                day,
                one,
                other,
                score,
                int(dice.choice([0, 0, 0, 1, 2, 5])),
                weight,
                str(dice.choice(["", "X", "Y", "Z"])),
            )
        )
    entries = {name: float(100 * dice.integers(lowest // 100 - 1, 28)) for name in NAMES}
    by_hand = [
        naive.ByHand(
            int(dice.integers(1, 30)),
            str(dice.choice(NAMES)),
            float(dice.integers(lowest - 200, 2800)),
            bool(dice.random() < 0.3),
        )
        for _ in range(6)
    ]
    return games, entries, by_hand


@pytest.mark.parametrize("handicap", [3, 6])
def test_the_classic_scale_of_a_forecast_is_that_of_the_lower_after_the_handicap(handicap: int) -> None:
    # definitions: H stones at no komi add 100 (H - 0.5), a is 200 - (r - 100) / 20, SE of the lower 1 / (e^(D/a) + 1)
    black, white = 1500.0 + 100.0 * (handicap - 0.5), 2000.0
    lower = 1.0 / (math.exp(abs(white - black) / (200.0 - (min(black, white) - 100.0) / 20.0)) + 1.0)
    chance = EGFClassic().win_probability(Standing("", 1500.0), Standing("", white), handicap, 0.5)
    assert chance == pytest.approx(lower if black < white else 1.0 - lower)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    ("system", "change"), [(EGF(), naive.since_2021), (EGFClassic(), naive.until_2021)], ids=["egf", "egf-classic"]
)
def test_events_that_overlap_are_rated_as_by_the_slow_twin(
    system: EGF, change: Callable[[float, float, float, float, float], float], seed: int
) -> None:
    games, entries, by_hand = season(seed, int(system.floor))
    letters = {weight: letter.lower() for letter, weight in WEIGHTS.items()}
    played = [
        Game(
            game.black, game.white, RESULTS[game.score], date=DAY + timedelta(days=game.day), handicap=game.handicap,
            komi=0.5 if game.handicap else 6.5, kind=f"tournament-{letters[game.weight]}", event=game.event,
        )
        for game in games
    ]  # fmt: skip
    first = {name: min((game.day for game in games if name in (game.black, game.white)), default=99) for name in NAMES}
    by_hand = [item for item in by_hand if item.day > first[item.player]]
    adjustments = [Adjustment(name, None, entry) for name, entry in entries.items()]
    adjustments += [
        Adjustment(item.player, None, item.rating, DAY + timedelta(days=item.day), "", at_least=item.at_least)
        for item in by_hand
    ]
    answer = system.rate(Ledger.of(played, adjustments))
    expected = naive.ratings(games, entries, by_hand, change, system.floor)
    mine = {player.name: float(value) for player, value in zip(answer.ledger.players, answer.rating, strict=True)}
    assert mine == pytest.approx(expected, abs=1e-8)
