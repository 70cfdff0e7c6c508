"""Name plates for the wall, 36 × 120 mm, seven on A4: rank above, name downward; points change, and are not on them."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from handan.paper.document import Layer, Paper, paper, style
from handan.paper.heading import Heading, Member
from handan.paper.layout import A4_LANDSCAPE, Sheet
from handan.paper.markup import joined, tag
from handan.paper.names import downward, fitted, language_of
from handan.paper.words import words_of
from handan.wording.languages import rank_words

SHEET = Sheet(columns=7, rows=1, width=36, height=120, page=A4_LANDSCAPE)
TALL, WIDE = 84.0, 31.0
"""Millimetres that a name has on a plate."""


def wall_plates(heading: Heading, members: Sequence[Member]) -> Paper:
    """Return the plates of members, with a hole to hang them by; club and list stand beside the plates."""
    note = tag("p", joined(heading.club, " · ", heading.list_line), classes="note")
    hole = tag("span", "", classes="hole")
    pages = [
        page._replace(over=Layer(joined(page.over.whole if page.over else "", note)))
        for page in SHEET.pages(hole, [_plate(heading, member) for member in members])
    ]
    return paper(words_of("plates", heading.language)["title"], heading, pages, "plates", style("mincho"), SHEET.css())


def _plate(heading: Heading, member: Member) -> Markup:
    lang = language_of(member.name, member.reading, member.country, heading.language)
    return joined(
        tag("div", fitted(rank_words(member.rank, heading.language, long=True), WIDE, 15), classes="rank"),
        tag("div", downward(member.name, lang, TALL, WIDE), classes="name"),
    )
