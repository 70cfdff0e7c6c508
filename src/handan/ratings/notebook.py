"""Ratings and explanations as notebooks show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from handan.notebook import html_table, paragraph
from handan.ratings.explanation import Explanation

if TYPE_CHECKING:
    from handan.ratings.explanation import Factor
    from handan.ratings.player import PlayerRating
    from handan.ratings.ratings import Ratings

DEEPER = "\u2003"  # how a part of a factor is set in
SHOWN = 20  # our choice: rows of a table in a notebook
HEAD = ("game", "date", "opponent", "result", "before", "change", "after", "rank", "why")


def ratings_html(ratings: Ratings) -> str:
    """Return the ladder, its first rows, with a line about it."""
    table = ratings.table()
    more = f"; the first {SHOWN} of {table.height:,}" if table.height > SHOWN else ""
    rows = [
        [
            str(row["place"]),
            row["player"],
            row["rank"] if ratings.arrays.ranks_declared else "",
            f"{row['rating']:.6g}",
            "" if row["deviation"] is None else f"{row['deviation']:.4g}",
            str(row["games"]),
        ]
        for row in table.head(SHOWN).iter_rows(named=True)
    ]
    head = ("#", "player", "rank", "rating", "deviation", "games")
    return paragraph(f"{repr(ratings)[1:-1]}{more}") + filled_table(head, rows)


def filled_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table without the columns in which all cells are empty."""
    filled = [place for place in range(len(head)) if any(row[place] for row in rows)]
    return html_table([head[place] for place in filled], ([row[place] for place in filled] for row in rows))


def player_html(player: PlayerRating) -> str:
    """Return where a player stands, and the newest lines of the card."""
    lines = Lines(player.explain()[-SHOWN:], ranks=player.ratings.arrays.ranks_declared)
    return paragraph(repr(player)[1:-1]) + lines._repr_html_()


def explanation_html(line: Explanation) -> str:
    """Return a line of a card with the factors of the change, parts below what they make, and the rule of each."""
    rows = [
        [DEEPER * depth + factor.name, f"{factor.value:.7g}", factor.clause]
        for depth, factor in _parts(line.reason.factors)
    ]
    facts = [
        [name, f"{value:.7g}" if isinstance(value, float) else str(value), ""]
        for name, value in line.reason.facts.items()
    ]
    return paragraph(str(line)) + html_table(("factor", "value", "rule"), [*rows, *facts])


def _parts(factors: Iterable[Factor], depth: int = 0) -> Iterator[tuple[int, Factor]]:
    """Yield factors with how deep they lie, each before its parts."""
    for factor in factors:
        yield depth, factor
        yield from _parts(factor.parts, depth + 1)


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
