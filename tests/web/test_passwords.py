"""A forgotten password: by a secretary's link or by mail; and what a new password ends."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_pages import MakeClub, signed_in

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

    from handan.club.store.models import Club, Role

pytestmark = pytest.mark.database

NUMBERS = count(1)
OLD, NEW = "a long enough phrase", "another long phrase"
ADDRESSES = count(1)


def member(club: Club, role: Role) -> User:
    from handan.club.store.members import new_account, set_member

    user = new_account(f"forgets-{next(NUMBERS)}", OLD)
    set_member(club, user, role, author="x")
    return user


def client_of(user: User) -> Client:
    from django.test import Client

    client = Client()
    client.force_login(user)
    return client


def signs_in(user: User, password: str) -> bool:
    from django.test import Client

    client = Client(REMOTE_ADDR=f"198.18.0.{next(ADDRESSES)}")
    form = {"username": user.get_username(), "password": password}
    return client.post("/sign-in/", form).status_code == 302


def link_in(text: str) -> str:
    shown = re.search(r"/reset/[\w-]{30,}/", text)
    assert shown, text
    return shown[0]


def handed_link(club: Club, by: User, user: User) -> str:
    answer = client_of(by).post(f"/{club.slug}/members/", {"forgot": user.get_username()})
    assert answer.status_code == 200
    return link_in(answer.content.decode())


def test_by_a_link_of_the_administrator_a_member_sets_a_password_once(club: Club) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    administrator, user = member(club, Role.ADMINISTRATOR), member(club, Role.PLAYER)
    link = handed_link(club, administrator, user)
    page = Client().get(link)
    assert "no-store" in page["Cache-Control"]
    assert "signs the account out everywhere" in page.content.decode()
    weak = Client().post(link, {"new_password1": "short", "new_password2": "short"})
    assert "too short" in weak.content.decode()
    assert signs_in(user, OLD)
    form = {"new_password1": NEW, "new_password2": NEW}
    assert Client().post(link, form)["Location"] == "/sign-in/"
    assert (signs_in(user, OLD), signs_in(user, NEW)) == (False, True)
    assert Client().post(link, {"new_password1": OLD, "new_password2": OLD}).status_code == 404
    user.refresh_from_db()
    assert f"by a link that {administrator.get_username()} made" in client_of(user).get("/account/").content.decode()


def test_a_link_to_a_new_password_ends(club: Club) -> None:
    from django.test import Client
    from django.utils import timezone

    from handan.club.store.models import PasswordLink, Role

    user = member(club, Role.PLAYER)
    link = handed_link(club, member(club, Role.ADMINISTRATOR), user)
    PasswordLink.objects.filter(user=user).update(expires=timezone.now() - timedelta(seconds=1))
    assert Client().get(link).status_code == 404
    for wrong in ("/reset/x/", f"/reset/{'x' * 5000}/", "/reset/%00/"):
        assert Client().get(wrong).status_code == 404


def test_no_link_works_for_an_account_that_is_shut(club: Club) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    user = member(club, Role.PLAYER)
    link = handed_link(club, member(club, Role.ADMINISTRATOR), user)
    user.is_active = False
    user.save()
    assert Client().get(link).status_code == 404


def test_nobody_gets_a_link_to_an_account_that_may_do_more_than_they(
    club: Club, make_club: Callable[..., Club]
) -> None:
    from handan.club.store.members import set_member
    from handan.club.store.models import PasswordLink, Role

    for asker in Role:
        by = member(club, asker)
        beside = [role for role in Role if role is not Role.VISITOR]
        for role in beside if asker >= Role.SECRETARY else beside[:1]:  # who may less may not even open the page
            user = member(club, role)
            answer = client_of(by).post(f"/{club.slug}/members/", {"forgot": user.get_username()})
            allowed = asker is Role.ADMINISTRATOR
            assert answer.status_code == (200 if allowed else 403), f"{asker.label} for a {role.label}"
            assert PasswordLink.objects.filter(user=user).exists() == allowed
    # an account is one in all clubs: who has it has what it may do elsewhere
    other = make_club()
    boss, user, stranger = member(club, Role.ADMINISTRATOR), member(club, Role.PLAYER), member(other, Role.PLAYER)
    set_member(other, user, Role.PLAYER, author="x")
    page = f"/{club.slug}/members/"
    assert client_of(boss).post(page, {"forgot": user.get_username()}).status_code == 403
    set_member(other, boss, Role.SECRETARY, author="x")
    assert client_of(boss).post(page, {"forgot": user.get_username()}).status_code == 200
    assert client_of(boss).post(page, {"forgot": stranger.get_username()}).status_code == 404
    assert client_of(boss).post(page, {"forgot": boss.get_username()}).status_code == 400
    assert client_of(boss).post(page, {"forgot": "nobody\x00"}).status_code == 404
    user.is_superuser = True
    user.save()
    assert client_of(boss).post(page, {"forgot": user.get_username()}).status_code == 403


@pytest.mark.parametrize("way", ["changed", "reset"])
def test_a_new_password_ends_sessions_tokens_and_links(club: Club, way: str) -> None:
    from django.test import Client

    from handan.club.store.access import actor
    from handan.club.store.members import invite, new_token
    from handan.club.store.models import Role, Scope

    user, secretary = member(club, Role.SECRETARY), member(club, Role.ADMINISTRATOR)
    mine, elsewhere = client_of(user), client_of(user)
    headers = {"Authorization": f"Bearer {new_token(user, 'x', Scope.READ)}"}
    path = f"/api/clubs/{club.slug}/log"
    assert Client().get(path, headers=headers).status_code == 200
    link, later = handed_link(club, secretary, user), handed_link(club, secretary, user)
    given = invite(actor(club, user), Role.PLAYER)
    if way == "changed":
        form = {"old_password": OLD, "new_password1": NEW, "new_password2": NEW}
        answer = mine.post("/account/password/", form, follow=True).content.decode()
        assert "signed out everywhere else, tokens are revoked" in answer
    else:
        answer = Client().post(link, {"new_password1": NEW, "new_password2": NEW}, follow=True).content.decode()
    assert "1 invitation or link to a new password that this account had made has ended" in answer
    assert client_of(user).post(f"/join/{given}/").status_code == 400
    assert mine.get("/account/").status_code == (200 if way == "changed" else 302)
    assert elsewhere.get("/account/").status_code == 302
    assert Client().get(path, headers=headers).status_code == 401
    assert Client().get(later).status_code == 404


@pytest.fixture
def mailing(database: str) -> Iterator[list[Any]]:
    """A server that mails; the mails."""
    from django.conf import settings
    from django.core import mail
    from django.test import override_settings

    from handan.club.store.models import ResetRequest

    ResetRequest.objects.all().delete()
    configuration = replace(settings.CONFIGURATION, email="smtp://localhost", hosts=("go.example.org",), https=True)
    backend = "django.core.mail.backends.locmem.EmailBackend"
    mail.outbox = []
    with override_settings(CONFIGURATION=configuration, EMAIL_BACKEND=backend):
        yield mail.outbox


def request_link(email: str, address: str = "", host: str = "testserver") -> tuple[int, str]:
    """Ask for a link by mail; the answer's status and text once the mail is gone."""
    from django.test import Client

    client = Client(REMOTE_ADDR=address or f"198.18.1.{next(ADDRESSES)}")
    answer = client.post("/reset/", {"email": email}, headers={"Host": host}, follow=True)
    for thread in threading.enumerate():
        if thread.name == "mail":
            thread.join()
    return answer.status_code, answer.content.decode()


