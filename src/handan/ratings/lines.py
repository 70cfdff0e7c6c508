"""The lines of a player's card: every game and adjustment in the order taken, with what it changed and why."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from handan.errors import InputError
from handan.ledger import Result, When
from handan.ledger.dates import day_number, written
from handan.ratings.arrays import made_in_steps
from handan.ratings.explanation import Explanation, Lines
from handan.ratings.reasons import Factor, Reason
from handan.ratings.rules import rank_from

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handan.ranks import Rank
    from handan.ratings.rated_ledger import RatedLedger
    from handan.ratings.rules import Adjusted

READ = ("date", "precision", "handicap", "komi", "result", "notes")
"""Columns of the games that a line is made of."""
SIDES = ("black", "white")
NEVER = -(10**9)
"""A day before all others."""
NO_GAME = -1
FRONT = -0.5
"""Place of games that are not rated before the first that is."""

AFTER = 0.25
"""How far games that are not rated stand behind the rated one before them."""


_Item = tuple[float, float, "int | Adjusted"]
"""Place in the replay, order within it, and a game (index) or an adjustment."""


class PlacedLine(NamedTuple):
    """A line, and where it stands among the others."""

    place: float
    """In `Ratings.sequence`: that of a rated game, a little more for games behind it that are not rated."""
    within: float
    """Order of lines of one place."""
    line: Explanation


WINNERS = {1.0: "black", 0.5: "jigo", 0.0: "white"}


def winner_of(result: Result) -> str:
    """Return the colour that won, `jigo`, or nothing where nobody scored or nobody knows the colours."""
    if result.score is None or (result.score != 0.5 and not result.colours_known):
        return ""
    return WINNERS[result.score]


def lines_of(ratings: RatedLedger, player: int, *, reasons: bool | Container[int]) -> list[Explanation]:
    """Return the lines of a player, given by index, with the reasons of all changes, of none, or of some games."""
    return carried(ratings, player, [item.line for item in lines_in(ratings, player, reasons=reasons)])


def explained(ratings: RatedLedger, player: int, game: int | None, *, reasons: bool | Container[int]) -> Lines:
    """Return the lines of a player, given by index, or of one game of hers, as `Ratings.explain` does."""
    sides = () if game is None or not 0 < game <= len(ratings.ledger) else ratings.ledger.arrays.seats
    if game is not None and player in (side[game - 1] for side in sides) and not ratings.arrays.unrated[game - 1]:
        return _shown(ratings, lines_of_games(ratings, player, [game - 1], reasons=reasons))
    lines = lines_of(ratings, player, reasons=reasons if game is None or not reasons else (game,))
    if game is not None and game not in {line.game for line in lines}:
        own = [str(line.game) for line in lines if line.game]
        some = ", ".join(own[:8]) + (" …" if len(own) > 8 else "")
        name = ratings.ledger.players[player].name
        raise InputError(f"game {game} is not a game of {name}, who played {some or 'none'}")
    return _shown(ratings, (line for line in lines if game in {None, line.game}))


def _shown(ratings: RatedLedger, lines: Iterable[Explanation]) -> Lines:
    """Return lines as they are shown: without ranks where nobody has declared one."""
    ranked = ratings.arrays.ranks_declared
    return Lines(line if ranked else replace(line, ranked=False) for line in lines)


def lines_of_all(ratings: RatedLedger, players: Sequence[int]) -> dict[int, list[Explanation]]:
    """Return the lines of players, given by index, without reasons; the games of all are read at once."""
    return _carried(ratings, _items(ratings, players))


def lines_in(ratings: RatedLedger, player: int, *, reasons: bool | Container[int]) -> list[PlacedLine]:
    """Return the same lines with their places in the replay, where those that moved nothing say no rating."""
    return _placed_lines(ratings, _items(ratings, [player]), reasons=reasons)[player]


def lines_between(
    ratings: RatedLedger, players: Sequence[int], first: date, last: date
) -> dict[int, list[Explanation]]:
    """Return the lines of players from one day to another, without reasons, as `lines_of` has them.

    Lines that have no whole day may stand among them. The games of all are read at once.
    """
    low, high = day_number(first), day_number(last)
    parts = {player: _part(ratings, items, low, high) for player, items in _items(ratings, players).items()}
    cards = _carried(ratings, {player: part.items for player, part in parts.items()})
    return {player: [cards[player][place] for place in part.places] for player, part in parts.items()}


class _Part(NamedTuple):
    """Some of a player's games and adjustments, one after the other, and the places of those that were wanted."""

    items: Sequence[_Item]
    places: Sequence[int]


