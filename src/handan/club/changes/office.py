"""Rules, zone, lists, keys and people: what is checked before an entry about them is made, and what the entry does."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from handan.club.changes.club_facts import checked_facts
from handan.club.changes.texts import checked_reason, checked_text
from handan.club.entries import Draft, Record
from handan.club.kinds import Kind
from handan.club.rules import Rules
from handan.club.state import Folding, Handler, OfficialList, State
from handan.club.zones import SERVERS, checked_zone
from handan.errors import Clause, InputError


def set_rules(state: State, rules: Rules, reason: str = "") -> Draft:
    """Return the entry that sets the rules from a date on; InputError if they hold on that date already."""
    current = state.rules[0] if rules.since is None else state.rules_on(rules.since)
    if (rules.made, rules.confirmation) == (current.made, current.confirmation) and state.number:
        raise InputError("these rules hold already from that date; nothing was changed")
    return Draft(Kind.RULES_SET, rules.as_dict(), reason=checked_reason(reason))


def set_zone(state: State, name: str, reason: str = "") -> Draft:
    """Return the entry that sets the zone in which the club's days begin, such as Asia/Tokyo; empty: the server's."""
    zone = checked_zone(checked_text(name, "zone"))
    if zone == state.zone:
        pattern = "the zone of the club is {zone} already; nothing was changed"
        raise InputError(Clause.of(pattern, zone=zone or Clause.of(SERVERS)))
    return Draft(Kind.ZONE_SET, {"zone": zone}, reason=checked_reason(reason))


def set_club(_: State, before: Mapping[str, Any], wishes: Mapping[str, Any], reason: str = "") -> Draft:
    """Return the entry that sets what a club says of itself; its facts are pairs of what was and what is from now on.

    Args:
        before: What the club says now, by the names of `club_facts.FACTS`.
        wishes: What it is to say, some or all of it.
        reason: Why.
    """
    wanted = checked_facts(wishes)
    facts = {name: [before[name], value] for name, value in wanted.items() if value != before[name]}
    if not facts:
        raise InputError("the club says so already; nothing was changed")
    return Draft(Kind.CLUB_SET, facts, reason=checked_reason(reason))


def _rules_set(folding: Folding, record: Record) -> None:
    """Put rules in their place; they take the place of earlier ones from the same date."""
    rules = Rules.of(record.facts)
    kept = [item for item in folding.rules if item.since != rules.since]
    folding.rules = sorted([*kept, rules], key=lambda item: item.since or date.min)


def _published(folding: Folding, record: Record) -> None:
    heading = {name: record.facts[name] for name in ("as_of", "label", "system")}
    folding.lists.append(OfficialList(len(folding.lists) + 1, record.number, **heading))
    folding.key = record.facts["content"].get("key", folding.key)


def _key_set(folding: Folding, record: Record) -> None:
    folding.key = str(record.facts["key"])


def _zone_set(folding: Folding, record: Record) -> None:
    folding.zone = str(record.facts["zone"])


def _nothing(folding: Folding, record: Record) -> None:
    """Leave the state as it is."""


HANDLERS = (
    Handler(Kind.RULES_SET, set_rules, _rules_set),
    Handler(Kind.ZONE_SET, set_zone, _zone_set),
    Handler(Kind.CLUB_SET, set_club, _nothing),  # the row of the club follows as the entry is written
    Handler(Kind.LIST_PUBLISHED, None, _published),  # made by `lists.publish`, from standings
    Handler(Kind.KEY_SET, None, _key_set),  # by `key_history.new_key`, with the old key and the new
    Handler(Kind.MEMBER_SET, None, _nothing),  # by `members.set_member`, with the row of the member
    Handler(Kind.TABLET_SET, None, _nothing),  # by `tablet.set_pin`, with the row of the PIN
    Handler(Kind.CHAIN_CARRIED, None, _nothing),  # by `verifying.entry_that_carries`, from the chain itself
    Handler(Kind.PERSON_FORGOTTEN, None, _nothing),  # by `forgetting.forget`, with what goes
)
