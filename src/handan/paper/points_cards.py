"""Points cards, A6, four on A4: a member keeps his results by hand, a line a game."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from handan.paper.document import Paper, paper
from handan.paper.heading import Heading, Member
from handan.paper.layout import Sheet
from handan.paper.markup import joined, tag
from handan.paper.names import fitted, language_of
from handan.paper.words import words_of
from handan.wording.languages import figure_words, rank_words

SHEET = Sheet(columns=2, rows=2, width=105, height=148)
LINES = 14


def points_cards(heading: Heading, members: Sequence[Member]) -> Paper:
    """Return a card of fourteen lines for each member, headed by where they stand now."""
    pieces = [_owner(heading, member) for member in members]
    pages = list(SHEET.pages(_blank(heading), pieces))
    return paper(words_of("points", heading.language)["title"], heading, pages, "points", SHEET.css())


def _blank(heading: Heading) -> Markup:
    """Return what stands on every card: the club, the empty lines and their headings."""
    words = words_of("points", heading.language)
    head = [tag("th", words[name], classes=name) for name in ("date", "opponent", "theirs", "terms", "won", "after")]
    empty = tag("tr", *(tag("td", "") for _ in head))
    return joined(
        tag("header", fitted(heading.club, 60, 9), tag("span", words["card"], classes="kind")),
        tag("span", heading.words[heading.figure], classes="label"),
        tag("table", tag("tr", *head), *([empty] * LINES)),
        tag("footer", fitted(heading.list_line, 93, 8)),
    )


def _owner(heading: Heading, member: Member) -> Markup:
    """Return whose card it is: name with its reading, rank, and points."""
    lang = language_of(member.name, member.reading, member.country, heading.language)
    return joined(
        tag("div", fitted(member.reading, 56, 8, lang=language_of(member.reading)),
            fitted(member.name, 56, 18, lines=2, lang=lang, classes="name"), classes="who"),
        tag("span", rank_words(member.rank, heading.language, long=True), classes="rank"),
        tag("span", fitted(figure_words(member.figure, heading.language), 22, 20), classes="figure"),
    )  # fmt: skip
