"""Install what requirements.lock names: by uv, which takes an eighth of pip's work, and by pip where uv cannot.

`python -m tests.install requirements.lock` works in a new environment that holds pip alone. Both check the hashes. uv
reads none of pip's settings, so that an index, a folder or a certificate that is set for pip is handed on to it.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

PIP = [sys.executable, "-m", "pip"]
INSTALL = [*PIP, "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
OPTIONS = {"index-url": "--default-index", "extra-index-url": "--index", "find-links": "--find-links"}
"""Settings of pip, and the options of uv that say the same."""


def main(lock: str) -> int:
    """Install what a file of locked requirements names; return the exit status."""
    with TemporaryDirectory() as folder:
        fast = by_uv(Path(lock), Path(folder))
    return fast and subprocess.run([*INSTALL, "--requirement", lock], check=False).returncode


def by_uv(lock: Path, folder: Path) -> int:
    """Install uv, then everything by it; return the exit status."""
    first = folder / "uv.txt"
    first.write_text(locked(lock.read_text(encoding="utf-8"), "uv"), encoding="utf-8")
    alone = subprocess.run([*INSTALL, "--no-deps", "--requirement", str(first)], check=False).returncode
    settings = settings_of_pip()
    certificates = {"SSL_CERT_FILE": settings["cert"]} if "cert" in settings else {}
    # pip looks for a version in all indexes, and the hashes say which file it is
    command = ["uv", "pip", "install", "--quiet", "--require-hashes", "--index-strategy", "unsafe-best-match"]
    call = [sys.executable, "-m", *command, "--python", sys.executable, *options(settings), "--requirement", str(lock)]
    return alone or subprocess.run(call, env=certificates | os.environ, check=False).returncode


def locked(text: str, package: str) -> str:
    """Return the lines of a file of locked requirements that are about one package."""
    lines = text.split(f"\n{package}==", 1)[1].split("\n")
    last = next(place for place, line in enumerate(lines) if not line.endswith("\\"))
    return "\n".join([f"{package}=={lines[0]}", *lines[1 : last + 1]]) + "\n"


def settings_of_pip() -> dict[str, str]:
    """Return the settings of pip by name; those of the environment come last and win."""
    printed = subprocess.run([*PIP, "config", "list"], capture_output=True, encoding="utf-8", check=True).stdout
    pairs = (line.split("=", 1) for line in printed.splitlines() if "=" in line)
    return parsed({name: ast.literal_eval(value) for name, value in pairs})


def parsed(listed: dict[str, str]) -> dict[str, str]:
    """Return what `pip config list` names `section.name`, by name: that of all commands, of `install`, then `:env:`."""
    order = ("global.", "install.", ":env:.")
    return {
        name.removeprefix(section): value
        for section in order
        for name, value in listed.items()
        if name.startswith(section)
    }


def options(settings: dict[str, str]) -> list[str]:
    """Return the options of uv that say what pip is set to."""
    return [
        part for name, option in OPTIONS.items() for place in settings.get(name, "").split() for part in (option, place)
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
