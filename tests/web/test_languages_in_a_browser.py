"""Pages in a language half as long again, on the narrowest phone; and the switch of languages without scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.database import session_of
from tests.web.test_browser import CHROMIUM, address, browser, member  # noqa: F401  # fixtures
from tests.web.test_roles import full  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from handan.club.store.models import Club

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium"),
]
NARROW = {"width": 320, "height": 640}
TOO_WIDE = """() => document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] :
    [...document.querySelectorAll('main *')].filter(part => !part.closest('.unseen')
        && part.getBoundingClientRect().right > document.documentElement.clientWidth)
    .map(part => part.outerHTML.slice(0, 120))"""
"""The parts of a page that stand out of it."""
SCROLLS = """() => [...document.querySelectorAll('main *')].filter(part => part.scrollWidth > part.clientWidth + 1
    && getComputedStyle(part).overflowX === 'auto' && !part.closest('.unseen'))
    .map(part => part.outerHTML.slice(0, 200))"""
"""The parts of a page that scroll sideways by themselves."""
KEPT = re.compile(r"(%\(\w+\)s|\{[^}]*\}|<[^>]*>)")


def longer(text: str) -> str:
    """Return a message half as long again, with accents and without new words to break at; placeholders stay."""
    parts = KEPT.split(text)
    widened = [
        part if number % 2 else re.sub(r"\w*[^\W\d_]\b", _longer_word, part) for number, part in enumerate(parts)
    ]
    return "".join(widened)


def _longer_word(match: re.Match[str]) -> str:
    word = match[0].translate(str.maketrans("aeiouAEIOU", "áéíóúÁÉÍÓÚ"))
    return word + "ñ" * max(1, len(word) // 2)


@pytest.fixture
def pseudo(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make every message of the German pages that of the pseudo-language."""
    from django.utils.translation import trans_real

    from tests.catalogs import messages

    words: dict[str | tuple[str, int], str] = {}
    for message in messages("de"):
        if message.id:
            ids = [message.id] if isinstance(message.id, str) else list(message.id)
            key = f"{message.context}\x04{ids[0]}" if message.context else ids[0]
            words |= {key: longer(ids[0])} if len(ids) == 1 else {(key, form): longer(ids[form]) for form in (0, 1)}
    german, catalog = trans_real.translation("de"), trans_real.TranslationCatalog()
    catalog._catalogs = [words]
    catalog.__dict__["_plurals"] = [german.plural]
    monkeypatch.setattr(german, "_catalog", catalog)
    _forget_translations()
    yield
    _forget_translations()


def _forget_translations() -> None:
    """Let what keeps words and clauses translate anew."""
    from handan.web.pages import formatting, refusals

    for kept in (refusals._sentence, formatting._terms_in):
        kept.cache_clear()


TABLET = (704, 800, 960, 1100)
PAPER = 718  # pixels of a sheet of A4 between margins of a centimetre


def tables(full: dict[str, str]) -> tuple[str, ...]:  # noqa: F811
    """Return the pages of a club that have a table."""
    return (
        "?view=list", "games/", "games/sheet/", "lists/", "lists/1/", "log/", "members/", "players/", "sheets/",
        f"sheets/{full['entered-sheet']}/", f"players/{full['player']}/", f"games/{full['game']}/", "who-is-who/",
        "figures/", "pair/?one=Ada&other=Bo", "compared/?with=egf", "?with=egf&with=elo",
    )  # fmt: skip


def test_no_page_is_wider_than_its_screen_in_a_long_language(
    pseudo: None,
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
    full: dict[str, str],  # noqa: F811
) -> None:
    from handan.club.store.models import Role

    context = browser.new_context(viewport=NARROW, extra_http_headers={"Accept-Language": "de"})  # type: ignore[arg-type]
    cookie = session_of(member(club, Role.ADMINISTRATOR))
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": address}])
    page, home, faults = context.new_page(), f"{address}/{club.slug}/", list[tuple[str, int, str]]()
    with_tables = {home + path for path in tables(full)}
    kinds = ("", "games/", "games/new/", "games/enter/", "games/sheet/", "terms/?one=Ada&other=Bo", "lists/", "rules/",
             "print/", "card/", "card/edit/", "card/year/", "office/",
             "log/", "members/", "visitors/", "who-is-who/", "players/new/", f"players/{full['player']}/",
             f"games/{full['game']}/", f"games/{full['confirm-game']}/confirm/", "lists/1/", "start/", "players/",
             "players/list/",
             "figures/", "pair/?one=Ada&other=Bo")  # fmt: skip
    server = [f"{address}/{path}/" for path in ("account", "privacy", "clubs/new", "clubs/import")]
    for path in dict.fromkeys([*(home + kind for kind in kinds), *server, *sorted(with_tables)]):
        answer = page.goto(path)
        assert answer is not None
        assert answer.status < (400 if path in with_tables else 500), path
        assert (
            "ñ" in page.locator("h1").inner_text()
            or "players/p" in path
            or "start" in path
            or "pair" in path
            or "games/g" in path
            or "account" in path
        ), path
        for width in sorted({320, *TABLET, 1280}) if path in with_tables else (320, 704, 880, 1024, 1280):
            page.set_viewport_size({"width": width, "height": 640})
            faults += [(path, width, part) for part in page.evaluate(TOO_WIDE)]
            if path in with_tables and width in TABLET:
                faults += [(path, width, part) for part in page.evaluate(SCROLLS)]
        page.emulate_media(media="print")
        page.set_viewport_size({"width": PAPER, "height": 800})
        faults += [(path, PAPER, part) for part in page.evaluate(TOO_WIDE) + page.evaluate(SCROLLS)]
        page.emulate_media(media="screen")
    context.close()

    assert faults == []


@pytest.mark.parametrize("language", ["de", "fr"])
def test_no_table_scrolls_by_itself_on_a_tablet(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
    full: dict[str, str],  # noqa: F811
    language: str,
) -> None:
    """German and French have the longest words of the languages of the pages; longer ones have the test above."""
    from handan.club.store.models import Role

    header = {"Accept-Language": language}
    context = browser.new_context(viewport=NARROW, extra_http_headers=header)  # type: ignore[arg-type]
    cookie = session_of(member(club, Role.ADMINISTRATOR))
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": address}])
    page, home, faults = context.new_page(), f"{address}/{club.slug}/", list[tuple[str, int, str]]()
    for path in tables(full):
        answer = page.goto(home + path)
        assert answer is not None
        assert answer.status == 200, path
        for width in TABLET:
            page.set_viewport_size({"width": width, "height": 900})
            faults += [(path, width, part) for part in page.evaluate(TOO_WIDE) + page.evaluate(SCROLLS)]
    context.close()

    assert faults == []


def test_a_visitor_without_scripts_chooses_a_language_at_the_foot(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=NARROW)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{address}/{club.slug}/games/")
    page.locator("details.display summary").click()
    page.get_by_role("button", name="한국어").click()
    page.get_by_role("heading", name="대국").wait_for()
    assert page.url == f"{address}/{club.slug}/games/"
    assert page.locator("html").get_attribute("lang") == "ko"
    page.goto(f"{address}/{club.slug}/")
    page.get_by_role("heading", name="순위표").wait_for()
    context.close()
