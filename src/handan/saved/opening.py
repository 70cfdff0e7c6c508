"""Saved ratings, opened: the list at once, the games when somebody asks for them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from handan.errors import InputError, counted
from handan.files.io.storage import named
from handan.ledger import Game, Ledger
from handan.ledger.dataset import ledger_in
from handan.ledger.manifest import is_saved, read_manifest
from handan.ratings import Ratings
from handan.saved.adding import Added, add
from handan.saved.contents import Contents, read_contents
from handan.saved.saved_list import standings
from handan.shortcuts import ledger_of
from handan.systems import System


@dataclass(frozen=True, eq=False)
class Saved:
    """Saved ratings as they were when they were opened."""

    path: Path
    contents: Contents

    def __repr__(self) -> str:
        """One short line."""
        return f"<Saved {self.system.label}: {counted(self.games, 'game')} in {self.path}>"

    @property
    def system(self) -> System:
        """The system with its settings."""
        return self.contents.system

    @property
    def games(self) -> int:
        """Number of games."""
        return self.contents.games

    @property
    def rated(self) -> int:
        """Number of rated games."""
        return self.contents.places[-1].rated

    @property
    def unrated(self) -> dict[str, int]:
        """Number of games that were not rated, by reason."""
        return self.contents.places[-1].unrated

    @property
    def newest(self) -> str | None:
        """Date of the newest game; None where no game has one."""
        return self.contents.places[-1].newest

    @cached_property
    def standings(self) -> Ratings:
        """The ratings of all players as of the last game; they hold what a list shows, and no game."""
        return standings(self.contents)

    @cached_property
    def ledger(self) -> Ledger:
        """All games, read when they are first asked for."""
        return ledger_in(self.contents.manifest)

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings with all their games, which are rated when they are first asked for."""
        return self.system.rate(self.ledger)

    def add(self, later: Any, *, correct: bool = False, keep_repeats: bool = False) -> Added:
        """Add a game, or games as `handan.rate` takes them, as `handan.saved.add` does; this object stays as it is."""
        ledger = ledger_of([later] if isinstance(later, Game) else later)
        return add(self.path, ledger, correct=correct, keep_repeats=keep_repeats)


def open(path: str | os.PathLike[str]) -> Saved:  # noqa: A001  # as a file is opened
    """Open saved ratings (`handan.save`, `handan rate --save`).

    Raises:
        InputError: If there are none, they are damaged, or were made by another revision of the formula; the message
            says how to make them anew.
    """
    name = named(path)
    if not is_saved(path):
        raise InputError(f"{name} holds no saved ratings; handan rate FILES --system NAME --save makes them")
    return Saved(Path(path), read_contents(read_manifest(path)))
