"""Handan: a Gaussian belief of each strength, and settings that the games of the ledger choose themselves.

Source: the filter is the assumed-density form of M. Glickman, "Parameter estimation in large dynamic paired comparison
experiments" (1999), with the logistic average of D. MacKay, "The evidence framework applied to classification networks"
(1992); settings are averaged as in J. Hoeting, D. Madigan, A. Raftery and C. Volinsky, "Bayesian model averaging: a
tutorial" (1999), by how well each forecast the games so far (A. P. Dawid, "The prequential approach", 1984).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import polars as pl

from handan.kernels.calibration import LEAST, likelihood
from handan.kernels.compiling import kernel
from handan.kernels.incremental.adjustments import ByHand, adjust
from handan.kernels.leads import Pairing, WinningLaw
from handan.kernels.types import Floats, Ints, Seats
from handan.ledger import Ledger
from handan.ratings import Factor, Ratings, Reason
from handan.ratings.explanation import product, surprise
from handan.systems.core.base import System
from handan.systems.core.periods import days, last_day, undated
from handan.systems.core.schedule import Schedule
from handan.systems.core.settings import LateRanks, late_ranks_setting, setting, start_setting
from handan.systems.families.linear_ranks import LinearRanks

LAW = "p = 1 / (1 + e^-z), z = kappa (r_own - r_other), the terms added to Black's rating."
NATURAL = math.log(10.0) / 400.0  # natural units in one Elo: 400 points are odds of 10 to 1
FLAT = math.pi / 8.0 * NATURAL * NATURAL  # MacKay's pi / 8, for variances in Elo^2
DEVIATIONS = (60.0, 90.0, 130.0, 190.0, 270.0, 390.0, 560.0)
"""Deviations of newcomers that are weighed, Elo. our choice: circles of equals want 100, nations 150, a country 350."""
GROWTHS = (0.0, 5.0, 20.0, 80.0)
"""Growths of the variance that are weighed, Elo^2 a day. our choice; 20 is Coulom's fit (2008)."""
FURTHEST = 500.0  # log odds; beyond it a likelihood would underflow, and no weight were left
STEPS = 4  # our choice: so many settings of one game are the work of a step of other loops


@kernel
def flattening(variance: float) -> float:
    """Return kappa = q / sqrt(1 + pi q^2 V / 8), the slope per Elo of a forecast that is uncertain by a variance V."""
    return NATURAL / math.sqrt(1.0 + FLAT * variance)


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return the log odds of Black, kappa (r_b + terms - r_w); the constant is beta^2, the variance of performance."""
    one, other = pairing.black_spread, pairing.white_spread
    variance = pairing.constants[0] + one * one + other * other
    return flattening(variance) * (pairing.black + pairing.worth - pairing.white)


class Games(NamedTuple):
    """The rated games in playing order, shape (games,)."""

    black: Seats
    white: Seats
    score: Floats
    """Black's score."""
    worth: Floats
    """What handicap, komi and first move add to Black's rating."""
    time: Floats
    """Day of the game."""
    opening: Ints
    """Place of a game before which everything is known to each game."""


class Settings(NamedTuple):
    """The settings that are weighed, shape (settings,)."""

    entry: Floats
    """Variance of a newcomer."""
    growth: Floats
    """Variance that a day adds."""
    weight: Floats
    """Weight of each setting, 1 together; at the end as the games have left it."""


class State(NamedTuple):
    """What is known of the players at the end of the replay, shape (players,)."""

    rating: Floats
    variance: Floats
    """At entry 1, for a newcomer by rank as much less as that is surer; in units of a newcomer's variance."""


class Lines(NamedTuple):
    """What a replay writes down of each game and side, shape (games, 2)."""

    before: Floats
    change: Floats
    onset: Floats
    """Variance with which the side goes into the game."""
    after: Floats
    """Variance after it."""
    gain: Floats
    """Mean of V kappa over the settings: Elo for a whole surprise."""
    moved: Floats
    """What the result itself moves."""


@kernel
def mean(weight: Floats, values: Floats) -> float:
    """Return the mean of one value a setting."""
    total = 0.0
    for s in range(len(weight)):
        total += weight[s] * values[s]
    return total


