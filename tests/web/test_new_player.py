"""A new player on the page: what contradicts itself is said, and words are those of the form."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest

from tests.web.test_entering import client_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from handan.club.store.models import Club

pytestmark = pytest.mark.extended


@pytest.fixture
def secretary(make_club: Callable[..., Club]) -> tuple[str, Client]:
    from handan.club.store.models import Role

    club = make_club("points")
    return f"/{club.slug}/players/new/", client_of(club, Role.SECRETARY)


def words(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.mark.parametrize(
    ("rank", "rating", "sentence"),
    [("1k", "-3.5", "The card begins with -3.5; that is 12k, not 1k."),  # 1k is 118 points (Tagajo), a rank is 12
     ("1k", "118", ""), ("1k", "129", ""), ("1k", "130", "The card begins with 130; that is 1d, not 1k."),
     ("1k", "", ""), ("", "-3.5", "")],
)  # fmt: skip
def test_a_rank_beside_points_of_another_rank_is_told(
    rank: str, rating: str, sentence: str, secretary: tuple[str, Client]
) -> None:
    address, client = secretary
    page = client.post(address, {"name": "Ada", "rank": rank, "rating": rating}, follow=True)
    assert page.redirect_chain
    if sentence:
        assert sentence in words(page.content.decode())
    else:
        assert "The card begins" not in words(page.content.decode())


@pytest.mark.parametrize(
    ("language", "points", "rating"),
    [("ja", "持ち点", "レーティング"), ("de", "Punkte", "Wertung"), ("fr", "points", "cote"), ("ko", "점수", "레이팅"),
     ("zh-hans", "积分", "等级分"), ("zh-hant", "積分", "等級分")],
)  # fmt: skip
def test_a_refusal_calls_a_field_as_the_form_does(
    language: str, points: str, rating: str, secretary: tuple[str, Client]
) -> None:
    address, client = secretary
    sent = {"name": "Ada", "rating": "many"}
    page = client.post(address, sent, headers={"accept-language": language}).content.decode()
    [fault] = re.findall(r'role="alert">([^<]*many[^<]*)<', page)
    assert points in fault
    assert rating not in fault


def test_the_log_speaks_the_language_of_the_page_and_of_the_club(secretary: tuple[str, Client]) -> None:
    address, client = secretary
    client.post(address, {"name": "Ada", "rank": "1k", "rating": "118"})
    log = address.replace("players/new", "log")
    page = client.get(log, headers={"accept-language": "de"}).content.decode()
    [entry] = re.findall(r'href="([^"]*log/[0-9]+/)"', page)[:1]
    assert "points on entry" not in words(page)
    assert "Wertung" not in words(page)
    for shown in (page, client.get(entry, headers={"accept-language": "de"}).content.decode()):
        assert "Punkte beim Einstieg" in words(shown)
        assert re.search("Punkte:? *– *→ *118", words(shown))


@pytest.mark.parametrize("name", [" ", "\u3000", "\t "])
def test_a_name_of_blanks_is_like_nobodys(name: str, secretary: tuple[str, Client]) -> None:
    address, client = secretary
    client.post(address, {"name": "Ada"})
    assert "Already here:" not in words(client.post(address, {"name": name}).content.decode())
    assert "Already here: Ada . Namesakes" in words(client.get(address, {"name": "ada"}).content.decode())
    assert client.get(address.replace("new/", "find.json"), {"q": name}).json() == []


def test_the_line_of_who_is_here_already_ends_as_sentences_of_its_language_do(secretary: tuple[str, Client]) -> None:
    address, client = secretary
    client.post(address, {"name": "Ada"})
    page = client.get(address, {"name": "ada"}, headers={"accept-language": "ja"}).content.decode()
    assert re.search(r"Ada</a>\s*。", page)
