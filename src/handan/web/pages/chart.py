"""The chart of a player's rating, as a picture and as a sentence."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext, ngettext

from handan.charts import as_svg, history_chart, rank_and_index
from handan.club.standings import Line
from handan.club.store.models import Role
from handan.ratings import Explanation
from handan.web.pages.formatting import rating_digits
from handan.web.pages.here import Here, page
from handan.web.templatetags.wording import day, figure, rank
from handan.wording.figures import fixed


@page(Role.VISITOR)
def history_svg(here: Here, key: str) -> HttpResponse:
    """The chart of a player's rating."""
    final = here.person(key).key
    lines = _moves(here, here.standings.lines(final, reasons=False))
    if not lines:
        return HttpResponse(status=404)
    first = lines[0]
    points = [{"number": 0, "date": "", "rating": first.before, "rank": first.rank_before}]
    points += [
        {"number": number, "date": line.date, "rating": line.after, "rank": line.rank_after}
        for number, line in enumerate(lines, 1)
    ]
    title = gettext("Rating of {name} by game ({system})").format(
        name=here.state.labels[final], system=gettext(here.rules.made.title)
    )
    chart = history_chart(points, title, own_ranks=_own_ranks(here))
    answer = HttpResponse(as_svg(chart), content_type="image/svg+xml")
    answer["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return answer


def _moves(here: Here, lines: list[Line]) -> list[Explanation]:
    """Return the rated games and adjustments under the club's present system, whose unit the chart has."""
    return [
        line.explanation
        for line in lines
        if line.rules.system == here.standings.rules.system and not line.explanation.note.startswith("not rated")
    ]


def _own_ranks(here: Here) -> bool:
    """Return whether ranks are a state of their own beside the rating."""
    return here.standings.ratings.rank_number is not None


def chart_in_words(here: Here, lines: list[Line]) -> str:
    """Return the chart in a sentence: from where to where, and the highest point."""
    moves = _moves(here, lines)
    games = sum(line.game is not None for line in moves)
    if not games:
        return ""
    decimals, own_ranks = rating_digits(here.standings), _own_ranks(here)

    def height(line: Explanation) -> float:
        return rank_and_index(line.rank_after, line.after) if own_ranks else line.after

    def stands(rank_text: str, rating: float) -> str:
        return f"{rank(rank_text)} {figure(fixed(rating, decimals))}".strip()

    first, last, best = moves[0], moves[-1], max(moves, key=height)
    highest, when = stands(best.rank_after, best.after), best.date
    entry = rank_and_index(first.rank_before, first.before) if own_ranks else first.before
    way = ngettext(
        "From {first} to {last} in {number} rated game", "From {first} to {last} in {number} rated games", games
    )
    sentence = gettext("{way}; highest {highest} on {day}.") if when else gettext("{way}; highest {highest}.")
    if entry > height(best):
        highest, sentence = stands(first.rank_before, first.before), gettext("{way}; highest {highest} on entry.")
    start, end = stands(first.rank_before, first.before), stands(last.rank_after, last.after)
    way = way.format(first=start, last=end, number=f"{games:,}")
    return sentence.format(way=way, highest=highest, day=day(when))
