"""What axe finds on the pages of a server: every page by role, width, look (light, dark, large, calm), and language.

`make axe AXE=axe.min.js` asks a server that `make serve` has started; axe-core (MPL-2.0) is not part of the project and
is given as a file. Any finding of any impact fails, and any page that does not answer as it should: what was looked at
would be a page of an error. A page is loaded once per look, and looked at in every width. A line per way is printed as
it ends. tests/web/test_axe.py looks at a few pages of this in the suite.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from handan.paper import PAPERS
from handan.wording.languages import LANGUAGES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PASSWORD = "demonstration-only"  # of every account of the demonstration
LOOKS: dict[str, dict[str, str]] = {
    "light": {"scheme": "light"},
    "dark": {"scheme": "dark"},
    "large": {"letters": "large", "scheme": "light"},
    "calm": {"numbers": "hidden", "scheme": "dark"},
}
"""What somebody may choose of the look of all pages, as cookies; the tablet's pages are among those of visitors."""
PAGES = {
    "": ("", "start/", "games/", "terms/?one={0}&other={1}", "card/", "players/", "players/{0}/", "players/{0}/next/",
         "figures/", "pair/?one={0}&other={1}", "lists/", "lists/1/", "rules/", "kiosk/", "kiosk/?one={0}&other={1}",
         "clubs/", "games/{3}/", "events/", "events/{4}/", "league/", "league/?cup=on", "compared/",
         "compared/?with=egf", "?as_of=2026-01-31", "?as_of=someday",
         "terms/?one=nobody&other=somebody", "print/", *(f"print/{paper}/?month=1999-01" for paper in PAPERS),
         "print/plates/?who=x",
         "/", "/sign-in/", "/reset/", "/reset/sent/", "/reset/nothing/", "/join/nothing/", "/privacy/",
         "/offline/", "/nothing/", "nothing/"),
    "visitor": ("", "start/", "log/", "/account/"),
    "player": ("", "start/", "games/enter/", "games/new/", "games/{3}/", "log/", "sheets/", "submissions/",
               "/account/", "members/"),
    "keeper": ("start/", "tonight/", "games/enter/", "games/enter/?one={0}&other={1}", "games/new/", "games/sheet/",
               "log/", "submissions/",
               "sheets/", "sheets/{2}/", "games/{3}/", "games/{3}/correct/", "evenings/{4}/move/",
               "games/{3}/withdraw/", "games/{3}/confirm/", "games/{3}/dispute/", "log/1/", "log/1/take-back/",
               "log/check/", "card/year/",
               "/account/"),
    "secretary": ("", "start/", "members/", "register/", "register/?due=on", "lists/", "players/{0}/", "players/new/",
                  "print/", "/account/"),
    "officer": ("start/", "lists/", "players/{0}/adjust/", "visitors/"),
    "administrator": ("office/", "card/choose/", "card/edit/", "members/", "visitors/", "who-is-who/", "players/new/",
                      "players/list/", "players/{0}/edit/", "players/{0}/adjust/", "players/{0}/",
                      "players/{0}/own/", "players/{0}/forget/", "players/{0}/withdraw/", "zone/", "rules/",
                      "/clubs/new/", "/clubs/import/"),
}  # fmt: skip
"""Pages of a club, or of the server, by the account that looks at them.

Two players, a sheet, a game and an evening are in numbers.
"""
REFUSED = {
    "?as_of=someday": 400, "/join/nothing/": 400, "/reset/nothing/": 404, "/nothing/": 404, "nothing/": 404,
    "print/certificate/?month=1999-01": 400,
    "player members/": 403, "keeper games/{3}/confirm/": 400, "keeper log/1/take-back/": 404,
    "administrator players/{0}/withdraw/": 400,
}  # fmt: skip
"""Pages that tell of an error, behind the role if there is one, and the status; all others answer 200."""
WRITTEN = {
    "games/sheet/": ("[name=look]", {"black": "Nobody", "white": "Somebody"}),
    "players/list/": ("main button", {"text": "Newcomer One\t5k"}),
    "games/new/": ("[name=preview]", {"black": "Nobody", "white": "Somebody", "result": "B+"}),
    "/sign-in/": ("main button", {"username": "nobody", "password": "not this one"}),
    "card/edit/": ("[name=preview]", {"text": "0-4: even"}),
    "who-is-who/": ("[name=preview]", {"player": "Nobody", "into": "Somebody"}),
}
"""What is typed on pages that answer to it, and the button that is pressed then; both states are looked at."""
LOOK = """() => axe.run({resultTypes: ['violations']})
    .then(answer => answer.violations.map(fault => `${fault.impact} ${fault.id}: ${fault.nodes[0].html}`))"""


