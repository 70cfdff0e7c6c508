"""Dragon Go Server: an EGF variant in which every player carries a band of confidence around the rating.

Source: the server's rating code, versions of 2006 and 2012. An overview calls the method maximum likelihood; it is not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np

from handan.errors import Clause
from handan.handicaps import EVEN_KOMI, HANDICAP_KOMI, MOST_KOMI, MOST_STONES, too_much
from handan.kernels.compiling import kernel
from handan.kernels.incremental.adjustments import adjust, bounded
from handan.kernels.winning_law import WinningLaw
from handan.ranks import rank_of_elo
from handan.ratings import Extra, Factor, Reason, Traits, product, surprise
from handan.systems.core.fair_terms import hopeless, seated, stone_terms
from handan.systems.core.initial_ratings import starting_ratings
from handan.systems.core.law import LARGEST_EXPONENT
from handan.systems.core.schedule import Schedule
from handan.systems.core.sequential import Sequential
from handan.systems.core.settings import late_ranks_setting, setting, start_setting
from handan.systems.core.unrated_reasons import UNRATED

if TYPE_CHECKING:
    from handan.handicaps import Terms
    from handan.kernels.incremental.adjustments import ByHand
    from handan.kernels.types import Codes, Flags, Floats, Seats
    from handan.kernels.winning_law import Pairing
    from handan.ledger import Ledger
    from handan.ranks import Rank
    from handan.ratings import Ratings, Standing
    from handan.systems.core.conditions import Conditions
    from handan.systems.core.replay_state import ReplayState
    from handan.systems.core.settings import LateRanks

FLOOR, CEILING = -900.0, 10_000.0  # points; 30 kyu, and the last entry of the tables
LAW = "SE = 1 / (1 + exp(D / a)) for the weaker after handicap, 1 less that and epsilon for the stronger."
POINTS_PER_STONE = 100.0
STONE_KOMI = 13.0  # points of komi that are worth a stone
SMALLEST, LARGEST = 5, 25  # our choice: lines of the boards that the server offers; the law breaks down at 3 and 38
OTHER_SIZE, TOO_SHORT = len(UNRATED), len(UNRATED) + 1
REASONS = (*UNRATED, "not on a board of 5 to 25 lines", "ended after too few moves")
CON_AT = (100.0, 200.0, 1300.0, 2000.0, 2400.0, 2600.0, 2700.0)
CON = (116.0, 110.0, 55.0, 27.0, 15.0, 11.0, 10.0)
"""Knots of the step size, as in the code; constant from 2700."""
STEADIEST = 2.5  # largest factor by which a wide band speeds its owner up and slows a settled opponent down
MARGIN = 3.0 / 8.0  # q: the rating stays this part of the band away from both its ends


@kernel
def con(rating: float) -> float:
    """Return the step size in points: linear between the knots and on below 100, 10 above 2700."""
    row = 0
    while row < 5 and rating >= CON_AT[row + 1]:
        row += 1
    place = (min(rating, CON_AT[6]) - CON_AT[row]) / (CON_AT[row + 1] - CON_AT[row])
    return CON[row] + (CON[row + 1] - CON[row]) * place


@kernel
def scale(rating: float) -> float:
    """Return a, the width of the logistic in points: 200 at 100, 70 from 2700, linear between and on below 100."""
    return 200.0 - (min(rating, 2700.0) - 100.0) / 20.0


@kernel
def stones(handicap: float, komi: float, size: float) -> float:
    """Return Hc, Black's advantage in stones of the 19x19 board: (max(1, h) - 0.5 - k/13) 256 / (z - 3)^2."""
    return (max(1.0, handicap) - 0.5 - komi / STONE_KOMI) * 256.0 / (size - 3.0) ** 2


@kernel
def size_factor(size: float) -> float:
    """Return how much a board of z lines counts: ((19 - |z - 19|) / 19)^2."""
    return ((19.0 - abs(size - 19.0)) / 19.0) ** 2


@kernel
def logistic(difference: float, width: float) -> float:
    """Return 1 / (1 + exp(D/a))."""
    return 1.0 / (1.0 + math.exp(min(difference / width, LARGEST_EXPONENT)))


@kernel
def expected(white: float, black: float, advantage: float, epsilon: float) -> tuple[float, float]:
    """Return the expected scores SB and SW from ratings without handicap; a is that of the weaker after handicap.

    D = W - B - 100 Hc. If D >= 0: SB = 1 / (1 + exp(D/a(B))), SW = 1 - SB - eps; else the other way round.
    """
    difference = white - black - POINTS_PER_STONE * advantage
    if difference >= 0.0:
        weaker = logistic(difference, scale(black))
        return weaker, 1.0 - weaker - epsilon
    weaker = logistic(-difference, scale(white))
    return 1.0 - weaker - epsilon, weaker


