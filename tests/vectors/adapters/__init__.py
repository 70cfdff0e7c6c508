"""What computes the functions of the vector files, one module a family; every module here is found and used."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from tests.vectors.family import Family

FAMILIES: tuple[Family, ...] = tuple(
    family for module in iter_modules(__path__) for family in import_module(f"{__name__}.{module.name}").FAMILIES
)
