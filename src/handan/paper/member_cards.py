"""Member cards, 85 × 54 mm, ten on A4: front with the code of the member's page, back with the club's table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from markupsafe import Markup

from handan.handicaps import Card
from handan.paper.card_table import CardTable, card_table, column_words, runs, terms_words
from handan.paper.document import Layer, Page, Paper, paper
from handan.paper.heading import Heading, Member
from handan.paper.layout import Sheet
from handan.paper.markup import joined, tag
from handan.paper.names import POINT, SIZES, fitted, language_of, shortened, size_for, width
from handan.paper.qr import qr
from handan.paper.words import komi_words, words_of
from handan.wording.languages import figure_words, rank_words

SHEET = Sheet(columns=2, rows=5, width=85, height=54)
WIDE = 79.0  # millimetres of a line on the back
MOST_ROWS = 15
"""Rows of a table that stand on the back in letters of 7.5 points."""
LIST_HEIGHT = 42.0  # millimetres
LINE = 1.45
"""Height of a line of it in the size of its letters."""
TWO_LINES = 14  # points, below which a name takes two lines; our choice
MOST_RUNS = 13  # our choice: lines of a short table that stand on the back


def member_cards(heading: Heading, members: Sequence[Member], card: Card | None = None) -> Paper:
    """Return the cards of members, each page of fronts followed by its backs, which lie behind them.

    Args:
        heading: Whose cards they are, and of which list.
        members: Who gets a card.
        card: The points card whose table stands on the back; None: the cards have no backs.
    """
    words = words_of("cards", heading.language)
    pages: Iterable[Page] = SHEET.pages(_blank(heading), [_front(heading, member) for member in members])
    if card is not None:
        tables = SHEET.alike(_back(card_table(card), heading), SHEET.columns * SHEET.rows)
        back = Page(tables, Layer(SHEET.cut_lines()))
        pages = chain.from_iterable((page, back) for page in pages)
    return paper(words["title"], heading, list(pages), "cards", SHEET.css())


def _blank(heading: Heading) -> Markup:
    """Return what stands on the front of every card."""
    return joined(
        tag(
            "header",
            fitted(heading.club, 52, 9),
            tag("span", words_of("cards", heading.language)["card"], classes="kind"),
        ),
        tag("span", heading.words[heading.figure], classes="label"),
        tag("footer", fitted(heading.list_line, 76, 8)),
    )


def _front(heading: Heading, member: Member) -> Markup:
    lang = language_of(member.name, member.reading, member.country, heading.language)
    wide = 56.0 if member.address else 76.0
    name = tag(
        "div",
        fitted(member.reading, wide, 8, classes="reading", lang=language_of(member.reading)),
        _name(member.name, wide, lang),
        tag("span", rank_words(member.rank, heading.language, long=True), classes="rank"),
        classes="who",
    )
    return joined(
        name,
        tag("div", fitted(figure_words(member.figure, heading.language), 40, 24), classes="figure"),
        tag("div", qr(member.address), classes="code") if member.address else "",
    )


def _name(name: str, wide: float, lang: str) -> Markup:
    """Return a name in one line, in two small ones if it is long."""
    long = size_for(name, wide, 21) < TWO_LINES
    return fitted(name, wide, TWO_LINES if long else 21, lines=2 if long else 1, lang=lang, classes="name")


def _back(table: CardTable, heading: Heading) -> Markup:
    """Return the table as it stands on a back: whole, in short, or a word where to find it.

    It is the same on all, so that any side of the paper may be turned over.
    """
    words, language = words_of("cards", heading.language), heading.language
    what = " · " + words["table"].format(figure=heading.words["points in a sentence"])
    club = shortened(heading.club, WIDE - width(what) * SIZES[0] * POINT)
    head = tag("p", fitted(club + what, WIDE, SIZES[0]), classes="title")
    if table.is_grid and len(table.rows) <= MOST_ROWS:
        heads = [tag("th", words["komi"]), *(tag("th", column_words(column, language)) for column in table.columns)]
        return joined(head, tag("table", tag("tr", *heads), *_rows(table, language), classes="grid"))
    if len(short := runs(table.entries)) <= MOST_RUNS:
        texts = [(run.text, terms_words(*run, language)) for run in short]
        widest = max((text for _, text in texts), key=width)
        tallest = LIST_HEIGHT / len(texts) / LINE / POINT
        size = min(size_for(widest, 56, 12), max([size for size in SIZES if size <= tallest] or [SIZES[0]]))
        many = "" if SIZES[0] <= tallest else " many"  # whose lines stand closer
        lines = [tag("tr", tag("th", points), tag("td", text)) for points, text in texts]
        return joined(head, tag("table", *lines, classes=f"list pt{size}{many}"))
    return joined(head, tag("p", words["poster"], classes="elsewhere"))


def _rows(table: CardTable, language: str) -> list[Markup]:
    return [
        tag("tr", tag("th", komi_words(komi, language)),
            *(tag("td", ", ".join(entry.text for entry in table.cells.get((komi, column), ())))
              for column in table.columns))
        for komi in table.rows
    ]  # fmt: skip
