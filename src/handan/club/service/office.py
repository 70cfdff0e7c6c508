"""The club's office: rules, the zone, and official lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from handan.club import changes, lists
from handan.club.entries import Draft
from handan.club.kinds import Kind
from handan.club.rules import Rules
from handan.club.service.operation import Moved, needs
from handan.club.standings import changes_of
from handan.club.state import State
from handan.club.store.cache import ledger_file, previewed, standings_of
from handan.club.store.clock import today
from handan.club.store.members import Actor
from handan.club.store.models import Role
from handan.club.store.writing import Make, preview

YEAR = timedelta(days=365)
EXPORT = Role.SECRETARY


@needs(Role.ADMINISTRATOR)
def set_rules(_: Actor, rules: Rules, reason: str = "") -> Make:
    """Set the rules from a date on."""
    return lambda state: changes.set_rules(state, rules, reason)


@needs(Role.ADMINISTRATOR)
def set_zone(_: Actor, name: str, reason: str = "") -> Make:
    """Set the zone in which the club's days begin; empty: the server's."""
    return lambda state: changes.set_zone(state, name, reason)


@needs(Role.SECRETARY)
def publish_list(_: Actor, as_of: date | None = None, label: str = "") -> Make:
    """Publish the official list of a day, None: of today."""
    return lambda state: lists.publish(state, today(), as_of, label)


def moved_in_past_year(state: State, rules: Rules) -> tuple[date, Moved]:
    """Return the day a year ago, and whom rules would have moved if they had been set on that day."""
    since = today() - YEAR
    year = Rules(rules.system, rules.settings, since, rules.confirmation)
    without = [item for item in state.rules if item.since is None or item.since < since]
    past = preview(state, Draft(Kind.RULES_SET, year.as_dict()))
    past = replace(past, rules=(*without, year)) if without else past
    return since, changes_of(standings_of(state), previewed(past))


def export_ledger(by: Actor) -> Iterator[bytes]:
    """Return the lines of the club's whole ledger as a file; for secretaries."""
    by.need(EXPORT)
    return ledger_file(by.club)
