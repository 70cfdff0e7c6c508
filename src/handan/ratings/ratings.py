"""What every system returns: the table, each player's history, the change each game made and why, fair terms."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.errors import InputError, counted
from handan.handicaps import Terms
from handan.ledger import Ledger, When
from handan.ratings.arrays import RatingArrays
from handan.ratings.charting import chart_of
from handan.ratings.columns import HISTORY, TABLE
from handan.ratings.event import Event, event_of
from handan.ratings.explanation import Explanation
from handan.ratings.frames import changes, forecasts, histories
from handan.ratings.ladder import ladder_rows
from handan.ratings.lines import lines_of, lines_of_games
from handan.ratings.movement import with_movement
from handan.ratings.notebook import Lines, ratings_html
from handan.ratings.player import AbsentPlayerError, PlayerRating, player_rating
from handan.ratings.predictions import predict
from handan.ratings.rules import Rules
from handan.ratings.standing import Opponent, Standing, Strangers, pair_of, standing_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ratings:
    """The answer of one system to one ledger."""

    arrays: RatingArrays
    """What the system found, as arrays, which explanations, forecasts and pages read."""

    @property
    def system(self) -> Rules:
        """The system, with its settings."""
        return self.arrays.system

    @property
    def ledger(self) -> Ledger:
        """The games."""
        return self.arrays.ledger

    @property
    def rating(self) -> Floats:
        """Rating of every player now, shape (players,)."""
        return self.arrays.rating

    @property
    def deviation(self) -> Floats | None:
        """Standard deviation of each rating in its unit, shape (players,); None where the system has none."""
        return self.arrays.deviation

    @property
    def rated(self) -> int:
        """Number of games that were rated."""
        return self.arrays.rated

    @property
    def pools(self) -> int:
        """Number of groups of players that never met, not even through others; their numbers cannot be compared."""
        return self.arrays.pools

    @property
    def unrated_counts(self) -> dict[str, int]:
        """Number of games that were not rated, by reason."""
        return self.arrays.unrated_counts

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may surprise whoever reads these ratings."""
        return self.arrays.warnings

    @property
    def notes(self) -> tuple[str, ...]:
        """How the answer was found, and what was learned beside the ratings."""
        return self.arrays.notes

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
        return (names[player] for player in self.arrays.ladder.tolist())

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
        if self.system.traits.whole:
            raise InputError(f"{name} solves all games together: no forecast from before a game; rate `as_of` a day")
        probability = self.system.forecasts(self)
        if probability is None:
            raise InputError(f"system {name} has no law of winning chances")
        return forecasts(self, probability)

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
        return standing_of(self, player, strangers)

    def table(self, *, since: date | When | str = "", limit: int | None = None) -> pl.DataFrame:
        """Return the ladder: one row a player, strongest first; equal players share a place. `limit`: how many at most.

        With a day in `since` it says what each player had at its end: `place_before`, `places_up`, `rank_before`,
        `rating_before` and `rating_change`, null for who had no rated game by then.
        """
        if since:
            return with_movement(self, self.at(since)).head(self.rating.size if limit is None else limit)
        names = [*list(TABLE)[:3], *self.arrays.beside, *list(TABLE)[3:]]
        return pl.DataFrame(
            ladder_rows(self.arrays, limit), schema={name: TABLE.get(name, pl.Float64) for name in names}
        )

    def rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """Return the rows of the ladder as dictionaries, as `table` has them; with a limit at most so many."""
        return ladder_rows(self.arrays, limit)

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
            return Lines(line, ranks=self.arrays.ranks_declared)
        wanted = reasons if game is None or not reasons else (game,)
        lines = self._lines(player, reasons=wanted)
        if game is not None and game not in {line.game for line in lines}:
            own = [str(line.game) for line in lines if line.game]
            some = ", ".join(own[:8]) + (" …" if len(own) > 8 else "")
            name = self.ledger.players[player].name
            raise InputError(f"game {game} is not a game of {name}, who played {some or 'none'}")
        return Lines((line for line in lines if game in {None, line.game}), ranks=self.arrays.ranks_declared)

    chart = chart_of

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
        return [] if self.arrays.unrated[game - 1] else lines_of_games(self, player, [game - 1], reasons=reasons)

    def _lines(self, player: int, *, reasons: bool | Container[int]) -> list[Explanation]:
        """Return all lines of a player, given by index."""
        return lines_of(self, player, reasons=reasons)

    def on(self, day: date | When | str) -> Ratings:
        """Return these ratings as the next game of a day, not before the newest one, is rated from them.

        They differ from the ratings themselves where a system settles a whole day or month together: what was won on
        that day does not count before its end.
        """
        rating = self.system.rating_on(self, when) if (when := When.of(day)) else self.rating
        return self if rating is self.rating else Ratings(replace(self.arrays, rating=rating))

    def fair_terms(self, one: Opponent, other: Opponent, *, strangers: Strangers = "refuse") -> Terms:
        """Return the terms at which the next game of two players is nearest to even by `win_probability`.

        Two ranks (`3d`, `1d`) get a stone for each rank between them; see `System.fair_terms`. Strangers are given as
        in `standing`. Where even nine stones leave the weaker too little, the terms say that none are fair. InputError
        for a player and the same again.
        """
        return self.system.fair_terms(*pair_of(self, one, other, strangers), self)

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
        return self.system.win_probability(*pair_of(self, black, white, strangers), handicap, komi, self)
