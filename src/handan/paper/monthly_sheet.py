"""The monthly sheet, A4: the month's honours, promotions, and the record of all who played."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markupsafe import Markup

from handan.paper.document import Layer, Page, Paper, page_foot, paper
from handan.paper.heading import Heading, Member
from handan.paper.markup import joined, tag
from handan.paper.month import Month, MonthLine
from handan.paper.names import language_of
from handan.paper.words import words_of
from handan.wording.figures import digits, signed
from handan.wording.languages import figure_words, rank_words

MOST_NAMED = 10  # our choice: members under one honour; more who are equal are no news


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
    return sheet_of_days(
        heading,
        month,
        title,
        [
            tag("div", *honours, classes="honours"),
            tag("h2", words["promotions"]),
            promotions(heading, month, words["none"]),
            table_of_players(heading, month, decimals),
        ],
    )


def sheet_of_days(heading: Heading, days: Month, title: str, parts: Sequence[Markup]) -> Paper:
    """Return a sheet of some days under its title; of days on which nobody played it says so."""
    words = words_of("month", heading.language)
    club = tag("p", joined(heading.club, " · ", heading.list_line), classes="club")
    body = [tag("h1", title), club, *(parts if days.lines else [tag("p", words["no_games"])])]
    return paper(title, heading, [Page(Layer(joined(*body)))], "month", page_foot(heading), flows=True)


def name_of(heading: Heading, member: Member) -> Markup:
    """Return a member's name in the language of its script."""
    lang = language_of(member.name, member.reading, member.country, heading.language)
    return tag("span", member.name, lang=lang)


def _honour(
    heading: Heading, month: Month, name: str, figure: Callable[[MonthLine], float], text: Callable[[float], str]
) -> Markup:
    best = month.best(figure)
    lines = [tag("li", name_of(heading, line.member), tag("b", text(figure(line)))) for line in best[:MOST_NAMED]]
    lines += [tag("li", "…")] * (len(best) > MOST_NAMED)
    words = words_of("month", heading.language)
    return tag("div", tag("h2", words[name]), tag("ol", *lines) if lines else tag("p", words["none"]))


def promotions(heading: Heading, month: Month, none: str) -> Markup:
    """Return who rose from which rank to which, or the words for nobody."""
    rows = [
        tag(
            "li",
            name_of(heading, line.member),
            tag("b", " → ".join(rank_words(rank, heading.language, long=True) for rank in (risen.before, risen.after))),
        )
        for line in month.promotions
        if (risen := line.promotion)
    ]
    return tag("ul", *rows, classes="promotions") if rows else tag("p", none)


def table_of_players(heading: Heading, month: Month, decimals: int) -> Markup:
    """Return the members who played as a table: name, rank, games and what they gained."""
    words, shared = words_of("month", heading.language), heading.words
    heads = (words["name"], shared["rank"], words["played"], words["won"], words["lost"], words["jigo"], words["gain"],
             shared[heading.figure])  # fmt: skip
    head = tag("thead", tag("tr", *(tag("th", text) for text in heads)))
    return tag("table", head, tag("tbody", *(_row(heading, line, decimals) for line in month.lines)))


def _row(heading: Heading, line: MonthLine, decimals: int) -> Markup:
    figures = (line.games, line.wins, line.losses, line.games - line.wins - line.losses)
    texts = [*map(str, figures), signed(line.change, decimals), line.member.figure]
    texts = [figure_words(text, heading.language) for text in texts]
    who = tag("td", name_of(heading, line.member))
    return tag(
        "tr",
        who,
        tag("td", rank_words(line.member.rank, heading.language, long=True)),
        *(tag("td", text) for text in texts),
    )
