"""What faults cost systems in invented clubs, and the page that draws it."""

from __future__ import annotations

import re
from pathlib import Path

from handan.evidence.stress import Stress
from handan.evidence.stress_report import stress_page
from tests.command_line import run


def test_the_command_says_what_faults_cost_and_draws_it(tmp_path: Path) -> None:
    page = tmp_path / "stress.html"
    rows = run("stress", "--systems", "elo,elo:k=1", "--report", page, "--format", "json").json
    quick, slow = rows
    assert [row["system"] for row in rows] == ["elo", "elo:k=1"]
    # with a K of 1 everybody stays at the entry, and chances are off by all that opponents differ
    assert slow["error"] > 2.0 * quick["error"]
    # points that improving newcomers win are lost by the others (deflation; Elo, 1978, 3.73)
    assert quick["inflation"] < 0.0
    # who is let win is overrated
    assert quick["collusion"] > 0.0
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 7
    assert "http://www.w3.org" in text
    assert "<script" not in text


def test_absurd_numbers_of_clubs_and_unknown_systems_are_refused() -> None:
    assert run("stress", "--clubs", "0").err == "handan: 0 clubs of each kind; give 1 to 100\n"
    assert "did you mean elo?" in run("stress", "--systems", "eloo").err


def test_charts_of_faults_fit_telephones_and_print_the_figures_of_the_table() -> None:
    rows = [Stress("glicko2", 1.18, 18.0, -0.74, 2.3, 1.29, 50.31, 1.03), Stress("points", 0.9, None, 0.1, 1, 2, 3, 4)]
    text = stress_page(rows)
    widths = [float(width) for width in re.findall(r'<svg[^>]* width="([\d.]+)"', text)]
    assert len(widths) == 7
    assert max(widths) < 328  # pixels that a telephone of 360 leaves
    assert text.count('<figure tabindex="0">') == 7  # who has no mouse scrolls by keys
    for figure in (">18<", ">-0.74<", ">1.3<", ">50.3<"):
        assert text.count(figure) == 2, figure  # in the table and beside the bar
