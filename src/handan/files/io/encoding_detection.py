"""The encoding in which a text is most likely written, by how likely its characters are in each.

charset-normalizer was weighed: on tables of a few names it takes Shift JIS for Korean and Western names for Baltic
ones, since it looks for languages, and a column of names is none. Here every encoding says how likely its characters
are: East Asian ones by the characters of common names, then by kana and the rows of common characters, alphabets by
their letters, capitals at the beginning of words, and marks on few letters. Headings of games speak too.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from handan.files.io.damaged_text import LOST, is_latin
from handan.files.io.name_characters import JAPANESE, KOREAN, SIMPLIFIED, TRADITIONAL

SAMPLE = 6_000  # bytes of lines that are looked at; our choice
CERTAIN = 3.0  # natural logarithm of the ratio of likelihoods, 20 to 1; our choice: below it a person is asked
HEADING = 6.0  # our choice: what a heading that is known is worth
PLAUSIBLE = -8.5  # our choice: log-likelihood of a byte; names have -6 and more
DESTROYED = -16.0
ODD = -5.0  # a capital inside a word, letters of two scripts in one word
MARKED = 0.1  # our choice: share of the letters with a mark in a language of Latin letters

WEST = ("äöüßéèçñóíáåøæÄÖÜÉÅ", "êëàâúôîïœãõùûìòÈÀÇØÓÍÁÚÊÑÆ")
CENTRE = ("ąćęłńóśżčřšžěáéíýőŁŚČŘŠŽ", "źůťďňűăâîäöüŻŹĆÁÉÍÓÖÜĽľŤĎŇŐŰţşŢŞ")
TURKEY = ("ğışöüçİŞÖÇ", "âîĞÜéèäßñáíó")
"""Letters with marks that are frequent in the languages of an encoding, and those that occur."""
SHARES = (0.8 / 20, 0.1 / 25)
"""Of one such letter, the same in all, since a letter of several alphabets tells nothing; our choice."""
CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяё"

LATIN = ("cp1252", "cp1250", "cp1254", "mac_roman")

Masses = tuple[tuple[float, int, Callable[[bytes, str], bool]], ...]
"""Share of the characters, how many there are of them, and which they are."""


@dataclass(frozen=True, slots=True)
class Likely:
    """The encoding of a text, and what it may be as well."""

    codec: str
    plausible: bool = True
    """Whether its characters are those of names and words; else the bytes are destroyed."""
    rivals: tuple[tuple[str, str], ...] = ()
    """Other encodings that are about as likely, with what a cell would be in each; the first is its own."""
    whole: bool = False
    """Whether it is an encoding of pairs of bytes in which no byte is destroyed."""
    score: float = 0.0
    """Logarithm of its likelihood."""


def _kana(code: bytes, char: str) -> bool:  # noqa: ARG001  # the signature of all classes
    return "ぁ" <= char <= "ヿ"


def _leads(low: int, high: int) -> Callable[[bytes, str], bool]:
    return lambda code, _: len(code) == 2 and low <= code[0] <= high


def _strict(low: int, high: int) -> Callable[[bytes, str], bool]:
    return lambda code, _: len(code) == 2 and low <= code[0] <= high and code[1] >= 0xA1


USUAL_WIDE = SIMPLIFIED | TRADITIONAL | JAPANESE | KOREAN


def _of(characters: frozenset[str]) -> tuple[int, Callable[[bytes, str], bool]]:
    """Return how many different characters these are, and which."""
    return len(characters), lambda _, char: char in characters


def _any(code: bytes, char: str) -> bool:  # noqa: ARG001  # see above
    return True


PAIRS: dict[str, Masses] = {
    "cp932": ((0.30, 169, _kana), (0.42, *_of(JAPANESE)), (0.21, 2965, _leads(0x88, 0x97)),
              (0.02, 3390, _leads(0x98, 0xEA)), (0.04, 400, _leads(0x81, 0x84)), (0.0001, 400, _any)),
    "euc_jp": ((0.30, 169, _kana), (0.42, *_of(JAPANESE)), (0.21, 2965, _leads(0xB0, 0xCF)),
               (0.02, 3390, _leads(0xD0, 0xF4)), (0.04, 400, _leads(0xA1, 0xA8)), (0.0001, 6000, _any)),
    "gb18030": ((0.60, *_of(SIMPLIFIED)), (0.33, 3755, _strict(0xB0, 0xD7)),
                (0.04, 3008, _strict(0xD8, 0xF7)), (0.02, 600, _strict(0xA1, 0xA9)),
                (0.005, 14_000, _leads(0x81, 0xFE)), (1e-6, 60_000, _any)),
    "big5": ((0.60, *_of(SIMPLIFIED | TRADITIONAL)),
             (0.34, 5401, _leads(0xA4, 0xC6)), (0.03, 7652, _leads(0xC9, 0xF9)), (0.02, 400, _leads(0xA1, 0xA3)),
             (0.0001, 400, _any)),
    "cp949": ((0.70, *_of(KOREAN)), (0.24, 2350, _strict(0xB0, 0xC8)),
              (0.02, 4888, _strict(0xCA, 0xFD)), (0.03, 900, _strict(0xA1, 0xAC)), (0.005, 8822, _any)),
}  # fmt: skip
"""Encodings in pairs of bytes: characters of names and of games, the first level, the second level, marks, the rest.

