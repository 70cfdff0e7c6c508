"""Files of games and of adjustments: reading and writing them."""

from typing import TYPE_CHECKING

from handan.on_demand import names_on_demand

if TYPE_CHECKING:
    from handan.files.adjustments import read_adjustments, write_adjustments
    from handan.files.aliases import Decision, read_aliases, write_aliases
    from handan.files.io.limits import Limits
    from handan.files.io.options import Options
    from handan.files.listing import ratings_listed, read_players
    from handan.files.reading import read
    from handan.files.writing import write

HOMES = {
    "handan.files.adjustments": ("read_adjustments", "write_adjustments"),
    "handan.files.aliases": ("Decision", "read_aliases", "write_aliases"),
    "handan.files.io.limits": ("Limits",),
    "handan.files.io.options": ("Options",),
    "handan.files.listing": ("ratings_listed", "read_players"),
    "handan.files.reading": ("read",),
    "handan.files.writing": ("write",),
}
"""Where each public name lives; a club server that reads its own games has no use for the formats of all files."""

__all__ = [
    "Decision",
    "Limits",
    "Options",
    "ratings_listed",
    "read",
    "read_adjustments",
    "read_aliases",
    "read_players",
    "write",
    "write_adjustments",
    "write_aliases",
]
__getattr__ = names_on_demand(__name__, HOMES)


def __dir__() -> list[str]:
    """The public names, for who lists or completes them."""
    return __all__
