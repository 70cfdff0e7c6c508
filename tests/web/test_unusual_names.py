"""Names of 200 letters without a blank, from right to left, and of signs: they fit on every page that shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.database import session_of
from tests.web.test_browser import CHROMIUM, address, browser, member  # noqa: F401  # fixtures
from tests.web.test_languages_in_a_browser import TOO_WIDE
from tests.web.test_pages import signed_in, text

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from handan.club.entries import Draft
    from handan.club.state import State
    from handan.club.store.models import Club

pytestmark = pytest.mark.extended

NAMES = (
    "X" * 200,
    "囲" * 200,
    "דוד בן־גוריון",
    "Zoë 🙂 van der Westhuizen",
    "Wolfeschlegelsteinhausenbergerdorff " * 5,
)
PAGES = ("", "start/", "players/", "games/", "games/enter/", "games/enter/?one={0}", "players/{0}/",
         "games/enter/?one={0}&other={1}", "kiosk/?one={0}&other={1}", "pair/?one=X&other=囲", "figures/", "log/",
         "league/", "players/{1}/edit/", "members/", "print/", "players/{0}/next/")  # fmt: skip
CUT = """() => [...document.querySelectorAll('.wall .plate .name')]
    .filter(name => name.getBoundingClientRect().width > name.closest('.plate').getBoundingClientRect().width)
    .map(name => name.textContent)"""

TALL = """() => [...document.querySelectorAll('.wall .plate .name, .pick .name, .board .name, td a.long-name, .who a')]
    .filter(name => name.getBoundingClientRect().height > window.innerHeight / 4)
    .map(name => name.textContent)"""
NAMED = """() => [...document.querySelectorAll('.wall .plate .name, .pick .name, td a.long-name, .who a')]
    .filter(name => name.scrollHeight > name.clientHeight + 1 && name.title !== name.textContent.trim())
    .map(name => name.textContent)"""


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium")
def test_pages_with_unusual_names_are_as_wide_as_the_screen(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
) -> None:
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    names = [name.strip() for name in NAMES]
    keys = [entry.subject for entry in write(club, lambda s: _registered(s, names), author="x")]
    games = [
        {"black": black, "white": white, "result": "B+R"}
        for black, white in zip(keys, [*keys[1:], keys[0]], strict=True)
    ]
    write(club, lambda s: [changes.games.record_game(s, game, today()) for game in games], author="x")
    context = browser.new_context()
    cookie: Any = {"name": "sessionid", "value": session_of(member(club, Role.SECRETARY)), "url": address}
    context.add_cookies([cookie])
    page, faults = context.new_page(), list[tuple[str, int, str]]()
    for wall, path in [*(("plates", path) for path in PAGES), ("table", "")]:
        context.add_cookies([{"name": "wall", "value": wall, "url": address}])
        page.set_viewport_size({"width": 320, "height": 700})
        answer = page.goto(f"{address}/{club.slug}/{path.format(*keys)}")
        assert answer is not None
        assert answer.status == 200, path
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 700})
            parts = [part for look in (TOO_WIDE, CUT, TALL, NAMED) for part in page.evaluate(look)]
            faults += [(path, width, part) for part in parts]
    context.close()
    assert faults == []


def _registered(state: State, names: list[str]) -> list[Draft]:
    from handan.club import changes

    return [changes.players.register_player(state, {"name": name}) for name in names]


def test_who_is_not_in_the_club_is_named_by_the_words_of_the_field(club: Club) -> None:
    from handan.club.store.models import Role

    page = signed_in(club, Role.PLAYER).get(f"/{club.slug}/pair/?one=zz&other=yy", headers={"Accept-Language": "ko"})
    assert "대국자에 'zz'" in text(page).replace("&#39;", "'")


def test_an_empty_club_says_that_nobody_is_there_and_how_to_begin(club: Club) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    for path in ("players/", "kiosk/"):
        page = text(Client().get(f"/{club.slug}/{path}"))
        assert "Nobody is registered yet." in page
        assert "fits" not in page
        assert "No players found." in text(Client().get(f"/{club.slug}/{path}?q=zz"))
    assert "Register the first players" in text(signed_in(club, Role.SECRETARY).get(f"/{club.slug}/players/"))
