"""Players of a ledger who may be one person under two spellings; a person decides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from handan.errors import Clause
from handan.ledger.identity import unlabelled
from handan.ledger.name_folding import damaged, folded, words
from handan.ranks import Rank

if TYPE_CHECKING:
    from handan.ledger.facts import Player
    from handan.ledger.ledger import Ledger

ENOUGH = 87.0  # our choice: likeness in percent from which a pair is proposed
AT_ONCE = 256  # our choice: names compared with all others in one piece, which bounds the memory
SAME_WORDS = 100.0
"""Likeness in percent of names of the same words, whatever their order, marks and capitals."""
MOST_BEARERS = 8  # our choice: players of one name, each with a number; more of them are namesakes
FAR = 4  # our choice: stones between declared ranks from which they speak against one person


class Alike(NamedTuple):
    """Two names that are like each other."""

    one: str
    other: str
    likeness: float
    """In percent."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Two players who may be one."""

    first: str
    """The name with more games; of as many, the one with a rank or rating set by hand."""
    second: str
    likeness: float
    """Of the names, in percent."""
    evidence: tuple[str, ...]
    """What else speaks for it, or against it."""


@dataclass(frozen=True, slots=True)
class _Trace:
    """What the games say of a player."""

    games: int
    opponents: frozenset[str]
    events: frozenset[str]
    rank: Rank | None


def candidates(
    ledger: Ledger, enough: float = ENOUGH, apart: Iterable[tuple[str, str]] = (), also: Iterable[Player] = (),
    pairs: Iterable[Alike] | None = None,
) -> list[Candidate]:  # fmt: skip
    """Return pairs of players with like names, the likest first.

    Players with different numbers of one register are proposed where their names are the same words, as one person who
    was given two numbers; players who met over the board, and names with lost characters, never are.

    Args:
        ledger: The games.
        enough: Likeness of names, in percent, from which a pair is proposed.
        apart: Pairs of names or ids about which a person has decided that they are two.
        also: Players with what is known of them, who are in the ledger's games and adjustments or not.
        pairs: What `like_players` returns for all of these players, where it was worked out before.
    """
    players = {player.name: player for player in (*ledger.players, *also)}
    bare = {name: unlabelled(player) for name, player in players.items()}
    pairs = like_players(bare, enough) if pairs is None else list(pairs)
    adjusted = {item.player for item in ledger.adjustments}
    nothing = _Trace(0, frozenset(), frozenset(), None)
    decided = {frozenset(pair) for pair in apart}
    traces = _traces(ledger, {name for pair in pairs for name in pair[:2]})
    proposed = []
    for one, other, likeness in pairs:
        a, b = sorted(
            (players[one], players[other]),
            key=lambda player: (-traces.get(player.name, nothing).games, player.name not in adjusted, player.name),
        )
        first, second = (traces.get(player.name, nothing) for player in (a, b))
        if decided & {frozenset((x, y)) for x in (a.name, a.id) for y in (b.name, b.id)}:
            continue
        two_numbers = _register(a.id) == _register(b.id) != ""
        if (two_numbers and likeness < SAME_WORDS) or b.name in first.opponents:
            continue
        evidence = [Clause.of("two numbers: {one}, {other}", one=a.id, other=b.id)] if two_numbers else []
        evidence += [*_same_country(a.country, b.country), *_same_club(a.club, b.club)]
        evidence += _spelling(unlabelled(a), unlabelled(b)) + _evidence(first, second)
        proposed.append(Candidate(a.name, b.name, likeness, tuple(evidence)))
    return sorted(proposed, key=lambda pair: (-pair.likeness, pair.first, pair.second))


def like_players(names: Mapping[str, str], enough: float = ENOUGH) -> list[Alike]:
    """Return the pairs of players, by what tells namesakes apart, whose names are like each other."""
    bearers: dict[str, list[str]] = defaultdict(list)
    for label, name in names.items():
        bearers[name].append(label)
    few = {name: bearing for name, bearing in bearers.items() if len(bearing) <= MOST_BEARERS}
    pairs = [Alike(a, b, SAME_WORDS) for name, bearing in few.items() if not damaged(name)
             for a, b in combinations(bearing, 2)]  # fmt: skip
    for one, other, likeness in like_names(few, enough):
        pairs += [Alike(a, b, likeness) for a in few[one] for b in few[other]]
    return pairs


