"""Players of whom only names are there, as a table of games tells them."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Sequence
from typing import Any, overload

from handan.ledger.facts import Player


class Named(Sequence[Player]):
    """Players of whom nothing but their names is there, each made when somebody wants one."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        """Never changed."""

    def __len__(self) -> int:
        """Number of players."""
        return len(self.names)

    @overload
    def __getitem__(self, index: int) -> Player: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Player]: ...

    def __getitem__(self, index: int | slice) -> Player | Sequence[Player]:
        """Return a player, or some of them."""
        return Named(self.names[index]) if isinstance(index, slice) else Player(self.names[index])

    def __iter__(self) -> Iterator[Player]:
        """Yield the players."""
        return map(Player, self.names)

    def __repr__(self) -> str:
        """Show the first names."""
        return f"Named({reprlib.repr(self.names)})"

    def __eq__(self, other: object) -> bool:
        """Return whether these are the same players in the same order, however they are kept."""
        if isinstance(other, Named):
            return self.names == other.names
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(Player.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]


def field_of(players: Sequence[Player], name: str) -> list[Any]:
    """Return one field of each player, shape (players,); no player is made for it. Not to be changed."""
    if not isinstance(players, Named):
        return [getattr(player, name) for player in players]
    return players.names if name == "name" else [getattr(Player(""), name)] * len(players)
