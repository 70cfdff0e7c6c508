"""What saved ratings say of single games: each is rated again from the checkpoint before it, and the others are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import pairwise

import numpy as np
import polars as pl

from handan.errors import InputError
from handan.kernels.types import Ints
from handan.ledger import When
from handan.ledger.dataset import games_from
from handan.ledger.ledger import of_players
from handan.ratings import Event, Ratings
from handan.saved.contents import Contents, Place
from handan.saved.player_states import People
from handan.saved.replaying import behind, members_of, names_in
from handan.systems.core.boundaries import batch_boundaries
from handan.systems.core.ledger_windows import Window
from handan.systems.core.sequential import Sequential
from handan.systems.core.streaming import Retaken, StreamedRatings


@dataclass(frozen=True, eq=False, repr=False)
class SavedCards(StreamedRatings):
    """Ratings of saved games: the list, and the lines of each player; no array of one row a game.

    Its ledger holds the players and no game. A card reads who plays in every game, and rates the segments in which the
    player does; a single game needs those of its segment up to the end of its day, period or event.
    """

    contents: Contents = field(kw_only=True)
    """The folder; the arrays are those of its list (`handan.saved.saved_list.standings`)."""

    @cached_property
    def _whole(self) -> Ratings:
        """Nothing: InputError that says where all games are rated."""
        raise InputError("cards of saved ratings are those of single players; `ratings` has what is said of all games")

    def at(self, day: date | When | str) -> Ratings:
        """InputError: no game is in memory."""
        return self._whole.at(day)

    def event(self, name: str = "", *, declared: Mapping[str, float] | None = None) -> Event:
        """InputError: no game is in memory."""
        return self._whole.event(name, declared=declared)

    def _is_game_of(self, player: int, game: int) -> bool:
        """Return whether there is a game of a number, and a player sits at it."""
        return game - 1 in self._games_of(player)

    def _games_of(self, player: int) -> Ints:
        name, files = self.ledger.players[player].name, self.contents.files
        sits = (pl.col("black") == name) | (pl.col("white") == name)
        frames = [files.frame(file, ["black", "white"]).select(sits) for file in files.games]
        return pl.concat(frames).to_series().arg_true().to_numpy().astype(np.int64)

    def _is_adjusted(self, player: int) -> bool:
        return any(item.player == self.ledger.players[player].name for item in self.contents.adjustments)

    def _index_in(self, ratings: Ratings, player: int) -> int | None:
        return ratings.ledger.get(self.ledger.players[player].name)

    def _again(self, games: Ints, *, adjusted: bool = False) -> Iterator[Retaken]:
        places = self.contents.places
        for before, place in pairwise([Place(), *places]):
            own = games[(games >= before.games) & (games < place.games)]
            if adjusted or len(own):
                reach = place.games if adjusted else int(own[-1]) + 1
                ratings = _rated(self.contents, before, place, reach - before.games)
                yield Retaken(Window(before.games, before.games + len(ratings.ledger)), ratings, before.rated)


def _rated(contents: Contents, before: Place, place: Place, reach: int) -> Ratings:
    """Return the ratings of the games between two places, of so many at least, from what was known before."""
    rules = contents.system
    assert isinstance(rules, Sequential)  # noqa: S101  # the caller has asked
    games = games_from(contents.files, before.games, place.games)
    people = contents.people_at(before) if before.games else People.strangers(0)
    people.grow(len(contents.players))
    members = members_of(contents, names_in(games) | {item.player for item in contents.adjustments})
    ledger = of_players(games, members.players.values())
    cuts = batch_boundaries(ledger, rules.together) if reach < len(ledger) else np.empty(0, dtype=np.int64)
    end = int(next(iter(cuts[cuts >= reach]), len(ledger)))
    part, past = behind(
        contents, ledger, Window(0, end), people, members.numbers, before, last=place == contents.places[-1]
    )
    return Ratings(replace(rules.rate_after(past, part).arrays, earlier=people.facts["games"][past.numbers]))
