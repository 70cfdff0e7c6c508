"""On which day each player's game was played that was added to the ledger last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.club.game_rows import columns_of
from handan.club.once import once
from handan.ledger.dates import written

DAY = 10  # characters of a date without a time
NO_MOMENT = np.iinfo(np.int64).min  # stands for a game without a date, which no date is


class LastUpdated(Mapping[str, str]):
    """The day of the game that was added last of each player by key, empty for a game without a date."""

    def __init__(self, places: Mapping[str, int], games: pl.DataFrame, later: Mapping[str, str] | None = None) -> None:
        """Take the games; a day is written when somebody looks at it.

        Args:
            places: Place of each player's game among `games`.
            games: Columns `date` and `precision`.
            later: Days of players of whom games were added since.
        """
        self._places, self._games, self._later = places, games, later or {}

    def followed_by(self, later: Mapping[str, str]) -> LastUpdated:
        """Return the same with the days of games that were added since."""
        after = LastUpdated(self._places, self._games, {**self._later, **later})
        vars(after).update({name: value for name, value in vars(self).items() if name in ("_numbers", "_texts")})
        return after

    def __getitem__(self, key: str) -> str:
        """Return a player's day; KeyError for who has no game."""
        if key in self._later:
            return self._later[key]
        place = self._places[key]
        moment, precision = (int(numbers[place]) for numbers in self._numbers)
        if (moment, precision) not in self._texts:
            self._texts[moment, precision] = written_day(*self._games.row(place))
        return self._texts[moment, precision]

    @once
    def _numbers(self) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Moment and precision of each game as numbers; the same ones are the same day."""
        return self._games["date"].to_physical().fill_null(NO_MOMENT).to_numpy(), self._games["precision"].to_numpy()

    @once
    def _texts(self) -> dict[tuple[int, int], str]:
        """Days that were written."""
        return {}

    def __iter__(self) -> Iterator[str]:
        """Go through the keys, in the order of their games."""
        yield from self._places
        yield from (key for key in self._later if key not in self._places)

    def __len__(self) -> int:
        """Number of players with games."""
        return len(self._places) + sum(key not in self._places for key in self._later)


def days_of_last_added(games: pl.DataFrame, person: Callable[[str], str] | None = None) -> LastUpdated:
    """Return the day of the game that was added last of each player.

    Args:
        games: Columns `black`, `white` (of the same categories), `date`, `precision`, `added` and `line`; of games that
            were added at the same moment the later line is the later one.
        person: Returns whom a player was found to be; None where all are who they are.
    """
    order = _order(games["added"], games["line"])
    codes = [games[side].to_physical().to_numpy() for side in ("black", "white")]
    last = np.full(max(int(own.max(initial=0)) for own in codes) + 1, -1, dtype=np.int64)
    places = np.arange(len(games))
    for own in codes:
        ranks = np.full_like(last, -1)
        ranks[own if order is None else own[order]] = places  # the last of several for one place stays
        np.maximum(last, ranks, out=last)
    there = np.flatnonzero(last >= 0)
    there = there[np.argsort(last[there])]
    keys = pl.Series(there.astype(np.uint32)).cat.to(games["black"].dtype).to_list()
    latest = last[there] if order is None else order[last[there]]
    among = dict(zip(keys, range(len(keys)), strict=True))
    if person is not None:  # of several who are one, the game that was added last counts
        among = {person(key): place for key, place in among.items()}
    return LastUpdated(among, columns_of(games, "date", "precision")[latest])


def written_day(moment: datetime | None, precision: int) -> str:
    """Return the day of a date of some precision, as it was written; empty where there is none."""
    return written(moment, min(precision, DAY)) if moment else ""


def _order(added: pl.Series, line: pl.Series) -> NDArray[np.int64] | None:
    """Return in which order games were added; None where they stand in it, as in most clubs, which only add games."""
    if added.is_sorted() and line.is_sorted():
        return None
    order = np.argsort(
        line.to_numpy(), kind="stable"
    )  # after a correction nearly all stand in order: this is quick then
    return order[np.argsort(added.to_physical().to_numpy()[order], kind="stable")]
