"""A package that brings a rating system, a points card and a file format; copy it to begin one of your own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from handan import Card, Ledger
from handan.files.games.contents import Contents, Gatherer
from handan.files.games.format import Format
from handan.files.io.options import Options
from handan.handicaps import advantage
from handan.kernels.arrays import running_sums
from handan.kernels.compiling import kernel
from handan.kernels.winning_law import Pairing, WinningLaw
from handan.ledger import Result
from handan.ranks import Rank
from handan.ratings import Factor, Ratings, Reason
from handan.systems import System
from handan.systems.core.conditions import Conditions
from handan.systems.core.initial_ratings import starting_ratings
from handan.systems.core.schedule import Schedule
from handan.systems.core.settings import setting


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return the log odds of Black: ten points are odds of e to one. Our choice."""
    return (pairing.black + pairing.worth - pairing.white) / 10.0


@dataclass(frozen=True)
class Wins(System):
    """Wins less losses."""

    name: ClassVar[str] = "wins"
    title: ClassVar[str] = "Wins less losses"
    winning_law: ClassVar[WinningLaw] = WinningLaw.of("wins", lead_of)

    points: float = setting(1.0, "what a win is worth", unit="points", low=0.0, high=100.0)

    def rate(self, ledger: Ledger) -> Ratings:
        """Add up the results; ratings set by hand count at entry only."""
        schedule = Schedule.of(ledger, self.refusals(ledger))
        rating, _ = starting_ratings(schedule, self.rating_for, 0.0)
        won = self.points * (2.0 * schedule.score - 1.0)
        change = np.stack((won, -won), axis=1)
        before = np.empty_like(change)
        running_sums(schedule.black, schedule.white, change, rating, before)
        return schedule.ratings(self, rating, before, change)

    def rank(self, rating: float) -> Rank | None:  # noqa: ARG002  # the interface
        """Return None: there are no ranks."""
        return None

    def rating_for(self, rank: Rank) -> float:  # noqa: ARG002  # the interface
        """Return 0: everybody begins alike."""
        return 0.0

    def terms_worth(self, conditions: Conditions) -> float:
        """Return what handicap and komi are worth to Black: five points a stone. Our choice."""
        return 5.0 * advantage(conditions.handicap, conditions.komi)

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return what a win is worth and the result, whose product is the change."""
        score = abs(side - float(ratings.ledger.arrays.score[game]))
        worth = Factor("points", self.points, "What a win is worth.")
        return Reason((worth, Factor("result", 2.0 * score - 1.0, "1 for a win, -1 for a loss.")), "product")


TOY_CARD = Card(name="toy10", title="Toy club, 10 points a stone", source="made up", points_per_stone=10, top_komi=5.0)

LINE = re.compile(r"(\d{4}-\d\d-\d\d) (\S+) beats (\S+)")


def sniff(head: bytes) -> bool:
    """Return whether the first line says what the file is."""
    return head.startswith(b"winners of the day\n")


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read a line a game, the winner first; who had Black is not known."""
    gatherer = Gatherer(source, options.limits)
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines()[1:], 2):
        row = LINE.fullmatch(line.strip())
        if row:
            date, winner, loser = row.groups()
            gatherer.game(number, black=winner, white=loser, result="P1+", date=date)
        elif line.strip():
            gatherer.reject(number, "row", line, "DATE WINNER beats LOSER")
    return gatherer.contents()


def write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # the interface
    """Write a line for each decided game; say how many games have no winner."""
    lines = ["winners of the day"]
    for game in ledger:
        score = Result.parse(str(game.result)).score
        if score in {0.0, 1.0}:
            winner, loser = (game.black, game.white) if score else (game.white, game.black)
            lines.append(f"{game.date} {winner} beats {loser}")
    lost = len(ledger) + 1 - len(lines)
    return ("\n".join(lines) + "\n").encode(), [f"games without a winner ({lost})"] * bool(lost)


WINNERS = Format("winners of the day", sniff, read, endings=(".winners",), write=write)
