"""Where a player stands, or a stranger of whom a rank, a rating or nothing is known."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from handan.errors import InputError, shown
from handan.ranks import Rank

if TYPE_CHECKING:
    from handan.ratings.ratings import Ratings

MOST_RATING = 1e9  # our choice: beyond it a stone is lost in rounding


class Standing(NamedTuple):
    """Where a player stands: what fair terms and forecasts are made from."""

    name: str
    rating: float
    deviation: float | None = None
    """Standard deviation of the rating; None: it is taken as exact."""
    rank: Rank | None = None
    rank_alone: bool = False
    """Whether somebody asked for the rank itself, and no player has the rating."""


Opponent = str | float | Rank | Standing | None
"""A player by name or id, or a stranger by rating, by rank, by a standing, or by nothing (None)."""
Strangers = Literal["refuse", "allow"]
"""What becomes of a name that no player has: it is refused, or taken for a newcomer of whom nothing is known."""
LIKE_A_RANK = re.compile(r"\d{1,9}\s{0,9}[kdp]\s{0,9}\??", re.IGNORECASE)


def rank_or_rating(text: str) -> tuple[Rank | None, float]:
    """Return what a rank (`3d`) or a rating (`2100`) says, NaN in place of a rating; InputError if it is neither."""
    try:
        rating = float(text)
    except ValueError:
        return Rank.parse(text), math.nan
    return None, finite(rating, text)


def finite(rating: float, text: str = "") -> float:
    """Return a rating, given as a text; InputError unless it is a finite number of a size that ratings have."""
    if not math.isfinite(rating):
        raise InputError(f"rating {shown(text or str(rating))} is not a finite number")
    if abs(rating) > MOST_RATING:
        raise InputError(
            f"rating {shown(text or str(rating))} is not a number from -{MOST_RATING:.0f} to {MOST_RATING:.0f}"
        )
    return float(rating)


def unknown_name(text: str) -> str:
    """Return a name of which nothing is known; InputError if it is no name, or a rank that nobody has (`12d`)."""
    if not text.strip():
        raise InputError(f"player {shown(text)} is not a name")
    if LIKE_A_RANK.fullmatch(text.strip()):
        Rank.parse(text)
    return text


def standing_of(ratings: Ratings, player: Opponent, strangers: Strangers = "refuse") -> Standing:
    """Return where a player stands now, or where a stranger enters, as `Ratings.standing` does."""
    if strangers not in get_args(Strangers):
        raise InputError(f"strangers={shown(str(strangers))} is neither refuse nor allow")
    if isinstance(player, Standing):
        return player
    if isinstance(player, Rank):
        return _of_rank(ratings, str(player), player)
    if isinstance(player, str):
        index = ratings.ledger.get(player)
        return _of_stranger(ratings, player, strangers) if index is None else _of_player(ratings, index)
    if player is None:
        return ratings.system.newcomer("a newcomer", ratings=ratings)
    return ratings.system.newcomer(f"{player:g}", rating=finite(player), ratings=ratings)


def _of_player(ratings: Ratings, index: int) -> Standing:
    deviation = None if ratings.deviation is None else float(ratings.deviation[index])
    name, rank = ratings.ledger.players[index].name, ratings.arrays.rank_of(index)
    return Standing(name, float(ratings.rating[index]), deviation, rank)


def _of_stranger(ratings: Ratings, text: str, strangers: Strangers) -> Standing:
    """Return where a player enters whom the ledger does not name: by rank, by rating, else by nothing."""
    if is_stranger(ratings, text):
        unknown_name(text)
        if strangers == "refuse":
            ratings.ledger.find(text)  # which refuses it
        return ratings.system.newcomer(text, ratings=ratings)
    rank, rating = rank_or_rating(text)
    return _of_rank(ratings, text, rank) if rank else ratings.system.newcomer(text, rating=rating, ratings=ratings)


def _of_rank(ratings: Ratings, name: str, rank: Rank) -> Standing:
    """Return where a rank stands for which somebody asks."""
    return ratings.system.newcomer(name, rank, ratings=ratings)._replace(rank=rank, rank_alone=True)


def is_stranger(ratings: Ratings, player: Opponent) -> bool:
    """Return whether a name is neither in the ledger nor a rank or a rating: its forecast is a newcomer's."""
    if not isinstance(player, str) or ratings.ledger.get(player) is not None:
        return False
    try:
        rank_or_rating(player)
    except InputError:
        return True
    return False


def pair_of(
    ratings: Ratings, one: Opponent, other: Opponent, strangers: Strangers = "refuse"
) -> tuple[Standing, Standing]:
    """Return where two players stand, as `standing_of` does; InputError for a player and the same again."""
    if isinstance(one, str) and isinstance(other, str):
        indices = {ratings.ledger.get(player) for player in (one, other)}
        same = one == other and is_stranger(ratings, one) if None in indices else len(indices) == 1
        if same:
            name = standing_of(ratings, one, "allow").name
            raise InputError(f"{name} was given twice; a game has two players")
    return standing_of(ratings, one, strangers), standing_of(ratings, other, strangers)
