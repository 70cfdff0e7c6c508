"""South African Go Clubs: a rank and an index from -999 to +999; five factors multiply to the change of the index.

Source: South African Go Clubs, "How they work" (player ratings); first coded by David Richfield, renamed in 2005.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np

from handan.errors import Clause, InputError, SettingError
from handan.handicaps import MOST_KOMI, MOST_STONES, effective_handicap
from handan.kernels.compiling import kernel
from handan.kernels.incremental.rank_adjustments import ByHand, adjust
from handan.ranks import Rank
from handan.ratings import Adjusted, Extra, Factor, Reason, Standing, Traits, rank_from
from handan.systems.core.fair_terms import seated, stone_terms
from handan.systems.core.schedule import Schedule
from handan.systems.core.sequential import Sequential
from handan.systems.core.settings import late_ranks_setting, setting
from handan.systems.families.sagc_ranks import KINDS, LEVEL, LIMIT, MEETINGS, STONES, ZONE, index_of, moved, number_of

if TYPE_CHECKING:
    from handan.handicaps import Terms
    from handan.kernels.types import Floats, Ints
    from handan.ledger import Ledger
    from handan.ratings import Ratings
    from handan.systems.core.replay_state import ReplayState
    from handan.systems.core.schedule import Entry
    from handan.systems.core.settings import LateRanks

TOP = 37  # rank number of 7 dan, from which x counts downwards
REMEMBERED = 10  # previous games that count for the opponent factor
PROMOTION_WIN = (0.0, 0.09, 0.13, 0.54, 1.0, 1.5, 2.2, 3.5, 3.5)
PROMOTION_LOSS = (-2.7, -2.7, -1.8, -1.44, -1.17, -0.81, -0.47, -0.09, 0.0)
DEMOTION_WIN = (0.0, 0.12, 0.37, 0.7, 1.4, 1.6, 2.2, 3.5, 3.5)
DEMOTION_LOSS = (-1.9, -1.9, -1.0, -0.75, -0.6, -0.28, -0.03, 0.0, 0.0)
"""Game result factors at differentials < -3, -3, …, +3, > +3, as printed; the promotion zone is index >= 0."""


@kernel
def level_factor(x: float) -> float:
    """Return x^2 + 1.5 x + 55 + x^5 / 30000; x is the number of stones weaker than 7 dan, 0 for stronger players."""
    weaker = max(x, 0.0)
    return weaker * weaker + 1.5 * weaker + 55.0 + weaker**5 / 30000.0


@kernel
def opponent_factor(met: int) -> float:
    """Return 1 - 0.1 for each of the previous ten games that was against this opponent, at least 0.1."""
    return max(0.1, (10 - met) / 10.0)


@kernel
def handicap_factor(effective: int) -> float:
    """Return 1 - 0.05 for each stone of effective handicap, at least 0.1."""
    return max(0.1, (20 - effective) / 20.0)


@kernel
def differential(own_x: int, other_x: int, effective: int, black: bool) -> int:  # noqa: FBT001  # which side is asked
    """Return own x - opponent's x - effective handicap received: positive for a harder game than the rank suggests."""
    return own_x - other_x - effective if black else own_x - other_x + effective


@kernel
def result_factor(harder: int, index: float, won: bool) -> float:  # noqa: FBT001  # what is asked for
    """Return the game result factor by zone, differential and result."""
    row = min(max(harder, -4), 4) + 4
    if index >= 0:
        return PROMOTION_WIN[row] if won else PROMOTION_LOSS[row]
    return DEMOTION_WIN[row] if won else DEMOTION_LOSS[row]


@kernel
def truncated(value: float) -> float:
    """Return a value without its fraction; 1e-9 undoes the errors of binary fractions (-1065 is not -1064.999…)."""
    return float(math.floor(value + 1e-9)) if value >= 0 else float(math.ceil(value - 1e-9))


class Games(NamedTuple):
    """The rated games in playing order, shape (games,)."""

    black: Ints
    white: Ints
    score: Floats
    """Black's score."""
    effective: Ints
    """Effective handicap, stones."""
    status: Floats
    """Game status factor."""


class Options(NamedTuple):
    """The settings that the replay reads."""

    zones: bool
    """Whether zones stop a loss, rather than the next floor."""
    clamp: bool
    """Whether 8 and 9 dan count as 7 dan in the differential too."""


class State(NamedTuple):
    """What is known of the players: at entry, then at the end of the replay."""

    who: Ints
    """The number under which each player is remembered, shape (players,)."""
    recent: Ints
    """The last opponents, that of a player's game m at m modulo the length of a row, -1 for none, (players, places)."""
    played: Ints
    """Games, shape (players,)."""
    numbers: Ints
    """Rank, shape (players,)."""
    indices: Floats


