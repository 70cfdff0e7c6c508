"""e^x by the same steps in plain Python, in machine code and in vector registers: the same bits on every machine.

The exponential of a machine's mathematical library differs from machine to machine in the last digit, and takes one
value at a time. Here e^x = 2^k e^r with |r| <= ln 2 / 2, and e^r is its Taylor polynomial of degree 13, whose remainder
is below 1e-17; with its roundings the result is the nearest number to e^x or the next one to that.
"""

from __future__ import annotations

import math

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Ints

FURTHEST = 700.0
"""Largest |x|; beyond it 2^k would leave the numbers that a computer holds with all their digits."""
PER_UNIT = 1.0 / math.log(2.0)
LN2 = 6.93147180369123816490e-01  # the first 33 bits of ln 2, so that k times them is exact, and the rest of it
LN2_REST = 1.90821492927058770002e-10
TO_WHOLE = 1.5 * 2.0**52  # what is added to it and taken away again becomes whole, to the nearest
BIAS, DIGITS = 1023, 52  # of a binary number of 64 bits: 2^k has the bits (k + 1023) << 52 (IEEE 754)
POWERS = np.ldexp(1.0, np.arange(1 - BIAS, BIAS + 1))
"""2^k from k = -1022 on."""


@kernel
def whole_part(x: float) -> float:
    """Return k, the whole number next to x / ln 2."""
    return (x * PER_UNIT + TO_WHOLE) - TO_WHOLE


@kernel
def of_rest(x: float, k: float) -> float:
    """Return e^(x - k ln 2)."""
    r = (x - k * LN2) - k * LN2_REST
    r2 = r * r
    r4 = r2 * r2
    # by pairs (G. Estrin, 1960), of which a processor computes several at once
    low = 1.0 / 2.0 + 1.0 / 6.0 * r
    middle = (1.0 / 24.0 + 1.0 / 120.0 * r) + (1.0 / 720.0 + 1.0 / 5040.0 * r) * r2
    high = (1.0 / 40320.0 + 1.0 / 362880.0 * r) + (1.0 / 3628800.0 + 1.0 / 39916800.0 * r) * r2
    highest = 1.0 / 479001600.0 + 1.0 / 6227020800.0 * r
    return 1.0 + (r + (low * r2 + middle * r4 + (high + highest * r4) * (r4 * r4)))


@kernel
def limited(x: float) -> float:
    """Return the number nearest to x for which the functions below work."""
    if x > FURTHEST:  # branches that are hardly ever taken cost a loop less than min and max
        return FURTHEST
    if x < -FURTHEST:
        return -FURTHEST
    return x


@kernel
def exponential(x: float) -> float:
    """Return e^x for x from -700 to 700, and not a number for what is none."""
    x = float(x)  # with the numbers of numpy's arrays plain Python takes three times as long
    k = whole_part(x)
    return of_rest(x, k) * float(POWERS[int(k) + (BIAS - 1)]) if k == k else x  # noqa: PLR0124  # false for what is no number


@kernel
def split_exponentials(values: Floats, powers: Floats, bits: Ints, count: int) -> None:
    """Put e^r in the place of each of the first values x, from -700 to 700, and 2^k beside it; their product is e^x.

    Args:
        values: Overwritten.
        powers: Filled.
        bits: The memory of `powers` seen as whole numbers, `powers.view(np.int64)`.
        count: How many values.
    """
    for place in range(count):
        shifted = values[place] * PER_UNIT + TO_WHOLE  # whose last bits are those of k
        values[place], powers[place] = of_rest(values[place], shifted - TO_WHOLE), shifted
    for place in range(count):  # in a loop of its own, else no vector instructions are made of it
        bits[place] = (bits[place] + BIAS) << DIGITS
