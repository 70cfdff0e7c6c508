"""Names on paper: whose characters they are written in, how wide they are, and their parts written downward."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from markupsafe import Markup

from handan.paper.markup import tag

POINT = 25.4 / 72
"""Millimetres in a point."""
SIZES = (8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 21, 24, 27, 30, 33, 36, 42, 48, 54)
"""Sizes of letters in points. Our choice; nothing on paper is smaller than 8."""
LARGEST_DOWNWARD = 36  # our choice: points of a name that is written downward
MOST = 5_000  # our choice: names whose language a process keeps
MOST_LETTERS = 10_000  # our choice: letters whose width a process keeps
COUNTRIES = {
    **dict.fromkeys(("JP", "JPN"), "ja"),
    **dict.fromkeys(("KR", "KOR", "KP", "PRK"), "ko"),
    **dict.fromkeys(("CN", "CHN", "SG", "SGP"), "zh-Hans"),
    **dict.fromkeys(("TW", "TWN", "TPE", "HK", "HKG", "MO", "MAC"), "zh-Hant"),
}
"""Language whose forms of Chinese characters a country uses."""
HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")
KANA = re.compile("[\u3041-\u30ff\uff66-\uff9f]")
HAN = re.compile("[\u2e80-\u2fdf\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
LEFTWARD = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""Letters of scripts that are written to the left, such as Hebrew and Arabic."""
TURNED = set("ー－—–-~〜～…‥()（）「」『』[]［］〈〉《》=＝")
"""Signs that lie along the line, and are turned with it."""
JOINER = "\u200d"
RAISED = set("ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ、。")
"""Small letters and stops, which stand at the upper right of their square."""
NARROW = set("iljftrI.,:;'|!()[]1 -")


@lru_cache(MOST)
def language_of(name: str, reading: str = "", country: str = "", language: str = "en") -> str:
    """Return the language whose letter forms a name has, empty where it does not matter.

    Hangul and kana speak for themselves; for Chinese characters alone the country decides, then a reading in kana, then
    the language of the paper.
    """
    if HANGUL.search(name):
        return "ko"
    if KANA.search(name):
        return "ja"
    if not HAN.search(name):
        return ""
    if country.upper() in COUNTRIES:
        return COUNTRIES[country.upper()]
    return "ja" if KANA.search(reading) or language == "ja" else ""


def width(text: str) -> float:
    """Return about how wide a text is, in its own size; rather too much than too little."""
    return sum(map(_width, text))


@lru_cache(MOST_LETTERS)
def _width(char: str) -> float:
    if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Cf"}:
        return 0.0
    if unicodedata.east_asian_width(char) in {"W", "F"}:
        return 1.0
    # our choice: measured on Latin letters of the sans, a little enlarged
    return 0.36 if char in NARROW else 0.92 if char in "mwMWŒÆ@%" else 0.7 if char.isupper() else 0.6


def size_for(text: str, most: float, largest: int, lines: int = 1) -> int:
    """Return the largest size in points in which a text fits in so many lines of `most` millimetres.

    It is the smallest if none does. Lines break between words, so that the widest word must fit too.
    """
    words = text.split() or [""]
    for size in reversed([size for size in SIZES if size <= largest]):
        room = most / (size * POINT)
        if _lines_of(words, room) <= lines and max(map(width, words)) <= room:
            return size
    return SIZES[0]


def _lines_of(words: list[str], room: float) -> int:
    lines, used = 1, 0.0
    for word in words:
        wide = width(word)
        if used and used + 0.36 + wide > room:
            lines, used = lines + 1, wide
        else:
            used += wide + (0.36 if used else 0.0)
    return lines


def shortened(text: str, most: float, lines: int = 1) -> str:
    """Return a text, cut with `…` where so many lines of `most` millimetres do not hold it in the smallest size."""
    room = lines * most / (SIZES[0] * POINT)
    if width(text) <= room:
        return text
    while text and width(text) + 1 > room:
        text = text[:-1]
    return text.rstrip() + "…"


def fitted(text: str, most: float, largest: int, *, lines: int = 1, lang: str = "", classes: str = "") -> Markup:
    """Return a text in the largest size that fits, cut visibly where none does."""
    written = shortened(text, most, lines)
    return tag("span", written, classes=f"{classes} pt{size_for(written, most, largest, lines)}".strip(), lang=lang)


def letters(text: str) -> list[str]:
    """Return the letters of a text, each with its accents and variation signs, and with what a joiner adds to it."""
    clusters: list[str] = []
    for char in text:
        joins = unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me", "Cf"}
        if clusters and (joins or "\u1160" <= char <= "\u11ff" or clusters[-1].endswith(JOINER)):
            clusters[-1] = unicodedata.normalize("NFC", clusters[-1] + char)
        else:
            clusters.append(char)
    return clusters


def is_downward(word: str) -> bool:
    """Whether a word is written downward: it has a letter that fills a square, or Hangul."""
    return any(unicodedata.east_asian_width(char) in {"W", "F"} or HANGUL.match(char) for char in word)


def downward(name: str, lang: str, tall: float, wide: float) -> Markup:
    """Return a name written downward within so many millimetres: a block a letter, Latin words across.

    Printing programs do not know vertical writing.
    """
    words = name.split()
    pieces = [letters(word) if is_downward(word) else [word] for word in words]
    squares = [len(piece) for piece in pieces]
    most = int(tall / (SIZES[0] * POINT * 1.12))
    if sum(squares) + (len(pieces) - 1) / 2 > most:
        pieces = [[*[letter for piece in pieces for letter in piece][: most - 1], "…"]]
        squares = [len(pieces[0])]
    room = tall / ((sum(squares) + (len(pieces) - 1) / 2) * 1.12 * POINT)
    size = max([size for size in SIZES if size <= min(room, LARGEST_DOWNWARD)] or [SIZES[0]])
    across = [word for word in words if not is_downward(word)]
    line = min((size_for(word, wide, size) for word in across), default=size)
    blocks = [
        tag("span", *(_block(letter, wide, line, across) for letter in piece), classes="word") for piece in pieces
    ]
    return tag("span", *blocks, classes=f"downward pt{size}", lang=lang)


def _block(letter: str, wide: float, size: int, across: list[str]) -> Markup:
    """Return a letter, or one of the words that are written across, all of which have one size."""
    if letter in across or (len(letter) > 1 and not is_downward(letter)):
        return tag("span", shortened(letter, wide), classes=f"across pt{size}")
    place = "turned" if letter in TURNED else "raised" if letter in RAISED else ""
    return tag("span", letter, classes=f"letter {place}".strip())
