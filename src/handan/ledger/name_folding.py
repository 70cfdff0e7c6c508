"""Names for comparison: without marks, capitals, width, order and punctuation."""

from __future__ import annotations

import re
import unicodedata

from handan.ledger.facts import SOFT_HYPHEN, UNSEEN
from handan.words import JOINERS

LOST = ("?", "\ufffd")
"""What stands in a name where a writer lost a character."""
FIRST_UNSPACED = "\u0e00"
"""The scripts from here on, from Thai to those of China, Japan and Korea, are mostly written without blanks."""
STROKES = str.maketrans("ıİłŁøØđĐ", "iIlLoOdD", JOINERS + UNSEEN + SOFT_HYPHEN)
"""Letters that Unicode does not take apart, and signs that nobody sees."""


def folded(name: str) -> str:
    """Return a name without marks, joiners, capitals and width of letters; blanks are single."""
    if name.isascii():
        return " ".join(name.casefold().split())  # the same, and many times faster
    plain = unicodedata.normalize("NFKD", name.translate(STROKES))
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).casefold().split())


def unspaced(name: str) -> bool:
    """Whether a name is of a script that needs no blanks between words, as far as its letters show."""
    return max(name, default="") >= FIRST_UNSPACED


def words(name: str) -> str:
    """Return the folded words of a name in alphabetical order, so that surname and given name may stand either way."""
    return " ".join(sorted(re.findall(r"\w+", folded(name))))


def loosely_spelt(name: str) -> str:
    """Return the folded words of a name in alphabetical order; in scripts without blanks its letters alone."""
    plain = folded(name)
    return plain.replace(" ", "") if unspaced(plain) else words(plain)


def damaged(name: str) -> bool:
    """Whether a name has lost characters; it then tells nothing about who it is."""
    return any(mark in name for mark in LOST)
