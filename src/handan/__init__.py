"""Ranks, ratings and fair handicaps for Go: a ledger of results, rated by every system that Go players use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handan.on_demand import names_on_demand

if TYPE_CHECKING:
    from handan import systems
    from handan.errors import HandanError, InputError, Problem, SettingError
    from handan.evidence import Comparison, Forecaster, Tuned, compare, tuned
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

HOMES = {
    "handan.errors": ("HandanError", "InputError", "Problem", "SettingError"),
    "handan.evidence": ("Comparison", "Forecaster", "Tuned", "compare", "tuned"),
    "handan.files": ("read", "read_adjustments", "write"),
    "handan.handicaps": ("CARDS", "Card", "Terms", "card", "card_terms"),
    "handan.ledger": ("Adjustment", "Game", "Ledger", "Player", "Result"),
    "handan.ranks": ("Rank",),
    "handan.ratings": ("Explanation", "Factor", "Ratings"),
    "handan.saved": ("Saved", "open", "save"),
    "handan.systems": ("SYSTEMS",),
    "handan.systems.core.live": ("Live",),
    "handan.typed": ("live", "rate"),
}
"""Where each public name lives; a part is imported when one of its names is first used."""

__all__ = [  # without `open`, which `from handan import *` would put in place of Python's own
    "CARDS",
    "SYSTEMS",
    "Adjustment",
    "Card",
    "Comparison",
    "Explanation",
    "Factor",
    "Forecaster",
    "Game",
    "HandanError",
    "InputError",
    "Ledger",
    "Live",
    "Player",
    "Problem",
    "Rank",
    "Ratings",
    "Result",
    "Saved",
    "SettingError",
    "Terms",
    "Tuned",
    "card",
    "card_terms",
    "compare",
    "live",
    "rate",
    "read",
    "read_adjustments",
    "save",
    "systems",
    "tuned",
    "write",
]


__getattr__ = names_on_demand(__name__, HOMES, ["systems"])


def __dir__() -> list[str]:
    """The public names."""
    return sorted({*__all__, "open", "__version__"})
