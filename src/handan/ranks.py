"""Ranks of Go: kyu, dan and professional dan; reading and writing them in the languages that use them.

Source: Go ranks and ratings (Wikipedia), for stages, order and the Elo table.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import total_ordering

from handan.errors import InputError, shown

KYU_TO_1D = 31  # rank number of 1 dan; 30 kyu is 1
LAST_KYU, LAST_DAN, LAST_PRO = 30, 9, 10
PRO_STEP = 0.3  # stones a professional dan: 30 of the 100 Elo that are a stone
SEVEN_DAN = 37.0  # on the stones axis; 1p = 7d by the Elo table
EXPECTED = "a rank such as 12k, 3d or 9p"


class Grade(Enum):
    """The kinds of rank."""

    KYU = "k"
    DAN = "d"
    PRO = "p"


STAGES = (
    ("30-20k", "Beginner"),
    ("19-10k", "Casual player"),
    ("9-1k", "Intermediate amateur"),
    ("1-7d", "Advanced amateur"),
    ("1-9p", "Professional player"),
)
"""The stages as printed; the titles 8d, 9d and 10p belong to the stage of their kind."""

ELO_TABLE = (
    (2940, "9p"), (2820, "5p"), (2700, "7d"), (2700, "1p"), (2600, "6d"), (2500, "5d"), (2400, "4d"), (2300, "3d"),
    (2200, "2d"), (2100, "1d"), (2000, "1k"), (1900, "2k"), (1800, "3k"), (1500, "6k"), (1000, "11k"), (500, "16k"),
    (100, "20k"),
)  # fmt: skip
"""Elo of ranks as printed."""

DIGITS = "一二三四五六七八九"
WORDS = {
    "shodan": 1, "nidan": 2, "sandan": 3, "yondan": 4, "godan": 5,
    "rokudan": 6, "nanadan": 7, "shichidan": 7, "hachidan": 8, "kudan": 9,
}  # fmt: skip
SUFFIXES = {
    "k": Grade.KYU, "kyu": Grade.KYU, "kyū": Grade.KYU, "級": Grade.KYU, "级": Grade.KYU, "급": Grade.KYU,
    "geup": Grade.KYU, "gup": Grade.KYU,
    "d": Grade.DAN, "dan": Grade.DAN, "段": Grade.DAN, "단": Grade.DAN,
    "p": Grade.PRO, "pro": Grade.PRO, "ping": Grade.PRO, "品": Grade.PRO,
}  # fmt: skip
PRO_PREFIX = re.compile(r"(?:p|pro|プロ|職業|职业|프로)\s*")
FIGURES = re.compile(r"(\d{1,2}|[初초]|[一二三四五六七八九十]{1,3})\s*([^\d\s]*)")


@total_ordering
@dataclass(frozen=True, slots=True)
class Rank:
    """A rank: 30k to 1k, 1d to 9d, or a professional's 1p to 10p.

    Ranks are ordered by strength on the stones axis, a professional after the amateur of the same strength: 7d < 1p.
    """

    grade: Grade
    number: int

    def __post_init__(self) -> None:
        """Refuse ranks that do not exist."""
        last = {Grade.KYU: LAST_KYU, Grade.DAN: LAST_DAN, Grade.PRO: LAST_PRO}[self.grade]
        if not 1 <= self.number <= last:
            text = f"{self.number}{self.grade.value}"
            raise InputError(f"rank {shown(text)} is not one of 30k to 1k, 1d to 9d, 1p to 10p")

    @classmethod
    def kyu(cls, number: int) -> Rank:
        """Return a kyu rank."""
        return cls(Grade.KYU, number)

    @classmethod
    def dan(cls, number: int) -> Rank:
        """Return an amateur dan rank."""
        return cls(Grade.DAN, number)

    @classmethod
    def pro(cls, number: int) -> Rank:
        """Return a professional dan rank."""
        return cls(Grade.PRO, number)

    @classmethod
    def at(cls, stones: float) -> Rank:
        """Return the amateur rank nearest to a place on the stones axis; halves count up, ends are 30k and 9d."""
        number = math.floor(min(max(stones, 1.0), 39.0) + 0.5)
        return cls.kyu(KYU_TO_1D - number) if number < KYU_TO_1D else cls.dan(number - KYU_TO_1D + 1)

    @classmethod
    def parse(cls, text: str, *, bare_kyu: bool = False) -> Rank:
        """Read a rank as files and people write it; InputError otherwise.

        Args:
            text: Such as `5k`, `5 kyu`, `5級`, `5급`, `3 dan`, `初段`, `三段`, `9p`, `P9段`, `7D?`.
            bare_kyu: Whether a number alone means kyu, as in result tables; there 31 to 50 are read as 30 kyu.
        """
        return parse_with_flag(text, bare_kyu=bare_kyu)[0]

    @property
    def number_from_30k(self) -> int:
        """Rank number: 30k = 1, 1k = 30, 1d = 31, 9d = 39; a professional's is that of the nearest amateur."""
        return min(round(self.stones), 39)

    @property
    def stones(self) -> float:
        """Place on the one axis of all ranks, in stones: 30k = 1, 1d = 31; 1p = 7d = 37 and 0.3 a professional dan."""
        if self.grade is Grade.KYU:
            return float(KYU_TO_1D - self.number)
        if self.grade is Grade.DAN:
            return float(KYU_TO_1D - 1 + self.number)
        return SEVEN_DAN + PRO_STEP * (self.number - 1)

    @property
    def elo(self) -> float:
        """Elo by the law of the table: 2100 + 100 (d - 1), 2100 - 100 k, 2700 + 30 (p - 1)."""
        if self.grade is Grade.PRO:
            return 2700.0 + 30.0 * (self.number - 1)
        return 2100.0 + 100.0 * (self.stones - KYU_TO_1D)

    @property
    def stage(self) -> str:
        """The stage that the rank belongs to."""
        if self.grade is Grade.KYU:
            return STAGES[0 if self.number >= 20 else 1 if self.number >= 10 else 2][1]
        return STAGES[3 if self.grade is Grade.DAN else 4][1]

    def format(self, language: str = "en") -> str:
        """Return the rank as written in a language: `en` 5k, `en-long` 5 kyu, `ja` 5級 三段, `zh`, `zh-hant`, `ko`."""
        if language not in FORMATS:
            raise InputError(f"language {shown(language)} is not one of {', '.join(FORMATS)}")
        return FORMATS[language](self)

    def __str__(self) -> str:
        """The short English form, `5k`."""
        return f"{self.number}{self.grade.value}"

    def __lt__(self, other: object) -> bool:
        """Order by strength, amateurs before professionals of the same strength."""
        if not isinstance(other, Rank):
            return NotImplemented
        return (self.stones, self.grade is Grade.PRO) < (other.stones, other.grade is Grade.PRO)


