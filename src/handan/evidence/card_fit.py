"""What stones and komi are worth in one's own games, and the points card that follows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from handan.errors import InputError, counted
from handan.evidence.evaluation_task import countable
from handan.evidence.groups import wilson
from handan.evidence.intervals import NORMAL
from handan.evidence.terms_fit import Fit, Nodes, entry_levels, fitted, nodes_of
from handan.handicaps import MOST_STONES, Card, CardRow
from handan.handicaps.card_law import JIGO, make_row
from handan.kernels.types import Floats, Ints
from handan.ledger import Ledger
from handan.systems.families.paired_comparison import UNIT

MOST_GAMES = 200_000  # the newest; our choice: more would not make a card surer
FEWEST_GAMES = 100  # our choice: below it nothing is tried
FEWEST_OF_A_KIND = 20  # our choice: games at a number of stones from which its own worth is sought
CUSTOMARY_STONE = 13.0  # points; only the level by terms hangs on it, and it is scaled by the games
ROUND_KOMI = 0.5
Interval = tuple[float, float]
Bands = tuple[tuple[str, float, float], ...]
BANDS: Bands = (
    ("below 20k", -math.inf, 11.0), ("20k to 11k", 11.0, 21.0), ("10k to 1k", 21.0, 31.0), ("dan", 31.0, math.inf),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Worth:
    """A quantity, and its 95 % interval; None where the games do not bound it."""

    value: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Stones:
    """What one handicap was worth."""

    handicap: int
    games: int
    white_score: float
    interval: Interval
    """Of White's score (Wilson's)."""
    elo: Worth | None
    """Worth of the free stones; None with too few games."""
    points: Worth | None
    """The same in points of komi."""


@dataclass(frozen=True, slots=True)
class AtLevel:
    """What a free stone was worth among players of some ranks."""

    level: str
    games: int
    stone: Worth
    """Elo."""


@dataclass(frozen=True)
class CardFit:
    """What the games say of a points card."""

    games: int
    stone: Worth
    """Elo of a free stone, all alike."""
    point: Worth
    """Elo of a point of komi."""
    per_stone: Worth
    """Points of komi in a free stone."""
    fair_komi: Worth
    stones: tuple[Stones, ...]
    levels: tuple[AtLevel, ...]
    alike: bool
    """Whether all stones may be worth the same."""
    card: Card | None
    """The card that follows; None where the games know too little of komi."""
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data; the card as its rows."""
        own = asdict(self) | {"card": None if self.card is None else [asdict(row) for row in self.card.rows()]}
        return own | {"verdicts": list(verdicts(self, None))}


class _Games(NamedTuple):
    """The games that are read, and what is known of them."""

    ledger: Ledger
    at: Ints
    nodes: Nodes
    free: Floats
    komi: Floats
    score: Floats
    level: Floats
    """Black's level by terms less White's."""


def fit_card(ledger: Ledger, *, progress: Callable[[str, int, int], None] | None = None) -> CardFit:
    """Find what stones and komi are worth in the games of a ledger, and the card that follows.

    Args:
        ledger: The games; those on 19x19 with known colours, a result by play and at most nine stones are read.
        progress: Called with a text, parts done and parts in all (0: not known).

    Raises:
        InputError: Where there are too few games, or none with stones.
    """
    games, notes = _read(ledger)
    kinds = [
        handicap
        for handicap in range(2, MOST_STONES + 1)
        if int((games.free == handicap - 1).sum()) >= FEWEST_OF_A_KIND
    ]
    if not kinds:
        raise InputError(f"no number of stones was given in {FEWEST_OF_A_KIND} games, so no stone's worth can be found")
    columns = [np.where(games.free == handicap - 1, 1.0, 0.0) for handicap in kinds]
    others = np.where(np.isin(games.free, [handicap - 1 for handicap in kinds]), 0.0, games.free)
    shared = [others, -games.komi, np.ones(len(games.at)), games.level]
    rounds = _rounds(progress, "worth of stones and komi")
    fit = fitted(games.nodes, np.stack([*columns, *shared], axis=1), games.score, progress=rounds)
    levels = _levels(games, fit, _rounds(progress, "worth of a stone by level"))
    return _answer(games, kinds, fit, levels, notes)


def _rounds(progress: Callable[[str, int, int], None] | None, text: str) -> Callable[[int], None] | None:
    """Return a function that reports the round of a fit; nobody knows beforehand how many rounds it takes."""
    return None if progress is None else lambda number: progress(f"{text}, round {number}", 0, 0)


