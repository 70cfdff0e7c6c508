"""TrueSkill for two players: skill is a normal belief, and each game leaves the belief that fits its result best.

Source: R. Herbrich, T. Minka and T. Graepel, "TrueSkill: A Bayesian Skill Rating System" (2006), in its closed form for
two players.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.incremental.adjustments import reset
from handan.kernels.normal import between, cdf, inverse_mills, log_cdf, log_sum, shrinkage
from handan.kernels.winning_law import WinningLaw
from handan.ratings import Extra, Factor, Reason, Traits
from handan.systems.core.initial_ratings import deviations_at_entry, starting_ratings
from handan.systems.core.periods import days, last_day, undated
from handan.systems.core.schedule import Schedule
from handan.systems.core.sequential import Sequential
from handan.systems.core.settings import late_ranks_setting, setting
from handan.systems.core.unrated_reasons import UNRATED
from handan.systems.families.linear_ranks import LinearRanks

if TYPE_CHECKING:
    from handan.kernels.incremental.adjustments import ByHand
    from handan.kernels.types import Floats, Seats
    from handan.kernels.winning_law import Pairing
    from handan.ledger import Ledger
    from handan.ratings import Ratings
    from handan.systems.core.replay_state import ReplayState
    from handan.systems.core.settings import LateRanks

NO_DRAWS = len(UNRATED)
REASONS = (*UNRATED, "a jigo, and p_draw is 0")
PER_RANK = 1.75  # skill; the source knows no ranks


@kernel
def spread(beta2: float, one: float, other: float) -> float:
    """Return C = sqrt(2 beta^2 + V1 + V2), the deviation of the difference of two performances."""
    return math.sqrt(2.0 * beta2 + one + other)


@kernel
def draw_margin(p_draw_deviate: float, beta2: float, c: float) -> float:
    """Return e = Phi^-1((p_draw + 1) / 2) sqrt(2) beta / C; the first argument is Phi^-1((p_draw + 1) / 2)."""
    return p_draw_deviate * math.sqrt(2.0 * beta2) / c


@kernel
def moments(score: float, x: float, margin: float) -> tuple[float, float]:
    """Return v and w for Black's score; x is Black's lead in units of C.

    Won: v = phi(x - e) / Phi(x - e), w = v (v + x - e). Lost: the same from White's side. Drawn: v and w of the lead
    between -e and e.
    """
    if score == 1.0:
        return inverse_mills(x - margin), shrinkage(x - margin)
    if score == 0.0:
        return -inverse_mills(-x - margin), shrinkage(-x - margin)
    return between(x, margin)


@kernel
def learned(variance: float, w: float, c: float) -> float:
    """Return the variance after a game, sigma'^2 = V (1 - V w / C^2)."""
    return variance * max(1.0 - variance * w / (c * c), 0.0)


class Games(NamedTuple):
    """The rated games in playing order, shape (games,)."""

    black: Seats
    white: Seats
    score: Floats
    """Black's score."""
    worth: Floats
    """What handicap, komi and first move add to Black's mu."""
    time: Floats
    """Day of the game."""


class Constants(NamedTuple):
    """What the games do not change."""

    per_game: float
    """Variance that a game adds."""
    per_day: float
    """Variance that a day adds."""
    beta2: float
    """Variance of a performance."""
    deviate: float
    """Phi^-1((p_draw + 1) / 2), by which the draw margin is found."""
    by_rank: float
    """Variance of who enters by a rank, or is set by hand."""


class State(NamedTuple):
    """What is known of the players, shape (players,): at entry, then at the end of the replay."""

    mu: Floats
    variance: Floats
    last: Floats
    """Day of the last game, infinite before the first."""
    now: Floats
    """Filled: the variance as of the last day."""


class Lines(NamedTuple):
    """What a replay writes down of each game and side, shape (games, 2)."""

    before: Floats
    """mu before the game."""
    change: Floats
    """Of mu."""
    onset_variance: Floats
    """Variance with which the game is rated."""
    variance_after: Floats
    """Variance after the game."""


