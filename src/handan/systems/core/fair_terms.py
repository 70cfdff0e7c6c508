"""Fair terms: for players the handicap at which the chances are nearest to even, for ranks a stone a rank."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from handan.errors import InputError
from handan.handicaps import HANDICAP_KOMI, MOST_KOMI, MOST_STONES, NIGIRI, Terms, too_much
from handan.ranks import Rank

if TYPE_CHECKING:
    from handan.ratings import Ratings, Standing
    from handan.systems.core.law import Law

ONE_IN_TEN = 0.1  # the chance below which a game is no game
SAME = 9  # decimals; log odds that agree so far are equal but for rounding


def seated(system: Law, one: Standing, other: Standing) -> tuple[Standing, Standing]:
    """Return Black and White: the weaker takes black."""
    return (one, other) if system.weaker(one, other) else (other, one)


def nearest_terms(system: Law, one: Standing, other: Standing, ratings: Ratings | None) -> Terms:
    """Return those of the offered terms whose log odds are nearest to 0; more stones where two are as near.

    A system without a law for them has no terms: InputError.
    """
    black, white = seated(system, one, other)
    leads: dict[tuple[int, float], float] = {}
    for handicap, komi in system.offered():
        lead = system.log_odds(black, white, handicap, komi, ratings)
        if lead is not None:
            leads[handicap, komi] = lead
    if not leads:
        raise InputError(f"system {system.name} has no law of winning chances, so it has no fair terms")
    first = next(iter(leads))
    worthless = all(lead == leads[first] for lead in leads.values())
    sign = -1 if system.traits.ties_to_fewer_stones else 1
    best = first if worthless else min(leads, key=lambda offer: (round(abs(leads[offer]), SAME), -sign * offer[0]))
    if not hopeless(system, black, white, *best, ratings):
        unfair = ""
    elif worthless:
        unfair = f"stones and komi are worth nothing here, and {black.name} has less than one chance in ten"
    else:
        unfair = too_much(black.name) * hopeless(system, black, white, MOST_STONES, -MOST_KOMI, ratings)
    return stone_terms(black, white, system.difference(black, white), *best, unfair=unfair)


def hopeless(
    system: Law, black: Standing, white: Standing, handicap: int, komi: float, ratings: Ratings | None
) -> bool:
    """Return whether Black has less than one chance in ten, or no known chance, by `win_probability`."""
    chance = system.win_probability(black, white, handicap, komi, ratings)
    return chance is None or chance < ONE_IN_TEN


def terms_of_ranks(system: Law, one: Standing, other: Standing, by_rating: Terms, ratings: Ratings | None) -> Terms:
    """Return the terms of two ranks: a stone for each rank between them, at one rank Black's first move.

    A difference counts as the nearest whole number of ranks, since professional dans are parts of one.

    Args:
        system: With its law.
        one, other: Two ranks.
        by_rating: The terms of the system's own law, which are named beside where they are others.
        ratings: Beside which the ranks stand.
    """
    first, second = (Rank.parse(str(player.rank)) for player in (one, other))
    black, white = (other, one) if second.stones < first.stones else (one, other)
    ranks = math.floor(abs(first.stones - second.stones) + 0.5)
    stones = min(ranks, MOST_STONES)
    komi = HANDICAP_KOMI if stones else system.customary_komi(0)
    unfair = ""
    if ranks > MOST_STONES and hopeless(system, black, white, stones, komi, ratings):
        unfair = by_rating.unfair or f"{MOST_STONES} stones do not make up for {ranks} ranks"
    terms = stone_terms(black, white, by_rating.difference, stones, komi, unfair)
    same = (terms.handicap, terms.komi) == (by_rating.handicap, by_rating.komi)
    return terms if same else replace(terms, nearer=by_rating.on_board)


def stone_terms(
    black: Standing, white: Standing, difference: float, stones: int, komi: float, unfair: str = ""
) -> Terms:
    """Return the terms of a system that speaks of handicap stones; 0 stones is an even game, 1 Black's first move."""
    return Terms(
        black=black.name,
        white=white.name,
        colours="given" if stones else NIGIRI,
        difference=abs(difference),
        card_stones=stones,
        free_stones=max(0, stones - 1),
        stones_on_board=stones if stones > 1 else 0,
        komi=komi,
        tie="jigo" if komi == int(komi) else "impossible",
        unfair=unfair,
    )


def without_effect(
    system: Law, black: Standing, white: Standing, handicap: int, komi: float | None, ratings: Ratings | None
) -> tuple[str, ...]:
    """Return what of the terms of a game plays no part in its win probability under a system, one sentence each."""
    given = system.customary_komi(handicap) if komi is None else komi
    lead = system.log_odds(black, white, handicap, given, ratings)
    notes: list[str] = []
    if handicap > 1 and lead == system.log_odds(black, white, 0, given, ratings):
        notes.append(f"handicap plays no part under {system.name}")
    usual = system.customary_komi(handicap)
    if given != usual and lead == system.log_odds(black, white, handicap, usual, ratings):
        notes.append(f"komi {given:g} plays no part under {system.name}")
    return tuple(notes)
