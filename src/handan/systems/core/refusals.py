"""Why games are not rated, whatever the system; systems add reasons of their own behind these."""

from __future__ import annotations

UNRATED = (
    "",
    "void or without a result",
    "decided without play",
    "a free game",
    "no date, and the games around it have one",
    "not on a 19x19 board",
    "no date, which this system needs",
)
"""Why no system, or most, would rate a game; the first, of those that are rated, is empty."""
RATED, NO_RESULT, NOT_PLAYED, FREE, DATELESS, OTHER_SIZE, NEEDS_DATE = range(len(UNRATED))
"""The places of these reasons."""
