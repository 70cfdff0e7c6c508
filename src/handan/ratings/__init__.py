"""Ratings and their explanations: the same for every system."""

from handan.ratings.arrays import RatingArrays
from handan.ratings.event import Event, EventLine, EventPairing, EventResult, events_in
from handan.ratings.explanation import LINE, Explanation, Factor, Reason, product, surprise, total
from handan.ratings.extra import Details, Extra, RatedFrom
from handan.ratings.player import AbsentPlayerError, PlayerRating
from handan.ratings.ratings import Ratings
from handan.ratings.rules import Adjusted, Rules, Traits, rank_from
from handan.ratings.standing import Opponent, Standing, Strangers, rank_or_rating

__all__ = [
    "LINE",
    "AbsentPlayerError",
    "Adjusted",
    "Details",
    "Event",
    "EventLine",
    "EventPairing",
    "EventResult",
    "Explanation",
    "Extra",
    "Factor",
    "Opponent",
    "PlayerRating",
    "RatedFrom",
    "RatingArrays",
    "Ratings",
    "Reason",
    "Rules",
    "Standing",
    "Strangers",
    "Traits",
    "events_in",
    "product",
    "rank_from",
    "rank_or_rating",
    "surprise",
    "total",
]
