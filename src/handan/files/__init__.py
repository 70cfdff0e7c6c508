"""Files of games and of adjustments: reading and writing them."""

from typing import TYPE_CHECKING

from handan.lazy_imports import attach

if TYPE_CHECKING:
    from handan.files.adjustments import read_adjustments, write_adjustments
    from handan.files.aliases import Decision, read_aliases, write_aliases
    from handan.files.io.limits import Limits
    from handan.files.io.options import Options
    from handan.files.listed_players import ratings_listed
    from handan.files.reading import read, read_players
    from handan.files.writing import write

__all__ = [
    "Decision", "Limits", "Options", "ratings_listed", "read", "read_adjustments", "read_aliases", "read_players",
    "write", "write_adjustments", "write_aliases",
]  # fmt: skip
__getattr__, __dir__ = attach(
    __name__,
    {
        "adjustments": ("read_adjustments", "write_adjustments"),
        "aliases": ("Decision", "read_aliases", "write_aliases"),
        "io.limits": ("Limits",),
        "io.options": ("Options",),
        "listed_players": ("ratings_listed",),
        "reading": ("read", "read_players"),
        "writing": ("write",),
    },
)
