"""Commands of the club server, each in a process of its own, as its operator runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

OURS = ("HANDAN_", "DATABASE_URL", "DJANGO_SETTINGS_MODULE")


def handan(*arguments: object, status: int = 0, **variables: str) -> str:
    """Run `handan` without the variables of other tests, and return what it prints, errors too."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    answer = subprocess.run(
        [sys.executable, "-m", "handan", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env=inherited | variables, encoding="utf-8", check=False,
    )  # fmt: skip
    assert answer.returncode == status, answer.stdout
    return answer.stdout


def mode(path: Path) -> int:
    """Return who may do what with a file."""
    return path.stat().st_mode & 0o777
