"""The brake on guessing passwords: it stops who guesses, and nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import pytest

from tests.web.test_errors_in_languages import ENGLISH, main_of
from tests.web.test_languages import TWO

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = pytest.mark.database

PHRASE = "a long enough phrase"
LIMIT = 5
NUMBERS = count(1)


@pytest.fixture
def user(database: str) -> User:
    from axes.models import AccessAttempt

    from handan.club.store.members import new_account

    AccessAttempt.objects.all().delete()
    return new_account(f"guessed-{next(NUMBERS)}", PHRASE)


@pytest.fixture
def limited(database: str) -> Iterator[None]:
    from django.test import override_settings

    with override_settings(AXES_FAILURE_LIMIT=LIMIT):
        yield


@pytest.fixture
def behind_proxy(limited: None) -> Iterator[None]:
    from django.conf import settings
    from django.test import override_settings

    with override_settings(CONFIGURATION=replace(settings.CONFIGURATION, behind_proxy=True)):
        yield


def sign_in(user: User, password: str, address: str = "127.0.0.1", forwarded: str | None = None) -> int:
    from django.test import Client

    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    form = {"username": user.get_username(), "password": password}
    status: int = Client(REMOTE_ADDR=address).post("/sign-in/", form, headers=headers).status_code
    return status


@pytest.mark.usefixtures("behind_proxy")
def test_behind_caddy_the_one_address_counts(user: User) -> None:
    statuses = [sign_in(user, "wrong", forwarded="9.9.9.9") for _ in range(LIMIT + 1)]
    assert statuses[-1] == 429
    assert sign_in(user, PHRASE, forwarded="9.9.9.9") == 429
    assert sign_in(user, PHRASE, forwarded="8.8.8.8") == 302


@pytest.mark.usefixtures("behind_proxy")
def test_behind_nginx_the_address_that_the_proxy_added_counts(user: User) -> None:
    statuses = [sign_in(user, "wrong", forwarded=f"1.2.3.{number}, 9.9.9.9") for number in range(LIMIT + 1)]
    assert statuses[-1] == 429  # whatever the guesser sends before it
    assert sign_in(user, PHRASE, forwarded="8.8.8.8") == 302
    assert sign_in(user, PHRASE, forwarded="9.9.9.9, 8.8.8.8") == 302


@pytest.mark.usefixtures("behind_proxy")
@pytest.mark.parametrize("forwarded", ["9.9.9.9:51234", "[2001:db8::1]:443", "2001:db8::1", " 9.9.9.9 "])
def test_an_address_may_bear_a_port(user: User, forwarded: str) -> None:
    statuses = [sign_in(user, "wrong", forwarded=forwarded) for _ in range(LIMIT + 1)]
    assert statuses[-1] == 429
    assert sign_in(user, PHRASE, forwarded="8.8.8.8") == 302


@pytest.mark.usefixtures("behind_proxy")
@pytest.mark.parametrize("forwarded", [None, "", "unknown", "x" * 5000, ","])
def test_without_an_address_from_the_proxy_its_own_counts(user: User, forwarded: str | None) -> None:
    statuses = [sign_in(user, "wrong", forwarded=forwarded) for _ in range(LIMIT + 1)]
    assert statuses[-1] == 429


@pytest.mark.usefixtures("limited")
def test_served_directly_the_header_is_not_believed(user: User) -> None:
    statuses = [sign_in(user, "wrong", "203.0.113.5", f"1.2.3.{number}") for number in range(LIMIT + 1)]
    assert statuses[-1] == 429
    assert sign_in(user, PHRASE, "203.0.113.6", "203.0.113.5") == 302


@pytest.mark.usefixtures("limited")
def test_who_guesses_in_a_club_room_does_not_lock_out_the_room(user: User) -> None:
    """One account is locked there after so many wrong passwords, the whole address after ten times as many."""
    from handan.club.store.members import new_account
    from handan.web.operations.guesses import ACCOUNTS

    room = "203.0.113.77"
    others = [new_account(f"guessed-{next(NUMBERS)}", PHRASE) for _ in range(ACCOUNTS + 1)]
    assert [sign_in(user, "wrong", room) for _ in range(LIMIT + 1)][-1] == 429
    assert sign_in(user, PHRASE, room) == 429
    assert sign_in(others[0], PHRASE, room) == 302
    for other in others[1:]:
        for _ in range(LIMIT):
            sign_in(other, "wrong", room)
    assert sign_in(others[0], PHRASE, room) == 429
    assert sign_in(others[0], PHRASE, "203.0.113.78") == 302


@pytest.mark.usefixtures("limited")
def test_addresses_of_one_subscriber_count_together(user: User) -> None:
    statuses = [sign_in(user, "wrong", f"2001:db8:1:2::{number}") for number in range(1, LIMIT + 2)]
    assert statuses[-1] == 429
    assert sign_in(user, PHRASE, "2001:db8:1:3::1") == 302
    statuses = [sign_in(user, "wrong", "::ffff:192.0.2.1") for _ in range(LIMIT + 1)]
    assert sign_in(user, PHRASE, "192.0.2.1") == 429
    assert sign_in(user, PHRASE, "192.0.2.2") == 302


@pytest.mark.usefixtures("limited")
@pytest.mark.parametrize("language", TWO)
def test_who_has_guessed_too_often_reads_so_in_their_language_and_finds_help(user: User, language: str) -> None:
    from django.test import Client

    client = Client()
    client.cookies["language"] = language
    for _ in range(LIMIT + 1):
        answer = client.post("/sign-in/", {"username": user.get_username(), "password": "wrong"})
    assert answer.status_code == 429
    page = answer.content.decode()
    assert f'<html lang="{language}">' in page
    assert not ENGLISH.search(main_of(page)), main_of(page)
    assert re.findall(r'href="([^"]+)"', page.partition("<main")[2].partition("</main>")[0]) == ["/reset/", "/"]
