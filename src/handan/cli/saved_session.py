"""Saved ratings on the command line: saved, read at once, and what they say of their system."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from handan.cli.file_options import saved_alone
from handan.cli.notices import say_all
from handan.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from handan.cli.file_options import Reading
    from handan.saved import Saved
    from handan.systems import System


@dataclass(frozen=True, slots=True)
class SavedSession(Session):
    """Saved ratings, whose games are not read."""

    saved: Saved = field(kw_only=True)

    @property
    def games(self) -> int:
        """Number of games."""
        return self.saved.games

    @property
    def rated(self) -> int:
        """Number of rated games."""
        return self.saved.rated

    @property
    def unrated(self) -> dict[str, int]:
        """Number of games that were not rated, by reason."""
        return self.saved.unrated

    @property
    def newest(self) -> str | None:
        """Date of the newest game."""
        return self.saved.newest


def saved_session(files: Sequence[Path], rules: System, reading: Reading) -> SavedSession | None:
    """Return the list of saved ratings; None if other files, rules or ways to read them are given.

    Raises:
        InputError: The folder is damaged, or another revision of the formula made it.
    """
    if not saved_alone(files) or reading.changes_games:
        return None
    import handan

    saved = handan.open(files[0])
    if saved.system != rules:
        return None
    ratings = saved.standings
    say_all("warning", list(ratings.warnings))
    return SavedSession(rules, ratings.ledger, ratings, saved=saved)
