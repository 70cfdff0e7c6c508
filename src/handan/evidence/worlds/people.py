"""The people of a world: who they are, when they join, and how strong they truly are on each day."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.evidence.worlds.world import World
from handan.kernels.types import Flags, Floats, Ints

YEAR = 365.25
SYLLABLES = [consonant + vowel for consonant in "bdfghjklmnprst" for vowel in "aeiou"]
STRIDE = 7_654_321  # shares no divisor with 70^4, so that names of neighbours differ
RARELY = 0.1  # how often people come who come rarely
FASTEST, SLOWEST = 0.3, 3.0  # our choice: how often the keenest come, in times of the usual


class People(NamedTuple):
    """Who there is, shape (players,) each; ranks are places on the stones axis."""

    names: list[str]
    pool: Ints
    joined: Ints
    """Day of the first visit, counted from the first meeting."""
    base: Floats
    """Strength when all is learned, without drift."""
    newcomer: Flags
    ageing: Flags
    rare: Flags
    sandbagger: Flags
    keenness: Floats
    """How often somebody comes, beside others."""


def people_of(world: World, dice: np.random.Generator) -> People:
    """Draw the people of a world."""
    count = world.players
    pool = np.arange(count) % world.pools
    newcomer = _share(dice, count, world.newcomers, spared=2 * world.pools)
    joined = np.where(newcomer, dice.integers(0, world.days, count), 0)
    middle = world.middle_level + world.pool_gap * pool
    rare = _share(dice, count, world.rare)
    keenness = np.exp(dice.uniform(np.log(FASTEST), np.log(SLOWEST), count)) * np.where(rare, RARELY, 1.0)
    base = middle + world.spread * dice.normal(size=count)
    return People(
        [name_of(number) for number in range(count)], pool, joined, base, newcomer,
        _share(dice, count, world.ageing_share), rare, _share(dice, count, world.sandbaggers), keenness,
    )  # fmt: skip


def name_of(number: int) -> str:
    """Return an invented name, another for every number below 70^4, in letters that all formats hold."""
    parts, place = [], (number * STRIDE) % len(SYLLABLES) ** 4
    for _ in range(4):
        place, syllable = divmod(place, len(SYLLABLES))
        parts.append(SYLLABLES[syllable])
    return f"{''.join(parts[:2]).capitalize()} {''.join(parts[2:]).capitalize()}"


def _share(dice: np.random.Generator, count: int, share: float, spared: int = 0) -> Flags:
    """Return which people are chosen; the first ones may be spared."""
    chosen = np.zeros(count, dtype=np.bool_)
    chosen[spared + dice.permutation(count - spared)[: round(share * (count - spared))]] = True
    return chosen


def strengths(world: World, people: People, days: Ints, dice: np.random.Generator) -> Floats:
    """Return the place of everybody on the stones axis at each meeting, shape (meetings, players).

    Args:
        world: The world.
        people: Its people.
        days: Day of each meeting, ascending, shape (meetings,).
        dice: For the drift.
    """
    level = np.empty((len(days), world.players))
    drifted, earlier = np.zeros(world.players), int(days[0]) if len(days) else 0
    for meeting, day in enumerate(days.tolist()):
        drifted = drifted + world.drift * np.sqrt((day - earlier) / YEAR) * dice.normal(size=world.players)
        there = np.maximum(day - people.joined, 0)
        missing = np.where(people.newcomer, world.learning * np.exp(-there / world.learning_days), 0.0)
        aged = np.where(people.ageing, world.ageing * day / YEAR, 0.0)
        level[meeting] = people.base + drifted - missing - aged + world.progress * day / YEAR
        earlier = day
    return level
