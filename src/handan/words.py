"""The table of words that people write over columns and into cells, with their languages (`words.toml`)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("words.toml")
MORE = "more"
"""Stands for every language without a column of its own."""
LETTERS = str.maketrans("łŁđĐıİ", "lLdDiI")
"""Letters that Unicode does not take apart."""
JOINERS = "\u200c\u200d"
"""Characters that nobody sees by themselves, and that change how letters of some scripts are joined."""


@cache
def table() -> Mapping[str, Any]:
    """Return the whole table as the file has it."""
    import tomllib

    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def plain(text: str) -> str:
    """Return text without capitals, marks and width of letters."""
    split = unicodedata.normalize("NFKD", text.translate(LETTERS))
    return "".join(c for c in split if unicodedata.category(c) != "Mn").casefold()


def joined(text: str) -> str:
    """Return the letters and digits of a text, plain: `Winner's Colour` and `winners_colour` are one."""
    return "".join(c for c in plain(text) if c.isalnum())


@cache
def languages_of(*path: str) -> Mapping[str, frozenset[str]]:
    """Return the words of one entry of the table, joined, with the languages of each.

    Args:
        path: Names of the nested entries, such as `heading`, `date`.
    """
    entry: Any = table()
    for name in path:
        entry = entry[name]
    languages: dict[str, set[str]] = {}
    for language, words in entry.items():
        for word in words.split(","):
            languages.setdefault(joined(word), set()).add(language)
    return {word: frozenset(names) for word, names in languages.items()}


@cache
def written_words(*path: str) -> tuple[str, ...]:
    """Return the words of one entry in all languages as they are written, each once."""
    entry: Any = table()
    for name in path:
        entry = entry[name]
    return tuple(dict.fromkeys(word.strip() for words in entry.values() for word in words.split(",")))


def words_of(*path: str) -> frozenset[str]:
    """Return the words of one entry in all languages, joined."""
    return frozenset(languages_of(*path))
