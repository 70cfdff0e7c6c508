"""Sheets that hold several pieces of one size, with lines to cut along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from handan.paper.document import Layer, Page
from handan.paper.markup import joined, tag

A4 = (210.0, 297.0)
A4_LANDSCAPE = (297.0, 210.0)
MARK = 4.0  # millimetres that a line reaches beyond the pieces; our choice


@dataclass(frozen=True, slots=True)
class Sheet:
    """Pieces of one size on a page, in the middle of it; all measures in millimetres."""

    columns: int
    rows: int
    width: float
    """Of one piece."""
    height: float
    """Of one piece."""
    page: tuple[float, float] = A4

    @property
    def left(self) -> float:
        """Where the first column begins."""
        return (self.page[0] - self.columns * self.width) / 2

    @property
    def top(self) -> float:
        """Where the first row begins."""
        return (self.page[1] - self.rows * self.height) / 2

    def css(self) -> str:
        """Return the style of page and pieces."""
        wide, tall = self.page
        lines = [
            f"@page {{ size: {wide:g}mm {tall:g}mm; margin: 0; }}",
            f".page {{ width: {wide:g}mm; height: {tall:g}mm; }}",
            f".piece {{ width: {self.width:g}mm; height: {self.height:g}mm; }}",
        ]
        lines += [
            f".column{number} {{ left: {self.left + number * self.width:g}mm; }}" for number in range(self.columns)
        ]
        lines += [f".row{number} {{ top: {self.top + number * self.height:g}mm; }}" for number in range(self.rows)]
        return "\n".join(lines)

    def pages(self, blank: Markup, pieces: Sequence[Markup]) -> Iterator[Page]:
        """Yield the pages of pieces, left to right: all bear `blank`, with the own piece of each upon it."""
        each = self.columns * self.rows
        for start in range(0, len(pieces), each):
            part = pieces[start : start + each]
            yield Page(self.alike(blank, len(part)), Layer(joined(self._placed(part), self.cut_lines())))

    def alike(self, piece: Markup, number: int) -> Layer:
        """Return the first so many pieces of a page, all the same."""
        places = [
            (column * self.width, row * self.height) for row in range(self.rows) for column in range(self.columns)
        ]
        return Layer(self._placed([piece] * number), self._placed([piece]), tuple(places[:number]))

    def _placed(self, pieces: Sequence[Markup]) -> Markup:
        placed = []
        for number, piece in enumerate(pieces):
            row, column = divmod(number, self.columns)
            placed.append(tag("div", piece, classes=f"piece row{row} column{column}"))
        return joined(*placed)

    def cut_lines(self) -> Markup:
        """Return the lines to cut along, in the units of millimetres."""
        wide, tall = self.page
        right, bottom = self.left + self.columns * self.width, self.top + self.rows * self.height
        before, after = max(self.left - MARK, 0), min(right + MARK, wide)
        above, below = max(self.top - MARK, 0), min(bottom + MARK, tall)
        across = [self.top + number * self.height for number in range(self.rows + 1)]
        down = [self.left + number * self.width for number in range(self.columns + 1)]
        lines = [_line(before, y, after, y) for y in across if 0 < y < tall]
        lines += [_line(x, above, x, below) for x in down if 0 < x < wide]
        return tag("svg", *lines, classes="cuts", viewBox=f"0 0 {wide:g} {tall:g}")


def _line(x1: float, y1: float, x2: float, y2: float) -> Markup:
    ends = Markup('x1="{:g}" y1="{:g}" x2="{:g}" y2="{:g}"').format(x1, y1, x2, y2)
    return Markup('<line {} stroke="#999" stroke-width="0.1" stroke-dasharray="1 1"/>').format(ends)
