"""Who plays the next game: a player of the ledger, or a stranger of whom a rank, a rating or nothing is known."""

from __future__ import annotations

import math
import re
from numbers import Real
from typing import TYPE_CHECKING, get_args

from handan.errors import AbsentError, InputError, refuse_other, shown
from handan.ranks import Rank
from handan.ratings.standing import Opponent, Standing, Strangers, finite, rank_or_rating

if TYPE_CHECKING:
    from handan.ratings.rated_ledger import RatedLedger

LIKE_A_RANK = re.compile(r"\d{1,9}\s{0,9}[kdp]\s{0,9}\??", re.IGNORECASE)


def unknown_name(text: str) -> str:
    """Return a name of which nothing is known; InputError if it is no name, or a rank that nobody has (`12d`)."""
    if not text.strip():
        raise InputError(f"player {shown(text)} is not a name")
    if LIKE_A_RANK.fullmatch(text.strip()):
        Rank.parse(text)
    return text


def standing_of(ratings: RatedLedger, player: Opponent, strangers: Strangers = "refuse") -> Standing:
    """Return where a player stands now, or where a stranger enters, as `Ratings.standing` does."""
    if strangers not in get_args(Strangers):
        raise InputError(f"strangers={shown(str(strangers))} is neither refuse nor allow")
    player = _by_name(ratings, player)
    if isinstance(player, Standing):
        return player
    if isinstance(player, Rank):
        return _of_rank(ratings, str(player), player)
    if isinstance(player, str):
        index = ratings.ledger.get(player)
        return _of_stranger(ratings, player, strangers) if index is None else _of_player(ratings, index)
    if player is None:
        return ratings.system.newcomer("a newcomer", ratings=ratings)
    refuse_other("player", player, Real, "a name, a rank, a rating or a Standing")
    return ratings.system.newcomer(f"{player:g}", rating=finite(player), ratings=ratings)


def _by_name(ratings: RatedLedger, player: Opponent) -> Opponent:
    """Return a number as the name that it is where all players are named by numbers; anything else as it is."""
    if not isinstance(player, (int, float)) or not ratings.ledger.arrays.lookup.numbered:
        return player
    return str(int(player)) if float(player).is_integer() else str(player)


def _of_player(ratings: RatedLedger, index: int) -> Standing:
    rating, deviation = float(ratings.rating[index]), None
    if ratings.deviation is not None:
        deviation = known_deviation(ratings, rating, float(ratings.deviation[index]))
    return Standing(ratings.ledger.players[index].name, rating, deviation, ratings.arrays.rank_of(index))


def known_deviation(ratings: RatedLedger, rating: float, deviation: float) -> float | None:
    """Return a player's deviation; for one without a rated game, who has none yet, that of who enters at the rating."""
    return ratings.system.newcomer("", rating=rating, ratings=ratings).deviation if math.isnan(deviation) else deviation


def _of_stranger(ratings: RatedLedger, text: str, strangers: Strangers) -> Standing:
    """Return where a player enters whom the ledger does not name: by rank, by rating, else by nothing."""
    if is_stranger(ratings, text):
        unknown_name(text)
        if strangers == "refuse":
            try:
                ratings.ledger.find(text)  # which refuses it
            except AbsentError as error:
                error.advice = '; strangers="allow" takes the name for a newcomer\'s'
                raise
        return ratings.system.newcomer(text, ratings=ratings)
    rank, rating = rank_or_rating(text)
    return _of_rank(ratings, text, rank) if rank else ratings.system.newcomer(text, rating=rating, ratings=ratings)


def _of_rank(ratings: RatedLedger, name: str, rank: Rank) -> Standing:
    """Return where a rank stands for which somebody asks."""
    return ratings.system.newcomer(name, rank, ratings=ratings)._replace(rank=rank, rank_alone=True)


def is_stranger(ratings: RatedLedger, player: Opponent) -> bool:
    """Return whether a name is neither in the ledger nor a rank or a rating: its forecast is a newcomer's."""
    player = _by_name(ratings, player)
    if not isinstance(player, str) or ratings.ledger.get(player) is not None:
        return False
    if ratings.ledger.arrays.lookup.numbered and player.isdecimal():
        return True
    try:
        rank_or_rating(player)
    except InputError:
        return True
    return False


def pair_of(
    ratings: RatedLedger, one: Opponent, other: Opponent, strangers: Strangers = "refuse"
) -> tuple[Standing, Standing]:
    """Return where two players stand, as `standing_of` does; InputError for a player and the same again."""
    one, other = _by_name(ratings, one), _by_name(ratings, other)
    if isinstance(one, str) and isinstance(other, str):
        indices = {ratings.ledger.get(player) for player in (one, other)}
        same = one == other and is_stranger(ratings, one) if None in indices else len(indices) == 1
        if same:
            name = standing_of(ratings, one, "allow").name
            raise InputError(f"{name} was given twice; a game has two players")
    return standing_of(ratings, one, strangers), standing_of(ratings, other, strangers)
