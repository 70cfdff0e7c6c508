"""What a month was: who played and won most, who gained most, the longest runs of wins, promotions."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from handan.paper.heading import Member
from handan.ranks import Rank
from handan.ratings import Explanation

SCORED = {"win", "loss", "jigo"}
DAY = len("2026-11-21")


class Promotion(NamedTuple):
    """A rise in rank over some days."""

    before: Rank
    after: Rank
    """As the days end."""
    day: str
    """On which this rank was reached last, as `2026-11-21`."""


@dataclass(frozen=True, slots=True)
class MonthLine:
    """One member's month."""

    member: Member
    """As they stand at the end of it."""
    games: int
    wins: int
    losses: int
    change: float
    """Of the rating, by the games of the month."""
    streak: int
    """The longest run of wins in it."""
    promotion: Promotion | None = None
    """If the rank rose."""


@dataclass(frozen=True, slots=True)
class Month:
    """A month, or other days, of a club."""

    first: date
    """Its first day."""
    lines: tuple[MonthLine, ...]
    """Of all who played, in the order of the list."""

    def best(self, figure: Callable[[MonthLine], float], places: int = 3) -> list[MonthLine]:
        """Return who had most of a figure, those with as much as the last too; nobody who had none."""
        ranked = sorted((line for line in self.lines if figure(line) > 0), key=lambda line: -figure(line))
        if len(ranked) <= places:
            return ranked
        return [line for line in ranked if figure(line) >= figure(ranked[places - 1])]

    @property
    def promotions(self) -> list[MonthLine]:
        """Return who rose in rank."""
        return [line for line in self.lines if line.promotion]

    def promoted(self, members: Iterable[Member]) -> tuple[Member, ...]:
        """Return those of some members who rose in rank."""
        risen = {line.member.id for line in self.promotions}
        return tuple(member for member in members if member.id in risen)


def month_of(members: Iterable[Member], cards: Mapping[str, Sequence[Explanation]], day: date) -> Month:
    """Return the month that a day lies in.

    Args:
        members: In the order of the list, as they stand at its end.
        cards: The lines of each member's card by `Member.id`, in playing order; games without a day belong to no month.
        day: Any day of the month.
    """
    first = day.replace(day=1)
    return period_of(members, cards, first, first.replace(day=monthrange(day.year, day.month)[1]))


def period_of(
    members: Iterable[Member], cards: Mapping[str, Sequence[Explanation]], first: date, last: date
) -> Month:  # fmt: skip
    """Return the days from one to another as `month_of` returns a month."""
    lines = [_line(member, [item for item in cards.get(member.id, ())
                            if len(item.date) >= DAY and str(first) <= item.date[:DAY] <= str(last)])
             for member in members]  # fmt: skip
    return Month(first, tuple(line for line in lines if line.games))


def _line(member: Member, items: Sequence[Explanation]) -> MonthLine:
    results = [item.result for item in items if item.game is not None and item.result in SCORED]
    change = sum(item.change for item in items if item.game is not None)
    wins, losses = results.count("win"), results.count("loss")
    return MonthLine(member, len(results), wins, losses, change, _streak(results), promotion_of(items))


def _streak(results: Sequence[str]) -> int:
    longest = run = 0
    for result in results:
        run = run + 1 if result == "win" else 0
        longest = max(longest, run)
    return longest


def promotion_of(items: Sequence[Explanation]) -> Promotion | None:
    """Return how a rank rose over lines of a card, None if it did not.

    The rank before is that of the first rated game: what is set by hand before it, such as points that are brought in,
    promotes nobody.
    """
    ranked = [item for item in items if item.rank_before and item.rank_after]
    first = next((place for place, item in enumerate(ranked) if item.game is not None and not item.note), None)
    if first is None:
        return None
    steps = [(Rank.parse(item.rank_before), Rank.parse(item.rank_after), item.date[:DAY]) for item in ranked[first:]]
    before, after = steps[0][0], steps[-1][1]
    if after <= before:
        return None
    reached = next((day for low, high, day in reversed(steps) if low < after <= high), steps[-1][2])
    return Promotion(before, after, reached)
