"""Text with destroyed bytes: still of its encoding, so that no name comes out in another script.

A byte that was destroyed makes a whole file invalid. What stands around it says what the file is: sequences of UTF-8,
pairs of bytes as Chinese encodings have them, or single letters with marks between plain ones.
"""

from __future__ import annotations

import re

from handan.errors import Clause

LOST = "\ufffd"
"""What stands for destroyed bytes."""
DESTROYED = Clause.of("whole; {sign} stands for destroyed bytes", sign=LOST)
"""What text with destroyed bytes is not."""
SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{1,2}|[\xf0-\xf4][\x80-\xbf]{1,3}")
"""Sequences of UTF-8, also those whose end is destroyed."""
HIGH = re.compile(rb"[\x80-\xff]+")
PAIRS = re.compile(rb"(?:[\xa1-\xf7][\xa1-\xfe])+")
WORD = re.compile(rb"[A-Za-z\x80-\xff]+")
BETWEEN = re.compile(rb"(?<=[a-z])[\x80-\xff]{1,2}(?=[a-z])")


def is_utf8(data: bytes) -> bool:
    """Return whether most bytes that are not ASCII stand in sequences of UTF-8, whole or cut."""
    sequences = sum(map(len, SEQUENCE.findall(data)))
    return sequences > 0 and 2 * sequences > _high(data)


def is_chinese(data: bytes) -> bool:
    """Return whether most bytes that are not ASCII stand in pairs, and not between small Latin letters."""
    runs = [run for run in HIGH.findall(data) if PAIRS.fullmatch(run)]
    inside = sum(map(len, BETWEEN.findall(data)))
    return 2 * (sum(map(len, runs)) - inside) > _high(data)


def is_latin(data: bytes) -> bool:
    """Return whether most bytes that are not ASCII stand in words of Latin letters, as in West European names."""
    words = [word for word in WORD.findall(data) if 2 * _high(word) <= len(word)]
    return 2 * sum(map(_high, words)) > _high(data)


def _high(data: bytes) -> int:
    return sum(map(len, HIGH.findall(data)))


def guessed(data: bytes, fallback: str) -> str:
    """Return the encoding of text that is not all UTF-8: UTF-8 if it is that but for damage, else the format's old one.

    A Chinese fallback is only taken for text in pairs of bytes; names with Latin letters would become Chinese in it.
    """
    if is_utf8(data):
        return "utf-8"
    if fallback == "gb18030" and not is_chinese(data):
        return "cp1252"
    return fallback


def loosely(data: bytes, codec: str) -> str | None:
    """Return text with `LOST` for its destroyed bytes; None if most of what is not ASCII cannot be of this encoding.

    Raises:
        LookupError: There is no such encoding.
    """
    text = data.decode(codec, "replace")
    if codec == "utf-8":
        return text if is_utf8(data) else None
    lost = text.count(LOST)
    return text if sum(ord(c) > 127 for c in text) - lost > lost else None


def few_lines(data: bytes) -> bool:
    """Return whether less than half of the lines behind the first are not UTF-8."""
    lines = [line for line in data.replace(b"\r", b"\n").split(b"\n")[1:] if line.strip()]
    return 2 * sum(not _is_valid(line) for line in lines) < len(lines)


def _is_valid(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
