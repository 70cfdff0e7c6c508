"""Pages whose tables a command writes: what people wrote around them stays, and the tables say what was measured."""

from __future__ import annotations

from pathlib import Path

import pytest

import handan
from benchmarks import comparison, pages

TEXT = "Before.\n\n<!-- written by make it -->\nold\n<!-- end of make it -->\n\nAfter.\n"


def test_only_the_place_of_a_command_is_written(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(TEXT)
    pages.write(page, "make it", "new")
    pages.write(page, "make it", "newer")
    assert page.read_text() == TEXT.replace("old", "\nnewer\n")
    with pytest.raises(ValueError, match="no place"):
        pages.write(page, "make another", "new")


def test_the_tables_of_a_comparison_say_what_compare_says() -> None:
    answer = handan.compare(handan.read("examples/club/games.csv"), "elo,egf,sagc")
    text = comparison.page_text({"club": comparison.plain(answer)})
    for each in answer.systems:
        assert each.interval is not None
        line = next(line for line in text.splitlines() if f"`{each.system}`" in line and " to " in line)
        assert f"{each.log_loss:.4f}" in line
        assert f"{each.interval[0]:.4f} to {each.interval[1]:.4f}" in line
    assert answer.best is not None
    whole = next(line for line in text.splitlines() if line.startswith(f"| `{answer.best.system}`"))
    assert f"**{answer.best.log_loss:.4f}**" in whole  # the best is bold


def test_every_page_that_a_command_writes_has_its_place_filled() -> None:
    text = comparison.PAGE.read_text(encoding="utf-8")
    written = text.split("<!-- written by make comparison -->")[1].split("<!-- end of")[0]
    assert all(f"`{name}`" in written for name in handan.SYSTEMS)
