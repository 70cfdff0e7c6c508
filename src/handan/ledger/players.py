"""Players as columns of names, ids and orders; each `Player` is made when somebody asks for it."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any, overload

from handan.ledger.facts import Player


class NamedPlayers(Sequence[Player]):
    """Players of whom nothing but their names is there, or ids and orders beside; each is made when it is wanted."""

    def __init__(self, names: list[str], ids: list[str] | None = None, orders: list[str] | None = None) -> None:
        """Take columns of equal length; None: empty for everybody. ValueError for other lengths."""
        if any(column is not None and len(column) != len(names) for column in (ids, orders)):
            raise ValueError("names, ids and orders are of different numbers of players")
        self.names, self.ids, self.orders = names, ids, orders
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
        ids, orders = self.ids, self.orders
        if isinstance(index, slice):
            return NamedPlayers(self.names[index], ids and ids[index], orders and orders[index])
        return Player(self.names[index], ids[index] if ids else "", order=orders[index] if orders else "")

    def __iter__(self) -> Iterator[Player]:
        """Yield the players."""
        if self.ids is None and self.orders is None:
            return map(Player, self.names)
        columns = (repeat("") if column is None else column for column in (self.ids, self.orders))
        rows = zip(self.names, *columns, strict=False)  # what is repeated has no end
        return (Player(name, number, order=order) for name, number, order in rows)

    def __repr__(self) -> str:
        """Show the first names."""
        return f"Named({reprlib.repr(self.names)})"

    def __eq__(self, other: object) -> bool:
        """Return whether these are the same players in the same order, however they are kept."""
        if isinstance(other, NamedPlayers) and all(
            own is None for each in (self, other) for own in (each.ids, each.orders)
        ):
            return self.names == other.names
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(Player.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]


def field_of(players: Sequence[Player], name: str) -> list[Any]:
    """Return one field of each player, shape (players,); no player is made for it. Not to be changed."""
    if not isinstance(players, NamedPlayers):
        return [getattr(player, name) for player in players]
    column = {"name": players.names, "id": players.ids, "order": players.orders}.get(name)
    return [getattr(Player(""), name)] * len(players) if column is None else column
