"""Players: registering, changing, merging and splitting them, and ranks set by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import attrgetter
from typing import Any

from handan.club import changes
from handan.club.changes.club_facts import checked_year
from handan.club.entries import Draft
from handan.club.kinds import Kind
from handan.club.member_list import ListedMember, member_drafts
from handan.club.names import person_of
from handan.club.service.operation import PLAYER_CHANGED, needs, refuse_overtaken
from handan.club.state import State
from handan.club.store.access import Actor
from handan.club.store.clock import now, today
from handan.club.store.members import refuse_own_account
from handan.club.store.models import Club, Entry, Role
from handan.club.store.register import Registered, enter_in_register
from handan.club.store.states import state_of
from handan.club.store.writing import Make
from handan.ledger import Player
from handan.ledger.dates import read_day
from handan.ledger.similar_names import Candidate, candidates


@needs(Role.SECRETARY)
def register_player(_: Actor, fields: Mapping[str, Any], entry: Mapping[str, str] | None = None) -> Make:
    """Register a player, with what they enter with: `rank`, `rating`, and the `date` on which the rating was so."""
    return lambda state: changes.players.register_ranked(state, fields, entry or {}, today())


@needs(Role.KEEPER)
def register_guest(_: Actor, name: str, rank: str) -> Make:
    """Register somebody who came tonight, with a rank: whoever keeps the results need not wait for the secretary."""
    return lambda state: changes.players.register_ranked(state, {"name": name}, {"rank": rank}, today())


@needs(Role.SECRETARY, ahead=True)
def register_members(_: Actor, members: Sequence[ListedMember], as_of: str = "") -> Make:
    """Register the members of a list, each with rank and points on entry; FieldError for one who cannot be.

    `as_of` is the day before whose games the points were so; empty: before all games.
    """
    return lambda state: member_drafts(state, members, now(), today(), as_of)


def enter_memberships(by: Actor, members: Iterable[ListedMember], entries: Iterable[Entry]) -> None:
    """Enter until when the members of a list have paid, and, where the club has categories by age, when they were born.

    `entries` are those by which `register_members` has registered them.
    """
    keys = [entry.subject for entry in entries if entry.kind == Kind.PLAYER_REGISTERED]
    register = {}
    for key, member in zip(keys, members, strict=True):
        paid = read_day("paid-until", member.paid_until) if member.paid_until else None
        born = checked_year(member.born) if by.club.categories else None
        if paid or born:
            register[key] = Registered(paid_until=paid, born=born)
    if register:
        enter_in_register(by, register)


@needs(Role.SECRETARY)
def change_player(
    _: Actor, key: str, fields: Mapping[str, Any], reason: str = "", seen: int | None = None
) -> Make:  # fmt: skip
    """Change what is known of a player; fields that are not given stay.

    InputError if an entry about the player followed the one that was `seen`.
    """

    def make(state: State) -> Draft:
        refuse_overtaken(PLAYER_CHANGED, key, seen, person_of(state, key).entry)
        return changes.players.change_player(state, key, fields, reason, today())

    return make


@needs(Role.SECRETARY)
def merge_players(by: Actor, key: str, into: str, reason: str = "") -> Make:
    """Say that a player is another one; the games of both count for the other."""
    person_of(state_of(by.club), key)
    return lambda state: changes.players.merge_players(state, key, into, reason)


@needs(Role.SECRETARY)
def split_players(by: Actor, key: str, reason: str = "", apart: str = "") -> Make:
    """Undo a merger, or say that a player and another, `apart`, are two people, who are not proposed again."""
    for each in filter(None, (key, apart)):
        person_of(state_of(by.club), each)
    return lambda state: changes.players.split_players(state, key, reason, apart)


def who_may_be_one(club: Club, state: State) -> Iterator[Candidate]:
    """Give the pairs of players who may be one person, the likest first; games are read of one likeness at a time."""
    apart, likeness = told_apart(club, state), attrgetter("likeness")
    for _, alike in groupby(sorted(state.like_names, key=likeness, reverse=True), likeness):
        pairs = [*alike]
        labels = dict.fromkeys(chain(*(pair[:2] for pair in pairs)))
        people = [(label, state.people[state.keys[label]]) for label in labels]
        also = [Player(label, next(iter(person.ids), ""), person.country, person.club) for label, person in people]
        games = state.recorded.of([key for _, person in people for key in state.names_of(person.key)])
        yield from candidates(state.ledger_of(games, state.valid_adjustments), apart=apart, also=also, pairs=pairs)


def told_apart(club: Club, state: State) -> list[tuple[str, str]]:
    """Return the pairs of players, by the names that a list shows, of whom somebody said that they are two people."""
    pairs: dict[tuple[str, str], bool] = {}
    for entry in Entry.objects.filter(club=club, kind=Kind.PLAYER_SPLIT).order_by("number"):
        if "apart" in (facts := entry.record.facts):
            pairs[entry.subject, facts["apart"]] = not facts.get("taken_back")
    finals = [tuple(map(state.final, pair)) for pair, apart in pairs.items() if apart]
    return [(state.labels[one], state.labels[other]) for one, other in finals if {one, other} <= state.active.keys()]


@needs(Role.SECRETARY)
def withdraw_player(by: Actor, key: str, reason: str = "") -> Make:
    """Take out a player who was entered by mistake; InputError for one with games, or with an account."""

    def make(state: State) -> Draft:
        person_of(state, key)
        refuse_own_account(by.club.slug, key)
        return changes.players.withdraw_player(state, key, reason)

    return make


@needs(Role.SECRETARY)
def restore_player(by: Actor, key: str, reason: str = "") -> Make:
    """Bring back a player who was taken out."""
    person_of(state_of(by.club), key)
    return lambda state: changes.players.restore_player(state, key, reason)


@needs(Role.SECRETARY)
def adjust_player(by: Actor, key: str, fields: Mapping[str, Any], reason: str = "") -> Make:
    """Set a rank or rating by hand."""
    person_of(state_of(by.club), key)
    return lambda state: changes.players.adjust(state, key, fields, today(), reason)


@needs(Role.SECRETARY)
def withdraw_adjustment(_: Actor, key: str, reason: str = "") -> Make:
    """Take an adjustment back."""
    return lambda state: changes.players.withdraw_adjustment(state, key, reason)
