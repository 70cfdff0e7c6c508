"""The terms of the club's rules, filled into a form as on the page for touch; what somebody typed stays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from handan.club.sheet_lines import SIDES, Sheet, meant_by
from handan.club.standings import Standings
from handan.club.store.cache import standings_of
from handan.club.store.clock import today
from handan.errors import HandanError, InputError
from handan.handicaps import NIGIRI, Terms
from handan.ledger import When
from handan.web.pages.here import Here
from handan.wording.figures import brief

TERMS = ("handicap", "komi")
PROPOSED = "proposed"
"""The field that says what was filled in, so that what somebody typed in its place is known."""
MOST_DAYS = 3  # our choice: different days of one sheet whose terms are worked out; each is a replay


def as_recorded(terms: Terms | None) -> dict[str, str]:
    """Return handicap and komi of a game at these terms, as a form sends them."""
    if terms is None:
        return dict.fromkeys(TERMS, "")
    return {"handicap": str(terms.handicap), "komi": brief(terms.komi)}


def standings_on(here: Here, text: str | None) -> Standings:
    """Return the standings from which a game of a date is played: those of its day where it lies in the past."""
    when = When.of(text)
    if when is None or when.precision < len("2026-05-01") or when.moment.date() >= today():
        return here.standings
    return standings_of(here.state, when.moment.date())


def filled(sent: Mapping[str, str], terms: Callable[[], Terms | None]) -> dict[str, str]:
    """Return handicap, komi and what is proposed, as a form shows them after it was sent.

    Args:
        sent: What the form sent of these three.
        terms: Works out the terms of the two players and colours; None where there are none.
    """
    typed, earlier = {name: sent.get(name, "").strip() for name in TERMS}, sent.get(PROPOSED, "")
    if _joined(typed) != earlier:  # also of fields that somebody emptied
        return {**typed, PROPOSED: earlier}
    agreed = as_recorded(terms())
    return {**agreed, PROPOSED: _joined(agreed)}


def terms_of_colours(standings: Standings, black: str, white: str) -> Terms | None:
    """Return the fair terms of two players, given by key; None where they say the other colours, or nothing is fair."""
    people = standings.state.active
    if black == white or black not in people or white not in people:
        return None
    try:
        terms = standings.fair_terms(black, white)
    except InputError:
        return None
    return terms if terms.colours == NIGIRI or standings.state.keys[terms.black] == black else None


def with_terms(here: Here, paper: Sheet) -> Sheet:
    """Return a sheet whose lines have the terms of their day, where nobody typed others."""
    days = list(dict.fromkeys(line.get("date", "").strip() or paper.date for line in paper.lines))[:MOST_DAYS]

    @cache
    def standings(day: str) -> Standings | None:
        try:
            return standings_on(here, day) if day in days else None
        except HandanError:  # a day that is none, which the line says
            return None

    def terms(line: Mapping[str, str]) -> Terms | None:
        black, white = (meant_by(here.state, paper, line.get(side, "")).key for side in SIDES)
        on_day = standings(line.get("date", "").strip() or paper.date) if black and white else None
        return None if on_day is None else terms_of_colours(on_day, black, white)

    lines = []
    for line in paper.lines:
        cells = {**line, **filled(line, lambda line=line: terms(line))}  # type: ignore[misc]
        lines.append({name: text for name, text in cells.items() if text})
    return replace(paper, lines=tuple(lines))


def _joined(terms: Mapping[str, str]) -> str:
    return "/".join(terms[name] for name in TERMS) if any(terms.values()) else ""
