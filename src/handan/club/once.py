"""A property that an object works out once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property as once
else:

    class once:  # noqa: N801  # used like `property`
        """`functools.cached_property` without its lock, which up to Python 3.11 is one for all objects of a class.

        With that lock the ladder of one club would wait for the replay of another. Two threads that ask one object at
        the same moment may both work it out.
        """

        def __init__(self, make: Any) -> None:
            self.make, self.__doc__ = make, make.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            if self.name not in instance.__dict__:
                instance.__dict__[self.name] = self.make(instance)
            return instance.__dict__[self.name]


__all__ = ["once"]
