"""Dates for games that have none: one that the user gives, or one that stands in the path of the file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import polars as pl

from handan.errors import Clause, InputError
from handan.files.cells.dates import day_in_line
from handan.files.games.contents import Contents, Gatherer
from handan.files.io.options import Options
from handan.ledger import When

IN_PATH = re.compile(r"(?<!\d)((?:1[6-9]|20)\d\d)(?:[-._]?(0[1-9]|1[0-2])(?:[-._]?(0[1-9]|[12]\d|3[01]))?)?(?!\d)")


def dated(contents: Contents, source: str, options: Options) -> Contents:
    """Return the contents with the user's date, or else the one of the path if wanted, for the games without a date."""
    when = given_date(source, options)
    if when is None:
        return contents
    events = tuple(replace(event, first=event.first or when) for event in contents.events)
    contents = replace(contents, events=events)
    if not contents.games["date"].null_count():
        return contents
    return replace(contents, columns=with_date(contents.games, when))


def given_date(source: str, options: Options) -> When | None:
    """Return the date that the user gives to games without one, or else the one of the path if wanted."""
    return When.of(options.date) or (in_path(source) if options.date_from_path else None)


def day_of_titles(titles: Iterable[str], options: Options, gatherer: Gatherer) -> When | None:
    """Return the day in the text above a table, which is said; None, and a warning, where none is clear.

    A day that the user gives counts.
    """
    if options.date is not None or options.date_from_path:
        return None
    days = {line.day: title for title in titles if (line := day_in_line(title, options.dates or ""))}
    if len(days) != 1:
        gatherer.undated(options, "no date stands above the table{hint}")
        return None
    [(day, title)] = days.items()
    pattern = "the text above the table gives the day of the games, {day}: {title}"
    gatherer.remark(Clause.of(pattern, day=day, title=title.strip()[:60]), "date")
    return When.of(day)


def with_date(games: pl.DataFrame, when: When) -> pl.DataFrame:
    """Return the typed games with a date where they have none."""
    unknown = pl.col("date").is_null()
    filled = games.with_columns(
        precision=pl.when(unknown).then(pl.lit(when.precision)).otherwise(pl.col("precision")),
        date=pl.col("date").fill_null(pl.lit(when.moment)),
    )
    return filled.cast(games.schema)


def in_path(path: str) -> When | None:
    """Return the last year, month or day that stands in a path; None if there is none."""
    for match in reversed(list(IN_PATH.finditer(path))):
        try:
            return When.parse("-".join(part for part in match.groups() if part))
        except InputError:
            continue
    return None
