"""Ratings and explanations as notebooks show them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from handan.ratings.explanation import Explanation

if TYPE_CHECKING:
    from handan.ratings.ratings import Ratings

SHOWN = 20  # our choice: rows of a table in a notebook
HEAD = ("game", "date", "opponent", "result", "before", "change", "after", "rank", "why")


def ratings_html(ratings: Ratings) -> str:
    """Return the ladder, its first rows, with a line about it."""
    table = ratings.table()
    more = f"; the first {SHOWN} of {table.height:,}" if table.height > SHOWN else ""
    rows = [
        [str(row["place"]), row["player"], row["rank"], f"{row['rating']:.6g}", str(row["games"])]
        for row in table.head(SHOWN).iter_rows(named=True)
    ]
    return f"<p>{escape(repr(ratings)[1:-1])}{more}</p>{_table(('#', 'player', 'rank', 'rating', 'games'), rows)}"


class Lines(list[Explanation]):
    """The lines of a card; a notebook shows them as a table with the reason of each change, a console as lines."""

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
                line.rank_after,
                "; ".join(filter(None, (line.note, line.reason.in_short))),
            ]
            for line in self
        ]
        return _table(HEAD, rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    lines = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{lines}</tbody></table>"
