"""How the players of a ledger are found: by name or id, whatever their capitals, marks and width of letters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from handan.errors import AbsentError, InputError, shown
from handan.ledger.name_folding import folded
from handan.ledger.players import field_of

if TYPE_CHECKING:
    from handan.ledger.facts import Player

ABSENT, SEVERAL = -1, -2  # in place of the index of a player


class NameLookup:
    """The players of a ledger by name and id; all ledgers of the same players share one."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = players

    @cached_property
    def names(self) -> list[str]:
        """The names of the players, in the order of `players`; not to be changed."""
        return field_of(self.players, "name")

    @cached_property
    def index(self) -> dict[str, int]:
        """Players by id and by name."""
        index = dict(zip(field_of(self.players, "id"), range(len(self.players)), strict=True))
        index.pop("", None)  # many have no id
        index.update(zip(self.names, range(len(self.players)), strict=True))
        return index

    @cached_property
    def _folded(self) -> dict[str, int]:
        """Players by folded id and name; `SEVERAL` where it does not tell them apart."""
        alike: dict[str, int] = {}
        for name, index in self.index.items():
            if alike.setdefault(key := folded(name), index) != index:
                alike[key] = SEVERAL
        return alike

    @cached_property
    def _sorted_names(self) -> list[str]:
        return sorted(self.index)

    @cached_property
    def numbered(self) -> bool:
        """Whether all players are named by numbers, as databases do, so that a number is a name and no rating."""
        return bool(self.names) and all(name.isdecimal() for name in self.names)

    def exact(self, name: str) -> int | None:
        """Return the index of the player who bears this very name or id, None if there is none."""
        return self.index.get(name)

    def bearer(self, name: str) -> int | None:
        """Return the index of the player of this very name, whoever has it as an id; None if nobody bears it."""
        place = self.index.get(name)
        return place if place is not None and self.names[place] == name else None

    def get(self, name: str) -> int | None:
        """Return the index of a player by name or id, None if there is none or several are written so."""
        exact = self.exact(name)
        if exact is not None:
            return exact
        alike = self._folded.get(folded(name), ABSENT)
        return alike if alike >= 0 else None

    def find(self, name: str) -> int:
        """Return the index of a player by name or id, as `get` does.

        Raises:
            InputError: There is no such player, or several are written so; the text proposes names that are like it.
        """
        index = self.get(name)
        if index is not None:
            return index
        if self._folded.get(folded(name)) == SEVERAL:
            alike = sorted(other for other in self.index if folded(other) == folded(name))
            raise InputError(f"player {shown(name)} may be {' or '.join(alike)}; write the name as it stands there")
        raise AbsentError(f"player {shown(name)} is not in the ledger", name, lambda: self._sorted_names)
