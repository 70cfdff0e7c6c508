"""Cells in place of a player in which there is none: a bye, a mark, a word for nobody, or the error of a formula."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import polars as pl

from handan.words import written_words

FORMULA_ERRORS = frozenset((
    "#N/A", "#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!", "#ERROR!",
    "#NV", "#BEZUG!", "#WERT!", "#ZAHL!", "#NOM?", "#VALEUR!",
))  # fmt: skip
"""What spreadsheet programs show in place of a value, in English, German and French."""
BYE, ABSENT, DOUBTFUL, ERROR = "bye", "absent", "doubtful", "error"
HALF, FREE = "half", "free point"
"""In words for a bye that brings half a point, and for a point that was given without one."""
SIGNS = " \t-–—‒_./\\()*[]{}<>«»\"'#:;,+=!?¿…·～~（）「」【】《》。、"
DIGITS = "0123456789"
"""Signs and digits stand around a word for a bye without a meaning of their own."""
EMOJI = "\U0001f000"
"""The first of the pictures that players of servers have for a name."""
NAMED = rf"[\p{{L}}1-9{EMOJI}-\U0001faff]"
"""What every name has: a letter, a number as servers and databases give them, or a picture."""


def nobody_in(cells: pl.Series) -> dict[str, str]:
    """Return the cells that name no player, with what they are: `bye`, `absent`, `doubtful` or `error`.

    Args:
        cells: Different texts in the place of players. A single x is a player where others have one letter too.
    """
    bare = cells.str.strip_chars(SIGNS + DIGITS).str.to_lowercase()
    errors = cells.str.strip_chars().is_in(list(FORMULA_ERRORS))
    likely = bare.is_in(list(_words())) | errors | ~cells.str.contains(NAMED)
    kinds = {cell: kind for cell in cells.filter(likely).to_list() if (kind := kind_of_nobody(cell))}
    if DOUBTFUL in kinds.values() and _has_short_names(cells, kinds):
        kinds = {cell: kind for cell, kind in kinds.items() if kind != DOUBTFUL or len(cell.strip()) > 1}
    return kinds


def is_nobody(cell: str) -> bool:
    """Return whether a text surely names no player."""
    return kind_of_nobody(cell) not in ("", DOUBTFUL)


def kind_of_nobody(cell: str) -> str:
    """Return what a cell is that names no player; empty for any other, and for an empty one."""
    text = cell.strip()
    if not text:
        return ""
    if text in FORMULA_ERRORS:
        return ERROR
    small = text.strip(SIGNS).lower()
    if small.strip(SIGNS + DIGITS) in _byes():
        return BYE
    if small in _words():
        return _words()[small] if _words()[small] != DOUBTFUL or len(small) == len(text) else ""
    return "" if any((letter.isalnum() and letter != "0") or letter >= EMOJI for letter in text) else ABSENT


def _has_short_names(cells: pl.Series, kinds: Mapping[str, str]) -> bool:
    """Return whether other names than those of nobody are a single letter, as in tables whose players are A, B, X."""
    short = cells.filter(cells.str.len_chars() == 1).to_list()
    return any(cell.isalpha() and cell not in kinds for cell in short)


@cache
def _words() -> Mapping[str, str]:
    """Return what each word of the lists is, in small letters and all spellings of its blanks."""
    kinds: dict[str, str] = {}
    for kind in (DOUBTFUL, ABSENT, BYE):
        for word in written_words("nobody", kind):
            forms = {word, word.replace("i", "i\u0307")}  # the Turkish capital of i in small letters
            kinds |= {form.replace(" ", blank): kind for form in forms for blank in (" ", "-", "_", "")}
    return kinds


@cache
def _byes() -> frozenset[str]:
    """Return the words for a bye alone."""
    return frozenset(word for word, kind in _words().items() if kind == BYE)