@kernel
def moments(weight: Floats, rating: Floats, variance: Floats) -> tuple[float, float]:
    """Return mean and variance of the mixture of normal beliefs, sum of w (V_s + (r_s - r)^2)."""
    middle, wide = mean(weight, rating), 0.0
    for s in range(len(weight)):
        wide += weight[s] * (variance[s] + (rating[s] - middle) * (rating[s] - middle))
    return middle, wide


@kernel
def replay(
    games: Games,
    end: float,
    beta2: float,
    by_rank: float,
    settings: Settings,
    hand: ByHand,
    state: State,
    lines: Lines,
) -> None:
    """Replay the games under all settings at once; fill `state` and `lines`, and leave the weights in `settings`.

    Args:
        games: The games.
        end: Day up to which the variances grow at last.
        beta2: Variance of both performances together.
        by_rank: Share of a newcomer's variance with which players enter by rank, or are set by hand.
        settings: What is weighed.
        hand: Ratings set by hand.
        state: The players at entry, then at the end.
        lines: Filled.
    """
    black, white, score, worth, time, opening = games
    entry, growth, weight = settings
    shown, share = state
    before, change, onset, after, gain, moved = lines
    count, players = len(weight), len(shown)
    rating, variance = np.empty((players, count)), np.empty((players, count))
    wide, grows, last = np.empty(players), np.zeros(players), np.full(players, np.inf)
    for player in range(players):
        wide[player] = -1.0  # has not entered
        for s in range(count):
            rating[player, s], variance[player, s] = shown[player], share[player] * entry[s]
    entries = np.empty(len(black) + 1)  # mean variance of a newcomer, as known before each game
    slope, lead = np.empty(count), np.empty(count)
    done = 0
    for game in range(len(black) + 1):
        entries[game] = mean(weight, entry)
        until = adjust(done, game, hand, shown)
        for item in range(done, until):
            player = hand.players[item]
            if hand.became[item] == hand.values[item]:
                wide[player], grows[player], last[player] = -1.0, 0.0, np.inf
                share[player] = by_rank
                for s in range(count):
                    rating[player, s], variance[player, s] = shown[player], by_rank * entry[s]
        done = until
        if game == len(black):
            break
        b, w, now = black[game], white[game], time[game]
        for side in range(2):
            player = b if side == 0 else w
            if wide[player] < 0.0:
                wide[player] = share[player] * entries[opening[game]]
            gap = max(now - last[player], 0.0)
            before[game, side], onset[game, side] = shown[player], wide[player] + grows[player] * gap
            for s in range(count):
                variance[player, s] += growth[s] * gap
            last[player] = now
        total = 0.0
        for s in range(count):
            kappa = flattening(beta2 + variance[b, s] + variance[w, s])
            slope[s], lead[s] = kappa, kappa * (rating[b, s] + worth[game] - rating[w, s])
            weight[s] *= likelihood(min(max(lead[s], -FURTHEST), FURTHEST), score[game])
            total += weight[s]
        gain_b, gain_w, moved_b, moved_w = 0.0, 0.0, 0.0, 0.0
        for s in range(count):
            weight[s] = max(weight[s] / total, LEAST)
            odds = math.exp(-abs(lead[s]))
            p = 1.0 / (1.0 + odds) if lead[s] >= 0.0 else odds / (1.0 + odds)
            rest, curve = score[game] - p, slope[s] * slope[s] * p * (1.0 - p)
            v_b, v_w = variance[b, s], variance[w, s]
            gain_b += weight[s] * v_b * slope[s]
            gain_w += weight[s] * v_w * slope[s]
            moved_b += weight[s] * v_b * slope[s] * rest
            moved_w -= weight[s] * v_w * slope[s] * rest
            rating[b, s] += v_b * slope[s] * rest
            rating[w, s] -= v_w * slope[s] * rest
            variance[b, s] = v_b * (1.0 - v_b * curve)
            variance[w, s] = v_w * (1.0 - v_w * curve)
        gain[game, 0], gain[game, 1] = gain_b, gain_w
        moved[game, 0], moved[game, 1] = moved_b, moved_w
        pace = mean(weight, growth)
        for side in range(2):
            player = b if side == 0 else w
            middle, wide[player] = moments(weight, rating[player], variance[player])
            change[game, side], after[game, side] = middle - shown[player], wide[player]
            shown[player], grows[player] = middle, pace
    for player in range(players):
        if wide[player] < 0.0:
            wide[player] = share[player] * entries[len(black)]
        share[player] = wide[player] + grows[player] * max(end - last[player], 0.0)


