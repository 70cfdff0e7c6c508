"""The documentation as a site: built without a warning, nothing loaded from elsewhere, nothing forgotten."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import handan
from handan.systems import SYSTEMS
from tests.conftest import ROOT

pytestmark = pytest.mark.extended

pytest.importorskip("mkdocs", reason="needs the extra docs: pip install 'handan[docs]'")
pytest.importorskip("mkdocstrings", reason="needs the extra docs: pip install 'handan[docs]'")

PARTS = ["Start", "Tutorial", "How-to", "Reference", "Explanation"]
LOADED = re.compile(
    r"""<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)=["']?(?:https?:)?//[^"'\s>]+""", re.IGNORECASE
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as `make site` does, to a folder of its own."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_site_builds_without_a_warning_and_has_a_page_for_every_system(site: Path) -> None:
    for name in SYSTEMS:
        page = (site / "systems" / f"{name}.html").read_text(encoding="utf-8")
        assert f"--system {name}" in re.sub(r"<[^>]*>", "", page), name


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    pages = [*site.rglob("*.html"), *(site / "assets" / "stylesheets").glob("*.css")]
    assert len(pages) > 40
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not LOADED.search(text), page
        assert not re.search(r"url\(\s*[\"']?(?:https?:)?//", text), page


def test_every_public_name_is_described_where_it_stands(site: Path) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in (site / "library").glob("*.html"))
    for name in handan.__all__:
        assert f'id="handan.{name}"' in text, name


def test_links_from_pages_lead_to_files_of_the_site(site: Path) -> None:
    for page in site.rglob("*.html"):
        if page.name == "404.html":
            continue  # its links begin at the root of the server
        for target in re.findall(r'<a\b[^>]*?\bhref="(?!\w+:|#)([^"#]+)', page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), (page.name, target)


def test_search_finds_terms_and_options_and_not_the_changelog(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    text = "".join(entry["text"] for entry in index["docs"])
    assert all(words in text for words in ("fair_terms", "Fair terms", "--since"))
    assert index["config"]["pipeline"] == []  # no word is left out, "since" neither
    assert not [entry for entry in index["docs"] if "changelog" in entry["location"]]
    since = next(entry for entry in index["docs"] if entry["title"] == "--since")
    assert since["location"].startswith("cli.html#options-of-many-commands:~:text=")


def test_every_kind_of_block_that_the_looks_name_is_on_a_page(site: Path) -> None:
    looks = (ROOT / "docs" / "site" / "site.css").read_text(encoding="utf-8")
    text = (site / "tutorial.html").read_text(encoding="utf-8")
    kinds = set(re.findall(r"\.(language-[a-z]+)", looks))
    assert kinds == {"language-sh", "language-console"}
    assert all(f'class="{kind} highlight"' in text for kind in kinds)


def test_every_formula_is_set(site: Path) -> None:
    pages = {page.stem: page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    assert [name for name, text in pages.items() if "arithmatex" in text] == []
    assert pages["glicko2"].count('<div class="formula"') >= 8


def test_the_navigation_has_four_parts_after_the_start() -> None:
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert [next(iter(part)) for part in config["nav"]] == PARTS