def parse_with_flag(text: str, *, bare_kyu: bool = False) -> tuple[Rank, str]:
    """Return the rank and its flag: `?` uncertain, `*` established, or empty."""
    plain = unicodedata.normalize("NFKC", text).strip().lower()
    flag = plain[-1] if plain[-1:] in {"?", "*"} else ""
    plain = plain.rstrip("?*").strip()
    if plain in WORDS:
        return Rank.dan(WORDS[plain]), flag
    if bare_kyu and re.fullmatch(r"\d{1,2}", plain) and 1 <= int(plain) <= 50:
        return Rank.kyu(min(int(plain), LAST_KYU)), flag
    prefix = PRO_PREFIX.match(plain)
    rest = plain[prefix.end() :] if prefix else plain
    match = FIGURES.fullmatch(rest)
    grade = SUFFIXES.get(match[2]) if match else None
    if prefix and match and (grade in {Grade.DAN, Grade.PRO} or not match[2]):
        grade = Grade.PRO
    elif prefix:
        grade = None
    if match is None or grade is None:
        raise InputError(f"rank {shown(text)} is not {EXPECTED}")
    return Rank(grade, value_of(match[1])), flag


def value_of(figures: str) -> int:
    """Return the number that digits or Chinese numerals up to 99 stand for; 初 and 초 are the first."""
    if figures in {"初", "초"}:
        return 1
    if figures.isdecimal():
        return int(figures)
    tens, ten, ones = figures.rpartition("十")
    return (DIGITS.find(tens) + 1 or 1) * 10 * bool(ten) + DIGITS.find(ones) * bool(ones) + bool(ones)


def numeral_of(number: int) -> str:
    """Return a number from 1 to 10 as a Chinese numeral."""
    return "十" if number == 10 else DIGITS[number - 1]


def rank_of_elo(elo: float) -> Rank:
    """Return the amateur rank whose band of 100 points holds a rating: 1d is [2050, 2150); ends are 30k and 9d."""
    return Rank.at((elo - 2100.0) / 100.0 + KYU_TO_1D)


def _japanese(rank: Rank) -> str:
    """Write kyu with figures and dan with numerals, as diplomas do; the first dan is 初段."""
    if rank.grade is Grade.KYU:
        return f"{rank.number}級"
    numeral = "初" if rank.number == 1 else numeral_of(rank.number)
    return f"{'プロ' if rank.grade is Grade.PRO else ''}{numeral}段"


def _figures(kyu: str, dan: str, pro: str) -> Callable[[Rank], str]:
    """Return a writer that puts figures before the language's words, and its word for professionals in front."""

    def write(rank: Rank) -> str:
        word = kyu if rank.grade is Grade.KYU else dan
        return f"{pro if rank.grade is Grade.PRO else ''}{rank.number}{word}"

    return write


def _long(rank: Rank) -> str:
    """Write the kind of rank as a word."""
    return f"{rank.number} {({Grade.KYU: 'kyu', Grade.DAN: 'dan', Grade.PRO: 'pro'})[rank.grade]}"


FORMATS: dict[str, Callable[[Rank], str]] = {
    "en": str,
    "en-long": _long,
    "ja": _japanese,
    "zh": _figures("级", "段", "职业"),
    "zh-hant": _figures("級", "段", "職業"),
    "ko": _figures("급", "단", "프로 "),
}
"""How each language writes ranks."""
