"""How ratings of established players drift from one year to the next under a system, by level."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, NamedTuple

import numpy as np

from handan.errors import InputError
from handan.evidence.candidates import label_of
from handan.evidence.evaluation_task import Task, since_day
from handan.evidence.intervals import FEWEST, student
from handan.evidence.pre_game_states import before
from handan.kernels.types import Flags, Floats, Ints
from handan.ledger import Ledger
from handan.ranks import INDEX_OF_A_RANK, Rank
from handan.systems import System

ESTABLISHED = 15  # our choice: games after which an entry no longer shows
FEWEST_PLAYERS = 5  # our choice: in a cell of the table
YEAR = 365.25  # days
ALL = "all"
BANDS = ("19k", "9k", "4k", "1d", "4d")  # our choice: weakest rank of each band of levels above the first
WEAKEST, STRONGEST = Rank.parse("30k").stones, Rank.parse("9d").stones


class Trend(NamedTuple):
    """A slope a year, and how sure it is."""

    slope: float
    interval: tuple[float, float]
    """95 %."""
    players: int


@dataclass(frozen=True, slots=True)
class Drift:
    """Ratings of established players of a level in two years that follow each other, or in all years."""

    years: str
    """`2024-2025`, or `all`."""
    level: str
    """Ranks, or `all`."""
    players: int
    games: int
    """Games of these players; one between two of them counts once."""
    rating: float
    """By how much ratings rise in a year, in the unit of the system; a rank is 1,000 where it has an index beside."""
    interval: tuple[float, float]
    """Of `rating`, 95 %."""
    ranks: float | None
    """The same in ranks by which the system lets players enter; None where it has no scale of ranks."""
    ranks_interval: tuple[float, float] | None

    @property
    def verdict(self) -> str:
        """Whether ratings rise or fall, or neither can be told."""
        return "rising" if self.interval[0] > 0.0 else "falling" if self.interval[1] < 0.0 else "cannot be told"

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return asdict(self) | {"verdict": self.verdict}


class Standings(NamedTuple):
    """Ratings with which established players went into games, shape (rows,) each."""

    player: Ints
    rating: Floats
    years: Floats
    """Since the first game of the ledger."""
    calendar: Ints
    """Calendar year."""
    game: Ints
    level: Floats | None
    """Place of the rating on the stones axis; None where the system has no scale of ranks."""

    def chosen(self, rows: Flags) -> Standings:
        """Return some of the rows."""
        level = None if self.level is None else self.level[rows]
        return Standings(
            self.player[rows], self.rating[rows], self.years[rows], self.calendar[rows], self.game[rows], level
        )  # fmt: skip


def inflation(ledger: Ledger, rules: System, *, since: date | str | None = None) -> tuple[Drift, ...]:
    """Return how ratings of established players drift, by years and levels; cells of few players are left out.

    A player counts from the sixteenth game on. The level is that of the mean rating in the years concerned, since
    the rating at their beginning would show a return to the mean (P. Oldham, 1962).

    Args:
        ledger: The games.
        rules: A system that replays games.
        since: Only games from this day on count; earlier ones are learned from.

    Raises:
        InputError: For a system that solves all games together, and where no game has a date.
    """
    if rules.traits.whole:
        raise InputError(
            f"{label_of(rules)} solves all games together, so its whole list is made anew with each game; choose a"
            " system that takes games in order, such as elo or egf"
        )
    if not ledger.arrays.dated.any():
        raise InputError("no game has a date, so no drift in time can be seen")
    task = Task.of(ledger)
    rows = established(rules, task, np.repeat(since_day(ledger, since)[task.games][:, None], 2, axis=1))
    return tuple(_cells(rows))


def established(rules: System, task: Task, among: Flags) -> Standings:
    """Return the ratings with which established players went into games.

    Args:
        rules: A system that replays games.
        task: The games.
        among: Which sides are to be looked at, shape (games of the task, 2).
    """
    ratings = rules.rate(task.ledger)
    rating, _ = before(rules, ratings, task)
    chosen = among & (task.earlier() >= ESTABLISHED) & np.isfinite(rating)
    at, side = np.nonzero(chosen)
    game = task.games[at].astype(np.int64)
    day = task.ledger.arrays.day
    calendar = task.ledger.arrays.column("date").dt.year().fill_null(0).to_numpy()[game].astype(np.int64)
    player = np.stack(task.ledger.arrays.seats, axis=1)[game, side].astype(np.int64)
    own = rating[at, side]
    level = own / INDEX_OF_A_RANK if rules.traits.index_of_rank else levels(rules, own)
    return Standings(player, own, (day[game] - day.min()) / YEAR, calendar, game, level)


def trend(value: Floats, years: Floats, player: Ints) -> Trend | None:
    """Return by how much values rise in a year within players, each of whom counts by how far their games are apart.

    Least squares with a level for each player, rows of a player weighing one together; the interval takes rows of a
    player as alike. None with fewer than two players whose games are apart.

    Source: M. Arellano, "Computing robust standard errors for within-groups estimators" (1987); degrees of freedom as
    in `intervals`.

    Args:
        value, years: Shape (rows,).
        player: Of each row.
    """
    _, number, count = np.unique(player, return_inverse=True, return_counts=True)

    def mean(values: Floats) -> Floats:
        sums: Floats = np.bincount(number, values, len(count)) / count
        return sums

    time, rise = years - mean(years)[number], value - mean(value)[number]
    width = mean(time * time)
    apart = width > 1e-12
    if apart.sum() < FEWEST:
        return None
    slope = float(mean(time * rise).sum() / width.sum())
    pull = mean(time * (rise - slope * time))[apart]
    players = len(pull)
    error = math.sqrt(players / (players - 1.0) * float(pull @ pull)) / float(width.sum())
    degrees = max(float(width.sum() ** 2 / (width @ width)) - 1.0, 1.0)
    half = student(degrees) * error
    return Trend(slope, (slope - half, slope + half), players)


def levels(rules: System, rating: Floats) -> Floats | None:
    """Return the places of ratings on the stones axis by the ranks at which players enter; None without such a scale.

    Beyond 30 kyu and 9 dan the scale goes on as it ends.
    """
    stones = np.arange(WEAKEST, STRONGEST + 1.0)
    scale = np.array([rules.rating_for(Rank.at(each)) for each in stones.tolist()])
    if not (np.diff(scale) > 0.0).all():
        return None
    low, high = np.minimum(rating - scale[0], 0.0), np.maximum(rating - scale[-1], 0.0)
    inside = np.interp(rating, scale, stones)
    answer: Floats = inside + low / (scale[1] - scale[0]) + high / (scale[-1] - scale[-2])
    return answer


def _cells(rows: Standings) -> Iterator[Drift]:
    """Yield the cells of the table: all years first, then two by two; in each all levels, then from the weakest."""
    present = np.unique(rows.calendar).tolist()
    pairs = [(year, year + 1) for year in present if year + 1 in present]
    spans = [(ALL, np.ones(len(rows.calendar), dtype=np.bool_))]
    spans += [(f"{first}-{last}", (rows.calendar == first) | (rows.calendar == last)) for first, last in pairs]
    for name, mine in spans:
        part = rows.chosen(mine)
        if not len(part.player):
            continue
        yield from _cell(name, ALL, part)
        if part.level is not None:
            _, number, count = np.unique(part.player, return_inverse=True, return_counts=True)
            mean = (np.bincount(number, part.level) / count)[number]
            band = np.searchsorted([Rank.parse(each).stones for each in BANDS], np.round(mean), side="right")
            for which, title in enumerate(_titles()):
                inside = band == which
                yield from _cell(name, title, part.chosen(inside))


def _cell(name: str, title: str, rows: Standings) -> Iterator[Drift]:
    """Yield a cell if there are enough players in it."""
    rise = trend(rows.rating, rows.years, rows.player)
    if rise is None or rise.players < FEWEST_PLAYERS:
        return
    ranks = None if rows.level is None else trend(rows.level, rows.years, rows.player)
    of_ranks = (None, None) if ranks is None else (ranks.slope, ranks.interval)
    yield Drift(name, title, rise.players, len(np.unique(rows.game)), rise.slope, rise.interval, *of_ranks)


def _titles() -> list[str]:
    """Return the bands of levels in words, the weakest first."""
    edges = [Rank.parse(each) for each in BANDS]
    below = [Rank.at(each.stones - 1.0) for each in edges]
    between = [f"{low} to {high}" for low, high in zip(edges[:-1], below[1:], strict=True)]
    return [f"to {below[0]}", *between, f"from {edges[-1]}"]
