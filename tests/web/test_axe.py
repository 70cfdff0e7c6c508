"""axe-core finds nothing on a few pages, which the seed of the run draws; `make axe` looks at all of them in every way.

axe-core is no Python package: `npm install --no-save axe-core` brings it, or AXE names the file.
"""

from __future__ import annotations

import os
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
    from playwright.sync_api import Browser

    from handan.club.store.models import Club

AXE = Path(os.environ.get("AXE") or ROOT / "node_modules" / "axe-core" / "axe.min.js")
PAGES = 10  # our choice: a run has a few seconds for them
pytestmark = [
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
