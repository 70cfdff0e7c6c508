"""What Glicko and Glicko-2 share: g and E, rating periods, deviations that grow with time, forecasts, reasons.

Source: M. Glickman, "The Glicko system" (1995, revised 1999) and "Example of the Glicko-2 system" (2013).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, get_args

import numpy as np

from handan.errors import SettingError
from handan.kernels.compiling import kernel
from handan.kernels.incremental.adjustments import nobody_by_hand
from handan.kernels.winning_law import WinningLaw
from handan.ratings import Extra, Factor, Reason, Traits, surprise
from handan.ratings.lines import deviation_after
from handan.systems.core.initial_ratings import deviations_at_entry, starting_ratings
from handan.systems.core.law import LARGEST_EXPONENT
from handan.systems.core.periods import CALENDAR, Period, calendar, days, last_day, undated
from handan.systems.core.schedule import NOTHING, Schedule
from handan.systems.core.sequential import Sequential
from handan.systems.core.settings import late_ranks_setting, setting, start_setting
from handan.systems.core.unrated_reasons import NEEDS_DATE, RATED
from handan.systems.families.linear_ranks import LinearRanks

if TYPE_CHECKING:
    from handan.kernels.compiling import Kernel
    from handan.kernels.incremental.adjustments import ByHand
    from handan.kernels.types import Floats, Ints, Seats
    from handan.kernels.winning_law import Pairing
    from handan.ledger import Ledger
    from handan.ratings import Ratings
    from handan.systems.core.replay_state import ReplayState
    from handan.systems.core.settings import LateRanks
    from handan.systems.core.stepping import Seen

LAW = "E = 1 / (1 + 10^(-g (r - r_j) / 400)), the terms added to Black's rating."
THREE_OVER_PI2 = 3.0 / (math.pi * math.pi)


@kernel
def g(variance: float) -> float:
    """Return the weight of an opponent, 1 / sqrt(1 + 3 q^2 RD^2 / pi^2), from q^2 RD^2, the natural variance."""
    return 1.0 / math.sqrt(1.0 + THREE_OVER_PI2 * variance)


@kernel
def expected(weight: float, lead: float) -> float:
    """Return E = 1 / (1 + 10^(-g(RD_j) (r - r_j) / 400)) from g of the opponent and r - r_j in natural units."""
    return 1.0 / (1.0 + math.exp(min(-weight * lead, LARGEST_EXPONENT)))


@kernel
def since(last: float, time: float) -> float:
    """Return the time that has passed, none before the first period, whose `last` is infinite."""
    return max(time - last, 0.0)


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return the log odds of Black's expected score, flattened by g of both deviations; the constant is the unit."""
    unit = pairing.constants[0]
    variance = (pairing.black_spread / unit) ** 2 + (pairing.white_spread / unit) ** 2
    return g(variance) * (pairing.black + pairing.worth - pairing.white) / unit


class Games(NamedTuple):
    """The rated games in the order of the replay, and their periods."""

    black: Seats
    white: Seats
    score: Floats
    worth: Floats
    """What handicap, komi and first move add to Black's rating."""
    period: Ints
    """First game of each period, and the number of games, shape (periods + 1,)."""
    time: Floats
    """When each period is, in the unit in which deviations grow, shape (periods,)."""


class Constants(NamedTuple):
    """What the games do not change; variances are in natural units."""

    unit: float
    """Elo in a natural unit."""
    least: float
    """Least variance at the onset of a period."""
    largest: float
    growth: float
    """What the variance grows by in the unit of time; 0 in systems with volatility."""
    per_tau2: float
    """1 / tau^2; 0 in systems without volatility."""
    by_rank: float
    """Variance of who enters by a rank, or is set by hand."""


class State(NamedTuple):
    """What is known of the players, shape (players,): at entry, then at the end of the replay."""

    rating: Floats
    variance: Floats
    """Squared deviation in natural units."""
    sigma2: Floats
    """Squared volatility, the variance that a period adds, in natural units; 0 in systems without volatility."""
    last: Floats
    """Time of the last period, infinite before the first."""


CARRIED = ("rating", "variance", "volatility", "last")
"""The fields of `State` by their names in a stored replay, in which `volatility` stands for its square."""


