"""Test settings shared by all: fixed seeds, and one folder of compiled kernels for all runs."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

from tests.database import club, database, make_club  # noqa: F401  # fixtures; defined once, so that there is one database

ROOT = Path(__file__).resolve().parent.parent


os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".cache" / "numba"))

settings.register_profile(
    "fixed", derandomize=True, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fixed")


def examples(number: int) -> int:
    """Return how many examples a test of the readers tries: `number`, times HANDAN_FUZZ if that is set."""
    return number * int(os.environ.get("HANDAN_FUZZ", "1"))
