"""Ratings and their explanations: the same for every system."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from handan.ratings.explanation import Explanation, Factor, Reason, product, total
    from handan.ratings.ratings import Adjusted, Ratings, Rules, Standing, rank_from

EXPLAINING = {"Explanation", "Factor", "Reason", "product", "total"}

__all__ = [
    "Adjusted",
    "Explanation",
    "Factor",
    "Ratings",
    "Reason",
    "Rules",
    "Standing",
    "product",
    "rank_from",
    "total",
]


def __getattr__(name: str) -> Any:
    """Import a public name at its first use, so that figures can be written without loading tables."""
    if name in __all__:
        return getattr(import_module(f"handan.ratings.{'explanation' if name in EXPLAINING else 'ratings'}"), name)
    raise AttributeError(f"module 'handan.ratings' has no attribute '{name}'")
