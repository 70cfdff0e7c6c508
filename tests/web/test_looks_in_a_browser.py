"""What somebody who looks at pictures of all pages found, as far as a machine can tell it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.accessibility import PAGES
from tests.database import session_of
from tests.web.test_browser import CHROMIUM, address, browser, member  # noqa: F401  # fixtures
from tests.web.test_record_sheet import entered
from tests.web.test_roles import NEEDS, OPEN, full  # noqa: F401  # a fixture
from tests.web.test_room_in_a_browser import screen

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from handan.club.store.models import Club

pytestmark = pytest.mark.extended

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium")


@contextmanager
def signed_in(browser: Browser, address: str, cookie: str, width: int, language: str = "en") -> Iterator[Page]:  # noqa: F811
    """Give a page of a width, of the account of a session."""
    with screen(browser, width, extra_http_headers={"Accept-Language": language}) as page:
        page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": address}])
        yield page


NO_PAGES = {
    "sign-out", "language", "change-password", "worker", "club-style", "feed", "history", "manifest", "find-players",
    "check-chain", "export", "undo", "card-csv", "confirm-game", "dispute-game", "check-sheet", "withdraw-check",
    "ladder-csv", "ladder-json", "club-json", "player-csv", "player-json", "games-csv", "games-json", "game-json",
    "adjustments-csv", "list-json", "list-csv", "log-csv", "log-json", "own-json",
    "event-json", "event-h9", "register-csv",
}  # fmt: skip
"""Routes that answer with a file or with another page."""
OTHER_STATES = {
    "restore-game",
    "restore-player",
    "split",
    "withdraw-adjustment",
    "event",
    "edit-event",
    "move-event",
    "withdraw-event",
    "submission",
    "card-by-code",
}
"""Pages of what the demonstration's club has none of: `evening` and `withdraw-game` with other words."""


def test_axe_looks_at_every_page_of_the_route_table(database: str) -> None:
    from django.urls import Resolver404, resolve

    keys, reached = ("p1", "p2", "s1", "g1", "2026-05-09/Evening"), set[str]()
    for parts in PAGES.values():
        for part in parts:
            path = part.format(*keys).partition("?")[0]
            try:
                reached.add(str(resolve(path if path.startswith("/") else f"/sakura/{path}").url_name))
            except Resolver404:
                assert "nothing" in part, part
    routes = OPEN | set().union(*NEEDS.values())
    files = {name for name in routes if name.startswith("pdf-")}
    assert routes - files - NO_PAGES - OTHER_STATES == reached & routes - NO_PAGES


@needs_browser
def test_fields_side_by_side_stay_level_when_one_is_refused(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
    full: dict[str, str],  # noqa: F811
) -> None:
    from handan.club.store.models import Role

    cookie = session_of(member(club, Role.KEEPER))
    with signed_in(browser, address, cookie, 1180) as page:
        page.goto(f"{address}/{club.slug}/games/new/")
        page.fill("[name=black]", "Nobody")
        page.fill("[name=white]", "Ada")
        page.locator("[name=result][value='B+']").check()
        page.locator("[name=preview]").click()
        page.locator(".error").first.wait_for()
        tops = [page.locator(f"main [name={name}]").bounding_box() for name in ("black", "white")]
        assert tops[0] is not None
        assert tops[1] is not None
        assert tops[0]["y"] == tops[1]["y"]


def test_the_page_of_what_changed_asks_for_a_day_first(club: Club, full: dict[str, str]) -> None:  # noqa: F811
    from django.test import Client

    from handan.club.store.clock import today

    path, client = f"/{club.slug}/compared/", Client()
    text = client.get(path).content.decode()
    assert "Choose a day" in text
    assert 'type="date" name="as_of"' in text
    assert "Nobody’s rating would move." not in text
    then = client.get(path, {"as_of": str(today() - timedelta(days=1))}).content.decode()
    assert "beside the live list" in then
    assert "Choose a day" not in then


@needs_browser
def test_a_column_in_which_nothing_stands_is_not_shown(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
    full: dict[str, str],  # noqa: F811
) -> None:
    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    cookie = session_of(member(club, Role.KEEPER))
    with signed_in(browser, address, cookie, 1180) as page:
        page.goto(f"{address}/{club.slug}/sheets/")
        checked = page.get_by_role("columnheader", name="Checked by")
        assert checked.count() == 0
        write(club, lambda s: changes.sheets.check_sheet(s, full["check-sheet"]), author="second reader")
        page.reload()
        assert checked.is_visible()


@needs_browser
def test_escape_closes_the_menu_and_goes_back_to_what_opened_it(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
) -> None:
    page = browser.new_page()
    page.goto(f"{address}/{club.slug}/")
    page.get_by_text("More", exact=True).focus()
    page.keyboard.press("Enter")
    rules = page.get_by_role("link", name="Rules", exact=True)
    rules.focus()
    page.keyboard.press("Escape")
    assert not rules.is_visible()
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    page.close()


@needs_browser
@pytest.mark.extended
def test_a_pair_of_long_names_breaks_between_the_two(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    make_club: Callable[..., Club],
) -> None:
    from handan.club import changes
    from handan.club.store.writing import write

    club = make_club("egf")
    write(club, lambda s: changes.players.register_player(s, {"name": "Annabel Featherstone"}), author="x")
    write(club, lambda s: changes.players.register_player(s, {"name": "Bartholomew Higgins"}), author="x")
    game = {"black": "p2", "white": "p3", "result": "B+", "date": "2026-05-01"}
    write(club, lambda s: changes.games.record_game(s, game, date(2026, 6, 1)), author="x")
    size = {"width": 375, "height": 800}
    context = browser.new_context(viewport=size, extra_http_headers={"Accept-Language": "ja"})  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{address}/{club.slug}/log/")
    assert page.get_by_role("link", name="Annabel Featherstone").count()
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    context.close()


@needs_browser
def test_lines_of_a_phone_have_their_parts_in_the_same_places(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    make_club: Any,
) -> None:
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Role

    club = make_club("egf")
    people = [
        ("伊藤 翔", "いとう しょう Ito Sho"), ("中村 大輔", "なかむら だいすけ Nakamura Daisuke"), ("Bo", ""),
        ("小林 さくら", "こばやし さくら Kobayashi Sakura"),
    ]  # fmt: skip
    keys = [
        entered(club, changes.players.register_player, {"name": name, "reading": reading}) for name, reading in people
    ]
    for key, rating in zip(keys, (2100, 950, 1234.5, -20), strict=True):
        entered(club, changes.players.adjust, key, {"rating": rating}, today(), "entry")
    for black, white in pairwise(keys):
        facts = {"black": black, "white": white, "result": "B+R", "date": str(today())}
        entered(club, changes.games.record_game, facts, today())
    cookie = session_of(member(club, Role.SECRETARY, keys[0]))
    with signed_in(browser, address, cookie, 360, "ja") as page:
        page.goto(f"{address}/{club.slug}/players/")
        lines = page.evaluate(
            "() => [...document.querySelectorAll('table.people tbody tr')].map(row => [...row.cells].map(cell => "
            "Math.round(cell.getBoundingClientRect().top - row.getBoundingClientRect().top)))"
        )
        assert len(lines) == 4
        for _, rank, rating, games, last in lines:
            assert rank == rating < games == last  # rank and rating beside the name, the rest below
        page.goto(f"{address}/{club.slug}/start/")
        places = page.locator("dl.figures div").evaluate_all("parts => parts.map(part => part.offsetLeft)")
        assert len(places) > 2
        assert len(set(places)) == 2
