"""What colours and handicap are worth is learned where results tell it from strength, and then used."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.ledger import Game, Ledger
from handan.ratings import RatingArrays, Ratings
from handan.systems.bradley_terry import BradleyTerry
from handan.systems.decayed import Decayed
from handan.systems.families.learnable_terms import Rows, information
from handan.systems.families.paired_comparison import FIRST_MOVE, UNIT, PairedExtra
from handan.systems.whr import WHR
from tests.naive import bradley_terry as naive

DAY = date(2020, 1, 1)


def even(black: str, white: str, result: str, day: int = 0) -> Game:
    return Game(black, white, result, date=DAY + timedelta(days=day), komi=6.5)


def stones(black: str, white: str, result: str, handicap: int = 3) -> Game:
    return Game(black, white, result, date=DAY, handicap=handicap, komi=0.5)


def rows_of(black: list[int], white: list[int], weight: list[float], category: list[int]) -> Rows:
    return Rows(np.array(black), np.array(white), np.ones(len(black)), np.array(weight), np.array(category))


def schur_complement(rows: Rows, kind: int, kinds: int, players: int) -> float:
    """Return the information of one worth beside all others, from full matrices."""
    design = np.zeros((len(rows.black), players + kinds))
    for row, (black, white, category) in enumerate(zip(rows.black, rows.white, rows.category, strict=True)):
        design[row, black] += 1.0
        design[row, white] -= 1.0
        if category >= 0:
            design[row, players + category] = 1.0
    matrix = design.T @ (0.25 * rows.weight[:, None] * design)
    rest = [column for column in range(players + kinds) if column != players + kind]
    own = matrix[rest, players + kind]
    explained = own @ np.linalg.pinv(matrix[np.ix_(rest, rest)], rcond=1e-10) @ own
    return float(matrix[players + kind, players + kind] - explained)


games = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from((0.5, 1.0, 3.0)), st.integers(-1, 2)).filter(
        lambda row: row[0] != row[1]
    ),
    min_size=1, max_size=30,
)  # fmt: skip


@settings(max_examples=100)
@given(games=games, kinds=st.sampled_from((1, 3)))
def test_information_is_the_schur_complement(games: list[Any], kinds: int) -> None:
    black, white, weight, category = (list(column) for column in zip(*games, strict=True))
    rows = rows_of(black, white, weight, [min(kind, kinds - 1) for kind in category])
    for kind in range(kinds):
        assert information(rows, kind, kinds, 6) == pytest.approx(schur_complement(rows, kind, kinds, 6), abs=1e-4)


@pytest.mark.parametrize(("one_way", "other_way"), [(8, 8), (12, 4), (16, 0), (1, 1)])
def test_a_pair_tells_by_the_games_in_which_colours_were_exchanged(one_way: int, other_way: int) -> None:
    # two proportions of m and n games, p = 1/2: half the variance of their difference, 1 / (1/m + 1/n)
    rows = rows_of([0, 1], [1, 0], [one_way, other_way], [0, 0])
    assert information(rows, 0, 1, 2) == pytest.approx(one_way * other_way / (one_way + other_way), abs=1e-9)


def test_a_ring_tells_and_a_chain_does_not() -> None:
    size = 40
    ring = rows_of(list(range(size)), [(k + 1) % size for k in range(size)], [1.0] * size, [0] * size)
    assert information(ring, 0, 1, size) == pytest.approx(size / 4.0, abs=1e-9)  # no difference of strengths goes round
    chain = rows_of(list(range(size - 1)), list(range(1, size)), [1.0] * (size - 1), [0] * (size - 1))
    assert information(chain, 0, 1, size) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("games", [199, 203, 220, 400])
def test_long_chains_with_few_circles_tell_no_more_than_the_schur_complement(games: int) -> None:
    rng, players = np.random.default_rng(games), 200
    order = rng.permutation(players)
    black, white = list(order[:-1]), list(order[1:])
    for one, other in rng.integers(0, players, (games - 199, 2)):
        black, white = [*black, one], [*white, (other + (one == other)) % players]
    rows = rows_of(black, white, [1.0] * games, [0] * games)
    assert information(rows, 0, 1, players) == pytest.approx(schur_complement(rows, 0, 1, players), abs=1e-3)


@pytest.mark.extended
@pytest.mark.parametrize("system", [BradleyTerry, Decayed])
def test_a_table_with_winners_in_one_column_keeps_its_ratings(system: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", "compiled")  # plain Python takes longer than the compiler
    ledger = Ledger.of([even(f"p{k}", f"p{k + 1}", "B+R") for k in range(300)])
    ratings = system().rate(ledger)
    assert ratings.rating == pytest.approx(system(advantage=0.0).rate(ledger).rating, abs=1e-9)
    assert "nearly every winner stands in Black's column" in ratings.warnings[0]
    assert not any("learned" in note for note in ratings.notes)


def test_winners_in_the_second_column_or_in_all_games_but_one_are_seen_too() -> None:
    pairs = [("A", "B"), ("B", "C"), ("C", "A"), ("B", "A")] * 15
    second = BradleyTerry().rate(Ledger.of([even(*pair, "W+R") for pair in pairs]))
    assert "nearly every winner stands in White's column" in second.warnings[0]
    slip = BradleyTerry().rate(Ledger.of([even(*pair, "B+R") for pair in pairs] + [even("A", "C", "W+R")]))
    assert "nearly every winner stands in Black's column" in slip.warnings[0]
    assert float(PairedExtra.of(slip).advantage) == 0.0


def test_three_wins_of_four_are_rated_as_published_by_default() -> None:
    # Bradley-Terry with one virtual win and loss: 3 and 1 games, +-72.895; of the first move four games say little
    ledger = Ledger.of([even("A", "B", "B+"), even("B", "A", "W+"), even("A", "B", "B+"), even("B", "A", "B+")])
    assert BradleyTerry(advantage=0.0).rate(ledger).standing("A").rating == pytest.approx(72.895, abs=1e-3)
    ratings = BradleyTerry().rate(ledger)
    assert ratings.standing("A").rating == pytest.approx(72.895, abs=0.1)
    assert abs(first_move(ratings)[0]) < 6.0


def first_move(ratings: Ratings) -> tuple[float, float]:
    """Return worth and deviation of the first move as printed."""
    (note,) = [note for note in ratings.notes if "the first move is worth" in note]
    worth, _, deviation = note.removesuffix(" Elo").split()[-3:]
    return float(worth), float(deviation)


def played_by_equals(rounds: int) -> list[Game]:
    """Two equals, each with either colour so many times; Black wins three of four."""
    return [
        even(*pair, result) for pair in (("A", "B"), ("B", "A")) for result in ("B+", "B+", "B+", "W+") * (rounds // 4)
    ]


@pytest.mark.parametrize("rounds", [8, 32, 128, 512])
def test_what_two_equals_teach_of_the_first_move_is_the_mode_of_its_posterior(rounds: int) -> None:
    # all strengths are 0 by symmetry, so the mode is that of one unknown: sum of S - p + n (1 - 2 p) = 0, and of what
    # 2 rounds games at even chances tell, rounds / 2, all remains
    worth, deviation = first_move(BradleyTerry().rate(Ledger.of(played_by_equals(rounds))))
    virtual = 2.0 * (UNIT / FIRST_MOVE) ** 2
    chance = (1.5 * rounds + virtual) / (2.0 * rounds + 2.0 * virtual)
    assert worth == pytest.approx(400.0 * math.log10(chance / (1.0 - chance)), abs=0.06)
    tells = 2.0 * rounds * chance * (1.0 - chance)
    assert deviation == pytest.approx(1.0 / math.hypot(1.0 / FIRST_MOVE, math.sqrt(tells) / UNIT), abs=0.06)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("system", [BradleyTerry(), Decayed(tau=50.0)], ids=lambda system: system.name)
def test_the_first_move_is_learned_as_by_the_slow_twin(system: Any, seed: int) -> None:
    dice = np.random.default_rng(seed)
    games, rows = [], []
    for day in range(6 + 8 * seed):
        black, white = (f"p{player}" for player in dice.permutation(5)[:2])
        score, handicap = float(dice.choice([1.0, 0.0, 0.5])), int(dice.choice([0, 0, 3]))
        games.append(stones(black, white, {1.0: "B+", 0.0: "W+", 0.5: "jigo"}[score], handicap))
        games[-1] = replace(games[-1], date=DAY + timedelta(days=day), komi=0.5 if handicap else 6.5)
        rows.append((black, white, score, 60.0 * (2.0 + 6.0 / 13.0) if handicap else 0.0, day))
    weight = [math.exp((row[-1] - rows[-1][-1]) / 50.0) if system.name == "decayed" else 1.0 for row in rows]
    twin = [(*row[:4], each) for row, each in zip(rows, weight, strict=True)]
    strengths, worth, deviation = naive.with_first_move(twin, system.prior, FIRST_MOVE)
    ratings = system.rate(Ledger.of(games))
    assert float(PairedExtra.of(ratings).advantage) == pytest.approx(worth, abs=1e-5)
    assert first_move(ratings)[1] == pytest.approx(deviation, abs=0.051)
    for name, strength in strengths.items():
        assert ratings.standing(name).rating == pytest.approx(strength, abs=1e-5)


def test_one_game_more_never_switches_the_first_move_on() -> None:
    # a game has a surprise of 1 at most, beside a prior with the information of 33.5: some 5 Elo
    played = [even(*pair, "B+") for pair in (("A", "B"), ("B", "A"))] * 20 + [even("A", "B", "W+")]
    worth = [first_move(BradleyTerry().rate(Ledger.of(played[-size:])))[0] for size in range(1, len(played) + 1)]
    assert max(abs(later - earlier) for earlier, later in pairwise(worth)) < 6.0
    assert worth[-1] > 60.0


def test_where_the_stronger_is_always_black_the_first_move_stays_in_doubt() -> None:
    pairs = [(f"p{one}", f"p{other}") for one in range(12) for other in range(one + 1, 12)]
    games = [even(*pair, result) for pair in pairs[::3] for result in ("B+", "B+", "B+", "W+")]
    ring = BradleyTerry().rate(Ledger.of(games))
    chain = BradleyTerry().rate(Ledger.of([even(f"p{k}", f"p{k + 1}", "BBW"[k % 3] + "+") for k in range(40)]))
    assert abs(first_move(ring)[0]) < 30.0
    assert first_move(chain) == (0.0, 30.0)


def test_the_first_move_is_learned_where_colours_were_exchanged() -> None:
    pairs = [("A", "B"), ("B", "A"), ("B", "C"), ("C", "B"), ("C", "A"), ("A", "C")] * 50
    results = ("B+", "B+", "B+", "W+")  # Black wins three of four
    ratings = BradleyTerry().rate(Ledger.of([even(*pair, results[k % 4]) for k, pair in enumerate(pairs)]))
    # equal players: 225 of 300 games and 67.06 of 134.13 virtual ones, 400 log10(292.06 / 142.06) = 125.2
    assert float(PairedExtra.of(ratings).advantage) == pytest.approx(125.2, abs=1.0)
    assert ratings.warnings == ()

    def worth(ratings: Ratings | None, handicap: int, komi: float | None) -> float:
        return BradleyTerry().terms_worth(BradleyTerry()._conditions_of(handicap, komi, ratings))

    assert worth(ratings, 0, 6.5) == float(PairedExtra.of(ratings).advantage)
    assert worth(ratings, 2, 0.5) == pytest.approx(60.0 * (1.0 + 6.0 / 13.0) + float(PairedExtra.of(ratings).advantage))
    assert worth(ratings, 0, None) == worth(ratings, 0, 6.5)
    assert worth(ratings, 2, None) == worth(ratings, 2, 0.5)
    assert worth(None, 0, 6.5) == 0.0


def handicap_games() -> list[Game]:
    """A club in which three stones are worth more than the rule says, and one pair alone plays with six."""
    played = [even(*pair, result) for pair in (("A", "B"), ("B", "A")) for result in ("B+", "W+", "B+", "W+")]
    played += [stones(*pair, result) for pair in (("A", "B"), ("B", "A")) for result in ("B+",) * 7 + ("W+",)]
    return played + [stones("X", "Y", result, 6) for result in ("B+",) * 9 + ("W+",)]


@pytest.mark.parametrize(
    "system",
    [BradleyTerry(handicap="learned", stone=100.0), WHR(handicap="learned", stone=100.0)],
    ids=lambda s: s.name,
)
def test_a_learned_handicap_is_what_its_note_says_and_others_are_by_the_rule(system: Any) -> None:
    ratings = system.rate(Ledger.of(handicap_games()))
    (note,) = [note for note in ratings.notes if "handicap 3" in note]
    by_rule = 100.0 * (2.0 + 6.0 / 13.0)
    assert system.terms_worth(system._conditions_of(3, 0.5, None)) == pytest.approx(by_rule)
    assert system.terms_worth(system._conditions_of(3, 0.5, ratings)) == pytest.approx(
        float(note.split()[-6]), abs=0.05
    )
    assert system.terms_worth(system._conditions_of(3, 0.5, ratings)) > by_rule + 10.0
    assert system.terms_worth(system._conditions_of(3, None, ratings)) == system.terms_worth(
        system._conditions_of(3, 0.5, ratings)
    )
    assert system.terms_worth(system._conditions_of(4, 0.5, ratings)) == pytest.approx(by_rule + 100.0)


@pytest.mark.parametrize(
    "system",
    [BradleyTerry(handicap="learned", stone=100.0), WHR(handicap="learned", stone=100.0)],
    ids=lambda s: s.name,
)
def test_a_handicap_that_one_pair_gave_in_one_direction_is_not_told_from_strength(system: Any) -> None:
    ratings = system.rate(Ledger.of(handicap_games()))
    assert system.terms_worth(system._conditions_of(6, 0.5, ratings)) == pytest.approx(100.0 * (5.0 + 6.0 / 13.0))
    (note,) = [note for note in ratings.notes if "handicap 6" in note]
    assert note == "learned: handicap 6, komi 0.5 is worth 546.2 ± 274.7 Elo to Black"  # hypot(30, half of it)


@pytest.mark.parametrize(
    "system", [system(handicap="learned", stone=100.0, uncertainty=False) for system in (BradleyTerry, WHR)]
)
def test_forecasts_and_fair_terms_use_what_was_learned(system: Any) -> None:
    ratings = system.rate(Ledger.of(handicap_games()))
    (note,) = [note for note in ratings.notes if "handicap 3" in note]
    lead = ratings.standing("A").rating - ratings.standing("B").rating + float(note.split()[-6])
    expected = 1.0 / (1.0 + 10.0 ** (-lead / 400.0))
    assert ratings.win_probability("A", "B", 3, 0.5) == pytest.approx(expected, abs=1e-4)
    by_rule = 1.0 / (1.0 + 10.0 ** (-(lead - float(note.split()[-6]) + 246.2) / 400.0))
    assert expected - by_rule > 0.02
    alone = replace(system, stone=100.0).log_odds(*(ratings.standing(name) for name in "AB"), 3, 0.5)
    assert 1.0 / (1.0 + math.exp(-alone)) == pytest.approx(by_rule, abs=1e-3)


def test_the_worth_of_a_handicap_learned_to_be_360_9_elo_is_counted_in_full() -> None:
    # A 71.7 Elo below B: 1 / (1 + 10^(-(360.9 - 71.7) / 400)) = 0.841; the rule's 246.2 Elo would give 0.732
    system = BradleyTerry(handicap="learned", stone=100.0)
    ratings = system.rate(Ledger.of(handicap_games()))
    learned = replace(PairedExtra.of(ratings), learned_terms=np.array([[3.0, 0.5, 360.9, 0.0]]))
    own = {part.name: getattr(ratings.arrays, part.name) for part in fields(RatingArrays)}
    shifted = Ratings(RatingArrays(**own | {"extra": learned, "rating": np.array([-71.7, 0.0, 0.0, 0.0])}))
    assert shifted.win_probability("A", "B", 3, 0.5) == pytest.approx(0.841, abs=5e-4)
    assert shifted.win_probability("A", "B", 2, 0.5) == pytest.approx(0.606, abs=5e-4)