def _part(ratings: RatedLedger, items: Sequence[_Item], low: int, high: int) -> _Part:
    """Return what lies between two days, and what lines that moved nothing carry on from there."""
    games = np.array([item if isinstance(item, int) else NO_GAME for *_, item in items], np.int64)
    days, moved = ratings.ledger.arrays.day[games], ratings.arrays.unrated[games] == 0
    for place in np.flatnonzero(games == NO_GAME).tolist():
        adjusted = items[place][2]
        assert not isinstance(adjusted, int)  # noqa: S101  # for the type checker
        when = When.of(adjusted.item.date)
        days[place] = NEVER if when is None else day_number(when.moment.date())
        moved[place] = not math.isnan(adjusted.before)
    chosen = np.flatnonzero((days >= low) & (days <= high))
    if not len(chosen):
        return _Part((), ())
    start, stop = int(chosen[0]), int(chosen[-1]) + 1
    before, behind = np.flatnonzero(moved[:start]), np.flatnonzero(moved[start:])
    start = int(before[-1]) if len(before) else start
    if len(behind) and not moved[start:stop].any():
        stop = int(chosen[0] + behind[0]) + 1
    return _Part(items[start:stop], [int(place) - start for place in chosen])


def _placed_lines(
    ratings: RatedLedger, items: Mapping[int, Sequence[_Item]], *, reasons: bool | Container[int] = False
) -> dict[int, list[PlacedLine]]:
    """Return the lines of some of players' games and adjustments with their places."""
    played = [(player, item) for player, own in items.items() for *_, item in own if isinstance(item, int)]
    games = sorted({game for _, game in played})
    rows = dict(zip(games, ratings.ledger.arrays.rows(games, READ).iter_rows(named=True), strict=True))
    players, games = [player for player, _ in played], [game for _, game in played]
    lines = iter(_game_lines(ratings, players, games, [rows[game] for game in games], reasons=reasons))
    return {
        player: [
            PlacedLine(place, within, next(lines) if isinstance(item, int) else adjustment_line(ratings, item))
            for place, within, item in own
        ]
        for player, own in items.items()
    }


def _carried(ratings: RatedLedger, items: Mapping[int, Sequence[_Item]]) -> dict[int, list[Explanation]]:
    """Return the lines of some of players' games and adjustments, each with the rating and rank that its player had."""
    lines = _placed_lines(ratings, items)
    return {player: carried(ratings, player, [item.line for item in own]) for player, own in lines.items()}


def carried(ratings: RatedLedger, player: int, lines: list[Explanation]) -> list[Explanation]:
    """Return lines that moved nothing with the rating and rank that the player, given by index, had then."""
    if all(math.isnan(line.before) for line in lines):
        return carried_on(lines, float(ratings.rating[player]), str(ratings.arrays.rank_of(player) or ""))
    return carried_on(lines, math.nan, "")


def carried_on(lines: list[Explanation], rating: float, rank: str) -> list[Explanation]:
    """Return lines that moved nothing with the rating and rank that the player had then.

    Args:
        lines: Of one player, in order.
        rating, rank: Those of now, for who was moved by nothing.
    """
    moved = [line for line in lines if not math.isnan(line.before)]
    if moved:
        rating, rank = moved[0].before, moved[0].rank_before
    complete = []
    for line in lines:
        if math.isnan(line.before):
            line = replace(line, before=rating, after=rating, rank_before=rank, rank_after=rank)  # noqa: PLW2901
        rating, rank = line.after, line.rank_after
        complete.append(line)
    return complete


