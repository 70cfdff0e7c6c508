"""What would not fit into memory, foreseen before the work begins."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from handan.cli.notices import quoted
from handan.errors import counted

if TYPE_CHECKING:
    from handan.ledger import Ledger
    from handan.systems import System

TEXT = 4.0
"""Bytes of memory for a byte of text: 1.6 and 6.4 million games of a CSV file, 45 bytes each, read and rated by `elo`,
took 3.5 and 2.8 of heap at most above that of an empty process, and 2.6 for each byte more."""
OBJECTS = 20.0  # the same of JSON Lines of 87 bytes a game: 18.4 and 18.5, for 0.4 and 1.6 million games
PACKED = 30.0  # the same of gzip, 7 bytes a game: 20.9 and 20.5; of Parquet, 5 bytes a game: 30.7 and 26.1
OF_GAME = 450.0
"""Bytes a game of systems that solve all games together: `whr` took 424 above a ledger of a million games of 10,000
players on random days in ten years, with what is said of every game; the list alone takes about a third of it."""
MEMORY = {".gz": PACKED, ".zip": PACKED, ".parquet": PACKED, ".jsonl": OBJECTS, ".ndjson": OBJECTS, ".json": OBJECTS}
"""Bytes of memory for a byte of a file, by how its name ends."""


def check_files(files: Sequence[Path]) -> None:
    """Refuse files that memory cannot take at once; InputError with the commands that work."""
    from handan.systems.core.memory import refuse_beyond

    sizes = [(file.stat().st_size, file.suffix.lower()) for file in files if file.is_file()]
    need = sum(size * MEMORY.get(ending, TEXT) for size, ending in sizes)
    names = " ".join(quoted(str(file)) for file in files)
    refuse_beyond(
        need,
        f"reading {names} at once",
        f"handan ledger build {names} -o games.ledger, then handan rate games.ledger --system NAME",
    )


def check_system(ledger: "Ledger", system: "System") -> None:
    """Refuse to solve more games together than memory can take; InputError with what works."""
    from handan.systems.core.base import Sequential
    from handan.systems.core.memory import refuse_beyond

    if not isinstance(system, Sequential):
        refuse_beyond(
            OF_GAME * len(ledger),
            f"{system.name} solves {counted(len(ledger), 'game')} together, and",
            "systems that take games one after another, such as --system elo or glicko2, need little (handan doctor)",
        )
