"""The rating list, A4: everybody in their place, with rank, rating, games and what the last days brought."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from handan.paper.document import Layer, Page, Paper, page_foot, paper
from handan.paper.heading import Heading, Member
from handan.paper.markup import joined, tag
from handan.paper.names import language_of
from handan.paper.words import words_of
from handan.ranks import Rank
from handan.wording.figures import signed
from handan.wording.languages import figure_words, rank_words, short_date


@dataclass(frozen=True, slots=True)
class ListLine:
    """One member of a rating list."""

    member: Member
    place: int
    games: int
    wins: int
    losses: int
    jigo: int = 0
    last_played: str = ""
    """ISO text; empty without games."""
    change: float | None = None
    """Of the rating, since the day that the list compares with; None for who did not play, or where it has no unit."""
    rank_before: Rank | None = None
    """The rank of that day where it was another."""


@dataclass(frozen=True, slots=True)
class RatingList:
    """A rating list, and since when its changes are counted."""

    lines: tuple[ListLine, ...]
    """In the order of the list."""
    since: date | None = None
    """Changes are those after this day; None: the list says nothing of changes."""
    of: str = ""
    """Country and club whose players it has; empty: all."""


def rating_list(heading: Heading, listed: RatingList) -> Paper:
    """Return the list; InputError where it is empty."""
    words = words_of("list", heading.language)
    changed = listed.since is not None and any(line.change is not None or line.rank_before for line in listed.lines)
    drawn = any(line.jigo for line in listed.lines)
    under = [heading.club, " · ", heading.list_line]
    under += [" · ", listed.of] if listed.of else []
    if changed and listed.since is not None:
        under += [" · ", words["since"].format(day=heading.day_words(listed.since))]
    decimals = max((len(line.member.figure.partition(".")[2]) for line in listed.lines), default=0)  # as ratings have
    rows = [_row(heading, line, decimals, changed=changed, drawn=drawn) for line in listed.lines]
    table = tag("table", _head(heading, changed=changed, drawn=drawn), tag("tbody", *rows))
    body = joined(tag("h1", words["title"]), tag("p", joined(*under), classes="club"), table)
    pages = [Page(Layer(body))] if rows else []
    return paper(words["title"], heading, pages, "list", page_foot(heading), flows=True)


def _head(heading: Heading, *, changed: bool, drawn: bool) -> Markup:
    own, month, shared = (words_of(name, heading.language) for name in ("list", "month", "shared"))
    texts = ["#", month["name"], shared["rank"], shared[heading.figure]]
    texts += [month["gain"]] if changed else []
    texts += [month["played"], month["won"], month["lost"], *([month["jigo"]] if drawn else []), own["last"]]
    return tag("thead", tag("tr", *(tag("th", text) for text in texts)))


def _row(heading: Heading, line: ListLine, decimals: int, *, changed: bool, drawn: bool) -> Markup:
    member, language = line.member, heading.language
    name = tag("span", member.name, lang=language_of(member.name, member.reading, member.country, language))
    reading = tag("small", f" {member.reading}") if member.reading else Markup()
    ranks = [rank for rank in (line.rank_before, member.rank) if rank is not None]
    change = "" if line.change is None else figure_words(signed(line.change, decimals), language)
    counts = [line.games, line.wins, line.losses, *([line.jigo] if drawn else [])]
    cells = [str(line.place), joined(name, reading), " → ".join(rank_words(rank, language) for rank in ranks)]
    cells += [figure_words(member.figure, language), *([change] if changed else []), *map(str, counts)]
    return tag("tr", *(tag("td", cell) for cell in (*cells, short_date(line.last_played, language))))
