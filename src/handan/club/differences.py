"""What an entry changed, from what to what: its facts beside those of the entry before it about the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import groupby
from typing import Any, NamedTuple

from handan.club.entries import Record
from handan.club.kinds import Kind
from handan.club.rules import Rules
from handan.handicaps import Card, Terms, card_terms
from handan.systems.core.settings import settings_of
from handan.systems.points import Points

GAME = {Kind.GAME_RECORDED, Kind.GAME_CORRECTED}
PERSON = {Kind.PLAYER_REGISTERED, Kind.PLAYER_CHANGED}
OF_THE_CLUB = {Kind.RULES_SET, Kind.ZONE_SET, Kind.MEMBER_SET}
"""Kinds whose entries follow from earlier ones of their kind, whatever their subject."""
OF_A_SUBJECT = GAME | PERSON
CHANGES = OF_THE_CLUB | {Kind.GAME_CORRECTED, Kind.PLAYER_CHANGED, Kind.CLUB_SET, Kind.RANK_ADJUSTED}
"""Kinds whose entries say something else than was said before."""
OF_ITS_OWN = {"ended"}
"""Facts that say nothing anew of what an earlier entry said."""
MOST_LINES = 60  # our choice: lines of a card that are named


class Difference(NamedTuple):
    """One thing that an entry changed."""

    what: str
    """Name of a fact or setting, or differences of a card such as `6–11`."""
    before: Any
    after: Any


def differences(record: Record, earlier: Iterable[Record]) -> list[Difference]:
    """Return what an entry changed; nothing for one that only adds.

    Args:
        record: The entry.
        earlier: Entries before it, in order: those about its subject, or of its kind if that is one of `OF_THE_CLUB`.
    """
    before = [item for item in earlier if item.number < record.number]
    if record.kind is Kind.RULES_SET:
        return list(_of_rules(record, [item for item in before if item.kind is Kind.RULES_SET]))
    if record.kind is Kind.CLUB_SET:
        return [Difference(name, *pair) for name, pair in record.facts.items()]
    if record.kind is Kind.RANK_ADJUSTED:
        return [Difference(name, None, record.facts[name]) for name in ("rank", "rating") if name in record.facts]
    if record.kind is Kind.TABLET_SET:
        return [Difference("PIN", None, record.facts["pin"])]
    if record.kind is Kind.PLAYER_MERGED:
        aside = record.facts.get("set_aside")
        return [
            Difference("is really", None, record.facts["into"]),
            *([Difference("set_aside", aside, None)] if aside else []),
        ]
    if record.kind is Kind.PLAYER_SPLIT and "apart" in record.facts:
        ends = (record.facts["apart"], None) if record.facts.get("taken_back") else (None, record.facts["apart"])
        return [Difference("is not", *ends)]
    same = [item for item in before if _is_before(item, record)] if record.kind in CHANGES else []
    return list(_of_facts(same[-1].facts if same else {}, record.facts)) if same or record.kind in OF_THE_CLUB else []


def _is_before(item: Record, record: Record) -> bool:
    """Return whether an earlier entry says what the later one says anew."""
    if record.kind is Kind.MEMBER_SET:
        return item.kind is Kind.MEMBER_SET and item.facts.get("account") == record.facts.get("account")
    if record.kind is Kind.ZONE_SET:
        return item.kind is Kind.ZONE_SET
    return item.subject == record.subject and item.kind in OF_A_SUBJECT


def _of_facts(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Difference]:
    for name in dict.fromkeys((*before, *after)):
        one, other = (None if facts.get(name) == "" else facts.get(name) for facts in (before, after))
        one = None if name in OF_ITS_OWN else one
        if name not in {"waiting", "account"} and one != other:
            yield Difference(name, one, other)


def _of_rules(record: Record, earlier: Iterable[Record]) -> Iterator[Difference]:
    """Go through what rules change of those that held on their day before."""
    rules = Rules.of(record.facts)
    past = sorted((Rules.of(item.facts) for item in earlier), key=lambda item: item.since or date.min)
    begun = [item for item in past if item.since is None or (rules.since is not None and item.since <= rules.since)]
    before = begun[-1] if begun else None
    yield from _of_facts({"system": before and before.system, "confirmation": before and before.confirmation},
                         {"system": rules.system, "confirmation": rules.confirmation})  # fmt: skip
    if before is None or before.system != rules.system:
        before = Rules(rules.system)
    for name in settings_of(rules.made):
        one, other = getattr(before.made, name), getattr(rules.made, name)
        if name == "card" and one != other:
            yield from _of_cards(before.made, rules.made)
        elif one != other:
            yield Difference(name, one, other)


def _of_cards(before: Any, after: Any) -> Iterator[Difference]:
    """Go through the lines in which two cards differ, each with its terms."""
    assert isinstance(before, Points)  # noqa: S101  # for the type checker
    assert isinstance(after, Points)  # noqa: S101
    yield Difference("card", before.table.title, after.table.title)
    last = max(_last(before.table), _last(after.table))
    pairs = [(_terms(before.table, number), _terms(after.table, number)) for number in range(last + 1)]
    runs = [list(run) for _, run in groupby(enumerate(pairs), key=lambda item: [_agreed(terms) for terms in item[1]])]
    changed = [run for run in runs if _agreed(run[0][1][0]) != _agreed(run[0][1][1])]
    for run in changed[:MOST_LINES]:
        first, end = run[0][0], run[-1][0]
        yield Difference(str(first) if first == end else f"{first}–{end}", *run[0][1])


def _last(card: Card) -> int:
    return card.rows()[-1].difference


def _terms(card: Card, number: int) -> Terms:
    return card_terms(card, ("", 0.0), ("", float(number)))


def _agreed(terms: Terms) -> tuple[object, ...]:
    return terms.colours, terms.stones_on_board, terms.komi, terms.tie
