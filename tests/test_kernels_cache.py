"""Compiled kernels on disk: an edit is always seen, and nothing that is wrong with the folder stops a rating."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from handan.kernels import cache
from handan.kernels.cache import CacheWarning, Files, warn
from handan.kernels.compiling import Kernel, kernel

pytestmark = pytest.mark.extended

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "examples" / "games.csv"
PACKAGE = ROOT / "src" / "handan"


def rated(system: str, form: str = "compiled", limit: int = 0, **variables: str) -> subprocess.CompletedProcess[str]:
    """Rate the example in a process of its own; `limit` is the most bytes that it can write to a file."""

    def bounded() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("HANDAN_", "NUMBA_"))}
    return subprocess.run(
        [sys.executable, "-m", "handan", "rate", str(GAMES), "--system", system, "--format", "json"],
        env=inherited | {"HANDAN_KERNELS": form, "PYTHONDONTWRITEBYTECODE": "1"} | variables,
        preexec_fn=bounded if limit else None,
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


def lines_about(folder: Path, text: str) -> list[str]:
    return [line for line in text.splitlines() if str(folder) in line and line.startswith("warning: compiled code in ")]


def test_an_edited_constant_changes_the_compiled_answer_too(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "handan", ignore=shutil.ignore_patterns("__pycache__"))
    where: dict[str, Any] = {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    before = rated("egf", **where)
    formula = (
        tmp_path / "handan" / "systems" / "egf.py"
    )  # the loop that calls it lies in kernels/incremental/events.py, untouched
    dates, text = formula.stat(), formula.read_text(encoding="utf-8")
    assert text.count("** 1.6") == 1
    formula.write_text(text.replace("** 1.6", "** 1.9"), encoding="utf-8")
    os.utime(formula, ns=(dates.st_atime_ns, dates.st_mtime_ns))
    compiled, plain = rated("egf", **where), rated("egf", "plain", **where)
    assert (before.returncode, compiled.returncode, plain.returncode) == (0, 0, 0)
    assert compiled.stdout == plain.stdout != before.stdout


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with the compiled kernels of Elo, and the answer."""
    folder = tmp_path_factory.mktemp("kept")
    answer = rated("elo", NUMBA_CACHE_DIR=str(folder))
    assert (answer.returncode, lines_about(folder, answer.stderr)) == (0, [])
    return folder, answer.stdout


