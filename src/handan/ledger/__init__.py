"""Games, players and adjustments, and the ledger that holds them in playing order."""

from typing import TYPE_CHECKING

from handan.lazy_imports import attach

if TYPE_CHECKING:
    from handan.ledger.arrays import NO_DATE
    from handan.ledger.dates import When
    from handan.ledger.events import Bye, Event, Pairing, Participant
    from handan.ledger.facts import Adjustment, Game, Player
    from handan.ledger.ledger import Ledger
    from handan.ledger.results import Outcome, Result

__all__ = [
    "NO_DATE", "Adjustment", "Bye", "Event", "Game", "Ledger", "Outcome", "Pairing", "Participant", "Player", "Result",
    "When",
]  # fmt: skip
__getattr__, __dir__ = attach(
    __name__,
    {
        "arrays": ("NO_DATE",),
        "dates": ("When",),
        "events": ("Event", "Pairing", "Participant", "Bye"),
        "facts": ("Adjustment", "Game", "Player"),
        "ledger": ("Ledger",),
        "results": ("Outcome", "Result"),
    },
)
