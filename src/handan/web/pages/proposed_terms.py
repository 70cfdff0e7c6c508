"""The terms of the club's rules, filled into a form as on the page for touch; what somebody typed stays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from handan.club.new_games import PlayedFrom, Proposal, proposal
from handan.club.record_sheet import Sheet, names_on
from handan.club.recorded import SIDES
from handan.errors import HandanError
from handan.handicaps import Terms
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


def standings_on(here: Here, text: str | None) -> PlayedFrom:
    """Return the standings from which a game of a date is played: those of its day where it lies in the past."""
    when = When.of(text)
    if when is None or when.precision < len("2026-05-01"):
        return here.standings
    return here.standings_on(when.moment.date())


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


def with_terms(here: Here, paper: Sheet) -> Sheet:
    """Return a sheet whose lines have the terms of their day, where nobody typed others."""
    proposed, lines = _by_line(here, paper), []
    for line in paper.lines:
        cells = {**line, **filled(line, lambda line=line: proposed(line).terms)}  # type: ignore[misc]
        lines.append({name: text for name, text in cells.items() if text})
    return replace(paper, lines=tuple(lines))


def turned_terms(here: Here, paper: Sheet) -> dict[int, Terms]:
    """Return the terms of lines without any, where they give the other one Black, by the number of the line."""
    proposed = _by_line(here, paper)
    empty = {number: line for number, line in enumerate(paper.lines, 1) if not any(map(line.get, TERMS))}
    turned = {number: proposed(line).turned for number, line in empty.items()}
    return {number: terms for number, terms in turned.items() if terms is not None}


def _by_line(here: Here, paper: Sheet) -> Callable[[Mapping[str, str]], Proposal]:
    """Return what works out the proposal for a line of a sheet, from the standings of its day."""
    names = names_on(here.state, paper)
    days = list(dict.fromkeys(line.get("date", "").strip() or paper.date for line in paper.lines))[:MOST_DAYS]

    @cache
    def standings(day: str) -> PlayedFrom | None:
        try:
            return standings_on(here, day) if day in days else None
        except HandanError:  # a day that is none, which the line says
            return None

    def proposed(line: Mapping[str, str]) -> Proposal:
        black, white = (names.meant(line.get(side, "")).key for side in SIDES)
        on_day = standings(line.get("date", "").strip() or paper.date) if black and white else None
        return Proposal() if on_day is None else proposal(on_day, black, white)

    return proposed


def _joined(terms: Mapping[str, str]) -> str:
    return "/".join(terms[name] for name in TERMS) if any(terms.values()) else ""
