"""The cards of all players, and the changes of all games, as frames: the lines of `history`, found column by column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.ledger import Result
from handan.ratings.arrays import made_in_steps
from handan.ratings.columns import CHANGES, FORECASTS, HISTORIES, MOVEMENT
from handan.ratings.lines import SIDES, adjustment_line, result_word, winner_of
from handan.ratings.rules import rank_from

if TYPE_CHECKING:
    from handan.ratings.rated_ledger import RatedLedger

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Value = TypeVar("Value")


def changes(ratings: RatedLedger) -> pl.DataFrame:
    """Return one row a rated game, in playing order, with before, change and after of both sides."""
    games = np.sort(ratings.arrays.sequence)
    table = _facts(ratings)[games]
    columns: dict[str, Any] = {"game": games + 1}
    columns |= {name: table[name] for name in ("date", "event", "round", "handicap", "komi", "result")}
    for side, name in enumerate(SIDES):
        columns[name] = table[name]
        for part in ("before", "change", "after"):
            columns[f"{name}_{part}"] = getattr(ratings.arrays, part)[games, side]
        for place, part in enumerate(("rank_before", "rank_after")):
            columns[f"{name}_{part}"] = _ranks(ratings, games, np.full(len(games), side))[place]
    return pl.DataFrame({name: columns[name] for name in CHANGES}, schema=CHANGES)


def forecasts(ratings: RatedLedger, probability: Floats) -> pl.DataFrame:
    """Return one row a rated game, in playing order, with the probability that Black wins it.

    Args:
        ratings: The games.
        probability: That Black wins, in the order of the replay, shape (rated,).
    """
    order = np.argsort(ratings.arrays.sequence)
    table = _facts(ratings)[ratings.arrays.sequence[order]]
    columns = {name: table[name] for name in FORECASTS if name in table.columns}
    columns |= {"game": pl.Series(ratings.arrays.sequence[order] + 1), "probability": pl.Series(probability[order])}
    return pl.DataFrame(columns, schema=FORECASTS)


def histories(ratings: RatedLedger, players: Iterable[int] | None = None, more: Sequence[str] = ()) -> pl.DataFrame:
    """Return the cards of players, given by index (None: all), one below the other: `player`, then as `history`.

    `more` names `side`: whether the player sits on the left (0) or on the right (1); null for an adjustment.
    """
    chosen = np.ones(len(ratings.ledger.players), dtype=bool) if players is None else _marked(ratings, players)
    frame = pl.concat([_games(ratings, chosen), _adjustments(ratings, chosen)])
    frame = _carried(ratings, frame.sort("seat", "place", "within", maintain_order=True))
    names = pl.Series("player", ratings.ledger.names, dtype=pl.String)
    return frame.with_columns(player=names.gather(frame["seat"])).select([*HISTORIES, *more])


def _marked(ratings: RatedLedger, players: Iterable[int]) -> NDArray[np.bool_]:
    marked = np.zeros(len(ratings.ledger.players), dtype=bool)
    marked[list(players)] = True
    return marked


def _facts(ratings: RatedLedger) -> pl.DataFrame:
    """Return the games with their day as it was written, without a time."""
    pattern = {4: "%Y", 7: "%Y-%m"}
    day = pl.col("date").dt.strftime("%Y-%m-%d")
    for precision, written in pattern.items():
        day = pl.when(pl.col("precision") == precision).then(pl.col("date").dt.strftime(written)).otherwise(day)
    names = [pl.col(name).cast(pl.String) for name in (*SIDES, "result")]
    return ratings.ledger.games.with_columns(*names, date=day.fill_null(""))


def _games(ratings: RatedLedger, chosen: NDArray[np.bool_]) -> pl.DataFrame:
    """Return one row for each side of each game, unsorted, with `seat`, `place` and `within` to sort by."""
    ledger = ratings.ledger
    seats = np.stack([ledger.arrays.black, ledger.arrays.white])
    side, game = np.nonzero(chosen[seats] if len(ledger) else np.zeros((2, 0), dtype=bool))
    seat = seats[side, game].astype(np.int64)
    table = _facts(ratings)[game]
    rated = ratings.arrays.unrated[game] == 0
    other = pl.Series(side == 1)
    results = _by_value(table["result"].to_list(), Result.parse)
    reasons = pl.Series(
        [f"not rated: {reason}" if reason else "" for reason in ratings.arrays.reasons], dtype=pl.String
    )
    weights = ratings.arrays.weights
    figures = {name: np.where(rated, getattr(ratings.arrays, name)[game, side], empty) for name, empty in (
        ("before", np.nan), ("change", 0.0), ("after", np.nan))}  # fmt: skip
    before, after = _ranks(ratings, game, side)
    opposite = seats[1 - side, game] if len(game) else seat
    theirs = _ranks_now(ratings, opposite) if ratings.system.traits.whole else _ranks(ratings, game, 1 - side)[0]
    columns = {
        "seat": seat,
        "place": _places(ratings, game, seat, rated),
        "within": np.where(rated, 0.0, game.astype(np.float64)),
        "game": game + 1,
        "date": table["date"],
        "opponent": table["black"].zip_with(other, table["white"]),
        "opponent_rank": pl.Series(theirs, dtype=pl.String).zip_with(pl.Series(rated), _empty(len(game))),
        "colour": [
            SIDES[own] if sure else "" for own, sure in zip(side, ledger.arrays.colours_known[game], strict=True)
        ],
        "handicap": table["handicap"],
        "komi": table["komi"],
        "result": [result_word(result, own) for result, own in zip(results, side.tolist(), strict=True)],
        "winner": [winner_of(result) for result in results],
        "weight": None if weights is None else pl.Series(weights[game]).zip_with(pl.Series(rated), _none(len(game))),
        **figures,
        "rank_before": before,
        "rank_after": after,
        "note": reasons.gather(ratings.arrays.unrated[game]),
        "comment": table["notes"],
        "event": table["event"],
        "round": table["round"],
        "side": side,
    }
    return pl.DataFrame(columns, schema=_SORTED)


_SORTED = {"seat": pl.Int64, "place": pl.Float64, "within": pl.Float64} | {
    name: kind for name, kind in (HISTORIES | {"side": pl.Int64}).items() if name != "player"
}


def _empty(length: int) -> pl.Series:
    return pl.Series([""], dtype=pl.String).new_from_index(0, length)


def _none(length: int) -> pl.Series:
    return pl.Series([None], dtype=pl.Float64).new_from_index(0, length)


def _by_value(texts: list[str], make: Callable[[str], Value]) -> list[Value]:
    """Return what each text makes, made once for each different one."""
    made = {text: make(text) for text in set(texts)}
    return [made[text] for text in texts]


def _ranks(ratings: RatedLedger, game: Numbers, side: Numbers) -> tuple[list[str], list[str]]:
    """Return the ranks of these sides before and after these games; empty for games that are not rated."""
    rated = ratings.arrays.unrated[game] == 0
    if ratings.arrays.rank_numbers is None:
        both = [_rank_texts(ratings, array[game, side]) for array in (ratings.arrays.before, ratings.arrays.after)]
    else:
        numbers = [array[game, side] for array in ratings.arrays.rank_numbers]
        both = [_each(each, lambda number: str(rank_from(int(number)))) for each in numbers]
    before, after = ([text if own else "" for text, own in zip(texts, rated, strict=True)] for texts in both)
    return before, after


def _ranks_now(ratings: RatedLedger, seat: Numbers) -> list[str]:
    """Return the ranks that players, given by index, have now."""
    return _each(seat, lambda player: str(ratings.arrays.rank_of(int(player)) or ""))


def _rank_texts(ratings: RatedLedger, values: Floats) -> list[str]:
    different, place = np.unique(values, return_inverse=True)
    numbers = different[~np.isnan(different)]
    texts = np.full(len(different), "", dtype=object)
    make = ratings.system.rank
    texts[: len(numbers)] = made_in_steps(len(numbers), lambda place: str(make(float(numbers[place])) or ""))
    ranks: list[str] = texts[place].tolist()
    return ranks


def _each(values: NDArray[Any], make: Callable[[Any], str]) -> list[str]:
    """Return what each number makes, made once for each different one."""
    different, place = np.unique(values, return_inverse=True)
    made = [make(value) for value in different]
    return [made[index] for index in place.tolist()]


def _places(ratings: RatedLedger, game: Numbers, seat: Numbers, rated: NDArray[np.bool_]) -> Floats:
    """Return where a row stands among those of its player: the place of a rated game in the sequence, for any other
    just behind the player's last rated game before it.
    """
    at = np.full(len(ratings.ledger), -1.0)
    at[ratings.arrays.sequence] = np.arange(ratings.rated, dtype=np.float64)
    places = at[game]
    if rated.all():
        return places
    order = np.argsort(seat, kind="stable")
    bounds = np.flatnonzero(np.diff(seat[order], prepend=-1, append=-1))
    for start, end in pairwise(bounds.tolist()):
        rows = order[start:end]
        others = rows[~rated[rows]]
        if len(others):
            own = np.sort(places[rows[rated[rows]]])
            taken = np.maximum.accumulate(ratings.arrays.sequence[own.astype(np.int64)])
            ends = np.append(-0.5, own + 0.25)
            places[others] = ends[np.searchsorted(taken, game[others])]
    return places


def _adjustments(ratings: RatedLedger, chosen: NDArray[np.bool_]) -> pl.DataFrame:
    rows: list[dict[str, Any]] = []
    for item in ratings.arrays.adjusted:
        if chosen[item.player]:
            line = adjustment_line(ratings, item)
            own = {name: getattr(line, name) for name in _SORTED if hasattr(line, name)}
            rows.append(
                {
                    "seat": item.player,
                    "place": item.place - 0.5,
                    "within": -1.0,
                    **own,
                    "event": "",
                    "round": None,
                    "side": None,
                }
            )
    return pl.DataFrame(rows, schema=_SORTED)


def _carried(ratings: RatedLedger, frame: pl.DataFrame) -> pl.DataFrame:
    """Give rows that moved nothing the rating and rank that the player only then."""
    ranks = pl.Series(_ranks_now(ratings, np.arange(len(ratings.rating))), dtype=pl.String)
    now = {
        "rating": pl.Series(ratings.rating, dtype=pl.Float64).gather(frame["seat"]),
        "rank": ranks.gather(frame["seat"]),
    }
    still = pl.col("before").is_nan()
    frame = frame.with_columns(**{f"{name}_now": values for name, values in now.items()})
    for name, before, after in (("rating", "before", "after"), ("rank", "rank_before", "rank_after")):
        only = pl.when(still).then(None)
        first = only.otherwise(pl.col(before)).backward_fill().over("seat").fill_null(pl.col(f"{name}_now"))
        carried = only.otherwise(pl.col(after)).forward_fill().over("seat")
        frame = frame.with_columns(carried.fill_null(first).alias(name))
    for name, before, after in (("rating", "before", "after"), ("rank", "rank_before", "rank_after")):
        frame = frame.with_columns(pl.when(still).then(pl.col(name)).otherwise(pl.col(after)).alias(after))
        # `still` reads `before`, so that is filled last
        frame = (
            frame
            if before == "before"
            else frame.with_columns(pl.when(still).then(pl.col(name)).otherwise(pl.col(before)).alias(before))
        )
    return frame.with_columns(pl.when(still).then(pl.col("rating")).otherwise(pl.col("before")).alias("before"))


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
