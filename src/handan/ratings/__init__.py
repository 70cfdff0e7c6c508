"""Ratings and their explanations: the same for every system."""

from typing import TYPE_CHECKING

from handan.lazy_imports import attach

if TYPE_CHECKING:
    from handan.ratings.arrays import RatingArrays
    from handan.ratings.event import Event, EventLine, EventPairing, EventResult, events_in
    from handan.ratings.explanation import LINE, Explanation
    from handan.ratings.ratings import AbsentPlayerError, PlayerRating, Ratings
    from handan.ratings.reasons import Factor, Reason, product, surprise, total
    from handan.ratings.rules import Adjusted, Rules, Traits, rank_from
    from handan.ratings.standing import Opponent, Standing, Strangers, rank_or_rating
    from handan.ratings.system_record import Details, Extra, RatedFrom

__all__ = [
    "LINE", "AbsentPlayerError", "Adjusted", "Details", "Event", "EventLine", "EventPairing", "EventResult",
    "Explanation", "Extra", "Factor", "Opponent", "PlayerRating", "RatedFrom", "RatingArrays", "Ratings", "Reason",
    "Rules", "Standing", "Strangers", "Traits", "events_in", "product", "rank_from", "rank_or_rating", "surprise",
    "total",
]  # fmt: skip
__getattr__, __dir__ = attach(
    __name__,
    {
        "arrays": ("RatingArrays",),
        "event": ("Event", "EventLine", "EventPairing", "EventResult", "events_in"),
        "explanation": ("Explanation", "LINE"),
        "reasons": ("Factor", "Reason", "product", "surprise", "total"),
        "system_record": ("Details", "Extra", "RatedFrom"),
        "ratings": ("AbsentPlayerError", "PlayerRating", "Ratings"),
        "rules": ("Adjusted", "Rules", "Traits", "rank_from"),
        "standing": ("Opponent", "Standing", "Strangers", "rank_or_rating"),
    },
)
