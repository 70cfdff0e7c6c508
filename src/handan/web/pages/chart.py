"""The chart of a player's rating, as a picture and as a sentence."""

from __future__ import annotations

from django.http import HttpResponse

from handan.charts import as_svg, history_chart, rank_and_index
from handan.club.standings import Line
from handan.club.store.models import Role
from handan.ratings import Explanation
from handan.web.pages.formatting import rating_digits
from handan.web.pages.here import Here, page
from handan.wording.figures import counted, fixed


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
    title = f"Rating of {here.state.labels[final]} by game ({here.rules.made.title})"
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

    def stands(rank: str, rating: float) -> str:
        return f"{rank} {fixed(rating, decimals)}".strip()

    first, last, best = moves[0], moves[-1], max(moves, key=height)
    highest, day = stands(best.rank_after, best.after), f" on {best.date}" if best.date else ""
    entry = rank_and_index(first.rank_before, first.before) if own_ranks else first.before
    if entry > height(best):
        highest, day = stands(first.rank_before, first.before), " on entry"
    return (
        f"From {stands(first.rank_before, first.before)} to {stands(last.rank_after, last.after)} in "
        f"{counted(games, 'rated game')}; highest {highest}{day}."
    )
