"""Players of a ledger who may be one person under two spellings; a person decides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from handan.ledger.facts import Player
from handan.ledger.ledger import Ledger
from handan.ledger.names import damaged, folded, words
from handan.ranks import Rank

ENOUGH = 87.0  # our choice: likeness in percent from which a pair is proposed
AT_ONCE = 512  # our choice: players compared with all others in one piece, which bounds the memory
FAR = 4  # our choice: stones between declared ranks from which they speak against one person


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
    ledger: Ledger, enough: float = ENOUGH, apart: Iterable[tuple[str, str]] = (), also: Iterable[Player] = ()
) -> list[Candidate]:
    """Return pairs of players with like names, the likest first.

    Players with different numbers of one register, players who met over the board, and names with lost characters are
    never proposed.

    Args:
        ledger: The games.
        enough: Likeness of names, in percent, from which a pair is proposed.
        apart: Pairs of names or ids about which a person has decided that they are two.
        also: Players who are in the ledger's games and adjustments or not.
    """
    everybody = {player.name: player for player in (*also, *ledger.players)}
    players = [player for name, player in sorted(everybody.items()) if not damaged(name)]
    adjusted = {item.player for item in ledger.adjustments}
    nothing = _Trace(0, frozenset(), frozenset(), None)
    decided = {frozenset(pair) for pair in apart}
    traces = _traces(ledger)
    proposed = []
    for one, other, likeness in _alike([player.name for player in players], enough):
        a, b = sorted(
            (players[one], players[other]),
            key=lambda player: (-traces.get(player.name, nothing).games, player.name not in adjusted, player.name),
        )
        first, second = (traces.get(player.name, nothing) for player in (a, b))
        if decided & {frozenset((x, y)) for x in (a.name, a.id) for y in (b.name, b.id)}:
            continue
        if _register(a.id) == _register(b.id) != "" or b.name in first.opponents:
            continue
        evidence = [*_same(a.country, b.country, "country"), *_same(a.club, b.club, "club")]
        evidence += _spelling(a.name, b.name) + _evidence(first, second)
        proposed.append(Candidate(a.name, b.name, likeness, tuple(evidence)))
    return sorted(proposed, key=lambda pair: (-pair.likeness, pair.first, pair.second))


def _alike(names: list[str], enough: float) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs whose names are like each other, each pair once."""
    from rapidfuzz import fuzz, process

    keys = [words(name) for name in names]
    for start in range(0, len(keys), AT_ONCE):
        part = keys[start : start + AT_ONCE]
        scores = process.cdist(part, keys[start:], scorer=fuzz.ratio, score_cutoff=enough, dtype=np.float32)
        for row, column in np.argwhere(scores > 0):
            if row < column:
                yield start + int(row), start + int(column), round(float(scores[row, column]), 1)


def _register(number: str) -> str:
    """Return the register of an id: `egd` of `egd:17076590`, `#` of a bare number, nothing without an id."""
    register, colon, _ = number.partition(":")
    return register if colon else "#" * bool(number)


def _same(one: str, other: str, what: str) -> list[str]:
    if not one or not other:
        return []
    return [f"same {what} {one}"] if one.casefold() == other.casefold() else [f"another {what}: {one}, {other}"]


def _spelling(one: str, other: str) -> list[str]:
    if folded(one) == folded(other):
        return ["same letters without marks and capitals"]
    return ["same words in another order"] if words(one) == words(other) else []


def _evidence(one: _Trace, other: _Trace) -> list[str]:
    evidence = []
    if one.rank and other.rank:
        far = abs(one.rank.stones - other.rank.stones) >= FAR
        evidence.append(f"{'ranks far apart' if far else 'ranks'}: {one.rank}, {other.rank}")
    if both := sorted(one.events & other.events):
        evidence.append(f"both played in {both[0]}")
    if common := len(one.opponents & other.opponents):
        evidence.append(f"{common} common {'opponent' if common == 1 else 'opponents'}")
    return evidence


def _traces(ledger: Ledger) -> dict[str, _Trace]:
    sides = [
        ledger.games.select(
            player=pl.col(side).cast(pl.String),
            opponent=pl.col(other).cast(pl.String),
            event="event",
            rank=f"{side}_rank",
        )
        for side, other in (("black", "white"), ("white", "black"))
    ]
    rows: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for player, opponent, event, rank in pl.concat(sides).iter_rows():
        rows[player].append((opponent, event, rank))
    return {player.name: _trace(rows[player.name]) for player in ledger.players}


def _trace(rows: list[tuple[str, str, str]]) -> _Trace:
    """Return what the games of one player leave to compare; `rows` are opponent, event and declared rank of each."""
    ranks = [rank for _, _, rank in rows if rank]
    return _Trace(
        games=len(rows),
        opponents=frozenset(opponent for opponent, _, _ in rows),
        events=frozenset(event for _, event, _ in rows if event),
        rank=Rank.parse(ranks[-1].rstrip("?*")) if ranks else None,
    )
