"""Tables that hold players and no games, such as rating lists and lists of members, known by their headings."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from itertools import islice

from handan.files.io.header import DEEPEST
from handan.files.tables.column_names import Meaning
from handan.files.tables.standings import is_name
from handan.words import joined, words_of

GAME = frozenset(
    ("date", "result", "white", "black", "winner", "loser", "player2", "handicap", "komi", "margin", "colour")
)
"""Columns of a table of games, one of which is enough to take it for one."""


def holds_players(meanings: Sequence[Meaning]) -> bool:
    """Return whether headings are those of a list of players: names and what is known of each, nothing of games."""
    if any(meaning.column in GAME or meaning.column.startswith(("black_", "white_")) for meaning in meanings):
        return False
    headings = [meaning.heading for meaning in meanings if meaning.heading.strip()]
    named = bool(columns_of(headings)) or any(map(is_name, headings))
    of_players = words_of("heading", "rank") | words_of("heading", "id") | words_of("member", "other")
    of_players |= {word for name in ("rating", "country", "club") for word in words_of("member", name)}
    return named and any(joined(heading) in of_players for heading in headings)


SEPARATORS = "\t;,"
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
    if "given" in columns and "surname" not in columns:  # `Name` beside `Vorname`
        columns = ["surname" if column == "name" else column for column in columns]
    names = {"name", *PARTS} & set(columns)
    return columns if names else []


def heading_row(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the place of the headings of a list of players among its first rows; None where no row is one of them.

    One heading alone, which may be somebody's name, has nothing but titles above it, and no row of several below.
    """
    numbers = [sum(map(bool, columns_of(row))) for row in rows[:DEEPEST]]
    several = next((place for place, number in enumerate(numbers) if number > 1), None)
    if several is not None:
        return several
    alone = next((place for place, number in enumerate(numbers) if number), None)
    titles = all(sum(map(bool, row)) <= 1 for row in rows[:alone])
    return alone if titles else None


def rows_of_text(text: str) -> list[list[str]]:
    """Return the rows of a list as text, empty ones too, by the mark that most of its lines have."""
    head = [line for line in islice(text.splitlines(), DEEPEST) if line.strip()]
    separator = max(SEPARATORS, key=lambda mark: sum(mark in line for line in head))
    return list(csv.reader(io.StringIO(text), delimiter=separator))


REGISTERS = {"egd": "egd", "egf": "egd", "pin": "egd", "ffg": "ffg", "aga": "aga"}
"""Registers by the word with which the heading of their numbers begins."""


def register_of(heading: str) -> str:
    """Return the register whose numbers stand under a heading, `egd` under `EGF PIN`; empty where it names none."""
    plain = joined(heading)
    return next((register for word, register in REGISTERS.items() if plain.startswith(word)), "")


def unread_in(headings: Sequence[str]) -> list[str]:
    """Return the headings of a list that mean nothing."""
    read = {*figures_of(headings).values(), *(at for at, column in enumerate(columns_of(headings)) if column)}
    return [heading.strip() for at, heading in enumerate(headings) if heading.strip() and at not in read]


def figures_of(headings: Sequence[str]) -> dict[str, int]:
    """Return at which places of a list `rating` and `deviation` stand."""
    plain = [joined(heading) for heading in headings]
    return {name: place for name, words in FIGURES.items() for place, heading in enumerate(plain) if heading in words}
