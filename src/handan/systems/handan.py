"""Handan: a Gaussian belief of each strength, and settings and coefficients that the games of the ledger teach.

Source: the filter is the assumed-density form of M. Glickman, "Parameter estimation in large dynamic paired comparison
experiments" (1999), with the logistic average of D. MacKay, "The evidence framework applied to classification networks"
(1992); settings are averaged as in J. Hoeting, D. Madigan, A. Raftery and C. Volinsky, "Bayesian model averaging: a
tutorial" (1999), by how well each forecast the games so far (A. P. Dawid, "The prequential approach", 1984). The law
stands in `kernels/incremental/handan_law.py`, the replay in `kernels/incremental/handan.py`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl

from handan.errors import Clause
from handan.kernels.incremental.entry_levels import levels_now
from handan.kernels.incremental.handan import (
    Constants,
    Games,
    Lines,
    Rows,
    Settings,
    SharedState,
    State,
    TermLoadings,
    mean,
    replay,
)
from handan.kernels.incremental.handan_forecasts import Learned, Questions, fill_log_odds, terms_between
from handan.kernels.incremental.handan_law import NATURAL, Scale, lead_of, learned_variance, quadratic_form
from handan.kernels.incremental.observation_weights import fill_observation_weights
from handan.kernels.incremental.origins import entry_without_rank, no_origins
from handan.kernels.incremental.pool_terms import (
    ALIKE,
    FIRST_MOVE,
    TERMS,
    AllPools,
    Information,
    Law,
    Likelihoods,
    OtherPools,
    Pools,
    Terms,
    head_of,
    most_pools,
    no_pools,
    weights_in_pool,
    weights_of,
)
from handan.kernels.winning_law import WinningLaw
from handan.ratings import Extra, Factor, Reason, Traits
from handan.ratings.reasons import product, surprise
from handan.systems.core.base import System
from handan.systems.core.conditions import worth_of_terms
from handan.systems.core.initial_ratings import deviations_at_entry, starting_ratings
from handan.systems.core.periods import days, last_day, undated
from handan.systems.core.schedule import Schedule
from handan.systems.core.settings import late_ranks_setting, setting, start_setting
from handan.systems.families.linear_ranks import LinearRanks
from handan.systems.families.newcomer_kinds import EntryLevels, NewcomerKinds, populations

if TYPE_CHECKING:
    from handan.kernels.types import Flags, Floats, Ints
    from handan.kernels.winning_law import Pairing
    from handan.ledger import Ledger
    from handan.ranks import Rank
    from handan.ratings import Ratings, Standing
    from handan.systems.core.conditions import Conditions
    from handan.systems.core.settings import LateRanks
    from handan.systems.families.newcomer_kinds import Kind

LAW = "p = 1 / (1 + e^-z), z = kappa (G(r_black + stones) - G(r_white) + first move)."
DEVIATIONS = (60.0, 90.0, 130.0, 190.0, 270.0, 390.0, 560.0)
"""Deviations of newcomers that are weighed. our choice: circles of equals want 100, nations 150, a country 350."""
GROWTHS = (0.0, 8.0, 60.0)
"""Growths of the variance that are weighed, points^2 a day. our choice; 20 is Coulom's fit (2008)."""
RANK_SHARES = {0.85: 0.6, 0.35: 0.4}
"""Deviations of who enters by a rank, as shares of others', and what they weigh before any game. our choice."""
LEAST_BY_RANK = 75.0  # points; our choice: the smaller share makes no rank surer
OPPONENTS = (0.0, 0.5, 1.0)
RESULTS = (0.0, 0.5)
CHOSEN = 0.3  # our choice: what it weighs before the first game that opponents say something, 0.7 that they do not
SPREAD = 0.45  # our choice: deviation of the logarithm of a newcomer's deviation
ADVANTAGE = 30.0  # Elo; our choice: deviation of the worth of the first move before the first game
SCALE = 0.43  # our choice: deviation of the logarithm of a rank's worth in Elo for a point
BEND = (
    0.05  # our choice: deviation of the growth of that worth from rank to rank; servers and tournaments have 0 to 0.1
)
OWN = 0.8  # our choice: share of these variances that is a pool's own
YEARLY = 0.01  # our choice: share of these variances that a year adds, since what is true of one need not last
SHOWN = 5  # our choice: so many sources, and ranks of each, are named
STEPS = 2  # our choice: so many settings of one game are the work of a step of other loops, being rows of arrays


