"""Notes of the lines of a card, which tables keep as text: why a game is not rated, why a rating was set."""

from __future__ import annotations

import re

from handan.errors import Clause
from handan.ranks import Rank

NOT_RATED = "not rated: "
"""How the note of a game begins that moved nothing."""
RESET = "reset: entered as {rank}, the highest grade so far was {before}"
FIRST_RANK = "first declared rank {rank}"
DECLARED_RATING = "declared rating ({origin})"
VALUES = {"rank": r"\d+[kdp]", "before": r"\d+[kdp]", "origin": ".+"}
WRITTEN = {
    pattern: re.compile(re.sub(r"\\{(\w+)\\}", lambda name: f"(?P<{name[1]}>{VALUES[name[1]]})", re.escape(pattern)))
    for pattern in (RESET, FIRST_RANK, DECLARED_RATING)
}
"""Notes that systems write with values in them, each with the text that it makes."""


def clause_of_note(note: str) -> str:
    """Return a note that a system wrote as the clause that it was, any other as it is."""
    for pattern, written in WRITTEN.items():
        if match := written.fullmatch(note):
            values = match.groupdict().items()
            return Clause.of(pattern, **{key: text if key == "origin" else Rank.parse(text) for key, text in values})
    return note
