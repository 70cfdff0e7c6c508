"""Tables that a command writes into a page of the documentation, between two marks; what people wrote stays."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.runner import ROOT

DOCS = ROOT / "docs"


def write(page: Path, name: str, text: str) -> None:
    """Put a text between the marks of a page; ValueError where the page has no such marks."""
    before = page.read_text(encoding="utf-8")
    marked = re.compile(rf"(<!-- written by {re.escape(name)} -->\n).*?(<!-- end of {re.escape(name)} -->)", re.DOTALL)
    after, count = marked.subn(lambda marks: f"{marks[1]}\n{text.strip()}\n\n{marks[2]}", before)
    if count != 1:
        raise ValueError(f"{page} has no place written by {name}")
    page.write_text(after, encoding="utf-8", newline="\n")
