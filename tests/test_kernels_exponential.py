"""The exponential of compiled loops: within one step of the exact value, and the same bits in every form."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from handan.kernels.exponential import FURTHEST, exponential, limited, split_exponentials
from handan.kernels.types import Floats

RNG = np.random.default_rng(20_261_123)
VALUES: Floats = np.concatenate(
    [[0.0, -0.0, FURTHEST, -FURTHEST, math.log(2.0) / 2.0, 1e-300], RNG.uniform(-700, 700, 700), RNG.normal(0, 3, 700)]
)


def test_values_are_the_nearest_numbers_or_the_next_ones() -> None:
    """Against e^x to forty digits (`decimal`)."""
    with localcontext() as context:
        context.prec = 40
        for x in VALUES.tolist():
            value, exact = exponential(x), Decimal(x).exp()
            assert abs(Decimal(value) - exact) <= Decimal(math.ulp(float(exact)))


def test_exact_where_the_exact_value_is_a_number() -> None:
    assert exponential(0.0) == exponential(-0.0) == 1.0


def test_one_by_one_and_many_at_a_time_have_the_same_bits() -> None:
    """In plain Python and as machine code."""
    pytest.importorskip("numba")
    expected = [exponential(x) for x in VALUES.tolist()]
    assert [exponential.compiled(x) for x in VALUES.tolist()] == expected
    for form in (split_exponentials.plain, split_exponentials.compiled):
        values, powers = VALUES.copy(), np.empty(len(VALUES))
        form(values, powers, powers.view(np.int64), len(VALUES))
        assert (values * powers).tolist() == expected


def test_what_is_no_number_stays_none_and_what_is_too_large_is_limited() -> None:
    assert math.isnan(exponential(math.nan))
    assert math.isnan(limited(math.nan))
    assert (limited(1e9), limited(-math.inf), limited(3.5)) == (FURTHEST, -FURTHEST, 3.5)
    pytest.importorskip("numba")
    assert math.isnan(exponential.compiled(math.nan))
