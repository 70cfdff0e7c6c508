"""Text of any encoding made into UTF-8, which is what the table readers read."""

from __future__ import annotations

import codecs
from contextlib import suppress

from handan.errors import InputError, shown
from handan.files.io.damaged_text import few_lines, is_latin, loosely
from handan.files.io.limits import Limits
from handan.files.io.options import Options

REMEDY = "give its encoding (--encoding), e.g. cp1252, shift_jis, gb18030 or euc-kr"
MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

NO_ENCODINGS = frozenset(("punycode", "idna", "undefined", "unicode-escape", "raw-unicode-escape"))
"""What Python decodes and no text file is written in; hostile text of the first takes time without bound."""


def text_codec(name: str) -> str:
    """Return Python's name of an encoding; LookupError if it is none of text files."""
    codec = codecs.lookup(name).name
    if codec in NO_ENCODINGS:
        raise LookupError(name)
    return codec


def plain_head(head: bytes, encoding: str | None) -> bytes:
    """Return the first bytes of a file as formats are known by them: ASCII in one byte each, lines that end in LF."""
    codec = "utf-16" if head.startswith(MARKS) else encoding
    if codec and not head.startswith(b"PAR1"):
        with suppress(LookupError, ValueError):
            head = head.decode(codec, "ignore").encode()
    return head.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def to_utf8(data: bytes, name: str, options: Options) -> tuple[bytes, str]:
    """Return the text as UTF-8 without a byte order mark, and the encoding if it was guessed.

    Destroyed bytes become `LOST` if the rest of the text, or most of its lines, are of its encoding. What is not UTF-8
    and looks like West European names is read as cp1252. InputError if it is in another encoding or has a huge line.

    Args:
        data: The content of the file.
        name: Name for the message.
        options: Its encoding; None for UTF-8, or UTF-16 with a byte order mark. Its limit for a line.
    """
    codec = options.encoding or ("utf-16" if data.startswith(MARKS) else "utf-8")
    if codec == "utf-8" and data.isascii():
        check_lines(data, name, options.limits)
        return data, ""
    guess = ""
    try:
        text = data.decode(codec)
        utf8 = data if codec == "utf-8" else text.encode()
    except UnicodeDecodeError as fault:
        loose = loosely(data, codec)
        if loose is None and not options.encoding and is_latin(data):
            guess = "cp1252"
            loose = data.decode(guess, "replace")
        elif loose is None and not options.encoding and few_lines(data):
            loose = data.decode(codec, "replace")
        if loose is None:
            place = f"{name} line {_line(data[: fault.start], codec)}"
            raise InputError(f"{place}: byte 0x{data[fault.start]:02x} is not {codec}; {REMEDY}") from None
        utf8 = loose.encode()
    except UnicodeError:
        raise InputError(f"{name} is not {shown(codec)}; {REMEDY}") from None
    except (LookupError, ValueError):
        raise InputError(f"encoding {shown(codec)} is unknown; {REMEDY}") from None
    utf8 = utf8.removeprefix(codecs.BOM_UTF8)
    check_lines(utf8, name, options.limits)
    return utf8, guess


def _line(before: bytes, codec: str) -> int:
    """Return the line in which the text goes on after these bytes."""
    text = before.decode(codec, "replace")
    return 1 + text.count("\n") + text.count("\r") - text.count("\r\n")


def check_lines(data: bytes, name: str, limits: Limits) -> None:
    """Refuse a file with a line over the limit, by steps from the last line end within reach to the next."""
    start = 0
    while len(data) - start > limits.line:
        reach = start + limits.line + 1
        end = max(data.rfind(b"\n", start, reach), data.rfind(b"\r", start, reach))
        if end < 0:
            raise limits.exceeded("line", name)
        start = end + 1
