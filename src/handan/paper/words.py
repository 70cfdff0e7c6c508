"""Words of the papers, by paper and language, and how they write stones and komi."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from handan.wording.languages import LANGUAGES as NAMES
from handan.wording.languages import komi_points

Words = Mapping[str, str]
BY_LAW = re.compile(
    r"(?P<points>\d{1,6}) points a stone, "
    r"(?:komi (?P<komi>\d{1,3}(?:\.\d{1,2})?)|no komi) at the head of a column"
)
"""The title that `regular_card` gives."""
LANGUAGES = tuple(NAMES)


@cache
def words_of(paper: str, language: str) -> Words:
    """Return the words of a paper, or those that all share, by what they stand for.

    Args:
        paper: A name of `PAPERS`, `shared`, or `titles` of cards, by those in English.
        language: One of `LANGUAGES`.
    """
    text = files("handan.paper").joinpath(f"languages/{language}.toml").read_text(encoding="utf-8")
    words: Words = tomllib.loads(text)[paper]
    return words


def card_title(title: str, language: str) -> str:
    """Return the title of a printed card, or of one by the general law, in a language; a club's own stays as it is."""
    titles = words_of("titles", language)
    if match := BY_LAW.fullmatch(title):
        pattern = title.replace(match["points"], "{points}", 1).replace(f"komi {match['komi']}", "komi {komi}")
        komi = komi_points(float(match["komi"]), language) if match["komi"] else ""
        return titles.get(pattern, title).format(points=match["points"], komi=komi)
    return titles.get(title, title)


def stones_words(stones: int, language: str) -> str:
    """Return the stones on the board in words; 0: Black moves first."""
    words = words_of("shared", language)
    return words["stones"].format(stones=stones) if stones else words["first"]


def komi_words(komi: float | None, language: str) -> str:
    """Return komi in words, positive to White: `Black gives 6.5`, `黒から6目半`; empty where a card prints none."""
    words = words_of("shared", language)
    if komi is None:
        return ""
    if komi == 0:
        return words["no komi"]
    return words["black gives" if komi > 0 else "white gives"].format(points=komi_points(abs(komi), language))
