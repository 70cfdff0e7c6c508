"""Ratings that follow play after play, in memory: to the bit what `rate` says of the same games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from handan.errors import InputError
from handan.ledger import Game, Ledger, Player, When
from handan.ledger.columns import of_games
from handan.ledger.dates import day_number
from handan.ledger.facts import read_name
from handan.ledger.ledger import of_players
from handan.ledger.results import OF_SCORE
from handan.ratings import AbsentPlayerError, Standing
from handan.systems.core.batches import batch_boundaries
from handan.systems.core.replay_state import OWN, initial_state, state_after
from handan.systems.core.sequential import Sequential
from handan.systems.core.stepping import Seen
from handan.systems.core.unrated_reasons import NEEDS_DATE, UNRATED

if TYPE_CHECKING:
    from handan.ratings import Ratings
    from handan.systems.core.base import System
    from handan.systems.core.replay_state import ReplayState
    from handan.systems.core.stepping import Stepping

Rows = dict[str, list[Any]]


class Live:
    """Players whose ratings change as they play.

    Plays come in the order of their dates. Elo, Glicko and Glicko-2 game by game (`period="game"`) take each play at
    once, by the loop with which they replay a ledger; other systems that take games in order rate those of the last
    day, week, month or event when somebody asks, and the others, which solve all games together, all of them.
    """

    def __init__(self, system: System) -> None:
        """Begin without games."""
        self.system = system
        self._played: list[tuple[Any, ...]] = []
        self._newest: When | None = None
        self._dates: dict[Any, tuple[When | None, int]] = {None: (None, 0), "": (None, 0)}
        self._following = _Following(system) if isinstance(system, Sequential) else None
        self._rated: Ratings | None = None

    def play(
        self,
        black: str,
        white: str,
        result: str | float,
        *,
        date: When | datetime | date | str | None = None,
        handicap: int = 0,
        komi: float | None = None,
        black_rank: str = "",
        white_rank: str = "",
    ) -> None:
        """Take a play.

        Args:
            black: The first player.
            white: The second.
            result: As in a ledger (`B+R`, `W+3.5`, `jigo`), the winner's name, or the first player's score 1, 0.5 or 0.
            date: Not before that of the last play; all plays have one, or none has.
            handicap: As recorded: 0 even, 1 Black moves first without full komi, 2 and more stones on the board.
            komi: Points to White, None where it is not recorded.
            black_rank: Rank that the first player declares.
            white_rank: Rank that the second player declares.

        Raises:
            InputError: No game can be so, the play is earlier than the last one, or the system rates none without a
                date.
        """
        when, day = self._day(date)
        if not isinstance(result, str):
            result = _result(result)
        elif result in (black, white):
            result = "B+" if result == black else "W+"
        row = (black, white, result, when, handicap, komi, black_rank, white_rank)
        if when is None and not self._played:
            self._refuse_undated()
        if self._following is None:
            _game(row)
        else:
            self._following.take(row, day)
        self._played.append(row)
        self._newest, self._rated = when, None

    def _day(self, value: Any) -> tuple[When | None, int]:
        """Return a date and its day since 1970; InputError if it is earlier than the last one."""
        if value not in self._dates:
            when = When.of(value)
            self._dates = {value: (when, 0 if when is None else day_number(when.moment.date()))}
        when, day = self._dates[value]
        if when is not self._newest and self._played:
            if (when is None) != (self._newest is None):
                raise InputError("some plays have a date and others have none; give a date to all or to none")
            if when is not None and self._newest is not None and when.moment < self._newest.moment:
                raise InputError(f"a play of {when} after one of {self._newest}; give plays in order, or use rate")
        return when, day

    def _refuse_undated(self) -> None:
        """Refuse a first play without a date where the system rates no such play, as all that follow would be, too."""
        game = Game("A", "B", "B+", black_rank="1d", white_rank="1d")
        if UNRATED[NEEDS_DATE] in self.system.rate(Ledger.of([game])).unrated_counts:
            one_by_one = ', or let it rate game by game: period="game"' if hasattr(self.system, "period") else ""
            raise InputError(
                f"{self.system.label} rates no play without a date; give one, such as date='2026-05-01'{one_by_one}"
            )

    @property
    def games(self) -> list[Game]:
        """All plays, in order."""
        return [_game(row) for row in self._played]

    @property
    def ratings(self) -> Ratings:
        """What `rate` says of all plays, with cards, reasons, forecasts and charts; rated when somebody asks."""
        if self._rated is None:
            self._rated = self.system.rate(Ledger.of(self.games))
        return self._rated

    def __getitem__(self, name: str) -> Standing:
        """Return rating, deviation and rank of a player now.

        Raises:
            AbsentPlayerError: Nobody of this name has played; also a KeyError.
        """
        if self._following is None:
            return self.ratings.standing(self.ratings[name].name)
        return self._following.standing(name)

    def __contains__(self, name: object) -> bool:
        """Whether somebody of this name has played."""
        return name in (self.ratings if self._following is None else self._following.number)

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the players in the order in which they came."""
        return iter(dict.fromkeys(read_name(name) for row in self._played for name in row[:2]))

    def __len__(self) -> int:
        """Return the number of plays."""
        return len(self._played)

    def __repr__(self) -> str:
        """One short line."""
        return f"<Live {self.system.label}: {len(self):,} plays>"

    def win_probability(
        self, black: str | None, white: str | None, handicap: int = 0, komi: float | None = None
    ) -> float | None:
        """Return the probability that Black wins the next play, as `Ratings.win_probability` does.

        Args:
            black, white: Players, None for somebody who has never played.
            handicap, komi: The terms, as in `play`.
        """
        if self._following is None or self.system.traits.calibrated:
            return self.ratings.win_probability(black, white, handicap, komi)
        sides = [self.system.newcomer("a newcomer") if name is None else self[name] for name in (black, white)]
        return self.system.win_probability(sides[0], sides[1], handicap, komi)


