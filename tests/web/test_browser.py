"""The walk of a secretary in a real browser, with scripts and without."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from itertools import count
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from handan.club.store.models import Club, Role

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync")  # fmt: skip
PASSWORD = "a long enough phrase"  # of accounts that live as long as the test
NUMBERS = count(1)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium")


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


class _Threads(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and close the thread's connection to the database, which nobody will use again."""
        from django.db import connections

        try:
            super().process_request_thread(request, client_address)
        finally:
            connections.close_all()


@pytest.fixture(scope="module")
def address(database: str) -> Iterator[str]:
    from handan.web.wsgi import application

    with make_server("127.0.0.1", 0, application, _Threads, _Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    import os

    from playwright.sync_api import sync_playwright

    # Playwright keeps an event loop in this thread, in which Django would refuse its database
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        # the worker that keeps the last ladder asks for pages and styles once more: who tests it says "allow"
        made.new_context = partial(made.new_context, service_workers="block")  # type: ignore[method-assign]
        yield made
        made.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


def member(club: Club, role: Role, player: str = "") -> str:
    from handan.club.store.members import new_account, set_member

    user = new_account(f"browser-{next(NUMBERS)}", PASSWORD)
    set_member(club, user, role, player, author="x")
    return str(user.username)


def sign_in(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/sign-in/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{address}/**")


@pytest.fixture(params=["with scripts", "without scripts"])
def page(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    """A page on a phone's screen that notes every request to another site and every fault of a script."""
    scripts = request.param == "with scripts"
    context = browser.new_context(viewport={"width": 390, "height": 800}, java_script_enabled=scripts)
    made = context.new_page()
    faults: list[str] = []
    made.on(
        "request", lambda request: None if request.url.startswith((address, "data:")) else faults.append(request.url)
    )
    made.on("pageerror", lambda error: faults.append(str(error)))
    made.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    yield made
    context.close()
    assert faults == []


def register(page: Page, home: str, name: str, rank: str) -> None:
    page.goto(f"{home}players/new/")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Rank").fill(rank)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("heading", name=name).wait_for()


@pytest.mark.extended
def test_a_secretary_walks_through_the_club(page: Page, address: str, club: Club) -> None:
    from handan.club.store.models import Role

    home = f"{address}/{club.slug}/"
    sign_in(page, address, member(club, Role.SECRETARY))
    register(page, home, "Alice", "10k")
    register(page, home, "Bob", "7k")

    page.goto(f"{home}games/new/")
    page.get_by_label("Black", exact=True).fill("ali")
    page.get_by_label("White", exact=True).fill("bob")
    page.get_by_label("Black by resignation").check()
    page.get_by_label("Handicap").fill("2")
    page.get_by_label("Komi").fill("0.5")
    page.get_by_role("button", name="Preview").click()
    page.locator("#preview").get_by_text("10k 499").wait_for()
    page.get_by_role("button", name="Save").click()
    # South African Go Clubs: 369.95 x 1.5 x 0.9, truncated
    page.get_by_text("= 499.44 → 499").wait_for()
    game = page.url

    page.goto(f"{home}games/new/")
    page.get_by_label("Black", exact=True).fill("Alice")
    page.get_by_label("White", exact=True).fill("Bob")
    page.get_by_label("White won").check()
    page.get_by_label("Handicap").fill("0")
    page.get_by_label("Komi").fill("0")
    page.get_by_label("Date").fill("2026-01-15")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("heading", name=re.compile("Alice – Bob")).wait_for()
    page.get_by_role("link", name="Correct").click()
    page.get_by_label("jigo").check()
    page.get_by_label("Why").fill("the sheet was misread")
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("would move").wait_for()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("corrected, and everything later follows").wait_for()

    page.goto(game)
    page.get_by_role("link", name="Withdraw").click()
    page.get_by_label("Reason").fill("entered twice")
    page.get_by_role("button", name="Withdraw game").click()
    page.get_by_text("was withdrawn").wait_for()

    page.goto(f"{home}lists/")
    page.get_by_label("Label").fill("Winter list")
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("link", name="Winter list").click()
    page.get_by_text("official, as of").wait_for()

    page.goto(f"{home}log/")
    with page.expect_download() as got:
        page.get_by_role("link", name="the whole ledger as one file").click()
    assert got.value.suggested_filename == f"{club.slug}-ledger.jsonl.gz"
