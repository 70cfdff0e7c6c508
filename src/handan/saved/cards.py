"""What saved ratings say of single games: each is rated again from the checkpoint before it, and the others are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import cached_property

import numpy as np

from handan.errors import InputError
from handan.files.games.stored_games import SIDES, frame_of
from handan.kernels.types import Ints
from handan.ledger import Ledger, When
from handan.ratings import Event, Ratings
from handan.saved.contents import Contents, people_at, table_of
from handan.saved.people import People
from handan.saved.replaying import behind, members_of, names_in
from handan.systems.core.base import Sequential
from handan.systems.core.boundaries import batch_boundaries
from handan.systems.core.on_demand import RatingsOnDemand
from handan.systems.core.streaming import Retaken, StreamedRatings
from handan.systems.core.windows import Window


class SavedCards(StreamedRatings):
    """Ratings of saved games: the list, and the lines of each player; no array of one row a game.

    Its ledger holds the players and no game. A card reads who plays in every game, and rates the segments in which the
    player does; a single game needs those of its segment up to the end of its day, period or event.
    """

    later = ()
    _contents: Contents

    def __init__(self, listed: Ratings, contents: Contents) -> None:
        """Make them of the list (`handan.saved.views.standings`) and the folder."""
        RatingsOnDemand.__init__(self, listed)
        object.__setattr__(self, "_contents", contents)

    @cached_property
    def whole(self) -> Ratings:
        """Nothing: InputError that says where all games are rated."""
        raise InputError("cards of saved ratings are those of single players; `ratings` has what is said of all games")

    def at(self, day: date | When | str) -> Ratings:
        """InputError, as `whole`."""
        return self.whole.at(day)

    def event(self, name: str = "", *, declared: Mapping[str, float] | None = None) -> Event:
        """InputError, as `whole`."""
        return self.whole.event(name, declared=declared)

    def _number(self, player: int) -> int:
        return int((self._contents.players["name"] == self.ledger.players[player].name).arg_max() or 0)

    def _is_game_of(self, player: int, game: int) -> bool:
        """Return whether there is a game of a number, and a player sits at it."""
        place = game - 1
        for part in (part for segment in self._contents.segments for part in segment["games"]):
            if 0 <= place < part["rows"]:
                row = frame_of(self._contents.parts.content(part["file"]), part["file"]).row(place, named=True)
                return self._number(player) in {row[side] for side in SIDES}
            place -= part["rows"]
        return False

    def _games_of(self, player: int) -> Ints:
        number, first, own = self._number(player), 0, []
        for part in (part for segment in self._contents.segments for part in segment["games"]):
            black, white = frame_of(self._contents.parts.content(part["file"]), part["file"]).select(SIDES)
            own.append(((black == number) | (white == number)).arg_true().to_numpy().astype(np.int64) + first)
            first += part["rows"]
        return np.concatenate(own) if own else np.empty(0, dtype=np.int64)

    def _is_adjusted(self, player: int) -> bool:
        return any(item.player == self.ledger.players[player].name for item in self._contents.adjustments)

    def _index_in(self, ratings: Ratings, player: int) -> int | None:
        return ratings.ledger.get(self.ledger.players[player].name)

    def _again(self, games: Ints, *, adjusted: bool = False) -> Iterator[Retaken]:
        start = end = 0
        for number, segment in enumerate(self._contents.segments):
            first, end = end, end + int(segment["rows"])
            own = games[(games >= first) & (games < end)]
            if adjusted or len(own):
                reach = end if adjusted else int(own[-1]) + 1
                ratings = _rated(self._contents, number, reach - first)
                yield Retaken(Window(first, first + len(ratings.ledger)), ratings, start)
            start += int(segment["rated"])


def _rated(contents: Contents, number: int, reach: int) -> Ratings:
    """Return the ratings of the games of a segment, of so many at least, from what was known before."""
    rules, segment = contents.system, contents.segments[number]
    assert isinstance(rules, Sequential)  # noqa: S101  # the caller has asked
    games, place = table_of(contents, [segment]), segment["people"]
    people = People.strangers(len(contents.players)) if place is None else people_at(contents.parts, place)
    people.grow(len(contents.players))
    members = members_of(contents, names_in(games) | {item.player for item in contents.adjustments})
    ledger = Ledger.among(games, members.players.values())
    cuts = batch_boundaries(ledger, rules.together) if reach < len(ledger) else np.empty(0, dtype=np.int64)
    end = int(next(iter(cuts[cuts >= reach]), len(ledger)))
    since = contents.segments[number - 1]["last"] if number else None
    last = number == len(contents.segments) - 1
    part, past = behind(contents, ledger, Window(0, end), people, members.numbers, since, last=last)
    return replace(rules.rate_after(past, part), earlier=people.facts["games"][past.numbers])
