"""By how many points a game was won: what somebody writes beside the result, and what no board gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handan.errors import FieldError, InputError
from handan.files.cells.numbers import number_in
from handan.ledger import Result
from handan.ledger.results import Outcome

EXPECTED = "a number of points such as 3.5, above 0 and no more than the board has"
SIZE = 19  # of a game that says none


def won_by(result: str, margin: str) -> str:
    """Return a result such as `B+` with the points that somebody wrote beside it; FieldError for what is no number."""
    text = f"{result}{number_in(margin.strip())}"
    try:
        read = Result.parse(text)
    except InputError:
        read = None
    if read is None or read.margin is None:
        raise FieldError("margin", margin.strip(), EXPECTED)
    return str(read)


def refuse_margin(facts: Mapping[str, Any]) -> None:
    """Raise FieldError for a game that was won by more than the whole board with what the terms gave the winner."""
    result = Result.parse(facts["result"])
    if result.margin is None:
        return
    komi, stones = facts.get("komi", 0.0), facts.get("handicap", 0)  # a stone may be a point for White
    terms = komi + stones if result.outcome is Outcome.WHITE else -komi
    if not 0.0 < result.margin <= facts.get("size", SIZE) ** 2 + terms:
        raise FieldError("margin", f"{result.margin:g}", EXPECTED)
