"""What an event did to its players in figures that add up as they are printed, on pages and in terminals."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from handan.ratings.event import Event, EventLine
from handan.wording.figures import digits, fixed, signed, summands

DECIMALS = 2  # our choice: of expected scores


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """The figures of one player at an event, whose printed parts add up to the printed rating after it."""

    line: EventLine
    before: str
    changes: list[str]
    change: str
    apart: str
    after: str
    expected_of_games: list[str]
    """Empty where a game has no expected score."""
    expected: str


def printed_lines(event: Event) -> list[PrintedLine]:
    """Return the figures of each player of an event, with as many decimals as its ratings want."""
    every = [value for line in event.lines for value in (line.before, line.after, *line.changes)]
    decimals = digits(every)
    return [_printed(line, decimals) for line in event.lines]


def _printed(line: EventLine, decimals: int) -> PrintedLine:
    *moved, apart = summands(line.before, [*line.changes, line.apart], decimals)
    expected = [result.expected for result in line.results if result.expected is not None]
    printed = iter(summands(0.0, expected, DECIMALS))
    texts = ["" if result.expected is None else f"{next(printed):f}" for result in line.results]
    return PrintedLine(
        line,
        before=fixed(line.before, decimals),
        changes=[signed(value, decimals) for value in moved],
        change=signed(sum(moved, Decimal()), decimals),
        apart=signed(apart, decimals) if apart else "",
        after=fixed(line.after, decimals),
        expected_of_games=texts,
        expected=fixed(line.expected, DECIMALS),
    )
