"""Names of more than one person in the place of one player, as in games of pairs: `Ada & Cy`, `Bo / Dee`."""

from __future__ import annotations

import re

import polars as pl

from handan.errors import Problem
from handan.files.cells.ranked_names import SEATS
from handan.files.io.dictionary_encoding import different

PAIR = re.compile(r"[^\W\d_]\s*[&＆/／、]\s*[^\W\d_]|\w\s\+\s\w|[^\W\d_]\s(?:and|und|et)\s[^\W\d_]")
LIKELY = r"[&＆/／、+]"
"""What names of several persons have in tables, whose players may be called `Trinidad and Tobago`."""
SEVERAL = "one person; several names stand there, and they are rated as one player"
MOST_SHOWN = 5  # our choice
LONGEST = 200  # characters of a name that is looked through; our choice


def are_several(name: str) -> bool:
    """Return whether a name is of several persons."""
    return PAIR.search(name[:LONGEST]) is not None


def of_several(text: pl.DataFrame, source: str) -> list[Problem]:
    """Return a remark of each name of several persons in a table, the first of them.

    Args:
        text: Its columns are named as in `handan.files.tables.column_names.COLUMNS`.
        source: Name for the reports.
    """
    problems: list[Problem] = []
    sides = next((pair for pair in SEATS if {*pair} <= {*text.columns}), ())
    names = different(*(text[side] for side in sides)) if sides else pl.Series([], dtype=pl.String)
    likely = names.filter(names.str.contains(LIKELY))
    for side in sides if len(likely) else ():
        in_rows = text[side].cast(pl.String)
        in_rows = in_rows.filter(in_rows.is_in(likely.implode())).unique(maintain_order=True)
        several = [name for name in in_rows if are_several(name)]
        problems += [Problem(source, None, side, name, SEVERAL, rejected=False) for name in several]
    return problems[:MOST_SHOWN]
