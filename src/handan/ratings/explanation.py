"""Why a rating moved: named factors, with the rule's clause, whose product or sum is the change recorded."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from handan.notebook import html_table, paragraph

Combine = Literal["product", "sum"]
LINE = (
    "game", "date", "opponent", "opponent_rank", "colour", "handicap", "komi", "result", "winner", "weight",
    "before", "change", "after", "rank_before", "rank_after", "note", "comment",
)  # fmt: skip
"""The plain columns of a player's card."""
DEEPER = "\u2003"  # how a part of a factor is set in
SHOWN = 20  # our choice: rows of a table in a notebook
HEAD = ("game", "date", "opponent", "result", "before", "change", "after", "rank", "why")


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor or summand of a change; its own parts, if any, multiply or add up to it."""

    name: str
    value: float
    clause: str
    """The sentence of the rules that this value follows; a `Clause` where values stand in it."""
    parts: tuple[Factor, ...] = ()
    combine: Combine = "product"

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        data: dict[str, Any] = {"name": self.name, "value": self.value, "clause": self.clause}
        if self.parts:
            data |= {"combine": self.combine, "parts": [part.as_dict() for part in self.parts]}
        return data


def product(name: str, clause: str, *parts: Factor) -> Factor:
    """Return the factor that its parts multiply up to, from left to right."""
    value = parts[0].value
    for part in parts[1:]:
        value *= part.value
    return Factor(name, value, clause, parts, "product")


def total(name: str, clause: str, *parts: Factor) -> Factor:
    """Return the factor that its parts add up to, from left to right."""
    value = parts[0].value
    for part in parts[1:]:
        value += part.value
    return Factor(name, value, clause, parts, "sum")


def surprise(name: str, clause: str, score: float, expectation: float, law: str) -> Factor:
    """Return the score less the expected score, which `law` gives."""
    points = Factor("score", score, "A win is 1, a jigo 0.5, a loss 0.")
    return total(name, clause, points, Factor("less the expected score", -expectation, law))


@dataclass(frozen=True, slots=True)
class Reason:
    """What a system says about one side of one game."""

    factors: tuple[Factor, ...]
    combine: Combine
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the factors were found from: the opponent's rating, the effective handicap, the terms of the card."""
    rounding: Literal["", "truncated"] = ""
    """`truncated`: the fraction of the combined value is dropped toward zero, as the rule says."""

    @property
    def value(self) -> float:
        """The change that the factors make."""
        combined = total if self.combine == "sum" else product
        exact = combined("", "", *self.factors).value if self.factors else 0.0
        return float(math.trunc(exact)) if self.rounding else exact

    @property
    def in_short(self) -> str:
        """The factors with their names: `K 32 × score less expectation 0.36`."""
        mark = " + " if self.combine == "sum" else " × "
        return mark.join(f"{factor.name} {factor.value:.7g}" for factor in self.factors)


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

    def __str__(self) -> str:
        """One line with the factors of the change by name, for consoles."""
        whom = f" against {self.opponent}" if self.game else ""
        day = f"{self.date} " if self.date else ""
        why = "; ".join(filter(None, (self.note, self.reason.in_short)))
        moved = f"{self.before:.6g} {self.change:+.6g} = {self.after:.6g} {self.rank_after}".strip()
        return f"{day}{self.result}{whom}: {moved}" + (f" ({why})" if why else "")

    def _repr_html_(self) -> str:
        """The change with its factors, parts below what they make, and the rule of each."""
        rows = [
            [DEEPER * depth + factor.name, f"{factor.value:.7g}", factor.clause]
            for depth, factor in _with_parts(self.reason.factors)
        ]
        facts = [
            [name, f"{value:.7g}" if isinstance(value, float) else str(value), ""]
            for name, value in self.reason.facts.items()
        ]
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


def _with_parts(factors: Iterable[Factor], depth: int = 0) -> Iterator[tuple[int, Factor]]:
    """Yield factors with how deep they lie, each before its parts."""
    for factor in factors:
        yield depth, factor
        yield from _with_parts(factor.parts, depth + 1)


class Lines(list[Explanation]):
    """The lines of a card; a notebook shows them as a table with the reason of each change, a console as lines."""

    def __init__(self, lines: Iterable[Explanation], *, ranks: bool = True) -> None:
        """Keep the lines, and whether a notebook shows the ranks of them."""
        super().__init__(lines)
        self._ranks = ranks

    def __repr__(self) -> str:
        """One line a game, the newest ones where there are many."""
        earlier = f"… {len(self) - SHOWN:,} earlier\n" if len(self) > SHOWN else ""
        return earlier + "\n".join(map(str, self[-SHOWN:]))

    def _repr_html_(self) -> str:
        rows = [
            [
                str(line.game or ""),
                line.date,
                line.opponent if line.game else "",
                line.result,
                f"{line.before:.6g}",
                f"{line.change:+.6g}",
                f"{line.after:.6g}",
                line.rank_after if self._ranks else "",
                "; ".join(filter(None, (line.note, line.reason.in_short))),
            ]
            for line in self
        ]
        return filled_table(HEAD, rows)


def filled_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table without the columns in which all cells are empty."""
    filled = [place for place in range(len(head)) if any(row[place] for row in rows)]
    return html_table([head[place] for place in filled], ([row[place] for place in filled] for row in rows))
