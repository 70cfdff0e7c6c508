"""Games of a ledger that stand behind each other."""

from __future__ import annotations

from collections.abc import Iterable

from handan.ledger.coded import Coded
from handan.ledger.facts import Adjustment
from handan.ledger.ledger import Ledger


def between(ledger: Ledger, first: int, end: int, adjustments: Iterable[Adjustment] = ()) -> Ledger:
    """Return the games from one index up to another one as a ledger with all players, and with these adjustments.

    Columns are views of those of the whole ledger; adjustments stand in order.
    """
    columns = ledger.columns
    games = columns.between(first, end) if isinstance(columns, Coded) else columns[first:end]
    return Ledger(games, ledger.players, tuple(adjustments), warnings=ledger.warnings, lookup=ledger.lookup)
