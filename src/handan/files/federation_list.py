"""Ratings of a federation's list, given by the players of a ledger."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from handan.files.games.parsed import Entrant
from handan.files.io.options import Options
from handan.files.listed_players import listed_in
from handan.files.reading import read_list, readings
from handan.ledger import Ledger


def read_players(paths: Iterable[str | os.PathLike[str]], options: Options | None = None) -> list[Entrant]:
    """Return the players that files list, with their declared ranks and ratings, such as a federation's list.

    A file is a list as the European, French or American federation gives it out, a table with a column of names, or
    anything else that lists players; of folders and archives all files are read.

    Raises:
        InputError: A file cannot be read.
    """
    options = options or Options()
    entrants: list[Entrant] = []
    for path in paths:
        if Path(path).is_file():
            entrants += read_list(path, options).entrants
        else:
            entrants += [item for each in readings([path], options) if each.contents for item in each.contents.entrants]
    return entrants


def ratings_listed(ledger: Ledger, entrants: Iterable[Entrant]) -> dict[str, float]:
    """Return the ratings of a list by the names that its players have in a ledger; found by id, then by name."""
    rated = (entrant for entrant in entrants if entrant.rating is not None)
    return {name: entrant.rating for name, entrant in listed_in(ledger, rated).items() if entrant.rating is not None}
