"""A federation's state: the ledgers of its clubs together, and its own entries over them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from handan.club.changes import fold
from handan.club.entries import Record
from handan.club.events import ClubEvent, Events
from handan.club.joining import SameNumbers, without_former
from handan.club.people import People, Person
from handan.club.recorded import SIDES, Games
from handan.club.state import FOREIGN, ClubAdjustment, Source, State


def federated(
    slug: str, clubs: Sequence[tuple[int, State]], own: Iterable[Record], same: SameNumbers | None = None
) -> State:
    """Return the state of a federation.

    Players are `club.p3`; those who bear the same number of a register are one person, the others are merged by
    entries of the federation. Of what the clubs set by hand, ranks hold in the federation too; ratings are in the
    unit of the club's own system, and do not.

    Args:
        slug: Short name of the federation.
        clubs: A number for each club, the same at every time, and its state.
        own: The federation's entries.
        same: What later entries of the federation tell of numbers that are kept no longer; else its entries tell it.
    """
    records = list(own)
    same = SameNumbers.of(records) if same is None else same
    people: dict[str, Person] = {}
    merged: dict[str, str] = {}
    withdrawn: set[str] = set()
    numbers: dict[str, list[Hashable]] = {}
    adjustments: dict[str, ClubAdjustment] = {}
    events: dict[str, ClubEvent] = {}
    frames = [State(slug).games]
    for number, state in clubs:
        keys = {key: f"{state.slug}.{key}" for key in state.people}
        for key, person in state.people.items():
            home = person.club or state.slug
            ids = person.ids or (f"{state.slug}:{key}",)
            if key not in state.gone:
                numbers[keys[key]] = same.numbers(state.slug, person)
            earlier = tuple(each._replace(club=each.club or state.slug) for each in person.earlier_homes)
            people[keys[key]] = person._replace(key=keys[key], club=home, ids=ids, earlier_homes=earlier)
        merged |= {keys[key]: keys[into] for key, into in state.merged.items()}
        withdrawn |= {keys[key] for key in state.withdrawn}
        adjustments |= _ranks(state, keys)
        events |= {f"{state.slug}.{key}": event.of_club(state.slug) for key, event in state.events.items()}
        frames.append(games_of_club(state.slug, number, state.games))
    sources = tuple(Source(state.slug, state.number, state.digest) for _, state in clubs)
    merged |= _same_numbers(numbers, merged)
    base = State(
        slug,
        people=People(people),
        merged=merged,
        withdrawn=frozenset(withdrawn),
        recorded=Games(pl.concat(frames).sort("line")),
        adjustments=adjustments,
        events=Events(events),
        sources=sources,
    )
    return without_former(fold(base, records))


def games_of_club(slug: str, number: int, games: pl.DataFrame) -> pl.DataFrame:
    """Return games of a club, which has a number, as they stand in its federation."""
    sides = (pl.concat_str(pl.lit(f"{slug}."), side).alias(side) for side in SIDES)
    lines = pl.col("line") + number * FOREIGN
    return games.with_columns(*sides, line=lines, entry=lines)


UNITED = ("rating", "deviation")
"""Facts of an adjustment in the unit of the club's own system."""


def _ranks(state: State, keys: Mapping[str, str]) -> dict[str, ClubAdjustment]:
    """Return the club's adjustments of rank."""
    ranks = {}
    for item in state.adjustments.values():
        facts: dict[str, Any] = {name: value for name, value in item.facts.items() if name not in UNITED}
        if "rank" in facts:
            key = f"{state.slug}.{item.key}"
            aside = keys.get(item.set_aside, "")
            ranks[key] = ClubAdjustment(key, keys[item.player], facts, item.withdrawn, aside)
    return ranks


def _same_numbers(numbers: Mapping[str, Iterable[Hashable]], merged: Mapping[str, str]) -> dict[str, str]:
    """Return mergers of players who bear the same number of a register, into the first of them."""
    first: dict[Hashable, str] = {}
    same = {}
    for key, own in numbers.items():
        if key in merged:
            continue
        owner = next((first[number] for number in own if number in first), None)
        if owner is not None:
            same[key] = owner
        for number in own:
            first.setdefault(number, owner or key)
    return same
