"""Ratings of a replay as arrays and plain values, from which another process goes on without rating anything.

What is known of the players is few and read at once; what is said of each game is read when somebody looks at it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields
from functools import cached_property
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from handan.errors import InputError
from handan.ledger import Ledger
from handan.ratings import Ratings, Rules
from handan.systems.core.base import Sequential
from handan.systems.core.forecasting import WEIGHT
from handan.systems.core.on_demand import FROM, RatingsOnDemand
from handan.systems.core.past import nothing_past
from handan.systems.core.plain_values import put_together, taken_apart
from handan.systems.core.windows import Window, part_of
from handan.systems.families.continuing import BEHIND, END, Before, get_ready

OF_GAMES = (
    "before", "change", "unrated", "batch", "sequence", "printed", "rank_numbers", "variances", "extra", "calibration",
)  # fmt: skip
"""What ratings hold of every game."""
AT_ONCE = (
    *(part.name for part in fields(Ratings) if part.name not in (*OF_GAMES, "system", "ledger")), "tallies", WEIGHT,
)  # fmt: skip
"""What they hold of players and rules."""
GROWING = "game_"
"""How the names of arrays begin behind which games that come are written."""


class Kept(NamedTuple):
    """Ratings on their way to another process."""

    plain: dict[str, Any]
    """What JSON knows."""
    arrays: dict[str, NDArray[Any]]
    """By name, shape (rows,) each."""


class Shape(NamedTuple):
    """Where an array stands."""

    name: str
    """In `Kept.arrays`."""
    rows: int
    """How many of its rows count."""
    row: tuple[int, ...]
    """Shape of each row, empty for one value."""


Get = Callable[[Shape], NDArray[Any]]
"""Returns an array as it was kept; InputError where it is damaged."""


def is_kept(ratings: Ratings) -> bool:
    """Return whether ratings are of so many games, replayed by a system of ours, that reading them takes less time."""
    ours = type(ratings.system).__module__.partition(".")[0] == __name__.partition(".")[0]
    return ours and isinstance(ratings.system, Sequential) and len(ratings.ledger) >= FROM


def kept_of(ratings: Ratings) -> Kept | None:
    """Return ratings with what games that come last go on from; None for those that hold what is not kept."""
    get_ready(ratings)
    own, arrays = vars(ratings), _Arrays()
    items = ratings.ledger.adjustments
    before: Before | None = own.get(BEHIND)
    try:
        plain = {
            "games": checksum_of(ratings.ledger),
            "ratings": _apart(ratings, arrays, ratings.ledger),
            "end": taken_apart(own.get(END), arrays.put, items),
            "before": None if before is None else _apart(before.ratings, arrays, ratings.ledger),
            "place": None if before is None else taken_apart(before.place, arrays.put, items),
        }
    except (TypeError, StopIteration):
        return None
    return Kept(plain, arrays.arrays)


def taken_up(system: Rules, ledger: Ledger, plain: Mapping[str, Any], get: Get) -> Ratings | None:
    """Return kept ratings of a ledger; None where they are of another one.

    Args:
        system: Under which they were rated.
        ledger: The games, as they were then.
        plain: As they were kept.
        get: Returns an array.

    Raises:
        InputError: An array of players is damaged.
    """
    if plain["games"] != checksum_of(ledger):
        return None

    def array(place: list[Any]) -> NDArray[Any]:
        name, rows, row = place
        return get(Shape(name, rows, tuple(row)))

    made = _together(system, ledger, plain["ratings"], array, ledger)
    if plain["end"] is not None:
        vars(made)[END] = put_together(plain["end"], array, ledger.adjustments)
    if plain["before"] is not None:
        place = put_together(plain["place"], array, ledger.adjustments)
        part = part_of(ledger, Window(0, place.game), nothing_past(len(ledger.players)).entered)
        vars(made)[BEHIND] = Before(_together(system, part, plain["before"], array, ledger), place)
    return made


def checksum_of(ledger: Ledger) -> int:
    """Return the CRC-32 of the players of a ledger and of who played which game, in which order.

    It tells mistakes apart, in a seventh of the time of a digest; of which entries ratings are, their head says.
    """
    checksum = crc32("\n".join(ledger.names).encode())
    for side in ledger.seats:
        checksum = crc32(np.ascontiguousarray(side, dtype=np.uint32).data, checksum)
    return crc32(np.ascontiguousarray(ledger.column("line").to_numpy(), dtype=np.int64).data, checksum)


class KeptRatings(RatingsOnDemand):
    """Ratings that another process made; what they say of each game is read when somebody looks at it."""

    later = OF_GAMES

    for _name in OF_GAMES:
        locals()[_name] = cached_property(lambda ratings, name=_name: _of_games(ratings, name))  # type: ignore[misc]

    def __init__(self, **own: Any) -> None:
        """Make ratings that go on from kept ones; `own` are the fields of `Ratings`."""
        Ratings.__init__(self, **own)

    @cached_property
    def whole(self) -> Ratings:
        """The same, rated anew, where what was kept is damaged."""
        rules: Any = self.system
        ratings: Ratings = rules.rate_after(None, self.ledger)
        return ratings


READ = "read"
"""Under which ratings keep what returns what was kept of their games, by name."""


def _of_games(ratings: Any, name: str) -> Any:
    """Return what ratings say of every game, as it was kept."""
    read: Callable[[str], Any] | None = vars(ratings).get(READ)
    if read is None or (name == "calibration" and WEIGHT not in vars(ratings)):  # made of kept ones, or none was kept
        return ratings.system.calibration(ratings)
    with suppress(InputError, KeyError):
        return read(name)
    return getattr(ratings.whole, name)


class _Arrays:
    """Arrays on their way; one that begins as another one does stands there."""

    def __init__(self) -> None:
        self.arrays, self.given = dict[str, NDArray[Any]](), dict[str, NDArray[Any]]()

    def put(self, values: NDArray[Any], beginning: str = "player_") -> Shape:
        """Keep an array, and return where it stands."""
        row = values.shape[1:]
        for name, there in self.given.items():
            if name.startswith(beginning) and _begins_with(there, values):
                return Shape(name, len(values), row)
        name = f"{beginning}{len(self.arrays)}"
        self.given[name], self.arrays[name] = values, values.reshape(-1)
        return Shape(name, len(values), row)

    def put_growing(self, values: NDArray[Any]) -> Shape:
        """Keep an array with a row a game."""
        return self.put(values, GROWING)


def _begins_with(whole: NDArray[Any], part: NDArray[Any]) -> bool:
    """Return whether the first rows of an array are another one, to the bit."""
    if (whole.dtype, whole.shape[1:]) != (part.dtype, part.shape[1:]) or len(part) > len(whole):
        return False
    begins = [(each.__array_interface__["data"][0], each.strides) for each in (whole, part)]
    if begins[0] == begins[1]:
        return True
    some = slice(0, 64)
    return all(
        np.ascontiguousarray(part[rows]).tobytes() == np.ascontiguousarray(whole[: len(part)][rows]).tobytes()
        for rows in (some, slice(0, len(part)))
    )


def _apart(ratings: Ratings, arrays: _Arrays, ledger: Ledger) -> dict[str, Any]:
    """Return what ratings hold, all but their system and ledger, whose adjustments are those of a whole ledger."""
    own = vars(ratings)
    names = [name for name in (*AT_ONCE, *OF_GAMES) if name in own or hasattr(type(ratings), name)]
    values = {name: getattr(ratings, name) for name in names if name != "calibration" or WEIGHT in own}
    return {
        name: taken_apart(value, arrays.put_growing if name in OF_GAMES else arrays.put, ledger.adjustments)
        for name, value in values.items()
    }


def _together(system: Rules, ledger: Ledger, plain: Mapping[str, Any], array: Any, whole: Ledger) -> KeptRatings:
    """Return ratings of what `_apart` made of them."""
    made = object.__new__(KeptRatings)
    vars(made).update(
        {name: put_together(own, array, whole.adjustments) for name, own in plain.items() if name in AT_ONCE}
    )

    def read(name: str) -> Any:
        return put_together(plain[name], array, whole.adjustments)

    vars(made).update({"system": system, "ledger": ledger, READ: read})
    return made
