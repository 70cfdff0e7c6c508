"""The arithmetic of a change as a club member would write it: `369.9525 × 1.5 × 0.9 = 499.44 → 499`.

Factors have as many digits as it takes to find the printed change from the printed numbers by hand, at least four that
count; the same holds for each factor and its parts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from handan.wording.figures import EXACT, fixed, in_full, places_of, plain, rounded, rounds_to, significant

if TYPE_CHECKING:
    from handan.ratings.reasons import Combine, Factor, Reason

LEAST, MOST = 4, 12  # our choice: digits that count
SIGNS = {"sum": " + ", "product": " × "}
CUT = 4  # decimals of factors whose product is cut, not rounded; the tables of the South African clubs have four
SHOWN = 2  # our choice: decimals of a product before it is cut


class Term(NamedTuple):
    """A factor as it is printed."""

    factor: Factor
    text: str
    parts: tuple[Term, ...]


class Arithmetic(NamedTuple):
    """A change as it is printed."""

    line: str
    """Factors with their product or sum; empty where a single factor is the whole change."""
    terms: tuple[Term, ...]
    combine: Combine

    @property
    def in_short(self) -> str:
        """The factors with their names: `K 32 × score - expected score 0.36`."""
        return SIGNS[self.combine].join(f"{term.factor.name} {term.text}" for term in self.terms)

    @property
    def lines(self) -> list[str]:
        """One line a factor: value, name and the clause of the rules; the parts of a factor stand below it."""
        return self.lines_in(str)

    def lines_in(self, words: Callable[[str], str]) -> list[str]:
        """Return the lines with names and clauses as `words` writes them in another language."""
        return _lines(self.terms, "", words)


def arithmetic(reason: Reason, change: float, decimals: int) -> Arithmetic:
    """Return the arithmetic of a change that is printed with so many decimals."""
    result = Decimal(fixed(change, decimals) or "0")
    if reason.rounding:
        terms, _ = _terms(reason.factors, reason.combine, lambda exact: int(exact) == int(result), 0, CUT)
    else:
        terms, _ = _terms(reason.factors, reason.combine, lambda exact: rounds_to(exact, result), decimals)
    if len(terms) < 2:
        return Arithmetic("", terms, reason.combine)
    written = f"{_joined(terms, reason.combine)} = "
    if not reason.rounding:
        return Arithmetic(f"{written}{in_full(result)}", terms, reason.combine)
    exact = _combined([term.text for term in terms], reason.combine)
    products = [rounded(exact, places) for places in range(SHOWN, MOST)]
    product = next((each for each in products if int(each) == int(result) and rounds_to(exact, each)), products[0])
    return Arithmetic(f"{written}{plain(product)} → {in_full(result)}", terms, reason.combine)


def _terms(
    factors: Sequence[Factor], combine: str, fits: Callable[[Decimal], bool], decimals: int, least: int = 0
) -> tuple[tuple[Term, ...], bool]:
    """Return factors with the fewest digits, in all of them alike, at which they and their parts fit by hand.

    Where no digits do, as 173.333... times 1.5 is never quite 260, they have the fewest; whether they fit is said.
    """
    near: tuple[Term, ...] = ()
    for more in range(MOST - LEAST + 1):
        texts = _texts(factors, combine, more, decimals, least)
        if all(texts) and fits(_combined(texts, combine)):
            terms, fit = _with_parts(factors, texts)
            if fit:
                return terms, True
            near = near or terms
    return near or _with_parts(factors, _texts(factors, combine, 0, decimals, least))[0], False


def _with_parts(factors: Sequence[Factor], texts: Sequence[str]) -> tuple[tuple[Term, ...], bool]:
    """Return factors as they are printed, and whether the parts of each come to it by hand."""
    parts = [_parts(factor, text) for factor, text in zip(factors, texts, strict=True)]
    terms = (Term(factor, text, made_of) for factor, text, (made_of, _) in zip(factors, texts, parts, strict=True))
    return tuple(terms), all(fit for _, fit in parts)


def _texts(factors: Sequence[Factor], combine: str, more: int, decimals: int, least: int) -> list[str]:
    """Return factors with the same number of digits that count, summands with the same number of decimals."""
    if combine == "product":
        return [_significant(factor, LEAST + more, least) for factor in factors]
    values = [factor.value for factor in factors]
    places = max(decimals, LEAST - 1 - _size(values), 0) + more
    return [plain(rounded(value, places)) for value in values]


def _significant(factor: Factor, count: int, least: int) -> str:
    """Return a factor with so many digits that count; a sum has no digit below the last exact one of its parts."""
    value = factor.value
    if factor.parts and factor.combine == "sum" and 0 < abs(value) < math.inf:
        count = min(count, EXACT - 1 + _size([value]) - _size([part.value for part in factor.parts]))
        if count < 1:
            return "0"
    return significant(value, count, least)


def _size(values: Sequence[float]) -> int:
    """Return the power of ten of the largest of values."""
    return math.floor(math.log10(max(map(abs, values), default=0.0) or 1.0))


def _parts(factor: Factor, text: str) -> tuple[tuple[Term, ...], bool]:
    if not factor.parts or not text:
        return (), True
    result = Decimal(text)
    decimals = max(0, places_of(result))
    return _terms(factor.parts, factor.combine, lambda exact: rounds_to(exact, result), decimals)


def _combined(texts: Sequence[str], combine: str) -> Decimal:
    numbers = [Decimal(text) for text in texts]
    return sum(numbers, Decimal(0)) if combine == "sum" else math.prod(numbers, start=Decimal(1))


def _joined(terms: Sequence[Term], combine: str) -> str:
    """Return values with the signs between them: `255.87 × -0.75`, `4.6404 - 0.25`."""
    return SIGNS[combine].join(term.text for term in terms).replace("+ -", "- ")


def _lines(terms: Sequence[Term], indent: str, words: Callable[[str], str]) -> list[str]:
    width = max((len(term.text) for term in terms), default=0)
    lines: list[str] = []
    for factor, text, parts in terms:
        made_of = f" = {_joined(parts, factor.combine)}" if len(parts) > 1 else ""
        lines.append(f"{indent}{text:<{width}}  {words(factor.name)}{made_of}: {words(factor.clause)}")
        lines += _lines(parts, indent + " " * (width + 2), words)
    return lines
