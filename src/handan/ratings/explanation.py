"""The lines of a card: a game, the rating before and after it, and the reason of the change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from handan.notebook import html_table, paragraph
from handan.ratings.arithmetic import Term, arithmetic
from handan.ratings.columns import HISTORY
from handan.ratings.notes import NOT_RATED
from handan.ratings.reasons import Reason
from handan.wording.figures import brief, digits, step

LINE = tuple(HISTORY)
"""The plain columns of a player's card."""
DEEPER = "\u2003"  # how a part of a factor is set in
SHOWN = 20  # our choice: rows of a table in a notebook
HEAD = ("game", "date", "opponent", "result", "before", "change", "after", "rank", "why")


@dataclass(frozen=True, slots=True)
class Explanation:
    """One line of a player's card: a game (or an adjustment), the rating before and after, and the reason."""

    game: int | None
    """Number of the game in playing order, counted from 1; None for an adjustment."""
    date: str
    opponent: str
    """The other player; the player's own name for an adjustment."""
    colour: str
    """`black`, `white`, or empty where it is not known."""
    handicap: int
    komi: float | None
    result: str
    """`win`, `loss`, `jigo`, or the word of the ledger where nobody scored."""
    before: float
    change: float
    after: float
    rank_before: str
    rank_after: str
    reason: Reason
    note: str = ""
    """Why the game was not rated, or the reason of an adjustment."""
    opponent_rank: str = ""
    """The opponent's rank before the game."""
    winner: str = ""
    """Colour of the winner, `jigo`, or empty where nobody scored or the colours are not known."""
    weight: float | None = None
    """How much the game counts by its kind (SAGC: game status factor, EGF: class); None where kinds do not matter."""
    comment: str = ""
    """What was noted with the game."""
    ranked: bool = True
    """Whether ranks say something here: not where nobody has declared one."""

    def __str__(self) -> str:
        """One line with the factors of the change by name, for consoles."""
        whom = f" against {self.opponent}" if self.game else ""
        day = f"{self.date} " if self.date else ""
        before, change, after, rank, why = self.printed(digits((self.before, self.change, self.after)))
        return f"{day}{self.outcome}{whom}: {before} {change} = {after} {rank}".rstrip() + (f" ({why})" if why else "")

    @property
    def is_rated(self) -> bool:
        """Whether it can have moved the rating: adjustments and rated games do, games that were not rated do not."""
        return not self.note.startswith(NOT_RATED)

    @property
    def outcome(self) -> str:
        """The result as people say it: a jigo is a draw where nobody has a rank, as in games other than Go."""
        return self.result if self.ranked or self.result != "jigo" else "draw"

    def printed(self, decimals: int) -> tuple[str, str, str, str, str]:
        """Return rating, change and rating after it, which add up as they are printed, the rank, and why in short."""
        shown = step(self.before, self.change, self.after, decimals)
        factors = arithmetic(self.reason, self.change, shown.decimals).in_short
        rank = self.rank_after if self.ranked else ""
        return shown.before, shown.change, shown.after, rank, "; ".join(filter(None, (self.note, factors)))

    def _repr_html_(self) -> str:
        """The change with its factors, parts below what they make, and the rule of each."""
        terms = arithmetic(self.reason, self.change, digits((self.before, self.change, self.after))).terms
        rows = [
            [DEEPER * depth + term.factor.name, term.text, term.factor.clause] for depth, term in _with_parts(terms)
        ]
        facts = [[name, brief(value), ""] for name, value in self.reason.facts.items()]
        return paragraph(str(self)) + html_table(("factor", "value", "rule"), [*rows, *facts])

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        data: dict[str, Any] = {name: getattr(self, name) for name in LINE}
        return data | {
            "factors": [factor.as_dict() for factor in self.reason.factors],
            "combine": self.reason.combine,
            "rounding": self.reason.rounding,
            "facts": dict(self.reason.facts),
        }


def _with_parts(terms: Iterable[Term], depth: int = 0) -> Iterator[tuple[int, Term]]:
    """Yield terms with how deep they lie, each before its parts."""
    for term in terms:
        yield depth, term
        yield from _with_parts(term.parts, depth + 1)


class Lines(list[Explanation]):
    """The lines of a card; a notebook shows them as a table with the reason of each change, a console as lines."""

    def __repr__(self) -> str:
        """One line a game, the newest ones where there are many."""
        earlier = f"… {len(self) - SHOWN:,} earlier\n" if len(self) > SHOWN else ""
        return earlier + "\n".join(map(str, self[-SHOWN:]))

    def _repr_html_(self) -> str:
        decimals = digits(value for line in self for value in (line.before, line.change, line.after))
        rows = [
            [str(line.game or ""), line.date, line.opponent if line.game else "", line.outcome, *line.printed(decimals)]
            for line in self
        ]
        return filled_table(HEAD, rows)


def filled_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table without the columns in which all cells are empty."""
    filled = [place for place in range(len(head)) if any(row[place] for row in rows)]
    return html_table([head[place] for place in filled], ([row[place] for place in filled] for row in rows))
