"""Pandanet (IGS), old system: ratings in stones at which everybody's recent results are as expected.

Source: J. Bate, rating help of the Internet Go Server; the law is deduced from the percentages in Go ranks and ratings
(Wikipedia), which no other law fits; handicap table of the Panda open event.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from handan.handicaps import EVEN_KOMI, HANDICAP_KOMI, MOST_STONES
from handan.kernels.compiling import kernel
from handan.kernels.posterior.newton import Solver
from handan.kernels.winning_law import WinningLaw
from handan.ranks import Grade, Rank
from handan.systems.core.settings import setting
from handan.systems.core.unrated_reasons import UNRATED
from handan.systems.families.most_likely_ranks import MostLikelyRanks

if TYPE_CHECKING:
    from handan.kernels.types import Codes, Floats
    from handan.kernels.winning_law import Pairing
    from handan.ledger import Ledger
    from handan.systems.core.conditions import Conditions
    from handan.systems.families.most_likely_ranks import Games

DECAY = math.log(10.0) / 4.0  # of the odds against the stronger player, in a stone
STONE = 12.0  # points of komi in a stone, from the handicap table
ONE_DAN = 32.0
FARTHEST = 3.0  # stones; a rated game needs an adjusted gap of at most so many
PROFESSIONAL, FAR = len(UNRATED) + 1, len(UNRATED) + 2


@kernel
def win_probability(gap: float) -> float:
    """Return the probability of who is `gap` stones stronger: 1 - 0.5 * 10^(-gap/4); of the weaker 0.5 * 10^(gap/4)."""
    return 1.0 - 0.5 * math.exp(-DECAY * gap) if gap >= 0.0 else 0.5 * math.exp(DECAY * gap)


@kernel
def score_and_information(result: float, lead: float) -> tuple[float, float, float]:
    """Return slope and negative curvature of S ln P + (1 - S) ln(1 - P) in the lead, and the information P'^2/(P(1-P)).

    The lead is the gap times ln 10 / 4. Whoever leads has the curved branch, who is behind the straight one; at a lead
    of 0 the curvature jumps, and the mean of both sides stands, so that both columns of a game are alike.
    """
    upset = 0.5 * math.exp(-abs(lead))
    odds = upset / (1.0 - upset)
    of_leader = 0.5 if lead == 0.0 else result if lead > 0.0 else 1.0 - result
    curve = of_leader * odds / (1.0 - upset)
    if lead == 0.0:
        return 2.0 * result - 1.0, curve, odds
    slope = of_leader * odds - (1.0 - of_leader)
    return slope if lead > 0.0 else -slope, curve, odds


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return the log odds of Black by the Laplace law."""
    gap = pairing.black - pairing.white + pairing.worth
    odds = DECAY * abs(gap) + math.log(2.0) + math.log1p(-0.5 * math.exp(-DECAY * abs(gap)))
    return math.copysign(odds, gap)


def proposal(rank_difference: float) -> tuple[int, float]:
    """Return stones (0: none, Black moves first from half a rank on) and komi of the Pandanet table.

    Half ranks have 0.5 points, whole ones -5.5 (those of the table are inferred from the order of its rows).
    """
    halves = min(round(2.0 * abs(rank_difference)), 18)
    if halves == 0:
        return 0, EVEN_KOMI
    stones = (halves + 1) // 2
    return (stones if stones > 1 else 0), (HANDICAP_KOMI if halves % 2 else -5.5)


@dataclass(frozen=True)
class IGS(MostLikelyRanks):
    """Pandanet's old system."""

    name: ClassVar[str] = "igs"
    title: ClassVar[str] = "Pandanet (IGS), old system (reconstruction)"
    reasons: ClassVar[tuple[str, ...]] = (
        *MostLikelyRanks.reasons,
        "with a professional",
        "more than 3 stones apart after the handicap",
    )

    winning_law: ClassVar[WinningLaw] = WinningLaw.of("igs", lead_of)
    solver: ClassVar[Solver] = Solver.of("igs", score_and_information)
    unit: ClassVar[str] = "stones"
    surprise: ClassVar[str] = "4 / ln 10 (s - E) / min(E, 1 - E)."

    start: float = setting(15.0, "rating of a newcomer without a rank: 17 kyu", unit="stones", low=-1e3, high=1e3)
    # our choice: the server's window was not published
    window: int = setting(180, "days before the last game whose games count", unit="days", low=1, high=100_000)

    def freeze(self, games: Games, beyond: Floats) -> None:  # noqa: ARG002  # the law is the same for all
        """All games of the window count alike, under a law of the same steepness for all."""
        games.posterior.steepness[:] = DECAY
        games.posterior.prior.steepness[:] = DECAY

    def terms_worth(self, conditions: Conditions) -> float:
        """Return stones to Black: those beyond the first move, and 12 points of komi for one, as in the table."""
        return max(conditions.handicap - 1, 0) + (EVEN_KOMI - conditions.komi) / STONE

    def refusals(self, ledger: Ledger) -> Codes:
        """Return why games are not rated, shape (games,)."""
        code = super().refusals(ledger)
        black, white = ledger.arrays.by_rank(self._declared).T
        code[(code == 0) & (np.isinf(black) | np.isinf(white))] = PROFESSIONAL
        unknown = np.isnan(black) | np.isnan(white) | (code != 0)
        declared = np.where(unknown, 0.0, white) - np.where(unknown, 0.0, black)
        gap = np.abs(declared - self.worth_in_games(ledger))
        code[~unknown & (gap > FARTHEST)] = FAR
        return code

    def _declared(self, rank: Rank | None) -> float:
        """Return a declared rank in stones, NaN for none, infinite for professionals."""
        if rank is None:
            return np.nan
        return np.inf if rank.grade is Grade.PRO else self.rating_for(rank)

    def rank(self, rating: float) -> Rank | None:
        """Return the rank that begins at or below a rating: 32 is 1 dan."""
        return Rank.at(math.floor(rating) - ONE_DAN + 31.0)

    def rating_for(self, rank: Rank) -> float:
        """Return the rating at which a rank begins: 1 dan 32, 1 kyu 31."""
        return rank.stones - 31.0 + ONE_DAN

    def offered(self) -> tuple[tuple[int, float], ...]:
        """Return the rows of Pandanet's table, one for each half rank of difference."""
        rows = [proposal(halves / 2.0) for halves in range(2 * MOST_STONES + 1)]
        return tuple((stones or int(komi != EVEN_KOMI), komi) for stones, komi in rows)
