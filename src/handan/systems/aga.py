"""American Go Association (BayRate): the most likely ratings of the players of one event, given what was known before.

Source: P. Waldron's BayRate (2010), the association's method; Accelrat's win law (P. Matthews, 1990) as an option.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from handan.errors import Clause, InputError, SettingError
from handan.handicaps import HANDICAP_KOMI
from handan.kernels.compiling import kernel
from handan.kernels.incremental import bayrate
from handan.kernels.normal import cdf, inverse_mills, normal_log_odds
from handan.kernels.winning_law import WinningLaw
from handan.ledger import Adjustment
from handan.ledger.dates import day_number
from handan.ranks import Rank
from handan.ratings import Adjusted, Extra, Factor, Reason, Traits, product
from handan.systems.core.initial_ratings import by_declared, starting_ratings
from handan.systems.core.schedule import Schedule
from handan.systems.core.sequential import Sequential
from handan.systems.core.settings import entry_setting, setting
from handan.systems.core.unrated_reasons import UNRATED

if TYPE_CHECKING:
    from handan.kernels.incremental.adjustments import ByHand
    from handan.kernels.types import Codes, Flags, Floats, Ints
    from handan.kernels.winning_law import Pairing
    from handan.ledger import Ledger
    from handan.ratings import Ratings, Standing
    from handan.systems.core.conditions import Conditions
    from handan.systems.core.replay_state import ReplayState
    from handan.systems.core.settings import Entries

WEAKEST = -29.5  # 30 kyu on the closed scale; where players stand of whom nothing is known
JIGO, ONLINE, UNKNOWN_RANK, FAR_TERMS = range(len(UNRATED), len(UNRATED) + 4)
REASONS = (
    *UNRATED,
    "a jigo, which is not submitted",
    "played online",
    "with a player of unknown rank",
    "more than 9 stones, or komi of 10 points and more (20 without stones)",
)
SIGMAS = (
    5.73781, 5.63937, 5.54098, 5.44266, 5.34439, 5.24619, 5.14806, 5.05000, 4.95202, 4.85412, 4.75631, 4.65859,
    4.56098, 4.46346, 4.36606, 4.26878, 4.17163, 4.07462, 3.97775, 3.88104, 3.78451, 3.68816, 3.59201, 3.49607,
    3.40037, 3.30492, 3.20975, 3.11488, 3.02035, 2.92617, 2.83240, 2.73907, 2.64622, 2.55392, 2.46221, 2.37118,
    2.28090, 2.19146, 2.10297, 2.01556, 1.92938, 1.84459, 1.76139, 1.68003, 1.60078, 1.52398, 1.45000, 1.37931,
    1.31244, 1.25000, 1.19269, 1.14127, 1.09659, 1.05948, 1.03078, 1.01119, 1.00125, 1.00000, 1.00000,
)  # fmt: skip
"""Deviations of new players at -49.5, -48.5, …, 8.5 on the closed scale, as in the program."""
KNOT = -49.5
WIDTHS = (1.13672, 1.18795, 1.22841, 1.27457, 1.31978, 1.35881, 1.39782, 1.43614)
"""s at 2 to 9 stones and komi 0, in stones."""


def _bends(values: tuple[float, ...]) -> tuple[float, ...]:
    """Return the second derivatives of the natural cubic spline through values at distance 1, 0 at both ends."""
    count = len(values)
    ratio, part = [0.0] * count, [0.0] * count
    for i in range(1, count - 1):
        pivot = 4.0 - ratio[i - 1]
        ratio[i] = 1.0 / pivot
        part[i] = (6.0 * (values[i + 1] - 2.0 * values[i] + values[i - 1]) - part[i - 1]) / pivot
    bends = [0.0] * count
    for i in range(count - 2, 0, -1):
        bends[i] = part[i] - ratio[i] * bends[i + 1]
    return tuple(bends)


BENDS = _bends(SIGMAS)


@kernel
def closed(rating: float) -> float:
    """Return the rating without the gap between -1 and 1: c = r - 1 if r > 0 else r + 1; inside the gap c is 0."""
    return max(rating - 1.0, 0.0) if rating > 0.0 else min(rating + 1.0, 0.0)


@kernel
def reopened(place: float) -> float:
    """Return the rating as printed, in stones: r = c + 1 if c > 0 else c - 1."""
    return place + 1.0 if place > 0.0 else place - 1.0


@kernel
def initial_sigma(place: float) -> float:
    """Return the deviation of a new player at a seed on the closed scale; 1.0 above 7.5 open, 6.0 below -50.5 open."""
    if place > 6.5:
        return 1.0
    if place < KNOT:
        return 6.0
    row = int(place - KNOT)
    above = place - KNOT - row
    below = 1.0 - above
    bend = (below**3 - below) * BENDS[row] + (above**3 - above) * BENDS[row + 1]
    return below * SIGMAS[row] + above * SIGMAS[row + 1] + bend / 6.0


@kernel
def grown(sigma: float, days: float) -> float:
    """Return the deviation after an absence: sqrt(sigma^2 + (0.0005 d)^2), d in days."""
    return math.sqrt(sigma * sigma + (0.0005 * days) ** 2)


@kernel
def seeding(entry: float, rating: float, sigma: float, days: float, wins: int) -> tuple[float, float]:
    """Return seed and prior deviation of a rated player who enters an event, all on the closed scale.

    Nobody demotes themselves. With at least one win, an entry 3 or more stones above the rating is believed like that
    of a new player; one of 1 to 3 stones above moves the seed by 0.024746 + 0.32127 of the difference. An entry of NaN
    stands for none.
    """
    rise = 0.0 if math.isnan(entry) else entry - rating
    if wins > 0 and rise >= 3.0:
        return entry, initial_sigma(entry)
    if wins > 0 and rise >= 1.0:
        return rating + 0.024746 + 0.32127 * rise, math.sqrt(sigma * sigma + 0.256 * rise**1.9475)
    return rating, grown(sigma, days)


@kernel
def bayrate_law(handicap: int, komi: float) -> tuple[float, float]:
    """Return (e, s) in stones: what handicap and komi give to Black, and the spread of a game's result."""
    if handicap < 2:
        return 0.580 - 0.0757 * komi, 1.0649 - 0.0021976 * komi + 0.00014984 * komi * komi
    return handicap - 0.0757 * komi, WIDTHS[min(handicap, 9) - 2] - 0.0035169 * komi


