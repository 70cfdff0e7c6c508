"""Saved ratings on the command line: saved, read at once, and what they say of their system."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from handan.cli.notices import say_all
from handan.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from handan.cli.reading import Reading
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


def saved_session(
    files: Sequence[Path], rules: System, reading: Reading, *, cards: bool = False
) -> SavedSession | None:
    """Return the list of saved ratings; None if other files, rules or ways to read them are given.

    Args:
        files: Those that were given.
        rules: The system.
        reading: What was said of the files.
        cards: Whether the lines of a player are wanted too.

    Raises:
        InputError: The folder is damaged, or another revision of the formula made it.
    """
    if not saved_alone(files) or reading.changes_games:
        return None
    import handan

    saved = handan.open(files[0])
    if saved.system != rules:
        return None
    ratings = saved.cards if cards else saved.standings
    say_all("warning", list(ratings.warnings))
    return SavedSession(rules, ratings.ledger, ratings, saved=saved)


def saved_alone(files: Sequence[Path]) -> bool:
    """Return whether nothing but one folder of saved ratings is given."""
    if len(files) != 1 or not files[0].is_dir():
        return False
    from handan.ledger.manifest import is_saved

    return is_saved(files[0])


def rules_in(files: Sequence[Path]) -> tuple[str, list[str]] | None:
    """Return system and settings, as `--system` and `--set` take them, of saved ratings that are given alone."""
    if not saved_alone(files):
        return None
    from handan.ledger.manifest import read_manifest

    wanted = read_manifest(files[0]).facts["system"]
    settings = {name: "none" if value is None else value for name, value in wanted["settings"].items()}
    pairs = [f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in settings.items()]
    return str(wanted["name"]), pairs