The shares are our choice; the characters are those of the commonest family names and given names of each country.
"""
ALPHABETS: dict[str, tuple[str | tuple[str, str], float]] = {
    "cp1252": (WEST, 1.5), "cp1250": (CENTRE, 0.0), "cp1254": (TURKEY, -0.5), "cp1251": (CYRILLIC, 1.0),
    "koi8_r": (CYRILLIC, -1.0), "mac_roman": (WEST, -4.0),
}  # fmt: skip
"""Encodings of one byte a letter: the usual letters, and how usual the encoding is (natural logarithm; our choice)."""


def likely(data: bytes, headings: Callable[[str], int]) -> Likely:
    """Return the encoding in which bytes that are not UTF-8 are text.

    Args:
        data: The text; destroyed bytes speak against every encoding and exclude none.
        headings: Returns how many known headings stand in a line.
    """
    lines = _sample(data)
    if not is_latin(b"\n".join(lines)):
        return _best_of((*ALPHABETS, *PAIRS), lines, headings)
    latin = _best_of(LATIN, lines, headings)
    if latin.plausible:
        return latin
    other = _best_of((*ALPHABETS, *PAIRS), lines, headings)
    return other if other.plausible and other.whole and not other.rivals else latin


def _best_of(codecs: Sequence[str], lines: list[bytes], headings: Callable[[str], int]) -> Likely:
    """Return the most likely of some encodings."""
    scores: list[tuple[float, str, str]] = []
    for codec in codecs:
        texts = [line.decode(codec, "replace") for line in lines]
        score = sum(_score(codec, text) for text in texts) + (ALPHABETS[codec][1] if codec in ALPHABETS else 0.0)
        score += HEADING * sum(headings(text) for text in texts[:3])
        scores.append((score, codec, "\n".join(texts)))
    scores.sort(key=lambda item: -item[0])
    best, codec, sample = scores[0]
    others = [item for item in scores[1:] if best - item[0] < CERTAIN and item[2] != sample]
    others = [item for item in others if not (codec in ALPHABETS and item[1] in ALPHABETS)]
    rivals: tuple[tuple[str, str], ...] = ()
    if others:
        rivals = tuple((name, _word(text, sample, others[0][2])) for _, name, text in [scores[0], *others[:2]])
    high = sum(byte > 127 for line in lines for byte in line)
    whole = codec in PAIRS and LOST not in sample
    return Likely(codec, best > PLAUSIBLE * high, rivals, whole, best)


def likelihood_of_utf8(data: bytes) -> float:
    """Return the log-likelihood (natural logarithm) of bytes as UTF-8 some of whose bytes are destroyed."""
    return sum(_in_utf8(char) for line in _sample(data) for char in line.decode("utf-8", "replace") if ord(char) > 127)


def _sample(data: bytes) -> list[bytes]:
    """Return the first lines that are not all ASCII."""
    lines: list[bytes] = []
    size = 0
    for line in data.replace(b"\r", b"\n").split(b"\n"):
        if not line.isascii():
            lines.append(line[:SAMPLE])
            size += len(lines[-1])
            if size > SAMPLE:
                break
    return lines


def _score(codec: str, text: str) -> float:
    return _pairs_score(codec, text) if codec in PAIRS else _letters_score(codec, text)


def _pairs_score(codec: str, text: str) -> float:
    """Return the log-likelihood (natural logarithm) of a line in an encoding of pairs of bytes."""
    score = sum(_pair(codec, char) for char in text if ord(char) > 127)
    score += ODD * len(re.findall(r"(?<=[a-z])[^\x00-\x7f](?=[a-z])", text))
    return score


@cache
def _pair(codec: str, char: str) -> float:
    if char == LOST or unicodedata.category(char) in ("Co", "Cn", "Cc"):
        return DESTROYED
    code = char.encode(codec, "replace")
    return next(math.log(mass / count) for mass, count, belongs in PAIRS[codec] if belongs(code, char))


def _letters_score(codec: str, text: str) -> float:
    """Return the log-likelihood (natural logarithm) of a line in an encoding of one byte a letter.

    The likelihoods of its letters beyond ASCII, less a penalty for each word that no language writes: with a capital
    inside, or with Latin letters among Cyrillic ones.
    """
    usual = ALPHABETS[codec][0]
    score = 0.0
    for char in text:
        if ord(char) > 127:
            score += _letter(char, usual)
    for word in re.findall(r"(?:(?<!\w)[A-Za-z0-9_]++)?[^\x00-\x7f]\w*", text):
        letters = word.replace("_", "")
        plain_case = letters.islower() or letters.isupper() or letters.istitle()
        mixed = usual is CYRILLIC and re.search("[A-Za-z]", letters) is not None
        score += ODD * (not plain_case) + DESTROYED * mixed
    return score


@cache
def _letter(char: str, usual: str | tuple[str, str]) -> float:
    if char == LOST or unicodedata.category(char) in ("Cc", "Cn"):
        return DESTROYED
    if isinstance(usual, str):
        return math.log(0.9 / 33) if char.lower() in usual else math.log(0.01 / 60)
    share = next((own for own, letters in zip(SHARES, usual, strict=True) if char in letters), 0.05 / 60)
    return math.log(MARKED * share)


@cache
def _in_utf8(char: str) -> float:
    """Return the log-likelihood of a character of UTF-8: of any language, in the characters that names have."""
    if char == LOST or unicodedata.category(char) in ("Co", "Cn", "Cc"):
        return DESTROYED
    if ord(char) < 0x250:
        usual = [list_of for list_of in (WEST, CENTRE, TURKEY) if char in "".join(list_of)]
        return max((_letter(char, each) for each in usual), default=math.log(MARKED * 0.01 / 400))
    if char.lower() in CYRILLIC:
        return math.log(0.2 / 33)
    if _kana(b"", char):
        return math.log(0.1 / 169)
    if char in USUAL_WIDE:
        return math.log(0.4 / len(USUAL_WIDE))
    return math.log(0.1 / 20_000)


def _word(text: str, own: str, other: str) -> str:
    """Return the first cell that the encodings read differently."""
    places = [place for place, pair in enumerate(zip(own, other, strict=False)) if pair[0] != pair[1]]
    line = own[: places[0]].count("\n") if places else 0
    words = re.findall(r"[^\x00-\x7f][^,;\t|\n\"]*", text.split("\n")[line])
    return words[0].strip()[:20] if words else ""
