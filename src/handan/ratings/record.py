"""What a record sheet says of a game beside its change: who won it."""

from __future__ import annotations

from handan.ledger import Result

WINNERS = {1.0: "black", 0.5: "jigo", 0.0: "white"}


def winner_of(result: Result) -> str:
    """Return the colour that won, `jigo`, or nothing where nobody scored or nobody knows the colours."""
    if result.score is None or (result.score != 0.5 and not result.colours_known):
        return ""
    return WINNERS[result.score]
