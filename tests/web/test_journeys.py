"""The bench of journeys keeps answers, and sees a difference."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.journeys.__main__ import differences
from benchmarks.journeys.responses import readable
from tests.conftest import ROOT


@pytest.mark.extended
def test_a_journey_ends_and_its_answers_are_kept(tmp_path: Path) -> None:
    ask = [sys.executable, "-m", "benchmarks.journeys", "--quick", "--clubs", "lone", "--record", str(tmp_path)]
    done = subprocess.run(ask, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert any(tmp_path.iterdir())


def test_blanks_and_the_order_of_attributes_make_no_difference_but_words_do() -> None:
    one, other, third = (
        readable(200, {"Content-Type": "text/html"}, text.encode())
        for text in (
            '<p class="b a"  id=x>Rank &lt; <b>1d</b> </p>\n<br/>',
            '<p id="x" class="a b">\nRank &#60; <b>1d</b><br>',
            "<p id=x class='a b'>Rank &lt;<b>1d</b><br>",
        )
    )
    assert one == other != third
    assert list(differences({"a": one}, {"a": other})) == []
    assert len(list(differences({"a": one, "b": one}, {"a": third, "c": one}))) == 3
