"""The result of rating a ledger, as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from sys import intern
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from handan.kernels.tallies import count_games
from handan.ranks import STRONGEST, WEAKEST
from handan.ratings.rules import rank_from
from handan.ratings.system_record import Extra

if TYPE_CHECKING:
    from handan.ledger import Ledger
    from handan.ranks import Rank
    from handan.ratings.rules import Adjusted, Rules

Floats = NDArray[np.float64]
MANY = 1 << 17  # games that a loop counts sooner than steps over all of them; our choice


@dataclass(frozen=True, eq=False)
class RatingArrays:
    """What a system answers to a ledger, as arrays: figures of its players, and of its games."""

    system: Rules[Any]
    ledger: Ledger
    rating: Floats
    """Rating of every player now, shape (players,)."""
    before: Floats
    """Rating of black and white before each game, shape (games, 2); NaN for games that are not rated."""
    change: Floats
    """Change that each game made to black and white, shape (games, 2)."""
    unrated: NDArray[np.int8]
    """0 for rated games, else an index into `reasons`, shape (games,)."""
    reasons: tuple[str, ...]
    """Why games were not rated; the first is empty."""
    sequence: NDArray[np.int64]
    """The rated games in the order in which they were taken, shape (rated,)."""
    batch: NDArray[np.int64]
    """Place in `sequence` of the first game of each batch rated together, and the end, shape (batches + 1,)."""
    pool: NDArray[np.int64]
    """Pool of every player, 0 the largest; -1 without a rated game; shape (players,)."""
    printed: Floats | None = None
    """Rating after each game where a system makes more of it than the sum of rating and change, shape (games, 2)."""
    deviation: Floats | None = None
    """Standard deviation of each rating in its unit, shape (players,)."""
    rank_number: NDArray[np.int64] | None = None
    """Rank (30k = 1, 1d = 31) where it is a state of its own and does not follow from the rating, shape (players,)."""
    rank_numbers: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
    """The same before and after each game, shape (games, 2) each."""
    variances: Floats | None = None
    """Squared deviation of black and white after each game, shape (games, 2)."""
    deviation_unit: float = 1.0
    """Unit of the roots of the variances in that of the rating."""
    adjusted: tuple[Adjusted, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """How the answer was found, and what was learned beside the ratings."""
    beside: Mapping[str, Floats] = field(default_factory=dict)
    """Further figures of every player that the table shows beside the rating, by column, shape (players,) each."""
    extra: Extra = field(default_factory=Extra)
    """What only this system's explanations and forecasts read."""
    state: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    """What the system needs of the past to rate the games that follow, by name, shape (players, …) each."""

    earlier: NDArray[np.int64] | None = None
    """Rated games of every player before those of the ledger, where it is a part of a larger one, shape (players,)."""
    totals: NDArray[np.int64] | None = None
    """`tallies` of all games, where the ledger does not hold them or they were counted on the way."""
    last_played: list[str | None] | None = None
    """Day of every player's last game as it was written, where the ledger does not hold it; None without one."""
    slope_weights: Floats | None = None
    """Weights of the slopes of forecasts (`calibration`) after games before those of the ledger, shape (slopes,)."""

    @cached_property
    def after(self) -> Floats:
        """Rating after each game, shape (games, 2)."""
        return self.before + self.change if self.printed is None else self.printed

    @cached_property
    def weights(self) -> Floats | None:
        """Weight of each game by its kind, None where all weigh alike, shape (games,)."""
        return self.system.game_weights(self.ledger)

    @cached_property
    def deviations(self) -> Floats | None:
        """Deviation of black and white after each game, shape (games, 2)."""
        return None if self.variances is None else self.deviation_unit * np.sqrt(self.variances)

    @cached_property
    def terms(self) -> list[tuple[int, float | None, bool]]:
        """Handicap, komi (None: not recorded) and whether it is known who held Black, of each game."""
        handicap, komi = self.ledger.arrays.column("handicap"), self.ledger.arrays.column("komi")
        return list(zip(handicap, komi, self.ledger.arrays.colours_known.tolist(), strict=True))

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """Place of every player on the ladder, 1 the strongest; equal players share one, shape (players,)."""
        places = np.empty(len(self.ladder), dtype=np.int64)
        places[self.ladder] = places_of(self, self.ladder)
        return places

    @property
    def ranks_declared(self) -> bool:
        """Whether ranks say something here: false where nobody declared one, and ratings alone are ranked on a line."""
        if not (self.system.traits.ranks_on_line and len(self.ledger)) or self.earlier is not None:
            return True  # of ratings that go on from games that are not there it is not known
        ledger = self.ledger
        return bool((ledger.arrays.first_declared < len(ledger)).any()) or any(item.rank for item in ledger.adjustments)

    @property
    def rated(self) -> int:
        """Number of games that were rated."""
        return len(self.sequence)

    @property
    def pools(self) -> int:
        """Number of groups of players that never met, not even through others; their numbers cannot be compared."""
        return int(self.pool.max(initial=-1)) + 1

    @cached_property
    def unrated_counts(self) -> dict[str, int]:
        """Number of games that were not rated, by reason."""
        if not self.unrated.any():
            return {}
        counts = np.bincount(self.unrated, minlength=len(self.reasons))
        return {reason: int(counts[i]) for i, reason in enumerate(self.reasons) if i and counts[i]}

    @cached_property
    def tallies(self) -> NDArray[np.int64]:
        """Games, wins, losses, draws and index of the last game (-1: none) of every player, shape (players, 5)."""
        return tallied(self.ledger, self.sequence) if self.totals is None else self.totals

    def place_of(self, game: int) -> int:
        """Return the place of a rated game, given by index, in `sequence`."""
        place = int(np.searchsorted(self.sequence, game))  # most systems take games in the order of the ledger
        if place < len(self.sequence) and self.sequence[place] == game:
            return place
        return int(np.flatnonzero(self.sequence == game)[0])

    def games_before(self, game: int, side: int) -> int:
        """Return how many rated games the player of one side of a game had played before it."""
        black, white = self.ledger.arrays.seats
        player = (black, white)[side][game]
        earlier = self.sequence[: self.place_of(game)]
        own = int(((black[earlier] == player) | (white[earlier] == player)).sum())
        return own if self.earlier is None else own + int(self.earlier[player])

    def rank_of(self, player: int) -> Rank | None:
        """Return the rank of a player now."""
        if self.rank_number is not None:
            return rank_from(self.rank_number[player])
        return self.system.rank(float(self.rating[player]))

    @cached_property
    def ladder(self) -> NDArray[np.int64]:
        """Players from strong to weak: by rank where ranks are a state of their own, then rating, then name."""
        return strongest_first(self)

    def figures(self) -> list[Floats]:
        """Return the arrays of figures that the ladder shows, shape (players,) each."""
        return [self.rating, *self.beside.values(), *([] if self.deviation is None else [self.deviation])]

    def rank_before(self, game: int, side: int) -> Rank | None:
        """Return the rank of one side before a rated game, None where the system has no ranks."""
        if self.rank_numbers is not None:
            return rank_from(self.rank_numbers[0][game, side])
        return self.system.rank(float(self.before[game, side]))

    @cached_property
    def rank_texts(self) -> list[str]:
        """The rank of every player as it is written, empty where there is none."""
        return written_ranks(self)

    def last_days(self, players: NDArray[np.int64]) -> list[str | None]:
        """Return the days of the last games of some players, by index, as they were written; None without one."""
        if self.last_played is not None:
            return [self.last_played[player] for player in players.tolist()]
        games = self.tallies[players, 4]
        days = self.ledger.arrays.written_days(np.maximum(games, 0)) if len(self.ledger) else [None] * len(games)
        return [day if game >= 0 else None for game, day in zip(games.tolist(), days, strict=True)]


