"""What may be wrong with the rows of a club's own card: differences left out, and help that falls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from handan.handicaps.card_law import CardRow


class Irregularity(NamedTuple):
    """Two rows that follow one another and do not fit."""

    kind: Literal["gap", "less"]
    """`gap`: differences between them stand nowhere; `less`: the later one gives Black less help."""
    earlier: CardRow
    later: CardRow


def irregularities(rows: Sequence[CardRow]) -> Iterator[Irregularity]:
    """Go through what does not fit in rows by rising difference."""
    per_stone = _points_per_stone(rows)
    for earlier, later in pairwise(rows):
        if later.difference != earlier.difference + 1:
            yield Irregularity("gap", earlier, later)
        if _helps_less(earlier, later, per_stone):
            yield Irregularity("less", earlier, later)


def _points_per_stone(rows: Sequence[CardRow]) -> int:
    """Return the widest run of differences with the same stones; the last run, whose end is unknown, does not count."""
    starts = [next(run).difference for _, run in groupby(rows, key=lambda row: row.free_stones)]
    return max((later - earlier for earlier, later in pairwise(starts)), default=1)


def _helps_less(earlier: CardRow, later: CardRow, per_stone: int) -> bool:
    if (earlier.komi is None) != (later.komi is None):
        return later.free_stones < earlier.free_stones
    return later.help(per_stone) < earlier.help(per_stone)
