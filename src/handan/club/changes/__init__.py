"""Every change that a club's ledger knows: a kind of entry with its check and its effect, all in `HANDLERS`.

A check is asked of the state that the entry would follow and returns the entry to be written. Nothing is written here,
so a preview and the writing itself use the same functions. All raise InputError, or FieldError with the field that is
wrong. What entries do to the state of a club, `fold` does with them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from handan.club.changes import events, games, office, players, sheets
from handan.club.changes.events import (
    change_event,
    enter_event,
    event_at,
    event_like,
    refuse_impossible_start,
    withdraw_event,
)
from handan.club.changes.games import (
    confirm_game,
    correct_game,
    dispute_game,
    facts_of,
    game_facts,
    record_game,
    refuse_margin,
    restore_game,
    withdraw_game,
    won_by,
)
from handan.club.changes.handler import Folding, Handler
from handan.club.changes.office import set_club, set_rules, set_zone
from handan.club.changes.players import (
    adjust,
    change_player,
    merge_players,
    plain_rating,
    read_rating,
    register_player,
    register_ranked,
    restore_player,
    split_players,
    withdraw_adjustment,
    withdraw_player,
)
from handan.club.changes.sheets import check_sheet, continue_sheet, enter_sheet, withdraw_check
from handan.club.changes.texts import LONGEST, checked_text, refuse_unseen, visible_text
from handan.club.entries import Record
from handan.club.state import State

HANDLERS = {handler.kind: handler for room in (games, players, sheets, events, office) for handler in room.HANDLERS}
"""All kinds of entry."""
AT_ONCE = 20_000  # entries; our choice: so many stand in memory while a long ledger is read


def fold(state: State, records: Iterable[Record]) -> State:
    """Return the state after more entries; they must be valid, as those of a ledger are."""
    following = iter(records)
    while part := list(islice(following, AT_ONCE)):
        state = folding(state, part).made()
    return state


def folding(state: State, records: Iterable[Record]) -> Folding:
    """Return a state in the making that has taken more entries."""
    making = Folding(state)
    for record in records:
        making.take(record, HANDLERS[record.kind])
    return making


__all__ = [
    "HANDLERS",
    "LONGEST",
    "Handler",
    "adjust",
    "change_event",
    "change_player",
    "check_sheet",
    "checked_text",
    "confirm_game",
    "continue_sheet",
    "correct_game",
    "dispute_game",
    "enter_event",
    "enter_sheet",
    "event_at",
    "event_like",
    "facts_of",
    "fold",
    "folding",
    "game_facts",
    "merge_players",
    "plain_rating",
    "read_rating",
    "record_game",
    "refuse_impossible_start",
    "refuse_margin",
    "refuse_unseen",
    "register_player",
    "register_ranked",
    "restore_game",
    "restore_player",
    "set_club",
    "set_rules",
    "set_zone",
    "split_players",
    "visible_text",
    "withdraw_adjustment",
    "withdraw_check",
    "withdraw_event",
    "withdraw_game",
    "withdraw_player",
    "won_by",
]  # fmt: skip