class Lines(NamedTuple):
    """What a replay says about each game and side, shape (rated, 2); without rows where nobody asks."""

    before: Floats
    """Running rating."""
    change: Floats
    rated_from: Floats
    """Rating at the onset of the period, from which its games are rated."""
    onset_variance: Floats
    """Variance at the onset of the period, in natural units."""
    variance_after: Floats
    """Variance after the period, in natural units."""


@dataclass(frozen=True, eq=False)
class Onsets(Extra):
    """Ratings and variances at the onset of the period of each rated game, in the order of the replay."""

    by_rated_game: ClassVar[tuple[str, ...]] = ("rated_from", "variance")

    rated_from: Floats
    """Rating of both sides in Elo, shape (rated, 2)."""
    variance: Floats
    """Variance of both sides in natural units, shape (rated, 2)."""


class Step:
    """Takes one game, a period of its own, by the loop of all games."""

    def __init__(
        self,
        loop: Kernel[..., None],
        constants: Constants,
        rows: Mapping[str, list[Any]],
        time: Callable[[int, int], float],
        deviations: Callable[[State, float], Floats],
    ) -> None:
        """Keep what all games have in common.

        Args:
            loop: Over games of which each is a period.
            constants: What the games do not change.
            rows: What is known of the players.
            time: Of a game on a day after so many others.
            deviations: Up to a time of a list.
        """
        self._loop: Any = loop.linked  # which reads lists as well as arrays
        self._constants = constants, nobody_by_hand()
        self._state: list[list[float]] = [rows[name] for name in CARRIED]
        self._lines = Lines(*[NOTHING] * len(Lines._fields))
        self._time, self._deviations = time, deviations

    def take(self, black: int, white: int, seen: Seen, day: int, number: int) -> None:
        """Change the ratings, variances and squared volatilities of both players."""
        games = (black,), (white,), (seen.score,), (seen.worth,), None, (self._time(day, number),)
        self._loop(games, *self._constants, self._state, self._lines)

    def deviation(self, player: int, day: int, number: int) -> float:
        """Return the deviation of a player on a day, Elo."""
        state = State(*(np.array([values[player]]) for values in self._state))
        return float(self._deviations(state, self._time(day, number - 1))[0])


