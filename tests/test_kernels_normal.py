"""The normal distribution: published values, identities and exact fractions far out in the tails."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handan.kernels.compiling import Kernel
from handan.kernels.normal import between, cdf, inverse_mills, log_cdf, pdf, shrinkage

POINTS = [-1e8, -300.0, -38.0, -12.0, -8.0, -7.99, -5.0, -1.5, -0.1, 0.0, 0.1, 1.0, 5.0, 38.0, 1e8]
reals = st.floats(-60.0, 60.0)
margins = st.floats(1e-3, 3.0)


def mills_of(t: float) -> Decimal:
    """Return phi(t) / Phi(-t) by the continued fraction (Abramowitz and Stegun 26.2.14) in 50 digits."""
    with localcontext() as context:
        context.prec = 50
        rest = Decimal(t)
        for term in range(4000, 0, -1):
            rest = Decimal(t) + term / rest
        return rest


@pytest.mark.parametrize(
    ("x", "phi", "area"),
    [(0.0, 0.3989422804, 0.5), (1.0, 0.2419707245, 0.8413447461), (2.0, 0.0539909665, 0.9772498681)],
)
def test_values_of_the_printed_table(x: float, phi: float, area: float) -> None:
    # source: Abramowitz and Stegun, table 26.1
    assert pdf(x) == pytest.approx(phi, abs=5e-11)
    assert cdf(x) == pytest.approx(area, abs=5e-11)
    assert cdf(-x) == pytest.approx(1.0 - area, abs=5e-11)


@pytest.mark.parametrize("x", [5, 10, 20, 30])
def test_the_logarithm_of_the_printed_tail(x: int) -> None:
    # source: Abramowitz and Stegun, table 26.2: -log10 Q(x)
    printed = {5: 6.54265, 10: 23.11805, 20: 88.56010, 30: 197.30921}[x]
    assert -log_cdf(-float(x)) / math.log(10.0) == pytest.approx(printed, abs=5e-6)


@given(reals)
def test_the_distribution_function_agrees_with_the_standard_library(x: float) -> None:
    assert cdf(x) == pytest.approx(NormalDist().cdf(x), rel=1e-12, abs=1e-15)


@given(reals)
def test_both_tails_add_up_to_one(x: float) -> None:
    assert cdf(x) + cdf(-x) == pytest.approx(1.0, abs=1e-15)


@given(st.floats(-37.0, 8.0))
def test_the_logarithm_is_that_of_the_distribution_function(x: float) -> None:
    assert math.exp(log_cdf(x)) == pytest.approx(cdf(x), rel=1e-12)


@pytest.mark.parametrize("t", [5.0, 7.9, 8.1, 12.0, 40.0, 1000.0])
def test_tails_agree_with_exact_fractions(t: float) -> None:
    exact = mills_of(t)
    assert inverse_mills(-t) == pytest.approx(float(exact), rel=1e-14)
    assert shrinkage(-t) == pytest.approx(float(exact * (exact - Decimal(t))), rel=1e-12)
    assert log_cdf(-t) == pytest.approx(-0.5 * t * t - 0.5 * math.log(2 * math.pi) - math.log(exact), rel=1e-14)


@pytest.mark.parametrize("function", [inverse_mills, shrinkage, log_cdf])
def test_the_tail_joins_the_middle_without_a_step(function: Kernel[[float], float]) -> None:
    assert function(-8.0 - 1e-12) == pytest.approx(function(-8.0), rel=1e-11)


@given(st.floats(-1e9, 1e9))
def test_shrinkage_stays_between_0_and_1(x: float) -> None:
    assert 0.0 <= shrinkage(x) <= 1.0


def slope(function: Kernel[[float], float], x: float) -> float:
    step = 1e-4
    return (function(x + step) - function(x - step)) / (2 * step)


@pytest.mark.parametrize("x", [-20.0, -6.0, -1.0, 0.0, 0.7, 3.0])
def test_the_kernels_are_derivatives_of_one_another(x: float) -> None:
    assert slope(log_cdf, x) == pytest.approx(inverse_mills(x), rel=1e-6)
    assert -slope(inverse_mills, x) == pytest.approx(shrinkage(x), rel=1e-6)


@given(st.floats(-4.0, 4.0), margins)
def test_the_slope_between_margins_is_that_of_its_definition(x: float, margin: float) -> None:
    mass = cdf(margin - x) - cdf(-margin - x)
    v = (pdf(-margin - x) - pdf(margin - x)) / mass
    w = v * v + ((margin - x) * pdf(margin - x) + (margin + x) * pdf(margin + x)) / mass
    assert between(x, margin) == pytest.approx((v, w), rel=1e-8, abs=1e-8)


@given(reals, margins)
def test_between_margins_both_sides_mirror_each_other(x: float, margin: float) -> None:
    (v, w), (mirrored, same) = between(x, margin), between(-x, margin)
    assert (v, w) == (-mirrored, same)
    assert 0.0 <= w <= 1.0


@given(st.floats(-5.0, 5.0))
def test_a_narrow_margin_comes_to_its_limit(x: float) -> None:
    assert between(x, 1e-5) == pytest.approx((-x, 1.0), abs=1e-8)
    assert between(x, 0.0) == (-x, 1.0)


def test_far_between_margins_only_the_nearer_one_counts() -> None:
    assert between(300.0, 1.0) == (-inverse_mills(-299.0), shrinkage(-299.0))


@pytest.mark.parametrize("function", [pdf, cdf, log_cdf, inverse_mills, shrinkage])
@pytest.mark.parametrize("x", POINTS)
def test_plain_and_compiled_agree(function: Kernel[[float], float], x: float) -> None:
    assert function(x) == pytest.approx(function.compiled(x), rel=1e-15, abs=0.0)


@pytest.mark.parametrize("x", POINTS)
def test_plain_and_compiled_agree_between_margins(x: float) -> None:
    assert between(x, 0.7) == between.compiled(x, 0.7)
