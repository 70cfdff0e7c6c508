"""The general law of points cards: one point of difference is one point of komi, `s` points are one stone.

Source: Points Rating System (Sensei's Library, copy of 2016) and Point Ranking Scheme At Tokyo Go clubs (ibid.).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Literal

from handan.errors import InputError
from handan.notebook import html_table, paragraph

WHITE_WINS = "white wins"
JIGO = "jigo"
IMPOSSIBLE = "impossible"
MOST_STONES = 9  # a board has nine handicap points

Count = Literal["free", "board", "moves", "nigiri"]
"""How a card counts stones. `free`: stones beyond Black's first move (0, 1, 2, …); `board`: stones on the board when
White begins (0, 2, 3, …); `moves`: Black's moves before White's first (1, 2, 3, …); `nigiri`: as `moves`, but 0 at
difference 0, where colours are drawn."""


@dataclass(frozen=True, slots=True)
class CardRow:
    """What a card says at one difference."""

    difference: int
    """Points of White less points of Black."""
    card_stones: int
    """The figure that the card prints."""
    free_stones: int
    """Black stones beyond Black's first move."""
    stones_on_board: int
    """Conventional handicap: 0, or free stones plus 1."""
    komi: float | None
    """Points to White, negative to Black; None where the card prints none."""
    tie: str
    """How a tie on the board after komi is settled: `white wins`, `jigo`, or `impossible` (fractional komi)."""

    def help(self, points_per_stone: float) -> float:
        """Points that the row gives Black: free stones at so many points each, less komi (0 if not printed)."""
        return self.free_stones * points_per_stone - (self.komi or 0.0)


def make_row(difference: int, card_stones: int, free_stones: int, komi: float | None, tie: str) -> CardRow:
    """Return a row whose other fields follow: the stones on the board, and no tie under fractional komi."""
    on_board = free_stones + 1 if free_stones else 0
    settled = tie if komi is None or komi == int(komi) else IMPOSSIBLE
    return CardRow(difference, card_stones, free_stones, on_board, komi, settled)


@dataclass(frozen=True, slots=True)
class Card:
    """A points table as data: listed rows where the source is irregular, the general law everywhere else."""

    name: str
    title: str
    source: str
    points_per_stone: int | None
    """Points of difference in one stone; None if only the listed rows are known."""
    top_komi: float | None
    """Komi to White at the head of a column, in points; None if the card prints no komi."""
    tie: str = JIGO
    """What a tie on the board is where the komi allows one: `white wins` or `jigo`."""
    count: Count = "board"
    """What the card's stone figure counts."""
    shift: int = 0
    """Points by which every column begins earlier than the law says (negative: later)."""
    max_stones: int | None = None
    """Most stones on the board; what exceeds them is given as komi. 1: no stones at all."""
    printed_to: int | None = None
    """Last difference of the source's table; None if it prints no table."""
    step_low: int = 1
    """Points that a game moves for a player below `step_low_below`; all others move 1."""
    step_low_below: int | None = None
    """Points below which `step_low` applies; None: nowhere."""
    daily_limit: int | None = None
    """Most games of two opponents that count on one day; None where the source sets no limit."""
    points_at_1d: int | None = None
    """Entry points of 1 dan; None where the source prints none."""
    listed: tuple[CardRow, ...] = ()
    """Rows known one by one, by rising difference."""

    def _repr_html_(self) -> str:
        rows = [
            (str(row.difference), str(row.stones_on_board), "" if row.komi is None else f"{row.komi:g}", row.tie)
            for row in self.rows()
        ]
        head = ("difference", "stones on the board", "komi", "tie")
        return paragraph(f"{self.name}: {self.title}. Source: {self.source}") + html_table(head, rows)

    def row(self, difference: int) -> CardRow:
        """Return what the card says at a difference of 0 or more points, beyond its table too; InputError below 0.

        The law continues without end. A card known by its rows alone continues its last row, and fills a gap from the
        row before it: the same stones, one point of komi for each point of difference.
        """
        if difference < 0:
            raise InputError(f"difference {difference} is below 0; White, who has more points, comes first")
        if self.points_per_stone is None or (self.listed and difference <= self.listed[-1].difference):
            return self._listed_row(difference)
        return self._law_row(difference, self.points_per_stone)

    def board_row(self, difference: int) -> CardRow:
        """Return the same for a board, which holds nine stones: what goes beyond them by the law is given as komi."""
        row = self.row(difference)
        return replace(self, max_stones=MOST_STONES).row(difference) if row.stones_on_board > MOST_STONES else row

    def _listed_row(self, difference: int) -> CardRow:
        place = bisect_right(self.listed, difference, key=attrgetter("difference"))
        nearest = self.listed[max(place - 1, 0)]
        komi = None if nearest.komi is None else nearest.komi - (difference - nearest.difference)
        return replace(nearest, difference=difference, komi=komi)

    def _law_row(self, difference: int, per_stone: int) -> CardRow:
        shifted = difference + self.shift
        column = shifted // per_stone
        if self.max_stones is not None:
            column = min(column, self.max_stones - 1)
        komi = None if self.top_komi is None else float(self.top_komi - (shifted - per_stone * column))
        return make_row(difference, self._figure(difference, column), max(column, 0), komi, self.tie)

    def _figure(self, difference: int, column: int) -> int:
        if self.count == "free":
            return max(column, 0)
        if self.count == "board":
            return column + 1 if column > 0 else 0
        return 0 if self.count == "nigiri" and difference == 0 else column + 1

    def rows(self) -> list[CardRow]:
        """Return the card's table: as printed, or up to nine stones where the source prints no table."""
        if self.listed or self.points_per_stone is None:
            return list(self.listed)
        # our choice: nine stones, as on the longest printed cards
        last = 9 * self.points_per_stone - self.shift - 1 if self.printed_to is None else self.printed_to
        return [self.row(difference) for difference in range(last + 1)]

    def drawn(self, difference: int) -> bool:
        """Whether colours are drawn: the card says at this difference just what it says between equals."""
        return replace(self.row(difference), difference=0) == self.row(0)

    def step(self, points: float) -> int:
        """Return how many points a game moves for a player who holds `points` before it."""
        return self.step_low if self.step_low_below is not None and points < self.step_low_below else 1


def regular_card(
    points_per_stone: int,
    top_komi: float | None,
    tie: str = JIGO,
    max_stones: int | None = None,
    *,
    count: Count = "board",
    name: str = "",
) -> Card:
    """Return the card of the general law: q, c = divmod(difference, points_per_stone), komi = top_komi - c.

    A fair stone is worth twice the fair komi: 12 points with ties to White and komi 6, 13 with komi 6.5. With
    `max_stones` = N, komi beyond N stones is top_komi - (difference - points_per_stone (N - 1)). InputError for figures
    that make no card.
    """
    if points_per_stone < 1:
        raise InputError(f"points per stone {points_per_stone} is not a whole number of 1 or more")
    if tie not in {WHITE_WINS, JIGO}:
        raise InputError(f"tie rule '{tie}' is not '{WHITE_WINS}' or '{JIGO}'")
    if max_stones is not None and max_stones < 1:
        raise InputError(f"most stones {max_stones} is not 1 (no stones, komi only) or more")
    komi = "no komi" if top_komi is None else f"komi {top_komi:g}"
    return Card(
        name=name or f"regular{points_per_stone}",
        title=f"{points_per_stone} points a stone, {komi} at the head of a column",
        source="general law of points cards",
        points_per_stone=points_per_stone,
        top_komi=top_komi,
        tie=tie,
        count=count,
        max_stones=max_stones,
    )
