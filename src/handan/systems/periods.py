"""What Glicko and Glicko-2 share: rating periods, growth of the deviation with time, the worth of stones, forecasts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from handan.errors import SettingError
from handan.handicaps import advantage
from handan.kernels.adjusting import ByHand
from handan.ledger import Ledger
from handan.ranks import Rank
from handan.ratings import Ratings, Standing
from handan.systems.base import EVEN_KOMI, HANDICAP_KOMI, Floats, Ints, Sheet, System
from handan.systems.settings import setting

PERIODS = ("event", "month", "week", "day", "game")
CALENDAR = ("month", "week", "day")
MONDAY = 3  # days from 1970-01-01, a Thursday, back to the Monday of its week


class Games(NamedTuple):
    """The rated games in the order of the replay, and their periods."""

    black: Ints
    white: Ints
    score: Floats
    bonus: Floats
    """What handicap and first move add to Black's rating."""
    period: Ints
    """First game of each period, and the number of games, shape (periods + 1,)."""
    time: Floats
    """When each period is, in the unit in which deviations grow, shape (periods,)."""


class State(NamedTuple):
    """What is known of the players, shape (players,): at entry, then at the end of the replay."""

    rating: Floats
    variance: Floats
    """Squared deviation in natural units."""
    volatility: Floats
    """Variance that a period adds, in natural units; not read by systems without one."""


class Lines(NamedTuple):
    """What a replay says about each game and side, shape (rated, 2)."""

    before: Floats
    """Running rating."""
    change: Floats
    held: Floats
    """Rating at the onset of the period, from which its games are rated."""
    onset: Floats
    """Deviation at the onset of the period."""
    after: Floats
    """Deviation after the period."""


@dataclass(frozen=True)
class PeriodSystem(System):
    """A system in which games of one period are rated together, and deviations grow between the periods."""

    period: str = setting("event", "games that are rated together", choices=PERIODS)
    start: float = setting(1500.0, "rating of a newcomer without a rank", unit="Elo", low=-1e5, high=1e5)
    start_deviation: float = setting(350.0, "deviation of a newcomer", unit="Elo", low=1.0, high=1e4)
    max_deviation: float = setting(350.0, "largest deviation", unit="Elo", low=1.0, high=1e4)
    min_deviation: float = setting(
        0.0, "smallest deviation with which games are rated; 0: none", unit="Elo", low=0.0, high=1e4
    )
    stone: float = setting(0.0, "worth of a stone to Black; 0: handicap is ignored", unit="Elo", low=0.0, high=2000.0)
    advantage: float = setting(0.0, "worth of the first move at fair komi", unit="Elo", low=-1000.0, high=1000.0)
    per_rank: float = setting(100.0, "Elo from one rank to the next", unit="Elo", low=1.0, high=2000.0)
    at_1d: float = setting(2100.0, "rating of 1 dan", unit="Elo", low=-1e5, high=1e5)

    def __post_init__(self) -> None:
        """Refuse absurd constants by name."""
        super().__post_init__()
        for name in ("start_deviation", "min_deviation"):
            if getattr(self, name) > self.max_deviation:
                found = f"{name}={getattr(self, name):g}"
                raise SettingError(f"{self.name}: {found} is above max_deviation={self.max_deviation:g}")

    @property
    @abstractmethod
    def _unit(self) -> float:
        """Elo in a natural unit."""

    @property
    @abstractmethod
    def _constants(self) -> tuple[float, ...]:
        """What the formulas of onset and end of a period read; the first two are the limits of the variance."""

    @abstractmethod
    def _replay(self, steps: int) -> Callable[..., None]:
        """Return the loop for so many games."""

    @abstractmethod
    def _clock(self, sheet: Sheet) -> tuple[Floats, float]:
        """Return the time of each period, shape (periods,), and that at which the list stands."""

    @property
    @abstractmethod
    def _by_days(self) -> bool:
        """Whether deviations grow by days rather than by periods."""

    def _natural(self, deviation: float) -> float:
        """Return the variance in natural units of a deviation in Elo."""
        return (deviation / self._unit) ** 2

    def rate(self, ledger: Ledger) -> Ratings:
        """Replay the games by periods; the list shows the deviations on the last date of the ledger."""
        sheet = self._sheet(ledger)
        rating, hand = sheet.numbers(self.rating_for, self.start)
        state = State(rating, np.full(len(rating), self._natural(self.start_deviation)), self._volatility(len(rating)))
        time, end = self._clock(sheet)
        bonus = self._bonuses(ledger)[sheet.sequence]
        games = Games(sheet.black, sheet.white, sheet.score, bonus, sheet.batch, time)
        before, change, onset, after = (np.empty((len(sheet), 2)) for _ in range(4))
        held = before if self.period == "game" else np.empty((len(sheet), 2))
        lines = Lines(before, change, held, onset, after)
        self._replay(len(sheet))(games, end, self._constants, hand, state, lines)
        return self._answer(sheet, hand, state, lines)

    def _answer(self, sheet: Sheet, hand: ByHand, state: State, lines: Lines) -> Ratings:
        """Put the arrays of a replay together."""
        return sheet.ratings(
            self, state.rating, lines.before, lines.change,
            deviation=self._unit * np.sqrt(state.variance),
            deviations=sheet.spread(lines.after),
            adjusted=sheet.adjusted(self, hand),
            extra={"held": lines.held, "onset": lines.onset} | self._kept(state),
            warnings=(*sheet.newcomers(f"{self.start:g}"), *(undated(sheet) if self._by_days else ())),
        )  # fmt: skip

    def _volatility(self, players: int) -> Floats:
        """Return the volatility at entry, shape (players,)."""
        return np.zeros(players)

    def _kept(self, state: State) -> dict[str, Floats]:  # noqa: ARG002  # a system may keep more
        """Return the arrays beyond rating and deviation that the system knows of its players."""
        return {}

    def _sheet(self, ledger: Ledger) -> Sheet:
        """Lay out the rated games in periods; those of the calendar need a date."""
        unrated = self.refusals(ledger)
        if self.period not in CALENDAR:
            return Sheet.of(ledger, unrated, by_event=self.period == "event")
        unrated[(unrated == 0) & ~ledger.dated] = 6
        sheet = Sheet.of(ledger, unrated)
        number = calendar(self.period, ledger.day[sheet.sequence])
        starts = np.flatnonzero(np.diff(number, prepend=number[:1] - 1))
        return replace(sheet, batch=np.append(starts, len(sheet)))

    def _bonuses(self, ledger: Ledger) -> Floats:
        """Return what Black's handicap and first move are worth in Elo, shape (games,); 0 where colours are unknown."""
        return bonuses(ledger, self.stone, self.advantage)

    def rank(self, rating: float) -> Rank | None:
        """Return the rank whose rating is nearest."""
        return Rank.at(31.0 + (rating - self.at_1d) / self.per_rank)

    def rating_for(self, rank: Rank) -> float:
        """Return the rating of a rank on the line through 1 dan."""
        return self.at_1d + (rank.stones - 31.0) * self.per_rank

    def _lead(self, black: Standing, white: Standing, handicap: int, komi: float | None) -> float:
        """Return Black's rating less White's in Elo; stones are worth `stone`, or a rank's Elo where it is 0."""
        points = (EVEN_KOMI if handicap == 0 else HANDICAP_KOMI) if komi is None else komi
        bonus = (self.stone or self.per_rank) * advantage(handicap, points, EVEN_KOMI) + self.advantage
        return black.rating + bonus - white.rating


