"""A closed club looks like none to who may not see it, on every page, in every call, and to who watches the server."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_roles import CALLS, GIVEN, NEEDS, full, routes  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from handan.club.store.models import Club

NUMBERS = count(1)
ABSENT = "no-such-club"
METHODS = ("PUT", "PATCH", "DELETE", "TRACE", "OPTIONS")
AWAY: dict[str, Any] = {"REMOTE_ADDR": "198.51.100.7"}
"""Of who asks from elsewhere than the machine itself."""


def strangers() -> Iterator[Client]:
    """Somebody who is not signed in, and somebody who is, in no club."""
    from django.test import Client

    from handan.club.store.members import new_account

    yield Client()
    client = Client()
    client.force_login(new_account(f"stranger-{next(NUMBERS)}", "a long enough phrase"))
    yield client


def answer_of(client: Client, method: str, path: str, slug: str, **given: Any) -> tuple[int, str, dict[str, str]]:
    """Return status, page and headers of an answer, with the club's address taken out."""
    answer = client.generic(method, path, **given)
    page = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    words = re.sub(
        r'name="csrfmiddlewaretoken" value="\w+"|nonce="[^"]+"|nonce-[\w+/=-]+', "", page.decode("utf-8", "replace")
    )
    own = {"X-Request-Id", "X-Request-ID", "Content-Length"}
    headers = {
        name: re.sub(r"nonce-[\w+/=-]+", "", value).replace(slug, "SLUG")
        for name, value in answer.items() if name not in own
    }  # fmt: skip
    return answer.status_code, words.replace(slug, "SLUG"), {n: v for n, v in headers.items() if "equest" not in n}


def closed(club: Club) -> None:
    from handan.club.store.models import Openness

    type(club).objects.filter(pk=club.pk).update(openness=Openness.CLOSED, language="ja", colour="#123456")


def pages(slug: str, full: dict[str, str]) -> Iterator[tuple[str, str]]:  # noqa: F811
    from django.urls import reverse

    for name, pattern in routes():
        parts = pattern.pattern.converters
        if "slug" in parts:
            given = {**GIVEN, "slug": slug, "key": full.get(name, full["player"])}
            yield name, reverse(name, kwargs={part: given[part] for part in parts})


def test_every_page_of_a_closed_club_is_that_of_none(club: Club, full: dict[str, str]) -> None:  # noqa: F811
    closed(club)
    for client in strangers():
        for (name, path), (_, other) in zip(pages(club.slug, full), pages(ABSENT, full), strict=True):
            for method in ("GET", "POST"):
                sent = {"data": "a=1", "content_type": "application/x-www-form-urlencoded"} if method == "POST" else {}
                shown = answer_of(client, method, path, club.slug, **sent)
                assert shown == answer_of(client, method, other, ABSENT, **sent), f"{method} {name}"
                assert shown[0] in ({404} if method == "GET" else {403, 404, 405}), f"{method} {name}"


def test_every_call_of_a_closed_club_is_that_of_none(club: Club, full: dict[str, str]) -> None:  # noqa: F811
    import json

    from django.test import Client

    from handan.club.store.members import new_account, new_token
    from handan.club.store.models import Scope

    closed(club)
    document = Client().get("/api/openapi.json").json()["paths"]
    user = new_account(f"stranger-{next(NUMBERS)}", "a long enough phrase")
    token = {"HTTP_AUTHORIZATION": f"Bearer {new_token(user, 'x', Scope.ADMINISTER)}"}
    tried = 0
    for path, methods in document.items():
        if "{slug}" not in path:
            continue
        for method in methods:
            call = f"{method.upper()} {path.removeprefix('/api/clubs/{slug}')}"
            body = CALLS.get(call, ("", "", None))[2]
            text = "" if body is None else json.dumps(body).replace("{player}", full["player"])
            rest = re.sub(
                r"\{(\w+)\}", lambda part: {"number": "1"}.get(part[1], full["player"]), path.partition("{slug}")[2]
            )
            for headers in ({}, token):
                sent = {"data": text, "content_type": "application/json", **headers}
                own, none = (
                    answer_of(Client(), method.upper(), f"/api/clubs/{slug}{rest}", slug, **sent)
                    for slug in (club.slug, ABSENT)
                )
                assert own == none, call
                assert own[0] in {401, 404, 422}, call
                tried += 1
    assert tried > 60


def test_members_of_a_closed_club_sign_in_by_the_link_of_the_page_that_is_not_there(club: Club) -> None:
    from django.test import Client

    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role

    closed(club)
    user = new_account(f"closed-{next(NUMBERS)}", "a long enough phrase")
    set_member(club, user, Role.PLAYER, author="x")
    client, path = Client(), f"/{club.slug}/games/"
    page = client.get(path)
    link = re.search(r'href="(/sign-in/\?next=[^"]+)"', page.content.decode())
    assert (page.status_code, link is not None) == (404, True)
    assert link is not None
    form = {"username": user.get_username(), "password": "a long enough phrase", "next": path}
    assert client.post(link[1], form)["Location"] == path
    assert client.get(path).status_code == 200


def test_the_start_names_no_closed_club_and_health_tells_of_it_on_this_machine_alone(club: Club) -> None:
    from django.test import Client

    closed(club)
    assert club.slug not in Client().get("/", follow=True).content.decode()
    for away in (AWAY, {**AWAY, "REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "198.51.100.7"}):
        health = Client(**away).get("/healthz").json()
        assert club.slug not in str(health)
        assert health["status"] == "ok"
    assert club.slug in Client().get("/healthz").json()["clubs"]


def test_health_still_tells_everybody_the_head_of_open_clubs(club: Club) -> None:
    from django.test import Client

    assert Client(**AWAY).get("/healthz").json()["clubs"][club.slug]["entry"] == club.number


def test_a_method_that_a_page_has_not_is_answered_405(club: Club, full: dict[str, str]) -> None:  # noqa: F811
    from django.test import Client
    from django.urls import reverse

    from tests.web.test_writing_routes import POSTS

    forms = {*POSTS, "undo", "take-back", "withdraw-check", "sign-in", "sign-out", "join", "account", "change-password",
             "reset", "new-password", "new-club", "import-ledger"}  # fmt: skip
    own = dict(pages(club.slug, full))
    assert set(own) == {"card-by-code"}.union(*NEEDS.values())
    for name, pattern in routes():
        parts = pattern.pattern.converters
        path = own.get(name) or reverse(name, kwargs=dict.fromkeys(parts, "nonsense"))
        for method in METHODS if name in forms else (*METHODS, "POST"):
            answer = Client().generic(method, path)
            assert answer.status_code == 405, f"{method} {name}"
            assert "GET" in answer["Allow"] or name == "sign-out"


@pytest.mark.parametrize("header", ["Bearer nonsense", "Bearer ", "nonsense", "Basic YTpi"])
def test_a_token_that_does_not_hold_is_refused_where_none_is_needed(club: Club, header: str) -> None:
    from django.test import Client

    paths = [f"/api/clubs/{club.slug}{rest}" for rest in ("", "/ladder", "/players", "/games", "/adjustments", "/log")]
    for path in ("/api/clubs", *paths, f"/api/clubs/{ABSENT}/ladder"):
        answer = Client().get(path, headers={"Authorization": header})
        assert answer.status_code == 401, path
        assert answer["WWW-Authenticate"] == "Bearer"
