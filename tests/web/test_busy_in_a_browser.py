"""A form that is sent says that it is worked on, and is not sent a second time."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING, Any

import pytest

from tests.database import session_of
from tests.web.test_browser import CHROMIUM, address, browser, member  # noqa: F401  # fixtures
from tests.web.test_pages import registered, signed_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Request

    from handan.club.store.models import Club

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium"),
]
LONG = 60.0  # seconds that nobody waits in full
WATCH = """() => {
    const status = document.querySelector('main .working[role=status]'), button = document.querySelector('[name=save]');
    sessionStorage.before = status.textContent;
    new MutationObserver(() => {
        if (sessionStorage.words || !status.textContent) return;
        sessionStorage.words = status.textContent;
        sessionStorage.state = button.getAttribute('aria-disabled') + ' ' + button.form.getAttribute('aria-busy');
        button.click();
        fetch('/nothing/?pressed-twice');
    }).observe(status, {childList: true, subtree: true});
}"""


def test_a_form_says_that_it_is_worked_on_and_is_sent_once(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from handan.club.store.models import Role
    from handan.web.pages.here import Here

    secretary = signed_in(club, Role.SECRETARY)
    for name in ("Ada", "Bo"):
        registered(secretary, club, name, "1d")
    context = browser.new_context(viewport={"width": 390, "height": 800})
    context.add_cookies([{"name": "sessionid", "value": session_of(member(club, Role.KEEPER)), "url": address}])
    page, forms, pressed = context.new_page(), list[str](), threading.Event()
    write = Here.write

    def slow(*given: Any) -> Any:
        assert pressed.wait(LONG)
        return write(*given)

    def note(request: Request) -> None:
        if "pressed-twice" in request.url:
            pressed.set()
        elif request.method == "POST" and request.is_navigation_request():
            forms.append(request.url)

    monkeypatch.setattr(Here, "write", slow)
    page.on("request", note)
    page.goto(f"{address}/{club.slug}/games/new/")
    page.get_by_label("Black", exact=True).fill("Ada")
    page.get_by_label("White", exact=True).fill("Bo")
    page.get_by_label("Black by resignation").check()
    page.evaluate(WATCH)
    button = page.get_by_role("button", name="Save")
    button.click()
    page.get_by_role("heading", name=re.compile("Ada – Bo")).wait_for()
    assert page.evaluate("sessionStorage.before") == ""  # the place stands there first, as readers of screens need it
    assert page.evaluate("sessionStorage.words").startswith("Working on it.")
    assert page.evaluate("sessionStorage.state") == "true true"
    assert len(forms) == 1
    page.go_back()
    button.wait_for()
    assert button.get_attribute("aria-disabled") is None
    assert page.locator("form[aria-busy=true]").count() == 0
    context.close()
