"""Programs that take games one by one, or by rating periods."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

import numpy as np

from benchmarks.ledgers import Games
from benchmarks.peers.driving import Driver, Floats, glicko, module


class PairByPair(Driver):
    """A program that holds an object a player and is told winner and loser."""

    def __init__(self, games: Games) -> None:
        super().__init__(games)
        self.players: list[Any] = []
        self.pairs = list(zip(games.black.tolist(), games.white.tolist(), strict=True))
        self.won = (games.win == 1).tolist()

    def play(self, first: int, behind: int) -> None:
        """Rate the games in order."""
        for game in range(first, behind):
            black, white = self.pairs[game]
            self.beat(*((black, white) if self.won[game] else (white, black)), game)

    def beat(self, winner: int, loser: int, game: int) -> None:
        """Rate one game."""
        raise NotImplementedError


class Riix(Driver):
    """riix, in its own weekly time steps, within which it rates game by game."""

    def __init__(self, games: Games, part: str, name: str) -> None:
        super().__init__(games)
        self.data = module("riix.utils").MatchupDataset
        self.model = getattr(module(f"riix.models.{part}"), name)(list(range(games.players)))
        self.pairs = np.column_stack([games.black, games.white])
        self.week = (games.day // 7).astype(np.int32)
        self.score = games.win.astype(np.float64)

    def play(self, first: int, behind: int) -> None:
        """Rate the games in order."""
        part = slice(first, behind)
        names = list(range(self.games.players))
        self.model.fit_dataset(self.data.init_from_arrays(self.week[part], self.pairs[part], self.score[part], names))

    def chances(self, first: int, behind: int | None = None) -> Floats:
        """Return what its models predict."""
        return np.asarray(self.model.predict(self.pairs[first:behind], time_step=int(self.week[first])))


class Elote(PairByPair):
    """elote."""

    def __init__(self, games: Games, name: str) -> None:
        super().__init__(games)
        self.players = [getattr(module("elote"), name)() for _ in range(games.players)]

    def beat(self, winner: int, loser: int, game: int) -> None:  # noqa: ARG002  # it does not ask when
        """Rate one game."""
        self.players[winner].beat(self.players[loser])

    def chance(self, black: int, white: int) -> float:
        """Return its expected score."""
        return float(self.players[black].expected_score(self.players[white]))


class EloteDated(Elote):
    """elote where it asks for the time of a game."""

    def __init__(self, games: Games, name: str) -> None:
        super().__init__(games, name)
        start = datetime(2019, 1, 1)  # noqa: DTZ001  # it compares them with its own naive ones
        self.players = [getattr(module("elote"), name)(initial_time=start) for _ in range(games.players)]
        self.times = [start + timedelta(days=day) for day in games.day.tolist()]

    def beat(self, winner: int, loser: int, game: int) -> None:
        """Rate one game."""
        self.players[winner].beat(self.players[loser], match_time=self.times[game])


class Skelo(PairByPair):
    """The models of skelo, which keep every rating with the time from which it held."""

    def __init__(self, games: Games, part: str, name: str) -> None:
        super().__init__(games)
        self.model = getattr(module(f"skelo.model.{part}"), name)().build(range(games.players))
        self.day = games.day.tolist()

    def beat(self, winner: int, loser: int, game: int) -> None:
        """Rate one game."""
        self.model.update(winner, loser, self.day[game])

    def chance(self, black: int, white: int) -> float:
        """Return its probability by the last ratings."""
        return float(self.model.compute_prob(self.model.get(black)["rating"], self.model.get(white)["rating"]))


class Glicko2(PairByPair):
    """glicko2, each game a period by itself; it has no forecast, so the paper's is used."""

    def __init__(self, games: Games) -> None:
        super().__init__(games)
        self.players = [module("glicko2").Player() for _ in range(games.players)]

    def beat(self, winner: int, loser: int, game: int) -> None:  # noqa: ARG002  # a period is a game
        """Rate one game."""
        one, other = self.players[winner], self.players[loser]
        rating, deviation = one.rating, one.rd
        one.update_player([other.rating], [other.rd], [1])
        other.update_player([rating], [deviation], [0])

    def chance(self, black: int, white: int) -> float:
        """Return the chance that rating and deviation give."""
        one, other = self.players[black], self.players[white]
        return glicko(one.rating, other.rating, (one.rd, other.rd))


class Glicko2Weekly(Glicko2):
    """glicko2 in rating periods of a week, in which the absent do not compete."""

    def play(self, first: int, behind: int) -> None:
        """Rate the weeks in order."""
        for _, games in groupby(range(first, behind), key=(self.games.day // 7).tolist().__getitem__):
            self._week(list(games))

    def _week(self, games: list[int]) -> None:
        states = [(player.rating, player.rd) for player in self.players]
        met: dict[int, list[tuple[float, float, int]]] = {}
        for game in games:
            (black, white), won = self.pairs[game], self.won[game]
            met.setdefault(black, []).append((*states[white], int(won)))
            met.setdefault(white, []).append((*states[black], int(not won)))
        for number, player in enumerate(self.players):
            if number in met:
                player.update_player(*(list(column) for column in zip(*met[number], strict=True)))
            else:
                player.did_not_compete()


class TrueSkill(PairByPair):
    """trueskill without draws; its documentation gives the forecast."""

    def __init__(self, games: Games) -> None:
        super().__init__(games)
        self.rate = module("trueskill").rate_1vs1
        self.model = module("trueskill").TrueSkill(draw_probability=0.0)
        self.players = [self.model.create_rating() for _ in range(games.players)]

    def beat(self, winner: int, loser: int, game: int) -> None:  # noqa: ARG002  # it does not ask when
        """Rate one game."""
        one, other = self.players[winner], self.players[loser]
        self.players[winner], self.players[loser] = self.rate(one, other, env=self.model)

    def chance(self, black: int, white: int) -> float:
        """Return the probability that Black's performance is the better one."""
        one, other = self.players[black], self.players[white]
        spread = math.sqrt(2.0 * self.model.beta**2 + one.sigma**2 + other.sigma**2)
        return float(self.model.cdf((one.mu - other.mu) / spread))


class OpenSkill(PairByPair):
    """openskill with its Plackett-Luce model: another model for the same job."""

    def __init__(self, games: Games) -> None:
        super().__init__(games)
        self.model = module("openskill.models").PlackettLuce()
        self.players = [self.model.rating() for _ in range(games.players)]

    def beat(self, winner: int, loser: int, game: int) -> None:  # noqa: ARG002  # it does not ask when
        """Rate one game."""
        (one,), (other,) = self.model.rate([[self.players[winner]], [self.players[loser]]])
        self.players[winner], self.players[loser] = one, other

    def chance(self, black: int, white: int) -> float:
        """Return its prediction."""
        return float(self.model.predict_win([[self.players[black]], [self.players[white]]])[0])
