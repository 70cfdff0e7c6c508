"""Whom the names on a record sheet mean: by an answer, else the one player whom each clearly fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from handan.club.finding import MOST_LIKE, is_clear, players_like, players_meant
from handan.club.people import Person
from handan.club.state import State
from handan.files.cells.byes import is_nobody
from handan.files.cells.ranked_names import Parts, namesakes, parts_of
from handan.ledger.name_folding import folded
from handan.ranks import parse_with_flag


@dataclass(frozen=True, slots=True)
class Meant:
    """Whom a name on a sheet means."""

    text: str
    name: str = ""
    """Without a rank behind it: so a newcomer is registered, and so answers are kept."""
    key: str = ""
    """Of the player; empty as long as it is not clear, and for a newcomer."""
    rank: str | None = None
    """On entry, of a newcomer; None for who is none."""
    behind: str = ""
    """The rank behind the name, as `3k`; offered where the name is new."""
    candidates: tuple[Person, ...] = ()
    """Whom it may mean, if it is not clear."""
    nobody: bool = False
    """Whether it is a word or a mark for nobody, such as `BYE` or `---`, and no player of the club is called so."""

    @property
    def clear(self) -> bool:
        """Whether nothing is to be asked."""
        return bool(self.key) or self.rank is not None


class SheetNames:
    """The names on a sheet; each is looked for once, however often it stands there."""

    def __init__(
        self, state: State, sides: Sequence[Sequence[str]], people: Mapping[str, str], newcomers: Mapping[str, str]
    ) -> None:
        """Take the names.

        Args:
            state: The club.
            sides: The cells of Black, and those of White, by line.
            people: Keys of players by folded names, as somebody answered.
            newcomers: Ranks on entry by folded names, as somebody answered.
        """
        self.state, self.people, self.newcomers = state, people, newcomers
        parts = {cell: Parts(folded(own.name), own.rank) for side in sides for cell in side for own in [parts_of(cell)]}
        self._several = namesakes(parts, *(pl.Series(side, dtype=pl.String) for side in sides))
        self._meant: dict[str, Meant] = {}

    def meant(self, text: str) -> Meant:
        """Return whom a name means."""
        if text not in self._meant:
            self._meant[text] = self._look(text) if folded(text) else Meant("")
        return self._meant[text]

    def _look(self, text: str) -> Meant:
        """Return whom a name means as it is written; where nobody bears it so, without the rank behind it."""
        whole = text.strip()
        if (answered := self._answered(text, whole)) is not None:
            return answered
        if people := players_meant(self.state, text):
            if len(people) == 1 and is_clear(self.state, text):
                return Meant(text, whole, people[0].key)
            return Meant(text, whole, candidates=tuple(people[:MOST_LIKE]))
        if is_nobody(text):
            return Meant(text, whole, nobody=True)
        own = parts_of(text)
        if not own.rank:
            return Meant(text, whole, candidates=tuple(players_like(self.state, text)))
        name = whole if folded(own.name) in self._several else own.name
        if (answered := self._answered(text, name)) is not None:
            return answered
        people = players_meant(self.state, own.name)[:MOST_LIKE] or players_like(self.state, own.name)
        return Meant(text, name, behind=str(parse_with_flag(own.rank)[0]), candidates=tuple(people))

    def _answered(self, text: str, name: str) -> Meant | None:
        """Return whom somebody said that a name means, None where nobody did."""
        key = self.people.get(folded(name), "")
        if key in self.state.people and (own := self.state.person(key).key) in self.state.active:
            return Meant(text, name, own)
        if (rank := self.newcomers.get(folded(name))) is not None:
            return Meant(text, name, rank=rank)
        return None
