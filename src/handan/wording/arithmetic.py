"""The arithmetic of a change as a club member would write it: `370 × 1.5 × 0.9 = 499.5 → 499`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handan.wording.figures import brief

if TYPE_CHECKING:
    from collections.abc import Sequence

    from handan.ratings import Factor, Reason


def written_out(reason: Reason) -> str:
    """Return the factors of a change with their product or sum; nothing where a single factor is the whole change."""
    if len(reason.factors) < 2:
        return ""
    exact = _combined(reason.factors, reason.combine)
    text = f"{joined(reason.factors, reason.combine)} = {brief(exact)}"
    return f"{text} → {brief(reason.value)}" if reason.rounding else text


def joined(factors: Sequence[Factor], combine: str) -> str:
    """Return values with the signs between them: `255.87 × -0.75`, `4.6404 - 0.25`."""
    if combine == "product":
        return " × ".join(brief(factor.value) for factor in factors)
    return " + ".join(brief(factor.value) for factor in factors).replace("+ -", "- ")


def factor_lines(reason: Reason) -> list[str]:
    """Return one line a factor: value, name and the clause of the rules; the parts of a factor stand below it."""
    return _lines(reason.factors, "")


def _lines(factors: Sequence[Factor], indent: str) -> list[str]:
    width = max((len(brief(factor.value)) for factor in factors), default=0)
    lines: list[str] = []
    for factor in factors:
        sum_of_parts = f" = {joined(factor.parts, factor.combine)}" if len(factor.parts) > 1 else ""
        lines.append(f"{indent}{brief(factor.value):<{width}}  {factor.name}{sum_of_parts}: {factor.clause}")
        lines += _lines(factor.parts, indent + " " * (width + 2))
    return lines


def _combined(factors: Sequence[Factor], combine: str) -> float:
    from handan.ratings.explanation import product, total

    return (product if combine == "product" else total)("", "", *factors).value
