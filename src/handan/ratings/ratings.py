"""What every system returns: the table, each player's history, the change each game made and why, fair terms."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from handan.errors import AbsentError, InputError, counted
from handan.ledger import When
from handan.ratings.ladder import ladder_rows
from handan.ratings.opponents import pair_of, standing_of
from handan.ratings.rated_ledger import RatedLedger
from handan.ratings.standing import Opponent, Standing, Strangers
from handan.wording.figures import digits, fixed

if TYPE_CHECKING:
    from datetime import date

    import altair as alt
    import polars as pl

    from handan.handicaps import Terms
    from handan.ranks import Rank
    from handan.ratings.event import Event
    from handan.ratings.explanation import Explanation
    from handan.ratings.rules import Rules


class AbsentPlayerError(AbsentError, KeyError):
    """Nobody in the ledger has the name, or several are written so; also a KeyError, as of any other mapping."""


@dataclass(frozen=True, eq=False, repr=False)
class Ratings(RatedLedger):
    """The answer of one system to one ledger."""

    if TYPE_CHECKING:

        @property
        def system(self) -> Rules[Ratings]:
            """The system, with its settings."""

    def __getitem__(self, name: str | int) -> PlayerRating:
        """Return what the system says of a player, by name or id, as `Ledger.find` finds it.

        Raises:
            AbsentPlayerError: There is no such player, or several are written so; the text proposes names like it.
        """
        try:
            return _player_rating(self, self.ledger.find(name))
        except InputError as error:
            raise AbsentPlayerError(str(error)) from None

    def __contains__(self, name: object) -> bool:
        """Whether `ratings[name]` is a player."""
        return isinstance(name, (str, int)) and self.ledger.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the players, the strongest first."""
        names = self.ledger.names
        return (names[player] for player in self.arrays.ladder.tolist())

    def _repr_html_(self) -> str:
        """The first rows of the ladder, with a line about it."""
        from handan.notebook import paragraph
        from handan.ratings.explanation import SHOWN, filled_table

        table = self.table()
        more = f"; the first {SHOWN} of {table.height:,}" if table.height > SHOWN else ""
        decimals = digits(table["rating"])
        rows = [
            [
                str(row["place"]),
                row["player"],
                row["rank"] if self.arrays.ranks_declared else "",
                fixed(row["rating"], decimals),
                fixed(row["deviation"], decimals),
                str(row["games"]),
            ]
            for row in table.head(SHOWN).iter_rows(named=True)
        ]
        head = ("#", "player", "rank", "rating", "deviation", "games")
        return paragraph(f"{repr(self)[1:-1]}{more}") + filled_table(head, rows)

    def forecasts(self) -> pl.DataFrame:
        """Return the forecasts one step ahead, one row for each rated game in playing order.

        Columns: `game`, counted from 1, `date`, `black`, `white`, `result`, and `probability` that Black wins, from
        ratings, deviations and terms as they were before the game (before its event or period, where these are rated
        together): the law of `win_probability`. Where colours are unknown it is the chance of the player on the left.

        Raises:
            InputError: If the system has no law of winning chances, or solves all games together, so that it has no
                ratings from before a game; rate the ledger as of earlier days instead (`Ledger.as_of`).
        """
        from handan.ratings.frames import forecasts

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
                nothing is known. A `Standing` is taken as it is.
            strangers: Whether a name that nobody in the ledger has is refused, as a misspelt one should be, or allowed
                as that of a newcomer of whom nothing is known.

        Raises:
            InputError: Nobody has the name, and strangers are refused; the text proposes names that are like it.
        """
        return standing_of(self, player, strangers)

    def table(self, *, since: date | When | str = "", limit: int | None = None) -> pl.DataFrame:
        """Return the ladder: one row a player, strongest first; equal players share a place. `limit`: how many at most.

        With a day in `since`, further columns say what each player had at the end of that day: `place_before`,
        `places_up`, `rank_before`, `rating_before` and `rating_change`; null if the player had no rated game by then.
        """
        import polars as pl

        from handan.ratings.columns import TABLE
        from handan.ratings.frames import with_movement

        if limit is not None and limit < 0:
            raise InputError(f"limit={limit} is not a number of players from 0 on")
        if since:
            frame = with_movement(self.table(), self.at(since).table(), is_index=self.system.traits.index_of_rank)
            return frame.head(self.rating.size if limit is None else limit)
        names = [*list(TABLE)[:3], *self.arrays.beside, *list(TABLE)[3:]]
        return pl.DataFrame(
            ladder_rows(self.arrays, limit), schema={name: TABLE.get(name, pl.Float64) for name in names}
        )

    def history(self, name: str) -> pl.DataFrame:
        """Return a player's card: one row for each game and adjustment, in the order in which they were taken."""
        from handan.ratings.frames import histories

        return histories(self, [self.ledger.find(name)]).drop("player", "event", "round")

    def explain(
        self, name: str, game: int | None = None, *, reasons: bool | Container[int] = True
    ) -> list[Explanation]:
        """Return a player's lines with the reason of each change.

        Args:
            name: Name or id of the player.
            game: Number of one game in playing order, counted from 1; None for all games and later adjustments.
            reasons: Whether to find the factors of each change (the plain history needs none), or of which games.
        """
        from handan.ratings.lines import explained

        return explained(self, self.ledger.find(name), game, reasons=reasons)

    def chart(self, *players: str) -> alt.LayerChart:
        """Return the ratings of one or several players over the days, as an Altair chart.

        A notebook shows it as SVG; `chart.save("alice.html")`, `.png` and `.svg` write it. Where a game has no date,
        the numbers of the games stand across.

        Args:
            players: Names or ids, at most as many as there are colours; none stands for the strongest player.

        Raises:
            InputError: Nobody is called so, there are too many, or the extra `handan[charts]` is not installed.
        """
        from handan.ratings.charting import chart_of

        return chart_of(self, *players)

    def histories(self) -> pl.DataFrame:
        """Return the cards of all players, one below the other: `player`, as `history`, then `event` and `round`."""
        from handan.ratings.frames import histories

        return histories(self)

    def changes(self) -> pl.DataFrame:
        """Return one row a rated game, in playing order: its terms, and before, change and after of both sides.

        Columns `black_before`, `black_change`, `black_after` and the ranks `black_rank_before`, `black_rank_after`, and
        the same of White. For whole-history systems the changes are shares in the final rating, as in `explain`.
        """
        from handan.ratings.frames import changes

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
        from handan.ratings.event import event_of

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
        from handan.ratings.predictions import predict

        return predict(self, games, strangers)

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

    def win_interval(
        self,
        black: Opponent,
        white: Opponent,
        handicap: int = 0,
        komi: float | None = None,
        *,
        level: float = 0.95,
        strangers: Strangers = "refuse",
    ) -> tuple[float, float] | None:
        """Return the interval that holds Black's probability with the chance `level`, by both deviations.

        None for systems that state no deviations. Other arguments and errors as of `win_probability`.
        """
        return self.system.win_interval(*pair_of(self, black, white, strangers), handicap, komi, self, level)