def openings(schedule: Schedule) -> Ints:
    """Return the place of a game before which everything is known to each game, shape (rated,).

    That is where the day of its event's first game begins, of its own day where it has no event; without dates the
    round.
    """
    ledger, taken = schedule.ledger, schedule.sequence
    table = ledger.games
    if ledger.dated.any():
        number = ledger.day
    elif table["round"].is_not_null().any():
        number = table.select(pl.struct("event", "round").rle_id()).to_series().to_numpy().astype(np.int64)
    else:
        number = np.arange(len(ledger))
    begins = np.flatnonzero(np.diff(number, prepend=number[:1] - 1))
    first = begins[np.searchsorted(begins, np.arange(len(ledger)), side="right") - 1]
    _, start, event = np.unique(ledger.event, return_index=True, return_inverse=True)
    return np.searchsorted(taken, np.minimum(first, first[start[event.reshape(-1)]])[taken])


@dataclass(frozen=True)
class Handan(LinearRanks, System):
    """Gaussian beliefs of strengths, game by game, under settings that the games so far have chosen."""

    name: ClassVar[str] = "handan"
    title: ClassVar[str] = "Handan"
    customary_start: ClassVar[float] = 1500.0
    winning_law: ClassVar[WinningLaw] = WinningLaw.of("handan", lead_of)

    deviation: float | None = setting(
        None, "deviation of a newcomer; none: 60 to 560, weighed by the games",
        unit="Elo", low=1.0, high=1e4, kind=float,
    )  # fmt: skip
    w2: float | None = setting(
        None, "growth of the variance; none: 0 to 80, weighed by the games",
        unit="Elo^2 a day", low=0.0, high=1e5, kind=float,
    )  # fmt: skip
    rank_share: float = setting(
        0.7, "deviation of who enters by a rank, as a share of a newcomer's; our choice", low=0.001, high=1.0
    )
    performance: float = setting(
        150.0, "beta, deviation of both performances of a game together; our choice", unit="Elo", low=0.0, high=1e4
    )
    start: float | None = start_setting("Elo", customary_start, low=-1e5, high=1e5)
    stone: float | None = setting(
        None, "worth of a stone to Black; none: a rank's; 0: nothing", unit="Elo", low=0.0, high=2000.0, kind=float
    )
    advantage: float = setting(0.0, "worth of the first move at fair komi", unit="Elo", low=-1000.0, high=1000.0)
    per_rank: float = setting(60.0, "Elo from one rank to the next", unit="Elo", low=1.0, high=2000.0)
    at_1d: float = setting(2100.0, "rating of 1 dan", unit="Elo", low=-1e5, high=1e5)
    late_ranks: LateRanks = late_ranks_setting()

    def rate(self, ledger: Ledger) -> Ratings:
        """Replay the games one by one under all settings."""
        schedule = Schedule.of(ledger, self.refusals(ledger), late_ranks=self.late_ranks)
        rating, hand = schedule.numbers(self.rating_for, self.start, self.customary_start)
        share = self.rank_share**2
        state = State(rating, np.where(schedule.declared, share, 1.0))
        worth = schedule.taken(self.worth_in_games(ledger))
        time = days(schedule).astype(np.float64)
        games = Games(*schedule.seats, schedule.score, worth, time, openings(schedule))
        lines = Lines(*(np.empty((len(schedule), 2)) for _ in Lines._fields))
        settings, end = self.weighed(), float(last_day(schedule)[0])
        steps = len(schedule) * len(settings.weight) // STEPS
        replay.for_work(steps)(games, end, self.performance**2, share, settings, hand, state, lines)
        return schedule.ratings(
            self, state.rating, lines.before, lines.change,
            deviation=np.sqrt(state.variance),
            variances=schedule.spread(lines.after),
            adjusted=schedule.adjusted(self, hand),
            extra={
                "onset variance": lines.onset, "gain": lines.gain, "moved": lines.moved,
                "weights": np.stack((np.sqrt(settings.entry), settings.growth, settings.weight)),
            },
            notes=self._learned(settings) if len(schedule) else (),
            warnings=(*schedule.newcomers(f"{self.start_rating:g}", by_terms=self.start is None), *undated(schedule)),
        )  # fmt: skip

    def weighed(self) -> Settings:
        """Return the settings that are weighed, with what they weigh before the first game.

        our choice: ln of the deviation is normal around that of 122 Elo (0.7 natural units) with deviation 0.5,
        ln (w2 + 3) around ln 17 with deviation 1.
        """
        deviations = np.array(DEVIATIONS if self.deviation is None else (self.deviation,))
        growths = np.array(GROWTHS if self.w2 is None else (self.w2,))
        one, other = np.log(deviations * NATURAL / 0.7) / 0.5, np.log((growths + 3.0) / 17.0)
        weight = np.exp(-0.5 * (one[:, None] ** 2 + other[None, :] ** 2)).ravel()
        entry, growth = np.repeat(deviations**2, len(growths)), np.tile(growths, len(deviations))
        return Settings(entry, growth, weight / weight.sum())

    def _learned(self, settings: Settings) -> tuple[str, ...]:
        """Return what the games say of the settings, in words."""
        middle = math.sqrt(float(settings.weight @ settings.entry))
        pace = float(settings.weight @ settings.growth)
        return (f"the games say: deviation of a newcomer {middle:.0f} Elo, growth {pace:.1f} Elo^2 a day",)

    @property
    def law_constants(self) -> tuple[float, ...]:
        """The variance of both performances."""
        return (self.performance**2,)

    def onset(self, ratings: Ratings) -> tuple[Floats, Floats | None]:
        """Return ratings and deviations before each game, shape (games, 2) each."""
        deviation = np.full((len(ratings.ledger), 2), np.nan)
        deviation[ratings.sequence] = np.sqrt(ratings.extra["onset variance"])
        return ratings.before, deviation

    @property
    def start_uncertainty(self) -> float:
        """Deviation of a newcomer of whom nothing is known, before any game, Elo."""
        settings = self.weighed()
        return math.sqrt(mean(settings.weight, settings.entry))

    @property
    def rank_uncertainty(self) -> float:
        """Deviation of who enters by a declared rank, or is set by hand, before any game, Elo."""
        return self.rank_share * self.start_uncertainty

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return what the result moves, gain times surprise, and what the weighing of settings moves."""
        ledger = ratings.ledger
        place = int(np.flatnonzero(ratings.sequence == game)[0])
        gain, moved = (float(ratings.extra[name][place, side]) for name in ("gain", "moved"))
        score = abs(side - float(ledger.score[game]))
        expectation = score - moved / gain
        result = product(
            "result",
            "The result moves a belief by its variance times kappa times the surprise.",
            Factor("gain", gain, "V kappa: who is less certain moves more; the mean over the settings by weight."),
            surprise("score - expected score", "s - p, each setting as far as it moves.", score, expectation, LAW),
        )
        anew = Factor(
            "settings weighed anew",
            float(ratings.change[game, side]) - moved,
            "The games since the player's last one have said which settings forecast better.",
        )
        factors = (result, anew) if ratings.extra["weights"].shape[1] > 1 else (result,)
        onset = ratings.extra["onset variance"][place]
        facts = {
            "own rating": float(ratings.before[game, side]),
            "own deviation": math.sqrt(onset[side]),
            "opponent's rating": float(ratings.before[game, 1 - side]),
            "opponent's deviation": math.sqrt(onset[1 - side]),
            "worth of handicap and komi to Black": self.worth_in_game(ledger, game),
        }
        return Reason(factors, "sum", facts)
