"""The record sheet of an evening, A4: fifteen games, for a pencil."""

from __future__ import annotations

from markupsafe import Markup

from handan.errors import Clause, InputError
from handan.paper.document import Layer, Page, Paper, paper
from handan.paper.heading import Heading
from handan.paper.markup import joined, tag
from handan.paper.names import fitted
from handan.paper.qr import qr
from handan.paper.words import Words, words_of

LINES = 15
MOST_COPIES = 50  # our choice


def record_sheet(heading: Heading, copies: int = 1, address: str = "") -> Paper:
    """Return empty record sheets, numbered.

    Args:
        heading: Whose sheets they are.
        copies: How many, 1 to 50.
        address: Address of the page on which games are entered, for the QR code; empty: none.
    """
    if not 1 <= copies <= MOST_COPIES:
        raise InputError(Clause.of("copies {copies} is not a number from 1 to {most}", copies=copies, most=MOST_COPIES))
    blank = Layer(_blank(heading, address))
    pages = [Page(blank, Layer(_number(heading, number))) for number in range(1, copies + 1)]
    return paper(words_of("sheet", heading.language)["title"], heading, pages, "sheet")


def _blank(heading: Heading, address: str) -> Markup:
    words, shared = words_of("sheet", heading.language), heading.words
    names = (("number", words["number"]), ("name", shared["black"]), ("figure", shared[heading.figure]),
             ("name", shared["white"]), ("figure", shared[heading.figure]), ("terms", words["stones"]),
             ("terms", words["komi"]), ("won", words["won"]), ("kind", words["kind"]), ("signed", words["signed"]),
             ("remarks", words["remarks"]))  # fmt: skip
    head = tag("tr", *(tag("th", text, classes=name) for name, text in names))
    code = tag("div", tag("span", words["code"]), qr(address), classes="code") if address else ""
    blank = tag("span", "", classes="blank")
    return joined(
        tag(
            "header",
            tag("div", tag("h1", words["title"]), fitted(heading.club, 110, 14, lines=2),
                tag("p", tag("span", words["date"]), blank, tag("span", words["keeper"]), blank, classes="by")),
            code,
        ),
        tag("table", head, *(_line(line, words) for line in range(1, LINES + 1))),
        tag("p", words["how"], classes="how"),
        tag("p", heading.list_line, classes="foot"),
    )  # fmt: skip


def _number(heading: Heading, number: int) -> Markup:
    text = words_of("sheet", heading.language)["sheet"].format(number=f"{heading.day.isoformat()}-{number}")
    return tag("p", text, classes="foot right")


def _line(number: int, words: Words) -> Markup:
    empty = tag("td", "")
    won = tag("td", words["either"], classes="won")
    cells = [tag("td", str(number), classes="number"), *([empty] * 6), won, *([empty] * 3)]
    return tag("tr", *cells)
