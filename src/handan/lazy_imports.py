"""Public names of a package whose modules are imported at the first use of a name, as PEP 562 allows.

So a program that needs one module of a package does not wait for all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from importlib import import_module
from typing import Any


def attach(
    package: str, homes: Mapping[str, Iterable[str]], modules: Collection[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package.

    Args:
        package: Its name.
        homes: Public names by the submodule in which they live; none may be the name of a submodule.
        modules: Submodules that are public names themselves.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def find(name: str) -> Any:
        """Import the module that holds a public name, or is one; AttributeError for any other name."""
        if name in modules:
            return import_module(f"{package}.{name}")
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = vars(sys.modules[package])[name] = getattr(import_module(f"{package}.{home_of[name]}"), name)
        return value

    return find, lambda: sorted({*home_of, *sys.modules[package].__all__})