class Lines(NamedTuple):
    """What a replay writes down of each game and side."""

    numbers: Ints
    """Rank before and after, shape (games, 2, 2)."""
    indices: Floats
    """Index in the same places."""
    change: Floats
    """Shape (games, 2)."""
    met: Ints
    """How often the two had met among the last opponents, shape (games, 2)."""


@kernel
def replay(games: Games, options: Options, hand: ByHand, state: State, lines: Lines) -> None:
    """Replay the games one by one, both sides from the ranks and indices before; fill `state` and `lines`."""
    black, white, score, effective, status = games
    zones, clamp = options
    who, recent, played, number, index = state
    numbers, indices, change, met = lines
    done = 0
    for game in range(len(black) + 1):
        done = adjust(done, game, hand, number, index)
        if game == len(black):
            break
        for side in range(2):
            own, other = (black[game], white[game]) if side == 0 else (white[game], black[game])
            met[game, side] = 0
            for place in range(REMEMBERED):
                met[game, side] += recent[own, place] == who[other]
            own_x, other_x = TOP - number[own], TOP - number[other]
            if clamp:
                own_x, other_x = max(own_x, 0), max(other_x, 0)
            won = score[game] if side == 0 else 1.0 - score[game]
            change[game, side] = 0.0
            if won != 0.5:  # our choice: the source knows no jigo; it moves nothing
                harder = differential(own_x, other_x, effective[game], side == 0)
                result = result_factor(harder, index[own], won == 1.0)
                change[game, side] = truncated(
                    level_factor(TOP - number[own])
                    * status[game]
                    * opponent_factor(met[game, side])
                    * result
                    * handicap_factor(effective[game])
                )
        for side in range(2):
            own, other = (black[game], white[game]) if side == 0 else (white[game], black[game])
            numbers[game, side, 0], indices[game, side, 0] = number[own], index[own]
            if change[game, side] != 0.0:
                number[own], index[own] = moved(number[own], index[own], change[game, side], zones)
            numbers[game, side, 1], indices[game, side, 1] = number[own], index[own]
            recent[own, played[own] % REMEMBERED] = who[other]
            played[own] += 1


@dataclass(frozen=True, eq=False)
class SAGCExtra(Extra):
    """What the explanations read beside rank and index."""

    by_game: ClassVar[tuple[str, ...] | None] = ("met",)

    met: Ints
    """How many of the last games of each side were with the opponent, shape (games, 2)."""


