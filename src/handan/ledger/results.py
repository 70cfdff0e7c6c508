"""The result of a game: who won, how, and whether the colours are known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from handan.errors import FieldError, refuse_other

EXPECTED = "a result such as B+3.5, W+R, jigo, both-lose or void"


class Outcome(Enum):
    """What the game came to, seen from the black column."""

    BLACK = "black"
    WHITE = "white"
    JIGO = "jigo"
    BOTH_LOSE = "both-lose"
    BOTH_WIN = "both-win"
    VOID = "void"
    UNPLAYED = "?"


SCORES = {Outcome.BLACK: 1.0, Outcome.WHITE: 0.0, Outcome.JIGO: 0.5}
OF_SCORE = {1.0: "B+", 0.5: "jigo", 0.0: "W+"}
"""What a score of Black says, as files have it."""
WORDS = {
    "jigo": "jigo", "0": "jigo", "draw": "jigo", "1/2": "jigo", "½-½": "jigo", "1/2-1/2": "jigo", "=": "jigo",
    "d+j": "jigo",
    "p=": "P=", "b": "B+", "w": "W+", "1-0": "B+", "0-1": "W+",
    "both-lose": "both-lose", "both-win": "both-win", "void": "void", "?": "?",
}  # fmt: skip
DECIDED = re.compile(r"(b|w|p1|p2)\+\s*(.*)", re.IGNORECASE)
TAILS = {
    "r": "R", "res": "R", "res.": "R", "resign": "R", "resignation": "R",
    "t": "T", "time": "T", "timeout": "T", "f": "F", "forfeit": "F", "default": "F",
}  # fmt: skip


SHORT = 16  # characters; our choice: results of so many are remembered, since many games have the same


@dataclass(frozen=True, slots=True)
class Result:
    """A result as a fact. `str(result)` is its one spelling in files: `B+3.5`, `W+R`, `jigo`, `P1+F`, `both-lose`."""

    outcome: Outcome
    colours_known: bool = True
    tail: str = ""
    """Points, `R` resignation, `T` time, `F` default (not played), or empty."""
    remark: str = ""
    """A word after the plus sign that is none of these; it belongs to the notes."""

    @classmethod
    def parse(cls, text: str) -> Result:
        """Read a result in any spelling that files use; FieldError otherwise."""
        refuse_other("result", text, str, "text such as B+3.5, W+R or jigo")
        return _short_result(text) if len(text) <= SHORT else cls._read(text)

    @classmethod
    def _read(cls, text: str) -> Result:
        stripped = text.strip()
        word = WORDS.get(stripped.lower())
        if word == "P=":
            return cls(Outcome.JIGO, colours_known=False)
        match = DECIDED.fullmatch(word or stripped)
        if match:
            return cls._decided(match[1].upper(), match[2].strip())
        if word:
            return cls(Outcome(word))
        raise FieldError("result", text, EXPECTED)

    @classmethod
    def _decided(cls, side: str, how: str) -> Result:
        outcome = Outcome.BLACK if side in {"B", "P1"} else Outcome.WHITE
        coloured = side in {"B", "W"}
        if re.fullmatch(r"\d{1,4}([.,]\d{1,2})?", how):
            return cls(outcome, coloured, f"{float(how.replace(',', '.')):g}")
        if how.lower() in TAILS:
            return cls(outcome, coloured, TAILS[how.lower()])
        if not how or how.isalpha():
            return cls(outcome, coloured, remark=how)
        raise FieldError("result", f"{side}+{how}", EXPECTED)

    def __str__(self) -> str:
        """The spelling in files."""
        if self.outcome is Outcome.JIGO:
            return "jigo" if self.colours_known else "P="
        if self.outcome not in SCORES:
            return str(self.outcome.value)
        sides = ("B", "W") if self.colours_known else ("P1", "P2")
        return f"{sides[self.outcome is Outcome.WHITE]}+{self.tail}"

    @property
    def score(self) -> float | None:
        """Score of the black column: 1, 0.5, 0; None where nobody scored by play."""
        outcome = self.outcome  # compared one by one: looking a member of an enumeration up in a table takes longer
        if outcome is Outcome.BLACK:
            return 1.0
        if outcome is Outcome.WHITE:
            return 0.0
        return 0.5 if outcome is Outcome.JIGO else None

    @property
    def margin(self) -> float | None:
        """Points, or goals, by which the winner won; None where nobody counted or won."""
        return float(self.tail) if self.tail and not self.tail.isalpha() else None

    @property
    def ending(self) -> str:
        """`R` resignation, `T` time, `F` default, `=` jigo, empty where it was counted or is not known."""
        if self.outcome is Outcome.JIGO:
            return "="
        return self.tail if self.tail.isalpha() else ""

    @property
    def by_default(self) -> bool:
        """Whether the point was given without play."""
        return self.tail == "F"


@lru_cache(maxsize=1000)
def _short_result(text: str) -> Result:
    return Result._read(text)  # noqa: SLF001  # of this module
