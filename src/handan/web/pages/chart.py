"""The chart of a player's rating, now and before a correction: drawn for desks and phones, and said in a sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import polars as pl
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.utils.translation import gettext, ngettext

from handan.charts import rank_and_index
from handan.club.kinds import Kind
from handan.club.standings import Line
from handan.club.store.access import seen_state
from handan.club.store.clock import today
from handan.club.store.models import Entry, Role
from handan.club.store.standings import standings_of
from handan.club.store.states import state_at
from handan.drawing import Band, Course, Point, Size, Words, drawn, rank_bands
from handan.ranks import Rank
from handan.ratings import Explanation, rank_from
from handan.web.pages.here import Here, appearance_of, page, text_of, whole_number
from handan.web.pages.wording import day, figure, page_language, rank, table_rank
from handan.wording.figures import fixed, signed
from handan.wording.languages import figure_words, month_alone, short_date, short_rank

DESK, PHONE = Size(940, 320, 14, 8), Size(340, 280, 13, 4)
"""Our choice; letters have 12 pixels or more where a drawing is shown in its own size."""
LARGE = 1.25
"""How much larger the letters of a drawing are for who reads large ones, as the style of the pages has it."""
Bands = Callable[[float, float], list[Band]]
MOST_LAWS = 100  # our choice: laws of ranks whose bands a process keeps
MOST_BESIDE = 3  # our choice: more lines cannot be told apart


class Chart(NamedTuple):
    """A chart as a page shows it."""

    desk: str
    phone: str
    names: tuple[str, ...]
    """Of the players, in the order of the lines."""


@page(Role.VISITOR)
def history_svg(here: Here, key: str) -> HttpResponse:
    """The chart of a player's rating as a picture of its own."""
    final = here.person(key).key
    lines = here.standings.lines(final, reasons=False)
    courses = [course_of(here, final, lines)]
    svg = _drawn(here, courses, DESK, chart_in_words(here, lines))
    if not svg:
        return HttpResponse(status=404)
    answer = HttpResponse(svg.replace(">", f"><style>{_colours()}</style>", 1), content_type="image/svg+xml")
    answer["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return answer


@cache
def _colours() -> str:
    """Return the colours and looks of drawings, for a picture that stands without a page."""
    light, dark, own = (_text_of(f"handan/{name}.css") for name in ("tokens", "tokens-dark", "chart"))
    return f"{light}@media (prefers-color-scheme: dark) {{ {dark} }} {own}"


def _text_of(name: str) -> str:
    text = Path(str(finders.find(name))).read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def chart_of(
    here: Here, key: str, lines: list[Line], link: Callable[[Line], str], others: Sequence[str] = (),
    before: Course | None = None,
) -> Chart | None:  # fmt: skip
    """Return the chart of a player, beside up to three others; None without a rated game or adjustment.

    Args:
        here: The request; `?across=games` puts games in place of days.
        key: Of the player.
        lines: Of the player's card.
        link: Returns where the sum of a line stands.
        others: Keys of the others.
        before: The course as it was before a correction, if that is asked for.
    """
    beside = [(other, here.standings.lines(other, reasons=False)) for other in others[:MOST_BESIDE]]
    courses = [course_of(here, key, lines, link), *([before] if before else ()),
               *(course_of(here, other, theirs) for other, theirs in beside)]  # fmt: skip
    words = chart_in_words(here, lines)
    bands = cache(_bands_of(here))  # those of both drawings lie between the same heights
    desk, phone = (_drawn(here, courses, size, words, bands) for size in (DESK, PHONE))
    names = tuple(course.name for course in courses if course.points)
    return Chart(desk, phone, names) if desk else None


def course_of(here: Here, key: str, lines: list[Line], link: Callable[[Line], str] | None = None) -> Course:
    """Return the course of a player's rating under the club's present system."""
    chosen = _moves(here, lines)
    height, decimals, language = _height_of(here), here.standings.decimals, page_language()
    rules, has_deviations = here.standings.rules, not here.rules.system_class.traits.index_of_rank
    points = [
        Point(item.date, height(item.rank_after, item.after), item.rank_after,
              _step_in_words(here, item, decimals, language), link(line) if link else "",
              _without_nan(line.deviation) if has_deviations and line.rules == rules else None)
        for line in chosen for item in (line.explanation,)
    ]  # fmt: skip
    first = chosen[0].explanation if chosen else None
    entry = Point("", height(first.rank_before, first.before), first.rank_before) if first else Point("", 0.0, "")
    return Course(here.shown_name(here.state.labels[key]), entry, points)


def _step_in_words(here: Here, item: Explanation, decimals: int, language: str) -> str:
    """Return what a step says: `2026-11-08, 鈴木 一郎: -1 → 182`."""
    name = here.shown_name(item.opponent) if item.game is not None else gettext("adjustment")
    change, after = (
        figure_words(signed(item.change, decimals), language),
        figure_words(fixed(item.after, decimals), language),
    )
    where, colon = f"{short_date(item.date, language)} {name}", gettext(": ")
    return f"{where}{colon}{change} → {after} {short_rank(item.rank_after, language)}".strip()


def _without_nan(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def words_of(sentence: str, decimals: int, *, numbers: bool = True) -> Words:
    """Return how a drawing writes in the language of the page.

    Args:
        sentence: What the drawing says as a whole.
        decimals: Of ratings.
        numbers: Whether figures stand at the left.
    """
    language = page_language()

    def tick(value: date, whole_year: bool) -> str:  # noqa: FBT001  # as `Words` asks
        return str(value.year) if whole_year else month_alone(value, language)

    def written(value: float) -> str:
        return figure(fixed(value, 0 if float(value).is_integer() else max(decimals, 1)))

    return Words(written, table_rank, tick, sentence, numbers)


def _drawn(here: Here, courses: Sequence[Course], size: Size, sentence: str, bands: Bands | None = None) -> str:
    title = gettext(": ").join((gettext(", ").join(course.name for course in courses), sentence))
    words = words_of(title, here.standings.decimals, numbers=not here.rules.system_class.traits.index_of_rank)
    whole = all(height.is_integer() for course in courses for height in course.heights)
    by_day = here.request.GET.get("across") != "games"
    if appearance_of(here.request)["letters"] == "large":
        size = size._replace(text=round(size.text * LARGE), days=round(size.days / LARGE))
    until = here.day or today()
    return drawn(courses, bands or _bands_of(here), size, words, by_day=by_day, whole=whole, until=until)


def _bands_of(here: Here) -> Bands:
    if not here.rules.system_class.traits.index_of_rank:
        return partial(rank_bands, here.rules.made.rank, ends=_ends_of(here.rules.made.rank))
    return lambda low, high: [
        Band(max(float(number), low), min(number + 1.0, high), rank_from(number))
        for number in range(max(1, int(low)), int(high) + 1)
        if number <= Rank.dan(9).number_from_30k
    ]


@lru_cache(MOST_LAWS)
def _ends_of(rank_of: Callable[[float], Rank | None]) -> dict[Rank, float]:  # noqa: ARG001  # the key
    """Return where the bands of a law of ranks end, as far as drawings have asked; they stay the same."""
    return {}


def _height_of(here: Here) -> Callable[[str, float], float]:
    """Return what stands upwards: the rating, or rank and index together where the rating is an index of the rank."""
    return rank_and_index if here.rules.system_class.traits.index_of_rank else lambda _, rating: rating


def _moves(here: Here, lines: list[Line]) -> list[Line]:
    """Return the rated games and adjustments under the club's present system, whose unit the chart has."""
    return [line for line in lines if line.rules.system == here.standings.rules.system and line.explanation.is_rated]


def chart_in_words(here: Here, lines: list[Line]) -> str:
    """Return the chart in a sentence: from where to where, and the highest point."""
    moves = [line.explanation for line in _moves(here, lines)]
    games = sum(line.game is not None for line in moves)
    if not games:
        return ""
    decimals, height_of = here.standings.decimals, _height_of(here)

    def height(line: Explanation) -> float:
        return height_of(line.rank_after, line.after)

    def stands(rank_text: str, rating: float) -> str:
        return f"{rank(rank_text)} {figure(fixed(rating, decimals))}".strip()

    first, last, best = moves[0], moves[-1], max(moves, key=height)
    highest, when = stands(best.rank_after, best.after), best.date
    entry = height_of(first.rank_before, first.before)
    way = ngettext(
        "From {first} to {last} in {number} rated game", "From {first} to {last} in {number} rated games", games
    )
    sentence = gettext("{way}; highest {highest} on {day}.") if when else gettext("{way}; highest {highest}.")
    if entry > height(best):
        highest, sentence = stands(first.rank_before, first.before), gettext("{way}; highest {highest} on entry.")
    start, end = stands(first.rank_before, first.before), stands(last.rank_after, last.after)
    way = way.format(first=start, last=end, number=f"{games:,}")
    return sentence.format(way=way, highest=highest, day=day(when))


KINDS = (Kind.GAME_CORRECTED, Kind.GAME_WITHDRAWN, Kind.GAME_RESTORED)
LOOKED_THROUGH = 500  # our choice: of a player's games about which more was written, the last ones are looked through


def last_redrawing(here: Here, key: str) -> Entry | None:
    """Return the last entry that redrew a player's curve, for who may read the log; None if there is none."""
    if not (here.actor.may(Role.PLAYER) or here.club.open_log) or here.day or here.day_known:
        return None
    games = here.games(key)
    written_about = games.filter(pl.col("latest") > pl.col("line")).sort("latest")["line"].tail(LOOKED_THROUGH)
    subjects = [f"g{line}" for line in written_about]
    entries = Entry.objects.filter(club=here.club, subject__in=subjects, kind__in=[str(kind) for kind in KINDS])
    return entries.order_by("-number").first() if subjects else None


def course_before(here: Here, key: str, entry: Entry | None) -> Course | None:
    """Return the course of a rating as it was before an entry, if the address asks for it (`?redrawn=ENTRY`)."""
    if entry is None or whole_number(text_of(here.request, "redrawn")) != entry.number:
        return None
    standings = standings_of(seen_state(state_at(here.club, entry.number - 1), here.hidden))
    if key not in standings.state.labels or standings.rules.system != here.rules.system:
        return None
    then = replace(here, made=standings)
    name = gettext("as it was before {day}").format(day=day(entry.entered))
    return replace(course_of(then, key, standings.lines(key, reasons=False)), name=name)
