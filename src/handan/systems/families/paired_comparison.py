"""What systems share that seek the most likely strengths given all results: Bradley-Terry, decayed history, WHR.

Source: R. Bradley and M. Terry (1952); R. Coulom, "Whole-History Rating" (2008), for the prior and learned handicaps.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeVar

import numpy as np

from handan.errors import Clause, InputError
from handan.kernels.compiling import kernel
from handan.kernels.winning_law import WinningLaw, win_probability
from handan.ranks import Rank
from handan.ratings import Factor, Reason, Traits, total
from handan.systems.core.base import System
from handan.systems.core.conditions import worth_of_stones, worth_of_terms
from handan.systems.core.initial_ratings import Anchors, anchors
from handan.systems.core.schedule import Schedule
from handan.systems.core.settings import late_ranks_setting, setting
from handan.systems.families.learnable_terms import Terms
from handan.systems.families.linear_ranks import LinearRanks
from handan.systems.families.solved import SolvedExtra

if TYPE_CHECKING:
    from handan.kernels.posterior.newton import Effort
    from handan.kernels.types import Floats, Ints
    from handan.kernels.winning_law import Pairing
    from handan.ledger import Ledger
    from handan.ratings import Ratings, Standing
    from handan.systems.core.conditions import Conditions
    from handan.systems.core.settings import LateRanks
    from handan.systems.families.solved import Lines

UNIT = 400.0 / math.log(10.0)  # Elo in a natural unit
FIRST_MOVE = 30.0
"""Elo; deviation of the worth of the first move at fair komi before any game.
our choice: komi is meant to make it nothing, and Go programs teach 19 Elo; several hundred games move it far from 0."""
STONES = 0.5
"""Deviation of what handicap and komi are worth before any game, as a share of what the settings say of them.
our choice: a stone is worth from 43 Elo among strong players of servers to 100 and more in tournaments."""

ROOT_2PI = math.sqrt(2.0 * math.pi)
NODES, WEIGHTS = (tuple(column.tolist()) for column in np.polynomial.hermite_e.hermegauss(24))
"""Gauss-Hermite quadrature for a standard normal.
our choice: 24 points, within 2e-6 for deviations of both together of up to 2 natural units."""


class Learned(NamedTuple):
    """What was learned of the terms beside the strengths."""

    advantage: float
    """Worth of the first move in Elo, learned or pinned."""
    terms: Floats
    """Handicap, komi, worth to Black in Elo and its deviation, of all terms that were learned, shape (terms, 4)."""
    notes: tuple[str, ...]
    deviation: float = 0.0
    """Of the worth of the first move, Elo; 0 where it is pinned."""


@kernel
def averaged(lead: float, spread: float) -> float:
    """Return the log odds of a win: 1 / (1 + e^-z) averaged over z ~ N(lead, spread^2); NaN stands for no spread.

    Args:
        lead: Natural units.
        spread: Deviation of the lead, natural units.
    """
    if spread == 0.0 or math.isnan(spread):
        return lead
    less = 0.0  # the smaller of the two probabilities, which keeps its digits
    for place in range(len(NODES)):
        less += WEIGHTS[place] * win_probability(spread * NODES[place] - abs(lead))
    less /= ROOT_2PI
    return math.copysign(math.log1p(-less) - math.log(less), lead) if less > 0.0 else lead


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return ln(gamma_b / gamma_w) with Black's terms added; a constant of 1 averages it over both spreads."""
    lead = (pairing.black + pairing.worth - pairing.white) / UNIT
    if pairing.constants[0] != 1.0:
        return lead
    return averaged(lead, math.hypot(pairing.black_spread, pairing.white_spread) / UNIT)


@dataclass(frozen=True, eq=False)
class PairedExtra(SolvedExtra):
    """What explanations and forecasts read beside ratings."""

    advantage: float
    """Elo of the first move, as set or learned."""
    advantage_deviation: float
    """Its deviation, 0 as set."""
    learned_terms: Floats
    """Handicap, komi, learned worth to Black in Elo and its deviation, shape (terms, 4)."""
    entry: Floats
    """Entry of every player, Elo, shape (players,)."""
    mean_entry: float
    ranked: bool
    """Whether anybody entered by a rank."""


