"""Numbers as people read them: ratings by their size, factors with as many digits as the arithmetic needs."""

import math
from collections.abc import Iterable
from typing import Any


def digits(values: Iterable[float | None]) -> int:
    """Return how many decimals suit a column of ratings: none for points, one or two otherwise."""
    known = [value for value in values if value is not None and math.isfinite(value)]
    if all(value == int(value) for value in known):
        return 0
    return 1 if max(abs(value) for value in known) >= 100 else 2


def fixed(value: float | None, decimals: int) -> str:
    """Return a number with so many decimals; nothing for an unknown one."""
    if value is None or not math.isfinite(value):
        return ""
    return f"{_without_minus_zero(round(value, decimals)):.{decimals}f}"


def signed(value: float | None, decimals: int) -> str:
    """Return a change with its sign; no change has none."""
    text = fixed(value, decimals)
    return f"+{text}" if value is not None and round(value, decimals) > 0 else text


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
    rounded = round(number, 2 if abs(number) >= 100 else 4)
    return f"{_without_minus_zero(rounded):.4f}".rstrip("0").rstrip(".")


def percent(probability: float | None) -> str:
    """Return a probability in per cent with one decimal, `54.8 %`; nothing for an unknown one."""
    return "" if probability is None else f"{100.0 * probability:.1f} %"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: 1 game, 2,000 games."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _without_minus_zero(value: float) -> float:
    return value + 0.0
