"""Holigor's rating without an entry point: every result asks for a difference of one, the best compromise is sought.

Source: Holigor, "Description of the rating system" (undated), with its signs put right: the printed function drives the
players apart without end, so its negative is minimised here; and old results lose weight, as its words say.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np
import polars as pl

from handan.errors import Clause
from handan.handicaps import MOST_STONES
from handan.kernels.arrays import merged, running_sums
from handan.kernels.compiling import kernel
from handan.ratings import Extra, Factor, Reason, Traits, total
from handan.systems.core.base import System
from handan.systems.core.fair_terms import seated, stone_terms
from handan.systems.core.schedule import Schedule
from handan.systems.core.settings import setting
from handan.systems.core.unrated_reasons import UNRATED

if TYPE_CHECKING:
    from handan.handicaps import Terms
    from handan.kernels.types import Floats, Ints
    from handan.ledger import Ledger
    from handan.ranks import Rank
    from handan.ratings import Ratings, Standing

SETTLED = 10  # our choice: decimals of a raw rating that the iteration does not move any more
POINTS = 1000.0  # "Before the final presentation the ratings are multiplied by 1000."
HANDICAP_GAME = len(UNRATED)
REASONS = (*UNRATED, "a handicap game, for which the system has no law")
NUMERALS = re.compile(r"\b\d+(st|nd|rd|th)?\b[.:]?", re.IGNORECASE)


@kernel
def fit_of(error: float, p: float) -> float:
    """Return how well a result fits: exp(-p (x_i - x_j - r)^2), 1 for a perfect fit."""
    return math.exp(-p * error * error)


class Results(NamedTuple):
    """The different results of pairs, shape (rows,)."""

    one: Ints
    """A player of the pair."""
    other: Ints
    result: Floats
    """Of the first: 1, 0 or -1."""
    weight: Floats
    """How much the games with this result weigh together."""


@kernel
def sweep(x: Floats, results: Results, p: float, new: Floats) -> None:
    """Fill `new` with one simultaneous iteration: the mean of x_j + r over a player's games, weighted by a and fit."""
    one, other, result, weight = results
    total = np.zeros(len(x))
    new[:] = 0.0
    for game in range(len(one)):
        i, j = one[game], other[game]
        share = weight[game] * fit_of(x[i] - x[j] - result[game], p)
        new[i] += share * (x[j] + result[game])
        new[j] += share * (x[i] - result[game])
        total[i] += share
        total[j] += share
    for player in range(len(x)):
        if total[player] > 0.0:
            new[player] /= total[player]


@kernel
def solve(results: Results, p: float, anchor: Ints, tolerance: float, sweeps: int, x: Floats, first: Floats) -> int:
    """Iterate from zero until no difference to a player's anchor moves by `tolerance`; return the number of sweeps.

    Where the iteration swings between two states (a player who only won against one who only lost), it goes on from
    their mean. Fills `x` and `first`, the first iteration, shape (players,).
    """
    new, last = np.zeros(len(x)), np.zeros(len(x))
    for number in range(1, sweeps + 1):
        sweep(x, results, p, new)
        moved, swung = 0.0, 0.0
        for player in range(len(x)):
            if number == 1:
                first[player] = new[player]
            head = anchor[player]
            moved = max(moved, abs(new[player] - new[head] - x[player] + x[head]))
            swung = max(swung, abs(new[player] - new[head] - last[player] + last[head]))
        for player in range(len(x)):
            last[player] = x[player]
            x[player] = 0.5 * (x[player] + new[player]) if swung < 0.5 * moved else new[player]
        if moved < tolerance:
            return number
    return -1


def devaluation(games: Floats, constant: float = 5.0) -> Floats:
    """Return the factor for players with few games: 1 - exp(-m / 5)."""
    return 1.0 - np.exp(-games / constant)


def ageing(years: Floats, age: str) -> Floats:
    """Return the weight of a result y years (or editions) old: exp(-y), or 1 - exp(-y) as printed."""
    if age == "none":
        return np.ones(len(years))
    return 1.0 - np.exp(-years) if age == "printed" else np.exp(-years)


