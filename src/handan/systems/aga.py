"""American Go Association (BayRate): the most likely ratings of the players of one event, given what was known before.

Source: P. Waldron's BayRate (2010), the association's method; Accelrat's win law (P. Matthews, 1990) as an option.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from handan.errors import InputError, SettingError
from handan.kernels import bayrate
from handan.kernels.adjusting import ByHand
from handan.kernels.compiling import kernel
from handan.kernels.normal import cdf, inverse_mills
from handan.ledger import Adjustment, Ledger
from handan.ranks import Rank
from handan.ratings import Adjusted, Factor, Ratings, Reason, Standing, product
from handan.systems.base import HANDICAP_KOMI, UNRATED, Floats, Ints, Sheet, System
from handan.systems.settings import setting

EVEN_KOMI = 7.5  # points; the half-point komi nearest to the fair 7.66
FAIR_KOMI = 0.580 / 0.0757
JIGO, ONLINE, UNKNOWN_RANK, FAR_TERMS = range(len(UNRATED), len(UNRATED) + 4)
REASONS = (
    *UNRATED,
    "a jigo, which is not submitted",
    "played online",
    "with a player of unknown rank",
    "more than 9 stones, or komi of 10 points and more (20 without stones)",
)
SIGMAS = (
    5.73781, 5.63937, 5.54098, 5.44266, 5.34439, 5.24619, 5.14806, 5.05000, 4.95202, 4.85412, 4.75631, 4.65859,
    4.56098, 4.46346, 4.36606, 4.26878, 4.17163, 4.07462, 3.97775, 3.88104, 3.78451, 3.68816, 3.59201, 3.49607,
    3.40037, 3.30492, 3.20975, 3.11488, 3.02035, 2.92617, 2.83240, 2.73907, 2.64622, 2.55392, 2.46221, 2.37118,
    2.28090, 2.19146, 2.10297, 2.01556, 1.92938, 1.84459, 1.76139, 1.68003, 1.60078, 1.52398, 1.45000, 1.37931,
    1.31244, 1.25000, 1.19269, 1.14127, 1.09659, 1.05948, 1.03078, 1.01119, 1.00125, 1.00000, 1.00000,
)  # fmt: skip
"""Deviations of new players at -49.5, -48.5, …, 8.5 on the closed scale, as in the program."""
KNOT = -49.5
WIDTHS = (1.13672, 1.18795, 1.22841, 1.27457, 1.31978, 1.35881, 1.39782, 1.43614)
"""s at 2 to 9 stones and komi 0, in stones."""


def _bends(values: tuple[float, ...]) -> tuple[float, ...]:
    """Return the second derivatives of the natural cubic spline through values at distance 1, 0 at both ends."""
    count = len(values)
    ratio, part = [0.0] * count, [0.0] * count
    for i in range(1, count - 1):
        pivot = 4.0 - ratio[i - 1]
        ratio[i] = 1.0 / pivot
        part[i] = (6.0 * (values[i + 1] - 2.0 * values[i] + values[i - 1]) - part[i - 1]) / pivot
    bends = [0.0] * count
    for i in range(count - 2, 0, -1):
        bends[i] = part[i] - ratio[i] * bends[i + 1]
    return tuple(bends)


BENDS = _bends(SIGMAS)


@kernel
def closed(rating: float) -> float:
    """Return the rating without the gap between -1 and 1: c = r - 1 if r > 0 else r + 1; inside the gap c is 0."""
    return max(rating - 1.0, 0.0) if rating > 0.0 else min(rating + 1.0, 0.0)


@kernel
def reopened(place: float) -> float:
    """Return the rating as printed, in stones: r = c + 1 if c > 0 else c - 1."""
    return place + 1.0 if place > 0.0 else place - 1.0


@kernel
def initial_sigma(place: float) -> float:
    """Return the deviation of a new player at a seed on the closed scale; 1.0 above 7.5 open, 6.0 below -50.5 open."""
    if place > 6.5:
        return 1.0
    if place < KNOT:
        return 6.0
    row = int(place - KNOT)
    above = place - KNOT - row
    below = 1.0 - above
    bend = (below**3 - below) * BENDS[row] + (above**3 - above) * BENDS[row + 1]
    return below * SIGMAS[row] + above * SIGMAS[row + 1] + bend / 6.0


@kernel
def grown(sigma: float, days: float) -> float:
    """Return the deviation after an absence: sqrt(sigma^2 + (0.0005 d)^2), d in days."""
    return math.sqrt(sigma * sigma + (0.0005 * days) ** 2)


@kernel
def seeding(entry: float, rating: float, sigma: float, days: float, wins: int) -> tuple[float, float]:
    """Return seed and prior deviation of a rated player who enters an event, all on the closed scale.

    Nobody demotes himself. With at least one win, an entry 3 or more stones above the rating is believed like that of
    a new player; one of 1 to 3 stones above moves the seed by 0.024746 + 0.32127 of the difference. An entry of NaN
    stands for none.
    """
    rise = 0.0 if math.isnan(entry) else entry - rating
    if wins > 0 and rise >= 3.0:
        return entry, initial_sigma(entry)
    if wins > 0 and rise >= 1.0:
        return rating + 0.024746 + 0.32127 * rise, math.sqrt(sigma * sigma + 0.256 * rise**1.9475)
    return rating, grown(sigma, days)


@kernel
def bayrate_law(handicap: int, komi: float) -> tuple[float, float]:
    """Return (e, s) in stones: what handicap and komi give to Black, and the spread of a game's result."""
    if handicap < 2:
        return 0.580 - 0.0757 * komi, 1.0649 - 0.0021976 * komi + 0.00014984 * komi * komi
    return handicap - 0.0757 * komi, WIDTHS[min(handicap, 9) - 2] - 0.0035169 * komi