def observation_weights(schedule: Schedule, population: Ints) -> Floats:
    """Return how much the kind of each result says, 1 in the mean, shape (rated,), as `population`.

    our choice, after what servers of Go show: a resignation before move 180 says more than one after move 240; a jigo
    says as much as a win and a loss; margins are compared with those of their population so far.
    """
    ledger = schedule.ledger
    moves = ledger.arrays.moves
    resigned = np.select([moves < 0, moves < 180, moves < 240], [1.15, 1.3, 1.1], 0.9)
    weight = np.ones(len(ledger))
    for ending, value in (("R", resigned), ("T", 0.95), ("=", 2.0)):
        weight = np.where(ledger.arrays.ended(ending), value, weight)
    chosen, margin = schedule.taken(weight).copy(), schedule.taken(ledger.arrays.margin)
    fill_observation_weights.for_work(4 * len(chosen))(population, margin, chosen)
    return chosen


def forecast_origins(schedule: Schedule) -> tuple[Ints, Ints]:
    """Return the place of a game before which everything is known to each game, and where its day begins.

    Both have shape (rated,). The first is where the day of its event's first game begins, of its own day where it has
    no event; without dates the round.
    """
    ledger, taken = schedule.ledger, schedule.sequence
    if ledger.arrays.dated.any():
        number = ledger.arrays.day
    elif ledger.arrays.column("round").is_not_null().any():
        table = pl.DataFrame([ledger.arrays.column("event"), ledger.arrays.column("round")])
        number = table.select(pl.struct("event", "round").rle_id()).to_series().to_numpy().astype(np.int64)
    else:
        number = np.arange(len(ledger))
    begins = np.flatnonzero(np.diff(number, prepend=number[:1] - 1))
    first = begins[np.searchsorted(begins, np.arange(len(ledger)), side="right") - 1]
    _, start, event = np.unique(ledger.arrays.event, return_index=True, return_inverse=True)
    earliest = np.minimum(first, first[start[event.reshape(-1)]])
    return np.searchsorted(taken, earliest[taken]), np.searchsorted(taken, first[taken])


def event_members(ledger: Ledger, rated: Ints) -> Ints:
    """Return Black of the first rated game of the event of each game, shape (games,); -1: none of it is rated.

    A game without an event is one by itself. `rated` has the rated games in playing order.
    """
    event, (black, _) = ledger.arrays.event, ledger.arrays.seats
    member = np.full(len(ledger), -1, dtype=np.int64)
    member[event[rated][::-1]] = black[rated][::-1]  # of several games the last that is written, the first played
    return member[event]


def nothing_said(prior: Floats, populations: int) -> OtherPools:
    """Return that no pool has said anything; `prior` has the weights of the settings before the first game."""
    return OtherPools(
        np.array([-1]), np.zeros((populations, TERMS, TERMS)), np.zeros((populations, TERMS)),
        np.zeros((populations, 2)), np.zeros((populations, len(prior))), prior.copy(), prior.copy(),
    )  # fmt: skip


def first_of_population(population: Ints, since: Ints) -> Ints:
    """Return for each game the first one of its population from a place on, shape (games,).

    Args:
        population: Of each game in playing order.
        since: Place of an earlier game, or of the game itself.
    """
    order, span = np.argsort(population, kind="stable"), len(population) + 1
    return order[np.searchsorted(population[order] * span + order, population * span + since)]


def main_pool(pools: Pools) -> int:
    """Return who heads the pool with most games, -1 without a game."""
    heads = np.flatnonzero(pools.head == np.arange(len(pools.head)))
    return max(heads.tolist(), key=lambda head: (pools.games[head], pools.last_game[head]), default=-1)


def weigh_main(settings: Settings, all_pools: AllPools, main: int) -> None:
    """Fill the weights of the settings with those in the main pool."""
    pools, likelihoods, other_pools = all_pools
    own = likelihoods.values[pools.slot[main]]
    others = other_pools.likelihood[pools.population[main]] - np.log((1.0 - ALIKE) + ALIKE * np.exp(own))
    weights_in_pool(other_pools.mixed, other_pools.prior, others)
    weights_of(settings.weight, other_pools.mixed, own)


