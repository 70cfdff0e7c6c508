"""Categories by age: only where a club wants them, and the years only for who keeps its register."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from handan.club.changes.club_facts import category_of
from tests.command_line import run
from tests.web.test_entering import client_of, page, points  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.database

Points = tuple["Club", dict[str, str]]
DESCRIBED = {"name": "Lake", "language": "", "colour": ""}


@pytest.mark.parametrize(
    ("born", "category"),
    [(2014, "U12"), (2013, "U16"), (2010, "U16"), (2006, "U20"), (2005, ""), (1967, ""), (1966, "60+"), (1940, "60+")],
)
def test_a_year_of_birth_is_in_the_narrowest_category_of_a_year(born: int, category: str) -> None:
    """FIDE: U12 has not reached the age of 12 before 1 January of the year; 60+ reaches 60 by its 31 December."""
    assert category_of(born, 2026, "60+ U20 U12 U16") == category


def test_nobody_is_asked_until_the_club_has_categories_and_who_is_in_one_shows_without_the_year(
    points: Points,  # noqa: F811
) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    club, keys = points
    home = f"/{club.slug}/"
    secretary, administrator = client_of(club, Role.SECRETARY), client_of(club, Role.ADMINISTRATOR)
    assert 'name="born"' not in page(secretary, f"{home}register/")
    assert 'name="category"' not in page(secretary, home)
    refused = administrator.post(f"{home}office/", {**DESCRIBED, "categories": "kids", "token": "a"})
    assert "categories such as U12 U16 U20 60+" in refused.content.decode()
    sent = {**DESCRIBED, "categories": "u12, U20", "token": "b"}
    assert administrator.post(f"{home}office/", sent).status_code == 302
    assert 'name="born"' in page(secretary, f"{home}register/")
    lines = {"key": [keys["山田 春子"], keys["鈴木 一郎"]], "left": ["", ""], "paid-until": ["", ""]}
    wrong = secretary.post(f"{home}register/", {**lines, "born": ["2104x", ""], "token": "c"}, follow=True)
    assert 'value="2104x"' in wrong.content.decode()
    assert secretary.post(f"{home}register/", {**lines, "born": ["2016", ""], "token": "d"}).status_code == 302
    assert (
        secretary.post(f"{home}register/", {**lines, "token": "e"}).status_code == 302
    )  # as a page of before sends it
    assert 'name="born" value="2016"' in page(secretary, f"{home}register/")
    assert "2016" in b"".join(secretary.get(f"{home}register.csv")).decode()
    for client in (Client(), client_of(club, Role.KEEPER), secretary):
        client.cookies["wall"] = "table"
        for query, there in (
            ("?category=U12", True),
            ("?category=U20", False),
            ("?category=U12&as_of=2026-06-01", True),
        ):
            shown = page(client, f"{home}{query}").partition("<main")[2]
            assert ("山田 春子" in shown) == there, query
            assert "鈴木 一郎" not in shown
        card = page(client, f"{home}players/{keys['山田 春子']}/")
        assert "U12" in card
        assert "2016" not in card
        assert "2016" not in page(client, f"/api/clubs/{club.slug}/players/{keys['山田 春子']}")
        calls = f"/api/clubs/{club.slug}/players"
        assert client.get(f"{calls}/{keys['山田 春子']}").json()["category"] == "U12"
        assert [row["key"] for row in client.get(f"{calls}?category=U12").json()] == [keys["山田 春子"]]
    listed = run("club", "ratings", club.slug, "--category", "u12").csv
    assert [row["name"] for row in listed] == ["山田 春子"]


def test_a_member_who_is_hidden_has_no_category_for_visitors(points: Points) -> None:  # noqa: F811
    from django.test import Client

    from handan.club.store.models import Role, Shown

    club, keys = points
    home, key = f"/{club.slug}/", keys["山田 春子"]
    administrator = client_of(club, Role.ADMINISTRATOR)
    administrator.post(f"{home}office/", {**DESCRIBED, "categories": "U12", "token": "b"})
    lines = {"key": [key], "left": [""], "paid-until": [""], "born": ["2016"], "token": "d"}
    assert administrator.post(f"{home}register/", lines).status_code == 302
    Shown.objects.create(club=club, player=key)
    assert "U12" in page(administrator, f"{home}players/{key}/")
    assert "U12" not in page(Client(), f"{home}players/{key}/").partition("<main")[2]
    assert Client().get(f"/api/clubs/{club.slug}/players?category=U12").json() == []