@kernel
def accelrat_law(handicap: int, komi: float) -> tuple[float, float]:
    """Return (e, s) of Accelrat: e = H - 0.1 k, 0.5 - 0.1 k without stones; s = 1.04 stones always."""
    return (0.5 if handicap < 2 else float(handicap)) - 0.1 * komi, 1.04


@kernel
def p_white(white: float, black: float, e: float, s: float) -> float:
    """Return the probability that White wins, from ratings on the closed scale: Phi((w - b - e)/s)."""
    return cdf((white - black - e) / s)


replay = bayrate.replay.using("aga_replay", seeding=seeding, initial_sigma=initial_sigma)
LAWS = {"bayrate": (bayrate_law, FAIR_KOMI), "accelrat": (accelrat_law, 5.0)}
"""Each win law, and the komi at which its even game is fair."""


@dataclass(frozen=True)
class AGA(System):
    """The American Go Association's rating, one event at a time."""

    name: ClassVar[str] = "aga"
    title: ClassVar[str] = "American Go Association (BayRate)"
    unit: ClassVar[float] = 1.0
    """Figures printed for one stone."""

    start: str = setting(None, "rank of a newcomer who declares none; without it his games are not rated", kind=str)
    sigma: str = setting("grid", "how the new deviation is found", choices=("grid", "laplace"))
    law: str = setting("bayrate", "the law of winning", choices=tuple(LAWS))

    def __post_init__(self) -> None:
        """Refuse absurd constants by name."""
        super().__post_init__()
        try:
            Rank.parse(self.start or "1d")
        except InputError as error:
            raise SettingError(f"{self.name}: start: {error}") from error

    def rate(self, ledger: Ledger) -> Ratings:
        """Rate the events in order; games without an event are one event a day."""
        sheet = events(ledger, self.refusals(ledger))
        taken = sheet.sequence
        rating, hand = sheet.numbers(self.rating_for, 0.0)
        rating = np.zeros(len(rating))
        hand = hand._replace(values=np.array([self._place(value) for value in hand.values], dtype=np.float64))
        sigma = np.full(len(rating), np.nan)
        held, jumps = np.full((len(sheet), 2, 5), np.nan), np.full((len(sheet), 2, 2), np.nan)
        e, s = self._terms_of(ledger)
        day = np.where(ledger.dated, ledger.day, np.nan)[taken[sheet.batch[:-1]]] if len(sheet) else np.empty(0)
        entry = self._entries(sheet)
        games = (sheet.black, sheet.white, 1.0 - 2.0 * sheet.score, e[taken], s[taken], sheet.batch, day)
        run = replay.for_work(50 * len(sheet))  # a game costs a grid of 100 points on both sides
        run(*games, self._declared(ledger)[taken], entry, self.sigma == "laplace", hand, rating, sigma, held, jumps)
        new = np.isnan(sigma)
        rating[new] = np.where(np.isnan(entry[new, 0]), entry[new, 1], entry[new, 0])
        sigma[new] = [initial_sigma(place) for place in rating[new].tolist()]
        return sheet.ratings(
            self, self._shown(rating), self._shown(held[:, :, 0]), self.unit * held[:, :, 1],
            after=sheet.spread(self._shown(held[:, :, 0] + held[:, :, 1])),
            deviation=self.unit * sigma,
            deviations=sheet.spread(self.unit * held[:, :, 4]),
            adjusted=(*self._adjusted(sheet, hand), *self._seeded(sheet, jumps)),
            extra={"prior": sheet.spread(held[:, :, 2]), "mode": sheet.spread(held[:, :, 3])},
        )  # fmt: skip
