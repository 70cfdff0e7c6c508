"""Pages and help say what the commands say."""

from __future__ import annotations

import inspect
import re
import runpy

import pytest

from handan.files.formats import own_formats
from handan.systems import SYSTEMS
from tests.command_line import run
from tests.conftest import ROOT


def as_written(default: object) -> str:
    """Return the default of a setting as people write it."""
    text = f"{default:g}" if type(default) is float else str(default)
    return {"None": "none", "True": "true", "False": "false"}.get(text, text)


def test_the_page_on_the_command_line_is_made_from_the_code() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_cli.py"))
    assert made["PAGE"].read_text(encoding="utf-8") == made["page"](), "run `make docs`"
    assert made["MANUAL"].read_text(encoding="utf-8") == made["manual"](), "run `make docs`"


def test_every_format_has_a_heading_with_an_example_and_its_page_is_linked() -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "formats").glob("*.md")}
    index = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    for page in pages:
        assert f"(formats/{page})" in index
    for item in own_formats():
        headings = [text for text in pages.values() if f"# {item.name}\n" in text]
        assert headings, f"{item.name} has no heading in docs/formats"
        assert "```" in headings[0]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_help_of_a_system_says_what_the_command_says(system: str) -> None:
    helped = (inspect.getdoc(SYSTEMS[system]) or "").splitlines()
    for row in run("systems", system, "--format", "json").json["settings"]:
        (line,) = (line for line in helped if line.startswith(f"    {row['name']}: "))
        assert row["text"] in line
        assert line.endswith(f"default {as_written(row['default'])})")
        ends = [f"{row[end]:.10g}" for end in ("low", "high") if row[end] is not None]
        assert " or ".join(row["choices"]) in line
        assert all(end in line for end in [*ends, row["unit"]])


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_page_of_a_system_has_every_setting_with_its_default(system: str) -> None:
    page = (ROOT / "docs" / "systems" / f"{system}.md").read_text(encoding="utf-8")
    for row in run("systems", system, "--format", "json").json["settings"]:
        default = re.escape(as_written(row["default"]))
        assert re.search(rf"`{row['name']}`(?: \| | |, by default )`?{default}\b", page), row