def _items(ratings: RatedLedger, players: Sequence[int]) -> dict[int, list[_Item]]:
    """Return players' games (index) and adjustments in the order in which they were taken, with their places."""
    chosen = np.zeros(len(ratings.ledger.players), dtype=bool)
    chosen[list(players)] = True
    black, white = ratings.ledger.arrays.seats
    mine = chosen[black] | chosen[white]
    places = np.flatnonzero(mine[ratings.arrays.sequence])
    games = ratings.arrays.sequence[places]
    unrated = np.flatnonzero(mine & (ratings.arrays.unrated > 0))
    adjusted: dict[int, list[_Item]] = {player: [] for player in players}
    for item in ratings.arrays.adjusted:
        if item.player in adjusted:
            adjusted[item.player].append((item.place - 0.5, -1.0, item))
    items = {}
    for player, own, other in zip(
        players, _of_each(ratings, players, games), _of_each(ratings, players, unrated), strict=True
    ):
        others, taken = unrated[other], games[own]
        before = np.searchsorted(np.maximum.accumulate(taken), others)  # rated games that came before each other one
        behind = np.append(FRONT, places[own] + AFTER)[before]
        rated: list[_Item] = [(float(place), 0.0, int(game)) for place, game in zip(places[own], taken, strict=True)]
        rated += [(float(place), float(game), int(game)) for place, game in zip(behind, others, strict=True)]
        items[player] = sorted(rated + adjusted[player], key=lambda entry: entry[:2])
    return items


