"""What axe finds on the pages of a server: every page by role, width, look (light, dark, large, calm), and language.

`make axe AXE=axe.min.js` asks a server that `make serve` has started; axe-core (MPL-2.0) is not part of the project and
is given as a file. Any finding of any impact fails. tests/web/test_axe.py looks at a few pages of this in the suite.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

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
         "figures/", "pair/?one={0}&other={1}", "lists/", "rules/", "print/", "kiosk/", "kiosk/?one={0}&other={1}",
         "games/{3}/", "compared/?with=egf", "?as_of=2026-01-31", "print/cards/", "print/sheet/",
         "/", "/sign-in/", "/reset/", "/privacy/", "/design/", "/offline/", "/nothing/", "nothing/"),
    "visitor": ("", "start/", "log/", "/account/"),
    "player": ("", "start/", "games/enter/", "games/new/", "games/{3}/", "log/", "sheets/", "/account/", "members/"),
    "keeper": ("start/", "games/enter/", "games/enter/?one={0}&other={1}", "games/new/", "games/sheet/", "log/",
               "sheets/", "sheets/{2}/", "games/{3}/", "games/{3}/correct/", "games/{3}/withdraw/", "log/1/",
               "log/check/", "card/year/", "/account/"),
    "secretary": ("", "start/", "members/", "lists/", "players/{0}/", "players/new/", "print/", "/account/"),
    "officer": ("start/", "lists/", "players/{0}/adjust/", "visitors/"),
    "administrator": ("office/", "card/edit/", "members/", "visitors/", "who-is-who/", "players/new/",
                      "players/list/", "players/{0}/edit/", "players/{0}/adjust/", "players/{0}/",
                      "players/{0}/own/", "players/{0}/forget/", "players/{0}/withdraw/", "zone/", "rules/",
                      "/clubs/new/", "/clubs/import/"),
}  # fmt: skip
"""Pages of a club, or of the server, by the account that looks at them; two players, a sheet and a game in numbers."""
WRITTEN = {
    "games/sheet/": ("[name=look]", {"black": "Nobody", "white": "Somebody"}),
    "players/list/": ("main button", {"text": "Newcomer One\t5k"}),
    "games/new/": ("[name=preview]", {"black": "Nobody", "white": "Somebody"}),
}
"""What is typed on pages that answer to it, and the button that is pressed then; both states are looked at."""
LOOK = """() => axe.run({resultTypes: ['violations']})
    .then(answer => answer.violations.map(fault => `${fault.impact} ${fault.id}: ${fault.nodes[0].html}`))"""


def main() -> None:
    """Look at every page and print what axe finds."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("axe", type=Path, help="axe.min.js of axe-core")
    options.add_argument("--address", default="http://127.0.0.1:8000/sakura/", help="of a club of the demonstration")
    options.add_argument("--languages", default=",".join(LANGUAGES))
    options.add_argument("--widths", default="360,704,1180")
    options.add_argument("--looks", default=",".join(LOOKS))
    given = options.parse_args()
    from playwright.sync_api import sync_playwright

    script = given.axe.read_text(encoding="utf-8")
    ways = list(product(PAGES, given.languages.split(","), map(int, given.widths.split(",")), given.looks.split(",")))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        faults = [fault for way in ways for fault in _faults(browser, given.address, script, *way)]
        browser.close()
    sys.stdout.write("".join(f"{fault}\n" for fault in faults) + f"{len(faults)} findings\n")
    sys.exit(bool(faults))


def _faults(browser: Browser, club: str, script: str, role: str, language: str, width: int, look: str) -> list[str]:
    """Return what axe finds on the pages of a role, looked at in one way."""
    size: Any = {"width": width, "height": 800}
    header = {"Accept-Language": language}
    context = browser.new_context(viewport=size, extra_http_headers=header, bypass_csp=True)
    context.add_cookies([{"name": name, "value": value, "url": club} for name, value in LOOKS[look].items()])
    page = context.new_page()
    if role:
        _sign_in(page, club, role)
    page.goto(f"{club}players/")
    keys = page.eval_on_selector_all("td.first a", "links => links.slice(0, 2).map(a => a.href.split('/').at(-2))")
    page.goto(f"{club}sheets/")
    keys += page.eval_on_selector_all("td.first a", "links => links.slice(0, 1).map(a => a.href.split('/').at(-2))")
    keys = [*keys, "nobody", "nobody", "none"][:3]  # strangers see no sheet
    page.goto(f"{club}games/")
    keys += page.eval_on_selector_all("a[href*='/games/g']", "links => [links[0].href.split('/').at(-2)]")
    way, faults = f"{role or 'visitor'} {language} {width} {look}", list[str]()

    def find(part: str) -> None:
        page.evaluate(script)
        faults.extend(f"{way} {part}: {text}" for text in page.evaluate(LOOK))

    for part in PAGES[role]:
        page.goto(urljoin(club, part.format(*keys)))
        find(part)
        if part in WRITTEN:
            button, fields = WRITTEN[part]
            for name, text in fields.items():
                page.locator(f"main [name={name}]").first.fill(text)
            page.locator(button).last.click()
            page.wait_for_load_state()
            find(f"{part} as answered")
    context.close()
    return faults


def _sign_in(page: Page, club: str, role: str) -> None:
    page.goto(club.rsplit("/", 2)[0] + "/sign-in/")
    page.fill("[name=username]", role)
    page.fill("[name=password]", PASSWORD)
    page.locator("main button").first.click()
    page.wait_for_load_state()


if __name__ == "__main__":
    main()
