"""The bench of journeys answers twice the same, and sees a difference."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.journeys.__main__ import differences
from benchmarks.journeys.responses import readable
from tests.conftest import ROOT


@pytest.mark.extended
def test_two_journeys_through_one_version_are_answered_the_same(tmp_path: Path) -> None:
    ask = [sys.executable, "-m", "benchmarks.journeys", "--quick", "--clubs", "lone"]
    for option in ("--record", "--compare"):
        done = subprocess.run([*ask, option, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "no answer differs" in done.stdout


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