def _of_each(ratings: RatedLedger, players: Sequence[int], games: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield for each of the players which of these games are hers, as places among them that rise."""
    seats = np.concatenate([seat[games] for seat in ratings.ledger.arrays.seats])
    order = np.argsort(seats, kind="stable")
    seats = seats[order]
    for start, end in zip(np.searchsorted(seats, players), np.searchsorted(seats, players, "right"), strict=True):
        yield np.sort(order[start:end] % len(games))


def reasoned(ratings: RatedLedger, player: int, lines: Sequence[Explanation]) -> list[Explanation]:
    """Return lines of rated games of a player, given by index, with the reasons that `Ratings.explain` left out."""
    white = ratings.ledger.arrays.seats[1]
    games = [int(line.game or 0) - 1 for line in lines]
    sides = [int(white[game] == player) for game in games]
    reasons = (ratings.system.reason(ratings, *place) for place in zip(games, sides, strict=True))
    return [replace(line, reason=reason) for line, reason in zip(lines, reasons, strict=True)]


def lines_of_games(
    ratings: RatedLedger, player: int, games: Sequence[int], *, reasons: bool | Container[int]
) -> list[Explanation]:
    """Return the lines of some games, given by index; before and after are NaN if one moved nothing."""
    rows = list(ratings.ledger.arrays.rows(games, READ).iter_rows(named=True))
    return _game_lines(ratings, [player] * len(games), games, rows, reasons=reasons)


def _game_lines(
    ratings: RatedLedger, players: Sequence[int], games: Sequence[int], rows: Sequence[dict[str, Any]], *,
    reasons: bool | Container[int],
) -> list[Explanation]:  # fmt: skip
    """Return the lines of players' games, given by index and as rows of the ledger; each array is read once for all."""
    ledger, at = ratings.ledger, np.array(games, dtype=np.int64)
    black, white = (seat[at] for seat in ledger.arrays.seats)
    side = (white == np.array(players, dtype=np.int64)).astype(np.int64)
    opponents = np.where(side == 1, black, white).tolist()
    figures = (ratings.arrays.before[at, side], ratings.arrays.change[at, side], ratings_after(ratings, at, side))
    values = [array.astype(np.float64, copy=False).tolist() for array in figures]
    before, after, other = _ranks(ratings, at, side, opponents)
    weights = [None] * len(at) if ratings.arrays.weights is None else ratings.arrays.weights[at].tolist()
    unrated, coloured = ratings.arrays.unrated[at].tolist(), ledger.arrays.colours_known[at].tolist()
    nan, nothing, lines = float("nan"), Reason((), "sum"), []
    for place, (game, row, own) in enumerate(zip(at.tolist(), rows, side.tolist(), strict=True)):
        rated, result = unrated[place] == 0, Result.parse(row["result"])
        reasoned = rated and (reasons if isinstance(reasons, bool) else game + 1 in reasons)
        line = Explanation(
            game=game + 1,
            date=written(row["date"], min(row["precision"], 10)) if row["date"] else "",
            opponent=ledger.players[opponents[place]].name,
            colour=SIDES[own] if coloured[place] else "",
            handicap=int(row["handicap"]),
            komi=row["komi"],
            result=result_word(result, own),
            before=values[0][place] if rated else nan,
            change=values[1][place] if rated else 0.0,
            after=values[2][place] if rated else nan,
            rank_before=before[place] if rated else "",
            rank_after=after[place] if rated else "",
            reason=ratings.system.reason(ratings, game, own) if reasoned else nothing,
            note="" if rated else f"not rated: {ratings.arrays.reasons[unrated[place]]}",
            opponent_rank=other[place] if rated else "",
            winner=winner_of(result),
            weight=weights[place] if rated else None,
            comment=row["notes"],
        )
        lines.append(line)
    return lines


def _ranks(
    ratings: RatedLedger, games: NDArray[np.int64], side: NDArray[np.int64], opponents: Sequence[int]
) -> tuple[list[str], list[str], list[str]]:
    """Return the ranks of these sides before and after these games, and those of the opponents before them.

    Where all games are solved together and none is before another, the opponents' are those of now. What they are for
    a game that is not rated says nothing.
    """
    before, after = ranks_around(ratings, games, side)
    if ratings.system.traits.whole:
        ranks = {player: str(ratings.arrays.rank_of(player) or "") for player in set(opponents)}
        return before, after, [ranks[player] for player in opponents]
    return before, after, ranks_around(ratings, games, 1 - side)[0]


def ranks_around(
    ratings: RatedLedger, games: NDArray[np.int64], side: NDArray[np.int64]
) -> tuple[list[str], list[str]]:
    """Return the ranks of sides (0 black, 1 white) before and after games, given by index; empty for none."""
    if ratings.arrays.rank_numbers is None:
        around = (ratings.arrays.before[games, side], ratings_after(ratings, games, side))
        return _rank_texts(around[0], ratings.system.rank), _rank_texts(around[1], ratings.system.rank)
    before, after = (_rank_texts(number[games, side], _rank_of_number) for number in ratings.arrays.rank_numbers)
    return before, after


def _rank_texts(values: NDArray[Any], law: Callable[[float], Rank | None]) -> list[str]:
    """Return the ranks at some ratings, or of some numbers, all of which rise with them."""
    different, place = np.unique(values, return_inverse=True)
    numbers = different[~np.isnan(different)]
    texts = np.full(len(different), "", dtype=object)
    texts[: len(numbers)] = made_in_steps(len(numbers), lambda place: str(law(float(numbers[place])) or ""))
    ranks: list[str] = texts[place].tolist()
    return ranks


def _rank_of_number(number: float) -> Rank | None:
    return rank_from(int(number))


def ratings_after(ratings: RatedLedger, games: NDArray[np.int64], side: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the ratings of sides (0 black, 1 white) after games, given by index; none of other games are made."""
    if ratings.arrays.printed is not None:
        return np.asarray(ratings.arrays.printed[games, side])
    return np.asarray(ratings.arrays.before[games, side] + ratings.arrays.change[games, side])


def deviation_after(ratings: RatedLedger, game: int, side: int) -> float | None:
    """Return the deviation of one side (0 black, 1 white) after a game, given by index; None where there are none."""
    variances = ratings.arrays.variances
    return None if variances is None else float(ratings.arrays.deviation_unit * np.sqrt(variances[game, side]))


def adjustment_line(ratings: RatedLedger, item: Adjusted) -> Explanation:
    """Return the line of a rank or rating that was set by hand."""
    note = item.item.note or "adjustment"
    change = item.after - item.before
    clause = "An adjustment sets the rank or the rating by hand."
    return Explanation(
        game=None,
        date=str(item.item.date or ""),
        opponent=ratings.ledger.players[item.player].name,
        colour="",
        handicap=0,
        komi=None,
        result="",
        before=item.before,
        change=change,
        after=item.after,
        rank_before=str(item.rank_before or ""),
        rank_after=str(item.rank_after or ""),
        reason=Reason((Factor("adjustment", change, clause),), "sum"),
        note=note,
    )


def result_word(result: Result, side: int) -> str:
    """Return the result as one side saw it."""
    if result.score is None:
        return str(result)
    own = result.score if side == 0 else 1 - result.score
    return {1.0: "win", 0.5: "jigo", 0.0: "loss"}[own]
