"""Files put into a club of the server: a transaction a file, and the rating list once at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date

from handan.club.entries import Draft
from handan.club.loading import Loaded, file_loaded, files_in, list_loaded, ratings_loaded
from handan.club.state import State
from handan.club.store.clock import at_place, now, today
from handan.club.store.models import Club
from handan.club.store.rating_lists import list_of
from handan.club.store.states import state_of
from handan.club.store.writing import preview, write
from handan.errors import HandanError
from handan.ledger import Adjustment, Ledger, Player


class Loading:
    """Files that are put into a club one after the other, or looked at, each behind what those before would do."""

    def __init__(self, club: Club, author: str, *, looks: bool = False) -> None:
        """Take the club, who writes, and whether nothing is written."""
        self.club, self.author, self.looks = club, author, looks
        self.before = state_of(club)
        self._state = self.before

    def players(self, source: str, listed: Iterable[tuple[Player, str]], day: date | None = None) -> Loaded:
        """Register the players of a list of a day, each with the rank on entry."""
        return self._put(lambda state: list_loaded(state, source, listed, now(), today(), day))

    def files(self, ledger: Ledger) -> Iterator[Loaded]:
        """Enter the games of a ledger, file by file."""
        for source, own in files_in(ledger):
            yield self._file(source, own)

    def _file(self, source: str, own: Ledger) -> Loaded:
        return self._put(lambda state: file_loaded(state, source, own, self.before.number, now(), today()))

    def ratings(self, source: str, adjustments: Iterable[tuple[Player, Adjustment]]) -> Loaded:
        """Set ranks and ratings."""
        return self._put(lambda state: ratings_loaded(state, source, adjustments, today()))

    @property
    def after(self) -> int:
        """The last entry that is written."""
        return self.club.number

    def _put(self, step: Callable[[State], Loaded]) -> Loaded:
        loaded: list[Loaded] = []

        def make(state: State) -> list[Draft]:
            loaded[:] = [step(state)]
            return loaded[0].drafts

        if self.looks:
            with at_place(self.club):
                self._state = preview(self._state, make(self._state))
        else:
            write(self.club, make, author=self.author, rated=False)
        return loaded[0]


def rate(club: Club) -> str:
    """Let the rating list of a club follow its entries; return why there is none, if so."""
    try:
        with at_place(club):
            list_of(club)
    except HandanError as error:
        return str(error)
    return ""
