"""Rounds of a tournament in tables that name no event: each game has one, and nobody plays twice in any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from handan.errors import Clause, Problem
from handan.files.games.contents import Contents, Reading
from handan.ledger import When
from handan.ledger.events import UNNAMED, unnamed

CALLED = "no row names an event: all rounds are of one, which is called {name}"


def is_one_event(tables: Sequence[pl.DataFrame]) -> bool:
    """Return whether games with rounds can be those of one tournament, in which nobody plays twice in a round."""
    seats = [
        table.select(player=pl.col(side).cast(pl.String), id=f"{side}_id", round="round")
        for table in tables for side in ("black", "white")
    ]  # fmt: skip
    played = pl.concat(seats) if seats else pl.DataFrame()
    return played.height > 0 and not played["round"].null_count() and not played.is_duplicated().any()


def with_event(contents: Contents, title: str) -> Contents:
    """Return the games and byes of a table as those of an event, which its title names, or nothing."""
    name = title or UNNAMED
    table = contents.games
    events = tuple(replace(event, name=name) for event in contents.events)
    games = table.with_columns(event=pl.lit(name).cast(table.schema["event"]))
    return replace(contents, columns=games, events=events, unnamed_event=not title)


def named_by_days(files: Sequence[Reading]) -> list[Reading]:
    """Return files whose events without a name are called by their first day, which is said.

    Files of different rounds, in which nobody plays twice, are of one event.
    """
    unnamed_ones = [each.contents for each in files if each.contents and each.contents.unnamed_event]
    if not unnamed_ones:
        return list(files)
    tables = [_own(contents) for contents in unnamed_ones]
    together = _called(tables) if is_one_event(tables) else ""
    return [
        replace(each, contents=_renamed(each.contents, each.source, together))
        if each.contents and each.contents.unnamed_event else each
        for each in files
    ]  # fmt: skip


def _own(contents: Contents) -> pl.DataFrame:
    """Return the games of an event without a name."""
    return contents.games.filter(pl.col("event").cast(pl.String) == UNNAMED)


def _called(tables: Sequence[pl.DataFrame]) -> str:
    """Return what an event of these games is called."""
    days = pl.concat([table.select("date", "precision") for table in tables]).drop_nulls("date").sort("date")
    return unnamed(When(*days.row(0)) if days.height else None)


def _renamed(contents: Contents, source: str, name: str) -> Contents:
    """Return games and byes with the name of their event; worksheets that are several tournaments have none."""
    own = _own(contents)
    name = name or (_called([own]) if is_one_event([own]) else "")
    games = contents.games
    event = (
        pl.when(pl.col("event").cast(pl.String) == UNNAMED)
        .then(pl.lit(name))
        .otherwise(pl.col("event").cast(pl.String))
    )
    message = Clause.of(CALLED, name=name)
    remarks = [Problem(source, None, "event", "", "", rejected=False, message=message)] if name else []
    return replace(
        contents,
        columns=games.with_columns(event.cast(games.schema["event"]).alias("event")),
        events=tuple(replace(each, name=name) if each.name == UNNAMED else each for each in contents.events),
        problems=[*contents.problems, *remarks],
        unnamed_event=False,
    )
