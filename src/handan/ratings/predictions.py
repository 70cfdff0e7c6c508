"""Forecasts of many games at once: each player is looked up once, and each different game forecast once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from handan.errors import InputError, closest
from handan.ratings.opponents import is_stranger, pair_of, standing_of
from handan.ratings.standing import Standing

if TYPE_CHECKING:
    from handan.ratings.rated_ledger import RatedLedger
    from handan.ratings.standing import Strangers

NEEDED = ("black", "white")
TERMS = ("handicap", "komi")
ADDED = ("probability", "unknown")
UNKNOWN = {(False, False): "", (True, False): "black", (False, True): "white", (True, True): "both"}


def predict(ratings: RatedLedger, games: Any, strangers: Strangers) -> pl.DataFrame:
    """Return the frame with a column `probability`: what `win_probability` says of each row, null without a law.

    The column `unknown` names the colours of whom nothing is known: `black`, `white`, `both`, or empty.
    """
    try:
        frame = games if isinstance(games, pl.DataFrame) else pl.DataFrame(_columns(games))
    except (TypeError, pl.exceptions.PolarsError) as error:
        why = "a list; give a frame, or a dict of columns" if isinstance(games, list) else str(error).splitlines()[0]
        raise InputError(f"games to forecast are no table of columns: {why}") from None
    missing = [name for name in NEEDED if name not in frame.columns]
    if missing:
        near = closest(missing[0], frame.columns) if len(missing) == 1 else ""
        raise InputError(f"games to forecast have no column {' and no column '.join(missing)}{near}")
    for name in ADDED:
        if name in frame.columns:
            raise InputError(f"games to forecast have a column {name} already; drop it or give it another name")
    seats = _Seats(ratings, strangers)
    chances: dict[tuple[Any, ...], float | None] = {}
    column, unknown = [], []
    for number, (black, white, handicap, komi) in enumerate(_games(frame), 1):
        try:
            one, one_like, no_black = seats[black]
            other, other_like, no_white = seats[white]
            if black == white or one.name == other.name:
                pair_of(ratings, black, white, strangers)  # refuses a player and the same again
            key = (one_like, other_like, handicap, komi)
            if key not in chances:
                chances[key] = ratings.system.win_probability(one, other, _whole(handicap), komi, ratings)
        except InputError as error:
            raise InputError(f"row {number}: {error}") from None
        column.append(chances[key])
        unknown.append(UNKNOWN[no_black, no_white])
    chance = pl.Series("probability", column, dtype=pl.Float64)
    return frame.with_columns(chance, pl.Series("unknown", unknown, dtype=pl.String))


class _Seats(dict[Any, tuple[Standing, int, bool]]):
    """Where each player stands, looked up once, with a number that those share who stand alike, and who is unknown.

    No forecast depends on a name, so that newcomers of whom nothing is known are one.
    """

    def __init__(self, ratings: RatedLedger, strangers: Strangers) -> None:
        super().__init__()
        self._ratings, self._strangers = ratings, strangers
        self._numbers: dict[tuple[Any, ...], int] = {}

    def __missing__(self, player: Any) -> tuple[Standing, int, bool]:
        standing = standing_of(self._ratings, player, self._strangers)
        number = self._numbers.setdefault(standing[1:], len(self._numbers))
        self[player] = standing, number, player is None or is_stranger(self._ratings, player)
        return self[player]


def _games(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    """Return players and terms of every row."""
    length = frame.height
    columns = [frame[name].to_list() if name in frame.columns else [None] * length for name in (*NEEDED, *TERMS)]
    filled = [[None if value != value else value for value in column] for column in columns]  # noqa: PLR0124  # NaN
    return list(zip(*filled, strict=True))


def _whole(handicap: Any) -> Any:
    """Return a handicap as a whole number, which other libraries keep as a fraction where cells are empty."""
    if not isinstance(handicap, float):
        return 0 if handicap is None else handicap
    return int(handicap) if handicap.is_integer() else handicap


def _columns(games: Any) -> Any:
    """Return a frame of another library as polars makes it, columns of a dict as they are."""
    if isinstance(games, Mapping):
        return columns_of(games)
    import narwhals as nw

    try:
        return nw.from_native(games, eager_only=True).to_dict(as_series=False)
    except nw.exceptions.DuplicateError:
        raise InputError("games to forecast have two columns of one name; every column needs its own") from None


def columns_of(games: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a dict, those of whole numbers and fractions as fractions, which polars does not mix."""
    return {name: _alike(values) if isinstance(values, (list, tuple)) else values for name, values in games.items()}


def _alike(values: Sequence[Any]) -> Sequence[Any]:
    mixed = {float, int} <= set(map(type, values)) <= {float, int, type(None)}
    return [None if value is None else float(value) for value in values] if mixed else values
