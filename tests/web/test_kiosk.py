"""The club's own tablet, and a device without a network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_browser import CHROMIUM, address, browser, member, sign_in  # noqa: F401  # fixtures
from tests.web.test_entering import fill
from tests.web.test_pages import signed_in, text
from tests.web.test_touches import Walk, points  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from handan.club.store.models import Club

TABLET: Any = {"width": 1024, "height": 768}
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium")


def test_the_tablet_says_the_terms_that_the_form_saves(points: tuple[Club, dict[str, str]]) -> None:  # noqa: F811
    from django.test import Client

    from handan.club.store.models import Role

    club, keys = points
    pair = f"?one={keys['鈴木 一郎']}&other={keys['山田 春子']}"
    visitor, keeper = Client(), signed_in(club, Role.KEEPER)
    pages = {name: visitor.get(f"/{club.slug}/kiosk/{pair}") for name in ("kiosk",)}
    pages["enter"] = keeper.get(f"/{club.slug}/games/enter/{pair}")
    agreed = [re.search(r'class="agreed">(.*?)</p>', page.content.decode()) for page in pages.values()]
    assert agreed[0]
    assert agreed[1]
    assert agreed[0][1] == agreed[1][1]
    assert "won" not in re.findall(r'name="(\w+)"', pages["kiosk"].content.decode())
    assert "鈴木" in text(pages["kiosk"])


def test_only_a_keeper_saves_on_the_tablet_and_comes_back_to_its_wall(
    points: tuple[Club, dict[str, str]],  # noqa: F811
) -> None:
    from django.test import Client

    from handan.club.store.cache import state_of
    from handan.club.store.models import Role

    club, keys = points
    path = f"/{club.slug}/kiosk/"
    keeper = signed_in(club, Role.KEEPER)
    page = keeper.get(f"{path}?one={keys['鈴木 一郎']}&other={keys['山田 春子']}").content.decode()
    fields = dict(re.findall(r'name="(token|handicap|komi)" value="([^"]*)"', page))
    won = re.search(r'name="won" value="([^"]+)"', page)
    assert won
    refused = [client.post(path, {**fields, "won": won[1]}) for client in (Client(), signed_in(club, Role.PLAYER))]
    assert [answer.status_code for answer in refused] == [403, 403]
    assert state_of(club).games.height == 0
    saved = keeper.post(path, {**fields, "won": won[1]})
    assert (saved.status_code, saved["Location"]) == (302, path)
    assert state_of(club).games.height == 1


@needs_chromium
def test_terms_are_two_touches_on_the_tablet_and_go_away_by_themselves(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    points: tuple[Club, dict[str, str]],  # noqa: F811
) -> None:
    club, _ = points
    context = browser.new_context(viewport=TABLET, has_touch=True)
    page = context.new_page()
    page.clock.install()
    page.goto(f"{address}/{club.slug}/kiosk/")
    visitor = Walk(page)
    for name in ("鈴木 一郎", "山田 春子"):
        visitor.touch(page.locator("#wall a.pick").filter(has_text=name))
    assert visitor.cost() == (2, 0)
    size = page.locator(".agreed").evaluate("part => parseFloat(getComputedStyle(part).fontSize)")
    assert size >= 27
    small = page.evaluate(
        "() => [...document.querySelectorAll('main a.button, main button, main .pick')].filter(part => "
        "part.getBoundingClientRect().height < 63.9).map(part => part.outerHTML)"
    )
    assert small == []
    page.clock.run_for(29_000)
    assert "other=" in page.url
    page.clock.run_for(2_000)
    page.wait_for_url(f"{address}/{club.slug}/kiosk/")
    context.close()


@needs_chromium
def test_without_a_network_the_last_ladder_stands_and_nothing_of_members(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
) -> None:
    from handan.club.store.models import Role

    fill(club)
    context = browser.new_context()
    page = context.new_page()
    name = member(club, Role.KEEPER)
    sign_in(page, address, name)
    for _ in range(2):  # the second visit is served by the script that the first brought
        page.goto(f"{address}/{club.slug}/")
        page.evaluate("() => navigator.serviceWorker.ready.then(() => undefined)")
    page.wait_for_function(f"() => caches.match('/{club.slug}/').then(answer => !!answer)")
    context.set_offline(True)
    page.reload()
    page.get_by_text("There is no network").wait_for()
    assert page.locator(".plate").filter(has_text="鈴木").count() == 1
    assert name not in page.content()
    page.goto(f"{address}/{club.slug}/games/")
    page.get_by_role("heading", name="No network").wait_for()
    context.close()
