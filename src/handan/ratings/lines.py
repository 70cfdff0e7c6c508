"""The lines of players' cards: every game and adjustment in the order taken, with what it changed and why."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.errors import InputError
from handan.ledger import Result, When
from handan.ledger.columns import different_texts
from handan.ledger.dates import day_number
from handan.ratings.arrays import rank_texts
from handan.ratings.columns import HISTORY
from handan.ratings.explanation import Explanation, Lines
from handan.ratings.notes import NOT_RATED
from handan.ratings.reasons import Factor, Reason
from handan.ratings.rules import rank_from

if TYPE_CHECKING:
    from handan.ratings.rated_ledger import RatedLedger
    from handan.ratings.rules import Adjusted

Ints = NDArray[np.int64]

READ = ("handicap", "komi", "result", "notes")
"""Columns of the games that a line is made of."""
SIDES = ("black", "white")
WINNERS = {1.0: "black", 0.5: "jigo", 0.0: "white"}
WORDS = {1.0: "win", 0.5: "jigo", 0.0: "loss"}
BY_HAND = "An adjustment sets the rank or the rating by hand."
NO_REASON = Reason((), "sum")
NEVER = -(10**9)
"""A day before all others."""
FRONT = -0.5
"""Place of games that are not rated before the first that is."""
AFTER = 0.25
"""How far games that are not rated stand behind the rated one before them."""
RATING, RANK = ("before", "after"), ("rank_before", "rank_after")
FIGURES: dict[str, Any] = {
    "player": pl.Int64,
    "item": pl.Int64,
    "side": pl.Int64,
    "moved": pl.Boolean,
    **{name: HISTORY[name] for name in (*RATING, "change", *RANK)},
}
"""The figures of lines.

