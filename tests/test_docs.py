"""The page on the command line is that of the commands."""

from __future__ import annotations

import runpy

from tests.conftest import ROOT


def test_the_page_on_the_command_line_is_made_from_the_code() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_cli.py"))
    assert made["PAGE"].read_text(encoding="utf-8") == made["page"](), "run `make docs`"