class _Following:
    """The players of a system that takes games one after another: what it knows of each, in a row."""

    def __init__(self, system: Sequential) -> None:
        self.system = system
        self.number: dict[str, int] = {}
        self.names: list[str] = []
        self.rows: Rows = {name: [] for name in OWN}
        self._kinds: dict[str, tuple[np.dtype[Any], tuple[int, ...]]] = {}
        for name in OWN:
            self._kinds[name] = getattr(initial_state(0), name).dtype, ()
        self._batches, self._day = 0, 0
        self._past_day = 0
        self._open: list[Game] = []
        """Plays that are rated together with the next ones."""
        self._step: Stepping | None = None
        self._seen: dict[tuple[Any, ...], Seen] = {}
        self._newcomer: dict[str, Any] | None = None
        """What is known of somebody before the first play, where nobody has declared a rank; None: not known yet."""
        self._ranks = False

    def take(self, row: tuple[Any, ...], day: int) -> None:
        """Take a play."""
        black, white, result, _, handicap, komi, black_rank, white_rank = row
        self._ranks = self._ranks or bool(black_rank or white_rank)
        if self._step is not None and not black_rank and not white_rank:
            seen = self._seen.get((result, handicap, komi))
            if seen is not None and black != white and self._let_in(black) and self._let_in(white):
                self._step.take(self.number[black], self.number[white], seen, day, self._batches)
                self._batches += 1
                self._day = self._past_day = day
                return
        game = _game(row)
        for name in (game.black, game.white):
            self._enter(name)
        if self._open and day != self._day and self._begins_batch(game):
            self._settle()
        self._open.append(game)
        self._day = day
        if self.system.one_by_one:
            ledger = self._settle()
            if not self.system.refusals(ledger).any() and result == str(game.result):
                self._seen[result, handicap, komi] = Seen(
                    float(ledger.arrays.score[0]), float(self.system.worth_in_games(ledger)[0])
                )
            if self._step is None:
                self._step = self.system.stepping(self.rows)
                self._newcomer = self._row_before_first_play()

    def standing(self, name: str) -> Standing:
        """Return where a player stands now."""
        if name not in self.number:
            try:
                name = self.names[of_players(of_games([]), [Player(each) for each in self.names]).find(name)]
            except InputError as error:
                raise AbsentPlayerError(str(error)) from None
        player = self.number[name]
        if self._step is not None and self.rows["entered"][player]:
            rating = float(self.rows["rating"][player])
            deviation = self._step.deviation(player, self._day, self._batches)
            return Standing(name, rating, deviation, self.system.rank(rating))
        ledger, past = self._open_plays([player])
        return self.system.rate_after(past, ledger).standing(name)

    def _enter(self, name: str, row: Mapping[str, Any] | None = None) -> None:
        """Give somebody new a number and a row; None: one of zeros, which the first play fills."""
        if name in self.number:
            return
        self.number[name] = len(self.names)
        for column, values in self.rows.items():
            kind, shape = self._kinds[column]
            zero = np.zeros(shape, kind) if shape else kind.type()
            values.append(zero if row is None else row[column])
        self.rows["numbers"][-1] = len(self.names)
        self.names.append(name)

    def _let_in(self, name: str) -> bool:
        """Let somebody new in as all come in who declare no rank where nobody does; return whether they are in now."""
        if name not in self.number and not self._ranks and self._newcomer and read_name(name) == name:
            self._enter(name, self._newcomer)
        return name in self.number and bool(self.rows["entered"][self.number[name]])

    def _row_before_first_play(self) -> dict[str, Any]:
        """Return what is known, column by column, of somebody who is about to enter without a rank."""
        ledger = of_players(of_games([]), [Player("a newcomer")])
        kinds = {name: kind for name, kind in self._kinds.items() if name not in OWN}
        state = {name: np.zeros((1, *shape), dtype=kind) for name, (kind, shape) in kinds.items()}
        past = replace(initial_state(1), state=state, batches=self._batches, day=self._past_day)
        after = state_after(self.system.rate_after(past, ledger), past)
        columns = {name: getattr(after, name) for name in OWN} | dict(after.state)
        row = {name: values[0] if values.ndim > 1 else values.tolist()[0] for name, values in columns.items()}
        return {**row, "entered": True}

    def _begins_batch(self, game: Game) -> bool:
        together = Ledger.of([*self._open, game])
        return len(self._open) in batch_boundaries(together, self.system.together).tolist()

    def _open_plays(self, players: Iterable[int] = ()) -> tuple[Ledger, ReplayState]:
        """Return the open plays as a ledger that has some players too, and what is known of its players before."""
        names = {self.names[player] for player in players}
        names.update(name for game in self._open for name in (game.black, game.white))
        ledger = of_players(of_games(self._open), [Player(name) for name in names])
        return ledger, self._past([self.number[name] for name in ledger.names])

    def _past(self, players: Sequence[int]) -> ReplayState:
        """Return what is known of some players before the open plays."""

        def column(name: str) -> Any:
            kind, shape = self._kinds[name]
            values = [self.rows[name][player] for player in players]
            return np.array(values, dtype=kind).reshape(len(values), *shape)

        own = {name: column(name) for name in OWN}
        state = {name: column(name) for name in self._kinds if name not in OWN}
        return replace(initial_state(0), **own, state=state, batches=self._batches, day=self._past_day)

    def _settle(self) -> Ledger:
        """Let the open plays become a part of the past; return them."""
        ledger, past = self._open_plays()
        after = state_after(self.system.rate_after(past, ledger), past)
        players = past.numbers.tolist()
        columns = {name: getattr(after, name) for name in OWN} | dict(after.state)
        for name, values in columns.items():
            if name not in self._kinds:
                self._kinds[name] = values.dtype, values.shape[1:]
                self.rows[name] = [values[0]] * len(self.names)
            row = self.rows[name]
            for player, value in zip(players, values if values.ndim > 1 else values.tolist(), strict=True):
                row[player] = value
        self._batches, self._past_day, self._open = after.batches, after.day, []
        return ledger


def _game(row: tuple[Any, ...]) -> Game:
    """Return a play as a ledger keeps it; InputError if no game can be so."""
    black, white, result, when, handicap, komi, black_rank, white_rank = row
    return Game(black, white, result, when, handicap, komi, black_rank=black_rank, white_rank=white_rank)


def _result(score: float) -> str:
    """Return the result that a score of the first player is; InputError for any other number."""
    if score not in OF_SCORE:
        raise InputError(f"{score!r} is no score of the first player; 1 is a win, 0.5 a draw, 0 a loss")
    return OF_SCORE[score]