def _read(ledger: Ledger) -> tuple[_Games, list[str]]:
    """Return the games that say something of terms."""
    usable = countable(ledger) & ledger.arrays.colours_known & (ledger.arrays.handicap <= MOST_STONES)
    at = np.flatnonzero(usable)
    notes = [
        f"{counted(len(ledger) - len(at), 'game')} not read: without colours, a result by play, or on other boards"
    ]
    notes = notes * (len(at) < len(ledger))
    if len(at) > MOST_GAMES:
        notes.append(f"only the newest {MOST_GAMES:,} games are read")
        at = at[-MOST_GAMES:]
    if len(at) < FEWEST_GAMES:
        raise InputError(f"{counted(len(at), 'game')} cannot tell what a card should be; give {FEWEST_GAMES} or more")
    stones, komi = ledger.arrays.stones[at], ledger.arrays.komi_or()[at]
    day = ledger.arrays.day[at] if ledger.arrays.dated.any() else np.zeros(len(at), dtype=np.int64)
    nodes = nodes_of(ledger.arrays.black[at], ledger.arrays.white[at], day)
    free = np.maximum(stones - 1, 0).astype(np.float64)
    black, white = ledger.arrays.black[at], ledger.arrays.white[at]
    level = entry_levels(black, white, CUSTOMARY_STONE * free - komi)
    return _Games(ledger, at, nodes, free, komi, ledger.arrays.score[at], level[black] - level[white]), notes


def _levels(games: _Games, fit: Fit, progress: Callable[[int], None] | None) -> tuple[AtLevel, ...]:
    """Return the worth of a stone by the ranks that both players declared, where they did."""
    ranks = games.ledger.arrays.by_rank(lambda rank: np.nan if rank is None else rank.stones)[games.at].mean(axis=1)
    bands = [
        (name, mine)
        for name, low, high in BANDS
        if int(((mine := (ranks >= low) & (ranks < high)) & (games.free > 0)).sum()) >= FEWEST_GAMES
    ]
    if not bands:
        return ()
    rest = ~np.any([mine for _, mine in bands], axis=0)
    parts = [mine for _, mine in bands] + ([rest] if rest.any() else [])
    columns = [np.where(mine, values, 0.0) for mine in parts for values in (games.free, games.level)]
    columns += [-games.komi, np.ones(len(games.at))]
    fit = fitted(games.nodes, np.stack(columns, axis=1), games.score, fit, progress)
    return tuple(
        AtLevel(name, int((mine & (games.free > 0)).sum()), _elo(fit, np.eye(len(columns))[2 * place]))
        for place, (name, mine) in enumerate(bands)
    )


def _answer(games: _Games, kinds: list[int], fit: Fit, levels: tuple[AtLevel, ...], notes: list[str]) -> CardFit:
    """Return what the worths say."""
    count = len(kinds)
    free = np.array([handicap - 1.0 for handicap in kinds])
    unit = np.eye(count + 4)
    point, fair = unit[count + 1], unit[count + 2]
    alike, excess = _as_one(fit, free)
    rows = []
    for handicap in range(MOST_STONES + 1):
        mine = games.ledger.arrays.stones[games.at] == handicap
        if mine.any():
            white = 1.0 - float(games.score[mine].mean())
            one = unit[kinds.index(handicap)] if handicap in kinds else None
            rows.append(
                Stones(
                    handicap,
                    int(mine.sum()),
                    white,
                    wilson(white, int(mine.sum())),
                    None if one is None else _elo(fit, one),
                    None if one is None else ratio(fit, one, point),
                )
            )
    stone, own_point, per_stone = _elo(alike, np.eye(4)[0]), _elo(fit, point), ratio(alike, *np.eye(4)[:2])
    komi = ratio(fit, fair, point)
    regular = not excess
    card = _card(per_stone, komi, tuple(rows), regular=regular)
    if card is None:
        notes.append(
            "the games know too little of what a point of komi is worth, so no card follows: play some with other komi"
        )
    return CardFit(
        len(games.at), stone, own_point, per_stone, komi, tuple(rows), levels, regular, card, tuple(notes)
    )  # fmt: skip


