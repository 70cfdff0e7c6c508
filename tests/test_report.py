"""`handan report`: one page of a club that works offline, reads well on a phone and prints well."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path

import pytest

import handan
from handan import shortcuts
from handan.reports import as_html, club_report, report
from handan.systems import SYSTEMS
from tests.command_line import games, run
from tests.conftest import ROOT
from tests.forms import EACH_KIND, extended_but

GAMES = ROOT / "examples" / "games.csv"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report") / "club.html"
    answer = run("report", GAMES, "--system", "sagc", "--since", "2026-09-10", "-o", out, "--title", "Lake & <Shore>")
    assert answer.status == 0, answer.err
    return out


@pytest.mark.parametrize("system", extended_but(EACH_KIND, SYSTEMS))
def test_the_page_shows_what_the_ratings_say_in_every_system(system: str) -> None:
    ratings = shortcuts.rate(handan.read(GAMES), system)
    content = report(ratings, "Club", since="2026-09-10")
    table = ratings.table()
    assert [row.player for row in content.rows] == table["player"].to_list()
    for card in content.cards:
        history = ratings.history(card.player)
        assert [entry.result for entry in card.entries] == history["result"].to_list()
    for (one, other), (_, words) in content.terms.items():
        pair = sorted((one, other), key=content.paired.index)
        assert words.startswith(ratings.fair_terms(*pair).text)


def test_movement_on_the_page_is_that_between_two_ladders(page: Path) -> None:
    ledger = handan.read(GAMES)
    now, then = handan.rate(ledger, "sagc"), handan.rate(ledger.as_of("2026-09-10"), "sagc")
    places = dict(then.table().select("player", "place").iter_rows())
    for row in now.table(since="2026-09-10").iter_rows(named=True):
        assert row["places_up"] == (places[row["player"]] - row["place"])
    text = page.read_text(encoding="utf-8")
    assert "▲ 1" in text or "▼ 1" in text or text.count("–") >= 4
    rows = {
        row["player"]: row
        for row in run("rate", GAMES, "--system", "sagc", "--since", "2026-09-10", "--format", "csv").csv
    }
    assert set(rows["Alice"]) >= {"place_before", "places_up", "rank_before", "rating_before", "rating_change"}


def test_the_page_loads_nothing_and_runs_nothing(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r"<script|<link|<iframe|\son\w+=|https?://", text)
    assert "<h1>Lake &amp; &lt;Shore&gt;</h1>" in text


def test_a_name_cannot_steer_the_page(tmp_path: Path) -> None:
    bad = '<img src=x onerror=alert(1)>"'
    played = games(tmp_path / "games.csv", f"2026-05-01,{bad.replace(chr(34), '')},Bo,B+R,0,6.5,club")
    out = tmp_path / "club.html"
    assert run("report", played, "--system", "elo", "-o", out).status == 0
    text = out.read_text(encoding="utf-8")
    assert "<img src=x" not in text
    assert html.escape("<img src=x onerror=alert(1)>") in text


def test_a_large_club_is_bounded_and_the_page_says_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, limit in (("MOST_CARDS", 2), ("MOST_GAMES", 1), ("MOST_PAIRED", 3)):
        monkeypatch.setattr(club_report, name, limit)
    content = report(handan.rate(handan.read(GAMES), "elo"), "Club")
    assert (len(content.rows), len(content.cards), len(content.paired)) == (4, 2, 3)
    assert all(len(card.entries) <= 1 for card in content.cards)
    text = as_html(content)
    assert "leaves out the cards of 2 members" in text
    assert "older line" in text


def test_nothing_rated_writes_no_page_and_an_input_is_never_written_over(tmp_path: Path) -> None:
    empty = tmp_path / "none.csv"
    empty.write_text("black,white,result\n", encoding="utf-8")
    out = tmp_path / "club.html"
    assert run("report", empty, "--system", "elo", "-o", out).status == 2
    assert not out.exists()
    own = tmp_path / "games.csv"
    shutil.copy(GAMES, own)
    answer = run("report", own, "--system", "elo", "-o", own)
    assert answer.status == 2
    assert own.read_bytes() == GAMES.read_bytes()


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.extended
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium")
def test_a_phone_a_desk_and_a4_show_all_of_it_without_a_network(tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    played, page = tmp_path / "games.csv", tmp_path / "club.html"
    longer = GAMES.read_text(encoding="utf-8").replace("Bob", "Robin Ashgrove (club:11)").replace("Dave", "山田 春子")
    played.write_text(longer, encoding="utf-8")
    assert run("report", played, "--system", "egf", "--since", "2026-09-10", "-o", page).status == 0
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(viewport={"width": 360, "height": 800}, offline=True)
        sheet = context.new_page()
        complaints: list[str] = []
        sheet.on("console", lambda message: complaints.append(message.text))
        sheet.on("requestfailed", lambda request: complaints.append(request.url))
        sheet.goto(page.as_uri())
        beyond = "document.documentElement.scrollWidth - innerWidth"
        assert sheet.evaluate(beyond) <= 0
        cards = "[...document.querySelectorAll('.card, .ladder')].map(e => e.scrollWidth - e.parentElement.clientWidth)"
        assert max(sheet.evaluate(cards)) <= 0
        sheet.set_viewport_size({"width": 1280, "height": 900})
        assert sheet.evaluate(beyond) <= 0
        sheet.set_viewport_size({"width": 703, "height": 1020})  # A4 less its margins, at 96 pixels an inch
        sheet.emulate_media(media="print")
        assert sheet.evaluate(beyond) <= 0
        assert pages_of(sheet.pdf(prefer_css_page_size=True)) <= 3  # of four members: no section begins a page
        assert complaints == []
        browser.close()


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium")
@pytest.mark.extended
@pytest.mark.parametrize("system", ["points", "elo"])
def test_a_small_club_prints_on_few_pages_whose_tables_do_not_overflow(system: str, tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    page = tmp_path / "club.html"
    assert run("report", GAMES, "--system", system, "-o", page).status == 0
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        sheet = browser.new_page(viewport={"width": 703, "height": 1020})  # A4 less its margins, at 96 pixels an inch
        sheet.goto(page.as_uri())
        sheet.emulate_media(media="print")
        wide = "[...document.querySelectorAll('.wide')].map(e => e.scrollWidth - e.clientWidth)"
        assert max(sheet.evaluate(wide)) <= 0
        assert pages_of(sheet.pdf(prefer_css_page_size=True)) <= 3
        browser.close()