def strongest_first(arrays: RatingArrays) -> NDArray[np.int64]:
    """Return all players, by index: by rank where ranks are a state of their own, then rating, then name."""
    strength = np.argsort(-arrays.rating, kind="stable")
    if arrays.rank_number is not None:
        strength = strength[np.argsort(-arrays.rank_number[strength], kind="stable")]
    return strength


def written_ranks(arrays: RatingArrays, players: NDArray[np.int64] | None = None) -> list[str]:
    """Return the rank of every player, or of some by index, as it is written; empty where there is none."""
    chosen = slice(None) if players is None else players
    if arrays.rank_number is not None:
        return list(rank_texts(arrays.rank_number[chosen], lambda number: rank_from(int(number))))
    return ranks_by_rating(arrays.rating[chosen], arrays.system)


def ranks_by_rating(rating: NDArray[np.float64], system: Rules[Any]) -> list[str]:
    """Return the rank that each of some ratings has under a system, as it is written; empty where there is none."""
    return list(rank_texts(rating, system.rank))


def rank_texts(values: NDArray[Any], rank: Callable[[float], Rank | None]) -> NDArray[np.object_]:
    """Return the ranks at some ratings, or of some numbers, as they are written; empty for NaN.

    A higher rating never makes a weaker rank: whoever stands between two of one rank has it too, and is not asked.
    """
    different, place = np.unique(values, return_inverse=True)
    numbers = different[~np.isnan(different)]
    texts = np.full(len(different), "", dtype=object)
    texts[: len(numbers)] = made_in_steps(len(numbers), lambda at: intern(str(rank(float(numbers[at])) or "")))
    return texts[place]


