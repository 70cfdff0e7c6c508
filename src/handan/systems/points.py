"""Points cards (点数制): the winner takes a point from the loser, and the difference sets the next game's terms.

Source: Points Rating System and Point Ranking Scheme At Tokyo Go clubs (Sensei's Library); devised by Yasuro Kikuchi
in the 1980s (Ryokusei-kai method). Club rules as named at each setting.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, TypedDict

import numpy as np

from handan.errors import Clause, InputError, SettingError, closest, shown
from handan.handicaps import CARDS, card_of_text, card_terms, is_table, read_card
from handan.handicaps import card as card_named
from handan.kernels.compiling import kernel
from handan.kernels.incremental.adjustments import adjust
from handan.ranks import FIRST_DAN, STRONGEST, WEAKEST, Grade, Rank
from handan.ratings import Factor, RatedFrom, Reason, rank_from
from handan.systems.core.initial_ratings import rating_of, starting_ratings
from handan.systems.core.replay_state import ENTERED, rank_in
from handan.systems.core.schedule import Schedule
from handan.systems.core.sequential import Sequential
from handan.systems.core.settings import late_ranks_setting, setting
from handan.systems.core.unrated_reasons import NEEDS_DATE, NOT_PLAYED, RATED, UNRATED
from handan.systems.families.settlement import NO_PAIR_DAY, pair_days, same_period, settled

if TYPE_CHECKING:
    from handan.errors import Problem
    from handan.handicaps import Card, Terms
    from handan.kernels.incremental.adjustments import ByHand
    from handan.kernels.types import Flags, Floats, Ints, Seats
    from handan.ledger import Ledger, When
    from handan.ratings import Adjusted, Ratings, Standing
    from handan.systems.core.replay_state import ReplayState
    from handan.systems.core.schedule import Entry
    from handan.systems.core.settings import LateRanks

TOO_MANY, OTHER_TERMS = len(UNRATED), len(UNRATED) + 1
REASONS = (*UNRATED, "one game too many with this opponent on that day", "not at the terms of the card")
DEFAULT_1D = 130.0  # points of 1 dan on the Tagajo card; our choice for cards that print none
DEFAULT_STONE = 12.0  # points a rank for cards without a law; our choice
NO_STEP = -1e300
KEPT = 0  # number of no rank: an adjustment that leaves the rank alone
RANK_AND_POINTS = re.compile(r"(?P<rank>.{1,12}?)(?:\s*[=:]|\s)\s*(?P<points>-?[0-9]{1,6}(?:\.[0-9]{1,3})?)")
"""A rank and its points in a club's own table."""


@lru_cache(maxsize=16)
def _first_rows(card: Card, count: int) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return stones on the board and komi, NaN where none is printed, of so many differences from 0 on."""
    rows = [card.row(difference) for difference in range(count)]
    komis = (np.nan if row.komi is None else row.komi for row in rows)
    return tuple(row.stones_on_board for row in rows), tuple(komis)


@kernel
def step(points: float, low: float, low_below: float) -> float:
    """Return how many points a game moves: 1, or `low` for a player who holds less than `low_below`."""
    return low if points < low_below else 1.0


@kernel
def played_at_card(
    difference: float,
    coloured: bool,  # noqa: FBT001  # a fact of the game
    handicap: int,
    komi: float,
    stones: Ints,
    komis: Floats,
) -> bool:
    """Return whether a game was played at the card's terms; what was not recorded is taken to be right.

    That is the komi (NaN), and the colours: `difference` is the points of White less those of Black, and without
    colours either player may have held Black.
    """
    if not coloured:
        difference = abs(difference)
    if difference < 0.0:
        return False
    row = min(int(difference), len(stones) - 1)
    same_stones = max(handicap - 1, 0) == max(stones[row] - 1, 0)
    return same_stones and bool(np.isnan(komi) or np.isnan(komis[row]) or komi == komis[row])


class Games(NamedTuple):
    """The rated games in playing order, shape (games,)."""

    black: Seats
    white: Seats
    outcome: Floats
    """Black's share of the points: 1, -1, or 0 where none move."""
    coloured: Flags
    """Whether it is known who was Black."""
    handicap: Ints
    """Stones on the board."""
    komi: Floats
    """NaN where it was not recorded."""
    batch: Ints
    """First game of each batch (a game, a day, a month), and the number of games, shape (batches + 1,)."""
    pair_day: Ints
    """Number of the pair of opponents on that day, -1 without a date."""


