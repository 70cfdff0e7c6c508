"""Clubs and federations whose true strengths are known: what there is to say about one, and some that are ready."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, ClassVar, Literal, Self

import numpy as np

from handan.errors import InputError, SettingError, closest, shown
from handan.handicaps import MOST_STONES
from handan.kernels.types import Floats
from handan.ranks import Rank
from handan.systems import Points
from handan.systems.core import settings
from handan.systems.core.settings import setting

Habit = Literal["even", "rank", "difference", "card"]
"""Who takes what: nothing; by declared ranks; by the true difference, misjudged a little; by points on a card."""
Declaring = Literal["never", "entry", "yearly"]
MOST_WORTH = 100.0  # points of komi
MOST_STRENGTHS = 20_000_000  # our choice: people times meetings
FIRST_KYU = 30.0  # place of 1 kyu on the stones axis, where Elo are counted from


class Described:
    """A class whose settings describe themselves."""

    def __init_subclass__(cls) -> None:
        """Complete the settings that the class declares."""
        super().__init_subclass__()
        settings.complete(cls)


@dataclass(frozen=True)
class World(Described):
    """People whose true strength is known on every day, and how they play; the same settings make the same games."""

    name: ClassVar[str] = "world"

    seed: int = setting(1, "of the dice", low=0, high=2**31)
    players: int = setting(60, "people in all, those who join later too", low=2, high=100_000)
    games: int = setting(2000, "games in all, arranged ones aside", low=0, high=2_000_000)
    first: str = setting("2024-01-05", "day of the first meeting")
    days: int = setting(730, "days from the first meeting to the last", unit="days", low=1, high=36_500)
    every: int = setting(7, "days between meetings", unit="days", low=1, high=366)
    rounds: int = setting(3, "rounds of a meeting", low=1, high=50)
    tournaments: int = setting(0, "every how many-th meeting is a tournament; 0: none", low=0, high=1000)
    moments: bool = setting(False, "whether games bear the time at which their round began")  # noqa: FBT003

    middle: str = setting("5k", "rank of the middle player")
    spread: float = setting(4.0, "deviation of strengths", unit="ranks", low=0.0, high=15.0)
    per_rank: float = setting(100.0, "what a rank is worth at 1 kyu", unit="Elo", low=1.0, high=1000.0)
    growth: float = setting(0.0, "by how much a rank is worth more with each rank", low=0.0, high=0.2)
    newcomers: float = setting(0.2, "share of the people who join later", low=0.0, high=1.0)
    learning: float = setting(2.0, "by how much newcomers will improve", unit="ranks", low=-20.0, high=20.0)
    learning_days: float = setting(120.0, "in which all but e^-1 of it is learned", unit="days", low=1.0, high=1e4)
    ageing_share: float = setting(0.1, "share of the people who become weaker", low=0.0, high=1.0)
    ageing: float = setting(0.5, "by how much", unit="ranks a year", low=0.0, high=10.0)
    drift: float = setting(0.5, "deviation of how strengths wander in a year", unit="ranks", low=0.0, high=10.0)
    progress: float = setting(0.0, "by how much everybody improves", unit="ranks a year", low=-5.0, high=5.0)

    pools: int = setting(1, "separate pools, each in its own room", low=1, high=100)
    bridges: int = setting(0, "games between members of different pools", low=0, high=100_000)
    pool_gap: float = setting(
        0.0, "by how much each pool is stronger than the one before", unit="ranks", low=0, high=20
    )
    rare: float = setting(0.2, "share of the people who come a tenth as often", low=0.0, high=1.0)
    apart: float = setting(4.0, "how far strengths matter little in pairing", unit="ranks", low=0.0, high=100.0)

    terms: Habit = setting("rank", "who takes what")
    card: str = setting("regular13", "card of a club that plays by points, or a CSV file with its own")
    komi: float = setting(6.5, "komi of even games", unit="points", low=-50.0, high=50.0)
    misjudged: float = setting(1.0, "deviation of a misjudged difference", unit="ranks", low=0.0, high=10.0)
    declares: Declaring = setting("entry", "when ranks are declared")
    rank_error: float = setting(1.0, "deviation of declared ranks", unit="ranks", low=0.0, high=10.0)

    stone: float = setting(13.0, "what a free stone is truly worth", unit="points of komi", low=0.0, high=100.0)
    worths: str = setting("", "the same of the first, second, … free stone, by commas, where they differ")
    fair_komi: float = setting(6.5, "komi that makes an even game even", unit="points", low=-50.0, high=50.0)

    sandbaggers: float = setting(0.0, "share of the people who hide their strength", low=0.0, high=1.0)
    sandbag: float = setting(3.0, "by how much", unit="ranks", low=0.0, high=20.0)
    mistakes: float = setting(0.0, "share of the results that are entered the wrong way round", low=0.0, high=1.0)
    colluders: int = setting(0, "pairs of whom one lets the other win", low=0, high=1000)
    arranged: int = setting(20, "arranged games of each such pair", low=0, high=10_000)

    def __post_init__(self) -> None:
        """Check the settings, and take whole numbers as floats where floats are meant."""
        for name, value in settings.checked(self).items():
            object.__setattr__(self, name, value)
        Points(card=self.card)  # which refuses what is no card
        for name, read, expected in (
            ("first", date.fromisoformat, "a day such as 2024-01-05"),
            ("middle", Rank.parse, "a rank such as 5k"),
            ("worths", _numbers, "points from 0 to 100 by commas, such as 13,13,12"),
        ):
            try:
                read(getattr(self, name))
            except (InputError, ValueError):
                raise SettingError(f"world: {name}={shown(getattr(self, name))} is not {expected}") from None
        if self.days > (date.max - date.fromisoformat(self.first)).days:
            raise SettingError(
                f"world: {self.days:,} days from {self.first} on end after the year 9999; give an earlier first"
            )
        meetings = -(-self.days // self.every)
        if meetings * self.players > MOST_STRENGTHS:
            raise SettingError(
                f"world: {self.players:,} players at {meetings:,} meetings are more than {MOST_STRENGTHS:,} strengths;"
                " give fewer players or days, or more days between meetings (every)"
            )
        if 2 * self.pools > self.players:
            raise SettingError(f"world: pools={self.pools} need at least {2 * self.pools} players")
        if 2 * self.colluders > self.players:
            raise SettingError(f"world: colluders={self.colluders} need at least {2 * self.colluders} players")

    @classmethod
    def configured(cls, texts: Mapping[str, str], kind: str = "club") -> Self:
        """Make a world of a kind, with settings given as text; SettingError names the fault."""
        if kind not in WORLDS:
            raise InputError(f"world {shown(kind)} is not one of {', '.join(WORLDS)}{closest(kind, list(WORLDS))}")
        return cls(**(WORLDS[kind] | settings.parse(cls, texts)))

    @property
    def last(self) -> date:
        """Day of the last meeting."""
        return date.fromisoformat(self.first) + timedelta(days=(self.days - 1) // self.every * self.every)

    @property
    def middle_level(self) -> float:
        """Place of the middle player on the stones axis."""
        return Rank.parse(self.middle).stones

    def elo(self, level: Floats) -> Floats:
        """Return the Elo of places on the stones axis: per_rank (e^(g R) - 1) / g with R ranks above 1 kyu."""
        above = level - FIRST_KYU
        return self.per_rank * (np.expm1(self.growth * above) / self.growth if self.growth else above)

    def point(self, level: Floats) -> Floats:
        """Return the Elo that a point of komi is worth at places on the stones axis: a rank is worth a stone."""
        steeper: Floats = np.exp(self.growth * (level - FIRST_KYU))
        return self.per_rank / max(self.stone, 1.0) * steeper

    def help(self, handicap: int, komi: float) -> float:
        """Return the points of komi that terms are truly worth to Black."""
        free = min(max(handicap - 1, 0), MOST_STONES - 1)
        each = _numbers(self.worths)
        own = [*each, *[each[-1] if each else self.stone] * (MOST_STONES - 1)][:free]
        return math.fsum(own) + self.fair_komi - komi


def _numbers(text: str) -> list[float]:
    """Return numbers by commas; ValueError where one is none."""
    values = [float(part) for part in text.split(",") if part.strip()]
    if any(not 0.0 <= value <= MOST_WORTH for value in values):
        raise ValueError(text)
    return values


WORLDS: dict[str, dict[str, Any]] = {
    "club": {},
    "card": {"terms": "card", "card": "tokyo15", "declares": "entry", "stone": 13.0},
    "federation": {
        "players": 1000, "games": 20_000, "first": "2020-01-05", "days": 1825, "every": 14,
        "tournaments": 1, "rounds": 5, "spread": 6.0,
    },
    "server": {"players": 500, "games": 20_000, "every": 1, "terms": "even", "declares": "never", "moments": True},
    "pools": {"pools": 3, "players": 90, "bridges": 12, "pool_gap": 2.0, "declares": "never", "terms": "even"},
    "newcomers": {"newcomers": 0.6, "learning": 6.0},
    "sandbaggers": {"sandbaggers": 0.1, "tournaments": 6},
    "mistakes": {"mistakes": 0.05},
    "collusion": {"colluders": 2, "arranged": 40},
    "coins": {"spread": 0.0, "drift": 0.0, "learning": 0.0, "ageing": 0.0, "terms": "even", "rank_error": 0.0},
}  # fmt: skip
"""Settings that differ from the defaults, by kind of world."""
