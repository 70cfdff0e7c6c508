"""The changes that `make mutants` tries are changes, each of one place."""

from __future__ import annotations

import ast

import pytest

from tests.mutants import mutants

pytestmark = pytest.mark.extended

SOURCE = '''
"""A module."""
LIMIT: float = 3.0

@kernel
def step(k: float = 1, *, low: int = 2) -> float:
    """Return it."""
    if k < LIMIT and k > 0:
        return setting(k * 2.0, low=-5)
    return -k
'''


def test_each_change_is_made_at_one_place_and_taken_back() -> None:
    base = ast.unparse(ast.parse(SOURCE)).splitlines()
    changes = list(mutants(SOURCE))
    for line, what, source in changes:
        different = [(one, other) for one, other in zip(base, source.splitlines(), strict=True) if one != other]
        assert len(different) == 1, (line, what)


def test_operators_comparisons_and_numbers_are_changed_and_types_and_bounds_are_not() -> None:
    changes = [what for _, what, _ in mutants(SOURCE)]
    for what in ("3.0  ->  4.0", "k < LIMIT  ->  k <= LIMIT", "k * 2.0  ->  k / 2.0", "-k  ->  +k", "0  ->  1"):
        assert what in changes, what
    assert not any("5" in what or "1  ->" in what for what in changes)  # neither bounds nor defaults
