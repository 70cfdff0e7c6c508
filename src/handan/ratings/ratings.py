"""What every system returns: the table, each player's history, the change each game made and why, fair terms."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.errors import InputError
from handan.handicaps import Terms
from handan.ledger import Adjustment, Ledger, Result, When
from handan.ranks import Rank
from handan.ratings.explanation import Explanation, Factor, Reason
from handan.ratings.record import recorded
from handan.ratings.standing import Opponent, Standing, finite, rank_or_rating

Floats = NDArray[np.float64]
SIDES = ("black", "white")


class Rules(Protocol):
    """What ratings ask of the system that made them."""

    @property
    def whole(self) -> bool:
        """Whether all games are solved together."""
        ...

    @property
    def label(self) -> str:
        """The system's name."""
        ...

    def rank(self, rating: float) -> Rank | None:
        """Return the rank that belongs to a rating, None where the system has no ranks."""
        ...

    def game_weights(self, ledger: Ledger) -> Floats | None:
        """Return how much each game counts by its kind, shape (games,); None where kinds make no difference."""
        ...

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return why a rated game moved one side (0 black, 1 white)."""
        ...

    def win_probability(
        self,
        black: Standing,
        white: Standing,
        handicap: int = 0,
        komi: float | None = None,
        ratings: Ratings | None = None,
    ) -> float | None:
        """Return the probability that Black wins, None where the system has no such law."""
        ...

    def fair_terms(self, one: Standing, other: Standing, ratings: Ratings | None = None) -> Terms:
        """Return the terms that make the next game of two players fair."""
        ...

    def calibration(self, ratings: Ratings) -> Floats:
        """Return the slope of the log odds before each game and after the last, shape (rated + 1,)."""
        ...

    def forecasts(self, ratings: Ratings) -> Floats | None:
        """Return Black's probability before each rated game, shape (rated,), None without such a law."""
        ...

    def newcomer(
        self, name: str, rank: Rank | None = None, rating: float | None = None, ratings: Ratings | None = None
    ) -> Standing:
        """Return where a player stands before the first game."""
        ...

    def rating_on(self, ratings: Ratings, when: When) -> Floats:
        """Return the rating of every player that the next game of a day is rated from, shape (players,)."""
        ...


class Adjusted(NamedTuple):
    """An adjustment that moved a player after his first game."""

    item: Adjustment
    player: int
    place: int
    """Place in `Ratings.sequence` of the first game that it precedes."""
    before: float
    after: float
    rank_before: Rank | None
    rank_after: Rank | None


