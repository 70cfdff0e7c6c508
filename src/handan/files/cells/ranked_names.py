"""Names with a rank behind them in one cell, such as `Ada 3k`, `Lee (5d)` or `山田 初段`, taken apart.

They are where a table has no column of ranks and most of its different names end with one: then no name that only
looks so is touched by chance.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import polars as pl

from handan.errors import InputError, Problem, shown
from handan.files.io.dictionary_encoding import different
from handan.ranks import parse_with_flag

SEATS = (("black", "white"), ("player1", "player2"), ("winner", "loser"))
NAMED_AGAIN = ("winner", "result")
"""Columns in which a player's name may stand once more."""
LONGEST = 200  # characters; our choice: no name with its rank is longer
MOST_WORDS = 3  # of a rank, such as `3 dan pro`
FARTHEST = 3  # stones; our choice: who stands in one file with ranks farther apart may be two people
MOST_SHOWN = 3  # our choice
BEHIND = re.compile(
    r"(.+?)(?<![\s,])[\s,]*+[(\[{（［【〔「<＜]([^()\[\]{}（）［］【】〔〕「」<>＜＞]+)[)\]}）］】〕」>＞]\s*"
)
GLUED = re.compile(r"(.*?\S)\s*((?:\d{1,2}|[一二三四五六七八九十]{1,3}|[初초])\s?[段級级급단])\s*")
LIKELY = (
    r"(?i)(?:[\s(\[{（［【〔「<＜,/–-](?:\d{1,3}|sho|ni|san|yon|go|roku|nana|shichi|hachi|ku)"
    r"(?:er|e|ème|st|nd|rd|th|\.)?[ -]?(?:k|d|p|geup|gup|кю|дан)|[段級级급단])\D{0,24}$"
)
"""What a name with a rank behind it looks like; it may let others pass."""


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
        ends += [(match[1], rank) for rank in _in_brackets(match[2])]
    ends += [(" ".join(words[:-count]), " ".join(words[-count:])) for count in range(MOST_WORDS, 0, -1)]
    ends += [match.groups() for match in (GLUED.fullmatch(cell),) if match]
    for before, behind in ends:
        name = before.strip().rstrip(",;:/|·–- ")
        if any(letter.isalpha() for letter in name) and is_rank(behind):
            return Parts(name, behind.strip())
    return whole


def _in_brackets(text: str) -> tuple[str, str]:
    """Return what may be a rank in brackets: all of it, or what stands before a club, as in `(3D,Ume)`."""
    return text, text.partition(",")[0]


def is_rank(text: str) -> bool:
    """Return whether a text is a rank, and nothing else."""
    try:
        parse_with_flag(text)
    except InputError:
        return False
    return True


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


def seats_of(text: pl.DataFrame) -> tuple[str, ...]:
    """Return the columns of the two players of a game; none where a table has no such."""
    return next((pair for pair in SEATS if {*pair} <= {*text.columns}), ())


def names_in(text: pl.DataFrame) -> pl.Series:
    """Return the different names of both players."""
    seats = seats_of(text)
    return different(*(text[seat] for seat in seats)) if seats else pl.Series([], dtype=pl.String)


def taken_apart(text: pl.DataFrame, source: str, likely: pl.Series) -> tuple[pl.DataFrame, list[Problem], str]:
    """Return a table with the ranks behind names in columns of their own, what to warn of, and an example of it.

    Names stay as they are where the table has a column of ranks, and where ranks are all that tells two people apart.
    Nothing is looked at where no name of `likely`, which are those of the table and perhaps more, could have a rank.
    """
    seats = seats_of(text)
    if not likely.str.contains(LIKELY).any() or any(f"{seat}_rank" in text.columns for seat in seats):
        return text, [], ""
    names_of_both = names_in(text)
    if not ranked(names_of_both):
        return text, _also_without(names_of_both, source), ""
    sides = [text[seat].cast(pl.String).fill_null("") for seat in seats]
    cells = names_of_both.sort().to_list()
    parts = {cell: parts_of(cell) for cell in cells}
    apart = namesakes(parts, *sides)
    names = {cell: cell if own.name in apart else own.name for cell, own in parts.items()}
    ranks = {cell: own.rank for cell, own in parts.items()}
    columns = {}
    for seat, side in zip(seats, sides, strict=True):
        columns[seat] = side.replace_strict(names, return_dtype=pl.String)
        columns[f"{seat}_rank"] = side.replace_strict(ranks, return_dtype=pl.String)
    for name in NAMED_AGAIN:
        if name in text.columns and name not in seats:
            columns[name] = text[name].cast(pl.String).replace(names)
    split = [cell for cell in cells if names[cell] != cell and ranks[cell]]
    problems = [_warning(source, f"{shown(split[0])} is {names[split[0]]}, {ranks[split[0]]}")] if split else []
    for name in sorted(apart)[:MOST_SHOWN]:
        own = [shown(cell) for cell in cells if parts[cell].name == name]
        problems.append(_warning(source, f"{', '.join(own)} may be several people; these names stay as they are"))
    if len(apart) > MOST_SHOWN:
        problems.append(_warning(source, f"{len(apart) - MOST_SHOWN:,} more names stay as they are for that reason"))
    example = f"ranks behind them ({shown(split[0])} is {names[split[0]]}, {ranks[split[0]]})" if split else ""
    return text.with_columns(**columns), problems, example


def _also_without(names: pl.Series, source: str) -> list[Problem]:
    """Return warnings of names that stand in the table with a rank behind them and without one."""
    problems = []
    for name in names.filter(names.str.contains(LIKELY)).sort().to_list():
        own = parts_of(name)
        if own.rank and own.name in names:
            both = f"{shown(name)} and {shown(own.name)} are read as two players"
            message = f"{both}; if {own.rank} is a rank, give it a column"
            problems.append(_warn(source, message))
    return problems[:MOST_SHOWN]


def namesakes(parts: Mapping[str, Parts], first: pl.Series, second: pl.Series) -> set[str]:
    """Return the names that several people have: their ranks are far apart, or they play each other.

    Args:
        parts: Name and rank by cell.
        first: The cells of one player, by game.
        second: Those of the other.
    """
    stones: dict[str, list[float]] = {}
    for own in parts.values():
        if own.rank:
            stones.setdefault(own.name, []).append(parse_with_flag(own.rank)[0].stones)
    apart = {name for name, values in stones.items() if max(values) - min(values) > FARTHEST}
    names = {cell: own.name for cell, own in parts.items()}
    one, other = (side.replace_strict(names, return_dtype=pl.String) for side in (first, second))
    return apart | {*one.filter((one == other) & (first != second))}


def _warning(source: str, what: str) -> Problem:
    return _warn(source, f"most names end with ranks, which are read as such: {what}")


def _warn(source: str, message: str) -> Problem:
    return Problem(source, None, "", message, "", rejected=False, message=message)
