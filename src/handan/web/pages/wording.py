"""Ranks, days, figures, terms and single words as a page's language writes them."""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import lru_cache
from html import escape

from django.utils import timezone
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext

from handan.club.names import nameless_words
from handan.club.store.access import TABLET
from handan.handicaps import NIGIRI, Terms
from handan.handicaps.card_law import WHITE_WINS
from handan.paper import words
from handan.paper.names import LEFTWARD, language_of, width
from handan.paper.words import komi_words
from handan.ranks import Rank
from handan.systems import SYSTEMS
from handan.wording import languages
from handan.wording.figures import fixed
from handan.wording.languages import date_words, figure_words, rank_words, short_date, short_rank

DAY = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)(?: \d\d:\d\d)?")
MOST_NAMES = 3000  # our choice: names that a process keeps as HTML
LONG_WORD, LONG_NAME = 12.0, 30.0  # our choice: times a letter's size, above which a name breaks anywhere in a table
SIZES = (("", 5.2, 2), ("long", 6.4, 2))
"""Class of a name, and how many lines of how many times its letter's size a plate holds; others are `very long`."""
MOST_OPTIONS = 3000  # our choice: names that a field proposes


def page_language() -> str:
    """Return the language of the page that is made."""
    return get_language() or "en"


def word(value: object) -> str:
    """Return a word or sentence that stands in the catalogs in the page's language; others as they are."""
    text = "" if value is None else str(value)
    return gettext(text) if text else ""  # an empty text is answered with the head of the catalog


def author(name: str) -> str:
    """Return who wrote an entry: the name of the account; in the page's language the tablet, the program or nobody."""
    if not name or name == TABLET:
        return gettext(name or "the program")
    return nameless_words(name, page_language())


def rank(value: Rank | str | None) -> str:
    """Return a rank: `5k`, `5級`, `5. Kyu`; a text that is none as it is."""
    return rank_words(value, page_language())


def table_rank(value: Rank | str | None) -> str:
    """Return a rank as tables have room for it."""
    return short_rank(value, page_language())


def day(value: date | str | None) -> str:
    """Return a day of a table: `2026-11-21`, `21.11.2026`; also a month or a year, which files write as such."""
    value = timezone.localtime(value) if isinstance(value, datetime) and timezone.is_aware(value) else value
    return short_date(value, page_language())


def long_day(value: date | str | None) -> str:
    """Return a day, which may be text as ISO 8601 has it, in words: `21 November 2026`."""
    day = date.fromisoformat(value) if isinstance(value, str) and value else value
    return date_words(day, page_language()) if isinstance(day, date) else ""


def moment(value: datetime | None) -> str:
    """Return a moment in the zone of the page, to the minute: `2026-11-21 20:15`."""
    if value is None:
        return ""
    there = timezone.localtime(value) if timezone.is_aware(value) else value
    return f"{short_date(there, page_language())} {there:%H:%M}"


def whole(text: str) -> SafeString:
    """Return a text as HTML whose days and moments no line breaks: browsers break `2026-11-21` behind each hyphen."""
    return mark_safe(DAY.sub(r'<span class="nowrap">\g<0></span>', str(conditional_escape(text))))  # noqa: S308  # escaped


def figure(value: object) -> str:
    """Return a number that is text already with the decimal sign of the page's language."""
    return "" if value is None else figure_words(str(value), page_language())


def decimals(value: float | None, places: int) -> str:
    """Return a number with so many decimals."""
    return fixed(value, places)


def card_title(title: str) -> str:
    """Return the title of a printed card in the page's language; a club's own is as the club wrote it."""
    return words.card_title(title, page_language())


def close_up(text: str) -> str:
    """Return sentences without blanks between them where the page's language has none."""
    return type(text)(languages.close_up(text))


def is_long(name: str) -> bool:
    """Return whether a name is so long that it breaks anywhere in a table, as names do not."""
    return max(map(width, name.split()), default=0.0) > LONG_WORD or width(name) > LONG_NAME


@lru_cache(MOST_NAMES)
def name_class(name: str) -> str:
    """Return the class of a name that says how large it can stand on a plate."""
    widest, whole = max(map(width, name.split()), default=0.0), width(name)
    for size, room, lines in SIZES:
        if widest <= room and whole <= room * lines:
            return f"name {size}".strip()
    return "name very long"


@lru_cache(MOST_NAMES)
def name_in_its_language(name: str, reading: str, country: str, page: str) -> SafeString:
    """Return a name as HTML, with its language and direction where they are not those of the page."""
    own = language_of(name, reading, country, page)
    text, marks = escape(name), "" if own.lower() in {"", page} else f' lang="{own}"'
    if LEFTWARD.search(name):  # apart from what stands beside it, whose figures it would turn around
        marks += ' dir="rtl"'
    if is_long(name):
        marks += ' class="long-name"'
    return mark_safe(f"<span{marks}>{text}</span>" if marks else text)  # noqa: S308  # escaped


def list_name(label: str, number: int) -> str:
    """Return the label of an official list, in the page's language where nobody gave it another than its number."""
    plain = gettext("official list %(number)s") % {"number": number}
    return capfirst(plain) if label == f"Official list {number}" else label


def system_title(name: str) -> str:
    """Return what a rating system is called in the page's language."""
    titles = SYSTEMS.titles()
    return word(titles[name]) if name in titles else name


def terms_words(terms: Terms, language: str) -> str:
    """Return the terms in a sentence; in English it is `Terms.text`."""
    if terms.unfair:
        on_board = _on_board(terms, language)
        return gettext("no fair terms: {reason}; nearest: {terms}").format(reason=terms.unfair, terms=on_board)
    return _on_board(terms, language)


def _on_board(terms: Terms, language: str) -> str:
    parts = [_start(terms), giving_words(terms, language)]
    if terms.tie == WHITE_WINS:
        parts.append(gettext("a tie is White's"))
    return gettext(", ").join(parts)


def _start(terms: Terms) -> str:
    if terms.colours == NIGIRI:
        even, stones = gettext("Even game: nigiri"), gettext("{stones} stones").format(stones=terms.stones_on_board)
        return gettext(", ").join([even, stones] if terms.free_stones else [even])
    if terms.free_stones:
        return gettext("Black: {name}, {stones} stones").format(name=terms.black, stones=terms.stones_on_board)
    return gettext("Black: {name} moves first").format(name=terms.black)


def start_words(terms: Terms) -> str:
    """Return how the game begins, without names: `2 stones`, `Black first`, `Even game: nigiri`."""
    if terms.colours == NIGIRI and not terms.free_stones:
        return gettext("Even game: nigiri")
    return gettext("{stones} stones").format(stones=terms.handicap) if terms.free_stones else gettext("Black first")


def giving_words(terms: Terms, language: str) -> str:
    """Return who gives how many points under terms, which may leave komi to custom."""
    if terms.komi is None and terms.colours == NIGIRI:
        return gettext("usual komi")
    return komi_words(terms.komi or 0.0, language)
