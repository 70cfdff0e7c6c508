"""Who may do what: roles of members, invitations, tokens for programs, and what ends with the right that gave it."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from handan.club.changes.players import refuse_withdrawn
from handan.club.entries import Draft
from handan.club.kinds import Kind
from handan.club.names import NotInClubError
from handan.club.state import State
from handan.club.store.access import Actor, actor, actors, person_key
from handan.club.store.database import without_waiting
from handan.club.store.idempotency import NOTHING, Sending, derived_secret, once, secret_once
from handan.club.store.models import (
    AccessToken,
    Club,
    Invitation,
    Membership,
    PasswordLink,
    Role,
    Scope,
)
from handan.club.store.writing import write
from handan.errors import Clause, FieldError, InputError

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LASTS = timedelta(days=14)  # our choice: how long an invitation can be used
MOST_INVITATIONS = 200  # our choice: of a club that can be used at the same time
MOST_TOKENS = 50  # our choice: of an account
MOMENTS = ("created", "expires")
"""Of an invitation; answers that are kept have them as texts."""


class RoleGiven(NamedTuple):
    """A role that somebody was given."""

    membership: Membership
    ended: int
    """Links that the account handed on and may give no longer: invitations, and links to a new password."""


def invite(by: Actor, role: Role, player: str = "", sending: Sending = NOTHING) -> str:
    """Return the secret of a link by which one person gets a role; nobody gives more than they have.

    What is sent again returns the same secret.
    """
    by.need(max(Role.SECRETARY, role))

    def make(secret: str) -> None:
        _refuse_too_many(open_invitations(by.club).count() + 1)
        _invitation(by, role, player, secret).save()

    return secret_once(by.club, by.user, sending, make)


def invite_players(by: Actor, keys: Sequence[str], sending: Sending = NOTHING) -> dict[str, str]:
    """Return the secrets of links by which each of some players becomes a member as a player, by their keys.

    Links that were made for them before and that nobody has used end. What is sent again returns the same secrets.
    """
    by.need(Role.SECRETARY)

    def secrets_of(base: str) -> dict[str, str]:
        return {key: derived_secret("invitation", f"{base} {key}") for key in keys}

    def make(base: str) -> None:
        others = open_invitations(by.club)
        others.filter(player__in=keys, role=Role.PLAYER).delete()
        _refuse_too_many(others.count() + len(keys))
        made = secrets_of(base).items()
        Invitation.objects.bulk_create(_invitation(by, Role.PLAYER, key, secret) for key, secret in made)

    return secrets_of(secret_once(by.club, by.user, sending, make))


def _refuse_too_many(number: int) -> None:
    """Raise InputError for more open invitations than a club may have."""
    if number > MOST_INVITATIONS:
        pattern = "{most} invitations are open already; take some back first"
        raise InputError(Clause.of(pattern, most=MOST_INVITATIONS))


def _invitation(by: Actor, role: Role, player: str, secret: str) -> Invitation:
    expires = timezone.now() + LASTS
    return Invitation(club=by.club, role=role, player=player, by=by.user, secret=digest(secret), expires=expires)


def open_invitations(club: Club) -> QuerySet[Invitation]:
    """Return the invitations to a club that can still be used, latest first."""
    usable = Invitation.objects.filter(club=club, used=None, expires__gt=timezone.now())
    return usable.select_related("by").order_by("-created", "-pk")


def take_back(by: Actor, number: int, sending: Sending = NOTHING) -> Invitation:
    """End an open invitation, for a role that who asks could give; InputError if there is none of that number.

    What is sent again returns the invitation that was ended.
    """
    by.need(Role.SECRETARY)

    def end() -> dict[str, Any]:
        invitation = open_invitations(by.club).filter(pk=number).first()
        if invitation is None:
            pattern = "no invitation {number} is open in {club}"
            raise NotInClubError(Clause.of(pattern, number=number, club=by.club.name))
        by.need(Role(invitation.role))
        facts = {name: getattr(invitation, name) for name in ("pk", "role", "player", "by_id")}
        invitation.delete()
        return {**facts, **{name: getattr(invitation, name).isoformat() for name in MOMENTS}}

    facts = once(by.club, by.user, sending, end)
    return Invitation(club=by.club, **facts | {name: datetime.fromisoformat(facts[name]) for name in MOMENTS})


def open_invitation(secret: str) -> Invitation:
    """Return the invitation of a link; InputError if there is none, it was used, is too old, or lost its giver."""
    invitation = Invitation.objects.filter(secret=digest(secret)).select_related("by").first()
    if invitation is None or invitation.used or invitation.expires < timezone.now() or not _may_give(invitation):
        raise InputError("this invitation was used, is too old, or never was; ask the club's secretary for another")
    return invitation


def _may_give(invitation: Invitation) -> bool:
    """Whether who made an invitation may give its role still; the server's own commands may always."""
    giver = invitation.by
    if giver is None:
        return True
    return giver.is_active and actor(invitation.club, giver).may(max(Role.SECRETARY, Role(invitation.role)))


