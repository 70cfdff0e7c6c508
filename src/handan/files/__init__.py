"""Files of games and of adjustments: reading and writing them."""

from handan.files.adjustments import read_adjustments, write_adjustments
from handan.files.aliases import Decision, read_aliases, write_aliases
from handan.files.formats import Options
from handan.files.limits import Limits
from handan.files.reading import read, write

__all__ = [
    "Decision",
    "Limits",
    "Options",
    "read",
    "read_adjustments",
    "read_aliases",
    "write",
    "write_adjustments",
    "write_aliases",
]