def like_names(names: Iterable[str], enough: float = ENOUGH) -> list[Alike]:
    """Return the pairs of names that are like each other, each pair once, without names that have lost characters.

    `enough` is the likeness from which a pair is taken, in percent of `2 * common letters in order / all letters`.
    """
    from rapidfuzz import fuzz, process

    whole = sorted({name for name in names if not damaged(name)}, key=lambda name: (len(words(name)), name))
    keys = [words(name) for name in whole]
    pairs = []
    for first in range(0, len(keys), AT_ONCE):
        rows, columns = keys[first : first + AT_ONCE], keys[first:]
        scores = process.cdist(rows, columns, scorer=fuzz.ratio, score_cutoff=enough, dtype=np.float32)
        for one, other in zip(*np.nonzero(np.triu(scores, 1)), strict=True):
            pairs.append(Alike(whole[first + one], whole[first + other], round(float(scores[one, other]), 1)))
    return pairs


def _register(number: str) -> str:
    """Return the register of an id: `egd` of `egd:17076590`, `#` of a bare number, nothing without an id."""
    register, colon, _ = number.partition(":")
    return register if colon else "#" * bool(number)


def _same_country(one: str, other: str) -> list[Clause]:
    if not one or not other:
        return []
    if one.casefold() == other.casefold():
        return [Clause.of("same country {name}", name=one)]
    return [Clause.of("another country: {one}, {other}", one=one, other=other)]


def _same_club(one: str, other: str) -> list[Clause]:
    if not one or not other:
        return []
    if one.casefold() == other.casefold():
        return [Clause.of("same club {name}", name=one)]
    return [Clause.of("another club: {one}, {other}", one=one, other=other)]


def _spelling(one: str, other: str) -> list[Clause]:
    if one == other:
        return []
    if folded(one) == folded(other):
        return [Clause.of("same letters without marks and capitals")]
    return [Clause.of("same words in another order")] if words(one) == words(other) else []


def _evidence(one: _Trace, other: _Trace) -> list[Clause]:
    evidence = []
    if one.rank and other.rank:
        ranks = {"one": one.rank, "other": other.rank}
        far = abs(one.rank.stones - other.rank.stones) >= FAR
        evidence.append(
            Clause.of("ranks far apart: {one}, {other}", **ranks)
            if far
            else Clause.of("ranks: {one}, {other}", **ranks)
        )
    if both := sorted(one.events & other.events):
        evidence.append(Clause.of("both played in {event}", event=both[0]))
    if common := len(one.opponents & other.opponents):
        one_only = Clause.of("{number} common opponent", number=common)
        evidence.append(one_only if common == 1 else Clause.of("{number} common opponents", number=f"{common:,}"))
    return evidence


def _traces(ledger: Ledger, names: Collection[str]) -> dict[str, _Trace]:
    """Return what the games say of some players."""
    wanted = pl.Series(list(names), dtype=pl.String)
    sides = [
        ledger.games.select(
            player=pl.col(side).cast(pl.String),
            opponent=pl.col(other).cast(pl.String),
            event="event",
            rank=f"{side}_rank",
        ).filter(pl.col("player").is_in(wanted.implode()))
        for side, other in (("black", "white"), ("white", "black"))
    ]
    rows: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for player, opponent, event, rank in pl.concat(sides).iter_rows():
        rows[player].append((opponent, event, rank))
    return {player.name: _trace(rows[player.name]) for player in ledger.players if player.name in names}


def _trace(rows: list[tuple[str, str, str]]) -> _Trace:
    """Return what the games of one player leave to compare; `rows` are opponent, event and declared rank of each."""
    ranks = [rank for _, _, rank in rows if rank]
    return _Trace(
        games=len(rows),
        opponents=frozenset(opponent for opponent, _, _ in rows),
        events=frozenset(event for _, event, _ in rows if event),
        rank=Rank.parse(ranks[-1].rstrip("?*")) if ranks else None,
    )
