"""Ratings and their explanations: the same for every system."""

from handan.ratings.explanation import LINE, Explanation, Factor, Reason, product, surprise, total
from handan.ratings.ratings import Ratings
from handan.ratings.rules import Adjusted, Rules, rank_from
from handan.ratings.standing import Opponent, Standing, rank_or_rating

__all__ = [
    "LINE",
    "Adjusted",
    "Explanation",
    "Factor",
    "Opponent",
    "Ratings",
    "Reason",
    "Rules",
    "Standing",
    "product",
    "rank_from",
    "rank_or_rating",
    "surprise",
    "total",
]
