"""What makes the site of pages that are written for the repository.

Pages that stand beside `docs/` become pages of the site, files that pages link to are taken along, and every link is
turned to where its target stands in the site. So one link works in both places. Formulas, written as TeX between
dollars, become MathML, which browsers set without a script.
"""

from __future__ import annotations

import html
import inspect
import json
import posixpath
import re
from pathlib import Path
from urllib.parse import quote

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from handan.systems import SYSTEMS
from handan.systems.core.settings import settings_of

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CHANGELOG.md": "project/changelog.md",
    "CODE_OF_CONDUCT.md": "project/conduct.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
}
"""Pages of the repository outside `docs/`, and where they stand in the site."""
HOMES = {"README.md": "index.md"}
"""Pages of which the site has one of its own."""
BOOST: dict[str, float] = {"project": 0.2, "systems": 0.7, "formats": 0.7, "library": 0.3, "cli.md": 4.0}
"""By how much the search prefers the pages of a folder, or a page; other pages 2, the reports of `EVIDENCE` 0.2."""
EVIDENCE = ("benchmarks.md", "real-games.md", "peers.md")
ORIGINS = {site: origin for origin, site in PAGES.items()}
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")
FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)
"""A formula as pymdownx.arithmatex leaves it: `\\(…\\)` in a line, `\\[…\\]` by itself."""
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the systems of installed packages behind those of the house in the navigation."""
    named = [{system.name: f"systems/{system.name}.md"} for system in SYSTEMS.extensions.usable()]
    for part in config.nav or []:
        for item in part.get("Reference", []):
            item.get("Rating systems", []).extend(named)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that stand outside `docs/`, and the files that any page links to."""
    for origin, site in PAGES.items():
        files.append(File.generated(config, site, content=(ROOT / origin).read_text(encoding="utf-8")))
    for site, content in pages_of_packages().items():
        files.append(File.generated(config, site, content=content))
    for page in files.documentation_pages():
        for target in links(page.content_string, origin_of(page.src_uri)):
            place = in_site(target)
            if (ROOT / target).is_file() and files.get_file_from_path(place) is None:
                files.append(File.generated(config, place, abs_src_path=str(ROOT / target)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001  # the caller's names
    """Turn the links of a page to where their targets stand in the site, and say how the search ranks it."""
    place = page.file.src_uri
    boost = 0.2 if place in EVIDENCE else BOOST.get(place, BOOST.get(place.partition("/")[0], 2.0))
    page.meta["search"] = {"boost": boost, "exclude": place == PAGES["CHANGELOG.md"]}
    return turned(markdown, page.file.src_uri)


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001  # the caller's names
    """Set the formulas of a page."""
    return FORMULA.sub(lambda formula: as_mathml(html.unescape(formula[3]), display=formula[2] == "["), content)


@event_priority(-100)  # after the search has written its index
def on_post_build(config: MkDocsConfig) -> None:
    """Let the search find every word: `--since` is an option, and a word that it would leave out."""
    index = Path(config.site_dir) / "search" / "search_index.json"
    answers = json.loads(index.read_text(encoding="utf-8"))
    answers["config"]["pipeline"] = []
    answers["docs"] += options((ROOT / "docs" / "cli.md").read_text(encoding="utf-8"))
    index.write_text(json.dumps(answers, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def options(page: str) -> list[dict[str, object]]:
    """Return an entry of the search for each option of the page on the command line, which leads to its item."""
    entries, section = [], ""
    for line in page.splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif row := re.fullmatch(r"- `(-[^`]*)`: (.*)", line):
            name = row[1].partition(" ")[0].rstrip(",")
            place = f"cli.html#{section.lower().replace(' ', '-')}:~:text={quote(row[1], safe='').replace('-', '%2D')}"
            text = f"{section}: {row[2]}"
            entries.append({"location": place, "title": name, "text": text, "boost": BOOST["cli.md"]})
    return entries


def as_mathml(tex: str, *, display: bool) -> str:
    """Return a formula for the page; a displayed one can be scrolled where a screen is too narrow."""
    from latex2mathml.converter import convert  # not needed by those who only read how a page is made

    set_formula = convert(tex, display="block" if display else "inline").replace("\\_", "_")
    return f'<div class="formula" tabindex="0">{set_formula}</div>' if display else set_formula


def pages_of_packages() -> dict[str, str]:
    """Return a page for each rating system that an installed package brings, by its place in the site."""
    pages = {}
    for system in SYSTEMS.extensions.usable():
        about = (inspect.getdoc(system) or "").split("\n\n")[0]
        rows = [f"| {name} | {field.default} | {item.text} |" for name, (field, item) in settings_of(system).items()]
        table = "\n".join(["| setting | default | what it is |", "|---|---|---|", *rows]) if rows else ""
        pages[f"systems/{system.name}.md"] = f"# {system.name}: {system.title}\n\n{about}\n\n{table}\n"
    return pages


def turned(markdown: str, site: str) -> str:
    """Return a page with its links as the site needs them; `site` is the page's place there."""
    folder = posixpath.dirname(origin_of(site))

    def turn(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link[0]))
        return posixpath.relpath(in_site(target), posixpath.dirname(site) or ".")

    parts, end = [], 0
    for code in CODE.finditer(markdown):  # what looks like a link in code is none
        parts += [LINK.sub(turn, markdown[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, LINK.sub(turn, markdown[end:])])


def links(markdown: str, origin: str) -> list[str]:
    """Return the paths in the repository that a page links to."""
    folder = posixpath.dirname(origin)
    return [posixpath.normpath(posixpath.join(folder, target)) for target in LINK.findall(CODE.sub("", markdown))]


def origin_of(site: str) -> str:
    """Return the path in the repository of a page of the site."""
    return ORIGINS.get(site, f"docs/{site}")


def in_site(target: str) -> str:
    """Return the place in the site of a path in the repository."""
    if target in PAGES or target in HOMES:
        return PAGES.get(target) or HOMES[target]
    return target.removeprefix("docs/")
