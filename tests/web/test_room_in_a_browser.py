"""The pages on phones and desks: plates or lines, the bar at the foot, whose letters a name has, and dark."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_browser import CHROMIUM, address, browser, member, sign_in  # noqa: F401  # fixtures
from tests.web.test_roles import full  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from handan.club.store.models import Club

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium"),
]


@contextmanager
def screen(browser: Browser, width: int, **options: Any) -> Iterator[Page]:  # noqa: F811
    """Give a page of a width, closed in the end."""
    context = browser.new_context(viewport={"width": width, "height": 800}, **options)
    yield context.new_page()
    context.close()


def test_the_wall_has_plates_on_a_desk_and_lines_on_a_phone_and_the_choice_stays(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
    full: dict[str, str],  # noqa: F811
) -> None:
    with screen(browser, 704, java_script_enabled=False) as page:
        page.goto(f"{address}/{club.slug}/")
        boxes = [plate.bounding_box() for plate in page.locator(".plate").all()]
        first, second = boxes[0], boxes[1]
        assert first is not None
        assert second is not None
        assert first["height"] > 3 * first["width"]
        assert first["x"] > second["x"]  # the strongest hangs at the right
        page.set_viewport_size({"width": 360, "height": 640})
        narrow = page.locator(".plate").first.bounding_box()
        assert narrow is not None
        assert narrow["width"] > 3 * narrow["height"]
        with page.expect_navigation():
            page.get_by_role("button", name="Table").click()
        page.reload()
        assert page.locator(".plate").count() == 0
        assert page.locator("table.ladder tbody tr").count() == len(boxes)


def display(page: Page) -> Locator:
    """Open the menu of display and language at the foot of a page."""
    menu = page.locator("details.display")
    menu.locator("summary").click()
    return menu


def test_dark_is_dark_and_survives_a_reload(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
) -> None:
    ground = "() => getComputedStyle(document.body).backgroundColor"
    dark, light = "rgb(22, 19, 14)", "rgb(251, 248, 241)"  # --paper of both schemes
    with screen(browser, 360, color_scheme="dark", java_script_enabled=False) as page:
        page.goto(f"{address}/{club.slug}/")
        assert page.evaluate(ground) == dark
        with page.expect_navigation():
            display(page).get_by_role("button", name="Light", exact=True).click()
        page.reload()
        assert page.evaluate(ground) == light
    with screen(browser, 360, color_scheme="light", java_script_enabled=False) as page:
        page.goto(f"{address}/{club.slug}/")
        assert page.evaluate(ground) == light
        with page.expect_navigation():
            display(page).get_by_role("button", name="Dark", exact=True).click()
        page.reload()
        assert page.evaluate(ground) == dark
        page.emulate_media(media="print")
        assert page.evaluate(ground) != dark
        page.emulate_media(media="screen")
        with page.expect_navigation():
            display(page).get_by_role("button", name="Automatic", exact=True).click()
        page.reload()
        assert page.evaluate(ground) == light
        page.emulate_media(color_scheme="dark")
        assert page.evaluate(ground) == dark


def test_why_opens_over_the_whole_width_of_a_phone_and_a_step_of_the_chart_leads_there(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
    full: dict[str, str],  # noqa: F811
) -> None:
    with screen(browser, 360, java_script_enabled=False) as page:
        page.goto(f"{address}/{club.slug}/players/{full['player']}/")
        assert page.locator("tr.why:visible").count() == 0
        page.get_by_role("link", name="Why").first.click()
        box = page.locator("tr.why:visible td").bounding_box()
        assert box is not None
        assert box["width"] >= 300
        page.get_by_role("link", name="Close").click()
        assert page.locator("tr.why:visible").count() == 0
        page.locator(".phone .touch").first.click()
        assert page.locator("tr.why:visible").count() == 1


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_the_bar_at_the_foot_of_a_phone_covers_no_row_and_leads_everywhere(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
    full: dict[str, str],  # noqa: F811
    scripts: bool,
) -> None:
    from handan.club.store.models import Role

    with screen(browser, 360, java_script_enabled=scripts) as page:
        sign_in(page, address, member(club, Role.KEEPER, full["player"]))
        page.goto(f"{address}/{club.slug}/games/")
        bar = page.locator("nav.club").bounding_box()
        assert bar is not None
        assert bar["y"] + bar["height"] == 800  # of the screen
        assert bar["height"] < 80
        last = page.locator("footer a").last
        last.scroll_into_view_if_needed()
        page.keyboard.press("End")
        page.wait_for_function("() => window.scrollY + window.innerHeight >= document.body.scrollHeight - 1")
        box = last.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= bar["y"]
        page.locator("nav.club summary").click()
        page.locator("nav.club details").get_by_role("link", name="Record sheet", exact=True).click()
        page.get_by_role("heading", name="Record sheet").wait_for()


def test_a_name_says_whose_letters_it_has_where_they_are_not_those_of_the_page(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
) -> None:
    from handan.club import changes
    from handan.club.store.writing import write

    people = ({"name": "김 민수"}, {"name": "山田 春子", "reading": "やまだ はるこ"}, {"name": "王伟", "country": "CN"})
    keys = [
        entry.subject
        for entry in write(club, lambda s: [changes.players.register_player(s, p) for p in people], author="x")
    ]
    game = {"black": keys[0], "white": keys[1], "result": "B+", "date": "2026-05-01"}
    from handan.club.store.clock import today

    write(club, lambda s: changes.games.record_game(s, game, today()), author="x")
    expected = {"en": {"ko", "ja", "zh-Hans"}, "ja": {"ko", "zh-Hans"}, "ko": {"ja", "zh-Hans"}}
    for language, others in expected.items():
        with screen(browser, 360, extra_http_headers={"Accept-Language": language}) as page:
            page.goto(f"{address}/{club.slug}/players/")
            seen = page.evaluate("() => [...document.querySelectorAll('main [lang]')].map(part => part.lang)")
            assert set(seen) == others, language
            page.goto(f"{address}/{club.slug}/games/")
            seen = page.evaluate("() => [...document.querySelectorAll('main [lang]')].map(part => part.lang)")
            assert set(seen) == others - {"zh-Hans"}, language
