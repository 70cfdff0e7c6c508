"""Ranks of one organisation as ranks of another: dated tables, looked up and never interpolated.

Source: Rank - worldwide comparison (Sensei's Library, snapshot of 2009-07-15), as far as Japan 6d; statements of 2021
from the OGS forum; the piecewise-linear maps of the Dragon Go Server (2012).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from handan.errors import InputError, closest, shown
from handan.ranks import Rank

DATE = "2009-07-15"
TABLE = """
Japan  China  Korea  Europe  AGA  KGS  IGS  ORO     DGS  OGS
25k    28k    30k    28k     26k  20k  BC   25-21k  -    -
24k    27k    29k    27k     25k  19k  BC   25-21k  -    -
23k    26k    28k    26k     24k  18k  BC   25-21k  -    -
22k    25k    27k    25k     23k  17k  BC   25-21k  -    -
21k    24k    26k    24k     22k  16k  BC   25-21k  25k  -
20k    23k    25k    23k     21k  16k  BC   25-21k  24k  -
19k    22k    24k    22k     19k  16k  BC   25-21k  23k  -
18k    21k    23k    21k     18k  15k  BC   25-19k  22k  -
17k    20k    22k    20k     17k  15k  BC   24-18k  21k  -
16k    19k    21k    19k     16k  14k  BC   23-17k  20k  16k
15k    18k    20k    18k     15k  13k  BC   21-16k  19k  15k
14k    17k    19k    17k     14k  12k  17k  20-15k  18k  14k
14k    17k    19k    17k     13k  12k  16k  19-14k  17k  13k
13k    16k    18k    16k     12k  11k  15k  18-13k  16k  12k
12k    15k    17k    15k     11k  10k  14k  18-13k  15k  12k
11k    14k    16k    14k     10k  9k   13k  17-12k  14k  11k
11k    13k    15k    14k     9k   9k   13k  17-12k  13k  10k
10k    12k    14k    13k     8k   8k   12k  16-11k  12k  9k
9k     11k    13k    12k     7k   7k   11k  15-10k  11k  8k
8k     10k    12k    11k     6k   6k   10k  14-9k   10k  8k
7k     9k     11k    10k     6k   6k   9k   13-8k   9k   7k
6k     8k     10k    9k      5k   5k   8k   12-7k   8k   7k
5k     7k     9k     8k      5k   5k   7k   11-6k   7k   6k
4k     6k     8k     7k      4k   4k   6k   10-5k   6k   6k
3k     5k     7k     6k      3k   4k   5k   9-4k    5k   5k
2k     4k     6k     5k      2k   3k   4k   8-3k    4k   5k
1k     3k     5k     4k      1k   2k   3k   6-2k    3k   4k
1d     2k     4k     3k      1d   1k   2k   4-1k    2k   3k
2d     1k     3k     2k      2d   1d   1k   2k-2d   1k   2k
3d     1d     2k     1k      3d   2d   1d   1-4d    1d   1k-1d
4d     2d     1k     1d      4d   3d   2d   2-5d    2d   2d
4d     3d     1d     2d      5d   4d   3d   3-6d    3d   3-4d
5d     4d     2d     3d      6d   5d   4d   4-6d    4d   5d
5d     4d     3d     4d      6d   5d   5d   5-6d    4d   -
6d     5d     4d     5d      7d   6d   6d   6-7d    5d   -
6d     5d     5d     6d      8d   7d   7d   7d      -    -
"""
"""Rows from weak to strong; BC is a beginner class, - was blank or cut."""

ALIASES = {"egf": "Europe", "egd": "Europe", "pandanet": "IGS", "cyberoro": "ORO", "usa": "AGA"}
SYSTEMS = {
    "egf": "Europe",
    "egf-classic": "Europe",
    "aga": "AGA",
    "kgs": "KGS",
    "igs": "IGS",
    "dgs": "DGS",
    "ogs": "OGS",
}
"""Whose ranks the ratings of a system give."""
LATER = {
    frozenset({"OGS", "Europe"}): "in 2021 OGS 1d was about 0.7 stone weaker than European 1d",
    frozenset({"OGS", "AGA"}): "in 2021 OGS 1d was about 0.8 stone stronger than AGA 1d",
    frozenset({"Europe", "AGA"}): "in 2021 a European low dan was about 1.5 stones stronger than the same AGA rank",
}
"""Statements made after the table was."""
CHANGED = {
    "OGS": "OGS changed its scale in 2010, 2017, 2020 and 2021",
    "Europe": "European ratings were recomputed in 2021",
}
DGS_DATE = "2012"
DGS_MAPS = {
    "IGS": ((200, 100), (700, 600), (800, 800), (1300, 1300), (1400, 1300), (2400, 2300)),
    "KGS": ((100, -700), (600, 0), (1400, 1000), (1500, 1200), (2400, 2200), (2700, 2600)),
}
"""Knots (foreign, DGS) of the server's own maps; 100 a rank, 1d = 2100."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a dated table says about one rank."""

    rank: str
    source: str
    target: str
    low: str
    """The lowest and the highest rank that the rows allow."""
    high: str
    rows: int
    """Rows of the table that bear the rank."""
    date: str
    """Date of the table."""
    notes: tuple[str, ...]
    """What is known to have changed since, and how sure the answer is."""

    @property
    def range(self) -> str:
        """The answer: one rank, or from the lowest to the highest."""
        return self.low if self.low == self.high else f"{self.low} to {self.high}"

    @property
    def text(self) -> str:
        """The answer in one line, with its date."""
        return f"{self.source} {self.rank} is {self.target} {self.range} (table of {self.date})"

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name, and `text`."""
        return {**asdict(self), "text": self.text}


def _rows() -> list[dict[str, str]]:
    """Return the table's rows by organisation."""
    header, *rows = TABLE.strip().splitlines()
    return [dict(zip(header.split(), row.split(), strict=True)) for row in rows]


