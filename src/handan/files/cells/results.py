"""Results as people write them, in many languages: `黒中押し勝ち`, `Schwarz gewinnt mit 3,5`, `N+3½`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from handan.colours import COLOURS
from handan.errors import FieldError, QuestionError
from handan.files.cells.vocabulary import has_wide_letters, kinds_of
from handan.ledger import Result
from handan.ledger.results import EXPECTED, Outcome
from handan.words import languages_of, plain, table, words_of

FIRST, SECOND = "first", "second"
"""The sides where a result names no colour: `1-0`, `win`, `loss` are of the player who stands first."""
KINDS = (
    "win", "lose", "resign", "resigns", "time", "default", "awarded", "forfeits", "foul", "draw", "unplayed", "void",
    "both_lose", "points", "by",
)  # fmt: skip
TAILS = {"resign": "R", "resigns": "R", "time": "T", "default": "F", "awarded": "F", "forfeits": "F"}
OF_LOSER = frozenset(("lose", "resigns", "forfeits"))
"""What is said of who lost."""
WITHOUT_SIDE = frozenset(("awarded", "forfeits", "by", "foul"))
"""What says who won only beside a colour; `win` and `loss` are of the player who stands first."""
FRACTIONS = {"½": ".5", "¼": ".25", "¾": ".75"}
LETTERED = re.compile(r"\s*([^\W\d_])\s*(?:\+.*)?", re.DOTALL)
"""A result that begins with the letter of a colour, or is nothing else."""
SCORE = re.compile(r"(2|1|0|0?[.,]5|1/2)\s*[-:/–—]\s*(2|1|0|0?[.,]5|1/2)")
HALF_POINTS = ("½", "0.5", "0,5", "1/2")
"""The points of a player who drew."""
BY_FORFEIT = {"+": FIRST, "-": SECOND}
FORFEIT = re.compile(r"(\+) ?[-:] ?-|(-) ?[-:] ?\+|- [-:] -|-:-")
"""A game that one side or both did not play, as lists of pairings print it; `---` alone is an empty cell."""
POINTS = re.compile(r"\d{1,3}(?:[.,]\d{1,2})?|[.,]\d{1,2}")
ZI = re.compile(r"(?:(\d{1,3})又)?(?:(\d)/(\d)|(\d{1,3}(?:\.\d{1,2})?))子")
HALF = re.compile(r"(\d{0,3})(?<!\s)\s*+(?:(?:目|집|子)\s*(?:半|반)|(?:半|반(?!칙))\s*(?:目|집)?)")
HALF_A_POINT = re.compile(r"\bhalf(?: a)? point\b", re.IGNORECASE)
LETTER_BEHIND = re.compile(r"\+ ?([RTF])$", re.IGNORECASE)
LONGEST = 80  # characters; our choice: longer text is no result


@dataclass(frozen=True, slots=True)
class Finding:
    """What a cell says: who won, and how."""

    winner: str
    """`black`, `white`, `first` or `second`; `draw`, `void` or `both-lose`, or empty where nobody played."""
    tail: str = ""

    def text(self, first: str, second: str) -> str:
        """Return the result as files have it; `first` and `second` are what a win of that side begins with."""
        marks = {"black": "B+", "white": "W+", FIRST: first, SECOND: second}
        if self.winner in ("void", "both-lose"):
            return self.winner
        if self.winner == "draw":
            return "jigo" if first in ("B+", "W+") else "P="
        return f"{marks[self.winner]}{self.tail}" if self.winner else "?"


def letters_of(cells: Iterable[str], languages: frozenset[str]) -> str:
    """Return the letters of Black and White in a column of results.

    Raises:
        QuestionError: There is only a letter that is Black in game records and White in the language of the headings.
    """
    letters = letters_used(cells)
    pairs = dict.fromkeys(str(pair) for pair in table()["letters"].values())
    used = letters & {letter for pair in pairs for letter in pair}
    if used <= {"b", "w"} and ("w" in used or not used):
        return "bw"
    local = {table()["letters"][language] for language in languages}
    if used == {"b"}:
        white = sorted(pair for pair in local if pair[1] == "b")
        if white and "bw" not in local:
            pair = white[0]
            question = "does B in its results mean Black or White?"
            raise QuestionError(question, "--letters", ("bw", pair), readings=("black", "white"))
        return "bw"
    twelve = {pair for language, pair in table()["letters"].items() if language in table()["heading"]["date"]}
    fitting = [pair for pair in pairs if used <= set(pair) and (pair in local | twelve or used == set(pair))]
    return next((pair for pair in fitting if pair in local), fitting[0] if fitting else "bw")


def letters_used(cells: Iterable[str]) -> set[str]:
    """Return the letters with which results begin."""
    return {plain(match[1]) for cell in cells if len(cell) <= LONGEST and (match := LETTERED.fullmatch(cell))}


def endings_of(letters: str, languages: frozenset[str] = frozenset()) -> dict[str, str]:
    """Return how a game was won by the letter behind that of the winner, as A is `Aufgabe` in the German `S+A`.

    Args:
        letters: Those of Black and White; a pair of its own tells the language.
        languages: Those of the headings.
    """
    pairs = table()["letters"]
    spoken = languages & set(pairs) if letters == "bw" else {name for name in pairs if pairs[name] == letters}
    if letters != "bw" and languages & spoken:
        spoken &= languages
    endings: dict[str, set[str]] = {}
    for kind, by_language in table()["endings"].items():
        for language in spoken & set(by_language):
            endings.setdefault(by_language[language], set()).add(TAILS[kind])
    return {letter: tails.pop() for letter, tails in endings.items() if len(tails) == 1}


def read_result(cell: str, letters: str = "bw", endings: Mapping[str, str] | None = None) -> Finding:
    """Return what a result says; FieldError if it says none.

    Args:
        cell: As it is written.
        letters: Those of Black and White.
        endings: How a game was won by the letter behind that (`endings_of`).
    """
    text = cell.strip()
    if len(text) > LONGEST:
        raise FieldError("result", cell, EXPECTED)
    if letters != "bw" and (match := LETTERED.fullmatch(text)) and plain(match[1]) in letters:
        text = ("B" if plain(match[1]) == letters[0] else "W") + text[match.end(1) :].lstrip()
    if text in HALF_POINTS:
        return Finding("draw")
    text = plain_text(text).rstrip(". ")
    if match := SCORE.fullmatch(text):
        return _score(match[1], match[2], cell)
    if match := FORFEIT.fullmatch(text):
        mark = match[1] or match[2]
        return Finding(BY_FORFEIT[mark], "F") if mark else Finding("both-lose")
    try:
        return _finding(Result.parse(text), endings or {})
    except FieldError:
        return _by_words(text, letters, cell)


def tail_of(cell: str) -> str:
    """Return how a game was won, of a cell that says only that: `3.5`, `R`, `T`, `F`; empty if it says nothing."""
    if not cell.strip() or len(cell) > LONGEST:
        return ""
    text = plain_text(cell.strip())
    points, rest = _points(text)
    kinds = _kinds(rest, "bw")
    if kinds is None:
        short = text.lower()
        return {"r": "R", "t": "T", "f": "F"}.get(short, "")
    return next((TAILS[kind] for kind in kinds if kind in TAILS), points)


def with_decimals(text: str) -> str:
    """Return a text with decimals in place of `½` and `6½`."""
    for fraction, decimals in FRACTIONS.items():
        text = re.sub(rf"(?<=\d)\s*{fraction}", decimals, text).replace(fraction, f"0{decimals}")
    return text


def plain_text(text: str) -> str:
    """Return text in letters of usual width, with decimal fractions and plain dashes."""
    text = unicodedata.normalize("NFKC", with_decimals(text))
    text = re.sub(r"(?<=\+)\s*1/2(?![\d/])", "0.5", re.sub(r"(\d)\s+1/2", r"\1.5", text))
    text = HALF_A_POINT.sub("0.5", text)
    return " ".join(re.sub("[‐‑–—−]", "-", text).split())


def _score(first: str, second: str, cell: str) -> Finding:
    """Read `1-0`, `0:1`, `½-½`, and `2:0`, `1:1`, `0:2` where a win is worth two points."""
    points = [{"2": 2.0, "1": 1.0, "0": 0.0}.get(side, 0.5) for side in (first, second)]
    if points in ([0.5, 0.5], [1.0, 1.0]):
        return Finding("draw")
    if sorted(points) in ([0.0, 1.0], [0.0, 2.0]):
        return Finding(FIRST if points[0] else SECOND)
    raise FieldError("result", cell, EXPECTED)


def is_score(cell: str) -> bool:
    """Return whether a result is the points of both players, such as `1-0`, or the forfeit in their place."""
    text = plain_text(cell.strip()) if len(cell) <= LONGEST else ""
    return (SCORE.fullmatch(text) or FORFEIT.fullmatch(text)) is not None


def _finding(result: Result, endings: Mapping[str, str]) -> Finding:
    """Return a result that is written as files have it, but for the letter of how it was won."""
    if result.outcome is Outcome.JIGO:
        return Finding("draw")
    if result.score is None:
        raise FieldError("result", str(result), EXPECTED)  # kept as it is written
    sides = ("black", "white") if result.colours_known else (FIRST, SECOND)
    tail = result.tail or endings.get(plain(result.remark).strip(". ")) or tail_of(result.remark) or result.remark
    return Finding(sides[result.outcome is Outcome.WHITE], tail)


def _by_words(text: str, letters: str, cell: str) -> Finding:
    letter = LETTER_BEHIND.search(text)
    points, rest = _points(text[: letter.start() + 1] if letter else text)
    kinds = _kinds(rest.replace("+", " + "), letters)
    if not kinds:
        raise FieldError("result", cell, EXPECTED)
    tail = letter[1].upper() if letter else next((TAILS[kind] for kind in kinds if kind in TAILS), points)
    if "draw" in kinds:
        return Finding("draw")
    if "void" in kinds:
        return Finding("void")
    if "both_lose" in kinds:
        return Finding("both-lose")
    if "unplayed" in kinds:
        return Finding("")
    colours = [kind for kind in kinds if kind in COLOURS]
    won, lost = {"win", "+", "awarded"} & {*kinds}, OF_LOSER & {*kinds}
    side = colours[0] if colours else FIRST
    other = {"black": "white", "white": "black", FIRST: SECOND}[side]
    if not colours and {*kinds} <= WITHOUT_SIDE:
        raise FieldError("result", cell, EXPECTED)
    if won and "lose" not in kinds:
        return Finding(side, tail)
    if lost:
        return Finding(other, tail)
    usual = "by" in kinds or points or has_wide_letters(text)
    if colours and "foul" not in kinds and (not TAILS.keys() & set(kinds) or usual):
        return Finding(side, tail)
    raise FieldError("result", cell, EXPECTED)


def _points(text: str) -> tuple[str, str]:
    """Return the points that a result was won by, and the rest of its text."""
    if match := ZI.search(text):
        return points_of_zi(match), text[: match.start()] + " " + text[match.end() :]
    if match := HALF.search(text):
        return f"{float(match[1] or 0) + 0.5:g}", text[: match.start()] + " " + text[match.end() :]
    if match := POINTS.search(text):
        return f"{float(match[0].replace(',', '.')):g}", text[: match.start()] + " " + text[match.end() :]
    return "", text


def points_of_zi(match: re.Match[str]) -> str:
    """Return the points of a match of `ZI`: a Chinese stone is two, so that `3又3/4子` is 7.5."""
    whole, part, of, decimal = match.groups()
    zi = float(decimal) if decimal else float(whole or 0) + int(part) / max(int(of), 1)
    return f"{2 * zi:g}"


@cache
def _vocabulary() -> Mapping[str, frozenset[str]]:
    """Return what each word says: a colour, or one of `KINDS`."""
    kinds: dict[str, set[str]] = {}
    for colour in COLOURS:
        for word in languages_of("colour", colour):
            kinds.setdefault(word, set()).add(colour)
    for kind in KINDS:
        for word in words_of("result", kind):
            kinds.setdefault(word, set()).add(kind)
    return {word: frozenset(names) for word, names in kinds.items()}


def _kinds(text: str, letters: str) -> list[str] | None:
    """Return what the words of a result say, in their order; None if one of them is none of a result."""
    return kinds_of(text, _vocabulary(), dict(zip(letters, COLOURS, strict=False)) | {"+": "+"})
