"""What the user says about the files to be read."""

from __future__ import annotations

from dataclasses import dataclass, field

from handan.files.io.limits import Limits
from handan.ledger import When


@dataclass(frozen=True, slots=True)
class Options:
    """What the user said about the files to be read."""

    encoding: str | None = None
    """Python's name of the encoding; None: as the file declares it, or as its format has it."""
    date: When | str | None = None
    """Date of the games that have none; text is accepted."""
    date_from_path: bool = False
    """Whether a year or date in a file's path dates the games that have none."""
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        """Read the date; InputError if it is none."""
        object.__setattr__(self, "date", When.of(self.date))
