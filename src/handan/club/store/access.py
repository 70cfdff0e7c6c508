"""Who somebody is in a club and in its entries, what visitors see of it, and cards that open by the code on them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Container, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.core.signing import Signer
from django.db.models import Q
from django.utils.crypto import constant_time_compare

from handan.club.changes.texts import visible_text
from handan.club.entries import FORMER, HIDDEN, OF_PARTICIPANTS, Record
from handan.club.events import ClubEvent, Events
from handan.club.kinds import OF_EVENTS
from handan.club.mentions import Mentions, all_names
from handan.club.names import person_of
from handan.club.people import Person
from handan.club.recorded import ShownGames
from handan.club.state import ClubAdjustment, State
from handan.club.store.models import CardKey, Club, Entry, Membership, Openness, Role, Scope, Shown
from handan.club.store.states import state_of
from handan.errors import Clause, FieldError, HandanError, InputError
from handan.ledger.name_folding import folded

if TYPE_CHECKING:
    from django.contrib.auth.models import User


MOST = {Scope.READ: Role.PLAYER, Scope.WRITE: Role.SECRETARY, Scope.ADMINISTER: Role.ADMINISTRATOR}
"""What the owner of a token is at most while a program acts by it."""


TABLET = "the club's tablet"
"""Author of what is entered there without an account; no account can have this name."""


class NotAllowedError(HandanError):
    """What was asked needs another role; the text says which."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody who looks at a club or writes to it."""

    club: Club
    role: Role
    user: User | None = None
    player: str = ""
    """Key of the player who they are, if they are one."""
    tablet: bool = False
    """Whether it is the club's own tablet, where nobody is signed in."""
    by_code: bool = False
    """Whether they have the code of a card, which opens that card alone, whatever else the club shows visitors."""

    @property
    def name(self) -> str:
        """The name printed in the log."""
        if self.tablet:
            return TABLET
        return self.user.get_username() if self.user else ""

    def may(self, role: Role) -> bool:
        """Whether they have a role or one above it."""
        return self.role >= role

    @property
    def sees_nothing(self) -> bool:
        """Whether the club is closed to them, so that not even its name is told."""
        return self.club.openness == Openness.CLOSED and not self.may(Role.PLAYER) and not self.by_code

    @property
    def club_name(self) -> str:
        """What messages to them call the club."""
        return "this club" if self.sees_nothing else self.club.name

    def need(self, role: Role) -> None:
        """Refuse unless they have a role or one above it."""
        if not self.may(role):
            raise NotAllowedError(
                Clause.of("this needs the role of {role} in {club}", role=Clause.of(role.label), club=self.club_name)
            )


def person_key(state: State, key: str) -> str:
    """Return the key of the one person that a player was found to be; empty for nobody."""
    return state.person(key).key if key and key in state.people else ""


def actor(club: Club, user: User | AnonymousUser | None, scope: Scope | None = None) -> Actor:
    """Return what a user is in a club: by their membership, as an officer of its federation, or a visitor.

    A token's scope bounds the role: reading leaves a player, who writes nothing; writing a secretary at most.
    """
    [one] = actors([club], user, scope)
    return one


def actors(clubs: Iterable[Club], user: User | AnonymousUser | None, scope: Scope | None = None) -> list[Actor]:
    """Return what a user is in each of some clubs, as `actor` says of one; the memberships are read once."""
    if user is None or not user.is_authenticated:
        return [Actor(club, Role.VISITOR) for club in clubs]
    memberships = {item.club_id: item for item in Membership.objects.filter(user=user)}
    return [_member(club, memberships, user, scope) for club in clubs]


def _member(club: Club, memberships: Mapping[int, Membership], user: User, scope: Scope | None) -> Actor:
    role, player = Role.VISITOR, ""
    if own := memberships.get(club.pk):
        role, player = Role(own.role), own.player
    above = memberships.get(club.federation_id) if club.federation_id else None
    if above and above.role >= Role.OFFICER:
        role = max(role, Role(above.role))
    if user.is_superuser:
        role = Role.ADMINISTRATOR
    if scope is not None:
        role = min(role, MOST[scope])
    return Actor(club, role, user, player)


DIGITS = 32  # our choice: of SHA-256, enough that no two accounts anywhere share a key


def account_key(user: User | None) -> str:
    """Return the key of an account: the same after a change of name and in every copy; empty for none."""
    return "" if user is None else _key(user.pk, user.date_joined)


