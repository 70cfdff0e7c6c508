"""Other websites: those that the operator names show ladders and cards in a frame and read what visitors see."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING
from wsgiref.simple_server import make_server

import pytest

from handan.club import changes
from handan.errors import InputError
from handan.web.configuration import configured
from tests.web.test_browser import CHROMIUM, address, browser  # noqa: F401  # fixtures

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from handan.club.store.models import Club

SITE, OTHER = "http://fed.example", "http://elsewhere.example"


@pytest.fixture
def club(make_club: Callable[..., Club]) -> Club:
    from handan.club.store.writing import write

    made = make_club("elo")
    write(made, lambda state: changes.players.register_player(state, {"name": "Ada"}), author="x")
    write(made, lambda state: changes.players.register_player(state, {"name": "Bo"}), author="x")
    game = {"black": "p2", "white": "p3", "result": "B+", "date": "2026-05-01"}
    write(made, lambda state: changes.games.record_game(state, game, date(2026, 6, 1)), author="x")
    return made


def allow(monkeypatch: pytest.MonkeyPatch, *origins: str) -> None:
    from django.conf import settings

    monkeypatch.setattr(settings, "ALLOWED_ORIGINS", origins)


def test_only_sites_that_are_named_read_and_frame(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.test import Client

    client = Client()
    calls, frames = (f"/api/clubs/{club.slug}/players", f"/{club.slug}/ladder.json"), (
        f"/{club.slug}/?embed=1", f"/{club.slug}/players/p2/?embed=1",
    )  # fmt: skip
    for origins, site, allowed in (((), SITE, False), ((SITE,), SITE, True), ((SITE,), OTHER, False)):
        allow(monkeypatch, *origins)
        for path in (*calls, *frames):
            answer = client.get(path, headers={"Origin": site})
            assert answer.headers.get("Access-Control-Allow-Origin") == (site if allowed else None), path
            assert "Access-Control-Allow-Credentials" not in answer.headers
            assert ("Origin" in answer.headers.get("Vary", "")) == bool(origins), path
        for path in frames:
            answer = client.get(path)
            framed = f"frame-ancestors {SITE};" in answer.headers["Content-Security-Policy"]
            assert framed == ("X-Frame-Options" not in answer.headers) == bool(origins), path
            assert "Ada" in answer.content.decode()
            assert "<form" not in answer.content.decode()
        whole = client.get(f"/{club.slug}/")
        assert "frame-ancestors 'none'" in whole.headers["Content-Security-Policy"]
        assert whole.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("origin", ["fed.example", "https://fed.example/path", "*", "https://a.example; default-src *"])
def test_what_is_no_origin_is_refused(origin: str) -> None:
    with pytest.raises(InputError, match=r"is no origin such as https://fed\.example"):
        configured({"HANDAN_ALLOWED_ORIGINS": origin})
    assert configured({"HANDAN_ALLOWED_ORIGINS": f"{SITE}, {OTHER}"}).allowed_origins == (SITE, OTHER)


@pytest.mark.extended
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium")
def test_a_page_of_another_site_shows_a_ladder_if_it_is_allowed_and_not_otherwise(
    club: Club, address: str, browser: Browser, monkeypatch: pytest.MonkeyPatch,  # noqa: F811
) -> None:  # fmt: skip
    def site(_: object, start_response: Callable[..., object]) -> list[bytes]:
        start_response("200 OK", [("Content-Type", "text/html")])
        return [f'<iframe src="{address}/{club.slug}/?embed=1"></iframe>'.encode()]

    read = f"fetch('{address}/{club.slug}/ladder.json').then(r => r.json()).then(d => d.players.length, () => null)"
    with make_server("127.0.0.1", 0, site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{server.server_port}"
        for allowed in (True, False):
            allow(monkeypatch, origin if allowed else OTHER)
            page = browser.new_page()
            page.goto(origin)
            page.wait_for_load_state("networkidle")
            assert ("Club under test" in page.frames[1].content()) == allowed
            assert page.evaluate(read) == (2 if allowed else None)
            page.close()
        server.shutdown()
