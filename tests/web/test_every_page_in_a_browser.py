"""Every page of the route table, of two roles and in two languages, from the narrowest phone to a desk.

Nothing scrolls sideways, no day is broken over two lines, no letters are small, what is touched is large enough, no
colour stands alone, and what a browser prints has neither forms nor the way to other pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.database import session_of
from tests.web.test_browser import CHROMIUM, address, browser, member  # noqa: F401  # fixtures
from tests.web.test_languages_in_a_browser import PAPER, SCROLLS, TOO_WIDE
from tests.web.test_record_sheet import entered
from tests.web.test_roles import NEEDS, full  # noqa: F401  # a fixture
from tests.web.test_roles import address as path_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from handan.club.store.models import Club

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium"),
]
WIDTHS = (320, 1280)  # the narrowest phone, which is also what 200 % of a small window leaves, and a desk
BETWEEN = (360, 640)  # a common phone, and the last width at which tables are lines
SMALL_TEXT = """() => [...document.querySelectorAll('body *')].filter(part => part.checkVisibility()
    && [...part.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())
    && parseFloat(getComputedStyle(part).fontSize) < (part.closest('svg') ? 12 : 14))
    .map(part => part.outerHTML.slice(0, 120))"""
SMALL_TARGETS = """() => [...document.querySelectorAll('a, button, input, select, summary, textarea')].filter(part => {
    const box = part.getBoundingClientRect(), label = part.closest('label') || (part.labels || [])[0];
    const inline = getComputedStyle(part).display === 'inline' || part.matches('.skip, .unseen') || part.closest('svg');
    const whole = label ? label.getBoundingClientRect() : box;
    const small = Math.max(box.height, whole.height) < 43.9 || Math.max(box.width, whole.width) < 43.9;
    return part.checkVisibility() && part.type !== 'hidden' && !inline && box.width > 0 && small;
}).map(part => part.outerHTML.slice(0, 120))"""
COLOUR_ALONE = """words => [
    ...[...document.querySelectorAll('.stone')].filter(part => !part.closest('.brand')
        && !words.some(word => part.parentElement.textContent.toLowerCase().includes(word.toLowerCase()))),
    ...[...document.querySelectorAll('main .up, main .down')].filter(part => !/[▲▼+−-]/.test(part.textContent)
        && !words.some(word => part.textContent.includes(word))),
].map(part => part.parentElement.outerHTML.slice(0, 160))"""
BROKEN_DAYS = r"""() => {
    const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (text.parentElement.closest('code, pre, svg, option')) continue;
        for (const day of text.data.matchAll(/\d{4}-\d\d-\d\d/g)) {
            const range = document.createRange();
            range.setStart(text, day.index);
            range.setEnd(text, day.index + day[0].length);
            const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
            if (lines.size > 1) found.push(text.parentElement.outerHTML.slice(0, 160));
        }
    }
    return found;
}"""
ON_PAPER = """() => [...document.querySelectorAll('header, footer, form, button, input, select, textarea')]
    .filter(part => part.checkVisibility()).map(part => part.outerHTML.slice(0, 120))"""
WAYS = [("fr", "VISITOR"), ("ja", "ADMINISTRATOR")]
"""Who has the least, and who has all; a longer language, also on paper, has a test of its own."""
MORE = (
    "?as_of=2026-05-01&known=2026-05-02",
    "?as_of=2026-01-31",
    "terms/?one=Ada&other=Bo",
    "pair/?one=Ada&other=Bo",
    "compared/?with=egf",
    "?with=egf",
    "games/nothing/",
)
SERVER = ("/", "/sign-in/", "/reset/", "/privacy/", "/account/", "/clubs/new/", "/clubs/import/",
          "/offline/")  # fmt: skip
OWN_SIZE = {"pdf-", "print-"}  # papers have the size of their sheet, and tests of their own


def pages_of(club: Club, full: dict[str, str], cookie: str) -> list[str]:  # noqa: F811
    """Return the addresses that answer somebody with a page, and one of those that answer with each refusal."""
    from django.test import Client

    client = Client()
    client.cookies["sessionid"] = cookie
    names = sorted(name for names in NEEDS.values() for name in names if not name.startswith(tuple(OWN_SIZE)))
    home = f"/{club.slug}/"
    paths = [*(path_of(name, full) for name in names), *(home + path for path in MORE), *SERVER]
    answers = {path: client.get(path) for path in paths}
    pages = {
        path: answer.status_code if answer.status_code in {403, 404} else path  # all that refuse are one page
        for path, answer in answers.items()
        if answer.status_code in {200, 400, 403, 404} and answer["Content-Type"].startswith("text/html")
    }
    return list({kind: path for path, kind in pages.items()}.values())


@pytest.mark.parametrize(("language", "role"), WAYS)
def test_every_page_fits_can_be_read_and_touched_and_no_colour_stands_alone(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
    full: dict[str, str],  # noqa: F811
    language: str,
    role: str,
) -> None:
    from django.utils.translation import gettext, override

    from handan.club.store.models import Role

    cookie = session_of(member(club, Role[role], full["player"]))
    paths = pages_of(club, full, cookie)
    assert len(paths) > (20 if role == "VISITOR" else 30)
    with override(language):
        words = [way(text) for text in ("black", "white", "win", "loss") for way in (str, gettext)]
    size: Any = {"width": WIDTHS[0], "height": 800}
    context = browser.new_context(viewport=size, extra_http_headers={"Accept-Language": language})
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": address}])
    page, faults = context.new_page(), list[tuple[str, int, str]]()
    for path in paths:
        page.goto(address + path)
        assert page.locator("html").get_attribute("lang") == language, path
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            for fault in (TOO_WIDE, SMALL_TEXT, SMALL_TARGETS, BROKEN_DAYS):
                faults += [(path, width, part) for part in page.evaluate(fault)]
        for width in BETWEEN:
            page.set_viewport_size({"width": width, "height": 800})
            faults += [(path, width, part) for fault in (TOO_WIDE, BROKEN_DAYS) for part in page.evaluate(fault)]
        faults += [(path, 0, part) for part in page.evaluate(COLOUR_ALONE, words)]
        page.emulate_media(media="print")
        page.set_viewport_size({"width": PAPER, "height": 800})
        faults += [(path, PAPER, part) for fault in (ON_PAPER, TOO_WIDE, SCROLLS) for part in page.evaluate(fault)]
        page.emulate_media(media="screen")
    page.evaluate("document.body.innerHTML = '<p>2026-11-21</p>'; document.body.style.width = '4rem'")
    assert page.evaluate(BROKEN_DAYS) != []  # it does look
    context.close()

    assert faults == []


STANDS_OUT = """() => [...document.querySelectorAll('.plate :is(.points, .move, .rank)')].filter(part => {
    const inner = document.createRange(), plate = part.closest('.plate').getBoundingClientRect();
    inner.selectNodeContents(part);
    return inner.getBoundingClientRect().left < plate.left || inner.getBoundingClientRect().right > plate.right;
}).map(part => part.outerHTML)"""


def test_the_head_is_one_line_on_a_phone_and_figures_stay_on_their_plates(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    make_club: Any,
) -> None:
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Role

    club = make_club("egf")
    for player, rating in (("Ada", 2544.4), ("Bo", 1642.1), ("Cy", -136.7)):
        key = entered(club, changes.players.register_player, {"name": player})
        entered(club, changes.players.adjust, key, {"rating": rating}, today(), "entry")
    size: Any = {"width": 360, "height": 800}
    context = browser.new_context(viewport=size)
    cookie = session_of(member(club, Role.SECRETARY))
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": address}])
    page = context.new_page()
    page.goto(f"{address}/{club.slug}/")
    name, account = page.locator(".bar .brand").bounding_box(), page.locator(".bar nav.account").bounding_box()
    assert name is not None
    assert account is not None
    assert account["y"] < name["y"] + name["height"]
    assert account["x"] >= name["x"] + name["width"]
    page.goto(f"{address}/account/")  # where the head has no room for it, the page of the account signs out
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").first.wait_for()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{address}/{club.slug}/")
    assert page.locator(".plate .points").count() == 3
    assert page.evaluate(STANDS_OUT) == []
    context.close()