def _as_one(fit: Fit, free: Floats) -> tuple[Fit, bool]:
    """Return the fit with all stones alike (least squares), and whether that is more than chance allows (at 5 %)."""
    count = len(free)
    back = np.zeros((len(fit.value), 4))
    back[:count, 0] = free
    # the column of other handicaps is a stone too
    back[count, 0] = 1.0
    back[count + 1 :, 1:] = np.eye(3)
    precision = np.linalg.inv(fit.covariance)
    covariance = np.asarray(np.linalg.inv(back.T @ precision @ back), dtype=np.float64)
    value = covariance @ back.T @ precision @ fit.value
    rest = fit.value - back @ value
    excess = float(rest @ precision @ rest)
    degrees = max(count - 1, 1)
    # E. Wilson and M. Hilferty (1931): the 95 % quantile of chi-square
    limit = degrees * (1.0 - 2.0 / (9.0 * degrees) + 1.6449 * math.sqrt(2.0 / (9.0 * degrees))) ** 3
    return replace(fit, value=value, covariance=covariance), count > 1 and excess > limit


def _elo(fit: Fit, weights: Floats) -> Worth:
    """Return a sum of worths in Elo."""
    value, half = float(weights @ fit.value), NORMAL * math.sqrt(float(weights @ fit.covariance @ weights))
    return Worth(UNIT * value, (UNIT * (value - half), UNIT * (value + half)))


def ratio(fit: Fit, over: Floats, under: Floats) -> Worth:
    """Return the ratio of two worths with its interval by E. Fieller (1954); None where the lower one may be 0."""
    a, b = float(over @ fit.value), float(under @ fit.value)
    z2 = NORMAL * NORMAL
    v_a, v_b, both = (
        float(one @ fit.covariance @ other) for one, other in ((over, over), (under, under), (over, under))
    )
    bottom = b * b - z2 * v_b
    if bottom <= 0.0 or b <= 0.0:
        return Worth(a / b if b else math.nan, None)
    middle = (a * b - z2 * both) / bottom
    half = math.sqrt(max(middle * middle - (a * a - z2 * v_a) / bottom, 0.0))
    return Worth(a / b, (middle - half, middle + half))


def _card(per_stone: Worth, komi: Worth, rows: tuple[Stones, ...], *, regular: bool) -> Card | None:
    """Return the card that follows, None where too little is known."""
    if per_stone.interval is None or komi.interval is None or per_stone.value < 1.0:
        return None
    each, top = round(per_stone.value), round(komi.value / ROUND_KOMI) * ROUND_KOMI
    own = {row.handicap - 1: row.points.value for row in rows if row.points is not None and not regular}
    begins = [0]
    for free in range(1, MOST_STONES):
        due = own.get(free, begins[-1] + per_stone.value)
        begins.append(max(round(due) if own else free * each, begins[-1] + 1))
    listed = tuple(_row(difference, begins, top) for difference in range(begins[-1] + each))
    return Card(
        "fitted", f"{each} points a stone, from games", "handan fit-card", None, None, count="nigiri", listed=listed
    )  # fmt: skip


def _row(difference: int, begins: list[int], top: float) -> CardRow:
    """Return the terms at a difference: the stones whose column has begun, and a point of komi for each point."""
    free = sum(begin <= difference for begin in begins) - 1
    return make_row(difference, 0 if difference == 0 else free + 1, free, top - (difference - begins[free]), JIGO)


def verdicts(answer: CardFit, own: Card | None) -> tuple[str, ...]:
    """Return in words what is wrong with the terms that were given, and with a club's own card."""
    lines = []
    each = answer.per_stone
    if own is not None and own.points_per_stone is not None and each.interval is not None:
        low, high = each.interval
        inside = low <= own.points_per_stone <= high
        lines.append(
            f"{own.name} has {own.points_per_stone} points a stone; these games say {each.value:.1f}"
            f" ({low:.1f} to {high:.1f}): " + ("it may be right" if inside else "it is not right here")
        )
    for row in answer.stones:
        low, high = row.interval
        if row.games >= FEWEST_OF_A_KIND and not low <= 0.5 <= high:
            half, side = 50.0 * (high - low), "little" if row.white_score > 0.5 else "much"
            stones = "in even games" if row.handicap == 0 else f"at {row.handicap} stone" + "s" * (row.handicap > 1)
            lines.append(
                f"Black gets too {side} {stones}: White won {100.0 * row.white_score:.0f} % ± {half:.0f}"
                f" of {counted(row.games, 'game')}"
            )
    return tuple(lines)
