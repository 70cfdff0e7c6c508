"""The European rule for players who return much stronger: a declared grade two above the highest so far is believed.

Source: a page of the British Go Association, second-hand; an option for that reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from handan.ledger import Adjustment
from handan.ranks import Rank
from handan.systems.core.replay_state import rank_of_text

if TYPE_CHECKING:
    from handan.ledger import Ledger
    from handan.systems.core.replay_state import ReplayState
    from handan.systems.core.schedule import Placed

GRADES = 2
HIGHEST = Rank.dan(1)


def resets(ledger: Ledger, past: ReplayState | None = None) -> tuple[Placed, ...]:
    """Return the resets that the declared ranks of a ledger call for: upwards only, and not beyond 1 dan.

    Args:
        ledger: The games.
        past: What is known of the players from games before; None: there are none.
    """
    highest: dict[str, Rank | None] = {}
    if past is not None:
        highest = {
            player.name: rank_of_text(text) for player, text in zip(ledger.players, past.highest.tolist(), strict=True)
        }
    made: list[Placed] = []
    for index, game in enumerate(ledger):
        for name, declared in ((game.black, game.black_rank), (game.white, game.white_rank)):
            if not declared:
                continue
            rank = Rank.parse(declared)
            before = highest.get(name)
            if before and rank.number_from_30k - before.number_from_30k >= GRADES and before < HIGHEST:
                note = f"reset: entered as {rank}, the highest grade so far was {before}"
                reset = Adjustment(name, min(rank, HIGHEST), None, game.date, note, at_least=True)
                made.append((reset, ledger.find(name), index))
            highest[name] = max(rank, before or rank)
    return tuple(made)
