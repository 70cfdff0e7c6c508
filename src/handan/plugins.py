"""Systems, cards and file formats that other packages bring: each names its own in a group of entry points.

Nothing is loaded before somebody looks beyond what the house itself has. What cannot be loaded is left out with one
line of warning.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from handan.errors import shortened, shown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUPS = {"systems": "handan.systems", "cards": "handan.cards", "formats": "handan.formats"}
"""The groups of entry points."""


class PluginWarning(UserWarning):
    """What another package brings cannot be used."""


class Named(Protocol):
    """What is known by its name."""

    @property
    def name(self) -> str:
        """The name by which users ask for it."""
        ...


T = TypeVar("T", bound=Named)
MODULES: set[str] = set()
"""Packages outside the house that brought something, so that an error within them can be told from one of ours."""


class Extensions(Generic[T]):
    """What installed packages bring in one group of entry points."""

    def __init__(self, group: str, fault: Callable[[Any], str]) -> None:
        """Take the group, and what says why an object cannot be used, "" where it can."""
        self.group, self.fault = group, fault
        self.forget()

    def forget(self) -> None:
        """Look for packages anew at the next look, as after an installation."""
        self._waiting: list[EntryPoint] | None = None
        self._usable: dict[str, T] = {}
        _of_all_packages.cache_clear()

    def usable(self) -> tuple[T, ...]:
        """Return what can be used, by the names of the entry points; the first look loads it."""
        if self._waiting is None:
            self._waiting = sorted(_of_all_packages().select(group=self.group), key=lambda entry: entry.name)
        waiting, self._waiting = self._waiting, []  # empty for whoever looks while something is loaded
        for entry in waiting:
            if being_imported(entry.module):
                self._waiting.append(entry)
            else:
                self._load(entry)
        return tuple(self._usable.values())

    def _load(self, entry: EntryPoint) -> None:
        """Load one entry point, or warn that it is left out."""
        MODULES.add(entry.module.partition(".")[0])
        try:
            with redirect_stdout(sys.stderr):  # a word of a module would stand in the answer, and spoil JSON
                item = entry.load()
            fault = self.fault(item)
            if not fault and item.name in self._usable:
                fault = f"another package brings {shown(item.name)} too"
        except (Exception, SystemExit) as error:  # noqa: BLE001  # a foreign module may raise anything
            fault = reason(error)
        if fault:
            owner = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "a package"
            text = f"{owner}: {entry.name} ({entry.group}, {entry.value}) is left out: {fault}"
            warn(text)
        else:
            self._usable[item.name] = item


@dataclass(frozen=True)
class OnDemand(Generic[T]):
    """Something of the house whose module is imported when somebody asks for it."""

    name: str
    load: Callable[[], T]


class Register(MutableMapping[str, T]):
    """What the house has by name, then what other packages bring; a name of the house stays its own."""

    def __init__(self, own: Iterable[T | OnDemand[T]], extensions: Extensions[T]) -> None:
        """Take what the house has, in its order."""
        self._own: dict[str, T | OnDemand[T]] = {item.name: item for item in own}
        self.extensions = extensions

    def __getitem__(self, name: str) -> T:
        """Return what bears a name; for a name of the house nothing of another package is loaded."""
        if name not in self._own:
            return self._of_others()[name]
        item = self._own[name]
        if isinstance(item, OnDemand):
            item = self._own[name] = item.load()
        return item

    def __setitem__(self, name: str, item: T) -> None:
        """Put something in the place of a name of the house, or after them."""
        self._own[name] = item

    def __delitem__(self, name: str) -> None:
        """Take a name of the house away."""
        del self._own[name]

    def __iter__(self) -> Iterator[str]:
        """Go through all names; nothing of the house is loaded for it."""
        return chain(tuple(self._own), self._of_others())

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._own) + len(self._of_others())

    def __repr__(self) -> str:
        """Return the names."""
        return f"<{', '.join(self)}>"

    def _of_others(self) -> dict[str, T]:
        return {item.name: item for item in self.extensions.usable() if item.name not in self._own}


@cache
def _of_all_packages() -> Any:
    """Return the entry points of all packages, whose files are read once for all groups."""
    from importlib.metadata import entry_points

    return entry_points()


def warn(text: str) -> None:
    """Warn in one line of what a package brings."""
    warnings.warn(text, PluginWarning, stacklevel=2)


def being_imported(module: str) -> bool:
    """Return whether a module is being imported now, so that its names are not all there."""
    spec = getattr(sys.modules.get(module), "__spec__", None)
    return bool(getattr(spec, "_initializing", False))


def reason(error: BaseException) -> str:
    """Return an error of foreign code in one line."""
    return shortened(" ".join(f"{type(error).__name__}: {error}".split()))


def fault_of_name(name: object, taken: Iterable[str]) -> str:
    """Return why a name cannot be one of the command line's, "" where it can."""
    if not isinstance(name, str) or not name or name.strip("abcdefghijklmnopqrstuvwxyz0123456789-"):
        return f"its name {name!r} is not made of the letters a to z, digits and -"
    return f"its name {shown(name)} is one of the house's own" if name in set(taken) else ""


def failing(error: BaseException) -> str:
    """Return the package from outside the house in which an error arose, "" where it is an error of ours."""
    place, module = error.__traceback__, ""
    while place is not None:
        name = str(place.tb_frame.f_globals.get("__name__", ""))
        module = next((each for each in MODULES if name == each or name.startswith(f"{each}.")), module)
        place = place.tb_next
    return module
