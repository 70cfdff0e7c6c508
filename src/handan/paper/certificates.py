"""Certificates of promotion, A4: whose they are, which rank was reached and when, and room for a signature."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from markupsafe import Markup

from handan.paper.document import Layer, Page, Paper, paper, style
from handan.paper.heading import Heading, Member
from handan.paper.markup import joined, tag
from handan.paper.month import Month, Promotion
from handan.paper.names import fitted, language_of
from handan.paper.words import words_of
from handan.ranks import Rank
from handan.wording.languages import rank_words

WIDE = 158.0
"""Millimetres that a line has within the frame."""


def certificates(heading: Heading, members: Iterable[Member], month: Month | None = None) -> Paper:
    """Return the certificates of members, one a page.

    Args:
        heading: Of which club and list.
        members: Who gets one; a member without a rank gets none.
        month: Whose promotions give the day and the rank; others get theirs of the day of the list.
    """
    words = words_of("certificate", heading.language)
    promoted = {line.member.id: line.promotion for line in month.promotions} if month else {}
    pages = [Page(Layer(_certificate(heading, member, promoted.get(member.id)))) for member in members if member.rank]
    return paper(words["title"], heading, pages, "certificate", style("mincho"))


def _certificate(heading: Heading, member: Member, promotion: Promotion | None) -> Markup:
    words, language = words_of("certificate", heading.language), heading.language
    rank = promotion.after if promotion else member.rank
    day = date.fromisoformat(promotion.day) if promotion else heading.day
    written = rank_words(rank, language, long=True)
    kind = "dan" if rank and rank >= Rank.dan(1) else "kyu"
    lang = language_of(member.name, member.reading, member.country, language)
    text = words[kind].format(rank=written, club=heading.club)
    return joined(
        tag("div", "", classes="frame"),
        tag("h2", fitted(words[f"{kind} title"], WIDE, 48), classes="kind"),
        tag("div", fitted(member.reading, WIDE, 12, lang=language_of(member.reading)), classes="reading"),
        tag("div", fitted(member.name, WIDE, 54, lang=lang), classes="name"),
        tag("div", fitted(written, WIDE, 54), classes="rank"),
        tag("p", text, classes="text"),
        tag("p", heading.day_words(day), classes="day"),
        tag("p", fitted(heading.club, WIDE / 2, 21, lines=2), classes="club"),
        tag("p", words["signed"], classes="signed"),
        tag("div", tag("span", fitted(written, 18, 24, lines=2)), classes="seal"),
        tag("footer", fitted(heading.list_line, WIDE, 8)),
    )
