"""Files put into a club of the server: a transaction a file, and the rating list once at the end; or shown as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import Any

from handan.club import changes
from handan.club.changes import with_drafts
from handan.club.entries import Draft
from handan.club.loading import Loaded, file_loaded, files_in, list_loaded, ratings_loaded
from handan.club.record_sheet import facts_of_player
from handan.club.rules import Rules
from handan.club.state import GAME_FACTS, State
from handan.club.store.clock import at_place, now, today
from handan.club.store.models import Club
from handan.club.store.rating_lists import list_of
from handan.club.store.states import state_of
from handan.club.store.writing import create_club, write
from handan.errors import HandanError, InputError, counted
from handan.ledger import Adjustment, Ledger, Player

MOST_GAMES = 20_000  # our choice: of a file that is shown; a larger one is imported into a club that keeps it
AUTHOR = "file"


class Loading:
    """Files that are put into a club one after the other, or looked at, each behind what those before would do."""

    def __init__(self, club: Club, author: str, *, looks: bool = False) -> None:
        """Take the club, who writes, and whether nothing is written."""
        self.club, self.author, self.looks = club, author, looks
        self.written: list[range] = []
        """Numbers of the entries that were made, or would be; those of others may stand between them."""
        self._state = state_of(club)

    def players(self, source: str, listed: Iterable[tuple[Player, str]], day: date | None = None) -> Loaded:
        """Register the players of a list of a day, each with the rank on entry."""
        return self._put(lambda state: list_loaded(state, source, listed, now(), today(), day))

    def files(self, ledger: Ledger) -> Iterator[Loaded]:
        """Enter the games of a ledger, file by file."""
        for source, own in files_in(ledger):
            yield self._file(source, own)

    def _file(self, source: str, own: Ledger) -> Loaded:
        return self._put(lambda state: file_loaded(state, source, own, self.written, now(), today()))

    def ratings(self, source: str, adjustments: Iterable[tuple[Player, Adjustment]]) -> Loaded:
        """Set ranks and ratings."""
        return self._put(lambda state: ratings_loaded(state, source, adjustments, today()))

    def _put(self, step: Callable[[State], Loaded]) -> Loaded:
        loaded: list[Loaded] = []

        def make(state: State) -> list[Draft]:
            loaded[:] = [step(state)]
            return loaded[0].drafts

        if self.looks:
            first = self._state.number + 1
            with at_place(self.club):
                self._state = with_drafts(self._state, make(self._state), now())
            self._note(range(first, self._state.number + 1))
        else:
            entries = write(self.club, make, author=self.author, rated=False)
            self._note(range(entries[0].number, entries[-1].number + 1) if entries else range(0))
        return loaded[0]

    def _note(self, entries: range) -> None:
        """Add entries to those of this load, which may follow upon the last ones."""
        if self.written and self.written[-1].stop == entries.start:
            entries = range(self.written.pop().start, entries.stop)
        if entries:
            self.written.append(entries)


def rate(club: Club) -> str:
    """Let the rating list of a club follow its entries; return why there is none, if so."""
    try:
        with at_place(club):
            list_of(club)
    except HandanError as error:
        return str(error)
    return ""


def make_shown(name: str, rules: Rules, ledger: Ledger) -> Club:
    """Make a club whose ledger says what the files say; InputError if they hold too many games."""
    if len(ledger) > MOST_GAMES:
        raise InputError(f"the files hold {counted(len(ledger), 'game')}; at most {MOST_GAMES:,} are shown in this way")
    club = create_club("club", name, rules, author=AUTHOR)
    write(club, lambda state: list(_drafts(state, ledger)), author=AUTHOR)
    return club


def _drafts(state: State, ledger: Ledger) -> Iterator[Draft]:
    """Return the entries: players, ranks set by hand, games in playing order."""
    day = today()
    people = [changes.players.register_player(state, facts_of_player(player)) for player in ledger.players]
    yield from people
    keys = {player.name: f"p{state.number + number}" for number, player in enumerate(ledger.players, 1)}
    registered = with_drafts(state, people, now())
    for item in ledger.adjustments:
        entry = {name: getattr(item, name) for name in ("rating", "date", "at_least", "deviation")}
        entry["rank"] = str(item.rank or "")
        yield changes.players.adjust(registered, keys[item.player], entry, day, item.note)
    for game in ledger:
        facts: dict[str, Any] = {name: getattr(game, name) for name in GAME_FACTS if getattr(game, name) is not None}
        facts |= {"black": keys[game.black], "white": keys[game.white]}
        yield changes.games.record_game(registered, facts, day)
