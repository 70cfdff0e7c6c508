"""What was handed out can be seen and taken back: sessions, invitations, tokens."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING

import pytest

from handan.errors import InputError

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

    from handan.club.store.models import Club, Role

pytestmark = pytest.mark.database

NUMBERS = count(1)
PHRASE = "a long enough phrase"


def member(club: Club, role: Role) -> User:
    from handan.club.store.members import new_account, set_member

    user = new_account(f"session-{next(NUMBERS)}", PHRASE)
    set_member(club, user, role, author="x")
    return user


def signed_in(user: User) -> Client:
    from django.test import Client

    client = Client(REMOTE_ADDR=f"198.18.9.{next(NUMBERS)}")
    assert client.post("/sign-in/", {"username": user.get_username(), "password": PHRASE}).status_code == 302
    return client


def test_sessions_are_listed_and_ended_elsewhere(club: Club) -> None:
    from handan.club.store.models import Role

    user = member(club, Role.PLAYER)
    here, elsewhere, other = signed_in(user), signed_in(user), signed_in(member(club, Role.PLAYER))
    page = here.get("/account/").content.decode()
    assert (page.count("<td>this device</td>"), page.count("<td>another device</td>")) == (1, 1)
    assert (
        "Signed out elsewhere: 1 session." in here.post("/account/", {"elsewhere": "1"}, follow=True).content.decode()
    )
    assert elsewhere.get("/account/").status_code == 302
    assert elsewhere.get(f"/{club.slug}/games/new/").status_code == 302
    assert elsewhere.get(f"/api/clubs/{club.slug}/log").status_code == 403
    assert here.get("/account/").status_code == other.get("/account/").status_code == 200
    assert "everywhere else" not in here.get("/account/").content.decode()


def test_signing_out_ends_the_session_and_no_other(club: Club) -> None:
    from handan.club.store.accounts import sign_ins
    from handan.club.store.models import Role

    user = member(club, Role.PLAYER)
    here, elsewhere = signed_in(user), signed_in(user)
    here.post("/sign-out/")
    assert sign_ins(user).count() == 1
    assert elsewhere.get("/account/").status_code == 200


def test_a_session_says_when_it_was_used_last(club: Club) -> None:
    from django.utils import timezone

    from handan.club.store.accounts import sign_ins
    from handan.club.store.models import Role

    user = member(club, Role.PLAYER)
    client = signed_in(user)
    before = timezone.now() - timedelta(hours=3)
    sign_ins(user).update(created=before, last_used=before)
    client.get("/account/")
    row = sign_ins(user).get()
    assert row.created == before
    assert timezone.now() - row.last_used < timedelta(hours=1)


def test_sessions_that_nobody_can_use_are_forgotten(club: Club) -> None:
    from django.utils import timezone

    from handan.club.store.accounts import sign_ins
    from handan.club.store.models import Role

    user = member(club, Role.PLAYER)
    signed_in(user)
    sign_ins(user).update(last_used=timezone.now() - timedelta(days=15))
    signed_in(user)
    assert sign_ins(user).count() == 1


def test_a_session_from_before_sessions_were_numbered_goes_on(club: Club) -> None:
    from handan.club.store.accounts import sign_ins
    from handan.club.store.models import Role

    user = member(club, Role.PLAYER)
    client = signed_in(user)
    session = client.session
    del session["sign_in"]
    session.save()
    sign_ins(user).delete()
    assert client.get("/account/").status_code == 200
    assert sign_ins(user).count() == 1


def link_in(text: str) -> str:
    shown = re.search(r"/join/[\w-]+/", text)
    assert shown
    return shown[0]


def test_open_invitations_are_listed_and_taken_back(club: Club) -> None:
    from django.test import Client

    from handan.club.store.models import Invitation, Role

    secretary, administrator = member(club, Role.SECRETARY), member(club, Role.ADMINISTRATOR)
    page = f"/{club.slug}/members/"
    link = link_in(signed_in(secretary).post(page, {"role": "2"}).content.decode())
    shown = " ".join(re.sub(r"<[^>]+>", " ", signed_in(administrator).get(page).content.decode()).split())
    assert re.search(rf"Open invitations .* result keeper {secretary.get_username()} \d{{4}}-", shown)
    invitation = Invitation.objects.get(club=club)
    assert Client().get(link).status_code == 200
    for role in (Role.VISITOR, Role.PLAYER, Role.KEEPER):
        assert signed_in(member(club, role)).post(page, {"take-back": invitation.pk}).status_code == 403
    assert Client().post(page, {"take-back": invitation.pk}).status_code == 403
    assert Invitation.objects.filter(pk=invitation.pk).exists()
    answer = signed_in(secretary).post(page, {"take-back": invitation.pk}, follow=True).content.decode()
    assert "is taken back" in answer
    assert "Open invitations" not in answer
    assert Client().get(link).status_code == 400


def test_nobody_takes_back_what_they_could_not_give(club: Club) -> None:
    from handan.club.store.access import Actor
    from handan.club.store.members import invite
    from handan.club.store.models import Invitation, Role

    invite(Actor(club, Role.ADMINISTRATOR), Role.ADMINISTRATOR)
    invitation = Invitation.objects.get(club=club)
    client, page = signed_in(member(club, Role.SECRETARY)), f"/{club.slug}/members/"
    assert "Take back the" not in client.get(page).content.decode()
    assert client.post(page, {"take-back": invitation.pk}).status_code == 403
    assert client.delete(f"/api/clubs/{club.slug}/invitations/{invitation.pk}").status_code == 403
    assert client.post(page, {"take-back": "9" * 5000}).status_code == 400
    administrator = signed_in(member(club, Role.ADMINISTRATOR))
    (listed,) = administrator.get(f"/api/clubs/{club.slug}/invitations").json()
    assert (listed["role"], listed["by"]) == ("administrator", "")
    path = f"/api/clubs/{club.slug}/invitations/{listed['number']}"
    assert [administrator.delete(path).status_code for _ in range(2)] == [200, 404]


def test_an_invitation_of_another_club_is_left_alone(club: Club, make_club: object) -> None:
    from handan.club.store.access import Actor
    from handan.club.store.members import invite
    from handan.club.store.models import Invitation, Role

    assert callable(make_club)
    other = make_club()
    invite(Actor(other, Role.ADMINISTRATOR), Role.PLAYER)
    number = Invitation.objects.get(club=other).pk
    assert (
        signed_in(member(club, Role.ADMINISTRATOR)).post(f"/{club.slug}/members/", {"take-back": number}).status_code
        == 400
    )
    assert Invitation.objects.filter(pk=number).exists()


def test_neither_invitations_nor_tokens_are_without_end(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    from handan.club.store import members
    from handan.club.store.access import Actor
    from handan.club.store.models import Role, Scope

    monkeypatch.setattr(members, "MOST_INVITATIONS", 2)
    monkeypatch.setattr(members, "MOST_TOKENS", 2)
    user = member(club, Role.ADMINISTRATOR)
    for _ in range(2):
        members.invite(Actor(club, Role.ADMINISTRATOR), Role.PLAYER)
        members.new_token(user, "x", Scope.READ)
    with pytest.raises(InputError, match="2 invitations are open already"):
        members.invite(Actor(club, Role.ADMINISTRATOR), Role.PLAYER)
    with pytest.raises(InputError, match="2 tokens are there already"):
        members.new_token(user, "x", Scope.READ)


@pytest.mark.parametrize(("scope", "status"), [("READ", 403), ("WRITE", 200), ("ADMINISTER", 200)])
def test_a_token_that_reads_sees_what_a_player_sees(club: Club, scope: str, status: int) -> None:
    from django.test import Client

    from handan.club.store.members import new_token
    from handan.club.store.models import Role, Scope

    headers = {"Authorization": f"Bearer {new_token(member(club, Role.ADMINISTRATOR), 'x', Scope[scope])}"}
    home = f"/api/clubs/{club.slug}"
    assert Client().get(f"{home}/log", headers=headers).status_code == 200
    for path in ("members", "ledger", "invitations"):
        assert Client().get(f"{home}/{path}", headers=headers).status_code == status


@pytest.mark.parametrize("path", ["", "/ladder", "/log"])  # of all, and of members
def test_when_a_token_was_last_used_is_known_of_calls_that_only_read(club: Club, path: str) -> None:
    from django.test import Client

    from handan.club.store.members import new_token
    from handan.club.store.models import AccessToken, Role, Scope

    user = member(club, Role.ADMINISTRATOR)
    headers = {"Authorization": f"Bearer {new_token(user, 'x', Scope.READ)}"}
    assert AccessToken.objects.get(user=user).last_used is None
    assert Client().get(f"/api/clubs/{club.slug}{path}", headers=headers).status_code == 200
    assert AccessToken.objects.get(user=user).last_used is not None
