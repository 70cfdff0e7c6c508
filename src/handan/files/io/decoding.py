"""Text of any encoding made into UTF-8, which is what the table readers read."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from contextlib import suppress

from handan.errors import Clause, InputError, QuestionError, either, line_of, shown
from handan.files.io.damaged_text import few_lines, loosely
from handan.files.io.limits import Limits
from handan.files.io.options import Options
from handan.ledger.facts import UNSEEN

REMEDY = "give its encoding{hint}, e.g. cp1252, shift_jis, gb18030 or euc-kr"
HINT = " (--encoding)"
MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
WIDER_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
"""Of UTF-32; the first of them begins as one of UTF-16."""

WIDE_HEAD = 512  # bytes by which text in two bytes a letter is known

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
    codec = _by_mark(head) or encoding or unmarked_utf16(head[: len(head) & ~1])
    if codec and not head.startswith(b"PAR1"):
        with suppress(LookupError, ValueError):
            head = head.decode(text_codec(codec), "ignore").encode()
    return head.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def digits_in(head: bytes) -> int:
    """Return how many digits stand in the first bytes of a file: at once, where an expression tries every place."""
    return len(head) - len(head.translate(None, b"0123456789"))


def _by_mark(data: bytes) -> str:
    """Return the encoding that a byte order mark says; empty without one of UTF-16 or UTF-32."""
    return "utf-32" if data.startswith(WIDER_MARKS) else "utf-16" if data.startswith(MARKS) else ""


def no_headings(line: str) -> int:  # noqa: ARG001  # the signature of what counts headings
    """Return how many headings of games stand in a line of a file that has none."""
    return 0


def to_utf8(
    data: bytes, name: str, options: Options, headings: Callable[[str], int] = no_headings
) -> tuple[bytes, str]:
    """Return the text as UTF-8 without a byte order mark, and the encoding if it was guessed.

    Destroyed bytes become `LOST`. What is neither UTF-8 nor marked as UTF-16 or UTF-32 is read in the encoding in which
    its characters are most likely.

    Args:
        data: The content of the file.
        name: Name for the message.
        options: Its encoding; None for UTF-8, or UTF-16 with a byte order mark. Its limit for a line.
        headings: Returns how many headings stand in a line, which no wrong encoding brings about.

    Raises:
        QuestionError: Two encodings are about as likely.
        InputError: The encoding that the user gives is unknown or another one, or a line is over the limit.
    """
    if not options.encoding and data.isascii() and b"\0" not in data[:WIDE_HEAD]:
        check_lines(data, name, options.limits)
        return data, ""  # no mark that nobody sees is ASCII
    text, guess = decoded(data, name, options.encoding, lambda text: likely_codec(text, name, headings))
    utf8 = text.encode(errors="replace")
    for mark in UNSEEN:
        utf8 = utf8.replace(mark.encode(), b"")
    check_lines(utf8, name, options.limits)
    return utf8, guess


def decoded(data: bytes, name: str, encoding: str | None, guess: Callable[[bytes], str]) -> tuple[str, str]:
    """Return bytes as text, with `LOST` for destroyed ones, and the encoding if it was guessed.

    Args:
        data: A file, or a part of it.
        name: Name for the message.
        encoding: As the user says it.
        guess: Returns the encoding of bytes that are not UTF-8, empty for UTF-8 with destroyed bytes.

    Raises:
        InputError: The encoding that the user gives is unknown or another one.
    """
    wide = "" if encoding else unmarked_utf16(data)
    codec = encoding or wide or _by_mark(data) or "utf-8"
    try:
        return data.decode(text_codec(codec)), wide
    except UnicodeDecodeError as fault:
        if encoding:
            return _in_encoding(data, name, codec, fault), ""
        if codec != "utf-8":
            return data.decode(codec, "replace"), wide
    except UnicodeError:
        values = {"source": name, "codec": shown(codec), "hint": HINT}
        raise InputError(Clause.of("{source} is not {codec}; " + REMEDY, **values)) from None
    except (LookupError, ValueError):
        raise InputError(Clause.of("encoding {codec} is unknown; " + REMEDY, codec=shown(codec), hint=HINT)) from None
    codec = guess(data)
    return data.decode(codec or "utf-8", "replace"), codec


def unmarked_utf16(data: bytes) -> str:
    """Return in which order of bytes a file is UTF-16 without its mark; empty if it is not."""
    head = data[:WIDE_HEAD]
    if len(head) < 4 or len(data) % 2 or data.startswith(MARKS):
        return ""
    for codec, place in (("utf-16-le", 1), ("utf-16-be", 0)):
        high, low = head[place::2], head[1 - place :: 2]
        if 2 * high.count(0) > len(high) and not low.count(0):
            return codec
    return ""


def is_utf16(head: bytes) -> bool:
    """Return whether a text that begins so is in two bytes a letter."""
    return head.startswith(MARKS) or bool(unmarked_utf16(head[: len(head) & ~1]))


def _in_encoding(data: bytes, name: str, codec: str, fault: UnicodeDecodeError) -> str:
    """Return text in the encoding that the user gives, with `LOST` for destroyed bytes; InputError if it is another."""
    text = loosely(data, codec)
    if text is None:
        place, byte = line_of(name, _line(data[: fault.start], codec)), f"0x{data[fault.start]:02x}"
        values = {"byte": byte, "codec": codec, "hint": HINT}
        raise InputError(Clause.of("{source}: byte {byte} is not {codec}; " + REMEDY, source=place, **values))
    return text


def likely_codec(data: bytes, name: str, headings: Callable[[str], int] = no_headings) -> str:
    """Return the encoding in which the characters of a text are most likely; empty for UTF-8 with destroyed bytes.

    Pairs of bytes that are letters throughout are no damaged UTF-8: half of the sequences of Chinese text look like it.

    Raises:
        QuestionError: Two encodings are about as likely.
    """
    from handan.files.io.encoding_detection import CERTAIN, likelihood_of_utf8, likely

    loose = loosely(data, "utf-8")
    guess = likely(data, headings)
    if loose is not None and not (guess.whole and guess.score > likelihood_of_utf8(data) + CERTAIN):
        return ""
    if not guess.plausible or (guess.rivals and few_lines(data)):
        return ""
    if guess.rivals:
        choices = either(shown(cell) for _, cell in guess.rivals)
        codecs_ = tuple(codec for codec, _ in guess.rivals)
        raise QuestionError(
            Clause.of("the text is not UTF-8, and may be several encodings: is a cell {choices}?", choices=choices),
            "--encoding", codecs_, name, tuple(cell for _, cell in guess.rivals),
        )  # fmt: skip
    return guess.codec


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
