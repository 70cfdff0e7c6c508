"""What a test says in several forms: loops in plain Python and as machine code; a claim for each system or language."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, TypeVar

import pytest

from tests.database import POSTGRESQL

Value = TypeVar("Value")

EACH_KIND = ("egf", "handan", "points", "sagc", "whr")
"""A system of each kind: one that closes events, one that learns of all games, cards, clauses of ranks, one that solves
all games together. `make test` asks these of what holds for all systems alike."""
FORMS = ["plain", pytest.param("compiled", marks=pytest.mark.extended)]


def extended_but(kept: Collection[Any], values: Iterable[Any]) -> list[Any]:
    """Return the parameters of a test of which `make test` tries those that are kept, and `make test-all` every one."""
    return [
        value
        if value in kept
        else pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.extended)
        for value in values
    ]


def fewer_on_postgresql(values: Sequence[Value], number: int = 1) -> Sequence[Value]:
    """Return the parameters of a test, on PostgreSQL the first ones alone, to save time: SQLite is asked of all."""
    return values[:number] if POSTGRESQL else values