class Rules(NamedTuple):
    """The card, and the local rules of the club."""

    daily_limit: int
    """Most games of a pair that count on a day; 0: all."""
    low: float
    """Points that a game moves for who holds less than `low_below`."""
    low_below: float
    stones: Ints
    """Stones on the board by difference of points, shape (rows,)."""
    komis: Floats
    """Komi in the same rows, NaN where the card prints none."""
    only_card: bool
    """Whether only games at the card's terms count."""
    freeze_all: bool
    """Whether the step too is that of the points at the start of the batch."""


class Lines(NamedTuple):
    """What a replay writes down of each game; of both sides, shape (games, 2), but for the last two, (games,)."""

    before: Floats
    """Running points."""
    rated_from: Floats
    """Points at the start of the batch."""
    change: Floats
    fits: Ints
    """Whether the game was at the card's terms."""
    refused: Ints
    """Why it does not count, 0 where it does."""


@kernel
def replay(games: Games, rules: Rules, counted: Ints, hand: ByHand, points: Floats, lines: Lines) -> None:
    """Replay the games in order; the points used within a batch are those held at its start.

    A game that does not count uses up nothing of the daily limit.

    Args:
        games: The games.
        rules: The rules.
        counted: Games of each pair and day that count so far, shape (pairs and days,); counts on.
        hand: Points set by hand.
        points: Those at entry, then at the end, shape (players,).
        lines: Filled.
    """
    black, white, outcome, coloured, handicap, komi, batch, pair_day = games
    daily_limit, low, low_below, stones, komis, only_card, freeze_all = rules
    before, rated_from, change, fits, refused = lines
    running = points.copy()
    done = 0
    for number in range(len(batch) - 1):
        done = adjust(done, batch[number], hand, points)
        for game in range(batch[number], batch[number + 1]):
            running[black[game]] = points[black[game]]
            running[white[game]] = points[white[game]]
        for game in range(batch[number], batch[number + 1]):
            b, w = black[game], white[game]
            rated_from[game, 0], rated_from[game, 1] = points[b], points[w]
            before[game, 0], before[game, 1] = running[b], running[w]
            terms = played_at_card(points[w] - points[b], coloured[game], handicap[game], komi[game], stones, komis)
            fits[game] = 1 if terms else 0
            change[game, 0], change[game, 1] = 0.0, 0.0
            refused[game] = 0
            if only_card and not terms:
                refused[game] = OTHER_TERMS
            elif daily_limit > 0 and pair_day[game] >= 0:
                if counted[pair_day[game]] >= daily_limit:
                    refused[game] = TOO_MANY
                counted[pair_day[game]] += 1
            if refused[game] == 0:
                own_b, own_w = (points[b], points[w]) if freeze_all else (running[b], running[w])
                change[game, 0] = outcome[game] * step(own_b, low, low_below)
                change[game, 1] = -outcome[game] * step(own_w, low, low_below)
            running[b] += change[game, 0]
            running[w] += change[game, 1]
        for game in range(batch[number], batch[number + 1]):
            points[black[game]] = running[black[game]]
            points[white[game]] = running[white[game]]
    adjust(done, len(black), hand, points)


@kernel
def hold_ranks(
    black: Seats,
    white: Seats,
    reached: Ints,
    spared: Ints,
    places: Ints,
    players: Ints,
    given: Ints,
    current: Ints,
    numbers: Ints,
    became: Ints,
) -> None:
    """Hold ranks through the games: one that is reached is taken, and lost where even spared points are below it.

    Args:
        black: Players.
        white: Their opponents.
        reached: Rank of the points after each game and side, shape (games, 2).
        spared: The highest rank that these points may still hold, in the same places.
        places: Game before which each adjustment stands.
        players: Whom it sets.
        given: The rank that it gives; `KEPT`: it leaves the rank alone.
        current: Ranks at entry, then at the end, shape (players,).
        numbers: Filled: rank before and after, shape (games, 2, 2).
        became: Filled: rank before and after each adjustment, shape (adjustments, 2).
    """
    done = 0
    for game in range(len(black) + 1):
        while done < len(places) and places[done] <= game:
            player = players[done]
            became[done, 0] = current[player]
            if given[done] != KEPT:
                current[player] = given[done]
            became[done, 1] = current[player]
            done += 1
        if game == len(black):
            break
        for side in range(2):
            player = black[game] if side == 0 else white[game]
            numbers[game, side, 0] = current[player]
            current[player] = min(max(current[player], reached[game, side]), spared[game, side])
            numbers[game, side, 1] = current[player]


