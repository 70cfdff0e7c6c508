"""What every system returns: the table, each player's history, the change each game made and why, fair terms."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any, get_args

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.errors import InputError, counted, shown
from handan.handicaps import Terms
from handan.ledger import Ledger, When
from handan.ranks import Rank
from handan.ratings.charting import chart_of
from handan.ratings.columns import HISTORY, TABLE
from handan.ratings.event import Event, event_of
from handan.ratings.explanation import Explanation
from handan.ratings.extra import Extra
from handan.ratings.frames import changes, forecasts, histories
from handan.ratings.ladder import ladder_rows, places_of, strongest_first, tallied, written_ranks
from handan.ratings.lines import lines_of, lines_of_games, reasoned
from handan.ratings.movement import with_movement
from handan.ratings.notebook import Lines, ratings_html
from handan.ratings.player import AbsentPlayerError, PlayerRating, player_rating
from handan.ratings.predictions import predict
from handan.ratings.rules import Adjusted, Rules, rank_from
from handan.ratings.standing import Opponent, Standing, Strangers, finite, rank_or_rating, unknown_name

Floats = NDArray[np.float64]


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
    extra: Extra = field(default_factory=Extra)
    """What only this system's explanations and forecasts read."""
    state: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    """What the system needs of the past to rate the games that follow, by name, shape (players, …) each."""

    earlier: NDArray[np.int64] | None = None
    """Rated games of every player before those of the ledger, where it is a part of a larger one, shape (players,)."""
    totals: NDArray[np.int64] | None = None
    """`tallies` of all games, where the ledger does not hold them or they were counted on the way."""
    last_played: list[str | None] | None = None
    """`last_days` of all games, where the ledger does not hold them."""
    slope_weights: Floats | None = None
    """Weights of the slopes of forecasts (`calibration`) after games before those of the ledger, shape (slopes,)."""

    def __getitem__(self, name: str) -> PlayerRating:
        """Return what the system says of a player, by name or id, as `Ledger.find` finds it.

        Raises:
            AbsentPlayerError: There is no such player, or several are written so; the text proposes names like it.
        """
        try:
            return player_rating(self, self.ledger.find(name))
        except InputError as error:
            raise AbsentPlayerError(str(error)) from None

    def __contains__(self, name: object) -> bool:
        """Whether `ratings[name]` is a player."""
        return isinstance(name, str) and self.ledger.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the players, the strongest first."""
        names = self.ledger.names
        return (names[player] for player in self.ladder.tolist())

    def __len__(self) -> int:
        """Return the number of players."""
        return len(self.ledger.players)

    def __repr__(self) -> str:
        """One short line, whatever the number of games."""
        counts = f"{self.rated:,} of {counted(len(self.ledger), 'game')}, {counted(len(self.ledger.players), 'player')}"
        return f"<Ratings {self.system.label}: {counts}>"

    def _repr_html_(self) -> str:
        return ratings_html(self)

    @cached_property
    def after(self) -> Floats:
        """Rating after each game, shape (games, 2)."""
        return self.before + self.change if self.printed is None else self.printed

    @cached_property
    def weights(self) -> Floats | None:
        """Weight of each game by its kind, None where all weigh alike, shape (games,)."""
        return self.system.game_weights(self.ledger)

    @cached_property
    def deviations(self) -> Floats | None:
        """Deviation of black and white after each game, shape (games, 2)."""
        return None if self.variances is None else self.deviation_unit * np.sqrt(self.variances)

    @cached_property
    def terms(self) -> list[tuple[int, float | None, bool]]:
        """Handicap, komi (None: not recorded) and whether it is known who held Black, of each game."""
        handicap, komi = self.ledger.arrays.column("handicap"), self.ledger.arrays.column("komi")
        return list(zip(handicap, komi, self.ledger.arrays.colours_known.tolist(), strict=True))

    @cached_property
    def calibration(self) -> Floats:
        """Slope with which forecasts took the log odds before each rated game, and take them now, shape (rated + 1,).

        It is 1 where the system's law is its own forecast; see `System.calibrated`.
        """
        return self.system.calibration(self)

    def forecasts(self) -> pl.DataFrame:
        """Return the forecasts one step ahead, one row for each rated game in playing order.

        Columns: `game`, counted from 1, `date`, `black`, `white`, `result`, and `probability` that Black wins, from
        ratings, deviations and terms as they were before the game (before its event or period, where these are rated
        together): the law of `win_probability`. A win on the left is meant where nobody is known to be Black.

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
        return forecasts(self, probability)

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """Place of every player on the ladder, 1 the strongest; equal players share one, shape (players,)."""
        places = np.empty(len(self.ladder), dtype=np.int64)
        places[self.ladder] = places_of(self)
        return places

    @property
    def ranks_declared(self) -> bool:
        """Whether ranks say something here: false where nobody declared one, and ratings alone are ranked on a line."""
        if not (self.system.ranks_on_line and len(self.ledger)) or self.earlier is not None:
            return True  # of ratings that go on from games that are not there it is not known
        ledger = self.ledger
        return bool((ledger.arrays.first_declared < len(ledger)).any()) or any(item.rank for item in ledger.adjustments)

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
        if not self.unrated.any():
            return {}
        counts = np.bincount(self.unrated, minlength=len(self.reasons))
        return {reason: int(counts[i]) for i, reason in enumerate(self.reasons) if i and counts[i]}

    @cached_property
    def tallies(self) -> NDArray[np.int64]:
        """Games, wins, losses, draws and index of the last game (-1: none) of every player, shape (players, 5)."""
        return tallied(self.ledger, self.sequence) if self.totals is None else self.totals

    def place_of(self, game: int) -> int:
        """Return the place of a rated game, given by index, in `sequence`."""
        place = int(np.searchsorted(self.sequence, game))  # most systems take games in the order of the ledger
        if place < len(self.sequence) and self.sequence[place] == game:
            return place
        return int(np.flatnonzero(self.sequence == game)[0])

    def games_before(self, game: int, side: int) -> int:
        """Return how many rated games the player of one side of a game had played before it."""
        black, white = self.ledger.arrays.seats
        player = (black, white)[side][game]
        earlier = self.sequence[: self.place_of(game)]
        own = int(((black[earlier] == player) | (white[earlier] == player)).sum())
        return own if self.earlier is None else own + int(self.earlier[player])

    def rank_of(self, player: int) -> Rank | None:
        """Return the rank of a player now."""
        if self.rank_number is not None:
            return rank_from(self.rank_number[player])
        return self.system.rank(float(self.rating[player]))

    def standing(self, player: Opponent, *, strangers: Strangers = "refuse") -> Standing:
        """Return where a player stands now, or where a stranger enters.

        Args:
            player: Name or id of a player; else a stranger: a rank (`3k`), a rating (`2100`), or None for one of whom
                nothing is known. A `Standing` stands for itself.
            strangers: Whether a name that nobody in the ledger has is refused, as a misspelt one should be, or allowed
                as that of a newcomer of whom nothing is known.

        Raises:
            InputError: Nobody has the name, and strangers are refused; the text proposes names that are like it.
        """
        if strangers not in get_args(Strangers):
            raise InputError(f"strangers={shown(str(strangers))} is neither refuse nor allow")
        if isinstance(player, Standing):
            return player
        if isinstance(player, Rank):
            return self._rank(str(player), player)
        if isinstance(player, str):
            index = self.ledger.get(player)
            return self._stranger(player, strangers) if index is None else self._standing_of(index)
        if player is None:
            return self.system.newcomer("a newcomer", ratings=self)
        return self.system.newcomer(f"{player:g}", rating=finite(player), ratings=self)

    def _standing_of(self, index: int) -> Standing:
        deviation = None if self.deviation is None else float(self.deviation[index])
        return Standing(self.ledger.players[index].name, float(self.rating[index]), deviation, self.rank_of(index))

    def _stranger(self, text: str, strangers: Strangers) -> Standing:
        """Return where a player enters whom the ledger does not name: by rank, by rating, else by nothing."""
        if self.is_stranger(text):
            unknown_name(text)
            if strangers == "refuse":
                self.ledger.find(text)  # which refuses it
            return self.system.newcomer(text, ratings=self)
        rank, rating = rank_or_rating(text)
        return self._rank(text, rank) if rank else self.system.newcomer(text, rating=rating, ratings=self)

    def _rank(self, name: str, rank: Rank) -> Standing:
        """Return where a rank stands for which somebody asks."""
        return self.system.newcomer(name, rank, ratings=self)._replace(rank=rank, rank_alone=True)

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
    def ladder(self) -> NDArray[np.int64]:
        """Players from strong to weak: by rank where ranks are a state of their own, then rating, then name."""
        return strongest_first(self)

    def table(self, *, since: date | When | str = "", limit: int | None = None) -> pl.DataFrame:
        """Return the ladder: one row a player, strongest first; equal players share a place. `limit`: how many at most.

        With a day in `since` it says what each player had at its end: `place_before`, `places_up`, `rank_before`,
        `rating_before` and `rating_change`, null for who had no rated game by then.
        """
        if since:
            return with_movement(self, self.at(since)).head(self.rating.size if limit is None else limit)
        names = [*list(TABLE)[:3], *self.beside, *list(TABLE)[3:]]
        return pl.DataFrame(ladder_rows(self, limit), schema={name: TABLE.get(name, pl.Float64) for name in names})

    def rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """Return the rows of the ladder as dictionaries, as `table` has them; with a limit at most so many."""
        return ladder_rows(self, limit)

    def figures(self) -> list[Floats]:
        """Return the arrays of figures that the ladder shows, shape (players,) each."""
        return [self.rating, *self.beside.values(), *([] if self.deviation is None else [self.deviation])]

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
        if game is not None and self._is_game_of(player, game) and (line := self._line(player, game, reasons=reasons)):
            return Lines(line, ranks=self.ranks_declared)
        wanted = reasons if game is None or not reasons else (game,)
        lines = self._lines(player, reasons=wanted)
        if game is not None and game not in {line.game for line in lines}:
            own = [str(line.game) for line in lines if line.game]
            some = ", ".join(own[:8]) + (" …" if len(own) > 8 else "")
            name = self.ledger.players[player].name
            raise InputError(f"game {game} is not a game of {name}, who played {some or 'none'}")
        return Lines((line for line in lines if game in {None, line.game}), ranks=self.ranks_declared)

    chart = chart_of

    def reasoned(self, name: str, lines: Sequence[Explanation]) -> list[Explanation]:
        """Return lines of rated games of a player with their reasons, which `explain` has left out."""
        return reasoned(self, self.ledger.find(name), lines)

    def histories(self) -> pl.DataFrame:
        """Return the cards of all players, one below the other: `player`, as `history`, then `event` and `round`."""
        return histories(self)

    def changes(self) -> pl.DataFrame:
        """Return one row a rated game, in playing order: its terms, and before, change and after of both sides.

        Columns `black_before`, `black_change`, `black_after` and the ranks `black_rank_before`, `black_rank_after`, and
        the same of White. For whole-history systems the changes are shares in the final rating, as in `explain`.
        """
        return changes(self)

    def at(self, day: date | When | str) -> Ratings:
        """Return what this system says at the end of a day, a month or a year, of what was known then (`Ledger.as_of`).

        Raises:
            InputError: For an empty date, and for text that is no date.
        """
        when = day if isinstance(day, When) else When.of(day)
        return self.system.rate(self.ledger.as_of(str(when or "")))

    def event(self, name: str = "", *, declared: Mapping[str, float] | None = None) -> Event:
        """Return what an event did to each of its players: before, every result, change and after.

        Args:
            name: Of the event, as the games call it; empty: all games, which must be of one event or of none.
            declared: Ratings of a federation's list by the names of the ledger, shown beside; else those that the
                files of the ledger declare.

        Raises:
            InputError: If there is no such event, or none is named where there are several.
        """
        return event_of(self, name, declared or {})

    def predict(self, games: Any, *, strangers: Strangers = "refuse") -> pl.DataFrame:
        """Return a frame of games with a column `probability`, that Black wins: `win_probability` of each row.

        A column `unknown` says of whom nothing is known, so that the forecast is a newcomer's: `black`, `white`,
        `both`, or empty.

        Args:
            games: A frame (polars, pandas, pyarrow) or a dict of columns: `black` and `white`, players or strangers as
                in `standing`, and `handicap` and `komi` if there are any; other columns stay as they are.
            strangers: What becomes of names that nobody in the ledger has, as in `standing`.

        Raises:
            InputError: If a column is missing, or for a row that no game can be, with its number.
        """
        return predict(self, games, strangers)

    def _is_game_of(self, player: int, game: int) -> bool:
        """Return whether there is a game of a number, and a player sits at it."""
        return 0 < game <= len(self.ledger) and player in {int(side[game - 1]) for side in self.ledger.arrays.seats}

    def _line(self, player: int, game: int, *, reasons: bool | Container[int]) -> list[Explanation]:
        """Return the line of one game, by number, none where it is not rated."""
        return [] if self.unrated[game - 1] else lines_of_games(self, player, [game - 1], reasons=reasons)

    def _lines(self, player: int, *, reasons: bool | Container[int]) -> list[Explanation]:
        """Return all lines of a player, given by index."""
        return lines_of(self, player, reasons=reasons)

    def rank_before(self, game: int, side: int) -> Rank | None:
        """Return the rank of one side before a rated game, None where the system has no ranks."""
        if self.rank_numbers is not None:
            return rank_from(self.rank_numbers[0][game, side])
        return self.system.rank(float(self.before[game, side]))

    @cached_property
    def rank_texts(self) -> list[str]:
        """The rank of every player as it is written, empty where there is none."""
        return written_ranks(self)

    @cached_property
    def last_days(self) -> list[str | None]:
        """The day of every player's last game as it was written, None without one."""
        return self.days_of(self.tallies[:, 4]) if self.last_played is None else self.last_played

    def days_of(self, games: NDArray[np.int64]) -> list[str | None]:
        """Return the days of some games as they were written, without a time; None without a date or for index -1."""
        days = self.ledger.arrays.written_days(np.maximum(games, 0)) if len(self.ledger) else [None] * len(games)
        return [day if game >= 0 else None for game, day in zip(games.tolist(), days, strict=True)]

    def on(self, day: date | When | str) -> Ratings:
        """Return these ratings as the next game of a day, not before the newest one, is rated from them.

        They differ from the ratings themselves where a system settles a whole day or month together: what was won on
        that day does not count before its end.
        """
        rating = self.system.rating_on(self, when) if (when := When.of(day)) else self.rating
        return self if rating is self.rating else replace(self, rating=rating)

    def fair_terms(self, one: Opponent, other: Opponent, *, strangers: Strangers = "refuse") -> Terms:
        """Return the terms at which the next game of two players is nearest to even by `win_probability`.

        Two ranks (`3d`, `1d`) get a stone for each rank between them; see `System.fair_terms`. Strangers are given as
        in `standing`. Where even nine stones leave the weaker too little, the terms say that none are fair. InputError
        for a player and the same again.
        """
        return self.system.fair_terms(*self.pair(one, other, strangers=strangers), self)

    def win_probability(
        self,
        black: Opponent,
        white: Opponent,
        handicap: int = 0,
        komi: float | None = None,
        *,
        strangers: Strangers = "refuse",
    ) -> float | None:
        """Return the probability that Black wins the next game, None where the system has no such law.

        Args:
            black, white: Players, or strangers as in `standing`.
            handicap: As recorded: 0 even, 1 Black moves first without full komi, 2 and more stones on the board.
            komi: Points to White; None: the customary komi.
            strangers: What becomes of a name that nobody in the ledger has, as in `standing`.

        Raises:
            InputError: For a name that nobody has, a player and the same again, or a handicap or komi that no game can
                have.
        """
        return self.system.win_probability(*self.pair(black, white, strangers=strangers), handicap, komi, self)

    def pair(self, one: Opponent, other: Opponent, *, strangers: Strangers = "refuse") -> tuple[Standing, Standing]:
        """Return where two players stand, as in `standing`; InputError for a player and the same again."""
        if isinstance(one, str) and isinstance(other, str):
            indices = {self.ledger.get(player) for player in (one, other)}
            same = one == other and self.is_stranger(one) if None in indices else len(indices) == 1
            if same:
                name = self.standing(one, strangers="allow").name
                raise InputError(f"{name} was given twice; a game has two players")
        return self.standing(one, strangers=strangers), self.standing(other, strangers=strangers)
