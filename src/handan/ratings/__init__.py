"""Ratings and their explanations: the same for every system."""

from handan.ratings.explanation import LINE, Explanation, Factor, Reason, product, total
from handan.ratings.ratings import Adjusted, Ratings, Rules, Standing, rank_from

__all__ = [
    "LINE",
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
