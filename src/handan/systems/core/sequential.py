"""Systems that take games, events or periods one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handan.systems.core.base import Incremental

if TYPE_CHECKING:
    from handan.ledger import Ledger
    from handan.ratings import Ratings


class Sequential(Incremental):
    """A system that takes games, events or periods one after another: of the past it needs what it knows of players."""

    def rate(self, ledger: Ledger) -> Ratings:
        """Rate all games of a ledger; a large one on disk in windows, so that little of it is in memory at a time."""
        from handan.systems.core.lazy_ratings import rated
        from handan.systems.core.ledger_windows import is_large

        if not is_large(ledger):
            return rated(self, ledger)
        from handan.systems.core.streaming import rated_in_windows

        return rated_in_windows(self, ledger)
