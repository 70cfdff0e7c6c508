"""What colours and handicap are worth is learned where results tell it from strength, and then used."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.ledger import Game, Ledger
from handan.ratings import Ratings
from handan.systems.bradley_terry import BradleyTerry
from handan.systems.decayed import Decayed
from handan.systems.families import learnable_terms
from handan.systems.families.learnable_terms import LEAST_FIRST_MOVE, Rows, information, tells
from handan.systems.families.paired_comparison import PairedExtra
from handan.systems.whr import WHR
from handan.systems.whr_live import LiveHistory

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


@settings(max_examples=50)
@given(games=games, kinds=st.integers(1, 3), players=st.integers(1, 5))
def test_a_part_of_the_games_tells_no_more_than_all_of_them(games: list[Any], kinds: int, players: int) -> None:
    # the least sum of squares over the strengths: each further game adds a square to it
    black, white, weight, category = (list(column) for column in zip(*games, strict=True))
    rows = rows_of(black, white, weight, [min(kind, kinds - 1) for kind in category])
    for kind in range(kinds):
        part = schur_complement(rows.among(players), kind, kinds, players)
        assert part <= schur_complement(rows, kind, kinds, 6) + 1e-6


def test_of_many_games_a_part_decides_as_all_do(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(5)
    one = dice.integers(0, 12, 400)
    sides = (one, (one + dice.integers(1, 12, 400)) % 12)
    by_part = 0
    for size in range(10, 401, 10):
        swapped = dice.random(size) < 0.3
        black, white = (np.where(swapped, one[:size], other[:size]).tolist() for one, other in (sides, sides[::-1]))
        rows = rows_of(black, white, [1.0] * size, [0] * size)
        monkeypatch.setattr(learnable_terms, "MANY", 10**9)
        whole = tells(rows, 0, 1, 12, LEAST_FIRST_MOVE)
        monkeypatch.setattr(learnable_terms, "MANY", 0)
        assert tells(rows, 0, 1, 12, LEAST_FIRST_MOVE) == whole
        by_part += information(rows.among(4), 0, 1, 4) >= LEAST_FIRST_MOVE
    assert by_part > 0


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


@pytest.mark.parametrize("system", [BradleyTerry, Decayed])
def test_a_table_with_winners_in_one_column_keeps_its_ratings(system: Any) -> None:
    ledger = Ledger.of([even(f"p{k}", f"p{k + 1}", "B+R") for k in range(999)])
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
    # Bradley-Terry with one virtual win and loss: 3 and 1 games, +-72.895
    ledger = Ledger.of([even("A", "B", "B+"), even("B", "A", "W+"), even("A", "B", "B+"), even("B", "A", "B+")])
    ratings = BradleyTerry().rate(ledger)
    assert ratings.standing("A").rating == pytest.approx(72.895, abs=1e-3)
    assert ratings.warnings == (
        "colours were exchanged too rarely to tell the first move from strength; it counts as worth nothing",
    )


def test_the_first_move_is_learned_where_colours_were_exchanged() -> None:
    pairs = [("A", "B"), ("B", "A"), ("B", "C"), ("C", "B"), ("C", "A"), ("A", "C")] * 50
    results = ("B+", "B+", "B+", "W+")  # Black wins three of four
    ratings = BradleyTerry().rate(Ledger.of([even(*pair, results[k % 4]) for k, pair in enumerate(pairs)]))
    # equal players: 226 of 302 games with the virtual ones, 400 log10(226 / 76) = 189.3
    assert float(PairedExtra.of(ratings).advantage) == pytest.approx(189.3, abs=1.0)
    assert ratings.warnings == ()

    def worth(ratings: Ratings | None, handicap: int, komi: float | None) -> float:
        return BradleyTerry().terms_worth(BradleyTerry().conditions_of(handicap, komi, ratings))

    assert worth(ratings, 0, 6.5) == float(PairedExtra.of(ratings).advantage)
    assert worth(ratings, 2, 0.5) == pytest.approx(
        100.0 * (1.0 + 6.0 / 13.0) + float(PairedExtra.of(ratings).advantage)
    )
    assert worth(ratings, 0, None) == worth(ratings, 0, 6.5)
    assert worth(ratings, 2, None) == worth(ratings, 2, 0.5)
    assert worth(None, 0, 6.5) == 0.0


def handicap_games() -> list[Game]:
    """A club in which three stones are worth more than the rule says, and one pair alone plays with six."""
    played = [even(*pair, result) for pair in (("A", "B"), ("B", "A")) for result in ("B+", "W+", "B+", "W+")]
    played += [stones(*pair, result) for pair in (("A", "B"), ("B", "A")) for result in ("B+",) * 7 + ("W+",)]
    return played + [stones("X", "Y", result, 6) for result in ("B+",) * 9 + ("W+",)]


@pytest.mark.parametrize("system", [BradleyTerry(handicap="learned"), WHR(handicap="learned")], ids=lambda s: s.name)
def test_a_learned_handicap_is_what_its_note_says_and_others_are_by_the_rule(system: Any) -> None:
    ratings = system.rate(Ledger.of(handicap_games()))
    (note,) = [note for note in ratings.notes if "handicap 3" in note]
    by_rule = 100.0 * (2.0 + 6.0 / 13.0)
    assert system.terms_worth(system.conditions_of(3, 0.5, None)) == pytest.approx(
        0.6 * by_rule
    )  # a stone is a rank where there are ranks
    assert system.terms_worth(system.conditions_of(3, 0.5, ratings)) == pytest.approx(float(note.split()[-4]), abs=0.05)
    assert system.terms_worth(system.conditions_of(3, 0.5, ratings)) > by_rule + 20.0
    assert system.terms_worth(system.conditions_of(3, None, ratings)) == system.terms_worth(
        system.conditions_of(3, 0.5, ratings)
    )
    assert system.terms_worth(system.conditions_of(4, 0.5, ratings)) == pytest.approx(by_rule + 100.0)


@pytest.mark.parametrize("system", [BradleyTerry(handicap="learned"), WHR(handicap="learned")], ids=lambda s: s.name)
def test_a_handicap_that_one_pair_gave_in_one_direction_is_not_told_from_strength(system: Any) -> None:
    ratings = system.rate(Ledger.of(handicap_games()))
    assert system.terms_worth(system.conditions_of(6, 0.5, ratings)) == pytest.approx(100.0 * (5.0 + 6.0 / 13.0))
    assert not any("handicap 6" in note for note in ratings.notes)
    assert ratings.warnings[-2].endswith("tell it from strength: handicap 6, komi 0.5")


@pytest.mark.parametrize("system", [system(handicap="learned", uncertainty=False) for system in (BradleyTerry, WHR)])
def test_forecasts_and_fair_terms_use_what_was_learned(system: Any) -> None:
    ratings = system.rate(Ledger.of(handicap_games()))
    (note,) = [note for note in ratings.notes if "handicap 3" in note]
    lead = ratings.standing("A").rating - ratings.standing("B").rating + float(note.split()[-4])
    expected = 1.0 / (1.0 + 10.0 ** (-lead / 400.0))
    assert ratings.win_probability("A", "B", 3, 0.5) == pytest.approx(expected, abs=1e-4)
    by_rule = 1.0 / (1.0 + 10.0 ** (-(lead - float(note.split()[-4]) + 246.2) / 400.0))
    assert expected - by_rule > 0.02
    alone = replace(system, stone=100.0).log_odds(*(ratings.standing(name) for name in "AB"), 3, 0.5)
    assert 1.0 / (1.0 + math.exp(-alone)) == pytest.approx(by_rule, abs=1e-3)


def test_the_worth_of_a_handicap_learned_to_be_360_9_elo_is_counted_in_full() -> None:
    # A 71.7 Elo below B: 1 / (1 + 10^(-(360.9 - 71.7) / 400)) = 0.841; the rule's 246.2 Elo would give 0.732
    system = BradleyTerry(handicap="learned")
    ratings = system.rate(Ledger.of(handicap_games()))
    learned = replace(PairedExtra.of(ratings), learned_terms=np.array([[3.0, 0.5, 360.9]]))
    shifted = replace(ratings, extra=learned, rating=np.array([-71.7, 0.0, 0.0, 0.0]))
    assert shifted.win_probability("A", "B", 3, 0.5) == pytest.approx(0.841, abs=5e-4)
    assert shifted.win_probability("A", "B", 2, 0.5) == pytest.approx(0.606, abs=5e-4)


def test_games_added_to_a_history_are_worth_what_was_learned() -> None:
    system, played = WHR(handicap="learned"), handicap_games()
    ratings = system.rate(Ledger.of(played))
    live = LiveHistory.of(ratings, 1e-9)
    live.add([stones("A", "B", "B+"), stones("A", "B", "B+", 4)])
    pinned = WHR(stone=0.0).rate(Ledger.of([*played, stones("A", "B", "B+"), stones("A", "B", "B+", 4)]))
    assert live.rating("A") != pytest.approx(pinned.standing("A").rating, abs=1.0)
    assert system.worth_with(
        Ledger.of([stones("A", "B", "B+")]), system.learned_terms(ratings), 100.0
    ) == pytest.approx([system.terms_worth(system.conditions_of(3, 0.5, ratings))])
