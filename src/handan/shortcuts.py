"""What one call does: games from anywhere, rated by a system."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from typing import Any

from handan.errors import InputError, counted, shown
from handan.files import read
from handan.ledger import Game, Ledger
from handan.ledger.facts import COLUMNS
from handan.ratings import Ratings
from handan.systems import System
from handan.systems import system as system_named
from handan.systems.core.live import Live

LOG = logging.getLogger("handan")
LOG.addHandler(logging.NullHandler())  # silent until the program that uses the library wants to hear of it


def rate(games: Any, system: str | System, **settings: object) -> Ratings:
    """Rate games by a system.

    Args:
        games: A ledger, a list of `Game`, or whatever `handan.read` takes: a path or several, a frame, a table in
            columns, a list of rows.
        system: The name of one of `SYSTEMS`, or a system with its settings, such as `handan.systems.Elo(k=32)`; for a
            name that is a text of your program, `handan.systems.system(name)`.
        settings: Settings of the system that is named, such as `card="tokyo15"` or `k=32`.

    Raises:
        InputError: Games cannot be read, or no system has the name; the text proposes one that is like it.
        SettingError: The system has no such setting, or the value is out of its range.
    """
    rules = _system(system, settings)
    ledger = ledger_of(games)
    ratings = rules.rate(ledger)
    if ledger is not games and len(ledger) and not ratings.rated:  # who has a ledger has looked at it
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in ratings.unrated_counts.items())
        warnings.warn(f"no game was rated: {reasons}", stacklevel=2)
    for text in ratings.warnings:
        LOG.warning("%s: %s", rules.label, text)
    LOG.info("%s: %d of %s rated", rules.label, ratings.rated, counted(len(ledger), "game"))
    return ratings


def live(system: str | System, **settings: object) -> Live:
    """Return ratings that follow play after play, in memory, to the bit as `rate` rates the same games.

    Args:
        system: The name of one of `SYSTEMS`, or a system with its settings.
        settings: Settings of the system that is named.
    """
    return Live(_system(system, settings))


def _system(system: str | System, settings: dict[str, object]) -> System:
    """Return the system that is meant; InputError if it is none."""
    if isinstance(system, str):
        return system_named(system, **settings)
    if isinstance(system, type) and issubclass(system, System):
        return system(**settings)
    if not isinstance(system, System):
        raise InputError(f"{shown(type(system).__name__)} is not a system; give a name such as elo, or a System")
    if settings:
        raise InputError(f"{system.label} has its settings already; give {', '.join(settings)} where it is made")
    return system


def ledger_of(games: Any) -> Ledger:
    """Return games as a ledger, as `rate` takes them; warnings say how many rows are left out, or not as written."""
    if isinstance(games, Ledger):
        return games
    if isinstance(games, Iterator) and not hasattr(games, "description"):  # a cursor tells its headings itself
        games = list(games)
    if isinstance(games, (list, tuple)) and games and all(isinstance(game, Game) for game in games):
        return Ledger.of(games)
    ledger = read(games)
    rejected = [problem for problem in ledger.problems if problem.rejected]
    remarks = [each for each in ledger.problems if not each.rejected and each.line and each.field in COLUMNS]
    for what, problems in (("not rated", rejected), ("to be looked at", remarks)):
        if problems:
            more = "" if len(problems) == 1 else f"; {len(problems) - 1:,} more in ledger.problems"
            warnings.warn(f"{what}: {problems[0]}{more}", stacklevel=3)
    return ledger
