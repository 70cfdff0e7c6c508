"""Vectors of Elo."""

from __future__ import annotations

from handan.systems.elo import expected
from tests.vectors.family import Family


def elo_expected(diff: float) -> float:
    """Expected score at a rating advantage in Elo."""
    return expected(diff)


FAMILIES = (Family("elo", r"\belo\b", {"elo_expected": elo_expected}),)
