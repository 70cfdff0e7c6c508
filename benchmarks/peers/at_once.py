"""Programs that rate all games together."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from benchmarks.ledgers import Games
from benchmarks.peers.driving import Driver, logistic, module

PRIOR = 0.5  # curvature of two virtual draws with an average player: 2 x 1/4, the prior of the yardstick's WHR
W2 = 14.0  # Elo^2 a day; R. Coulom, "Whole-History Rating" (2008), section 4


class Strengths(Driver):
    """A program that gives each player one strength in natural units."""

    at_once: ClassVar[bool] = True

    def __init__(self, games: Games) -> None:
        super().__init__(games)
        self.strength = np.zeros(games.players)

    def chance(self, black: int, white: int) -> float:
        """Return the chance that the strengths give."""
        return float(1.0 / (1.0 + np.exp(self.strength[white] - self.strength[black])))


class SparseRegression(Strengths):
    """Bradley-Terry as logistic regression of scikit-learn on a sparse matrix: one column a player."""

    def __init__(self, games: Games) -> None:
        super().__init__(games)
        self.table = module("scipy.sparse").csr_matrix
        self.model = module("sklearn.linear_model").LogisticRegression(C=1.0 / PRIOR, fit_intercept=False)

    def play(self, first: int, behind: int) -> None:
        """Fit the strengths."""
        rows = np.repeat(np.arange(behind - first), 2)
        columns = np.column_stack([self.games.black, self.games.white])[first:behind].ravel()
        turned = np.arange(behind - first) % 2 == 1  # every other game from White's side: it wants wins and losses
        signs = np.tile([1.0, -1.0], behind - first) * np.repeat(np.where(turned, -1.0, 1.0), 2)
        shape = (behind - first, self.games.players)
        table = self.table((signs, (rows, columns)), shape=shape)
        win = self.games.win[first:behind]
        self.strength = self.model.fit(table, np.where(turned, 1 - win, win)).coef_[0]


class Choix(Strengths):
    """choix by Newton's method."""

    def __init__(self, games: Games) -> None:
        super().__init__(games)
        self.solve = module("choix").opt_pairwise

    def play(self, first: int, behind: int) -> None:
        """Fit the strengths."""
        won = self.games.win[first:behind] == 1
        black, white = self.games.black[first:behind], self.games.white[first:behind]
        pairs = np.column_stack([np.where(won, black, white), np.where(won, white, black)]).tolist()
        self.strength = self.solve(self.games.players, pairs, alpha=PRIOR / 2.0)


class WHR(Driver):
    """whr, a C++ program under Python, by its own rule of when to stop."""

    at_once: ClassVar[bool] = True

    def __init__(self, games: Games) -> None:
        super().__init__(games)
        self.model = module("whr").Base(w2=W2)
        names = [[str(player) for player in side.tolist()] for side in (games.black, games.white)]
        colour = np.where(games.win == 1, "B", "W").tolist()
        self.rows = [list(row) for row in zip(*names, colour, games.day.tolist(), strict=True)]

    def play(self, first: int, behind: int) -> None:
        """Solve for the ratings."""
        self.model.create_games(self.rows[first:behind])
        self.model.iterate_until_converge(verbose=False)

    def chance(self, black: int, white: int) -> float:
        """Return the chance that the last ratings give."""
        return logistic(self._last(black) - self._last(white))

    def _last(self, player: int) -> float:
        days = self.model.ratings_for_player(str(player))
        return float(days[-1][1]) if days else 0.0


class WholeHistoryRating(WHR):
    """whole-history-rating, in Python."""

    def __init__(self, games: Games) -> None:
        Driver.__init__(self, games)
        self.model = module("whr").WHR({"w2": W2})
        self.rows = [
            [str(black), str(white), "B" if win else "W", day, 0]
            for black, white, win, day in zip(
                games.black.tolist(), games.white.tolist(), games.win.tolist(), games.day.tolist(), strict=True
            )
        ]

    def play(self, first: int, behind: int) -> None:
        """Solve for the ratings."""
        for row in self.rows[first:behind]:
            self.model.create_game(*row)
        self.model.auto_iterate()

    def chance(self, black: int, white: int) -> float:
        """Return its own probability of a future game."""
        return float(self.model.probability_future_match(str(black), str(white), 0)[0])


class ThroughTime(Driver):
    """TrueSkill Through Time, by its defaults, until a round moves nothing by more than 0.01."""

    at_once: ClassVar[bool] = True
    rounds: ClassVar[int] = 10  # of its own default

    def __init__(self, games: Games) -> None:
        super().__init__(games)
        self.program = module("trueskillthroughtime")
        won = games.win == 1
        winner = np.where(won, games.black, games.white).tolist()
        loser = np.where(won, games.white, games.black).tolist()
        self.pairs = [[[str(one)], [str(other)]] for one, other in zip(winner, loser, strict=True)]
        self.last: dict[str, tuple[float, float]] = {}

    def play(self, first: int, behind: int) -> None:
        """Solve for the curves."""
        days = self.games.day[first:behind].tolist()
        history = self.program.History(self.pairs[first:behind], times=days)
        history.convergence(epsilon=0.01, iterations=self.rounds, verbose=False)
        curves = history.learning_curves()
        self.last = {name: (curve[-1][1].mu, curve[-1][1].sigma) for name, curve in curves.items()}

    def chance(self, black: int, white: int) -> float:
        """Return the probability that Black's performance is the better one."""
        new = (float(self.program.MU), float(self.program.SIGMA))
        (mu, sigma), (other_mu, other_sigma) = (self.last.get(str(player), new) for player in (black, white))
        spread = math.sqrt(2.0 * float(self.program.BETA) ** 2 + sigma**2 + other_sigma**2)
        return 0.5 * math.erfc((other_mu - mu) / (spread * math.sqrt(2.0)))


class Kickscore(Driver):
    """kickscore with a constant and a wandering part for each player, as its documentation has it."""

    at_once: ClassVar[bool] = True

    def __init__(self, games: Games) -> None:
        super().__init__(games)
        program = module("kickscore")
        self.model = program.BinaryModel()
        kernel = program.kernel.Constant(var=1.0) + program.kernel.Exponential(var=1.0, lscale=365.0)
        for player in np.unique(np.append(games.black, games.white)).tolist():
            self.model.add_item(str(player), kernel=kernel)
        self.now = 0.0

    def play(self, first: int, behind: int) -> None:
        """Observe the games and fit."""
        columns = (self.games.black, self.games.white, self.games.win, self.games.day)
        for black, white, won, day in zip(*(column[first:behind].tolist() for column in columns), strict=True):
            winner, loser = (black, white) if won else (white, black)
            self.model.observe(winners=[str(winner)], losers=[str(loser)], t=float(day))
            self.now = float(day)
        self.model.fit()

    def chance(self, black: int, white: int) -> float:
        """Return its probability of a game on the last day."""
        return float(self.model.probabilities([str(black)], [str(white)], t=self.now)[0])