def users_by_key(alias: str = "default") -> dict[str, int]:
    """Return the accounts of a database by their keys."""
    users = get_user_model().objects.using(alias).values_list("pk", "date_joined")
    return {_key(number, joined): number for number, joined in users}


def records_of_accounts(entries: Iterable[Entry], alias: str = "default") -> Generator[Record, None, None]:
    """Go through the records of entries, and check that each is linked to the account that wrote it.

    Entries of digest format 1 do not say which account is theirs. The account may be gone, or of another server.

    Raises:
        InputError: Another account is linked to an entry, or none though its own is there.
    """
    users = users_by_key(alias)
    for entry in entries:
        if entry.format > 1 and entry.user_id != users.get(entry.account):
            link = "no account" if entry.user_id is None else "another account"
            raise InputError(f"entry {entry.number} was changed after it was written: {link} is linked to it")
        yield entry.record


def _key(number: int, joined: datetime) -> str:
    text = f"{number} {joined.astimezone(UTC).isoformat(timespec='microseconds')}"
    return sha256(text.encode()).hexdigest()[:DIGITS]


@dataclass(frozen=True)
class Hidden:
    """Players whom visitors do not see by name, as a state has them."""

    names: Mapping[str, str]
    """What is shown instead, by all their keys."""
    mentions: Mentions

    def name(self, key: str) -> str | None:
        """Return what stands for a player's name in a list, None for who is shown."""
        return HIDDEN if key in self.names else None


def set_shown(club: Club, key: str, name: str | None) -> None:
    """Show a player to visitors under another name, not at all (empty), or by name again (None)."""
    state = state_of(club)
    person = state.person(key)
    if name is None:
        Shown.objects.filter(club=club, player__in=state.names_of(person.key)).delete()
        return
    name = visible_text(name.strip(), "name")
    owners = state.spelt(name)
    if name and (person.key in owners or folded(name) in {FORMER, HIDDEN}):
        raise FieldError("name", name, "another name than the player's own")
    if name and owners:
        raise FieldError("name", name, "a name that is nobody else's here")
    Shown.objects.update_or_create(club=club, player=person.key, defaults={"name": name})


def may_look(actor: Actor, *, ladder: bool) -> bool:
    """Whether somebody may look at a page of a club, which is its ladder or not."""
    return actor.may(Role.PLAYER) or actor.club.openness >= (Openness.LADDER if ladder else Openness.OPEN)


def hidden(club: Club, state: State) -> Hidden:
    """Return whom visitors of a club do not see by name: also those of a federation's clubs, and all of closed ones."""
    instead: dict[str, str] = {}
    players: dict[int, list[str]] = {}
    of_clubs = Q(club__federation=club) if state.sources else Q()
    rows = Shown.objects.filter(Q(club=club) | of_clubs).values_list("club", "club__slug", "player", "name")
    for ledger, slug, player, name in sorted(rows, key=lambda row: row[0] != club.pk):
        instead[player if ledger == club.pk else f"{slug}.{player}"] = name or HIDDEN
        players.setdefault(ledger, []).append(player)
    closed = Club.objects.filter(federation=club, openness=Openness.CLOSED) if state.sources else Club.objects.none()
    for slug in closed.values_list("slug", flat=True):
        instead |= {key: HIDDEN for key in state.people if key.startswith(f"{slug}.") and key not in instead}
    if not instead:
        return Hidden({}, Mentions(frozenset(), names=frozenset()))
    state.people.prefetch(instead)
    final = {state.final(key): name for key, name in instead.items() if key in state.people}
    names = {key: name for one, name in final.items() for key in state.names_of(one)}
    people = [state.people[key] for key in names]
    texts = {text for person in people for text in (person.name, person.reading) if text}
    texts |= {text for ledger, own in players.items() for text in _ever_called(ledger, own)}
    members = Membership.objects.filter(club=club, player__in=list(names)).select_related("user")
    texts |= {item.user.get_username() for item in members}
    return Hidden(names, Mentions(frozenset(names), names=frozenset(texts)))


def _ever_called(club: int, players: list[str]) -> set[str]:
    """Return all names and readings under which players of a club were entered."""
    entries = Entry.objects.filter(club=club, subject__in=players)
    return all_names(entry.kept["person"][1] for entry in entries if "person" in entry.kept)


