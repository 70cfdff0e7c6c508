"""Pages of a day that is over: whose name they bear, and where their links lead."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

import pytest

from tests.web.test_pages import registered, signed_in, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from handan.club.store.models import Club

DAYS = ("as_of=2026-05-10", "as_of=2026-05-10&known=2099-01-01", "known=2099-01-01")
"""Of which one is over in 2100 alone."""
NAME = "山田 春子"
QUOTED = "%E5%B1%B1%E7%94%B0%20%E6%98%A5%E5%AD%90"


@pytest.fixture
def club(make_club: Callable[..., Club], monkeypatch: pytest.MonkeyPatch) -> Club:
    """A club in which two met in May 2026, once before the tenth and once after it, seen from the year 2100."""
    from handan.club.store.models import Role

    club = make_club("egf")
    client = signed_in(club, Role.SECRETARY)
    for name in (NAME, "Bo"):
        registered(client, club, name, "3d")
    for day in ("2026-05-01", "2026-05-20"):
        client.post(f"/{club.slug}/games/new/", {"black": NAME, "white": "Bo", "result": "B+", "date": day})
    monkeypatch.setattr("handan.web.pages.here.today", lambda: date(2100, 1, 1))
    return club


@pytest.fixture
def secretary(club: Club) -> Client:
    from handan.club.store.models import Role

    return signed_in(club, Role.SECRETARY)


def key_of(club: Club, name: str) -> str:
    from handan.club.store.states import state_of

    return state_of(club).keys[name]


def main(client: Client, path: str) -> str:
    """The part of a page that is its own."""
    return client.get(path).content.decode().partition("<main")[2]


@pytest.mark.extended
@pytest.mark.parametrize("page", ["", "next/", "forget/", "edit/", "adjust/"])
@pytest.mark.parametrize("days", DAYS)
def test_a_page_of_a_player_bears_their_name_on_every_day(club: Club, secretary: Client, page: str, days: str) -> None:
    path = f"/{club.slug}/players/{key_of(club, NAME)}/{page}?{days}"
    html = main(secretary, path)
    assert "You are looking at the past" in html
    named = re.search(r'<p class="big">(.*?)</p>' if page == "next/" else "<h1>(.*?)</h1>", html, re.DOTALL)
    assert named
    assert NAME in named[1]
    assert not re.search("games up to|as known on", named[1])


def test_a_link_that_names_a_player_does_so_on_every_day(club: Club, secretary: Client) -> None:
    card, day = f"/{club.slug}/players/{key_of(club, NAME)}/", DAYS[0]
    for query in ("", f"?{day}"):
        assert f"/who-is-who/?player={QUOTED}" in main(secretary, card + query)
    assert f"/pair/?{day}&amp;one={QUOTED}&amp;other=Bo" in main(secretary, f"{card}?{day}")
    assert f"/pair/?one={QUOTED}" in main(secretary, f"{card}next/")


@pytest.mark.extended
@pytest.mark.parametrize("days", DAYS)
@pytest.mark.parametrize("wall", ["plates", "table"])
def test_links_of_a_past_page_to_players_and_games_lead_to_the_same_days(
    club: Club, secretary: Client, days: str, wall: str
) -> None:
    home, card = f"/{club.slug}/", f"players/{key_of(club, NAME)}/"
    game = re.search(r"games/g\d+/", main(secretary, f"{home}games/?as_of=2026-05-10"))
    assert game
    secretary.cookies["wall"] = wall
    target = re.compile(rf'href="({home}(?:players/p\d+/(?:next/|card\.\w+)?|games/g\d+/|pair/)(?:\?[^"]*)?)"')
    paths = {
        "": 1,
        "start/": 2,
        "players/": 2,
        "games/": 3,
        "figures/": 3 * ("as_of" in days),
        card: 6,
        game[0]: 2,
        f"{card}next/": 1,
    }
    for path, fewest in paths.items():
        back = f'<a href="{home}{path}">Back to now</a>'
        now, then = (
            [
                link.replace("&amp;", "&")
                for link in target.findall(main(secretary, home + path + query).replace(back, ""))
            ]
            for query in ("", f"?{days}")
        )
        assert len(then) >= fewest, path
        assert not any("as_of" in link or "known" in link for link in now), path
        assert all(days in link for link in then), (path, then)


@pytest.mark.parametrize("days", DAYS)
def test_forms_of_a_past_page_ask_about_the_same_days(club: Club, secretary: Client, days: str) -> None:
    home = f"/{club.slug}/"
    for path in ("players/", "figures/", "pair/", "terms/", "games/", f"players/{key_of(club, NAME)}/", "print/"):
        page = main(secretary, f"{home}{path}?{days}")
        form = next(form for form in page.split("<form ")[1:] if 'method="get"' in form.partition(">")[0])
        fields = dict(re.findall(r'name="(as_of|known)" value="([^"]*)"', form.partition("</form>")[0]))
        assert {name: day for name, day in fields.items() if day} == dict(
            pair.split("=") for pair in days.split("&")
        ), path


def test_the_way_to_a_past_rank_is_that_of_its_day_and_leads_to_no_game_of_tonight(
    club: Club, secretary: Client
) -> None:
    card = f"/{club.slug}/players/{key_of(club, NAME)}/"
    missing = re.compile(r'class="next-rank"><a [^>]*>([\d.]+) ')
    now, then = (main(secretary, f"{card}next/{query}") for query in ("", f"?{DAYS[0]}"))
    on_the_card = missing.search(main(secretary, f"{card}?{DAYS[0]}"))
    assert on_the_card
    assert f"<strong>{on_the_card[1]} to " in then
    assert f"<strong>{on_the_card[1]} to " not in now
    assert "tonight" in now
    assert "tonight" not in then


def test_a_merged_player_leads_to_the_other_on_the_same_day(club: Club, secretary: Client) -> None:
    one, other = registered(secretary, club, "Bo B.", "3d"), key_of(club, "Bo")
    secretary.post(f"/{club.slug}/who-is-who/", {"player": "Bo B.", "into": "Bo"})
    answer = secretary.get(f"/{club.slug}/players/{one}/?{DAYS[0]}")
    assert answer["Location"] == f"/{club.slug}/players/{other}/?{DAYS[0]}"
    assert "1 game, won and lost 0–1" in text(secretary.get(answer["Location"]))


@pytest.mark.parametrize("page", ["", "start/", "figures/", "news.atom", "ladder.json"])
def test_days_before_the_club_or_before_all_calendars_of_games_are_answered(
    secretary: Client, club: Club, page: str
) -> None:
    key = key_of(club, NAME)
    for place in (page, f"players/{key}/"):
        assert secretary.get(f"/{club.slug}/{place}?known=2020-01-01").status_code in (200, 404)
        assert secretary.get(f"/{club.slug}/{place}?as_of=1600-01-01").status_code == 200
        refused = secretary.get(f"/{club.slug}/{place}?as_of=0001-01-01")
        assert (refused.status_code, "a day from 1600-01-01 on" in refused.content.decode()) == (400, True)
    assert secretary.get(f"/{club.slug}/news.atom?known=2020-01-01").status_code == 200
    assert secretary.get(f"/{club.slug}/figures/?from=0001-01-01&to=0001-01-02").status_code == 400
    assert secretary.get(f"/{club.slug}/league/?from=0001-01-01&to=0001-01-02").status_code == 400
