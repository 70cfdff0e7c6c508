"""The list of papers: what each is called, what it is made from, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from handan.errors import Clause, InputError, closest, shown
from handan.handicaps import Card
from handan.paper.certificates import certificates
from handan.paper.document import Paper
from handan.paper.evening_sheet import Evening, evening_sheet
from handan.paper.heading import Heading, Member
from handan.paper.member_cards import member_cards
from handan.paper.month import Month
from handan.paper.monthly_sheet import monthly_sheet
from handan.paper.points_cards import points_cards
from handan.paper.poster import poster
from handan.paper.rating_list import RatingList, rating_list
from handan.paper.record_sheet import record_sheet
from handan.paper.wall_plates import wall_plates

MOST_MEMBERS = 300  # our choice: thirty sheets of cards
MOST_LISTED = 1_000  # our choice: some twenty sheets of a rating list


@dataclass(frozen=True, slots=True)
class Material:
    """What papers are made from; each takes what it needs."""

    heading: Heading
    members: tuple[Member, ...] = ()
    card: Card | None = None
    since: date | None = None
    """First day on which the card is in force."""
    month: Month | None = None
    evening: Evening | None = None
    listed: RatingList | None = None
    copies: int = 1
    entry_address: str = ""
    """Address of the page on which games are entered."""


class Printed(NamedTuple):
    """One kind of paper."""

    title: str
    measure: str
    make: Callable[[Material], Paper]
    of_members: bool = False
    """Whether it is about chosen members."""
    of_card: bool = False
    """Whether it cannot do without a points card."""
    of_month: bool = False
    """Whether it is made from what a month was."""
    of_promotions: bool = False
    """Whether it is, where nobody is chosen, of those who were promoted in the month."""
    of_evening: bool = False
    """Whether it is about the day of the list."""
    of_list: bool = False
    """Whether it is a rating list, of everybody where nobody is chosen."""

    @property
    def most(self) -> int:
        """How many members it holds."""
        return MOST_LISTED if self.of_list else MOST_MEMBERS


def _poster(material: Material) -> Paper:
    if material.card is None:
        raise InputError("a poster is of a points card; name one, such as tokyo15")
    return poster(material.heading, material.card, material.since)


def _list(material: Material) -> Paper:
    if material.listed is None:
        raise InputError("a rating list is of members")
    return rating_list(material.heading, material.listed)


def _month(material: Material) -> Paper:
    if material.month is None:
        raise InputError("the monthly sheet needs a month")
    return monthly_sheet(material.heading, material.month)


def _evening(material: Material) -> Paper:
    if material.evening is None:
        raise InputError("the sheet of an evening needs games")
    return evening_sheet(material.heading, material.evening)


def _certificates(material: Material) -> Paper:
    if not any(member.rank for member in material.members):
        raise InputError("nobody was promoted in the month: choose members who have a rank, or another month")
    return certificates(material.heading, material.members, material.month)


PAPERS = {
    "cards": Printed(
        "Member cards", "85 × 54 mm, ten on A4, with backs",
        lambda given: member_cards(given.heading, given.members, given.card), of_members=True,
    ),
    "points": Printed(
        "Points cards", "A6, four on A4", lambda given: points_cards(given.heading, given.members), of_members=True
    ),
    "poster": Printed("Handicap poster", "A3", _poster, of_card=True),
    "sheet": Printed(
        "Record sheet", "A4", lambda given: record_sheet(given.heading, given.copies, given.entry_address)
    ),
    "plates": Printed(
        "Wall plates", "36 × 120 mm, seven on A4",
        lambda given: wall_plates(given.heading, given.members), of_members=True,
    ),
    "list": Printed("Rating list", "A4", _list, of_members=True, of_list=True),
    "evening": Printed("Sheet of the evening", "A4", _evening, of_evening=True),
    "certificate": Printed(
        "Certificates of promotion", "A4",
        _certificates,
        of_members=True, of_month=True, of_promotions=True,
    ),
    "month": Printed("Monthly sheet", "A4", _month, of_month=True),
}  # fmt: skip
"""All papers by name."""


def checked_name(name: str) -> str:
    """Return the name of a paper; InputError if there is none of that name."""
    if name not in PAPERS:
        raise InputError(f"paper {shown(name)} is not one of {', '.join(PAPERS)}{closest(name, list(PAPERS))}")
    return name


def make(name: str, material: Material) -> Paper:
    """Return a paper by name; InputError for a name that is none, or where something is missing."""
    kind = PAPERS[checked_name(name)]
    if kind.of_members and len(material.members) > kind.most:
        count = len(material.members)
        pattern = "{title}: {count} members; one paper holds {most}, choose some"
        raise InputError(Clause.of(pattern, title=Clause.of(kind.title), count=count, most=kind.most))
    return kind.make(material)
