"""Why games are not rated, whatever the system; systems append their own reasons."""

from __future__ import annotations

UNRATED = (
    "",
    "void or without a result",
    "decided without play",
    "a free game",
    "no date, and the games around it have one",
    "not on a 19x19 board",
    "no date, which this system needs",
    "held by the points of a later day",
)
"""Why no system, or most, would rate a game; the first, of those that are rated, is empty."""
RATED, NO_RESULT, NOT_PLAYED, FREE, DATELESS, OTHER_SIZE, NEEDS_DATE, IN_POINTS = range(len(UNRATED))
"""The places of these reasons."""
FREE_KINDS = ("free", "teaching")
"""Kinds of games about which nothing hangs."""
HISTORY = "history"
"""The kind of games that were played before the points or ratings of a later day, which hold them already."""