def reaches_account(by: Actor, user: User) -> bool:
    """Whether the right of a secretary reaches what an account may do in every club."""
    if user.is_superuser and not getattr(by.user, "is_superuser", False):
        return False
    return all(_reaches(by, item) for item in Membership.objects.filter(user=user).select_related("club"))


def _reaches(by: Actor, membership: Membership) -> bool:
    """Whether somebody is a secretary, and stands no lower than a member, in the member's club."""
    there = by if membership.club_id == by.club.pk else actor(membership.club, by.user)
    return there.may(max(Role.SECRETARY, Role(membership.role)))


def may_renew(giver: User, user: User) -> bool:
    """Whether somebody may hand an account's owner a link to a new password.

    That is an administrator of a club whose member the owner became by their own yes, and whose right reaches what
    the account may do in every other club: whoever has the link has the whole account.
    """
    if not giver.is_active:
        return False
    clubs = actors((item.club for item in Membership.objects.filter(user=user).select_related("club")), giver)
    return any(by.may(Role.ADMINISTRATOR) and reaches_account(by, user) for by in clubs)


def end_links_of(giver: User, *, every: bool = False) -> int:
    """End the invitations and password links that an account made and may no longer give; return how many.

    With `every` all of them end. Tokens and keys need no such end: they act by the role that
    their owner has when they are used.
    """
    invitations = Invitation.objects.filter(by=giver, used=None, expires__gt=timezone.now()).select_related("club")
    links = PasswordLink.objects.filter(by=giver, used=None, expires__gt=timezone.now()).select_related("user")
    gone = [item.pk for item in invitations if every or not _may_give(item)]
    dead = [item.pk for item in links if every or not may_renew(giver, item.user)]
    Invitation.objects.filter(pk__in=gone).delete()
    PasswordLink.objects.filter(pk__in=dead).update(expires=timezone.now())
    return len(gone) + len(dead)


def accept(secret: str, user: User) -> Membership:
    """Make a user the member that an invitation says, and use the invitation up.

    Who is a member already keeps a higher role, and the player that an invitation without one does not name.
    """
    with transaction.atomic():
        invitation = Invitation.objects.select_for_update().get(pk=open_invitation(secret).pk)
        if invitation.used:
            raise InputError("this invitation was used; ask the club's secretary for another")
        invitation.used = timezone.now()
        invitation.save(update_fields=["used"])
        membership = Membership.objects.filter(club=invitation.club, user=user).first()
        role, player = Role(invitation.role), invitation.player
        if membership:
            role, player = max(role, Role(membership.role)), player or membership.player
        return set_member(invitation.club, user, role, player, author=user.get_username())


def new_account(name: str, password: str) -> User:
    """Make an account; FieldError if the name is taken or more than one word, or the password is too weak."""
    model = get_user_model()
    user = model(username=model.normalize_username(name.strip()))
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as error:
        taken = any(each.code == "unique" for each in error.error_dict["username"])
        expected = "a name that nobody has" if taken else "one word of at most 150 letters, digits and . + - _ @"
        raise FieldError("username", name, expected) from None
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise InputError(" ".join(error.messages)) from None
    user.set_password(password)
    user.save()
    return user


def account_named(name: str) -> User | None:
    """Return the account of a name, None if there is none."""
    return get_user_model().objects.filter(username=name.replace("\x00", "?")).first()  # no name holds either


def set_role(by: Actor, user: User, role: Role, player: str = "", sending: Sending = NOTHING) -> RoleGiven:
    """Give a member another role; nobody gives more than they have, nor changes who stands above them.

    NotInClubError for an account that is no member: nobody becomes one but by an invitation that they accept.
    """

    def need() -> None:
        membership = Membership.objects.filter(club=by.club, user=user).first()
        if membership is None:
            raise no_member(by, user.get_username())
        by.need(max(Role.SECRETARY, role, Role(membership.role)))

    by.need(Role.SECRETARY)
    return _give(by.club, user, role, player, author=by.name, by=by.user, need=need, sending=sending)