@dataclass(frozen=True, eq=False)
class HandanExtra(Extra):
    """What forecasts and explanations read beside ratings; rows are rated games in the order of the replay."""

    by_rated_game: ClassVar[tuple[str, ...]] = (
        "onset_variance", "gain", "observation_weight", "by_result", "by_opponent_choice", "by_look_back", "by_level",
        "by_coefficients",
    )  # fmt: skip

    onset_variance: Floats
    """Variance of both sides before each game, with what it owes to the terms, points^2, shape (rated, 2)."""
    gain: Floats
    """V kappa of both sides, shape (rated, 2)."""
    observation_weight: Floats
    """How much the kind of result counts, shape (rated, 2)."""
    by_result: Floats
    """Points that the result moved both sides, shape (rated, 2)."""
    by_opponent_choice: Floats
    """Points that the choice of the opponent moved them, shape (rated, 2)."""
    by_look_back: Floats
    """Points that later results of earlier opponents moved them before each game, shape (rated, 2)."""
    by_level: Floats
    """Points that declared ranks, and what newcomers alike have shown, moved them before each game, (rated, 2)."""
    by_coefficients: Floats
    """Points that first move and scale moved them before each game, since both became known better, (rated, 2)."""
    learned: Learned
    """What the games say of first move and scale."""
    weights: Floats
    """Deviations without and with a rank, growth, opponents, results and weight in the main pool, (6, settings)."""
    entries: EntryLevels
    """What newcomers are worth."""


