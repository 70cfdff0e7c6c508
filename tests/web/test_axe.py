"""axe-core finds nothing on a few pages, which the seed of the run draws; `make axe` looks at all of them in every way.

axe-core is no Python package: `npm install --no-save axe-core` brings it, or AXE names the file.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from benchmarks.accessibility import LOOK
from handan.wording.languages import LANGUAGES
from tests.conftest import ROOT, SHUFFLE
from tests.database import session_of
from tests.web.test_browser import CHROMIUM, address, browser, member  # noqa: F401  # fixtures
from tests.web.test_every_page_in_a_browser import pages_of
from tests.web.test_roles import full  # noqa: F401  # a fixture
from tests.web.test_room_in_a_browser import screen

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

    from handan.club.store.models import Club

AXE = Path(os.environ.get("AXE") or ROOT / "node_modules" / "axe-core" / "axe.min.js")
PAGES = 10  # our choice: a run has a few seconds for them
pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium"),
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not here; npm install --no-save axe-core"),
]


def test_axe_finds_nothing_on_pages_drawn_by_the_seed(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
    full: dict[str, str],  # noqa: F811
) -> None:
    from handan.club.store.models import Role

    dice, script = Random(SHUFFLE), AXE.read_text(encoding="utf-8")
    language, role = dice.choice(list(LANGUAGES)), dice.choice(list(Role))
    width, scheme = dice.choice((320, 360, 1280)), dice.choice(("light", "dark"))
    cookie, faults = session_of(member(club, role, full["player"])), list[tuple[str, str]]()
    header = {"Accept-Language": language}
    with screen(browser, width, color_scheme=scheme, extra_http_headers=header, bypass_csp=True) as page:
        page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": address}])
        for path in dice.sample(pages_of(club, full, cookie), PAGES):
            page.goto(address + path)
            page.evaluate(script)
            faults += [(path, fault) for fault in page.evaluate(LOOK)]
        page.evaluate("document.body.innerHTML = '<img src=x><input>'")
        assert page.evaluate(LOOK) != []  # it does look
    assert faults == [], f"{role.label} in {language}, {scheme}, at {width}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_pages_of_errors_and_of_long_work(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
    scheme: str,
) -> None:
    dice, script, faults = Random(SHUFFLE), AXE.read_text(encoding="utf-8"), list[tuple[str, str]]()
    language = dice.choice(list(LANGUAGES))
    pages = _that_no_address_leads_to(club, language)
    header = {"Accept-Language": language}
    with screen(browser, 360, color_scheme=scheme, extra_http_headers=header, bypass_csp=True) as page:
        for name, text in pages.items():
            page.route(f"{address}/made/", partial(_answer, text))
            page.goto(f"{address}/made/")
            assert page.locator("h1").is_visible(), name
            page.evaluate(script)
            for width in (320, 360, 1280):
                page.set_viewport_size({"width": width, "height": 800})
                faults += [(name, fault) for fault in page.evaluate(LOOK)]
            page.unroute(f"{address}/made/")
    assert faults == [], f"in {language}, {scheme}"


def _answer(text: str, route: Route) -> None:
    route.fulfill(body=text, content_type="text/html; charset=utf-8")


def _that_no_address_leads_to(club: Club, language: str) -> dict[str, str]:
    """Return pages that are shown when something goes wrong or takes long, by what that is."""
    from django.core.cache import cache
    from django.template.loader import render_to_string
    from django.test import Client, override_settings
    from django.utils.translation import override

    client, strict = (Client(headers={"accept-language": language}, enforce_csrf_checks=on) for on in (False, True))
    wrong = {"username": "nobody", "password": "a wrong phrase"}
    with override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=10):
        large = client.post("/sign-in/", wrong)
    with override_settings(AXES_FAILURE_LIMIT=1):
        often = [client.post("/sign-in/", wrong) for _ in range(2)][-1]
    cache.clear()
    without_token = strict.post("/sign-in/", wrong)
    assert [answer.status_code for answer in (large, often, without_token)] == [413, 429, 403]
    request = client.get(f"/{club.slug}/").wsgi_request
    with override(language):
        work = {"title": "A ledger", "place": "<p>1,000 / 2,000</p>"}
        made = {
            "a fault": render_to_string("500.html", {}, request),
            "long work": render_to_string("handan/long_work.html", work, request),
        }
    return {
        "too large": large.content.decode(), "too often": often.content.decode(),
        "without a token": without_token.content.decode(), **made,
    }  # fmt: skip