class Ranks(TypedDict, total=False):
    """Ranks as a state of their own, as `RatingArrays` takes them."""

    rank_number: Ints
    rank_numbers: tuple[Ints, Ints]


@dataclass(frozen=True, eq=False)
class PointsExtra(RatedFrom):
    """What a points card's explanations read beside the points."""

    by_game: ClassVar[tuple[str, ...] | None] = ("rated_from", "fits")

    fits: Ints
    """1 where a game was played at the terms of the card, else 0, shape (games,)."""


@dataclass(frozen=True)
class Points(Sequential):
    """A points club, with its card and its local rules."""

    name: ClassVar[str] = "points"
    title: ClassVar[str] = "Points cards of Japanese clubs"
    revision: ClassVar[int] = 2

    card: str = setting("tagajo12", f"the card: {', '.join(CARDS)}, or a CSV file with a club's own, or its text")
    settle: Literal["game", "day", "month"] = setting("game", "when points move (day: local rule of Tagajo)")
    freeze: Literal["all", "pair"] = setting("all", "whose points stand still until they are settled")
    daily_limit: int | None = setting(
        None, "counted games a day with one opponent; without it as the card says, 0: all", low=0, high=1000, kind=int
    )
    conditions: Literal["any", "card"] = setting("any", "whether games at other terms than the card's are rated")
    jigo: Literal["card", "unchanged", "white_wins"] = setting("card", "what a jigo does")
    forfeits: Literal["unrated", "rated"] = setting("unrated", "whether games decided without play count")
    step_low: int = setting(
        0, "points a game moves for players below step_low_below; 0: as the card says", low=0, high=100
    )
    step_low_below: int = setting(200, "points below which step_low applies (Mami club)", low=-(10**6), high=10**6)
    at_1d: float | None = setting(
        None, "points of 1 dan; without it as printed, else 130", low=-1e6, high=1e6, kind=float
    )
    stone: int = setting(
        0, "points from rank to rank; 0: those of a stone on the card, else 12", unit="points", low=0, high=1000
    )
    promotion: Literal["reached", "nearest"] = setting(
        "reached", "which rank points are: the last one whose points are reached, or that whose points are nearest"
    )
    demotion: Literal["below", "stone", "never"] = setting(
        "below", "when a rank is lost: below its points, a stone of points below them, or never"
    )
    rank_points: str | None = setting(
        None, "a club's own points of ranks, such as 1k 115, 1d 130, 2d 150; without them evenly spaced", kind=str
    )
    start: float = setting(0.0, "points of a newcomer without a rank", unit="points", low=-1e6, high=1e6)
    late_ranks: LateRanks = late_ranks_setting()

    def __post_init__(self) -> None:
        """Refuse absurd constants and unknown cards by name."""
        super().__post_init__()
        if is_table(self.card):
            _ = self._own  # raises where no row can be read
        elif not self.card.lower().endswith(".csv") and self.card not in CARDS:
            hint = closest(self.card, list(CARDS))
            raise SettingError(
                f"points: card={shown(self.card)} is not one of {', '.join(CARDS)}, nor a .csv file{hint}"
            )
        _ = self._own_ranks  # raises where the table cannot be read

    @cached_property
    def _own(self) -> tuple[Card, list[Problem]] | None:
        """A club's own card with the faults of its table; None where the card is one of `CARDS`."""
        if is_table(self.card):
            return card_of_text(self.card)
        return read_card(Path(self.card)) if self.card.lower().endswith(".csv") else None

    @cached_property
    def table(self) -> Card:
        """The card, with this club's step."""
        table = self._own[0] if self._own else card_named(self.card)
        return replace(table, step_low=self.step_low, step_low_below=self.step_low_below) if self.step_low else table

    def rate_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Replay the games; settle the points after each game, day or month."""
        schedule = self._schedule(ledger, past)
        points, hand = starting_ratings(schedule, self.rating_for, self.start)
        points = schedule.carried("points", points)
        schedule.state[ENTERED] = schedule.first_game < len(ledger)  # games that do not count are an entry too
        lines = self._played(schedule, hand, points)
        extra = PointsExtra(schedule.scatter(lines.rated_from), schedule.scatter(lines.fits, 0))
        rated, before, change = schedule, lines.before, lines.change
        if lines.refused.any():
            kept = np.flatnonzero(lines.refused == 0)
            unrated = schedule.unrated.copy()
            unrated[schedule.sequence] = lines.refused
            hand = hand._replace(places=np.searchsorted(kept, hand.places))
            before, change = before[kept], change[kept]
            rated = schedule.without(schedule.sequence[kept], unrated)
        ranks, adjusted = self._ranks_of(schedule, rated, (before, change), hand)
        return rated.ratings(
            self, points, before, change,
            **ranks,
            adjusted=adjusted,
            extra=extra,
            warnings=(
                *map(str, self._own[1] if self._own else ()),
                *schedule.newcomers(Clause.of("{start:g} points", start=self.start)),
            ),
        )  # fmt: skip

    def _ranks_of(
        self, schedule: Schedule, rated: Schedule, course: tuple[Floats, Floats], hand: ByHand
    ) -> tuple[Ranks, tuple[Adjusted, ...]]:
        """Return the ranks as a state of their own, none where the points alone tell them, and the adjustments' lines.

        Args:
            schedule: The games with those that do not count.
            rated: Those that count.
            course: Points before, and change, shape (rated, 2) each.
            hand: The later adjustments after the replay.
        """
        adjusted = schedule.adjusted(self, hand)
        if self.demotion == "below":
            return {}, adjusted
        value = partial(rating_of, rating_for=self.rating_for, otherwise=self.start)
        current = schedule.carried(
            "rank", np.array([self._entry_rank(each, value(each)) for each in schedule.entries(value)])
        )
        given = [
            self._entry_rank((rank_in(each.item), each.item.rating), each.after) if is_set else KEPT
            for each, is_set in zip(adjusted, hand.became == hand.values, strict=True)
        ]
        numbers, became = np.empty((len(rated), 2, 2), dtype=np.int64), np.empty((len(given), 2), dtype=np.int64)
        after = course[0] + course[1]
        hold_ranks.for_work(len(rated))(
            *rated.seats, self._numbers(after), self._numbers(after + self._spared),
            hand.places, hand.players, np.array(given, dtype=np.int64), current, numbers, became,
        )  # fmt: skip
        ranks = Ranks(
            rank_number=current, rank_numbers=(rated.scatter(numbers[:, :, 0], 0), rated.scatter(numbers[:, :, 1], 0))
        )
        lines = zip(adjusted, became.tolist(), strict=True)
        return ranks, tuple(
            each._replace(rank_before=rank_from(old), rank_after=rank_from(new)) for each, (old, new) in lines
        )

    def _entry_rank(self, entry: Entry, points: float) -> int:
        """Return the number of the rank with which somebody enters or is set by hand."""
        rank = self.rank_held(entry[0], points)
        return WEAKEST if rank is None else rank.number_from_30k

    @property
    def _spared(self) -> float:
        """How far points may fall below those of a rank until it is lost."""
        return {"below": 0.0, "stone": self.points_a_rank, "never": np.inf}[self.demotion]

    def _numbers(self, points: Floats) -> Ints:
        """Return the numbers of the ranks that points are."""
        return WEAKEST + np.searchsorted(self._thresholds, points, side="right")

    @property
    def together(self) -> str:
        """What is settled together."""
        return self.settle

    def _played(self, schedule: Schedule, hand: ByHand, points: Floats) -> Lines:
        """Take the games of a schedule; `points` are those at entry, then at the end, shape (players,)."""
        ledger, size = schedule.ledger, len(schedule)
        days = pair_days(ledger, schedule.sequence) if self.most_a_day else np.full(size, NO_PAIR_DAY)
        coloured = schedule.taken(ledger.arrays.colours_known)
        before, rated_from, change = (np.empty((size, 2)) for _ in range(3))
        fits, refused = np.empty((size,), np.int64), np.empty(size, dtype=np.int64)
        lines = Lines(before, rated_from, change, fits, refused)
        games = Games(
            *schedule.seats, self._outcomes(schedule.score, coloured), coloured,
            schedule.taken(ledger.arrays.stones), schedule.taken(ledger.arrays.komi), schedule.batch, days,
        )  # fmt: skip
        rules = self._rules(np.append(points, hand.values), size)
        replay.for_work(size)(games, rules, np.zeros(size, dtype=np.int64), hand, points, lines)
        return lines

    def _rules(self, points: Floats, games: int) -> Rules:
        """Return the rules as the replay reads them, for so many games of players with these points."""
        low_below = NO_STEP if self.table.step_low_below is None else float(self.table.step_low_below)
        stones, komis = self._rows(points, games)
        limit, low = self.most_a_day, float(self.table.step_low)
        return Rules(limit, low, low_below, stones, komis, self.conditions == "card", self.freeze == "all")

    def _schedule(self, ledger: Ledger, past: ReplayState | None = None) -> Schedule:
        """Lay out the rated games, in batches of one game, one day or one month."""
        unrated = self.refusals(ledger)
        if self.settle != "game":
            unrated[(unrated == RATED) & ~ledger.arrays.dated] = NEEDS_DATE
        if self.forfeits == "rated":
            unrated[(unrated == NOT_PLAYED) & ~np.isnan(ledger.arrays.score)] = RATED
        schedule = Schedule.of(ledger, unrated, reasons=REASONS, late_ranks=self.late_ranks, past=past)
        return schedule if self.settle == "game" else settled(schedule, self.settle)

    @property
    def most_a_day(self) -> int:
        """How many games a day with one opponent count; 0: all."""
        limit = self.table.daily_limit if self.daily_limit is None else self.daily_limit
        return limit or 0

    def _outcomes(self, score: Floats, coloured: Flags) -> Floats:
        """Return Black's share of the points, shape (games,): 1, -1, or 0 for a jigo that moves nothing.

        Args:
            score: Black's score, shape (games,).
            coloured: Whether it is known who was Black, shape (games,).
        """
        white_wins = self.jigo == "white_wins" or (self.jigo == "card" and self.table.tie == "white wins")
        tie = np.where(coloured, -1.0 if white_wins else 0.0, 0.0)
        return np.where(score == 0.5, tie, 2.0 * score - 1.0)

    def _rows(self, points: Floats, games: int) -> tuple[Ints, Floats]:
        """Return stones on the board and komi of the card for every difference that can occur."""
        widest = float(points.max(initial=0.0) - points.min(initial=0.0)) + 2.0 * max(1, self.table.step_low) * games
        # our choice: 1,000 rows at least; nobody plays beyond that difference
        stones, komis = _first_rows(self.table, int(min(widest, 1000.0)) + 1)
        return np.array(stones, dtype=np.int64), np.array(komis, dtype=np.float64)

    @property
    def first_dan(self) -> float:
        """Points of 1 dan."""
        if self.at_1d is not None:
            return self.at_1d
        return DEFAULT_1D if self.table.points_at_1d is None else float(self.table.points_at_1d)

    @property
    def points_a_rank(self) -> float:
        """Points from rank to rank."""
        return float(self.stone or self.table.points_per_stone or DEFAULT_STONE)

    @cached_property
    def _own_ranks(self) -> dict[int, float]:
        """Points of the ranks in the club's own table, by number from 30k and ascending; SettingError for a fault."""
        points: dict[int, float] = {}
        for part in filter(None, map(str.strip, re.split(r"[,;、\n]", self.rank_points or ""))):
            match = RANK_AND_POINTS.fullmatch(unicodedata.normalize("NFKC", part))
            try:
                rank = Rank.parse(match["rank"]) if match else None
            except InputError:
                rank = None
            if match is None or rank is None or rank.grade is Grade.PRO:
                raise SettingError(f"points: rank_points: {shown(part)} is not a rank and its points, such as 1d 130")
            if rank.number_from_30k in points:
                raise SettingError(f"points: rank_points: {rank} stands there twice")
            points[rank.number_from_30k] = float(match["points"])
        points = dict(sorted(points.items()))
        if any(higher <= lower for lower, higher in pairwise(points.values())):
            raise SettingError("points: rank_points: a higher rank needs more points than a lower one")
        return points

    @cached_property
    def _thresholds(self) -> list[float]:
        """The points from which on each rank is shown, from 29k to 9d."""
        points = [self._points_at(place) for place in range(WEAKEST, STRONGEST + 1)]
        if self.promotion == "reached":
            return points[1:]
        return [(lower + higher) / 2 for lower, higher in pairwise(points)]

    def _points_at(self, place: float) -> float:
        """Return the points at a place on the stones axis: by the club's own table, else evenly spaced."""
        if not (table := self._own_ranks):
            return self.first_dan + (place - FIRST_DAN) * self.points_a_rank
        (first, *_, last) = places = list(table) if len(table) > 1 else [*table, *table]
        end = min(max(place, first), last)
        return float(np.interp(end, places, [table[each] for each in places])) + (place - end) * self.points_a_rank

    def rank(self, rating: float) -> Rank | None:
        """Return the last rank whose points are reached, or that whose points are nearest (`promotion`)."""
        return Rank.at(WEAKEST + bisect_right(self._thresholds, rating))

    def rank_held(self, rank: Rank | None, rating: float) -> Rank | None:
        """Return the rank at some points of who held a rank: the one reached, or the held one until it is lost."""
        low, high = (
            rank_from(WEAKEST + bisect_right(self._thresholds, end)) for end in (rating, rating + self._spared)
        )
        return low if rank is None else min(max(rank_from(rank.number_from_30k), low), high)

    def rating_for(self, rank: Rank) -> float:
        """Return the points with which a rank enters."""
        return float(round(self._points_at(rank.stones)))

    def terms_by_rating(self, one: Standing, other: Standing, ratings: Ratings | None = None) -> Terms:  # noqa: ARG002
        """Return what the card says about two players' points."""
        return card_terms(self.table, (one.name, one.rating), (other.name, other.rating))

    def rating_on(self, ratings: Ratings, when: When) -> Floats:
        """Return the points that a game of a day is played with, shape (players,): those at the start of its period."""
        if self.settle == "game":
            return ratings.rating
        points = ratings.rating.copy()
        games = ratings.arrays.sequence[same_period(ratings.ledger, when, self.settle)[ratings.arrays.sequence]]
        for side, players in enumerate(ratings.ledger.arrays.seats):
            points[players[games]] = PointsExtra.of(ratings).rated_from[games, side]
        return points

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return the step and the result, whose product is the change."""
        ledger = ratings.ledger
        share = float(self._outcomes(ledger.arrays.score[game], ledger.arrays.colours_known[game])) * (
            1.0 if side == 0 else -1.0
        )
        rated_from = [float(value) for value in PointsExtra.of(ratings).rated_from[game]]
        own = rated_from[side] if self.freeze == "all" else float(ratings.arrays.before[game, side])
        moves = float(self.table.step(own))
        clause = "A game moves one point."
        if self.table.step_low_below is not None:
            clause = Clause.of(
                "A game moves {step} points below {limit:g} points, else 1.",
                step=self.table.step_low, limit=self.table.step_low_below,
            )  # fmt: skip
        result = {1.0: "The winner gains.", -1.0: "The loser loses.", 0.0: "A jigo moves no points."}[share]
        if ledger.arrays.score[game] == 0.5 and share:
            result = "A tie on the board is a win for White."
        black, white = (ledger.players[int(players[game])].name for players in ledger.arrays.seats)
        terms = card_terms(self.table, (black, rated_from[0]), (white, rated_from[1]))
        facts: dict[str, str | float | bool] = {
            "points held": rated_from[side],
            "opponent's points": rated_from[1 - side],
            "terms of the card": Clause.of("{terms.text}", terms=terms),
            "played at these terms": bool(PointsExtra.of(ratings).fits[game]),
        }
        return Reason((Factor("result", share, result), Factor("step", moves, clause)), "product", facts)
