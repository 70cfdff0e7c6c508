"""What would not fit into memory is refused before the work begins, with the command that works."""

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
MEMORY = {".gz": PACKED, ".zip": PACKED, ".parquet": PACKED, ".jsonl": OBJECTS, ".ndjson": OBJECTS, ".json": OBJECTS}
"""Bytes of memory for a byte of a file, by how its name ends."""


STORED = 35.0  # bytes of memory for a game, player or state of a ledger on disk: ten million games took 33 each
LARGER = "end other programs, or take another machine"
LEAST_PIECE = 1 << 22  # bytes; our choice: less saves nothing beside the libraries
IN_PIECES = "only CSV, JSON Lines and Parquet are read in pieces, by handan ledger build; write the games so"


def check_files(files: Sequence[Path], remedy: str = "") -> None:
    """Refuse files that memory cannot take at once.

    Args:
        files: Those that were given, of which a folder stands for all that is in it.
        remedy: What works instead; empty: a ledger on disk, if the files can be read in pieces.

    Raises:
        InputError: They would not fit; it says what works.
    """
    from handan.files.io.storage import come_in_pieces
    from handan.ledger.manifest import is_ledger
    from handan.systems.core.memory_limit import refuse_beyond

    names = named(files)
    build = f"handan ledger build {names} -o games.ledger, then handan rate games.ledger --system NAME"
    remedy = remedy or (build if come_in_pieces(files) else LARGER if all(map(is_ledger, files)) else IN_PIECES)
    refuse_beyond(_need(files), f"reading {names} at once", remedy)


def piece_that_fits(files: Sequence[Path], *, row_by_row: bool) -> int | None:
    """Return how many bytes of files are read together where not all are; None: all are read at once.

    Args:
        files: Those of which a ledger is built.
        row_by_row: Whether nothing is asked that needs all rows together.
    """
    from handan.files.io.storage import come_in_pieces
    from handan.files.large_files import PIECE
    from handan.files.ledger_building import are_large
    from handan.systems.core.memory_limit import memory

    if not (row_by_row and come_in_pieces(files)):
        return None
    there = memory()
    if not are_large(files) and (there is None or _need(files) <= there.free):
        return None
    return PIECE if there is None else min(max(int(there.free / (2 * TEXT)), LEAST_PIECE), PIECE)


def without_pieces(files: Sequence[Path]) -> str:
    """Return what can be done where files do not fit that are to be made a ledger, and are not read in pieces."""
    from handan.files.io.storage import come_in_pieces

    apart = "without --aliases, --dedupe, --as-of, --date and --date-from-path they are read in pieces"
    return apart if come_in_pieces(files) else IN_PIECES


def named(files: Sequence[Path]) -> str:
    """Return files as a command names them."""
    return " ".join(quoted(str(file)) for file in files)


def _need(files: Sequence[Path]) -> float:
    """Return about how many bytes of memory it takes to read files, and ledgers on disk, at once."""
    from handan.files.io.storage import files_in
    from handan.ledger.manifest import is_ledger, read_manifest

    ledgers = [file for file in files if is_ledger(file)]
    inside = [each for file in files if file.is_dir() and file not in ledgers for each in files_in(file)]
    sizes = [(each.stat().st_size, each.suffix.lower()) for each in (*files, *inside) if each.is_file()]
    stored = sum(file.rows for ledger in ledgers for file in read_manifest(ledger).files.values())
    return sum(size * MEMORY.get(ending, TEXT) for size, ending in sizes) + STORED * stored


def check_system(ledger: "Ledger", system: "System") -> None:
    """Refuse to solve more games together than memory can take; InputError with what works."""
    from handan.systems.core.memory_limit import TOGETHER, refuse_beyond
    from handan.systems.core.sequential import Sequential

    if not isinstance(system, Sequential):
        refuse_beyond(
            TOGETHER * len(ledger),
            f"{system.name} solves {counted(len(ledger), 'game')} together, and",
            "systems that take games one after another, such as --system elo or glicko2, need little (handan doctor)",
        )
