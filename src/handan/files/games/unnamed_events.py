"""Rounds of a tournament in tables that name no event: each game has one, and nobody plays twice in any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from handan.errors import Clause, Problem
from handan.files.games.contents import Contents, Reading
from handan.ledger import When
from handan.ledger.events import unnamed

CALLED = "no row names an event: all rounds are of one, which is called {name}"
TITLED = "the text above the headings names the event: {title}"


def is_one_event(tables: Sequence[pl.DataFrame]) -> bool:
    """Return whether games with rounds can be those of one tournament, in which nobody plays twice in a round."""
    if not any(table.height for table in tables) or any(table["round"].null_count() for table in tables):
        return False
    seats = [
        table.select(player=pl.col(side).cast(pl.String), id=f"{side}_id", round="round")
        for table in tables for side in ("black", "white")
    ]  # fmt: skip
    return not pl.concat(seats).is_duplicated().any()


def with_named_events(files: Sequence[Reading]) -> list[Reading]:
    """Return files in which events that no row names have the title above their rounds, or their first day as a name.

    Files of different rounds, in which nobody plays twice, are of one event.
    """
    untitled = [_own(each.contents) for each in files if each.contents and each.contents.event_title == ""]
    together = unnamed(first_day(pl.concat(untitled))) if is_one_event(untitled) else ""
    return [
        replace(each, contents=_with_event(each.contents, each.source, each.contents.event_title or together))
        if each.contents and each.contents.event_title is not None else each
        for each in files
    ]  # fmt: skip


def _own(contents: Contents) -> pl.DataFrame:
    """Return the games without an event."""
    return contents.games.filter(pl.col("event").cast(pl.String) == "")


def first_day(games: pl.DataFrame) -> When | None:
    """Return the first day of some games; None where they have none."""
    days = games.select("date", "precision").drop_nulls("date").sort("date")
    return When(*days.row(0)) if days.height else None


def _with_event(contents: Contents, source: str, name: str) -> Contents:
    """Return games and byes with the name of their event, else its first day; as they are where these are several."""
    own = _own(contents)
    if not is_one_event([own]):
        return contents
    name = name or unnamed(first_day(own))
    games, text = contents.games, pl.col("event").cast(pl.String)
    event = pl.when(text == "").then(pl.lit(name)).otherwise(text).cast(games.schema["event"])
    message = Clause.of(TITLED, title=name) if contents.event_title else Clause.of(CALLED, name=name)
    return replace(
        contents,
        columns=games.with_columns(event=event),
        events=tuple(replace(each, name=each.name or name) for each in contents.events),
        problems=[*contents.problems, Problem(source, None, "event", "", "", rejected=False, message=message)],
        event_title=None,
    )
