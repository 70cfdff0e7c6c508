"""Ratings of a federation's list, given by the players of a ledger."""

from __future__ import annotations

import os
from collections.abc import Iterable

from handan.files.games.parsed import Entrant
from handan.files.io.options import Options
from handan.files.reading import readings
from handan.ledger import Ledger


def read_players(paths: Iterable[str | os.PathLike[str]], options: Options | None = None) -> list[Entrant]:
    """Return the players that files list, with their declared ranks and ratings, such as a federation's list.

    Raises:
        InputError: A file cannot be read.
    """
    contents = [reading.contents for reading in readings(list(paths), options or Options())]
    return [entrant for each in contents if each for entrant in each.entrants]


def ratings_listed(ledger: Ledger, entrants: Iterable[Entrant]) -> dict[str, float]:
    """Return the ratings of a list by the names that its players have in a ledger; found by id, then by name."""
    listed: dict[str, float] = {}
    by_id: set[str] = set()
    for entrant in entrants:
        if entrant.rating is None:
            continue
        place = ledger.get(entrant.id) if entrant.id else None
        sure = place is not None
        if place is None:
            place = ledger.get(entrant.name)
            other = "" if place is None else ledger.players[place].id
            if place is None or (other and entrant.id and other.split(":")[0] == entrant.id.split(":")[0]):
                continue  # a namesake: the register gives the two different numbers
        name = ledger.players[place].name
        if sure or name not in by_id:
            listed[name] = entrant.rating
        if sure:
            by_id.add(name)
    return listed
