"""Ranks: kyu, amateur dan and professional dan; their order, their place in stones and Elo, their spelling.

Source: Go ranks and ratings (Wikipedia), for the stages and the Elo table; EGF Official Ratings, for the bands of 100
points around the ratings of the table.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, total_ordering
from operator import index
from typing import NamedTuple

from handan.errors import FieldError, InputError, closest, refuse_other, shown

RANK_EXPECTED = "a rank such as 12k, 3d or 9p"
RANK_AS_TEXT = "text such as 12k, 3d or 9p"


class Grade(Enum):
    """The kinds of rank, by their letter."""

    KYU = "k"
    DAN = "d"
    PRO = "p"


# 8 dan and 9 dan amateur and 10 dan professional are titles, which files use as ranks
INDEX_OF_A_RANK = 1000.0  # South African Go Clubs: past +999 a player is a rank higher, at index 0
LAST = {Grade.KYU: 30, Grade.DAN: 9, Grade.PRO: 10}
LAST_GRADES = {Grade.DAN: 7, Grade.PRO: 9}
WEAKEST, FIRST_DAN, STRONGEST = 1, 31, 39
"""Places of 30 kyu, 1 dan and 9 dan on the stones axis."""


@total_ordering
@dataclass(frozen=True, slots=True)
class Rank:
    """A rank: 30 to 1 kyu, 1 to 9 dan, or 1 to 10 professional dan; InputError for any other number.

    Ranks compare by their place on the stones axis, and where a professional dan shares the place of an amateur one
    the professional is the stronger: 30k < ... < 1k < 1d < ... < 7d < 1p < ... < 4p < 8d < 5p < 6p < 7p < 9d < 8p < ...
    """

    grade: Grade
    number: int

    def __post_init__(self) -> None:
        """Refuse ranks that do not exist."""
        refuse_other("grade", self.grade, Grade, "one of " + ", ".join(map(str, Grade)))
        try:
            exists = 1 <= index(self.number) <= LAST[self.grade]
        except TypeError:
            exists = False
        if not exists:
            raise FieldError("rank", self, "one of 30k to 1k, 1d to 9d, 1p to 10p")

    def __hash__(self) -> int:
        """The kinds are single objects; that of their own would read their names, which takes far longer."""
        return hash((id(self.grade), self.number))

    @classmethod
    def kyu(cls, number: int) -> Rank:
        """Return a kyu rank, 30 (weak) to 1."""
        return cls(Grade.KYU, number)

    @classmethod
    def dan(cls, number: int) -> Rank:
        """Return an amateur dan rank, 1 to 9."""
        return cls(Grade.DAN, number)

    @classmethod
    def pro(cls, number: int) -> Rank:
        """Return a professional dan rank, 1 to 10."""
        return cls(Grade.PRO, number)

    @classmethod
    def at(cls, stones: float) -> Rank:
        """Return the amateur rank nearest to a place on the stones axis; halves count up, the ends are 30k and 9d."""
        try:
            stones += 0.0
        except (TypeError, OverflowError):
            stones = math.nan
        if math.isnan(stones):
            raise InputError("a place in stones must be a number to have a rank")
        return _amateur(math.floor(min(max(stones, WEAKEST), STRONGEST) + 0.5))

    @classmethod
    def parse(cls, text: str, *, bare_kyu: bool = False) -> Rank:
        """Read a rank as files and people write it; a flag after it is read over, see `parse_with_flag`.

        Args:
            text: Such as `5k`, `5 kyu`, `5級`, `5급`, `5e kyu`, `5 кю`, `3 dan`, `3. Dan`, `初段`, `sandan`, `9p`,
                `P9段`, in any case and width.
            bare_kyu: Whether the file numbers kyu without a letter and beyond 30: then `5` is 5k, and 31 to 50 are 30k.

        Raises:
            InputError: If the text is not a rank, or no rank has that number (`0d`, `31k`).
        """
        return parse_with_flag(text, bare_kyu=bare_kyu)[0]

    @property
    def elo(self) -> float:
        """Elo by the law of the table: 2100 + 100 (d - 1), 2100 - 100 k, and 2700 + 30 (p - 1) for professionals."""
        if self.grade is Grade.KYU:
            return 2100.0 - 100 * self.number
        return 2100.0 + 100 * (self.number - 1) if self.grade is Grade.DAN else 2700.0 + 30 * (self.number - 1)

    @property
    def stones(self) -> float:
        """Place on the one axis of all ranks: 30k = 1, 1k = 30, 1d = 31, 9d = 39; 1p = 7d = 37, and 0.3 a dan more."""
        return (self.elo + 1000) / 100

    @property
    def number_from_30k(self) -> int:
        """Rank number: 30k = 1, 1d = 31, 9d = 39; a professional has that of the amateur rank nearest on the axis."""
        return min(math.floor(self.stones + 0.5), STRONGEST)

    @property
    def stage(self) -> str:
        """Name of the stage; 8d and 9d belong to that of the amateur dans, 10p to that of the professionals."""
        reached = [stage for stage in STAGES if stage.weakest.grade is self.grade and stage.weakest <= self]
        return reached[-1].name

    @property
    def title(self) -> str:
        """What a rank that is a title is called; empty for all ranks that are grades of strength."""
        if self.grade is Grade.KYU or self.number <= LAST_GRADES[self.grade]:
            return ""
        whose = "amateur" if self.grade is Grade.DAN else "professional"
        return f"{self.number} dan {whose} is a title, and no grade of strength"

    def format(self, language: str = "en") -> str:
        """Return the rank as it is written in a language, one of `FORMATS`; every form can be read again."""
        refuse_other("language", language, str, f"one of {', '.join(FORMATS)}")
        if language not in FORMATS:
            hint = closest(language, list(FORMATS))
            raise InputError(f"language {shown(language)} is not one of {', '.join(FORMATS)}{hint}")
        template = FORMATS[language][list(Grade).index(self.grade)]
        first = self.number == 1
        kanji, hangul = "初" if first else KANJI[self.number], "초" if first else self.number
        return template.format(n=self.number, kanji=kanji, hangul=hangul, nth="1er" if first else f"{self.number}e")

    def __str__(self) -> str:
        """The short English form: 5k, 3d, 9p."""
        return f"{self.number}{self.grade._value_}"  # thousands of times a page; `value` is looked up slowly

    def __lt__(self, other: object) -> bool:
        """Whether this rank is the weaker one."""
        if not isinstance(other, Rank):
            return NotImplemented
        return (self.stones, self.grade is Grade.PRO) < (other.stones, other.grade is Grade.PRO)


@lru_cache(maxsize=STRONGEST)
def _amateur(place: int) -> Rank:
    """Return the amateur rank at a whole place on the stones axis."""
    return Rank.kyu(FIRST_DAN - place) if place < FIRST_DAN else Rank.dan(place - FIRST_DAN + 1)


class Stage(NamedTuple):
    """A stage of learning: the ranks printed for it, and its name."""

    weakest: Rank
    strongest: Rank
    name: str


STAGES = (
    Stage(Rank.kyu(30), Rank.kyu(20), "Beginner"),
    Stage(Rank.kyu(19), Rank.kyu(10), "Casual player"),
    Stage(Rank.kyu(9), Rank.kyu(1), "Intermediate amateur"),
    Stage(Rank.dan(1), Rank.dan(7), "Advanced amateur"),
    Stage(Rank.pro(1), Rank.pro(9), "Professional player"),
)
"""The stages as printed, from weak to strong."""

FORMATS = {
    "en": ("{n}k", "{n}d", "{n}p"),
    "en-long": ("{n} kyu", "{n} dan", "{n} dan professional"),
    "ja": ("{n}級", "{kanji}段", "プロ{kanji}段"),
    "zh": ("{n}级", "{n}段", "职业{kanji}段"),
    "zh-hant": ("{n}級", "{n}段", "職業{kanji}段"),
    "ko": ("{n}급", "{n}단", "프로 {hangul}단"),
    "fr": ("{nth} kyu", "{nth} dan", "{nth} dan professionnel"),
    "de": ("{n}. Kyu", "{n}. Dan", "{n}. Dan Profi"),
}
"""How languages write kyu, dan and professional dan.

