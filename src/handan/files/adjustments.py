"""Adjustments as a table of text: `date,player,rank,rating,note`, and `at_least` and `deviation` where needed."""

from __future__ import annotations

import os
from collections.abc import Iterable

import numpy as np
import polars as pl

from handan.errors import Clause, FieldError, Problem, closest, shown
from handan.files.games.adjustment_rows import adjustment_of
from handan.files.games.columns import in_order
from handan.files.io.csv_text import to_text
from handan.files.io.options import Options
from handan.files.io.storage import named, save
from handan.ledger import Adjustment, Ledger

COLUMNS = ("date", "player", "rank", "rating", "note", "at_least", "deviation")
NUMBERS = ("rating", "deviation")
NEEDED = (("player", "rank"), ("player", "rating"))
MOST_IDLE = 100  # our choice: names that are compared with those of all who play


def read_adjustments(
    path: str | os.PathLike[str], options: Options | None = None
) -> tuple[list[Adjustment], list[Problem]]:
    """Read ranks and ratings that were set by hand.

    Args:
        path: A table with the columns `date` (empty: before the first game), `player`, `rank` and `rating` (one of
            the two must be filled in), `note`, `at_least` (yes or no), and `deviation` (of the rating, in its unit).
        options: Encoding and limits; without an encoding it is UTF-8, or UTF-16 with a byte order mark.

    Returns:
        The adjustments in order of the file, and the problems of the rows.

    Raises:
        InputError: The file cannot be read, or is not such a table.
    """
    from handan.files.formats.workbook import rows_of_table

    rows, problems = rows_of_table(path, options, COLUMNS, NEEDED)
    adjustments: list[Adjustment] = []
    for line, row in rows:
        try:
            adjustments.append(adjustment_of({name: row.get(name, "").strip() for name in COLUMNS}))
        except FieldError as fault:
            problems.append(Problem(named(path), line, fault.field, fault.found, fault.expected))
    return adjustments, in_order(problems)


def of_players_without_games(
    adjustments: Iterable[Adjustment], ledger: Ledger, source: str | os.PathLike[str]
) -> list[Problem]:
    """Return a remark for each adjusted player who has no game, and whose name is like that of somebody who has.

    Such a name may be misspelt: then nothing is adjusted, and a player is listed who does not exist.
    """
    wanted = {item.player: ledger.get(item.player) for item in adjustments}
    seated = np.zeros(len(ledger.players), dtype=np.bool_)
    for side in ledger.arrays.seats:
        seated[side] = True
    idle = [name for name, player in wanted.items() if player is not None and not seated[player]]
    if not idle:
        return []
    names = sorted(ledger.names[player] for player in np.flatnonzero(seated).tolist())
    hints = {name: closest(name, names) for name in idle[:MOST_IDLE]}
    return [
        Problem(named(source), None, "player", name, "", rejected=False, message=message)
        for name, hint in hints.items()
        if hint and (message := Clause.of("{name} has no game{closest}", name=shown(name), closest=hint))
    ]


def write_adjustments(adjustments: Iterable[Adjustment], path: str | os.PathLike[str]) -> None:
    """Write adjustments as CSV, from which `read_adjustments` reads the same ones; InputError if it cannot be done."""
    rows = [
        (
            str(item.date or ""),
            item.player,
            str(item.rank or ""),
            item.rating,
            item.note.strip(),
            "yes" if item.at_least else "",
            item.deviation,
        )
        for item in adjustments
    ]
    table = pl.DataFrame(
        rows, schema={name: pl.Float64 if name in NUMBERS else pl.String for name in COLUMNS}, orient="row"
    )
    empty = {"at_least": (table["at_least"] == "").all(), "deviation": table["deviation"].is_null().all()}
    save(path, to_text(table.drop([name for name, nowhere in empty.items() if nowhere])))
