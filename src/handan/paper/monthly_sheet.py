"""The monthly sheet, A4: the month's honours, promotions, and the record of all who played."""

from __future__ import annotations

from collections.abc import Callable

from handan.paper.document import Layer, Page, Paper, page_foot, paper
from handan.paper.heading import Heading, Member
from handan.paper.markup import Markup, joined, tag
from handan.paper.month import Month, MonthLine
from handan.paper.names import language_of
from handan.paper.words import words_of
from handan.wording.figures import digits, signed
from handan.wording.languages import figure_words, rank_words


def monthly_sheet(heading: Heading, month: Month) -> Paper:
    """Return the sheet of a month."""
    words = words_of("month", heading.language)
    title = words["title"].format(month=heading.month_words(month.first))
    decimals = digits(line.change for line in month.lines)
    honours = [
        _honour(heading, month, "games", lambda line: line.games, str),
        _honour(heading, month, "wins", lambda line: line.wins, str),
        _honour(
            heading,
            month,
            "change",
            lambda line: line.change,
            lambda value: figure_words(signed(value, decimals), heading.language),
        ),
        _honour(heading, month, "streak", lambda line: line.streak if line.streak > 1 else 0, str),
    ]
    body = [
        tag("h1", title),
        tag("p", joined(heading.club, " · ", heading.list_line), classes="club"),
        tag("div", *honours, classes="honours"),
        tag("h2", words["promotions"]),
        _promotions(heading, month),
        _table(heading, month, decimals),
    ]
    return paper(title, heading, [Page(Layer(joined(*body)))], "month", page_foot(heading), flows=True)


def _name(heading: Heading, member: Member) -> Markup:
    lang = language_of(member.name, member.reading, member.country, heading.language)
    return tag("span", member.name, lang=lang)


def _honour(
    heading: Heading, month: Month, name: str, figure: Callable[[MonthLine], float], text: Callable[[float], str]
) -> Markup:
    best = month.best(figure)
    lines = [tag("li", _name(heading, line.member), tag("b", text(figure(line)))) for line in best]
    words = words_of("month", heading.language)
    return tag("div", tag("h2", words[name]), tag("ol", *lines) if lines else tag("p", words["none"]))


def _promotions(heading: Heading, month: Month) -> Markup:
    rows = [
        tag(
            "li",
            _name(heading, line.member),
            tag("b", " → ".join(rank_words(rank, heading.language, long=True) for rank in ranks)),
        )
        for line in month.promotions
        if (ranks := line.promotion)
    ]
    return tag("ul", *rows, classes="promotions") if rows else tag("p", words_of("month", heading.language)["none"])


def _table(heading: Heading, month: Month, decimals: int) -> Markup:
    """Return the members of the month as a table: name, rank, games and what they gained."""
    words, shared = words_of("month", heading.language), heading.words
    heads = (words["name"], shared["rank"], words["played"], words["won"], words["lost"], words["jigo"], words["gain"],
             shared[heading.figure])  # fmt: skip
    head = tag("thead", tag("tr", *(tag("th", text) for text in heads)))
    return tag("table", head, tag("tbody", *(_row(heading, line, decimals) for line in month.lines)))


def _row(heading: Heading, line: MonthLine, decimals: int) -> Markup:
    figures = (line.games, line.wins, line.losses, line.games - line.wins - line.losses)
    texts = [*map(str, figures), signed(line.change, decimals), line.member.figure]
    texts = [figure_words(text, heading.language) for text in texts]
    who = tag("td", _name(heading, line.member))
    return tag(
        "tr",
        who,
        tag("td", rank_words(line.member.rank, heading.language, long=True)),
        *(tag("td", text) for text in texts),
    )