def with_address(user: User, email: str) -> User:
    answer = client_of(user).post("/account/", {"email": email, "password": OLD})
    assert answer.status_code == 302, answer.content
    user.refresh_from_db()
    return user


def test_a_link_is_mailed_to_the_address_that_a_member_gave(club: Club, mailing: list[Any]) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    user = with_address(member(club, Role.PLAYER), "Forgets@example.org")
    nobody = request_link("nobody@example.org")
    assert mailing == []
    there = request_link("forgets@example.org", host="localhost:4444")
    assert re.sub(r'value="\w{64}"', "", there[1]) == re.sub(r'value="\w{64}"', "", nobody[1])
    (mail,) = mailing
    assert mail.to == ["Forgets@example.org"]
    assert user.get_username() in mail.body
    assert re.findall(r"https?://[^/]*", mail.body) == ["https://go.example.org"]
    assert Client().post(link_in(mail.body), {"new_password1": NEW, "new_password2": NEW}).status_code == 302
    assert signs_in(user, NEW)


def test_the_address_is_changed_with_the_password_only(club: Club, mailing: list[Any]) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    user = with_address(member(club, Role.PLAYER), "old@example.org")
    request_link("old@example.org")
    client = client_of(user)
    for form in ({"email": "x@example.org"}, {"email": "x@example.org", "password": "wrong"},
                 {"email": "no address", "password": OLD},
                 {"email": "a\x00@example.org", "password": OLD}):  # fmt: skip
        assert client.post("/account/", form).status_code == 200
    user.refresh_from_db()
    assert user.email == "old@example.org"
    with_address(user, "")
    assert user.email == ""
    assert Client().get(link_in(mailing[0].body)).status_code == 404  # it went to an address that is no longer theirs


