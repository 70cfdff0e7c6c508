"""What an installation costs, extra by extra: `python -m benchmarks.installing`.

For the core and for each extra: the packages that pip installs into a new environment, their MB on disk without
bytecode, pip's seconds without a cache, and the seconds until the first ladder of a new installation stands, which
compiles the bytecode and, with `fast`, what loops are compiled for so few games (none).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from benchmarks.runner import ROOT

EXTRAS = ("", "fast", "sheets", "charts", "print", "server")
"""The core, and what the documentation offers beside it."""
LADDER = ("rate", str(ROOT / "examples" / "games.csv"), "--system", "egf")


def seconds(*command: str | Path, folder: Path) -> float:
    """Return how long a program takes, on the clock; its home is an empty folder, so that it has no cache."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begin = time.perf_counter()
    subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=own | {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")},
        check=True,
        capture_output=True,
    )
    return time.perf_counter() - begin


def row(wheel: Path, extra: str, folder: Path) -> str:
    """Install the wheel with an extra into a new environment, and return its line of the table."""
    venv.create(folder / "venv", with_pip=True)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    [packages] = (folder / "venv").glob("[Ll]ib/**/site-packages")
    before = set(packages.glob("*.dist-info"))
    pip = ("-m", "pip", "install", "--no-cache-dir", "--no-compile", "-c", ROOT / "constraints.txt")
    took = seconds(programs / "python", *pip, f"{wheel}[{extra}]" if extra else wheel, folder=folder)
    installed = set(packages.glob("*.dist-info")) - before
    pips_own = ("pip", "setuptools", "_distutils_hack", "pkg_resources")
    size = sum(
        file.stat().st_size
        for file in packages.rglob("*")
        if file.is_file() and file.suffix != ".pyc" and not file.relative_to(packages).parts[0].startswith(pips_own)
    )
    first, again = (seconds(programs / "handan", *LADDER, folder=folder) for _ in range(2))
    return f"| {extra or 'core'} | {len(installed)} | {size / 1e6:.0f} | {took:.0f} | {first:.1f} | {again:.1f} |"


def main() -> None:
    """Build the wheel, and print a line for the core and each extra."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.installing", description=__doc__)
    parser.add_argument("extras", nargs="*", default=EXTRAS, help="which ones (default: all); '' is the core")
    extras = parser.parse_args().extras
    print("| install | packages | MB | s to install | s to the first ladder | s to the next |")
    print("|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(
            [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT],
            check=True,
            capture_output=True,
        )
        [wheel] = folder.glob("*.whl")
        for number, extra in enumerate(extras):
            place = folder / str(number)
            place.mkdir()
            print(row(wheel, extra, place), flush=True)


if __name__ == "__main__":
    main()
