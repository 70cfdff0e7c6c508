"""What a search looks through, as columns of a kept state: read when somebody searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import starmap
from typing import TYPE_CHECKING, Any, overload

import polars as pl

from handan.club.once import once
from handan.ledger.spellings import Spelt, spelt, table_of

if TYPE_CHECKING:
    from handan.club.state import Person


class ReadSearched(Sequence[tuple[Spelt, "Person"]]):
    """What `State.searched` has, as columns; how a name is spelt is made of them when a search looks at it."""

    def __init__(self, active: Mapping[str, Person], read: Callable[[], pl.DataFrame | None]) -> None:
        """Take the active players by key.

        Args:
            active: The players.
            read: Returns the fields of `Spelt` of each, in their order; None where these cannot be read: they are
                worked out then.
        """
        self.people, self._read = [*active.values()], read

    @once
    def spellings(self) -> pl.DataFrame:
        """The fields of `Spelt` of each player, shape (players, 4)."""
        if (table := self._read()) is not None:
            return table
        return table_of(spelt(person.name, person.reading, person.ids) for person in self.people)

    def __len__(self) -> int:
        """Number of players."""
        return len(self.people)

    def __eq__(self, other: object) -> bool:
        """Return whether another sequence has the same."""
        return isinstance(other, Sequence) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]

    @overload
    def __getitem__(self, place: int) -> tuple[Spelt, Person]: ...
    @overload
    def __getitem__(self, place: slice) -> list[tuple[Spelt, Person]]: ...
    def __getitem__(self, place: Any) -> Any:
        """Return how one name is spelt with its player, or those of several."""
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        return Spelt(*self.spellings.row(place)), self.people[place]

    def __iter__(self) -> Iterator[tuple[Spelt, Person]]:
        """Go through all."""
        return zip(starmap(Spelt, self.spellings.iter_rows()), self.people, strict=True)
