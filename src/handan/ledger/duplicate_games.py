"""Games that repeat others, and corrections that replace them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from handan.errors import Clause, InputError, Problem, counted, shown
from handan.ledger.columns import SCHEMA
from handan.ledger.dates import When

PLACE = ("source", "line", "entry")
"""What two games may differ in that say the same."""
SAME_GAME = ("date", "precision", "black", "white", "event", "round")
"""What a game and its correction have in common."""
SAID_ONCE = "said once only"


def together(
    old: pl.DataFrame, new: pl.DataFrame, *, correct: bool, keep_repeats: bool
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return old and new games in order of entry, and those of the new ones that say the same as old ones.

    Args:
        old, new: Rows of the typed table.
        correct: Whether each new game takes the place of the old one of its date, players, event and round.
        keep_repeats: Whether a game that says the same as an old one counts again. Of two alike new games one is a
            repeat where there is one old one.

    Raises:
        InputError: A correction finds no game, or several.
    """
    if correct:
        return _corrected(old, new), new.clear()
    facts = [name for name in SCHEMA if name not in PLACE]
    number = pl.int_range(pl.len(), dtype=pl.UInt32).over(facts).alias("number")
    there = old.filter(pl.col("date").is_in(new["date"].unique().implode(), nulls_equal=True)).select(*facts, number)
    rows = new.with_columns(number)
    again = rows.join(there, [*facts, "number"], "semi", nulls_equal=True, maintain_order="left").drop("number")
    if keep_repeats:
        return pl.concat([old, new]), again
    others = rows.join(there, [*facts, "number"], "anti", nulls_equal=True, maintain_order="left").drop("number")
    return pl.concat([old, others]), again


def _corrected(old: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    """Return games, each with its correction in its place; InputError for a correction of no single game.

    A corrected game stays one of its source, which says whose ranks are declared there.
    """
    rows = old.with_row_index("row").join(new.with_row_index("by"), on=SAME_GAME, how="inner", nulls_equal=True)
    for number, row in enumerate(new.iter_rows(named=True)):
        like = rows.filter(pl.col("by") == number).height
        if like != 1:
            raise InputError(_not_one(old, row, like))
    places = rows.sort("by")["row"]
    if places.n_unique() != len(places):
        raise InputError("two corrections are for one game; give one of them")
    staying = old.with_row_index("row").filter(~pl.col("row").is_in(places.implode()))
    own = {name: old[name].gather(places) for name in ("source", "line")}
    mended = new.with_columns(row=places, **own).select("row", *new.columns)
    return pl.concat([staying, mended]).sort("row").drop("row")


def _not_one(old: pl.DataFrame, row: Mapping[str, Any], like: int) -> str:
    """Return the error of a correction that fits no game or several, with the events and rounds of that day's games."""
    when = When(row["date"], row["precision"]) if row["date"] else "without a date"
    text = f"{row['black']} against {row['white']}, {when}: {like or 'no'} such games are there"
    text += "; a correction takes the place of one"
    same = [pl.col(name).eq_missing(row[name]) for name in SAME_GAME[:4]]
    others = [_where(each) for each in old.filter(*same).iter_rows(named=True)]
    if others and not like:
        text += (
            f"; those of that day are of {' and '.join(dict.fromkeys(others))}, and the correction is of {_where(row)}"
        )
    return text


def _where(game: Mapping[str, Any]) -> str:
    """Return event and round of a game in words."""
    event = f"event {shown(game['event'])}" if game["event"] else "no event"
    return f"{event}, {'no round' if game['round'] is None else 'round ' + str(game['round'])}"


def left_out(source: str, count: int) -> Problem:
    """Return the warning that rows of a source are left out since other rows say the same."""
    one, many = "1 repeated row left out", "{number} repeated rows left out"
    what = Clause.of(one if count == 1 else many, number=f"{count:,}")
    message = Clause.of("{what}; every game stands once", what=what)
    return Problem(source, None, "", counted(count, "repeated row"), "each game once", rejected=False, message=message)


def counted_again(source: str, count: int) -> Problem:
    """Return the warning that rows of a source say the same as others and still count."""
    rows = "1 row repeats another{hint}" if count == 1 else "{number} rows repeat others{hint}"
    hint = f" (--dedupe leaves {'it' if count == 1 else 'them'} out)"
    message = Clause.of(rows, number=f"{count:,}", hint=hint)
    return Problem(source, None, "", message.removesuffix(hint), SAID_ONCE, rejected=False, message=message)


def says_repeats(problem: Problem) -> bool:
    """Return whether a problem is a warning of `repeated_rows`."""
    return problem.line is None and problem.expected == SAID_ONCE