@dataclass(frozen=True, slots=True, repr=False)
class PlayerRating:
    """One player of `Ratings`."""

    ratings: Ratings
    index: int
    """Place of the player in `Ledger.players`."""
    name: str
    rating: float
    """Rating now, in the unit of the system."""
    deviation: float | None
    """Standard deviation of the rating in the same unit; None where the system has none."""
    rank: Rank | None
    """None where the system has no ranks."""
    games: int
    """Rated games."""
    wins: int
    losses: int
    draws: int

    def __repr__(self) -> str:
        """One short line."""
        decimals = digits([self.rating])
        deviation = "" if self.deviation is None else f" ± {fixed(self.deviation, decimals)}"
        rank = f", {self.rank}" if self.rank is not None and self.ratings.arrays.ranks_declared else ""
        rating = f"{fixed(self.rating, decimals)}{deviation}{rank}"
        return f"<PlayerRating {self.name}: {rating}, {counted(self.games, 'game')}>"

    def _repr_html_(self) -> str:
        from handan.notebook import paragraph
        from handan.ratings.explanation import SHOWN, Lines

        lines = Lines(self.explain()[-SHOWN:])
        return paragraph(repr(self)[1:-1]) + lines._repr_html_()

    @property
    def place(self) -> int:
        """Place on the ladder, 1 the strongest; equal players share one."""
        return int(self.ratings.arrays.places[self.index])

    @property
    def last_played(self) -> str | None:
        """Day of the last rated game as it was written, None without one."""
        return self.ratings.arrays.last_days(np.array([self.index]))[0]

    def history(self) -> pl.DataFrame:
        """Return the player's card, as `Ratings.history` does."""
        return self.ratings.history(self.name)

    def explain(self, game: int | None = None) -> list[Explanation]:
        """Return why each game changed the rating, or one game by its number, as `Ratings.explain` does."""
        return self.ratings.explain(self.name, game)

    def chart(self) -> alt.LayerChart:
        """Return the course of the rating as a chart, as `Ratings.chart` does."""
        return self.ratings.chart(self.name)


def _player_rating(ratings: Ratings, index: int) -> PlayerRating:
    """Return what a system says of a player, given by index."""
    deviation = None if ratings.deviation is None else float(ratings.deviation[index])
    games, wins, losses, draws, _ = ratings.arrays.tallies[index].tolist()
    name, rating = ratings.ledger.names[index], float(ratings.rating[index])
    return PlayerRating(
        ratings, index, name, rating, deviation, ratings.arrays.rank_of(index), games, wins, losses, draws
    )
