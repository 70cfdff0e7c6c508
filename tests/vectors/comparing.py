"""The comparison of an expected value with the one that was computed."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

EXACT = 1e-9  # absolute; what tolerance 0 leaves to floats


def difference(expected: Any, got: Any, tolerance: float, place: str = "value") -> str:
    """Return the place of the first difference, such as `value.p0[1]`; empty if there is none.

    Numbers may differ by `tolerance`, NaN equals nothing, objects need only the keys expected; all else is the same.
    """
    if isinstance(expected, Mapping):
        if not isinstance(got, Mapping) or not expected.keys() <= got.keys():
            return place
        parts = [(value, got[key], f"{place}.{key}") for key, value in expected.items()]
    elif isinstance(expected, list):
        if not isinstance(got, list | tuple) or len(got) != len(expected):
            return place
        parts = [(value, got[index], f"{place}[{index}]") for index, value in enumerate(expected)]
    else:
        return "" if _same(expected, got, tolerance or EXACT) else place
    return next(filter(None, (difference(value, own, tolerance, where) for value, own, where in parts)), "")


def _same(expected: Any, got: Any, tolerance: float) -> bool:
    if _is_number(expected) and _is_number(got):
        return bool(expected == got or abs(expected - got) <= tolerance)
    return type(expected) is type(got) and bool(expected == got)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
