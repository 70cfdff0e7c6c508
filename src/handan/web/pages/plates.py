"""The players of a club as name plates in a fixed order: those who are here, then the others under an index."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice
from typing import Any, NamedTuple

from handan.club.people import sorted_as
from handan.club.service.evening import Evening
from handan.club.store.register import who_left
from handan.ledger.phonetic import index_heading
from handan.web.pages.here import Here
from handan.wording.figures import fixed

MOST = 60  # our choice: plates at once; others come by typing a part of their name
A_ROW = 6  # our choice: plates under a heading, as many as a row of a desk holds; of fewer, the next letter joins them


class Row(NamedTuple):
    """Plates under one heading."""

    heading: str | None
    """A letter of the index; empty for those who are here, None for those whom a text may mean, best first."""
    plates: list[dict[str, Any]]


def plates(here: Here, text: str, without: Collection[str] = (), most: int = MOST) -> list[Row]:
    """Return the plates of the players whom a text may mean, all for an empty one.

    Who is here stands before the index. Of more than `most` those are taken who are here or played last; they stand in
    the order of names all the same, so that a plate stays where it is.
    """
    absent = {*without, *who_left(here.club, here.state)}
    present = {key for key in Evening(here).here if key in here.state.active}

    def shown(people: Iterable[str]) -> list[str]:
        """Return the first of them who may be chosen, each once."""
        there = (key for key in dict.fromkeys(people) if key not in absent and not here.state.people[key].former)
        keys = list(islice(there, most))
        here.standings.prefetch(keys)
        return keys

    if text:
        alike = shown(person.key for person in here.state.search(text, len(here.state.people)))
        return [Row(None, [{**plate(here, key), "today": key in present} for key in alike])] if alike else []
    chosen = shown([*present, *here.standings.members_by("last_played")])
    chosen.sort(key=lambda key: (sorted_as(here.state.people[key]), key))
    rows = [Row("", [{**plate(here, key), "today": True} for key in chosen if key in present])]
    return [row for row in (*rows, *indexed(here, (key for key in chosen if key not in present))) if row.plates]


def indexed(here: Here, keys: Iterable[str]) -> list[Row]:
    """Return plates under the letters of an index; letters of few share a heading, so that rows are filled."""
    letters: dict[str, list[dict[str, Any]]] = {}
    for key in keys:
        person = here.state.people[key]
        letters.setdefault(index_heading(person.reading or person.name), []).append(plate(here, key))
    rows: list[Row] = []
    for letter, own in letters.items():
        if rows and len(rows[-1].plates) < A_ROW:
            first = str(rows[-1].heading).partition("–")[0]
            rows[-1] = Row(f"{first}–{letter}", [*rows[-1].plates, *own])
        else:
            rows.append(Row(letter, own))
    return rows


def plate(here: Here, key: str) -> dict[str, Any]:
    """Return a player's plate: name, reading, and the rank and rating that the next game is played with."""
    person, row = here.state.people[key], here.standings.row_of_next_game(key)
    return {
        "key": key,
        "name": here.state.labels[key],
        "reading": person.reading,
        "rank": row.get("rank", ""),
        "rating": fixed(row.get("rating"), here.standings.decimals),
        "me": key == here.my_card,
    }