@dataclass(frozen=True)
class Handan(LinearRanks, System):
    """Gaussian beliefs of strengths, game by game, under settings and coefficients that the games so far teach."""

    name: ClassVar[str] = "handan"
    title: ClassVar[str] = "Handan"
    revision: ClassVar[int] = 14
    _customary_start: ClassVar[float] = 1500.0
    winning_law: ClassVar[WinningLaw] = WinningLaw.of("handan", lead_of)
    traits: ClassVar[Traits] = Traits(
        ranks_on_line=True,
        reads_deviations=True,
        parts=(
            ("newcomers", "fixed", "where newcomers enter"),
            ("scale", "fixed", "what a rank is worth"),
            ("advantage", 0.0, "the first move, or the home side"),
            ("opponents", 0.0, "who plays whom"),
            ("results", 0.0, "how games ended"),
            ("look_back", 0.0, "what earlier opponents did since"),
        ),
    )

    deviation: float | None = setting(
        None, "deviation of a newcomer; none: 60 to 560, weighed by the games",
        unit="points", low=1.0, high=1e4, kind=float,
    )  # fmt: skip
    w2: float | None = setting(
        None, "growth of the variance; none: 0 to 60, weighed by the games",
        unit="points^2 a day", low=0.0, high=1e5, kind=float,
    )  # fmt: skip
    opponents: float | None = setting(
        None, "how much is made of who plays whom; none: nothing, half and all of it, weighed by the games",
        low=0.0, high=1.0, kind=float,
    )  # fmt: skip
    results: float | None = setting(
        None, "how much is made of how a game ended; none: nothing and half of it, weighed by the games",
        low=0.0, high=1.0, kind=float,
    )  # fmt: skip
    look_back: float = setting(
        1.0, "how much is made of what earlier opponents have shown since; 0: nothing", low=0.0, high=1.0
    )
    rank_share: float | None = setting(
        None, "deviation of who enters by a rank, as a share of others'; none: weighed by the games",
        low=0.001, high=1.0, kind=float,
    )  # fmt: skip
    performance: float = setting(
        150.0, "beta, deviation of both performances of a game together; our choice", unit="Elo", low=0.0, high=1e4
    )
    scale: Literal["learned", "fixed"] = setting(
        "learned", "what a point is worth: learned from the games, or 1 Elo everywhere"
    )
    newcomers: Literal["learned", "fixed"] = setting(
        "learned", "where newcomers and ranks stand: learned from the games of all sources, or fixed, as declared"
    )
    start: float | None = start_setting("points", _customary_start, low=-1e5, high=1e5)
    stone: float | None = setting(
        None, "worth of a stone to Black; none: a rank's; 0: nothing", unit="points", low=0.0, high=2000.0, kind=float
    )
    advantage: float | None = setting(
        None, "worth of the first move at fair komi; none: learned", unit="Elo", low=-1000.0, high=1000.0, kind=float
    )
    per_rank: float = setting(100.0, "points from one rank to the next", unit="points", low=1.0, high=2000.0)
    at_1d: float = setting(2100.0, "rating of 1 dan", unit="points", low=-1e5, high=1e5)
    late_ranks: LateRanks = late_ranks_setting()

    def rate(self, ledger: Ledger) -> Ratings:
        """Replay the games one by one under all settings."""
        late = "" if self.newcomers == "learned" and self.late_ranks == "remark" else self.late_ranks
        schedule = Schedule.of(ledger, self.refusals(ledger), late_ranks=late)
        rating, hand = starting_ratings(schedule, self.rating_for, self.start, self._customary_start)
        listed = deviations_at_entry(schedule, rating, self.rating_for)
        terms = schedule.taken(self._worth_and_width(ledger))
        known_until, day_start = forecast_origins(schedule)
        population = schedule.taken(populations(ledger)).copy()
        learns = self.newcomers == "learned"
        kinds = NewcomerKinds.of(schedule) if learns else NewcomerKinds.none(schedule)
        games = Games(
            *schedule.seats, schedule.score, terms[:, 0].copy(), terms[:, 1].copy(),
            observation_weights(schedule, population), days(schedule).astype(np.float64), known_until, day_start,
            kinds.declared, schedule.taken(event_members(ledger, schedule.sequence)).copy(), population,
            first_of_population(population, known_until),
            first_of_population(population, day_start) == np.arange(len(population)),
        )  # fmt: skip
        unplaced = kinds.unplaced
        first = self._first_origins(schedule, rating, population, unplaced)
        rating[unplaced] = first[population[np.searchsorted(schedule.sequence, schedule.first_game[unplaced])]]
        state = State(rating, listed**2, ~schedule.declared | unplaced, kinds.of_player)
        base = np.array([np.nan if kind.rank is None else self.rating_for(kind.rank) for kind in kinds.kinds])
        levels = kinds.levels(base, day_start)
        count, players = len(schedule), len(ledger.players)
        lines = Lines(*(np.empty((count, 2)) for _ in Lines._fields))
        rows = Rows(*(np.empty((count, *shape)) for shape in 2 * [(TERMS, TERMS), (TERMS,)] + [(2, TERMS)]))
        settings, end = self.weighed(), float(last_day(schedule)[0])
        most = most_pools.for_work(count)(games.black, games.white, players)
        likelihoods = Likelihoods(np.zeros((most, len(settings.weight))), np.arange(most), np.array([most]))
        pools, other_pools = no_pools(players), nothing_said(settings.weight, int(population.max(initial=0)) + 1)
        loadings = TermLoadings(np.zeros((players, TERMS)), np.zeros((players, TERMS)))
        constants = Constants(self.meaning, self.law, self.look_back)
        run = replay.for_work(count * len(settings.weight) // STEPS)
        all_pools = AllPools(pools, likelihoods, other_pools)
        origins = no_origins(first, unplaced)
        shared = SharedState(all_pools, loadings, levels, origins)
        run(games, end, constants, settings, hand, state, shared, lines, rows)
        main = main_pool(pools)
        if main >= 0:
            weigh_main(settings, all_pools, main)
        information = Information(other_pools.precision, other_pools.force)
        learned = Learned(games, rows, pools, information, other_pools.wins, loadings.share)
        level, doubt = levels_now(levels)
        now = np.array([entry_without_rank(origins, each) for each in range(len(first))])
        level += kinds.beside_start(now - self._start_rating, population)
        entries = EntryLevels(kinds.kinds, level, doubt, kinds.newest_source)
        main_terms = self._terms_of(learned, main, main, end)
        return schedule.ratings(
            self, state.mean, lines.before, lines.change,
            deviation=np.sqrt(state.variance + self._owed(learned, end)),
            variances=schedule.scatter(lines.variance_after),
            adjusted=schedule.adjusted(self, hand),
            extra=HandanExtra(
                lines.onset_variance, lines.gain, lines.observation_weight, lines.by_result, lines.by_opponent_choice,
                lines.by_look_back, lines.by_level, lines.by_coefficients, learned,
                np.stack((np.sqrt(settings.entry), np.sqrt(settings.ranked), *settings[2:])), entries,
            ),
            notes=(
                *self._notes(settings, main_terms, ranked=bool(games.stones.any()) or entries.ranked),
                *self._entries(entries),
            ) if count else (),
            warnings=(*schedule.newcomers(f"{self._start_rating:g}", by_terms=self.start is None), *undated(schedule)),
        )  # fmt: skip

    def _first_origins(self, schedule: Schedule, rating: Floats, population: Ints, unplaced: Flags) -> Floats:
        """Return where players without a rank enter at first, shape (populations,).

        It is where the scale begins; without a given `start` at the rank of a population's first game, if nobody there
        has another.
        """
        origin = np.full(int(population.max(initial=0)) + 1, self._start_rating)
        if self.start is None:
            for game in np.unique(population, return_index=True)[1].tolist():
                declaring = [int(seat[game]) for seat in schedule.seats if schedule.declared[int(seat[game])]]
                if declaring and unplaced[declaring[0]]:
                    origin[population[game]] = rating[declaring[0]]
        return origin

    def weighed(self) -> Settings:
        """Return the settings that are weighed, with what they weigh before the first game.

        our choice: ln of the deviation is normal around that of 122 points (0.7 natural units) with deviation SPREAD,
        ln (w2 + 3) around ln 17 with deviation 1.
        """
        deviations = DEVIATIONS if self.deviation is None else (self.deviation,)
        shares = RANK_SHARES if self.rank_share is None else {self.rank_share: 1.0}
        pairs = [
            (one, share * one, weight)
            for one in deviations
            for share, weight in shares.items()
            if share == max(shares) or share * one >= LEAST_BY_RANK
        ]
        given = (self.w2, self.opponents, self.results)
        usual = (GROWTHS, OPPONENTS, RESULTS)
        axes = [each if one is None else (one,) for one, each in zip(given, usual, strict=True)]
        rows = [(*pair, *rest) for pair in pairs for rest in itertools.product(*axes)]
        deviation, ranked, share, growth, opponents, results = np.array(rows, dtype=np.float64).T.copy()
        one, other = np.log(ranked / 0.85 * NATURAL / 0.7) / SPREAD, np.log((growth + 3.0) / 17.0)
        weight = share * np.exp(-0.5 * (one**2 + other**2))
        weight *= np.where(opponents > 0.0, CHOSEN, 1.0 - CHOSEN)
        return Settings(deviation**2, ranked**2, growth, opponents, results, weight / weight.sum())

    @property
    def law(self) -> Law:
        """What is believed of first move and scale before the first game."""
        mean = np.array([self.advantage or 0.0, 0.0, 0.0])
        learned = np.array([self.advantage is None, self.scale == "learned", self.scale == "learned"])
        variance = np.where(learned, np.array([ADVANTAGE, SCALE, BEND]) ** 2, 0.0)
        return Law(mean, (1.0 - OWN) * variance, OWN * variance, YEARLY / 365.0 * variance)

    def _terms_of(self, learned: Learned, one: int, other: int, day: float) -> Terms:
        """Return what is believed of the terms between the pools that two players head, -1: none, on a day."""
        pools = learned.pools
        larger = max(one, other, key=lambda head: pools.games[head] if head >= 0 else -1.0)
        population = int(pools.population[larger]) if larger >= 0 else 0
        return terms_between(pools, learned.information, learned.wins, self.law, (one, other, -1), population, day)

    def _owed(self, learned: Learned, day: float) -> Floats:
        """Return the variance that each rating owes to the terms of its pool, points^2, shape (players,)."""
        share = learned.share
        owed = np.zeros(len(share))
        heads = np.array([head_of(learned.pools, player) for player in range(len(share))], dtype=np.int64)
        for head in np.unique(heads[heads >= 0]).tolist():
            terms, mine = self._terms_of(learned, head, head, day), heads == head
            owed[mine] = np.einsum("ni,ij,nj->n", share[mine], terms.covariance, share[mine])
        return np.maximum(owed, 0.0)

    @property
    def meaning(self) -> Scale:
        """What a rating means."""
        return Scale(self.performance**2, self.at_1d, self.per_rank)

    def _notes(self, settings: Settings, terms: Terms, *, ranked: bool) -> tuple[str, ...]:
        """Return what the games of the main pool say of settings and terms, of ranks where these play a part."""
        middle, pace = math.sqrt(mean(settings.weight, settings.entry)), mean(settings.weight, settings.growth)
        spread = math.sqrt(mean(settings.weight, (np.sqrt(settings.entry) - middle) ** 2))
        by_rank = math.sqrt(mean(settings.weight, settings.ranked))
        paired, graded = (mean(settings.weight, values) for values in (settings.opponents, settings.results))
        steep = self.per_rank * math.exp(terms.mean[1])
        of_settings = (
            "the games say: deviation of a newcomer {middle:.0f} ± {spread:.0f} points, with a rank {by_rank:.0f}, "
            "growth {pace:.1f} points^2 a day; opponents count {paired:.2f}, how games end {graded:.2f}"
        )
        of_first_move = "the games say: the first move is worth {first:.0f} ± {doubt:.0f} Elo"
        of_law = (
            "the games say: the first move is worth {first:.0f} ± {doubt:.0f} Elo, a rank at 1 dan {steep:.0f} ± "
            "{around:.0f} Elo, {more:+.1f} % from rank to rank"
        )
        deviation = np.sqrt(np.maximum(np.diag(terms.covariance), 0.0))
        more, doubt, around = 100.0 * math.expm1(terms.mean[2]), float(deviation[0]), steep * float(deviation[1])
        return (
            Clause.of(
                of_settings, middle=middle, spread=spread, by_rank=by_rank, pace=pace, paired=paired, graded=graded
            ),
            Clause.of(of_law, first=float(terms.mean[0]), doubt=doubt, steep=steep, around=around, more=more)
            if ranked
            else Clause.of(of_first_move, first=float(terms.mean[0]), doubt=doubt),
        )

    def _entries(self, entries: EntryLevels) -> Iterator[str]:
        """Yield at what rating newcomers of each named source enter now, the surest ranks first."""
        kinds = entries.kinds
        sources = list(dict.fromkeys(kind.source for kind in kinds if kind.source))
        if len(sources) > 1:
            with_ranks = "the games say: newcomers of {source} enter at {ratings} points"
            without = "the games say: newcomers of {source} without a rank enter at {rating:.0f} ± {doubt:.0f} points"
        else:
            with_ranks = "the games say: newcomers enter at {ratings} points"
            without = "the games say: newcomers without a rank enter at {rating:.0f} ± {doubt:.0f} points"
        surest = sorted((float(entries.variance[n]), n) for n, kind in enumerate(kinds) if not kind.by_terms)
        for source in sources[:SHOWN]:
            ranked = []
            for doubt, rating, kind in (
                (math.sqrt(variance), float(self._entry_of(kinds[n]) + entries.mean[n]), kinds[n])
                for variance, n in surest
                if kinds[n].source == source
            ):
                if kind.rank is None:
                    yield Clause.of(without, source=source, rating=rating, doubt=doubt)
                else:
                    ranked.append(f"{kind.rank} {rating:.0f} ± {doubt:.0f}")
            if ranked:
                yield Clause.of(with_ranks, source=source, ratings=", ".join(ranked[:SHOWN]))

    def _entry_of(self, kind: Kind) -> float:
        """Return the rating at which a kind of newcomers would enter if their level were 0."""
        return self._start_rating if kind.rank is None else self.rating_for(kind.rank)

    def entry_levels(self, ratings: Ratings) -> pl.DataFrame:
        """Return what newcomers are taken for after the last game, by what is known of them.

        Columns: `source` of their games, `rank` that they declare (null: none), `by_terms` (whether the terms of the
        first game gave the rank), `level` (points beside the rating of that rank, or of the start), `deviation` of the
        level, and `rating` at which they enter (null by terms).
        """
        entries = HandanExtra.of(ratings).entries
        rating = [None if kind.by_terms else self._entry_of(kind) for kind in entries.kinds]
        return pl.DataFrame({
            "source": [kind.source for kind in entries.kinds],
            "rank": pl.Series([kind.rank and str(kind.rank) for kind in entries.kinds], dtype=pl.String),
            "by_terms": pl.Series([kind.by_terms for kind in entries.kinds], dtype=pl.Boolean),
            "level": entries.mean, "deviation": np.sqrt(entries.variance),
            "rating": pl.Series(rating, dtype=pl.Float64) + entries.mean,
        })  # fmt: skip

    def terms_worth(self, conditions: Conditions) -> float:
        """Return points that handicap and komi add to Black's rating; the first move stands apart in the law."""
        return worth_of_terms(conditions, self.worth_of_stone, 0.0)

    def _terms_width(self, conditions: Conditions) -> float:  # noqa: ARG002  # a single game has colours
        """Return 1: in this law it says that it is known who has the first move."""
        return 1.0

    def _learned_variance(self, exact: Pairing, conditions: Conditions) -> float:  # noqa: ARG002  # the law has them
        """Return the variance of the log odds that first move and scale leave open."""
        return learned_variance(exact)

    def _worth_and_width(self, ledger: Ledger, ratings: Ratings | None = None) -> Floats:
        """Return points that handicap and komi add to Black's rating, and 1 for known colours, shape (games, 2)."""
        return np.stack((self.worth_in_games(ledger, ratings), ledger.arrays.colours_known.astype(np.float64)), axis=1)

    @property
    def _law_constants(self) -> tuple[float, ...]:
        """What a rating means, the terms before the first game, and ratings that owe nothing to them."""
        terms = Terms(self.law.mean, np.diag(self.law.common + self.law.own))
        terms.covariance[FIRST_MOVE, FIRST_MOVE] = 0.0  # which plays no part before both colours have won
        return self._constants(terms, np.zeros(2 * TERMS))

    def _constants(self, terms: Terms, loadings: Floats) -> tuple[float, ...]:
        """Return the constants of the law of winning."""
        return *self.meaning, *terms.mean.tolist(), *terms.covariance.ravel().tolist(), *loadings.ravel().tolist()

    def _law_constants_with(self, ratings: Ratings | None) -> tuple[float, ...]:
        """Return the same with the terms that the main pool of these ratings learned."""
        return self._law_constants if ratings is None else self._constants_between(ratings, (-1, -1))

    def terms_between(self, ratings: Ratings, one: int, other: int) -> Terms:
        """Return what is believed of the terms between two players after the last game, -1: a stranger."""
        learned = HandanExtra.of(ratings).learned
        heads = [head_of(learned.pools, player) for player in (one, other)]
        if max(heads) < 0:
            heads = [main_pool(learned.pools)] * 2
        return self._terms_of(learned, heads[0], heads[1], learned.day)

    def _constants_between(self, ratings: Ratings, players: tuple[int, int]) -> tuple[float, ...]:
        """Return the constants of the law in a game of two players, -1: strangers."""
        share = HandanExtra.of(ratings).learned.share
        loadings = np.array([share[player] if player >= 0 else np.zeros(TERMS) for player in players])
        return self._constants(self.terms_between(ratings, *players), loadings)

    def _players_of(self, ratings: Ratings, black: Standing, white: Standing) -> tuple[int, int]:
        """Return the indices of both sides among the players, -1: a stranger."""
        one, other = ratings.ledger.get(black.name), ratings.ledger.get(white.name)
        return -1 if one is None else one, -1 if other is None else other

    def _pairing(self, black: Standing, white: Standing, terms: Conditions) -> Pairing:
        """Return a game as the law of winning reads it, with the terms of the pool of both players."""
        pairing = super()._pairing(black, white, terms)
        if terms.ratings is None:
            return pairing
        players = self._players_of(terms.ratings, black, white)
        covariance, share = (
            self.terms_between(terms.ratings, *players).covariance,
            HandanExtra.of(terms.ratings).learned.share,
        )
        own = [self._without_terms(terms.ratings, *pair) for pair in zip((black, white), players, strict=True)]
        owed = [quadratic_form(covariance, share[player]) if player >= 0 else 0.0 for player in players]
        spread = [  # which the law counts with these terms
            math.sqrt((side.deviation or 0.0) ** 2 + more) for side, more in zip(own, owed, strict=True)
        ]
        constants = self._constants_between(terms.ratings, players)
        return pairing._replace(constants=constants, black_spread=spread[0], white_spread=spread[1])

    def _without_terms(self, ratings: Ratings, side: Standing, player: int) -> Standing:
        """Return a player's standing without what the deviation owes to the terms of the own pool."""
        if player < 0 or side.deviation is None:
            return side
        terms, share = self.terms_between(ratings, player, player), HandanExtra.of(ratings).learned.share[player]
        rest = side.deviation**2 - quadratic_form(terms.covariance, share)
        return side._replace(deviation=math.sqrt(max(rest, 0.0)))

    def win_interval(
        self,
        black: Standing,
        white: Standing,
        handicap: int = 0,
        komi: float | None = None,
        ratings: Ratings | None = None,
        level: float = 0.95,
    ) -> tuple[float, float] | None:
        """Return what every system does; what ratings owe to the terms is counted with the terms, not twice."""
        if ratings is None:
            return super().win_interval(black, white, handicap, komi, ratings, level)
        players = self._players_of(ratings, black, white)
        own = [self._without_terms(ratings, *pair) for pair in zip((black, white), players, strict=True)]
        return super().win_interval(own[0], own[1], handicap, komi, ratings, level)

    def leads(
        self,
        ledger: Ledger,
        games: Ints,
        rating: Floats,
        spread: Floats | None,
        ratings: Ratings | None = None,
        known_until: Ints | None = None,
    ) -> Floats | None:
        """Return the log odds of Black in games of a ledger, with the terms learned by then in their pools, (n,)."""
        if known_until is None or ratings is None:
            return super().leads(ledger, games, rating, spread, ratings)
        learned, worth = HandanExtra.of(ratings).learned, self._worth_and_width(ledger)[games]
        row = np.searchsorted(ratings.arrays.sequence, known_until).astype(np.int64)
        order = np.argsort(row, kind="stable")
        black, white = (seat[games][order].astype(np.int64) for seat in ledger.arrays.seats)
        variance = np.zeros_like(rating) if spread is None else spread * spread
        member = event_members(ledger, ratings.arrays.sequence)[games][order]
        population = populations(ledger)[games][order]
        questions = Questions(
            black, white, member, population, row[order], rating[order], variance[order], worth[order]
        )  # fmt: skip
        lead, log_odds = np.empty(len(games)), np.empty(len(games))
        run = fill_log_odds.for_work(8 * (len(log_odds) + len(learned.games.day)))
        pools = no_pools(len(ledger.players))
        count = int(max(learned.games.population.max(initial=0), population.max(initial=0))) + 1
        run(learned.games, learned.rows, pools, count, self.law, self.meaning, learned.day, questions, log_odds)
        lead[order] = log_odds
        return lead

    def onset(self, ratings: Ratings) -> tuple[Floats, Floats | None]:
        """Return ratings and deviations before each game, shape (games, 2) each."""
        extra = HandanExtra.of(ratings)
        rating, deviation = ratings.arrays.before.copy(), np.full((len(ratings.ledger), 2), np.nan)
        rating[ratings.arrays.sequence] += extra.by_look_back + extra.by_level + extra.by_coefficients
        deviation[ratings.arrays.sequence] = np.sqrt(extra.onset_variance)
        return rating, deviation

    @property
    def _start_uncertainty(self) -> float:
        """Deviation of a newcomer of whom nothing is known, before any game, points."""
        settings = self.weighed()
        return math.sqrt(mean(settings.weight, settings.entry))

    @property
    def _rank_uncertainty(self) -> float:
        """Deviation of who enters by a declared rank, or is set by hand, before any game, points."""
        settings = self.weighed()
        return math.sqrt(mean(settings.weight, settings.ranked))

    def newcomer(
        self, name: str, rank: Rank | None = None, rating: float | None = None, ratings: Ratings | None = None
    ) -> Standing:
        """Return where a player stands before the first game, with what newcomers alike have shown."""
        standing = super().newcomer(name, rank, rating, ratings)
        if rating is not None or ratings is None:
            return standing
        moved = standing.rating + HandanExtra.of(ratings).entries.of_today(rank)
        return standing._replace(rating=moved, rank=rank or self.rank(moved))

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return what the result moves, later results of others, the choice of the opponent, and the weighing."""
        ledger = ratings.ledger
        place = ratings.arrays.place_of(game)
        extra = HandanExtra.of(ratings)
        parts = (extra.gain, extra.observation_weight, extra.by_result, extra.by_opponent_choice)
        gain, kind, by_result, by_opponent_choice = (float(part[place, side]) for part in parts)
        score = abs(side - float(ledger.arrays.score[game]))
        expectation = score - by_result / (gain * kind)
        factors = [
            product(
                "result",
                "The result moves a belief by its variance times kappa times the surprise.",
                Factor("gain", gain, "V kappa: who is less certain moves more; the mean over the settings by weight."),
                Factor("kind of result", kind, "A narrow win says less than a wide one, as far as settings count it."),
                surprise("score - expected score", "s - p, each setting as far as it moves.", score, expectation, LAW),
            )
        ]
        by_look_back = float(extra.by_look_back[place, side])
        if by_look_back != 0.0:
            clause = "What earlier opponents have won and lost since then says what the games against them were worth."
            factors.append(Factor("later results of opponents", by_look_back, clause))
        by_level = float(extra.by_level[place, side])
        if by_level != 0.0:
            clause = "The rank that the player declares, and what those who entered alike have shown or declared since."
            factors.append(Factor("level of newcomers", by_level, clause))
        by_coefficients = float(extra.by_coefficients[place, side])
        if by_coefficients != 0.0:
            clause = "First move and ranks turned out to be worth more or less than they were taken for."
            factors.append(Factor("first move and scale", by_coefficients, clause))
        if self.opponents != 0.0:
            clause = "Who chooses to play whom at these terms is likely to be as strong; less with every game."
            factors.append(Factor("choice of opponent", by_opponent_choice, clause))
        if extra.weights.shape[1] > 1:
            clause = "The games since the player's last one have said which settings forecast better."
            rest = float(ratings.arrays.change[game, side]) - by_result - by_opponent_choice - by_look_back
            rest -= by_level + by_coefficients
            factors.append(Factor("settings weighed anew", rest, clause))
        onset = extra.onset_variance[place]
        facts = {
            "own rating": float(ratings.arrays.before[game, side]),
            "own deviation": math.sqrt(onset[side]),
            "opponent's rating": float(ratings.arrays.before[game, 1 - side]),
            "opponent's deviation": math.sqrt(onset[1 - side]),
            "worth of handicap and komi to Black": self._worth_in_game(ledger, game),
        }
        return Reason(tuple(factors), "sum", facts)
