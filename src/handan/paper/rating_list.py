"""The rating list, A4: everybody in their place, with rank, rating, games and what the last days brought."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from handan.paper.document import Layer, Page, Paper, page_foot, paper
from handan.paper.heading import Heading, Member
from handan.paper.markup import Markup, joined, tag
from handan.paper.names import POINT, SIZES, fitted, language_of, width
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


ROW, TITLE = 6.0, 4  # millimetres of a row, and rows that the title takes from the first sheet; our choice
WIDE, TALL = 180.0, 252.0  # millimetres of a sheet's table, without the line of its heads
LETTER, FIGURE, GAP = 10, 9, 2.6  # points of names and of all else, and millimetres between columns; our choice
NAME = 1
"""The column of names, which has the room that the others leave."""
LEFT = (NAME, NAME + 1)
"""The columns that stand flush left: names and ranks."""


def rating_list(heading: Heading, listed: RatingList) -> Paper:
    """Return the list; InputError where it is empty."""
    words = words_of("list", heading.language)
    changed = listed.since is not None and any(line.change is not None or line.rank_before for line in listed.lines)
    drawn = any(line.jigo for line in listed.lines)
    under = heading.club + "".join(f" · {text}" for text in (heading.list_line, listed.of) if text)
    if changed and listed.since is not None:
        under += f" · {words['since'].format(day=heading.day_words(listed.since))}"
    decimals = max((len(line.member.figure.partition(".")[2]) for line in listed.lines), default=0)  # as ratings have
    rows = [_cells(heading, line, decimals, changed=changed, drawn=drawn) for line in listed.lines]
    heads = _heads(heading, changed=changed, drawn=drawn)
    names = [_name(heading, line.member) for line in listed.lines]
    body = [tag("tr", *(tag("td", cell) for cell in _with(row, name))) for row, name in zip(rows, names, strict=True)]
    table = tag("table", tag("thead", tag("tr", *(tag("th", head) for head in heads))), tag("tbody", *body))
    title = joined(tag("h1", words["title"]), tag("p", under, classes="club"))
    pages = [Page(Layer(joined(title, table)))] if rows else []
    whole = paper(words["title"], heading, pages, "list", page_foot(heading), flows=True)
    return replace(whole, sheets=_sheets(heading, words["title"], title, heads, rows, listed))


def _heads(heading: Heading, *, changed: bool, drawn: bool) -> list[str]:
    own, month, shared = (words_of(name, heading.language) for name in ("list", "month", "shared"))
    texts = ["#", month["name"], shared["rank"], shared[heading.figure]]
    texts += [month["gain"]] if changed else []
    return [*texts, month["played"], month["won"], month["lost"], *([month["jigo"]] if drawn else []), own["last"]]


def _cells(heading: Heading, line: ListLine, decimals: int, *, changed: bool, drawn: bool) -> list[str]:
    """Return the texts of a row."""
    member, language = line.member, heading.language
    ranks = [rank for rank in (line.rank_before, member.rank) if rank is not None]
    change = "" if line.change is None else figure_words(signed(line.change, decimals), language)
    counts = [line.games, line.wins, line.losses, *([line.jigo] if drawn else [])]
    cells = [str(line.place), f"{member.name} {member.reading}".rstrip(), _ranks(ranks, language)]
    cells += [figure_words(member.figure, language), *([change] if changed else []), *map(str, counts)]
    return [*cells, short_date(line.last_played, language)]


def _ranks(ranks: Iterable[Rank], language: str) -> str:
    return " → ".join(rank_words(rank, language) for rank in ranks)


def _name(heading: Heading, member: Member) -> Markup:
    """Return a name with its reading."""
    lang = language_of(member.name, member.reading, member.country, heading.language)
    reading = tag("small", f" {member.reading}") if member.reading else ""
    return joined(tag("span", member.name, lang=lang) if lang else member.name, reading)


def _in_two_lines(heading: Heading, member: Member, room: float) -> Markup:
    """Return a name with its reading in small letters, which two lines of so many millimetres hold."""
    text = f"{member.name} {member.reading}".rstrip()
    lang = language_of(member.name, member.reading, member.country, heading.language)
    return fitted(text, room, SIZES[0], lines=2, lang=lang)


def _with(row: Sequence[str], name: Markup) -> list[str]:
    """Return the cells of a row with the name as it is written."""
    return [*row[:NAME], name, *row[NAME + 1 :]]


def _sheets(
    heading: Heading, name: str, title: Markup, heads: list[str], rows: list[list[str]], listed: RatingList
) -> Paper:
    """Return the list sheet by sheet, each column a text whose lines are the rows, which takes fewer boxes."""
    wide = [
        max(width(head) * SIZES[0], *(width(cell) * FIGURE for cell in {*column})) * POINT + GAP
        for head, column in zip(heads, zip(*rows, strict=True), strict=True)
    ]
    wide[NAME] += WIDE - sum(wide)
    room = wide[NAME] - GAP
    is_long = [width(row[NAME]) * LETTER * POINT > room for row in rows]
    names = [
        Markup() if long else _name(heading, line.member) for line, long in zip(listed.lines, is_long, strict=True)
    ]
    texts = [_with(row, name) for row, name in zip(rows, names, strict=True)]
    most = int(TALL / ROW)
    ends = [0, *range(most - TITLE, len(texts), most), len(texts)]
    places = [
        f".c{number} {{ left: {sum(wide[:number]):.2f}mm; width: {each - GAP:.2f}mm; "
        f"text-align: {'left' if number in LEFT else 'right'}; }}"
        for number, each in enumerate(wide)
    ]
    lines = [f".line{number} {{ top: {number * ROW:g}mm; }}" for number in range(1, most + 2)]
    pages = []
    for number, (begin, end) in enumerate(pairwise(ends), 1):
        columns = zip((tag("b", head) for head in heads), *texts[begin:end], strict=True)
        drawn = [tag("div", joined(*_in_lines(column)), classes=f"c{place}") for place, column in enumerate(columns)]
        drawn += [tag("i", classes=f"line{row}") for row in range(1, end - begin + 2)]
        drawn += [
            tag(
                "p",
                _in_two_lines(heading, listed.lines[place].member, room),
                classes=f"c{NAME} line{place - begin + 1}",
            )
            for place in range(begin, end)
            if is_long[place]
        ]
        foot = tag("p", f"{heading.club} · {heading.list_line} · {number} / {len(ends) - 1}", classes="foot")
        table = tag("div", *drawn, classes="rows under" if number == 1 else "rows")
        pages.append(Page(Layer(joined(*([title] if number == 1 else []), table, foot))))
    return paper(name, heading, pages, "list_sheets", *places, *lines)


def _in_lines(texts: Iterable[str]) -> Iterator[str]:
    """Yield texts with the end of a line behind each."""
    for text in texts:
        yield from (text, "\n")
