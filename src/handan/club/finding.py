"""Players and games of a club by what people write: a key, a number, a name or a part of one."""

from __future__ import annotations

from typing import Any

from handan.club.namesakes import ShownNames
from handan.club.people import Person
from handan.club.state import State
from handan.errors import AbsentError, Clause, FieldError, InputError
from handan.ledger.name_search import MIDDLE

MOST_LIKE = 5  # our choice: players who are proposed for a name


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


def players_meant(state: State, text: str, names: ShownNames | None = None) -> list[Person]:
    """Return the players whom a text may mean, by key, number, name, reading or a part of them: those it fits best.

    One if it is clear, several where people have to choose, none for a stranger. Names are found in any script: as
    kana, romaji, initials of hangul, with blanks or without; the start of a word comes before its middle. `names` says
    how players are shown where that is not as in a club by itself, in English.
    """
    wanted = (names or ShownNames(state)).label_of(text.strip())
    if not wanted:
        return []
    if wanted in state.keys:
        return [state.people[state.keys[wanted]]]
    if wanted in state.people:
        return [state.person(wanted)]
    matches = state.matches(wanted)
    return [person for fit, person in matches if fit == matches[0][0]]


def player_meant(state: State, text: str, field: str, names: ShownNames | None = None) -> str:
    """Return the key of the one player whom a name, number, key or fragment of a name means; FieldError otherwise.

    `names` as in `players_meant`.
    """
    if not text.strip():
        raise FieldError(field, "", "a player")
    names = names or ShownNames(state)
    people = players_meant(state, text, names)
    if len(people) == 1:
        return people[0].key
    if not people:
        raise FieldError(field, text.strip(), "the name of a player; register newcomers first")
    fitting = ", ".join(names.of(state.labels[person.key]) for person in people[:5])
    pattern = "clear: it fits {names} and more" if len(people) > 5 else "clear: it fits {names}"
    raise FieldError(field, text.strip(), Clause.of(pattern, names=fitting))


def is_clear(state: State, text: str) -> bool:
    """Whether a text that fits one player needs no question: the whole name, or the beginning of its words."""
    wanted = ShownNames(state).label_of(text.strip())
    return wanted in state.keys or wanted in state.people or state.matches(wanted)[0][0] < MIDDLE


def players_like(state: State, text: str) -> list[Person]:
    """Return the players whose names or readings are written or sound nearly like a text, the likest first."""
    near = state.spelt_names.near(text)
    likest = sorted(near, key=lambda form: (-near[form], form))
    people = {person.key: person for form in likest for person in state.people.spelt(form)}
    return [person for key, person in people.items() if state.is_active(key)][:MOST_LIKE]