@dataclass(frozen=True)
class Glickman(LinearRanks, Sequential):
    """A system in which games of one period are rated together, and deviations grow between the periods."""

    _customary_start: ClassVar[float] = 1500.0
    winning_law: ClassVar[WinningLaw] = WinningLaw.of("glicko", lead_of)
    traits: ClassVar[Traits] = Traits(ranks_on_line=True, reads_deviations=True)

    period: Period = setting("event", "games that are rated together", choices=get_args(Period))
    start: float | None = start_setting("Elo", _customary_start, low=-1e5, high=1e5)
    start_deviation: float = setting(350.0, "deviation of a newcomer", unit="Elo", low=1.0, high=1e4)
    # our choice: less forecasts tournaments of declared ranks better, more those of servers
    rank_deviation: float = setting(
        250.0, "deviation of who enters by a rank, if below that of a newcomer", unit="Elo", low=1.0, high=1e4
    )
    max_deviation: float = setting(350.0, "largest deviation", unit="Elo", low=1.0, high=1e4)
    min_deviation: float = setting(
        0.0, "smallest deviation with which games are rated; 0: none", unit="Elo", low=0.0, high=1e4
    )
    stone: float | None = setting(
        None, "worth of a stone to Black; none: a rank's; 0: nothing", unit="Elo", low=0.0, high=2000.0, kind=float
    )
    advantage: float = setting(0.0, "worth of the first move at fair komi", unit="Elo", low=-1000.0, high=1000.0)
    per_rank: float = setting(100.0, "Elo from one rank to the next", unit="Elo", low=1.0, high=2000.0)
    at_1d: float = setting(2100.0, "rating of 1 dan", unit="Elo", low=-1e5, high=1e5)
    late_ranks: LateRanks = late_ranks_setting()

    def __post_init__(self) -> None:
        """Check the settings; SettingError names one that is out of bounds."""
        super().__post_init__()
        for name in ("start_deviation", "min_deviation"):
            if getattr(self, name) > self.max_deviation:
                setting_given = f"{name}={getattr(self, name):g}"
                raise SettingError(f"{self.name}: {setting_given} is above max_deviation={self.max_deviation:g}")

    @property
    @abstractmethod
    def _unit(self) -> float:
        """Elo in a natural unit."""

    @property
    def _growth(self) -> float:
        """What the variance grows by in the unit of time, in natural units."""
        return 0.0

    @property
    def _per_tau2(self) -> float:
        """1 / tau^2."""
        return 0.0

    @property
    def _constants(self) -> Constants:
        least, largest, by_rank = map(self._natural, (self.min_deviation, self.max_deviation, self._rank_uncertainty))
        return Constants(self._unit, least, largest, self._growth, self._per_tau2, by_rank)

    @property
    def _sigma2(self) -> float:
        """Squared volatility of a newcomer, in natural units."""
        return 0.0

    @property
    @abstractmethod
    def _game_loop(self) -> Kernel[..., None]:
        """The loop over games of which each is a period."""

    @property
    @abstractmethod
    def _period_loop(self) -> Kernel[..., None]:
        """The loop over periods of several games."""

    def _replay(self, steps: int) -> Callable[..., None]:
        """Return the loop for so many games."""
        return (self._game_loop if self.period == "game" else self._period_loop).for_work(steps)

    @property
    @abstractmethod
    def _by_days(self) -> bool:
        """Whether deviations grow by days rather than by periods."""

    @abstractmethod
    def _onset_variance(self, state: State, elapsed: Floats) -> Floats:
        """Return what the kernel `onset_variance` gives for each player after some time, to the bit, shape (players,).

        Once for all players who are known, while few of them play: a plain loop over them would take far longer.
        """

    @abstractmethod
    def _times(self, day: Ints, first: int) -> Floats:
        """Return the time of periods that begin on these days, shape (periods,); `first` periods were before them."""

    @property
    @abstractmethod
    def _ahead(self) -> float:
        """Time from the last period to the list, which shows deviations as the next one would begin with them."""

    def _natural(self, deviation: float) -> float:
        """Return the variance in natural units of a deviation in Elo."""
        return (deviation / self._unit) ** 2

    def rate_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Replay the games by periods; the list shows the deviations on the last date of the ledger."""
        return self._rated(past, ledger, only_list=False)

    def list_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Replay them, where each is a period, without writing down what single games change."""
        return self._rated(past, ledger, only_list=self.period == "game")

    def _rated(self, past: ReplayState | None, ledger: Ledger, *, only_list: bool) -> Ratings:
        schedule = self._schedule(ledger, past)
        rating, hand = starting_ratings(schedule, self.rating_for, self.start, self._customary_start)
        hand = hand._replace(variances=hand.variances / self._unit**2)
        constants = self._constants
        variance = np.where(schedule.declared, constants.by_rank, self._natural(self.start_deviation))
        listed = deviations_at_entry(schedule, rating, self.rating_for)
        variance = np.where(np.isnan(listed), variance, (listed / self._unit) ** 2)
        sigma2, last = np.full(len(rating), self._sigma2), np.full(len(rating), np.inf)
        entry = zip(CARRIED, (rating, variance, sigma2, last), strict=True)
        state = State(*(schedule.carried(name, values) for name, values in entry))
        time, end = self._clock(schedule)
        worth = schedule.taken(self.worth_in_games(ledger))
        games = Games(*schedule.seats, schedule.score, worth, schedule.batch, time)
        before, change, onset_variance, variance_after = (
            NOTHING if only_list else np.empty((len(schedule), 2)) for _ in range(4)
        )
        rated_from = before if self.period == "game" else np.empty((len(schedule), 2))
        lines = Lines(before, change, rated_from, onset_variance, variance_after)
        self._replay(len(schedule))(games, constants, hand, state, lines)
        return self._answer(schedule, hand, state, lines, end)

    @property
    def together(self) -> str:
        """The period."""
        return self.period

    @property
    def one_by_one(self) -> bool:
        """Where each game is a period."""
        return self.period == "game"

    def stepping(self, rows: Mapping[str, list[Any]]) -> Step:
        """Return the loop for one game."""

        def time(day: int, number: int) -> float:
            return float(self._times(np.array([day]), number)[0])

        return Step(self._game_loop, self._constants, rows, time, self._deviations)

    def _clock(self, schedule: Schedule) -> tuple[Floats, float]:
        """Return the time of each period, shape (periods,), and that of the list."""
        first, day = 0 if schedule.past is None else schedule.past.batches, days(schedule)
        return self._times(day, first), float(self._times(last_day(schedule), first + len(day) - 1)[0])

    def _answer(self, schedule: Schedule, hand: ByHand, state: State, lines: Lines, end: float) -> Ratings:
        """Return the ratings that the arrays of a replay make, in a list of a time."""
        return schedule.ratings(
            self, state.rating, lines.before, lines.change,
            deviation=self._deviations(state, end),
            variances=schedule.scatter(lines.variance_after), deviation_unit=self._unit,
            adjusted=schedule.adjusted(self, hand),
            extra=self._extra(lines, state),
            warnings=(
                *schedule.newcomers(f"{self._start_rating:g}", by_terms=self.start is None),
                *(undated(schedule) if self._by_days else ()),
            ),
        )  # fmt: skip

    def _deviations(self, state: State, end: float) -> Floats:
        """Return the deviations in a list of a time, Elo, shape (players,)."""
        end += self._ahead
        elapsed = np.where(end > state.last, end - state.last, 0.0)
        return self._unit * np.sqrt(self._onset_variance(state, elapsed))

    def _extra(self, lines: Lines, state: State) -> Onsets:  # noqa: ARG002  # a system may write down more
        """Return what explanations and forecasts read of a replay."""
        return Onsets(lines.rated_from, lines.onset_variance)

    def _schedule(self, ledger: Ledger, past: ReplayState | None) -> Schedule:
        """Lay out the rated games in periods; those of the calendar need a date."""
        unrated = self.refusals(ledger)
        if self.period not in CALENDAR:
            return Schedule.of(ledger, unrated, by_event=self.period == "event", late_ranks=self.late_ranks, past=past)
        unrated[(unrated == RATED) & ~ledger.arrays.dated] = NEEDS_DATE
        schedule = Schedule.of(ledger, unrated, late_ranks=self.late_ranks, past=past)
        number = calendar(self.period, ledger.arrays.day[schedule.sequence])
        starts = np.flatnonzero(np.diff(number, prepend=number[:1] - 1))
        return replace(schedule, batch=np.append(starts, len(schedule)))

    @property
    def _law_constants(self) -> tuple[float, ...]:
        """Elo in a natural unit."""
        return (self._unit,)

    def onset(self, ratings: Ratings) -> tuple[Floats, Floats | None]:
        """Return ratings and deviations at the onset of the period, shape (games, 2) each."""
        rated_from, deviation = (np.full((len(ratings.ledger), 2), np.nan) for _ in range(2))
        rated_from[ratings.arrays.sequence] = Onsets.of(ratings).rated_from
        deviation[ratings.arrays.sequence] = self._unit * np.sqrt(Onsets.of(ratings).variance)
        return rated_from, deviation

    @property
    def _start_uncertainty(self) -> float:
        """Deviation of a newcomer, Elo."""
        return self.start_deviation

    @property
    def _rank_uncertainty(self) -> float:
        """Deviation of who enters by a declared rank, or is set by hand, Elo."""
        return min(self.rank_deviation, self.start_deviation)

    @abstractmethod
    def _step(self, deviation: float) -> tuple[Factor, ...]:
        """Return the factors that a deviation after the period makes, in the source's words."""

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return the game's own term of the sum over the period: step, g of the opponent, and score - E."""
        ledger = ratings.ledger
        place = ratings.arrays.place_of(game)
        rated_from, variance = Onsets.of(ratings).rated_from[place], Onsets.of(ratings).variance[place]
        worth = self._worth_in_game(ledger, game)
        lead = float(rated_from[0] + worth - rated_from[1]) / self._unit
        score = float(ledger.arrays.score[game])
        if side == 1:
            lead, score = -lead, 1.0 - score
        weight = g(float(variance[1 - side]))
        expectation = expected(weight, lead)
        deviation = deviation_after(ratings, game, side)
        factors = (
            *self._step(float("nan") if deviation is None else deviation),
            Factor(
                "g", weight, "An uncertain opponent tells less: g = 1 / sqrt(1 + 3 q^2 RD^2 / pi^2) of the opponent."
            ),
            surprise("s - E", "Each game of the period adds score less expected score.", score, expectation, LAW),
        )
        facts = {
            "rating at the onset of the period": float(rated_from[side]),
            "deviation at the onset of the period": self._unit * math.sqrt(variance[side]),
            "opponent's rating": float(rated_from[1 - side]),
            "opponent's deviation": self._unit * math.sqrt(variance[1 - side]),
            "worth of handicap and komi to Black": worth,
        }
        return Reason(factors, "product", facts)
