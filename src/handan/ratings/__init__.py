"""Ratings and their explanations: the same for every system."""

from handan.ratings.explanation import Explanation, Factor, Reason, product, surprise, total
from handan.ratings.ratings import Adjusted, Ratings, Rules, Standing, rank_from

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
    "surprise",
    "total",
]