@dataclass(frozen=True)
class SAGC(Sequential):
    """The South African Go Clubs' ranks and indices."""

    name: ClassVar[str] = "sagc"
    title: ClassVar[str] = "South African Go Clubs"
    traits: ClassVar[Traits] = Traits(
        weight_title="status factor", names_winner=True, index_of_rank=True, rates_free=True
    )

    tournament: float = setting(1.5, "game status factor of tournament games", low=0.0, high=10.0)
    club: float = setting(1.0, "game status factor of club games, and of kinds not named", low=0.0, high=10.0)
    friendly: float = setting(0.5, "game status factor of friendly games (internet, casual)", low=0.0, high=10.0)
    floors: Literal["zones", "next_floor"] = setting("zones", "how a loss is stopped")
    clamp_x: bool = setting(False, "whether 8 and 9 dan count as 7 dan in the differential too")  # noqa: FBT003  # a default
    start: str = setting("30k", "rank of a newcomer who declares none")
    late_ranks: LateRanks = late_ranks_setting()

    def __post_init__(self) -> None:
        """Check the settings; SettingError names one that is out of bounds."""
        super().__post_init__()
        try:
            Rank.parse(self.start)
        except InputError as error:
            raise SettingError(f"sagc: start: {error}") from error

    def rate_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Replay the games one by one."""
        schedule = Schedule.of(ledger, self.refusals(ledger), late_ranks=self.late_ranks, past=past)
        number, index = self._entries(schedule)
        hand = self._by_hand(schedule)
        number, index = schedule.carried("number", number), schedule.carried("index", index)
        recent = schedule.carried("recent", np.full((len(number), REMEMBERED), -1, dtype=np.int64))
        played = schedule.carried("played", np.zeros(len(number), dtype=np.int64))
        lines = self._played(schedule, hand, State(schedule.numbers_of_players, recent, played, number, index))
        adjusted = tuple(
            Adjusted(
                item, player, int(hand.places[i]), float(hand.old_index[i]), float(hand.became_index[i]),
                rank_from(int(hand.old_number[i])), rank_from(int(hand.became_number[i])),
            )
            for i, (item, player, _) in enumerate(schedule.later)
        )  # fmt: skip
        return schedule.ratings(
            self, index, lines.indices[:, :, 0], lines.change,
            printed=schedule.scatter(lines.indices[:, :, 1]), rank_number=number,
            rank_numbers=(schedule.scatter(lines.numbers[:, :, 0], 0), schedule.scatter(lines.numbers[:, :, 1], 0)),
            adjusted=adjusted,
            extra=SAGCExtra(schedule.scatter(lines.met, 0)),
            warnings=(*schedule.newcomers(Rank.parse(self.start)), *schedule.beyond(-LIMIT, LIMIT)),
        )  # fmt: skip

    def _played(self, schedule: Schedule, hand: ByHand, state: State) -> Lines:
        """Take the games of a schedule; `state` holds the players at entry, then at the end."""
        shape = (len(schedule), 2)
        numbers, met = np.empty((*shape, 2), dtype=np.int64), np.empty(shape, dtype=np.int64)
        lines = Lines(numbers, np.empty((*shape, 2)), np.empty(shape), met)
        effective, status = self._effective(schedule.ledger), self.game_weights(schedule.ledger)
        rows = (schedule.taken(effective), schedule.taken(status))
        games = Games(schedule.black, schedule.white, schedule.score, *rows)
        options = Options(self.floors == "zones", self.clamp_x)
        replay.for_work(len(schedule))(games, options, hand, state, lines)
        return lines

    def _by_hand(self, schedule: Schedule) -> ByHand:
        """Return the later adjustments: a rank alone sets the index to 0, an index alone leaves the rank."""
        items, count = [item for item, *_ in schedule.later], len(schedule.later)
        return ByHand(
            places=np.array([schedule.start_of(index) for *_, index in schedule.later], dtype=np.int64),
            players=np.array([player for _, player, _ in schedule.later], dtype=np.int64),
            numbers=np.array([number_of(i.rank) if isinstance(i.rank, Rank) else 0 for i in items], dtype=np.int64),
            indices=np.array([index_of(i.rating) for i in items], dtype=np.float64),
            at_least=np.array([i.at_least for i in items], dtype=np.bool_),
            old_number=np.empty(count, dtype=np.int64),
            old_index=np.empty(count),
            became_number=np.empty(count, dtype=np.int64),
            became_index=np.empty(count),
        )

    def _entries(self, schedule: Schedule) -> tuple[Ints, Floats]:
        """Return rank number and index with which each player enters: the declared rank, at index 0."""
        start = Rank.parse(self.start)

        def state(entry: Entry) -> tuple[int, float]:
            rank, rating = entry
            return number_of(rank or start), index_of(rating)

        entries = schedule.entries(state)
        if entries and entries.count(entries[0]) == len(entries):
            rank, index = state(entries[0])
            return np.full(len(entries), rank, dtype=np.int64), np.full(len(entries), index, dtype=np.float64)
        different = {entry: state(entry) for entry in set(entries)}
        ranks, indices = ([different[entry][part] for entry in entries] for part in (0, 1))
        return np.array(ranks, dtype=np.int64), np.array(indices, dtype=np.float64)

    def game_weights(self, ledger: Ledger) -> Floats:
        """Return the game status factor of each game, shape (games,)."""
        classes = {f"tournament-{letter}": self.tournament for letter in "abcd"}
        casual = {
            "friendly": self.friendly,
            "internet": self.friendly,
            "server": self.friendly,
            "casual": self.friendly,
        }
        named = {"tournament": self.tournament, "free": 0.0, "teaching": 0.0}
        return ledger.arrays.of_kind(classes | casual | named, self.club)

    def _effective(self, ledger: Ledger) -> Ints:
        """Return the effective handicap of each game in stones, shape (games,); 0 where colours are unknown."""

        def effective() -> Ints:
            stones = ledger.arrays.by_terms(lambda handicap, komi, _: effective_handicap(handicap, komi))
            return np.where(ledger.arrays.colours_known, stones, 0.0).astype(np.int64)

        return ledger.arrays.kept("effective handicap, SAGC", effective)

    def rank(self, rating: float) -> Rank | None:  # noqa: ARG002  # the index does not tell the rank
        """Return None: the rank is a state of its own beside the index."""
        return None

    def rating_for(self, rank: Rank) -> float:  # noqa: ARG002  # all ranks enter alike
        """Return the index at which every rank enters: 0."""
        return 0.0

    def standing(self, text: str) -> Standing:
        """Return the standing of a rank (`10k`), at index 0."""
        return Standing(text, 0.0, None, Rank.parse(text), rank_alone=True)

    def terms_by_rating(self, one: Standing, other: Standing, ratings: Ratings | None = None) -> Terms:  # noqa: ARG002
        """Return the handicap at which the differential is 0; beyond nine stones ten points of komi are a stone."""
        black, white = seated(self, one, other)
        stones = int(self.difference(black, white))
        beyond = max(0, stones - MOST_STONES)
        komi = self.customary_komi(stones) - 10.0 * beyond
        unfair = f"{black.name} would need {-komi:g} points of komi beside {MOST_STONES} stones" * (komi < -MOST_KOMI)
        return stone_terms(black, white, stones, min(stones, MOST_STONES), max(komi, -MOST_KOMI), unfair)

    def weaker(self, one: Standing, other: Standing) -> bool:
        """Return whether the first takes black: the lower rank, then the lower index, then by name."""
        keys = [(number_of(player.rank or Rank.parse(self.start)), player.rating) for player in (one, other)]
        return keys[0] < keys[1] or (keys[0] == keys[1] and one.name <= other.name)

    def difference(self, black: Standing, white: Standing) -> float:
        """Return how many ranks White stands above Black."""
        ranks = [number_of(player.rank or Rank.parse(self.start)) for player in (black, white)]
        return float(ranks[1] - ranks[0])

    def newcomer(
        self,
        name: str,
        rank: Rank | None = None,
        rating: float | None = None,
        ratings: Ratings | None = None,  # noqa: ARG002  # who is there plays no part
    ) -> Standing:
        """Return where a player enters: with the declared rank, else with `start`, and at index 0 unless it is set."""
        return Standing(name, rating or 0.0, None, rank or Rank.parse(self.start))

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return the five factors, whose product without its fraction is the change."""
        ledger = ratings.ledger
        numbers = ratings.arrays.rank_numbers[0] if ratings.arrays.rank_numbers else np.zeros((0, 2), np.int64)
        score = float(ledger.arrays.score[game]) if side == 0 else 1.0 - float(ledger.arrays.score[game])
        effective = int(self._effective(ledger)[game])
        own, other = (TOP - int(numbers[game, s]) for s in (side, 1 - side))
        shown = (max(own, 0), max(other, 0)) if self.clamp_x else (own, other)
        harder = differential(*shown, effective, side == 0)
        index, met = float(ratings.arrays.before[game, side]), int(SAGCExtra.of(ratings).met[game, side])
        result = 0.0 if score == 0.5 else result_factor(harder, index, score == 1.0)
        zone = "promotion" if index >= 0 else "demotion"
        outcome = {1.0: "victory", 0.5: "jigo", 0.0: "defeat"}[score]
        in_zone = Clause.of(ZONE, zone=Clause.of(zone.capitalize()), outcome=Clause.of(outcome), by=harder)
        status = float(ratings.arrays.weights[game])  # type: ignore[index]  # this system has weights
        kinds = {"tournament": self.tournament, "club": self.club, "friendly": self.friendly}
        factors = (
            Factor("level factor", level_factor(own), Clause.of(LEVEL, x=max(own, 0))),
            Factor("game status factor", status, Clause.of(KINDS, **kinds)),
            Factor("opponent factor", opponent_factor(met), Clause.of(MEETINGS, met=met)),
            Factor("game result factor", result, in_zone),
            Factor("handicap factor", handicap_factor(effective), Clause.of(STONES, stones=effective)),
        )
        facts: dict[str, str | float | bool] = {
            "effective handicap": effective,
            "differential": harder,
            "zone": zone,
            "opponent's rank": str(rank_from(int(numbers[game, 1 - side]))),
        }
        return Reason(factors, "product", facts | self._limit(ratings, game, side), "truncated")

    def _limit(self, ratings: Ratings, game: int, side: int) -> dict[str, str]:
        """Return what became of the change at a limit: promotion, demotion or a floor."""
        before, change, after = (
            float(a[game, side]) for a in (ratings.arrays.before, ratings.arrays.change, ratings.arrays.after)
        )
        if before + change == after:
            return {}
        if before + change > LIMIT:
            return {"limit": "promoted, and the index starts again at 0; the surplus is dropped"}
        if after == 0.0:
            return {"limit": "demoted, and the index starts again at 0"}
        return {"limit": Clause.of("the loss stops at the floor {floor:g}", floor=after)}
