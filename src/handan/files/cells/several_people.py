"""Names of more than one person in the place of one player, as in games of pairs: `Ada & Cy`, `Bo / Dee`."""

from __future__ import annotations

import re

import polars as pl

from handan.errors import Problem
from handan.files.cells.ranked_names import seats_of

PAIR = re.compile(r"[^\W\d_]\s*[&＆/／、]\s*[^\W\d_]|\w\s\+\s\w|[^\W\d_]\s(?:and|und|et)\s[^\W\d_]")
LIKELY = r"[&＆/／、+]"
"""What names of several persons have in tables, whose players may be called `Trinidad and Tobago`."""
SEVERAL = "one person; several names stand there, and they are rated as one player"
MOST_SHOWN = 5  # our choice
LONGEST = 200  # characters of a name that is looked through; our choice


def are_several(name: str) -> bool:
    """Return whether a name is of several persons."""
    return PAIR.search(name[:LONGEST]) is not None


def of_several(text: pl.DataFrame, source: str, names: pl.Series) -> list[Problem]:
    """Return a remark of each name of several persons in a table, the first of them; `names` are all of the players."""
    problems: list[Problem] = []
    likely = names.filter(names.str.contains(LIKELY))
    for side in seats_of(text) if len(likely) else ():
        in_rows = text[side].cast(pl.String)
        in_rows = in_rows.filter(in_rows.is_in(likely.implode())).unique(maintain_order=True)
        several = [name for name in in_rows if are_several(name)]
        problems += [Problem(source, None, side, name, SEVERAL, rejected=False) for name in several]
    return problems[:MOST_SHOWN]
