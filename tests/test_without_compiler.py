"""Without numba, which the extra `fast` brings, all works in its plain form, and says so once where it matters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from tests.conftest import ROOT

HIDDEN = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
from handan.cli import main
from handan.kernels import compiling
compiling.WORTH_COMPILING, compiling.WORTH_LOADING = 0, 20_000
sys.exit(main(sys.argv[1:]))
"""
SHOWN = """
import sys
from handan.cli import main
from handan.kernels import compiling
compiling.WORTH_COMPILING, compiling.WORTH_LOADING = 0, 20_000
sys.exit(main(sys.argv[1:]))
"""


def answer(code: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *map(str, words)]
    own = {name: value for name, value in os.environ.items() if name != "HANDAN_KERNELS"}  # each chooses for itself
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, cwd=ROOT, env=own)


def table(path: Path, games: int) -> Path:
    """Write games of a league in which everybody meets everybody, many times."""
    number = pl.int_range(games)
    pl.select(
        date=pl.lit("2020-01-01").str.to_date() + pl.duration(days=number // 50),
        black=pl.format("p{}", number % 37),
        white=pl.format("q{}", number % 41),
        result=pl.when(number % 3 > 0).then(pl.lit("B+R")).otherwise(pl.lit("W+R")),
    ).write_csv(path)
    return path


@pytest.mark.extended
def test_little_work_says_nothing_of_the_compiler() -> None:
    plain = answer(HIDDEN, "rate", "examples/games.csv", "--system", "whr")
    assert (plain.returncode, plain.stderr) == (0, "")


@pytest.mark.extended
def test_much_work_gives_the_same_answer_and_says_once_what_would_be_faster(tmp_path: Path) -> None:
    games = table(tmp_path / "games.csv", 20_500)
    plain, compiled = (answer(code, "rate", games, "--system", "elo", "--limit", "9") for code in (HIDDEN, SHOWN))
    assert plain.returncode == compiled.returncode == 0
    assert plain.stdout == compiled.stdout
    assert plain.stderr.count("handan[fast]") == 1
    assert "handan[fast]" not in compiled.stderr
