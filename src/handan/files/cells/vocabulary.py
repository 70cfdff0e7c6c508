"""What a cell says by its words, each of which must stand in a closed list."""

from __future__ import annotations

import re
from collections.abc import Mapping

from handan.words import plain

Vocabulary = Mapping[str, frozenset[str]]
"""What each word says, joined (`handan.words.joined`)."""
WIDE = (("\u1100", "\u11ff"), ("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uac00", "\ud7af"))
"""First and last letters of scripts that write words without blanks between them."""
NO_LETTERS: Mapping[str, str] = {}
BETWEEN = re.compile(r"[\s,.:;!'’()]+")
MOST_WORDS = 3  # of one entry of a list, such as "not played"
LONGEST_WORD = 12  # letters of an entry in a script without blanks


def has_wide_letters(text: str) -> bool:
    """Return whether a text has letters of a script that writes words without blanks between them."""
    return any(first <= letter <= last for letter in text for first, last in WIDE)


def kinds_of(text: str, vocabulary: Vocabulary, letters: Mapping[str, str] = NO_LETTERS) -> list[str] | None:
    """Return what the words of a text say, in their order; None if one of them is in no list.

    Args:
        text: Of any length that its caller allows.
        vocabulary: The words.
        letters: What single words say that no list can hold, such as the letters of colours.
    """
    kinds: list[str] = []
    tokens = [token for token in BETWEEN.split(plain(text)) if token]
    place = 0
    while place < len(tokens):
        for length in range(min(MOST_WORDS, len(tokens) - place), 0, -1):
            word = "".join(tokens[place : place + length])
            meant = [letters[word]] if length == 1 and word in letters else _meant(word, vocabulary)
            if meant is not None:
                kinds += meant
                place += length
                break
        else:
            return None
    return kinds


def _meant(word: str, vocabulary: Vocabulary) -> list[str] | None:
    """Return what one word says; words of scripts without blanks are taken apart from the left."""
    if word in vocabulary:
        return sorted(vocabulary[word])
    if not has_wide_letters(word):
        return None
    kinds: list[str] = []
    while word:
        lengths = range(min(len(word), LONGEST_WORD), 0, -1)
        part = next((word[:length] for length in lengths if word[:length] in vocabulary), "")
        if not part:
            return None
        kinds += sorted(vocabulary[part])
        word = word[len(part) :]
    return kinds
