"""Initial ratings: by adjustment or declared rank, and without one by the terms of the first game.

our choice: players who sit down with five stones against a 7 dan, or even, say by it how strong they take
themselves to be; the figure at which a scale happens to begin says nothing about them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from handan.errors import Clause
from handan.handicaps import MOST_STONES, advantage
from handan.kernels.incremental.adjustments import ByHand, nobody_by_hand
from handan.ledger import Adjustment
from handan.ledger.players import field_of
from handan.ranks import LAST, Rank
from handan.ratings.notes import DECLARED_RATING
from handan.systems.core.replay_state import ENTRY, rank_in

if TYPE_CHECKING:
    from handan.kernels.types import Floats, Ints
    from handan.ledger import Ledger
    from handan.systems.core.replay_state import ReplayState
    from handan.systems.core.schedule import Entry, Schedule

NOTHING: Entry = (None, None)
RANKS = (None, *(Rank(grade, number + 1) for grade, last in LAST.items() for number in range(last)))
"""All ranks, and none."""
DECLARED = ("rating", "rating_origin")
"""Fields of a player whose rating a file declares."""
USED = (
    "1 player begins at the rating that a file declares ({origin}); --set entry=rank begins at the rank",
    "{count} players begin at the ratings that files declare ({origin}); --set entry=rank begins at their ranks",
)
NOT_USED = (
    "1 declared rating ({origin}) is not used; --set entry=rating starts from it",
    "{count} declared ratings ({origin}) are not used; --set entry=rating starts from them",
)


class Anchors(NamedTuple):
    """Where the prior of each player has its centre, in a system that solves all games together."""

    rating: Floats
    """Entry rating, shape (players,)."""
    entries: list[Entry]
    """Rank and rating with which each player enters, shape (players,)."""
    mean: float
    """Mean of all entries, at which newcomers stand of whom neither ranks nor terms say anything."""
    ranked: bool
    """Whether anybody enters by a rank or a rating; else all entries are 0."""

    @classmethod
    def none(cls, players: int) -> Anchors:
        """Return the entries of players of whom nothing is known."""
        return cls(np.zeros(players), [NOTHING] * players, 0.0, ranked=False)


def by_declared(
    ledger: Ledger, origin: str, entry: str, past: ReplayState | None = None
) -> tuple[Ledger, tuple[str, ...]]:
    """Return the ledger whose players enter with the ratings that files declare of them, and what is to be said of it.

    A rating set by hand before the first game counts instead of the declared one.

    Args:
        ledger: Its players have the declared ratings.
        origin: Whose ratings the system reads, such as `EGF`.
        entry: The setting `entry`: `rank` leaves the ledger as it is.
        past: What is known of the players from games before; who has entered enters no more.
    """
    ratings, origins = (field_of(ledger.players, name) for name in DECLARED)
    if not any(origins):
        return ledger, ()
    declared = [
        (place, ledger.players[place])
        for place, (rating, of) in enumerate(zip(ratings, origins, strict=True))
        if rating is not None and of == origin
    ]
    if not declared:
        return ledger, ()
    one, more = NOT_USED if entry == "rank" else USED
    remark = Clause.of(one if len(declared) == 1 else more, count=len(declared), origin=origin)
    if entry == "rank":
        return ledger, (remark,)
    by_hand = {item.player for item in ledger.adjustments if item.date is None}
    note = DECLARED_RATING.format(origin=origin)
    entries = [
        Adjustment(player.name, None, player.rating, None, note, deviation=player.deviation)
        for place, player in declared
        if player.name not in by_hand and not (past is not None and past.entered[place])
    ]
    return replace(ledger, adjustments=(*entries, *ledger.adjustments)), (remark,)


def rating_of(entry: Entry, rating_for: Callable[[Rank], float], otherwise: float) -> float:
    """Return the rating of an entry, that of its rank where it has none; `otherwise` for an empty one."""
    rank, rating = entry
    if rating is not None:
        return rating
    return otherwise if rank is None else rating_for(rank)


def at_entry(schedule: Schedule, value: Callable[[Entry], float], *, by_terms_too: bool) -> tuple[Floats, Floats]:
    """Return with what rating each player enters, and the place of the rank on the axis of stones, NaN for none.

    Both are NaN for who has entered before.

    Args:
        schedule: Of the games.
        value: The rating of an entry.
        by_terms_too: Whether who enters by nothing has the rank that the terms of the first game give.
    """

    def listed() -> list[Entry]:
        entries = schedule.entries(value)
        return by_terms(schedule, entries) if by_terms_too else entries

    both, coming = np.full((2, len(schedule.ledger.players)), np.nan), schedule.coming
    if not len(coming):
        return both[0], both[1]
    if schedule.by_games_alone:  # also of a ledger in which a game has another result
        different: list[Entry] = [(rank, None) for rank in RANKS]
        name = ("number of the rank at entry", by_terms_too)
        number = schedule.ledger.arrays.kept(name, lambda: _numbers(listed(), different))
    else:
        entries = listed()
        entries = [entries[player] for player in coming.tolist()]
        places: dict[tuple[int, float | None], int] = {}  # by the object that a rank is: its hash takes far longer
        numbers = [places.setdefault((id(rank), own), len(places)) for rank, own in entries]
        number = np.array(numbers, dtype=np.int64)
        different = [entries[place] for place in np.unique(number, return_index=True)[1].tolist()]
    rating, stones = np.full((2, len(different)), np.nan)
    for place in np.flatnonzero(np.bincount(number, minlength=len(different))).tolist():
        rank, _ = different[place]
        rating[place], stones[place] = value(different[place]), np.nan if rank is None else rank.stones
    both[:, coming] = rating[number], stones[number]
    return both[0], both[1]


def _numbers(entries: Sequence[Entry], different: Sequence[Entry]) -> Ints:
    """Return the place of each entry, by a rank alone, among different ones, shape (players,)."""
    place = {entry: place for place, entry in enumerate(different)}
    by_object: dict[int, int] = {}  # by the object that a rank is: its hash takes far longer
    for entry in entries:
        if id(entry[0]) not in by_object:
            by_object[id(entry[0])] = place[entry]
    return np.array([by_object[id(rank)] for rank, _ in entries], dtype=np.int64)


def starting_ratings(
    schedule: Schedule, rating_for: Callable[[Rank], float], start: float | None, customary: float = 0.0
) -> tuple[Floats, ByHand]:
    """Return starting ratings, shape (players,), and later adjustments, for systems with one number a player.

    Args:
        schedule: Of the games.
        rating_for: The rating at which a rank enters.
        start: Rating of players without a rank; None: that of the rank which the terms of the first game give.
        customary: Rating of those of whom the terms say nothing either.
    """
    otherwise = customary if start is None else start
    if schedule.nobody_ranked:
        if start is None:
            schedule.carried(ENTRY, np.full(len(schedule.ledger.players), np.nan))
        return np.full(len(schedule.ledger.players), float(otherwise)), nobody_by_hand()
    value = partial(rating_of, rating_for=rating_for, otherwise=otherwise)
    rating, stones = at_entry(schedule, value, by_terms_too=start is None)
    if start is None:
        schedule.carried(ENTRY, stones)
    count = len(schedule.later)
    hand = ByHand(
        places=np.array([schedule.place_of(entry) for entry in schedule.later], dtype=np.int64),
        players=np.array([player for _, player, _ in schedule.later], dtype=np.int64),
        values=np.array([value((rank_in(item), item.rating)) for item, *_ in schedule.later], dtype=np.float64),
        at_least=np.array([item.at_least for item, *_ in schedule.later], dtype=np.bool_),
        variances=np.array([item.deviation or np.nan for item, *_ in schedule.later], dtype=np.float64) ** 2,
        replaced=np.empty(count),
        became=np.empty(count),
    )
    return rating, hand


def deviations_at_entry(schedule: Schedule, rating: Floats, rating_for: Callable[[Rank], float]) -> Floats:
    """Return the deviations of the adjustments with which players enter, NaN where none says it, shape (players,).

    Args:
        schedule: Of the games.
        rating: With which each player enters, shape (players,): an `at_least` below it says nothing.
        rating_for: The rating at which a rank enters.
    """
    deviations = np.full(len(rating), np.nan)
    for item, player, _ in schedule.before_entry:
        if not item.at_least or rating[player] == rating_of((rank_in(item), item.rating), rating_for, np.nan):
            deviations[player] = np.nan if item.deviation is None else item.deviation
    return deviations


def anchors(schedule: Schedule, rating_for: Callable[[Rank], float]) -> Anchors:
    """Return the entries of all players: by adjustment, declared rank or the terms of the first game.

    Else it is the mean entry of those who are joined to the player by games, and 0 where none of them has one: players
    whom no game joins say nothing of each other.
    The answer is one for the last day, by which a rank that came late is there: as an adjustment it is the entry.
    """
    late = schedule.late if schedule.late_ranks == "adjust" else []
    if not (late or schedule.declared.any()):
        return Anchors.none(len(schedule.ledger.players))
    entries = by_terms(schedule, schedule.entries(lambda entry: rating_of(entry, rating_for, np.nan)))
    for item, player, _ in late:
        entries[player] = (item.rank if isinstance(item.rank, Rank) else None, item.rating)
    by_object = {id(rank): rank for rank, _ in entries}  # a few ranks of many players
    of_rank = {place: math.nan if rank is None else rating_for(rank) for place, rank in by_object.items()}
    rating = np.array([of_rank[id(rank)] if own is None else own for rank, own in entries], dtype=np.float64)
    empty = np.isnan(rating)
    mean = float(rating[~empty].mean())
    rating[empty] = _means(rating, schedule.pool, mean)[schedule.pool[empty]]
    for player in np.flatnonzero(empty & (schedule.pool >= 0)).tolist():
        entries[player] = (None, float(rating[player]))
    return Anchors(rating, entries, mean, ranked=True)


def _means(rating: Floats, pool: Ints, otherwise: float) -> Floats:
    """Return the mean rating of each pool, 0 for one without ratings; the last is for players without games."""
    inside = ~np.isnan(rating) & (pool >= 0)
    count = int(pool.max(initial=-1)) + 1
    size = np.bincount(pool[inside], minlength=count)
    return np.append(np.bincount(pool[inside], rating[inside], minlength=count) / np.maximum(size, 1), otherwise)


def by_terms(schedule: Schedule, entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries, where players without rank and rating enter by the terms of their first rated game.

    That is the rank that the opponent declared for this game, else entered with, less the stones received, or more the
    stones given. Against an opponent without a rank the entry stays empty.
    """
    given = list(entries)
    empty = [player for player in schedule.coming.tolist() if given[player][0] is None and given[player][1] is None]
    nobody_declares = all(ranks == [None] for ranks, _ in schedule.ledger.arrays.declared)
    nobody_declared = schedule.past is None or bool(np.isnan(schedule.past.entry_stones()).all())
    if not empty or (len(empty) == len(schedule.coming) and nobody_declares and nobody_declared):
        return given
    first = schedule.first_game
    players = np.array(empty, dtype=np.int64)
    players = players[(first[players] >= 0) & (first[players] < len(schedule.ledger))]
    players = players[np.lexsort((players, first[players]))]
    made: dict[tuple[int, float], Entry] = {}  # by the object that a rank is and the terms, which are few
    for player, opponent, declared, worth in _first_terms(schedule, players, first[players]):
        rank = declared or given[opponent][0]
        if rank is None:
            stones = _stones_in_the_past(schedule.past, opponent)
            given[player] = (None if math.isnan(stones) else Rank.at(stones - worth)), None
        elif (entry := made.get((id(rank), worth))) is not None:
            given[player] = entry
        else:
            given[player] = made[id(rank), worth] = Rank.at(rank.stones - worth), None
    return given