def bonuses(ledger: Ledger, stone: float, first: float) -> Floats:
    """Return what Black's handicap and first move are worth, shape (games,); 0 where colours are unknown."""
    komi = ledger.komi_or(EVEN_KOMI, HANDICAP_KOMI)
    stones = np.maximum(ledger.handicap - 1, 0) + (EVEN_KOMI - komi) / (2 * EVEN_KOMI)
    return np.where(ledger.colours_known, stone * stones + first, 0.0)


def calendar(period: str, day: Ints) -> Ints:
    """Return the number of the day, week (from Monday) or month of days since 1970-01-01."""
    if period == "week":
        return (day + MONDAY) // 7
    if period == "month":
        return day.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    return day


def first_day(period: str, day: Ints) -> Ints:
    """Return the first day of the calendar period that holds a day; the day itself for events and games."""
    if period == "week":
        return calendar(period, day) * 7 - MONDAY
    if period == "month":
        return calendar(period, day).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    return day


def days(sheet: Sheet) -> Ints:
    """Return the day of the first game of each period, shape (periods,); 0 where no game has a date."""
    first = sheet.sequence[sheet.batch[:-1]]
    return np.where(sheet.ledger.dated[first], sheet.ledger.day[first], 0)


def last_day(sheet: Sheet) -> Ints:
    """Return the last day of the ledger, shape (1,); 0 where no game has a date."""
    dated = sheet.ledger.dated
    return np.array([sheet.ledger.day[dated].max() if dated.any() else 0], dtype=np.int64)


def undated(sheet: Sheet) -> tuple[str, ...]:
    """Return the warning of a replay in which deviations should grow by days, and no game has a date."""
    if not len(sheet) or sheet.ledger.dated.any():
        return ()
    return ("no game has a date; deviations do not grow with time",)


def place_of(ratings: Ratings, game: int) -> int:
    """Return the place of a rated game in the replay."""
    return int(np.flatnonzero(ratings.sequence == game)[0])
