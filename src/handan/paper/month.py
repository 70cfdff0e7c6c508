"""What a month was: who played and won most, who gained most, the longest runs of wins, promotions."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from handan.paper.heading import Member
from handan.ranks import Rank
from handan.ratings import Explanation

SCORED = {"win", "loss", "jigo"}
DAY = len("2026-11-21")


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
    promotion: tuple[Rank, Rank] | None = None
    """Rank before and after, if the rank rose."""


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
    return MonthLine(member, len(results), wins, losses, change, _streak(results), _promotion(items))


def _streak(results: Sequence[str]) -> int:
    longest = run = 0
    for result in results:
        run = run + 1 if result == "win" else 0
        longest = max(longest, run)
    return longest


def _promotion(items: Sequence[Explanation]) -> tuple[Rank, Rank] | None:
    if not items or not (items[0].rank_before and items[-1].rank_after):
        return None
    before, after = Rank.parse(items[0].rank_before), Rank.parse(items[-1].rank_after)
    return (before, after) if after > before else None
