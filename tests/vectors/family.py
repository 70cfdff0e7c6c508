"""A family of vectors, and the choice of the family that a case belongs to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any

Adapter = Callable[..., Any]
Case = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Family:
    """The vectors of one system; an adapter's parameters are the inputs of its cases, its defaults their defaults."""

    name: str
    pattern: str
    """Expression found, in any case of letters, in the `system` text or in the name of the family's files."""
    functions: Mapping[str, Adapter]

    def named_in(self, text: str) -> bool:
        """Return whether a text names the family."""
        return re.search(self.pattern, text, re.IGNORECASE) is not None

    def takes(self, case: Case) -> bool:
        """Return whether the family has the case's function, and the function takes the case's inputs."""
        try:
            signature(self.functions[case["function"]]).bind(**case["inputs"])
        except (KeyError, TypeError):
            return False
        return True


class NoAdapterError(LookupError):
    """No family, or more than one, can compute a case."""


@dataclass(frozen=True, slots=True)
class Chooser:
    """The families that a file may belong to, and for how many of its cases each has an adapter."""

    families: tuple[Family, ...]
    fits: Mapping[str, int]

    @classmethod
    def of(cls, families: Sequence[Family], system: str, file: str, cases: Sequence[Case]) -> Chooser:
        """Keep the families that the `system` text names, of these the ones that the file's name names; none: all."""
        kept = list(families)
        for text in (system, file.replace("_", " ")):
            kept = [family for family in kept if family.named_in(text)] or kept
        return cls(tuple(kept), {family.name: sum(map(family.takes, cases)) for family in kept})

    def adapter(self, case: Case) -> Adapter:
        """Return what computes a case: of the families that take it, the one that takes most of its file."""
        able = [family for family in self.families if family.takes(case)]
        most = max((self.fits[family.name] for family in able), default=0)
        best = [family for family in able if self.fits[family.name] == most]
        if len(best) == 1:
            adapter: Adapter = best[0].functions[case["function"]]
            return adapter
        call = f"{case['function']}({', '.join(case['inputs'])})"
        names = [family.name for family in best or self.families]
        if best:
            raise NoAdapterError(f"no adapter: {call} may mean {' or '.join(names)}, and the file names none of them")
        raise NoAdapterError(f"no adapter for {call} in {', '.join(names)}")
