"""A club made of a ledger that was read from files, to be looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils import timezone

from handan.club import changes
from handan.club.changes import fold
from handan.club.entries import Draft, chained
from handan.club.rules import Rules
from handan.club.state import GAME_FACTS, State
from handan.club.store.clock import today
from handan.club.store.models import Club
from handan.club.store.writing import create_club, write
from handan.errors import InputError, counted
from handan.ledger import Ledger, Player

MOST_GAMES = 20_000  # our choice: of a file that is shown; a larger one is imported into a club that keeps it
AUTHOR = "file"


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
    people = [changes.register_player(state, _facts(player)) for player in ledger.players]
    yield from people
    keys = {player.name: f"p{state.number + number}" for number, player in enumerate(ledger.players, 1)}
    registered = fold(state, chained(people, state.number, state.digest, "", timezone.now()))
    for item in ledger.adjustments:
        entry = {name: getattr(item, name) for name in ("rating", "date", "at_least", "deviation")}
        entry["rank"] = str(item.rank or "")
        yield changes.adjust(registered, keys[item.player], entry, day, item.note)
    for game in ledger:
        facts: dict[str, Any] = {name: getattr(game, name) for name in GAME_FACTS if getattr(game, name) is not None}
        facts |= {"black": keys[game.black], "white": keys[game.white]}
        yield changes.record_game(registered, facts, day)


def _facts(player: Player) -> dict[str, Any]:
    """Return what an entry says of a player."""
    return {
        "name": player.name,
        "country": player.country,
        "club": player.club,
        "ids": [player.id] if player.id else [],
    }
