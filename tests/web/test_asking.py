"""Whatever stands behind the `?` of an address, a page answers it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.database import POSTGRESQL
from tests.web.test_roles import papers_unprinted  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

NUMBERS = count(1)
NAMES = ("q", "country", "club", "since", "games", "page", "status", "player", "one", "other", "system", "with", "kind",
         "subject", "name", "into", "black", "white", "handicap", "komi")  # fmt: skip
DAYS = ("as_of", "known")
NO_TEXT = ("a\x00", "\ud800")
"""What PostgreSQL keeps in no column; all else reaches no other code there than with SQLite."""
VALUES = (
    *NO_TEXT,
    *(() if POSTGRESQL else ("9" * 5000, "-1", "²", "p " * 1000)),
)


@pytest.fixture
def administrator(club: Club) -> Client:
    """An administrator of a club of two players and a game, to whom no page is closed."""
    from django.test import Client

    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    write(club, lambda s: [changes.players.register_player(s, {"name": name}) for name in ("Ada", "Bo")], author="x")
    write(
        club,
        lambda s: changes.games.record_game(s, {"black": "p2", "white": "p3", "result": "B+"}, today()),
        author="x",
    )
    user = new_account(f"asking-{next(NUMBERS)}", "a long enough phrase")
    set_member(club, user, Role.ADMINISTRATOR, "p2", author="x")
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


def paths(club: Club) -> Iterator[str]:
    from django.urls import reverse

    from handan.web.pages.urls import urlpatterns

    for pattern in urlpatterns:
        parts = pattern.pattern.converters
        if "slug" in parts:
            key = "g4" if "/games/" in str(pattern.pattern) else "p2"
            arguments = {"slug": club.slug, "key": key, "number": 1, "day": "2026-05-09", "name": "Evening",
                         "code": "nonsense"}  # fmt: skip
            yield reverse(str(pattern.name), kwargs={part: arguments[part] for part in parts})


def text_of(names: tuple[str, ...], value: str) -> str:
    return "&".join(f"{name}={quote(value, errors='surrogatepass')}" for name in names)


@pytest.mark.database
@pytest.mark.extended
@pytest.mark.usefixtures("papers_unprinted")
@pytest.mark.parametrize("value", VALUES, ids=lambda value: ascii(value[:4]))
def test_no_text_behind_the_question_mark_makes_a_page_fail(administrator: Client, club: Club, value: str) -> None:
    addresses = [(path, NAMES) for path in paths(club)] + [(f"/{club.slug}/", DAYS)]  # one place reads the days of all
    for path, names in addresses:
        status = administrator.get(f"{path}?{text_of(names, value)}").status_code
        assert status < 500, f"{path} with {value[:9]!a} in {names}"


@pytest.mark.parametrize("value", ["a\x00", "\x00", "x" * 5000], ids=["nul behind", "nul", "long"])
def test_no_text_of_a_form_or_call_makes_a_member_page_fail(administrator: Client, club: Club, value: str) -> None:
    answer = administrator.post(f"/{club.slug}/members/", {"role": "1", "account": value})
    assert answer.status_code == 404
    path = f"/api/clubs/{club.slug}/members/{quote(value)}"
    answer = administrator.put(path, '{"role": "player"}', content_type="application/json")
    assert answer.status_code in {403, 404, 422}


def test_a_page_that_is_not_there_is_the_nearest(administrator: Client, club: Club) -> None:
    from handan.web.pages.here import page_of

    for text, number in {"": 1, "1": 1, "3": 3, "9": 3, "0": 3, "x": 1, "9" * 5000: 1}.items():
        request = administrator.get(f"/{club.slug}/", {"page": text}).wsgi_request
        assert page_of(request, range(25), 10).number == number


def test_a_search_looks_at_a_bounded_text(administrator: Client, club: Club) -> None:
    from handan.club.store.states import state_of

    state = state_of(club)
    assert [person.name for person in state.search("a " * 15_000)] == [person.name for person in state.search("a")]
    answer = administrator.get(f"/{club.slug}/?q={'x' * 30_000}").content.decode()
    assert "x" * 200 in answer
    assert "x" * 201 not in answer.replace(f"q={'x' * 30_000}", "")
