"""Test settings shared by all: fixed seeds, and a compiler cache that a changed source makes stale."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from hypothesis import HealthCheck, settings

from tests.database import club, database, make_club  # noqa: F401  # fixtures; defined once, so that there is one database

ROOT = Path(__file__).resolve().parent.parent


def _sources() -> str:
    """Return a digest of all sources, since the compiler's own cache looks only at the file of the caller."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "src").rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".cache" / "numba" / _sources()))

settings.register_profile(
    "fixed", derandomize=True, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fixed")


def examples(number: int) -> int:
    """Return how many examples a test of the readers tries: `number`, times HANDAN_FUZZ if that is set."""
    return number * int(os.environ.get("HANDAN_FUZZ", "1"))
