"""People whom no game joins to me share nothing with me but what a system says it learns from all games.

Games among them move my rating by no more than that leaves open, in every system. Property of a model in which pools
are independent given what is shared: learning it from more games moves it within its uncertainty.
"""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest

from handan.ledger import Adjustment, Game, Ledger
from handan.ratings import Ratings
from handan.systems import SYSTEMS
from tests.forms import EACH_KIND, extended_but

DAY = date(2024, 1, 1)
CLUB = ("Ada", "Bo", "Chidi", "Dara", "Eun")
STRANGERS = ("Xan", "Yuri", "Zoe")
TWICE = 2.0  # deviations, which nearly all of what is learned stays within


def first_move(ratings: Ratings) -> float:
    """Return the deviation of the learned first move, Elo, as the list shows it."""
    (note,) = [note for note in ratings.notes if "the first move is worth" in note]
    return float(note.removesuffix(" Elo").split(" ± ")[1])


def left_open(ratings: Ratings) -> np.ndarray:
    """Return what a system says that the quantities shared by all leave open of each rating, shape (players,)."""
    name = ratings.system.label
    if name in ("bradley-terry", "decayed"):
        return np.full(len(ratings.rating), TWICE * first_move(ratings))
    if name == "handan":  # its deviations are those of the mixture of all settings
        assert ratings.deviation is not None
        return TWICE * ratings.deviation
    return np.zeros(len(ratings.rating))


def played(names: tuple[str, ...], seed: int, ranks: bool) -> list[Game]:
    """Return games of some people within the same weeks, in which stones say nothing: results are those of strength."""
    dice = np.random.default_rng(seed)
    strength = dice.normal(0.0, 1.5, len(names))
    games = []
    for number in range(30):
        one, other = (int(player) for player in dice.permutation(len(names))[:2])
        won = dice.random() < 1.0 / (1.0 + np.exp(strength[other] - strength[one]))
        stones = int(dice.choice([0, 0, 0, 2, 3, 9]))
        at = [f"{9 - 2 * player}k" if ranks and player != 2 else "" for player in (one, other)]  # one has no rank
        games.append(
            Game(
                names[one], names[other], "B+R" if won else "W+R", date=DAY + timedelta(days=number * 2),
                handicap=stones, komi=float(dice.choice([0.5, 6.5])), round=number + 100 * (names == STRANGERS),
                black_rank=at[0], white_rank=at[1],
            )
        )  # fmt: skip
    return games


@pytest.mark.parametrize("name", extended_but(EACH_KIND, sorted(SYSTEMS)))
@pytest.mark.parametrize(
    ("club_ranks", "strangers_ranks"),
    extended_but([(False, True), (True, False)], [(False, False), (True, True), (False, True), (True, False)]),
)
def test_games_among_strangers_move_nobody_by_more_than_is_said(
    name: str, club_ranks: bool, strangers_ranks: bool
) -> None:
    system = SYSTEMS[name]()
    for seed in range(3):
        own = played(CLUB, seed, club_ranks)
        alone = system.rate(Ledger.of(own))
        beside = system.rate(Ledger.of([*own, *played(STRANGERS, seed + 50, strangers_ranks)]))
        allowed = left_open(alone)
        for player, most in zip(alone.ledger.players, allowed.tolist(), strict=True):
            before, after = (float(each.rating[each.ledger.find(player.name)]) for each in (alone, beside))
            assert abs(after - before) <= most + 1e-6, (seed, player.name, before, after)


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_a_rating_set_by_hand_for_a_stranger_moves_nobody_of_the_club(name: str) -> None:
    system, own = SYSTEMS[name](), played(CLUB, 9, ranks=False)
    strangers = played(STRANGERS, 59, ranks=False)
    plain, by_hand = (
        system.rate(Ledger.of([*own, *strangers], adjustments))
        for adjustments in (
            [],
            [Adjustment(name, rank) for name, rank in zip(STRANGERS, ("6d", "20k", "1d"), strict=True)],
        )
    )
    allowed = left_open(plain)
    for player in CLUB:
        index = plain.ledger.find(player)
        assert abs(float(by_hand.rating[index] - plain.rating[index])) <= allowed[index] + 1e-6