@dataclass(frozen=True, eq=False)
class Ratings:
    """The answer of one system to one ledger."""

    system: Rules
    ledger: Ledger
    rating: Floats
    """Rating of every player now, shape (players,)."""
    before: Floats
    """Rating of black and white before each game, shape (games, 2); NaN for games that are not rated."""
    change: Floats
    """Change that each game made to black and white, shape (games, 2)."""
    unrated: NDArray[np.int8]
    """0 for rated games, else an index into `reasons`, shape (games,)."""
    reasons: tuple[str, ...]
    """Why games were not rated; the first is empty."""
    sequence: NDArray[np.int64]
    """The rated games in the order in which they were taken, shape (rated,)."""
    batch: NDArray[np.int64]
    """Place in `sequence` of the first game of each batch rated together, and the end, shape (batches + 1,)."""
    pool: NDArray[np.int64]
    """Pool of every player, 0 the largest; -1 without a rated game; shape (players,)."""
    printed: Floats | None = None
    """Rating after each game where a system makes more of it than the sum of rating and change, shape (games, 2)."""
    deviation: Floats | None = None
    """Standard deviation of each rating in its unit, shape (players,)."""
    rank_number: NDArray[np.int64] | None = None
    """Rank (30k = 1, 1d = 31) where it is a state of its own and does not follow from the rating, shape (players,)."""
    rank_numbers: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
    """The same before and after each game, shape (games, 2) each."""
    variances: Floats | None = None
    """Squared deviation of black and white after each game, shape (games, 2)."""
    deviation_unit: float = 1.0
    """Unit of the roots of the variances in that of the rating."""
    adjusted: tuple[Adjusted, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """How the answer was found, and what was learned beside the ratings."""
    beside: Mapping[str, Floats] = field(default_factory=dict)
    """Further figures of every player that the table shows beside the rating, by column, shape (players,) each."""
    extra: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    """Arrays that only this system's explanations read."""

    def __repr__(self) -> str:
        """One short line, whatever the number of games."""
        counts = f"{self.rated:,} of {len(self.ledger):,} games, {len(self.ledger.players):,} players"
        return f"<Ratings {self.system.label}: {counts}>"

    @cached_property
    def after(self) -> Floats:
        """Rating after each game, shape (games, 2)."""
        return self.before + self.change if self.printed is None else self.printed

    @cached_property
    def deviations(self) -> Floats | None:
        """Deviation of black and white after each game, shape (games, 2)."""
        return None if self.variances is None else self.deviation_unit * np.sqrt(self.variances)

    @cached_property
    def terms(self) -> list[tuple[int, float | None, bool]]:
        """Handicap, komi (None: not recorded) and whether it is known who held Black, of each game."""
        games = self.ledger.games
        return list(zip(games["handicap"], games["komi"], self.ledger.colours_known.tolist(), strict=True))

    @cached_property
    def calibration(self) -> Floats:
        """Slope with which forecasts took the log odds before each rated game, and take them now, shape (rated + 1,).

        It is 1 where the system's law is its own forecast; see `System.calibrated`.
        """
        return self.system.calibration(self)

    def forecasts(self) -> pl.DataFrame:
        """Return the forecasts one step ahead: `game`, counted from 1, and `probability` that Black wins it.

        One row for each rated game in playing order, from ratings, deviations and terms as they were before it (before
        its event or period, where these are rated together): the law of `win_probability`. A win on the left is meant
        where nobody is known to be Black.

        Raises:
            InputError: If the system has no law of winning chances, or solves all games together, so that it has no
                ratings from before a game; rate the ledger as of earlier days instead (`Ledger.as_of`).
        """
        name = self.system.label
        if self.system.whole:
            raise InputError(f"{name} solves all games together: no forecast from before a game; rate `as_of` a day")
        probability = self.system.forecasts(self)
        if probability is None:
            raise InputError(f"system {name} has no law of winning chances")
        frame = pl.DataFrame({"game": self.sequence + 1, "probability": probability}, schema=FORECASTS)
        return frame.sort("game")

    @property
    def rated(self) -> int:
        """Number of games that were rated."""
        return len(self.sequence)

    @property
    def pools(self) -> int:
        """Number of groups of players that never met, not even through others; their numbers cannot be compared."""
        return int(self.pool.max(initial=-1)) + 1

    @cached_property
    def unrated_counts(self) -> dict[str, int]:
        """Number of games that were not rated, by reason."""
        counts = np.bincount(self.unrated, minlength=len(self.reasons))
        return {reason: int(counts[i]) for i, reason in enumerate(self.reasons) if i and counts[i]}

    @cached_property
    def tallies(self) -> NDArray[np.int64]:
        """Games, wins, losses, draws and index of the last game (-1: none) of every player, shape (players, 5)."""
        tally = np.zeros((len(self.ledger.players), 5), dtype=np.int64)
        tally[:, 4] = -1
        score = self.ledger.score[self.sequence]
        for side, own in ((self.ledger.black, score), (self.ledger.white, 1 - score)):
            players = side[self.sequence]
            for column, chosen in ((0, np.ones(len(own), bool)), (1, own == 1), (2, own == 0), (3, own == 0.5)):
                tally[:, column] += np.bincount(players[chosen], minlength=len(tally))
            np.maximum.at(tally[:, 4], players, self.sequence)
        return tally

    def games_before(self, game: int, side: int) -> int:
        """Return how many rated games the player of one side of a game had played before it."""
        player = (self.ledger.black, self.ledger.white)[side][game]
        earlier = self.sequence[: int(np.flatnonzero(self.sequence == game)[0])]
        return int(((self.ledger.black[earlier] == player) | (self.ledger.white[earlier] == player)).sum())

    def rank_of(self, player: int) -> Rank | None:
        """Return the rank of a player now."""
        if self.rank_number is not None:
            return rank_from(self.rank_number[player])
        return self.system.rank(float(self.rating[player]))

    def standing(self, player: Opponent) -> Standing:
        """Return where a player stands now, or where a stranger enters.

        Args:
            player: Name or id of a player; else a stranger: a rank (`3k`), a rating (`2100`), any other name or None
                for one of whom nothing is known. A `Standing` stands for itself.
        """
        if isinstance(player, Standing):
            return player
        if isinstance(player, Rank):
            return self.system.newcomer(str(player), rank=player, ratings=self)
        if isinstance(player, str):
            index = self.ledger.get(player)
            return self._stranger(player) if index is None else self._standing_of(index)
        if player is None:
            return self.system.newcomer("a newcomer", ratings=self)
        return self.system.newcomer(f"{player:g}", rating=finite(player), ratings=self)

    def _standing_of(self, index: int) -> Standing:
        deviation = None if self.deviation is None else float(self.deviation[index])
        return Standing(self.ledger.players[index].name, float(self.rating[index]), deviation, self.rank_of(index))

    def _stranger(self, text: str) -> Standing:
        """Return where a player enters whom the ledger does not name: by rank, by rating, else by nothing."""
        try:
            rank, rating = rank_or_rating(text)
        except InputError:
            return self.system.newcomer(text, ratings=self)
        return self.system.newcomer(text, rank, None if rank else rating, self)

    def is_stranger(self, player: Opponent) -> bool:
        """Return whether a name is neither in the ledger nor a rank or a rating: its forecast is a newcomer's."""
        if not isinstance(player, str) or self.ledger.get(player) is not None:
            return False
        try:
            rank_or_rating(player)
        except InputError:
            return True
        return False

    @cached_property
    def ladder(self) -> list[int]:
        """Players from strong to weak: by rank where ranks are a state of their own, then rating, then name."""
        grade = np.zeros(len(self.rating)) if self.rank_number is None else self.rank_number
        return [int(player) for player in np.lexsort((np.arange(len(grade)), -self.rating, -grade))]

    def table(self) -> pl.DataFrame:
        """Return the ladder: one row a player, strongest first; equal players share a place."""
        rows: list[dict[str, Any]] = []
        for number, player in enumerate(self.ladder, 1):
            games, wins, losses, draws, last = (int(value) for value in self.tallies[player])
            rank = self.rank_of(player)
            row = {
                "place": number,
                "player": self.ledger.players[player].name,
                "rating": float(self.rating[player]),
                **{name: float(values[player]) for name, values in self.beside.items()},
                "deviation": None if self.deviation is None else float(self.deviation[player]),
                "rank": "" if rank is None else str(rank),
                "games": games,
                "wins": wins,
                "losses": losses,
                "draws": draws,
                "last_played": None if last < 0 else self._day(last),
                "pool": int(self.pool[player]) + 1 or None,
            }
            own_rank = self.rank_number is None or (rows and rows[-1]["rank"] == row["rank"])
            if rows and own_rank and rows[-1]["rating"] == row["rating"]:
                row["place"] = rows[-1]["place"]
            rows.append(row)
        names = [*list(TABLE)[:3], *self.beside, *list(TABLE)[3:]]
        return pl.DataFrame(rows, schema={name: TABLE.get(name, pl.Float64) for name in names})

    def history(self, name: str) -> pl.DataFrame:
        """Return a player's card: one row for each game and adjustment, in the order in which they were taken."""
        lines = self.explain(name, reasons=False)
        return pl.DataFrame([{name: getattr(line, name) for name in HISTORY} for line in lines], schema=HISTORY)

    def explain(
        self, name: str, game: int | None = None, *, reasons: bool | Container[int] = True
    ) -> list[Explanation]:
        """Return a player's lines with the reason of each change.

        Args:
            name: Name or id of the player.
            game: Number of one game in playing order, counted from 1; None for all games and later adjustments.
            reasons: Whether to find the factors of each change (the plain history needs none), or of which games.
        """
        player = self.ledger.find(name)
        items = self._items(player)
        wanted = reasons if game is None or not reasons else (game,)
        lines = [self._line(player, item, reasons=wanted) for item in items]
        if game is not None and game not in {line.game for line in lines}:
            own = [str(line.game) for line in lines if line.game]
            some = ", ".join(own[:8]) + (" …" if len(own) > 8 else "")
            name = self.ledger.players[player].name
            raise InputError(f"game {game} is not a game of {name}, who played {some or 'none'}")
        return [line for line in self._carried(player, lines) if game in {None, line.game}]

    def _carried(self, player: int, lines: list[Explanation]) -> list[Explanation]:
        """Give lines that moved nothing the rating and rank that the player held then."""
        moved = [line for line in lines if not math.isnan(line.before)]
        if moved:
            held, rank = moved[0].before, moved[0].rank_before
        else:
            held, rank = float(self.rating[player]), str(self.rank_of(player) or "")
        carried = []
        for line in lines:
            if math.isnan(line.before):
                line = replace(line, before=held, after=held, rank_before=rank, rank_after=rank)  # noqa: PLW2901
            held, rank = line.after, line.rank_after
            carried.append(line)
        return carried

    def _items(self, player: int) -> list[int | Adjusted]:
        """Return a player's games (index) and adjustments in the order in which they were taken."""
        own = (self.ledger.black == player) | (self.ledger.white == player)
        places = np.flatnonzero(own[self.sequence])
        taken = self.sequence[places]
        items: list[tuple[float, float, int | Adjusted]] = [
            (float(place), 0.0, int(game)) for place, game in zip(places, taken, strict=True)
        ]
        others = np.flatnonzero(own & (self.unrated > 0))
        before = np.searchsorted(np.maximum.accumulate(taken), others)  # rated games that came before each other one
        ends = np.append(-0.5, places + 0.25)
        items += [(float(ends[count]), float(game), int(game)) for count, game in zip(before, others, strict=True)]
        items += [(item.place - 0.5, -1.0, item) for item in self.adjusted if item.player == player]
        return [item for *_, item in sorted(items, key=lambda entry: entry[:2])]

    def _line(self, player: int, item: int | Adjusted, *, reasons: bool | Container[int]) -> Explanation:
        if isinstance(item, Adjusted):
            return self._adjustment_line(item)
        ledger, side = self.ledger, int(self.ledger.white[item] == player)
        row = ledger.games.row(item, named=True)
        rated = self.unrated[item] == 0
        reasoned = rated and (reasons if isinstance(reasons, bool) else item + 1 in reasons)
        before, after = self._ranks(item, side)
        values = [float(array[item, side]) for array in (self.before, self.change, self.after)] if rated else []
        return Explanation(
            game=item + 1,
            date=self._day(item) or "",
            opponent=ledger.players[int((ledger.black, ledger.white)[1 - side][item])].name,
            colour=SIDES[side] if ledger.colours_known[item] else "",
            handicap=int(row["handicap"]),
            komi=row["komi"],
            result=_result_word(Result.parse(row["result"]), side),
            before=values[0] if rated else float("nan"),
            change=values[1] if rated else 0.0,
            after=values[2] if rated else float("nan"),
            rank_before=before,
            rank_after=after,
            reason=self.system.reason(self, item, side) if reasoned else Reason((), "sum"),
            note="" if rated else f"not rated: {self.reasons[self.unrated[item]]}",
            **recorded(self, item, side, row),
        )

    def rank_before(self, game: int, side: int) -> Rank | None:
        """Return the rank of one side before a rated game, None where the system has no ranks."""
        if self.rank_numbers is not None:
            return rank_from(self.rank_numbers[0][game, side])
        return self.system.rank(float(self.before[game, side]))

    def _ranks(self, game: int, side: int) -> tuple[str, str]:
        """Return the ranks before and after a game; empty for a game that is not rated."""
        if self.unrated[game]:
            return "", ""
        after = self.system.rank(float(self.after[game, side])) if self.rank_numbers is None else None
        if self.rank_numbers is not None:
            after = rank_from(self.rank_numbers[1][game, side])
        return str(self.rank_before(game, side) or ""), str(after or "")

    def _adjustment_line(self, item: Adjusted) -> Explanation:
        note = item.item.note or "adjustment"
        change = item.after - item.before
        clause = "An adjustment sets the rank or the rating by hand."
        return Explanation(
            game=None,
            date=str(item.item.date or ""),
            opponent=self.ledger.players[item.player].name,
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

    def _day(self, game: int) -> str | None:
        row = self.ledger.games.row(game, named=True)
        return str(When(row["date"], min(row["precision"], 10))) if row["date"] else None

    def on(self, day: date | When | str) -> Ratings:
        """Return these ratings as the next game of a day, not before the newest one, is rated from them.

        They differ from the ratings themselves where a system settles a whole day or month together: what was won on
        that day does not count before its end.
        """
        when = When.of(day)
        return self if when is None else replace(self, rating=self.system.rating_on(self, when))

    def fair_terms(self, one: Opponent, other: Opponent) -> Terms:
        """Return the terms at which the next game of two players is nearest to even by `win_probability`.

        Strangers are given as in `standing`. Where even nine stones leave the weaker too little, the terms say that
        none are fair. InputError for a player and the same again.
        """
        return self.system.fair_terms(*self.pair(one, other), self)

    def win_probability(
        self, black: Opponent, white: Opponent, handicap: int = 0, komi: float | None = None
    ) -> float | None:
        """Return the probability that Black wins the next game, None where the system has no such law.

        Args:
            black, white: Players, or strangers as in `standing`.
            handicap: As recorded: 0 even, 1 Black moves first without full komi, 2 and more stones on the board.
            komi: Points to White; None: the customary komi.

        Raises:
            InputError: For a player and the same again, or a handicap or komi that no game can have.
        """
        return self.system.win_probability(*self.pair(black, white), handicap, komi, self)

    def pair(self, one: Opponent, other: Opponent) -> tuple[Standing, Standing]:
        """Return where two players stand, as in `standing`; InputError for a player and the same again."""
        standings = self.standing(one), self.standing(other)
        indices = {self.ledger.get(player) for player in (one, other) if isinstance(player, str)}
        same = one == other and self.is_stranger(one) if None in indices else len(indices) == 1
        if isinstance(one, str) and isinstance(other, str) and same:
            raise InputError(f"{standings[0].name} was given twice; a game has two players")
        return standings


FORECASTS = {"game": pl.Int64, "probability": pl.Float64}
TABLE = {
    "place": pl.Int64,
    "player": pl.String,
    "rating": pl.Float64,
    "deviation": pl.Float64,
    "rank": pl.String,
    "games": pl.Int64,
    "wins": pl.Int64,
    "losses": pl.Int64,
    "draws": pl.Int64,
    "last_played": pl.String,
    "pool": pl.Int64,
}
HISTORY = {
    "game": pl.Int64,
    "date": pl.String,
    "opponent": pl.String,
    "opponent_rank": pl.String,
    "colour": pl.String,
    "handicap": pl.Int64,
    "komi": pl.Float64,
    "result": pl.String,
    "winner": pl.String,
    "weight": pl.Float64,
    "before": pl.Float64,
    "change": pl.Float64,
    "after": pl.Float64,
    "rank_before": pl.String,
    "rank_after": pl.String,
    "note": pl.String,
    "comment": pl.String,
}


def rank_from(number: int) -> Rank:
    """Return the amateur rank of a rank number (30k = 1, 1d = 31)."""
    return Rank.at(float(number))


def _result_word(result: Result, side: int) -> str:
    """Return the result as one side saw it."""
    if result.score is None:
        return str(result)
    own = result.score if side == 0 else 1 - result.score
    return {1.0: "win", 0.5: "jigo", 0.0: "loss"}[own]
