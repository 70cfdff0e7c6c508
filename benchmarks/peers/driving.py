"""What a driver of another program does, and the formulas of forecasts for programs that publish none."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.ledgers import Games

Floats = NDArray[np.float64]


class Driver(ABC):
    """One program with its default constants; making it, and turning arrays into what it takes, is not timed."""

    at_once: ClassVar[bool] = False
    """Whether it rates all games together, so that the held-out ones are never rated."""

    def __init__(self, games: Games) -> None:
        self.games = games

    @abstractmethod
    def play(self, first: int, behind: int) -> None:
        """Rate the games from `first` up to `behind`."""

    def chance(self, black: int, white: int) -> float:
        """Return Black's chance by the ratings held now."""
        raise NotImplementedError

    def chances(self, first: int, behind: int | None = None) -> Floats:
        """Return Black's chances in the games from `first` up to `behind`, or to the end, by the ratings of now."""
        black, white = self.games.black[first:behind].tolist(), self.games.white[first:behind].tolist()
        return np.array([self.chance(*pair) for pair in zip(black, white, strict=True)])


def logistic(elo: float) -> float:
    """Return the chance of a player so many Elo ahead."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def glicko(black: float, white: float, deviations: tuple[float, float]) -> float:
    """Return Black's chance as in M. Glickman, "The Glicko system", from ratings and deviations in Elo."""
    q = math.log(10.0) / 400.0
    variance = deviations[0] ** 2 + deviations[1] ** 2
    return logistic((black - white) / math.sqrt(1.0 + 3.0 * q * q * variance / math.pi**2))


def module(name: str) -> Any:
    """Import a part of another program, whose types nobody here knows."""
    return import_module(name)