ROWS = _rows()
ORGANISATIONS = tuple(ROWS[0])


def organisation(name: str) -> str:
    """Return the table's name of an organisation; InputError if it has none."""
    by_name = {by_name.lower(): by_name for by_name in ORGANISATIONS} | ALIASES
    if name.lower() not in by_name:
        raise InputError(
            f"organisation {shown(name)} is not one of {', '.join(ORGANISATIONS)}{closest(name.lower(), list(by_name))}"
        )
    return by_name[name.lower()]


def compared(rank: Rank, source: str, targets: Iterable[str]) -> list[Comparison]:
    """Return what the table says for each target that it reaches; InputError if it reaches none."""
    answers, faults = [], []
    for target in targets:
        try:
            answers.append(compare(rank, source, target))
        except InputError as fault:
            faults.append(fault)
    if not answers:
        raise faults[0]
    return answers


def span(cell: str) -> tuple[Rank, Rank] | None:
    """Return the weakest and the strongest rank of a cell such as `5k`, `25-21k` or `1k-1d`; None where it has none."""
    if not any(character.isdecimal() for character in cell):
        return None
    first, _, last = cell.partition("-")
    high = Rank.parse(last or first)
    low = Rank.parse(first if not first.isdecimal() else first + high.grade.value)
    return min(low, high), max(low, high)


def compare(rank: Rank, source: str, target: str) -> Comparison:
    """Return the range of the target's ranks over all rows that bear a rank of the source.

    InputError where the table does not reach; nothing is interpolated.
    """
    source, target = organisation(source), organisation(target)
    spans = [(span(row[source]), span(row[target])) for row in ROWS]
    bearing = [answer for own, answer in spans if own and own[0] <= rank <= own[1]]
    ranges = [answer for answer in bearing if answer]
    if not ranges:
        borne = [own for own, answer in spans if own and answer]
        reach = f"{min(own[0] for own in borne)} to {max(own[1] for own in borne)}"
        raise InputError(f"{source} {rank} has no {target} rank in the table of {DATE}; it reaches from {reach}")
    low, high = min(answer[0] for answer in ranges), max(answer[1] for answer in ranges)
    return Comparison(
        str(rank), source, target, str(low), str(high), len(bearing), DATE, tuple(_notes(rank, source, target))
    )


def _notes(rank: Rank, source: str, target: str) -> list[str]:
    """Return what the reader must know beside the answer."""
    notes = ["approximate: organisations drift, and players of one rank differ by a stone or more"]
    notes += [note for name, note in CHANGED.items() if name in {source, target}]
    if frozenset({source, target}) in LATER:
        notes.append(LATER[frozenset({source, target})])
    if target == "DGS" and source in DGS_MAPS:
        value = dgs_rating(rank.elo, source)
        notes.append(f"the server's own map of {DGS_DATE} gives {value:g}, {Rank.at(31.0 + (value - 2100.0) / 100.0)}")
    return notes


def dgs_rating(rating: float, source: str) -> float:
    """Return the Dragon Go Server's rating (1d = 2100, 100 a rank) for one of IGS or KGS on the same scale.

    Linear between the knots of the server's map, and beyond its ends at one for one.
    """
    knots = DGS_MAPS[source]
    if rating <= knots[0][0]:
        return knots[0][1] + rating - knots[0][0]
    for (left, low), (right, high) in pairwise(knots):
        if rating <= right:
            return low + (rating - left) * (high - low) / (right - left)
    return knots[-1][1] + rating - knots[-1][0]