@kernel
def replay(
    games: Games,
    end: float,
    constants: Constants,
    hand: ByHand,
    state: State,
    lines: Lines,
) -> None:
    """Replay the games one by one; fill `state` and `lines`.

    Args:
        games: The games.
        end: Day up to which the variances grow at last.
        constants: What the games do not change.
        hand: Values of mu set by hand.
        state: The players at entry, then at the end.
        lines: Filled.
    """
    black, white, score, worth, time = games
    before, change, onset_variance, variance_after = lines
    per_game, per_day, beta2, deviate, by_rank = constants
    mu, variance, last, now = state
    done = 0
    for game in range(len(black)):
        done = reset(done, game, hand, mu, variance, by_rank, last)
        b, w = black[game], white[game]
        v_b = variance[b] + per_game + per_day * max(time[game] - last[b], 0.0)
        v_w = variance[w] + per_game + per_day * max(time[game] - last[w], 0.0)
        c = spread(beta2, v_b, v_w)
        v, shrink = moments(score[game], (mu[b] + worth[game] - mu[w]) / c, draw_margin(deviate, beta2, c))
        before[game, 0], before[game, 1] = mu[b], mu[w]
        change[game, 0], change[game, 1] = v_b * (v / c), v_w * (-v / c)
        onset_variance[game, 0], onset_variance[game, 1] = v_b, v_w
        variance[b] = learned(v_b, shrink, c)
        variance[w] = learned(v_w, shrink, c)
        variance_after[game, 0], variance_after[game, 1] = variance[b], variance[w]
        mu[b] += change[game, 0]
        mu[w] += change[game, 1]
        last[b] = time[game]
        last[w] = time[game]
    reset(done, len(black), hand, mu, variance, by_rank, last)
    for player in range(len(mu)):
        now[player] = variance[player] + per_day * max(end - last[player], 0.0)


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return the log odds of Black's expected score, a draw being half a win; the constants are beta^2 and the deviate.

    The score is (Phi(x - e) + Phi(x + e)) / 2: a win beyond the margin, and half of what lies within it.
    """
    beta2, deviate = pairing.constants
    one, other = pairing.black_spread, pairing.white_spread
    c = spread(beta2, one * one, other * other)
    x, margin = (pairing.black + pairing.worth - pairing.white) / c, draw_margin(deviate, beta2, c)
    return log_sum(log_cdf(x - margin), log_cdf(x + margin)) - log_sum(log_cdf(-x - margin), log_cdf(margin - x))


@dataclass(frozen=True, eq=False)
class TrueSkillExtra(Extra):
    """What forecasts and explanations read beside mu and sigma."""

    by_rated_game: ClassVar[tuple[str, ...]] = ("onset_variance",)

    onset_variance: Floats
    """Sigma^2, with tau, of both sides before each rated game in the order of the replay, shape (rated, 2)."""


@dataclass(frozen=True)
class TrueSkill(LinearRanks, Sequential):
    """TrueSkill of two players, game by game."""

    name: ClassVar[str] = "trueskill"
    title: ClassVar[str] = "TrueSkill"
    revision: ClassVar[int] = 3
    _customary_start: ClassVar[float] = 25.0
    winning_law: ClassVar[WinningLaw] = WinningLaw.of("trueskill", lead_of)
    traits: ClassVar[Traits] = Traits(ranks_on_line=True, reads_deviations=True)

    mu: float | None = setting(
        None, "mu of a newcomer; none: of the rank that the terms of the first game give, else 25",
        unit="skill", low=-1e5, high=1e5, kind=float,
    )  # fmt: skip
    sigma: float = setting(25.0 / 3.0, "sigma of a newcomer", unit="skill", low=1e-3, high=1e5)
    rank_sigma: float = setting(
        5.0, "sigma of who enters by a rank, if below that of a newcomer; our choice", unit="skill", low=1e-3, high=1e5
    )
    beta: float = setting(25.0 / 6.0, "beta, deviation of a performance", unit="skill", low=1e-3, high=1e5)
    tau: float = setting(25.0 / 300.0, "tau, growth of the deviation", unit="skill", low=0.0, high=1e5)
    tau_per: Literal["game", "day"] = setting("game", "when tau^2 is added to the variance")
    p_draw: float = setting(0.10, "probability of a draw; for Go: 0, and no jigo is rated", low=0.0, high=0.99)
    stone: float | None = setting(
        None, "worth of a stone to Black; none: a rank's; 0: nothing", unit="skill", low=0.0, high=1e4, kind=float
    )
    advantage: float = setting(0.0, "worth of the first move at fair komi", unit="skill", low=-1e4, high=1e4)
    per_rank: float = setting(PER_RANK, "mu from one rank to the next; our choice", unit="skill", low=1e-3, high=1e4)
    at_1d: float = setting(37.5, "mu of 1 dan; our choice", unit="skill", low=-1e5, high=1e5)
    late_ranks: LateRanks = late_ranks_setting()

    def rate_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Replay the games one by one."""
        unrated = self.refusals(ledger)
        if self.p_draw == 0.0:
            unrated[(unrated == 0) & (ledger.arrays.score == 0.5)] = NO_DRAWS
        schedule = Schedule.of(ledger, unrated, reasons=REASONS, late_ranks=self.late_ranks, past=past)
        mu, hand = starting_ratings(schedule, self.rating_for, self.mu, self._customary_start)
        constants = self._constants
        variance = np.where(schedule.declared, constants.by_rank, self.sigma * self.sigma)
        listed = deviations_at_entry(schedule, mu, self.rating_for)
        variance = np.where(np.isnan(listed), variance, listed**2)
        mu, variance = schedule.carried("mu", mu), schedule.carried("variance", variance)
        state = State(mu, variance, schedule.carried("last", np.full(len(mu), np.inf)), np.empty(len(mu)))
        worth = schedule.taken(self.worth_in_games(ledger))
        games = Games(*schedule.seats, schedule.score, worth, days(schedule).astype(np.float64))
        lines = Lines(*(np.empty((len(schedule), 2)) for _ in Lines._fields))
        end = float(last_day(schedule)[0])
        replay.for_work(len(schedule))(games, end, constants, hand, state, lines)
        return schedule.ratings(
            self, mu, lines.before, lines.change,
            deviation=np.sqrt(state.now),
            variances=schedule.scatter(lines.variance_after),
            adjusted=schedule.adjusted(self, hand),
            extra=TrueSkillExtra(lines.onset_variance),
            warnings=(
                *schedule.newcomers(f"{self._start_rating:g}", by_terms=self.mu is None),
                *(undated(schedule) if self.tau_per == "day" else ()),
            ),
        )  # fmt: skip

    @property
    def _constants(self) -> Constants:
        tau2 = self.tau * self.tau
        per_game, per_day = (tau2, 0.0) if self.tau_per == "game" else (0.0, tau2)
        deviate = NormalDist().inv_cdf((self.p_draw + 1.0) / 2.0)
        return Constants(per_game, per_day, self.beta * self.beta, deviate, self._rank_uncertainty**2)

    @property
    def _law_constants(self) -> tuple[float, ...]:
        """The variance of a performance, and the deviate of the draw margin."""
        return self._constants.beta2, self._constants.deviate

    def onset(self, ratings: Ratings) -> tuple[Floats, Floats | None]:
        """Return mu and sigma, with tau, before each game, shape (games, 2) each."""
        sigma = np.full((len(ratings.ledger), 2), np.nan)
        sigma[ratings.arrays.sequence] = np.sqrt(TrueSkillExtra.of(ratings).onset_variance)
        return ratings.arrays.before, sigma

    @property
    def _start_rating(self) -> float:
        """Mu of a newcomer of whom nothing is known."""
        return self._customary_start if self.mu is None else self.mu

    @property
    def _start_uncertainty(self) -> float:
        """Sigma of a newcomer of whom nothing is known."""
        return self.sigma

    @property
    def _rank_uncertainty(self) -> float:
        """Sigma of who enters by a declared rank, or is set by hand."""
        return min(self.rank_sigma, self.sigma)

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return the own variance, 1 / C and v, whose product is the change of mu."""
        ledger, sign = ratings.ledger, 1.0 if side == 0 else -1.0
        place = ratings.arrays.place_of(game)
        mu, variance = ratings.arrays.before[game], TrueSkillExtra.of(ratings).onset_variance[place]
        worth = self._worth_in_game(ledger, game)
        constants = self._constants
        c = spread(constants.beta2, float(variance[0]), float(variance[1]))
        lead, margin = float(mu[0] + worth - mu[1]) / c, draw_margin(constants.deviate, constants.beta2, c)
        score = float(ledger.arrays.score[game])
        v = sign * moments(score, lead, margin)[0]
        after = float("nan") if ratings.arrays.deviations is None else float(ratings.arrays.deviations[game, side])
        factors = (
            Factor("V", float(variance[side]), "V = sigma^2 + tau^2: who is less certain moves more."),
            Factor("1/C", 1.0 / c, "C = sqrt(2 beta^2 + V1 + V2)."),
            Factor("v", v, "v is the surprise of the result, given the lead less the draw margin in units of C."),
        )
        facts = {
            "score": score if side == 0 else 1.0 - score,
            "expected score": 0.5 * (cdf(sign * lead - margin) + cdf(sign * lead + margin)),
            "own mu": float(mu[side]),
            "own sigma with tau": math.sqrt(variance[side]),
            "opponent's mu": float(mu[1 - side]),
            "opponent's sigma with tau": math.sqrt(variance[1 - side]),
            "worth of handicap and komi to Black": worth,
            "own lead in units of C": sign * lead,
            "draw margin in units of C": margin,
            "mu - 3 sigma after the game": float(ratings.arrays.after[game, side]) - 3.0 * after,
        }
        return Reason(factors, "product", facts)
