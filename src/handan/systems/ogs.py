"""online-go.com: Glicko-2 game by game; handicap shifts the opponent on the site's own scale of ranks.

Source: the site's open rating code, versions 5 and 6, and its forum posts of 2021; the scale of 2021-01-28.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.incremental.adjustments import bounded, reset
from handan.kernels.winning_law import WinningLaw
from handan.ranks import Rank
from handan.ratings import Extra, Factor, Reason, Traits, surprise
from handan.systems.core.initial_ratings import deviations_at_entry, starting_ratings
from handan.systems.core.periods import last_day
from handan.systems.core.schedule import Schedule
from handan.systems.core.sequential import Sequential
from handan.systems.core.settings import late_ranks_setting, setting, start_setting
from handan.systems.core.unrated_reasons import UNRATED
from handan.systems.families.glickman import LAW, expected, g
from handan.systems.glicko2 import SCALE, settled

if TYPE_CHECKING:
    from handan.kernels.incremental.adjustments import ByHand
    from handan.kernels.types import Floats, Seats
    from handan.kernels.winning_law import Pairing
    from handan.ledger import Ledger
    from handan.ratings import Ratings
    from handan.systems.core.conditions import Conditions
    from handan.systems.core.replay_state import ReplayState
    from handan.systems.core.settings import LateRanks

LOW, HIGH = 100.0, 6000.0
LEAST_VOLATILITY, MOST_VOLATILITY = 0.01, 0.15
SIZES = {19: 1.0, 13: 3.0, 9: 6.0}
SIZE = len(UNRATED)
REASONS = (*UNRATED, "not on a board of 9, 13 or 19 lines")
Ruleset = Literal["japanese", "korean", "chinese", "aga", "other-area"]


@kernel
def rating_to_rank(rating: float) -> float:
    """Return 23.15 ln(rating / 525), the rating kept in [100, 6000]: 0 is 30 kyu, 30 is 1 dan."""
    return 23.15 * math.log(min(max(rating, 100.0), 6000.0) / 525.0)


@kernel
def rank_to_rating(rank: float) -> float:
    """Return 525 e^(rank / 23.15)."""
    return 525.0 * math.exp(rank / 23.15)


def handicap_rank_difference(handicap: int, size: int, komi: float, rules: str) -> float:
    """Return what the terms are worth to Black in ranks: (P - k - b + v (H - 1)) / 12, times 3 on 13x13, 6 on 9x9.

    Territory rules: P 6, v 12, b 0. Area rules: P 7, v 13, and b = H under Chinese rules, H - 1 under those of the AGA,
    for the points that White gets for stones.
    """
    extra = handicap - 1 if handicap > 1 else 0
    if rules in {"japanese", "korean"}:
        points = 6.0 - komi + 12.0 * extra
    else:
        given = {"chinese": handicap, "aga": extra}.get(rules, 0) if handicap > 1 else 0
        points = 7.0 - komi - given + 13.0 * extra
    return points / 12.0 * SIZES[size]


@kernel
def shifted(rating: float, ranks: float) -> float:
    """Return the rating that lies so many ranks above another."""
    return rank_to_rating(rating_to_rank(rating) + ranks) if ranks != 0.0 else rating


@kernel
def update(
    own: tuple[float, float, float],
    other: tuple[float, float],
    score: float,
    per_tau2: float,
    limits: tuple[float, float],
) -> tuple[float, float, float]:
    """Return rating, deviation and volatility after a game, each within its limits.

    Args:
        own: Rating, deviation, volatility.
        other: Opponent's rating, shifted by the handicap, and deviation.
        score: Own score.
        per_tau2: 1 / tau^2.
        limits: Least and largest deviation.
    """
    weight = g((other[1] / SCALE) ** 2)
    e = expected(weight, (own[0] - other[0]) / SCALE)
    surprise = weight * (score - e)
    variance, sigma2 = settled(
        per_tau2, (own[1] / SCALE) ** 2, own[2] * own[2], weight * weight * e * (1.0 - e), surprise
    )
    return (
        min(max(own[0] + SCALE * variance * surprise, LOW), HIGH),
        min(max(SCALE * math.sqrt(variance), limits[0]), limits[1]),
        min(max(math.sqrt(sigma2), LEAST_VOLATILITY), MOST_VOLATILITY),
    )


class Games(NamedTuple):
    """The rated games in playing order, shape (games,)."""

    black: Seats
    white: Seats
    score: Floats
    """Black's score."""
    ranks: Floats
    """What handicap and komi are worth to Black, ranks."""
    time: Floats
    """Day of the game."""


class Constants(NamedTuple):
    """The settings, as the replay reads them."""

    per_tau2: float
    """1 / tau^2."""
    growth: float
    """1 / period in days by which phi^2 grows by volatility^2, 0 for none."""
    limits: tuple[float, float]
    """Least and largest deviation, points."""
    newcomer: float
    """Squared deviation of who is set by hand, points."""


