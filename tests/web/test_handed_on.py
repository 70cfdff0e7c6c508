"""Nobody becomes a member without their own yes, and what was handed on ends with the right that gave it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING

import pytest

from tests.web.test_passwords import client_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from handan.club.store.models import Club, Role

NUMBERS = count(1)
PASSWORD = "a long enough phrase"


def account(club: Club | None = None, role: Role | None = None) -> User:
    from handan.club.store.members import new_account, set_member

    user = new_account(f"handed-{next(NUMBERS)}", PASSWORD)
    if club is not None and role is not None:
        set_member(club, user, role, author="x")
    return user


def call(by: User, club: Club, account: str, role: str | None) -> tuple[int, str]:
    """Return status and body of the call that gives a role."""
    body = json.dumps({"role": role})
    path = f"/api/clubs/{club.slug}/members/{account}"
    answer = client_of(by).put(path, body, content_type="application/json")
    return answer.status_code, answer.content.decode()


def invitation(by: User, club: Club, role: Role) -> str:
    page = client_of(by).post(f"/{club.slug}/members/", {"role": str(int(role))}).content.decode()
    link = re.search(r"/join/[\w-]+/", page)
    assert link, page
    return link[0]


def password_link(by: User, club: Club, user: User) -> str:
    page = client_of(by).post(f"/{club.slug}/members/", {"forgot": user.get_username()}).content.decode()
    link = re.search(r"/reset/[\w-]+/", page)
    assert link, page
    return link[0]


@pytest.mark.parametrize("way", ["page", "call"])
def test_nobody_is_made_a_member_by_others(way: str, club: Club, make_club: Callable[..., Club]) -> None:
    """Neither an account of no club nor one of another club; and it is not said which accounts there are."""
    from handan.club.store.models import Entry, Membership, Role

    strangers = [account(), account(make_club(), Role.ADMINISTRATOR)]
    for role in (Role.SECRETARY, Role.OFFICER, Role.ADMINISTRATOR):
        by = account(club, role)
        entries = Entry.objects.filter(club=club).count()
        answers = set()
        for name in [*(user.get_username() for user in strangers), "nobody-at-all"]:
            if way == "call":
                status, words = call(by, club, name, "player")
            else:
                page = client_of(by).post(f"/{club.slug}/members/", {"account": name, "role": "1"})
                status, words = page.status_code, page.content.decode()
            answers.add((status, re.sub(r'nonce="[^"]*"|value="[^"]*"|[0-9a-f]{32}', "", words).replace(name, "NAME")))
        assert len(answers) == 1, answers
        assert answers.pop()[0] == 404
        assert Entry.objects.filter(club=club).count() == entries
        assert not Membership.objects.filter(club=club, user__in=strangers).exists()


def test_who_accepts_an_invitation_is_a_member_whose_role_can_be_changed(club: Club) -> None:
    from handan.club.store.models import Membership, Role

    boss, user = account(club, Role.ADMINISTRATOR), account()
    assert client_of(user).post(invitation(boss, club, Role.PLAYER)).status_code == 302
    assert call(boss, club, user.get_username(), "keeper")[0] == 200
    assert Membership.objects.get(club=club, user=user).role == Role.KEEPER
    assert call(boss, club, user.get_username(), None)[0] == 200
    assert call(boss, club, user.get_username(), "player")[0] == 404  # gone; comes back by another invitation


def test_no_secretary_gets_into_the_account_of_a_member(club: Club) -> None:
    from handan.club.store.models import PasswordLink, Role

    by, user = account(club, Role.SECRETARY), account(club, Role.PLAYER)
    page = client_of(by).get(f"/{club.slug}/members/").content.decode()
    assert 'name="forgot"' not in page
    answer = client_of(by).post(f"/{club.slug}/members/", {"forgot": user.get_username()})
    assert answer.status_code == 403
    assert not PasswordLink.objects.filter(user=user).exists()


@pytest.mark.parametrize("way", ["page", "call"])
@pytest.mark.parametrize("new", ["PLAYER", None])
def test_who_is_dismissed_does_not_come_back_by_a_link_of_their_own(way: str, new: str | None, club: Club) -> None:
    from django.test import Client

    from handan.club.store.models import Entry, Membership, Role

    boss, fallen, member = (
        account(club, Role.ADMINISTRATOR),
        account(club, Role.ADMINISTRATOR),
        account(club, Role.PLAYER),
    )
    friend = account()
    links = [invitation(fallen, club, role) for role in (Role.PLAYER, Role.ADMINISTRATOR)]
    reset = password_link(fallen, club, member)
    kept = invitation(boss, club, Role.SECRETARY)
    assert Client().get(reset).status_code == 200
    name = fallen.get_username()
    if way == "call":
        status, words = call(boss, club, name, new and new.lower())
        assert (status, json.loads(words)["ended"]) == (200, 3)
    else:
        form = {"account": name, "role": str(int(Role[new])) if new else "0"}
        page = client_of(boss).post(f"/{club.slug}/members/", form, follow=True).content.decode()
        assert "3 invitations and links to a new password that this account had made have ended" in page
    assert Entry.objects.filter(club=club).order_by("number").last().record.facts["ended"] == 3  # type: ignore[union-attr]
    for link in links:
        assert client_of(fallen).post(link).status_code >= 400
        assert client_of(friend).post(link).status_code >= 400
    assert not Membership.objects.filter(club=club, user=friend).exists()
    assert Client().get(reset).status_code == 404
    form = {"new_password1": "another long phrase", "new_password2": "another long phrase"}
    assert Client().post(reset, form).status_code == 404
    assert client_of(friend).post(kept).status_code == 302  # what others gave holds


def test_a_lower_role_ends_only_what_it_cannot_give(club: Club) -> None:
    from handan.club.store.models import Role

    boss, fallen = account(club, Role.ADMINISTRATOR), account(club, Role.ADMINISTRATOR)
    low, high = invitation(fallen, club, Role.KEEPER), invitation(fallen, club, Role.ADMINISTRATOR)
    assert json.loads(call(boss, club, fallen.get_username(), "secretary")[1])["ended"] == 1
    assert client_of(account()).post(low).status_code == 302
    assert client_of(account()).post(high).status_code >= 400


@pytest.mark.parametrize("way", ["page", "call", "invitation"])
def test_the_only_administrator_stays_one_until_there_is_another(way: str, club: Club) -> None:
    from handan.club.store.models import Membership, Role

    boss = account(club, Role.ADMINISTRATOR)

    def lowered() -> str:
        if way == "call":
            return call(boss, club, boss.get_username(), "player")[1]
        form = {"account": boss.get_username(), "role": str(int(Role.PLAYER))}
        return client_of(boss).post(f"/{club.slug}/members/", form, follow=True).content.decode()

    if way == "invitation":  # never lowers a role
        client_of(boss).post(invitation(boss, club, Role.PLAYER))
    else:
        assert "would have no administrator; make somebody else one first" in lowered()
    assert Membership.objects.get(club=club, user=boss).role == Role.ADMINISTRATOR
    account(club, Role.ADMINISTRATOR)
    if way != "invitation":
        lowered()
        assert Membership.objects.get(club=club, user=boss).role == Role.PLAYER


def test_links_of_an_officer_end_with_the_office_in_the_federation(make_club: Callable[..., Club]) -> None:
    from handan.club.store.models import Club, Role

    above, below = make_club(), make_club()
    Club.objects.filter(pk=below.pk).update(federation=above)
    boss, officer = account(above, Role.ADMINISTRATOR), account(above, Role.OFFICER)
    link = invitation(officer, below, Role.SECRETARY)
    assert json.loads(call(boss, above, officer.get_username(), "keeper")[1])["ended"] == 1
    assert client_of(officer).post(link).status_code >= 400


def test_a_link_asks_for_the_right_of_its_giver_when_it_is_used(club: Club) -> None:
    """Also where the right fell in a way that walked no links, as by an older version or in the tables themselves."""
    from django.test import Client

    from handan.club.store.models import Membership, Role

    giver, member = account(club, Role.ADMINISTRATOR), account(club, Role.PLAYER)
    link, reset = invitation(giver, club, Role.SECRETARY), password_link(giver, club, member)
    Membership.objects.filter(club=club, user=giver).update(role=Role.PLAYER)
    assert client_of(account()).post(link).status_code >= 400
    assert Client().get(reset).status_code == 404
    Membership.objects.filter(club=club, user=giver).update(role=Role.ADMINISTRATOR)
    assert Client().get(reset).status_code == 200
    giver.is_active = False
    giver.save()
    assert client_of(account()).post(link).status_code >= 400
    assert Client().get(reset).status_code == 404


def test_links_of_a_forgotten_member_are_not_taken_for_those_of_the_server(club: Club) -> None:
    from handan.club import changes
    from handan.club.store.members import set_member
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    boss, giver = account(club, Role.ADMINISTRATOR), account()
    name = f"Giver {next(NUMBERS)}"
    key = write(club, lambda state: changes.players.register_player(state, {"name": name}), author="x")[0].subject
    set_member(club, giver, Role.SECRETARY, key, author="x")
    link = invitation(giver, club, Role.SECRETARY)
    assert client_of(boss).post(f"/api/clubs/{club.slug}/players/{key}/forget").status_code == 200
    assert client_of(account()).post(link).status_code >= 400
