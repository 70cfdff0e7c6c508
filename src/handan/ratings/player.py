"""What a system says of one player: the answer to `ratings["Ada"]`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from handan.errors import AbsentError, counted
from handan.ranks import Rank
from handan.ratings.explanation import Explanation

if TYPE_CHECKING:
    import altair as alt

    from handan.ratings.ratings import Ratings


class AbsentPlayerError(AbsentError, KeyError):
    """Nobody in the ledger has the name, or several are written so; also a KeyError, as of any other mapping."""


@dataclass(frozen=True, slots=True, repr=False)
class PlayerRating:
    """One player of `Ratings`."""

    ratings: Ratings
    index: int
    """Place of the player in `Ledger.players`."""
    name: str
    rating: float
    """Rating now, in the unit of the system."""
    deviation: float | None
    """Standard deviation of the rating in the same unit; None where the system has none."""
    rank: Rank | None
    """None where the system has no ranks."""
    games: int
    """Rated games."""
    wins: int
    losses: int
    draws: int

    def __repr__(self) -> str:
        """One short line."""
        deviation = "" if self.deviation is None else f" ± {self.deviation:.4g}"
        rank = f", {self.rank}" if self.rank is not None and self.ratings.arrays.ranks_declared else ""
        return f"<PlayerRating {self.name}: {self.rating:.6g}{deviation}{rank}, {counted(self.games, 'game')}>"

    def _repr_html_(self) -> str:
        from handan.ratings.notebook import player_html

        return player_html(self)

    @property
    def place(self) -> int:
        """Place on the ladder, 1 the strongest; equal players share one."""
        return int(self.ratings.arrays.places[self.index])

    @property
    def last_played(self) -> str | None:
        """Day of the last rated game as it was written, None without one."""
        return self.ratings.arrays.days_of(self.ratings.arrays.tallies[[self.index], 4])[0]

    def history(self) -> pl.DataFrame:
        """Return the player's card, as `Ratings.history` does."""
        return self.ratings.history(self.name)

    def explain(self, game: int | None = None) -> list[Explanation]:
        """Return why each game changed the rating, or one game by its number, as `Ratings.explain` does."""
        return self.ratings.explain(self.name, game)

    def chart(self) -> alt.LayerChart:
        """Return the course of the rating as a chart, as `Ratings.chart` does."""
        return self.ratings.chart(self.name)


def player_rating(ratings: Ratings, index: int) -> PlayerRating:
    """Return what a system says of a player, given by index."""
    deviation = None if ratings.deviation is None else float(ratings.deviation[index])
    games, wins, losses, draws, _ = ratings.arrays.tallies[index].tolist()
    name, rating = ratings.ledger.names[index], float(ratings.rating[index])
    return PlayerRating(
        ratings, index, name, rating, deviation, ratings.arrays.rank_of(index), games, wins, losses, draws
    )