class State(NamedTuple):
    """The players, shape (players,): at entry, then at the end of the replay."""

    rating: Floats
    variance: Floats
    """Squared deviation, points."""
    volatility: Floats
    last: Floats
    """Day of the last game, infinite before the first."""
    now: Floats
    """Filled: the variance as of the last day."""


class Lines(NamedTuple):
    """What a replay writes down of each game and side, shape (games, 2)."""

    before: Floats
    change: Floats
    onset_deviation: Floats
    """Deviation with which the side was rated, points."""
    deviation_after: Floats
    """Deviation after the game, points."""


@kernel
def replay(games: Games, end: float, constants: Constants, hand: ByHand, state: State, lines: Lines) -> None:
    """Replay the games one by one, both sides from their values before the game; fill `state` and `lines`.

    `end` is the day up to which deviations grow at last.
    """
    black, white, score, ranks, time = games
    per_tau2, growth, limits, newcomer = constants
    rating, variance, volatility, last, now = state
    before, change, onset_deviation, deviation_after = lines
    done = 0
    for game in range(len(black)):
        done = reset(done, game, hand, rating, variance, newcomer, last)
        b, w = black[game], white[game]
        for side in range(2):
            player = b if side == 0 else w
            aged = variance[player]
            aged += (SCALE * volatility[player]) ** 2 * growth * max(time[game] - last[player], 0.0)
            onset_deviation[game, side] = min(max(math.sqrt(aged), limits[0]), limits[1])
            before[game, side] = rating[player]
        for side in range(2):
            player = b if side == 0 else w
            opponent = shifted(before[game, 1 - side], ranks[game] if side == 1 else -ranks[game])
            points = score[game] if side == 0 else 1.0 - score[game]
            new, deviation, sigma = update(
                (before[game, side], onset_deviation[game, side], volatility[player]),
                (opponent, onset_deviation[game, 1 - side]), points, per_tau2, limits,
            )  # fmt: skip
            change[game, side] = new - before[game, side]
            deviation_after[game, side] = deviation
            rating[player], variance[player], volatility[player] = new, deviation * deviation, sigma
            last[player] = time[game]
    reset(done, len(black), hand, rating, variance, newcomer, last)
    for player in range(len(rating)):
        aged = variance[player] + (SCALE * volatility[player]) ** 2 * growth * max(end - last[player], 0.0)
        now[player] = min(max(aged, limits[0] ** 2), limits[1] ** 2)


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return the log odds of Black's expected score against White shifted by the handicap in ranks, g of both."""
    variance = (pairing.black_spread**2 + pairing.white_spread**2) / SCALE**2
    return g(variance) * (pairing.black - shifted(pairing.white, -pairing.worth)) / SCALE


@dataclass(frozen=True, eq=False)
class OGSExtra(Extra):
    """What forecasts, explanations and the site's profile read beside rating and deviation."""

    by_game: ClassVar[tuple[str, ...] | None] = ("onset_variance", "ranks")

    onset_variance: Floats
    """Squared deviation of both sides before each game, shape (games, 2)."""
    ranks: Floats
    """What the terms of each game are worth to Black, ranks, shape (games,)."""
    volatility: Floats
    """Of every player now, shape (players,)."""


