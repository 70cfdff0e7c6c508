"""The page on the command line is that of the commands."""

from __future__ import annotations

import runpy

from handan.files.formats import FORMATS
from tests.conftest import ROOT


def test_the_page_on_the_command_line_is_made_from_the_code() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_cli.py"))
    assert made["PAGE"].read_text(encoding="utf-8") == made["page"](), "run `make docs`"


def test_every_format_has_a_heading_with_an_example_and_its_page_is_linked() -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "formats").glob("*.md")}
    index = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    for page in pages:
        assert f"(formats/{page})" in index
    for item in FORMATS:
        headings = [text for text in pages.values() if f"# {item.name}\n" in text]
        assert headings, f"{item.name} has no heading in docs/formats"
        assert "```" in headings[0]
