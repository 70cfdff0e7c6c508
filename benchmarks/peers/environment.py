"""The virtual environment of the other programs, made when it is first wanted; the package never sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

BASIS = "numpy"
APART = {"whole-history-rating": "whr"}
"""Packages that install a module of the same name as another; each gets a folder of its own."""
PROBE = """
import importlib.metadata, json, sys
found = {}
for name in sys.argv[1:]:
    try:
        found[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pass
print(json.dumps(found))
"""


@dataclass(frozen=True)
class Environment:
    """A virtual environment in a folder."""

    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    def create(self) -> None:
        """Make the environment if it is not there; version control is told to pass it by."""
        if not self.python.exists():
            subprocess.run([sys.executable, "-m", "venv", self.folder], check=True)
            (self.folder / ".gitignore").write_text("*\n")

    def path(self, package: str) -> list[Path]:
        """Return the folders that come first in the search for the modules of a package."""
        return [self.folder / "apart" / package] if package in APART else []

    def install(self, packages: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
        """Install what is missing, package by package.

        Returns:
            The versions by package, and the reason for each package that could not be installed.
        """
        self.create()
        refused = {}
        for package in (BASIS, *packages):
            if not self._versions(package):
                target = ["--no-deps", "--target", str(self.path(package)[0])] if package in APART else []
                done = self._run("-m", "pip", "install", "--quiet", *target, package)
                if done.returncode:
                    refused[package] = last_line(done.stderr)
        versions = {package: version for name in packages for package, version in self._versions(name).items()}
        return versions, refused

    def _versions(self, package: str) -> dict[str, str]:
        versions: dict[str, str] = json.loads(self._run("-c", PROBE, package, package_of=package).stdout)
        return versions

    def _run(self, *arguments: str, package_of: str = "") -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(str(folder) for folder in self.path(package_of))
        variables = {**os.environ, "PYTHONPATH": path}
        return subprocess.run([self.python, *arguments], capture_output=True, text=True, check=False, env=variables)


def last_line(text: str) -> str:
    """Return the last line that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no reason was given"