def no_member(by: Actor, name: str) -> NotInClubError:
    """Return what is said of an account that is no member of a club, and of one that is not here at all."""
    pattern = "{name} is no member of {club}; whom you invite becomes one by accepting"
    return NotInClubError(Clause.of(pattern, name=name, club=by.club.name))


def set_member(
    club: Club, user: User, role: Role, player: str = "", *, author: str, by: User | None = None
) -> Membership:  # fmt: skip
    """Make a user a member with a role, as they said yes to, and write it into the log.

    The role of a visitor ends a membership. FieldError for a player who has another account in the club already:
    nobody confirms their own word.
    """
    return _give(club, user, role, player, author=author, by=by).membership


def _give(
    club: Club, user: User, role: Role, player: str, *, author: str, by: User | None,
    need: Callable[[], None] = lambda: None, sending: Sending = NOTHING,
) -> RoleGiven:  # fmt: skip
    """Give a user a role, end the links that they may give no longer, and write both into the log.

    What `need` refuses is refused while nobody else can write. What is sent again changes nothing.
    """

    def member_set(state: State) -> Draft:
        need()
        if role is not Role.ADMINISTRATOR:
            refuse_last_administrators(club, [user])
        if role is Role.VISITOR:
            Membership.objects.filter(club=club, user=user).delete()
        else:
            if player:
                _refuse_taken(state, club, user, player)
            Membership.objects.update_or_create(club=club, user=user, defaults={"role": role, "player": player})
        ended = end_links_of(user)
        facts = {"account": user.get_username(), "role": role.label, "player": player}
        return Draft(Kind.MEMBER_SET, facts | ({"ended": ended} if ended else {}))

    with transaction.atomic():
        entry = write(club, member_set, author=author, user=by or user, sending=sending)[0]
        membership = Membership.objects.filter(club=club, user=user).first()
    return RoleGiven(membership or Membership(club=club, user=user, role=role), int(entry.facts.get("ended", 0)))


def refuse_last_administrators(club: Club, leaving: Collection[User]) -> None:
    """Raise InputError where a club that has administrators would have none: nobody could give the role again."""
    administrators = Membership.objects.filter(club=club, role=Role.ADMINISTRATOR)
    if administrators.exists() and not administrators.exclude(user__in=leaving).exists():
        raise InputError(Clause.of("{club} would have no administrator; make somebody else one first", club=club.name))


def _refuse_taken(state: State, club: Club, user: User, player: str) -> None:
    """Refuse a player who is somebody else's already, or was entered by mistake."""
    person = state.person(player)
    refuse_withdrawn(state, person)
    for other in Membership.objects.filter(club=club).exclude(user=user).exclude(player="").select_related("user"):
        if person_key(state, other.player) == person.key:
            expected = Clause.of("free: {name} has an account already", name=other.user.get_username())
            raise FieldError("player", state.labels[person.key], expected)


def refuse_own_account(slug: str, player: str) -> None:
    """Raise InputError if a player of a club has an account there, or an open invitation to one."""
    owner = Membership.objects.filter(club__slug=slug, player=player).select_related("user").first()
    if owner is not None:
        name = owner.user.get_username()
        raise InputError(Clause.of("{name} has an account as this player; end that first", name=name))
    if open_invitations(Club.objects.get(slug=slug)).filter(player=player).exists():
        raise InputError("somebody is invited as this player; take the invitation back first")


def new_token(user: User, name: str, scope: Scope, form: str = "") -> str:
    """Return the secret of a new token; it cannot be read again, but by the same form sent again."""
    made = derived_secret("token", f"{user.pk} {scope} {form} {name}") if form else secrets.token_urlsafe(32)
    secret = f"handan_{made}"
    if AccessToken.objects.filter(user=user, secret=digest(secret)).exists():
        return secret
    if AccessToken.objects.filter(user=user).count() >= MOST_TOKENS:
        raise InputError(Clause.of("{most} tokens are there already; revoke some first", most=MOST_TOKENS))
    AccessToken.objects.create(user=user, name=name, scope=scope, secret=digest(secret))
    return secret


def token_of(secret: str) -> AccessToken | None:
    """Return the token of a secret, None if there is none or its time is over."""
    token = AccessToken.objects.select_related("user").filter(secret=digest(secret)).first()
    now = timezone.now()
    if token is None or not token.user.is_active or (token.expires and token.expires < now):
        return None
    if token.last_used is None or now - token.last_used > timedelta(minutes=1):
        with suppress(DatabaseError), without_waiting():  # who only reads is stopped by no lock and no full disk
            AccessToken.objects.filter(pk=token.pk).update(last_used=now)
    return token


def digest(secret: str) -> str:
    """Return what is stored of a secret; it is random and long, so that a plain hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()
