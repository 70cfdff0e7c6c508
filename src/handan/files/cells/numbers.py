"""Cells of a table as people write them: numbers with units, stones in words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from handan.errors import FieldError
from handan.files.cells.results import FRACTIONS
from handan.handicaps.typed_words import UnreadableError, gives_white, komi_in, plain_line, stones_in
from handan.ledger.facts import KOMI_EXPECTED, READERS, read_size
from handan.ledger.facts import read_komi as read_points
from handan.words import joined, words_of

LONGEST = 60  # characters; our choice: longer text is no number with its unit
NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
THOUSANDS = re.compile(r"(?<=\d)[.,'’ ](?=\d{3}(?!\d))")
UNITS = re.compile(r"[\s.]*(?:[^\W\d_]{0,12})[\s.:+]*")
BOARD = re.compile(r"(\d{1,2})\s*(?:[x×*]\s*(\d{1,2}))?\D{0,12}")


def number_in(cell: str) -> str:
    """Return the one number of a cell with its unit, such as `6目半` or `4 stones`; else the cell itself."""
    if len(cell) > LONGEST:
        return cell
    text = unicodedata.normalize("NFKC", _decimals(cell)).replace("−", "-").strip()
    text = re.sub(r"(\d)\s*(?:目|집)?\s*(?:半|반)", r"\1.5", text)
    match = NUMBER.search(text)
    if not match:
        return cell
    before, after = text[: match.start()], text[match.end() :]
    if UNITS.fullmatch(before) and UNITS.fullmatch(after):
        return match[0].replace(",", ".")
    return cell


def read_moves(cell: str) -> Any:
    """Return a number of moves, whose thousands may be apart: `1,201`, `1.201 Züge`, `1 201`."""
    text = unicodedata.normalize("NFKC", cell[: LONGEST + 1])
    return LOOSE["moves"](re.sub(THOUSANDS, "", text) if len(text) <= LONGEST else cell)


def _decimals(cell: str) -> str:
    for fraction, decimals in FRACTIONS.items():
        cell = re.sub(rf"(?<=\d)\s*{fraction}", decimals, cell).replace(fraction, f"0{decimals}")
    return cell


def _loosely(name: str) -> Callable[[str], Any]:
    """Return a reader that takes a number with its unit where the strict one takes nothing."""
    strict = READERS[name]

    def read(cell: str) -> Any:
        try:
            return strict(cell)
        except FieldError:
            if cell.strip() in {"-", "–", "—"}:
                return strict("")
            number = number_in(cell)
            if number == cell:
                raise
            try:
                return strict(number)
            except FieldError as fault:
                raise FieldError(fault.field, cell, fault.expected) from None

    return read


def read_stones(cell: str) -> int:
    """Return the stones of a handicap that may stand in words."""
    word = joined(cell)
    if word and word in words_of("stones", "even"):
        return 0
    if word and word in words_of("stones", "first"):
        return 1
    stones = stones_in(plain_line(cell)) if len(cell) <= LONGEST else None
    return int(LOOSE["handicap"](cell if stones is None else str(stones)))


def read_komi(cell: str) -> float | None:
    """Return the komi of a cell that may say who gives it: `6目半`, `Black gives 6.5`, `白から半目`; None for none."""
    text = plain_line(_decimals(cell)) if len(cell) <= LONGEST else ""
    try:
        return read_points(komi_in(text))
    except UnreadableError:
        if gives_white(text):  # and how much cannot be read: the number that stands there would be Black's
            raise FieldError("komi", cell, KOMI_EXPECTED) from None
    points: float | None = LOOSE["komi"](cell)
    return points


def read_board(cell: str) -> int:
    """Return the side of a board that may be written `19x19` or `19路`."""
    match = BOARD.fullmatch(unicodedata.normalize("NFKC", cell[:LONGEST]).strip())
    whole = match is not None and match[2] in (None, match[1])
    return read_size(match[1] if match and whole else cell)


LOOSE = {name: _loosely(name) for name in ("handicap", "komi", "round", "moves")}
CELLS: Mapping[str, Callable[[str], Any]] = {
    **READERS,
    **LOOSE,
    "handicap": read_stones,
    "komi": read_komi,
    "size": read_board,
    "moves": read_moves,
}
"""How the cells of a table are read."""