@dataclass(frozen=True, eq=False)
class HoligorExtra(Extra):
    """How the answer was made."""

    raw: Floats
    """Rating of every player before devaluation and presentation, shape (players,)."""
    first: Floats
    """The same after the first sweep."""
    share: Floats
    """Share of each game in the ratings of both sides, shape (games, 2)."""
    devaluation: Floats
    """Factor for few games of every player, shape (players,)."""


@dataclass(frozen=True)
class Holigor(System):
    """The rating without an entry point; even games only."""

    name: ClassVar[str] = "holigor"
    title: ClassVar[str] = "Holigor, without an entry point"
    traits: ClassVar[Traits] = Traits(any_order=True, whole=True, has_ranks=False)

    p: float = setting(0.25, "p, how soon a surprising result is disregarded", low=1e-6, high=0.4999)
    """Below 0.5 two players have one solution."""
    few: float = setting(5.0, "constant of the devaluation of players with few games", unit="games", low=1e-3, high=1e6)
    age: Literal["exp", "none", "printed"] = setting("exp", "weight of old results")
    tolerance: float = setting(1e-12, "largest move of a difference at which the iteration ends", low=1e-15, high=1.0)
    sweeps: int = setting(100_000, "most sweeps", low=1, high=10**9)

    def rate(self, ledger: Ledger) -> Ratings:
        """Fit all games at once."""
        unrated = self.refusals(ledger)
        unrated[(unrated == 0) & (ledger.arrays.stones > 0)] = HANDICAP_GAME
        schedule = Schedule.of(ledger, unrated, reasons=REASONS)
        weight = schedule.taken(self._weights(ledger))
        players = len(ledger.players)
        pool = schedule.pool
        x, first = np.zeros(players), np.zeros(players)
        result = 2.0 * schedule.score - 1.0
        count = self._solve(schedule, weight, result, pool, x, first)
        games = np.bincount(schedule.black, minlength=players) + np.bincount(schedule.white, minlength=players)
        weighed = np.bincount(schedule.black, weight, players) + np.bincount(schedule.white, weight, players) > 0.0
        lowest = np.zeros(players)
        for number in range(int(pool.max(initial=-1)) + 1):
            lowest[pool == number] = x[(pool == number) & weighed].min(initial=np.inf)
        raw = np.where(weighed, x - lowest, 0.0)  # nothing is known of who has only games without weight
        devalued = devaluation(games.astype(np.float64), self.few)
        share = self._shares(schedule, weight, result, raw)
        implied = np.stack((raw[schedule.white] + result, raw[schedule.black] - result), axis=1)
        change = POINTS * np.stack((devalued[schedule.black], devalued[schedule.white]), axis=1) * share * implied
        rating, before = np.zeros(players), np.empty_like(change)
        running_sums.for_work(len(schedule))(schedule.black, schedule.white, change, rating, before)
        rating = POINTS * devalued * raw  # what the changes add up to, without the errors of adding
        ignored = ("adjustments have no effect: this system has no entry point",) if ledger.adjustments else ()
        pattern = "not settled to {tolerance:g} after {sweeps} sweeps"
        slow = () if count >= 0 else (Clause.of(pattern, tolerance=self.tolerance, sweeps=self.sweeps),)
        extra = HoligorExtra(raw, first, schedule.scatter(share), devalued)
        return schedule.ratings(
            self, rating, before, change, beside={"raw": raw}, extra=extra, warnings=(*ignored, *slow)
        )

    def _solve(self, schedule: Schedule, weight: Floats, result: Floats, pool: Ints, x: Floats, first: Floats) -> int:
        """Solve on the different (pair, result) rows, whose weights add up; return the number of sweeps."""
        kind = (result + 1.0).astype(np.int64)  # 0 a loss of the first, 1 a jigo, 2 a win
        row, total = merged(3 * (schedule.black * len(pool) + schedule.white) + kind, weight)
        results = Results(schedule.black[row], schedule.white[row], result[row], total)
        members, heads = np.unique(pool, return_index=True)
        anchor = heads[np.searchsorted(members, pool)] if len(pool) else pool
        anchor = np.where(pool >= 0, anchor, np.arange(len(pool)))
        run = solve.for_work(1000 * len(row))  # loosely joined groups take thousands of sweeps
        return run(results, self.p, anchor, self.tolerance, self.sweeps, x, first)

    def _shares(self, schedule: Schedule, weight: Floats, result: Floats, raw: Floats) -> Floats:
        """Return the share of each game in the rating of black and white, shape (rated, 2); a player's add up to 1."""
        error = raw[schedule.black] - raw[schedule.white] - result
        strength = weight * np.exp(-self.p * error * error)
        whole = np.bincount(schedule.black, strength, len(raw)) + np.bincount(schedule.white, strength, len(raw))
        whole[whole == 0.0] = 1.0  # games without weight have no share
        return np.stack((strength / whole[schedule.black], strength / whole[schedule.white]), axis=1)

    def _weights(self, ledger: Ledger) -> Floats:
        """Return the weight a of each game by its age, shape (games,)."""
        return ageing(ages(ledger), self.age)

    def rank(self, rating: float) -> Rank | None:  # noqa: ARG002  # the scale has no ranks
        """Return None: "the absolute values of the numbers are not important"."""
        return None

    def rating_for(self, rank: Rank) -> float:  # noqa: ARG002  # see rank
        """Return 0: there is no entry point."""
        return 0.0

    def terms_by_rating(self, one: Standing, other: Standing, ratings: Ratings | None = None) -> Terms:  # noqa: ARG002
        """Return a stone for each 1000 points, the author's rough figure."""
        black, white = seated(self, one, other)
        difference = self.difference(black, white)
        stones = round(difference / POINTS)
        unfair = f"{black.name} would need {stones} stones, and a board holds {MOST_STONES}" * (stones > MOST_STONES)
        given = min(stones, MOST_STONES)
        return stone_terms(black, white, difference, given, self.customary_komi(given), unfair)

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return what a game contributes: its share times what it asks for, devalued, times 1000."""
        players = [int(column[game]) for column in (ratings.ledger.arrays.black, ratings.ledger.arrays.white)]
        own, other = players[side], players[1 - side]
        extra = HoligorExtra.of(ratings)
        raw, share = extra.raw, float(extra.share[game, side])
        against = round(float(raw[other]), SETTLED)
        result = (2.0 * float(ratings.ledger.arrays.score[game]) - 1.0) * (1 - 2 * side)
        factors = (
            Factor("presentation", POINTS, "Ratings are multiplied by 1000."),
            Factor("devaluation", float(extra.devaluation[own]), "1 - exp(-m/5) for a player with m games."),
            Factor("share of the game", share, "Old and surprising results weigh less; a player's shares add up to 1."),
            total(
                "what the game asks for",
                "The opponent's raw rating, 1 more for a win, 1 less for a loss.",
                Factor("opponent's raw rating", against, "At the answer, before devaluation and presentation."),
                Factor("result", result, "A win is 1, a jigo 0, a loss -1."),
            ),
        )
        facts = {
            "own raw rating": float(raw[own]),
            "first iteration": float(extra.first[own]),
        }
        return Reason(factors, "product", facts)


def ages(ledger: Ledger) -> Floats:
    """Return the age of each game, shape (games,): later editions of the same round, else whole calendar years.

    A tournament recurs if its name, without numerals, stands with more than one event; the age of its games is the
    number of later editions in which the same round was played. Games without a date are fresh.
    """
    year = ledger.arrays.column("date").dt.year().fill_null(0).to_numpy()
    years = np.where(ledger.arrays.dated, year.max(initial=0) - year, 0).astype(np.float64)
    events = ledger.arrays.column("event").unique()
    names = pl.Series([NUMERALS.sub("", name).strip().casefold() for name in events], dtype=pl.String)
    games = pl.DataFrame(
        {
            "name": ledger.arrays.column("event").replace_strict(events, names),
            "round": ledger.arrays.column("round"),
            "event": ledger.arrays.event,
            "place": np.arange(len(ledger)),
        }
    ).filter(pl.col("name") != "")
    start = games.group_by("name", "event").agg(pl.col("place").min().alias("start"))
    recurring = start.group_by("name").len().filter(pl.col("len") > 1).select("name")
    games = games.join(recurring, on="name", how="semi").join(start, on=["name", "event"])
    edition = pl.col("start").rank("dense").over("name", pl.col("round").fill_null(-1))
    last = edition.max().over("name", pl.col("round").fill_null(-1))
    later = games.select("place", edition=edition, last=last)
    years[later["place"].to_numpy()] = (later["last"] - later["edition"]).to_numpy().astype(np.float64)
    return years
