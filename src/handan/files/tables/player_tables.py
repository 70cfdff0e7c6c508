"""Tables that hold players and no games, such as rating lists and lists of members, known by their headings."""

from __future__ import annotations

from collections.abc import Sequence

from handan.files.tables.column_names import BESIDE_PERSONS, Meaning
from handan.files.tables.standings import is_name
from handan.ledger.name_folding import folded
from handan.words import joined, words_of

NAMES = frozenset(map(folded, (
    "first name", "firstname", "first_name", "last name", "lastname", "last_name", "surname", "given name",
    "family name", "full name", "nachname", "vorname", "prénom", "apellido", "apellidos", "cognome", "naam", "imię",
    "nazwisko", "фио", "username", "member", "mitglied", "membre", "会員",
)))  # fmt: skip
"""Headings of parts of names, beside those of names."""
FACTS = frozenset(map(folded, (
    "rating", "elo", "gor", "egf", "ffg", "aga", "pin", "licence", "license", "licence number", "club", "verein",
    "country", "land", "pays", "chapter", "state", "deviation", "sigma", "email", "e-mail", "born", "birth year",
    "expires", "expiry", "レーティング", "所属", "等级分", "레이팅", "소속",
)))  # fmt: skip
"""Headings of what lists say of players, beside ranks and ids."""
GAME = frozenset(
    ("date", "result", "white", "black", "winner", "loser", "player2", "handicap", "komi", "margin", "colour")
)
"""Columns of a table of games, one of which is enough to take it for one."""


def holds_players(meanings: Sequence[Meaning]) -> bool:
    """Return whether headings are those of a list of players: names and what is known of each, nothing of games."""
    headings = [folded(meaning.heading) for meaning in meanings if meaning.heading.strip()]
    if any(meaning.column in GAME or meaning.column.startswith(("black_", "white_")) for meaning in meanings):
        return False
    of_players = FACTS | {word for kind in BESIDE_PERSONS if kind != "score" for word in words_of("heading", kind)}
    named = any(is_name(heading) or heading in NAMES for heading in headings)
    return named and any(heading in of_players or joined(heading) in of_players for heading in headings)


DEEPEST = 60  # our choice: rows in which headings are looked for
PLAYER = ("name", "reading", "rank", "rating", "country", "club", "ids")
"""What a list says of who somebody is, and of how strong."""
MEMBERSHIP = ("paid_until", "born")
"""What a club's list says of how somebody belongs to it."""
PARTS = ("surname", "given")
"""Of a name, in columns of their own."""
FIGURES = {
    "rating": frozenset((*words_of("member", "rating"), "mu")),
    "deviation": frozenset(("deviation", "sigma", "rd")),
}
"""Headings of what a list says of how strong somebody is, joined."""


def columns_of(headings: Sequence[str]) -> list[str]:
    """Return what each heading of a list means, empty for those that mean nothing; none where no column holds names."""
    words: dict[str, str] = {}
    for name in (*PLAYER, *MEMBERSHIP, *PARTS):
        path = {"rank": ("heading", "rank"), "ids": ("heading", "id")}.get(name, ("member", name))
        words |= dict.fromkeys(words_of(*path), name)
    columns = [words.get(joined(heading), "") for heading in headings]
    names = {"name", *PARTS} & set(columns)
    return columns if names else []


def figures_of(headings: Sequence[str]) -> dict[str, int]:
    """Return at which places of a list `rating` and `deviation` stand."""
    plain = [joined(heading) for heading in headings]
    return {name: place for name, words in FIGURES.items() for place, heading in enumerate(plain) if heading in words}