@kernel
def band_factor(own: float, other: float) -> float:
    """Return how much faster the wider band moves: 2.5^tanh(ln(ratio) / ln 2.5), ratio of the widths."""
    return math.exp(math.log(STEADIEST) * math.tanh(math.log(own / other) / math.log(STEADIEST)))


@kernel
def initial_band(rating: float) -> tuple[float, float]:
    """Return the ends of a newcomer's band: r -+ (200 + max(1600 - r, 0) 2/15)."""
    half = 200.0 + max(1600.0 - rating, 0.0) * 2.0 / 15.0
    return rating - half, rating + half


@kernel
def centred(rating: float, low: float, high: float) -> tuple[float, float]:
    """Return the band moved so that the rating lies in its middle quarter: 3/8 of the width away from both ends."""
    width = high - low
    if rating > high - MARGIN * width:
        high = (rating - MARGIN * low) / (1.0 - MARGIN)
    if rating < low + MARGIN * width:
        low = (rating - MARGIN * high) / (1.0 - MARGIN)
    return low, high


@kernel
def step(side: int, own: float, other: float, score: float, advantage: float, weight: float, epsilon: float) -> float:
    """Return the change of a rating or an end of a band: con(R) times the weights times (S - SE); side 0 is Black."""
    if side == 0:
        return con(own) * weight * (score - expected(other, own, advantage, epsilon)[0])
    return con(own) * weight * (score - expected(own, other, advantage, epsilon)[1])


@kernel
def moved(
    side: int,
    own: tuple[float, float, float],
    other: tuple[float, float, float],
    score: float,
    advantage: float,
    weight: float,
    epsilon: float,
) -> tuple[float, float, float]:
    """Return rating and ends of the band of one side after a game, each side given as (rating, low, high).

    The ends move by the rule of the rating with half its factor, each with its own value in place of the rating, and
    all against the opponent's old rating.
    """
    factor = weight * band_factor(own[2] - own[1], other[2] - other[1])
    rating = own[0] + step(side, own[0], other[0], score, advantage, factor, epsilon)
    low = own[1] + step(side, own[1], other[0], score, advantage, factor / 2.0, epsilon)
    high = own[2] + step(side, own[2], other[0], score, advantage, factor / 2.0, epsilon)
    rating = max(rating, FLOOR)
    ends = centred(rating, low, high)
    return rating, ends[0], ends[1]


class Games(NamedTuple):
    """The rated games in playing order, shape (games,)."""

    black: Seats
    white: Seats
    score: Floats
    """Black's score."""
    advantage: Floats
    """What the terms are worth to Black, stones."""
    weight: Floats
    """How much a game counts by the size of its board."""
    coloured: Flags
    """Whether it is known who was Black."""


class State(NamedTuple):
    """Ratings and the ends of their bands, shape (players,): at entry, then at the end of the replay."""

    rating: Floats
    low: Floats
    high: Floats


@kernel
def replay(games: Games, epsilon: float, hand: ByHand, state: State, states: Floats) -> None:
    """Replay the games one by one; `states` has shape (games, 2, 2, 3): side, before and after, rating and band.

    Nobody gives up epsilon in a jigo, nor in a game of which nobody knows who was Black (`coloured`).
    """
    black, white, score, advantage, weight, coloured = games
    rating, low, high = state
    done = 0
    for game in range(len(black) + 1):
        first = done
        done = adjust(done, game, hand, rating)
        for item in range(first, done):
            if not (hand.at_least[item] and hand.became[item] == hand.replaced[item]):
                player = hand.players[item]
                low[player], high[player] = initial_band(rating[player])
        if game == len(black):
            break
        b, w = black[game], white[game]
        one, other = (rating[b], low[b], high[b]), (rating[w], low[w], high[w])
        given_up = epsilon if score[game] != 0.5 and coloured[game] else 0.0
        new_one = moved(0, one, other, score[game], advantage[game], weight[game], given_up)
        new_other = moved(1, other, one, 1.0 - score[game], advantage[game], weight[game], given_up)
        for part in range(3):
            states[game, 0, 0, part], states[game, 0, 1, part] = one[part], new_one[part]
            states[game, 1, 0, part], states[game, 1, 1, part] = other[part], new_other[part]
        rating[b], low[b], high[b] = new_one
        rating[w], low[w], high[w] = new_other


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return ln(SB / (1 - SB)) of Black's expected score with no epsilon given up; `worth` is in stones."""
    difference = pairing.white - pairing.black - POINTS_PER_STONE * pairing.worth
    return -difference / scale(pairing.black if difference >= 0.0 else pairing.white)