Japanese counts dan in kanji. Chinese does so for professionals only and gives amateurs figures. The first dan, 初段, is
written so wherever kanji count it, and in Korean (초단) for professionals.
"""

KANJI = tuple(tens + one for tens in ("", "十", "二十", "三十") for one in ("", *"一二三四五六七八九"))
ROMAJI = {
    "sho": 1, "ni": 2, "san": 3, "yon": 4, "go": 5, "roku": 6, "nana": 7, "shichi": 7, "hachi": 8, "ku": 9,
}  # fmt: skip
OF_CERTIFICATES = {"壱": 1, "壹": 1, "弐": 2, "貳": 2, "贰": 2, "参": 3, "參": 3, "叁": 3, "肆": 4, "伍": 5}
"""The numerals of certificates and name plates."""
NUMERALS = {kanji: number for number, kanji in enumerate(KANJI)} | {"初": 1, "초": 1} | OF_CERTIFICATES | ROMAJI
UNITS = {
    **dict.fromkeys(("k", "kyu", "kyū", "geup", "gup", "кю", "級", "级", "급"), "k"),
    **dict.fromkeys(("d", "dan", "дан", "段", "단"), "d"),
}
TITLES = {
    **dict.fromkeys(("p", "ping", "pro", "profi", "professional", "professionnel"), "p"),
    **dict.fromkeys(("プロ", "職業", "职业", "프로"), "p"),
    **dict.fromkeys(("amateur", "(amateur)", "アマ", "業餘", "业余", "아마"), "a"),
}
GRADE_OF = {"k": Grade.KYU, "ak": Grade.KYU, "d": Grade.DAN, "ad": Grade.DAN, "p": Grade.PRO, "dp": Grade.PRO}
"""The grade that the letters of all words around a number mean together; other mixtures contradict themselves."""


def _any(words: dict[str, str] | dict[str, int]) -> str:
    """Return the pattern that matches one of the words."""
    return "|".join(map(re.escape, words))


SPELLING = re.compile(
    rf"(?:(?P<before>{_any(TITLES)}) ?)?"
    rf"(?P<number>[0-9]{{1,3}}|[一二三四五六七八九十]{{1,3}}|[初초](?=[段단])|(?:{_any(OF_CERTIFICATES)})(?=[段級级])"
    rf"|(?:{_any(ROMAJI)})(?=[ -]?dan))"
    r"(?:(?:er|e|ème|st|nd|rd|th|-?й|\.)(?= ?(?:kyu|dan|кю|дан)))?"  # 1er dan, 5e kyu, 1st dan, 4. Dan
    rf"(?:[ -]?(?P<unit>{_any(UNITS)})\+?)?"  # Pandanet writes 11k+ for the strong ones of a rank
    rf"(?: ?(?P<after>{_any(TITLES)}))?"
    r" ?(?P<flag>[?*]?)"
)
LAST_BARE_KYU = 50
SHORT = 20  # our choice: characters of a spelling that is kept


@lru_cache(maxsize=2000)
def _short_spelling(text: str, *, bare_kyu: bool) -> tuple[Rank, str]:
    """Return what a spelling says that is read again and again."""
    return _spelling(text, bare_kyu=bare_kyu)


def plain_rank(text: str, *, bare_kyu: bool = False) -> str:
    """Return a rank as tables have it, with its flag behind it; arguments and errors as of `parse_with_flag`."""
    rank, flag = parse_with_flag(text, bare_kyu=bare_kyu)
    return f"{rank}{flag}"


def parse_with_flag(text: str, *, bare_kyu: bool = False) -> tuple[Rank, str]:
    """Read a rank as `Rank.parse` does, with its flag: `?` for uncertain, `*` for established, else empty."""
    refuse_other("rank", text, str, RANK_AS_TEXT)
    return (_short_spelling if len(text) <= SHORT else _spelling)(text, bare_kyu=bare_kyu)


def _spelling(text: str, *, bare_kyu: bool) -> tuple[Rank, str]:
    match = SPELLING.fullmatch(" ".join(unicodedata.normalize("NFKC", text).lower().split()))
    if match:
        figures = match["number"]
        number = int(figures) if figures.isdecimal() else NUMERALS.get(figures)
        kinds = {(UNITS | TITLES)[word] for word in match.group("before", "unit", "after") if word}
        bare = not kinds and bare_kyu and figures.isdecimal()
        grade = Grade.KYU if bare else GRADE_OF.get("".join(sorted(kinds)))
        if grade and number is not None:
            if bare_kyu and grade is Grade.KYU and number <= LAST_BARE_KYU:
                number = min(number, LAST[grade])
            return Rank(grade, number), match["flag"]
    raise FieldError("rank", text, RANK_EXPECTED)


def rank_of_elo(elo: float) -> Rank:
    """Return the amateur rank whose band of 100 points holds a rating: 1d is [2050, 2150); the ends are 30k and 9d.

    Ratings of professionals have amateur ranks too: 8d from 2750, 9d from 2850.
    """
    return Rank.at((elo + 1000) / 100)
