"""The lines of tournament files: decoded by their byte order mark, as UTF-8, or as their format's old encoding."""

from __future__ import annotations

import codecs

from handan.errors import InputError, shown
from handan.files.games.parsed import Gatherer
from handan.files.io.cells import warning_of_guess
from handan.files.io.damaged_text import LOST, guessed
from handan.files.io.decoding import REMEDY, text_codec
from handan.files.io.options import Options

MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def lines_of(data: bytes, gatherer: Gatherer, options: Options, fallback: str, *, usual: bool = False) -> list[str]:
    """Return the lines of a text file; LF, CRLF and a lone CR end them.

    Args:
        data: The content of the file.
        gatherer: Takes the warnings.
        options: The user's encoding, if any, overrules; the limits of a text and of a row.
        fallback: Encoding of files that are not UTF-8.
        usual: Whether the format is usually in that encoding; else a warning says that it was used.

    Raises:
        InputError: A limit is broken, or there is a NUL byte.
    """
    source = gatherer.source
    if len(data) > options.limits.text:
        raise options.limits.exceeded("text", source)
    text = _decoded(data, gatherer, options, fallback, usual=usual)
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise InputError(f"{source} line {line}: a NUL byte; a text file was expected")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if any(len(line) > options.limits.row for line in lines):
        raise options.limits.exceeded("row", source)
    if LOST in text:
        for number, damaged in enumerate(lines, 1):
            if LOST in damaged:
                gatherer.warn(number, "text", damaged.strip(), f"whole; {LOST} stands for destroyed bytes")
    return lines


def _decoded(data: bytes, gatherer: Gatherer, options: Options, fallback: str, *, usual: bool) -> str:
    if options.encoding:
        try:
            return data.decode(text_codec(options.encoding), "replace")
        except (LookupError, ValueError):
            raise InputError(f"encoding {shown(options.encoding)} is unknown; {REMEDY}") from None
    for mark, codec in MARKS:
        if data.startswith(mark):
            return data.decode(codec, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        codec = guessed(data, fallback)
    if codec != "utf-8" and not usual:
        gatherer.problems += warning_of_guess(codec, gatherer.source)
    return data.decode(codec, "replace")
