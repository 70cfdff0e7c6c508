"""Suggested pairs are the best of all that there are, nobody meets last week's opponent while another one is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pytest

from handan.club.pairing import LATELY, MONTHS, STONES, UNFAIR, Pairing, Two, pairing


def all_pairings(people: Sequence[str], *, spare: int) -> Iterator[list[tuple[str, str]]]:
    """Go through all ways to pair people, so many of whom may be left out."""
    if not people:
        yield []
        return
    first, *rest = people
    if spare:
        yield from all_pairings(rest, spare=spare - 1)
    for other in rest:
        for pairs in all_pairings([key for key in rest if key != other], spare=spare):
            yield [(first, other), *pairs]


def evening(seed: int, number: int) -> tuple[list[str], dict[Two, int], dict[Two, int | None]]:
    """Return people who wait, when some of them met, and the stones of each two."""
    rng = np.random.default_rng(seed)
    people = [f"p{n}" for n in rng.permutation(number)]
    strength = dict(zip(people, rng.integers(0, 12, number).tolist(), strict=True))
    twos = list(combinations(people, 2))
    often = rng.random()
    met = {frozenset(two): int(rng.integers(0, 80)) // int(rng.integers(1, 6)) for two in twos if rng.random() < often}
    stones = {frozenset((a, b)): abs(strength[a] - strength[b]) for a, b in twos}
    return people, met, {two: None if needed > 9 else needed for two, needed in stones.items()}


def worth(
    people: Sequence[str], pairs: Sequence[tuple[str, str]], met: dict[Two, int], stones: dict[Two, int | None]
) -> tuple[int, int, int, int]:
    """Return what the words of `pairing` say of a pairing, the larger the better, one after the other."""
    twos = [frozenset(pair) for pair in pairs]
    playing = [people.index(key) for pair in pairs for key in pair]
    lately = sum(met.get(two, 1000) <= LATELY for two in twos)
    sore = 0
    for two in twos:
        needed = stones[two]
        sore += max(0, MONTHS - met.get(two, MONTHS)) + (UNFAIR if needed is None else STONES * needed)
    return len(pairs), -lately, -sum(playing), -sore


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 7, 8, 9])
def test_no_other_pairs_of_a_few_are_better(number: int) -> None:
    """By trying all of them."""
    for seed in range(12):
        people, met, stones = evening(1000 * number + seed, number)
        made = pairing(people, met, stones)
        best = max(worth(people, pairs, met, stones) for pairs in all_pairings(people, spare=number % 2))
        assert worth(people, made.pairs, met, stones) == best, seed


@pytest.mark.parametrize("number", [16, 17])
def test_nobody_of_an_evening_meets_last_weeks_opponent(number: int) -> None:
    """Each met two others last week, so that many ways are left; of seventeen who waited least is left out."""
    people = [f"p{n}" for n in range(number)]
    met = {frozenset((people[n], people[(n + step) % number])): 7 for n in range(number) for step in (1, 2)}
    made = pairing(people, met, {})
    assert len(made.pairs) == number // 2
    assert not any(frozenset(pair) in met for pair in made.pairs)
    assert made.left_out == tuple(people[16:])


def test_who_met_last_week_play_again_rather_than_not_at_all() -> None:
    assert pairing(["a", "b"], {frozenset("ab"): 7}, {}) == Pairing((("a", "b"),), ())


def test_nobody_or_one_alone_has_no_pair() -> None:
    assert pairing([], {}, {}) == Pairing((), ())
    assert pairing(["a"], {}, {}) == Pairing((), ("a",))
