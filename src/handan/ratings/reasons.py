"""The reason of a change: named factors, each with the clause of the rules that it follows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Combine = Literal["product", "sum"]


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor or summand of a change; its own parts, if any, multiply or add up to it."""

    name: str
    value: float
    clause: str
    """The sentence of the rules that this value follows; a `Clause` where values stand in it."""
    parts: tuple[Factor, ...] = ()
    combine: Combine = "product"

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        data: dict[str, Any] = {"name": self.name, "value": self.value, "clause": self.clause}
        if self.parts:
            data |= {"combine": self.combine, "parts": [part.as_dict() for part in self.parts]}
        return data


def product(name: str, clause: str, *parts: Factor) -> Factor:
    """Return the factor that its parts multiply up to, from left to right."""
    value = parts[0].value
    for part in parts[1:]:
        value *= part.value
    return Factor(name, value, clause, parts, "product")


def total(name: str, clause: str, *parts: Factor) -> Factor:
    """Return the factor that its parts add up to, from left to right."""
    value = parts[0].value
    for part in parts[1:]:
        value += part.value
    return Factor(name, value, clause, parts, "sum")


def surprise(name: str, clause: str, score: float, expectation: float, law: str) -> Factor:
    """Return the score less the expected score, which `law` gives."""
    points = Factor("score", score, "A win is 1, a jigo 0.5, a loss 0.")
    return total(name, clause, points, Factor("less the expected score", -expectation, law))


@dataclass(frozen=True, slots=True)
class Reason:
    """What a system says about one side of one game."""

    factors: tuple[Factor, ...]
    combine: Combine
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the factors were found from: the opponent's rating, the effective handicap, the terms of the card."""
    rounding: Literal["", "truncated"] = ""
    """`truncated`: the fraction of the combined value is dropped toward zero, as the rule says."""

    @property
    def value(self) -> float:
        """The change that the factors make."""
        combined = total if self.combine == "sum" else product
        exact = combined("", "", *self.factors).value if self.factors else 0.0
        if not self.rounding:
            return exact
        return float(math.trunc(exact + math.copysign(1e-9, exact)))  # a product of tenths may lie just below a whole
