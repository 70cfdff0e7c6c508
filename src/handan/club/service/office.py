"""The club's office: rules and what others would have done, the zone, and official lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np

from handan.club import changes, lists
from handan.club.changes import with_drafts
from handan.club.changes.club_facts import FACTS
from handan.club.entries import Draft
from handan.club.kinds import Kind
from handan.club.movement import MovedPlayers, moved_between
from handan.club.rules import Rules
from handan.club.service.operation import needs
from handan.club.standings import Phase, Standings
from handan.club.state import State
from handan.club.store.access import Actor
from handan.club.store.clock import now, today
from handan.club.store.models import Club, Role
from handan.club.store.standings import standings_of
from handan.club.store.states import ledger_file
from handan.club.store.writing import Make
from handan.handicaps import NIGIRI, Terms, card_terms
from handan.ratings import RatedFrom
from handan.systems.points import Points

YEAR = timedelta(days=365)
EXPORT = Role.SECRETARY


@needs(Role.ADMINISTRATOR)
def set_rules(_: Actor, rules: Rules, reason: str = "") -> Make:
    """Set the rules from a date on."""
    return lambda state: changes.office.set_rules(state, rules, reason)


@needs(Role.ADMINISTRATOR)
def set_zone(_: Actor, name: str, reason: str = "") -> Make:
    """Set the zone in which the club's days begin; empty: the server's."""
    return lambda state: changes.office.set_zone(state, name, reason)


def facts_of_club(club: Club) -> dict[str, Any]:
    """Return what a club says of itself now."""
    return dict(Club.objects.values(*FACTS).get(pk=club.pk))


@needs(Role.ADMINISTRATOR)
def set_club(by: Actor, wishes: Mapping[str, Any], reason: str = "") -> Make:
    """Set what the club says of itself: name, language, colour, what visitors see."""
    return lambda state: changes.office.set_club(state, facts_of_club(by.club), wishes, reason)


@needs(Role.SECRETARY, ahead=True)
def publish_list(_: Actor, as_of: date | None = None, label: str = "") -> Make:
    """Publish the official list of a day, None: of today."""
    return lambda state: lists.publish(state, today(), as_of, label)


class OtherTerms(NamedTuple):
    """A game with its terms by the card that held, and by the other one."""

    game: str
    """Key of the game."""
    date: str
    black: str
    white: str
    before: Terms | None
    """None where no card held."""
    after: Terms


class GameTerms(NamedTuple):
    """A game with its terms by the card."""

    date: str
    black: str
    white: str
    terms: Terms | None
    """None where no card held."""


def terms_since(standings: Standings, since: date) -> dict[str, GameTerms]:
    """Return each game that counts since a day with the terms of the card, by its key."""
    return dict(pair for phase in standings.phases for pair in _of_phase(phase, since))


def _of_phase(phase: Phase, since: date) -> Iterator[tuple[str, GameTerms]]:
    made, ratings = phase.rules.made, phase.ratings
    ledger = ratings.ledger
    days, numbers = ledger.arrays.column("date"), ledger.arrays.column("line")
    for place in np.flatnonzero((days.dt.date() >= since).fill_null(value=False).to_numpy()).tolist():
        black, white = (ledger.players[int(side[place])].name for side in ledger.arrays.seats)
        terms = None
        if isinstance(made, Points):
            points = RatedFrom.of(ratings).rated_from[place].tolist()
            if not np.isfinite(points).all():
                continue  # it does not count
            terms = card_terms(made.table, (black, points[0]), (white, points[1]))
        yield f"g{numbers[place]}", GameTerms(str(days[place].date()), black, white, terms)


def other_terms(before: Standings, after: Standings, since: date) -> tuple[int, list[OtherTerms]]:
    """Return how many games there were since a day under the other card, and those whose terms differ, latest first."""
    old, new = terms_since(before, since), terms_since(after, since)
    pairs = [(key, old.get(key), game) for key, game in new.items() if game.terms is not None]
    made = [
        OtherTerms(key, game.date, game.black, game.white, None if was is None else was.terms, game.terms)
        for key, was, game in pairs
        if game.terms is not None
    ]
    differ = [item for item in made if item.before is None or _agreed(item.before) != _agreed(item.after)]
    return len(pairs), sorted(differ, key=lambda item: (item.date, item.game), reverse=True)


def _agreed(terms: Terms) -> tuple[object, ...]:
    """Return what two players agree on: who has Black, how many stones, what komi, what a tie is."""
    drawn = terms.colours == NIGIRI
    return "" if drawn else terms.black, drawn, terms.stones_on_board, terms.komi, terms.tie


class PastYear(NamedTuple):
    """What other rules would have done to the past year."""

    since: date
    """The day a year ago."""
    moved: MovedPlayers
    """Whom they would have moved."""
    games: int
    """Games of the year at the terms of a card; 0 where the other rules have none."""
    others: list[OtherTerms]
    """Those that would have had other terms, latest first."""


def past_year(state: State, rules: Rules) -> PastYear:
    """Return what rules would have done if they had been set on the day a year ago."""
    since = today() - YEAR
    year = Rules(rules.system, rules.settings, since, rules.confirmation)
    without = [item for item in state.rules if item.since is None or item.since < since]
    past = with_drafts(state, [Draft(Kind.RULES_SET, year.as_dict())], now())
    past = replace(past, rules=(*without, year)) if without else past
    before, after = standings_of(state), standings_of(past)
    moved = moved_between(before.figures, after.figures)
    return PastYear(since, moved, *other_terms(before, after, since))


def export_ledger(by: Actor) -> Iterator[bytes]:
    """Return the lines of the club's whole ledger as a file; for secretaries."""
    by.need(EXPORT)
    return ledger_file(by.club)
