"""What a record sheet says of a game beside its change: the winner, the opponent's rank, the weight, a comment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from handan.ledger import Result
from handan.ranks import Rank

if TYPE_CHECKING:
    from handan.ratings.ratings import Ratings

WINNERS = {1.0: "black", 0.5: "jigo", 0.0: "white"}


class Record(TypedDict):
    """Columns of a record sheet, as the fields of an `Explanation` are called."""

    opponent_rank: str
    winner: str
    weight: float | None
    comment: str


def recorded(ratings: Ratings, game: int, side: int, row: dict[str, Any]) -> Record:
    """Return these columns for one side of a game, whose row in the ledger's table is given."""
    weights = ratings.weights
    return Record(
        opponent_rank=str(_opponent_rank(ratings, game, 1 - side) or ""),
        winner=winner_of(Result.parse(row["result"])),
        weight=None if weights is None or ratings.unrated[game] else float(weights[game]),
        comment=row["notes"],
    )


def winner_of(result: Result) -> str:
    """Return the colour that won, `jigo`, or nothing where nobody scored or nobody knows the colours."""
    if result.score is None or (result.score != 0.5 and not result.colours_known):
        return ""
    return WINNERS[result.score]


def _opponent_rank(ratings: Ratings, game: int, other: int) -> Rank | None:
    """Return the opponent's rank before a game; now, where all games are solved together and none is before another.

    None for a game that is not rated, and where the system has no ranks.
    """
    if ratings.unrated[game]:
        return None
    if ratings.system.whole:
        return ratings.rank_of(int((ratings.ledger.black, ratings.ledger.white)[other][game]))
    return ratings.rank_before(game, other)
