"""Public names of a package whose modules are imported when somebody first asks for a name, as PEP 562 allows.

So who needs one module of a package does not wait for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from importlib import import_module
from typing import Any


def names_on_demand(
    package: str, homes: Mapping[str, Iterable[str]], modules: Collection[str] = ()
) -> Callable[[str], Any]:  # fmt: skip
    """Return the `__getattr__` of a package.

    Args:
        package: Its name.
        homes: Public names by the module in which they live; none may be that of a submodule, which would hide it.
        modules: Names of submodules that are names of the package before anybody imports them.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def find(name: str) -> Any:
        """Import the module that holds a public name, or is one; AttributeError for any other name."""
        if name in modules:
            return import_module(f"{package}.{name}")
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(home_of[name]), name)

    return find