@dataclass(frozen=True)
class OGS(Sequential):
    """online-go.com's ratings since 2021."""

    name: ClassVar[str] = "ogs"
    title: ClassVar[str] = "OGS (online-go.com)"
    revision: ClassVar[int] = 2
    traits: ClassVar[Traits] = Traits(any_size=True, reads_deviations=True)

    _customary_start: ClassVar[float] = 1500.0
    winning_law: ClassVar[WinningLaw] = WinningLaw.of("ogs", lead_of)

    start: float | None = start_setting("points", _customary_start, low=LOW, high=HIGH)
    start_deviation: float = setting(350.0, "deviation of a newcomer", unit="points", low=30.0, high=500.0)
    # our choice: on the site everybody enters by nothing
    rank_deviation: float = setting(
        250.0, "deviation of who enters by a rank, if below that of a newcomer", unit="points", low=30.0, high=500.0
    )
    volatility: float = setting(0.06, "volatility of a newcomer", low=LEAST_VOLATILITY, high=MOST_VOLATILITY)
    tau: float = setting(0.5, "tau, how much volatilities change", low=0.01, high=3.0)
    min_deviation: float = setting(30.0, "smallest deviation", unit="points", low=1.0, high=500.0)
    max_deviation: float = setting(500.0, "largest deviation", unit="points", low=30.0, high=5000.0)
    handicap: Literal["v6", "v5"] = setting("v6", "worth of handicap in ranks, by version of the site's code")
    rules: Ruleset = setting("japanese", "rules of the games, which say what komi and stones are worth")
    ageing_days: float = setting(
        0.0, "days in which phi^2 grows by volatility^2; 0: deviations do not grow", unit="days", low=0.0, high=1e5
    )
    late_ranks: LateRanks = late_ranks_setting()

    def rate_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Replay the games one by one."""
        unrated = self.refusals(ledger)
        unrated[(unrated == 0) & ~np.isin(ledger.arrays.size, list(SIZES))] = SIZE
        schedule = Schedule.of(ledger, unrated, reasons=REASONS, late_ranks=self.late_ranks, past=past)
        rating, hand = bounded(
            *starting_ratings(schedule, self.rating_for, self.start, self._customary_start), LOW, HIGH
        )
        by_rank = self._rank_uncertainty**2
        variance = np.where(schedule.declared, by_rank, self.start_deviation**2)
        listed = deviations_at_entry(schedule, rating, self.rating_for)
        variance = np.where(np.isnan(listed), variance, listed**2)
        state = State(
            schedule.carried("rating", rating),
            schedule.carried("variance", variance),
            schedule.carried("volatility", np.full(len(rating), self.volatility)),
            schedule.carried("last", np.full(len(rating), np.inf)),
            np.empty(len(rating)),
        )
        lines = Lines(*(np.empty((len(schedule), 2)) for _ in Lines._fields))
        ranks = schedule.taken(self.worth_in_games(ledger))
        day = schedule.taken(np.where(ledger.arrays.dated, ledger.arrays.day, 0)).astype(np.float64)
        end = float(last_day(schedule)[0])
        growth = 1.0 / self.ageing_days if self.ageing_days else 0.0
        games = Games(*schedule.seats, schedule.score, ranks, day)
        constants = Constants(self.tau**-2.0, growth, (self.min_deviation, self.max_deviation), by_rank)
        replay.for_work(len(schedule))(games, end, constants, hand, state, lines)
        return schedule.ratings(
            self, rating, lines.before, lines.change,
            deviation=np.sqrt(state.now), variances=schedule.scatter(lines.deviation_after**2),
            adjusted=schedule.adjusted(self, hand),
            extra=OGSExtra(schedule.scatter(lines.onset_deviation**2), schedule.scatter(ranks), state.volatility),
            warnings=(
                *schedule.newcomers(f"{self._start_rating:g}", by_terms=self.start is None),
                *schedule.beyond(LOW, HIGH),
            ),
        )  # fmt: skip

    def terms_worth(self, conditions: Conditions) -> float:
        """Return what the terms are worth to Black in ranks, by the chosen version; 0 on boards without a law."""
        handicap, komi, size, *_ = conditions
        if size not in SIZES:
            return 0.0
        return float(handicap) if self.handicap == "v5" else handicap_rank_difference(handicap, size, komi, self.rules)

    def rank(self, rating: float) -> Rank | None:
        """Return the whole rank at or below a rating: 1 dan begins at 1918.5."""
        return Rank.at(math.floor(rating_to_rank(rating) + 1e-9) + 1.0)

    def rating_for(self, rank: Rank) -> float:
        """Return the rating at which a rank begins."""
        return rank_to_rating(rank.stones - 1.0)

    def onset(self, ratings: Ratings) -> tuple[Floats, Floats | None]:
        """Return rating and deviation before each game, shape (games, 2) each."""
        return ratings.arrays.before, np.sqrt(OGSExtra.of(ratings).onset_variance)

    @property
    def _start_uncertainty(self) -> float:
        """Deviation of a newcomer of whom nothing is known, points."""
        return self.start_deviation

    @property
    def _rank_uncertainty(self) -> float:
        """Deviation of who enters by a declared rank, or is set by hand, points."""
        return min(self.rank_deviation, self.start_deviation)

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return the step, g of the opponent and score - E, whose product is the change unless a limit cut it."""
        extra, ledger = OGSExtra.of(ratings), ratings.ledger
        ranks = float(extra.ranks[game])
        own, other = float(ratings.arrays.before[game, side]), float(ratings.arrays.before[game, 1 - side])
        opponent = shifted(other, ranks if side == 1 else -ranks)
        own_rd, other_rd = np.sqrt(extra.onset_variance[game, [side, 1 - side]]).tolist()
        score = float(ledger.arrays.score[game]) if side == 0 else 1.0 - float(ledger.arrays.score[game])
        weight = g((other_rd / SCALE) ** 2)
        expectation = expected(weight, (own - opponent) / SCALE)
        change = float(ratings.arrays.change[game, side])
        exceeds = weight * (score - expectation)
        step = change / exceeds if exceeds else 0.0
        factors = (
            Factor("step", step, "173.7178 phi'^2: the variance after the game, kept within the limits of the rating."),
            Factor("g", weight, "An uncertain opponent tells less: g = 1 / sqrt(1 + 3 phi^2 / pi^2)."),
            surprise("s - E", "Score less expected score.", score, expectation, LAW),
        )
        facts = {
            "own rating": own,
            "own deviation": own_rd,
            "opponent's rating": other,
            "opponent's rating with the handicap": opponent,
            "opponent's deviation": other_rd,
            "handicap and komi in ranks": ranks,
        }
        return Reason(factors, "product", facts)
