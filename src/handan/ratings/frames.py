"""The cards of all players, and the changes of all games, as frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.ledger.columns import SCHEMA
from handan.ratings.columns import CHANGES, FORECASTS, HISTORIES, MOVEMENT
from handan.ratings.lines import SIDES, cards, ranks_around, with_facts

if TYPE_CHECKING:
    from handan.ratings.rated_ledger import RatedLedger

Floats = NDArray[np.float64]


def changes(ratings: RatedLedger) -> pl.DataFrame:
    """Return one row a rated game, in playing order, with before, change and after of both sides."""
    games = np.sort(ratings.arrays.sequence)
    table = _facts(ratings, games)
    columns: dict[str, Any] = {"game": games + 1}
    columns |= {name: table[name] for name in ("date", "event", "round", "handicap", "komi", "result")}
    for side, name in enumerate(SIDES):
        columns[name] = table[name]
        for part in ("before", "change", "after"):
            columns[f"{name}_{part}"] = getattr(ratings.arrays, part)[games, side]
        ranks = ranks_around(ratings, games, np.full(len(games), side))
        columns[f"{name}_rank_before"], columns[f"{name}_rank_after"] = ranks
    return pl.DataFrame({name: columns[name] for name in CHANGES}, schema=CHANGES)


def forecasts(ratings: RatedLedger, probability: Floats) -> pl.DataFrame:
    """Return one row a rated game, in playing order, with the probability that Black wins it.

    Args:
        ratings: The games.
        probability: That Black wins, in the order of the replay, shape (rated,).
    """
    order = np.argsort(ratings.arrays.sequence)
    table = _facts(ratings, ratings.arrays.sequence[order])
    columns = {name: table[name] for name in FORECASTS if name in table.columns}
    columns |= {"game": pl.Series(ratings.arrays.sequence[order] + 1), "probability": pl.Series(probability[order])}
    return pl.DataFrame(columns, schema=FORECASTS)


def histories(ratings: RatedLedger, players: Iterable[int] | None = None, more: Sequence[str] = ()) -> pl.DataFrame:
    """Return the cards of players, given by index (None: all), one below the other: `player`, then as `history`.

    `more` names `side`: whether the player sits on the left (0) or on the right (1); null for an adjustment.
    """
    own = range(len(ratings.ledger.players)) if players is None else sorted(set(players))
    table = with_facts(ratings, cards(ratings, own))
    game, games = table["game"] - 1, ratings.ledger.arrays
    return table.with_columns(
        player=pl.Series(ratings.ledger.names, dtype=pl.String).gather(table["player"]),
        event=games.column("event").gather(game).fill_null(""),
        round=games.column("round").gather(game).cast(pl.Int64),
    ).select([*HISTORIES, *more])


def _facts(ratings: RatedLedger, games: NDArray[np.int64]) -> pl.DataFrame:
    """Return some games, by index, with their day as it was written, without a time."""
    arrays = ratings.ledger.arrays
    table = arrays.rows(games, [name for name in SCHEMA if name in CHANGES])
    days = pl.Series(arrays.written_days(games), dtype=pl.String).fill_null("")
    return table.with_columns(pl.col(*SIDES).cast(pl.String), date=days)


def with_movement(table: pl.DataFrame, earlier_table: pl.DataFrame, *, is_index: bool) -> pl.DataFrame:
    """Return a ladder with what each player had on an earlier ladder; null for who had no rated game by then.

    `places_up` counts places among all players of each ladder: positive is up. `rating_change` is null where the rating
    is an index of the rank (`is_index`), which has changed.
    """
    before = {row["player"]: row for row in earlier_table.iter_rows(named=True) if row["games"]}
    columns: dict[str, list[Any]] = {name: [] for name in MOVEMENT}
    for row in table.iter_rows(named=True):
        earlier = before.get(row["player"])
        same_unit = earlier is not None and not (is_index and earlier["rank"] != row["rank"])
        columns["place_before"].append(earlier and earlier["place"])
        columns["places_up"].append(earlier and earlier["place"] - row["place"])
        columns["rank_before"].append(earlier and earlier["rank"])
        columns["rating_before"].append(earlier and earlier["rating"])
        columns["rating_change"].append(row["rating"] - earlier["rating"] if earlier and same_unit else None)
    return table.hstack(pl.DataFrame(columns, schema=MOVEMENT))
