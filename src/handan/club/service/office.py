"""The club's office: rules, the zone, and official lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, NamedTuple

from handan.club import changes, lists
from handan.club.changes.club_facts import FACTS
from handan.club.entries import Draft
from handan.club.kinds import Kind
from handan.club.movement import MovedPlayers, changes_of
from handan.club.other_terms import OtherTerms, other_terms
from handan.club.rules import Rules
from handan.club.service.operation import needs
from handan.club.state import State
from handan.club.store.access import Actor
from handan.club.store.clock import today
from handan.club.store.models import Club, Role
from handan.club.store.standings import standings_of
from handan.club.store.states import ledger_file
from handan.club.store.writing import Make, preview

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
    past = preview(state, Draft(Kind.RULES_SET, year.as_dict()))
    past = replace(past, rules=(*without, year)) if without else past
    before, after = standings_of(state), standings_of(past)
    return PastYear(since, changes_of(before, after), *other_terms(before, after, since))


def export_ledger(by: Actor) -> Iterator[bytes]:
    """Return the lines of the club's whole ledger as a file; for secretaries."""
    by.need(EXPORT)
    return ledger_file(by.club)