def seen_state(state: State, who: Hidden | None) -> State:
    """Return a state without the names of who is not shown; None: as members see it."""
    if who is None or not who.names:
        return state
    return replace(
        state,
        people=state.people.with_changed(
            {key: Person(key, name) for key, name in who.names.items() if key in state.people}
        ),
        recorded=ShownGames(state.recorded, who.mentions.named_in),
        adjustments=ShownAdjustments(state.adjustments, who),
        events=ShownEvents(state.events, who),
        unnamed=MentioningTexts(who.mentions),  # ratings read events and kinds in the games, where they stay
        view=(*state.view, ("visitors", tuple(sorted(who.names.items())), tuple(sorted(who.mentions.names)))),
    )


@dataclass(frozen=True)
class MentioningTexts(Container[str]):
    """All texts that mention some people."""

    mentions: Mentions

    def __contains__(self, text: object) -> bool:
        """Whether a text mentions them."""
        return self.mentions.named_in(str(text))


class ShownAdjustments(Mapping[str, ClubAdjustment]):
    """Adjustments without the notes that tell of people who are not shown."""

    def __init__(self, below: Mapping[str, ClubAdjustment], who: Hidden) -> None:
        """Take the adjustments, and who is not shown."""
        self._below, self._who = below, who

    def __getitem__(self, key: str) -> ClubAdjustment:
        """Return an adjustment; KeyError for a key that has none."""
        item = self._below[key]
        facts: Mapping[str, Any] = item.facts
        if item.player in self._who.names or self._who.mentions.named_in(str(facts.get("note", ""))):
            facts = {name: value for name, value in facts.items() if name != "note"}
        return replace(item, facts=facts)

    def __iter__(self) -> Iterator[str]:
        """Go through the keys."""
        return iter(self._below)

    def __len__(self) -> int:
        """Number of adjustments."""
        return len(self._below)


class ShownEvents(Events):
    """Events without what tells of people who are not shown; their names are masked where they are written."""

    def __init__(self, below: Events, who: Hidden) -> None:
        """Take the events, and who is not shown."""
        super().__init__(below)
        self._below, self._who = below, who

    def __getitem__(self, key: str) -> ClubEvent:
        """Return an event; KeyError for a key that has none."""
        return self._shown(self._below[key])

    def prefetch(self, names: Iterable[str]) -> None:
        """Fetch the events of some names at once, before each is asked for."""
        self._below.prefetch(names)

    def named(self, name: str) -> list[ClubEvent]:
        """Return the events of a name, those that were withdrawn among them."""
        return [self._shown(event) for event in self._below.named(name)]

    def of(self, players: Collection[str]) -> list[ClubEvent]:
        """Return the events in which somebody takes part who has one of some keys."""
        return [self._shown(event) for event in self._below.of(players)]

    def _shown(self, event: ClubEvent) -> ClubEvent:
        facts = dict(event.facts)
        for name in (*OF_EVENTS, "city", "code"):
            if self._who.mentions.named_in(str(facts.get(name, ""))):
                facts.pop(name, None)
        if "participants" in facts:
            facts["participants"] = [
                {name: value for name, value in row.items() if name not in OF_PARTICIPANTS}
                if row["player"] in self._who.names or self._who.mentions.named_in(str(row.get("club", ""))) else row
                for row in facts["participants"]
            ]  # fmt: skip
        return replace(event, facts=facts)


def open_cards_by_code(by: Actor, *, on: bool) -> None:
    """Let cards open by their codes, or no longer: then all codes end, and later ones are others."""
    by.need(Role.ADMINISTRATOR)
    if on:
        CardKey.objects.get_or_create(club=by.club, defaults={"secret": secrets.token_urlsafe(32)})
    else:
        CardKey.objects.filter(club=by.club).delete()


def renew_code(by: Actor, key: str) -> None:
    """End the code of one player's card, as after a card was lost."""
    by.need(Role.PLAYER)
    row = CardKey.objects.filter(club=by.club).first()
    if row is not None:
        key = person_of(state_of(by.club), key).key
        row.editions = {**row.editions, key: row.editions.get(key, 0) + 1}
        row.save(update_fields=["editions"])


def card_codes(club: Club) -> Callable[[str], str] | None:
    """Return the function from a player's key to the code of the card, None where cards do not open by codes."""
    row = CardKey.objects.filter(club=club).first()
    if row is None:
        return None
    signer = Signer(key=row.secret, salt=f"card {club.pk}")
    return lambda key: signer.signature(f"{key} {row.editions.get(key, 0)}")


def opens(club: Club, key: str, code: str) -> bool:
    """Return whether a code is that of a player's card."""
    codes = card_codes(club)
    return codes is not None and constant_time_compare(codes(key), code)
