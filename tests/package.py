"""Build wheel and source archive, check them as an index does, and try both in fresh folders: `make package`.

The wheel goes into two environments of their own, where a newcomer's pages are followed word by word: the core alone,
and the server. The tests named in `SMOKE` run from the unpacked source archive, on its own sources, with this
environment's tools.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

from tests.walks import first_club, first_hour

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
SMOKE = ("test_package", "test_docs", "test_readme", "test_vectors", "test_benchmarks", "test_project")


def run(*command: str | Path, folder: Path, **variables: str) -> None:
    """Run a program in a folder, without this process's PYTHONPATH; CalledProcessError if it fails."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([str(word) for word in command], cwd=folder, env=inherited | variables, check=True)


def build() -> tuple[Path, Path]:
    """Build both archives from the checkout; the wheel is made from the source archive, as for a release."""
    for old in DIST.glob("handan-*"):
        old.unlink()
    run(sys.executable, "-m", "build", "--outdir", DIST, ROOT, folder=ROOT)
    [wheel], [archive] = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    return wheel, archive


def check_as_an_index_does(wheel: Path, archive: Path, folder: Path) -> None:
    """Check metadata, the description and the files of the wheel, with tools in an environment of their own."""
    venv.create(folder / "checks", with_pip=True)
    programs = folder / "checks" / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", "-m", "pip", "install", "-q", "twine", "check-wheel-contents", folder=folder)
    run(programs / "twine", "check", "--strict", wheel, archive, folder=folder)
    run(programs / "check-wheel-contents", "--config", ROOT / "pyproject.toml", wheel, folder=folder)


def try_wheel(wheel: Path, folder: Path, extra: str = "") -> Path:
    """Install the wheel into an environment of its own; return the folder of its programs."""
    place = folder / f"venv{extra}"
    venv.create(place, with_pip=True)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    pip = ("-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt")
    run(programs / "python", *pip, f"{wheel}{extra}", folder=folder)
    run(programs / "handan", "--version", folder=folder)
    return programs


def try_archive(archive: Path, folder: Path) -> None:
    """Unpack the source archive and run the smoke tests on its sources."""
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    [unpacked] = folder.glob("handan-*")
    tests = [f"tests/{name}.py" for name in SMOKE]
    run(sys.executable, "-m", "pytest", "-n", "auto", *tests, folder=unpacked, PYTHONPATH=str(unpacked / "src"))


def main() -> None:
    """Build, check and try both."""
    wheel, archive = build()
    with tempfile.TemporaryDirectory() as name:
        check_as_an_index_does(wheel, archive, Path(name))
        first_hour(try_wheel(wheel, Path(name)))
        first_club(try_wheel(wheel, Path(name), "[server]"))
        try_archive(archive, Path(name))


if __name__ == "__main__":
    main()