def _first_terms(schedule: Schedule, players: Ints, games: Ints) -> Iterator[tuple[int, int, Rank | None, float]]:
    """Yield player, opponent, rank that the opponent declares, and stones that the terms are worth to the player.

    Args:
        schedule: Of the games.
        players: Some of them, shape (some,).
        games: The first rated game of each, by index, shape (some,).
    """
    ledger = schedule.ledger
    black, white = (side[games].astype(np.int64) for side in ledger.arrays.seats)
    is_white = white == players
    opponents = np.where(is_white, black, white)
    (black_ranks, black_number), (white_ranks, white_number) = ledger.arrays.declared
    places = np.where(is_white, black_number[games], len(black_ranks) + white_number[games].astype(np.int64))
    ranks = [*black_ranks, *white_ranks]
    different, number = ledger.arrays.different_terms()
    worths = [min(max(advantage(handicap, komi), -MOST_STONES), MOST_STONES) for handicap, komi, _ in different]
    worth = np.where(ledger.arrays.colours_known[games], np.array(worths, dtype=np.float64)[number[games]], 0.0)
    signed = np.where(is_white, -worth, worth)
    declared = map(ranks.__getitem__, places.tolist())
    return zip(players.tolist(), opponents.tolist(), declared, signed.tolist(), strict=True)


def _stones_in_the_past(past: ReplayState | None, player: int) -> float:
    """Return where a player's rank at an entry in the past stands, NaN for none."""
    if past is None or not past.entered[player]:
        return math.nan
    return float(past.entry_stones()[player])