def test_who_guesses_the_password_at_the_address_is_braked(club: Club) -> None:
    from django.test import override_settings

    from handan.club.store.models import Role

    user = member(club, Role.PLAYER)
    client = client_of(user)
    form = {"email": "x@example.org", "password": "wrong"}
    with override_settings(AXES_FAILURE_LIMIT=3):
        statuses = [client.post("/account/", form, REMOTE_ADDR="198.18.2.1").status_code for _ in range(4)]
    assert (statuses[0], statuses[-1]) == (200, 429)


def test_mail_is_braked_by_account_and_by_address(club: Club, mailing: list[Any]) -> None:
    from handan.club.store.accounts import MAILS_AN_HOUR, REQUESTS_AN_HOUR
    from handan.club.store.models import Role

    with_address(member(club, Role.PLAYER), "braked@example.org")
    statuses = {request_link("braked@example.org")[0] for _ in range(MAILS_AN_HOUR + 2)}
    assert statuses == {200}  # nobody is told, since only an account has a number of mails
    assert len(mailing) == MAILS_AN_HOUR
    statuses_of_one = [request_link(f"{n}@example.org", "198.18.3.1")[0] for n in range(REQUESTS_AN_HOUR + 1)]
    assert statuses_of_one == [200] * REQUESTS_AN_HOUR + [429]


def test_a_mail_server_that_fails_fails_no_page(
    club: Club, mailing: list[Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from handan.club.store.models import Role

    def refuse(*_: Any, **__: Any) -> int:
        raise ConnectionRefusedError("failing@example.org")

    with_address(member(club, Role.PLAYER), "failing@example.org")
    monkeypatch.setattr("handan.web.mail.send_mail", refuse)
    assert request_link("failing@example.org")[0] == 200
    assert "failing@example.org" not in caplog.text


def test_a_server_without_mail_says_who_helps(club: Club) -> None:
    from django.test import Client

    page = Client().get("/reset/").content.decode()
    assert "administrator" in page
    assert '<form method="post">' not in page.partition("<main")[2]
    assert request_link("x@example.org")[0] == 200


def test_a_mail_speaks_the_language_of_the_page_that_asks(club: Club, mailing: list[Any]) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    with_address(member(club, Role.PLAYER), "speaks-german@example.org")
    headers = {"Accept-Language": "de"}
    answer = Client(REMOTE_ADDR=f"198.18.1.{next(ADDRESSES)}").post(
        "/reset/", {"email": "speaks-german@example.org"}, headers=headers
    )
    assert answer.status_code == 302
    for thread in threading.enumerate():
        if thread.name == "mail":
            thread.join()
    (mail,) = mailing
    assert mail.subject == "Handan: ein neues Passwort"
    assert "Passwort" in mail.body


def test_a_secretary_is_not_told_which_accounts_other_clubs_have(make_club: MakeClub) -> None:
    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role

    club, stranger = make_club(), new_account("somebody-elsewhere", "a long enough phrase")
    set_member(make_club(), stranger, Role.PLAYER, author="x")
    client = signed_in(club, Role.ADMINISTRATOR)
    answers = [
        client.post(f"/{club.slug}/members/", {"forgot": name}) for name in (stranger.get_username(), "nobody-at-all")
    ]
    assert [answer.status_code for answer in answers] == [404, 404]