`player` is an index, `item` that of a game, or `~` the index of an adjustment in `RatingArrays.adjusted`; `side` is 0
on the left of a game and 1 on the right, null for an adjustment. Rating and rank are null where nothing moved.
"""


def explained(ratings: RatedLedger, player: int, game: int | None, *, reasons: bool | Container[int]) -> Lines:
    """Return the lines of a player, given by index, or of one game of hers, as `Ratings.explain` does."""
    sides = () if game is None or not 0 < game <= len(ratings.ledger) else ratings.ledger.arrays.seats
    if game is not None and player in (side[game - 1] for side in sides) and not ratings.arrays.unrated[game - 1]:
        lines = _figures(ratings, np.array([player]), np.array([game - 1]))
    else:
        lines = cards(ratings, [player])
    if game is not None:
        own, lines = lines["item"], lines.filter(pl.col("item") == game - 1) if game > 0 else lines.clear()
        if not lines.height:
            played = [str(item + 1) for item in own if item >= 0]
            some = ", ".join(played[:8]) + (" …" if len(played) > 8 else "")
            name = ratings.ledger.players[player].name
            raise InputError(f"game {game} is not a game of {name}, who played {some or 'none'}")
    ranked = ratings.arrays.ranks_declared
    return Lines(
        line if ranked else replace(line, ranked=False) for line in explanations(ratings, lines, reasons=reasons)
    )


def lines_between(
    ratings: RatedLedger, players: Sequence[int], first: date, last: date
) -> dict[int, list[Explanation]]:
    """Return the lines of players from one day to another, without reasons, as `explained` has them."""
    lines = cards(ratings, players)
    item, day = lines["item"].to_numpy(), np.full(lines.height, NEVER)
    day[item >= 0] = ratings.ledger.arrays.day[item[item >= 0]]
    for place in np.flatnonzero(item < 0).tolist():
        when = When.of(ratings.arrays.adjusted[~item[place]].item.date)
        day[place] = NEVER if when is None else day_number(when.moment.date())
    chosen = lines.filter(pl.Series((day >= day_number(first)) & (day <= day_number(last))))
    by_player: dict[int, list[Explanation]] = {player: [] for player in players}
    for player, line in zip(chosen["player"], explanations(ratings, chosen), strict=True):
        by_player[player].append(line)
    return by_player


def cards(
    ratings: RatedLedger, players: Sequence[int], now: Callable[[], tuple[float, str]] | None = None
) -> pl.DataFrame:
    """Return the figures of all lines of players, given by index, one player below the other.

    Lines that moved nothing have the rating and rank that the player had then.

    Args:
        ratings: The games.
        players: Whose cards.
        now: Returns the rating and rank of one whom nothing moved; None: as in the ratings.
    """
    lines = _figures(ratings, *_in_order(ratings, players))
    player, moved = lines["player"].to_numpy(), lines["moved"].to_numpy()
    if moved.all():
        return lines
    nobody = np.setdiff1d(player, player[moved]).tolist()
    stand = [now() if now else (float(ratings.rating[one]), str(ratings.arrays.rank_of(one) or "")) for one in nobody]
    columns = []
    for place, (before, after) in enumerate((RATING, RANK)):
        stood = [pl.col(after).forward_fill().over("player"), pl.col(before).backward_fill().over("player")]
        if nobody:
            values = pl.Series([each[place] for each in stand], dtype=HISTORY[before])
            stood.append(pl.col("player").replace_strict(nobody, values, default=None))
        columns += [pl.coalesce(name, *stood).alias(name) for name in (before, after)]
    return lines.with_columns(columns)


def _in_order(ratings: RatedLedger, players: Sequence[int]) -> tuple[Ints, Ints]:
    """Return `player` and `item` of the lines of players, in the order in which each took them."""
    arrays, (black, white) = ratings.arrays, ratings.ledger.arrays.seats
    chosen = np.zeros(len(ratings.ledger.players), dtype=bool)
    chosen[list(players)] = True
    mine, count = chosen[black] | chosen[white], len(black)

    def seated(games: Ints, places: Ints) -> tuple[Ints, Ints, Ints]:
        """Return each of the players in games, with the game and its place."""
        player = np.concatenate([black[games], white[games]]).astype(np.int64)
        own = chosen[player]
        return player[own], np.tile(games, 2)[own], np.tile(places, 2)[own]

    places = np.flatnonzero(mine[arrays.sequence])
    player, game, place = seated(arrays.sequence[places], places)
    order = np.lexsort((place, player))
    player, game, place = player[order], game[order], place[order]
    unrated = np.flatnonzero(mine & (arrays.unrated > 0))
    other_player, other, _ = seated(unrated, unrated)
    newest = np.maximum.accumulate(player * count + game)  # so far of each player, since players ascend
    last = np.searchsorted(newest, other_player * count + other) - 1
    follows = (last >= 0) & (np.append(player, -1)[last] == other_player)
    behind = np.where(follows, np.append(place, 0)[last] + AFTER, FRONT)
    by_hand = [(one.player, one.place - 0.5, ~index) for index, one in enumerate(arrays.adjusted) if chosen[one.player]]
    whose, where, adjusted = np.array(by_hand, dtype=np.float64).reshape(-1, 3).T
    player = np.concatenate([player, other_player, whose.astype(np.int64)])
    item = np.concatenate([game, other, adjusted.astype(np.int64)])
    within = np.concatenate([np.zeros(len(game)), other, np.zeros(len(where))])
    order = np.lexsort((within, np.concatenate([place, behind, where]), player))
    return player[order], item[order]


def _figures(ratings: RatedLedger, player: Ints, item: Ints) -> pl.DataFrame:
    """Return `FIGURES` of lines, given by player and item."""
    arrays, games = ratings.arrays, item[item >= 0]
    side = (ratings.ledger.arrays.seats[1][games] == player[item >= 0]).astype(np.int64)
    moved = arrays.unrated[games] == 0
    before, after = arrays.before[games, side], ratings_after(ratings, games, side)
    figures = (np.where(moved, before, np.nan), np.where(moved, after, np.nan))
    change, nothing = np.where(moved, arrays.change[games, side], 0.0), np.array(None, dtype=object)
    ranks = (np.where(moved, rank, nothing).tolist() for rank in ranks_around(ratings, games, side))
    columns = (player[item >= 0], games, side, moved, *figures, change, *ranks)
    lines = pl.DataFrame(dict(zip(FIGURES, columns, strict=True)), schema=FIGURES, nan_to_null=True)
    return _with_adjustments(item, lines, lambda index: _of_adjustment(arrays.adjusted[index], index))


def _of_adjustment(item: Adjusted, index: int) -> dict[str, Any]:
    """Return `FIGURES` of an adjustment."""
    moved = not math.isnan(item.before)
    around = (
        item.before,
        item.after,
        item.after - item.before,
        str(item.rank_before or ""),
        str(item.rank_after or ""),
    )
    columns = (item.player, ~index, None, moved, *around)
    row = dict(zip(FIGURES, columns, strict=True))
    return row if moved else row | dict.fromkeys((*RATING, *RANK))


def _with_adjustments(item: Ints, games: pl.DataFrame, row: Callable[[int], dict[str, Any]]) -> pl.DataFrame:
    """Return the lines of games with those of adjustments, which `row` makes by index, in the order of the items."""
    by_hand = np.flatnonzero(item < 0)
    if not len(by_hand):
        return games
    rows = pl.DataFrame([row(~index) for index in item[by_hand].tolist()], schema=games.schema)
    order = np.argsort(np.concatenate([np.flatnonzero(item >= 0), by_hand]))
    return pl.concat([games, rows])[order]


def with_facts(ratings: RatedLedger, lines: pl.DataFrame) -> pl.DataFrame:
    """Return lines with what is known of their games: the columns of `HISTORY`, then `player`, `side` and `moved`."""
    item = lines["item"].to_numpy()
    games, own = item[item >= 0], lines if (item >= 0).all() else lines.filter(pl.col("item") >= 0)
    arrays, ledger = ratings.arrays, ratings.ledger.arrays
    side, moved = own["side"].to_numpy(), own["moved"].to_numpy()
    facts = ledger.rows(games, READ)
    texts, number = different_texts(facts["result"])
    results, seen = [Result.parse(text) for text in texts], 2 * number.astype(np.int64) + side
    opponents, place = np.unique(np.where(side == 1, *(seat[games] for seat in ledger.seats)), return_inverse=True)
    if ratings.system.traits.whole:  # no game is before another, so that ranks are those of now
        ranks = np.array([str(arrays.rank_of(one) or "") for one in opponents.tolist()], dtype=object)[place]
    else:
        ranks = ranks_around(ratings, games, 1 - side)[0]
    weights = np.full(len(games), np.nan) if arrays.weights is None else arrays.weights[games]
    columns = {
        "game": games + 1,
        "date": pl.Series(ledger.written_days(games), dtype=pl.String).fill_null(""),
        "opponent": _gathered([ledger.names[one] for one in opponents.tolist()], place),
        "opponent_rank": np.where(moved, ranks, "").tolist(),
        "colour": _gathered([name if one.colours_known else "" for one in results for name in SIDES], seen),
        "handicap": facts["handicap"],
        "komi": facts["komi"],
        "result": _gathered([_word(one, side) for one in results for side in (0, 1)], seen),
        "winner": _gathered([winner_of(one) for one in results], seen // 2),
        "weight": pl.Series(np.where(moved, weights, np.nan), nan_to_null=True),
        "note": _gathered([reason and f"{NOT_RATED}{reason}" for reason in arrays.reasons], arrays.unrated[games]),
        "comment": facts["notes"],
    }
    columns |= {name: own[name] for name in (*RATING, "change", *RANK, *FIGURES) if name != "item"}
    schema = pl.Schema({**HISTORY, **{name: FIGURES[name] for name in ("player", "side", "moved")}})
    complete = pl.DataFrame({name: columns[name] for name in schema}, schema=schema)
    figures = {} if len(games) == len(item) else dict(zip(item.tolist(), lines.to_dicts(), strict=True))

    def of_adjustment(index: int) -> dict[str, Any]:
        one, own = arrays.adjusted[index].item, figures[~index]
        words = dict.fromkeys(("opponent_rank", "colour", "result", "winner", "comment"), "")
        facts = {"opponent": ledger.names[own["player"]], "date": str(one.date or ""), "note": one.note or "adjustment"}
        return {**words, "handicap": 0, **facts, **own}

    return _with_adjustments(item, complete, of_adjustment)


def _gathered(texts: Sequence[str], index: NDArray[Any]) -> pl.Series:
    """Return the text at each index."""
    return pl.Series(texts, dtype=pl.String)[index]


def explanations(
    ratings: RatedLedger, lines: pl.DataFrame, *, reasons: bool | Container[int] = False
) -> list[Explanation]:
    """Return lines with the reasons of all changes, of none, or of those of some games, by number from 1."""
    result = []
    for row in with_facts(ratings, lines).iter_rows(named=True):
        game, side, moved = row["game"], row.pop("side"), row.pop("moved")
        reason = NO_REASON
        del row["player"]
        if game is None:
            reason = Reason((Factor("adjustment", row["change"], BY_HAND),), "sum")
        elif moved and (reasons if isinstance(reasons, bool) else game in reasons):
            reason = ratings.system.reason(ratings, game - 1, side)
        result.append(Explanation(**row, reason=reason))
    return result


def winner_of(result: Result) -> str:
    """Return the colour that won, `jigo`, or nothing where nobody scored or nobody knows the colours."""
    if result.score is None or (result.score != 0.5 and not result.colours_known):
        return ""
    return WINNERS[result.score]


def _word(result: Result, side: int) -> str:
    """Return the result as one side saw it."""
    if result.score is None:
        return str(result)
    return WORDS[result.score if side == 0 else 1 - result.score]


def reasoned(ratings: RatedLedger, player: int, lines: Sequence[Explanation]) -> list[Explanation]:
    """Return lines of rated games of a player, given by index, with the reasons that `Ratings.explain` left out."""
    white = ratings.ledger.arrays.seats[1]
    games = [int(line.game or 0) - 1 for line in lines]
    sides = [int(white[game] == player) for game in games]
    reasons = (ratings.system.reason(ratings, *place) for place in zip(games, sides, strict=True))
    return [replace(line, reason=reason) for line, reason in zip(lines, reasons, strict=True)]


def ranks_around(
    ratings: RatedLedger, games: NDArray[np.int64], side: NDArray[np.int64]
) -> tuple[NDArray[np.object_], NDArray[np.object_]]:
    """Return the ranks of sides (0 black, 1 white) before and after games, given by index; empty for none."""
    if ratings.arrays.rank_numbers is None:
        around = (ratings.arrays.before[games, side], ratings_after(ratings, games, side))
        return rank_texts(around[0], ratings.system.rank), rank_texts(around[1], ratings.system.rank)
    numbers = (number[games, side] for number in ratings.arrays.rank_numbers)
    before, after = (rank_texts(number, lambda each: rank_from(int(each))) for number in numbers)
    return before, after


def ratings_after(ratings: RatedLedger, games: NDArray[np.int64], side: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the ratings of sides (0 black, 1 white) after games, given by index; none of other games are made."""
    if ratings.arrays.printed is not None:
        return np.asarray(ratings.arrays.printed[games, side])
    return np.asarray(ratings.arrays.before[games, side] + ratings.arrays.change[games, side])


def deviation_after(ratings: RatedLedger, game: int, side: int) -> float | None:
    """Return the deviation of one side (0 black, 1 white) after a game, given by index; None where there are none."""
    variances = ratings.arrays.variances
    return None if variances is None else float(ratings.arrays.deviation_unit * np.sqrt(variances[game, side]))
