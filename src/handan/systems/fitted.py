"""What IGS and KGS share: the ratings, on a scale of ranks, at which everybody's recent results are as expected."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from handan.kernels.running import running_sums
from handan.ledger import Ledger
from handan.ratings import Factor, Ratings, Reason
from handan.systems.base import UNRATED, Codes, Floats, Ints, Sheet, System
from handan.systems.settings import late_ranks_setting, setting

TOO_OLD = len(UNRATED)


class Told(NamedTuple):
    """What the games say at the answer, shape (rated, 2) each."""

    slope: Floats
    """Weight times slope of the log-likelihood in the own rating."""
    known: Floats
    """Weight times information."""


@dataclass(frozen=True)
class Fitted(System):
    """Ratings fitted to the games of the last days; the entry rank is a weak prior."""

    needs_dates: ClassVar[bool] = True
    whole: ClassVar[bool] = True
    reasons: ClassVar[tuple[str, ...]] = (*UNRATED, "older than the window")

    prior: float = setting(
        1.0, "virtual wins, and as many losses, against the entry rank", unit="games", low=1e-3, high=1e4
    )
    window: int = setting(180, "days before the last game whose games count", unit="days", low=1, high=100_000)
    start: float = setting(0.0, "rating of a newcomer without a rank", low=-1e3, high=1e3)
    tolerance: float = setting(1e-9, "largest move of a rating at which the sweeps end", low=1e-13, high=0.1)
    sweeps: int = setting(10_000, "most sweeps", low=1, high=10**7)
    late_ranks: str = late_ranks_setting()

    @abstractmethod
    def _agree(self, steps: int) -> Callable[..., tuple[int, float]]:
        """Return the solver bound to the system's law, for so many steps."""

    @abstractmethod
    def _tell(self, steps: int) -> Callable[..., None]:
        """Return `tell_each` bound to the system's law, for so many steps."""

    @abstractmethod
    def worth_of(self, handicap: Ints, komi: Floats) -> Floats:
        """Return what handicap and komi are worth to Black in ranks."""

    def rate(self, ledger: Ledger) -> Ratings:
        """Fit the ratings as of the last day with a game."""
        sheet = Sheet.of(ledger, self.refusals(ledger), reasons=self.reasons, late_ranks=self.late_ranks)
        anchor = self._anchors(sheet)
        worth = self._worth(ledger)[sheet.sequence]
        age = self._ages(sheet)
        rating = anchor.copy()
        count, moved = self._solve(sheet, worth, age, anchor, rating)
        sides = (
            self._told(sheet.score, rating[sheet.black], rating[sheet.white], worth, age),
            self._told(1.0 - sheet.score, rating[sheet.white], rating[sheet.black], -worth, age),
        )
        told = Told(*(np.stack(columns, axis=1) for columns in zip(*sides, strict=True)))
        known = self._known(sheet, told, anchor, rating)
        players = np.stack((sheet.black, sheet.white), axis=1)
        share = told.known / known[players]
        beyond = (rating - anchor)[players]
        change = share * beyond + told.slope / known[players]
        before, total = np.empty_like(change), anchor.copy()
        running_sums.for_work(len(sheet))(sheet.black, sheet.white, change, total, before)
        plays = np.zeros(len(anchor), dtype=np.bool_)
        plays[players] = True
        extra = {
            "share": sheet.spread(share), "own": sheet.spread(rating[players]), "worth": sheet.spread(worth),
            "anchor": sheet.spread(anchor[players]), "sweeps": np.array(count),
        }  # fmt: skip
        return sheet.ratings(
            self, rating, before, change,
            deviation=np.where(plays, 1.0 / np.sqrt(known), np.nan), extra=extra,
            notes=(f"fitted in {count} sweeps; the last moved nobody by more than {moved:.1g}",),
            warnings=self._warned(sheet, moved),
        )  # fmt: skip

    def _anchors(self, sheet: Sheet) -> Floats:
        """Return the entry ranks as ratings, shape (players,).

        The answer is one for the last day, by which a rank that came late is there: as an adjustment it is the entry.
        """
        anchor, hand = sheet.numbers(self.rating_for, self.start)
        late = set(sheet.late)
        for entry, value in zip(sheet.later, hand.values.tolist(), strict=True):
            if entry in late:
                anchor[entry[1]] = value
        return anchor

    def refusals(self, ledger: Ledger) -> Codes:
        """Return why games are not rated, shape (games,)."""
        code = super().refusals(ledger)
        rated = code == 0
        if rated.any():
            code[rated & (ledger.day < int(ledger.day[rated].max()) - self.window)] = TOO_OLD
        return code

    def _warned(self, sheet: Sheet, moved: float) -> tuple[str, ...]:
        late = ("adjustments after a player's first game have no effect: ratings follow from results",)
        slow = (f"not settled to {self.tolerance:g} after {self.sweeps} sweeps",)
        by_hand = len(sheet.later) > (len(sheet.late) if self.late_ranks == "adjust" else 0)
        return (*sheet.newcomers(f"{self.start:g}"), *late * by_hand, *slow * bool(moved >= self.tolerance))

    def _ages(self, sheet: Sheet) -> Floats:
        day = sheet.ledger.day[sheet.sequence]
        return (day.max() - day).astype(np.float64) if len(day) else np.empty(0)

    def _worth(self, ledger: Ledger) -> Floats:
        """Return the worth of each game's terms to Black in ranks, 0 where colours are unknown, shape (games,)."""
        return np.where(ledger.colours_known, self.worth_of(ledger.handicap, ledger.komi_or()), 0.0)

    def _told(self, score: Floats, own: Floats, other: Floats, worth: Floats, age: Floats) -> tuple[Floats, Floats]:
        """Return weighted slope and information of each game for one side."""
        slope, known = np.empty(len(score)), np.empty(len(score))
        self._tell(len(score))(score, own, other, worth, age, slope, known)
        return slope, known

    def _solve(self, sheet: Sheet, worth: Floats, age: Floats, anchor: Floats, rating: Floats) -> tuple[int, float]:
        """Lay the games out player by player and sweep."""
        player = np.concatenate([sheet.black, sheet.white])
        order = np.argsort(player, kind="stable")
        first = np.searchsorted(player[order], np.arange(len(anchor) + 1))
        other = np.concatenate([sheet.white, sheet.black])[order]
        score = np.concatenate([sheet.score, 1.0 - sheet.score])[order]
        both = np.concatenate([worth, -worth])[order]
        ages = np.concatenate([age, age])[order]
        run = self._agree(200 * len(sheet))  # our choice: tens of sweeps with several steps each
        return run(first, other, score, both, ages, anchor, self.prior, self.tolerance, self.sweeps, rating)

    def _known(self, sheet: Sheet, told: Told, anchor: Floats, rating: Floats) -> Floats:
        """Return each player's information: of the games, and the weight with which the prior asks for the entry rank.

        The pull of the prior is that weight times the distance; at the answer it balances the slopes of the games.
        """
        slopes, known = (sheet.per_player(values) for values in told)
        zero = np.zeros(len(anchor))
        at_home = 2.0 * self.prior * self._told(zero, anchor, anchor, zero, zero)[1]
        away = rating - anchor
        near = np.abs(away) < 1e-6
        asks = np.where(near, at_home, slopes / np.where(near, 1.0, away))
        return known + np.maximum(asks, 1e-12)

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return the game's share and what it says beyond the entry rank, whose product it contributed."""
        ledger, extra = ratings.ledger, ratings.extra
        share, change = float(extra["share"][game, side]), float(ratings.change[game, side])
        score = float(ledger.score[game])
        worth = float(extra["worth"][game])
        factors = (
            Factor("share", share, "The rating is a mean of the entry rank and of what the games say, by information."),
            Factor("beyond the entry", change / share, "Own rating plus slope over information, less the entry rank."),
        )
        facts = {
            "score": score if side == 0 else 1.0 - score,
            "own rating": float(extra["own"][game, side]),
            "opponent's rating": float(extra["own"][game, 1 - side]),
            "entry": float(extra["anchor"][game, side]),
            "worth of handicap and komi to Black": worth,
        }
        return Reason(factors, "product", facts)
