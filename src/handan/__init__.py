"""Ranks, ratings and fair handicaps for Go: a ledger of results, rated by every system that Go players use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handan.lazy_imports import attach

if TYPE_CHECKING:
    from handan import systems
    from handan.errors import HandanError, InputError, Problem, SettingError
    from handan.evidence import Comparison, Forecaster, Tuned, compare, tuned, with_learned_entries
    from handan.files import read, read_adjustments, write
    from handan.handicaps import CARDS, Card, Terms, card, card_terms
    from handan.ledger import Adjustment, Game, Ledger, Player, Result
    from handan.ranks import Rank
    from handan.ratings import Explanation, Factor, Ratings
    from handan.saved import Saved, save
    from handan.saved import open as open  # noqa: A004  # as a file is opened; outside `__all__`
    from handan.systems import SYSTEMS
    from handan.systems.core.live import Live
    from handan.typed import live, rate

__version__ = "0.1.0"

__all__ = [  # without `open`, which `from handan import *` would put in place of Python's own
    "CARDS", "SYSTEMS", "Adjustment", "Card", "Comparison", "Explanation", "Factor", "Forecaster", "Game",
    "HandanError", "InputError", "Ledger", "Live", "Player", "Problem", "Rank", "Ratings", "Result", "Saved",
    "SettingError", "Terms", "Tuned", "card", "card_terms", "compare", "live", "rate", "read", "read_adjustments",
    "save", "systems", "tuned", "with_learned_entries", "write",
]  # fmt: skip
__getattr__, __dir__ = attach(
    __name__,
    {
        "errors": ("HandanError", "InputError", "Problem", "SettingError"),
        "evidence": ("Comparison", "Forecaster", "Tuned", "compare", "tuned", "with_learned_entries"),
        "files": ("read", "read_adjustments", "write"),
        "handicaps": ("CARDS", "Card", "Terms", "card", "card_terms"),
        "ledger": ("Adjustment", "Game", "Ledger", "Player", "Result"),
        "ranks": ("Rank",),
        "ratings": ("Explanation", "Factor", "Ratings"),
        "saved": ("Saved", "open", "save"),
        "systems": ("SYSTEMS",),
        "systems.core.live": ("Live",),
        "typed": ("live", "rate"),
    },
    ["systems"],
)
