"""A player's record: the last games, wins by colour and by stones, and the best month."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from handan.club.standings import Line

SCORED = ("win", "loss", "jigo")
LAST = 14  # our choice: games in a row, as many as a card of paper has lines
MONTH = len("2026-11")
KINDS = ("black", "white", "without", "giving", "taking")


class Tally(NamedTuple):
    """Games of one kind, by their results."""

    won: int = 0
    lost: int = 0
    jigo: int = 0

    def with_result(self, result: str) -> Tally:
        """Return the same with one more game."""
        return Tally(self.won + (result == "win"), self.lost + (result == "loss"), self.jigo + (result == "jigo"))


class BestMonth(NamedTuple):
    """The month in which a player gained most."""

    month: str
    """As `2026-11`."""
    change: float


class PlayingRecord(NamedTuple):
    """What somebody's games come to."""

    last: list[Line]
    """The last games with a result, the oldest first."""
    kinds: list[tuple[str, Tally]]
    """Games as `black` and as `white`, `without` stones, `giving` and `taking` them, as far as there are any."""
    best: BestMonth | None
    """None where no month brought more than it cost, or ratings of different ranks do not add up."""


def playing_record(lines: Sequence[Line], *, adds_up: bool = True) -> PlayingRecord:
    """Return the record of the games on a card.

    Args:
        lines: Of the card, in playing order.
        adds_up: Whether changes of the rating have one unit, so that those of a month can be added.
    """
    scored = [line for line in lines if line.game and line.explanation.result in SCORED]
    kinds = dict.fromkeys(KINDS, Tally())
    months: dict[str, float] = defaultdict(float)
    for line in scored:
        item = line.explanation
        stones = "without" if item.handicap < 2 else "giving" if item.colour == "white" else "taking"
        for kind in filter(None, (item.colour, stones)):
            kinds[kind] = kinds[kind].with_result(item.result)
        if len(item.date) >= MONTH and line.rules.system == scored[-1].rules.system:
            months[item.date[:MONTH]] += item.change
    month, change = max(months.items(), key=lambda month: (month[1], month[0]), default=("", 0.0))
    best = BestMonth(month, change) if adds_up and change > 0 else None
    return PlayingRecord(scored[-LAST:], [(name, tally) for name, tally in kinds.items() if any(tally)], best)
