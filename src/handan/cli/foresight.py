"""What would not fit into memory, foreseen before the work begins."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from handan.cli.notices import quoted

if TYPE_CHECKING:
    from handan.ledger import Ledger
    from handan.systems import System

TEXT = 6.0  # bytes of memory for a byte of text, measured when ten million games were read and rated: 2.5 GB for 400 MB
PACKED = 30.0  # the same for one that is packed
OF_GAME = 550.0  # bytes a game of systems that solve all games together, measured by whr on ten million games


def check_files(files: Sequence[Path]) -> None:
    """Refuse files that memory cannot take at once; InputError with the commands that work."""
    from handan.systems.core.memory import refuse_beyond

    sizes = [(file.stat().st_size, file.suffix.lower()) for file in files if file.is_file()]
    need = sum(size * (PACKED if ending in (".gz", ".zip", ".parquet") else TEXT) for size, ending in sizes)
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
            f"{system.name} solves all {len(ledger):,} games together, and",
            "systems that take games one after another, such as --system elo or glicko2, need little (handan doctor)",
        )