def main() -> None:
    """Look at every page, and print what axe finds and how many pages it looked at, way by way."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("axe", type=Path, help="axe.min.js of axe-core")
    options.add_argument("--address", default="http://127.0.0.1:8000/sakura/", help="of a club of the demonstration")
    options.add_argument("--languages", default=",".join(LANGUAGES))
    options.add_argument("--widths", default="360,704,1180")
    options.add_argument("--looks", default=",".join(LOOKS))
    options.add_argument("--roles", default=",".join(PAGES), help="nothing before the first comma: without an account")
    options.add_argument("--only", default="", help="a part of the addresses of pages")
    given = options.parse_args()
    from playwright.sync_api import sync_playwright

    script, widths = given.axe.read_text(encoding="utf-8"), [int(width) for width in given.widths.split(",")]
    ways = list(product(given.languages.split(","), given.roles.split(","), given.looks.split(",")))
    pages = findings = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for language, role, look in ways:
            parts = [part for part in PAGES[role] if given.only in part]
            looked_at, faults = _faults(browser, given.address, script, (role, language, look), widths, parts)
            pages, findings = pages + looked_at, findings + len(faults)
            way = f"{role or 'nobody'} {language} {look}"
            lines = (f"{way}: {looked_at} pages, {len(faults)} findings", *(f"  {way} {fault}" for fault in faults))
            sys.stdout.write("".join(f"{line}\n" for line in lines))
            sys.stdout.flush()
        browser.close()
    sys.stdout.write(f"{pages} pages, {findings} findings\n")
    sys.exit(bool(findings))


def _faults(
    browser: Browser, club: str, script: str, way: tuple[str, str, str], widths: list[int], parts: list[str]
) -> tuple[int, list[str]]:
    """Return at how many pages of a role axe looked in a language and look, each width for itself, and its findings."""
    role, language, look = way
    context = browser.new_context(extra_http_headers={"Accept-Language": language}, bypass_csp=True)
    server = urljoin(club, "/")  # a cookie of the club's pages would not reach those that belong to no club
    context.add_cookies([{"name": name, "value": value, "url": server} for name, value in LOOKS[look].items()])
    page = context.new_page()
    if role:
        _sign_in(page, club, role)
    keys, looked_at, faults = _keys(page, club), 0, list[str]()

    def find(part: str) -> None:
        nonlocal looked_at
        page.evaluate(script)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 800})
            faults.extend(f"{width} {part}: {text}" for text in page.evaluate(LOOK))
            looked_at += 1

    for part in parts:
        answer = page.goto(urljoin(club, part.format(*keys)))
        status = answer.status if answer else 0
        if status != REFUSED.get(f"{role} {part}".strip(), 200):
            faults.append(f"{part}: answers {status}")
        find(part)
        if part in WRITTEN:
            button, fields = WRITTEN[part]
            for name, text in fields.items():
                field = page.locator(f"main [name={name}]").first
                if field.get_attribute("type") == "radio":
                    page.locator(f"main [name={name}][value='{text}']").check()
                else:
                    field.fill(text)
            page.locator(button).last.click()
            page.wait_for_load_state()
            find(f"{part} as answered")
    context.close()
    return looked_at, faults


def _keys(page: Page, club: str) -> list[str]:
    """Return the keys of two players, a sheet, a game, and an evening with an event, as the pages link to them."""
    page.goto(f"{club}players/")
    keys: list[str] = page.eval_on_selector_all(
        "td.first a", "links => links.slice(0, 2).map(a => a.href.split('/').at(-2))"
    )
    page.goto(f"{club}sheets/")
    keys += page.eval_on_selector_all("td.first a", "links => links.slice(0, 1).map(a => a.href.split('/').at(-2))")
    keys = [*keys, "nobody", "nobody", "none"][:3]  # strangers see no sheet
    page.goto(f"{club}games/")
    keys += page.eval_on_selector_all("a[href*='/games/g']", "links => [links[0].href.split('/').at(-2)]")
    page.goto(f"{club}events/")
    keys += page.eval_on_selector_all("td.line a", "links => [links[0].href.split('/').slice(-3, -1).join('/')]")
    return keys


def _sign_in(page: Page, club: str, role: str) -> None:
    page.goto(club.rsplit("/", 2)[0] + "/sign-in/")
    page.fill("[name=username]", role)
    page.fill("[name=password]", PASSWORD)
    page.locator("main button").first.click()
    page.wait_for_load_state()


if __name__ == "__main__":
    main()
