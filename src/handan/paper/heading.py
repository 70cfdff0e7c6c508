"""What every paper bears, and the members whom papers are about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from handan.errors import InputError, shown
from handan.paper.words import LANGUAGES, Words, words_of
from handan.ranks import Rank
from handan.wording.languages import date_words, month_words

Kind = Literal["live", "official", "past"]


@dataclass(frozen=True, slots=True)
class Heading:
    """Whose paper it is, and which list its figures are from."""

    club: str
    day: date
    """The day of the list."""
    kind: Kind = "live"
    """`live`: games up to the day it was printed; `official`: a published list; `past`: a list of an earlier day."""
    label: str = ""
    """What the official list is called."""
    figure: Literal["points", "rating"] = "points"
    """What the club's system counts in."""
    language: str = "en"
    era: bool = False
    """Whether Japanese papers count years by the eras: 令和8年."""

    def __post_init__(self) -> None:
        """Refuse a language that papers are not written in."""
        if self.language not in LANGUAGES:
            raise InputError(f"language {shown(self.language)} of a paper is not one of {', '.join(LANGUAGES)}")

    @property
    def words(self) -> Words:
        """The words that all papers share, in the language of this one."""
        return words_of("shared", self.language)

    def day_words(self, day: date) -> str:
        """Return a day as the paper writes it."""
        return date_words(day, self.language, era=self.era)

    def month_words(self, day: date) -> str:
        """Return the month of a day as the paper writes it."""
        return month_words(day, self.language, era=self.era)

    @property
    def list_line(self) -> str:
        """Which list the figures are from: `Live list of 21 November 2026`."""
        says_so = self.kind == "official" and self.label.lower().startswith("official list")
        words = self.words["labelled" if says_so else self.kind]
        return words.format(label=self.label, day=self.day_words(self.day))


@dataclass(frozen=True, slots=True)
class Member:
    """One member as papers show them."""

    name: str
    rank: Rank | None = None
    figure: str = ""
    """Points or rating, as the club's pages show them."""
    reading: str = ""
    country: str = ""
    """Code of the country, which tells whose forms of Chinese characters the name has."""
    address: str = ""
    """Address of the member's page, for the QR code; empty: none."""
    key: str = ""
    """The club's key of the member; empty outside of a club."""

    @property
    def id(self) -> str:
        """What tells members apart: the key, outside of a club the name."""
        return self.key or self.name