def halved(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def flipped(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def test_a_damaged_file_is_removed_and_made_again(kept: tuple[Path, str], tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    shutil.copytree(kept[0], folder)
    files = sorted(folder.rglob("*.nbc"))
    whole = {file: file.stat().st_size for file in files}
    for file, damage in zip(files, cycle((emptied, halved, flipped)), strict=False):
        damage(file)
    first, second = (rated("elo", NUMBA_CACHE_DIR=str(folder)) for _ in range(2))
    assert (first.returncode, first.stdout) == (second.returncode, second.stdout) == (0, kept[1])
    assert len(lines_about(folder, first.stderr)) == 1
    assert "warning: compiled" not in second.stderr
    outer = next(file for file in files if file.name.startswith("elo.replay_"))
    assert outer.stat().st_size == pytest.approx(whole[outer], rel=0.1)


def test_files_that_can_be_neither_read_nor_written_stop_nothing(kept: tuple[Path, str], tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    shutil.copytree(kept[0], folder)
    for file in list(folder.rglob("*.nbc")):
        file.unlink()
        file.mkdir()
    answer = rated("elo", NUMBA_CACHE_DIR=str(folder))
    assert (answer.returncode, answer.stdout) == (0, kept[1])
    assert len(lines_about(folder, answer.stderr)) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are POSIX")
def test_a_disk_without_room_stops_nothing(kept: tuple[Path, str], tmp_path: Path) -> None:
    answer = rated("elo", limit=512, NUMBA_CACHE_DIR=str(tmp_path))
    assert (answer.returncode, answer.stdout) == (0, kept[1])
    assert len(lines_about(tmp_path, answer.stderr)) == 1
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]


def test_without_any_place_for_files_the_answer_is_the_same(kept: tuple[Path, str], tmp_path: Path) -> None:
    package = tmp_path / "handan"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in (package / "systems", package / "kernels"):
        (folder / "__pycache__").write_text("a file where the folder would be", encoding="utf-8")
    blocked = tmp_path / "blocked"
    blocked.write_text("", encoding="utf-8")
    answer = rated("elo", PYTHONPATH=str(tmp_path), HOME=str(blocked / "home"), XDG_CACHE_HOME=str(blocked / "cache"))
    assert (answer.returncode, answer.stdout) == (0, kept[1])
    assert len(lines_about(package, answer.stderr)) == 1
    assert "NUMBA_CACHE_DIR" in answer.stderr


def test_one_warning_in_a_process_is_enough(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cache, "_warned", [])
    full = OSError(28, "No space left on device")
    with pytest.warns(CacheWarning, match="No space left on device"):
        warn(tmp_path, full)
    warn(tmp_path, full)  # a second warning would be an error here


def test_code_of_a_version_whose_types_bore_other_names_is_made_again_without_a_word(tmp_path: Path) -> None:
    class Older:
        """The compiler's cache with code that names a module which has moved since."""

        def _load_overload(self, *_: object) -> None:
            raise ModuleNotFoundError("No module named 'handan.kernels.moved'")

        def _index_key(self, *_: object) -> str:
            return "kept"

    class Context:
        def codegen(self) -> None: ...

    files = Files(str(tmp_path), "kernel", bytes)
    files.path("kept").write_bytes(b"whole")
    forgiving = cache.Forgiving(Older(), files, lambda _: None)
    assert forgiving.load_overload("signature", Context()) is None  # a warning is an error here
    assert not files.path("kept").exists()


def test_names_of_files_are_short_however_long_those_of_kernels_are(tmp_path: Path) -> None:
    name = cache.file_name("module", "a" * 300 + ".<locals>.inner_" + 24 * "0", "versions")
    path = Files(str(tmp_path), name, bytes).path(("signature",))
    assert len(path.name) < 150
    assert "<" not in path.name


SCALE = 2.0
STEPS = (1, 2, 3)
TABLE = np.array([1.0, 2.0])


@kernel
def scaled(number: float) -> float:
    """Scale a number."""
    return SCALE * number


@kernel
def summed(number: float) -> float:
    """Use a kernel, a tuple and an array."""
    return scaled(number) + STEPS[0] + float(TABLE[0])


def digest_with(**values: object) -> str:
    return summed.using("summed", **values).digest  # type: ignore[arg-type]  # constants are replaced as kernels are


def test_the_digest_tells_apart_whatever_the_answer_depends_on() -> None:
    other = scaled.using("scaled", SCALE=3.0)  # type: ignore[arg-type]
    digests = [
        summed.digest,
        digest_with(scaled=other),
        digest_with(STEPS=(1, 2, 4)),
        digest_with(STEPS=(1.0, 2, 3)),
        digest_with(STEPS=(slice(None), slice(1))),
        digest_with(STEPS=(slice(None), slice(2))),
        digest_with(TABLE=np.array([1.0, 3.0])),
        digest_with(TABLE=np.array([1, 2])),
    ]
    assert len(set(digests)) == len(digests)


def source_digest(source: str) -> str:
    names: dict[str, object] = {}
    exec(source, names)
    return Kernel(names["f"]).digest  # type: ignore[arg-type]


def test_comments_docstrings_and_lines_play_no_part_and_constants_do() -> None:
    plain = source_digest('def f(x):\n    """One."""\n    return x * 1.6\n')
    assert source_digest('\n\ndef f(x):\n    """Two."""\n    # why\n    return x * 1.6\n') == plain
    assert source_digest('def f(x):\n    """One."""\n    return x * 1.9\n') != plain
    assert source_digest('def f(x, y=1):\n    """One."""\n    return x * 1.6\n') != plain


def test_a_value_that_a_digest_cannot_hold_is_named() -> None:
    with pytest.raises(TypeError, match="which is no number"):
        digest_with(STEPS={1: 2})
