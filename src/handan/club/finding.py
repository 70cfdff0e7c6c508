"""Players and games of a club by what people write: a key, a number, a name or a part of one."""

from __future__ import annotations

from typing import Any

from handan.club.state import Person, State
from handan.errors import AbsentError, FieldError, InputError
from handan.ledger.names import folded


class NotInClubError(AbsentError):
    """A club has no player, game, list or invitation of that key or number."""


def person_of(state: State, key: str) -> Person:
    """Return a player by key, the one they were merged into if so; NotInClubError for a stranger."""
    try:
        return state.person(key)
    except InputError as error:
        raise NotInClubError(str(error)) from None


def game_of(state: State, key: str) -> dict[str, Any]:
    """Return the row of a game; NotInClubError for a game that was never recorded."""
    try:
        return state.game(key)
    except InputError as error:
        raise NotInClubError(str(error)) from None


def player_meant(state: State, text: str, field: str) -> str:
    """Return the key of the one player whom a name, number, key or fragment of a name means; FieldError otherwise."""
    wanted = text.strip()
    if not wanted:
        raise FieldError(field, "", "a player")
    if wanted in state.keys:
        return state.keys[wanted]
    if wanted in state.people:
        return state.person(wanted).key
    matches = state.search(wanted, 6)
    exact = [person for person in matches if folded(wanted) in {folded(person.name), folded(person.reading)}]
    if len(exact or matches) == 1:
        return (exact or matches)[0].key
    if not matches:
        raise FieldError(field, wanted, "the name of a player; register newcomers first")
    names = ", ".join(state.labels[person.key] for person in matches[:5])
    raise FieldError(field, wanted, f"clear: it fits {names}{' and more' if len(matches) > 5 else ''}")
