"""What a file format is to the rest of the package: how it is known, read and written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from handan.errors import InputError
from handan.files.games.contents import Contents, Register
from handan.files.io.options import Options
from handan.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Format:
    """One file format; adding one means writing its file and naming it in `OWN` of `handan.files.formats`."""

    name: str
    sniff: Callable[[bytes], bool]
    """Whether a file that begins with these bytes (unpacked, at most 64 KiB) is of this format."""
    read: Callable[[bytes, str, Options], Contents]
    """From the unpacked bytes, the name for reports and the user's options to the contents; InputError if the file
    cannot be used at all."""
    endings: tuple[str, ...] = ()
    """Endings of file names that mean this format on writing."""
    write: Callable[[Ledger, str, bool], tuple[bytes, list[str]]] | None = None
    """From the ledger, the ending of the file name and whether cells must be safe in spreadsheets to the bytes, and
    what the format cannot hold, one line each."""
    together: Callable[[Sequence[tuple[bytes, str]], Options], list[Contents | InputError]] | None = None
    """From the bytes and names of files that lie in one folder to the contents of each, or why it cannot be read, where
    a file tells something of those beside it."""
    fields: Callable[[bytes, str, Options], dict[str, str]] | None = None
    """From the same as `read` to every field of the file by where it stands, spelt so that two spellings of one thing
    are the same; `handan.files.differences` compares files by it, and without it by what is read of them."""
    join: Callable[[Contents, str, Register], Contents] | None = None
    """From the contents, the name for reports and the register of the files beside this one to the contents with its
    names, where files name players by their numbers in a register."""
