"""Programs that rate all games together."""

from __future__ import annotations

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
        signs = np.tile([1.0, -1.0], behind - first)
        shape = (behind - first, self.games.players)
        table = self.table((signs, (rows, columns)), shape=shape)
        self.strength = self.model.fit(table, self.games.win[first:behind]).coef_[0]


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
