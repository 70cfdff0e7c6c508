"""Numbers as people read them: ratings by their size, factors with as many digits as the arithmetic needs."""

import math
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

MOST_DECIMALS = 10  # our choice: beyond them stands the rounding of the machine
HUGE = 1e15  # our choice: numbers from here on are not rounded, and factors are written as 1.234e+15
EXACT_HUGE = Decimal(HUGE)  # a decimal number compares with a float six times as slowly
UNITS = tuple(Decimal(1).scaleb(-places) for places in range(20))
"""The last digit of numbers with so many decimals."""
EXACT = 14  # our choice: significant digits of a double that are free of such rounding
SAFE = 1e9
"""Last digits of a number below which cutting it to `EXACT` digits moves it by less than half of `NEAR`."""
NEAR = 1e-4  # our choice: of the last digit; nearer to a half the way through decimal numbers decides
LARGE = ((10**9, "billion"), (10**6, "million"))
LARGEST = 10**12  # our choice: so many games were never played


def digits(values: Iterable[float | None]) -> int:
    """Return how many decimals suit a column of ratings: none for points, one or two otherwise."""
    finite = [value for value in values if value is not None and math.isfinite(value)]
    if all(value == int(value) for value in finite):
        return 0
    return 1 if max(map(abs, finite)) >= 100 else 2


def fixed(value: float | Decimal | None, decimals: int) -> str:
    """Return a number with so many decimals; nothing for an unknown one."""
    if value is None or not math.isfinite(value):
        return ""
    return f"{value:.{decimals}f}" if _clear(value, decimals) else in_full(rounded(value, decimals))


def in_full(number: Decimal) -> str:
    """Return a number with all its digits, never as 1E-7; the shorter way is by far the faster one."""
    text = str(number)
    return f"{number:f}" if "E" in text else text


def signed(value: float | Decimal | None, decimals: int) -> str:
    """Return a change with its sign; no change has none."""
    if value is None or not math.isfinite(value):
        return ""
    return f"{value:+.{decimals}f}" if _clear(value, decimals) else _with_sign(rounded(value, decimals))


def _clear(value: float | Decimal, decimals: int) -> bool:
    """Return whether a number rounds to the same digits, not all 0, by every way: the shortest is fast.

    That is so where no half is near, for numbers of few digits.
    """
    if not isinstance(value, float) or decimals < 0:
        return False
    size = abs(value) * 10.0**decimals
    return 1.0 <= size < SAFE and abs(size % 1.0 - 0.5) > NEAR


def _with_sign(number: Decimal) -> str:
    return f"+{in_full(number)}" if number > 0 else in_full(number)


def rounded(value: float | Decimal, decimals: int) -> Decimal:
    """Return a number with so many decimals, without minus zero."""
    exact = value if isinstance(value, Decimal) else Decimal(f"{value:.{EXACT}g}")
    if not -EXACT_HUGE < exact < EXACT_HUGE:
        return exact
    result = exact.quantize(_unit(decimals), ROUND_HALF_EVEN)
    return result or abs(result)


def _unit(decimals: int) -> Decimal:
    return UNITS[decimals] if 0 <= decimals < len(UNITS) else Decimal(1).scaleb(-decimals)


def places_of(number: Decimal) -> int:
    """Return how many decimals a number is written with."""
    return -(number * 0).adjusted()  # a zero has the exponent of its last digit, and no tuple need be made to read it


class Step(NamedTuple):
    """A line of a card as it is printed."""

    before: str
    change: str
    after: str
    decimals: int


def rounds_to(exact: Decimal, result: Decimal) -> bool:
    """Return whether a number rounds to a printed one; a half between two does not, since people differ on it."""
    return 2 * abs(exact - result) < _unit(places_of(result))


def step(before: float | None, change: float | None, after: float | None, decimals: int) -> Step:
    """Return a line of a card with so many decimals, or as many more as make its printed numbers add up."""
    values = [value for value in (before, change, after) if value is not None and math.isfinite(value)]
    if len(values) == 3 and math.isclose(values[0] + values[1], values[2], rel_tol=1e-9, abs_tol=1e-9):
        exact = [Decimal(f"{value:.{EXACT}g}") for value in values]
        for places in range(decimals, MOST_DECIMALS + 1):
            start, moved, end = printed = [rounded(value, places) for value in exact]
            if start + moved == end and all(map(rounds_to, exact, printed)):
                return Step(in_full(start), _with_sign(moved), in_full(end), places)
    return Step(fixed(before, decimals), signed(change, decimals), fixed(after, decimals), decimals)


def summands(start: float, values: Sequence[float], decimals: int) -> list[Decimal]:
    """Return numbers with so many decimals that add up, as printed, from the printed start to the printed sum.

    Each is rounded by itself where that adds up; else the last digit of some is one more or less.
    """
    exact = [Decimal(f"{value:.{EXACT}g}") for value in values]
    alone = [rounded(value, decimals) for value in exact]
    sums = [rounded(value, decimals) for value in accumulate(exact, initial=Decimal(f"{start:.{EXACT}g}"))]
    if sums[0] + sum(alone) == sums[-1]:
        return alone
    return [after - before for before, after in pairwise(sums)]


def brief(value: Any) -> str:
    """Return a fact or a factor in few digits: 369.9525 is 369.95, 0.34567 is 0.3457, truth is yes or no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) or value is None:
        return value or ""
    number = float(value)
    if not math.isfinite(number):
        return ""
    if 0 < abs(number) < 0.001:
        return f"{number:.3g}"
    return plain(rounded(number, 2 if abs(number) >= 100 else 4))


def plain(number: Decimal) -> str:
    """Return a number without zeros behind its last digit."""
    text = in_full(number)
    return text.rstrip("0").rstrip(".") if "." in text else text


def significant(value: float, count: int, least: int = 0) -> str:
    """Return a number with so many significant digits and at least so many decimals; whole numbers are not cut."""
    if not math.isfinite(value):
        return ""
    if 0 < abs(value) < 0.0001 or abs(value) >= HUGE:
        return f"{value:.{count}g}"
    size = math.floor(math.log10(abs(value))) if value else 0
    return plain(rounded(value, max(least, count - 1 - size, 0)))


def percent(probability: float | None) -> str:
    """Return a probability in per cent with one decimal, `54.8 %`; nothing for an unknown one."""
    return "" if probability is None else f"{100.0 * probability:.1f} %"


def about(number: int) -> str:
    """Return a count of which no more than two digits mean something: 24,681 is about 25,000, 1,234,567 1.2 million."""
    if number < 100:
        return str(number)
    if number >= LARGEST:
        return "more than a thousand billion"
    coarse = round(number, 2 - len(str(number)))
    for size, word in LARGE:
        if coarse >= size:
            return f"about {plain(Decimal(coarse) / size)} {word}"
    return f"about {coarse:,}"
