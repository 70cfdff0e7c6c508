"""The lines of tournament files: in the encoding that all files are read in, else in their format's old one."""

from __future__ import annotations

from handan.errors import Clause, InputError, line_of
from handan.files.games.contents import Gatherer
from handan.files.io.cells import warning_of_guess
from handan.files.io.damaged_text import DESTROYED, LOST, guessed
from handan.files.io.decoding import decoded
from handan.files.io.options import Options


def lines_of(data: bytes, gatherer: Gatherer, options: Options, fallback: str, *, usual: bool = False) -> list[str]:
    """Return the lines of a text file; LF, CRLF and a lone CR end them.

    Args:
        data: The content of the file.
        gatherer: Takes the warnings.
        options: The user's encoding, if any, overrules; the limits of a text and of a row.
        fallback: Encoding of files that are not UTF-8.
        usual: Whether the format is usually in that encoding; else a warning says that it was used.

    Raises:
        InputError: A limit is broken, the encoding that the user gives is another one, or there is a NUL byte.
    """
    source = gatherer.source
    options.limits.check("text", len(data), source)

    def old_encoding(data: bytes) -> str:
        codec = guessed(data, fallback)
        return "" if codec == "utf-8" else codec

    text, codec = decoded(data, source, options.encoding, old_encoding)
    if not usual:
        gatherer.problems += warning_of_guess(codec, source)
    text = text.removeprefix("\ufeff")
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise InputError(Clause.of("{source}: a NUL byte; a text file was expected", source=line_of(source, line)))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if any(len(line) > options.limits.row for line in lines):
        raise options.limits.exceeded("row", source)
    if LOST in text:
        for number, damaged in enumerate(lines, 1):
            if LOST in damaged:
                gatherer.warn(number, "text", damaged.strip(), DESTROYED)
    return lines