def made_in_steps(count: int, make: Callable[[int], str]) -> NDArray[np.object_]:
    """Return what places from 0 on make, where all between two that make the same make it too: few are asked for."""
    made = np.empty(count, dtype=object)
    ranges = [(0, count - 1, make(0), make(count - 1))] if count else []
    while ranges:
        first, last, low, high = ranges.pop()
        if low == high or last - first < 2:
            made[first:last], made[last] = low, high
            continue
        middle = (first + last) // 2
        text = make(middle)
        ranges += [(middle, last, text, high), (first, middle, low, text)]
    return made


def places_of(arrays: RatingArrays, players: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places from 1 on of players, strongest first; equal ones share that of the first."""
    rating = arrays.rating[players]
    alike = rating[1:] == rating[:-1]
    if arrays.rank_number is not None:
        number = np.clip(arrays.rank_number[players], WEAKEST, STRONGEST)  # as ranks of numbers are
        alike &= number[1:] == number[:-1]
    numbers = np.arange(1, len(rating) + 1)
    return np.maximum.accumulate(np.where(np.append(False, alike)[: len(rating)], 0, numbers))


def tallied(ledger: Ledger, sequence: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return games, wins, losses, draws and index of the last game (-1: none) of every player, shape (players, 5)."""
    tally = np.zeros((len(ledger.players), 5), dtype=np.int64)
    tally[:, 4] = -1
    if (loop := count_games.compiled_if(worth_it=len(sequence) >= MANY)) is not None:
        loop(*ledger.arrays.seats, ledger.arrays.score, sequence, tally.reshape(-1))
        return tally
    halves = (2 * ledger.arrays.score[sequence]).astype(np.int64)
    for side, own in zip(ledger.arrays.seats, (halves, 2 - halves), strict=True):
        players = side[sequence]
        np.maximum.at(tally[:, 4], players, sequence)
        counts = np.bincount(players * np.int64(3) + own, minlength=3 * len(tally)).reshape(-1, 3)
        tally[:, 0] += counts.sum(axis=1)
        tally[:, 1:4] += counts[:, [2, 0, 1]]
    return tally


def tallied_on(before: NDArray[np.int64], later: NDArray[np.int64], first: int) -> NDArray[np.int64]:
    """Return the tallies of players when games follow those of `before`.

    Args:
        before: As `tallied` gives them, shape (players, 5).
        later: The same of the later games alone, as if they were all.
        first: Index of the first of the later games.
    """
    whole = before + later
    whole[:, 4] = np.where(later[:, 4] >= 0, later[:, 4] + first, before[:, 4])
    return whole
