"""Words that all papers share, by language, and how ranks, dates, stones and komi are written.

Sources of the Japanese words: the points cards and rules of Japanese clubs that `handan.handicaps.cards` names.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from handan.ranks import Rank

Words = Mapping[str, str]
LANGUAGES = ("en", "ja")
WORDS: dict[str, Words] = {
    "en": {
        "live": "Live list of {day}",
        "official": "Official list {label}, {day}",
        "labelled": "{label}, {day}",
        "past": "List of {day}",
        "points": "Points",
        "rating": "Rating",
        "rank": "Rank",
        "black": "Black",
        "white": "White",
        "even": "Even game",
        "first": "Black first",
        "stones": "{stones} stones",
        "and": ", ",
        "head even": "even",
        "head first": "first",
        "head stones": "{stones}",
        "black gives": "Black gives {points}",
        "white gives": "White gives {points}",
        "no komi": "no komi",
    },
    "ja": {
        "live": "{day}現在",
        "official": "公式順位表 {label}({day})",
        "labelled": "{label}({day})",
        "past": "{day}の順位表",
        "points": "持ち点",
        "rating": "レーティング",
        "rank": "段級位",
        "black": "黒",
        "white": "白",
        "even": "互先",
        "first": "先",
        "stones": "{stones}子",
        "and": " ",
        "head even": "互先",
        "head first": "先",
        "head stones": "{stones}子",
        "black gives": "黒から{points}",
        "white gives": "白から{points}",
        "no komi": "コミなし",
    },
}
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December")  # fmt: skip


def rank_words(rank: Rank | None, language: str) -> str:
    """Return a rank as papers write it, empty for none: `4 dan`, `四段`."""
    return "" if rank is None else rank.format("en-long" if language == "en" else language)


def date_words(day: date, language: str) -> str:
    """Return a day: `21 November 2026`, `2026年11月21日`."""
    if language == "ja":
        return f"{day.year}年{day.month}月{day.day}日"
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def month_words(day: date, language: str) -> str:
    """Return the month of a day: `November 2026`, `2026年11月`."""
    return f"{day.year}年{day.month}月" if language == "ja" else f"{MONTHS[day.month - 1]} {day.year}"


def stones_words(stones: int, language: str) -> str:
    """Return the stones on the board in words; 0: Black moves first."""
    words = WORDS[language]
    return words["stones"].format(stones=stones) if stones else words["first"]


def komi_words(komi: float | None, language: str) -> str:
    """Return komi in words, positive to White: `Black gives 6.5`, `黒から6目半`; empty where a card prints none."""
    words = WORDS[language]
    if komi is None:
        return ""
    if komi == 0:
        return words["no komi"]
    return words["black gives" if komi > 0 else "white gives"].format(points=_points(abs(komi), language))


def _points(komi: float, language: str) -> str:
    if language != "ja":
        return f"{komi:g}"
    whole, half = int(komi), komi == int(komi) + 0.5
    if half:
        return f"{whole}目半" if whole else "半目"
    return f"{komi:g}目"