@kernel
def accelrat_law(handicap: int, komi: float) -> tuple[float, float]:
    """Return (e, s) of Accelrat: e = H - 0.1 k, 0.5 - 0.1 k without stones; s = 1.04 stones always."""
    return (0.5 if handicap < 2 else float(handicap)) - 0.1 * komi, 1.04


@kernel
def p_white(white: float, black: float, e: float, s: float) -> float:
    """Return the probability that White wins: Phi((w - b - e)/s), all of them in stones on the closed scale."""
    return cdf((white - black - e) / s)


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return the log odds of Phi((b + e - w)/s) on the closed scale; deviations join s; the constant is a stone."""
    unit = pairing.constants[0]
    width = math.hypot(pairing.width, math.hypot(pairing.black_spread / unit, pairing.white_spread / unit))
    return normal_log_odds((pairing.worth - (closed(pairing.white / unit) - closed(pairing.black / unit))) / width)


replay = bayrate.replay.using("aga_replay", seeding=seeding, initial_sigma=initial_sigma)
LAWS = {"bayrate": (bayrate_law, 0.580 / 0.0757, 7.5), "accelrat": (accelrat_law, 5.0, 5.5)}
"""Each win law, its fair komi, and the komi (our choice: the half point beside it) of even games that record none."""


@dataclass(frozen=True, eq=False)
class AGAExtra(Extra):
    """What forecasts and explanations read beside ratings, shape (games, 2) each."""

    by_game: ClassVar[tuple[str, ...] | None] = ("prior", "mode")

    prior: Floats
    """Deviation of both sides before the event, stones."""
    mode: Floats
    """Most likely place of both sides on the closed scale after the event."""
    onset: Floats
    """Rating before any result of the event was known, as printed."""
    onset_deviation: Floats
    """Its deviation, stones."""


@dataclass(frozen=True)
class AGA(Sequential):
    """The American Go Association's rating, one event at a time."""

    name: ClassVar[str] = "aga"
    title: ClassVar[str] = "American Go Association (BayRate)"
    traits: ClassVar[Traits] = Traits(calibrated=True, reads_deviations=True)
    winning_law: ClassVar[WinningLaw] = WinningLaw.of("aga", lead_of)
    unit: ClassVar[float] = 1.0
    """What is printed for one stone."""

    start: str | None = setting(None, "rank of newcomers who declare none; else their games are not rated", kind=str)
    sigma: Literal["grid", "laplace"] = setting("grid", "how the new deviation is found")
    law: Literal["bayrate", "accelrat"] = setting("bayrate", "the law of winning")
    entry: Entries = entry_setting("AGA")

    def __post_init__(self) -> None:
        """Check the settings; SettingError names one that is out of bounds."""
        super().__post_init__()
        try:
            _ = None if self.start is None else Rank.parse(self.start)
        except InputError as error:
            raise SettingError(f"{self.name}: start: {error}") from error

    def rate_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Rate the events in order; games without an event are one event a day."""
        ledger, remarks = by_declared(ledger, "AGA", self.entry, past)
        schedule = Schedule.of(ledger, self._refused(ledger, past), reasons=REASONS, past=past)
        schedule = schedule.in_batches(event_of(ledger))
        taken, size = schedule.sequence, len(schedule)
        e, s = (column[taken] for column in self._worth(ledger))
        day = np.where(ledger.arrays.dated, ledger.arrays.day, np.nan)[taken[schedule.batch[:-1]]]
        entry, hand = self._entries(schedule), self._by_hand(schedule)
        place, sigma = (
            schedule.carried("place", np.zeros(len(entry))),
            schedule.carried("sigma", np.full(len(entry), np.nan)),
        )
        last = schedule.carried("last", np.full(len(entry), np.nan))
        self._continue_list(schedule, place, sigma, last)
        declared = self._declared(ledger)[taken]
        games = bayrate.Games(schedule.black, schedule.white, 1.0 - 2.0 * schedule.score, e, s, declared)
        lines = bayrate.Lines(*(np.full((size, 2), np.nan) for _ in bayrate.Lines._fields))
        run = replay.for_work(10 * size)  # our choice: a game costs as much as ten of other systems
        state = bayrate.State(place, sigma, last)
        run(games, bayrate.Events(schedule.batch, day), entry, self.sigma == "laplace", hand, state, lines)
        rating, deviation = place.copy(), sigma.copy()
        idle = np.isnan(deviation)
        seed = np.where(np.isnan(entry[:, 0]), entry[:, 1], entry[:, 0])
        rating[idle] = np.maximum(seed, entry[:, 2])[idle]
        different, number = np.unique(rating[idle], return_inverse=True)  # most who are idle have the same seed
        deviation[idle] = np.array([initial_sigma(place) for place in different.tolist()])[number]
        hand = hand._replace(replaced=self._printed(hand.replaced), became=self._printed(hand.became))
        moved = (*schedule.adjusted(self, hand), *self._seeded_anew(schedule, lines))
        return schedule.ratings(
            self, self._printed(rating), self._printed(lines.before), self.unit * lines.change,
            printed=schedule.scatter(self._printed(lines.before + lines.change)),
            deviation=self.unit * deviation,
            variances=schedule.scatter(lines.sigma**2),
            deviation_unit=self.unit,
            adjusted=tuple(sorted(moved, key=lambda item: item.place)),
            extra=AGAExtra(
                schedule.scatter(lines.prior), schedule.scatter(lines.mode),
                schedule.scatter(self._printed(lines.onset_rating)), schedule.scatter(lines.onset_sigma),
            ),
            warnings=remarks,
        )  # fmt: skip

    @property
    def together(self) -> str:
        """Events."""
        return "event"

    def refusals(self, ledger: Ledger) -> Codes:
        """Return why games are not rated, shape (games,)."""
        return self._refused(ledger, None)

    def _refused(self, ledger: Ledger, past: ReplayState | None) -> Codes:
        """Return why games are not rated after those of a past, shape (games,)."""
        code = super().refusals(ledger)
        komi = np.abs(ledger.arrays.komi_or(LAWS[self.law][2], HANDICAP_KOMI))
        far = (ledger.arrays.handicap > 9) | (komi >= np.where(ledger.arrays.handicap < 2, 20.0, 10.0))
        code[(code == 0) & far & ledger.arrays.colours_known] = FAR_TERMS
        if self.start is None:
            code[(code == 0) & with_strangers(ledger, past)] = UNKNOWN_RANK
        online = ledger.arrays.of_kind({"online": 1.0, "server": 1.0, "internet": 1.0}, 0.0) == 1.0
        code[(code == 0) & online] = ONLINE
        code[(code == 0) & (ledger.arrays.score == 0.5)] = JIGO
        return code

    def _worth(self, ledger: Ledger) -> tuple[Floats, Floats]:
        """Return (e, s) of every game in stones, shape (games,) each; e is 0 where colours are unknown."""
        law, fair, even = LAWS[self.law]
        both = ledger.arrays.by_terms(lambda handicap, komi, _: law(handicap, komi), even, HANDICAP_KOMI).reshape(-1, 2)
        coloured = ledger.arrays.colours_known
        return np.where(coloured, both[:, 0], 0.0), np.where(coloured, both[:, 1], law(0, fair)[1])

    def _declared(self, ledger: Ledger) -> Floats:
        """Return the seed of each rank declared, on the closed scale, NaN where none was, shape (games, 2)."""
        return ledger.arrays.by_rank(lambda rank: np.nan if rank is None else self._seed(rank))

    def _entries(self, schedule: Schedule) -> Floats:
        """Return what seeds each player at entry, on the closed scale, shape (players, 3).

        The seed by hand (NaN: none), the one where the first event brings no rank, and a lower bound by hand.
        """
        otherwise = WEAKEST if self.start is None else self._seed(Rank.parse(self.start))
        seeds = np.full((len(schedule.ledger.players), 3), (np.nan, otherwise, -np.inf))
        for player, rank in enumerate(self._entry_ranks(schedule)):
            if rank is not None:
                seeds[player, 1] = self._seed(rank)
        for item, player, _ in schedule.before_entry:
            if item.at_least:
                seeds[player, 2] = max(seeds[player, 2], self._place_of(item))
            else:
                seeds[player, [0, 2]] = self._place_of(item), -np.inf
        return seeds

    def _entry_ranks(self, schedule: Schedule) -> list[Rank | None]:
        """Return the ranks declared by the first rated games, else in their events: an entry form names one rank."""
        ledger, first, declared = schedule.ledger, schedule.first_game, schedule.first_declared
        event = np.append(event_of(ledger), 0)
        same = event[first] == event[declared]
        return schedule.ranks_by(np.where(same, np.maximum(first, declared), first))

    def _by_hand(self, schedule: Schedule) -> ByHand:
        """Return the later adjustments on the closed scale."""
        _, hand = starting_ratings(schedule, self.rating_for, 0.0)
        values = np.array([self._place_of(item) for item, *_ in schedule.later], dtype=np.float64)
        return hand._replace(values=values, variances=hand.variances / self.unit**2)

    def _continue_list(self, schedule: Schedule, place: Floats, sigma: Floats, last: Floats) -> None:
        """Enter players of whom an adjustment gives rating and deviation as those of a list: as rated before.

        Like every rated player they are seeded by their list, and by what they declare only as `seeding` says. The
        deviation grows from the day of the adjustment where it has one.
        """
        listed = {player: item for item, player, _ in schedule.before_entry if not item.at_least}
        for player, item in listed.items():
            if item.deviation is not None:
                place[player], sigma[player] = self._place_of(item), item.deviation / self.unit
                last[player] = np.nan if item.date is None else day_number(item.date.moment.date())  # type: ignore[union-attr]  # read

    def _seeded_anew(self, schedule: Schedule, lines: bayrate.Lines) -> list[Adjusted]:
        """Return a line for each player whom an event seeded above the rating, before the first game there."""
        adjusted = []
        seeded_from, seeded_to = self._printed(lines.seeded_from), self._printed(lines.seeded_to)
        for place, side in np.argwhere(~np.isnan(lines.seeded_from)).tolist():
            player = int((schedule.black, schedule.white)[side][place])
            before, after = float(seeded_from[place, side]), float(seeded_to[place, side])
            note = Clause.of("seeded anew: entered the event a stone or more above the rating, and won there")
            game = schedule.ledger[int(schedule.sequence[place])]
            item = Adjustment(schedule.ledger.players[player].name, None, after, game.date, note)
            adjusted.append(Adjusted(item, player, place, before, after, self.rank(before), self.rank(after)))
        return adjusted

    def _place_of(self, item: Adjustment) -> float:
        """Return the place of an adjustment on the closed scale."""
        if item.rating is not None:
            return closed(item.rating / self.unit)
        return self._seed(item.rank) if isinstance(item.rank, Rank) else np.nan

    def _seed(self, rank: Rank) -> float:
        return closed(self.rating_for(rank) / self.unit)

    def _printed(self, places: Floats) -> Floats:
        """Return ratings as printed for places on the closed scale."""
        return self.unit * np.where(places > 0.0, places + 1.0, places - 1.0)

    def rank(self, rating: float) -> Rank | None:
        """Return the rank whose number the rating begins with: 4.7 is 4 dan, -3.2 is 3 kyu; in the gap the nearest."""
        stones = rating / self.unit
        return Rank.at(math.floor(max(stones, 1.0)) + 30.0 if stones > 0.0 else 31.0 - math.floor(max(-stones, 1.0)))

    def rating_for(self, rank: Rank) -> float:
        """Return the seed of a rank, its middle: n dan is n + 0.5, n kyu is -(n + 0.5)."""
        return self.unit * reopened(rank.stones - 30.5)

    def customary_komi(self, handicap: int) -> float:
        """Return the komi, in points, of a game whose komi was not recorded: 0.5, and for even games the law's."""
        return LAWS[self.law][2] if handicap == 0 else HANDICAP_KOMI

    def terms_worth(self, conditions: Conditions) -> float:
        """Return e, what handicap and komi give to Black in stones."""
        return LAWS[self.law][0](conditions.handicap, conditions.komi)[0]

    def _terms_width(self, conditions: Conditions) -> float:
        """Return s, the spread of a game's result in stones."""
        return LAWS[self.law][0](conditions.handicap, conditions.komi)[1]

    @property
    def _law_constants(self) -> tuple[float, ...]:
        """What is printed for one stone."""
        return (self.unit,)

    def _worth_and_width(self, ledger: Ledger, ratings: Ratings | None = None) -> Floats:  # noqa: ARG002  # not learned
        """Return (e, s) of every game in stones, shape (games, 2); e is 0 where colours are unknown."""
        return np.column_stack(self._worth(ledger))

    def onset(self, ratings: Ratings) -> tuple[Floats, Floats | None]:
        """Return rating and deviation before any result of the event was known, shape (games, 2) each."""
        extra = AGAExtra.of(ratings)
        return extra.onset, self.unit * extra.onset_deviation

    def difference(self, black: Standing, white: Standing) -> float:
        """Return how far White stands above Black on the closed scale, on which 1 dan is one rank above 1 kyu."""
        return self.unit * (closed(white.rating / self.unit) - closed(black.rating / self.unit))

    def newcomer(
        self, name: str, rank: Rank | None = None, rating: float | None = None, ratings: Ratings | None = None
    ) -> Standing:
        """Return where a player stands before the first game, with the deviation of a new player at that seed."""
        standing = super().newcomer(name, rank, rating, ratings)
        return standing._replace(deviation=self.unit * initial_sigma(closed(standing.rating / self.unit)))

    @property
    def _start_rating(self) -> float:
        """Seed of a player who declares no rank."""
        return self.unit * reopened(WEAKEST) if self.start is None else self.rating_for(Rank.parse(self.start))

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return the prior variance and the pull of the result, whose product is what the game contributed."""
        ledger, mode = ratings.ledger, AGAExtra.of(ratings).mode[game]
        e, s = (float(column[game]) for column in self._worth(ledger))
        sign = 1.0 - 2.0 * float(ledger.arrays.score[game])
        agreement = sign * (float(mode[1]) - float(mode[0]) - e) / s
        pull = sign * inverse_mills(agreement) / s * (1.0 if side == 1 else -1.0)
        prior = float(AGAExtra.of(ratings).prior[game, side])
        variance = "At the most likely ratings each is its seed plus the prior variance times all pulls of the event."
        slope = "The slope of ln Phi(z)/s where z is how far the result agrees with the ratings after the event."
        factors = [Factor("prior variance", prior * prior, variance), Factor("pull of the result", pull, slope)]
        if self.unit != 1.0:
            factors.append(
                Factor("printed", self.unit, Clause.of("Ratings are printed times {unit:g}.", unit=self.unit))
            )
        facts: dict[str, float | str] = {
            "score": 1.0 if sign == (1.0 if side == 1 else -1.0) else 0.0,
            "chance of this result": cdf(agreement),
            "own rating after the event": float(self._printed(mode[side])),
            "opponent's rating after the event": float(self._printed(mode[1 - side])),
            "prior deviation": self.unit * prior,
            "e, stones that the terms give to Black": e,
            "s, spread of the result in stones": s,
        }
        before, change, after = (
            float(a[game, side]) for a in (ratings.arrays.before, ratings.arrays.change, ratings.arrays.after)
        )
        if abs(before + change - after) > self.unit:
            facts["gap"] = "no figures between -1 and 1 are printed, so crossing shows two more than the change"
        return Reason((product("contribution", "What the game adds to the rating.", *factors),), "sum", facts)


def event_of(ledger: Ledger) -> Ints:
    """Return the number of each game's event, shape (games,); below 0 for a day's games without a named one."""
    return ledger.arrays.kept("event of each game", lambda: _numbered(ledger))


def _numbered(ledger: Ledger) -> Ints:
    day = ledger.arrays.day
    rising = bool((day[1:] >= day[:-1]).all())  # as days of a ledger are, but for games without a date
    number: Ints = np.cumsum(np.diff(day, prepend=day[:1]) > 0) if rising else np.unique(day, return_inverse=True)[1]
    return np.where(ledger.arrays.in_event, ledger.arrays.event, -1 - number)


def with_strangers(ledger: Ledger, past: ReplayState | None = None) -> Flags:
    """Return whether a side has neither declared a rank by the end of the game's event, nor been set by hand."""
    games, event = np.arange(len(ledger)), np.append(event_of(ledger), 0)
    declared = ledger.arrays.first_declared
    by_hand = np.full(len(ledger.players), len(ledger))
    for item in ledger.adjustments:
        player = ledger.find(item.player)
        by_hand[player] = min(by_hand[player], ledger.arrays.position(item))
    if past is not None:
        declared, by_hand = np.where(past.declared != "", -1, declared), np.where(past.by_hand, -1, by_hand)
    strangers = np.zeros(len(ledger), dtype=np.bool_)
    for side in (ledger.arrays.black, ledger.arrays.white):
        later = (declared[side] > games) & (by_hand[side] > games)
        strangers |= later & ((declared[side] == len(ledger)) | (event[declared[side]] != event[:-1]))
    return strangers
