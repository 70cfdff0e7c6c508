from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING

import pytest

from handan.errors import FieldError, InputError

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from handan.club.store.models import Club

pytestmark = pytest.mark.database

NUMBERS = count(1)


def account() -> User:
    from handan.club.store.members import new_account

    return new_account(f"member-{next(NUMBERS)}", "a long enough phrase")


def test_a_stranger_is_a_visitor(club: Club) -> None:
    from django.contrib.auth.models import AnonymousUser

    from handan.club.store.access import actor
    from handan.club.store.models import Role

    assert [actor(club, who).role for who in (None, AnonymousUser(), account())] == [Role.VISITOR] * 3


def test_an_old_invitation_is_refused(club: Club) -> None:
    from django.utils import timezone

    from handan.club.store.access import Actor
    from handan.club.store.members import digest, invite, open_invitation
    from handan.club.store.models import Invitation, Role

    secret = invite(Actor(club, Role.ADMINISTRATOR), Role.PLAYER)
    Invitation.objects.filter(secret=digest(secret)).update(expires=timezone.now() - timedelta(seconds=1))
    with pytest.raises(InputError, match="too old"):
        open_invitation(secret)


def test_nobody_gives_more_than_he_has(club: Club) -> None:
    from handan.club.store.access import Actor, NotAllowedError
    from handan.club.store.members import invite
    from handan.club.store.models import Role

    for mine in Role:
        for given in Role:
            if given <= mine and mine >= Role.SECRETARY:
                assert invite(Actor(club, mine), given)
            else:
                with pytest.raises(NotAllowedError):
                    invite(Actor(club, mine), given)


def test_a_member_who_accepts_another_role_stays_the_player_that_they_are(club: Club) -> None:
    from handan.club import changes
    from handan.club.store.access import Actor
    from handan.club.store.members import accept, invite, set_member
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    ada, bo = (
        write(club, lambda s, n=name: changes.players.register_player(s, {"name": n}), author="x")[0].subject  # type: ignore[misc]
        for name in ("Ada", "Bo")
    )
    user, by = account(), Actor(club, Role.ADMINISTRATOR)
    set_member(club, user, Role.PLAYER, ada, author="x")
    memberships = [accept(invite(by, *given), user) for given in ((Role.KEEPER,), (Role.PLAYER,), (Role.PLAYER, bo))]
    assert [(Role(each.role), each.player) for each in memberships] == [
        (Role.KEEPER, ada), (Role.KEEPER, ada), (Role.KEEPER, bo)
    ]  # fmt: skip


def test_players_who_are_one_person_have_one_account(club: Club) -> None:
    from handan.club import changes
    from handan.club.store.members import set_member
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    one, other = (
        write(club, lambda s, n=name: changes.players.register_player(s, {"name": n}), author="x")[0].subject  # type: ignore[misc]
        for name in ("Ada", "Ada L")
    )
    set_member(club, account(), Role.PLAYER, one, author="x")
    write(club, lambda s: changes.players.merge_players(s, one, other), author="x")
    with pytest.raises(FieldError, match="has an account already"):
        set_member(club, account(), Role.PLAYER, other, author="x")


def test_an_officer_of_a_federation_is_one_in_its_clubs_and_nobody_else_is(make_club: Callable[..., Club]) -> None:
    from handan.club.store.access import actor
    from handan.club.store.members import set_member
    from handan.club.store.models import Role

    federation = make_club()
    club = make_club(federation=federation)
    for role in Role:
        user = account()
        set_member(federation, user, role, author="x")
        assert actor(club, user).role is (role if role >= Role.OFFICER else Role.VISITOR)


def test_a_revoked_expired_or_inactive_token_is_none(club: Club) -> None:
    from django.utils import timezone

    from handan.club.store.members import new_token, token_of
    from handan.club.store.models import AccessToken, Scope

    user = account()
    secret = new_token(user, "script", Scope.READ)
    AccessToken.objects.filter(user=user).update(expires=timezone.now())
    assert token_of(secret) is None
    AccessToken.objects.filter(user=user).update(expires=None)
    assert token_of(secret) is not None
    user.is_active = False
    user.save()
    assert token_of(secret) is None


def test_secrets_are_not_stored(club: Club) -> None:
    from handan.club.store.access import Actor
    from handan.club.store.members import invite, new_token
    from handan.club.store.models import AccessToken, Invitation, Role, Scope

    secrets = {invite(Actor(club, Role.ADMINISTRATOR), Role.PLAYER), new_token(account(), "x", Scope.READ)}
    stored = {
        *Invitation.objects.values_list("secret", flat=True),
        *AccessToken.objects.values_list("secret", flat=True),
    }
    assert not secrets & stored


@pytest.mark.parametrize("password", ["short", "12345678901", "password123"])
def test_weak_passwords_are_refused(database: str, password: str) -> None:
    from handan.club.store.members import new_account

    with pytest.raises(InputError):
        new_account(f"member-{next(NUMBERS)}", password)


def test_a_name_is_taken_once(database: str) -> None:
    from handan.club.store.members import new_account

    name = account().username
    with pytest.raises(FieldError, match="a name that nobody has"):
        new_account(name, "a long enough phrase")


def test_roles_are_written_into_the_log(club: Club) -> None:
    from handan.club.store.members import set_member
    from handan.club.store.models import Entry, Role

    user = account()
    set_member(club, user, Role.SECRETARY, author="the administrator")
    entry = Entry.objects.filter(club=club).last()
    assert entry is not None
    assert entry.record.facts == {"account": user.username, "role": "secretary", "player": ""}
