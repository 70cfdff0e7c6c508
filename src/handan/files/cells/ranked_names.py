"""Cells of players that hold more than a name: `Ada 3k`, `Lee (5d)` or `山田 初段`, and pairs such as `Ada & Cy`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import polars as pl

from handan.colours import COLOURS, colour_of
from handan.errors import InputError
from handan.ranks import parse_with_flag
from handan.words import plain

LONGEST = 200  # characters; our choice: no name with its rank is longer
MOST_WORDS = 3  # of a rank, such as `3 dan pro`
FARTHEST = 3  # stones; our choice: who stands in one file with ranks farther apart may be two people
BEHIND = re.compile(
    r"(.+?)(?<![\s,])[\s,]*+[(\[{（［【〔「<＜]([^()\[\]{}（）［］【】〔〕「」<>＜＞]+)[)\]}）］】〕」>＞]\s*"
)
GLUED = re.compile(r"(.*?\S)\s*((?:\d{1,2}|[一二三四五六七八九十]{1,3}|[初초])\s?[段級级급단])\s*")
LIKELY = (
    r"(?i)(?:[\s(\[{（［【〔「<＜,/–-](?:\d{1,3}|sho|ni|san|yon|go|roku|nana|shichi|hachi|ku)"
    r"(?:er|e|ème|st|nd|rd|th|\.)?[ -]?(?:k|d|p|geup|gup|кю|дан)|[段級级급단])\D{0,24}$"
)
"""What a name with a rank behind it looks like; it may let others pass."""
PAIR = re.compile(r"[^\W\d_]\s*[&＆/／、]\s*[^\W\d_]|\w\s\+\s\w|[^\W\d_]\s(?:and|und|et)\s[^\W\d_]")
COLOUR = re.compile(r"(?<!\s)\s*+\(([^()]{1,12})\)$")
SEVERAL = "one person; several names stand there, and they are rated as one player"


class Parts(NamedTuple):
    """A cell taken apart."""

    name: str
    rank: str
    """As it is written; empty where there is none."""


@lru_cache(maxsize=20_000)
def parts_of(cell: str) -> Parts:
    """Return the name and the rank behind it in a cell."""
    whole = Parts(cell.strip(), "")
    if len(cell) > LONGEST:
        return whole
    words = cell.split()
    ends: list[tuple[str, ...]] = []
    if match := BEHIND.fullmatch(cell):
        ends += [(match[1], rank) for rank in (match[2], match[2].partition(",")[0])]  # before a club, as in `(3D,Ume)`
    ends += [(" ".join(words[:-count]), " ".join(words[-count:])) for count in range(MOST_WORDS, 0, -1)]
    ends += [match.groups() for match in (GLUED.fullmatch(cell),) if match]
    for before, behind in ends:
        name = before.strip().rstrip(",;:/|·–- ")
        if any(letter.isalpha() for letter in name) and is_rank(behind):
            return Parts(name, behind.strip())
    return whole


def name_and_colour(cell: str, letters: str = "bw") -> tuple[str, str]:
    """Return a name without the colour in brackets behind it, as in `Ada (B)`, and that colour.

    Args:
        cell: As it is written.
        letters: Those of Black and White.
    """
    match = COLOUR.search(cell.strip()) if len(cell) <= LONGEST else None
    colour = match and (colour_of(match[1]) or dict(zip(letters, COLOURS, strict=True)).get(plain(match[1].strip())))
    return (cell.strip()[: match.start()].strip(), colour) if match and colour else (cell, "")


def is_rank(text: str) -> bool:
    """Return whether a text is a rank, and nothing else."""
    try:
        parse_with_flag(text)
    except InputError:
        return False
    return True


def are_several(name: str) -> bool:
    """Return whether a name is of several persons, as in games of pairs."""
    return PAIR.search(name[:LONGEST]) is not None


def ranked(cells: Sequence[str] | pl.Series) -> bool:
    """Return whether most players have a rank behind their name, in one of its cells at least."""
    names = pl.Series(cells, dtype=pl.String)
    names = names.filter(names.str.strip_chars() != "")
    likely = names.filter(names.str.contains(LIKELY)).to_list()
    if 3 * len(likely) <= len(names):  # those without a rank would be more than half of all players
        return False
    parts = [parts_of(name) for name in likely]
    with_rank = {own.name for own in parts if own.rank}
    without = {
        *(own.name for own in parts if not own.rank),
        *names.filter(~names.str.contains(LIKELY)).str.strip_chars(),
    }
    return 2 * len(with_rank) > len(with_rank | without)


def namesakes(
    parts: Mapping[str, Parts], first: pl.Series, second: pl.Series, rounds: pl.Series | None = None
) -> set[str]:
    """Return the names that several people have: their ranks are far apart, or both play in a round.

    Args:
        parts: Name and rank by cell.
        first: The cells of one player, by game.
        second: Those of the other.
        rounds: What tells the round of each game; null where nothing does.
    """
    stones: dict[str, list[float]] = {}
    for own in parts.values():
        if own.rank:
            stones.setdefault(own.name, []).append(parse_with_flag(own.rank)[0].stones)
    apart = {name for name, values in stones.items() if max(values) - min(values) > FARTHEST}
    names = {cell: own.name for cell, own in parts.items()}
    one, other = (side.replace_strict(names, return_dtype=pl.String) for side in (first, second))
    apart |= {*one.filter((one == other) & (first != second))}
    if rounds is None:
        return apart
    seats = pl.concat([pl.DataFrame({"round": rounds, "name": name, "cell": cell})
                       for name, cell in ((one, first), (other, second))])  # fmt: skip
    cells = seats.drop_nulls("round").group_by("round", "name").agg(pl.col("cell").n_unique())
    return apart | {*cells.filter(pl.col("cell") > 1)["name"]}
