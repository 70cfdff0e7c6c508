"""Whether a text that somebody types means a name: in any script, in part, with blanks or without."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Self

from handan.ledger.names import folded
from handan.ledger.sounds import initials, is_initials, sound

WHOLE, SOUND, START, MIDDLE = range(4)
"""How well a text fits a name: it is the whole name, sounds like it, begins words of it, or stands somewhere in it."""


class Spelt(NamedTuple):
    """A name with its reading and numbers, as a search looks through them; a blank stands before each word."""

    wholes: frozenset[str]
    """Name and reading, folded, with blanks and without."""
    sounds: frozenset[str]
    """The same as they sound."""
    words: str
    heard: str
    """The words as they sound, and the initials of hangul."""


@lru_cache(maxsize=65_536)  # our choice: as many names as `sound` keeps
def spelt(name: str, reading: str = "", numbers: tuple[str, ...] = ()) -> Spelt:
    """Return a name as a search looks through it."""
    given = [text for text in (name, reading) if text]
    joined = [unbroken for text in given for unbroken in _unbroken(text)]
    first = [letters for text in given if (letters := initials(text))]
    plain, heard = (tuple(map(form, (*given, *joined))) for form in (folded, sound))
    return Spelt(
        frozenset(plain),
        frozenset(heard),
        " " + " ".join((*plain, *map(folded, numbers))),
        " " + " ".join((*heard, *first)),
    )


def _unbroken(text: str) -> list[str]:
    """Return a name of several words without blanks, in both orders."""
    words = text.split()
    return ["".join(words), "".join(reversed(words))] if len(words) > 1 else []


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text that is searched for."""

    whole: str
    heard: str
    fragments: tuple[tuple[str, str], ...]
    """Its words, as written and as they sound."""

    @classmethod
    def of(cls, text: str, most: int) -> Self:
        """Take a text, of which so many different words count."""
        words = list(dict.fromkeys(folded(text).split()))[:most]
        # from the text as it was typed, since folding takes the marks of kana away
        pairs = dict.fromkeys((folded(word), sound(word)) for word in text.split())
        by_word = {plain: heard for plain, heard in pairs if plain in words}
        return cls(folded(text), sound(text), tuple((word, by_word.get(word, word)) for word in words))

    def fit(self, name: Spelt) -> int | None:
        """Return how well the text fits a name, None if it does not."""
        starts = True
        for plain, heard in self.fragments:
            begins = f" {plain}" in name.words or f" {heard}" in name.heard
            if not begins and not self._within(plain, heard, name):
                return None
            starts = starts and begins
        if self.whole in name.wholes:
            return WHOLE
        if self.heard in name.sounds:
            return SOUND
        return START if starts else MIDDLE

    @staticmethod
    def _within(plain: str, heard: str, name: Spelt) -> bool:
        return plain in name.words or (not is_initials(plain) and heard in name.heard)