E = TypeVar("E", bound=PairedExtra)


@dataclass(frozen=True)
class PairedComparison(LinearRanks, System):
    """The most likely strengths given all results and a weak prior; ratings are relative, anchored at the entry ranks.

    Unknown is the strength of each player beyond the entry, which is 0 where nobody has a rank.
    """

    traits: ClassVar[Traits] = Traits(any_order=True, whole=True)
    winning_law: ClassVar[WinningLaw] = WinningLaw.of("strength", lead_of)

    prior: float = setting(
        1.0, "virtual wins, and as many losses, of each player against the entry", unit="games", low=0.0, high=1e4
    )
    advantage: float | None = setting(
        None, "worth of the first move at fair komi; none: learned", unit="Elo", low=-1000.0, high=1000.0, kind=float
    )
    entry: Literal["ranks", "none"] = setting(
        "ranks", "whether players enter by declared ranks and adjustments, or all at 0"
    )
    stone: float | None = setting(
        None,
        "worth of a stone to Black; none: a rank's; 0: nothing",
        unit="Elo",
        low=0.0,
        high=2000.0,
        kind=float,
    )
    handicap: Literal["pinned", "learned"] = setting(
        "pinned", "whether each handicap and komi is worth what is set for a stone, or learned"
    )
    at_1d: float | None = setting(
        None, "rating of 1 dan; none: 0, and the list shows no ranks", unit="Elo", low=-1e5, high=1e5, kind=float
    )
    # our choice: as in Elo
    per_rank: float = setting(60.0, "Elo from one rank to the next", unit="Elo", low=1.0, high=2000.0)
    tolerance: float = setting(
        1e-8, "largest change of the last step of the solution", unit="natural units", low=1e-12, high=0.1
    )
    late_ranks: LateRanks = late_ranks_setting()

    @property
    def by_ranks(self) -> bool:
        """Whether players enter by rank: only the prior reads entries."""
        return self.entry == "ranks" and self.prior > 0.0

    def schedule_of(self, ledger: Ledger) -> Schedule:
        """Lay out the rated games."""
        return Schedule.of(ledger, self.refusals(ledger), late_ranks=self.late_ranks if self.by_ranks else "")

    def anchors(self, schedule: Schedule) -> Anchors:
        """Return the entries of all players in Elo."""
        return anchors(schedule, self.rating_for) if self.by_ranks else Anchors.none(len(schedule.ledger.players))

    def written_down(
        self, kind: type[E], make: Callable[[], Lines], learned: Learned, entered: Anchors, **more: Any
    ) -> E:
        """Return what explanations and forecasts read.

        Args:
            kind: Of the record.
            make: Makes the lines of all games.
            learned: Of the terms.
            entered: With what players enter.
            more: Further fields of that kind.
        """
        return kind(
            make=make,
            advantage=learned.advantage,
            advantage_deviation=learned.deviation,
            learned_terms=learned.terms,
            entry=entered.rating,
            mean_entry=entered.mean,
            ranked=entered.ranked,
            **more,
        )

    def terms_of(self, schedule: Schedule) -> Terms:
        """Return what the terms of the rated games are worth to Black, with all that might be learned of it."""
        ledger, taken = schedule.ledger, schedule.sequence
        bonus = worth_of_stones(ledger, self.worth_of_stone, self.advantage or 0.0)[taken] / UNIT
        coloured = ledger.arrays.colours_known[taken]
        if self.handicap == "learned":
            pairs = np.stack((ledger.arrays.handicap[taken].astype(np.float64), ledger.arrays.komi_or()[taken]), axis=1)
            different, first, kind = np.unique(pairs[coloured], axis=0, return_index=True, return_inverse=True)
            category = np.full(len(taken), -1, dtype=np.int64)
            category[coloured] = kind.reshape(-1)
            pattern = "handicap {stones}, komi {komi:g}"
            names = tuple(Clause.of(pattern, stones=int(stones), komi=komi) for stones, komi in different.tolist())
            doubt = np.hypot(FIRST_MOVE / UNIT, STONES * bonus[coloured][first])
            pairs_of = tuple((stones, komi) for stones, komi in different.tolist())
            return Terms(bonus, category, names, tuple(doubt.tolist()), pairs_of)
        if self.advantage is None and coloured.any():
            return Terms(bonus, np.where(coloured, 0, -1), ("the first move",), (FIRST_MOVE / UNIT,))
        return Terms(bonus, np.full(len(taken), -1, dtype=np.int64), ())

    def learned(self, terms: Terms, strength: Floats, deviation: list[float]) -> Learned:
        """Return what was learned of the terms.

        Args:
            terms: What they are.
            strength: The learned worths stand after the strengths, before a zero.
            deviation: Of each learned worth, natural units.
        """
        count, pinned = len(terms.names), self.advantage or 0.0
        if not count:
            return Learned(pinned, np.empty((0, 4)), ())
        worth = UNIT * strength[-1 - count : -1]
        if self.handicap == "pinned":
            first, doubt = float(worth[0]), UNIT * deviation[0]
            return Learned(first, np.empty((0, 4)), (first_move_note(first, doubt),), doubt)
        by_rule = [UNIT * float(terms.bonus[terms.category == kind][0]) for kind in range(count)]
        whole = worth + np.array(by_rule)
        pattern = "learned: {name} is worth {value:.1f} ± {deviation:.1f} Elo to Black"
        notes = tuple(
            Clause.of(pattern, name=name, value=value, deviation=UNIT * each)
            for name, value, each in zip(terms.names, whole.tolist(), deviation, strict=True)
        )
        return Learned(pinned, np.column_stack((np.array(terms.pairs), whole, UNIT * np.array(deviation))), notes)

    def learned_terms(self, ratings: Ratings) -> dict[tuple[int, float], float]:
        """Return what each handicap and komi was learned to be worth to Black in Elo, empty where none was."""
        return {(int(stones), komi): worth for stones, komi, worth, _ in PairedExtra.of(ratings).learned_terms.tolist()}

    def _learned_variance(self, exact: Pairing, conditions: Conditions) -> float:  # noqa: ARG002  # the terms decide
        """Return the variance of the log odds that the learned worth of the terms leaves open."""
        if conditions.ratings is None:
            return 0.0
        extra = PairedExtra.of(conditions.ratings)
        of_terms = {(int(stones), komi): doubt for stones, komi, _, doubt in extra.learned_terms.tolist()}
        doubt = float(of_terms.get(conditions[:2], extra.advantage_deviation))
        return (doubt / UNIT) ** 2

    def notes_on(self, schedule: Schedule, effort: Effort, *, ranked: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return notes and warnings of every solution."""
        pattern = (
            "solved in {steps} Newton steps, {rounds} sweeps of conjugate gradients in all; "
            "the last step moved nobody by more than {moved:.1g} Elo"
        )
        ignored = self._ignored(schedule)
        if ranked:
            ignored = (*schedule.newcomers(Clause.of("the mean entry of their pool"), by_terms=True), *ignored)
        notes = (Clause.of(pattern, steps=effort.steps, rounds=effort.iterations, moved=UNIT * effort.moved),)
        pattern = "not settled to {tolerance:g}; numbers are provisional"
        slow = () if effort.moved < self.tolerance else (Clause.of(pattern, tolerance=self.tolerance),)
        return notes, (*ignored, *slow)

    def _ignored(self, schedule: Schedule) -> tuple[str, ...]:
        """Return a warning if there are adjustments that play no part."""
        if not self.by_ranks:
            some = bool(schedule.ledger.adjustments)
            return ("adjustments have no effect: strengths follow from results alone",) * some
        by_hand = len(schedule.later) > (len(schedule.late) if self.late_ranks == "adjust" else 0)
        return ("adjustments after a player's first game have no effect: strengths follow from results",) * by_hand

    def _law_constants_with(self, ratings: Ratings | None) -> tuple[float, ...]:
        """Return 1 if forecasts count in how uncertain strengths are, else 0."""
        ranked = self.by_ranks if ratings is None else PairedExtra.of(ratings).ranked
        return (float(self.counts_uncertainty(ranked=ranked)),)

    @abstractmethod
    def counts_uncertainty(self, *, ranked: bool) -> bool:
        """Return whether forecasts count in how uncertain both strengths are."""

    def terms_worth(self, conditions: Conditions) -> float:
        """Return what terms are worth to Black in Elo: as learned with the ratings, else as the settings say."""
        ratings = conditions.ratings
        if ratings is None:
            return super().terms_worth(conditions)
        by_rule = worth_of_terms(conditions, self.worth_of_stone, PairedExtra.of(ratings).advantage)
        return self.learned_terms(ratings).get(conditions[:2], by_rule)

    def newcomer(
        self, name: str, rank: Rank | None = None, rating: float | None = None, ratings: Ratings | None = None
    ) -> Standing:
        """Return where the prior puts a player without games.

        A rank counts where players enter by ranks, or `at_1d` says what it means; without one it is the mean entry.
        """
        ranked = self.by_ranks if ratings is None else PairedExtra.of(ratings).ranked
        if rating is None and rank is not None and ranked:
            rating = self.rating_for(rank)
        elif rating is None and ratings is not None and (rank is None or self.at_1d is None):
            rating = PairedExtra.of(ratings).mean_entry
        return super().newcomer(name, rank if self.at_1d is not None else None, rating, ratings)

    @property
    def _start_uncertainty(self) -> float | None:
        """Deviation that the prior leaves, Elo; None without a prior."""
        return UNIT / math.sqrt(0.5 * self.prior) if self.prior else None

    def rank(self, rating: float) -> Rank | None:
        """Return the rank whose rating is nearest; None unless `at_1d` says where the ranks are."""
        return None if self.at_1d is None else super().rank(rating)

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return the game's share in the rating and what the game says, whose product it contributed."""
        ledger, extra = ratings.ledger, PairedExtra.of(ratings)
        lines = extra.lines
        own, other = float(lines.strength[game, side]), float(lines.strength[game, 1 - side])
        worth = float(lines.worth[game])
        score = float(ledger.arrays.score[game])
        lead = (own - other + (worth if side == 0 else -worth)) / UNIT
        if side == 1:
            score = 1.0 - score
        share = float(lines.share[game, side])
        surprise = score - win_probability(lead)
        entry = float(extra.entry[ledger.arrays.seats[side][game]])
        says = float(ratings.arrays.change[game, side]) / share if share else own - entry
        adds = Factor("surprise of the result", says - (own - entry), "173.7178 (s - E) / (E (1 - E)).")
        factors = (
            Factor("share", share, "The rating is the mean of what the games say, each weighted by how much it tells."),
            total(
                "what the game says",
                "Own strength plus what the result adds to it.",
                Factor("own strength", own, "As most likely given all results."),
                adds,
            ),
        )
        if extra.ranked:
            factors = (
                Factor("share", share, "The rating is a mean of the entry and of what the games say, by information."),
                total(
                    "what the game says beyond the entry",
                    "Own strength beyond the entry plus what the result adds to it.",
                    Factor("own strength beyond the entry", own - entry, "As most likely given all results."),
                    adds,
                ),
            )
        facts = {
            "score": score,
            "expected score": score - surprise,
            "opponent's strength": other,
            "entry": entry,
            "worth of handicap and komi to Black": worth,
        }
        return Reason(factors, "product", facts)


def worths(strength: Floats, terms: Terms) -> Floats:
    """Return the learned worth of each game, natural units, shape (rated,)."""
    learned = np.append(strength[-1 - len(terms.names) : -1], 0.0) if terms.names else np.zeros(1)
    worths: Floats = learned[terms.category]
    return worths


def first_move_note(worth: float, deviation: float) -> str:
    """Return what is said of a learned first move, Elo."""
    pattern = "learned: the first move is worth {worth:.1f} ± {deviation:.1f} Elo"
    return Clause.of(pattern, worth=worth, deviation=deviation)


def no_finite_strength(ledger: Ledger, players: Ints, system: System) -> InputError:
    """Return the error for a fit without a prior in which some strengths are infinite."""
    names = ", ".join(ledger.players[player].name for player in players[:5].tolist()) + " …" * (len(players) > 5)
    return InputError(
        f"{system.name}: prior=0 has no finite answer: {names} only won, or only lost, against the others of the pool; "
        "set a prior, such as prior=0.1"
    )
