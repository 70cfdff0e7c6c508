"""Whether a text that somebody types means a name: in any script, in part, with blanks or without."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Self

import polars as pl

from handan.ledger.name_folding import folded
from handan.ledger.phonetic import initials, is_initials, sound

WHOLE, SOUND, START, MIDDLE = range(4)
"""How well a text fits a name: it is the whole name, sounds like it, begins words of it, or stands somewhere in it."""


BETWEEN = "\n"
"""Stands before each form of a name, of which none has a line break: folding makes it a blank."""


class Spelt(NamedTuple):
    """A name with its reading and numbers, as a search looks through them."""

    wholes: str
    """Name and reading, folded, with blanks and without, `BETWEEN` before each."""
    sounds: str
    """The same as they sound."""
    words: str
    """All words, a blank before each."""
    heard: str
    """The words as they sound, and the initials of hangul."""


SPELLINGS = dict.fromkeys(Spelt._fields, pl.String)
"""Columns of a table of `Spelt`."""


@lru_cache(maxsize=65_536)  # our choice: as many names as `sound` keeps
def spelt(name: str, reading: str = "", numbers: tuple[str, ...] = ()) -> Spelt:
    """Return a name as a search looks through it."""
    given = [text for text in (name, reading) if text]
    joined = [unbroken for text in given for unbroken in _unbroken(text)]
    first = [letters for text in given if (letters := initials(text))]
    plain, heard = (tuple(map(form, (*given, *joined))) for form in (folded, sound))
    return Spelt(
        "".join(BETWEEN + form for form in sorted({*plain})),
        "".join(BETWEEN + form for form in sorted({*heard})),
        " " + " ".join((*plain, *map(folded, numbers))),
        " " + " ".join((*heard, *first)),
    )


def table_of(spellings: Iterable[Spelt]) -> pl.DataFrame:
    """Return how names are spelt as a table, a row a name."""
    return pl.DataFrame(list(spellings), schema=SPELLINGS, orient="row")


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

    def fits(self, names: pl.DataFrame) -> pl.DataFrame:
        """Return the names that the text fits: their `place` among all, ascending, and how well it fits, `fit`."""
        fits, starts = pl.lit(value=True), pl.lit(value=True)
        for plain, heard in self.fragments:
            begins = _holds("words", f" {plain}") | _holds("heard", f" {heard}")
            within = _holds("words", plain)
            fits &= begins | within if is_initials(plain) else within | _holds("heard", heard)
            starts &= begins
        whole = pl.when(_holds("wholes", self.whole, between=True)).then(WHOLE)
        fit = whole.when(_holds("sounds", self.heard, between=True)).then(SOUND).when(starts).then(START)
        return names.with_row_index("place").filter(fits).select("place", fit=fit.otherwise(MIDDLE))


def _holds(column: str, text: str, *, between: bool = False) -> pl.Expr:
    """Return whether a column holds a text; `between`: as one of the forms that stand there."""
    if between:
        return (pl.col(column) + BETWEEN).str.contains(BETWEEN + text + BETWEEN, literal=True)
    return pl.col(column).str.contains(text, literal=True)
