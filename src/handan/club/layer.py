"""A mapping with what changed in it since: what is below stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Layer(MutableMapping[str, Value], Generic[Value]):
    """A mapping over another one, which is asked for whatever did not change."""

    def __init__(self, below: Mapping[str, Value]) -> None:
        self.below = below
        self.changed: dict[str, Value] = {}
        """New values by key, of new keys in the order in which they came."""
        self.removed: set[str] = set()

    def __getitem__(self, key: str) -> Value:
        """Return a value; KeyError where there is none."""
        if key in self.changed:
            return self.changed[key]
        if key in self.removed:
            raise KeyError(key)
        return self.below[key]

    def __setitem__(self, key: str, value: Value) -> None:
        """Put a value in its place."""
        self.changed[key] = value
        self.removed.discard(key)

    def __delitem__(self, key: str) -> None:
        """Take a value away; KeyError where there is none."""
        if key not in self:
            raise KeyError(key)
        self.changed.pop(key, None)
        if key in self.below:
            self.removed.add(key)

    def __contains__(self, key: object) -> bool:
        """Whether there is a value."""
        return key in self.changed or (key not in self.removed and key in self.below)

    def __iter__(self) -> Iterator[str]:
        """Go through the keys: those below in their order, then the new ones."""
        yield from (key for key in self.below if key not in self.removed)
        yield from (key for key in self.changed if key not in self.below)

    def __len__(self) -> int:
        """Number of keys."""
        return sum(1 for _ in self)

    @property
    def whole(self) -> Mapping[str, Value]:
        """The values without a layer: those below themselves where nothing changed; of others not in memory itself."""
        if not self.touched:
            return self.below
        if not isinstance(self.below, dict):
            return self
        kept = {key: value for key, value in self.below.items() if key not in self.removed}
        return {**kept, **self.changed}

    @property
    def touched(self) -> set[str]:
        """The keys that were set or deleted."""
        return {*self.changed, *self.removed}