def proper(difference: float) -> tuple[int, float]:
    """Return stones and komi of the server's proper handicap; one stone is Black's first move, the rest is komi."""
    exact = abs(difference) / POINTS_PER_STONE + 0.5
    given = min(_round(exact), MOST_STONES)  # our choice: beyond nine stones White gives komi
    return given, _round(2.0 * STONE_KOMI * (given - exact)) / 2.0


def conventional(difference: float) -> tuple[int, float]:
    """Return stones and komi of the server's conventional handicap: a stone a rank, komi 6.5 without stones."""
    given = min(_round(abs(difference) / POINTS_PER_STONE), MOST_STONES)
    return given, HANDICAP_KOMI if given else EVEN_KOMI


def _round(value: float) -> int:
    """Return the nearest whole number; halves away from zero."""
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


@dataclass(frozen=True, eq=False)
class DGSExtra(Extra):
    """Ratings with their bands."""

    by_game: ClassVar[tuple[str, ...] | None] = ("before", "after")

    before: Floats
    """Rating, lower and upper end of the band of both sides before each game, shape (games, 2, 3)."""
    after: Floats
    """The same after it."""


@dataclass(frozen=True)
class DGS(Sequential):
    """The Dragon Go Server's rating with its band."""

    name: ClassVar[str] = "dgs"
    title: ClassVar[str] = "Dragon Go Server"
    revision: ClassVar[int] = 2
    traits: ClassVar[Traits] = Traits(any_size=True, calibrated=True)

    _customary_start: ClassVar[float] = 100.0  # 20 kyu
    winning_law: ClassVar[WinningLaw] = WinningLaw.of("dgs", lead_of)

    start: float | None = start_setting("points", _customary_start, low=FLOOR, high=3000.0)
    epsilon: float = setting(0.014, "expected score that the stronger gives up in a decided game", low=0.0, high=0.5)
    proposal: Literal["proper", "conventional"] = setting("proper", "handicap that fair terms propose")
    fewest_moves: int = setting(10, "moves, with the handicap stones, of a game that is kept", low=0, high=400)
    """The source names no number: our choice."""
    late_ranks: LateRanks = late_ranks_setting()

    def rate_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Replay the games one by one."""
        schedule = Schedule.of(ledger, self.refusals(ledger), reasons=REASONS, late_ranks=self.late_ranks, past=past)
        rating, hand = bounded(
            *starting_ratings(schedule, self.rating_for, self.start, self._customary_start), FLOOR, CEILING
        )
        low, high = _bands(rating)
        rating = schedule.carried("rating", rating)
        low, high = schedule.carried("low", low), schedule.carried("high", high)
        states = self._played(schedule, hand, State(rating, low, high))
        before, after = schedule.scatter(states[:, :, 0]), schedule.scatter(states[:, :, 1])
        return schedule.ratings(
            self, rating, states[:, :, 0, 0], states[:, :, 1, 0] - states[:, :, 0, 0],
            printed=after[:, :, 0],
            deviation=(high - low) / 2.0,
            variances=((after[:, :, 2] - after[:, :, 1]) / 2.0) ** 2,
            adjusted=schedule.adjusted(self, hand),
            extra=DGSExtra(before, after),
            warnings=(
                *schedule.newcomers(f"{self._start_rating:g}", by_terms=self.start is None),
                *schedule.beyond(FLOOR, CEILING),
            ),
        )  # fmt: skip

    def _played(self, schedule: Schedule, hand: ByHand, state: State) -> Floats:
        """Take the games of a schedule; return rating and band of both before and after, shape (rated, 2, 2, 3)."""
        ledger, states = schedule.ledger, np.empty((len(schedule), 2, 2, 3))
        worth, weight = self.worth_in_games(ledger), self._weights(ledger)
        coloured = schedule.taken(ledger.arrays.colours_known)
        games = Games(*schedule.seats, schedule.score, schedule.taken(worth), schedule.taken(weight), coloured)
        replay.for_work(5 * len(schedule))(games, self.epsilon, hand, state, states)
        return states

    def refusals(self, ledger: Ledger) -> Codes:
        """Return why games are not rated, shape (games,): also boards that the server lacks, and hardly begun games."""
        code = super().refusals(ledger)
        code[(code == 0) & ((ledger.arrays.size < SMALLEST) | (ledger.arrays.size > LARGEST))] = OTHER_SIZE
        moves = np.maximum(ledger.arrays.moves, 0)  # 0: the moves were not recorded
        code[(code == 0) & (moves > 0) & (moves < self.fewest_moves + ledger.arrays.handicap)] = TOO_SHORT
        return code

    def terms_worth(self, conditions: Conditions) -> float:
        """Return Black's advantage Hc in stones of the 19x19 board."""
        return stones(conditions.handicap, conditions.komi, max(conditions.size, SMALLEST))

    def _weights(self, ledger: Ledger) -> Floats:
        """Return how much each game counts by the size of its board, shape (games,)."""
        return ledger.arrays.kept(
            "weight of the board, DGS", lambda: ledger.arrays.by_terms(lambda _handicap, _komi, size: size_factor(size))
        )

    def rank(self, rating: float) -> Rank | None:
        """Return the rank whose band of 100 points holds the rating: 1 dan is [2050, 2150)."""
        return rank_of_elo(rating)

    def rating_for(self, rank: Rank) -> float:
        """Return the nominal rating of a rank: 1 dan 2100, 100 a rank."""
        return rank.elo

    @property
    def _start_uncertainty(self) -> float:
        """Half the width of a newcomer's band, points."""
        low, high = initial_band(self._start_rating)
        return (high - low) / 2.0

    def terms_by_rating(self, one: Standing, other: Standing, ratings: Ratings | None = None) -> Terms:
        """Return the server's proposal for 19x19; half a stone of komi is the even game's."""
        black, white = seated(self, one, other)
        difference = self.difference(black, white)
        given, komi = (proper if self.proposal == "proper" else conventional)(difference)
        if given == 1 and komi == EVEN_KOMI:
            given = 0
        unfair = too_much(black.name) * hopeless(self, black, white, MOST_STONES, -MOST_KOMI, ratings)
        return stone_terms(black, white, difference, given, max(komi, -MOST_KOMI), unfair)

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return con, the weights and the surprise, whose product is the change unless the floor stops it."""
        ledger = ratings.ledger
        sides = DGSExtra.of(ratings).before[game]
        advantage, size = self._worth_in_game(ledger, game), ledger.arrays.terms_of(game)[2]
        score = float(ledger.arrays.score[game])
        own_score = score if side == 0 else 1.0 - score
        epsilon = self.epsilon if score != 0.5 and ledger.arrays.colours_known[game] else 0.0
        expectation = expected(float(sides[1, 0]), float(sides[0, 0]), advantage, epsilon)[side]
        difference = float(sides[1, 0]) - float(sides[0, 0]) - POINTS_PER_STONE * advantage
        own, other = ([float(value) for value in sides[s]] for s in (side, 1 - side))
        result = product(
            "result",
            "The rating moves by con times the weights times (S - SE).",
            Factor("con", con(own[0]), "con of the rating without handicap, linear between the knots of a table."),
            Factor("size factor", size_factor(size), "((19 - |z - 19|) / 19)^2 for a board of z lines."),
            Factor(
                "band factor",
                band_factor(own[2] - own[1], other[2] - other[1]),
                "2.5^tanh(ln(own width / opponent's width) / ln 2.5): a wide band moves faster, a narrow one slower.",
            ),
            surprise("S - SE", "Score less expected score.", own_score, expectation, LAW),
        )
        factors = [result]
        missing = float(ratings.arrays.change[game, side]) - result.value
        if missing > 1e-9:
            factors.append(Factor("floor", missing, Clause.of("No rating falls below {floor:g}.", floor=FLOOR)))
        after = DGSExtra.of(ratings).after[game, side]
        facts = {
            "opponent's rating": other[0],
            "Black's advantage in stones": advantage,
            "D": abs(difference),
            "a": scale(float(sides[0 if difference >= 0.0 else 1, 0])),
            "band before": Clause.of("{low:.1f} to {high:.1f}", low=own[1], high=own[2]),
            "band after": Clause.of("{low:.1f} to {high:.1f}", low=after[1], high=after[2]),
        }
        return Reason(tuple(factors), "sum", facts)


def _bands(rating: Floats) -> tuple[Floats, Floats]:
    """Return the ends of newcomers' bands, shape (players,) each."""
    different, number = np.unique(rating, return_inverse=True)  # most enter by few ranks
    ends = np.array([initial_band(value) for value in different.tolist()], dtype=np.float64).reshape(-1, 2)
    return ends[number, 0], ends[number, 1]
