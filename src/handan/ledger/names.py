"""Names for comparison: without marks, capitals, width, order and punctuation."""

from __future__ import annotations

import re
import unicodedata

LOST = ("?", "\ufffd")
"""What stands in a name where a writer lost a character."""
STROKES = str.maketrans("ıİłŁøØđĐ", "iIlLoOdD")  # letters that Unicode does not take apart


def folded(name: str) -> str:
    """Return a name without marks, capitals and width of letters; blanks are single."""
    if name.isascii():
        return " ".join(name.casefold().split())  # the same, and many times faster
    plain = unicodedata.normalize("NFKD", name.translate(STROKES))
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).casefold().split())


def words(name: str) -> str:
    """Return the folded words of a name in alphabetical order, so that surname and given name may stand either way."""
    return " ".join(sorted(re.findall(r"\w+", folded(name))))


def damaged(name: str) -> bool:
    """Whether a name has lost characters; it then tells nothing about who it is."""
    return any(mark in name for mark in LOST)
