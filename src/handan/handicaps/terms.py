"""The terms of one game between two players, in numbers and in the words of a club."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from numbers import Real
from typing import Any

from handan.errors import InputError, shown
from handan.handicaps.card_law import MOST_STONES, WHITE_WINS, Card, CardRow
from handan.handicaps.cards import card as card_of_name
from handan.notebook import paragraph

GIVEN = "given"
NIGIRI = "nigiri"
MOST_POINTS = 1e9  # our choice: beyond it a point is lost in rounding
MOST_KOMI = 60.0  # points; our choice of what is still a game: more is five stones


@dataclass(frozen=True, slots=True)
class Terms:
    """Who takes Black, with how many stones and what komi."""

    black: str
    """Name of the player who takes Black; where colours are drawn, the first of the two."""
    white: str
    """Name of the player who takes White; where colours are drawn, the second of the two."""
    colours: str
    """`given` by the points, or drawn by `nigiri`."""
    difference: float
    """Points of White less points of Black; never negative."""
    card_stones: int
    """The figure that the card prints."""
    free_stones: int
    """Black stones beyond Black's first move."""
    stones_on_board: int
    """Conventional handicap: 0, or free stones plus 1."""
    komi: float | None
    """Points to White, negative to Black; None where the card prints none."""
    tie: str
    """How a tie on the board after komi is settled: `white wins`, `jigo` or `impossible`."""
    unfair: str = ""
    """Why no terms are fair; these are then the nearest that a board holds."""
    nearer: str = field(default="", repr=False)
    """For two ranks: the terms that are fair by the system's own law, where they are others than a stone a rank."""

    @property
    def handicap(self) -> int:
        """The handicap as it is recorded with a game: 0 even, 1 Black moves first, 2 and more stones on the board."""
        return self.stones_on_board or min(self.card_stones, 1)

    @property
    def text(self) -> str:
        """The terms as a club says them: `Black: Alice, 2 stones, White gives 3`."""
        return f"no fair terms: {self.unfair}; nearest: {self.on_board}" if self.unfair else self.on_board

    def __str__(self) -> str:
        """The terms as a club says them."""
        return self.text

    def _repr_html_(self) -> str:
        return paragraph(self.text)

    @property
    def on_board(self) -> str:
        """The same without a word on whether they are fair."""
        start = "Even game: nigiri" if self.colours == NIGIRI else f"Black: {self.black}"
        if self.free_stones:
            start += f", {self.stones_on_board} stones"
        elif self.colours == GIVEN:
            start += " moves first"
        tie = ", a tie is White's" if self.tie == WHITE_WINS else ""
        return f"{start}, {self._komi_text()}{tie}"

    def _komi_text(self) -> str:
        if self.komi is None and self.colours == NIGIRI:
            return "usual komi"
        if not self.komi:
            return "no komi"
        return f"{'Black' if self.komi > 0 else 'White'} gives {abs(self.komi):g}"

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name (`nearer` where there are such terms), `handicap` and `text`."""
        own = {name: value for name, value in asdict(self).items() if value or name != "nearer"}
        return {**own, "handicap": self.handicap, "text": self.text}


def stones_in_words(handicap: int) -> str:
    """Return a recorded handicap in words: `handicap 1, Black moves first`, `3 stones`; empty for an even game."""
    if handicap == 1:
        return "handicap 1, Black moves first"
    return f"{handicap} stones" if handicap else ""


def too_much(black: str) -> str:
    """Return why no terms are fair to a Black who is too weak for the utmost that a board holds."""
    most = f"{MOST_STONES} stones and {MOST_KOMI:g} points of komi"
    return f"even {most} leave {black} less than one chance in ten"


def card_terms(card: Card | str, a: tuple[str, float], b: tuple[str, float]) -> Terms:
    """Return the terms of a game between two players, each given as (name, points), by a card or the name of one.

    The player with more points takes White. Colours are drawn between equals, and wherever the card says the same as
    between equals. A part of a point of difference does not count. InputError for points that are not finite, or beyond
    all that a player can have won.
    """
    for name, points in (a, b):
        if not _is_finite(points):
            raise InputError(f"points of {name}: {shown(str(points))} is not a finite number")
        if abs(points) > MOST_POINTS:
            raise InputError(
                f"points of {name}: {points:g} is not a number from -{MOST_POINTS:.0f} to {MOST_POINTS:.0f}"
            )
    black, white = (b, a) if a[1] > b[1] else (a, b)
    difference = white[1] - black[1]
    # our choice: whole points only, since cards have no other rows; the rounding undoes errors of binary fractions
    whole = math.floor(round(difference, 6))
    if isinstance(card, str):
        card = card_of_name(card)
    row, drawn = card.board_row(whole), card.drawn(whole)
    if drawn:
        black, white = a, b
    return Terms(
        black=black[0],
        white=white[0],
        colours=NIGIRI if drawn else GIVEN,
        difference=difference,
        card_stones=row.card_stones,
        free_stones=row.free_stones,
        stones_on_board=row.stones_on_board,
        komi=row.komi if row.komi is None else max(row.komi, -MOST_KOMI),
        tie=row.tie,
        unfair=_beyond_the_board(card, whole, row),
    )


def _is_finite(points: Any) -> bool:
    return isinstance(points, Real) and math.isfinite(points)


def _beyond_the_board(card: Card, difference: int, row: CardRow) -> str:
    """Return why no terms are fair at a difference of points, where nine stones and komi do not make up for it."""
    if row.komi is not None:
        return f"{MOST_STONES} stones and {MOST_KOMI:g} points of komi do not make up for {difference:,} points" * (
            row.komi < -MOST_KOMI
        )
    more = card.row(difference).stones_on_board > MOST_STONES
    return f"{MOST_STONES} stones do not make up for {difference:,} points" * more
